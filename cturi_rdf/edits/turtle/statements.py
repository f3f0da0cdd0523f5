"""The statements of a Turtle file, made of their places when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

import pyoxigraph as ox

from cturi_rdf.edits.document import Statement
from cturi_rdf.edits.turtle.tokens import VERB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.edits.turtle.scan import Places
    from cturi_rdf.edits.turtle.terms import Terms

__all__ = ["Place", "Statements"]

_DEFAULT = ox.DefaultGraph()


class Place(NamedTuple):
    """Where the parts of a statement begin: its graph, its subject, its verb.

    `graph` is -1 for the default graph.  `first` is where the first verb of the same subject
    begins, `stop` where the last object of the same verb ends.
    """

    graph: int
    subject: int
    first: int
    verb: int
    stop: int


class Statements(Sequence[Statement]):
    """The statements at some places."""

    def __init__(self, places: Places, terms: Terms, data: bytes) -> None:
        self._places = places
        self._terms = terms
        self._data = data

    def __len__(self) -> int:
        return len(self._places.starts)

    @overload
    def __getitem__(self, index: int) -> Statement: ...
    @overload
    def __getitem__(self, index: slice) -> list[Statement]: ...
    def __getitem__(self, index: int | slice) -> Statement | list[Statement]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        places, terms = self._places, self._terms
        place = Place(
            places.graphs[index],
            places.subjects[index],
            places.lists[index],
            places.verbs[index],
            places.stops[index],
        )
        start, end = places.starts[index], places.ends[index]
        verb = VERB.match(self._data, place.verb)
        return Statement(
            terms.node(place.graph) if place.graph >= 0 else _DEFAULT,
            terms.node(place.subject),
            terms.verb(verb[1] if verb else b"", place.verb),
            terms.value(start, end),
            start,
            end,
            place,
        )

    def __iter__(self) -> Iterator[Statement]:
        return (self[i] for i in range(len(self)))
