"""Pages as HTML: a resource with all statements about it, and lists of resources."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

import pyoxigraph as ox

from cturi_rdf._util.display import shortened
from cturi_rdf.rdf.terms import RDFS, SKOS
from cturi_rdf.site.resources import (
    GATHERED,
    KINDS,
    Triple,
    by_resource,
    english,
    label_of,
    path_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_DEFINITION = SKOS.definition

# The prefixes of others that the vocabulary uses, beside those of the common table.
_PREFIXES = {
    "http://purl.obolibrary.org/obo/": "obo",
    "http://www.w3.org/2003/06/sw-vocab-status/ns#": "vs",
}
# The properties that readers look for, in this order; the others follow.
_FIRST = tuple(map(shortened, (RDFS.label.value, _DEFINITION.value, SKOS.scopeNote.value)))
# For machines: these repeat the definition.
_REPEATED = {RDFS.comment.value, "http://purl.obolibrary.org/obo/IAO_0000115"}
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{root}style.css">
{head}</head>
<body>
<nav><a href="{root}index.html">cturi</a></nav>
<main>
<h1>{heading}</h1>
{body}
</main>
</body>
</html>
"""
_TRY = (
    '<a href="try/">Check and repair a catalogue</a> in your browser: nothing is installed, and '
    "nothing is sent."
)
STYLE = """\
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, td, th, code, li { overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
td, th { border-top: 1px solid #888; padding: .3rem .8rem .3rem 0; text-align: left;
  vertical-align: top; }
th { white-space: nowrap; font-weight: 600; }
input { font: inherit; padding: .4rem; width: 100%; box-sizing: border-box; }
.lang { color: #595959; font-size: .85em; }
dt { margin-top: .8rem; font-weight: 600; }
dd { margin: 0 0 0 1.2rem; }
:target { outline: 2px solid; }
ul.columns { columns: 16rem; padding-left: 1.2rem; }
@media (max-width: 40rem) {
  .facts :is(tr, td, th) { display: block; }
  .facts td { border: 0; padding: 0 0 .3rem 1rem; }
  .facts th { padding-bottom: 0; white-space: normal; }
}
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #e6e6e6; }
  a { color: #8ab4f8; } a:visited { color: #c6a8f8; } .lang { color: #b0b0b0; }
}
"""
SCRIPT = """\
const field = document.getElementById('search')
const results = document.getElementById('results')
let entries = null
field.addEventListener('input', async () => {
  if (entries === null) entries = await (await fetch('search.json')).json()
  const wanted = field.value.trim().toLowerCase()
  results.replaceChildren()
  if (!wanted) return
  const matches = entries.filter(([label]) => label.toLowerCase().includes(wanted))
  const rank = ([label]) => label.toLowerCase().indexOf(wanted) * 1000 + label.length
  for (const [label, kind, path] of matches.sort((a, b) => rank(a) - rank(b)).slice(0, 50)) {
    const link = document.createElement('a')
    link.href = path
    link.textContent = label
    const item = document.createElement('li')
    item.append(link, ' (' + kind + ')')
    results.append(item)
  }
})
"""


def page(title: str, body: str, *, depth: int = 0, head: str = "") -> str:
    """Return a whole page; `body` and `head` are HTML, `depth` is its number of folders."""
    return _PAGE.format(
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
    if _DEFINITION.value in rows:
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

    >>> from cturi_rdf.site.resources import vocabulary
    >>> page = vocabulary_page(vocabulary())
    >>> '<dt id="contentType"><a href="term/contentType.html">ctv:contentType</a></dt>' in page
    True
    """
    items = "\n".join(
        f'<dt id="{escape(iri.partition("#")[2])}">'
        f'<a href="{quote(path_of(iri) or "")}.html">{escape(_short(iri))}</a></dt>'
        f"<dd>{escape(english(about, _DEFINITION))}</dd>"
        for iri, about in by_resource(statements).items()
    )
    return page(title, f"<dl>\n{items}\n</dl>")


def index_page(counts: dict[str, int], *, has_try: bool) -> str:
    """Return the page to begin with: a search, the lists and, if it is there, the page ``try/``."""
    checks = f"<p>{_TRY}</p>\n" if has_try else ""
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
