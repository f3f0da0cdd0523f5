"""Small inputs that once were refused, misread or edited wrongly: every door reads them now."""

from __future__ import annotations

import shutil
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from cturi_rdf.catalogue import annotate_file, headers_of_file
from cturi_rdf.check import check_file
from cturi_rdf.reading import CatalogError
from cturi_rdf.repair import plan_file, repair_file

if TYPE_CHECKING:
    from pathlib import Path

# What the message says of each file that no door reads.
REFUSED = {
    "attack/reverse-string.jsonld": "invalid reverse property value",
    # What no context defines is in no graph.
    "attack/undefined-reverse.jsonld": "no triples in it",
    "attack/undefined-term.jsonld": "no triples in it",
    "catalogues/x14-a.jsonld": "https://ctx.example/a.jsonld is not available",
    "catalogues/x14-self.jsonld": "https://ctx.example/s.jsonld is not available",
    "catalogues/x6-mixed.rdf": ":5:27: not valid RDF/XML",
    "catalogues/x6-notwell.rdf": ":3:69: not valid XML",
    "catalogues/x6-stray.rdf": ":5:5: not valid RDF/XML",
    "catalogues/x7-turtle.rdf": "it looks like turtle",
}
# How many labels the other files have.
LABELS = {
    "attack/bnode-400.ttl": 400,
    "attack/glued-dot.ttl": 2,
    "attack/graphs.nq": 1,
    "attack/json-typed-term.jsonld": 2,
    "attack/minimal-whitespace.ttl": 0,
    "attack/prefix-named-prefix.ttl": 1,
    "attack/relative-predicate.ttl": 1,
    "attack/scheme-relative.ttl": 1,
    "attack/space-before-language.nt": 1,
    "attack/undo-nel.ttl": 1,
    "catalogues/headers60.ttl": 146,
    "catalogues/props.ttl": 16,
    "catalogues/x1-scoped-base.jsonld": 1,
    "catalogues/x1-scoped-format.jsonld": 1,
    "catalogues/x15-langmap.jsonld": 3,
    "catalogues/x8-as.jsonld": 2,
    "reader/double-hash.jsonld": 2,
}


def _doors(path: Path, out: Path) -> list[object]:
    """Let every door read a file; return the errors."""
    errors: list[object] = []
    for door in (
        lambda: annotate_file(path, out),
        lambda: list(headers_of_file(path)),
        lambda: check_file(path),
        lambda: repair_file(plan_file(path, profile="dcat-ap"), str(path)),
    ):
        try:
            door()
        except CatalogError as error:
            errors.append(str(error))
    return errors


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_is_refused_with_the_reason(shared: Path, tmp_path: Path, name: str) -> None:
    path = shutil.copy(shared / "cases" / name, tmp_path / name.rpartition("/")[2])
    errors = _doors(path, tmp_path / f"out{path.suffix}")
    assert len(errors) == 4
    assert all(REFUSED[name] in str(error) for error in errors), errors


@pytest.mark.parametrize("name", LABELS)
def test_a_file_is_read_by_every_door(shared: Path, tmp_path: Path, name: str) -> None:
    path = shutil.copy(shared / "cases" / name, tmp_path / name.rpartition("/")[2])
    out = tmp_path / f"out{path.suffix}"
    labels = annotate_file(path, out).labels
    before = Counter(map(str, headers_of_file(path)))
    assert Counter(map(str, headers_of_file(out))) == before
    assert _doors(path, out) == []
    assert labels == LABELS[name]


@pytest.mark.parametrize("ending", ["ttl", "trig", "nt", "nq", "rdf", "jsonld"])
@pytest.mark.parametrize("name", [name for name in LABELS if name.endswith(".jsonld")])
def test_what_is_tolerated_in_json_costs_no_conversion(
    shared: Path, tmp_path: Path, name: str, ending: str
) -> None:
    out = tmp_path / f"out.{ending}"
    assert annotate_file(shared / "cases" / name, out).labels == LABELS[name]
    assert annotate_file(out, tmp_path / f"again.{ending}").labels == LABELS[name]
