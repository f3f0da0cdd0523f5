"""Annotating N-Triples and N-Quads block by block, in constant memory.

This is for files that have not been annotated before, so that every addition is new.
"""

from __future__ import annotations

import codecs
import re
from contextlib import ExitStack
from functools import cached_property, lru_cache, partial
from itertools import groupby, islice
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._util.parallel import in_order
from cturi_rdf._util.temporary import EvidenceByName, SideTable
from cturi_rdf.catalogue.evidence import BESIDE, TELLING, evidence_of_texts
from cturi_rdf.catalogue.file_headers import describe_nodes
from cturi_rdf.catalogue.labels import IllTypedLiterals
from cturi_rdf.catalogue.links import LINKS
from cturi_rdf.catalogue.meaning import meaning_of, texts_of_statement
from cturi_rdf.catalogue.report import FileReport, Place, kind_of
from cturi_rdf.rdf.terms import CTV, PROPERTIES
from cturi_rdf.reading.ntriples import (
    Scanner,
    blocks,
    names_of,
    unescape,
    with_line_feeds,
    without_name,
)
from cturi_rdf.reading.read import expect_triples, malformed_line
from cturi_rdf.reading.terms import XSD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO

    from cturi_rdf._util.temporary import EvidenceTexts
    from cturi_rdf.catalogue.evidence import Evidence
    from cturi_rdf.catalogue.meaning import FileOptions, StatementMeaning
    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.reading.ntriples import Block, BlockStatements
    from cturi_rdf.reading.source import Source


# How many distinct statements are remembered.
_REMEMBERED = 8_192
_BESIDE = frozenset(str(path).encode() for path in BESIDE)
_NOT_HERE = frozenset(path.value for path in BESIDE)
# Everything that annotating adds has one of these: links of resources, and descriptions.
_ADDED = (*LINKS, CTV.labelText, CTV.contentTypeHeader)
_OURS = f"<{CTV}".encode()
# Stands for the name of a resource; no IRI has it.
_NAME = b"\0"
# A blank node that stands at the beginning of a line in the brackets of an IRI.
_BLANK_NODE = re.compile(rb"(?m)^<(_:[^>]*)>")


class AnnotatedBeforeError(Exception):
    """A file of lines has links or descriptions of ours."""


def annotate_lines(
    source: Source,
    file: IO[bytes],
    options: FileOptions,
    pack: Callable[[bytes], bytes] | None = None,
) -> FileReport:
    """Write the lines of a source to a file, and the links of its resources after them.

    `pack` compresses a block.  Descriptions are written after the block that needs them, or go to
    `describe`.  A second pass is made only where a label is a node that has to be described to mean
    something.  Raises `CatalogError` where a line is malformed, and
    `AnnotatedBeforeError` where some of the additions may be in the file already.
    """
    scanner = Scanner(
        (*PROPERTIES, *BESIDE, *_ADDED),
        tests=TELLING,
        quads=source.format.datasets,
        datatypes=XSD,
    )
    with SideTable() as table, EvidenceByName() as gathered, ExitStack() as threads:
        work = _Annotating(source, options, table, gathered)
        if source.first.startswith(codecs.BOM_UTF8):
            file.write(pack(codecs.BOM_UTF8) if pack else codecs.BOM_UTF8)
        annotated: Iterable[Iterable[Block]] = (
            work.annotated(block, scanner.scan(block)) for block in blocks(source)
        )
        if pack:
            packed = in_order(lambda pieces: [pack(b"".join(pieces))], annotated)
            annotated = threads.enter_context(packed)
        for pieces in annotated:
            file.writelines(pieces)
        values = table.values()
        if values != frozenset():
            describe_nodes(source, table, values)
            for content in work.annotated_later():
                file.write(pack(content) if pack else content)
            if work.unplaced:
                _find_places(source, scanner, work.unplaced, work.report)
        if not work.report.labels:
            expect_triples(source)
        for content in work.judged_lines():
            file.write(pack(content) if pack else content)
    work.report.ill_typed = work.literals.result(source)
    return work.report


class _Annotating:
    """Annotates block by block; remembers what statements mean."""

    def __init__(
        self, source: Source, options: FileOptions, table: SideTable, gathered: EvidenceByName
    ) -> None:
        self._gathered = gathered
        self.report = FileReport()
        self.literals = IllTypedLiterals()
        # The statements that are not understood and whose places are not known yet.
        self.unplaced: dict[tuple[bytes, bytes], StatementMeaning] = {}
        self._source = source
        self._options = options
        self._line_end = b"\r\n" if b"\r\n" in source.first else b"\n"
        self._table = table
        self._meaning = lru_cache(_REMEMBERED)(self._meaning_of)
        self._texts = lru_cache(_REMEMBERED)(partial(texts_of_statement, options.resolver))
        self._described: set[Triple] = set()
        # The descriptions of labels that the next block of additions begins with.
        self._descriptions: list[bytes] = []
        # Whether some resources may be blank nodes.
        self._blank = False

    def annotated(self, content: Block, statements: BlockStatements) -> tuple[Block, bytes]:
        """Return a block and the descriptions that it needs; gather the evidence in it.

        Statements about unknown nodes are stored.
        """
        report = self.report
        pieces = [] if content[-1:] == b"\n" else [self._line_end]
        before = report.lines
        places = PlacesInBlock(content, before)
        self._blank = self._blank or statements.blank
        for (predicate, value, graph), (subjects, number) in statements.groups.items():
            if predicate.startswith(_OURS):
                raise AnnotatedBeforeError
            names = names_of(subjects, blank=statements.blank)
            if predicate in _BESIDE:
                self._gather(b"", self._texts(predicate, without_name(value), ()) or (), names)
                continue
            report.count_resources(names)
            meaning = self._meaning(predicate, without_name(value), None)
            if meaning is None:
                continue
            if meaning.needs_description:
                node = unescape(value)
                self._table.put_statements(
                    (node, predicate, graph, subject) for subject in subjects.splitlines()
                )
                continue
            firsts = islice(places.of(predicate, value), number)
            report.count(meaning.understood, number, firsts)
            self._gather(graph, meaning.evidence, names)
        pieces += self._descriptions
        self._descriptions.clear()
        if statements.malformed is not None:
            raise malformed_line(self._source, before + statements.malformed + 1)
        self.literals.count(places, statements.literals)
        report.lines += statements.lines
        return content, b"".join(pieces)

    def annotated_later(self) -> Iterator[bytes]:
        """Yield the descriptions of labels that are nodes, now that theirs are stored."""
        self._blank = True
        self._table.index()
        for (value, predicate), rows in groupby(self._table.statements(), key=lambda row: row[:2]):
            meaning = self._meaning(
                predicate, without_name(value), tuple(self._table.facts_of(value))
            )
            if meaning is None:
                continue
            if kind_of(meaning.understood.resolution):
                self.unplaced[predicate, value] = meaning
            for *_, graph, subject in rows:
                self.report.count(meaning.understood, 1, ())
                self._gather(graph, meaning.evidence, names_of(subject + b"\n", blank=True))
            yield b"".join(self._descriptions)
            self._descriptions.clear()

    def _gather(self, graph: bytes, evidence: EvidenceTexts, names: list[bytes]) -> None:
        """Remember the evidence of labels in a graph, and of which resources it is."""
        if evidence:
            self._gathered.add(names, tuple((graph.decode(), *row) for row in evidence))

    def _meaning_of(
        self, predicate: bytes, value: bytes, described: tuple[tuple[bytes, bytes], ...] | None
    ) -> StatementMeaning | None:
        """Return the meaning of a statement, and describe its label, once.

        `described` is None where the description of the value is not known yet.
        """
        meaning = meaning_of(predicate, value, described or (), self._options)
        if meaning and not (described is None and meaning.needs_description):
            for triple in meaning.description:
                if triple not in self._described:
                    self._described.add(triple)
                    if self._options.describe:
                        self._options.describe(triple)
                    else:
                        line = " ".join(map(str, triple)).encode()
                        self._descriptions.append(b"%b .%b" % (line, self._line_end))
        return meaning

    def judged_lines(self) -> Iterator[bytes]:
        """Yield the lines that link resources by all evidence about each of them."""
        lines = lru_cache(_REMEMBERED)(self._judged_lines)
        for rows in self._gathered.parts():
            text = b"".join([lines(number).replace(_NAME, name) for name, number in rows])
            self.report.added += text.count(b"\n")
            yield _BLANK_NODE.sub(rb"\1", text) if self._blank else text

    def _judged_lines(self, number: int) -> bytes:
        """Return the lines that follow from the evidence with a number, for any resource."""
        rows = self._gathered.evidence(number)
        evidence = evidence_of_texts(row[1:] for row in rows)
        here: dict[str, list[Evidence]] = {}
        for (graph, *_), one in zip(rows, evidence, strict=True):
            if one.path not in _NOT_HERE:
                here.setdefault(f" {graph}" if graph else "", []).append(one)
        if self._options.names and not here:
            # A class alone has a header too.
            here[""] = []
        return b"".join(
            b"<%b> %b%b" % (_NAME, f"{path} {node}{graph} .".encode(), self._line_end)
            for graph, labels in here.items()
            for path, node in self._options.links(labels, evidence)
        )


def _find_places(
    source: Source,
    scanner: Scanner,
    statements: dict[tuple[bytes, bytes], StatementMeaning],
    report: FileReport,
) -> None:
    """Read the lines again for the places of labels that were not understood."""
    before = 0
    for block in blocks(source):
        scanned, places = scanner.scan(block), PlacesInBlock(block, before)
        for predicate, value, _ in scanned.groups:
            meaning = statements.get((predicate, unescape(value)))
            if meaning:
                report.place(meaning.understood, places.of(predicate, value))
        before += scanned.lines


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
            while (at := content.find(value, position, end)) != -1:
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
