"""All functions: they convert labels and headers, take types apart, compare them, tell their facts.

A function is called with what the annotations of its parameters say.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import fold_name
from cturi_rdf.negotiation import MediaRange, best, quality
from cturi_rdf.rdf.terms import mint
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import ancestry, is_a, is_same, structure_of
from cturi_rdf.registry.qualities import coap_number, qualities
from cturi_rdf.registry.schemes import own_identifiers
from cturi_rdf.sparql.functions.function import function, resolution_of
from cturi_rdf.xml.encoding import encoding_of
from cturi_rdf.xml.kinds import is_governed, is_xml

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.sparql.functions.function import Iri, Label, Scheme

_JSON = "application/json"


@function(
    "mint",
    ('ctf:mint("text/csv; header=present")', "<ContentType:text/csv?header=%22present%22>"),
    ('ctf:mint("CSV")', "<ContentType:text/csv>"),
    ("ctf:mint(<https://www.iana.org/assignments/media-types/text/csv>)", "<ContentType:text/csv>"),
    ('ctf:mint("CSV, JSON")', None),
    ('ctf:mint("WMS")', None),
)
def _mint(x: ContentType) -> NamedNode:
    """Return the node of a content type; none for a label that does not name exactly one."""
    return mint(x)


@function(
    "resolve",
    ('ctf:resolve("text/tsv")', "<ContentType:text/tab-separated-values>"),
    ('ctf:resolve("CSV, JSON")', "<ContentType:text/csv>"),
    ('ctf:resolve("CSV, JSON", 2)', "<ContentType:application/json>"),
    ('ctf:resolve("CSV, JSON", 3)', None),
)
def _resolve(label: Label) -> Iterable[NamedNode]:
    """Return the nodes of all content types that a label means, by their current names."""
    return [mint(content_type) for content_type in resolution_of(label).types]


@function("verdict", ('ctf:verdict("WMS")', '"service"'), ('ctf:verdict("CSV, JSON")', '"several"'))
def _verdict(label: Label) -> str:
    """Return what kind of thing a label names.

    It is media_type, compound, several, service, no_type or nothing.
    """
    return resolution_of(label).verdict


@function("outer", ('ctf:outer("csv.gz")', "<ContentType:application/gzip>"))
def _outer(label: Label) -> NamedNode | None:
    """Return the content type of the package or compression around a file, if it is named."""
    outer = resolution_of(label).outer
    return mint(outer) if outer else None


@function(
    "header",
    ("ctf:header(<ContentType:text/csv?header=%22present%22>)", '"text/csv; header=present"'),
    ("ctf:header(<http://a.example/data>)", None),
)
def _header(x: ContentType) -> str:
    """Return the value of the Content-Type header."""
    return str(x)


@function("type", ('ctf:type("image/svg+xml")', '"image"'))
def _type(x: ContentType) -> str:
    """Return the part before the slash."""
    return x.type


@function("subtype", ('ctf:subtype("image/svg+xml; charset=utf-8")', '"svg+xml"'))
def _subtype(x: ContentType) -> str:
    """Return the part after the slash, without parameters."""
    return x.subtype


@function("essence", ('ctf:essence("Text/HTML; charset=utf-8")', '"text/html"'))
def _essence(x: ContentType) -> str:
    """Type and subtype, without parameters."""
    return x.essence


@function("suffix", ('ctf:suffix("image/svg+xml")', '"xml"'), ('ctf:suffix("text/csv")', None))
def _suffix(x: ContentType) -> str | None:
    """Return the structured syntax suffix, without its plus."""
    return x.suffix


@function(
    "baseType",
    ('ctf:baseType("application/ld+json")', "<ContentType:application/json>"),
    ('ctf:baseType("text/csv")', None),
)
def _base_type(x: ContentType) -> NamedNode | None:
    """Return the node of the type of the bare syntax that the suffix names."""
    base = structure_of(x).base
    return mint(base) if base else None


@function(
    "parameter",
    ('ctf:parameter("text/csv; header=present", "Header")', '"present"'),
    ('ctf:parameter("text/csv", "header")', None),
)
def _parameter(x: ContentType, name: str) -> str | None:
    """Return the value of a parameter."""
    return x.parameters.get(fold_name(name, x.subtype))


@function(
    "profile",
    (
        'ctf:profile("a/b; profile=\\"http://a.example/1 http://a.example/2\\"", 2)',
        "<http://a.example/2>",
    ),
)
def _profile(x: ContentType) -> Iterable[NamedNode]:
    """Return the IRIs of the profiles that the type has."""
    for profile in x.parameters.get("profile", "").split():
        # A profile is an IRI (RFC 6906).
        with suppress(ValueError):
            yield NamedNode(profile)


@function(
    "isA",
    ('ctf:isA("application/ld+json; profile=x", "application/json")', "true"),
    ('ctf:isA("application/json", "application/ld+json")', "false"),
)
def _is_a(narrow: ContentType, broad: ContentType) -> bool:
    """Return whether all data of the first type is also of the second type.

    Parameters, aliases, suffixes and the registry decide.
    """
    return is_a(narrow, broad)


@function(
    "sameAs",
    ('ctf:sameAs("text/xml", "application/xml")', "true"),
    ('ctf:sameAs("text/csv; header=present", "text/csv")', "false"),
)
def _same_as(one: ContentType, other: ContentType) -> bool:
    """Return whether two types are the same apart from aliases, with the same parameters."""
    return is_same(one, other)


@function(
    "hasProfile",
    (
        'ctf:hasProfile("a/b; profile=\\"http://a.example/1 http://a.example/2\\"", <http://a.example/2>)',
        "true",
    ),
    ('ctf:hasProfile("application/ld+json", <http://a.example/2>)', "false"),
)
def _has_profile(x: ContentType, profiles: Iri) -> bool:
    """Return whether the profiles of a type, which are a set, have all of these."""
    return set(profiles.split()) <= set(x.parameters.get("profile", "").split())


@function(
    "matches",
    ('ctf:matches("text/csv", "text/*")', "true"),
    ('ctf:matches("image/png", "*/*;q=0.5")', "true"),
    ('ctf:matches("application/ld+json", "application/json")', "true"),
    ('ctf:matches("image/png", "text/*")', "false"),
    ('ctf:matches("image/png", "text")', None),
    ('ctf:matches("application/vnd.ms-excel", "application/vnd.*")', "false"),
)
def _matches(x: ContentType, media_range: str) -> bool:
    """Return whether a type is in a media range, whatever the weight (RFC 9110).

    A star stands for a whole subtype; no type is in `application/vnd.*`.
    """
    return MediaRange.parse(media_range).matches(x)


@function(
    "quality",
    ('ctf:quality("text/csv", "text/*;q=0.5, */*;q=0.1")', "0.5"),
    ('ctf:quality("text/csv", "image/png")', "0.0"),
)
def _quality(x: ContentType, accept: str) -> float:
    """Return how much an Accept header wants a type, from 0 to 1."""
    return quality(accept, x)


@function(
    "best",
    (
        'ctf:best("application/json", "text/turtle", "application/ld+json")',
        "<ContentType:application/ld+json>",
    ),
    ('ctf:best("image/png", "text/turtle")', None),
)
def _best(accept: str, *offers: ContentType) -> NamedNode | None:
    """Return the node of the offer that an Accept header wants most."""
    offer = best(accept, offers)
    return mint(offer) if offer else None


# The facts about a type, from its name or from the registry.


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
