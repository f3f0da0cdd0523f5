"""The command `repair`: what it writes, what it prints, and what it leaves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from repairs import HEAD, D

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write


def test_a_file_is_repaired_in_place_and_the_rest_is_listed(cturi: Cturi, write: Write) -> None:
    file = write("a.ttl", HEAD + D + 'dct:format "CSV" ; dcat:mediaType "flurbel" .\n')
    dry = cturi("repair", file, "--profile", "dcat-ap", "--dry-run")
    assert 'dct:format "CSV" -> <http://publications.europa.eu' in dry.out
    diff = cturi("repair", file, "--profile", "dcat-ap", "--diff")
    assert '+<http://a.example/d> dct:format eu:CSV ; dcat:mediaType "flurbel" .' in diff.out
    assert '"CSV"' in file.read_text()
    run = cturi("repair", file, "--profile", "dcat-ap", "--in-place")
    assert (run.code, run.out) == (1, "")
    assert '1 × dcat:mediaType "flurbel": Nothing' in run.err
    assert "eu:CSV" in file.read_text()


def test_the_statements_that_are_added_about_types_are_counted(cturi: Cturi, write: Write) -> None:
    for values, added in (
        ("eu:CSV", "2 statements"),
        ("eu:CSV . eu:CSV a dct:MediaTypeOrExtent", "1 statement"),
    ):
        file = write("a.ttl", f"{HEAD}{D}a dcat:Distribution ; dct:format {values} .\n")
        plan = cturi("repair", file, "--profile", "dcat-ap", "--dry-run").out
        assert f": + {added} about types\n" in plan


def test_the_summary_has_violations_and_points_before_and_after(cturi: Cturi, write: Write) -> None:
    file = write("a.ttl", HEAD + D + 'a dcat:Distribution ; dct:format "MARC 21" .\n')
    run = cturi("repair", file, "--profile", "dcat-ap", "--in-place")
    assert "1 move: moved to the property that has a value for it" in run.err
    assert "1 -> 0 violations, 20.0 -> 10.0 of 80 points" in run.err
    assert "1 distribution lost dct:format, which costs points" in run.err
    file.write_text(
        HEAD + D + 'a dcat:Distribution ; dct:format "MARC 21" .\n'
        "<http://a.example/1> dct:publisher <http://a.example/p> ; dcat:distribution " + D + ".\n"
        "<http://a.example/2> dcat:distribution [ dct:format eu:CSV ] .\n"
    )
    run = cturi("repair", file, "--profile", "dcat-ap", "--in-place")
    assert "a.example/p: 1 -> 0 violations, 20.0 -> 10.0 points, as 1 distribution lost" in run.err


def test_the_names_of_publishers_and_services_are_those_of_project_open_data(
    cturi: Cturi, write: Write
) -> None:
    file = write(
        "data.json",
        """{"conformsTo": "https://project-open-data.cio.gov/v1.1/schema", "dataset": [{
            "publisher": {"name": "Library"}, "distribution": [
            {"accessURL": "https://lib.example/wms", "mediaType": "WMS"},
            {"downloadURL": "https://lib.example/a", "mediaType": "CSV"}]}]}""",
    )
    plan = json.loads(cturi("repair", file, "--json").out)
    (library,) = plan["quality"]["publishers"].items()
    assert library[0] == "Library"
    assert [library[1][side]["violations"] for side in ("before", "after")] == [2, 1]
    assert [item["reason"] for item in plan["left"]] == [
        "WMS is a service, not a format: name it in dct:format."
    ]


def test_twenty_values_are_listed_as_left_the_rare_first_or_all_of_them(
    cturi: Cturi, tmp_path: Path
) -> None:
    file = tmp_path / "a.ttl"
    names = [f"flurbel {number:02}" for number in range(25)]
    rows = [f'<http://a.example/{name[-2:]}> dct:format "{name}" .' for name in names]
    twice = '<http://a.example/x> dct:format "murks" . <http://a.example/y> dct:format "murks" .'
    file.write_text("\n".join([HEAD, twice, *rows]))
    arguments = ("repair", file, "--profile", "dcat-ap", "--in-place")
    short, whole = cturi(*arguments).err, cturi(*arguments, "--all").err
    assert short.count(": Nothing in it") == 20
    assert "and 6 more: all of them with --all" in short
    assert "murks" not in short
    assert whole.count(": Nothing in it") == 26
    assert '2 × dct:format "murks"' in whole


def test_a_catalogue_without_labels_is_told_what_is_looked_for(cturi: Cturi, write: Write) -> None:
    file = write("a.ttl", HEAD + D + 'dct:title "CSV" .\n')
    run = cturi("repair", file, "--profile", "dcat-ap", "--dry-run")
    assert run.err.endswith("schema:encodingFormat or the like\n")
    assert (run.code, run.out) == (0, "")
