"""A file, and the requested statements in it, each with its place; `locate` finds them."""

from __future__ import annotations

import codecs
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import pyoxigraph as ox

from cturi_rdf.editing.edit import EditError
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import ReadOptions, format_named
from cturi_rdf.reading.source import buffered, without_mark
from cturi_rdf.reading.terms import is_random, relative

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator

    from cturi_rdf.editing.edit import Change, Edit, Piece
    from cturi_rdf.editing.located_graph import GraphAfter, Node
    from cturi_rdf.reading.formats import Format


# A condition of the objects of a predicate, by its IRI.
Tests = Mapping[str, Callable[[object], bool]]
Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
LINE_END = re.compile(rb"\r\n?|\n")
# What `is_random` takes for a label that a reader made up; a letter may begin it.
_MAYBE_LABELS = re.compile(rb"([A-Za-z]?)([0-9a-f]{20,32})")
# Line ends are counted in blocks of this many bytes.
_BLOCK = 1 << 14
_Row = TypeVar("_Row")


class Position(NamedTuple):
    """A line and a column, both counted from 1; the column in characters."""

    line: int
    column: int


class Span(NamedTuple):
    """The offsets of the first byte of a token and of the first one after it."""

    start: int
    end: int


class Statement(NamedTuple):
    """A statement, and the place of its object where it stands in a text.

    `start` and `end` are the offsets of the first byte of the object's token and of the first one
    after it; the language or the datatype of a literal belongs to it.  A term without a token of
    its own has no place, and neither have statements of which only the terms count: their `start`
    is a negative number, which tells them apart.  The document tells the places of subject and
    predicate.  An anonymous blank node has a label that the file does not use.  Only the document
    uses `handle`.
    """

    graph: ox.NamedNode | ox.BlankNode | ox.DefaultGraph
    subject: ox.NamedNode | ox.BlankNode | ox.Triple
    predicate: ox.NamedNode
    object: Term
    start: int = -1
    end: int = -1
    handle: Any = None

    @property
    def key(self) -> Hashable:
        """What tells it from the others of its document: its place, or else its terms."""
        return self[:4] if self.start < 0 else self.start

    @property
    def object_span(self) -> Span | None:
        """The place of the object's token, None where it has none."""
        return None if self.start < 0 else Span(self.start, self.end)

    @property
    def quad(self) -> ox.Quad:
        """The statement as a quad of Oxigraph."""
        return ox.Quad(self.subject, self.predicate, self.object, self.graph)


class Ordered(Sequence[_Row]):
    """The items that a function makes of some numbers, in their order."""

    def __init__(self, make: Callable[[int], _Row], numbers: Sequence[int]) -> None:
        self._make, self._numbers = make, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> _Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[_Row]: ...
    def __getitem__(self, index: int | slice) -> _Row | list[_Row]:
        if isinstance(index, slice):
            return list(map(self._make, self._numbers[index]))
        return self._make(self._numbers[index])

    def __iter__(self) -> Iterator[_Row]:
        return map(self._make, self._numbers)


class GraphLines(NamedTuple):
    """What a file says, as lines of N-Quads in the order of its parser.

    `subjects` are those whose statements are looked for.
    """

    lines: Sequence[bytes]
    subjects: Collection[object]

    def quads(self, predicates: Collection[str]) -> Iterator[ox.Quad]:
        """Yield the quads with some predicates."""
        wanted = {b"<%b>" % predicate.encode() for predicate in predicates}
        lines = (line for line in self.lines if line.split(b" ", 2)[1] in wanted)
        return iter(ox.parse(b"\n".join(lines), ox.RdfFormat.N_QUADS, lenient=True))


class Terms:
    """The terms of statements, each kept once: a quad makes them anew each time it is asked."""

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}

    def of(self, quad: ox.Quad) -> tuple[Any, Any, Any, Any]:
        """Return the terms of a quad, as a statement has them."""
        keep = self._kept.setdefault
        terms = quad.graph_name, quad.subject, quad.predicate, quad.object
        graph, subject, predicate, value = terms
        return (
            keep(graph, graph),
            keep(subject, subject),
            keep(predicate, predicate),
            keep(value, value),
        )


class Document(ABC):
    """A file in memory and the statements in it whose predicates were asked for.

    `data` is the file without compression, and `name` is what error messages call it; `statements`
    are there once they were looked for by `find`, in the order of their `start`.  `unwritable` is
    the error for any edit of a file that cannot be edited.
    """

    unwritable: EditError | None = None
    # Whether blank nodes can be written where they are used, with what is said of them.
    brackets = False
    # Whether a node of which nothing more is said keeps its element or its object in the text.
    keeps_nodes = False
    # How `data` encodes its characters.
    encoding = "utf-8"

    # What was looked for, see `find`.
    statements: Sequence[Statement] = ()
    predicates: frozenset[str] | None = frozenset()
    tests: Tests = MappingProxyType({})
    unplaced: Collection[str] = ()
    graph_lines: GraphLines | None = None

    def __init__(
        self, data: bytes, form: Format, base: str | None, name: str, reading: ReadOptions
    ) -> None:
        """Keep what is known before a syntax finds the statements."""
        self.data, self.format, self.base = data, form, base
        self.name, self.reading = name, reading
        self._lines: list[int] = []
        self._last = (-1, 0, 1)

    def find(
        self,
        predicates: Collection[str] | None,
        *,
        tests: Tests = MappingProxyType({}),
        unplaced: Collection[str] = (),
        lines: GraphLines | None = None,
    ) -> None:
        """Look for the statements with some predicates, given by their IRIs; None for all.

        `tests` are conditions of the objects of some predicates.  Statements with an `unplaced`
        predicate need no place, and may have none.  A caller that has read the file gives the
        `lines` that it says; then the statements of other subjects may be left out.  Raises
        `CatalogError` where the text is not of the format.
        """
        self.predicates = None if predicates is None else frozenset(predicates)
        self.tests, self.unplaced, self.graph_lines = tests, unplaced, lines
        self._find()

    @abstractmethod
    def _find(self) -> None:
        """Set `statements`, and what edits need."""

    def apart(self) -> Document:
        """Return the document for edits that are made one by one, or all of them together."""
        return self

    @abstractmethod
    def edits(
        self, changes: Iterable[tuple[int, Change]], after: GraphAfter | None = None
    ) -> Iterator[Piece]:
        """Yield the edits that make some changes, each with its number.

        `after` is what the whole text is to say, if the changes are all that lead to it.  Then an
        element or an object in which nothing stays goes as a whole, items of lists change, and new
        nodes may be written where they are used.  Raises `EditError` for a change that the syntax
        cannot express at its place.
        """

    @abstractmethod
    def subject_span(self, statement: Statement) -> Span | None:
        """Return the place of a subject's token, None where it has none of its own."""

    @abstractmethod
    def predicate_span(self, statement: Statement) -> Span | None:
        """Return the place of a predicate's token, None where it has none of its own."""

    def is_wanted(self, predicate: ox.NamedNode, value: object) -> bool:
        """Return whether a statement was asked for, by its predicate and its object."""
        if self.predicates is not None and predicate.value not in self.predicates:
            return False
        test = self.tests.get(predicate.value)
        return test is None or isinstance(value, ox.BlankNode) or test(value)

    def is_looked_for(self, quad: ox.Quad) -> bool:
        """Return whether the statement of a quad was asked for."""
        if self.graph_lines is not None and quad.subject not in self.graph_lines.subjects:
            return False
        return self.is_wanted(quad.predicate, quad.object)

    @property
    def placed(self) -> frozenset[str] | None:
        """The predicates whose statements need places, None for all."""
        return None if self.predicates is None else self.predicates.difference(self.unplaced)

    def parse(self, content: IO[bytes] | bytes) -> Iterator[ox.Quad]:
        """Yield the quads of a text in the format and with the base of this document.

        Raises `SyntaxError`.
        """
        return iter(self.format.parse(without_mark(buffered(content)), self.base))

    def in_reading_order(self) -> Iterable[Statement]:
        """Return the statements as a parser gives them; those about IRIs may be left out."""
        return self.statements

    def implied(self) -> Iterable[Statement]:
        """Return the statements that the text makes without a verb for each."""
        return ()

    @cached_property
    def _labels(self) -> set[str]:
        """What may be a label in the text and looks like one that a reader made up."""
        matches = _MAYBE_LABELS.findall(self.data)
        return {label.decode() for letter, rest in matches for label in (rest, letter + rest)}

    def is_anonymous(self, label: str) -> bool:
        """Return whether a blank node has this label in one reading only.

        The parser makes up random labels for nodes without one.
        """
        return is_random(label) and label not in self._labels

    def lists(self) -> dict[ox.BlankNode, tuple[ox.BlankNode, ...]]:
        """Return the cells of each list that can be edited item by item, under the first cell."""
        return {}

    def of_one_verb(self, statement: Statement) -> Sequence[Statement]:  # noqa: ARG002
        """Return the statements that share one token as their predicate, if it can be replaced."""
        return ()

    def holds(self, statement: Statement) -> bool:  # noqa: ARG002
        """Return whether the text of an object has statements about it, and a name of its own."""
        return False

    def labelling(self, homes: Mapping[Node, Statement], nodes: set[Node]) -> Iterable[Edit]:
        """Return the edits that take nodes out of the statements that lead to them, `homes`.

        The nodes get a label where they have no name, and the text says what it said.  Of nodes
        inside one another, the outer one may be enough.  Raises `EditError`.
        """
        place = min((homes[node].start for node in nodes if node in homes), default=0)
        raise self.refusal("a blank node cannot be given a label there", place)

    def token(self, statement: Statement) -> str:
        """Return the object of a statement as it is written."""
        return self.data[statement.start : statement.end].decode("utf-8", "replace")

    def is_list(self, _: int | None) -> bool:
        """Return whether the object at an offset is a list whose statements have no places."""
        return False

    @cached_property
    def _carriages(self) -> bool:
        return b"\r" in self.data

    @cached_property
    def line_end(self) -> bytes:
        """The line end of the first line; a line feed if the file has one line."""
        first = LINE_END.search(self.data)
        return first[0] if first else b"\n"

    def position(self, offset: int) -> Position:
        r"""Return the line and the column of the byte at `offset`.

        LF, CRLF and CR end a line.  A byte order mark is not counted.  A negative offset, which
        stands for no place, is the beginning of the file.

        >>> from cturi_rdf.editing import locate
        >>> from cturi_rdf.reading.formats import format_named
        >>> data = '<a:é> <a:b> "c" .\r\n<a:d> <a:b> "c" .'.encode()
        >>> document = locate(data, format_named("nt"), predicates=["a:b"])
        >>> [document.position(statement.start) for statement in document.statements]
        [Position(line=1, column=13), Position(line=2, column=13)]
        """
        offset = max(offset, 0)
        if not self._lines:
            self._lines = [1]
            for start in range(0, len(self.data), _BLOCK):
                ends = _line_ends(self.data, start, start + _BLOCK)
                self._lines.append(self._lines[-1] + ends)
        block = offset // _BLOCK
        line = self._lines[block] + _line_ends(self.data, block * _BLOCK, offset)
        return Position(line, self._column(offset))

    def text(self, content: bytes) -> str:
        """Return bytes of the file, or of what edits make of them, as text."""
        return content.decode(self.encoding, "replace")

    def refusal(
        self, problem: str, offset: int, expected: str = "another place or another term"
    ) -> EditError:
        """Return the error of an edit that cannot be made at an offset.

        A statement without a place, such as that of an item of a collection, has a negative one.
        """
        place = self.position(offset) if offset >= 0 else ()
        return EditError(problem, self.name, expected, *place)

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line with the byte at `offset` begins."""
        feed = self.data.rfind(b"\n", 0, offset)
        carriage = self.data.rfind(b"\r", max(feed, 0), offset) if self._carriages else -1
        if 0 <= carriage == offset - 1 and self.data[offset : offset + 1] == b"\n":
            # In the middle of CRLF.
            return self.line_start(carriage)
        return max(feed, carriage) + 1

    def _column(self, offset: int) -> int:
        start = self.line_start(offset)
        # A file may be one long line: the next column is counted from the last.
        line, counted, column = self._last
        if line != start or counted > offset:
            counted, column = start, 1
            if start == 0 and self.data.startswith(codecs.BOM_UTF8):
                counted = min(offset, len(codecs.BOM_UTF8))
        column += len(self.text(self.data[counted:offset]))
        self._last = start, offset, column
        return column


def _line_ends(data: bytes, start: int, end: int) -> int:
    """Return how many line ends have their last byte in a range."""
    carriages = data.count(b"\r", start, end)
    if carriages:
        # A carriage return before a line feed is counted with it.
        carriages -= data.count(b"\r\n", start, end + 1)
    return data.count(b"\n", start, end) + carriages


class GraphDocument(Document):
    """A graph, which has no text and takes no edits.

    `statements` are those that were taken; the number of each is its place.
    """

    def __init__(self, quads: Iterable[ox.Quad] = ()) -> None:
        super().__init__(b"", format_named("nquads"), None, "-", ReadOptions())
        self.statements: list[Statement] = []
        for quad in quads:
            self.take(quad.graph_name, *quad.triple)

    def take(self, graph: Any, subject: Any, predicate: Any, value: Any) -> None:
        """Take a statement."""
        place = len(self.statements)
        self.statements.append(Statement(graph, subject, predicate, value, place, place))

    def _find(self) -> None:
        """Do nothing: all statements are there."""

    def parse(self, _: IO[bytes] | bytes) -> Iterator[ox.Quad]:
        """Yield the quads."""
        return (statement.quad for statement in self.statements)

    def edits(
        self,
        _: Iterable[tuple[int, Change]],
        after: GraphAfter | None = None,  # noqa: ARG002
    ) -> Iterator[Piece]:
        """Return no edits."""
        return iter(())

    def token(self, statement: Statement) -> str:
        """Return the object of a statement, an IRI as its author wrote it."""
        value = statement.object
        return relative(value.value) if isinstance(value, ox.NamedNode) else str(value)

    def subject_span(self, _: Statement) -> None:
        """Return None: only objects have places."""

    def predicate_span(self, _: Statement) -> None:
        """Return None: only objects have places."""


# The class of the documents in each syntax, which is loaded when it is needed.
_DOCUMENTS = {
    "nt": "lines:LinesDocument",
    "nquads": "lines:LinesDocument",
    "turtle": "turtle:TurtleDocument",
    "trig": "turtle:TurtleDocument",
    "xml": "rdfxml:XmlDocument",
    "json-ld": "json:JsonDocument",
}


def locate(  # noqa: PLR0913 - what a file is, where it stands, what is asked for
    data: bytes,
    format: Format | str,  # noqa: A002 - what it is
    *,
    base: str | None = None,
    predicates: Collection[str] | None = None,
    tests: Tests | None = None,
    unplaced: Collection[str] = (),
    name: str = "-",
    reading: ReadOptions = ReadOptions(),
) -> Document:
    r"""Return a file as a document: the statements with some predicates, each with its place.

    `data` is the file without compression, `format` its format or the name of that, `base` the IRI
    that its relative IRIs are resolved against, `predicates` the IRIs of the predicates, None for
    all; `tests` has conditions of their objects, by predicate; statements with one of the
    predicates `unplaced` may be left without a place.  `name` is what errors call the file;
    `reading` says where contexts that JSON-LD names come from.  A locator does not validate
    the file: a parser does.  Raises `CatalogError` for a format whose statements have no places.

    >>> data = b'<a:a> <a:b> "CSV" .\n<a:a> <a:c> "d" .'
    >>> [found] = locate(data, "nt", predicates=["a:b"]).statements
    >>> found.start, found.end, found.object.value
    (12, 17, 'CSV')
    """
    document = unlocated(data, format, base=base, name=name, reading=reading)
    document.find(predicates, tests=tests or {}, unplaced=unplaced)
    return document


def unlocated(
    data: bytes,
    format: Format | str,  # noqa: A002 - what it is
    *,
    base: str | None = None,
    name: str = "-",
    reading: ReadOptions = ReadOptions(),
) -> Document:
    """Return a file as a document, as `locate` does, before its statements are looked for."""
    form = format_named(format) if isinstance(format, str) else format
    if form.name not in _DOCUMENTS:
        names = ", ".join(_DOCUMENTS)
        raise CatalogError(f"{form.name} cannot be edited", name, f"one of {names}")
    module, _, class_name = _DOCUMENTS[form.name].partition(":")
    documents: type[Document] = getattr(import_module(f"cturi_rdf.editing.{module}"), class_name)
    return documents(data, form, base, name, reading)
