"""The report on a file: counts, and the beginnings of the lists behind them."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf._util.display import counted
from cturi_rdf.catalogue.summary import Summary, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.catalogue.summary import Kind
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.rdf.label_statements import Understood


# A file may be of any size, so only so many texts are kept, and so many places of each.
_TEXTS, MOST_PLACES = 10_000, 10
# How many resources are counted one by one; a larger count says "at least".
_RESOURCES = 200_000


class Place(NamedTuple):
    """Where a label stands: its resource, its property, and its place in the file if known.

    `resource` is an IRI as its author wrote it, or the name of a blank node.
    """

    resource: str
    property: str
    line: int | None = None
    column: int | None = None


class IllTyped(NamedTuple):
    """How many literals are ill-typed; the first of them, in N-Triples, and its place."""

    number: int
    literal: str
    first: Place

    def to_json(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return {"count": self.number, "literal": self.literal, "first": _place_to_json(self.first)}


class UnresolvedLabel:
    """A text that got no node, or got it by a guess, with the first places where it stands."""

    __slots__ = ("_places", "content_types", "count", "reason", "text")

    def __init__(self, text: str, reason: str, content_types: tuple[ContentType, ...] = ()) -> None:
        self.text = text
        self.reason = reason
        self.content_types = content_types
        self.count = 0
        self._places: list[Place] = []

    def add(self, places: Iterable[Place], number: int) -> None:
        """Count a number of labels, `places` the first of them."""
        self.count += number
        self._places += islice(places, MOST_PLACES - len(self._places))

    @property
    def first(self) -> Place:
        """The first place."""
        return self._places[0]

    def to_json(self) -> dict[str, Any]:
        """Return the text, how often and where it occurs, and the reason."""
        return {
            "label": self.text,
            "count": self.count,
            "reason": self.reason,
            "where": [_place_to_json(place) for place in self._places],
        }


def _place_to_json(place: Place) -> dict[str, Any]:
    blank = place.resource.startswith("_:")
    where: dict[str, Any] = {"resource": None if blank else place.resource}
    where["property"] = place.property
    if place.line is not None:
        where |= {"line": place.line, "column": place.column}
    return where


class FileReport(Summary):
    """The labels of a file, and the changes to it.

    `added` and `replaced` count links, `lines` those of N-Triples and N-Quads.
    """

    def __init__(self) -> None:
        self.labels = self.resolved = self.likely = 0
        self.services = self.not_understood = self.resources = 0
        self.added = self.replaced = 0
        self.lines = 0
        # The lines and columns of halves of characters, which read as U+FFFD.
        self.halves: list[tuple[int, int]] = []
        # The languages that were left out because they are no language tags.
        self.languages: set[str] = set()
        self.ill_typed: IllTyped | None = None
        # The IRIs that the written syntax cannot hold, and that are percent-encoded in it.
        self.encoded: set[str] = set()
        # The graphs that the written syntax cannot hold, and that became one.
        self.merged: set[str] = set()
        self.content_types: set[ContentType] = set()
        self._groups: dict[Kind, dict[str, UnresolvedLabel]] = defaultdict(dict)
        self._resources: set[bytes] = set()

    def count_resources(self, names: set[bytes]) -> None:
        """Count the resources with some names, each resource once."""
        if self.at_least:
            return
        self._resources |= names
        self.at_least = len(self._resources) > _RESOURCES
        self.resources = min(len(self._resources), _RESOURCES)
        if self.at_least:
            self._resources.clear()

    def count(self, understood: Understood, number: int, places: Iterable[Place]) -> None:
        """Count a label that stands in a number of places, of which only the first are taken."""
        self.labels += number
        if understood.content_types:
            self.resolved += number
            if len(self.content_types) < _TEXTS:
                self.content_types.update(understood.content_types)
        kind = kind_of(understood.resolution)
        if kind is None:
            return
        self.likely += number * (kind == "likely")
        self.services += number * (kind == "service")
        self.not_understood += number * (kind == "not_understood")
        groups = self._groups[kind]
        group = groups.get(understood.text)
        if group is None:
            if len(groups) >= _TEXTS:
                return
            group = UnresolvedLabel(
                understood.text, understood.resolution.reason, understood.content_types
            )
            groups[understood.text] = group
        group.add(places, number)

    def place(self, understood: Understood, places: Iterable[Place]) -> None:
        """Add the places of a label that has been counted."""
        kind = kind_of(understood.resolution)
        group = self._groups[kind].get(understood.text) if kind else None
        if group:
            group.add(places, 0)

    def groups(self, kind: Kind = "not_understood") -> list[UnresolvedLabel]:
        """Return the labels of a kind, the most frequent text first."""
        return sorted(self._groups[kind].values(), key=lambda group: -group.count)

    def counts(self) -> dict[str, Any]:
        """Return the counts by name."""
        return {
            **super().counts(),
            "resources_at_least": self.at_least,
            "links_added": self.added,
            "links_replaced": self.replaced,
            "halves_of_characters": [
                {"line": line, "column": column} for line, column in self.halves[:MOST_PLACES]
            ],
            "languages_left_out": sorted(self.languages),
            "graphs_merged": sorted(self.merged),
            "ill_typed_literals": self.ill_typed and self.ill_typed.to_json(),
        }

    def __repr__(self) -> str:
        return f"<FileReport: {self.summary}, {counted(self.added, 'link')} added>"
