"""Objects and arrays whose members or elements come and go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.edits.edit import Piece
    from cturi_rdf.io.json_scan import Scanned

__all__ = ["Container", "Style"]

_INDENT = re.compile(rb"[\r\n]([ \t]*)\Z")


class Style:
    """How a file is written: the space around names, values and elements."""

    def __init__(self, scanned: Scanned, line_end: bytes) -> None:
        self._scanned = scanned
        self._data = scanned.data
        self.line_end = line_end
        # A step of indentation: that of what is in the first object or array.
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
        """Return what stands between the name of a member and its value."""
        scanned = self._scanned
        key = scanned.keys[child]
        end = scanned.key_start(child) + len(scanned.raw_names[key])
        between = self._data[end : scanned.starts[child]]
        return between if not between.strip(b": \t") else b":" + self.space

    def behind(self, container: int, child: int | None) -> bytes:
        """Return the space before what is written behind a child, or into an empty container."""
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
        # What is written behind a child; behind the last one for None.
        self.added: dict[int | None, list[bytes]] = {}

    def is_emptied(self) -> bool:
        """Return whether nothing is left of what was there, and nothing added."""
        children = set(self._scanned.children(self.entry))
        return bool(children) and children <= self.removed and not self.added

    def edits(self) -> Iterator[Piece]:
        """Yield the edits: commas stand between what is there afterwards."""
        scanned, style = self._scanned, self._style
        children = list(scanned.children(self.entry))
        kept = [child for child in children if child not in self.removed]
        added = {child: list(texts) for child, texts in self.added.items()}
        if not kept:
            yield self._filled([text for texts in added.values() for text in texts], children)
            return
        # What stood behind a child that goes stands behind the one before, or the first kept.
        anchors: dict[int, list[bytes]] = {}
        for child, texts in sorted(added.items(), key=lambda item: (item[0] is None, item[0])):
            before = [one for one in kept if child is None or one <= child]
            anchors.setdefault(before[-1] if before else kept[0], []).extend(texts)
        for child, texts in anchors.items():
            space = style.behind(self.entry, child)
            end = scanned.ends[child]
            yield end, end, b"".join(b"," + space + text for text in texts), self.number
        previous = None
        for child, following in zip(children, [*children[1:], None], strict=True):
            if child in self.removed:
                if previous is not None:
                    yield scanned.ends[previous], scanned.ends[child], b"", self.number
                elif following is not None:
                    start = scanned.key_start(child)
                    yield start, scanned.key_start(following), b"", self.number
            if child not in self.removed or previous is not None:
                previous = child

    def _filled(self, texts: list[bytes], children: list[int]) -> Piece:
        """Return the edit that replaces all that is in it."""
        scanned, style = self._scanned, self._style
        if children:
            start, end = scanned.key_start(children[0]), scanned.ends[children[-1]]
            space = style.behind(self.entry, children[0])
        else:
            start, end = scanned.starts[self.entry] + 1, scanned.ends[self.entry] - 1
            space = style.space
        return start, end, (b"," + space).join(texts), self.number
