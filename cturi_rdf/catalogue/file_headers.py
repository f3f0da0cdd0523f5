"""The Content-Type of every resource of a file, in constant memory.

Labels repeat, so many resources have the same evidence: a header is made once for it, and
given to all of them.  Before that the statements with some predicates are grouped by all terms but
the subject, for these repeat as well.  Lines are read as they are; Oxigraph reads all other
syntaxes, and its terms are written as in lines.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import chain, groupby
from typing import TYPE_CHECKING
from zlib import crc32

import pyoxigraph as ox

from cturi_rdf._util.temporary import FEW_NODES, EvidenceByName, SideTable
from cturi_rdf.catalogue.evidence import evidence_of_texts, header_properties
from cturi_rdf.catalogue.header import Header
from cturi_rdf.catalogue.meaning import texts_of_statement
from cturi_rdf.errors import visible
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.label_statements import DESCRIBED_BY
from cturi_rdf.rdf.terms import DOWNLOAD_URLS, NAMELESS, NAMES, PROPERTIES
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.ntriples import (
    BLANK,
    BlockStatements,
    Scanner,
    blocks,
    names_of,
    text_of,
    unescape,
    without_name,
)
from cturi_rdf.reading.read import QuadDocument, expect_triples, malformed_line
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import SENTINEL, is_random, relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from os import PathLike

    from cturi_rdf._util.temporary import EvidenceTexts
    from cturi_rdf.rdf.label_statements import Resolver
    from cturi_rdf.reading.source import Source


_REMEMBERED = 8_192
_SENTINEL = SENTINEL.encode()
_NAMES = tuple(f"<{name}>".encode() for name in NAMES)
# Characters that a name may not have in its line.
_CONTROL = re.compile(rb"[\x00-\x1f\\]")
# The length of the number between the name and the label of a blank node.
_DIGITS = 16
# How many statements are grouped at a time.
_SIZE = 1 << 15
_DEFAULT = ox.DefaultGraph()
# Properties that are kept for blank nodes, which have other names when the file is read again.
_OF_BLANK_NODES = frozenset([*DESCRIBED_BY, *map(ox.NamedNode, NAMES)])

_Key = tuple[ox.NamedNode, object, object]


def headers_of_file(
    source: str | PathLike[str],
    *,
    reading: ReadOptions = ReadOptions(),
    urls: bool = False,
    by_url: bool = False,
) -> Iterator[Header]:
    """Yield the headers of a catalogue in any syntax, as `cturi_rdf.rdf.headers` does of a graph.

    Resources with an IRI come first, in the order of the IRIs, then the others, in the order of
    their names; those without any name are numbered.  `source` is a path, or ``-``, of a file that
    may be compressed; `reading` says how to read it.  What does not fit in memory is sorted on
    disk.  With `urls` a header has the URL that its file is downloaded from; with `by_url` the name
    in that URL also decides what the statements leave open.  Raises `CatalogError`.

    >>> headers = list(headers_of_file("examples/catalogue.ttl"))
    >>> print(headers[0].name, headers[0].content_type)
    https://catalogue.example/bathymetry-netcdf application/netcdf
    """
    with _gathered(source, reading, urls=urls or by_url) as (iris, others):
        named = ((unescape(name).decode(), texts) for name, texts in iris)
        every = chain(
            ((iri, iri, texts) for iri, texts in named),
            ((*_called(key), texts) for key, texts in others),
        )
        for name, resource, texts in every:
            header = Header(resource, name, evidence_of_texts(texts), by_url=by_url)
            if header.verdict != "none" or header.broken:
                yield header


class HeaderStream:
    """The output of `cturi headers` for a file: resources, each with a tab and its header.

    Iterating yields many whole lines at a time.  Afterwards `resources` is the number of resources,
    and `guesses` maps labels that were guessed, and decided a header, to their types;
    `without_header` is called for resources that have several types, or none: with the first of
    those that have the same evidence, and their number.  Raises `CatalogError`.
    """

    def __init__(
        self,
        source: str | PathLike[str],
        without_header: Callable[[Header, int], object] | None = None,
        *,
        reading: ReadOptions = ReadOptions(),
    ) -> None:
        """Take the other arguments of `headers_of_file`."""
        self._gathered = _gathered(source, reading)
        self._without_header = without_header
        # The first name without a header, and how many there are, by the number of their evidence.
        self._without: dict[int, tuple[bytes, int]] = {}
        self.resources = 0
        self.guesses: dict[str, str] = {}

    def __iter__(self) -> Iterator[str]:
        with self._gathered as (iris, others):
            for gathered in (iris, others):
                end = lru_cache(_REMEMBERED)(partial(self._end, gathered))
                for rows in gathered.parts():
                    lines = []
                    for key, number in rows:
                        name = key if gathered is iris else key.rpartition(b" ")[0]
                        if of_name := end(number):
                            lines.append(name + of_name)
                        elif of_name is not None:
                            first, count = self._without.get(number, (name, 0))
                            self._without[number] = first, count + 1
                            self.resources += 1
                    self.resources += len(lines)
                    yield _shown(b"".join(lines))
                    if len(self._without) > _REMEMBERED:
                        self._tell(gathered)
                self._tell(gathered)

    def _tell(self, gathered: EvidenceByName) -> None:
        """Tell of the resources without a header since the last time."""
        for number, (first, count) in self._without.items():
            if self._without_header:
                name = unescape(first).decode()
                header = Header(name, name, evidence_of_texts(gathered.evidence(number)))
                self._without_header(header, count)
        self._without.clear()

    def _end(self, gathered: EvidenceByName, number: int) -> bytes | None:
        """Return the end of the line of a resource: nothing if it has no header.

        It is None for a resource of whose type nothing is understood.
        """
        header = Header("", "", evidence_of_texts(gathered.evidence(number)))
        self.guesses.update(header.guesses)
        if header.content_type:
            return f"\t{header.content_type}\n".encode()
        return None if header.verdict == "none" and not header.broken else b""


@contextmanager
def _gathered(
    source: str | PathLike[str], reading: ReadOptions, *, urls: bool = False
) -> Iterator[tuple[EvidenceByName, EvidenceByName]]:
    """Provide the evidence of each IRI, and of the other resources by their key: see `_called`."""
    with (
        open_source(source, reading) as file,
        SideTable() as table,
        EvidenceByName() as iris,
        EvidenceByName() as blank,
        EvidenceByName() as others,
    ):
        evidence = _Reading(reading.resolver or resolve, table, iris, blank)
        wanted = (*header_properties(), *map(ox.NamedNode, DOWNLOAD_URLS if urls else ()))
        is_stated = False
        for statements in grouped(file, wanted, table):
            evidence.read(statements)
            is_stated = is_stated or bool(statements.groups)
        if not is_stated:
            expect_triples(file)
        describe_nodes(file, table, table.values())
        evidence.read_later()
        nodes: set[int] = set()
        for node, _ in blank:
            if len(nodes) <= FEW_NODES:
                nodes.add(hash(node))
        few = frozenset(nodes) if len(nodes) <= FEW_NODES else None
        if file.format.by_lines:
            # `grouped` has stored the names of all other files.
            _put_lines(file, table, map(ox.NamedNode, NAMES), few)
        nameless: Counter[EvidenceTexts] = Counter()
        for node, texts in blank:
            name = _name(node.decode(), table.facts_of(node))
            if name == NAMELESS:
                nameless[texts] += 1
            else:
                # Labels change with each reading, so equal names are in the order of evidence.
                key = b"%b %016x%b" % (_escaped(name.encode()), crc32(repr(texts).encode()), node)
                others.add([key], texts)
        in_order = Counter(dict(sorted(nameless.items())))
        for number, texts in enumerate(in_order.elements()):
            others.add([b"%b %016x_:%08d" % (NAMELESS.encode(), 0, number)], texts)
        file.check()
        yield iris, others


def _shown(text: bytes) -> str:
    """Return lines as they are printed; most are plain."""
    if text.isascii() and b"\\" not in text and b"\x7f" not in text:
        return text.decode()
    lines = (line.partition(b"\t") for line in text.splitlines(keepends=True))
    return "".join(
        f"{visible(unescape(name).decode())}\t{header.decode()}" for name, _, header in lines
    )


def _called(key: bytes) -> tuple[str, str]:
    """Return the name and the resource of a key, without the digits between them."""
    name, _, resource = key.rpartition(b" ")
    return unescape(name).decode(), resource[_DIGITS:].decode()


def _escaped(name: bytes) -> bytes:
    """Return a name with its control characters escaped; `unescape` undoes that."""
    return _CONTROL.sub(lambda match: b"\\u%04X" % match[0][0], name)


def _name(node: str, facts: Sequence[tuple[bytes, bytes]]) -> str:
    """Return the name that `cturi_rdf.catalogue.graphs` gives a node with this description.

    A label that the file itself has is a name too.
    """
    for name_property in _NAMES:
        names = [
            text
            for predicate, value in facts
            if predicate == name_property
            and not value.startswith(BLANK)
            and (text := text_of(value)).strip()
        ]
        if names:
            return relative(min(names))
    return NAMELESS if is_random(node.removeprefix("_:")) else node


class _Reading:
    """Gathers the evidence of statements, and remembers it for those that repeat."""

    def __init__(
        self, resolver: Resolver, table: SideTable, iris: EvidenceByName, blank: EvidenceByName
    ) -> None:
        self._table = table
        self._iris = iris
        self._blank = blank
        self._of_labels = frozenset(str(path).encode() for path in PROPERTIES)
        self._evidence = lru_cache(_REMEMBERED)(partial(texts_of_statement, resolver))

    def read(self, statements: BlockStatements) -> None:
        """Gather from a block; store statements whose value may be described elsewhere."""
        for (predicate, value, _), (subjects, _) in statements.groups.items():
            evidence = self._evidence(predicate, without_name(value), None)
            if evidence:
                self._gather(subjects, evidence, blank=statements.blank)
            elif (
                evidence is not None and predicate in self._of_labels and not value.startswith(b'"')
            ):
                node = unescape(value)
                names = subjects.splitlines()
                self._table.put_statements((node, predicate, b"", name) for name in names)

    def read_later(self) -> None:
        """Gather from statements whose value is a node, now that its description is stored."""
        self._table.index()
        for (value, predicate), rows in groupby(self._table.statements(), key=lambda row: row[:2]):
            facts = tuple(self._table.facts_of(value))
            evidence = self._evidence(predicate, without_name(value), facts)
            if evidence:
                self._gather(b"".join(row[3] + b"\n" for row in rows), evidence, blank=True)

    def _gather(self, subjects: bytes, evidence: EvidenceTexts, *, blank: bool) -> None:
        """Add the evidence to resources, `blank` if some of them may be blank nodes."""
        names = names_of(subjects, blank=blank)
        if blank:
            self._blank.add([name for name in names if name.startswith(BLANK)], evidence)
            names = [name for name in names if not name.startswith(BLANK)]
        if b"\\" in subjects:
            names = [_escaped(unescape(name)) for name in names]
        if _SENTINEL in subjects:
            names = [relative(name.decode()).encode() for name in names]
        self._iris.add(names, evidence)


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
    if source.format.by_lines:
        _put_lines(source, table, DESCRIBED_BY, nodes)
        return
    describing = frozenset(DESCRIBED_BY)
    facts = []
    for quad in QuadDocument(source) if nodes != frozenset() else ():
        if quad.predicate in describing and isinstance(quad.subject, ox.NamedNode):
            fact = _bytes(quad)
            if nodes is None or hash(fact[0]) in nodes:
                facts.append(fact)
                if len(facts) >= _SIZE:
                    table.put_facts(facts)
                    facts = []
    table.put_facts(facts)


def _put_lines(
    source: Source,
    table: SideTable,
    predicates: Iterable[ox.NamedNode],
    nodes: frozenset[int] | None,
) -> None:
    scanner = Scanner(predicates, quads=source.format.datasets)
    for block in blocks(source) if nodes != frozenset() else ():
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
