"""The findings of a check: each complaint about a value once, with all its places."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import Table, Tabular, counted
from cturi_rdf.catalogue.shacl import SH
from cturi_rdf.reading.terms import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from cturi_rdf.catalogue.profiles import ChosenProfile
    from cturi_rdf.editing import Document, Span, Statement
    from cturi_rdf.editing.document import Position
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.rdf.label_statements import Term

__all__ = [
    "SEVERITIES",
    "CheckReport",
    "Finding",
    "Place",
    "name_of_term",
    "shown",
    "text_of",
    "together",
]

# SHACL section 2.1.4, the worst first.
SEVERITIES = (SH.Violation, SH.Warning, SH.Info)


_OURS = "https://w3id.org/cturi/"


class Place(NamedTuple):
    """A resource, the value that is to blame, if any, and where the value is in the file.

    `parts` are the spans of the focus node, the path and the value of a result of shapes.
    `changes` put it right: they can be made alone.  They are of statements of `document`, else of
    that of the report.  `stated` are the property and the value that stand there, if the finding is
    about a statement that only follows from these.
    """

    resource: Term
    value: Term | None
    start: int | None = None
    end: int | None = None
    changes: tuple[Change, ...] = ()
    document: Document | None = None
    parts: Mapping[str, Span] = {}
    stated: tuple[Term, Term] | None = None

    @classmethod
    def of(cls, statement: Statement) -> Place:
        """Return the place of a statement, whose value is to blame."""
        return cls(statement.subject, statement.object, statement.start, statement.end)


class Finding(NamedTuple):
    """A rule that does not hold, for one value of one property, wherever it stands.

    `shape` is the shape with the rule, `messages` are its messages by language; ``""`` is the
    language of a message without one.  `value` is the text of the value, of a blank node that of
    its label.  `places` are the resources, each with the value as it is written there, or None
    where the resource itself is to blame.  `write` is the text to write in its place, as in Turtle:
    empty for a value to leave out, and None where it is not known.
    `more` is how many places of a large file are not among the `places`, and `source` names the
    document and the section with a rule of a profile.
    """

    shape: Term
    component: Term
    severity: Term
    path: Term | None
    value: str
    messages: Mapping[str, str]
    places: list[Place]
    write: str | None = None
    more: int = 0
    source: str = ""

    @property
    def times(self) -> int:
        """How many places there are."""
        return len(self.places) + self.more

    @property
    def complaint(self) -> Hashable:
        """What the finding says, wherever it is."""
        return (*self[:5], *sorted(self.messages.items()), self.write)

    def message(self, language: str = "en") -> str:
        """Return the message in a language, else in English, else in any language."""
        message = self.messages.get(language) or self.messages.get("en")
        return message or next(iter(self.messages.values()), str(self.component))

    def statement_at(self, place: Place) -> tuple[Term | None, Term | None]:
        """Return the property and the value at a place, as the file has them."""
        return place.stated or (self.path, place.value)

    @property
    def is_ours(self) -> bool:
        """Whether the shape is one of ours, or stands for a rule of a profile."""
        return text_of(self.shape).startswith(_OURS)

    @property
    def rule(self) -> str:
        """The name of the shape, or of the constraint where the shape has none."""
        named = self.shape if isinstance(self.shape, ox.NamedNode) else self.component
        return name_of_term(named)

    @property
    def level(self) -> str:
        """The name of the severity: Violation, Warning, Info, or one of its own."""
        return name_of_term(self.severity)


def together(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings; those that differ only in their places become one."""
    groups: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.complaint, []).append(finding)
    return [
        several[0]._replace(places=[place for finding in several for place in finding.places])
        for several in groups.values()
    ]


class CheckReport(Tabular):
    """All findings of a check, and how much was checked.

    The findings are in the order of the file; those of a graph, which has no order, begin with the
    worst.  `focus_nodes` is the number of resources that our shapes looked at.  `idle` names the
    shapes that had nothing to look at: then the catalogue does not pass.  `warnings` are about
    faults in the shapes of others.  `document` is the file that the places are in, if any, `name`
    returns the name of a resource, and `profile` is the profile that the file was checked by.
    `named` says whether the user named shapes of others, or a profile with them.  `position` tells
    the places in a file that has no document, because it is too large.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - a report is all of this
        self,
        findings: Iterable[Finding],
        focus_nodes: int,
        idle: tuple[str, ...],
        warnings: tuple[str, ...],
        document: Document | None,
        name: Callable[[Term], str],
        profile: ChosenProfile | None = None,
        position: Callable[[int], Position] | None = None,
        *,
        named: bool = False,
    ) -> None:
        self.document = document
        self._name = name
        self._position = position or (document.position if document else None)
        self.profile = profile
        self.findings = sorted(map(_in_order, findings), key=_by_place)
        self.focus_nodes = focus_nodes
        self.idle = idle
        self.warnings = warnings
        self.named = named

    @property
    def conforms(self) -> bool:
        """Whether something was checked, and nothing violates a shape."""
        return not (self.idle or self.violated)

    @property
    def violated(self) -> bool:
        """Whether something violates a shape that counts.

        If the user named shapes, only these count; ours, and a profile that only the file names,
        are then advice.
        """
        return any(
            finding.severity == SH.Violation and not (self.named and finding.is_ours)
            for finding in self.findings
        )

    @property
    def idle_notice(self) -> str:
        """A sentence for a reader about the shapes that had nothing to look at."""
        return f"nothing to check for {' and '.join(self.idle)}, which does not count as a pass"

    def count(self, severity: Term) -> int:
        """Return the number of places with findings of a severity."""
        return sum(finding.times for finding in self.findings if finding.severity == severity)

    def name(self, resource: Term) -> str:
        """Return a resource as its author wrote it; a blank node of a graph by what leads to it.

        A blank node of a file has no name, but a position.
        """
        return self._name(resource)

    def position(self, offset: int | None) -> Position | None:
        """Return the line and the column of the start or the end of a place in a file, if known.

        The statements of a file that only rdflib reads have negative offsets.
        """
        if self._position is None or offset is None or offset < 0:
            return None
        return self._position(offset)

    def positions(self, place: Place) -> dict[str, Position]:
        """Return where the focus node, the path and the value of a place begin, if known."""
        starts = {name: self.position(span.start) for name, span in place.parts.items()}
        return {name: position for name, position in starts.items() if position}

    def as_table(self) -> Table:
        """Return a row for each place where something was found."""
        rows = [
            (
                finding.level,
                finding.rule,
                path and text_of(path),
                shown(value) if place.stated else finding.value,
                self.name(place.resource),
                finding.message(),
            )
            for finding in self.findings
            for place in finding.places
            for path, value in [finding.statement_at(place)]
        ]
        columns = ("severity", "rule", "property", "value", "resource", "message")
        return Table(self.summary, columns, rows)

    def overview(self) -> Table:
        """Return a row for each rule that does not hold, the worst first, with an example."""
        rules: dict[tuple[str, str], list[Finding]] = {}
        for finding in sorted(self.findings, key=_worst_first):
            rules.setdefault((finding.level, finding.rule), []).append(finding)
        rows = [
            (
                *rule,
                sum(finding.times for finding in findings),
                findings[0].value,
                findings[0].message(),
            )
            for rule, findings in rules.items()
        ]
        columns = ("severity", "rule", "places", "such as", "message")
        return Table(self.summary, columns, rows)

    @property
    def summary(self) -> str:
        """The counts on one line."""
        counts = ", ".join(
            counted(self.count(severity), name_of_term(severity).lower()) for severity in SEVERITIES
        )
        return f"{counted(self.focus_nodes, 'resource')}, {counts}"

    def __repr__(self) -> str:
        return f"<CheckReport: {self.summary}>"


def name_of_term(term: Term) -> str:
    """Return the last part of an IRI.

    >>> name_of_term(SH.Violation)
    'Violation'
    """
    text = text_of(term)
    return text.rpartition("#")[2].rpartition("/")[2] or text


def _in_order(finding: Finding) -> Finding:
    """Return a finding with its places in the order of the file."""
    return finding._replace(
        places=sorted(finding.places, key=lambda place: (place.start or 0, str(place.resource)))
    )


def _by_place(finding: Finding) -> tuple[object, ...]:
    # No two findings are alike in all of this, so the engine of the queries has no part in it.
    start = finding.places[0].start if finding.places else None
    resources = [str(place.resource) for place in finding.places]
    least = str(finding.path), finding.message(), resources
    return (0 if start is None else start, *_worst_first(finding), *least)


def _worst_first(finding: Finding) -> tuple[int, int, str, str]:
    is_ranked = finding.severity in SEVERITIES
    rank = SEVERITIES.index(finding.severity) if is_ranked else len(SEVERITIES)
    # The rare ones first: the counts show the common ones.
    return rank, finding.times, finding.rule, finding.value


def shown(value: Term | None) -> str:
    """Return a term for a reader: a blank node without its name, a relative IRI as written.

    >>> shown(ox.BlankNode()), shown(ox.Literal("CSV", language="en")), shown(None)
    ('_:', 'CSV', '')
    """
    if isinstance(value, ox.BlankNode):
        return "_:"
    return "" if value is None else relative(text_of(value))


def text_of(term: Term) -> str:
    """Return the text of a literal, an IRI or the label of a blank node."""
    return str(term) if isinstance(term, ox.Triple) else term.value
