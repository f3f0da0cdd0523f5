"""Labels that are identifiers: IRIs of a known scheme, and what other IRIs end in."""

from __future__ import annotations

import re
from urllib.parse import unquote

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError, MappingError
from cturi_rdf.labels.lexicon import eu_resolution, names
from cturi_rdf.labels.resolution import Resolution
from cturi_rdf.labels.syntax import media_type, typed
from cturi_rdf.labels.words import fused, words
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import type_of_iri
from cturi_rdf.registry.tables import Record, load
from cturi_rdf.uri.mapping import from_uri

__all__ = ["EdamRecord", "identified", "of_node", "relative"]

_IRI = re.compile(r"[a-z][a-z0-9+.-]*://.*|(?:urn|info):.*", re.ASCII | re.IGNORECASE | re.DOTALL)
# RFC 6761 section 6.4: no name under it exists, so what stands there is relative; and a
# relative IRI becomes a file of one's own where a parser had no base.
_NODE = "contenttype:"
_NO_BASE = re.compile(
    r"https?://(?:[^/?#]*\.)?invalid/(?:doc/)?|file:/+(?:[^?#]*/)?", re.ASCII | re.IGNORECASE
)
# Prefixes that are the same everywhere, and codes that are used without one.
_PREFIXES = {
    "edam": "http://edamontology.org/",
    "wd": "http://www.wikidata.org/entity/",
    "pronom": "info:pronom/",
    "puid": "info:pronom/",
}
_PUID = re.compile(r"(?:x-)?fmt/[0-9]+|fdd[0-9]{6}", re.ASCII | re.IGNORECASE)
_SERVICE_TYPES = re.compile(r"service-?types?[/:#]", re.ASCII | re.IGNORECASE)
# Pages on the web are about formats.
_PAGES = frozenset({"html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp"})


class EdamRecord(Record):
    """A format of EDAM that a table of ours knows the type of."""

    __slots__ = ()
    code: str
    types: tuple[str, ...]


def relative(label: str) -> str:
    """Return the relative IRI that was resolved against no real base, or the label as it is.

    >>> relative("http://base.invalid/doc/CSV"), relative("file:///home/me/CSV%20(zip)")
    ('CSV', 'CSV (zip)')
    """
    found = _NO_BASE.match(label)
    return unquote(label[found.end() :]) if found else label


def identified(label: str) -> Resolution | None:
    """Return what an identifier means, or None where a label is none.

    >>> identified("http://publications.europa.eu/resource/authority/file-type/CSV").rule
    'scheme'
    >>> identified("http://www.opengis.net/def/serviceType/ogc/wms").verdict
    'service'
    """
    prefix, colon, rest = label.partition(":")
    if colon and prefix.lower() in _PREFIXES and not rest.startswith("//"):
        iri = _PREFIXES[prefix.lower()] + rest
    elif _PUID.fullmatch(label):
        scheme = (
            "info:pronom/"
            if "/" in label
            else "https://www.loc.gov/preservation/digital/formats/fdd/"
        )
        iri = scheme + label.lower() + ("" if "/" in label else ".shtml")
    elif _IRI.fullmatch(label):
        iri = label
    else:
        return None
    known = type_of_iri(iri)
    return _other(label, iri) if known is None else _of_scheme(label, iri, *known)


def of_node(label: str) -> Resolution | None:
    """Return what a ContentType: URI means, in either spelling, or None where a label is none.

    >>> str(of_node('ContentType:text/csv?header="absent"').types[0])
    'text/csv; header=absent'
    """
    if label[: len(_NODE)].lower() != _NODE:
        return None
    try:
        return media_type(label, from_uri(label))
    except (ContentTypeError, MappingError):
        return None


def _of_scheme(label: str, iri: str, scheme: str, types: tuple[str, ...]) -> Resolution:
    code = unquote(iri.rstrip("/").rpartition("/")[2])
    if scheme == "eu-file-type":
        record = registry().eu_file_type(code)
        if record is not None:
            return eu_resolution(label, record, "scheme")
        named = names().service(code) or names().exact(code)
        if named is not None:
            reason = f"The EU has no file type {code}. {named.reason}"
            return named.but(label=label, confidence="likely", reason=reason)
    elif scheme == "edam":
        return _of_edam(label, code)
    elif types and scheme not in {"w3c-formats", "pronom", "loc-fdd", "wikidata"}:
        _, semicolon, parameters = unquote(iri).partition(";")
        found = _of_type(label, types[0] + semicolon + parameters)
        if found is not None:
            return (
                found
                if found.verdict != "media_type"
                else found.but(
                    rule="scheme" if found.rule == "syntax" else found.rule,
                    reason=f"It is an IRI of the scheme {scheme}. {found.reason}",
                )
            )
    elif types:
        reason = f"It is {types[0]} in the scheme {scheme}."
        sure = "certain" if len(types) == 1 else "likely"
        return Resolution(
            label, "media_type", types[:1], rule="scheme", confidence=sure, reason=reason
        )
    else:
        written = typed("/".join(unquote(iri).rstrip("/").split("/")[-2:])) or names().exact(code)
        if written is not None:
            reason = f"It is no IRI of the scheme {scheme} as it stands. {written.reason}"
            return written.but(label=label, confidence="likely", reason=reason)
    reason = f"The scheme {scheme} is known, but no media type for this code of it."
    return Resolution(
        label,
        "nothing" if scheme == "eu-file-type" else "no_type",
        rule="scheme",
        reason=reason,
    )


def _of_type(label: str, header: str) -> Resolution | None:
    meant = ContentType.recover(header).content_type
    return None if meant is None else media_type(label, meant)


def _of_edam(label: str, code: str) -> Resolution:
    record = load("labels/edam.tsv", EdamRecord).get(code)
    if record is None:
        reason = f"No media type is known for {code} of EDAM."
        return Resolution(label, "no_type", rule="scheme", reason=reason)
    reason = f"{code} of EDAM is {record.types[0]}."
    return Resolution(label, "media_type", record.types[:1], rule="scheme", reason=reason)


def _other(label: str, iri: str) -> Resolution:
    """Return what the end of an IRI says that belongs to no known scheme."""
    path, _, query = iri.partition("?")
    asked = re.search(r"\bservice=(\w+)", query, re.ASCII | re.IGNORECASE)
    if _SERVICE_TYPES.search(path):
        reason = "It is a code of a list of service types."
        return Resolution(label, "service", rule="scheme", reason=reason)
    parts = [unquote(each) for each in re.split(r"[/#]", path.partition("://")[2]) if each][1:]
    tail = parts[-1] if parts else ""
    stem, dot, file_extension = tail.rpartition(".") if "." in tail else (tail, "", "")
    if dot and file_extension.lower() in _PAGES:
        # What the page is about, not what it is written in.
        tail, file_extension = stem, ""
    named = (
        (names().service(asked[1]) if asked else None)
        or (typed("/".join(parts[-2:])) if len(parts) > 1 else None)
        or names().service(tail)
        or (None if fused(tail) in words().ordinary else names().exact(tail))
        or (names().exact(file_extension, dotted=True) if file_extension else None)
    )
    if named is None or named.verdict == "nothing" or tail.isdigit():
        reason = "The IRI is of no known scheme, and its end names no format."
        return Resolution(label, "nothing", rule="scheme", reason=reason)
    reason = f"The IRI is of no known scheme, but ends in {tail}. {named.reason}"
    return named.but(label=label, confidence="likely", reason=reason)
