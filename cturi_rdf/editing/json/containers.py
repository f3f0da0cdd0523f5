"""Objects and arrays whose members or elements are added and removed."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.editing.edit import Piece
    from cturi_rdf.reading.json_scan import Scanned


_INDENT = re.compile(rb"[\r\n]([ \t]*)\Z")


class Style:
    """How a file is written: the space around names, values and elements."""

    def __init__(self, scanned: Scanned, line_end: bytes) -> None:
        self._scanned = scanned
        self._data = scanned.data
        self.line_end = line_end
        # One step of indentation: that of the first member or element.
        first = self.gap(1) if scanned.nexts[0] > 1 else b""
        step = _INDENT.search(first)
        self.step = step[1] if step else b""
        colon = re.search(rb'"[ \t]*:([ \t]*)["\[{0-9tfn-]', self._data[:65536])
        self.space = b" " if colon is None or colon[1] else b""

    def gap(self, child: int) -> bytes:
        """Return the space before a member or an element, behind the comma or the bracket."""
        start = self._scanned.key_start(child)
        begin = start
        while self._data[begin - 1 : begin] in {b" ", b"\t", b"\n", b"\r"}:
            begin -= 1
        return self._data[begin:start]

    def colon(self, child: int) -> bytes:
        """Return the text between the name of a member and its value."""
        scanned = self._scanned
        key = scanned.keys[child]
        end = scanned.key_start(child) + len(scanned.raw_names[key])
        between = self._data[end : scanned.starts[child]]
        return between if not between.strip(b": \t") else b":" + self.space

    def behind(self, container: int, child: int | None) -> bytes:
        """Return the space before a text behind a child, or in an empty container."""
        scanned = self._scanned
        if child is None:
            return b""
        first = container + 1
        if child != first:
            return self.gap(child)
        following = scanned.nexts[child]
        if following < scanned.nexts[container]:
            return self.gap(following)
        gap = self.gap(child)
        return gap if _INDENT.search(gap) else self.space


class Container:
    """The changes of one object or array."""

    __slots__ = ("_scanned", "_style", "added", "entry", "number", "removed")

    def __init__(self, scanned: Scanned, entry: int, style: Style, number: int) -> None:
        self._scanned = scanned
        self._style = style
        self.entry = entry
        self.number = number
        self.removed: set[int] = set()
        # The texts to write behind each child; the key None stands for the last child.
        self.added: dict[int | None, list[bytes]] = {}

    def is_emptied(self) -> bool:
        """Return whether all the old children go, and none is added."""
        children = set(self._scanned.children(self.entry))
        return bool(children) and children <= self.removed and not self.added

    def edits(self) -> Iterator[Piece]:
        """Yield the edits; afterwards there is a comma between every two children."""
        scanned, style = self._scanned, self._style
        children = list(scanned.children(self.entry))
        kept = [child for child in children if child not in self.removed]
        if not kept:
            yield self._filled(children)
            return
        # The text behind a removed child moves behind the kept child before it, or the first kept
        # one.
        anchors: dict[int, list[bytes]] = {}
        for child, texts in sorted(self.added.items(), key=lambda item: (item[0] is None, item[0])):
            place = bisect_right(kept, child) if child is not None else len(kept)
            anchors.setdefault(kept[max(place - 1, 0)], []).extend(texts)
        for child, texts in anchors.items():
            space = style.behind(self.entry, child)
            end = scanned.ends[child]
            yield end, end, b"".join(b"," + space + text for text in texts), self.number
        for before, child in pairwise(children):
            if before < kept[0]:
                start, end = scanned.key_start(before), scanned.key_start(child)
                yield start, end, b"", self.number
            elif child in self.removed:
                yield scanned.ends[before], scanned.ends[child], b"", self.number

    def _filled(self, children: list[int]) -> Piece:
        """Return the edit that replaces the whole content."""
        texts = [text for texts in self.added.values() for text in texts]
        scanned, style = self._scanned, self._style
        if children:
            start, end = scanned.key_start(children[0]), scanned.ends[children[-1]]
            space = style.behind(self.entry, children[0])
        else:
            start, end = scanned.starts[self.entry] + 1, scanned.ends[self.entry] - 1
            space = style.space
        return start, end, (b"," + space).join(texts), self.number
