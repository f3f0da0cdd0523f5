"""A header block and its fields, read by the standard library's `email`."""

from __future__ import annotations

import re
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import TYPE_CHECKING

from cturi_rdf.errors import MessageError

if TYPE_CHECKING:
    from cturi_rdf.mime.source import Source

# RFC 5322 section 3.6.8: field-name ":", a fold, or the From_ line of a mailbox.
_HEADER_LINE = re.compile(rb"[!-9;-~]++[ \t]*+:|[ \t]|>?From ")
# Lines at which `email` would end a header: RFC 5322 section 4.5 allows white space before the
# colon, and mail systems quote the From_ line of a mailbox.
_SPACE_BEFORE_COLON = re.compile(rb"^([!-9;-~]++)[ \t]++:", re.MULTILINE)
_FROM_LINE = re.compile(rb"^>?From [^\n]*+\n?", re.MULTILINE)
_BARE_CR = re.compile(rb"\r(?!\n)")

_PARSER = BytesHeaderParser(policy=compat32)


def is_header_line(line: bytes) -> bool:
    """Return whether a line can be part of a header block.

    >>> is_header_line(b"Subject: x"), is_header_line(b"Hello, world")
    (True, False)
    """
    return _HEADER_LINE.match(line) is not None


def read_fields(
    source: Source, start: int, end: int
) -> tuple[list[tuple[str, str]], list[MessageError]]:
    r"""Return the fields of the header block in ``source[start:end]``, in order, and defects.

    A value is text with its folds, decoded from UTF-8 (RFC 6532), or else from Latin-1.

    >>> from cturi_rdf.mime.source import Source
    >>> read_fields(Source.open(b"Subject: one\n two\nX-Y: z"), 0, 27)
    ([('Subject', 'one\n two'), ('X-Y', 'z')], [])
    """
    defects: list[MessageError] = []
    block = source.read(start, end)
    bare = _BARE_CR.search(block)
    if bare:
        # `email` would read this as the end of a line; most other readers do not.
        line = block[block.rfind(b"\n", 0, bare.start()) + 1 :].split(b"\n", 1)[0]
        defects.append(
            MessageError(
                "a carriage return without a line feed",
                line.decode("latin-1"),
                expected="CR LF",
                rule="RFC 5322 section 2.2",
            )
        )
        block = _BARE_CR.sub(b" ", block)
    fields: list[tuple[str, str]] = []
    parsed = _PARSER.parsebytes(_SPACE_BEFORE_COLON.sub(rb"\1:", _FROM_LINE.sub(b"", block)))
    defects += [
        MessageError(
            str(type(defect).__doc__),
            str(defect),
            (0, 0),
            expected="lines of a header",
            rule="RFC 5322 section 2.2",
        )
        for defect in parsed.defects
    ]
    for name, raw in parsed.raw_items():
        value = str(raw)
        if not value.isascii():
            octets = value.encode("utf-8", "surrogateescape")
            try:
                value = octets.decode()
            except UnicodeDecodeError:
                value = octets.decode("latin-1")
                defects.append(
                    MessageError(
                        f"octets in {name} that are not UTF-8",
                        value,
                        expected="UTF-8",
                        rule="RFC 6532 section 3.2",
                    )
                )
        fields.append((name, value.strip(" \t\r\n")))
    return fields, defects
