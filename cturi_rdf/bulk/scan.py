r"""Where labels stand in a block of N-Triples or N-Quads, found without reading its terms.

Theory of operation.  A predicate ends where one of a few needles does, such as ``rmat>``: the
ends of all the IRIs looked for.  Before a needle stands the subject, after it the value.  Of
the values there are few distinct ones, so that statements are grouped by what follows their
subject, and only a group is looked at closely.  A line that is not written as usual (other
white space, an escape in its predicate) is read by the whole grammar.

A line that neither begins as a statement nor ends as one is read by the whole grammar too, as
is every line with a label; so these are found when they are malformed.  Others are not read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["BLANK", "Scanner", "Statements", "unescape"]

# N-Triples section 7, N-Quads section 4; of BLANK_NODE_LABEL what separates it from others.
_UCHAR = rb"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})"
_IRI_CHARS = rb'[^\x00-\x20<>"{}|^`\\]*+'
_IRI = rb"<" + _IRI_CHARS + rb"(?:" + _UCHAR + _IRI_CHARS + rb")*+>"
_BLANK = rb"_:[^\x00-\x20<>\"@^\\.]++(?:\.++[^\x00-\x20<>\"@^\\.]++)*+"
_NODE = rb"(?:" + _IRI + rb"|" + _BLANK + rb")"
_ESCAPE = rb"\\(?:[tbnrf\"'\\]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})"
_LITERAL = (
    rb'"[^"\\\r\n]*+(?:' + _ESCAPE + rb'[^"\\\r\n]*+)*+"'
    rb"(?:[ \t]*+\^\^[ \t]*+" + _IRI + rb"|@[A-Za-z]++(?:-[A-Za-z0-9]++)*+)?+"
)
_SPACE = rb"[ \t]*+"
_VALUE = rb"(" + _NODE + rb"|" + _LITERAL + rb")" + _SPACE
_END = rb"\." + _SPACE + rb"(?:#.*+)?"
_GRAPH = rb"(?:(" + _NODE + rb")" + _SPACE + rb")?+"
_COMMENT = rb"(?:#.*+)?"

BLANK = b"_:"
_SUBJECTS = re.compile(rb"(?:" + _NODE + rb"\n)*+")
_SUBJECT = re.compile(_NODE)
# An escape of what an IRI of ours could have in it.
_ASCII_ESCAPE = re.compile(rb"\\(?:u00|U000000)[2-7]")
_ESCAPED = re.compile(rb"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
# So much of the end of an IRI tells it well from what stands between.
_NEEDLE = 4


class Statements(NamedTuple):
    """The statements of a block by predicate, value and graph, and the malformed lines.

    A graph is empty for the default graph; of malformed lines there is the number in the
    block, from 0.
    """

    groups: dict[tuple[bytes, bytes, bytes], list[bytes]]
    malformed: list[int]
    lines: int


def unescape(term: bytes) -> bytes:
    r"""Return an IRI without numeric escapes (N-Triples section 7, UCHAR).

    >>> unescape(rb"<http://a.example/\\u0062>".replace(b"\\\\", b"\\"))
    b'<http://a.example/b>'
    """
    if b"\\" not in term:
        return term
    return _ESCAPED.sub(
        lambda found: chr(int(found[1] or found[2], 16)).encode("utf-8", "surrogatepass"), term
    )


class Scanner:
    r"""Finds the statements with some predicates.

    >>> scanner = Scanner(["http://purl.org/dc/terms/format"])
    >>> scanner.scan(b'<http://a/1> <http://purl.org/dc/terms/format> "CSV" .\n').groups
    {(b'<http://purl.org/dc/terms/format>', b'"CSV"', b''): [b'<http://a/1>']}
    """

    def __init__(self, predicates: Iterable[str], *, quads: bool = False) -> None:
        """Take the IRIs of the predicates, and whether lines may name a graph."""
        graph = _GRAPH if quads else b"()"
        rest = _SPACE + _VALUE + graph + _END
        self._rest = re.compile(rest)
        self._line = re.compile(
            _SPACE + rb"(" + _NODE + rb")" + _SPACE + rb"(" + _IRI + rb")" + rest
        )
        self._nothing = re.compile(_SPACE + _COMMENT)
        self._predicates = {f"<{each}>".encode() for each in predicates}
        self._needles: dict[bytes, dict[bytes, bytes]] = defaultdict(dict)
        for each in self._predicates:
            needle = each[-_NEEDLE - 1 :]
            self._needles[needle][each.removesuffix(needle)] = each

    def scan(self, block: bytes) -> Statements:
        """Return what stands in a block of whole lines."""
        if b"\r" in block:
            # EOL is [\r\n]+; a space keeps the count of lines.
            block = block.replace(b"\r\n", b" \n").replace(b"\r", b"\n")
        if not block.endswith(b"\n"):
            block += b"\n"
        lines = block.count(b"\n")
        usual, unusual = self._found(block)
        odd = _odd_at_the_edges(block, lines)
        groups: dict[tuple[bytes, bytes, bytes], list[bytes]] = defaultdict(list)
        for (predicate, rest), subjects in usual.items():
            match = self._rest.fullmatch(rest)
            right = subjects
            if match is None or not _SUBJECTS.fullmatch(b"\n".join([*subjects, b""])):
                # Some of them are malformed: find out where.
                right = [each for each in subjects if match and _SUBJECT.fullmatch(each)]
                for each in set(subjects) - set(right):
                    odd.update(_places(block, b"%b %b%b" % (each, predicate, rest)))
            if match and right:
                groups[predicate, match[1], match[2] or b""] += right
        malformed = []
        for start in sorted(unusual | odd):
            line = block[start : block.find(b"\n", start)]
            match = self._line.fullmatch(line)
            if match is None:
                if not self._nothing.fullmatch(line):
                    malformed.append(block.count(b"\n", 0, start))
            elif start in unusual and not self._is_usual(line, match):
                predicate = unescape(match[2])
                if predicate in self._predicates:
                    groups[predicate, match[3], match[4] or b""].append(match[1])
        return Statements(dict(groups), malformed, lines)

    def _found(self, block: bytes) -> tuple[dict[tuple[bytes, bytes], list[bytes]], set[int]]:
        """Return subjects by predicate and the rest of the line, and where others begin."""
        usual: dict[tuple[bytes, bytes], list[bytes]] = defaultdict(list)
        unusual = self._escaped(block)
        for needle, known in self._needles.items():
            size = len(needle)
            at = block.find(needle)
            while at >= 0:
                start = block.rfind(b"\n", 0, at) + 1
                end = block.find(b"\n", at)
                subject, _, predicate = block[start:at].partition(b" ")
                if predicate in known:
                    usual[known[predicate], block[at + size : end]].append(subject)
                else:
                    unusual.add(start)
                at = block.find(needle, end)
        return usual, unusual

    def _is_usual(self, line: bytes, match: re.Match[bytes]) -> bool:
        """Return whether a line was found already, and has a needle in its value besides.

        Only the first of the same needles in a line is looked at, so that time is linear.
        """
        needle = match[2][-_NEEDLE - 1 :]
        return (
            match[2] in self._predicates
            and line.startswith(match[1] + b" " + match[2])
            and line.find(needle) == match.end(2) - len(needle)
        )

    def _escaped(self, block: bytes) -> set[int]:
        """Return where lines begin whose predicate may be one of ours with escapes."""
        if b"\\" not in block or (b"\\u00" not in block and b"\\U0000" not in block):
            return set()
        starts = {
            block.rfind(b"\n", 0, found.start()) + 1 for found in _ASCII_ESCAPE.finditer(block)
        }
        matches = ((at, self._line.match(block, at, block.find(b"\n", at))) for at in starts)
        return {at for at, match in matches if match and b"\\" in match[2]}


def _places(block: bytes, line: bytes) -> list[int]:
    """Return where a line stands in a block."""
    line += b"\n"
    starts, at = [], block.find(line)
    while at >= 0:
        if at == 0 or block[at - 1 : at] == b"\n":
            starts.append(at)
        at = block.find(line, at + 1)
    return starts


def _odd_at_the_edges(block: bytes, lines: int) -> set[int]:
    """Return where lines begin that do not begin or not end as nearly all statements do."""
    begin = b"<", b"_"
    joints = block.count(b" .\n<")
    if joints < lines - 1:
        joints += block.count(b" .\n_")
    if joints == lines - 1 and block.startswith(begin) and block.endswith(b" .\n"):
        return set()
    odd, start = set(), 0
    for line in block.split(b"\n")[:-1]:
        if not (line.startswith(begin) and line.endswith(b" .")):
            odd.add(start)
        start += len(line) + 1
    return odd
