"""The real catalogues beside the project."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from rdflib import Dataset

    from cturi_rdf.catalogue.graph_changes import Report

CATALOGUES = [
    "bennokr-catalog.jsonld", "casework-kb-all.ttl", "comunedialessandria-catalog.rdf",
    "comunefoggia-catalog.rdf", "datosgobes-E_DCAT-AP-ES_Catalog_HVD_full.ttl",
    "datosgobes-E_DCAT-AP-ES_Catalog_NSIP.rdf", "datosgobes-E_DCAT-AP-ES_full_optional.ttl",
    "emo-bon-ro-crate-metadata.json", "fedict-dataset-example.xml", "fedict-dcat.rdf",
    "fedict-fpsecocbe.xml", "gsa-dcatus_with_none.json", "gsa-usda.gov.data.json",
    "informasjonsforvaltning-difi-dataset-2017-10-19.jsonld",
    "informasjonsforvaltning-gdoc-data-2017-10-19.ttl",
    "informasjonsforvaltning-geonorge-data-2017-10-19.xml", "linkedpipes-test.trig",
    "maregraph-eu-catalog.ttl", "mlcommons-huggingface.ttl", "mlcommons-metadata.json",
    "project-open-data-catalog-sample-extended.json", "researchobject-ro-crate-metadata.json",
    "smartdataanalytics-linkedgeodata-2018-04-04.dcat.ttl", "w3c-csiro-dap-examples.ttl",
    "w3c-csiro-stratchart.ttl",
]  # fmt: skip
# The four largest, and one with a context of thousands of terms, take more time than all the
# others together.
LARGE = {
    "casework-kb-all.ttl", "emo-bon-ro-crate-metadata.json", "fedict-dataset-example.xml",
    "gsa-dcatus_with_none.json", "informasjonsforvaltning-geonorge-data-2017-10-19.xml",
}  # fmt: skip
DAILY = sorted(set(CATALOGUES) - LARGE)


class Annotated(NamedTuple):
    """A catalogue as it was read, and annotated; tests only read it."""

    path: Path
    given: Dataset
    dataset: Dataset
    report: Report
