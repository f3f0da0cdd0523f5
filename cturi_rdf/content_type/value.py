"""The value of a content type, which everything else takes: type, subtype, parameters."""

from __future__ import annotations

import copyreg
from copy import copy
from functools import partial, total_ordering
from types import MappingProxyType
from typing import TYPE_CHECKING

from cturi_rdf._speedups import compiled
from cturi_rdf._util.display import Displayed, Table
from cturi_rdf.content_type.explain import syntax_error
from cturi_rdf.content_type.grammar import (
    TOKEN,
    TYPE,
    fold_name,
    fold_subtype,
    forbidden_span,
    in_uri_tree,
)
from cturi_rdf.content_type.lenient import read_web
from cturi_rdf.content_type.printing import header
from cturi_rdf.content_type.recovered import Recovered
from cturi_rdf.content_type.rfc2231 import is_extended, resolve
from cturi_rdf.content_type.strict import read
from cturi_rdf.errors import ContentTypeError, expect_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Literal

__all__ = ["ContentType", "Recovered"]

# How many distinct texts `ContentType.parse` remembers; a web crawl has a few thousand that matter,
# and each value takes a few hundred bytes.
_REMEMBERED = 8_192
# A longer text hardly ever repeats.
_LONGEST = 1_000

# Shared by all values without parameters, and never written to.
_NONE: dict[str, str] = {}


@total_ordering
class ContentType(Displayed):
    """A content type: type, subtype and parameters, immutable and hashable.

    Two are equal when they mean the same: parameter order does not count, nor does the case of
    type, subtype, parameter names and the value of `charset`.  In the draft's `uri.` tree the
    parameters are a URI's query, so that there both order and case count.  A type that stands for a
    URI, in that tree or by a `URI-body`, is compared by the URI.

    They have an order, by type, subtype and parameters in the order of their names.

    >>> ct = ContentType.parse("text/html; charset=UTF-8")
    >>> ct.type, ct.subtype, ct.essence, ct.suffix, dict(ct.parameters)
    ('text', 'html', 'text/html', None, {'charset': 'UTF-8'})
    >>> ct == ContentType("TEXT", "html", {"Charset": "utf-8"})
    True
    >>> print(*sorted([ct, ContentType("text", "html"), ContentType("image", "png")]), sep=", ")
    image/png, text/html, text/html; charset=UTF-8
    """

    __slots__ = ("__weakref__", "_key", "_parameters", "_subtype", "_type")

    _type: str
    _subtype: str
    _parameters: dict[str, str]
    _key: tuple[object, ...]

    def __init__(
        self,
        type: str,  # noqa: A002 - the field's own term
        subtype: str | None = None,
        parameters: Mapping[str, str] = _NONE,
    ) -> None:
        """Take the parts; raise `ContentTypeError` for one that is not allowed in a header.

        A whole header is read by `parse`; `TypeError` says so where there is no subtype.
        """
        if subtype is None:
            raise TypeError(
                f"ContentType() takes a type and a subtype; ContentType.parse({type!r}) reads text"
            )
        for part in (type, subtype):
            if not TYPE.fullmatch(part):
                raise syntax_error("no type name", part, None, "a token")
        subtype = fold_subtype(subtype)
        folded: dict[str, str] = {}
        for name, value in parameters.items():
            key = fold_name(name, subtype)
            if not TOKEN.fullmatch(name) or is_extended(name) or key in folded:
                expected = "a token, once, that RFC 2231 gives no other meaning"
                raise syntax_error("no parameter name", name, None, expected)
            if span := forbidden_span(value, key):
                expected, rule = "text without control characters", "RFC 9110 section 5.5"
                raise syntax_error("no parameter value", value, span, expected, rule)
            folded[key] = value
        self._type = type.lower()
        self._subtype = subtype
        self._parameters = folded

    if TYPE_CHECKING:

        @staticmethod
        def parse(text: str, /) -> ContentType:
            """Return the result of `_read` below, from memory where possible."""

    @staticmethod
    def recover(text: str, *, rules: Literal["web", "mail"] = "web") -> Recovered:
        """Return the content type in a broken header, as far as it can be read, and all defects.

        The reading is that of WHATWG MIME Sniffing section 4.4, or by the `rules` of mail, that
        of RFC 2045, see `cturi_rdf.content_type.mail`; `content_type` is `None` where it
        fails.  Where there is no defect, `parse` returns the same.

        >>> recovered = ContentType.recover("text/html;;charset")
        >>> recovered.content_type, [defect.problem for defect in recovered.defects]
        (ContentType.parse('text/html'), ['a parameter without a value'])
        """
        expect_text(text, "a header")
        read = read_web
        if rules == "mail":
            # The grammar of mail is the strict one, and strict reading is quicker.
            try:
                return Recovered(ContentType.parse(text), ())
            except ContentTypeError:
                from cturi_rdf.content_type.mail import read_mail as read
        parts, defects = read(text)
        if parts is None:
            return Recovered(None, tuple(defects))
        type_, subtype, pairs = parts
        parameters = resolve(text, pairs, defects)
        content_type = _make(type_, subtype, {p.name: p.value for p in parameters})
        if not defects:
            # The readings ignore some things silently, such as a line break at the end.
            try:
                ContentType.parse(text)
            except ContentTypeError as error:
                defects.append(error)
        return Recovered(content_type, tuple(defects))

    @property
    def type(self) -> str:
        """The top-level type, in lower case."""
        return self._type

    @property
    def subtype(self) -> str:
        """The subtype, in lower case; in the `uri.` tree only its first four letters are."""
        return self._subtype

    @property
    def parameters(self) -> Mapping[str, str]:
        """The parameters in their order: names in lower case, values as they were."""
        return MappingProxyType(self._parameters)

    @property
    def essence(self) -> str:
        """Type and subtype, without parameters (WHATWG MIME Sniffing section 3)."""
        return f"{self._type}/{self._subtype}"

    @property
    def suffix(self) -> str | None:
        """The structured syntax suffix: what follows the last "+" (RFC 6838 section 4.2.8).

        >>> ContentType("image", "svg+xml").suffix, ContentType("audio", "amr-wb+").suffix
        ('xml', None)
        """
        if in_uri_tree(self._subtype):
            return None
        return self._subtype.rpartition("+")[2] or None if "+" in self._subtype else None

    @property
    def charset(self) -> str | None:
        """The parameter `charset` in lower case (its case has no meaning), or None.

        >>> ContentType.parse("text/html; charset=UTF-8").charset
        'utf-8'
        """
        charset = self._parameters.get("charset")
        return None if charset is None else charset.lower()

    def replace(
        self,
        *,
        type: str | None = None,  # noqa: A002 - the field's own term
        subtype: str | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> ContentType:
        """Return a content type with some parts replaced.

        `parameters` are all of them.  Raises `ContentTypeError` as the constructor does.

        >>> ct = ContentType.parse("text/csv; header=present; charset=latin1")
        >>> print(ct.replace(parameters={**ct.parameters, "charset": "utf-8"}))
        text/csv; header=present; charset=utf-8
        >>> print(ct.replace(subtype="plain", parameters={}))
        text/plain
        """
        return ContentType(
            self._type if type is None else type,
            self._subtype if subtype is None else subtype,
            self._parameters if parameters is None else parameters,
        )

    # The method that copy.replace of Python 3.13 calls.
    __replace__ = replace

    def to_header(self, *, quote: Literal["needed", "always"] = "needed") -> str:
        r"""Return the value of the header, with quotes where needed, or around every value.

        A value that ASCII cannot hold is written by RFC 8187, unless the name rules that out.
        With ``quote="always"``, the draft's own spelling, only one with control characters is.

        >>> ct = ContentType("text", "plain", {"charset": "us-ascii", "title": "naïve"})
        >>> ct.to_header()
        "text/plain; charset=us-ascii; title*=utf-8''na%C3%AFve"
        >>> ct.to_header(quote="always")
        'text/plain; charset="us-ascii"; title="naïve"'
        """
        return header(self.essence, self._parameters, quote)

    def as_table(self) -> Table:
        """Return the parts as a table of one row."""
        parameters = [f"{name}={value}" for name, value in self._parameters.items()]
        row = (self, self._type, self._subtype, self.suffix, parameters)
        return Table("", ("content type", "type", "subtype", "suffix", "parameters"), [row])

    def __str__(self) -> str:
        return header(self.essence, self._parameters, "needed")

    def __repr__(self) -> str:
        return f"ContentType.parse({str(self)!r})"

    def _identity(self) -> tuple[object, ...]:
        """Return the key for equality and hash."""
        try:
            return self._key
        except AttributeError:
            pass
        if in_uri_tree(self._subtype) or "uri-body" in self._parameters:
            self._key = _identity_by_uri(self)
        else:
            parameters = frozenset(
                (name, value.lower() if name == "charset" else value)
                for name, value in self._parameters.items()
            )
            self._key = (self._type, self._subtype, parameters)
        return self._key

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContentType):
            return NotImplemented
        return self._identity() == other._identity()

    def __lt__(self, other: ContentType) -> bool:
        if not isinstance(other, ContentType):
            return NotImplemented
        return _ordered(self._identity()) < _ordered(other._identity())

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> tuple[object, ...]:
        return (ContentType, (self._type, self._subtype, dict(self._parameters)))

    def __copy__(self) -> ContentType:
        return self

    def __deepcopy__(self, memo: object) -> ContentType:
        return self


_identity_by_uri: Callable[[ContentType], tuple[object, ...]]


def _ordered(identity: tuple[object, ...]) -> list[object]:
    """Return the key of equality in a form that can be ordered: sets as sorted lists."""
    return [sorted(part) if isinstance(part, frozenset) else part for part in identity]


def compare_by_uri(identity: Callable[[ContentType], tuple[object, ...]]) -> None:
    """Take the function for the key of a type that stands for a URI; it needs the mapping."""
    global _identity_by_uri  # noqa: PLW0603 - set once, when the package is imported
    _identity_by_uri = identity


def _make(type_: str, subtype: str, parameters: dict[str, str]) -> ContentType:
    """Return the value of parts that have been checked and are in lower case."""
    content_type = object.__new__(ContentType)
    content_type._type = type_
    content_type._subtype = subtype
    content_type._parameters = parameters
    return content_type


def _read(text: str) -> ContentType:
    """Return the content type in a header, read strictly.

    The field name may come first.  Raises `ContentTypeError` for whatever both
    RFC 2045 section 5.1 and RFC 9110 section 8.3.1 forbid.

    >>> ContentType.parse('Content-Type: text/plain (note); charset="us-ascii"')
    ContentType.parse('text/plain; charset=us-ascii')
    """
    expect_text(text, "a header")
    type_, subtype, parameters = read(text)
    return _make(type_, subtype, {p.name: p.value for p in parameters})


class _Memory(dict[str, ContentType]):
    """The results of earlier parsing: headers repeat, and values are immutable."""

    def __missing__(self, text: str) -> ContentType:
        parsed = _read(text)
        if len(text) <= _LONGEST:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[text] = parsed
        return parsed


class _Remembering(partial[ContentType]):
    """`ContentType.parse` in Python; a copy of it is the same object, not another memory."""

    def __reduce__(self) -> tuple[object, ...]:
        return getattr, (ContentType, "parse")


_MEMORY = _Memory()
_parse: Callable[[str], ContentType]
_compiled = compiled("cturi_rdf.content_type._parser")
if _compiled is None:
    # Straight to the dictionary: a wrapper would take longer than the lookup.
    _remembering = _Remembering(_MEMORY.__getitem__)
    _remembering.__doc__ = _read.__doc__
    _parse = _remembering
else:
    _doc = f"parse(text)\n--\n\n{_read.__doc__}"
    _parse = _compiled.parser(ContentType, _NONE, _read, _MEMORY, _REMEMBERED, _LONGEST, _doc)
    # A built-in method is pickled as an attribute of its `__self__`, and the class has it too.
    copyreg.pickle(type(_parse.__self__), lambda _: (copy, (ContentType,)))  # type: ignore[attr-defined]
ContentType.parse = staticmethod(_parse)  # type: ignore[method-assign] # declared above
