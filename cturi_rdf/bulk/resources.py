"""The Content-Type of every resource of a stream, in constant memory."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from rdflib import RDF, BNode, Graph, URIRef

from cturi_rdf.bulk.cores import ahead, in_order
from cturi_rdf.bulk.files import opened
from cturi_rdf.bulk.lines import describing
from cturi_rdf.bulk.meaning import evidence_of
from cturi_rdf.bulk.statements import BLANK, Scanner, unescape
from cturi_rdf.bulk.table import SideTable
from cturi_rdf.content_type import ContentType
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.headers import Evidence, Header
from cturi_rdf.rdf.names import URLS, url_of
from cturi_rdf.rdf.occurrences import DESCRIBED_BY
from cturi_rdf.rdf.properties import CONTENT
from cturi_rdf.rdf.vocab import CTV

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.bulk.statements import Statements
    from cturi_rdf.rdf.occurrences import Resolver

    _Row = tuple[str, str, str, str]
    _Open = tuple[bytes, bytes, bytes, bytes]

__all__ = ["headers_lines"]

_REMEMBERED = 16_384
_OF_CONTENT = frozenset(f"<{each}>".encode() for each in CONTENT)


def headers_lines(
    source: str,
    *,
    quads: bool = False,
    resolver: Resolver = resolve,
    threads: int | None = None,
) -> Iterator[Header]:
    """Yield what `cturi_rdf.rdf.headers` does of a file of N-Triples or N-Quads, by name.

    `source` is a path, or ``-``; it may be gzipped or packed by Zstandard.  What is known of
    the resources is sorted on disk.  Raises `CatalogError`.
    """
    scanner = Scanner([*CONTENT, CTV.contentType, RDF.type], quads=quads)
    with opened(source) as lines, SideTable() as table:
        reading = _Reading(resolver)
        for statements in in_order(scanner.scan, ahead(lines.blocks()), threads):
            rows, later = reading.read(statements)
            table.put_evidence(rows)
            table.put_statements(later)
        describing(lines, table, Scanner(DESCRIBED_BY, quads=quads), table.values(), threads)
        table.index()
        _read_open(table, resolver)
        blank = table.blank_resources()
        describing(lines, table, Scanner(URLS, quads=quads), blank, threads)
        table.name_resources(_named(table))
        for (name, resource), found in groupby(table.evidence(), key=lambda row: row[:2]):
            said = [
                Evidence(URIRef(each), text, ContentType.parse(header))
                for *_, each, text, header in found
            ]
            stated = [each for each in said if each.property == CTV.contentType]
            yield Header(_term(resource), _term(name), stated or said)


class _Reading:
    """Reads what a block says of types; remembers what statements say."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._said: dict[tuple[bytes, bytes], list[Evidence] | None] = {}

    def read(self, found: Statements) -> tuple[list[_Row], list[_Open]]:
        """Return evidence, and statements whose value is a node that says nothing itself."""
        rows: list[_Row] = []
        statements: list[_Open] = []
        for (predicate, value, _), subjects in found.groups.items():
            said = self._evidence(predicate, value)
            if said:
                rows += _rows(said, [_resource(each) for each in subjects])
            elif said is not None and predicate in _OF_CONTENT and not value.startswith(b'"'):
                node = unescape(value)
                statements += [(node, predicate, b"", each) for each in subjects]
        return rows, statements

    def _evidence(self, predicate: bytes, value: bytes) -> list[Evidence] | None:
        key = (predicate, BLANK if value.startswith(BLANK) else value)
        if key not in self._said:
            if len(self._said) >= _REMEMBERED:
                self._said.clear()
            self._said[key] = evidence_of(predicate, value, [], self._resolver)
        return self._said[key]


def _read_open(table: SideTable, resolver: Resolver) -> None:
    """Put by the evidence of labels that are nodes, now that what describes them is known."""
    memory: dict[object, list[Evidence]] = {}
    for (value, predicate), rows in groupby(table.statements(), key=lambda row: row[:2]):
        said = table.said_of(value)
        key = (predicate, BLANK if value.startswith(BLANK) else value, tuple(said))
        if key not in memory:
            if len(memory) >= _REMEMBERED:
                memory.clear()
            memory[key] = evidence_of(predicate, value, said, resolver) or []
        table.put_evidence(_rows(memory[key], [_resource(row[3]) for row in rows]))


def _rows(said: list[Evidence], resources: list[str]) -> list[_Row]:
    return [
        (resource, str(each.property), each.text, str(each.content_type))
        for each in said
        for resource in resources
    ]


def _named(table: SideTable) -> Iterator[tuple[str, str]]:
    """Yield blank nodes with the URL that they are fetched from."""
    for resource in table.resources("_:"):
        said = table.said_of(resource.encode())
        text = b"".join(b"%b %b %b .\n" % (resource.encode(), *each) for each in said)
        graph = Graph().parse(data=text, format="nt")
        node = next(iter(graph.subjects()), None)
        if node is not None and url_of(graph, node) != node:
            yield resource, str(url_of(graph, node))


def _resource(subject: bytes) -> str:
    return unescape(subject).decode().strip("<>")


def _term(text: str) -> URIRef | BNode:
    return BNode(text.removeprefix("_:")) if text.startswith("_:") else URIRef(text)
