"""The site: pages as HTML with all statements about each resource, and the redirects to them."""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES, shortened
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.export import PREFIXES as OF_REGISTRY
from cturi_rdf.rdf.export import (
    about_code_list,
    eu_file_types,
    iana_media_types,
    serialise,
    version,
)
from cturi_rdf.rdf.export import triples as registry_triples
from cturi_rdf.rdf.label_statements import known_labels, label_triples
from cturi_rdf.rdf.terms import DCTERMS, RDF, RDFS, SKOS, label_node, literal
from cturi_rdf.reading.atomic import refusals
from cturi_rdf.reading.formats import format_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


Triple = tuple[ox.NamedNode | ox.BlankNode, ox.NamedNode, ox.NamedNode | ox.BlankNode | ox.Literal]

_DATA = Path(__file__).parents[1] / "data"
VERSIONS = _DATA / "versions"
_BASE = "https://w3id.org/cturi/"
_TYPE = "ContentType:"
# Folder -> the namespace of its terms.  Classes and individuals, whose names begin with a capital
# letter, have a folder of their own: some file systems ignore the case of letters.
TERMS = {
    "class": PREFIXES["ctv"],
    "term": PREFIXES["ctv"],
    "message-class": PREFIXES["mime"],
    "message-term": PREFIXES["mime"],
}
# Folder -> the kind of its resources, in the order of the index.
KINDS = {
    "class": "Classes and individuals of the vocabulary",
    "term": "Properties of the vocabulary",
    "message-class": "Classes for MIME messages",
    "message-term": "Properties for MIME messages",
    "media-type": "Media types",
    "suffix": "Structured syntax suffixes",
    "top-level": "Top-level types",
    "parameter": "Parameters",
    "label": "Labels",
}
# The kinds that have one page for all, since everybody can make more of them.
GATHERED = {
    "parameter": "A parameter of a media type has an IRI that ends in its name and its value. These"
    " are the parameters of character sets; every other one means what its IRI says.",
    "label": "The text of a label ends its IRI. These are the labels that the registry knows; of"
    " every other one the IRI says the text alone.",
}
# The prefixes of others that the vocabulary uses, beside those of the common table.
_PREFIXES = {
    "http://purl.obolibrary.org/obo/": "obo",
    "http://www.w3.org/2003/06/sw-vocab-status/ns#": "vs",
}
# The properties that readers look for, in this order; the others follow.
_FIRST = tuple(map(shortened, (RDFS.label.value, SKOS.definition.value, SKOS.scopeNote.value)))
# For machines: these repeat the definition.
_REPEATED = {RDFS.comment.value, "http://purl.obolibrary.org/obo/IAO_0000115"}


def path_of(iri: str) -> str | None:
    """Return the path of the page about a resource, without an ending, or None.

    >>> path_of("ContentType:image/svg+xml"), path_of("https://w3id.org/cturi/vocab#contentType")
    ('media-type/image/svg+xml', 'term/contentType')
    >>> path_of("https://w3id.org/cturi/label/Zipped%20CSV")
    'label/Zipped CSV'
    >>> path_of("https://example.org/")
    """
    for folder, namespace in TERMS.items():
        name = iri.removeprefix(namespace)
        if name != iri and name[:1].isupper() == folder.endswith("class"):
            return f"{folder}/{name}"
    if iri.startswith(_TYPE) and not {"?", "#", "%"} & set(iri):
        return f"media-type/{iri.removeprefix(_TYPE)}"
    folder, slash, name = iri.removeprefix(_BASE).partition("/")
    if iri.startswith(_BASE) and slash and folder in KINDS:
        return f"{folder}/{unquote(name)}"
    return None


@cache
def vocabulary() -> tuple[Triple, ...]:
    """Return the published vocabulary with its labels and definitions in four languages."""
    quads = ox.parse(path=str(_DATA / "vocabulary.nt"), format=ox.RdfFormat.N_TRIPLES)
    return tuple(quad.triple for quad in quads)


def resources() -> dict[str, list[Triple]]:
    """Return the statements about each resource with a page, by its IRI, in the order of IRIs."""
    about = by_resource(chain(vocabulary(), registry_triples(), _known_labels()))
    # A type that is only named by another, such as an alias, has no page of its own.
    return {iri: statements for iri, statements in about.items() if len(statements) > 1}


def _known_labels() -> Iterator[Triple]:
    """Yield what the names of formats in the registry mean."""
    for label in known_labels():
        yield from label_triples(label, resolve(label))
        yield label_node(label), RDFS.label, literal(label)


def by_resource(statements: Iterable[Triple]) -> dict[str, list[Triple]]:
    """Return the statements about each resource that may have a page, by its IRI, each once."""
    by_iri: dict[str, dict[Triple, None]] = {}
    for triple in statements:
        subject = triple[0]
        if isinstance(subject, ox.NamedNode) and path_of(subject.value):
            by_iri.setdefault(subject.value, {})[triple] = None
    return {iri: list(by_iri[iri]) for iri in sorted(by_iri)}


def label_of(iri: str, statements: Iterable[Triple]) -> str:
    """Return the English label of a resource, or the end of its IRI."""
    return english(statements, RDFS.label) or (path_of(iri) or iri).partition("/")[2]


def english(statements: Iterable[Triple], predicate: ox.NamedNode) -> str:
    """Return the first English value of a property, or an empty text."""
    for _, path, value in statements:
        if path == predicate and isinstance(value, ox.Literal) and value.language in {None, "en"}:
            return value.value
    return ""


@cache
def static(name: str) -> str:
    """Return the text of a file of the site that is the same for all sites."""
    return files("cturi_rdf.site").joinpath("static", name).read_text("utf-8")


def page(title: str, body: str, *, depth: int = 0, head: str = "") -> str:
    """Return a whole page; `body` and `head` are HTML, `depth` is its number of folders."""
    return static("page.html").format(
        title=escape(title), heading=escape(title), body=body, head=head, root="../" * depth
    )


def resource_page(
    iri: str, statements: list[Triple], pages: Mapping[str, str] | None = None
) -> str:
    """Return the page about a resource; `pages` are the addresses of paths, or None for any."""
    path = path_of(iri) or ""
    depth, name = path.count("/"), quote(path.rpartition("/")[2])
    root = "../" * depth
    formats = (("ttl", "text/turtle", "Turtle"), ("jsonld", "application/ld+json", "JSON-LD"))
    head = "".join(
        f'<link rel="alternate" type="{kind}" href="{name}.{ending}">\n'
        for ending, kind, _ in formats
    )
    links = ", ".join(f'<a href="{name}.{ending}">{text}</a>' for ending, _, text in formats)
    table = _table(statements, root, pages)
    body = f"<p><code>{escape(iri)}</code></p>\n<p>Also as {links}.</p>\n{table}"
    return page(label_of(iri, statements), body, depth=depth, head=head)


def gathered_page(
    kind: str, resources: Mapping[str, list[Triple]], pages: Mapping[str, str]
) -> str:
    """Return the page of all resources of a kind, a section each, named by the end of its IRI."""
    sections = "\n".join(
        f'<section id="{escape(pages[path_of(iri) or ""].partition("#")[2])}">'
        f"<h2>{escape(label_of(iri, statements))}</h2>\n"
        f"<p><code>{escape(iri)}</code></p>\n{_table(statements, '', pages)}</section>"
        for iri, statements in resources.items()
    )
    links = f'<a href="{kind}.ttl">Turtle</a>, <a href="{kind}.jsonld">JSON-LD</a>'
    body = f"<p>{escape(GATHERED[kind])}</p>\n<p>Also as {links}.</p>\n{sections}"
    return page(KINDS[kind], body)


def _table(statements: list[Triple], root: str, pages: Mapping[str, str] | None) -> str:
    rows: dict[str, list[str]] = {}
    for _, predicate, value in statements:
        rows.setdefault(predicate.value, []).append(_value(value, root, pages))
    if SKOS.definition.value in rows:
        rows = {path: values for path, values in rows.items() if path not in _REPEATED}
    return facts_table(
        (_link(predicate, root, pages), "<br>".join(sorted(values)))
        for predicate, values in sorted(rows.items(), key=_place)
    )


def facts_table(rows: Iterable[tuple[str, str]]) -> str:
    """Return a table of names and values, which are HTML."""
    table = "\n".join(f'<tr><th scope="row">{name}</th><td>{text}</td></tr>' for name, text in rows)
    return f'<table class="facts">\n{table}\n</table>'


def list_page(title: str, entries: list[tuple[str, str]]) -> str:
    """Return a page that lists pages, each a label and an address."""
    items = "\n".join(
        f'<li><a href="{escape(address)}">{escape(label)}</a></li>' for label, address in entries
    )
    return page(title, f'<ul class="columns">\n{items}\n</ul>')


def vocabulary_page(statements: Iterable[Triple], title: str = "The cturi vocabulary") -> str:
    """Return the page of a vocabulary, on which ``#contentType`` is the term of that name.

    >>> page = vocabulary_page(vocabulary())
    >>> '<dt id="contentType"><a href="term/contentType.html">ctv:contentType</a></dt>' in page
    True
    """
    items = "\n".join(
        f'<dt id="{escape(iri.partition("#")[2])}">'
        f'<a href="{quote(path_of(iri) or "")}.html">{escape(_short(iri))}</a></dt>'
        f"<dd>{escape(english(about, SKOS.definition))}</dd>"
        for iri, about in by_resource(statements).items()
    )
    return page(title, f"<dl>\n{items}\n</dl>")


def index_page(counts: dict[str, int], *, has_try: bool) -> str:
    """Return the page to begin with: a search, the lists and, if it is there, the page ``try/``."""
    checks = (
        '<p><a href="try/">Check and repair a catalogue</a> in your browser: nothing is installed,'
        " and nothing is sent.</p>\n"
        if has_try
        else ""
    )
    lists = "\n".join(
        f'<li><a href="{kind}.html">{KINDS[kind]}</a> ({count})</li>'
        for kind, count in counts.items()
    )
    body = f"""\
<p>Each media type, each label that names one, and each term of the vocabulary
<code>https://w3id.org/cturi/vocab#</code> has a page here.</p>
{checks}<label for="search">Search for a term, a media type or a label</label>
<input id="search" type="search" autocomplete="off">
<ul id="results"></ul>
<ul>
{lists}
<li>The vocabulary as a <a href="vocab.html">page</a>, <a href="vocab.ttl">Turtle</a>,
<a href="vocab.jsonld">JSON-LD</a>, <a href="vocab.rdf">RDF/XML</a> and
<a href="vocab.nt">N-Triples</a></li>
<li>Its module for MIME messages as a <a href="mime.html">page</a>, <a href="mime.ttl">Turtle</a>,
<a href="mime.jsonld">JSON-LD</a>, <a href="mime.rdf">RDF/XML</a> and
<a href="mime.nt">N-Triples</a></li>
<li>The <a href="registry.ttl">registry</a> as Turtle</li>
<li>Code lists for validators: <a href="code-lists/iana-media-types.ttl">media types of IANA</a>,
<a href="code-lists/eu-file-types.ttl">file types of the EU</a></li>
</ul>
<script src="search.js"></script>"""
    return page("cturi: media types as linked data", body)


def _value(
    value: ox.NamedNode | ox.BlankNode | ox.Literal, root: str, pages: Mapping[str, str] | None
) -> str:
    if isinstance(value, ox.NamedNode):
        return _link(value.value, root, pages)
    if isinstance(value, ox.BlankNode):
        return ""
    if value.language:
        language, text = value.language, escape(value.value)
        return f'<span class="lang">{language}</span> <span lang="{language}">{text}</span>'
    return escape(value.value)


def _link(iri: str, root: str, pages: Mapping[str, str] | None) -> str:
    """Return a link to the page about a resource, or to an address on the web, or plain text."""
    path, text = path_of(iri), escape(_short(iri))
    if path and (pages is None or path in pages):
        address = f"{quote(path)}.html" if pages is None else pages[path]
        return f'<a href="{root}{escape(address)}">{text}</a>'
    if iri.startswith(("http://", "https://")):
        return f'<a href="{escape(iri)}">{text}</a>'
    return text


def _place(row: tuple[str, list[str]]) -> tuple[int, str]:
    """Return the sort key of a row of a table."""
    name = _short(row[0])
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST)), name


def _short(iri: str) -> str:
    return shortened(iri, _PREFIXES)


# --- The files of the site, and the redirects of w3id.org to them ---------------------------------


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
        from cturi_rdf.browser.build import page_files

        for name, content in page_files().items():
            files.write(f"try/{name}", content)
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
            prefixes = OF_REGISTRY if ending == "ttl" else None
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
