"""The resources that have pages, and their pages as HTML, with all statements about each."""

from __future__ import annotations

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
from cturi_rdf.rdf.export import triples
from cturi_rdf.rdf.label_statements import known_labels, label_triples
from cturi_rdf.rdf.terms import RDFS, SKOS, label_node, literal

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
    about = by_resource(chain(vocabulary(), triples(), _known_labels()))
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
    table = "\n".join(
        f'<tr><th scope="row">{_link(predicate, root, pages)}</th>'
        f"<td>{'<br>'.join(sorted(values))}</td></tr>"
        for predicate, values in sorted(rows.items(), key=_place)
    )
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
