"""The content of a part: its disposition (RFC 2183), its transfer encoding undone, and its text.

The sections without a number of an RFC are those of RFC 2045.
"""

from __future__ import annotations

import codecs
from binascii import a2b_base64, a2b_qp
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.rfc2231 import NO_CHARSET
from cturi_rdf.errors import MessageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cturi_rdf.mime.entity import Entity

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
        if padding >= 0:
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
            equals = rest.rfind(b"=", -2)
            cut = len(rest) if equals < 0 else equals
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
    if not name or name.lower().replace("-", "_") in NO_CHARSET:
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
