r"""RFC 2392: Message-ID and Content-ID header values, and their ``mid:`` and ``cid:`` URLs.

Theory of operation.  An identifier is the text between the angle brackets of its header,
held as it stands: nothing in it is folded, sorted or unquoted, so that two are equal when
their characters are.  A URL is one or two identifiers, percent-encoded.  Decoding undoes
exactly one level: the RFC's example, which leaves ``%25`` as it is, breaks its own rule,
and the rule wins.

There are two ways to read.  `parse` is strict: an addr-spec in angle brackets, or a URL with all
that RFC 3986 forbids percent-encoded.  `recover` reads what real mail holds (no ``@``, no
brackets, raw spaces, folded lines) and lists each defect.  Neither ever returns an
identifier with a control character in it, however it was encoded, so that no identifier
can add a line to a header.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar, cast

from cturi_rdf.content_type.grammar import FOLD, percent_decode, percent_encode
from cturi_rdf.content_type.strict import blank_comments
from cturi_rdf.errors import ContentTypeError, Defects, IdentifierError

if TYPE_CHECKING:
    from typing import Self

__all__ = ["ContentID", "MessageID", "RecoveredID", "RecoveredReference", "Reference"]

_MSG_ID = "RFC 5322 section 3.6.4"
_URL = "RFC 2392 section 2"

_NON_ASCII = r"\xa0-\ud7ff\ue000-\U0010ffff"
# RFC 5322 section 3.2.3: atext, with the UTF8-non-ascii of RFC 6532 section 3.2.
_ATOM = rf"[!#$%&'*+\-/0-9=?A-Z^_`a-z{{|}}~{_NON_ASCII}]++"
# RFC 822 section 6: word = atom / quoted-string; here on one line.
_QUOTED = rf'"(?:[ !#-\[\]-~{_NON_ASCII}]|\\[ -~])*+"'
# local-part = word *("." word); domain = dot-atom-text / no-fold-literal
_ADDR_SPEC = (
    rf"(?:{_ATOM}|{_QUOTED})(?:\.(?:{_ATOM}|{_QUOTED}))*+@"
    rf"(?:{_ATOM}(?:\.{_ATOM})*+|\[[!-Z^-~{_NON_ASCII}]*+\])"
)
ADDR_SPEC = re.compile(_ADDR_SPEC)
# msg-id = [CFWS] "<" id-left "@" id-right ">" [CFWS]; comments are blanked out before.
_HEADER = re.compile(rf"[ \t]*+<({_ADDR_SPEC})>[ \t]*+")
# Characters that no identifier holds: C0 and C1 controls, and surrogates.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BRACKET = re.compile(r"[<>]")
# What stands before the first pair, a doubled bracket, and what is in the pair.
_BRACKETS = re.compile(r"([^<]*+)<(<*+)([^>]*+)>")
_OUT_OF_PLACE = re.compile(rf"[^!#$%&'*+\-./0-9=?A-Z^_`a-z{{|}}~{_NON_ASCII}@]")

_SCHEME = re.compile(r"(?i:(mid)|cid):")
# RFC 3986 section 3.3: characters that stand for themselves in a segment of a path; "/" separates.
_PCHAR = r"A-Za-z0-9\-._~!$&'()*+,;=:@"
_NOT_PCHAR = re.compile(rf"[^{_PCHAR}]")
_MUST_BE_ENCODED = re.compile(rf"[^{_PCHAR}%]|%(?![0-9A-Fa-f]{{2}})")
# WHATWG URL section 4.4: characters that a browser strips from the ends, and in between.
_URL_ENDS = "".join(map(chr, range(0x21)))
_URL_BREAKS = re.compile(r"[\t\n\r]")

_T = TypeVar("_T")


class RecoveredID(NamedTuple, Generic[_T]):
    """The result of lenient reading: an identifier, if there is one, and the defects."""

    id: _T | None
    defects: tuple[IdentifierError, ...]


class RecoveredReference(NamedTuple):
    """The result of lenient reading: a reference, if there is one, and the defects."""

    reference: Reference | None
    defects: tuple[IdentifierError, ...]


@dataclass(frozen=True, slots=True, repr=False)
class _Identifier:
    """The text between the angle brackets of a header; raises `IdentifierError` for any other."""

    addr_spec: str
    field: ClassVar[str]

    def __post_init__(self) -> None:
        if not can_be_held(self.addr_spec):
            problem, rule = f"no {self.field}", "RFC 5322 section 3.6.4"
            expected = "text on one line, without angle brackets or spaces around it"
            raise IdentifierError(problem, self.addr_spec, expected=expected, rule=rule)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the identifier in a header, read strictly.

        The field's name may stand in front, comments around it.  Raises `IdentifierError`
        for what RFC 5322 section 3.6.4 forbids; quoted words are those of RFC 822.

        >>> ContentID.parse("Content-ID: <part1@mail.example> (a picture)")
        ContentID('part1@mail.example')
        """
        identifier, defects = cls.recover(text)
        if defects:
            raise defects[0]
        return cast("Self", identifier)

    @classmethod
    def recover(cls, text: str) -> RecoveredID[Self]:
        """Return the identifier in a broken header, as far as it can be read, and all defects.

        `id` is `None` where there is none, or where it would hold a control character.

        >>> recovered = ContentID.recover("image 1")
        >>> recovered.id, [defect.problem for defect in recovered.defects]
        (ContentID('image 1'), ['no angle brackets', "an identifier without '@'"])
        """
        addr_spec, defects = _read_id(text, cls.field)
        return RecoveredID(None if addr_spec is None else cls(addr_spec), tuple(defects))

    @property
    def is_strict(self) -> bool:
        """Whether it is an addr-spec, so that `parse` reads its header.

        >>> ContentID("a@b").is_strict, ContentID("image 1").is_strict
        (True, False)
        """
        return ADDR_SPEC.fullmatch(self.addr_spec) is not None

    def __str__(self) -> str:
        return f"<{self.addr_spec}>"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.addr_spec!r})"


class MessageID(_Identifier):
    """A Message-ID: `str` is the header's value, `url` the ``mid:`` URL.

    >>> print(MessageID.parse("<960830.1639@XIson.com>"))
    <960830.1639@XIson.com>
    """

    __slots__ = ()
    field = "Message-ID"

    @property
    def url(self) -> str:
        """The ``mid:`` URL of the message (RFC 2392 section 2).

        >>> MessageID("a/b%c@d").url
        'mid:a%2Fb%25c@d'
        """
        return str(Reference(self, None))


class ContentID(_Identifier):
    """A Content-ID: `str` is the header's value, `url` the ``cid:`` URL.

    >>> print(ContentID("foo4%foo1@bar.net"))
    <foo4%foo1@bar.net>
    """

    __slots__ = ()
    field = "Content-ID"

    @property
    def url(self) -> str:
        """The ``cid:`` URL of the part (RFC 2392 section 2).

        >>> ContentID("foo4%foo1@bar.net").url
        'cid:foo4%25foo1@bar.net'
        """
        return str(Reference(None, self))


@dataclass(frozen=True, slots=True)
class Reference:
    """The target of a ``mid:`` or ``cid:`` URL: a message, or a part of it.

    `message` is None for a ``cid:`` URL, which refers to the message it stands in; `content` is
    None for a ``mid:`` URL of a whole message.  `str` is the one canonical URL, legal by RFC 3986.
    Raises `IdentifierError` where both are None.

    >>> reference = Reference.parse("mid:960830.1639@XIson.com/partA@XIson.com")
    >>> reference.message, reference.content
    (MessageID('960830.1639@XIson.com'), ContentID('partA@XIson.com'))
    """

    message: MessageID | None
    content: ContentID | None

    def __post_init__(self) -> None:
        if self.message is None and self.content is None:
            expected, rule = "a Message-ID or a Content-ID", "RFC 2392 section 2"
            raise IdentifierError("no identifier", "", expected=expected, rule=rule)

    @classmethod
    def parse(cls, url: str) -> Reference:
        """Return the reference of a URL, read strictly; raise `IdentifierError`.

        >>> Reference.parse("cid:foo4%25foo1@bar.net").content
        ContentID('foo4%foo1@bar.net')
        """
        reference, defects = cls.recover(url)
        if defects:
            raise defects[0]
        return cast("Reference", reference)

    @classmethod
    def recover(cls, url: str) -> RecoveredReference:
        """Return the reference in a broken URL, as far as it can be read, and all defects.

        `reference` is `None` where it is no such URL, or where an identifier is empty or would hold
        a control character.  The first raw ``/`` of a ``mid:`` URL separates the message from the
        part.

        >>> recovered = Reference.recover("cid:image 1")
        >>> str(recovered.reference), [defect.problem for defect in recovered.defects]
        ('cid:image%201', ['a character that must be percent-encoded', "an identifier without '@'"])
        """
        message, content, defects = _read_url(url)
        parts = MessageID(message) if message else None, ContentID(content) if content else None
        return RecoveredReference(cls(*parts) if any(parts) else None, tuple(defects))

    def __str__(self) -> str:
        identifiers = filter(None, (self.message, self.content))
        segments = [percent_encode(identifier.addr_spec, _NOT_PCHAR) for identifier in identifiers]
        return ("cid:" if self.message is None else "mid:") + "/".join(segments)


def can_be_held(addr_spec: str) -> bool:
    r"""Return whether a text can stand in angle brackets and be read back unchanged.

    >>> can_be_held("image 1"), can_be_held("a\r\nBcc: b"), can_be_held("<a@b>")
    (True, False, False)
    """
    if ADDR_SPEC.fullmatch(addr_spec):
        return True
    return (
        addr_spec != ""
        and addr_spec.strip() == addr_spec
        and not CONTROL.search(addr_spec)
        and not _BRACKET.search(addr_spec)
    )


def _read_id(text: str, field: str) -> tuple[str | None, list[IdentifierError]]:
    """Return the identifier that the value of a header holds, and the defects in order.

    Without a defect the text is valid by the strict grammar; otherwise the first defect is the
    error of strict reading.
    """
    defects = Defects(IdentifierError, text, _MSG_ID)
    name = re.match(rf"[ \t]*+(?i:{field})[ \t]*+:", text)
    start = name.end() if name else 0
    # A line break that is a fold counts as white space; all spans hold.
    flat = FOLD.sub(lambda fold: " " * len(fold[0]), text)
    try:
        bare = blank_comments(flat)
    except ContentTypeError as error:
        bare = flat
        defects.note(error.problem, *error.span, error.expected)
    match = _HEADER.fullmatch(bare, start)
    if match and not defects:
        return match[1], []
    brackets = _BRACKETS.match(bare, start)
    if brackets is None:
        defects.note("no angle brackets", start, len(text), "'<' identifier '>'")
        return _tidy(text, bare, (start, len(text)), defects), defects
    if brackets[2]:
        # A doubled bracket counts as one.
        defects.note("a second '<'", *brackets.span(2), "one pair of angle brackets")
    for low, high in (brackets.span(1), (brackets.end(), len(text))):
        if bare[low:high].strip(" \t"):
            defects.note("text outside the angle brackets", low, high, "one identifier")
    return _tidy(text, flat, brackets.span(3), defects), defects


def _read_url(url: str) -> tuple[str | None, str | None, list[IdentifierError]]:
    """Return the message's and the part's identifier of a URL, and the defects.

    Both are `None` where the text is not such a URL, or one of its identifiers is not valid.
    """
    defects = Defects(IdentifierError, url, _URL)
    start, stop = len(url) - len(url.lstrip(_URL_ENDS)), len(url.rstrip(_URL_ENDS))
    scheme = _SCHEME.match(url, start)
    if scheme is None:
        defects.note("not a mid: or cid: URL", start, stop, "'mid:' or 'cid:'")
        return None, None, defects
    if start or stop < len(url):
        defects.note("white space around a URL", 0, len(url), "the URL alone")
    fragment = url.find("#", start, stop)
    if fragment != -1:
        defects.note("a fragment", fragment, stop, "the URL without it")
        stop = fragment
    at = scheme.end()
    if scheme[1] is None:
        return None, _segment(url, at, stop, defects), defects
    # RFC 2392 section 2: "/" is reserved within "mid:", so that the first one separates.
    slash = url.find("/", at, stop)
    if slash == -1:
        return _segment(url, at, stop, defects), None, defects
    message = _segment(url, at, slash, defects)
    content = _segment(url, slash + 1, stop, defects)
    if message is None or content is None:
        return None, None, defects
    return message, content, defects


def _segment(url: str, start: int, stop: int, defects: Defects[IdentifierError]) -> str | None:
    """Return the identifier in ``url[start:stop]``, decoded one level."""
    raw = url[start:stop]
    if _URL_BREAKS.search(raw):
        defects.note("a line break or tab in a URL", start, stop, "the URL on one line")
        raw = _URL_BREAKS.sub("", raw)
    illegal = _MUST_BE_ENCODED.search(url, start, stop)
    if illegal and not _URL_BREAKS.match(illegal[0]):
        defects.note(
            "a character that must be percent-encoded", *illegal.span(), "'%' and two hex digits"
        )
    try:
        decoded = percent_decode(raw)
    except UnicodeDecodeError:
        defects.note("octets that are not UTF-8", start, stop, "UTF-8, percent-encoded")
        decoded = percent_decode(raw, "latin-1")
    # A defect of the decoded text is reported with the span of the whole segment.
    inner = Defects(IdentifierError, decoded, _URL)
    addr_spec = _tidy(decoded, decoded, (0, len(decoded)), inner)
    for defect in inner:
        defects.note(defect.problem, start, stop, defect.expected)
    return addr_spec


def _tidy(
    text: str, flat: str, span: tuple[int, int], defects: Defects[IdentifierError]
) -> str | None:
    """Return ``text[span]`` as an identifier, and note what does not belong to an addr-spec.

    `flat` is `text` with its folds, and perhaps its comments, blanked out.
    """
    start, stop = span
    inside = flat[start:stop]
    if inside.strip(" \t") != inside:
        defects.note(
            "white space at the ends of an identifier", start, stop, "the identifier alone"
        )
        start += len(inside) - len(inside.lstrip(" \t"))
        inside = inside.strip(" \t")
        stop = start + len(inside)
    raw = text[start:stop]
    if FOLD.search(raw):
        # A long identifier that was folded is one identifier.
        defects.note("a folded identifier", start, stop, "the identifier on one line")
        inside = re.sub(r"\r?\n[ \t]++", "", raw)
    control = CONTROL.search(inside)
    if control:
        what = "a line break" if control[0] in "\r\n" else "a control character"
        defects.note(f"{what} in an identifier", start, stop, "text on one line")
        return None
    if not can_be_held(inside):
        if _BRACKET.search(inside):
            defects.note("an angle bracket in an identifier", start, stop, "none")
        inside = _BRACKET.sub("", inside).strip()
    if not inside:
        defects.note("an empty identifier", start, stop, "text '@' text")
        return None
    _explain(inside, (start, stop), defects)
    return inside


def _explain(addr_spec: str, span: tuple[int, int], defects: Defects[IdentifierError]) -> None:
    """Note what keeps an identifier from being an addr-spec, if anything does."""
    if ADDR_SPEC.fullmatch(addr_spec):
        return
    match = _OUT_OF_PLACE.search(addr_spec)
    if "@" not in addr_spec:
        problem, expected = "an identifier without '@'", "text '@' text"
    elif match:
        problem, expected = f"the character {match[0]!r} out of place", "a word, '@' and a domain"
    elif addr_spec.count("@") > 1:
        problem, expected = "a second '@'", "text '@' text"
    elif addr_spec.startswith("@") or addr_spec.endswith("@"):
        problem, expected = "nothing before or after '@'", "text '@' text"
    else:
        problem, expected = "a dot out of place", "words with one dot between them"
    defects.note(problem, *span, expected)
