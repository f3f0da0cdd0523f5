"""What the tests of repairs share: a small catalogue, and what it says afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.repair import plan_file
from cturi_rdf.repair.rules import Options

if TYPE_CHECKING:
    from pathlib import Path

    from cturi_rdf.repair import FilePlan

HEAD = """\
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix eu: <http://publications.europa.eu/resource/authority/file-type/> .
@prefix schema: <http://schema.org/> .
"""
IANA = "https://www.iana.org/assignments/media-types/"
EU = "http://publications.europa.eu/resource/authority/file-type/"
LIKELY = Options("likely")


def planned(
    tmp_path: Path,
    text: str,
    profile: str = "dcat-ap",
    options: Options = Options(),  # noqa: B008
) -> FilePlan:
    file = tmp_path / "catalogue.ttl"
    file.write_text(HEAD + text, "utf-8", newline="")
    return plan_file(str(file), profile=profile, options=options)


def statements(plan: FilePlan) -> set[str]:
    """Return what is stated of <http://a.example/d> afterwards, without its URLs."""
    quads = ox.parse(plan.edited, ox.RdfFormat.TURTLE, base_iri="http://a.example/")
    return {
        f"{quad.predicate.value.rpartition('#')[2].rpartition('/')[2]}"
        f" {getattr(quad.object, 'value', '').replace(IANA, 'iana:').replace(EU, 'eu:')}"
        for quad in quads
        if quad.subject == ox.NamedNode("http://a.example/d") and "URL" not in quad.predicate.value
    }


D = "<http://a.example/d> "
PATCHED = """\
@base <http://a.example/> .
<d> dct:format "TIF" ; dcat:mediaType "image/tif" .
<e> dcat:distribution [ dct:format "Zipped Shapefile" ] .
"""


def fixed(text: str, results: list[dict[str, Any]]) -> str:
    """Return a text after the fixes of some results of SARIF, which editors apply like this."""
    lines = text.splitlines(keepends=True)
    spans = []
    for fix in (fix for result in results for fix in result.get("fixes", ())):
        for change in fix["artifactChanges"][0]["replacements"]:
            region = change["deletedRegion"]
            start, end = (
                sum(map(len, lines[: region[f"{side}Line"] - 1])) + region[f"{side}Column"] - 1
                for side in ("start", "end")
            )
            spans.append((start, end, change["insertedContent"]["text"]))
    for start, end, new in sorted(spans, key=lambda span: span[:2], reverse=True):
        text = text[:start] + new + text[end:]
    return text
