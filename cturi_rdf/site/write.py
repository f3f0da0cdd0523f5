"""Writing the site: files for any web server, and the redirects to them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.rdf.background import eu_file_types, iana_media_types
from cturi_rdf.rdf.export import PREFIXES, serialise
from cturi_rdf.reading.atomic import refusals
from cturi_rdf.reading.formats import format_named
from cturi_rdf.site.pages import (
    SCRIPT,
    STYLE,
    index_page,
    list_page,
    page,
    resource_page,
    vocabulary_page,
)
from cturi_rdf.site.redirects import htaccess, readme
from cturi_rdf.site.resources import (
    KINDS,
    VERSIONS,
    label_of,
    path_of,
    resources,
    vocabulary,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cturi_rdf.site.resources import Triple


_RDF = {ending: format_named(ending).oxigraph for ending in ("ttl", "jsonld", "rdf", "nt")}
# A file system takes names of at most 255 octets, of which an ending needs some.
_LONGEST = 240


def write_site(folder: Path, base: str) -> int:
    """Write the site to a folder, and return the number of its files.

    `base` is the address that the folder is published at.  Existing files stay, so earlier versions
    of the vocabulary remain available.  Raises `CatalogError` where a file cannot be written.
    """
    files = _Files(folder)
    _write_resources(files)
    _write_vocabulary(files)
    for name, triples in (
        ("iana-media-types", iana_media_types()),
        ("eu-file-types", eu_file_types()),
    ):
        files.write_rdf(f"code-lists/{name}", triples, ("ttl",))
    files.write("registry.ttl", serialise(format_named("turtle")))
    files.write("registry.trig", serialise(format_named("trig")))
    files.write("style.css", STYLE.encode())
    files.write("search.js", SCRIPT.encode())
    files.write("w3id/.htaccess", htaccess(base).encode())
    files.write("w3id/README.md", readme(base).encode())
    return files.count


class _Files:
    """The files of a folder, and the number of those written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.count = 0

    def write(self, name: str, content: bytes) -> None:
        path = self._folder / name
        with refusals(str(path), "a writable folder"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.count += 1

    def write_rdf(self, name: str, triples: Iterable[Triple], endings: Iterable[str]) -> None:
        quads = [ox.Quad(*triple) for triple in triples]
        for ending in endings:
            prefixes = PREFIXES if ending == "ttl" else None
            written = ox.serialize(quads, format=_RDF[ending], prefixes=prefixes) or b""
            self.write(f"{name}.{ending}", written)


def _write_resources(files: _Files) -> None:
    statements_about = resources()
    paths = {
        iri: path
        for iri in statements_about
        if (path := path_of(iri)) and all(len(part.encode()) < _LONGEST for part in path.split("/"))
    }
    pages = frozenset(paths.values())
    lists: dict[str, list[tuple[str, str]]] = {kind: [] for kind in KINDS}
    for iri, path in paths.items():
        statements = statements_about[iri]
        files.write(f"{path}.html", resource_page(iri, statements, pages).encode())
        files.write_rdf(path, statements, ("ttl", "jsonld"))
        lists[path.partition("/")[0]].append((label_of(iri, statements), path))
    for kind, entries in lists.items():
        files.write(f"{kind}.html", list_page(KINDS[kind], sorted(entries)).encode())
    written = [
        (label, kind, f"{path}.html") for kind, listed in lists.items() for label, path in listed
    ]
    files.write("search.json", json.dumps(written, ensure_ascii=False).encode())
    counts = {kind: len(entries) for kind, entries in lists.items()}
    files.write("index.html", index_page(counts).encode())


def _write_vocabulary(files: _Files) -> None:
    """Write the vocabulary and its versions in all formats; a version keeps its Turtle."""
    for path in sorted(VERSIONS.glob("*.ttl")):
        quads = ox.parse(path=str(path), format=ox.RdfFormat.TURTLE)
        others = (ending for ending in _RDF if ending != "ttl")
        files.write(f"versions/{path.name}", path.read_bytes())
        files.write_rdf(f"versions/{path.stem}", (quad.triple for quad in quads), others)
        links = ", ".join(f'<a href="{path.stem}.{ending}">{ending}</a>' for ending in _RDF)
        title = f"The cturi vocabulary, version of {path.stem}"
        files.write(f"versions/{path.stem}.html", page(title, f"<p>{links}</p>", depth=1).encode())
    triples = vocabulary()
    files.write_rdf("vocab", triples, _RDF)
    files.write("vocab.html", vocabulary_page(triples).encode())
