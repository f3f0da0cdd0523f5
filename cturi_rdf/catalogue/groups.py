"""The statements of a file with some predicates, grouped by all terms but the subject.

Labels repeat, so a predicate and its value are looked at once for many resources.  Lines are
read as they are; Oxigraph reads all other syntaxes, and its terms are written as in lines.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.report import Place
from cturi_rdf.rdf.label_statements import DESCRIBED_BY
from cturi_rdf.rdf.terms import NAMES
from cturi_rdf.reading.errors import CatalogError, not_valid
from cturi_rdf.reading.ntriples import BlockStatements, Scanner, blocks, unescape, with_line_feeds
from cturi_rdf.reading.read import QuadDocument, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf._util.temporary import SideTable
    from cturi_rdf.reading.ntriples import Block
    from cturi_rdf.reading.source import Source


# How many statements are grouped at a time.
_SIZE = 1 << 15
_DEFAULT = ox.DefaultGraph()
# Properties that are kept for blank nodes, which have other names when the file is read again.
_OF_BLANK_NODES = frozenset([*DESCRIBED_BY, *map(ox.NamedNode, NAMES)])

_Key = tuple[ox.NamedNode, object, object]


def grouped(
    source: Source, predicates: Iterable[ox.NamedNode], table: SideTable
) -> Iterator[BlockStatements]:
    """Yield the statements with some predicates, in groups.

    Descriptions of blank nodes go to `table`, except for lines, which can be read again.
    """
    if source.format.by_lines:
        scanner = Scanner(predicates, quads=source.format.datasets)
        before = 0
        for statements in map(scanner.scan, blocks(source)):
            if statements.malformed is not None:
                raise malformed_line(source, before + statements.malformed + 1)
            before += statements.lines
            yield statements
        return
    selected = frozenset(predicates)
    groups: dict[_Key, list[str]] = defaultdict(list)
    facts: list[tuple[bytes, bytes, bytes]] = []
    count = 0
    for quad in QuadDocument(source):
        predicate = quad.predicate
        if predicate in selected:
            groups[predicate, quad.object, quad.graph_name].append(str(quad.subject))
            count += 1
        if predicate in _OF_BLANK_NODES and isinstance(quad.subject, ox.BlankNode):
            facts.append(_bytes(quad))
        if len(facts) + count >= _SIZE:
            table.put_facts(facts)
            yield _statements(groups)
            groups, facts, count = defaultdict(list), [], 0
    table.put_facts(facts)
    yield _statements(groups)


def describe_nodes(source: Source, table: SideTable, nodes: frozenset[int] | None) -> None:
    """Store the descriptions of the nodes with these hashes; for None, of all nodes."""
    if nodes == frozenset():
        return
    if source.format.by_lines:
        _put_lines(source, table, DESCRIBED_BY, nodes)
        return
    describing = frozenset(DESCRIBED_BY)
    facts = []
    for quad in QuadDocument(source):
        if quad.predicate in describing and isinstance(quad.subject, ox.NamedNode):
            fact = _bytes(quad)
            if nodes is None or hash(fact[0]) in nodes:
                facts.append(fact)
                if len(facts) >= _SIZE:
                    table.put_facts(facts)
                    facts = []
    table.put_facts(facts)


def put_names(source: Source, table: SideTable, nodes: frozenset[int] | None) -> None:
    """Store the names of blank nodes of a file of lines; `grouped` has stored all others."""
    if source.format.by_lines and nodes != frozenset():
        _put_lines(source, table, [ox.NamedNode(name) for name in NAMES], nodes)


def _put_lines(
    source: Source,
    table: SideTable,
    predicates: Iterable[ox.NamedNode],
    nodes: frozenset[int] | None,
) -> None:
    scanner = Scanner(predicates, quads=source.format.datasets)
    for block in blocks(source):
        table.put_facts(
            (subject, predicate, value)
            for (predicate, value, _), (subjects, _) in scanner.scan(block).groups.items()
            for subject in map(unescape, subjects.splitlines())
            if nodes is None or hash(subject) in nodes
        )


def _statements(groups: dict[_Key, list[str]]) -> BlockStatements:
    rows = {}
    blank = False
    for (predicate, value, graph), subjects in groups.items():
        text = "\n".join(subjects)
        blank = blank or text.startswith("_:") or "\n_:" in text
        key = (
            str(predicate).encode(),
            str(value).encode(),
            b"" if graph == _DEFAULT else str(graph).encode(),
        )
        rows[key] = f"{text}\n".encode(), len(subjects)
    return BlockStatements(rows, {}, blank=blank)


def _bytes(quad: ox.Quad) -> tuple[bytes, bytes, bytes]:
    return str(quad.subject).encode(), str(quad.predicate).encode(), str(quad.object).encode()


class PlacesInBlock:
    """The places of values in a block, given the number of lines before it."""

    def __init__(self, block: Block, before: int) -> None:
        self._block = block
        self._before = before
        # Where the line of the last place begins, and an offset with how many lines end before it:
        # most values are asked for in the order of the text.
        self._begin, self._counted = 0, (0, 0)

    @cached_property
    def _content(self) -> bytes:
        """The block as the scanner ends lines; a space keeps the columns."""
        return with_line_feeds(self._block)

    def of(self, predicate: bytes, value: bytes) -> Iterator[Place]:
        """Yield the places of a value, as it is written, the first ones behind the value before.

        The predicate is that of the statements; for ``b""`` they may have any.
        """
        content, begin = self._content, self._begin
        of_value = _quad(b"<a:> <a:> %b ." % value)
        wanted = of_value and of_value.object
        for first, end in ((begin, len(content)), (0, begin)):
            position = first
            while (at := content.find(value, position, end)) >= 0:
                start = content.rfind(b"\n", 0, at) + 1
                position = content.find(b"\n", at + len(value)) + 1 or len(content)
                line = content[start:position]
                quad = _quad(line) if predicate in line else None
                # A comment may contain something that looks like a statement.
                if quad is None or quad.object != wanted:
                    continue
                if predicate in {b"", str(quad.predicate).encode()}:
                    self._begin = start
                    resource = str(quad.subject).removeprefix("<").removesuffix(">")
                    before = line[: line.find(value, line.find(predicate) + len(predicate))]
                    column = len(before.decode("utf-8", "replace")) + 1
                    yield Place(resource, quad.predicate.value, self._line(start), column)

    def _line(self, start: int) -> int:
        """Return the number of the line that begins at an offset."""
        offset, ends = self._counted if start >= self._counted[0] else (0, 0)
        self._counted = start, ends + self._content.count(b"\n", offset, start)
        return self._before + self._counted[1] + 1


def _quad(line: bytes) -> ox.Quad | None:
    """Return the statement of a line; None where there is none."""
    try:
        return next(ox.parse(line, ox.RdfFormat.N_QUADS, lenient=True), None)
    except SyntaxError:
        return None


def malformed_line(source: Source, number: int) -> CatalogError:
    """Return the error of a malformed line, with the column that Oxigraph reports."""
    with source.open() as file:
        line = next(text for index, text in enumerate(file, 1) if index == number)
    reason, column = "no statement", 1
    try:
        list(ox.parse(line, source.format.oxigraph))
    except SyntaxError as error:
        reason, column = reason_of(error), error.offset or 1
    return not_valid(source.format.name, reason, source.name, number, column)
