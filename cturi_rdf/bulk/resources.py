"""The Content-Type of every resource of a stream, in constant memory.

Labels repeat, so what is said of one resource is said of many, in the same words: a header is
made once of what is said, and given to all of them.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from rdflib import RDF, BNode, URIRef

from cturi_rdf.bulk.cores import ahead
from cturi_rdf.bulk.files import opened
from cturi_rdf.bulk.gathered import Gathered
from cturi_rdf.bulk.lines import describing
from cturi_rdf.bulk.meaning import evidence_of
from cturi_rdf.bulk.statements import BLANK, Scanner, text_of, unescape
from cturi_rdf.bulk.table import FEW_NODES, SideTable
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import visible
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.headers import Evidence, Header
from cturi_rdf.rdf.names import URLS
from cturi_rdf.rdf.occurrences import DESCRIBED_BY
from cturi_rdf.rdf.properties import CONTENT
from cturi_rdf.rdf.vocab import CTV

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cturi_rdf.bulk.gathered import Said
    from cturi_rdf.bulk.statements import Statements
    from cturi_rdf.rdf.occurrences import Resolver

__all__ = ["HeaderLines", "headers_lines"]

_REMEMBERED = 16_384
_OF_CONTENT = frozenset(f"<{each}>".encode() for each in CONTENT)
_URLS = tuple(f"<{each}>".encode() for each in URLS)


def headers_lines(
    source: str,
    *,
    quads: bool = False,
    resolver: Resolver = resolve,
) -> Iterator[Header]:
    """Yield what `cturi_rdf.rdf.headers` does of a file of N-Triples or N-Quads.

    Resources with an IRI come first, in its order, then the others, in that of their names.
    `source` is a path, or ``-``; it may be gzipped or packed by Zstandard.  What does not fit
    in memory is sorted on disk.  Raises `CatalogError`.
    """
    with _gathered(source, quads, resolver) as (iris, others):
        for name, said in iris:
            iri = URIRef(name.decode())
            yield Header(iri, iri, _evidence(said))
        for key, said in others:
            url, node = _called(key)
            yield Header(_term(node), _term(url), _evidence(said))


class HeaderLines:
    """What `cturi headers` prints of a stream: resources, each with a tab and its header.

    Iterating yields many whole lines at a time.  Afterwards `resources` has the number of all,
    `conflicts` that of those whose labels disagree, and `first` the first of them.  Raises
    `CatalogError`.
    """

    def __init__(
        self,
        source: str,
        *,
        quads: bool = False,
        resolver: Resolver = resolve,
    ) -> None:
        """Take the arguments of `headers_lines`."""
        self._gathered = _gathered(source, quads, resolver)
        self.resources = self.conflicts = 0
        self.first: Header | None = None

    def __iter__(self) -> Iterator[str]:
        with self._gathered as (iris, others):
            for names, said in iris.chunks():
                yield self._text(names, said)
            for keys, said in others.chunks():
                yield self._text([_called(key)[0].encode() for key in keys], said)

    def _text(self, names: list[bytes], said: list[Said]) -> str:
        self.resources += len(names)
        # What is said is the same of many, and its identity is found faster than its hash.
        identities = [*map(id, said)]
        distinct = dict(zip(identities, said, strict=True))
        ends = {identity: _end(each) for identity, each in distinct.items()}
        if all(ends.values()) and b"".join(names).decode().isprintable():
            return b"".join(map(bytes.__add__, names, map(ends.__getitem__, identities))).decode()
        lines = []
        for name, each in zip(names, said, strict=True):
            if end := _end(each):
                lines.append(visible(name.decode()) + end.decode())
            else:
                self.conflicts += 1
                self.first = self.first or Header(BNode(), _term(name.decode()), _evidence(each))
        return "".join(lines)


@contextmanager
def _gathered(
    source: str,
    quads: bool,  # noqa: FBT001
    resolver: Resolver,
) -> Iterator[tuple[Gathered, Gathered]]:
    """Give what is said of each IRI, and of the other resources by their name: see `_called`."""
    scanner = Scanner([*CONTENT, CTV.contentType, RDF.type], quads=quads)
    with (
        opened(source) as lines, SideTable() as table,
        Gathered() as iris, Gathered() as blank, Gathered() as others,
    ):  # fmt: skip
        reading = _Reading(resolver, table, iris, blank)
        for statements in ahead(map(scanner.scan, lines.blocks())):
            reading.read(statements)
        describing(lines, table, scanner.of(DESCRIBED_BY), table.values())
        reading.read_later()
        nodes: set[int] = set()
        for node, _ in blank:
            if len(nodes) <= FEW_NODES:
                nodes.add(hash(node))
        few = frozenset(nodes) if len(nodes) <= FEW_NODES else None
        describing(lines, table, scanner.of(URLS), few)
        for node, said in blank:
            name = _url(table.said_of(node)) or node.decode()
            # No label of a node has a NUL in it.
            others.add([b"%b\0%b" % (name.encode(), node)], said)
        yield iris, others


def _called(key: bytes) -> tuple[str, str]:
    """Return the name and the resource of a key."""
    name, _, resource = key.decode().rpartition("\0")
    return name, resource


def _url(said: Sequence[tuple[bytes, bytes]]) -> str | None:
    """Return the URL that `cturi_rdf.rdf.names` gives a node of which this is said."""
    for each in _URLS:
        urls = [
            text_of(value)
            for predicate, value in said
            if predicate == each and not value.startswith(BLANK)
        ]
        if urls:
            return min(urls)
    return None


class _Reading:
    """Gathers what is said of types; remembers what statements say."""

    def __init__(
        self, resolver: Resolver, table: SideTable, iris: Gathered, blank: Gathered
    ) -> None:
        self._resolver = resolver
        self._table = table
        self._iris = iris
        self._blank = blank
        self._said: dict[object, Said | None] = {}

    def read(self, found: Statements) -> None:
        """Gather from a block; statements whose value may be described are put by."""
        for (predicate, value, _), (subjects, _) in found.groups.items():
            said = self._what(predicate, value, ())
            if said:
                self._gather(subjects, said)
            elif said is not None and predicate in _OF_CONTENT and not value.startswith(b'"'):
                node = unescape(value)
                names = subjects.splitlines()
                self._table.put_statements((node, predicate, b"", each) for each in names)

    def read_later(self) -> None:
        """Gather from statements whose value is a node, now that it is known what it is."""
        self._table.index()
        for (value, predicate), rows in groupby(self._table.statements(), key=lambda row: row[:2]):
            said = self._what(predicate, value, tuple(self._table.said_of(value)))
            if said:
                self._gather(b"".join(row[3] + b"\n" for row in rows), said)

    def _gather(self, subjects: bytes, said: Said) -> None:
        if subjects.startswith(BLANK) or b"\n" + BLANK in subjects:
            names = subjects.splitlines()
            self._blank.add([each for each in names if each.startswith(BLANK)], said)
            names = [each[1:-1] for each in names if not each.startswith(BLANK)]
        else:
            # Neither sign is in an IRI.
            names = subjects[1:-2].split(b">\n<")
        self._iris.add([*map(unescape, names)] if b"\\" in subjects else names, said)

    def _what(
        self, predicate: bytes, value: bytes, described: tuple[tuple[bytes, bytes], ...]
    ) -> Said | None:
        key = (predicate, BLANK if value.startswith(BLANK) else value, described)
        if key not in self._said:
            if len(self._said) >= _REMEMBERED:
                self._said.clear()
            found = evidence_of(predicate, value, described, self._resolver)
            self._said[key] = found if found is None else _said(found)
        return self._said[key]


def _said(found: Iterable[Evidence]) -> Said:
    rows = {(str(each.property), each.text, str(each.content_type)) for each in found}
    return tuple(sorted(rows))


@lru_cache(_REMEMBERED)
def _end(said: Said) -> bytes:
    """Return what follows the name of a resource on its line; nothing where labels disagree."""
    content_type = Header(BNode(), BNode(), _evidence(said)).content_type
    return f"\t{content_type}\n".encode() if content_type else b""


def _evidence(said: Said) -> list[Evidence]:
    evidence = [
        Evidence(URIRef(each), text, ContentType.parse(header)) for each, text, header in said
    ]
    return [each for each in evidence if each.property == CTV.contentType] or evidence


def _term(text: str) -> URIRef | BNode:
    return BNode(text.removeprefix("_:")) if text.startswith("_:") else URIRef(text)
