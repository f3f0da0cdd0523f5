"""The server for clients of others: engines that join it with other sources, and schemathesis."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from servers import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NPM, NODE = map(shutil.which, ("npm", "node"))
# Of the versions that run on Node 18, which Debian 12 has.
COMUNICA = "@comunica/query-sparql@3.3.0"
PREFIXES = """
    PREFIX ctv: <https://w3id.org/cturi/vocab#> PREFIX ctf: <https://w3id.org/cturi/function#>
    PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX dct: <http://purl.org/dc/terms/>
"""
# The parts of a join that name something of the data, of the registry, and of both.
PARTS = ("?d ctv:contentType ?t", "?t rdfs:label ?l")
OTHER = "<http://other.example/x> <http://other.example/about> <http://e/one> ."
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a small catalogue, and give its address."""
    file = tmp_path_factory.mktemp("served") / "catalogue.nt"
    formats = {"one": "CSV", "two": "GeoJSON", "three": "Shapefile"}
    file.write_text(
        "".join(
            f'<http://e/{name}> <http://purl.org/dc/terms/format> "{label}" .\n'
            for name, label in formats.items()
        )
    )
    with running(str(file), size=100_000, seconds=10, at_once=2) as place:
        yield place


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a file of RDF that has nothing to do with formats, and give its address."""
    folder = tmp_path_factory.mktemp("other")
    (folder / "other.nt").write_text(OTHER)
    handler = functools.partial(_Quiet, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/other.nt"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".nt": "application/n-triples"}

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def comunica(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install Comunica from npm, and return its command."""
    folder = tmp_path_factory.mktemp("comunica")
    command = [NPM or "", "install", "--silent", "--no-audit", "--no-fund", COMUNICA]
    subprocess.run(command, check=True, cwd=folder)
    return folder / "node_modules" / "@comunica" / "query-sparql" / "bin" / "query.js"


def _rows(comunica: Path, query: str, *sources: str) -> list[dict[str, Any]]:
    command = [
        NODE or "",
        str(comunica),
        *sources,
        "-q",
        PREFIXES + query,
        "-t",
        "application/json",
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return sorted(rows, key=json.dumps)


@pytest.mark.skipif(not (NPM and NODE), reason="npm and node are not installed")
@pytest.mark.parametrize(
    "query",
    [
        f"SELECT ?d ?l {{ {PARTS[0]} . {PARTS[1]} }}",
        f"SELECT ?d ?l {{ ?x <http://other.example/about> ?d . {PARTS[0]} . {PARTS[1]} }}",
    ],
)
def test_comunica_gets_the_same_rows_with_a_second_source(
    comunica: Path, address: str, other: str, query: str
) -> None:
    endpoint = f"sparql@{address}/sparql"
    rows = _rows(comunica, query, endpoint, other)
    if "other.example" in query:
        assert [row["d"] for row in rows] == ["http://e/one"]
    else:
        assert {row["d"] for row in rows} == {"http://e/one", "http://e/two", "http://e/three"}
        assert rows == _rows(comunica, query, endpoint)


@pytest.mark.parametrize("inside", [1, 2])
def test_oxigraph_gets_the_same_rows_by_service(address: str, inside: int) -> None:
    whole = " . ".join(PARTS)
    service = f"SERVICE <{address}/sparql>"
    alone = list(ox.Store().query(f"{PREFIXES} SELECT ?d ?l {{ {service} {{ {whole} }} }}"))
    parts = [f"{service} {{ {part} }}" for part in PARTS[:inside]] + list(PARTS[inside:])
    store = ox.Store()
    if inside == 1:
        # The other part is at hand.
        labels = f"CONSTRUCT {{ {PARTS[1]} }} {{ {service} {{ {whole} }} }}"
        store.extend(ox.Quad(*triple) for triple in ox.Store().query(PREFIXES + labels))
    joined = list(store.query(f"{PREFIXES} SELECT ?d ?l {{ {' '.join(parts)} }}"))
    assert sorted(map(str, joined)) == sorted(map(str, alone))
    assert len(alone) == 3


def test_schemathesis_finds_no_fault(address: str, tmp_path: Path) -> None:
    """It makes requests from the description of the API, right and wrong ones."""
    pytest.importorskip("schemathesis")
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", f"{address}/api/openapi.json",
        "--max-examples", "30", "--seed", "1", "--workers", "1", "--request-timeout", "60",
        # One worker: where two threads parse programs at once, Python 3.11 may raise SystemError.
        # No schema says what is a query, a label or a catalogue.
        "--no-color", "--exclude-checks", "positive_data_acceptance",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
