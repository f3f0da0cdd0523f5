"""Annotating N-Triples and N-Quads line by line, in constant memory and on all cores."""

from __future__ import annotations

from itertools import groupby, starmap
from typing import TYPE_CHECKING

from cturi_rdf._util.arguments import checked
from cturi_rdf._util.parallel import beside, in_order
from cturi_rdf.io.atomic import replacing
from cturi_rdf.io.blocks import opened
from cturi_rdf.io.compression import compression_named
from cturi_rdf.io.ntriples import BLANK, Scanner, unescape
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.label_statements import DESCRIBED_BY
from cturi_rdf.rdf.properties import PROPERTIES
from cturi_rdf.stream.effect import meaning_of
from cturi_rdf.stream.report import LinesReport
from cturi_rdf.stream.spill import SideTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cturi_rdf.io.blocks import Lines
    from cturi_rdf.io.ntriples import Block, Statements
    from cturi_rdf.rdf.label_statements import Resolver
    from cturi_rdf.stream.effect import Meaning

__all__ = ["LinesReport", "annotate_lines", "describing"]

# How many distinct statements, and lines of descriptions, are remembered.
_REMEMBERED, _DESCRIBED = 8_192, 50_000


@checked
def annotate_lines(
    source: str,
    target: str,
    *,
    quads: bool = False,
    resolver: Resolver = resolve,
    threads: int | None = None,
) -> LinesReport:
    """Write a file of N-Triples or N-Quads with all that `cturi_rdf.rdf.annotate` adds to it.

    Both are paths, or ``-``; what is gzipped or packed by Zstandard is told by its first bytes
    in `source` and by the name of `target`.  All lines are passed through, also malformed ones;
    those that are added may be there more than once.  A second pass is made only where a label
    is a node that has to be described to mean something.  `target` is written whole or not at
    all; where it is packed, by `threads` threads, as many as there are cores if not given.
    Raises `CatalogError`.
    """
    compression = compression_named(target)
    pack = compression.pack if compression else None
    scanner = Scanner([each.value for each in PROPERTIES], quads=quads)
    with (
        opened(source) as lines, SideTable() as table,
        replacing(target) as file,
    ):  # fmt: skip
        work = _Annotating(resolver, table)
        found = in_order(scanner.found, lines.blocks(), beside())
        blocks: Iterable[Iterable[Block]] = starmap(work.annotated, found)
        if pack:
            blocks = in_order(lambda pieces: [pack(b"".join(pieces))], blocks, threads)
        for pieces in blocks:
            file.writelines(pieces)
        values = table.values()
        if values != frozenset():
            describing(lines, table, scanner.of(each.value for each in DESCRIBED_BY), values)
            for content in work.annotated_later():
                file.write(pack(content) if pack else content)
    return work.report


def describing(
    lines: Lines,
    table: SideTable,
    scanner: Scanner,
    nodes: frozenset[int] | None,
) -> None:
    """Read lines once more and put by what they say of nodes, all of them for None."""
    if nodes == frozenset():
        return
    work = _Describing(scanner, nodes)
    for rows in in_order(work, lines.blocks(), beside()):
        table.put_said(rows)


class _Annotating:
    """Annotates what was found block by block; remembers what statements mean."""

    def __init__(self, resolver: Resolver, table: SideTable) -> None:
        self.report = LinesReport()
        self._resolver = resolver
        self._table = table
        self._meanings: dict[object, Meaning | None] = {}
        self._described: set[int] = set()

    def annotated(self, content: Block, found: Statements) -> tuple[Block, bytes]:
        """Return a block and what is added to it; a node that says nothing itself is put by."""
        self.report.count_lines(found.lines, found.malformed)
        self.report.count_resources(b"".join([subjects for subjects, _ in found.groups.values()]))
        pieces = [] if content[-1:] == b"\n" else [b"\n"]
        for (predicate, value, graph), (subjects, number) in found.groups.items():
            meaning = self._meaning(predicate, value, None, pieces)
            if meaning is None:
                continue
            if meaning.open:
                node, each = unescape(value), subjects.splitlines()
                self._table.put_statements((node, predicate, graph, one) for one in each)
                continue
            self.report.count(meaning, predicate, subjects, number)
            _link(meaning, graph, subjects, pieces)
        return content, b"".join(pieces)

    def annotated_later(self) -> Iterator[bytes]:
        """Yield what is added for labels that are nodes, now that it is known what they are."""
        self._table.index()
        for (value, predicate), rows in groupby(self._table.statements(), key=lambda row: row[:2]):
            pieces: list[bytes] = []
            meaning = self._meaning(predicate, value, self._table.said_of(value), pieces)
            if meaning is None:
                continue
            for *_, graph, subject in rows:
                line = subject + b"\n"
                self.report.count(meaning, predicate, line, 1)
                _link(meaning, graph, line, pieces)
            yield b"".join(pieces)

    def _meaning(
        self, predicate: bytes, value: bytes, said: Sequence[tuple[bytes, bytes]] | None,
        pieces: list[bytes],
    ) -> Meaning | None:  # fmt: skip
        """Return what a statement means, and add what describes its type when it is new.

        What is said of the value is None as long as it is not known.
        """
        # All blank nodes mean the same until it is known what describes them.
        known = said if said is None else tuple(said)
        key = (predicate, BLANK if value.startswith(BLANK) else value, known)
        if key not in self._meanings:
            if len(self._meanings) >= _REMEMBERED:
                self._meanings.clear()
            found = meaning_of(predicate, value, said or (), self._resolver)
            if found and (said is not None or not found.open):
                pieces += [line for line in found.description if self._is_new(line)]
            self._meanings[key] = found and found._replace(description=())
        return self._meanings[key]

    def _is_new(self, line: bytes) -> bool:
        if len(self._described) >= _DESCRIBED:
            self._described.clear()
        size = len(self._described)
        self._described.add(hash(line))
        return len(self._described) > size


def _link(meaning: Meaning, graph: bytes, subjects: bytes, pieces: list[bytes]) -> None:
    """Add the lines that link resources to what a label on them means."""
    end = graph + b" .\n" if graph else b".\n"
    pieces += [subjects.replace(b"\n", link + end) for link in meaning.links]


class _Describing:
    """Finds in a block what is said of some nodes."""

    def __init__(self, scanner: Scanner, nodes: frozenset[int] | None) -> None:
        self._scanner = scanner
        self._nodes = nodes

    def __call__(self, block: Block) -> list[tuple[bytes, bytes, bytes]]:
        nodes = self._nodes
        rows = []
        for (predicate, value, _), (subjects, _) in self._scanner.scan(block).groups.items():
            rows += [
                (each, predicate, value)
                for each in map(unescape, subjects.splitlines())
                if nodes is None or hash(each) in nodes
            ]
        return rows
