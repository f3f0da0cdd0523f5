"""What is told of the labels of a catalogue, whether it was read as a graph or as a stream."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from cturi_rdf.io.relative_iri import relative

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

__all__ = ["Summary", "Unresolved"]


class Unresolved(ABC):
    """A text that did not get a node: how often it stands, where, and the reason."""

    __slots__ = ()

    text: str
    reason: str

    @property
    @abstractmethod
    def count(self) -> int:
        """How often the text was found."""

    @abstractmethod
    def places(self) -> Iterator[tuple[Any, Any]]:
        """Yield resources and properties."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "label": self.text,
            "count": self.count,
            "reason": self.reason,
            "where": [
                {"resource": relative(str(resource)), "property": str(predicate)}
                for resource, predicate in self.places()
            ],
        }


class Summary(ABC):
    """The counts of labels, and the labels that got no node.

    The three counts `resolved`, `services` and `not_understood` add up to `labels`.
    """

    labels: int
    resolved: int
    services: int
    not_understood: int
    resources: int
    content_types: AbstractSet[object]

    @abstractmethod
    def groups(self, *, services: bool = False) -> Sequence[Unresolved]:
        """Return what got no node, the most frequent text first; or only the services."""

    def counts(self) -> dict[str, Any]:
        """Return the counts by name."""
        names = ("labels", "resolved", "not_understood", "services", "resources")
        return {name: getattr(self, name) for name in names}

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON has it: the counts, and the lists behind them."""
        return {
            **self.counts(),
            "not_understood_labels": [group.to_json() for group in self.groups()],
            "service_labels": [group.to_json() for group in self.groups(services=True)],
        }
