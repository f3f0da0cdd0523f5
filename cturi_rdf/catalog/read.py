"""Reading a catalogue file: any RDF syntax, or Project Open Data, into a dataset."""

from __future__ import annotations

import codecs
import gzip
import json
import logging
import re
import sys
import threading
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rdflib
from rdflib import Dataset
from rdflib.namespace import NamespaceManager

from cturi_rdf.catalog.errors import CatalogError
from cturi_rdf.catalog.formats import Format, format_named, format_of_file
from cturi_rdf.rdf.base import DOCUMENT, SENTINEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["read_catalog", "self_contained", "verbatim"]

_GZIP = b"\x1f\x8b"
_SETTINGS = threading.RLock()
# Their parsers find out in which encoding they are.
_OF_ANY_ENCODING = frozenset({"xml", "json-ld"})
# An escape of half of a pair in UTF-16, which parsers take for a character.
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def read_catalog(
    source: str,
    *,
    form: str | None = None,
    contexts: Mapping[str, Path] | None = None,
    allow_network: bool = False,
) -> Dataset:
    """Return the dataset that a file holds; `source` is its path, or ``-`` for standard input.

    `form` is the name or media type of its format where its name does not tell it,
    `contexts` are files by the IRIs of the JSON-LD contexts that they hold.  Relative IRIs
    stay recognisable: they have the base `DOCUMENT`.  Raises `CatalogError`.
    """
    wanted = format_named(form) if form else format_of_file(source)
    content = _content(source)
    dataset = Dataset(default_union=True)
    # The file's own prefixes, not those that rdflib would rather have.
    dataset.namespace_manager = NamespaceManager(dataset, bind_namespaces="none")
    if wanted.name not in _OF_ANY_ENCODING:
        content = _utf8(content, source, wanted)
    try:
        if wanted.name == "json-ld":
            content = self_contained(content, source, contexts or {}, allow_network=allow_network)
        _parse(dataset, content, wanted)
    except CatalogError:
        raise
    except Exception as error:
        # rdflib's parsers raise what they like, down to AttributeError.
        first = (str(error).strip() or type(error).__name__).splitlines()
        where = " ".join(line.strip() for line in first[:3])
        raise CatalogError(
            f"not {wanted.name} ({where})", source, f"valid {wanted.name}"
        ) from error
    if not len(dataset):
        raise CatalogError(f"no triples in it, read as {wanted.name}", source, "RDF")
    if _HALF.search(content):
        _refuse_halves(dataset, source)
    relative = next(
        (each for each in map(str, dataset.predicates()) if each.startswith(SENTINEL)), None
    )
    if wanted.name == "xml" and relative is not None:
        # A page of HTML is read so: RDF/XML section 6.1.2 has no names without a namespace.
        name = relative.rpartition("/")[2]
        raise CatalogError(f"no RDF/XML ({name!r} is in no namespace)", source, "RDF/XML")
    return dataset


def _content(source: str) -> bytes:
    """Return the bytes of a file, unpacked."""
    try:
        content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        if content.startswith(_GZIP):
            content = gzip.decompress(content)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise CatalogError(f"a broken gzip file ({error})", source, "a whole one") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogError(f"it cannot be read ({reason})", source, "a file") from error
    if not content.strip():
        raise CatalogError("an empty file", source, "RDF")
    return content


def _utf8(content: bytes, source: str, wanted: Format) -> bytes:
    """Return what is UTF-8, as all formats but two are, without a byte order mark."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CatalogError(
            f"an octet on line {line} that is not UTF-8", source, f"UTF-8, as {wanted.name} is"
        ) from error
    return content.removeprefix(codecs.BOM_UTF8)


def self_contained(
    content: bytes, source: str, contexts: Mapping[str, Path], *, allow_network: bool
) -> bytes:
    """Return a JSON-LD document that names no context but holds all that it needs.

    Raises `CatalogError` where a context is not at hand, and `ValueError` for what is no JSON.
    """
    from cturi_rdf.catalog.contexts import (  # noqa: PLC0415 - for this format alone
        inline_contexts,
        is_project_open_data,
        project_open_data,
    )

    document: Any = json.loads(content)
    if is_project_open_data(document):
        document = {"@context": project_open_data(), **document}
    inlined = inline_contexts(document, source, contexts, allow_network=allow_network)
    return json.dumps(inlined).encode()


def _refuse_halves(dataset: Dataset, source: str) -> None:
    """Raise `CatalogError` for a term that has half of a character: no encoding has it."""
    for quad in dataset.quads():
        for term in quad:
            try:
                str(term).encode()
            except UnicodeEncodeError as error:
                half = error.object[error.start]
                raise CatalogError(
                    f"half of a character (U+{ord(half):04X})",
                    source,
                    "Unicode, RDF 1.1 section 3.3",
                ) from error


def _parse(dataset: Dataset, content: bytes, wanted: Format) -> None:
    with verbatim():
        dataset.parse(data=content, format=wanted.name, publicID=DOCUMENT)


@contextmanager
def verbatim() -> Iterator[None]:
    """Keep rdflib from changing literals ("01" to "1"), and from logging what it finds odd.

    Both are settings of the whole process: one thread at a time can change them.
    """
    with _SETTINGS:
        logger, normalise = logging.getLogger("rdflib"), rdflib.NORMALIZE_LITERALS
        level = logger.level
        try:
            logger.setLevel(logging.CRITICAL)
            rdflib.NORMALIZE_LITERALS = False
            yield
        finally:
            logger.setLevel(level)
            rdflib.NORMALIZE_LITERALS = normalise
