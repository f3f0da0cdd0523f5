r"""Lines of N-Triples and N-Quads: the malformed ones, statements with some predicates, literals.

Every line is held to the whole grammar, and no term of a line is made into a value.  Labels
repeat, so statements are grouped by what follows their subject, and only a group is looked at.
A statement whose object is a triple term has no label: Oxigraph reads it, and it is passed over.

`find` is the reference.  Where the package was built with a C compiler, `_ntriples.c` does
the same thirty times as fast and on all cores, and its `find` takes the place of this one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._speedups import compiled
from cturi_rdf._util.value import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "BLANK",
    "Block",
    "Scanner",
    "Statements",
    "Subjects",
    "find",
    "names_of",
    "text_of",
    "unescape",
    "without_name",
]

# N-Triples section 7, N-Quads section 4.  Numeric escapes are of characters only, and of
# BLANK_NODE_LABEL any character beyond ASCII will do.
_DIGITS = rb"(?:[0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})"
_UCHAR = rb"\\(?:u" + _DIGITS + rb"|U0000" + _DIGITS + rb"|U00(?:0[1-9A-Fa-f]|10)[0-9A-Fa-f]{4})"
_IRI_CHARS = rb'[^\x00-\x20<>"{}|^`\\]*+'
# RFC 3987 section 2.2: what an IRI may not hold it may not hold escaped either.
_NOT_IN_IRI = rb"(?!\\(?:u00|U000000)(?:[01][0-9A-Fa-f]|2[02]|[35][CEce]|60|7[B-Db-d]))"
_IRI = rb"<" + _IRI_CHARS + rb"(?:" + _NOT_IN_IRI + _UCHAR + _IRI_CHARS + rb")*+>"
_LABEL = rb"A-Za-z0-9_:\x80-\xff"
_BLANK = rb"_:[" + _LABEL + rb"](?:[" + _LABEL + rb".-]*[" + _LABEL + rb"-])?+"
_NODE = rb"(?:" + _IRI + rb"|" + _BLANK + rb")"
_ESCAPE = rb"(?:\\[tbnrf\"'\\]|" + _UCHAR + rb")"
_LITERAL = (
    rb'"[^"\\\r\n]*+(?:' + _ESCAPE + rb'[^"\\\r\n]*+)*+"'
    rb"(?:[ \t]*+\^\^[ \t]*+" + _IRI + rb"|@[A-Za-z]++(?:-[A-Za-z0-9]++)*+"
    rb"(?:--(?:ltr|rtl)(?![A-Za-z0-9]))?+)?+"
)
_SPACE = rb"[ \t]*+"
_VALUE = rb"(" + _NODE + rb"|" + _LITERAL + rb")" + _SPACE
# No possessive "?": CPython loses a group inside of one.
_GRAPH = rb"(?:(" + _NODE + rb")" + _SPACE + rb")?"
_NO_GRAPH = rb"()"
_PREDICATE = rb"(" + _IRI + rb")" + _SPACE
_COMMENT = rb"(?:#[^\r\n]*+)?"
_END = rb"\." + _SPACE + _COMMENT

BLANK = b"_:"
_ESCAPED = re.compile(rb"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|\\(.)")
_CHARACTERS = {b"t": b"\t", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"f": b"\f"}
# So many distinct ends of lines are remembered.
_REMEMBERED = 8_192

# Bytes of one kind or another.
Block = bytes | memoryview
# Subjects, each with a line feed, and how many they are.
Subjects = tuple[bytes, int]
_Found = tuple[dict[bytes, Subjects], list[int], int, bool, dict[bytes, int]]


@cache
def _patterns(quads: bool) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:  # noqa: FBT001
    """Return what a line is and what follows its subject; compiling takes a while."""
    rest = _PREDICATE + _VALUE + (_GRAPH if quads else _NO_GRAPH) + _END
    line = (
        rb"(?m:^)" + _SPACE + rb"(?:(" + _NODE + rb")" + _SPACE + rb"(" + rest + rb")|" + _COMMENT
    )
    return re.compile(line + rb")\n"), re.compile(rest)


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
    pattern = _patterns(quads)[0]
    number = block.count(b"\n")
    statements = pattern.findall(block)
    malformed: list[int] = []
    if len(statements) < number or not _is_text(block):
        lines = (line + b"\n" for line in block.split(b"\n")[:-1])
        matches = [pattern.fullmatch(line) if _is_text(line) else None for line in lines]
        malformed = [index for index, match in enumerate(matches) if match is None]
        statements = [match.groups(b"") for match in matches if match]
    groups: dict[bytes, list[bytes]] = defaultdict(list)
    wanted = frozenset(predicates)
    literals: Counter[bytes] = Counter()
    for subject, rest, predicate, value, _ in statements:
        if predicate in wanted or b"\\" in predicate:
            groups[rest].append(subject)
        if datatypes and value[:1] == b'"' and value[-1:] == b">":
            literals[value] += value.startswith(datatypes, value.rindex(b"<"))
    by_rest = {
        rest: (b"\n".join([*subjects, b""]), len(subjects)) for rest, subjects in groups.items()
    }
    blank = any(node.startswith(BLANK) for subjects in groups.values() for node in subjects)
    return by_rest, malformed, number, blank, dict(+literals)


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


_compiled = compiled("cturi_rdf.io._ntriples")
_find: Callable[[Block, tuple[bytes, ...], bool, bytes], _Found]
_find = _compiled.find if _compiled else find


class Statements(NamedTuple):
    """The subjects of a block by predicate, value and graph, and the malformed lines.

    Each subject ends in a line feed, and is as it was written; with them is their number.  A
    graph is empty for the default graph.  Malformed lines are counted in the block, from 0.
    `blank` is whether a subject may be a blank node.  `literals` has the literals with the
    datatypes that were asked for, as they are written, and how often each occurs.
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
    """Return a term, but the same one for all blank nodes.

    >>> without_name(b"_:b1") == without_name(b"_:b2"), without_name(b'"CSV"')
    (True, b'"CSV"')
    """
    return BLANK if term.startswith(BLANK) else term


def names_of(subjects: bytes) -> list[bytes]:
    r"""Return the names of subjects, each with a line feed: IRIs without their brackets.

    >>> names_of(b"<a:1>\n_:b\n")
    [b'a:1', b'_:b']
    """
    if BLANK not in subjects:
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

    def found(self, block: Block) -> tuple[Block, Statements]:
        """Return a block of whole lines and what stands in it."""
        return block, self.scan(block)

    def scan(self, block: Block) -> Statements:
        """Return what stands in a block of whole lines; the last may lack its line feed."""
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
        return Statements(groups, malformed, lines, blank, literals)

    def _has_triple_term(self, line: bytes) -> bool:
        """Return whether a line is a statement about a triple term (N-Triples 1.2 section 3)."""
        form = ox.RdfFormat.N_QUADS if self._quads else ox.RdfFormat.N_TRIPLES
        try:
            return [type(quad.object) for quad in ox.parse(line, form)] == [ox.Triple]
        except SyntaxError:
            return False


def _terms(pattern: re.Pattern[bytes], rest: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the predicate, the value and the graph of what follows a subject."""
    match = pattern.fullmatch(rest)
    if match is None:  # pragma: no cover - `find` has read it by the same grammar
        raise AssertionError(rest)
    return unescape(match[1]), match[2], match[3] or b""
