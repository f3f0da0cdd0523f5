"""What is read at once, held in memory or remembered changes no answer, however little it is.

The constants of these amounts are so large that no file of a test reaches them.  Here each is 3.
"""

from __future__ import annotations

import gzip
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

import cturi_rdf
from cturi_rdf.catalogue import annotate_file, headers_of_file
from cturi_rdf.check import check_file
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conftest import Cturi

PACKAGE = Path(cturi_rdf.__file__).parent
# The names of amounts that spare time or memory, and decide nothing.
AMOUNTS = {
    "FEW_NODES", "MOST_MET", "_BATCH", "_BLOCK", "_BUFFER", "_CACHE", "_CHUNK", "_IN_MEMORY",
    "_KEPT", "_LARGE", "_LARGE_CACHE", "_MEMORY", "_NAMES", "_PIECE", "_REMEMBERED", "_SIZE",
    "_SMALL_CACHE", "_SUBJECTS", "_TOGETHER", "_UNEXPLAINED", "_UNIONS", "_UNITED", "_WAITING",
    "_WINDOW",
}  # fmt: skip
# The rooms that read and write files, and all that can be imported here.
ROOMS = ["_util", "catalogue", "check", "editing", "reading", "repair"]
EVERYTHING = [""]


def _constants(rooms: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the modules and names of these amounts in some rooms."""
    paths = (path for room in rooms for path in (PACKAGE / room).rglob("*.py"))
    for path in sorted(path for path in paths if not {"browser", "spark"} & {*path.parts}):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        module = import_module(name.removesuffix(".__init__"))
        for constant in sorted(AMOUNTS & vars(module).keys()):
            if isinstance(vars(module)[constant], int):
                yield name.removesuffix(".__init__"), constant


CONSTANTS = list(_constants(ROOMS))
SYNTAXES = ["nt", "nq", "ttl", "trig", "rdf", "jsonld", "nt.gz"]


PREFIXES = """
@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <http://a.example/> .
"""
LABELS = ["CSV", "text/csv", "Zipped Shapefile", "WMS", "no such format", "Excel", "image/tif"]


def _turtle() -> str:
    """Return a catalogue with more than three of everything."""
    parts = [PREFIXES]
    for number in range(8):
        several = ", ".join(f'"{label}"' for label in LABELS[number % 3 :])
        parts.append(
            f"ex:{number} a dcat:Distribution ; dct:title 'A title' ; dct:format {several} ."
        )
        parts.append(f"ex:n{number} a dcat:Distribution ; dcat:mediaType ex:t{number % 4} ;")
        parts.append(f"  dct:format [ rdfs:label 'JSON' ] ; dcat:downloadURL ex:{number}.json .")
        parts.append(f"ex:t{number % 4} rdfs:label 'text/x-{number % 4}' .")
    return "\n".join(parts)


def _read(source: Path, target: Path) -> list[object]:
    annotate_file(str(source), str(target))
    content = target.read_bytes()
    content = gzip.decompress(content) if target.name.endswith(".gz") else content
    # What is added stands behind the part of the lines that asks for it, and may be there twice.
    written = set(content.splitlines()) if target.suffixes[0] in {".nt", ".nq"} else content
    report = check_file(str(source), profile="dcat-ap")
    planned = plan_file(str(source), profile="dcat-ap")
    return [
        written,
        [(finding.rule, finding.value, len(finding.places)) for finding in report.findings],
        planned.edited,
        [item.reason for item in planned.plan.left],
    ]


@pytest.fixture(scope="module", params=SYNTAXES)
def answered(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path, list[object], list[str]]:
    """Return a catalogue in a syntax, and what every command says of it."""
    folder = tmp_path_factory.mktemp("constants")
    source, target = folder / f"catalogue.{request.param}", folder / f"out.{request.param}"
    form = format_of_file(source.name).oxigraph
    triples = (quad.triple for quad in ox.parse(_turtle(), ox.RdfFormat.TURTLE))
    content = ox.serialize(triples, format=form)
    source.write_bytes(gzip.compress(content) if request.param.endswith(".gz") else content)
    return (
        source,
        target,
        _read(source, target),
        [str(each) for each in headers_of_file(str(source))],
    )


def _are_the_same(answered: tuple[Path, Path, list[object], list[str]]) -> None:
    source, target, answers, headers = answered
    assert _read(source, target) == answers
    assert [str(header) for header in headers_of_file(str(source))] == headers


def test_all_amounts_may_be_small(
    monkeypatch: pytest.MonkeyPatch, answered: tuple[Path, Path, list[object], list[str]]
) -> None:
    for module, name in CONSTANTS:
        monkeypatch.setattr(f"{module}.{name}", 3)
    _are_the_same(answered)


@pytest.mark.slow
@pytest.mark.parametrize(("module", "name"), CONSTANTS)
def test_an_amount_may_be_small(
    monkeypatch: pytest.MonkeyPatch,
    answered: tuple[Path, Path, list[object], list[str]],
    module: str,
    name: str,
) -> None:
    monkeypatch.setattr(f"{module}.{name}", 3)
    _are_the_same(answered)


EXAMPLES = PACKAGE.parent / "examples"
COMMANDS = [
    ["message", EXAMPLES / "engine.eml"],
    ["message", EXAMPLES / "club.mbox"],
    ["columns", EXAMPLES / "formats.csv", "--column", "format", "-o", "-"],
    ["resolve", *LABELS, "CSV and Excel in a zip", "Geopackage ou shapefile"],
    ["encoding", EXAMPLES / "cafes.xml"],
    [
        "query",
        "SELECT ?f (ctf:resolve(?f) AS ?t) { ?d dct:format ?f FILTER(!isBlank(?f)) }",
        EXAMPLES / "catalogue.ttl",
    ],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_an_answer_of_a_command_does_not_depend_on_amounts(
    cturi: Cturi, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[object]
) -> None:
    target = tmp_path / "labels.csv"
    arguments = [str(target) if argument == "-" else argument for argument in arguments]

    def answer() -> tuple[object, ...]:
        run = cturi(*arguments)
        return run.code, sorted(run.out.splitlines()), target.exists() and target.read_text()

    expected = answer()
    assert expected[0] == 0
    for module, name in _constants(EVERYTHING):
        # A boundary, which has to fit a window, has 70 characters at most (RFC 2046 section 5.1.1).
        monkeypatch.setattr(f"{module}.{name}", 128 if module == "cturi_rdf.mime.scan" else 3)
    assert answer() == expected
