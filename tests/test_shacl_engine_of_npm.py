"""The shapes in an engine that is not ours: shacl-engine, of npm, gives the same results.

`CTURI_NODE_MODULES` names the folder that has `node_modules` with shacl-engine, rdf-ext and n3.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from rdflib import Graph, URIRef

from cturi_rdf.labels import resolve
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.rdf.export import of_label
from cturi_rdf.rdf.terms import CTV, checked_properties

ONTOLOGY = Path(__file__).parents[1] / "ontology"
FOLDER = Path(os.environ.get("CTURI_NODE_MODULES", ONTOLOGY.parent))
NODE = shutil.which("node") or ""
EXAMPLES = sorted((ONTOLOGY / "examples").glob("*/[A-Z]*Is*.ttl")) + sorted(
    (ONTOLOGY / "examples").glob("*/*Agree*.ttl")
)
SCRIPT = """
import { readFileSync } from 'fs'
import rdf from 'rdf-ext'
import { Parser } from 'n3'
import { Validator } from 'shacl-engine'
import { validations } from 'shacl-engine/sparql.js'
const load = file => rdf.dataset(new Parser({ factory: rdf }).parse(readFileSync(file, 'utf8')))
const [shapes, ...files] = process.argv.slice(1)
const validator = new Validator(load(shapes), { factory: rdf, validations })
for (const file of files) {
  const { results } = await validator.validate({ dataset: load(file) })
  console.log(JSON.stringify([file, results.map(result => result.shape.ptr.term.value)]))
}
"""

pytestmark = pytest.mark.skipif(
    not (NODE and (FOLDER / "node_modules" / "shacl-engine").is_dir()),
    reason="shacl-engine is not installed: npm i shacl-engine rdf-ext n3",
)


def test_shacl_engine_finds_what_an_example_breaks_and_no_more(tmp_path: Path) -> None:
    expected = {}
    for path in EXAMPLES:
        graph = Graph().parse(path)
        for path_of_label in checked_properties():
            for value in set(graph.objects(None, URIRef(path_of_label.value))):
                for triple in of_label(str(value), resolve(str(value))):
                    if triple[1] != CTV.contentTypeHeader:
                        graph.add(in_rdflib(triple))
        target = tmp_path / f"{path.parent.name}-{path.stem}.nt"
        graph.serialize(target, format="nt", encoding="utf-8")
        broken = path.parent.name == "broken"
        expected[str(target)] = {f"https://w3id.org/cturi/shapes#{path.stem}"} if broken else set()
    assert len(expected) > 40
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", SCRIPT, ONTOLOGY / "shapes" / "catalogue.ttl",
         *expected],
        cwd=FOLDER, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = {file: set(shapes) for file, shapes in map(json.loads, done.stdout.splitlines())}
    assert found == expected
