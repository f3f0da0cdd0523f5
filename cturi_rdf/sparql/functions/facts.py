"""Functions for the facts about a type, from its name or from the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from cturi_rdf.content_type import ContentType
from cturi_rdf.rdf.terms import mint
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import ancestry
from cturi_rdf.registry.qualities import coap_number, qualities
from cturi_rdf.registry.schemes import own_identifiers
from cturi_rdf.sparql.functions.function import function
from cturi_rdf.xml.encoding import encoding_of
from cturi_rdf.xml.kinds import is_governed, is_xml

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.sparql.functions.terms import Scheme

_JSON = "application/json"


@function(
    "isXML", ('ctf:isXML("image/svg+xml")', "true"), ('ctf:isXML("application/xml-dtd")', "false")
)
def _is_xml(x: ContentType) -> bool:
    """Return whether entities of the type are XML (RFC 7303)."""
    return is_xml(x)


@function(
    "isJSON", ('ctf:isJSON("application/geo+json")', "true"), ('ctf:isJSON("text/html")', "false")
)
def _is_json(x: ContentType) -> bool:
    """Return whether entities of the type are JSON."""
    return _JSON in ancestry(x.essence)


@function(
    "isTextual",
    ('ctf:isTextual("text/csv")', "true"),
    ('ctf:isTextual("application/geo+json")', "true"),
    ('ctf:isTextual("image/png")', "false"),
)
def _is_textual(x: ContentType) -> bool:
    """Return whether entities of the type are text.

    It is under text, XML, a DTD, JSON or YAML, or a special case of such a type.
    """
    broader = ancestry(x.essence)
    return (
        x.type == "text"
        or is_governed(x)
        or not broader.isdisjoint({_JSON, "application/xml", "application/yaml"})
        or any(essence.startswith("text/") for essence in broader)
    )


@function(
    "isRegistered",
    ('ctf:isRegistered("text/csv")', "true"),
    ('ctf:isRegistered("text/tsv")', "false"),
)
def _is_registered(x: ContentType) -> bool:
    """Return whether the type is in IANA's registry, current or not."""
    return registry().media_type(x.essence) is not None


@function(
    "isObsolete",
    ('ctf:isObsolete("application/javascript")', "true"),
    ('ctf:isObsolete("text/javascript")', "false"),
)
def _is_obsolete(x: ContentType) -> bool:
    """Return whether IANA's registry calls the type obsolete or deprecated."""
    record = registry().media_type(x.essence)
    return record is not None and not registry().is_current(x.essence)


@function(
    "machineReadable",
    ('ctf:machineReadable("text/csv")', "true"),
    ('ctf:machineReadable("application/pdf")', None),
    ('ctf:machineReadable("text/troff")', None),
)
def _machine_readable(x: ContentType) -> bool | None:
    """Return whether the EU states that the format is machine-readable.

    There is no answer where the EU states nothing.
    """
    return qualities(x).machine_readable


@function(
    "isOpen",
    ('ctf:isOpen("text/csv")', "true"),
    ('ctf:isOpen("application/x-matlab-data")', "false"),
    ('ctf:isOpen("image/svg+xml")', None),
)
def _is_open(x: ContentType) -> bool | None:
    """Return whether the EU states that the format is not proprietary.

    There is no answer where the EU states nothing.
    """
    return qualities(x).open


@function(
    "isArchive",
    ('ctf:isArchive("application/x-tar")', "true"),
    ('ctf:isArchive("text/csv")', "false"),
)
def _is_archive(x: ContentType) -> bool:
    """Return whether the type packs or compresses other files."""
    return qualities(x).archive


@function(
    "coapNumber",
    ('ctf:coapNumber("application/json")', "50"),
    ('ctf:coapNumber("text/plain; charset=utf-8")', "0"),
    ('ctf:coapNumber("text/troff")', None),
)
def _coap_number(x: ContentType) -> int | None:
    """Return the number of the content type in IANA's CoAP Content-Formats."""
    return coap_number(x)


@function(
    "replacement",
    ('ctf:replacement("application/javascript")', "<ContentType:text/javascript>"),
    ('ctf:replacement("text/tsv")', "<ContentType:text/tab-separated-values>"),
    ('ctf:replacement("text/csv")', None),
)
def _replacement(x: ContentType) -> Iterable[NamedNode]:
    """Return the nodes of the types to use instead.

    They are IANA's replacements, or the type of which this one is an alias.
    """
    record = registry().media_type(x.essence)
    names = record.replaced_by if record else ()
    canonical = registry().canonical(x.essence)
    for name in names or ((canonical,) if canonical != x.essence else ()):
        replacement = ContentType.parse(name)
        yield mint(ContentType(replacement.type, replacement.subtype, x.parameters))


@function(
    "encoding",
    ('ctf:encoding("text/csv; charset=latin1")', '"iso-8859-1"'),
    ('ctf:encoding("application/geo+json")', '"utf-8"'),
    ('ctf:encoding("application/xml", "FEFF003C"^^xsd:hexBinary)', '"utf-16be"'),
    ('ctf:encoding("application/xml")', None),
)
def _encoding(x: ContentType, octets: bytes = b"") -> str | None:
    """Return the name of the character encoding.

    For XML it follows RFC 7303, given a charset or the first octets; for JSON it is UTF-8 (RFC
    8259); for other types it is the charset.
    """
    charset = x.parameters.get("charset")
    if is_governed(x):
        return encoding_of(x, octets).encoding if octets or charset else None
    if _JSON in ancestry(x.essence):
        return "utf-8"
    record = registry().charset(charset) if charset else None
    return record.name.lower() if record else charset


@function(
    "as",
    (
        'ctf:as("text/csv", <http://publications.europa.eu/resource/authority/file-type>)',
        "<http://publications.europa.eu/resource/authority/file-type/CSV>",
    ),
    ('ctf:as("image/svg+xml", "spar-w3id")', "<https://w3id.org/spar/mediatype/image/svg%2Bxml>"),
    ('ctf:as("text/x-unheard-of", "pronom")', None),
)
def _as(x: ContentType, scheme: Scheme) -> Iterable[NamedNode]:
    """Return the IRIs that a type has in another scheme.

    The scheme is named, or given by the start of its IRIs.  Versions, profiles and containers of
    the type have IRIs of their own, which are not the type's.
    """
    return [NamedNode(own.iri) for own in own_identifiers(x.essence) if own.scheme == scheme]
