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

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from cturi_rdf.errors import IdentifierError
from cturi_rdf.uri.addr_spec import ADDR_SPEC, can_be_held, encode_segment, read_id, read_url

if TYPE_CHECKING:
    from typing import Self

__all__ = ["ContentID", "MessageID", "RecoveredID", "RecoveredReference", "Reference"]


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
        if defects or identifier is None:
            raise defects[0]
        return identifier

    @classmethod
    def recover(cls, text: str) -> RecoveredID[Self]:
        """Return the identifier in a broken header, as far as it can be read, and all defects.

        `id` is `None` where there is none, or where it would hold a control character.

        >>> recovered = ContentID.recover("image 1")
        >>> recovered.id, [defect.problem for defect in recovered.defects]
        (ContentID('image 1'), ['no angle brackets', "an identifier without '@'"])
        """
        addr_spec, defects = read_id(text, cls.field)
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
        if defects or reference is None:
            raise defects[0]
        return reference

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
        message, content, defects = read_url(url)
        parts = MessageID(message) if message else None, ContentID(content) if content else None
        return RecoveredReference(cls(*parts) if any(parts) else None, tuple(defects))

    def __str__(self) -> str:
        identifiers = filter(None, (self.message, self.content))
        segments = [encode_segment(identifier.addr_spec) for identifier in identifiers]
        return ("cid:" if self.message is None else "mid:") + "/".join(segments)
