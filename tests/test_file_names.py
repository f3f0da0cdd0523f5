"""Whatever takes the name of a file takes a path, and does the same with it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from cturi_rdf.catalogue import HeaderStream, annotate_file, headers_of_file
from cturi_rdf.catalogue.patches import PATCHES, patch_for
from cturi_rdf.check import check_file
from cturi_rdf.errors import CturiError
from cturi_rdf.reading import read_catalog, write_catalog
from cturi_rdf.reading.formats import format_named
from cturi_rdf.repair import plan_file, repair_file
from cturi_rdf.serve import Settings, application
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from collections.abc import Callable

CATALOGUE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
READERS: dict[str, Callable[[str | Path], object]] = {
    "check_file": lambda path: check_file(path).findings,
    "headers_of_file": lambda path: [header.content_type for header in headers_of_file(path)],
    "HeaderStream": lambda path: list(HeaderStream(path)),
    "plan_file": lambda path: plan_file(path, profile="dcat-ap").as_dict(),
    "read_catalog": lambda path: len(read_catalog(path)),
    "run": lambda path: len(list(run("SELECT * { ?resource dcat:mediaType ?type }", path))),
}
WRITERS: dict[str, Callable[[str | Path, str | Path], object]] = {
    "annotate_file": annotate_file,
    "repair_file": lambda source, target: repair_file(plan_file(source, profile="dcat-ap"), target),
    "write_catalog": lambda source, target: write_catalog(
        read_catalog(source), target, format_named("turtle")
    ),
}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_not_utf_8_is_a_name(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.ttl"))
    path.write_bytes(CATALOGUE.read_bytes())
    for reader in READERS.values():
        assert reader(path)
    planned = plan_file(path, profile="dcat-ap")
    assert all(patch_for(f"patch{ending}", planned).content for ending in PATCHES)
    base = "http://formats.example/"
    client = TestClient(application(path, settings=Settings(("*",), url=base)))
    answer = client.get("/sparql", params={"query": "ASK { ?s dct:format ?o }"})
    assert answer.json()["boolean"] is True
    with pytest.raises(CturiError, match="a query that fails"):
        run("ASK { FILTER(ctf:isXML('caf\udce9')) }", path)


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_a_path_is_read_like_its_text(reader: Callable[[str | Path], object]) -> None:
    assert reader(CATALOGUE) == reader(str(CATALOGUE))


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_a_path_is_written_like_its_text(
    writer: Callable[[str | Path, str | Path], object], tmp_path: Path
) -> None:
    by_path, by_text = tmp_path / "path.ttl", tmp_path / "text.ttl"
    writer(CATALOGUE, by_path)
    writer(str(CATALOGUE), str(by_text))
    assert by_path.read_bytes() == by_text.read_bytes()
