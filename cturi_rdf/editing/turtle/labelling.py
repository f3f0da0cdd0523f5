"""Labels for anonymous blank nodes of Turtle, which take them out of their brackets.

`s p [ q r ] .` becomes `s p _:b1 .` and, behind that statement, `_:b1 q r .`; the text in the
brackets moves as it is, with its comments.  A collection becomes its cells.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.edit import Edit
from cturi_rdf.editing.located_graph import FIRST, NIL, REST, free_labels
from cturi_rdf.editing.turtle.style import Spelling, Style
from cturi_rdf.editing.turtle.tokens import space_end, term_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cturi_rdf.editing.document import Statement
    from cturi_rdf.editing.located_graph import Node
    from cturi_rdf.editing.turtle import TurtleDocument


# From a dot to the end of its line; only a comment may be in between.
_REST = re.compile(rb"[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n)")


def label_nodes(
    document: TurtleDocument, homes: Mapping[Node, Statement], nodes: Iterable[Node]
) -> list[Edit]:
    """Return the edits that give the outermost of some anonymous nodes a label.

    Raises `EditError` for the node of an annotation.
    """
    return _Labelling(document, homes).edits(nodes)


class _Labelling:
    """One run: the edits in the order of the text, and what comes behind each statement."""

    def __init__(self, document: TurtleDocument, homes: Mapping[Node, Statement]) -> None:
        self._document = document
        self._data = document.data
        self._homes = homes
        self._labels = (label.encode() for label in free_labels(document))
        self._edits: list[Edit] = []
        # New statements, by where the one before them ends and the place of its dot or brace.
        self._behind: dict[tuple[int, int], list[bytes]] = {}
        self._spelling = Spelling(
            document.terms, document.name, declares=False, size=len(document.data)
        )

    def edits(self, nodes: Iterable[Node]) -> list[Edit]:
        """Return the edits."""
        reached = -1
        anonymous = (node for node in nodes if isinstance(node, ox.BlankNode))
        for start in sorted(map(self._document.terms.offset, anonymous)):
            if start < reached:
                continue
            if self._data[start : start + 1] not in {b"[", b"("}:
                raise self._document.refusal("a blank node cannot be given a label there", start)
            reached = skip_brackets(self._data, start)
            is_subject = all(home.start != start for home in self._homes.values())
            if self._data.startswith(b"(", start):
                self._collection(start, reached)
            elif is_subject:
                self._subject(start, reached)
            else:
                self._object(start, reached)
        for (last, place), texts in self._behind.items():
            self._edits += self._statements(last, place, texts)
        return sorted(self._edits, key=lambda edit: (edit.start, edit.end))

    def _subject(self, start: int, end: int) -> None:
        """Put a label before what a subject in brackets says."""
        label, data = next(self._labels), self._data
        self._edits.append(Edit(start, start + 1, label + b" "))
        inside = space_end(data, start + 1) < end - 1
        following = data[space_end(data, end) :][:1]
        self._edits.append(Edit(end - 1, end, b";" if inside and following != b"." else b""))

    def _object(self, start: int, end: int) -> None:
        """Put a label in the place of brackets, and what they hold behind the statement."""
        label, inner = next(self._labels), self._data[start + 1 : end - 1]
        if space_end(self._data, start + 1) == end - 1:
            self._edits += [Edit(start, start + 1, label), Edit(end - 1, end, b"")]
            return
        self._edits.append(Edit(start, end, label))
        self._put(end, b"%b %b" % (label, inner.strip()))

    def _collection(self, start: int, end: int) -> None:
        """Put a label in the place of round brackets, and the cells behind the statement."""
        spelling = self._spelling.at(start)
        items = self._document.collections.by_head[self._document.terms.node(start)].items
        labels = [next(self._labels) for _ in items]
        rests = [*labels[1:], spelling.term(NIL)]
        ends = [item.start for item in items[1:]] + [end - 1]
        self._edits.append(Edit(start, end, labels[0]))
        for label, item, stop, rest in zip(labels, items, ends, rests, strict=True):
            first, second = spelling.verb(FIRST), spelling.verb(REST)
            texts = label, second, rest, first, self._data[item.start : stop].strip()
            self._put(end, b"%b %b %b ; %b %b" % texts)

    def _put(self, end: int, text: bytes) -> None:
        self._behind.setdefault(_statement_end(self._data, end), []).append(text)

    def _statements(self, last: int, place: int, texts: list[bytes]) -> Iterator[Edit]:
        """Yield the edits that write statements behind another one."""
        data, line_end = self._data, self._document.line_end
        is_inside = any(
            0 <= name < place <= brace for name, brace, _ in self._document.places.blocks
        )
        indent = Style(self._document).indentation if is_inside else b""
        # A text may end in a comment.
        ends = (line_end if b"#" in text[_last_end(text) :] else b" " for text in texts)
        whole = [text + end + b"." for text, end in zip(texts, ends, strict=True)]
        if data[place : place + 1] != b".":
            # The last statement of a graph needs no dot.
            whole[-1] = whole[-1].removesuffix(b".")
            yield Edit(last, last, b" ." + b"".join(b" " + text for text in whole))
        elif rest := _REST.match(data, place + 1):
            lines = b"".join(indent + text + line_end for text in whole)
            yield Edit(rest.end(), rest.end(), lines)
        else:
            lines = b"".join(line_end + indent + text for text in whole)
            yield Edit(place + 1, place + 1, lines)


def skip_brackets(data: bytes, start: int) -> int:
    """Return the end of the brackets that begin at an offset.

    >>> skip_brackets(b"[ a [] ; b ( <c> ']' ) ] .", 0)
    24
    """
    depth, position = 0, start
    while position < len(data):
        token = data[position : position + 1]
        position = _token_end(data, position)
        depth += (token in {b"[", b"("}) - (token in {b"]", b")"})
        if not depth:
            break
        position = space_end(data, position)
    return position


def _token_end(data: bytes, start: int) -> int:
    if data.startswith((b"{|", b"|}"), start):
        return start + 2
    # A verb "a", a bracket and a comma are one byte.
    is_bracket = data[start : start + 1] in {b"[", b"]"}
    return start + 1 if is_bracket else max(term_end(data, start), start + 1)


def _statement_end(data: bytes, start: int) -> tuple[int, int]:
    r"""Return where a statement ends, and the place of the dot or the brace after it.

    >>> _statement_end(b"<a> <b> 1.5 , <c> # d\n .", 3)
    (17, 23)
    """
    last, position = start, space_end(data, start)
    while position < len(data) and not (
        data[position : position + 1] == b"}"
        or (data[position : position + 1] == b"." and term_end(data, position) < 0)
    ):
        last = _token_end(data, position)
        position = space_end(data, last)
    return last, position


def _last_end(text: bytes) -> int:
    """Return where the last token of some statements ends."""
    last = position = space_end(text, 0)
    while position < len(text):
        last = _token_end(text, position)
        position = space_end(text, last)
    return last
