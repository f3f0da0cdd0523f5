"""The JSON-LD contexts that come with the package, in `cturi_rdf/data/contexts/`.

They are of our own making: they map the terms to the IRIs that their owners give them, and say how
values are read.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parents[1] / "data"
_SCHEMA = "http://schema.org/"
# The IRIs that documents name the contexts by, without scheme and closing slash or hash.
_BY_NAME = {
    r"project-open-data\.cio\.gov/v1\.1/schema/catalog\.jsonld": "project-open-data",
    r"(?:www\.)?schema\.org(?:/docs/jsonldcontext\.json(?:ld)?)?": "schema-org",
    r"(?:www\.)?w3id\.org/ro/crate/(?:0\.2|1\.[0-9])(?:-DRAFT)?/context": "ro-crate",
    r"(?:www\.)?w3id\.org/ro/terms/workflow-run(?:/context)?": "workflow-run",
    r"www\.w3\.org/(?:2019/wot/td/v1|2022/wot/td/v1\.1|ns/td)": "wot",
    r"raw\.githubusercontent\.com/DOI-DO/dcat-us/main/context/dcat-us-3\.0\.jsonld": "dcat-us-3",
    r"(?:www\.)?w3\.org/ns/activitystreams(?:\.jsonld)?": "activitystreams",
    r"(?:www\.)?w3\.org/ns/csvw(?:\.jsonld)?": "csvw",
    r"(?:www\.)?w3\.org/ns/anno(?:\.jsonld)?": "web-annotation",
    r"w3id\.org/dspace/2025/1/context\.jsonld": "dataspace",
    r"(?:www\.)?iiif\.io/api/(presentation/[23]|image/[123]|search/[012]|auth/[012])"
    r"/context\.json": "iiif",
}


@cache
def _terms(name: str) -> dict[str, Any]:
    """Return the context in a file."""
    text = (_DATA / "contexts" / f"{name}.jsonld").read_text("utf-8")
    context: dict[str, Any] = json.loads(text)["@context"]
    return context


@cache
def _schema_org_terms() -> dict[str, Any]:
    """Return all of schema.org's terms one by one.

    They are not an `@vocab`, because a document may put its own over it.
    """
    text = (_DATA / "schema-org.txt").read_text("utf-8")
    names = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: _SCHEMA + name for name in names} | {"schema": _SCHEMA}


@cache
def schema_org() -> dict[str, Any]:
    """Return a context for schema.org."""
    return _schema_org_terms() | _terms("schema-org")


@cache
def ro_crate() -> dict[str, Any]:
    """Return a context for RO-Crate."""
    return _schema_org_terms() | _terms("ro-crate")


def project_open_data() -> dict[str, Any]:
    """Return a context for the fields of Project Open Data's ``data.json``, version 1.1."""
    return _terms("project-open-data")


_MADE = {"schema-org": schema_org, "ro-crate": ro_crate}


def packaged_context(name: str) -> dict[str, Any] | None:
    """Return the context that comes with the package by this name, or None.

    >>> packaged_context("schema.org")["encodingFormat"]
    'http://schema.org/encodingFormat'
    """
    for pattern, file in _BY_NAME.items():
        if match := re.fullmatch(pattern, name):
            part = f"-{match[1].replace('/', '-')}" if match.lastindex else ""
            return _MADE[file]() if file in _MADE else _terms(file + part)
    return None
