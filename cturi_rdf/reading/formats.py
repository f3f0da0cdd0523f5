"""How files are written: the tables of RDF formats and of compressions, and how to read a file.

The name of a file or its first bytes tell both: compressed files are recognized by their first
bytes when read, by their names when written.
"""

# The modules that pack and unpack are imported only for a compressed file; few files are.

from __future__ import annotations

import gzip
import io
import zlib
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from cturi_rdf._util.lazy import import_extra
from cturi_rdf._util.limits import LimitError, limit
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import pyoxigraph as ox

_BUFFER = 1 << 20
# A level that is quick; each block is a member of its own, so that all cores can compress.
_LEVEL = 6
# Unless a limit is set, a file may unpack to so many times its size, and any file to so many bytes.
# Well compressed text has a fiftieth of its size.
_RATIO, _SMALL = 200, 256 << 20


class Format(NamedTuple):
    """One format: rdflib's name for it, and its other names.

    `datasets` says whether it holds named graphs, `by_lines` whether each statement is on a line
    of its own, with whole IRIs, and `any_iri` whether it can hold characters that RFC 3987 does not
    allow in an IRI, such as a space.  The first media type is the registered one.
    """

    name: str
    oxigraph_name: str
    endings: tuple[str, ...]
    media_types: tuple[str, ...]
    datasets: bool = False
    by_lines: bool = False
    any_iri: bool = False

    @property
    def oxigraph(self) -> ox.RdfFormat:
        """Oxigraph's name of the format."""
        import pyoxigraph as ox

        return getattr(ox.RdfFormat, self.oxigraph_name)  # type: ignore[no-any-return]

    def parse(self, content: IO[bytes] | bytes, base: str | None) -> ox.QuadParser:
        """Return Oxigraph's parser of a text; `base` resolves relative IRIs, if the format has any.

        Reading raises `SyntaxError`.
        """
        import pyoxigraph as ox

        base = None if self.by_lines else base
        return ox.parse(content, self.oxigraph, base_iri=base, lenient=self.any_iri)


FORMATS = (
    Format(
        "turtle", "TURTLE", ("ttl", "turtle"),
        ("text/turtle", "application/turtle", "application/x-turtle"),
    ),
    Format(
        "trig", "TRIG", ("trig",), ("application/trig", "application/x-trig"), datasets=True
    ),
    Format(
        "nt", "N_TRIPLES", ("nt", "ntriples"), ("application/n-triples", "text/ntriples"),
        by_lines=True,
    ),
    Format(
        "nquads", "N_QUADS", ("nq", "nquads"),
        ("application/n-quads", "text/nquads", "text/x-nquads"), datasets=True, by_lines=True,
    ),
    Format(
        "xml", "RDF_XML", ("rdf", "xml", "owl", "rdfxml"),
        ("application/rdf+xml", "application/xml", "text/xml"), any_iri=True,
    ),
    Format(
        "json-ld", "JSON_LD", ("jsonld", "json"), ("application/ld+json", "application/json"),
        datasets=True, any_iri=True,
    ),
    Format("n3", "N3", ("n3",), ("text/n3", "text/rdf+n3")),
)  # fmt: skip


def format_named(name: str) -> Format:
    """Return the format of that name, file ending or media type, in any case.

    Raises `CatalogError`.

    >>> format_named("Text/Turtle; charset=utf-8").name
    'turtle'
    """
    # Parameters of a media type do not matter.
    wanted = name.partition(";")[0].strip().lower().removeprefix(".")
    for form in FORMATS:
        if wanted in (form.name, *form.endings, *form.media_types):
            return form
    names = ", ".join(form.name for form in FORMATS)
    raise CatalogError("an unknown format", name, f"one of {names}")


def format_of_file(name: str) -> Format:
    """Return the format that a file's name tells, without the ending of a compression.

    Raises `CatalogError` where the name does not tell a format.

    >>> format_of_file("catalog.TTL.gz").name
    'turtle'
    """
    ending = without_ending(name).lower().rpartition(".")[2]
    for form in FORMATS:
        if ending in form.endings:
            return form
    endings = ", ".join(f".{ending}" for form in FORMATS for ending in form.endings)
    raise CatalogError("cannot tell the format from the file name", name, f"one of {endings}")


def format_of_content(first: bytes) -> Format | None:
    """Return the format that the first bytes of a document show, or None.

    XML and JSON show themselves.  Turtle is what begins with a directive, a comment or a
    prefixed name, N-Triples and N-Quads what begins with a whole statement of theirs.

    >>> format_of_content(b'{"@context": {}}').name, format_of_content(b"@prefix a: <b> .").name
    ('json-ld', 'turtle')
    """
    text = first.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"{", b"[")):
        # The graphs of TriG may begin with a brace, and the nodes of Turtle with a bracket.
        inside = text[1:].lstrip()
        if inside.startswith((b'"', b"{", b"[", b"}")) or text.startswith(b"[]"):
            return format_named("json-ld")
    if text.startswith((b"<?xml", b"<!", b"<rdf:RDF")):
        return format_named("xml")
    for name in ("nt", "nquads", "turtle", "trig"):
        form = format_named(name)
        quads = form.parse(text, "http://a/")
        try:
            # The text may end in the middle of a statement: one whole statement is enough.
            if next(quads, None) is not None or not form.by_lines:
                return form
        except SyntaxError:
            continue
    return None


class ReadOptions(NamedTuple):
    """How to read a file.

    * `form`: the name or media type of its format, where the name of the file does not tell it;
    * `contexts`: the file of each JSON-LD context by its IRI; None instead leaves that context out;
    * `allow_network`, `allow_files`: whether a context that is neither given, nor in the package,
      nor beside the file, may come from the network, or from elsewhere on the disk;
    * `strict`: whether a lone surrogate in JSON is refused; otherwise it is read as U+FFFD;
    * `resolver`: a function that says what a label means; reading itself does not use it, and those
      who read labels have their own if it is None.

    >>> ReadOptions(form="turtle").strict
    False
    """

    form: str | None = None
    contexts: Mapping[str, Path | None] = {}
    allow_network: bool = False
    allow_files: bool = False
    strict: bool = False
    resolver: Callable[[str], Any] | None = None


def zstd_module() -> Any:
    """Return the module for Zstandard, which Python has from 3.14 on.

    Raises `ImportError` with the command that installs it where there is none.

    >>> zstd_module().decompress(zstd_module().compress(b"a"))
    b'a'
    """
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return import_extra("backports.zstd", "zstd")
    return zstd


class Compression(NamedTuple):
    """One compression of files: its name, the ending of file names, its first bytes."""

    name: str
    ending: str
    magic: bytes
    unpack: Callable[[IO[bytes]], Any]
    pack: Callable[[bytes], bytes]

    def reader(self, file: IO[bytes], name: str, size: int) -> IO[bytes]:
        """Return a stream of the content of a compressed file of `size` bytes.

        Reading raises `CatalogError` where the file is broken or cut off, and `LimitError`
        where it holds more than the limit `unpacked`.
        """
        return cast("IO[bytes]", io.BufferedReader(_Unpacking(self, file, name, size), _BUFFER))


class Pieces(io.RawIOBase):
    """A stream of bytes that come in pieces of any size."""

    _rest = memoryview(b"")

    def readable(self) -> bool:
        """Return True: this is a stream to read."""
        return True

    def readinto(self, buffer, /):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN201
        """Fill a buffer from one piece, and return the number of bytes."""
        if not self._rest:
            self._rest = memoryview(self._piece(len(buffer)))
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def _piece(self, size: int) -> bytes:
        """Return the next piece, of about `size` bytes; nothing at the end."""
        raise NotImplementedError


class _Unpacking(Pieces):
    """The bytes of a compressed file, counted, with our own errors."""

    def __init__(self, compression: Compression, file: IO[bytes], name: str, size: int) -> None:
        self._file = file
        self._unpacked = compression.unpack(file)
        self._kind = compression.name
        self._name = name
        self._count = 0
        self._allowed = limit("unpacked") or max(_RATIO * size, _SMALL)

    def _piece(self, size: int) -> bytes:
        try:
            content: bytes = self._unpacked.read(size)
        except _broken(self._kind) as error:
            raise CatalogError(
                f"a broken {self._kind} file ({error})", self._name, "a complete file"
            ) from error
        self._count += len(content)
        if self._count > self._allowed:
            raise LimitError("unpacked", self._name, self._allowed)
        return content

    def close(self) -> None:
        self._unpacked.close()
        self._file.close()
        super().close()


def _broken(kind: str) -> tuple[type[Exception], ...]:
    """Return the errors of a compressed file that cannot be unpacked."""
    errors = EOFError, gzip.BadGzipFile, zlib.error
    return (*errors, zstd_module().ZstdError) if kind == "Zstandard" else errors


COMPRESSIONS = (
    Compression(
        "gzip",
        ".gz",
        b"\x1f\x8b",
        lambda file: gzip.GzipFile(fileobj=file),
        lambda content: gzip.compress(content, _LEVEL, mtime=0),
    ),
    Compression(
        "Zstandard",
        ".zst",
        b"\x28\xb5\x2f\xfd",
        lambda file: zstd_module().ZstdFile(file),
        lambda content: zstd_module().compress(content),
    ),
)
# The first bytes of files in other packages; RDF never begins with them.
_OTHERS = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "ZIP",
    b"7z\xbc\xaf\x27\x1c": "7z",
}


def refuse_others(first: bytes, name: str) -> None:
    """Raise `CatalogError` where the first bytes of a file show a package that is not read."""
    for magic, kind in _OTHERS.items():
        if first.startswith(magic):
            kinds = " or ".join(compression.name for compression in COMPRESSIONS)
            raise CatalogError(
                f"it is packed by {kind}", name, f"a plain file, or one packed by {kinds}"
            )


def compression_of(first: bytes) -> Compression | None:
    r"""Return the compression that the first bytes of a file show, or None.

    >>> compression_of(b"\x1f\x8b\x08").name
    'gzip'
    """
    return next((kind for kind in COMPRESSIONS if first.startswith(kind.magic)), None)


def compression_named(name: str) -> Compression | None:
    """Return the compression that the name of a file asks for, in any case, or None.

    >>> compression_named("OUT.NT.GZ").name
    'gzip'
    """
    return next((kind for kind in COMPRESSIONS if name.lower().endswith(kind.ending)), None)


def without_ending(name: str) -> str:
    """Return the name of a file without the ending of a compression.

    >>> without_ending("data.ttl.zst")
    'data.ttl'
    """
    compression = compression_named(name)
    return name[: -len(compression.ending)] if compression else name
