"""The JSON-LD contexts that come with the package.

They are small ones of our own making: they map the terms of the common cases to the IRIs that their
owners give them, and do nothing else.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["packaged_context", "project_open_data", "ro_crate", "schema_org"]

_SCHEMA = "http://schema.org/"

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
    "accessURL": {"@id": "dcat:accessURL", "@type": "@id"},
    "conformsTo": {"@id": "dct:conformsTo", "@type": "@id"},
    "describedBy": {"@id": "http://www.w3.org/2007/05/powder#describedby", "@type": "@id"},
    "downloadURL": {"@id": "dcat:downloadURL", "@type": "@id"},
    "fn": "vcard:fn",
    "hasEmail": "vcard:email",
    "homepage": "foaf:homepage",
    "issued": {"@id": "dct:issued", "@type": "http://www.w3.org/2001/XMLSchema#date"},
    "modified": {"@id": "dct:modified", "@type": "http://www.w3.org/2001/XMLSchema#date"},
    "name": "skos:prefLabel",
    "subOrganizationOf": "org:subOrganizationOf",
}  # fmt: skip


# W3C, Web of Things (WoT) Thing Description 1.1, section 5.3 and appendix on its context; the
# properties of an affordance are those of a JSON Schema, not of a thing.
_JS = "https://www.w3.org/2019/wot/json-schema#"
_THING = {
    "@vocab": "https://www.w3.org/2019/wot/td#",
    "dct": "http://purl.org/dc/terms/",
    "hctl": "https://www.w3.org/2019/wot/hypermedia#",
    "js": _JS,
    "td": "https://www.w3.org/2019/wot/td#",
    "wotsec": "https://www.w3.org/2019/wot/security#",
    "id": "@id",
    "additionalResponses": "td:additionalExpectedResponse",
    "contentCoding": "hctl:forContentCoding",
    "contentType": "hctl:forContentType",
    "forms": "td:hasForm",
    "href": {"@id": "hctl:hasTarget", "@type": "@id"},
    "links": {"@id": "td:hasLink", "@context": {"type": "hctl:hintsAtMediaType"}},
    "op": {"@id": "hctl:hasOperationType", "@type": "@vocab"},
    "response": "td:expectedResponse",
    "security": {"@id": "td:hasSecurityConfiguration", "@type": "@id"},
    **{
        name: {
            "@id": f"td:{term}",
            "@container": "@index",
            "@context": {"properties": {"@id": "js:properties", "@container": "@index"}},
        }
        for name, term in (
            ("properties", "hasPropertyAffordance"),
            ("actions", "hasActionAffordance"),
            ("events", "hasEventAffordance"),
            ("securityDefinitions", "definesSecurityScheme"),
        )
    },
}
# RO-Crate, profiles of Workflow Run, terms of https://w3id.org/ro/terms/workflow-run.
_WORKFLOW_RUN = {
    name: f"https://w3id.org/ro/terms/workflow-run#{name}"
    for name in (
        "ContainerImage", "DockerImage", "ParameterConnection", "SIFImage", "connection",
        "containerImage", "environment", "md5", "registry", "resourceUsage", "sha1", "sha256",
        "sha512", "sourceParameter", "tag", "targetParameter",
    )
}  # fmt: skip


@cache
def _schema_org_terms() -> dict[str, Any]:
    """Return all of schema.org's terms one by one.

    They are not an `@vocab`, because a document may put its own over it.
    """
    text = (Path(__file__).parents[1] / "data" / "schema-org.txt").read_text("utf-8")
    names = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: _SCHEMA + name for name in names} | {"schema": _SCHEMA}


@cache
def schema_org() -> dict[str, Any]:
    """Return a context for schema.org."""
    iris = {name: {"@id": _SCHEMA + name, "@type": "@id"} for name in _IRIS}
    dates = {name: {"@id": _SCHEMA + name, "@type": f"{_SCHEMA}Date"} for name in _DATES}
    keywords = {"type": "@type", "id": "@id"}
    return {"@vocab": _SCHEMA, **_schema_org_terms(), **keywords, **iris, **dates}


@cache
def ro_crate() -> dict[str, Any]:
    """Return a context for RO-Crate."""
    return _schema_org_terms() | _RO_CRATE


def project_open_data() -> dict[str, Any]:
    """Return a context for the fields of Project Open Data's ``data.json``, version 1.1."""
    return _POD


# The IRIs that documents name these contexts by, without scheme and closing slash.
_BY_NAME: tuple[tuple[str, Callable[[], dict[str, Any]]], ...] = (
    (r"project-open-data\.cio\.gov/v1\.1/schema/catalog\.jsonld", project_open_data),
    (r"(?:www\.)?schema\.org(?:/docs/jsonldcontext\.json(?:ld)?)?", schema_org),
    (r"(?:www\.)?w3id\.org/ro/crate/1\.[0-9](?:-DRAFT)?/context", ro_crate),
    (r"(?:www\.)?w3id\.org/ro/terms/workflow-run/context", _WORKFLOW_RUN.copy),
    (r"www\.w3\.org/(?:2019/wot/td/v1|2022/wot/td/v1\.1|ns/td)", _THING.copy),
)


def packaged_context(name: str) -> dict[str, Any] | None:
    """Return the context that comes with the package by this name, or None.

    >>> packaged_context("schema.org")["encodingFormat"]
    'http://schema.org/encodingFormat'
    """
    for pattern, make in _BY_NAME:
        if re.fullmatch(pattern, name):
            return make()
    return None
