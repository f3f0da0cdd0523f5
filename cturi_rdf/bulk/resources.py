"""The Content-Type of every resource of a stream, in constant memory.

Labels repeat, so what is said of one resource is said of many, in the same words: a header is
made once of what is said, and given to all of them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby, islice
from typing import TYPE_CHECKING

from rdflib import RDF, BNode, URIRef

from cturi_rdf.bulk.cores import ahead, in_order
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

    # A resource, the name that it goes by, and what is said of it.
    _Found = tuple[bytes, str, Said]

__all__ = ["HeaderLines", "headers_lines"]

_REMEMBERED = 16_384
_OF_CONTENT = frozenset(f"<{each}>".encode() for each in CONTENT)
_URLS = tuple(f"<{each}>".encode() for each in URLS)
# So many resources are printed together.
_CHUNK = 4_096


def headers_lines(
    source: str,
    *,
    quads: bool = False,
    resolver: Resolver = resolve,
    threads: int | None = None,
) -> Iterator[Header]:
    """Return what `cturi_rdf.rdf.headers` does of a file of N-Triples or N-Quads.

    Resources with an IRI come first, in its order, then the others, in that of their names.
    `source` is a path, or ``-``; it may be gzipped or packed by Zstandard.  What does not fit
    in memory is sorted on disk.  Raises `CatalogError`.
    """
    scanner = _scanner(quads=quads)
    return map(_named, _resources(source, scanner, resolver, threads))


class HeaderLines:
    """What `cturi headers` prints of a stream: resources, each with a tab and its header.

    Iterating yields many whole lines at a time.  Afterwards `conflicts` has the number of the
    resources whose labels disagree, and `first` the first of them.  Raises `CatalogError`.
    """

    def __init__(
        self,
        source: str,
        *,
        quads: bool = False,
        resolver: Resolver = resolve,
        threads: int | None = None,
    ) -> None:
        """Take the arguments of `headers_lines`."""
        self._found = _resources(source, _scanner(quads=quads), resolver, threads)
        self.conflicts = 0
        self.first: Header | None = None

    def __iter__(self) -> Iterator[str]:
        while chunk := list(islice(self._found, _CHUNK)):
            ends = {said: _end(said) for _, _, said in chunk}
            lines = [visible(name) + end for _, name, said in chunk if (end := ends[said])]
            yield "".join(lines)
            if len(lines) < len(chunk):
                self.conflicts += len(chunk) - len(lines)
                self.first = self.first or next(_named(each) for each in chunk if not ends[each[2]])


def _scanner(*, quads: bool) -> Scanner:
    return Scanner([*CONTENT, CTV.contentType, RDF.type], quads=quads)


def _resources(
    source: str, scanner: Scanner, resolver: Resolver, threads: int | None
) -> Iterator[_Found]:
    """Yield every resource of which something is said, each once."""
    with opened(source) as lines, SideTable() as table, Gathered() as gathered:
        reading = _Reading(resolver, table, gathered)
        for statements in in_order(scanner.scan, ahead(lines.blocks()), threads):
            reading.read(statements)
        describing(lines, table, scanner.of(DESCRIBED_BY), table.values(), threads)
        reading.read_later()
        blank: set[int] = set()
        for resource, said in gathered:
            if resource.startswith(BLANK):
                if len(blank) <= FEW_NODES:
                    blank.add(hash(resource))
            else:
                yield resource, resource[1:-1].decode(), said
        nodes = frozenset(blank) if len(blank) <= FEW_NODES else None
        describing(lines, table, scanner.of(URLS), nodes, threads)
        yield from _blank(gathered, table) if blank else ()


def _blank(gathered: Iterable[tuple[bytes, Said]], table: SideTable) -> Iterator[_Found]:
    """Yield the resources without an IRI, in the order of the URLs that they are fetched from."""
    with Gathered() as named:
        for resource, said in gathered:
            if resource.startswith(BLANK):
                name = _url(table.said_of(resource)) or resource.decode()
                # No label of a node has a NUL in it.
                named.add([name.encode() + b"\0" + resource], said)
        for key, said in named:
            called, _, resource = key.rpartition(b"\0")
            yield resource, called.decode(), said


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

    def __init__(self, resolver: Resolver, table: SideTable, gathered: Gathered) -> None:
        self._resolver = resolver
        self._table = table
        self._gathered = gathered
        self._said: dict[object, Said | None] = {}

    def read(self, found: Statements) -> None:
        """Gather from a block; statements whose value may be described are put by."""
        for (predicate, value, _), subjects in found.groups.items():
            said = self._what(predicate, value, ())
            if said:
                self._gathered.add(_names(subjects), said)
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
                self._gathered.add([unescape(row[3]) for row in rows], said)

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


def _named(found: _Found) -> Header:
    resource, name, said = found
    return Header(_term(text_of(resource)), _term(name), _evidence(said))


@lru_cache(_REMEMBERED)
def _end(said: Said) -> str:
    """Return what follows the name of a resource on its line; nothing where labels disagree."""
    content_type = Header(BNode(), BNode(), _evidence(said)).content_type
    return f"\t{content_type}\n" if content_type else ""


def _evidence(said: Said) -> list[Evidence]:
    evidence = [
        Evidence(URIRef(each), text, ContentType.parse(header)) for each, text, header in said
    ]
    return [each for each in evidence if each.property == CTV.contentType] or evidence


def _names(subjects: bytes) -> list[bytes]:
    names = subjects.splitlines()
    return [*map(unescape, names)] if b"\\" in subjects else names


def _term(text: str) -> URIRef | BNode:
    return BNode(text.removeprefix("_:")) if text.startswith("_:") else URIRef(text)
