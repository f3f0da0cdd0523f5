"""Labels of real catalogues: the score of those judged by hand, the share that is understood."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from rdflib import BNode, Dataset, Graph, Literal

from cturi_rdf.labels import resolve

if TYPE_CHECKING:
    from pathlib import Path


# -- the measure --------------------------------------------------------------------------


def test_the_gold_labels_are_understood(gold_labels: tuple[Any, list[Any]]) -> None:
    score, gold = gold_labels
    marks = [(row["verdict"], score.judge(row, resolve(row["label"]).as_dict())) for row in gold]
    counts = Counter(mark for _, mark in marks)
    assert len(gold) > 500
    assert counts["wrong"] <= 0.01 * len(gold)
    assert counts["right"] + counts["partly"] / 2 >= 0.95 * len(gold)
    assert [mark for verdict, mark in marks if verdict == "service" and mark != "right"] == []


# Where catalogues say a format; terms of three vocabularies, and a misspelling in use.
FORMAT_TERMS = {"mediaType", "format", "encodingFormat", "fileFormat", "mimeType",
                "compressFormat", "packageFormat", "describedByType"}  # fmt: skip


def _labels(path: Path) -> Counter[str]:
    """Return the labels of a catalogue: read as RDF, or as JSON where it is not quite JSON-LD."""
    if path.suffix in {".json", ".jsonld"}:
        return Counter(_json_labels(json.loads(path.read_text("utf-8"))))
    formats = {".rdf": "xml", ".xml": "xml", ".ttl": "turtle", ".trig": "trig"}
    graph = Dataset() if path.suffix == ".trig" else Graph()
    graph.parse(path, format=formats[path.suffix], publicID="http://base.invalid/doc/")
    statements = graph.quads() if isinstance(graph, Dataset) else iter(graph)
    found: Counter[str] = Counter()
    for _, term, value, *_ in statements:
        if str(term).replace("#", "/").rpartition("/")[2] in FORMAT_TERMS:
            values = graph.objects(value) if isinstance(value, BNode) else [value]
            labelled = (each for each in values if value is each or isinstance(each, Literal))
            found.update(str(each) for each in labelled)
    return found


def _json_labels(value: object) -> list[str]:
    if isinstance(value, list):
        return [label for each in value for label in _json_labels(each)]
    if not isinstance(value, dict):
        return []
    found = []
    for key, each in value.items():
        # A context maps terms to terms; it labels nothing.
        if key == "@context":
            continue
        if key.rpartition(":")[2] in FORMAT_TERMS:
            members = each if isinstance(each, list) else [each]
            for member in members:
                named = (
                    member.get("@value") or member.get("@id")
                    if isinstance(member, dict)
                    else member
                )
                found += [named] if isinstance(named, str) else []
        found += _json_labels(each)
    return found


# That is rdflib's parser of TriG.
@pytest.mark.filterwarnings("ignore:.* is deprecated:DeprecationWarning")
@pytest.mark.slow
def test_the_labels_of_real_catalogues_resolve(shared: Path) -> None:
    paths = [each for each in (shared / "catalogs").iterdir() if each.is_file()]
    labels: Counter[str] = Counter()
    for path in paths:
        if path.suffix != ".tsv":
            labels += _labels(path)
    found = {label: resolve(label) for label in labels}
    formats = {each: n for each, n in labels.items() if found[each].verdict != "service"}
    resolved = sum(n for each, n in formats.items() if found[each].types)
    assert sum(labels.values()) > 6_000
    assert resolved >= 0.97 * sum(formats.values())
