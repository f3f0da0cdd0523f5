"""The text of a part: its content in its charset."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from cturi_rdf.content_type.rfc2231 import NO_CHARSET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.mime.entity import Entity

__all__ = ["charset_of", "text_of"]


def charset_of(entity: Entity) -> str | None:
    """Return the charset parameter of a part, if it names a charset that Python knows.

    >>> from cturi_rdf.mime import Message
    >>> [charset_of(Message.read(f"Content-Type: text/html; charset={name}".encode()).root)
    ...  for name in ("utf-8", "klingon", "base64")]
    ['utf-8', None, None]
    """
    parameters = entity.content_type.parameters if entity.content_type else {}
    name = parameters.get("charset", "").strip()
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
