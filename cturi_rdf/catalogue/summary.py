"""The summary of the labels of a catalogue, read as a graph or as a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.display import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet
    from typing import Literal, Protocol

    from cturi_rdf.labels import Resolution

    Kind = Literal["likely", "service", "not_understood"]

    class Unresolved(Protocol):
        """A label that got no node, or got it by a guess."""

        def to_json(self) -> dict[str, Any]:
            """Return the text, how often and where it occurs, and the reason."""


def kind_of(resolution: Resolution) -> Kind | None:
    """Return the list of a report that a label belongs to; None where its type is certain."""
    if resolution.named:
        return "likely" if resolution.confidence == "likely" else None
    return "service" if resolution.verdict == "service" else "not_understood"


class Summary(ABC):
    """The counts of labels, and the labels that need a look.

    The three counts `resolved`, `services` and `not_understood` add up to `labels`; `likely` counts
    the resolved labels whose meaning is a guess.
    """

    labels: int
    resolved: int
    likely: int
    services: int
    not_understood: int
    resources: int
    # Whether there are more resources than were counted.
    at_least = False
    content_types: AbstractSet[object]

    @abstractmethod
    def groups(self, kind: Kind = "not_understood") -> Sequence[Unresolved]:
        """Return the labels of a kind, the most frequent text first."""

    def counts(self) -> dict[str, Any]:
        """Return the counts by name."""
        names = ("labels", "resolved", "likely", "not_understood", "services", "resources")
        return {name: getattr(self, name) for name in names}

    @property
    def summary(self) -> str:
        """The counts on one line."""
        return (
            f"{self.extent}, {self.resolved} resolved, {counted(self.services, 'service')},"
            f" {self.not_understood} not understood"
        )

    @property
    def extent(self) -> str:
        """The numbers of labels and of resources in words."""
        least = "at least " if self.at_least else ""
        return f"{counted(self.labels, 'label')} on {least}{counted(self.resources, 'resource')}"

    def to_json(self) -> dict[str, Any]:
        """Return the counts, and the lists behind them."""
        return {
            **self.counts(),
            "not_understood_labels": [group.to_json() for group in self.groups()],
            "service_labels": [group.to_json() for group in self.groups("service")],
            "likely_labels": [group.to_json() for group in self.groups("likely")],
        }
