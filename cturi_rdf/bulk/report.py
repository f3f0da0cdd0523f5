"""What was found in a stream: counts, and of the lists behind them the beginning."""

from __future__ import annotations

import tempfile
from array import array
from contextlib import ExitStack
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, Self

from cturi_rdf.bulk.statements import text_of
from cturi_rdf.display import counted
from cturi_rdf.rdf.base import relative

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cturi_rdf.bulk.meaning import Meaning

__all__ = ["Distinct", "LinesReport", "Unresolved"]

# Of what a stream may have without end, so much is kept.
_TEXTS, _PLACES, _LINES = 10_000, 10, 1_000
# So many hashes are in memory together, and so many files at most take the others.
_TOGETHER, _FILES = 300_000, 200


class Unresolved:
    """A text that did not get a node: how often, why, and the first places."""

    __slots__ = ("_places", "count", "reason", "service", "text")

    def __init__(self, text: str, reason: str, *, service: bool) -> None:
        self.text = text
        self.reason = reason
        self.service = service
        self.count = 0
        self._places: list[tuple[str, str]] = []

    def add(self, subjects: Sequence[bytes], predicate: bytes, number: int) -> None:
        """Count a number of resources, `subjects` the first of them."""
        self.count += number
        room = _PLACES - len(self._places)
        self._places += [(text_of(each), text_of(predicate)) for each in subjects[:room]]

    def places(self) -> Iterator[tuple[str, str]]:
        """Yield the first resources, each with the property."""
        return iter(self._places)

    def to_json(self) -> dict[str, Any]:
        """Return it as the report of a graph has it; `where` has the first places only."""
        return {
            "label": self.text,
            "count": self.count,
            "reason": self.reason,
            "where": [
                {"resource": relative(resource), "property": each}
                for resource, each in self._places
            ],
        }


class LinesReport:
    """What `annotate_lines` found: the counts of a graph's report, and the malformed lines."""

    def __init__(self) -> None:
        self.labels = self.resolved = self.services = self.not_understood = self.resources = 0
        self.lines = self.malformed = 0
        self.malformed_lines: list[int] = []
        self.content_types: set[str] = set()
        self._groups: dict[tuple[str, bool], Unresolved] = {}

    def count(self, meaning: Meaning, predicate: bytes, subjects: bytes) -> None:
        """Count a label that stands on some resources, each with a line feed."""
        number = subjects.count(b"\n")
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
            group = Unresolved(meaning.text, meaning.reason, service=service)
            self._groups[meaning.text, service] = group
        group.add(subjects.split(b"\n", _PLACES)[:-1], predicate, number)

    def count_lines(self, lines: int, malformed: list[int]) -> None:
        """Count the lines of a block, and those of them, from 0, that are malformed."""
        self.malformed += len(malformed)
        room = _LINES - len(self.malformed_lines)
        self.malformed_lines += [self.lines + each + 1 for each in malformed[:room]]
        self.lines += lines

    def groups(self, *, services: bool = False) -> list[Unresolved]:
        """Return what got no node, the most frequent text first; or only the services."""
        found = [each for each in self._groups.values() if each.service is services]
        return sorted(found, key=lambda group: -group.count)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON has it, with the numbers of the first malformed lines."""
        return {
            "labels": self.labels,
            "resolved": self.resolved,
            "not_understood": self.not_understood,
            "services": self.services,
            "resources": self.resources,
            "malformed": self.malformed,
            "malformed_lines": self.malformed_lines,
            "not_understood_labels": [each.to_json() for each in self.groups()],
            "service_labels": [each.to_json() for each in self.groups(services=True)],
        }

    def __repr__(self) -> str:
        return (
            f"<LinesReport: {counted(self.labels, 'label')} on"
            f" {counted(self.resources, 'resource')} in {counted(self.lines, 'line')},"
            f" {self.resolved} resolved, {counted(self.services, 'service')},"
            f" {self.not_understood} not understood, {counted(self.malformed, 'malformed line')}>"
        )


class Distinct:
    """Counts distinct values by their hashes, a part of which is in memory at a time.

    >>> with Distinct() as distinct:
    ...     distinct.add(["a", "b", "a"])
    ...     distinct.count()
    2
    """

    def __enter__(self) -> Self:
        self._hashes: set[int] = set()
        self._file = tempfile.TemporaryFile()
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, values: Iterable[object]) -> None:
        """Take values that can be hashed."""
        self._hashes.update(map(hash, values))
        if len(self._hashes) > _TOGETHER:
            self._put_by()

    def count(self) -> int:
        """Return how many of them are distinct."""
        if not self._file.tell():
            return len(self._hashes)
        self._put_by()
        parts = min(self._file.tell() // (8 * _TOGETHER) + 1, _FILES)
        with ExitStack() as stack:
            # Equal hashes come into one file, so that each is counted by itself.
            files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(parts)]
            for hashes in _arrays(self._file):
                spread: list[array[int]] = [array("q") for _ in files]
                for each in hashes:
                    spread[each % parts].append(each)
                for file, part in zip(files, spread, strict=True):
                    part.tofile(file)
            return sum(len(set(chain.from_iterable(_arrays(file)))) for file in files)

    def _put_by(self) -> None:
        array("q", self._hashes).tofile(self._file)
        self._hashes.clear()


def _arrays(file: IO[bytes]) -> Iterator[array[int]]:
    file.seek(0)
    while content := file.read(8 * 65_536):
        yield array("q", content)
