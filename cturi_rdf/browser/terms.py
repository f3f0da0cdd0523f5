"""The terms, triples and quads of RDF, with the interface of pyoxigraph, in Python alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterator

_XSD = "http://www.w3.org/2001/XMLSchema#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
# RFC 3987: what no IRI has, and how an absolute one begins.
_NO_IRI = re.compile(r"[\x00-\x20<>\"{}|\\^`]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LABEL = re.compile(r"[\w:](?:[\w:.\u00b7-]*[\w:\u00b7-])?")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
# N-Triples section 2.4, in its canonical form.
_ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\b": "\\b",
    "\f": "\\f",
}
_ESCAPED = re.compile(r"[\\\"\x00-\x1f\x7f\ufffe\uffff]")


class _Term:
    """A value that is what its key is."""

    __slots__ = ("_key",)
    _key: Any

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key == other._key

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self


class _Text(_Term):
    """A term that is a text."""

    __slots__ = ()

    @property
    def value(self) -> str:
        return cast("str", self._key)


class NamedNode(_Text):
    """An IRI."""

    __slots__ = ()

    def __init__(self, value: str) -> None:
        """Take an absolute IRI; raises `ValueError` for other text."""
        if _NO_IRI.search(value) or not _SCHEME.match(value):
            raise ValueError(
                f"No scheme found in an absolute IRI, or a character that none has: {value}"
            )
        self._key = value

    @classmethod
    def _of(cls, value: str) -> NamedNode:
        node = cls.__new__(cls)
        node._key = value
        return node

    def __str__(self) -> str:
        return f"<{self._key}>"

    def __repr__(self) -> str:
        return f"<NamedNode value={self._key}>"


class BlankNode(_Text):
    """A blank node, with a label."""

    __slots__ = ()

    def __init__(self, value: str | None = None) -> None:
        """Take a label, or make one; raises `ValueError` for a text that is none."""
        if value is None:
            # A label of N-Triples must not look like a number to every reader.
            value = f"b{uuid4().hex[1:]}"
        elif not _LABEL.fullmatch(value):
            raise ValueError(f"The blank node identifier is invalid: {value}")
        self._key = value

    def __str__(self) -> str:
        return f"_:{self._key}"

    def __repr__(self) -> str:
        return f"<BlankNode value={self._key}>"


class BaseDirection(_Text):
    """The direction of a text."""

    __slots__ = ()
    LTR: ClassVar[BaseDirection]
    RTL: ClassVar[BaseDirection]

    def __init__(self, value: str) -> None:
        self._key = value

    def __str__(self) -> str:
        return self.value


BaseDirection.LTR, BaseDirection.RTL = BaseDirection("ltr"), BaseDirection("rtl")


class Literal(_Term):
    """A literal: text, and a datatype or a language with or without a direction."""

    __slots__ = ()

    def __init__(
        self,
        value: str | float | bool,
        *,
        datatype: NamedNode | None = None,
        language: str | None = None,
        direction: BaseDirection | None = None,
    ) -> None:
        """Take a text, or a value of Python with the datatype that it has in XML Schema."""
        if isinstance(value, bool):
            value, of_value = str(value).lower(), "boolean"
        elif isinstance(value, int):
            value, of_value = str(value), "integer"
        elif isinstance(value, float):
            value, of_value = _double(value), "double"
        else:
            of_value = "string"
        if language is None:
            self._key = (value, "", datatype.value if datatype else _XSD + of_value, "")
        elif not _LANGUAGE.fullmatch(language):
            raise ValueError(f"The language tag is invalid: {language}")
        elif direction is None:
            self._key = (value, language.lower(), f"{_RDF}langString", "")
        else:
            self._key = (value, language.lower(), f"{_RDF}dirLangString", direction.value)

    @property
    def value(self) -> str:
        return cast("str", self._key[0])

    @property
    def language(self) -> str | None:
        return self._key[1] or None

    @property
    def datatype(self) -> NamedNode:
        return NamedNode._of(self._key[2])

    @property
    def direction(self) -> BaseDirection | None:
        return BaseDirection(self._key[3]) if self._key[3] else None

    def __str__(self) -> str:
        value, language, datatype, direction = self._key
        text = f'"{_ESCAPED.sub(_escape, value)}"'
        if language:
            return f"{text}@{language}{'--' if direction else ''}{direction}"
        return text if datatype == f"{_XSD}string" else f"{text}^^<{datatype}>"

    def __repr__(self) -> str:
        value, language, datatype, _ = self._key
        more = f" language={language}" if language else ""
        if not language and datatype != f"{_XSD}string":
            more = f" datatype=<NamedNode value={datatype}>"
        return f"<Literal value={value}{more}>"


def _double(value: float) -> str:
    return str(value).upper() if value in {float("inf"), float("-inf")} else f"{value:.17g}"


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}"


class DefaultGraph(_Term):
    """The graph without a name."""

    __slots__ = ()

    def __init__(self) -> None:
        self._key = ""

    @property
    def value(self) -> str:
        return ""

    def __str__(self) -> str:
        return "DEFAULT"

    def __repr__(self) -> str:
        return "<DefaultGraph>"


class Variable(_Text):
    """A variable of a query."""

    __slots__ = ()

    def __init__(self, value: str) -> None:
        self._key = value

    def __str__(self) -> str:
        return f"?{self._key}"


class Triple(_Term):
    """A triple, which may be the object of another one (RDF 1.2)."""

    __slots__ = ()

    def __init__(self, subject: Any, predicate: Any, object: Any) -> None:
        self._key = (subject, predicate, object)

    subject = property(lambda self: self._key[0])
    predicate = property(lambda self: self._key[1])
    object = property(lambda self: self._key[2])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._key)

    def __str__(self) -> str:
        return " ".join(map(_nested, self._key))


def _nested(term: object) -> str:
    """Return a term as it stands within a triple."""
    return f"<<( {term} )>>" if isinstance(term, Triple) else str(term)


class Quad(_Term):
    """A triple in a graph."""

    __slots__ = ()

    def __init__(self, subject: Any, predicate: Any, object: Any, graph_name: Any = None) -> None:
        self._key = (subject, predicate, object, graph_name or DefaultGraph())

    subject = property(lambda self: self._key[0])
    predicate = property(lambda self: self._key[1])
    object = property(lambda self: self._key[2])
    graph_name = property(lambda self: self._key[3])

    @property
    def triple(self) -> Triple:
        return Triple(*self._key[:3])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._key)

    def __str__(self) -> str:
        *triple, graph = self._key
        terms = " ".join(map(_nested, triple))
        return terms if isinstance(graph, DefaultGraph) else f"{terms} {graph}"
