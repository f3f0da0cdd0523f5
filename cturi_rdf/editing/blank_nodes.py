"""Blank nodes in two readings of one text, paired by where they stand."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.reading.terms import is_random

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# How many pairs of anonymous blank nodes are remembered; those met longest ago go first.
_REMEMBERED = 50_000


class Recent:
    """A mapping that drops the keys that were looked up longest ago."""

    def __init__(self) -> None:
        self._new: dict[str, str] = {}
        self._old: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        """Return the value of a key, or None."""
        value = self._new.get(key)
        if value is None and (value := self._old.get(key)) is not None:
            self[key] = value
        return value

    def __setitem__(self, key: str, value: str) -> None:
        if len(self._new) >= _REMEMBERED:
            self._old, self._new = self._new, {}
        self._new[key] = value


class Pairs:
    """The pairs of blank nodes of two readings that were met so far.

    A node with a label has the same label in both; `is_anonymous` tells whether a label was made up
    in one reading.
    """

    def __init__(self, is_anonymous: Callable[[str], bool] = is_random) -> None:
        self._is_anonymous = is_anonymous
        self.there = Recent()
        self.back = Recent()

    def match(self, one: ox.Quad, other: ox.Quad) -> bool:
        """Return whether two quads are the same; if so, remember the pairs of blank nodes."""
        if one.predicate != other.predicate:
            return False
        fresh: dict[str, str] = {}
        for here, there in (
            (one.subject, other.subject),
            (one.object, other.object),
            (one.graph_name, other.graph_name),
        ):
            if here != there and not self._match(here, there, fresh):
                return False
        for label, partner in fresh.items():
            self.there[label] = partner
            self.back[partner] = label
        return True

    def _match(self, one: object, other: object, fresh: dict[str, str]) -> bool:
        if isinstance(one, ox.BlankNode) and isinstance(other, ox.BlankNode):
            here, there = one.value, other.value
            partner = self.there.get(here) or fresh.get(here)
            if partner is not None:
                return partner == there
            if there in fresh.values() or self.back.get(there) is not None:
                return False
            fresh[here] = there
            return self._is_anonymous(here) and self._is_anonymous(there)
        if isinstance(one, ox.Triple) and isinstance(other, ox.Triple):
            return all(map(self._match, one, other, repeat(fresh)))
        return one == other


def is_plain(quad: ox.Quad) -> bool:
    """Return whether a quad has no blank nodes."""
    return (
        isinstance(quad.subject, ox.NamedNode)
        and isinstance(quad.object, ox.NamedNode | ox.Literal)
        and not isinstance(quad.graph_name, ox.BlankNode)
    )


def labels_of(quad: ox.Quad) -> Iterator[str]:
    """Yield the labels of the blank nodes of a quad."""
    for term in (quad.subject, quad.object, quad.graph_name):
        yield from labels_of_term(term)


def labels_of_term(term: object) -> Iterator[str]:
    """Yield the labels of the blank nodes of a term."""
    if isinstance(term, ox.BlankNode):
        yield term.value
    elif isinstance(term, ox.Triple):
        yield from labels_of_term(term.subject)
        yield from labels_of_term(term.object)


def _relabelled(term: Any, labels: Recent) -> Any:
    """Return a term with the labels of another reading."""
    if isinstance(term, ox.BlankNode):
        return ox.BlankNode(labels.get(term.value) or term.value)
    if isinstance(term, ox.Triple):
        return ox.Triple(*(_relabelled(part, labels) for part in term))
    return term


def relabel(quad: ox.Quad, labels: Recent) -> ox.Quad:
    """Return a quad with the labels of another reading, as far as they are known."""
    return quad if is_plain(quad) else ox.Quad(*(_relabelled(term, labels) for term in quad))
