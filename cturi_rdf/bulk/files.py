"""Files of lines in blocks: plain, gzipped or by Zstandard, read in pieces of whole lines."""

from __future__ import annotations

import codecs
import gzip
import os
import shutil
import sys
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from cturi_rdf.catalog.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cturi_rdf.bulk.statements import Block

__all__ = ["Encode", "Lines", "encoder", "opened"]

# Small enough for a cache, because it is gone over several times, and large enough that to hand
# it on and to write it take little.
_SIZE = 1 << 21
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# What stays in one file; each block is a member of its own, so that all cores can pack.
_LEVEL = 6

if TYPE_CHECKING:
    Encode = Callable[[bytes], bytes]


class Lines(NamedTuple):
    """A file of lines that can be read more than once."""

    path: str
    name: str
    packing: bytes

    def blocks(self) -> Iterator[Block]:
        """Yield the file in blocks of whole lines; only the last may lack its line feed.

        Raises `CatalogError` where it cannot be read or unpacked.
        """
        try:
            with _unpacked(self.path, self.packing, self.name) as file:
                mark = codecs.BOM_UTF8
                while content := file.read(_SIZE).removeprefix(mark):
                    mark = b""
                    end = content.rfind(b"\n") + 1
                    if self.packing or not end:
                        yield content + file.readline()
                    else:
                        # To read the piece of a line again is quicker than to copy the others.
                        file.seek(end - len(content), os.SEEK_CUR)
                        yield memoryview(content)[:end]
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise CatalogError(f"a broken gzip file ({error})", self.name, "a whole one") from error
        except OSError as error:
            raise CatalogError(
                f"it cannot be read ({error.strerror})", self.name, "a file"
            ) from error
        except CatalogError:
            raise
        except Exception as error:
            if type(error).__name__ != "ZstdError":
                raise
            raise CatalogError(
                f"a broken Zstandard file ({error})", self.name, "a whole one"
            ) from error


@contextmanager
def opened(source: str) -> Iterator[Lines]:
    """Open a file of lines; standard input is put by first, because it may be read twice.

    Raises `CatalogError`.
    """
    if source == "-":
        with tempfile.NamedTemporaryFile() as file:
            shutil.copyfileobj(sys.stdin.buffer, file, _SIZE)
            file.flush()
            yield _lines(file.name, source)
    else:
        yield _lines(source, source)


def _lines(path: str, name: str) -> Lines:
    try:
        with Path(path).open("rb") as file:
            first = file.read(4)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogError(f"it cannot be read ({reason})", name, "a file") from error
    if not first:
        raise CatalogError("an empty file", name, "RDF")
    packing = next((each for each in (_GZIP, _ZSTD) if first.startswith(each)), b"")
    return Lines(path, name, packing)


def _unpacked(path: str, packing: bytes, name: str) -> IO[bytes]:
    if not packing:
        return Path(path).open("rb")
    if packing == _GZIP:
        return cast("IO[bytes]", gzip.open(path, "rb"))
    import io  # noqa: PLC0415 - for this one case

    reader = (
        _zstandard(name)
        .ZstdDecompressor()
        .stream_reader(
            Path(path).open("rb"),  # noqa: SIM115 - closed with the reader
            read_across_frames=True,
        )
    )
    return io.BufferedReader(reader, _SIZE)


def encoder(target: str) -> Encode | None:
    """Return what packs a block for the file `target`, by its name; None for plain ones."""
    if target.endswith(".gz"):
        return lambda content: gzip.compress(content, _LEVEL, mtime=0)
    if target.endswith(".zst"):
        zstandard = _zstandard(target)
        # One for each block: a compressor is not for several threads.
        return lambda content: bytes(zstandard.ZstdCompressor().compress(content))
    return None


def _zstandard(name: str):  # type: ignore[no-untyped-def] # noqa: ANN202 - an optional module
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise CatalogError(
            "Zstandard is not installed", name, "pip install 'cturi-rdf[zstd]'"
        ) from error
    return zstandard
