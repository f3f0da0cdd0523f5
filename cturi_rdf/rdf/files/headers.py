"""The Content-Type of every resource of a file, in constant memory.

Labels repeat, so what is said of one resource is said of many, in the same words: a header is
made once of what is said, and given to all of them.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._util.arguments import checked
from cturi_rdf._util.external_sort import Gathered
from cturi_rdf._util.side_table import FEW_NODES, SideTable
from cturi_rdf.errors import visible
from cturi_rdf.io.jsonld_contexts import Contexts
from cturi_rdf.io.ntriples import BLANK, text_of, unescape
from cturi_rdf.io.relative_iri import SENTINEL, relative
from cturi_rdf.io.source import open_source
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.files.groups import describe_nodes, grouped, put_urls
from cturi_rdf.rdf.files.meaning import evidence_of
from cturi_rdf.rdf.header import (
    HEADER_PROPERTIES,
    Header,
    evidence_of_texts,
    texts_of_evidence,
)
from cturi_rdf.rdf.properties import PROPERTIES
from cturi_rdf.rdf.urls import DOWNLOAD_URLS, URLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cturi_rdf._util.external_sort import Said
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.io.ntriples import Statements
    from cturi_rdf.rdf.label_statements import Resolver

__all__ = ["HeaderLines", "headers_of_file"]

_REMEMBERED, _PIECE = 8_192, 1 << 17
_SENTINEL = SENTINEL.encode()
_OF_LABELS = frozenset(str(each).encode() for each in PROPERTIES)
_URLS = tuple(f"<{each}>".encode() for each in URLS)
# What may not be in a line of its own kind, and what has to be looked at before it is printed.
_CONTROL, _SPECIAL = re.compile(rb"[\x00-\x1f\\]"), re.compile(rb"[\\\x7f-\xff]")
# The node behind the name of one, which goes before the tab.
_RESOURCE = re.compile(rb" _:[^ \t\n]*\t")


@checked
def headers_of_file(  # noqa: PLR0913 - one argument an option
    source: str,
    *,
    form: str | None = None,
    contexts: Contexts | None = None,
    resolver: Resolver = resolve,
    urls: bool = False,
    by_url: bool = False,
) -> Iterator[Header]:
    """Yield the headers of a catalogue in any syntax, as `cturi_rdf.rdf.headers` does of a graph.

    Resources with an IRI come first, in its order, then the others, in that of their names.
    `source` is a path, or ``-``, of a file that may be compressed; `form` is the name of its
    format where its name does not tell it.  What does not fit in memory is sorted on disk.
    With `urls` a header has the URL that its file is downloaded from, with `by_url` the name in
    that URL also chooses among several types.
    Raises `CatalogError`.

    >>> headers = list(headers_of_file("examples/catalogue.ttl"))
    >>> print(headers[0].name, headers[0].content_type)
    https://catalogue.example/bathymetry-netcdf application/netcdf
    """
    with _gathered(source, form, contexts, resolver, urls=urls or by_url) as (iris, others):
        for name, said in iris:
            iri = unescape(name).decode()
            header = Header(iri, iri, evidence_of_texts(said), by_url=by_url)
            if header.verdict != "none":
                yield header
        for key, said in others:
            url, node = _called(key)
            header = Header(node, url, evidence_of_texts(said), by_url=by_url)
            if header.verdict != "none":
                yield header


class HeaderLines:
    """What `cturi headers` prints of a file: resources, each with a tab and its header.

    Iterating yields many whole lines at a time.  Afterwards `resources` has the number of all,
    `several` that of those with several types, and `conflicts` says of each group of types that
    contradict each other on how many resources they do, and which is the first.  Raises
    `CatalogError`.
    """

    def __init__(
        self,
        source: str,
        *,
        form: str | None = None,
        contexts: Contexts | None = None,
        resolver: Resolver = resolve,
    ) -> None:
        """Take the arguments of `headers_of_file`."""
        self._gathered = _gathered(source, form, contexts, resolver)
        self.resources = self.several = 0
        self.conflicts: dict[tuple[ContentType, ...], tuple[int, str]] = {}

    def __iter__(self) -> Iterator[str]:
        with self._gathered as (iris, others):
            for gathered in (iris, others):
                for text, resources in gathered.lines(partial(_end, gathered)):
                    self.resources += resources
                    names = text if gathered is iris else _RESOURCE.sub(b"\t", text)
                    for piece in _pieces(names):
                        yield self._shown(piece, gathered)

    def _shown(self, text: bytes, gathered: Gathered) -> str:
        """Return lines as they are printed, having looked only at what is not plain in them."""
        if text.isascii() and b"\\" not in text and b"\x7f" not in text:
            return text.decode()
        pieces = []
        position = 0
        while found := _SPECIAL.search(text, position):
            start = text.rfind(b"\n", 0, found.start()) + 1
            end = text.index(b"\n", start) + 1
            pieces += [text[position:start].decode(), self._line(text[start:end], gathered)]
            position = end
        return "".join([*pieces, text[position:].decode()])

    def _line(self, line: bytes, gathered: Gathered) -> str:
        name, _, header = line.partition(b"\t")
        text = unescape(name).decode()
        if not header.startswith(b"\\"):
            return f"{visible(text)}\t{header.decode()}"
        types = tuple(
            Header(text, text, evidence_of_texts(gathered.said(int(header[1:])))).conflicts
        )
        if types:
            count, first = self.conflicts.get(types, (0, text))
            self.conflicts[types] = count + 1, first
        else:
            self.several += 1
        return ""


def _end(gathered: Gathered, number: int) -> bytes:
    """Return what follows the name of a resource: its header, or a number where it has none."""
    content_type = Header("", "", evidence_of_texts(gathered.said(number))).content_type
    # No header begins like that.
    return f"\t{content_type}\n".encode() if content_type else b"\t\\%d\n" % number


@contextmanager
def _gathered(
    source: str,
    form: str | None,
    contexts: Contexts | None,
    resolver: Resolver,
    *,
    urls: bool = False,
) -> Iterator[tuple[Gathered, Gathered]]:
    """Give what is said of each IRI, and of the other resources by their name: see `_called`."""
    contexts = contexts or Contexts()
    with (
        open_source(source, form) as file,
        SideTable() as table,
        Gathered() as iris,
        Gathered() as blank,
        Gathered() as others,
    ):
        reading = _Reading(resolver, table, iris, blank)
        wanted = (*HEADER_PROPERTIES, *map(ox.NamedNode, DOWNLOAD_URLS if urls else ()))
        for statements in grouped(file, wanted, table, contexts):
            reading.read(statements)
        describe_nodes(file, table, contexts, table.values())
        reading.read_later()
        nodes: set[int] = set()
        for node, _ in blank:
            if len(nodes) <= FEW_NODES:
                nodes.add(hash(node))
        few = frozenset(nodes) if len(nodes) <= FEW_NODES else None
        put_urls(file, table, few)
        for node, said in blank:
            name = _url(table.said_of(node)) or node.decode()
            others.add(b"%b %b\n" % (_escaped(name.encode()), node), said)
        yield iris, others


def _pieces(text: bytes) -> Iterator[bytes]:
    """Yield whole lines in pieces that fit the cache of a core."""
    position = 0
    while position < len(text):
        end = text.find(b"\n", position + _PIECE) + 1 or len(text)
        yield text[position:end]
        position = end


def _called(key: bytes) -> tuple[str, str]:
    """Return the name and the resource of a key."""
    name, _, resource = key.rpartition(b" ")
    return unescape(name).decode(), resource.decode()


def _escaped(name: bytes) -> bytes:
    """Return a name without control characters, which `unescape` makes again."""
    return _CONTROL.sub(lambda found: b"\\u%04X" % found[0][0], name)


def _relative(name: bytes) -> bytes:
    """Return a name whose IRI, in its brackets, is as its author wrote it."""
    return b"<%b>" % relative(name[1:-1].decode()).encode() if name.startswith(b"<") else name


def _url(said: Sequence[tuple[bytes, bytes]]) -> str | None:
    """Return the URL that `cturi_rdf.rdf.blank_nodes` gives a node of which this is said."""
    for each in _URLS:
        urls = [
            text_of(value)
            for predicate, value in said
            if predicate == each and not value.startswith(BLANK)
        ]
        if urls:
            return relative(min(urls))
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
                self._gather(subjects, said, blank=found.blank)
            elif said is not None and predicate in _OF_LABELS and not value.startswith(b'"'):
                node = unescape(value)
                names = subjects.splitlines()
                self._table.put_statements((node, predicate, b"", each) for each in names)

    def read_later(self) -> None:
        """Gather from statements whose value is a node, now that it is known what it is."""
        self._table.index()
        for (value, predicate), rows in groupby(self._table.statements(), key=lambda row: row[:2]):
            said = self._what(predicate, value, tuple(self._table.said_of(value)))
            if said:
                self._gather(b"".join(row[3] + b"\n" for row in rows), said, blank=True)

    def _gather(self, subjects: bytes, said: Said, *, blank: bool) -> None:
        """Gather what is said of resources, `blank` if some of them may be blank nodes."""
        if b"\\" in subjects:
            subjects = b"".join(_escaped(unescape(each)) + b"\n" for each in subjects.splitlines())
        if _SENTINEL in subjects:
            subjects = b"".join(_relative(each) + b"\n" for each in subjects.splitlines())
        if blank:
            names = subjects.splitlines(keepends=True)
            self._blank.add(b"".join(each for each in names if each.startswith(BLANK)), said)
            subjects = b"".join(each for each in names if not each.startswith(BLANK))
        self._iris.add(subjects, said)

    def _what(
        self, predicate: bytes, value: bytes, described: tuple[tuple[bytes, bytes], ...]
    ) -> Said | None:
        key = (predicate, BLANK if value.startswith(BLANK) else value, described)
        if key not in self._said:
            if len(self._said) >= _REMEMBERED:
                self._said.clear()
            found = evidence_of(predicate, value, described, self._resolver)
            self._said[key] = None if found is None else texts_of_evidence(found)
        return self._said[key]
