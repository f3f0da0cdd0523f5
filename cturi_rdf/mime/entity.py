"""A MIME entity: a message or a part of one, its header, its place in the octets, its content.

The fields of a header are read by the `email` package.  The sections without a number of an RFC
are those of RFC 2045.
"""

from __future__ import annotations

import codecs
import re
from binascii import a2b_base64, a2b_qp
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.rfc2231 import NO_CHARSET
from cturi_rdf.errors import CturiError, MessageError
from cturi_rdf.uri import ContentID, MessageID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias, TypeVar

    from cturi_rdf.mime.scan import Source

    _T = TypeVar("_T")
    _Read: TypeAlias = tuple[_T | None, Iterable[CturiError]]

# RFC 5322 section 3.6.8: field-name ":", a fold, or the From_ line of a mailbox.
_HEADER_LINE = re.compile(rb"[!-9;-~]++[ \t]*+:|[ \t]|>?From ")
# Lines at which `email` would end a header: RFC 5322 section 4.5 allows white space before the
# colon, and mail systems quote the From_ line of a mailbox.
_SPACE_BEFORE_COLON = re.compile(rb"^([!-9;-~]++)[ \t]++:", re.MULTILINE)
_FROM_LINE = re.compile(rb"^>?From [^\n]*+\n?", re.MULTILINE)
_BARE_CR = re.compile(rb"\r(?!\n)")

_PARSER = BytesHeaderParser(policy=compat32)
# RFC 2045 section 5.2, and RFC 2046 section 5.1.5 for a part of a digest.
_DEFAULT = ContentType("text", "plain", {"charset": "us-ascii"})
_DIGEST_DEFAULT = ContentType("message", "rfc822")
# RFC 2046 section 5.2.1, RFC 6532 section 3.7, RFC 5537 section 4: the body is a message.
_HOLDS_MESSAGE = frozenset({"message/rfc822", "message/global", "message/news"})
# Fields that may occur once; a second field of the name is a defect (RFC 5322 section 3.6).
_ONCE = re.compile(
    "content-(?:type|id|disposition|transfer-encoding|location|description)"
    "|message-id|in-reply-to|references"
)
# Section 6.2: the encodings that change nothing.
IDENTITY = frozenset({"7bit", "8bit", "binary"})
# Sections 6.7 and 6.8: those that `decode` undoes.
DECODED = frozenset({"base64", "quoted-printable"})
# Section 6.8: all else in a base64 body is to be ignored.
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_NOT_BASE64 = bytes(set(range(256)) - set(_BASE64))
# A line of quoted-printable that is longer than this is read in pieces.
_LONG_LINE = 1 << 16
# RFC 2183 section 2: disposition-type *(";" disposition-parm), where the parameters are
# those of RFC 2045 and RFC 2231; so the grammar of Content-Type reads it, behind a type.
_TYPE = "disposition"


class Disposition(NamedTuple):
    """A disposition: its type in lower case, and its parameters; `str` is the header.

    >>> disposition, defects = Disposition.recover('attachment; filename="a b.png"')
    >>> disposition.type, disposition.filename, str(disposition)
    ('attachment', 'a b.png', 'attachment; filename="a b.png"')
    """

    type: str
    parameters: Mapping[str, str]

    @classmethod
    def recover(cls, text: str) -> tuple[Disposition | None, list[MessageError]]:
        """Return the disposition in a header's value, as far as it can be read, and all defects."""
        recovered = ContentType.recover(f"{_TYPE}/{text}", rules="mail")
        content_type, defects = recovered.content_type, []
        for defect in recovered.defects:
            low, high = (max(at - len(_TYPE) - 1, 0) for at in defect.span)
            rule = "RFC 2183 section 2"
            defects.append(MessageError(defect.problem, text, (low, high), defect.expected, rule))
        if content_type is None:
            return None, defects
        return cls(content_type.subtype, dict(content_type.parameters)), defects

    @property
    def filename(self) -> str | None:
        """The name under which to store the part (RFC 2183 section 2.3); data, not a path."""
        return self.parameters.get("filename")

    def __str__(self) -> str:
        return str(ContentType(_TYPE, self.type, self.parameters)).removeprefix(f"{_TYPE}/")


class Entity:
    """A message or a body part (RFC 2045 section 2.4): its header, and where its body is.

    `fields` are the fields of the header, in order, with folded values as they are; `defects` are
    all mistakes that were passed over; `parent` and `children` are the tree; `message` is the
    innermost message that the entity belongs to (a message belongs to itself).
    ``source[start:end]`` is the whole entity, ``source[body:end]`` its body, not decoded.  `index`
    counts the entities of a document in reading order from 0, as `email.message.Message.walk` does,
    and `last` is the index of the last entity inside.  The header is read when the entity is made.
    """

    __slots__ = (
        "__weakref__", "body", "children", "content_id", "content_location", "content_type",
        "defects", "depth", "disposition", "end", "fields", "index", "last", "message",
        "message_id", "parent", "source", "start", "transfer_encoding",
    )  # fmt: skip

    def __init__(self, source: Source, span: tuple[int, int, int], parent: Entity | None) -> None:
        """Make an entity; `span` says where its header starts and ends, and its body starts."""
        self.source = source
        self.parent = parent
        self.children: list[Entity] = []
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.index = self.last = 0
        self.start, header_end, self.body = span
        self.end = self.body
        self.defects: list[CturiError] = []
        self.fields = self._read_fields(source.read(self.start, header_end))
        self.message: Entity = self if parent is None or parent.holds_message else parent.message
        values: dict[str, str] = {}
        for name, value in self.fields:
            key = name.lower()
            if key in values and _ONCE.fullmatch(key):
                self.note(f"a second {name}", value, "one", "RFC 5322 section 3.6")
            values.setdefault(key, value)
        self.content_type = self._content_type(values.get("content-type"))
        self.content_id = self._recovered(ContentID.recover, values.get("content-id"))
        # RFC 2557 section 4.4.2: white space in a URI is a fold.
        self.content_location = "".join(values.get("content-location", "").split()) or None
        message_id = values.get("message-id") if self.is_message else None
        self.message_id = self._recovered(MessageID.recover, message_id)
        self.disposition = self._recovered(Disposition.recover, values.get("content-disposition"))
        # RFC 2045 section 6.1: "7bit" is what is assumed; a token, comments may follow.
        encoding = values.get("content-transfer-encoding", "7bit")
        self.transfer_encoding = encoding.partition("(")[0].strip(" \t;\r\n").lower()
        if self.transfer_encoding not in IDENTITY | DECODED:
            problem, rule = "a transfer encoding that is not known", "RFC 2045 section 6.1"
            self.note(problem, encoding, "7bit, 8bit, binary, quoted-printable or base64", rule)
        composite = self.is_multipart or self.holds_message or self.is_external
        # RFC 6532 section 3.5 relaxes the rule for one type.
        if composite and self.is_encoded and self.essence != "message/global":
            problem = f"an encoded {'multipart' if self.is_multipart else 'message'}"
            self.note(problem, encoding, "7bit, 8bit or binary", "RFC 2045 section 6.4")

    def _read_fields(self, block: bytes) -> list[tuple[str, str]]:
        """Return the fields of a header, in order; what is wrong in it is noted.

        A value is text with its folds, decoded from UTF-8 (RFC 6532), or else from Latin-1.
        """
        if bare := _BARE_CR.search(block):
            # `email` would read this as the end of a line; most other readers do not.
            line = block[block.rfind(b"\n", 0, bare.start()) + 1 :].split(b"\n", 1)[0]
            problem, rule = "a carriage return without a line feed", "RFC 5322 section 2.2"
            self.note(problem, line.decode("latin-1"), "CR LF", rule)
            block = _BARE_CR.sub(b" ", block)
        parsed = _PARSER.parsebytes(_SPACE_BEFORE_COLON.sub(rb"\1:", _FROM_LINE.sub(b"", block)))
        for defect in parsed.defects:
            problem, rule = str(type(defect).__doc__), "RFC 5322 section 2.2"
            self.note(problem, str(defect), "lines of a header", rule)
        fields: list[tuple[str, str]] = []
        for name, raw in parsed.raw_items():
            octets = str(raw).encode("utf-8", "surrogateescape")
            try:
                value = octets.decode()
            except UnicodeDecodeError:
                value = octets.decode("latin-1")
                problem = f"octets in {name} that are not UTF-8"
                self.note(problem, value, "UTF-8", "RFC 6532 section 3.2")
            fields.append((name, value.strip(" \t\r\n")))
        return fields

    def _content_type(self, value: str | None) -> ContentType | None:
        if value is None:
            is_in_digest = self.parent is not None and self.parent.essence == "multipart/digest"
            return _DIGEST_DEFAULT if is_in_digest else _DEFAULT
        recovered = ContentType.recover(value, rules="mail")
        self.defects += recovered.defects
        return recovered.content_type

    def _recovered(self, recover: Callable[[str], _Read[_T]], value: str | None) -> _T | None:
        """Return the value of a field, if there is one, and keep its defects."""
        if value is None:
            return None
        result, defects = recover(value)
        self.defects += defects
        return result

    def note(self, problem: str, text: str, expected: str, rule: str) -> None:
        """Add a defect."""
        self.defects.append(MessageError(problem, text, expected=expected, rule=rule))

    def get(self, name: str) -> str | None:
        """Return the value of the first field of a name, with its folds."""
        folded = name.lower()
        return next((value for key, value in self.fields if key.lower() == folded), None)

    @property
    def essence(self) -> str:
        """Type and subtype of the content type; empty where that cannot be read."""
        return self.content_type.essence if self.content_type else ""

    @property
    def parameters(self) -> Mapping[str, str]:
        """The parameters of the content type; none where that cannot be read."""
        return self.content_type.parameters if self.content_type else {}

    @property
    def is_message(self) -> bool:
        """Whether this is a message rather than a body part."""
        return self.message is self

    @property
    def is_multipart(self) -> bool:
        """Whether its content type is a multipart."""
        return self.essence.startswith("multipart/")

    @property
    def boundary(self) -> bytes:
        """The boundary of a multipart (RFC 2046 section 5.1.1), which cannot end in a space."""
        boundary = self.parameters.get("boundary", "") if self.is_multipart else ""
        return boundary.rstrip(" ").encode()

    @property
    def holds_message(self) -> bool:
        """Whether its content is a message of its own (RFC 2046 section 5.2.1)."""
        return self.essence in _HOLDS_MESSAGE

    @property
    def is_external(self) -> bool:
        """Whether its content is elsewhere, and its body has only the header of it (section 5.2.3).

        The one child has that header, and the Content-ID in it; the parameters of the content type
        say how to get the content, `access-type` first.
        """
        return self.essence == "message/external-body"

    @property
    def filename(self) -> str | None:
        """The file name in the disposition, else in the content type; never a path."""
        named = self.disposition and self.disposition.filename
        return self.parameters.get("name") if named is None else named

    @property
    def is_encoded(self) -> bool:
        """Whether a transfer encoding has to be undone."""
        return self.transfer_encoding in DECODED

    @property
    def size(self) -> int:
        """The number of octets of the body, before its transfer encoding is undone."""
        return self.end - self.body

    def __contains__(self, other: Entity) -> bool:
        return self.index <= other.index <= self.last

    def content(self) -> Iterator[bytes]:
        """Yield the octets of the content, with the transfer encoding undone, chunk by chunk."""
        return decode(self.source.chunks(self.body, self.end), self.transfer_encoding)

    def raw(self) -> Iterator[bytes]:
        """Yield the octets of the whole entity, not decoded, chunk by chunk."""
        return self.source.chunks(self.start, self.end)

    def __repr__(self) -> str:
        return f"<Entity {self.index}: {self.content_type}>"


def is_header_line(line: bytes) -> bool:
    """Return whether a line can be part of a header block.

    >>> is_header_line(b"Subject: x"), is_header_line(b"Hello, world")
    (True, False)
    """
    return _HEADER_LINE.match(line) is not None


def decode(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield the decoded octets of `chunks`; with an unknown transfer encoding, the same octets.

    A truncated body is decoded up to its end.

    >>> b"".join(decode([b"aGVs", b"bG8", b"="], "base64"))
    b'hello'
    """
    if encoding == "base64":
        return _base64(chunks)
    if encoding == "quoted-printable":
        return _quoted_printable(chunks)
    return iter(chunks)


def _base64(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        rest += chunk.translate(None, _NOT_BASE64)
        padding = rest.find(b"=")
        if padding != -1:
            rest = rest[:padding]
            break
        whole = len(rest) & ~3
        yield a2b_base64(rest[:whole])
        rest = rest[whole:]
    # The last group, with the padding that it needs; one character alone says nothing.
    whole = len(rest) - (len(rest) & 3 == 1)
    yield a2b_base64(rest[:whole] + b"=" * (-whole & 3))


def _quoted_printable(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        rest += chunk
        cut = rest.rfind(b"\n") + 1
        if not cut and len(rest) > _LONG_LINE:
            # Not in the middle of "=XX".
            cut = len(rest.rpartition(b"=")[0]) or len(rest)
        if cut:
            yield a2b_qp(rest[:cut])
            rest = rest[cut:]
    yield a2b_qp(rest)


def charset_of(entity: Entity) -> str | None:
    """Return the charset parameter of a part, if it names a charset that Python knows.

    >>> from cturi_rdf.mime import Message
    >>> [charset_of(Message.read(f"Content-Type: text/html; charset={name}".encode()).root)
    ...  for name in ("utf-8", "klingon", "base64")]
    ['utf-8', None, None]
    """
    name = entity.parameters.get("charset", "").strip()
    if name.lower().replace("-", "_") in NO_CHARSET:
        return None
    try:
        # Refuses the codecs of Python's that decode octets to octets; one octet may be too few.
        b"a".decode(name)
    except UnicodeDecodeError:
        pass
    except (LookupError, ValueError):
        return None
    return name


def text_of(entity: Entity) -> Iterator[str]:
    """Yield the text of a part, a chunk at a time: in its charset, or in UTF-8.

    Octets that are not in the charset become U+FFFD.
    """
    decoder = codecs.getincrementaldecoder(charset_of(entity) or "utf-8")("replace")
    for chunk in entity.content():
        try:
            yield decoder.decode(chunk)
        except UnicodeError:
            # UTF-16 and UTF-32 without a byte order mark are given up, replacing or not.
            decoder = codecs.getincrementaldecoder("utf-8")("replace")
            yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)
