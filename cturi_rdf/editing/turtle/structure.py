"""The verbs and objects of one subject, as they are punctuated."""

from __future__ import annotations

from typing import NamedTuple

from cturi_rdf.editing.turtle.tokens import space_end, term_end, verb_match


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
    depth, position, end = 0, start, start
    while position < len(data):
        token = data[position : position + 1]
        if data.startswith((b"{|", b"|}"), position):
            token = data[position : position + 2]
        if token in {b"[", b"(", b"{|"}:
            depth, end = depth + 1, position + len(token)
        elif depth and token in {b"]", b")", b"|}"}:
            depth, end = depth - 1, position + len(token)
        elif token == b"~" or (depth and token in {b";", b",", b"."}):
            end = position + 1
        elif token in {b";", b",", b".", b"]", b"}", b"|}", b""}:
            break
        else:
            # The verb "a" is one byte.
            end = max(term_end(data, position), position + 1)
        position = space_end(data, end)
    return end, position
