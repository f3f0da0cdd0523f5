"""Lines of N-Triples and N-Quads: the malformed ones, statements with some predicates, literals.

Oxigraph reads each block of lines, which shows that they are valid.  So a search is enough to find
the lines with the wanted predicates; only their terms are looked at.  Labels repeat, so statements
are grouped by what follows their subject, and each group is looked at once.  A statement whose
object is a triple term has no label, and is passed over.
"""

from __future__ import annotations

import codecs
import os
import re
from collections import Counter, defaultdict, deque
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.limits import check_limit, limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cturi_rdf.reading.source import Source


# The tokens of valid lines (N-Triples section 7, N-Quads section 4).
_IRI = rb"<[^>\n]*+>"
_LABEL = rb'_:[^\s<>"]*[^\s<>".]'
_NODE = rb"(?:" + _IRI + rb"|" + _LABEL + rb")"
_TEXT = rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_SPACE = rb"[ \t]*+"
_TYPED = _SPACE + rb"\^\^" + _SPACE
_LANGUAGE = _SPACE + rb"@[A-Za-z0-9-]++"
_VALUE = _NODE + rb"|" + _TEXT + rb"(?:" + _TYPED + _IRI + rb"|" + _LANGUAGE + rb")?"
# The subject and the predicate of a line, and what follows them.
_LINE = re.compile(
    rb"^" + _SPACE + rb"(" + _NODE + rb")" + _SPACE + rb"(" + _IRI + rb")" + _SPACE + rb"([^\n]*)",
    re.MULTILINE,
)
# A comment, and what may have a number sign in it: a string, an IRI.
_COMMENT = re.compile(rb'("(?:[^"\\\n]++|\\.)*+"|<[^>\n]*+>)|#[^\n]*+')
_OBJECT = re.compile(_VALUE)
_REST = re.compile(rb"(" + _VALUE + rb")" + _SPACE + rb"(?:(" + _NODE + rb")" + _SPACE + rb")?\.")

BLANK = b"_:"
_ESCAPED = re.compile(rb"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|\\(.)")
_CHARACTERS = {b"t": b"\t", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"f": b"\f"}
# How many distinct ends of lines are remembered.
_REMEMBERED = 8_192

# Bytes of one kind or another.
Block = bytes | memoryview
# The subject and the predicate of a line, and what follows them.
Row = tuple[bytes, bytes, bytes]
# Subjects, each with a line feed, and their number.
Subjects = tuple[bytes, int]


class BlockStatements(NamedTuple):
    """The subjects of a block by predicate, value and graph, and the malformed lines.

    Each subject ends in a line feed, and is as it was written; with them is their number.  A graph
    is empty for the default graph.  Malformed lines are counted in the block, from 0; where there
    is one, nothing else is told.  `blank` is whether a subject may be a blank node.  `literals` has
    the literals with the requested datatypes, as they are written, with the number of each.
    """

    groups: dict[tuple[bytes, bytes, bytes], Subjects]
    malformed: list[int]
    lines: int
    blank: bool
    literals: dict[bytes, int]


def unescape(term: bytes) -> bytes:
    r"""Return a term without escapes (N-Triples section 7, UCHAR and ECHAR).

    >>> unescape(rb"<http://a.example/\u0062>".replace(b"\\\\", b"\\"))
    b'<http://a.example/b>'
    """
    return _ESCAPED.sub(_character, term) if b"\\" in term else term


def _character(escaped: re.Match[bytes]) -> bytes:
    code = escaped[1] or escaped[2]
    if code:
        return chr(int(code, 16)).encode()
    return _CHARACTERS.get(escaped[3], escaped[3])


def without_name(term: bytes) -> bytes:
    """Return a term, with all blank nodes replaced by the same one.

    >>> without_name(b"_:b1") == without_name(b"_:b2"), without_name(b'"CSV"')
    (True, b'"CSV"')
    """
    return BLANK if term.startswith(BLANK) else term


def names_of(subjects: bytes, *, blank: bool) -> list[bytes]:
    r"""Return the names of subjects, each with a line feed: IRIs without their brackets.

    `blank` is whether some of them may be blank nodes.

    >>> names_of(b"<a:1>\n_:b\n", blank=True)
    [b'a:1', b'_:b']
    """
    if not blank:
        return subjects[1:-2].split(b">\n<")
    return [name[1:-1] if name.startswith(b"<") else name for name in subjects.splitlines()]


def text_of(term: bytes) -> str:
    r"""Return the text of an IRI or of a literal; of a blank node, as it is written.

    >>> text_of(b"<http://a.example/>"), text_of(b'"a"@en'), text_of(b"_:b")
    ('http://a.example/', 'a', '_:b')
    """
    if term.startswith(b'"'):
        term = term[: term.rindex(b'"') + 1]
    return unescape(term if term.startswith(BLANK) else term[1:-1]).decode()


class Scanner:
    r"""Finds the statements with some predicates.

    >>> scanner = Scanner([ox.NamedNode("http://purl.org/dc/terms/format")])
    >>> scanner.scan(b'<http://a/1> <http://purl.org/dc/terms/format> "CSV" .\n').groups
    {(b'<http://purl.org/dc/terms/format>', b'"CSV"', b''): (b'<http://a/1>\n', 1)}
    """

    def __init__(
        self,
        predicates: Iterable[ox.NamedNode],
        *,
        tests: Mapping[ox.NamedNode, Callable[[object], bool]] | None = None,
        quads: bool = False,
        datatypes: str = "",
    ) -> None:
        """Take the predicates, conditions of their objects, and whether lines may name a graph.

        It also finds the literals whose datatype begins with `datatypes`, if that is not empty.
        """
        # What the object of each predicate has to pass.
        self._tests: dict[ox.NamedNode, Callable[[object], bool] | None] = {
            **dict.fromkeys(predicates),
            **(tests or {}),
        }
        self._predicates = frozenset(str(predicate).encode() for predicate in self._tests)
        self._form = ox.RdfFormat.N_QUADS if quads else ox.RdfFormat.N_TRIPLES
        self._literals, self._datatypes = None, f"<{datatypes}".encode()
        if datatypes:
            datatype = re.escape(self._datatypes) + rb"[^>\n]*+>"
            self._literals = re.compile(rb"(" + _TEXT + _TYPED + datatype + rb")")

    def found(self, block: Block) -> tuple[Block, BlockStatements]:
        """Return a block of whole lines with its statements."""
        return block, self.scan(block)

    def scan(self, block: Block) -> BlockStatements:
        """Return the statements of a block of whole lines; the last line may lack its line feed."""
        text = _with_line_feeds(block)
        lines = text.count(b"\n") + (not text.endswith(b"\n"))
        try:
            wanted = self._wanted(text)
        except SyntaxError as error:
            malformed = [self._malformed_line(text, error)]
            return BlockStatements({}, malformed, lines, blank=False, literals={})
        subjects: dict[tuple[bytes, bytes], list[bytes]] = defaultdict(list)
        predicates = self._predicates
        for subject, predicate, rest in _LINE.findall(b"\n".join(wanted)):
            subjects[predicate, rest].append(subject)
        groups: dict[tuple[bytes, bytes, bytes], Subjects] = {}
        blank = False
        for (predicate, rest), names in subjects.items():
            terms = _terms(predicate, rest)
            if terms is not None and terms[0] in predicates:
                blank = blank or any(name.startswith(BLANK) for name in names)
                old = groups.get(terms, (b"", 0))
                groups[terms] = (old[0] + b"\n".join([*names, b""]), old[1] + len(names))
        literals: dict[bytes, int] = {}
        if self._literals and self._datatypes in text:
            # A comment is no statement.
            has_comments = any(mark in text for mark in (b"\n#", b" #", b"\t#", b".#"))
            stated = _COMMENT.sub(rb"\1", text) if has_comments or b"#" in text[:1] else text
            literals = dict(Counter(self._literals.findall(stated)))
        return BlockStatements(groups, [], lines, blank, literals)

    def rows(self, block: Block) -> tuple[list[Row], int | None]:
        """Return all lines with a statement, and the number of the malformed one, if any.

        That is counted from 0; nothing else is told then.
        """
        text = _with_line_feeds(block)
        try:
            deque(ox.parse(text, self._form), maxlen=0)
        except SyntaxError as error:
            return [], self._malformed_line(text, error)
        return _rows(text), None

    def _wanted(self, text: bytes) -> list[bytes]:
        """Return the lines with one of the predicates.  Raises `SyntaxError`.

        Each quad stands on a line of its own (N-Triples section 2).
        """
        tests, quads = self._tests, ox.parse(text, self._form)
        # Other lines are empty or comments.
        lines = [
            line
            for line in text.split(b"\n")
            if line.startswith(b"<") or line.lstrip().startswith((b"<", b"_"))
        ]
        # The parser goes first, so that it reads to the end, or to an error.
        pairs = zip(quads, lines, strict=True)
        return [
            line
            for quad, line in pairs
            if (predicate := quad.predicate) in tests
            and ((test := tests[predicate]) is None or test(quad.object))
        ]

    def _malformed_line(self, text: bytes, error: SyntaxError) -> int:
        """Return which line is malformed: one that lacks its end is noticed on the next one."""
        number = (error.lineno or 1) - 1
        lines = text.split(b"\n")
        before = next((n for n in range(number - 1, -1, -1) if lines[n].strip()), number)
        try:
            deque(ox.parse(lines[before], self._form), maxlen=0)
        except SyntaxError:
            return before
        return number


def _with_line_feeds(block: Block) -> bytes:
    """Return a block whose lines end in line feeds, each byte of it at its place."""
    text = bytes(block)
    return text.replace(b"\r\n", b" \n").replace(b"\r", b"\n") if b"\r" in text else text


def _rows(text: bytes) -> list[Row]:
    rows: list[Row] = _LINE.findall(text)
    if b"\\" not in text:
        return rows
    return [(subject, unescape(predicate), rest) for subject, predicate, rest in rows]


def rows_of(block: Block) -> list[Row]:
    r"""Return the lines of a valid block that have a statement.

    >>> rows_of(b'# Some\n<a:1> <a:b> "c" .\n')
    [(b'<a:1>', b'<a:b>', b'"c" .')]
    """
    return _rows(_with_line_feeds(block))


def is_canonical(rows: Sequence[Row], text: bytes) -> bool:
    """Return whether the lines of a text are its statements, with one space between two terms."""
    return len(b"".join(chain.from_iterable(rows))) + 3 * len(rows) == len(text)


def spans_of(rows: Sequence[Row], text: bytes) -> Iterator[tuple[Row, int, int]]:
    r"""Yield the statements of a text, each with where its line begins and where it ends.

    >>> text = b'# Some\n<a:1> <a:b> "c" .\n'
    >>> list(spans_of(rows_of(text), text))
    [((b'<a:1>', b'<a:b>', b'"c" .'), 7, 25)]
    """
    if is_canonical(rows, text):
        start = 0
        for row in rows:
            subject, predicate, rest = row
            end = start + len(subject) + len(predicate) + len(rest) + 3
            yield row, start, end
            start = end
    else:
        for row, match in zip(rows, _LINE.finditer(_with_line_feeds(text)), strict=True):
            yield row, match.start(), min(match.end() + 1, len(text))


def object_of(rest: bytes) -> bytes:
    """Return the object of a statement, given what follows its predicate.

    >>> object_of(b'"CSV"@en <http://a.example/graph> .')
    b'"CSV"@en'
    """
    match = _OBJECT.match(rest)
    return unescape(match[0]) if match else rest


@lru_cache(_REMEMBERED)
def _terms(predicate: bytes, rest: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Return the predicate, the value and the graph of a valid line; None for a triple term."""
    match = _REST.match(rest)
    return match and (unescape(predicate), match[1], match[2] or b"")


# Small enough for a cache, because each block is read several times, and large enough that passing
# it on and writing it cost little.
_SIZE = 1 << 21


def blocks(source: Source, size: int | None = None) -> Iterator[Block]:
    """Yield a file in blocks of whole lines; only the last may lack its line feed.

    A block has `size` bytes, by default two million, give or take a line.
    Raises `CatalogError` where it cannot be read, and `LimitError` where a line is longer than
    the limit `line`.
    """
    longest, size = limit("line"), size or _SIZE
    with source.open() as file:
        mark = codecs.BOM_UTF8
        while content := file.read(size).removeprefix(mark):
            mark = b""
            end = content.rfind(b"\n") + 1
            if source.compression or not end:
                rest = file.readline(longest)
                check_limit("line", len(content) - end + len(rest) + 1, source.name)
                yield content + rest
            else:
                # Reading part of a line again is quicker than copying all the other lines.
                file.seek(end - len(content), os.SEEK_CUR)
                yield memoryview(content)[:end]
