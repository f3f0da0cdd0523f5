"""Links between resources of the web, with their media types: RFC 8288, and HTML's link element.

`read_field` reads the value of a Link header by the algorithm of RFC 8288 appendix B.2, `read_html`
the link elements of a page; both list what they skip.  `check` says what is wrong with the types of
links and what the profile of Signposting asks for; `statements` are the links in RDF.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, NamedTuple

from rdflib import URIRef

from cturi_rdf._util.references import resolve_reference
from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import percent_encode, quote, unquote
from cturi_rdf.errors import ContentTypeError, CturiError, Defects, MappingError
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.terms import mint
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import successor_of
from cturi_rdf.uri.rfc3986 import legalise
from cturi_rdf.xml.kinds import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rdflib.term import Node

__all__ = [
    "Link",
    "LinkError",
    "Links",
    "check",
    "field_of",
    "read_field",
    "read_html",
    "read_text",
    "statements",
]

_RULE = "RFC 8288 section 3"
_TARGET = re.compile(r"[ \t,]*+<([^>]*+)>")
_PARAMETER = re.compile(
    r"[ \t]*+;[ \t]*+([^\s=;,\"<>]*+)[ \t]*+"
    r"(?:=[ \t]*+(?:\"((?:[^\"\\]|\\.)*+)\"|([^;,\s\"]*+)))?"
)
_TO_COMMA = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.)*+"?)*+')
# Elements of a page; then a field of a header, with the lines that it is folded into.
_MARKUP = re.compile(r"<(?:!doctype|html|head|body|link|base|meta)(?=[\s>/])", re.IGNORECASE)
_FIELD = re.compile(r"^link[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.IGNORECASE | re.MULTILINE)
# The relations of IANA's registry have IRIs; an extension relation is one (RFC 8288 section 2.1.2).
RELATIONS = "http://www.iana.org/assignments/relation/"
_NOT_URI = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
# Signposting, FAIR level 1: the relations whose targets are files, with a media type.
_TYPED = ("alternate", "describedby", "item")


class LinkError(CturiError):
    """A text is not a link, or a part of one is missing."""


class Link(NamedTuple):
    """A link: its context, its relations, its target, and what it says about the target's type.

    ``type`` is the text of the attribute, `content_type` the media type in it.  `attributes` has
    all attributes under their names in lower case; of several with one name it has the first.
    """

    context: str
    relations: tuple[str, ...]
    target: str
    attributes: dict[str, str]

    @property
    def type(self) -> str | None:
        """The text of the type attribute, if there is one."""
        return self.attributes.get("type")

    @property
    def content_type(self) -> ContentType | None:
        """The media type that the link gives its target, read leniently."""
        return None if self.type is None else ContentType.recover(self.type).content_type


class Links(NamedTuple):
    """The links of a header or a page, and the defects of what could not be read."""

    links: tuple[Link, ...]
    defects: tuple[CturiError, ...]


def read_field(text: str, context: str = "") -> Links:
    """Return the links in the value of a Link header (RFC 8288 appendix B.2).

    `context` is the URL of the response, against which targets are resolved.

    >>> field = '</meta.ttl>; rel="describedby"; type="text/turtle", <b>; type=text/csv'
    >>> links, defects = read_field(field, "https://a.example/data")
    >>> links[0].target, str(links[0].content_type), [defect.problem for defect in defects]
    ('https://a.example/meta.ttl', 'text/turtle', ['a link without a relation'])
    """
    links: list[Link] = []
    defects = Defects(LinkError, text, _RULE)
    position = 0
    while text[position:].strip(" \t,\r\n"):
        match = _TARGET.match(text, position)
        if match is None:
            end = max(_end(text, position), position + 1)
            defects.note("text that is not a link", position, end, "'<', a URL and '>'")
            position = end
            continue
        start, position = match.start(1) - 1, match.end()
        attributes: dict[str, str] = {}
        while parameter := _PARAMETER.match(text, position):
            name, quoted, token = parameter.groups()
            position = parameter.end()
            if name:
                value = token or "" if quoted is None else unquote(quoted)
                # Of rel, type and title the first counts; of others any may be kept.
                attributes.setdefault(name.lower(), value)
        end = _end(text, position)
        if text[position:end].strip():
            defects.note("text after a parameter", position, end, "';' or ','")
        position = end
        if not attributes.get("rel", "").split():
            defects.note("a link without a relation", start, position, "rel")
            continue
        links.append(_link(match[1], attributes, context))
    return Links(tuple(links), tuple(defects))


def read_html(text: str, context: str = "") -> Links:
    """Return the links of a page: its link elements, resolved against its base.

    >>> page = "<base href='/x/'><link rel=alternate href=a.csv type=text/csv>"
    >>> read_html(page, "https://a.example/").links[0].target
    'https://a.example/x/a.csv'
    """
    parser = _Page(context)
    parser.feed(text)
    parser.close()
    return Links(tuple(parser.links), tuple(parser.defects))


def read_text(text: str, context: str = "") -> Iterator[tuple[int, Links]]:
    r"""Yield the links of a page, or of each Link field in headers, with the line of each.

    A text without the name of a field is the value of one.

    >>> text = "HTTP/1.1 200 OK\nLink: <a>; rel=item,\n <b>; rel=item\nlink: <c>; rel=license"
    >>> [(line, [link.target for link in read.links]) for line, read in read_text(text)]
    [(2, ['a', 'b']), (4, ['c'])]
    """
    if _MARKUP.search(text):
        yield 1, read_html(text, context)
        return
    fields = list(_FIELD.finditer(text))
    for match in fields:
        value = " ".join(match[1].split())
        yield text.count("\n", 0, match.start()) + 1, read_field(value, context)
    if not fields and text.strip():
        yield 1, read_field(" ".join(text.split()), context)


class _Page(HTMLParser):
    """Collects the link elements of a page."""

    def __init__(self, context: str) -> None:
        super().__init__()
        self.links: list[Link] = []
        self.defects: list[CturiError] = []
        self._base = self._context = context

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name, value or "")
        url = attributes.pop("href", "").strip()
        if tag == "base" and url and self._base == self._context:
            self._base = resolve_reference(url, self._context)
        elif tag == "link" and url and attributes.get("rel", "").split():
            link = _link(url, attributes, self._base)
            self.links.append(link._replace(context=self._context))
        elif tag == "link":
            problem = "a link without a relation" if url else "a link without a target"
            shown = self.get_starttag_text() or "<link>"
            self.defects.append(
                LinkError(problem, shown, expected="rel and href", rule="HTML, the link element")
            )


def _link(target: str, attributes: dict[str, str], base: str) -> Link:
    relations = tuple(relation.lower() if ":" not in relation else relation
                      for relation in attributes["rel"].split())  # fmt: skip
    anchor = attributes.get("anchor", "")
    return Link(
        resolve_reference(anchor, base), relations, resolve_reference(target, base), attributes
    )


def _end(text: str, position: int) -> int:
    element = _TO_COMMA.match(text, position)
    return element.end() if element else position


def check(links: Iterable[Link]) -> Iterator[Finding]:
    """Yield what is wrong with the media types of links, and what Signposting asks for.

    >>> links, _ = read_field('<a>; rel=item; type="CSV", <b>; rel=describedby')
    >>> for finding in check(links):
    ...     print(finding)
    must: the type of <a>, 'CSV', is not a media type; write text/csv (RFC 8288 section 3.4.1)
    should: <b>, describedby, has no type (Signposting, FAIR level 1)
    """
    cited: dict[str, str] = {}
    for link in links:
        yield from _of_type(link)
        typed = [relation for relation in link.relations if relation in _TYPED]
        if typed and link.type is None:
            problem = f"<{link.target}>, {', '.join(typed)}, has no type"
            yield Finding("type-missing", "should", problem, "Signposting, FAIR level 1")
        if (
            "cite-as" in link.relations
            and cited.setdefault(link.context, link.target) != link.target
        ):
            problem = f"<{link.context}> has two IRIs to cite it by; <{link.target}> is the second"
            yield Finding("cite-as-twice", "must", problem, "Signposting, FAIR level 1")


def _of_type(link: Link) -> Iterator[Finding]:
    if link.type is None:
        return
    rule, named = "RFC 8288 section 3.4.1", f"the type of <{link.target}>, {link.type!r},"
    try:
        content_type = ContentType.parse(link.type, rules="http")
    except ContentTypeError as error:
        label = resolve(link.type)
        named_types = (
            [link.content_type] if link.content_type else label.wrappers[:1] or label.types
        )
        right = f"; write {named_types[0]}" if len(named_types) == 1 else f": {error.problem}"
        yield Finding("type-malformed", "must", f"{named} is not a media type{right}", rule)
        return
    essence = content_type.essence
    better = successor_of(essence) or registry().canonical(essence)
    if better != essence:
        problem = f"{named} is another name for {better}"
        yield Finding("type-alias", "should", problem, "IANA's registry of media types")
    elif not registry().is_current(essence):
        problem = f"{named} is not a registered type"
        yield Finding("type-unregistered", "should", problem, "IANA's registry of media types")


def statements(links: Iterable[Link]) -> Iterator[tuple[Node, Node, Node]]:
    """Yield the links as triples, each relation a property, and the types of their targets.

    >>> links, _ = read_field("<b.csv>; rel=item; type=text/csv", "http://a.example/")
    >>> for triple in statements(links):
    ...     print(*triple)
    http://a.example/ http://www.iana.org/assignments/relation/item http://a.example/b.csv
    http://a.example/b.csv https://w3id.org/cturi/vocab#contentType ContentType:text/csv
    """
    for link in links:
        try:
            context, target = (
                URIRef(legalise(iri, draft=False)) for iri in (link.context, link.target)
            )
        except MappingError:
            # A relative one, because no context is known.
            continue
        for relation in link.relations:
            iri = relation if ":" in relation else RELATIONS + percent_encode(relation, _NOT_URI)
            yield context, URIRef(percent_encode(iri, _NOT_URI)), target
        if link.content_type is not None:
            # A type that stands for a URI may not name somebody else's.
            yield target, CTV.contentType, URIRef(mint(link.content_type, control="ignore").value)


def field_of(links: Iterable[Link]) -> str:
    """Return the value of a Link header that has links (RFC 8288 section 3).

    >>> field_of(read_field("<http://a.example/b>;rel=item;type=text/csv").links)
    '<http://a.example/b>; rel="item"; type="text/csv"'
    """
    fields = []
    for link in links:
        others = {name: value for name, value in link.attributes.items() if name != "rel"}
        attributes = {"rel": " ".join(link.relations), **others}
        shown = "; ".join(f"{name}={quote(value)}" for name, value in attributes.items())
        fields.append(f"<{percent_encode(link.target, _NOT_URI)}>; {shown}")
    return ", ".join(fields)
