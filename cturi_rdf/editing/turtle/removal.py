"""The verbs and objects of one subject, as they are punctuated, and the removal of some."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.editing.turtle.terms import (
    BLANK_TOKEN,
    COMMA,
    PAIR,
    SEMICOLON,
    SPACE,
    space_end,
    tokens,
    verb_match,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.editing.document import Document
    from cturi_rdf.editing.edit import Piece


class Verb(NamedTuple):
    """A verb and the spans of its objects, annotations included.

    `semicolon` is where the semicolon behind it is, -1 without one.
    """

    start: int
    end: int
    objects: list[tuple[int, int]]
    semicolon: int

    @property
    def stop(self) -> int:
        """Where its last object ends."""
        return self.objects[-1][1]


def verbs_of(data: bytes, first: int) -> tuple[list[Verb], int]:
    """Return the verbs of a subject from the first one on, and the offset of the token after them.

    >>> verbs, end = verbs_of(b'<s> <p> "a" , [ <q> <r> ] ; a <T> .', 4)
    >>> [(verb.start, verb.objects) for verb in verbs], end
    ([(4, [(8, 11), (14, 25)]), (28, [(30, 33)])], 34)
    """
    verbs: list[Verb] = []
    position = first
    while True:
        while data[position : position + 1] == b";":
            position = space_end(data, position + 1)
        # Most verbs have one object of one token.
        pair = PAIR.match(data, position)
        if pair and pair.lastindex != COMMA:
            is_last = pair.lastindex != SEMICOLON
            semicolon = -1 if is_last else pair.start(SEMICOLON)
            verbs.append(Verb(*pair.span(1), [pair.span(2)], semicolon))
            if is_last:
                return verbs, pair.start(pair.lastindex or 0)
            position = pair.end()
            continue
        match = verb_match(data, position)
        if match is None:
            return verbs, position
        objects = []
        start = match.end()
        while True:
            end, position = _object_end(data, start)
            objects.append((start, end))
            if data[position : position + 1] != b",":
                break
            start = space_end(data, position + 1)
        semicolon = position if data[position : position + 1] == b";" else -1
        verbs.append(Verb(match.start(), match.end(1), objects, semicolon))


def _object_end(data: bytes, start: int) -> tuple[int, int]:
    """Return the end of an object with its annotations, and where the next token begins."""
    last = start
    for begin, end, depth in tokens(data, start):
        if depth < 0 or (not depth and data[begin:end] in _DELIMITERS):
            return last, begin
        last = end
    return last, len(data)


_DELIMITERS = frozenset({b";", b",", b".", b"}"})
_REST = re.compile(rb"[ \t]*(?:\r\n?|\n)")
_SPACES = re.compile(rb"[ \t\r\n]*")
_ONE_MORE = re.compile(SPACE.pattern + b";")


def without_one(document: Document, start: int, number: int) -> list[Piece]:
    """Return the edits that remove a verb with one object of one token, if another verb follows.

    Most removals are of this kind, and are told without a look at the other verbs.
    """
    pair = PAIR.match(document.data, start)
    if pair is None or not pair[SEMICOLON] or not verb_match(document.data, pair.end()):
        return []
    verb = Verb(*pair.span(1), [pair.span(2)], pair.start(SEMICOLON))
    return list(_verb(document, verb, number))


def list_without(
    document: Document,
    subject: int,
    first: int,
    removed: dict[int, int],
    texts: dict[int, tuple[bytes, int]],
) -> tuple[list[Piece], set[int]]:
    """Return the edits that remove objects, and the verbs that keep an object.

    `subject` and `first` are where the subject and its first verb begin.  `removed` has the starts
    of the objects and the numbers of their changes, `texts` has the text to add beside each verb;
    it takes the place of a removed verb.
    """
    verbs, end = verbs_of(document.data, first)
    kept = {verb.start for verb in verbs if any(start not in removed for start, _ in verb.objects)}
    staying = [verb for verb in verbs if verb.start in kept or verb.start in texts]
    edits: list[Piece] = []
    for verb in verbs:
        if verb.start in kept:
            edits += _objects(verb, removed)
        elif verb.start in texts:
            text, number = texts[verb.start]
            edits.append((verb.start, verb.stop, text, number))
    if staying:
        last = staying[-1]
        behind = [verb for verb in verbs if verb.start > last.start]
        if behind and behind[-1].semicolon == -1:
            edits += _last_verbs(document, last, behind, removed[behind[0].objects[0][0]])
        else:
            behind = []
        reached = 0
        done = {verb.start for verb in (*staying, *behind)}
        for verb in (verb for verb in verbs if verb.start not in done):
            for start, end, text, number in _verb(document, verb, removed[verb.objects[0][0]]):
                # The one before may have taken the indentation.
                edits.append((max(start, reached), end, text, number))
                reached = end
    else:
        number = next(iter(removed.values()))
        edits.append((*_all(document, subject, verbs, end), b"", number))
    return edits, kept


def _objects(verb: Verb, removed: dict[int, int]) -> Iterator[Piece]:
    """Yield the edits that remove some of the objects of a verb, with their commas."""
    before = None
    pairs = zip(verb.objects, [*verb.objects[1:], None], strict=True)
    for (start, end), after in pairs:
        if start not in removed:
            before = end
        elif before is not None:
            yield before, end, b"", removed[start]
            before = end
        elif after is not None:
            yield start, after[0], b"", removed[start]


def _verb(document: Document, verb: Verb, number: int) -> Iterator[Piece]:
    """Yield the edits that remove a verb and its semicolons, with the lines that it has to itself.

    Turtle allows no semicolon before the first verb (section 6.5, predicateObjectList).
    """
    data = document.data
    line, end = document.line_start(verb.start), max(verb.semicolon + 1, verb.stop)
    rest = _REST.match(data, end)
    if verb.semicolon != -1 and rest and not data[line : verb.start].strip():
        end = rest.end()
        yield line, end, b"", number
    else:
        if verb.semicolon != -1:
            end = _SPACES.match(data, end).end()  # type: ignore[union-attr] # it may be empty
        yield verb.start, end, b"", number
    while verb.semicolon != -1 and (again := _ONE_MORE.match(data, end)):
        end = again.end()
        yield end - 1, end, b"", number


def _last_verbs(document: Document, last: Verb, going: list[Verb], number: int) -> Iterator[Piece]:
    """Yield the edits that remove the verbs behind the last one that stays.

    The last of them has no semicolon, and the semicolon of the one that stays is removed too.
    """
    gaps = (document.data[one.stop : other.start] for one, other in pairwise([last, *going]))
    if not any(b"#" in gap for gap in gaps):
        yield last.stop, going[-1].stop, b"", number
        return
    yield last.semicolon, last.semicolon + 1, b"", number
    for verb in going:
        yield from _verb(document, verb, number)


def _all(document: Document, subject: int, verbs: list[Verb], end: int) -> tuple[int, int]:
    """Return the span to remove where no statement of a subject stays."""
    data = document.data
    if data.startswith(b"|}", end):
        raise document.refusal("an annotation cannot lose all its statements", verbs[0].start)
    # Semicolons at the end go as well.
    first, last = verbs[0].start, verbs[-1].stop if verbs[-1].semicolon == -1 else end
    opens = data[subject : subject + 1]
    close = end
    if opens == b"[" and space_end(data, subject + 1) == first:
        close = space_end(data, end + 1)
        if data[close : close + 1] != b"." or not _begins(document, subject):
            return first, end
    elif data.startswith((b"<<", b"(", b"{"), subject) or (
        opens == b"[" and not BLANK_TOKEN.match(data, subject)
    ):
        # The statements inside the subject itself stay.
        return first, last
    if data[close : close + 1] != b".":
        return subject, last
    line, close = document.line_start(subject), close + 1
    rest = _REST.match(data, close)
    if rest is None or data[line:subject].strip():
        return subject, close
    close = rest.end()
    if close == len(data) or _REST.match(data, close):
        # Of the empty lines around it, those before it go as well.
        while line and not data[(before := document.line_start(line - 1)) : line].strip():
            line = before
    return line, close


def _begins(document: Document, offset: int) -> bool:
    """Return whether a statement begins at an offset, not an object."""
    line = document.line_start(offset)
    before = document.data[line:offset].strip()
    while line and (not before or before.startswith(b"#")):
        start = document.line_start(line - 1)
        before, line = document.data[start:line].strip(), start
    return before.startswith(b"#") or before[-1:] in {b"", b".", b"{", b"}"}
