"""Large files of lines in parts, each with what the rest of the file says of its resources.

A part is about two megabytes of whole lines, and is judged as if it were a small file.  The lines
of one resource mostly stand together, and are in one part then; but they need not: some may be in
another part, and so may the node that is the value of a label, or the dataset that has a
distribution.  So a part comes with the lines of other parts that it needs, in the order of the
file: those before its own lines and those after them.  Every part that a resource has lines in sees
the same lines of it, and so comes to the same verdicts; each reports and edits its own lines only.

The first reading finds the kinds of resources, see `cturi_rdf.catalogue.alike`, and the nodes that
several parts have to do with, in bitmaps of their hashes (Bloom filters); a node that is found by
chance only costs some work.  If there are such nodes, a second reading keeps their lines in a table
on disk.  The last one yields the parts.  Only the first has to look at every line.  So nothing in
memory grows with the file but the two bitmaps, each of which is at most a fourth of it and 16 MB.
"""

from __future__ import annotations

import codecs
from array import array
from collections import Counter
from itertools import chain, groupby, islice
from mmap import mmap
from operator import itemgetter
from typing import IO, TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.temporary import TemporaryDatabase
from cturi_rdf.catalogue.alike import DISTRIBUTION, Alike, AlikeInPart, judged_properties, node_of
from cturi_rdf.catalogue.profiles import CONFORMS_TO
from cturi_rdf.catalogue.resources import KINDS
from cturi_rdf.rdf.terms import CTV, RDF, checked_properties, intended, is_earlier
from cturi_rdf.reading.errors import no_triples
from cturi_rdf.reading.ntriples import (
    Scanner,
    blocks,
    is_canonical,
    rows_of,
    runs_of,
    spans_of,
    unescape,
)
from cturi_rdf.reading.read import malformed_line
from cturi_rdf.reading.source import Source, buffered

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cturi_rdf.editing import Document
    from cturi_rdf.editing.document import Position
    from cturi_rdf.reading.ntriples import Row, Run


# A file of lines that is smaller is judged as a whole.
LARGE = 16 << 20
# How many bytes a part has, and how many of them are scanned at once.
_SIZE, _PIECE = 2 << 20, 1 << 15
# A bitmap has about as many bits as the file has bytes, two to the power of some of these.
_FEWEST, _MOST = 16, 27
_CACHE = 8_000
# So many hashes are in a set of Python.
_FEW_HASHES = 100_000
# Compressed files of this size or more are large without compression too.
_PACKED = 10
_TABLES = """
    CREATE TABLE met (lines INTEGER, nodes BLOB, kinds BLOB, is_tied BOOLEAN);
    CREATE TABLE part (elsewhere BLOB, kinds BLOB);
    CREATE TABLE line (subject BLOB, offset INTEGER, text BLOB);
    CREATE TABLE link (node BLOB, subject BLOB, offset INTEGER, text BLOB, describes BOOLEAN);
"""
_LINKS = """
    SELECT subject, offset, text FROM link WHERE node = ? AND describes = ? ORDER BY offset LIMIT ?
"""
_SERVICE = b"<http://www.w3.org/ns/dcat#accessService>"
_PARAMETER, _TYPE = str(CTV.parameter).encode(), str(RDF.type).encode()
# What describes a statement (RDF 1.1 Schema section 5.3, RDF 1.2 Concepts section 1.5).
_STATEMENT, _TERM = str(RDF.subject).encode(), b"<<"
# These statements belong to their values too, as all statements with a blank node do.
_FOLLOWED_BACK = frozenset((DISTRIBUTION, _PARAMETER, _STATEMENT))
_DECLARING = frozenset(str(path).encode() for path in CONFORMS_TO)
# What these say of a resource matters, whatever the profile is.
_TELLING = frozenset(str(path).encode() for path, kind in KINDS.items() if kind != "title")
# A blank node that is the value of two statements is no part of either.
_FEW = 2
_BLANK = b"_:"
# What makes each byte a space, but not the ends of lines.
_BLANKED = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
# So many properties and classes are enough to choose a profile by.
_MOST_TERMS = 10_000
_subject = itemgetter(0)


class Part(Source):
    """Some lines of a file, and the lines elsewhere about the same resources.

    It is read like any other source, but is in memory.  Its `own` lines begin at `start` of its
    bytes and end before `end`.  `is_judged` is whether any of these need be judged.
    """

    def __init__(
        self,
        source: Source,
        own: Own,
        judged: bytes,
        others: Sequence[tuple[int, bytes]],
        alike: AlikeInPart,
    ) -> None:
        self.compression, self.reading = None, source.reading
        self.name, self.format = source.name, source.format
        self.own, self.is_judged = own.text, bool(judged)
        self.alike = alike
        before = b"".join(text for offset, text in others if offset < own.offset)
        after = b"".join(text for offset, text in others if offset > own.offset)
        self.data = b"".join((before, judged, after))
        self.start, self.end = len(before), len(before) + len(own.text)
        self.offset = own.offset
        self._lines = own.lines - before.count(b"\n")
        self.first = self.data[: 1 << 16]

    def weight(self, resource: object) -> int:
        """Return how many resources one stands for: itself, and those alike that are left out.

        One that is left out stands for none.
        """
        return self.alike.weights.get(str(resource), 1)

    def check(self) -> None:
        """Do nothing: what is in memory does not change."""

    def read(self) -> bytes:
        """Return all lines."""
        return self.data

    def open(self) -> IO[bytes]:
        """Return a stream of all lines."""
        return buffered(self.data)

    def has(self, offset: int | None) -> bool:
        """Return whether a byte is of its own lines."""
        return offset is not None and self.start <= offset < self.end

    def in_file(self, offset: int) -> int:
        """Return where a byte of its own lines is in the file."""
        return offset - self.start + self.offset

    def place(self, document: Document, offset: int) -> Position:
        """Return the line and the column in the file of a byte of its own lines."""
        position = document.position(offset)
        return position._replace(line=position.line + self._lines)


class Own(NamedTuple):
    """The own lines of a part: their text, its offset in the file, and the lines before them."""

    text: bytes
    offset: int
    lines: int


class _Resources(NamedTuple):
    """The resources of a part; of nodes their hashes.

    `nodes` are the subjects of its runs of lines, in order, and `kinds` their kinds, none where
    lines cannot be compared.  Those that are `described` belong to what is said of others, and
    datasets have the `distributions`; `links` are the statements that belong to their values too,
    each as its subject and its value.
    """

    nodes: array[int]
    kinds: array[int]
    described: set[int]
    distributions: set[int]
    links: list[tuple[int, int]]


def is_large(source: Source) -> bool:
    """Return whether a file is read in parts: one of lines, and of many megabytes."""
    packed = _PACKED if source.compression else 1
    return source.format.by_lines and source.size * packed >= LARGE


class Parts(TemporaryDatabase):
    """A file of lines, which yields its parts; a context manager, which removes its table.

    `profile_quads` are the statements by which its profile is chosen.  Raises `CatalogError` where
    a line is malformed, or there is none.
    """

    def __init__(self, source: Source, size: int = _SIZE, *, alike: bool = True) -> None:
        """Read a file; `alike` is whether resources that say the same are judged together."""
        super().__init__(_TABLES, _CACHE)
        self._source = source
        self._size = size
        packed = _PACKED if source.compression else 1
        bits = min(max((source.size * packed).bit_length(), _FEWEST), _MOST)
        # The nodes of several parts, and those that a statement of another part has.
        self._scattered, self._foreign = _Hashes(bits), _Hashes(bits)
        self._scanner = Scanner((), quads=source.format.datasets)
        labels = frozenset(str(path).encode() for path in checked_properties())
        # What is said of the values of these properties belongs to what is said of a resource.
        self._described = labels | {_PARAMETER, _SERVICE, _STATEMENT}
        self._followed = self._described | {DISTRIBUTION}
        self._judged = judged_properties()
        # Those, and the outdated and misspelt properties of the file.
        self._met = set(self._judged)
        self.alike = Alike(self._met) if alike else None
        # The properties and classes of the file, and a statement with each.
        self._terms = set[bytes]()
        self._of_profile: dict[bytes, None] = {}
        # The blank nodes that say what profile the file follows.
        self._declared = set[bytes]()
        self._find_nodes(_Hashes(bits))
        are_kept = self._count_kinds()
        if any(are_kept):
            self._keep_lines(are_kept)
        if self.alike:
            self.alike.end()

    @property
    def profile_quads(self) -> Iterator[ox.Quad]:
        """The first statement of each property and class, and those that declare a profile."""
        return ox.parse(b"\n".join(self._of_profile), self._source.format.oxigraph)

    def __iter__(self) -> Iterator[Part]:
        """Yield the parts, in the order of the file."""
        query = "SELECT lines, elsewhere, part.kinds FROM part JOIN met ON part.rowid = met.rowid"
        kept = self._database.execute(f"{query} ORDER BY part.rowid")
        for (text, offset), row in zip(self._texts(), kept, strict=True):
            lines, elsewhere, kinds = row
            own, runs = Own(text, offset, lines), runs_of(text)
            alike = AlikeInPart({}, [], [])
            if self.alike and kinds:
                alike = self.alike.sorted_out(runs, array("q", kinds))
            judged, others = b"", []
            if len(runs) > len(alike.others):
                alike = self._with_linked(text, alike)
                judged = _blanked(text, [run for run, _ in alike.others])
                others = self._others(own, rows_of(judged), elsewhere)
            yield Part(self._source, own, judged, others, alike)

    def _with_linked(self, text: bytes, in_part: AlikeInPart) -> AlikeInPart:
        """Return what is left out of a part, without what has something that is not left out."""
        weights = in_part.weights | {run[0].decode(): 0 for run, _ in in_part.others}
        left_out = {run[0] for run, _ in in_part.others}
        runs = (text[start:end] for (_, start, end), _ in in_part.others)
        linking = b"".join(lines for lines in runs if DISTRIBUTION in lines or b" _:" in lines)
        links: dict[bytes, set[bytes]] = {}
        for row in filter(_is_followed_back, self._tied(rows_of(linking))):
            links.setdefault(row[0], set()).add(node_of(row[2]))
        while judged := {one for one, nodes in links.items() if not nodes <= left_out}:
            left_out -= judged
            links = {one: nodes for one, nodes in links.items() if one not in judged}
        others = [one for one in in_part.others if one[0][0] in left_out]
        return AlikeInPart(weights, in_part.models, others)

    def _texts(self) -> Iterator[tuple[bytes, int]]:
        """Yield the own lines of each part, and their offset."""
        offset = len(codecs.BOM_UTF8) if self._source.first.startswith(codecs.BOM_UTF8) else 0
        rest = b""
        for block in chain(blocks(self._source, self._size), [b""]):
            text = b"".join((rest, block))
            # The lines of one resource mostly stand together, and stay so.
            end = (block and _start_of_last(text)) or len(text)
            rest, text = text[end:], text[:end]
            if text:
                yield text, offset
            offset += len(text)

    def _find_nodes(self, seen: _Hashes) -> None:
        """Find the nodes of several parts, and the kinds of the resources in each part."""
        lines = 0
        for text, _ in self._texts():
            nodes, kinds, described, distributions, links = self._resources(text, lines)
            here, linked = set(nodes), {node for _, node in links}
            self._scattered.add(seen.add(here))
            self._foreign.add((described | linked) - here)
            # A dataset whose distributions are elsewhere has nothing like it.
            alone = described | {subject for subject, node in links if node not in here}
            if len(here) < len(nodes):
                # Neither has a resource with lines in several places.
                alone |= {node for node, count in Counter(nodes).items() if count > 1}
            for index, node in enumerate(nodes if kinds and (alone or links) else ()):
                if node in alone:
                    kinds[index] = 0
                elif kinds[index] and node in distributions:
                    kinds[index] = hash((kinds[index], DISTRIBUTION))
            row = lines, nodes.tobytes(), kinds.tobytes(), not linked <= here
            self._put("INSERT INTO met VALUES (?, ?, ?, ?)", *row)
            lines += _count_lines(text)
        if not self._terms:
            raise no_triples(self._source.name, self._source.format.name)

    def _resources(self, part: bytes, before: int) -> _Resources:
        """Return the resources of the lines of a part, which has so many lines before it."""
        of_part, length = _Resources(array("q"), array("q"), set(), set(), []), 0
        are_alike = self.alike is not None
        for text in _pieces(part):
            rows, malformed = self._scanner.rows(text)
            if malformed is not None:
                line = before + _count_lines(part[:length]) + malformed + 1
                raise malformed_line(self._source, line)
            length += len(text)
            self._note_terms(rows)
            of_part.nodes.extend(map(hash, map(unescape, map(_subject, groupby(rows, _subject)))))
            tied = self._tied(rows)
            alone = set()
            for row in tied:
                subject, path, rest = row
                node = hash(node_of(rest))
                is_blank = rest.startswith(_BLANK)
                if path in self._described or rest.startswith(_TERM):
                    of_part.described.add(node)
                    if is_blank:
                        alone.add(subject)
                elif is_blank and subject.startswith(_BLANK) and path != DISTRIBUTION:
                    # A label may have blank nodes of its own, as a list has.
                    of_part.described.add(node)
                if path == DISTRIBUTION:
                    of_part.distributions.add(node)
                if _is_followed_back(row):
                    of_part.links.append((hash(unescape(subject)), node))
            # With comments, or other spaces than one, the lines of two may differ.
            are_alike = are_alike and is_canonical(rows, text)
            if self.alike and are_alike:
                of_part.kinds.extend(self.alike.kinds(rows, alone))
        return of_part if are_alike else of_part._replace(kinds=array("q"))

    def _note_terms(self, rows: Sequence[Row]) -> None:
        """Keep a statement of each property, class and declared profile."""
        terms = self._terms
        for subject, predicate, rest in [row for row in rows if row[1] not in terms]:
            term = predicate
            if predicate == _TYPE or predicate in _DECLARING:
                term += node_of(rest)
            if term not in terms and len(terms) < _MOST_TERMS:
                terms.add(term)
                if term == predicate and _is_outdated(predicate):
                    self._met.add(predicate)
                self._of_profile[b" ".join((subject, predicate, rest))] = None
                if predicate in _DECLARING and node_of(rest).startswith(_BLANK):
                    self._declared.add(node_of(rest))

    def _count_kinds(self) -> list[bool]:
        """Count the kinds of the resources; return of which parts some lines are kept."""
        are_kept = []
        met = self._database.execute("SELECT nodes, kinds, is_tied FROM met ORDER BY rowid")
        for hashes, kinds, is_tied in met:
            nodes, counted = array("q", hashes), array("q", kinds)
            # The nodes that another part has to do with, as the bitmaps know.
            elsewhere = {*self._scattered.having(nodes), *self._foreign.having(nodes)}
            if elsewhere and counted:
                # Nothing is like these.
                alike = (
                    0 if node in elsewhere else kind
                    for node, kind in zip(nodes, counted, strict=True)
                )
                counted = array("q", alike)
            if self.alike:
                self.alike.count(counted)
            row = array("q", elsewhere).tobytes(), counted.tobytes()
            self._put("INSERT INTO part VALUES (?, ?)", *row)
            are_kept.append(bool(elsewhere or is_tied or self._declared))
        return are_kept

    def _keep_lines(self, are_kept: Iterable[bool]) -> None:
        """Keep the lines about nodes that other parts have to do with."""
        parts = self._database.execute("SELECT elsewhere FROM part ORDER BY rowid")
        for (part, begin), (elsewhere,), is_kept in zip(
            self._texts(), parts, are_kept, strict=True
        ):
            if not is_kept:
                continue
            here = {name: unescape(name) for name, _, _ in runs_of(part)}
            kept = _named(here.values(), elsewhere)
            rows, names = rows_of(part), set(here.values())
            tied = self._tied(rows)
            # Statements that belong to their values, which other parts have statements about.
            backwards = {
                row
                for row in tied
                if _is_followed_back(row)
                if (node := node_of(row[2])) not in names or node in kept
            }
            kept |= {here[row[0]] for row in backwards}
            kept |= {node_of(row[2]) for row in tied if here[row[0]] in kept}
            if not (kept or self._declared):
                continue
            for row, (start, end) in spans_of(rows, part):
                subject = here[row[0]]
                if subject not in kept and subject not in self._declared:
                    continue
                offset, text = begin + start, b"%b\n" % part[start:end].strip(b"\r\n")
                if subject in kept:
                    self._put("INSERT INTO line VALUES (?, ?, ?)", subject, offset, text)
                if row in backwards:
                    node = node_of(row[2])
                    describes = row[1] == _STATEMENT or row[2].startswith(_TERM)
                    link = node, subject, offset, text, describes
                    self._put("INSERT INTO link VALUES (?, ?, ?, ?, ?)", *link)
                if subject in self._declared:
                    self._of_profile[text] = None
        self._database.executescript(
            "CREATE INDEX lines_of ON line (subject); CREATE INDEX links_to ON link (node);"
        )

    def _put(self, statement: str, *row: object) -> None:
        self._database.execute(statement, row)

    def _others(self, own: Own, rows: Sequence[Row], elsewhere: bytes) -> list[tuple[int, bytes]]:
        """Return the lines elsewhere that statements of a part need, by their offsets."""
        names = {unescape(name) for name in set(map(_subject, rows))}
        others: dict[int, bytes] = {}
        self._follow(rows, names, others)
        for node in _named(names, elsewhere):
            if hash(node) in self._scattered:
                self._follow(self._about(node, others), names, others)
            for subject, offset, text in self._links_to(node):
                others[offset] = text
                [(_, path, _)] = rows_of(text)
                if path != DISTRIBUTION:
                    self._follow(self._about(subject, others), names, others)
        end = own.offset + len(own.text)
        return sorted(
            (offset, text) for offset, text in others.items() if not own.offset <= offset < end
        )

    def _about(
        self,
        node: bytes,
        others: dict[int, bytes],
        paths: frozenset[bytes] = frozenset(),
        most: int | None = None,
    ) -> list[Row]:
        """Find lines about a node, with these properties if any; return what they state."""
        query = "SELECT offset, text FROM line WHERE subject = ? ORDER BY offset"
        lines = list(self._database.execute(query, (node,)))
        # All at once, because some nodes have thousands of lines.
        stated = zip(lines, rows_of(b"".join(text for _, text in lines)), strict=True)
        wanted = (one for one in stated if not paths or one[1][1] in paths)
        statements = []
        for (offset, text), row in islice(wanted, most):
            others[offset] = text
            statements.append(row)
        return statements

    def _follow(self, rows: Iterable[Row], names: set[bytes], others: dict[int, bytes]) -> None:
        """Find the lines about the values of statements, apart from those in a part itself."""
        for node, is_distribution in {
            (node_of(rest), path == DISTRIBUTION) for _, path, rest in self._tied(rows)
        }:
            if node in names and hash(node) not in self._scattered:
                continue
            # A dataset needs to know only that something is said of its distribution.
            is_told = is_distribution and bool(self._about(node, others, _TELLING, 1))
            if not is_told:
                self._about(node, others, self._judged if is_distribution else frozenset())
            if node.startswith(_BLANK) or (is_distribution and not is_told):
                others.update((offset, text) for _, offset, text in self._links_to(node))

    def _tied(self, rows: Iterable[Row]) -> list[Row]:
        """Return the statements whose values belong to their subjects."""
        followed = self._followed
        return [
            row
            for row in rows
            if (row[1] in followed and row[2].startswith(b"<"))
            or row[2].startswith((_BLANK, _TERM))
        ]

    def _links_to(self, node: bytes) -> list[tuple[bytes, int, bytes]]:
        """Return the first links to a node, and all that describe statements about it."""
        links = self._database.execute(_LINKS, (node, False, _FEW))
        return [*links, *self._database.execute(_LINKS, (node, True, -1))]


def _is_followed_back(row: Row) -> bool:
    """Return whether a statement belongs to its value too."""
    return row[1] in _FOLLOWED_BACK or row[2].startswith((_BLANK, _TERM))


def _is_outdated(path: bytes) -> bool:
    """Return whether a property is not in its vocabulary, but was once or resembles one that is."""
    node = ox.NamedNode(path[1:-1].decode())
    return intended(node) is not None or is_earlier(node)


def _named(names: Iterable[bytes], hashes: bytes) -> set[bytes]:
    """Return those names that some have, given their hashes as bytes of an array."""
    wanted = set(array("q", hashes))
    return {name for name in names if hash(name) in wanted} if wanted else set()


def _blanked(text: bytes, runs: Iterable[Run]) -> bytes:
    """Return a text with spaces in place of some lines."""
    content = bytearray(text)
    for _, start, end in runs:
        content[start:end] = text[start:end].translate(_BLANKED)
    return bytes(content)


def _count_lines(text: bytes) -> int:
    lines = text.count(b"\n")
    return lines + text.count(b"\r") - text.count(b"\r\n") if b"\r" in text else lines


def _pieces(text: bytes) -> Iterator[bytes]:
    """Yield whole runs of lines, of so few that they leave no garbage to collect."""
    start, size = 0, _PIECE
    while start < len(text):
        end = text.find(b"\n", start + size) + 1 or len(text)
        piece = text[start:end]
        length = len(piece) if end == len(text) else _start_of_last(piece)
        if length:
            yield piece[:length]
        # One resource may have more lines.
        start, size = start + length, _PIECE if length else 2 * size


def _start_of_last(text: bytes) -> int:
    """Return where the last lines with the same subject begin."""
    start = text.rfind(b"\n", 0, len(text) - 1) + 1
    subject = text[start : text.find(b" ", start) + 1]
    while start and text.startswith(subject, before := text.rfind(b"\n", 0, start - 1) + 1):
        start = before
    return start


class _Hashes:
    """A set of hashes; many are in a bitmap, which may have some that were not put in.

    Each is two of its bits.
    """

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._few = set[int]()
        self._map: mmap | None = None

    def add(self, numbers: Collection[int]) -> list[int]:
        """Put some in; return those that were there before."""
        old = self.having(numbers)
        if self._map is None:
            self._few.update(numbers)
            if len(self._few) <= _FEW_HASHES:
                return old
            numbers, self._few = self._few, set()
            # Pages without a node take no memory.
            self._map = mmap(-1, 1 << (self._bits - 3))
        content, bits = self._map, self._bits
        mask = (1 << bits) - 1
        for number in numbers:
            one, other = number & mask, number >> bits & mask
            content[one >> 3] |= 1 << (one & 7)
            content[other >> 3] |= 1 << (other & 7)
        return old

    def having(self, numbers: Iterable[int]) -> list[int]:
        """Return those of some numbers that are in the set."""
        if self._map is None:
            return list(self._few.intersection(numbers))
        content, bits = self._map, self._bits
        mask = (1 << bits) - 1
        present = []
        for number in numbers:
            one, other = number & mask, number >> bits & mask
            if content[one >> 3] >> (one & 7) & content[other >> 3] >> (other & 7) & 1:
                present.append(number)
        return present

    def __contains__(self, number: int) -> bool:
        return bool(self.having((number,)))
