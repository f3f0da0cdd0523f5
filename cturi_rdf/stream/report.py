"""What was found in a stream: counts, and of the lists behind them the beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cturi_rdf._util.display import counted
from cturi_rdf.io.ntriples import text_of
from cturi_rdf.rdf.summary import Summary, Unresolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cturi_rdf.stream.effect import Meaning

__all__ = ["First", "LinesReport"]

# Of what a stream may have without end, so much is kept.
_TEXTS, _PLACES, _LINES = 10_000, 10, 1_000
# So many resources are counted one by one; of more, the count says "at least".
_RESOURCES = 200_000


class First(Unresolved):
    """A text that did not get a node, with the first places where it stands."""

    __slots__ = ("_count", "_places", "reason", "service", "text")

    def __init__(self, text: str, reason: str, *, service: bool) -> None:
        self.text = text
        self.reason = reason
        self.service = service
        self._count = 0
        self._places: list[tuple[str, str]] = []

    @property
    def count(self) -> int:
        """How often it was found."""
        return self._count

    def add(self, subjects: Sequence[bytes], predicate: bytes, number: int) -> None:
        """Count a number of resources, `subjects` the first of them."""
        self._count += number
        room = _PLACES - len(self._places)
        self._places += [(text_of(each), text_of(predicate)) for each in subjects[:room]]

    def places(self) -> Iterator[tuple[str, str]]:
        """Yield the first resources, each with the property."""
        return iter(self._places)


class LinesReport(Summary):
    """What `annotate_lines` found: the counts of a graph's report, and the malformed lines."""

    def __init__(self) -> None:
        self.labels = self.resolved = self.services = self.not_understood = self.resources = 0
        # Whether there are more resources than were counted.
        self.at_least = False
        self.lines = self.malformed = 0
        self.malformed_lines: list[int] = []
        self.content_types: set[str] = set()
        self._groups: dict[tuple[str, bool], First] = {}
        self._subjects: set[bytes] = set()

    def count_resources(self, subjects: bytes) -> None:
        """Count the resources on lines, each once however often it comes."""
        if not self.at_least:
            self._subjects.update(subjects.splitlines())
            self.at_least = len(self._subjects) > _RESOURCES
            self.resources = min(len(self._subjects), _RESOURCES)

    def count(self, meaning: Meaning, predicate: bytes, subjects: bytes, number: int) -> None:
        """Count a label that stands on a number of resources, each with a line feed."""
        self.labels += number
        if meaning.verdict == "resolved":
            self.resolved += number
            if len(self.content_types) < _TEXTS:
                self.content_types.update(meaning.types)
            return
        service = meaning.verdict == "service"
        if service:
            self.services += number
        else:
            self.not_understood += number
        group = self._groups.get((meaning.text, service))
        if group is None:
            if len(self._groups) >= _TEXTS:
                return
            group = First(meaning.text, meaning.reason, service=service)
            self._groups[meaning.text, service] = group
        group.add(subjects.split(b"\n", _PLACES)[:-1], predicate, number)

    def count_lines(self, lines: int, malformed: list[int]) -> None:
        """Count the lines of a block, and those of them, from 0, that are malformed."""
        self.malformed += len(malformed)
        room = _LINES - len(self.malformed_lines)
        self.malformed_lines += [self.lines + each + 1 for each in malformed[:room]]
        self.lines += lines

    def groups(self, *, services: bool = False) -> list[First]:
        """Return what got no node, the most frequent text first; or only the services."""
        found = [each for each in self._groups.values() if each.service is services]
        return sorted(found, key=lambda group: -group.count)

    def counts(self) -> dict[str, Any]:
        """Return the counts by name, with the numbers of the first malformed lines."""
        return {
            **super().counts(),
            "resources_at_least": self.at_least,
            "malformed": self.malformed,
            "malformed_lines": self.malformed_lines,
        }

    def __repr__(self) -> str:
        return (
            f"<LinesReport: {counted(self.labels, 'label')} on"
            f" {counted(self.resources, 'resource')} in {counted(self.lines, 'line')},"
            f" {self.resolved} resolved, {counted(self.services, 'service')},"
            f" {self.not_understood} not understood, {counted(self.malformed, 'malformed line')}>"
        )
