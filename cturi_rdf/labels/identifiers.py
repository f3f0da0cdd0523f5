"""Labels that are identifiers: IRIs of a known scheme, and the last parts of other IRIs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError, MappingError
from cturi_rdf.labels.grammar import composed
from cturi_rdf.labels.media_types import after_word, is_top_level, media_type, typed
from cturi_rdf.labels.names import eu_meaning, names
from cturi_rdf.labels.resolution import no_type, nothing, one_type, service
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import code_record, type_of_iri
from cturi_rdf.registry.tables import load
from cturi_rdf.uri.mapping import from_uri, is_content_type_uri

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cturi_rdf.labels.resolution import Resolution

_IRI = re.compile(r"[a-z][a-z0-9+.-]*://.*|(?:urn|info):.*", re.ASCII | re.IGNORECASE | re.DOTALL)
# A relative IRI that a parser resolved against a made-up base (RFC 6761 section 6.4: no name under
# "invalid" exists) or against the folder that it ran in.
_NO_BASE = re.compile(
    r"https?://(?:[^/?#]*\.)?invalid/(?:doc/)?|file:/+(?:[^?#]*/)?", re.ASCII | re.IGNORECASE
)
# Prefixes with the same meaning everywhere, and codes that are used without a prefix.
_PREFIXES = {
    "edam": "http://edamontology.org/",
    "wd": "http://www.wikidata.org/entity/",
    "pronom": "info:pronom/",
    "puid": "info:pronom/",
    "edam.format": "http://edamontology.org/format_",
    "wikidata": "http://www.wikidata.org/entity/",
    "iana.mediatype": "https://www.iana.org/assignments/media-types/",
    "mime": "https://www.iana.org/assignments/media-types/",
}
_FDD = "https://www.loc.gov/preservation/digital/formats/fdd/{}.shtml"
_PUID = re.compile(r"(?:x-)?fmt/[0-9]+|fdd[0-9]{6}", re.ASCII | re.IGNORECASE)
# Resolvers of compact identifiers: the prefix and the code follow.
_RESOLVERS = re.compile(
    r"https?://(?:www\.)?(?:bioregistry\.io|identifiers\.org|n2t\.net)/([a-z0-9.]+)[:/](.+)",
    re.ASCII | re.IGNORECASE,
)
# A format of OGC's registry of names: urn:ogc:def:dataFormat:OGC:2.1:GML and shorter forms.
_OGC = re.compile(r"urn:ogc:(?:def:)?dataFormat:(?:OGC:)?(.+)", re.ASCII | re.IGNORECASE)
# Schemes whose codes are in a table, with or without a media type.
_CODES = frozenset({"w3c-formats", "pronom", "loc-fdd", "wikidata"})
_VERSION = r"\bversion ([0-9]+)$"
_PAGE_ENDINGS = frozenset({"xhtml", "html", "xml", "csv"})
# ISO 8879: owner, description and language of a document type.
_PUBLIC = r"(?s)(?:[-+]|ISO [^/]*)//.+//.+"
_SERVICE_TYPES = r"(?ai)service-?types?[/:#]"
# Pages on the web are about formats.
_PAGES = frozenset({"html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp"})


class EdamRecord(NamedTuple):
    """A format of EDAM with the type that a table of ours gives it."""

    code: str
    types: tuple[str, ...]


def relative(label: str) -> str:
    """Return the relative IRI that was resolved against no real base, or the label as it is."""
    match = _NO_BASE.match(label)
    return unquote(label[match.end() :]) if match else label


def identified(label: str) -> Resolution | None:
    """Return the meaning of an identifier, or None for any other label.

    >>> identified("http://publications.europa.eu/resource/authority/file-type/CSV").rule
    'scheme'
    >>> identified("http://www.opengis.net/def/serviceType/ogc/wms").verdict
    'service'
    """
    named = registry().formats("dataone").get(label)
    if named is not None:
        reason = f"It is an identifier of DataONE's formats, of the type {named.types[0]}."
        return one_type(named.types[0], "scheme", reason, likely=True)
    if ":" not in label and "/" not in label and label[:3].lower() != "fdd":
        return None
    resolved = _RESOLVERS.fullmatch(label)
    if resolved and resolved[1].lower() in _PREFIXES:
        code = resolved[2].removeprefix("format_") if "." in resolved[1] else resolved[2]
        return identified(f"{resolved[1]}:{code}")
    prefix, colon, rest = label.partition(":")
    if colon and prefix.lower() in _PREFIXES and not rest.startswith("//"):
        iri = _PREFIXES[prefix.lower()] + rest
    elif _PUID.fullmatch(label):
        template = "info:pronom/{}" if "/" in label else _FDD
        iri = template.format(label.lower())
    elif _IRI.fullmatch(label):
        iri = label
    elif re.fullmatch(_PUBLIC, label):
        reason = "It is the formal public identifier of a document type."
        return nothing("scheme", reason, likely=True)
    else:
        return None
    of_scheme = type_of_iri(iri)
    if of_scheme is None and "#" in iri:
        of_scheme = type_of_iri(iri.partition("#")[0])
    return _of_scheme(iri, *of_scheme) if of_scheme else _other(iri)


def of_node(label: str) -> Resolution | None:
    """Return the meaning of a ContentType: URI, in either spelling, or None for any other label.

    >>> str(of_node('ContentType:text/csv?header="absent"').types[0])
    'text/csv; header=absent'
    """
    if not is_content_type_uri(label):
        return None
    try:
        return media_type(from_uri(label))
    except (ContentTypeError, MappingError):
        return None


def _of_scheme(iri: str, scheme: str, types: tuple[str, ...]) -> Resolution:
    code = unquote(iri.rstrip("/").rpartition("/")[2])
    if scheme == "eu-file-type":
        record = registry().eu_file_type(code)
        if record is not None:
            return eu_meaning(record, "scheme")
        named = names().exact(code)
        if named is not None:
            return named.inferred(f"The EU has no file type {code}.")
        date = registry().formats(scheme).facts["date"]
        return nothing("scheme", f"The EU had no file type {code} on {date}.", likely=True)
    if scheme == "edam":
        table = load("labels/edam.tsv", EdamRecord)
        of_edam = table.get(code)
        return _of_code(scheme, code, of_edam.types if of_edam else (), table.facts)
    if scheme in _CODES:
        # Codes of PRONOM have a slash, those of the Library of Congress an ending.
        whole = "/".join(iri.rstrip("/").split("/")[-2:]) if scheme == "pronom" else code
        facts = registry().formats(scheme).facts
        return _of_code(scheme, whole.removesuffix(".shtml"), types, facts)
    if types:
        _, semicolon, parameters = unquote(iri).partition(";")
        header = _without_page(types[0].partition("#")[0]) + semicolon + parameters
        meant = ContentType.recover(header, rules="any").content_type
        meaning = media_type(meant) if meant else None
        if meaning is not None:
            reason = f"It is an IRI of the scheme {scheme}. {meaning.reason}"
            rule = "scheme" if meaning.rule == "syntax" else meaning.rule
            return meaning._replace(rule=rule, reason=reason)
    written = "/".join(unquote(iri).rstrip("/").split("/")[-2:])
    meaning = typed(written) or names().exact(code)
    if meaning is not None:
        return meaning.inferred(f"The scheme {scheme} has no such IRI, but its end names a type.")
    reason = f"The scheme {scheme} is known, but not its code {code}."
    return nothing("scheme", reason, likely=True)


def _of_code(
    scheme: str, code: str, types: tuple[str, ...], facts: Mapping[str, str]
) -> Resolution:
    """Return the meaning of a code in a table of formats."""
    if types:
        meaning = one_type(types[0], "scheme", f"It is {types[0]} in the scheme {scheme}.")
        return meaning.or_else(types)
    record = code_record(scheme, code) if scheme in _CODES else None
    if record is not None:
        # A table without a type for the format may still have its name.
        reason = f"{scheme} has {code} without a media type."
        phrase, named = composed(record.label), names().described(record.label)
        weighed = beside_words(named, phrase) if named else phrase
        called = names().exact(record.label) or weighed
        if called and called.types:
            return called.inferred(f"{reason} It calls it {record.label}.", "scheme")
        return no_type("scheme", reason)
    version = re.search(_VERSION, facts["source"])
    where = f"{scheme.upper()} V{version[1]}" if version else f"the snapshot of {scheme}"
    reason = f"{code} is not in {where} of {facts['date']}."
    return nothing("scheme", reason, likely=True)


def beside_words(named: Resolution, phrase: Resolution | None) -> Resolution:
    """Return the meaning of a name in a table of formats, weighed against that of its words.

    The name of a format without a type counts unless its words leave nothing over: "AutoCAD Slide"
    is no drawing.  Where name and words are of two types, both are readings, those of the words
    first if they are certain; words that mean nothing make the name less certain.
    """
    if phrase is None or not set(phrase.types).isdisjoint(named.types):
        return named
    if not named.types:
        is_whole = phrase.confidence == "certain" or (phrase.types and phrase.rule != "prose")
        return phrase if is_whole else named
    if phrase.verdict == "nothing" and not phrase.alternatives:
        return named.inferred()
    if phrase.confidence == "certain":
        return phrase.or_else(named.types)
    return named.or_else(phrase.types)


def _without_page(essence: str) -> str:
    """Return a type without the ending of IANA's page about it."""
    bare, _, ending = essence.rpartition(".")
    is_page = ending in _PAGE_ENDINGS and not registry().is_current(essence)
    return bare if is_page and registry().is_current(bare) else essence


def _other(iri: str) -> Resolution:
    """Return the meaning of the end of an IRI whose scheme is unknown."""
    of_ogc = _OGC.fullmatch(iri)
    if of_ogc and (meaning := composed(of_ogc[1].replace(":", " "))):
        return meaning.inferred("It is OGC's name of a format.", "scheme")
    path, _, query = iri.partition("?")
    if re.search(_SERVICE_TYPES, path):
        name = path.rpartition("/")[2]
        return service(name, "It is a code of a list of service types.", "scheme")
    asked = re.search(r"\bservice=(\w+)", query, re.ASCII | re.IGNORECASE)
    of_query = names().exact(asked[1]) if asked else None
    parts = [
        unquote(segment) for segment in re.split(r"[/#]", path.partition("://")[2]) if segment
    ][1:]
    tail = parts[-1] if parts else ""
    stem, _, file_extension = tail.rpartition(".")
    if file_extension.lower() in _PAGES and stem:
        # The subject of the page, not its own format.
        tail = stem
    named = of_query if of_query and of_query.verdict == "service" else None
    if named is None and len(parts) > 1 and parts[-2].replace("-", "").isalpha():
        word = parts[-2].lower()
        named = typed(f"{word}/{tail}") if is_top_level(word) else after_word(word, tail)
    named = named or _of_tail(tail)
    if named is None or named.verdict == "nothing" or tail.isdigit():
        reason = "The IRI is of no known scheme, and its end names no format."
        return nothing("scheme", reason, likely=True)
    return named.inferred(f"The IRI is of no known scheme, but ends in {tail}.")


def _of_tail(tail: str) -> Resolution | None:
    """Return the meaning of the last part of an IRI: a name, or the name of a file."""
    if "ordinary" not in names().kinds(tail) and (meaning := names().exact(tail)):
        return meaning
    _, dot, extensions = tail.partition(".")
    return composed(dot + extensions)
