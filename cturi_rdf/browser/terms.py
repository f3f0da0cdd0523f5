"""The terms, triples and quads of RDF, with the interface of pyoxigraph, in Python alone."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, cast
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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

    @classmethod
    def _of(cls, key: Any) -> Self:
        """Return a term without a check."""
        term = cls.__new__(cls)
        term._key = key
        return term

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key == other._key

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class _Text(_Term):
    """A term that is a text, and how it is written."""

    __slots__ = ()
    _written = "{}"

    def __init__(self, value: str) -> None:
        self._key = value

    @property
    def value(self) -> str:
        return cast("str", self._key)

    def __str__(self) -> str:
        return self._written.format(self._key)


class NamedNode(_Text):
    """An IRI."""

    __slots__ = ()
    _written = "<{}>"

    def __init__(self, value: str) -> None:
        """Take an absolute IRI; raises `ValueError` for other text."""
        if _NO_IRI.search(value) or not _SCHEME.match(value):
            raise ValueError(
                f"No scheme found in an absolute IRI, or a character that none has: {value}"
            )
        super().__init__(value)


class BlankNode(_Text):
    """A blank node, with a label."""

    __slots__ = ()
    _written = "_:{}"

    def __init__(self, value: str | None = None) -> None:
        """Take a label, or make one; raises `ValueError` for a text that is none."""
        if value is None:
            # A label of N-Triples must not look like a number to every reader.
            value = f"b{uuid4().hex}"
        elif not _LABEL.fullmatch(value):
            raise ValueError(f"The blank node identifier is invalid: {value}")
        super().__init__(value)


class BaseDirection(_Text):
    """The direction of a text."""

    __slots__ = ()
    LTR: ClassVar[BaseDirection]
    RTL: ClassVar[BaseDirection]


BaseDirection.LTR, BaseDirection.RTL = BaseDirection("ltr"), BaseDirection("rtl")


class DefaultGraph(_Text):
    """The graph without a name."""

    __slots__ = ()
    _written = "DEFAULT"

    def __init__(self) -> None:
        super().__init__("")


class Variable(_Text):
    """A variable of a query."""

    __slots__ = ()
    _written = "?{}"


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


def _double(value: float) -> str:
    return str(value).upper() if value in {float("inf"), float("-inf")} else f"{value:.17g}"


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}"


class Triple(NamedTuple):
    """A triple, which may be the object of another one (RDF 1.2)."""

    subject: Any
    predicate: Any
    object: Any

    def __str__(self) -> str:
        return " ".join(map(_nested, self))


def _nested(term: object) -> str:
    """Return a term as it stands within a triple."""
    return f"<<( {term} )>>" if isinstance(term, Triple) else str(term)


class Quad(NamedTuple):
    """A triple in a graph."""

    subject: Any
    predicate: Any
    object: Any
    graph_name: Any = DefaultGraph()

    @property
    def triple(self) -> Triple:
        return Triple(*self[:3])

    def __str__(self) -> str:
        terms = str(self.triple)
        return terms if isinstance(self.graph_name, DefaultGraph) else f"{terms} {self.graph_name}"


# Names for blank nodes by what is said of them, so that equal graphs become equal sets.
#
# Each blank node gets a colour, which is a hash.  In each round the colour becomes the hash of the
# node's quads, in which blank nodes are written as their colours and the node itself as a mark.
# The rounds end when they part no more nodes.  Where nodes still share a colour, each of them in
# turn is marked, the rounds go on, and the smallest result is taken: so it does not depend on the
# order of the quads.  That is the search tree of RDF Dataset Canonicalization (RDFC-1.0) without
# its hashes, which nobody outside of this process reads.

# How many nodes of one colour are tried; more of them are alike in all real graphs.
_TRIED = 6


def canonical(quads: Iterable[Quad]) -> set[Quad]:
    """Return quads whose blank nodes are named by what is said of them."""
    all_quads = set(quads)
    quads_of: dict[BlankNode, list[Quad]] = defaultdict(list)
    for quad in all_quads:
        for node in set(_blank_nodes(quad)):
            quads_of[node].append(quad)
    colours = _named(dict.fromkeys(quads_of, ""), quads_of)
    names = {node: BlankNode(f"c{colour}") for node, colour in colours.items()}
    return {Quad(*(_replaced(term, names) for term in quad)) for quad in all_quads}


def _named(
    colours: dict[BlankNode, str], quads_of: dict[BlankNode, list[Quad]]
) -> dict[BlankNode, str]:
    """Return a colour of its own for each node."""
    colours = _refined(colours, quads_of)
    counts = Counter(colours.values())
    shared = sorted(colour for colour, count in counts.items() if count > 1)
    if not shared:
        return colours
    alike = [node for node, colour in colours.items() if colour == shared[0]]
    results = [_named(colours | {node: f"{colours[node]}!"}, quads_of) for node in alike[:_TRIED]]
    return min(results, key=lambda result: sorted(result.values()))


def _refined(
    colours: dict[BlankNode, str], quads_of: dict[BlankNode, list[Quad]]
) -> dict[BlankNode, str]:
    count = 0
    while count < len(set(colours.values())):
        count = len(set(colours.values()))
        colours = {
            node: _hash(colours[node], *sorted(_written(quad, node, colours) for quad in own))
            for node, own in quads_of.items()
        }
    return colours


def _hash(*texts: str) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:32]


def _written(term: Any, node: BlankNode, colours: dict[BlankNode, str]) -> str:
    if isinstance(term, BlankNode):
        return "_:" if term == node else f"_:{colours[term]}"
    if isinstance(term, (Quad, Triple)):
        return f"({' '.join(_written(one, node, colours) for one in term)})"
    return str(term)


def _blank_nodes(term: Any) -> Iterator[BlankNode]:
    if isinstance(term, BlankNode):
        yield term
    elif isinstance(term, (Quad, Triple)):
        for one in term:
            yield from _blank_nodes(one)


def _replaced(term: Any, names: dict[BlankNode, BlankNode]) -> Any:
    if isinstance(term, BlankNode):
        return names[term]
    return Triple(*(_replaced(one, names) for one in term)) if isinstance(term, Triple) else term
