"""Marks: the numbers of tokens, written into a text so that its terms bring them along.

Oxigraph reads a file; a second text has a mark at the end of each token that may become a term.
Both readings give the same quads in the same order, so the terms of the second one tell where
those of the first one stand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

if TYPE_CHECKING:
    from collections.abc import Iterator


# The first character that is tried: one that may stand in IRIs, labels of nodes and names of XML.
_FIRST = 0xE1000
# References that a mark would change, unless it is a fragment: dots, or nothing, at the end of a
# path, and a port.
NEEDS_FRAGMENT = re.compile(r"(?:[^#]*/)?\.{0,2}|(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*")


class Homes:
    """Where each node stands in a text: the numbers of the elements or objects that are it."""

    def __init__(self) -> None:
        # Most nodes have one, and numbers cost the garbage collector nothing.
        self._first: dict[Any, int] = {}
        self._more: dict[Any, list[int]] = {}

    def add(self, node: Any, number: int) -> None:
        """Add a place of a node."""
        if self._first.setdefault(node, number) != number:
            self._more.setdefault(node, []).append(number)

    def of(self, node: Any) -> Iterator[int]:
        """Yield the places of a node."""
        first = self._first.get(node)
        if first is not None:
            yield first
            yield from self._more.get(node, ())


class Terms:
    """The terms of statements, each kept once: a quad makes them anew each time it is asked."""

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}

    def of(self, quad: ox.Quad) -> tuple[Any, Any, Any, Any]:
        """Return the terms of a quad, as a statement has them."""
        keep = self._kept.setdefault
        terms = quad.graph_name, quad.subject, quad.predicate, quad.object
        graph, subject, predicate, value = terms
        return keep(graph, graph), keep(subject, subject), keep(predicate, predicate), value


class Sign:
    """The character that begins the marks in one text, which does not have it; a number follows."""

    def __init__(self, text: bytes) -> None:
        code = _FIRST
        while chr(code).encode() in text:
            code += 1
        self.character = chr(code)

    def number(self, term: Any) -> int | None:
        """Return the number at the end of a term."""
        if isinstance(term, ox.NamedNode | ox.Literal | ox.BlankNode):
            _, sign, number = term.value.rpartition(self.character)
            return int(number) if sign and number.isdecimal() else None
        return None

    def numbers(self, quad: ox.Quad | None) -> set[int]:
        """Return the numbers at the ends of the terms of a quad."""
        terms = (quad.subject, quad.object, quad.graph_name) if quad else ()
        return {number for term in terms if (number := self.number(term)) is not None}

    def is_same(self, marked: Any, term: Any) -> bool:
        """Return whether two terms are the same, apart from marks and the names of nodes."""
        if marked == term:
            return True
        if type(marked) is not type(term):
            return False
        if isinstance(term, ox.BlankNode | ox.DefaultGraph):
            return True
        if isinstance(term, ox.Triple):
            return all(map(self.is_same, marked, term))
        if isinstance(term, ox.Literal) and (
            (marked.datatype, marked.language) != (term.datatype, term.language)
        ):
            return False
        before, sign, _ = marked.value.rpartition(self.character)
        return bool(sign) and term.value in {before, before.removesuffix("#")}
