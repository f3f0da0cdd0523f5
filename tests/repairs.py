"""Shared by the tests of repairs: a small catalogue, and its statements afterwards."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
from hypothesis import strategies as st

from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.repair import plan_file

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
LABELS = [
    "CSV", "csv", "text/csv", "text/csv; charset=latin1", "text/csv; header=absent", "PDF/A-2b",
    "Zipped Shapefile", "CSV.gz", "ZIP", "XML, tar.gz", "WMS", "n/a", "flurbel", "CSV, JSON",
    "image/tif", "Excel", "MARC 21", "application/vnd.geo+json", "application/x-tar",
]  # fmt: skip
IRIS = [
    f"{IANA}text/csv", f"{IANA}no/such", f"{IANA}application/javascript", f"{EU}CSV", f"{EU}ZIP",
    f"{EU}OP_DATPRO", f"{EU}WMS_SRVC", "https://www.w3.org/ns/iana/media-types/text/csv#Resource",
    "http://a.example/format", "CSV",
]  # fmt: skip
OF_DCAT = ("dcat:mediaType", "dcat:compressFormat", "dcat:packageFormat")
PROPERTIES = [*OF_DCAT, "dct:format", "schema:encodingFormat"]
LABELLED = ['[ dct:title "CSV" ]', '[ dct:title "WMS"@en ]']
values = st.one_of(
    st.sampled_from(LABELS).map(lambda text: f'"{text}"'),
    st.sampled_from(LABELS).map(lambda text: f'"{text}"@en'),
    st.sampled_from(IRIS).map(lambda iri: f"<{iri}>"),
    st.sampled_from(["[ ]", *LABELLED]),
)
urls = st.sampled_from(
    [
        "",
        " ; dcat:accessURL <http://a.example/service>",
        " ; dcat:downloadURL <http://a.example/a.csv>",
        " ; dcat:downloadURL <http://a.example/a.csv.gz>",
        " ; dcat:accessURL <http://a.example/service> ; dcat:downloadURL <http://a.example/a.csv>",
    ]
)
statements = st.lists(
    st.tuples(st.sampled_from(PROPERTIES), values).map(" ".join), min_size=1, max_size=4
).map(" ; ".join)
catalogues = st.lists(st.tuples(statements, urls).map("".join), min_size=1, max_size=5).map(
    lambda rows: "".join(
        f"<http://a.example/{number}> a dcat:Distribution ; {row} .\n"
        for number, row in enumerate(rows)
    )
)
LIKELY = Options("likely")


def planned(
    tmp_path: Path,
    text: str,
    profile: str = "dcat-ap",
    options: Options = Options(),
) -> FilePlan:
    file = tmp_path / "catalogue.ttl"
    file.write_text(HEAD + text, "utf-8", newline="")
    return plan_file(str(file), profile=profile, options=options)


def statements(plan: FilePlan) -> set[str]:
    """Return the statements about <http://a.example/d> afterwards, without its URLs."""
    form = plan.plan.document.format.oxigraph
    quads = ox.parse(plan.edited, form, base_iri="http://a.example/")
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
# A byte that UTF-8 does not have, in a line that is repaired.
LATIN_1 = """\
<?xml version="1.0" encoding="iso-8859-1"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns:dcat="http://www.w3.org/ns/dcat#">
  <dcat:Distribution><!-- é --><dcat:mediaType>CSV</dcat:mediaType></dcat:Distribution>
</rdf:RDF>
""".encode("iso-8859-1")


def fixed(text: str, results: list[dict[str, Any]]) -> str:
    """Return a text after the fixes of some results of SARIF, which editors apply like this.

    What the fixes of two results remove is removed once: a separator between two statements.
    """
    # Other ends of lines, such as U+2028, are none in SARIF.
    lines = list(io.StringIO(text, newline=""))
    spans = []
    for fix in (fix for result in results for fix in result.get("fixes", ())):
        for change in fix["artifactChanges"][0]["replacements"]:
            region = change["deletedRegion"]
            start, end = (
                sum(map(len, lines[: region[f"{side}Line"] - 1])) + region[f"{side}Column"] - 1
                for side in ("start", "end")
            )
            spans.append((start, end, change["insertedContent"]["text"]))
    behind = len(text)
    for start, end, new in sorted(spans, key=lambda span: span[:2], reverse=True):
        text = text[:start] + new + text[min(end, max(start, behind)) :]
        behind = start
    return text
