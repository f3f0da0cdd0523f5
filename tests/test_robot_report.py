"""ROBOT's report over the ontology: no ERROR and no WARN by ROBOT's own queries.

`CTURI_ROBOT` names a checkout of https://github.com/ontodev/robot.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pyoxigraph as ox
import pytest

ONTOLOGY = Path(__file__).parents[1] / "ontology"
ROBOT = Path(os.environ.get("CTURI_ROBOT", ONTOLOGY)) / "robot-core" / "src" / "main" / "resources"
ADDED = [ONTOLOGY / "axioms.ttl", *sorted((ONTOLOGY / "alignments").glob("*.ttl"))]

pytestmark = pytest.mark.skipif(
    not ROBOT.is_dir(), reason="CTURI_ROBOT names no checkout of https://github.com/ontodev/robot"
)


@pytest.mark.parametrize(
    "added",
    [[], *([path] for path in ADDED), ADDED],
    ids=lambda paths: "+".join(path.stem for path in paths) or "ontology",
)
def test_the_report_has_no_error_and_no_warning(added: list[Path]) -> None:
    script = runpy.run_path(str(ONTOLOGY.parent / "scripts" / "build_vocabulary.py"))
    store = ox.Store()
    store.load(script["published"]().serialize(format="nt").encode(), ox.RdfFormat.N_TRIPLES)
    for path in added:
        store.load(path=str(path), format=ox.RdfFormat.TURTLE)
    profile = (ROBOT / "report_profile.txt").read_text("utf-8")
    queries = [line.split() for line in profile.splitlines() if line.startswith(("ERROR", "WARN"))]
    assert len(queries) > 15
    results = {
        name: [*map(str, store.query(path.read_text("utf-8")))]
        for level, name in queries
        if (path := ROBOT / "report_queries" / f"{name}.rq").is_file()
    }
    assert len(results) > 15
    assert {name: rows for name, rows in results.items() if rows} == {}
