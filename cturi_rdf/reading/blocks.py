"""Files of lines in blocks: read in pieces of whole lines."""

from __future__ import annotations

import codecs
import os
from typing import TYPE_CHECKING

from cturi_rdf._util.limits import check_limit, limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.reading.ntriples import Block
    from cturi_rdf.reading.source import Source


# Small enough for a cache, because each block is read several times, and large enough that passing
# it on and writing it cost little.
_SIZE = 1 << 21


def blocks(source: Source, size: int | None = None) -> Iterator[Block]:
    """Yield a file in blocks of whole lines; only the last may lack its line feed.

    A block has `size` bytes, by default two million, give or take a line.
    Raises `CatalogError` where it cannot be read, and `LimitError` where a line is longer than
    the limit `line`.
    """
    longest, size = limit("line"), size or _SIZE
    with source.open() as file:
        mark = codecs.BOM_UTF8
        while content := file.read(size).removeprefix(mark):
            mark = b""
            end = content.rfind(b"\n") + 1
            if source.compression or not end:
                rest = file.readline(longest)
                check_limit("line", len(content) - end + len(rest) + 1, source.name)
                yield content + rest
            else:
                # Reading part of a line again is quicker than copying all the other lines.
                file.seek(end - len(content), os.SEEK_CUR)
                yield memoryview(content)[:end]
