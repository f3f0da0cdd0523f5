"""How a file of RDF/XML is laid out: its line ends and its indentation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cturi_rdf.editing.rdfxml.places import tag_end

if TYPE_CHECKING:
    from cturi_rdf.editing.document import Document
    from cturi_rdf.editing.rdfxml.places import Root


_SPACE = re.compile(rb"\s*")


class Style:
    """The layout of a file: `line_end`, and `child`, the indentation of elements in rdf:RDF."""

    def __init__(self, document: Document, root: Root) -> None:
        self._document = document
        self.line_end = document.line_end
        self.child = self._child(root)

    def indentation(self, start: int) -> bytes:
        """Return the line end and the indentation of an element; nothing if it begins no line."""
        indent = self._document.data[self._document.line_start(start) : start]
        return b"" if indent.strip() else self.line_end + indent

    def _child(self, root: Root) -> bytes:
        data = self._document.data
        opened = tag_end(data, root.start)
        following = _SPACE.match(data, opened)
        if following is None or following.end() >= root.end:
            return b"  "
        lines = re.split(rb"[\r\n]", following[0])
        return lines[-1] if len(lines) > 1 else b"  "


def unit(indent: bytes) -> bytes:
    """Return the indentation of one more level."""
    return b"\t" if b"\t" in indent else b"  "
