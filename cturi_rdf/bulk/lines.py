"""Annotating N-Triples and N-Quads line by line, in constant memory and on all cores."""

from __future__ import annotations

from array import array
from itertools import groupby, tee
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.bulk.cores import in_order
from cturi_rdf.bulk.files import encoder, opened
from cturi_rdf.bulk.meaning import meaning_of
from cturi_rdf.bulk.report import Distinct, LinesReport
from cturi_rdf.bulk.scan import BLANK, Scanner, unescape
from cturi_rdf.bulk.table import SideTable
from cturi_rdf.catalog.output import replacing
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.occurrences import DESCRIBED_BY
from cturi_rdf.rdf.properties import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import IO

    from cturi_rdf.bulk.files import Block, Encode, Lines
    from cturi_rdf.bulk.meaning import Meaning
    from cturi_rdf.rdf.occurrences import Resolver

__all__ = ["LinesReport", "annotate_lines", "describing"]

# How many distinct statements, and lines of descriptions, are remembered.
_REMEMBERED, _WRITTEN = 16_384, 200_000
# How many of the resources with a label a report may name.
_FIRST = 10


class _Piece(NamedTuple):
    """What comes of a block: bytes to write, what to count, what to put by."""

    output: bytes
    descriptions: list[bytes]
    counts: list[tuple[Meaning, bytes, list[bytes], int]]
    open: list[tuple[bytes, bytes, bytes, list[bytes]]]
    resources: array[int]
    lines: int
    malformed: list[int]


def annotate_lines(
    source: str,
    target: str,
    *,
    quads: bool = False,
    resolver: Resolver = resolve,
    processes: int | None = None,
) -> LinesReport:
    """Write a file of N-Triples or N-Quads with all that `cturi_rdf.rdf.annotate` adds to it.

    Both are paths, or ``-``; what is gzipped or packed by Zstandard is told by its first bytes
    in `source` and by the name of `target`.  All lines are passed through, also malformed ones;
    those that are added may be there more than once.  A second pass is made only where a label
    is a node that has to be described to mean something.  `target` is written whole or not at
    all.  Raises `CatalogError`.
    """
    encode = encoder(target)
    report, scanner = LinesReport(), Scanner(PROPERTIES, quads=quads)
    with (
        opened(source) as lines, SideTable() as table, Distinct() as resources,
        replacing(target) as file,
    ):  # fmt: skip
        descriptions = _Descriptions(file, encode)
        theirs, ours = tee(lines.blocks())
        pieces = in_order(_Annotating(scanner, resolver, encode), theirs, processes)
        for piece, block in zip(pieces, ours, strict=True):
            if encode is None:
                content = block.read()
                file.write(content)
                if not content.endswith(b"\n"):
                    file.write(b"\n")
            file.write(piece.output)
            descriptions.write(piece.descriptions)
            report.count_lines(piece.lines, piece.malformed)
            for each in piece.counts:
                report.count(*each)
            table.put_statements(
                (unescape(value), predicate, graph, subject)
                for value, predicate, graph, subjects in piece.open
                for subject in subjects
            )
            resources.add(piece.resources)
        if table.values() != frozenset():
            describing(lines, table, DESCRIBED_BY, table.values(), quads=quads)
            _annotate_open(table, resolver, descriptions, report)
        report.resources = resources.count()
    return report


def describing(
    lines: Lines,
    table: SideTable,
    predicates: Iterable[str],
    nodes: frozenset[int] | None,
    *,
    quads: bool,
) -> None:
    """Read lines once more and put by what they say of nodes, all of them for None."""
    if nodes == frozenset():
        return
    for rows in in_order(_Describing(Scanner(predicates, quads=quads), nodes), lines.blocks()):
        table.put_said(rows)


class _Annotating:
    """Annotates a block; remembers what statements mean."""

    def __init__(self, scanner: Scanner, resolver: Resolver, encode: Encode | None) -> None:
        self._scanner = scanner
        self._resolver = resolver
        self._encode = encode
        self._meanings: dict[tuple[bytes, bytes], Meaning | None] = {}

    def __call__(self, block: Block) -> _Piece:
        content = block.read()
        found = self._scanner.scan(content)
        pieces: list[bytes] = []
        piece = _Piece(b"", [], [], [], array("q"), found.lines, found.malformed)
        resources: set[bytes] = set()
        for (predicate, value, graph), subjects in found.groups.items():
            meaning = self._meaning(predicate, value, piece.descriptions)
            if meaning is None:
                continue
            resources.update(subjects)
            if meaning.open:
                piece.open.append((value, predicate, graph, subjects))
                continue
            pieces += _linked(meaning, graph, subjects)
            counted = meaning._replace(links=(), description=())
            piece.counts.append((counted, predicate, subjects[:_FIRST], len(subjects)))
        piece.resources.extend(map(hash, resources))
        output = b"".join(pieces)
        if self._encode is not None:
            ended = b"" if content.endswith(b"\n") else b"\n"
            output = self._encode(content + ended + output)
        return piece._replace(output=output)

    def _meaning(self, predicate: bytes, value: bytes, descriptions: list[bytes]) -> Meaning | None:
        # All blank nodes mean the same until it is known what describes them.
        key = (predicate, BLANK if value.startswith(BLANK) else value)
        if key not in self._meanings:
            if len(self._meanings) >= _REMEMBERED:
                self._meanings.clear()
            meaning = meaning_of(predicate, value, [], self._resolver)
            if meaning is not None and not meaning.open:
                descriptions += meaning.description
                meaning = meaning._replace(description=())
            self._meanings[key] = meaning
        return self._meanings[key]


class _Describing:
    """Finds in a block what is said of some nodes."""

    def __init__(self, scanner: Scanner, nodes: frozenset[int] | None) -> None:
        self._scanner = scanner
        self._nodes = nodes

    def __call__(self, block: Block) -> list[tuple[bytes, bytes, bytes]]:
        nodes = self._nodes
        rows = []
        for (predicate, value, _), subjects in self._scanner.scan(block.read()).groups.items():
            rows += [
                (each, predicate, value)
                for each in map(unescape, subjects)
                if nodes is None or hash(each) in nodes
            ]
        return rows


class _Descriptions:
    """Writes lines that are the same for many labels, each of them hardly more than once."""

    def __init__(self, file: IO[bytes], encode: Callable[[bytes], bytes] | None) -> None:
        self._file = file
        self._encode = encode
        self._written: set[int] = set()

    def write(self, lines: Iterable[bytes]) -> None:
        """Write the lines that were not written before."""
        new = [line for line in lines if hash(line) not in self._written]
        if len(self._written) > _WRITTEN:
            self._written.clear()
        self._written.update(map(hash, new))
        self.write_bytes(b"".join(new))

    def write_bytes(self, content: bytes) -> None:
        """Write lines as they are."""
        if content:
            self._file.write(self._encode(content) if self._encode else content)


def _linked(meaning: Meaning, graph: bytes, subjects: list[bytes]) -> list[bytes]:
    """Return the lines that link resources to what a label on them means."""
    end = graph + b" .\n" if graph else b".\n"
    pieces = []
    for link in meaning.links:
        rest = link + end
        pieces += [rest.join(subjects), rest]
    return pieces


def _annotate_open(
    table: SideTable, resolver: Resolver, descriptions: _Descriptions, report: LinesReport
) -> None:
    """Annotate the resources whose label is a node, now that what describes it is known."""
    table.index()
    memory: dict[object, Meaning | None] = {}
    for (value, predicate), rows in groupby(table.statements(), key=lambda row: row[:2]):
        said = table.said_of(value)
        key = (predicate, BLANK if value.startswith(BLANK) else value, tuple(said))
        if key not in memory:
            if len(memory) >= _REMEMBERED:
                memory.clear()
            memory[key] = found = meaning_of(predicate, value, said, resolver)
            descriptions.write(found.description if found else ())
        meaning = memory[key]
        if meaning is not None:
            for *_, graph, subject in rows:
                report.count(meaning, predicate, [subject], 1)
                descriptions.write_bytes(b"".join(_linked(meaning, graph, [subject])))
