"""The registry as RDF: a concept scheme of all media types, and the background graph of a check.

The scheme is a dataset with versions, distributions and sources.  Each fact has one source, which
its predicate tells, or the scheme of the IRI that it leads to.  A format with named graphs has a
graph for each source, named by the source.

Official shapes ask that a media type be an instance of `dct:MediaType`.  Nobody publishes that as
RDF, not even IANA; the background graph states it for all types in the registry.  The classes alone
are for any SHACL validator: loaded beside a catalogue, they let every correct IRI pass, and nothing
else.
"""

from __future__ import annotations

import re
from contextlib import suppress
from operator import itemgetter
from typing import TYPE_CHECKING

import pyoxigraph as ox

import cturi_rdf
from cturi_rdf._util.display import prefixes_of
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError, MappingError
from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import service_names
from cturi_rdf.rdf.description import (
    MATCHES,
    arranged,
    description,
    in_rdflib,
    of_parameter,
    of_suffix,
    own_description,
)
from cturi_rdf.rdf.label_statements import label_triples
from cturi_rdf.rdf.terms import (
    CTV,
    DCAT,
    DCTERMS,
    EU_FILE_TYPES,
    OWL,
    RDF,
    RDFS,
    SKOS,
    XSD,
    Vocabulary,
    label_node,
    literal,
    mint,
    own_node,
)
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import identifiers, only_type_of_iri, type_of_iri
from cturi_rdf.registry.tables import date_of, source_named, sources
from cturi_rdf.uri.mapping import from_uri, is_content_type_uri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib import Graph

    from cturi_rdf.labels import Resolution
    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.reading.formats import Format
    from cturi_rdf.registry import EuFileTypeRecord
    from cturi_rdf.registry.tables import SourceRecord


PREFIXES = prefixes_of("ctv", "dcat", "dct", "owl", "prov", "rdf", "rdfs", "skos", "xsd")
SCHEME = ox.NamedNode("https://w3id.org/cturi/registry")
_PROV = Vocabulary(PREFIXES["prov"])
_IANA = "https://www.iana.org/assignments/media-types/"
# The files of a release, below the address of the site, and their types.
_FILES = {
    "registry.ttl": "text/turtle",
    "registry.trig": "application/trig",
    "data/media-types.csv": "text/csv",
    "data/labels.csv": "text/csv",
    "data/labels.ttl": "text/turtle",
    "data/media-types.schema.json": "application/json",
}
_LICENCES = {
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "BSD-3-Clause": "https://opensource.org/license/bsd-3-clause",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "LicenseRef-public-domain": "https://creativecommons.org/publicdomain/mark/1.0/",
    "MIT": "https://opensource.org/license/mit",
    "OGL-UK-3.0": "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/",
}
_BY_PREDICATE = {
    CTV.fileExtension: "extensions",
    CTV.machineReadable: "eu-file-type",
    CTV.nonProprietary: "eu-file-type",
    CTV.coapContentFormat: "iana-coap",
    CTV.charsetName: "iana-charsets",
    CTV.aliasOf: "names",
    CTV.registrationStatus: "iana-media-types",
    CTV.replacedBy: "iana-media-types",
}
_INEXACT = MATCHES - {SKOS.exactMatch}
_EU = frozenset({EU_FILE_TYPES.value, EU_FILE_TYPES.value.replace("http:", "https:")})
_OF_IANA = frozenset({"iana-https", "iana-http"})
# A charset in a header or in an IRI, in any case.
_CHARSET = re.compile(r"""[;?& ]charset=(?:%22|")?([^";&%# ]*)""", re.IGNORECASE)


def export(graph: Graph | None = None) -> Graph:
    """Return `graph`, or a new one, with the whole registry.

    >>> from rdflib import SKOS, URIRef
    >>> graph = export()
    >>> (URIRef("ContentType:text/csv"), SKOS.inScheme, URIRef(SCHEME.value)) in graph
    True
    """
    from rdflib import Graph

    graph = Graph() if graph is None else graph
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace, override=False)
    for triple in triples():
        graph.add(in_rdflib(triple))
    return graph


def triples() -> Iterator[Triple]:
    """Yield the whole registry, some triples more than once.

    Every type that IANA lists is a concept of `SCHEME`; other names of types, unregistered types
    that are in use, and all names of character sets are described too, but are no members.  Every
    node of ours has a label.  Merged into a catalogue it is what our shapes, and `sh:class
    dct:MediaType`, need.
    """
    snapshot = registry()
    yield from _about_registry()
    listed = dict.fromkeys(record.essence for record in snapshot.media_types())
    for essence in listed:
        yield from _concept(essence)
    for essence in dict.fromkeys(_unlisted()):
        if essence not in listed:
            yield from of_type(essence)
    for name in snapshot.charset_names():
        yield from of_parameter("charset", name)
        yield own_node("parameter", "charset", name), RDFS.label, literal(f"charset={name}")
    for suffix in snapshot.suffixes():
        yield from of_suffix(suffix)
    yield from eu_file_types()
    codes = (record.code for record in snapshot.eu_file_types() if record.service)
    services = (*service_names(), *(f"{EU_FILE_TYPES.value}/{code}" for code in codes))
    for label in dict.fromkeys(services):
        yield from label_triples(label, resolve(label))
        yield label_node(label), RDFS.label, literal(label)


def serialise(form: Format) -> bytes:
    """Return the whole registry in a format, with a graph for each source if it has named graphs.

    >>> from cturi_rdf.reading.formats import format_named
    >>> start = b"<ContentType:text/csv> <http://www.w3.org/2000/01/rdf-schema#label>"
    >>> start in serialise(format_named("nt"))
    True
    """
    ordered = arranged(triples())
    quads = (ox.Quad(*triple) for triple in ordered)
    if form.datasets:
        graphs = {source.key: source_node(source.key) for source in sources()}
        by_source = sorted(((source_of(triple), triple) for triple in ordered), key=itemgetter(0))
        quads = (ox.Quad(*triple, graphs[key]) for key, triple in by_source)
    return ox.serialize(quads, format=form.oxigraph, prefixes=PREFIXES) or b""


def _concept(essence: str) -> Iterator[Triple]:
    node, name, facts = mint(essence), literal(essence), tuple(of_type(essence))
    yield from facts
    yield node, RDF.type, SKOS.Concept
    yield node, SKOS.inScheme, SCHEME
    yield node, SKOS.prefLabel, name
    yield node, SKOS.notation, name
    if SKOS.broader not in {path for _, path, _ in facts}:
        yield node, SKOS.topConceptOf, SCHEME
        yield SCHEME, SKOS.hasTopConcept, node


def _unlisted() -> Iterator[str]:
    """Yield the types in our tables that IANA may not list."""
    snapshot = registry()
    for alias in snapshot.alias_records():
        yield alias.alias
        yield alias.essence
    for extension in snapshot.extensions():
        yield from extension.types


def source_node(key: str) -> ox.NamedNode:
    """Return the node of a source, and of the graph with its facts."""
    return ox.NamedNode(f"{SCHEME.value}#{key}")


def source_of(triple: Triple) -> str:
    """Return the key of the source of a statement in the registry.

    >>> source_of((mint("text/csv"), CTV.fileExtension, literal("csv")))
    'extensions'
    >>> source_of((mint("text/csv"), SKOS.closeMatch,
    ...     ox.NamedNode("https://www.nationalarchives.gov.uk/PRONOM/x-fmt/18")))
    'pronom'
    """
    subject, path, value = triple
    if path in _BY_PREDICATE:
        return _BY_PREDICATE[path]
    if path in _INEXACT:
        return _scheme_of(value.value)
    if path == SKOS.broader:
        return "names" if "+" not in subject.value else "iana-suffixes"
    if path in {DCTERMS.references, RDFS.seeAlso}:
        return "iana-suffixes" if "/suffix/" in subject.value else "iana-media-types"
    if "/suffix/" in subject.value:
        return "iana-suffixes"
    if subject.value.startswith("http"):
        return _scheme_of(subject.value)
    return "cturi"


def _scheme_of(iri: str) -> str:
    scheme = (type_of_iri(iri) or ("", ()))[0]
    return scheme if scheme in {source.key for source in sources()} else "cturi"


def version() -> str:
    """Return the version of the registry: that of the package, and the date of IANA's facts."""
    return f"{cturi_rdf.__version__}-{registry().date}"


def _about_registry() -> Iterator[Triple]:
    """Yield the statements about the registry, its distributions and its sources."""
    date = registry().date
    title = ox.Literal("Media types", language="en")
    text = ox.Literal(
        "All media types that IANA lists, with other names that are in use, what each type implies,"
        " and the IRIs that other vocabularies have for it.",
        language="en",
    )
    modified = ox.Literal(date, datatype=XSD.date)
    for class_ in (SKOS.ConceptScheme, DCAT.Dataset):
        yield SCHEME, RDF.type, class_
    yield SCHEME, RDFS.label, title
    yield SCHEME, DCTERMS.title, title
    yield SCHEME, DCTERMS.description, text
    yield SCHEME, DCTERMS.creator, ox.NamedNode("https://w3id.org/cturi/")
    yield SCHEME, DCTERMS.modified, modified
    yield SCHEME, OWL.versionInfo, literal(version())
    yield SCHEME, OWL.versionIRI, ox.NamedNode(f"{SCHEME.value}/{version()}")
    for licence in sorted({iri for source in sources() for iri in _licences(source.licence)}):
        yield SCHEME, DCTERMS.license, ox.NamedNode(licence)
    for name, media_type in _FILES.items():
        yield from _distribution(name, media_type)
    for source in sources():
        node = source_node(source.key)
        yield SCHEME, DCTERMS.source, node
        yield SCHEME, _PROV.wasDerivedFrom, node
        yield node, RDFS.label, literal(source.title)
        yield node, DCAT.landingPage, ox.NamedNode(source.page)
        yield from _about(node, source)


def about_code_list(name: str, key: str) -> Iterator[Triple]:
    """Yield the source and the licence of a code list.

    >>> about = about_code_list("eu-file-types", "eu-file-type")
    >>> [value.value for _, path, value in about if path == DCTERMS.license]
    ['https://creativecommons.org/licenses/by/4.0/']
    """
    node, source = ox.NamedNode(f"https://w3id.org/cturi/code-lists/{name}"), source_named(key)
    yield node, DCTERMS.source, ox.NamedNode(source.page)
    yield from _about(node, source)


def _about(node: ox.NamedNode, source: SourceRecord) -> Iterator[Triple]:
    """Yield the title, the date and the licence of a source, said of a node."""
    yield node, RDF.type, DCAT.Dataset
    yield node, DCTERMS.title, literal(source.title)
    # Some dates are known to the month.
    date = date_of(source)
    datatype = XSD.date if len(date) == len("2026-07-01") else XSD.gYearMonth
    yield node, DCTERMS.modified, ox.Literal(date, datatype=datatype)
    for licence in _licences(source.licence):
        yield node, DCTERMS.license, ox.NamedNode(licence)
    if source.notice:
        yield node, DCTERMS.rights, literal(source.notice)


def _distribution(name: str, media_type: str) -> Iterator[Triple]:
    node = source_node(name.rpartition("/")[2])
    yield SCHEME, DCAT.distribution, node
    yield node, RDF.type, DCAT.Distribution
    yield node, RDFS.label, literal(name)
    yield node, DCTERMS.title, literal(name)
    yield node, DCAT.mediaType, ox.NamedNode(f"{_IANA}{media_type}")
    yield node, DCAT.downloadURL, ox.NamedNode(f"https://w3id.org/cturi/{name}")


def _licences(expression: str) -> list[str]:
    return [_LICENCES[name] for name in expression.split(" AND ")]


def of_type(essence: str) -> Iterator[Triple]:
    """Yield the description of a media type, and the classes of its identifiers.

    An identifier of the type is a `dct:MediaType`, that of a format with this type, such as
    the EU's file types, a `dct:MediaTypeOrExtent`.

    >>> iana = ox.NamedNode("https://www.iana.org/assignments/media-types/text/csv")
    >>> (iana, RDF.type, DCTERMS.MediaType) in of_type("text/csv")
    True
    """
    triples, label = description(ContentType.parse(essence)), literal(essence)
    yield from triples
    for _, path, iri in triples:
        if path in MATCHES and isinstance(iri, ox.NamedNode):
            yield iri, RDF.type, DCTERMS.MediaTypeOrExtent
            yield from _of_code(iri.value)
            if path == SKOS.exactMatch:
                yield iri, RDF.type, DCTERMS.MediaType
                yield iri, RDFS.label, label


def _of_code(iri: str) -> Iterator[Triple]:
    """Yield the description of a file type of the EU, given by its IRI in any case.

    >>> csv = ox.NamedNode("http://publications.europa.eu/resource/authority/file-type/CSV")
    >>> (csv, SKOS.inScheme, EU_FILE_TYPES) in _of_code(csv.value)
    True
    """
    scheme, _, code = iri.rpartition("/")
    if scheme.lower() in _EU:
        record = registry().eu_file_type(code)
        if record:
            yield from _eu_file_type(record)


def iana_media_types() -> Iterator[Triple]:
    """Yield the class and the name of IANA's IRI of each media type, with https and with http.

    >>> iri = ox.NamedNode("https://www.iana.org/assignments/media-types/text/csv")
    >>> (iri, RDF.type, DCTERMS.MediaType) in iana_media_types()
    True
    """
    for record in registry().media_types():
        for identifier in identifiers(record.essence):
            if identifier.scheme in _OF_IANA:
                iri = ox.NamedNode(identifier.iri)
                yield iri, RDF.type, DCTERMS.MediaType
                yield iri, RDF.type, DCTERMS.MediaTypeOrExtent
                yield iri, RDFS.label, literal(record.essence)


def eu_file_types() -> Iterator[Triple]:
    """Yield the class and the scheme of each file type of the EU; some are deprecated.

    >>> len({iri for iri, _, _ in eu_file_types()}) > 200
    True
    """
    for record in registry().eu_file_types():
        yield from _eu_file_type(record)


def _eu_file_type(record: EuFileTypeRecord) -> Iterator[Triple]:
    """Yield the class and the scheme of a file type of the EU, which DCAT-AP 3 asks for."""
    node = ox.NamedNode(f"{EU_FILE_TYPES.value}/{record.code}")
    yield node, RDF.type, DCTERMS.MediaTypeOrExtent
    yield node, SKOS.inScheme, EU_FILE_TYPES
    if record.deprecated:
        yield node, OWL.deprecated, ox.Literal(value=True)


def of_label(label: str, resolution: Resolution) -> Iterator[Triple]:
    """Yield the meaning of a label, and descriptions of the types and charsets that it names.

    >>> from cturi_rdf.labels import resolve
    >>> from cturi_rdf.rdf.terms import CTV, mint
    >>> triples = of_label("application/vnd.geo+json", resolve("application/vnd.geo+json"))
    >>> (mint("application/vnd.geo+json"), CTV.registrationStatus, CTV.Obsolete) in triples
    True
    """
    yield from label_triples(label, resolution)
    yield from _of_code(label)
    for content_type in resolution.types:
        yield from own_description(content_type)
    types = [content_type.essence for content_type in (*resolution.types, *resolution.wrappers)]
    essences = dict.fromkeys((*types, *_named(label)))
    for essence in tuple(essences):
        record = registry().media_type(essence)
        others = (registry().canonical(essence), *(record.replaced_by if record else ()))
        essences |= dict.fromkeys(others)
    for essence in essences:
        yield from of_type(essence)
    charset = _CHARSET.search(label)
    for name in registry().charset_names(like=charset[1]) if charset else ():
        yield from of_parameter("charset", name)


def _named(label: str) -> Iterator[str]:
    """Yield the type that a label names literally, even where it is obsolete or an alias."""
    read = from_uri if is_content_type_uri(label) else ContentType.parse
    with suppress(ContentTypeError, MappingError):
        yield (only_type_of_iri(label) or read(label)).essence
