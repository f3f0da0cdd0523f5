"""The value of a content type, which everything else takes: type, subtype, parameters."""

from __future__ import annotations

from functools import lru_cache, total_ordering
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf._util.display import Displayed, Table, counted
from cturi_rdf.content_type import lenient
from cturi_rdf.content_type.grammar import (
    CONTROL,
    TOKEN,
    TYPE,
    can_be_extended,
    fold_name,
    fold_subtype,
    forbidden_span,
    in_uri_tree,
)
from cturi_rdf.content_type.grammar import quote as quoted_string
from cturi_rdf.content_type.rfc2231 import encode, is_extended
from cturi_rdf.content_type.strict import read, read_plain, syntax_error
from cturi_rdf.errors import ContentTypeError, expect_kind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from cturi_rdf.content_type.grammar import Rules


# How many distinct texts `ContentType.parse` remembers; a web crawl has a few thousand that matter,
# and each value takes a few hundred bytes.
_REMEMBERED = 8_192
# A longer text hardly ever repeats.
_LONGEST = 1_000

# The draft's spelling of its own two parameters, whose case has no meaning; every other name is
# printed as it is kept.
_SPELLED = {"uri-body": "URI-body", "uri-fragment": "URI-fragment"}

# Shared by all values without parameters, and never written to.
_NONE: dict[str, str] = {}


@total_ordering
class ContentType(Displayed):
    """A content type: type, subtype and parameters, immutable and hashable.

    Two are equal when they mean the same: the order of parameters does not count, nor does the case
    of the type, the subtype, parameter names and the value of `charset`.  In the draft's `uri.`
    tree the parameters are the query of a URI, so both order and case count.  A type that stands
    for a URI, in that tree or by a `URI-body`, is compared by the URI.

    Content types sort by type, then by subtype, then by parameters in the order of their names.

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
        """Make a content type from its parts.

        Raises `ContentTypeError` for a part that is not allowed in a header.  `parse` reads a whole
        header; `TypeError` says so if there is no subtype.
        """
        if subtype is None:
            raise TypeError(
                f"ContentType() takes a type and a subtype; ContentType.parse({type!r}) reads text"
            )
        for part in (type, subtype):
            if not TYPE.fullmatch(part):
                raise syntax_error("not the name of a type", part, None, "a token")
        subtype = fold_subtype(subtype)
        folded: dict[str, str] = {}
        for name, value in parameters.items():
            key = fold_name(name, subtype)
            if not TOKEN.fullmatch(name) or is_extended(name) or key in folded:
                expected = "a token, once, that RFC 2231 gives no other meaning"
                raise syntax_error("not the name of a parameter", name, None, expected)
            if span := forbidden_span(value, key):
                expected, rule = "text without control characters", "RFC 9110 section 5.5"
                raise syntax_error("not the value of a parameter", value, span, expected, rule)
            folded[key] = value
        self._type = type.lower()
        self._subtype = subtype
        self._parameters = folded

    @staticmethod
    def parse(text: str, *, rules: Rules = "any") -> ContentType:
        """Return the content type in a header, read strictly.

        By default it reads whatever RFC 2045 section 5.1 or RFC 9110 section 8.3.1 allows, because
        labels and metadata have either; the name of the field may come first.  With the `rules`
        ``"http"`` or ``"mail"`` it reads only what that one allows: HTTP has no space around "/"
        and "=", no comments and no line breaks; mail has no encoded words.  Raises
        `ContentTypeError` for anything else.

        >>> ContentType.parse('Content-Type: text/plain (note); charset="us-ascii"')
        ContentType.parse('text/plain; charset=us-ascii')
        >>> ContentType.parse("text/csv; charset = utf-8", rules="http")
        Traceback (most recent call last):
        cturi_rdf.errors.ContentTypeError: white space beside '/' or '='
            text/csv; charset = utf-8
                             ^ expected no space around '/' and '=' (RFC 9110 sections 8.3.1 and 5.6.6)
        """  # noqa: E501 - the message as it is
        if rules == "any" and isinstance(text, str) and len(text) <= _LONGEST:
            return _remembered(text)
        expect_kind(text, str, "a header is text")
        return _read(text, rules)

    @staticmethod
    def recover(text: str, *, rules: Rules = "http") -> Recovered:
        """Return the content type in a broken header, as far as it can be read, and all defects.

        By default it reads as browsers do (WHATWG MIME Sniffing section 4.4), because most broken
        headers come from web servers.  With the `rules` ``"mail"`` it reads by RFC 2045 and allows
        the slips that messages have; ``"any"`` is for texts of either kind, and reads what one of
        the two can read.  `content_type` is `None` where the reading fails.  What `parse` reads by
        the same rules gives the same value here, without defects.

        >>> recovered = ContentType.recover("text/html;;charset")
        >>> recovered.content_type, [defect.problem for defect in recovered.defects]
        (ContentType.parse('text/html'), ['a parameter without a value'])
        >>> ContentType.recover("text / html; charset = utf-8; x", rules="any").content_type
        ContentType.parse('text/html; charset=utf-8')
        """
        try:
            return Recovered(ContentType.parse(text, rules=rules), ())
        except ContentTypeError as error:
            parts, defects = lenient.recover(text, rules, error)
        return Recovered(parts and _made(parts), defects)

    @property
    def type(self) -> str:
        """The top-level type, in lower case."""
        return self._type

    @property
    def subtype(self) -> str:
        """The subtype, in lower case; in the `uri.` tree only its prefix ``uri.`` is."""
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

        `parameters` replace all that there are.  Raises `ContentTypeError` as the constructor does.

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

        A value that ASCII cannot hold is written by RFC 8187, unless the name rules that out.  With
        ``quote="always"``, the draft's own spelling, only a value with control characters is.

        >>> ct = ContentType("text", "plain", {"charset": "us-ascii", "title": "naïve"})
        >>> ct.to_header()
        "text/plain; charset=us-ascii; title*=utf-8''na%C3%AFve"
        >>> ct.to_header(quote="always")
        'text/plain; charset="us-ascii"; title="naïve"'
        """
        pieces = [self.essence]
        for name, value in self._parameters.items():
            spelled = _SPELLED.get(name, name)
            if fold_name(spelled, self._subtype) != name:
                spelled = name
            beyond_ascii = quote == "needed" and not value.isascii() and can_be_extended(name)
            if beyond_ascii or CONTROL.search(value):
                pieces.append(f"{spelled}*={encode(value)}")
            elif quote == "needed" and TOKEN.fullmatch(value):
                pieces.append(f"{spelled}={value}")
            else:
                pieces.append(f"{spelled}={quoted_string(value)}")
        return "; ".join(pieces)

    def as_table(self) -> Table:
        """Return the parts as a table of one row."""
        parameters = [f"{name}={value}" for name, value in self._parameters.items()]
        row = (self, self._type, self._subtype, self.suffix, parameters)
        return Table("", ("content type", "type", "subtype", "suffix", "parameters"), [row])

    def __str__(self) -> str:
        return self.to_header()

    def __repr__(self) -> str:
        return f"ContentType.parse({str(self)!r})"

    def _identity(self) -> tuple[object, ...]:
        """Return the key for equality and hash."""
        try:
            return self._key
        except AttributeError:
            pass
        if in_uri_tree(self._subtype) or "uri-body" in self._parameters:
            # The mapping rests on this module.
            from cturi_rdf.uri.mapping import identity

            self._key = identity(self)
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


class _Recovered(NamedTuple):
    content_type: ContentType | None
    defects: tuple[ContentTypeError, ...]


class Recovered(_Recovered, Displayed):
    """A content type, if one could be read, and the defects in its text."""

    __slots__ = ()

    def as_table(self) -> Table:
        """Return the defects as a table."""
        caption = (
            f"{self.content_type or 'no content type'}, {counted(len(self.defects), 'defect')}"
        )
        rows = [
            (defect.problem, defect.expected, defect.rule, defect.text) for defect in self.defects
        ]
        return Table(caption, ("problem", "expected", "rule", "text"), rows)

    def __repr__(self) -> str:
        problems = "; ".join(defect.problem for defect in self.defects)
        return f"Recovered({str(self.content_type)!r}, defects: {problems or 'none'})"


def _ordered(identity: tuple[object, ...]) -> list[object]:
    """Return the key of equality in a form that can be ordered: sets as sorted lists."""
    return [sorted(part) if isinstance(part, frozenset) else part for part in identity]


def _made(parts: tuple[str, str, dict[str, str]]) -> ContentType:
    """Return the value of parts that have been checked and are in lower case."""
    content_type = object.__new__(ContentType)
    content_type._type, content_type._subtype, content_type._parameters = parts
    return content_type


def _read(text: str, rules: Rules = "any") -> ContentType:
    # A plain header is read alike by all rules, and empty parameters may end it; but mail forbids
    # encoded words.
    plain = None if rules == "mail" and "=?" in text else read_plain(text.rstrip(" \t;"))
    return _made(plain or read(text, rules))


# Headers repeat, and values are immutable.
_remembered = lru_cache(_REMEMBERED)(_read)
