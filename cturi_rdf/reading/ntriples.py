"""Lines of N-Triples and N-Quads: the malformed ones, statements with some predicates, literals.

Nearly all lines of a dump are plain: absolute IRIs in ASCII, no escapes but those of a character,
one space between two terms.  One regular expression runs over a block of lines.  It shows that the
plain ones are valid, and stops only at those with a wanted predicate.  Oxigraph reads all other
lines, and finds the malformed ones.

Labels repeat, so statements are grouped by what follows their subject, and each group is looked at
once.  A statement whose object is a triple term has no label, and is passed over.
"""

from __future__ import annotations

import codecs
import os
import re
from collections import Counter, defaultdict, deque
from functools import lru_cache
from itertools import accumulate, chain, groupby, pairwise
from operator import itemgetter
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
_OBJECT = re.compile(_VALUE)
# The lines of one subject that stand together.
_RUN = re.compile(
    rb"^" + _SPACE + rb"(" + _NODE + rb")(?=[ \t<])[^\n]*+\n?+"
    rb"(?:" + _SPACE + rb"\1(?=[ \t<])[^\n]*+\n?+)*+",
    re.MULTILINE,
)  # fmt: skip
# What follows a subject, unless the object is a triple term.
_STATEMENT = re.compile(
    rb"(" + _IRI + rb")" + _SPACE + rb"(" + _VALUE + rb")" + _SPACE
    + rb"(?:(" + _NODE + rb")" + _SPACE + rb")?\."
)  # fmt: skip

# The tokens of plain lines.  An IRI is one of RFC 3987 whose host is a name (RFC 3986, appendix A).
_IRI_TEXT = rb"[-A-Za-z0-9._~!$&'()*+,;=@/:?]*+"
_PART = _IRI_TEXT + rb"(?:%[0-9A-Fa-f]{2}" + _IRI_TEXT + rb")*+"
_AUTHORITY = rb"(?://[-A-Za-z0-9.]*+(?::[0-9]*+)?+(?=[/?#>])|(?!//))"
_PLAIN_IRI = (
    # Most are like this, and read a fifth faster.
    rb"<(?:https?://[-A-Za-z0-9.]++/" + _IRI_TEXT + rb"(?:#" + _IRI_TEXT + rb")?+>"
    rb"|[A-Za-z][-A-Za-z0-9+.]*+:" + _AUTHORITY + _PART + rb"(?:#" + _PART + rb")?+>)"
)  # fmt: skip
_PLAIN_NODE = rb"(?:" + _PLAIN_IRI + rb"|_:[A-Za-z0-9]++)"
_PLAIN_TEXT = rb'"[^"\\\n]*+(?:\\[tbnrf"\'\\][^"\\\n]*+)*+"'
_PLAIN_LANGUAGE = rb"@[A-Za-z]{2,3}(?:-[A-Za-z]{2})?+"
# A text with the datatype of texts with a language is malformed.
_RDF = rb"<http://www\.w3\.org/1999/02/22-rdf-syntax-ns#"

BLANK = b"_:"
_ESCAPED = re.compile(rb"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|\\(.)")
_CHARACTERS = {b"t": b"\t", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"f": b"\f"}
# How many distinct ends of lines are remembered.
_REMEMBERED = 8_192
# How many bytes are scanned at once.
_PIECE = 1 << 16

# Bytes of one kind or another.
Block = bytes | memoryview
# The subject and the predicate of a line, and what follows them.
Row = tuple[bytes, bytes, bytes]
# The subject of lines that stand together, where they begin, and where they end.
Run = tuple[bytes, int, int]
# The predicate, the value and the graph of a statement; the default graph is empty.
Terms = tuple[bytes, bytes, bytes]
# Subjects, each with a line feed, and their number.
Subjects = tuple[bytes, int]


class BlockStatements(NamedTuple):
    """The subjects of a block by predicate, value and graph, and the malformed line.

    Each subject ends in a line feed, and is as it was written; with them is their number.  The
    malformed line is counted in the block, from 0; where there is one, nothing else is told.
    `blank` is whether a subject may be a blank node.  `literals` has the literals with the
    requested datatypes, as they are written, with the number of each.
    """

    groups: dict[Terms, Subjects]
    literals: dict[bytes, int]
    lines: int = 0
    blank: bool = False
    malformed: int | None = None


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
        wanted: dict[ox.NamedNode, Callable[[object], bool] | None] = {
            **dict.fromkeys(predicates),
            **(tests or {}),
        }
        self._tests = {str(predicate).encode(): test for predicate, test in wanted.items()}
        self._form = ox.RdfFormat.N_QUADS if quads else ox.RdfFormat.N_TRIPLES
        datatype = re.escape(f"<{datatypes}".encode()) if datatypes else b"(?!)"
        self._literal = re.compile(_TEXT + _TYPED + datatype + rb"[^>\n]*+>")
        self._plain = _plain_rows(quads=quads)
        self._lines = _lines(tuple(sorted(self._tests)), datatype, quads=quads)
        self._read = lru_cache(_REMEMBERED)(self._terms)

    def scan(self, block: Block) -> BlockStatements:
        """Return the statements of a block of whole lines; the last line may lack its line feed."""
        text = with_line_feeds(block)
        if not text.endswith(b"\n"):
            text += b"\n"
        subjects: dict[bytes, list[bytes]] = defaultdict(list)
        literals: Counter[bytes] = Counter()
        others = []
        for subject, statement, literal, line in self._scanned(text):
            if subject:
                subjects[statement].append(subject)
            elif literal:
                literals[literal] += 1
            else:
                others.append(line)
        rows, malformed = self.rows(b"".join(others))
        if malformed is not None:
            # The lines before it are counted in the whole block.
            _, malformed = self.rows(text)
            return BlockStatements({}, {}, malformed=malformed)
        for subject, predicate, rest in rows:
            if predicate in self._tests:
                subjects[b"%b %b" % (predicate, rest)].append(subject)
            elif match := self._literal.match(rest):
                literals[match[0]] += 1
        groups: dict[Terms, Subjects] = {}
        blank = False
        for statement, names in subjects.items():
            terms, literal = self._read(statement)
            if literal:
                literals[literal] += len(names)
            if terms is None:
                continue
            old, number = groups.get(terms, (b"", 0))
            rows_of_names = b"\n".join([*names, b""])
            blank = blank or rows_of_names.startswith(BLANK) or b"\n_:" in rows_of_names
            groups[terms] = old + rows_of_names, number + len(names)
        return BlockStatements(groups, literals, text.count(b"\n"), blank)

    def _scanned(self, text: bytes) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
        """Yield what the pattern finds in some lines; it is for valid text only."""
        if not _is_utf_8(text):
            yield b"", b"", b"", text
            return
        start = 0
        # More at once would only be rubbish to collect.
        while start < len(text):
            end = text.find(b"\n", start + _PIECE) + 1 or len(text)
            yield from self._lines.findall(text, start, end)
            start = end

    def rows(self, block: Block) -> tuple[list[Row], int | None]:
        """Return all lines with a statement, and the number of the malformed one, if any.

        That is counted from 0; nothing else is told then.
        """
        text = with_line_feeds(block)
        rows: list[Row] = self._plain.findall(text)
        if is_canonical(rows, text) and _is_utf_8(text):
            return rows, None
        try:
            deque(ox.parse(text, self._form), maxlen=0)
        except SyntaxError as error:
            return [], self._malformed_line(text, error)
        return _rows(text), None

    def _terms(self, statement: bytes) -> tuple[Terms | None, bytes]:
        """Return the terms of a valid statement if it is wanted, and its literal if that is."""
        match = _STATEMENT.match(statement)
        if match is None:
            return None, b""
        predicate, value = unescape(match[1]), match[2]
        literal = value if self._literal.match(value) else b""
        if test := self._tests[predicate]:
            [quad] = ox.parse(b"<a:> " + statement, ox.RdfFormat.N_QUADS)
            if not test(quad.object):
                return None, literal
        return (predicate, value, match[3] or b""), literal

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


@lru_cache
def _lines(predicates: tuple[bytes, ...], datatype: bytes, *, quads: bool) -> re.Pattern[bytes]:
    """Return a pattern that runs over the plain lines of a text.

    It stops at lines with one of the predicates, and returns the subject and what follows; at
    lines with a datatype that begins with `datatype`, a pattern, and returns the literal; and at
    lines that are not plain.  At the end of the text it returns nothing.
    """
    wanted = _any_of(predicates) if predicates else rb"(?!)"
    value, end = _plain_value, _plain_end(quads=quads) + rb"\n"
    subject, predicate = _PLAIN_NODE + b" ", _PLAIN_IRI + b" "
    literal = _PLAIN_TEXT + rb"\^\^(?=" + datatype + rb")" + _PLAIN_IRI
    return re.compile(
        rb"(?:" + subject + rb"(?!" + wanted + rb")" + predicate + value(datatype) + end + rb")*+"
        rb"(?:(" + _PLAIN_NODE + rb") (" + wanted + rb" " + value() + end + rb")"
        rb"|" + subject + predicate + rb"(" + literal + rb")" + end +
        rb"|([^\n]*+\n)|\Z)"
    )  # fmt: skip


def _plain_rows(*, quads: bool) -> re.Pattern[bytes]:
    """Return a pattern of plain lines: subject, predicate, and what follows them."""
    rest = _plain_value() + _plain_end(quads=quads)
    return re.compile(rb"(" + _PLAIN_NODE + rb") (" + _PLAIN_IRI + rb") (" + rest + rb")\n")


def _plain_value(but: bytes = b"(?!)") -> bytes:
    """Return a pattern of plain objects, without literals of the datatypes of another pattern."""
    typed = rb"\^\^(?!" + _RDF + rb"|" + but + rb")" + _PLAIN_IRI
    text = _PLAIN_TEXT + rb"(?:" + _PLAIN_LANGUAGE + rb"|" + typed + rb")?+"
    return rb"(?:" + _PLAIN_NODE + rb"|" + text + rb")"


def _plain_end(*, quads: bool) -> bytes:
    graph = rb"(?: " + _PLAIN_NODE + rb")?+" if quads else b""
    return graph + rb" ?\. ?"


def _any_of(words: Sequence[bytes]) -> bytes:
    """Return a pattern for any of some sorted words; what these begin with is tried once."""
    if len(words) == 1:
        return re.escape(words[0])
    branches = [
        re.escape(first) + _any_of([word[1:] for word in group])
        for first, group in groupby(words, itemgetter(slice(1)))
    ]
    return branches[0] if len(branches) == 1 else rb"(?:" + rb"|".join(branches) + rb")"


def _is_utf_8(text: bytes) -> bool:
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def with_line_feeds(block: Block) -> bytes:
    """Return a block whose lines end in line feeds, each byte of it at its place."""
    text = bytes(block)
    # Most have none, which one byte tells faster than two.
    if b"\r" not in text:
        return text
    return text.replace(b"\r\n", b" \n").replace(b"\r", b"\n")


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
    return _rows(with_line_feeds(block))


def is_canonical(rows: Sequence[Row], text: bytes) -> bool:
    """Return whether the lines of a text are its statements, with one space between two terms."""
    return sum(map(len, chain.from_iterable(rows))) + 3 * len(rows) == len(text)


def spans_of(rows: Sequence[Row], text: bytes) -> Iterable[tuple[Row, tuple[int, int]]]:
    r"""Return the statements of a text, each with where its line begins and where it ends.

    >>> text = b'# Some\n<a:1> <a:b> "c" .\n'
    >>> list(spans_of(rows_of(text), text))
    [((b'<a:1>', b'<a:b>', b'"c" .'), (7, 25))]
    """
    if is_canonical(rows, text):
        ends = accumulate(map(len, text.splitlines(keepends=True)), initial=0)
        return zip(rows, pairwise(ends), strict=True)
    lines = _LINE.finditer(with_line_feeds(text))
    spans = ((line.start(), min(line.end() + 1, len(text))) for line in lines)
    return zip(rows, spans, strict=True)


def runs_of(text: bytes) -> list[Run]:
    r"""Return the runs of a valid text, each as long as it can be.

    >>> runs_of(b'<a:1> <a:b> "c" .\n<a:1> <a:d> "e" .\n# Some\n<a:2> <a:b> "c" .\n')
    [(b'<a:1>', 0, 36), (b'<a:2>', 43, 61)]
    """
    runs = _RUN.finditer(with_line_feeds(text))
    return [(run[1], run.start(), run.end()) for run in runs]


def object_of(rest: bytes) -> bytes:
    """Return the object of a statement, given what follows its predicate.

    >>> object_of(b'"CSV"@en <http://a.example/graph> .')
    b'"CSV"@en'
    """
    match = _OBJECT.match(rest)
    return unescape(match[0]) if match else rest


# Small enough for a cache, because each block is read several times, and large enough that passing
# it on and writing it cost little.
_SIZE = 1 << 22


def blocks(source: Source, size: int | None = None) -> Iterator[Block]:
    """Yield a file in blocks of whole lines; only the last may lack its line feed.

    A block has `size` bytes, by default four million, give or take a line.
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
