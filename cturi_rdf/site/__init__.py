"""The site behind https://w3id.org/cturi/: static files, and the redirects of w3id.org to them."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import quote

import pyoxigraph as ox

from cturi_rdf.rdf.export import (
    PREFIXES,
    about_code_list,
    eu_file_types,
    iana_media_types,
    serialise,
    version,
)
from cturi_rdf.rdf.terms import DCTERMS, RDF, RDFS
from cturi_rdf.reading.atomic import refusals
from cturi_rdf.reading.formats import format_named
from cturi_rdf.site.pages import (
    GATHERED,
    KINDS,
    VERSIONS,
    gathered_page,
    index_page,
    label_of,
    list_page,
    page,
    path_of,
    resource_page,
    resources,
    static,
    vocabulary,
    vocabulary_page,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cturi_rdf.site.pages import Triple

__all__ = ["write_site"]

_RDF = {ending: format_named(ending).oxigraph for ending in ("ttl", "jsonld", "rdf", "nt")}
_MIME = "https://w3id.org/cturi/mime"
_MODULES = {"vocab": "The cturi vocabulary", "mime": "The cturi vocabulary of MIME messages"}
# Ending -> the media types that ask for it, as regular expressions, the page for people first.
_ASKED_BY = {
    "html": r"text/html|application/xhtml\+xml",
    "ttl": r"text/turtle|application/x-turtle",
    "jsonld": r"application/ld\+json",
    "rdf": r"application/rdf\+xml",
    "nt": r"application/n-triples",
}
# RFC 9110 section 12.4.2: the text after a media range with a weight of 1, of halves of tenths; a
# weight of 0 means that the format is not acceptable, and matches nothing.
_ANY = r"(;[^,;]*)*;\s*q="
_WEIGHTS = (
    rf"(;(?!\s*q=)[^,;]*)*\s*(,|$)|{_ANY}1",
    *(rf"{_ANY}0?\.{tenth}{half}" for tenth in range(9, 0, -1) for half in ("[5-9]", "")),
    rf"{_ANY}0?\.0\d*[1-9]",
)


def write_site(folder: Path, base: str | None = None, *, has_try: bool = False) -> int:
    """Write the site to a folder, and return the number of its files.

    `base` is the address that the folder is published at; without it there are no redirects from
    w3id.org.  `has_try` asks for the page that checks catalogues in the browser, in a folder
    ``try``; it takes npm.  Existing files stay, so earlier versions of the vocabulary remain
    available.  Raises `CatalogError` where a file cannot be written.
    """
    files = _Files(folder)
    _write_resources(files, has_try=has_try)
    _write_vocabulary(files)
    for name, source, triples in (
        ("iana-media-types", "iana-media-types", iana_media_types()),
        ("eu-file-types", "eu-file-type", eu_file_types()),
    ):
        about = about_code_list(name, source)
        files.write_rdf(f"code-lists/{name}", chain(about, triples), ("ttl",))
    files.write("registry.ttl", serialise(format_named("turtle")))
    files.write("registry.trig", serialise(format_named("trig")))
    for name in ("style.css", "search.js"):
        files.write(name, static(name).encode())
    if base is not None:
        address = base.rstrip("/") + "/"
        files.write("w3id/.htaccess", htaccess(address).encode())
        files.write("w3id/README.md", static("w3id.md").replace("{base}", address).encode())
    if has_try:
        from cturi_rdf.browser.build import write_page

        files.count += write_page(folder / "try")
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


def _write_resources(files: _Files, *, has_try: bool) -> None:
    by_kind: dict[str, dict[str, list[Triple]]] = {kind: {} for kind in KINDS}
    addresses: dict[str, str] = {}
    for iri, statements in resources().items():
        path = path_of(iri) or ""
        kind = path.partition("/")[0]
        by_kind[kind][iri] = statements
        own = f"{kind}.html#{iri.rpartition(f'/{kind}/')[2]}" if kind in GATHERED else None
        addresses[path] = own or f"{quote(path)}.html"
    entries: list[tuple[str, str, str]] = []
    for kind, about in by_kind.items():
        for iri, statements in about.items():
            path = path_of(iri) or ""
            entries.append((label_of(iri, statements), kind, addresses[path]))
            if kind not in GATHERED:
                files.write(f"{path}.html", resource_page(iri, statements, addresses).encode())
                files.write_rdf(path, statements, ("ttl", "jsonld"))
        if kind in GATHERED:
            files.write(f"{kind}.html", gathered_page(kind, about, addresses).encode())
            files.write_rdf(kind, (*_uri_space(kind), *chain(*about.values())), ("ttl", "jsonld"))
        else:
            listed = sorted((label, address) for label, other, address in entries if other == kind)
            files.write(f"{kind}.html", list_page(KINDS[kind], listed).encode())
    files.write("search.json", json.dumps(entries, ensure_ascii=False).encode())
    counts = {kind: len(by_kind[kind]) for kind in KINDS}
    files.write("index.html", index_page(counts, has_try=has_try).encode())


def _uri_space(kind: str) -> tuple[Triple, ...]:
    """Return what is said of all resources of a kind: how their IRIs begin, and what ends them."""
    node, void = ox.NamedNode(f"https://w3id.org/cturi/{kind}"), "http://rdfs.org/ns/void#"
    return (
        (node, RDF.type, ox.NamedNode(f"{void}Dataset")),
        (node, RDFS.label, ox.Literal(KINDS[kind], language="en")),
        (node, DCTERMS.description, ox.Literal(GATHERED[kind], language="en")),
        (node, ox.NamedNode(f"{void}uriSpace"), ox.Literal(f"{node.value}/")),
    )


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
    for name, title in _MODULES.items():
        triples = [
            triple
            for triple in vocabulary()
            if triple[0].value.startswith(_MIME) == (name == "mime")
        ]
        files.write_rdf(name, triples, _RDF)
        files.write(f"{name}.html", vocabulary_page(triples, title).encode())


def htaccess(base: str) -> str:
    """Return the file `.htaccess` that redirects from w3id.org to a site; `base` is its address.

    Apache's mod_rewrite reads `Accept` as text.  RFC 9110 section 12.5.1 orders media ranges by
    their `q`; the rules go from q=1 down by halves of tenths, and at each step through the formats
    in the order in which they are served where the client has no preference.

    >>> "RewriteRule ^(vocab|mime)/?$ https://a.example/$1." in htaccess("https://a.example/")
    True
    """
    formats = "".join(
        "RewriteCond %{ENV:FORMAT} ^$\n"
        f'RewriteCond %{{HTTP:Accept}} "(^|,)\\s*({types})\\s*({weight})" [NC]\n'
        f"RewriteRule ^ - [E=FORMAT:{ending}]\n"
        for weight in _WEIGHTS
        for ending, types in _ASKED_BY.items()
    )
    dated = sorted(path.stem.split("-", 1) for path in VERSIONS.glob("*.ttl"))
    versions = "\n".join(
        f"RewriteRule ^({module})/({date})/?$ {base}versions/$1-$2.%{{ENV:FORMAT}} [R=303,L]"
        for module, date in dated
    )
    return (
        static("htaccess")
        .replace("{formats}", formats)
        .replace("{versions}", versions)
        .replace("{registry}", re.escape(version()))
        .replace("{base}", base)
    )
