"""The report on a file: counts, and the beginnings of the lists behind them."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf._util.display import counted
from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Literal

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels import Resolution
    from cturi_rdf.rdf.label_statements import Understood

    Kind = Literal["likely", "service", "not_understood"]


def kind_of(resolution: Resolution) -> Kind | None:
    """Return the list of a report that a label belongs to; None where its type is certain."""
    if resolution.named:
        return "likely" if resolution.confidence == "likely" else None
    return "service" if resolution.verdict == "service" else "not_understood"


# A file may be of any size, so only so many texts are kept, and so many places of each.
_TEXTS, MOST_PLACES = 10_000, 10
# How many resources are counted one by one; a larger count says "at least".
_RESOURCES = 200_000
# How many labels a summary shows: not understood ones, and others.
_SHOWN, _OTHERS_SHOWN = 10, 5
# The summary of a catalogue without labels, and of one without a type.
_LABELS = "dct:format, dcat:mediaType, schema:encodingFormat or the like"
NO_LABELS = f"        nothing has a {_LABELS}"
NO_TYPES = f"        no {_LABELS} names a type"


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

    def __init__(self, understood: Understood) -> None:
        self.text = understood.text
        self.rule, self.reason = understood.resolution.rule, understood.resolution.reason
        readings = understood.resolution.readings
        self.readings = tuple(
            dict.fromkeys(", ".join(map(str, one.types or one.wrappers)) for one in readings)
        )
        self.count = 0
        self.places: list[Place] = []

    def add(self, places: Iterable[Place], number: int) -> None:
        """Count a number of labels, `places` the first of them."""
        self.count += number
        self.places += islice(places, MOST_PLACES - len(self.places))

    def to_json(self) -> dict[str, Any]:
        """Return the text, how often and where it occurs, and the reason."""
        return {
            "label": self.text,
            "count": self.count,
            "reason": self.reason,
            "where": [_place_to_json(place) for place in self.places],
        }


def _place_to_json(place: Place) -> dict[str, Any]:
    blank = place.resource.startswith("_:")
    where: dict[str, Any] = {"resource": None if blank else place.resource}
    where["property"] = place.property
    if place.line is not None:
        where |= {"line": place.line, "column": place.column}
    return where


class Summary:
    """The counts of labels, and the labels that need a look.

    The three counts `resolved`, `services` and `not_understood` add up to `labels`; `likely` counts
    the resolved labels whose meaning is a guess, read alone: the links follow from all statements
    about a resource.
    """

    # Whether there are more resources than were counted.
    at_least = False

    def __init__(self) -> None:
        self.labels = self.resolved = self.likely = 0
        self.services = self.not_understood = self.resources = 0
        self.content_types: set[ContentType] = set()
        self._groups: dict[Kind, dict[str, UnresolvedLabel]] = defaultdict(dict)

    def count(self, understood: Understood, number: int, places: Iterable[Place]) -> None:
        """Count a label that stands in a number of places, of which only the first are kept."""
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
            group = UnresolvedLabel(understood)
            groups[understood.text] = group
        group.add(places, number)

    def groups(self, kind: Kind = "not_understood") -> list[UnresolvedLabel]:
        """Return the labels of a kind, the most frequent text first."""
        return sorted(self._groups[kind].values(), key=lambda group: -group.count)

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


class FileReport(Summary):
    """The labels of a file, and the changes to it.

    `added` and `replaced` count links, `lines` those of N-Triples and N-Quads.
    """

    def __init__(self) -> None:
        super().__init__()
        self.added = self.replaced = 0
        self.lines = 0
        # The lines and columns of lone surrogates, which read as U+FFFD.
        self.halves: list[tuple[int, int]] = []
        # The languages that were left out because they are no language tags.
        self.languages: set[str] = set()
        self.ill_typed: IllTyped | None = None
        # The IRIs that the written syntax cannot hold, and that are percent-encoded in it.
        self.encoded: set[str] = set()
        # The line and the column of one of each of these.
        self.examples: dict[str, tuple[int, int] | None] = {}
        # The graphs that the written syntax cannot hold, and that became one.
        self.merged: set[str] = set()
        self._resources: set[bytes] = set()

    def count_resources(self, names: Iterable[bytes]) -> None:
        """Count the resources with some names, each resource once."""
        if self.at_least:
            return
        self._resources.update(names)
        self.at_least = len(self._resources) > _RESOURCES
        self.resources = min(len(self._resources), _RESOURCES)
        if self.at_least:
            self._resources.clear()

    def place(self, understood: Understood, places: Iterable[Place]) -> None:
        """Add the places of a label that has been counted."""
        kind = kind_of(understood.resolution)
        group = self._groups[kind].get(understood.text) if kind else None
        if group:
            group.add(places, 0)

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


def summary_lines(source: str, report: FileReport) -> Iterator[str]:
    """Yield the lines of a summary for curators of a file, called `source`."""
    types = counted(len(report.content_types), "content type")
    yield f"{source}: {report.extent}"
    if not report.labels:
        yield NO_LABELS
    if report.resolved:
        yield f"{report.resolved:7} resolved, to {types}"
    if report.likely:
        yield f"{report.likely:7} of them guessed from the label alone"
        yield from _listed(report.groups("likely"), _guess)
    if report.services:
        yield f"{report.services:7} naming a service, which has no type"
        yield from _listed(report.groups("service"))
    if report.not_understood:
        yield f"{report.not_understood:7} not understood"
        yield from _listed(report.groups(), lambda group: _unresolved(source, group), _SHOWN)
    if report.replaced:
        links = counted(report.replaced, "link")
        yield f"{'':7} {links} replaced: the labels now name other types"
    yield from _of_terms(source, report)
    unclear = [*report.groups("likely"), *report.groups()]
    if any(group.rule != "own" for group in unclear):
        yield f"{'':7} next: define unclear labels in a table, and pass it with --labels"


def _of_terms(source: str, report: FileReport) -> Iterator[str]:
    """Yield a line for each kind of faulty term."""
    if report.encoded:
        iris, example = len(report.encoded), _example(source, report, report.encoded)
        yield f"{'':7} {counted(iris, 'invalid IRI')} percent-encoded, such as {example}"
    if report.merged:
        first = visible(min(report.merged))
        graphs = counted(len(report.merged), "named graph")
        yield f"{'':7} {graphs} written without the name, such as {first}"
    if report.languages:
        languages = counted(len(report.languages), "invalid language tag")
        example = _example(source, report, report.languages)
        yield f"{'':7} {languages} left out, such as {example}"
    if report.halves:
        number, (row, column) = len(report.halves), report.halves[0]
        halves = "a lone surrogate" if number == 1 else f"{number} lone surrogates"
        yield f"{'':7} {halves} read as U+FFFD, first at {source}:{row}:{column}"
    if report.ill_typed:
        number, literal, place = report.ill_typed
        do_not = "literal does not fit its" if number == 1 else "literals do not fit their"
        where = _place(source, place)
        yield f"{number:7} {do_not} datatype, kept as written: {literal} {where}"


def _example(source: str, report: FileReport, faulty: set[str]) -> str:
    """Return one of some faulty terms, and where the file has it."""
    place = report.examples.get(min(faulty))
    return f"{visible(min(faulty))!r}" + (f" at {source}:{place[0]}:{place[1]}" if place else "")


def _listed(
    groups: list[UnresolvedLabel],
    more: Callable[[UnresolvedLabel], str] = lambda _: "",
    shown: int = _OTHERS_SHOWN,
) -> Iterator[str]:
    """Yield the most frequent labels, with further text on each."""
    for group in groups[:shown]:
        yield from f"{group.count:11} × {group.text!r}{more(group)}".split("\n")
    if len(groups) > shown:
        yield f"{'':11} and {counted(len(groups) - shown, 'more label')}: all with --json"


def _guess(group: UnresolvedLabel) -> str:
    return f": {' or '.join(group.readings)}. {group.reason}"


def _unresolved(source: str, group: UnresolvedLabel) -> str:
    return f": {group.reason}\n{'':13} first {_place(source, group.places[0])}"


def _place(source: str, place: Place) -> str:
    """Return where a label stands: the line and the column, or else the resource."""
    if place.line is None:
        return f"on {'a blank node' if place.resource.startswith('_:') else place.resource}"
    return f"at {source}:{place.line}:{place.column}"
