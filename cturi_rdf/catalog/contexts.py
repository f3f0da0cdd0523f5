"""JSON-LD contexts that come with the package, and those that a document names.

The contexts here are small ones of our own making: they give the terms of the common
cases the IRIs that their owners give them, and say no more than that.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdflib import SDO

from cturi_rdf.catalog.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["inline_contexts", "is_project_open_data", "project_open_data"]

_SCHEMA = "http://schema.org/"
_ID = "@id"

# Terms of RO-Crate that are not schema.org's (RO-Crate 1.1, appendix on its context).
_RO_CRATE = {
    "bibo": "http://purl.org/ontology/bibo/",
    "cc": "http://creativecommons.org/ns#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "frapo": "http://purl.org/cerif/frapo/",
    "pav": "http://purl.org/pav/",
    "pcdm": "http://pcdm.org/models#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfa": "http://www.w3.org/ns/rdfa#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "rel": "https://www.w3.org/ns/iana/link-relations/relation#",
    "roterms": "http://purl.org/ro/roterms#",
    "wf4ever": "http://purl.org/ro/wf4ever#",
    "wfdesc": "http://purl.org/ro/wfdesc#",
    "wfprov": "http://purl.org/ro/wfprov#",
    "File": f"{_SCHEMA}MediaObject",
    "Journal": f"{_SCHEMA}Periodical",
    "path": f"{_SCHEMA}contentUrl",
    "ComputationalWorkflow": "https://bioschemas.org/ComputationalWorkflow",
    "FormalParameter": "https://bioschemas.org/FormalParameter",
    "input": "https://bioschemas.org/ComputationalWorkflow#input",
    "output": "https://bioschemas.org/ComputationalWorkflow#output",
    "RepositoryCollection": "http://pcdm.org/models#Collection",
    "RepositoryObject": "http://pcdm.org/models#Object",
    "hasFile": "http://pcdm.org/models#hasFile",
    "hasMember": "http://pcdm.org/models#hasMember",
    "cite-as": "https://www.w3.org/ns/iana/link-relations/relation#cite-as",
    "conformsTo": "http://purl.org/dc/terms/conformsTo",
    "importedBy": "http://purl.org/pav/importedBy",
    "importedFrom": "http://purl.org/pav/importedFrom",
    "importedOn": "http://purl.org/pav/importedOn",
    "retrievedBy": "http://purl.org/pav/retrievedBy",
    "retrievedFrom": "http://purl.org/pav/retrievedFrom",
    "retrievedOn": "http://purl.org/pav/retrievedOn",
    "wasDerivedFrom": "http://www.w3.org/ns/prov#wasDerivedFrom",
}
# Terms of schema.org whose values are IRIs, or dates, wherever they stand.
_IRIS = (
    "codeRepository", "contentUrl", "discussionUrl", "downloadUrl", "embedUrl", "image",
    "installUrl", "license", "logo", "mainEntityOfPage", "sameAs", "screenshot",
    "thumbnailUrl", "url",
)  # fmt: skip
_DATES = ("dateCreated", "dateModified", "datePublished", "endDate", "startDate", "uploadDate")
# Project Open Data, metadata schema 1.1: fields whose vocabulary is not DCAT's.
_POD = {
    "@vocab": "http://www.w3.org/ns/dcat#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "org": "http://www.w3.org/ns/org#",
    "pod": "https://project-open-data.cio.gov/v1.1/schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    **{
        name: f"dct:{name}"
        for name in (
            "accrualPeriodicity", "description", "format", "identifier", "language", "license",
            "publisher", "rights", "spatial", "temporal", "title",
        )
    },
    **{
        name: f"pod:{name}"
        for name in (
            "accessLevel", "bureauCode", "dataQuality", "describedByType",
            "primaryITInvestmentUII", "programCode",
        )
    },
    "accessURL": {"@id": "dcat:accessURL", "@type": _ID},
    "conformsTo": {"@id": "dct:conformsTo", "@type": _ID},
    "describedBy": {"@id": "http://www.w3.org/2007/05/powder#describedby", "@type": _ID},
    "downloadURL": {"@id": "dcat:downloadURL", "@type": _ID},
    "fn": "vcard:fn",
    "hasEmail": "vcard:email",
    "homepage": "foaf:homepage",
    "issued": {"@id": "dct:issued", "@type": "http://www.w3.org/2001/XMLSchema#date"},
    "modified": {"@id": "dct:modified", "@type": "http://www.w3.org/2001/XMLSchema#date"},
    "name": "skos:prefLabel",
    "subOrganizationOf": "org:subOrganizationOf",
}  # fmt: skip


@cache
def _schema_org() -> dict[str, Any]:
    """Return all of schema.org's terms, as rdflib has them, one by one.

    They are no `@vocab`, because a document may put its own over it.
    """
    terms = {str(term).rpartition("/")[2] for term in dir(SDO)}
    context: dict[str, Any] = {name: _SCHEMA + name for name in sorted(terms)}
    return context | {"schema": _SCHEMA, "type": "@type", "id": "@id"}


@cache
def _schema_org_typed() -> dict[str, Any]:
    iris = {name: {"@id": _SCHEMA + name, "@type": _ID} for name in _IRIS}
    dates = {name: {"@id": _SCHEMA + name, "@type": f"{_SCHEMA}Date"} for name in _DATES}
    return {"@vocab": _SCHEMA, **_schema_org(), **iris, **dates}


@cache
def _ro_crate() -> dict[str, Any]:
    plain = {name: iri for name, iri in _schema_org().items() if not iri.startswith("@")}
    return plain | _RO_CRATE


def project_open_data() -> dict[str, Any]:
    """Return a context for the fields of Project Open Data's ``data.json``, version 1.1."""
    return _POD


# The IRIs that documents name these contexts by, without scheme and closing slash.
_AT_HAND: tuple[tuple[re.Pattern[str], Callable[[], dict[str, Any]]], ...] = (
    (re.compile(r"project-open-data\.cio\.gov/v1\.1/schema/catalog\.jsonld"), project_open_data),
    (
        re.compile(r"(?:www\.)?schema\.org(?:/docs/jsonldcontext\.json(?:ld)?)?"),
        _schema_org_typed,
    ),
    (re.compile(r"(?:www\.)?w3id\.org/ro/crate/1\.[0-9](?:-DRAFT)?/context"), _ro_crate),
)


def is_project_open_data(document: Any) -> bool:
    """Return whether a JSON document is a ``data.json`` that says nothing of its context."""
    return (
        isinstance(document, dict)
        and "@context" not in document
        and isinstance(document.get("dataset"), list)
    )


def inline_contexts(
    document: Any, source: str, supplied: Mapping[str, Path], *, allow_network: bool
) -> Any:
    """Return a JSON-LD document in which every context that it names stands itself.

    A context is taken from `supplied`, from those that come with the package, from beside
    the document, or, only if allowed, from the network.  Raises `CatalogError` that names
    the one that is not at hand.
    """

    def resolve(value: Any, seen: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            return [resolve(each, seen) for each in value]
        if isinstance(value, str):
            if value in seen:
                raise CatalogError(f"a JSON-LD context that names itself: {value}", source, "none")
            loaded = _load(value, source, supplied, allow_network=allow_network)
            return resolve(loaded, (*seen, value))
        if isinstance(value, dict) and isinstance(value.get("@import"), str):
            rest = {key: each for key, each in value.items() if key != "@import"}
            return {**resolve(value["@import"], seen), **walk(rest)}
        return walk(value)

    def walk(value: Any) -> Any:
        if isinstance(value, list):
            return [walk(each) for each in value]
        if isinstance(value, dict):
            return {
                key: resolve(each, ()) if key == "@context" else walk(each)
                for key, each in value.items()
            }
        return value

    return walk(document)


def _load(name: str, source: str, supplied: Mapping[str, Path], *, allow_network: bool) -> Any:
    """Return the context of a name."""
    key = re.sub(r"^https?://", "", name).rstrip("/#")
    for given, path in supplied.items():
        if re.sub(r"^https?://", "", given).rstrip("/#") == key:
            return _context_of(path.read_bytes(), str(path))
    for pattern, make in _AT_HAND:
        if pattern.fullmatch(key):
            return make()
    if key == name and ":" not in name:
        beside = Path(source).parent / name
        if beside.is_file():
            return _context_of(beside.read_bytes(), str(beside))
    elif allow_network and key != name:
        return _context_of(_fetch(name, source), name)
    raise CatalogError(
        f"the JSON-LD context {name} is not at hand", source,
        f"--context {name}=FILE, or --allow-network to fetch it",
    )  # fmt: skip


def _fetch(url: str, source: str) -> bytes:
    from urllib.request import Request, urlopen  # noqa: PLC0415 - only where it is asked for

    accept = "application/ld+json, application/json;q=0.9"
    try:
        with urlopen(Request(url, headers={"Accept": accept}), timeout=30) as answer:  # noqa: S310 - http and https only
            body: bytes = answer.read()
            return body
    except OSError as error:
        raise CatalogError(
            f"the JSON-LD context {url} cannot be fetched ({error})", source,
            f"a network, or --context {url}=FILE",
        ) from error  # fmt: skip


def _context_of(content: bytes, name: str) -> Any:
    try:
        document = json.loads(content)
        return document["@context"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CatalogError("no JSON-LD context", name, 'a JSON object with "@context"') from error
