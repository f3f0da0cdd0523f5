r"""Lines of N-Triples and N-Quads: the malformed ones, statements with some predicates, literals.

Every line is checked against the whole grammar, but its terms are not made into values.  Labels
repeat, so statements are grouped by what follows their subject, and each group is looked at once.
A statement whose object is a triple term has no label: Oxigraph reads it, and it is passed over.

`find` is the reference.  Where the package was built with a C compiler, `_ntriples.c` does the same
thirty times as fast and on all cores, and its `find` replaces this one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._speedups import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "BLANK",
    "Block",
    "BlockStatements",
    "Scanner",
    "Subjects",
    "find",
    "names_of",
    "text_of",
    "unescape",
    "without_name",
]

# CPython's regular expressions read a set several times as fast if it is one range.  So the bytes
# that end an IRI, a text or a comment are moved past F4, where UTF-8 has none: 21 to F4 are those
# of an IRI, up to FB those of a text, up to FD those of a comment.  A tab moves next to the space.
_BYTES = b'<>^`{|}"\\\r\n\t\x1f'
_PLACES = bytes(range(0xF5, 0x100)) + b"\x1f\t"
_MOVED, _BACK = bytes.maketrans(_BYTES, _PLACES), bytes.maketrans(_PLACES, _BYTES)
_BACKSLASH = _MOVED[ord("\\")]

# N-Triples section 7, N-Quads section 4; the ranges are of moved bytes, and `_compile` moves the
# others.  Numeric escapes are of characters only, and of BLANK_NODE_LABEL any character beyond
# ASCII will do.
_DIGITS = rb"(?:[0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})"
_UCHAR = rb"\\(?:u" + _DIGITS + rb"|U0000" + _DIGITS + rb"|U00(?:0[1-9A-Fa-f]|10)[0-9A-Fa-f]{4})"
_IRI_CHARS = rb"[\x21-\xf4]*+"
# RFC 3987 section 2.2: what an IRI may not hold it may not hold escaped either.
_NOT_IN_IRI = rb"(?!\\(?:u00|U000000)(?:[01][0-9A-Fa-f]|2[02]|[35][CEce]|60|7[B-Db-d]))"
_IRI = rb"<" + _IRI_CHARS + rb"(?:>|(?:" + _NOT_IN_IRI + _UCHAR + _IRI_CHARS + rb")++>)"
_LABEL = rb"A-Za-z0-9_:\x80-\xf4"
_BLANK = rb"_:[" + _LABEL + rb"](?:[" + _LABEL + rb".-]*[" + _LABEL + rb"-])?+"
_NODE = rb"(?:" + _IRI + rb"|" + _BLANK + rb")"
_ESCAPE = rb"(?:\\[tbnrf\"'\\]|" + _UCHAR + rb")"
_TEXT_CHARS = rb"[\x00-\xfb]*+"
_TEXT = rb'"' + _TEXT_CHARS + rb'(?:"|(?:' + _ESCAPE + _TEXT_CHARS + rb')++")'
_LANGUAGE = rb"@[A-Za-z]++(?:-[A-Za-z0-9]++)*+(?:--(?:ltr|rtl)(?![A-Za-z0-9]))?+"
_SPACE = rb"[\x1f\x20]*+"
_TYPED = _SPACE + rb"\^\^" + _SPACE
_VALUE = _NODE + rb"|" + _TEXT + rb"(?:" + _TYPED + _IRI + rb"|" + _LANGUAGE + rb")?+"
_COMMENT = rb"(?:#[\x00-\xfd]*+)?"
_END = rb"\." + _SPACE + _COMMENT

BLANK = b"_:"
_ESCAPED = re.compile(rb"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|\\(.)")
_CHARACTERS = {b"t": b"\t", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"f": b"\f"}
# Groups of a line.
_DATATYPE, _MALFORMED = 4, 5
# How many distinct ends of lines are remembered.
_REMEMBERED = 8_192

# Bytes of one kind or another.
Block = bytes | memoryview
# Subjects, each with a line feed, and their number.
Subjects = tuple[bytes, int]
_Found = tuple[dict[bytes, Subjects], list[int], int, bool, dict[bytes, int]]


@cache
def _patterns(quads: bool) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:  # noqa: FBT001
    """Return the patterns of a line and of what follows its subject; compiling takes a while.

    The groups of a line are the subject, the predicate, the text of a literal and its datatype,
    or a malformed line; of what follows a subject, the predicate, the value and the graph.
    """
    # No possessive "?" about a group: CPython loses it.
    literal = rb"(" + _TEXT + rb")(?:" + _TYPED + rb"(" + _IRI + rb")|" + _LANGUAGE + rb")?"
    value = rb"(?:" + _NODE + rb"|" + literal + rb")" + _SPACE
    graph = rb"(?:" + _NODE + _SPACE + rb")?+" if quads else b""
    statement = rb"(" + _NODE + rb")" + _SPACE + rb"(" + _IRI + rb")" + _SPACE + value + graph
    line = _SPACE + rb"(?:" + statement + _END + rb"|" + _COMMENT + b")\n|([\x00-\xfe]*+\n)"
    rest = rb"(" + _IRI + rb")" + _SPACE + rb"(" + _VALUE + rb")" + _SPACE
    return _compile(line), _compile(rest + rb"(?:(" + _NODE + rb")" + _SPACE + rb")?" + _END)


def _compile(pattern: bytes) -> re.Pattern[bytes]:
    """Return a pattern for bytes that are moved."""
    for written in (rb"\\", rb"\^", b"\n", b"<", b">", b'"'):
        pattern = pattern.replace(written, written[-1:].translate(_MOVED))
    return re.compile(pattern)


def find(
    block: Block,
    predicates: tuple[bytes, ...],
    quads: bool,  # noqa: FBT001
    datatypes: bytes,
) -> _Found:
    r"""Return subjects, malformed lines, the number of lines, whether a subject is blank, literals.

    Subjects stand, with their number, by what follows them on their lines.  A block has
    whole lines, each with a line feed at its end.  The statements are those with one of the
    predicates, or with an escape in theirs; each subject ends in a line feed.  Lines are
    counted from 0.  A carriage return makes a line malformed.  The literals are those whose
    datatype begins with `datatypes`, a bracket and part of an IRI, with the number of each;
    none if that is empty.

    >>> find(b'<a:1> <a:p> "x" .\n<a:1> "x" .\n<a:1> <a:q> "x" .\n', (b"<a:p>",), False, b"")
    ({b'<a:p> "x" .': (b'<a:1>\n', 1)}, [1], 3, False, {})
    """
    block = bytes(memoryview(block))
    if block and not block.endswith(b"\n"):
        raise ValueError("a block of whole lines ends in a line feed")
    if not (block.isascii() or _is_text(block)):
        lines = block.split(b"\n")
        block = b"\n".join([line if _is_text(line) else b"malformed" for line in lines])
    moved, datatypes = block.translate(_MOVED), datatypes.translate(_MOVED)
    wanted = frozenset(predicate.translate(_MOVED) for predicate in predicates)
    groups: dict[bytes, list[bytes]] = defaultdict(list)
    malformed: list[int] = []
    literals: Counter[bytes] = Counter()
    number = 0
    # Most lines need only their predicate as bytes.
    for number, match in enumerate(_patterns(quads)[0].finditer(moved), 1):
        predicate, last = match[2], match.lastindex
        if predicate in wanted or (predicate and _BACKSLASH in predicate):
            groups[moved[match.start(2) : match.end() - 1]].append(match[1])
        if last == _DATATYPE:
            if datatypes and match[_DATATYPE].startswith(datatypes):
                literals[moved[match.start(3) : match.end(_DATATYPE)]] += 1
        elif last == _MALFORMED:
            malformed.append(number - 1)
    by_rest = {
        rest.translate(_BACK): (b"\n".join([*subjects, b""]).translate(_BACK), len(subjects))
        for rest, subjects in groups.items()
    }
    blank = any(node.startswith(BLANK) for subjects in groups.values() for node in subjects)
    counts = {literal.translate(_BACK): count for literal, count in literals.items()}
    return by_rest, malformed, number, blank, counts


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


_compiled = compiled("cturi_rdf.reading._ntriples")
_find: Callable[[Block, tuple[bytes, ...], bool, bytes], _Found]
_find = _compiled.find if _compiled else find


class BlockStatements(NamedTuple):
    """The subjects of a block by predicate, value and graph, and the malformed lines.

    Each subject ends in a line feed, and is as it was written; with them is their number.  A graph
    is empty for the default graph.  Malformed lines are counted in the block, from 0.  `blank` is
    whether a subject may be a blank node.  `literals` has the literals with the requested
    datatypes, as they are written, with the number of each.
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
        self, predicates: Iterable[ox.NamedNode], *, quads: bool = False, datatypes: str = ""
    ) -> None:
        """Take the predicates, and whether lines may name a graph.

        It also finds the literals whose datatype begins with `datatypes`, if that is not empty.
        """
        self._predicates = tuple(str(predicate).encode() for predicate in predicates)
        self._quads = quads
        self._datatypes = f"<{datatypes}".encode() if datatypes else b""
        self._terms = lru_cache(_REMEMBERED)(partial(_terms, _patterns(quads)[1]))

    def found(self, block: Block) -> tuple[Block, BlockStatements]:
        """Return a block of whole lines with its statements."""
        return block, self.scan(block)

    def scan(self, block: Block) -> BlockStatements:
        """Return the statements of a block of whole lines; the last line may lack its line feed."""
        if block[-1:] != b"\n":
            block = b"%b\n" % bytes(block)
        wanted = self._predicates, self._quads, self._datatypes
        matches, malformed, lines, blank, literals = _find(block, *wanted)
        if malformed and b"\r" in bytes(block):
            # EOL is [\r\n]+; a space keeps the count of lines.
            block = bytes(block).replace(b"\r\n", b" \n").replace(b"\r", b"\n")
            matches, malformed, lines, blank, literals = _find(block, *wanted)
        if malformed and b"<<(" in bytes(block):
            text = bytes(block).split(b"\n")
            malformed = [number for number in malformed if not self._has_triple_term(text[number])]
        groups: dict[tuple[bytes, bytes, bytes], Subjects] = {}
        for rest, subjects in matches.items():
            terms = self._terms(rest)
            if terms[0] in self._predicates:
                old = groups.get(terms)
                groups[terms] = (old[0] + subjects[0], old[1] + subjects[1]) if old else subjects
        return BlockStatements(groups, malformed, lines, blank, literals)

    def _has_triple_term(self, line: bytes) -> bool:
        """Return whether a line is a statement about a triple term (N-Triples 1.2 section 3)."""
        form = ox.RdfFormat.N_QUADS if self._quads else ox.RdfFormat.N_TRIPLES
        try:
            return [type(quad.object) for quad in ox.parse(line, form)] == [ox.Triple]
        except SyntaxError:
            return False


def _terms(pattern: re.Pattern[bytes], rest: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the predicate, the value and the graph of what follows a subject."""
    match = pattern.fullmatch(rest.translate(_MOVED))
    if match is None:  # pragma: no cover - `find` has read it by the same grammar
        raise AssertionError(rest)
    predicate, value, graph = (term.translate(_BACK) for term in match.groups(b""))
    return unescape(predicate), value, graph
