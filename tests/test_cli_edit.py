"""`cturi edit` on the command line: what says what to change, and what is printed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cturi_rdf.editing import edit
from cturi_rdf.reading.formats import ReadOptions, format_of_file

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write

TEXT = """# mine
<http://a.example/d> <http://a.example/p> "old" ;
  <http://a.example/q> 1 .
"""
NEW = TEXT.replace("old", "new")
UPDATE = """DELETE { ?d <http://a.example/p> "old" } INSERT { ?d <http://a.example/p> "new" }
WHERE { ?d <http://a.example/p> "old" }"""
PATCH = """TX .
D <http://a.example/d> <http://a.example/p> "old" .
A <http://a.example/d> <http://a.example/p> "new" .
TC .
"""
SAID = "1 statement removed, 1 added"


@pytest.fixture
def files(write: Write, tmp_path: Path) -> Path:
    """Return a folder with a file, and with each thing that says how to change it."""
    for name, text in (("c.ttl", TEXT), ("u.ru", UPDATE), ("p.rdfp", PATCH), ("n.ttl", NEW)):
        write(name, text)
    return tmp_path


@pytest.mark.parametrize(
    "change", [["--update", "u.ru"], ["--patch", "p.rdfp"], ["--from-graph", "n.ttl"]]
)
def test_a_file_says_what_to_change(
    cturi: Cturi, files: Path, monkeypatch: pytest.MonkeyPatch, change: list[str]
) -> None:
    monkeypatch.chdir(files)
    run = cturi("edit", "c.ttl", *change)
    assert (run.code, run.out) == (0, NEW)
    assert run.err == f"cturi: c.ttl: {SAID}\n"
    run = cturi("edit", "c.ttl", *change, "--dry-run")
    removed, added = run.out.splitlines()
    assert (removed[0], '"old"' in removed) == ("-", True)
    assert (added[0], '"new"' in added) == ("+", True)
    assert "-  " not in run.out
    assert cturi("edit", "c.ttl", *change, "--diff").out.count("\n+") == 2
    assert json.loads(cturi("edit", "c.ttl", *change, "--json").out)["source"] == "c.ttl"
    assert (files / "c.ttl").read_text("utf-8") == TEXT
    run = cturi("edit", "c.ttl", *change, "--in-place", "-q")
    assert (run.code, run.out, run.err) == (0, "", "")
    assert (files / "c.ttl").read_text("utf-8") == NEW


@pytest.mark.parametrize("update", [UPDATE, "INSERT DATA{<e:a><e:b><e:c>}", "CLEAR ALL"])
def test_an_update_may_be_given_as_it_is(cturi: Cturi, files: Path, update: str) -> None:
    run = cturi("edit", files / "c.ttl", "--update", update)
    assert run.code == 0, run.err
    assert run.out != TEXT


XML = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://a.example/">
<rdf:Description rdf:about="http://a.example/d"><e:p>old</e:p></rdf:Description>
</rdf:RDF>
"""


@pytest.mark.parametrize(("name", "text"), [
    ("d.ttl", '@prefix e: <http://a.example/> .\ne:d e:p "old" .\n'),
    ("d.trig", 'PREFIX e: <http://a.example/>\n{ e:d e:p "old" }\n'),
    ("d.rdf", XML),
    ("d.jsonld", '{"@context": {"e": "http://a.example/"}, "@id": "e:d", "e:p": "old"}\n'),
])  # fmt: skip
def test_an_update_may_use_the_prefixes_of_the_file(
    cturi: Cturi, write: Write, name: str, text: str
) -> None:
    file = write(name, text)
    update = 'DELETE { ?d e:p "old" } INSERT { ?d e:p "new" } WHERE { ?d e:p "old" }'
    run = cturi("edit", file, "--update", update)
    assert (run.code, run.out) == (0, text.replace("old", "new"))
    edited = edit(text.encode(), update, ReadOptions(form=format_of_file(name).name))
    assert edited.text.decode() == run.out
    # A declaration of the update goes before that of the file, and common ones need none.
    assert edit(file, "PREFIX e: <http://b.example/> DELETE { ?d e:p ?o } WHERE { ?d e:p ?o }")
    added = edit(file, "INSERT DATA { e:d dct:format 'CSV' }").added
    assert [quad.predicate.value for quad in added] == ["http://purl.org/dc/terms/format"]
    run = cturi("edit", file, "--update", update.replace("e:", "f:"))
    assert run.code == 2
    assert "unknown prefix f:; expected PREFIX f: <…> at the start of the update" in run.err


def test_a_file_that_is_there_goes_before_an_update_of_the_same_words(
    cturi: Cturi, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    (files / "CLEAR ALL").write_text(UPDATE)
    assert cturi("edit", "c.ttl", "--update", "CLEAR ALL").out == NEW
    run = cturi("edit", "c.ttl", "--update", "missing.ru")
    assert (run.code, run.out) == (2, "")
    assert "missing.ru" in run.err


@pytest.mark.parametrize("changes", [[], ["--update", "u.ru", "--patch", "p.rdfp"]])
def test_one_thing_says_what_to_change(cturi: Cturi, files: Path, changes: list[str]) -> None:
    run = cturi("edit", files / "c.ttl", *changes)
    assert run.code == 2
    assert "exactly one of --update, --patch, --from-graph and --fix has to say" in run.err


@pytest.mark.parametrize("text", [b'<a:b> <a:c> "\xe9" .', b"<a:b> <a:c> <a b> ."])
def test_an_edit_and_a_check_describe_a_broken_file_alike(
    cturi: Cturi, write: Write, text: bytes
) -> None:
    file = write("a.ttl", b"# a comment\n" + text)
    edited = cturi("edit", file, "--update", "DELETE WHERE { ?s ?p 1 }", "--diff")
    assert edited.code == 2
    assert edited.err == cturi("check", file).err
    assert f"{file}:2:" in edited.err
