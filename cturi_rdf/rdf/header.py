"""The header of a resource, and the evidence that it follows from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from cturi_rdf._util.display import Displayed, Table, Tabular, counted
from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import percent_decode_any
from cturi_rdf.errors import MappingError
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.properties import PROPERTIES, WRAPPED_BY
from cturi_rdf.rdf.served import Claim, claim_of, served
from cturi_rdf.rdf.terms import CTV, RDF, mint
from cturi_rdf.rdf.urls import DOWNLOAD_URLS, URLS
from cturi_rdf.reading.relative_iri import relative
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import type_of_iri
from cturi_rdf.uri.mapping import from_uri
from cturi_rdf.uri.node import as_read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyoxigraph as ox

    from cturi_rdf.labels.resolution import Confidence
    from cturi_rdf.rdf.label_statements import Understood

__all__ = [
    "HEADER_PROPERTIES",
    "PAGES",
    "Evidence",
    "Header",
    "Headers",
    "evidence_of_label",
    "evidence_of_node",
    "evidence_of_texts",
    "header_links",
    "is_of_use",
    "texts_of_evidence",
    "url_claim",
]

# Solid and others: a class of the resources of a type, see the registry's schemes.
_CLASS_SCHEME = "w3c-ns-iana"
# Between the wrappers of a statement that is kept as texts.
_BETWEEN = " in "
# The format of a page; another ending, such as .php, is that of the program that answers.
PAGES = frozenset({"text/html", "application/xhtml+xml", "application/x-httpd-php"})
_WRITTEN = frozenset({"html", "htm", "xhtml", "xht"})
# The path of a URL (RFC 3986, appendix B), which reads whatever a catalogue gives as a URL.
_PATH = re.compile(r"(?:[^:/?#]+:)?(?://[^/?#]*)?([^?#]*)")

_CONTENT_TYPE, _SERVED_AS = CTV.contentType.value, CTV.servedAs.value
_WRAPPED = {link.value for link in WRAPPED_BY.values()}
_KINDS = {link.value: kind for kind, link in WRAPPED_BY.items()}
_KINDS |= {
    path.value: _KINDS[link.value] for path, link in PROPERTIES.items() if link.value in _KINDS
}
# The properties whose values are evidence: labels, and nodes of content types.
HEADER_PROPERTIES = (
    *(path for path, link in PROPERTIES.items() if link != CTV.relatedContentType),
    CTV.contentType,
    CTV.compression,
    CTV.packaging,
    CTV.servedAs,
    RDF.type,
)

_COLUMNS = ("resource", "content type", "contains", "verdict", "conflicts", "evidence")
_NAMES = frozenset(path.value for path in HEADER_PROPERTIES)
_LINKS = frozenset(
    path.value for path in (CTV.contentType, CTV.compression, CTV.packaging, CTV.servedAs)
)


class Evidence(NamedTuple):
    """One statement about the type of a resource: its property, its text, the types it names.

    `content_types` are several where one label names several; `wrappers` are what they are
    wrapped in, by the label, the outermost first.  `confidence` is that of the label.
    """

    property: str
    text: str
    content_types: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...] = ()
    confidence: Confidence = "certain"


class Header(Displayed):
    """How a resource is sent, as far as the statements about it agree.

    `content_type` is the header, or None; `contains` has the types inside a wrapper, or the several
    types that the resource has; `content_encoding` is the content coding under which a server may
    send what is inside (RFC 9110 section 8.4).  `verdict` is ``one``, ``several``, ``conflict``, or
    ``none`` where there are only links that lead to no content type; `conflicts` lists the types
    that contradict each other, in the order of their names.  `evidence` lists the statements that
    were read, `broken` the links that lead to no content type.  `confidence` is ``likely`` where
    statements that are certain would not give the same header.

    `resource` is an IRI or the name of a blank node, in a graph of rdflib its node.  `name` is
    the resource, or for a blank node its URL or else its title, if any.  `urls` are where
    the bytes are downloaded from, where that was asked for.
    """

    __slots__ = (
        "broken", "confidence", "conflicts", "contains", "content_encoding", "content_type",
        "evidence", "name", "resource", "urls", "verdict",
    )  # fmt: skip

    def __init__(
        self, resource: object, name: object, evidence: Iterable[Evidence], *, by_url: bool = False
    ) -> None:
        """Take the evidence; with `by_url` the names in the URLs choose among several types."""
        self.resource = resource
        self.name = name
        urls: dict[str, set[str]] = {}
        for statement in evidence:
            if statement.property in DOWNLOAD_URLS:
                urls.setdefault(statement.property, set()).add(statement.text)
        best = next((urls[name] for name in DOWNLOAD_URLS if name in urls), ())
        self.urls = tuple(sorted(best))
        statements = [statement for statement in evidence if str(statement.property) in _NAMES]
        self.evidence = _relevant(
            [statement for statement in statements if statement.content_types]
        )
        self.broken = [statement.text for statement in statements if not statement.content_types]
        statements = [statement for statement in self.evidence if statement.property != _SERVED_AS]
        claims = [_claim(statement) for statement in statements]
        result = served(claims)
        if by_url and result.verdict == "several":
            named = served([*claims, *(claim for url in self.urls for claim in url_claim(url))])
            result = named if named.verdict == "one" else result
        stated = served(
            [_claim(statement) for statement in self.evidence if statement.property == _SERVED_AS]
        ).content_type
        if stated and stated != result.content_type:
            result = result._replace(content_type=stated, verdict="one", conflicts=())
        self.content_type = result.content_type
        certain = [_claim(entry) for entry in statements if entry.confidence == "certain"]
        self.confidence: Confidence = "certain"
        if len(certain) < len(claims) and served(certain).content_type != self.content_type:
            self.confidence = "likely"
        self.contains = result.contains
        self.content_encoding = result.content_encoding
        self.verdict: Literal["one", "several", "conflict", "none"] = result.verdict
        self.conflicts = list(result.conflicts)

    @property
    def guesses(self) -> list[tuple[str, str]]:
        """The labels that a likely header rests on, each with its types."""
        if self.confidence == "certain" or not self.content_type:
            return []
        return [
            (statement.text, " | ".join(map(str, statement.content_types)))
            for statement in self.evidence
            if statement.confidence == "likely"
        ]

    @property
    def by_name(self) -> ContentType | None:
        """The first header of `misnamed`, or None."""
        return next((asked for _, asked in self.misnamed), None)

    @property
    def misnamed(self) -> list[tuple[str, ContentType]]:
        """The URLs whose file names contradict the evidence, and the headers that they ask for.

        A package or compression that no label names contradicts them too: the labels tell what is
        inside, and a server that sends that type sends the wrong one.
        """
        asked = ((url, self._against(url_claim(url))) for url in self.urls)
        return [(url, content_type) for url, content_type in asked if content_type]

    def _against(self, named: list[Claim]) -> ContentType | None:
        """Return the header that a file name asks for, if the evidence speaks against it."""
        if not named or self.verdict == "conflict":
            return None
        both = served([*map(_claim, self.evidence), *named])
        if both.conflicts:
            return served(named).content_type
        header = both.content_type
        is_wrapped = header is not None and registry().packaging(header.essence)
        return header if is_wrapped and header != self.content_type else None

    def as_table(self) -> Table:
        """Return the header and its evidence as a table of one row."""
        evidence = list(dict.fromkeys(statement.text for statement in self.evidence))
        from rdflib import BNode

        name = f"_:{self.name}" if isinstance(self.name, BNode) else relative(str(self.name))
        row = (name, self.content_type, self.contains, self.verdict, self.conflicts, evidence)
        return Table("", _COLUMNS, [row])

    def __repr__(self) -> str:
        types = self.conflicts or self.contains
        text = self.content_type or " or ".join(map(str, types)) or "no content type"
        return f"<Header of {self.name}: {text}>"


class Headers(list[Header], Tabular):
    """A list of headers, which shows itself as a table.

    `prefixes` has the prefixes that IRIs are shown with, by their namespaces.
    """

    def __init__(self, headers: Iterable[Header], prefixes: Mapping[str, str]) -> None:
        super().__init__(headers)
        self.prefixes = prefixes

    def as_table(self) -> Table:
        """Return a row for each header."""
        rows = [row for header in self for row in header.as_table().rows]
        return Table(counted(len(self), "resource"), _COLUMNS, rows, self.prefixes)


def _claim(evidence: Evidence) -> Claim:
    return Claim(evidence.content_types, evidence.wrappers, _KINDS.get(evidence.property))


def evidence_of_label(path: str, understood: Understood) -> Evidence:
    """Return a label on a property as evidence; without types where it names none."""
    resolution = understood.resolution
    return Evidence(
        path, understood.text, resolution.named, resolution.wrapping, resolution.confidence
    )


def evidence_of_node(path: str, iri: str) -> Evidence:
    """Return an IRI as evidence, the value of a property that is not for labels.

    That is the node of a content type, or a class of the files of a type as the value of
    `rdf:type`.  A URL to download from is kept as a text.
    """
    types: tuple[ContentType, ...] = ()
    if path == RDF.type.value:
        scheme, essences = type_of_iri(iri) or ("", ())
        if scheme == _CLASS_SCHEME:
            types = tuple(map(ContentType.parse, essences))
    elif path not in URLS:
        try:
            types = (as_read(from_uri(iri)),)
        except MappingError:
            types = ()
    return Evidence(path, iri, types)


def texts_of_evidence(evidence: Evidence) -> tuple[tuple[str, ...], ...]:
    """Return evidence as texts, which `evidence_of_texts` reads; none if it is of no use."""
    path, text, types, wrappers, confidence = evidence
    if not is_of_use(evidence):
        return ()
    return ((path, text, confidence, _BETWEEN.join(map(str, wrappers)), *map(str, types)),)


def is_of_use(evidence: Evidence) -> bool:
    """Return whether evidence names types, is a URL, or is a link to something that is no type."""
    path = evidence.property
    return bool(evidence.content_types) or path in DOWNLOAD_URLS or path in _LINKS


def evidence_of_texts(texts: Iterable[tuple[str, ...]]) -> list[Evidence]:
    """Return the evidence that `texts_of_evidence` turned into texts."""
    return [
        Evidence(
            path,
            text,
            tuple(map(ContentType.parse, types)),
            tuple(map(ContentType.parse, filter(None, wrappers.split(_BETWEEN)))),
            cast("Confidence", confidence),
        )
        for path, text, confidence, wrappers, *types in texts
    ]


def header_links(header: Header) -> list[tuple[ox.NamedNode, ox.NamedNode]]:
    """Return property and value of the links that annotating adds for a header.

    That is the header that its bytes are sent with, or the types that contradict each other.
    """
    if header.content_type:
        return [(CTV.servedAs, mint(header.content_type))]
    return [(CTV.conflictingType, mint(content_type)) for content_type in header.conflicts]


def url_claim(url: str) -> list[Claim]:
    """Return the claim that the file name in a URL makes about its bytes: one, or none.

    The name of a program, as in ``rss.php``, says nothing of what it sends.

    >>> [claim] = url_claim("https://data.example/loans.csv.gz?version=2")
    >>> print(*claim.types, "in", *claim.wrappers)
    text/csv in application/gzip
    """
    path = _PATH.match(url)
    name = path[1].rpartition("/")[2] if path else ""
    parts = percent_decode_any(name).split(".")[1:]
    for ending in (parts[-2:], parts[-1:]) if len(parts) > 1 else (parts,):
        resolution = resolve("." + ".".join(ending)) if ending else None
        if resolution and resolution.verdict in {"media_type", "compound"}:
            is_page = any(content_type.essence in PAGES for content_type in resolution.types)
            return [] if is_page and ending[-1].lower() not in _WRITTEN else [claim_of(resolution)]
    return []


def _relevant(evidence: list[Evidence]) -> list[Evidence]:
    """Return the statements that count: a node that no label explains overrides all labels.

    Statements that annotating added to labels only repeat the labels.
    """
    labels = [statement for statement in evidence if statement.property not in _LINKS]
    named: set[ContentType] = set()
    wrapping: set[ContentType] = set()
    for statement in labels:
        wrapping.update(statement.wrappers)
        if statement.property in _KINDS:
            wrapping.update(statement.content_types)
        if statement.property not in _KINDS or statement.wrappers:
            named.update(statement.content_types)
    nodes = [statement for statement in evidence if statement.property == _CONTENT_TYPE]
    others = [
        statement
        for statement in evidence
        if statement.property not in _WRAPPED or not wrapping.issuperset(statement.content_types)
        if statement.property != _CONTENT_TYPE
    ]
    if all(named.issuperset(statement.content_types) for statement in nodes):
        return others
    of_content = [statement for statement in labels if statement.property not in _KINDS]
    return nodes + [statement for statement in others if statement not in of_content]
