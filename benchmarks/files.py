"""Files in each syntax: annotating, headers and check, against reading and writing by Oxigraph.

All figures are processor time, of a generated catalogue of 300,000 triples, and of the largest real
catalogue.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
from rdflib import Dataset

from benchmarks.check import CATALOGUES
from benchmarks.ratio import Limit, beside, children, peak, print_table
from cturi_rdf.catalogue import HeaderStream, annotate_file
from cturi_rdf.check import check_file
from cturi_rdf.editing import edit
from cturi_rdf.reading.formats import format_of_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["catalogue", "main", "write"]

_OXIGRAPH = "pyoxigraph parse and serialise"
_TRIPLES, _LARGE = 300_000, 3_000_000
_ROUNDS = 5
# By the ending of a file's name: how many times the peer's time annotating may take.
_ANNOTATE = {"ttl": 10.0, "trig": 10.0, "rdf": 10.0, "jsonld": 12.0, "nt": 1.5, "nq": 1.5}
# The same of rdflib's, which a user would take instead.
_OF_RDFLIB = 0.25
_HEADERS, _CHECK = 5.0, 13.0
_PREFIXES = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_RECORD = """
<https://catalogue.example/distribution/{number}> a dcat:Distribution ;
    dct:title "The {number}th file, as \\"data\\""@en ;
    dcat:downloadURL <https://files.example/folder/{number}/data.bin> ;
    dct:modified "2026-01-01"^^xsd:date ;
    {path} {label} .
"""
# Edits of the graph: of one resource, of one statement in forty, and beside or of one in ten.
_UPDATES = {
    "edit once": 'INSERT DATA { <https://catalogue.example/distribution/777> dcat:byteSize "7" }',
    "replace": """DELETE { ?file dcat:mediaType "CSV" } INSERT { ?file dcat:mediaType "text/csv" }
        WHERE { ?file dcat:mediaType "CSV" }""",
    "add": 'INSERT { ?file dct:rights "open" } WHERE { ?file dct:format ?label }',
    "remove": "DELETE { ?file dct:modified ?x } WHERE { ?file dct:format ?y ; dct:modified ?x }",
}
_LABELS = (
    '"CSV"', '"text/csv"', '"application/json"@en', '"Shapefile"', '"WMS"', '"no such format"',
    "<https://www.iana.org/assignments/media-types/application/json>",
    "<http://publications.europa.eu/resource/authority/file-type/XLSX>",
)  # fmt: skip


def catalogue(triples: int) -> bytes:
    """Return a catalogue in Turtle in which one triple in five has a label."""
    lines = [f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in _PREFIXES.items()]
    lines += [
        _RECORD.format(
            number=number,
            path="dct:format" if number % 2 else "dcat:mediaType",
            label=_LABELS[number * 7 % len(_LABELS)],
        )
        for number in range(triples // 5)
    ]
    return "".join(lines).encode()


def main() -> list[Limit]:
    """Print the tables; return the target ratios."""
    limits = []
    with tempfile.TemporaryDirectory() as folder:
        turtle = catalogue(_TRIPLES)
        for ending, wanted in _ANNOTATE.items():
            source = Path(folder) / f"generated.{ending}"
            write(turtle, source)
            limits += _ratios(source, Path(folder) / f"out.{ending}", wanted)
        for largest in _largest():
            target = Path(folder) / f"out{largest.suffix}"
            # Some of its IRIs are invalid.
            limits += _ratios(largest, target, _ANNOTATE["rdf"], lenient=True)
        endings = ("ttl", "trig", "nt", "rdf", "jsonld")
        limits += (limit for end in endings for limit in _edits(Path(folder) / f"generated.{end}"))
        limits += [_repair(Path(folder) / f"generated.{end}") for end in endings]
        limits += _memory(Path(folder))
    return limits


def write(turtle: bytes, target: Path) -> None:
    """Write a catalogue in the syntax that the name of the file asks for."""
    form = format_of_file(target.name).oxigraph
    if form == ox.RdfFormat.TURTLE:
        target.write_bytes(turtle)
    else:
        quads = ox.parse(turtle, ox.RdfFormat.TURTLE)
        ox.serialize(quads, str(target), form, prefixes=_PREFIXES)


def _largest() -> list[Path]:
    """Return the largest real catalogue, which is RDF/XML, if there are any."""
    return sorted(CATALOGUES.glob("*.xml"), key=lambda path: path.stat().st_size)[-1:]


def _ratios(source: Path, target: Path, wanted: float, *, lenient: bool = False) -> list[Limit]:
    form = format_of_file(source.name).oxigraph
    triples = sum(1 for _ in ox.parse(source.read_bytes(), form, lenient=lenient))

    def by_oxigraph() -> None:
        quads = ox.parse(source.read_bytes(), form, lenient=lenient)
        ox.serialize(quads, io.BytesIO(), form)

    def headers() -> None:
        for _ in HeaderStream(str(source)):
            pass

    tasks: dict[str, Callable[[], object]] = {
        "annotate": lambda: annotate_file(str(source), str(target)),
        "headers": headers,
        "check": lambda: check_file(str(source)),
    }
    most = {"annotate": wanted, "headers": _HEADERS, "check": _CHECK}
    times, limits = {}, []
    for name, task in tasks.items():
        times[name], times[_OXIGRAPH], ratio = beside(task, by_oxigraph, _ROUNDS)
        limits.append(Limit(f"{name} {source.name}", ratio, most[name]))
    print_table(source.name, times, triples, _OXIGRAPH)
    if not lenient:
        own, _, ratio = beside(tasks["annotate"], lambda: _by_rdflib(source), 1)
        print(f"  annotating takes {own:.1f} s, {ratio:.2f} of rdflib's parse and serialise")
        limits.append(Limit(f"annotate {source.name}, against rdflib", ratio, _OF_RDFLIB))
    return limits


def _edits(source: Path) -> Iterator[Limit]:
    """Yield how many times the time of Oxigraph edits of the graph take, by a SPARQL Update."""
    form = format_of_file(source.name).oxigraph
    prefixes = "".join(f"PREFIX {prefix}: <{iri}> " for prefix, iri in _PREFIXES.items())

    def by_oxigraph() -> None:
        ox.serialize(ox.parse(source.read_bytes(), form), io.BytesIO(), form)

    for name, update in _UPDATES.items():
        task = partial(edit, source, prefixes + update)
        _, _, ratio = beside(task, by_oxigraph, _ROUNDS)
        yield Limit(f"{name} in {source.stat().st_size / 1e6:.0f} MB {source.name}", ratio, 12.0)


def _by_rdflib(source: Path) -> None:
    name = format_of_file(source.name).name
    Dataset().parse(source, format=name).serialize(format=name)


def _repair(source: Path) -> Limit:
    """Return how many times the time of annotating repairing takes, both as commands."""
    out = ["-q", "-o", str(source.with_name(f"out{source.suffix}"))]

    def run(*words: str) -> None:
        subprocess.run([sys.executable, "-m", "cturi_rdf", *words, str(source), *out], check=False)

    _, _, ratio = beside(
        lambda: run("repair", "--profile", "dcat-ap"), lambda: run("annotate"), _ROUNDS, children
    )
    return Limit(f"repair {source.suffix}, against annotate", ratio, 1.5)


def _memory(folder: Path) -> list[Limit]:
    """Return the most memory that annotating Turtle takes, in megabytes."""
    limits = []
    for triples, most in ((_TRIPLES, 200.0), (_LARGE, 300.0)):
        source = folder / "large.ttl"
        source.write_bytes(catalogue(triples))
        megabytes = peak(source, folder / "out.ttl")
        size = source.stat().st_size / 1e6
        print(f"  annotating {size:.0f} MB of Turtle takes at most {megabytes:.0f} MB")
        limits.append(Limit(f"MB of memory for {size:.0f} MB of Turtle", megabytes, most))
    return limits
