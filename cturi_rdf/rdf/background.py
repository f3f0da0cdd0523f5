"""The background graph of a check: descriptions of types, and classes of their identifiers.

Official shapes ask that a media type be an instance of `dct:MediaType`.  Nobody publishes that as
RDF, not even IANA; the background graph states it for all types in the registry.  The classes alone
are for any SHACL validator: loaded beside a catalogue, they let every correct IRI pass, and nothing
else.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError, MappingError
from cturi_rdf.rdf.description import MATCHES, description, of_parameter, own_description
from cturi_rdf.rdf.label_statements import label_triples
from cturi_rdf.rdf.terms import DCTERMS, OWL, RDF, RDFS, SKOS, literal
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import identifiers, only_type_of_iri
from cturi_rdf.uri.mapping import from_uri, is_content_type_uri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.labels import Resolution
    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.registry import EuFileTypeRecord


EU_FILE_TYPES = ox.NamedNode("http://publications.europa.eu/resource/authority/file-type")
_EU = frozenset({EU_FILE_TYPES.value, EU_FILE_TYPES.value.replace("http:", "https:")})
_OF_IANA = frozenset({"iana-https", "iana-http"})
# A charset in a header or in an IRI, in any case.
_CHARSET = re.compile(r"""[;?& ]charset=(?:%22|")?([^";&%# ]*)""", re.IGNORECASE)


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
            yield from of_code(iri.value)
            if path == SKOS.exactMatch:
                yield iri, RDF.type, DCTERMS.MediaType
                yield iri, RDFS.label, label


def of_code(iri: str) -> Iterator[Triple]:
    """Yield the description of a file type of the EU, given by its IRI in any case.

    >>> csv = ox.NamedNode("http://publications.europa.eu/resource/authority/file-type/CSV")
    >>> (csv, SKOS.inScheme, EU_FILE_TYPES) in of_code(csv.value)
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
    yield from of_code(label)
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
