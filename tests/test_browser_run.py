"""The command line over Oxigraph's JavaScript gives what it gives over pyoxigraph."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rdflib import Graph
from rdflib.compare import isomorphic

TESTS = Path(__file__).parent
CATALOGUE = (TESTS.parent / "examples" / "catalogue.ttl").read_text("utf-8")
RDF_XML = """<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:d="http://www.w3.org/ns/dcat#"><d:Distribution r:about="http://a.example/d">
  <d:mediaType>text/csv</d:mediaType></d:Distribution></r:RDF>"""
JSON_LD = """{"@context": {"@vocab": "http://www.w3.org/ns/dcat#"}, "@id": "http://a.example/d",
  "@type": "Distribution", "mediaType": ["text/csv", {"@type": "Nothing"}]}"""


class Call(NamedTuple):
    """The words of a command, and the files that it is given."""

    words: str
    files: dict[str, str]


CALLS = [
    Call("check c.ttl", {"c.ttl": CATALOGUE}),
    Call("check --json -q c.ttl --profile dcat-ap", {"c.ttl": CATALOGUE}),
    Call("repair c.ttl --profile dcat-ap --diff", {"c.ttl": CATALOGUE}),
    Call("repair c.ttl --profile dcat-ap --in-place -q", {"c.ttl": CATALOGUE}),
    Call("repair c.rdf --profile dcat-ap -o out.rdf", {"c.rdf": RDF_XML}),
    Call("repair c.jsonld --profile dcat-ap -o out.jsonld", {"c.jsonld": JSON_LD}),
    Call("headers c.ttl", {"c.ttl": CATALOGUE}),
    Call("annotate c.rdf -o out.ttl --add all", {"c.rdf": RDF_XML}),
    Call("annotate c.ttl -o out.jsonld", {"c.ttl": CATALOGUE}),
    Call("resolve CSV", {}),
    Call("no-such-command", {}),
    Call("check c.ttl", {"c.ttl": "<http://a.example/a> <http://a.example/b"}),
    Call("check c.ttl", {"c.ttl": "@prefix ex: <http://a.example/> . ex:a ex:b"}),
]  # fmt: skip
SCRIPT = """
import json, sys
from browser_engine import Engine
from cturi_rdf import browser
browser.start(Engine())
print(json.dumps([json.loads(browser.run(request)) for request in json.load(sys.stdin)]))
"""


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    """Return what the page shows for each call; all run in one process, as in a page."""
    requests = [json.dumps({"words": call.words.split(), "files": call.files}) for call in CALLS]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(requests), capture_output=True, check=False, text=True, cwd=TESTS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    whole: list[dict[str, Any]] = json.loads(done.stdout)
    return whole


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_a_command_in_a_page_does_what_it_does_elsewhere(
    answers: list[dict[str, Any]], number: int, tmp_path: Path
) -> None:
    words, files = CALLS[number]
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "cturi_rdf", *words.split()],
        capture_output=True, check=False, cwd=tmp_path, text=True,
    )  # fmt: skip
    written = {
        path.name: text
        for path in tmp_path.iterdir()
        if (text := path.read_text("utf-8")) != files.get(path.name)
    }
    answer = answers[number]
    assert (answer["code"], answer["out"], answer["err"]) == (
        done.returncode, done.stdout, done.stderr,
    )  # fmt: skip
    assert answer["files"].keys() == written.keys()
    if not words.startswith("annotate"):
        assert answer["files"] == written
        return
    for name, text in written.items():
        # Labels of blank nodes and prefixes differ where a graph is written in another syntax.
        form = "json-ld" if name.endswith("jsonld") else "turtle"
        ours, theirs = (
            Graph().parse(data=one, format=form) for one in (answer["files"][name], text)
        )
        assert isomorphic(ours, theirs)
