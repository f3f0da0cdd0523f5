"""Checking a large file of lines part by part, in constant memory."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cturi_rdf.catalogue.check import all_findings
from cturi_rdf.catalogue.checked import catalogue_of_file
from cturi_rdf.catalogue.detect_profile import choose_profile
from cturi_rdf.catalogue.findings import CheckReport, Finding, Place
from cturi_rdf.catalogue.parts import Parts
from cturi_rdf.catalogue.plan import Typing
from cturi_rdf.catalogue.profile_findings import of_typing, with_profile
from cturi_rdf.catalogue.repair import judged
from cturi_rdf.catalogue.shacl.focus_nodes import FocusNodes
from cturi_rdf.catalogue.shacl.rules import Known
from cturi_rdf.catalogue.steps import resource_name
from cturi_rdf.catalogue.verdict import Options

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from cturi_rdf.catalogue.parts import Part
    from cturi_rdf.catalogue.verdict import Verdict
    from cturi_rdf.editing import Document, Position
    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.reading.source import Source


# A finding has so many places, and so many findings are told apart; the others are counted.
MOST_PLACES, MOST_FINDINGS = 1_000, 10_000
_OTHERS = {"en": "There are more such values than are listed."}


def check_by_parts(
    source: Source, profile: str | None, *, by_url: bool, **size: int
) -> CheckReport:
    """Return the report on a large file; see `check_file`.

    Of each finding it has the first places, and the number of all.
    """
    gathered, memory, typing = _Gathered(), Known(), Typing()
    labelled = typed = 0
    with Parts(source, alike=not by_url, **size) as parts:
        chosen = choose_profile(parts.profile_quads, profile)
        for part in parts:
            if not part.states_anything:
                continue
            catalogue = catalogue_of_file(part, by_url=by_url)
            nodes = FocusNodes(catalogue)
            own_labelled, own_typed = nodes.resources_of(part)
            labelled, typed = labelled + own_labelled, typed + own_typed
            findings = all_findings(catalogue, nodes, memory, by_url=by_url)
            report = CheckReport(findings, 0, (), (), catalogue.document, catalogue.name)
            if chosen.declared:
                plan = judged(part, chosen.profile, Options(by_url=by_url))
                gathered.add_values(part, plan.document, typing.add(plan, part))
                report = with_profile(report, plan._replace(typing=()), chosen)
            gathered.add(part, report)
        source.check()
    missing = typing.missing()
    if missing:
        values = list(dict.fromkeys(quad.subject for quad in missing))
        gathered.put(of_typing(chosen.profile, values, gathered.first_of(values)))
    # Types that are described count only where there is nothing else.
    focus_nodes = labelled or typed
    return CheckReport(
        gathered.findings(),
        focus_nodes,
        () if focus_nodes else ("our shapes",),
        (),
        None,
        resource_name,
        chosen,
        gathered.position,
    )


class _Gathered:
    """The findings of all parts, with their first places, and the positions of these."""

    def __init__(self) -> None:
        self._findings: dict[Hashable, Finding] = {}
        self._more: Counter[Hashable] = Counter()
        self._positions: dict[int, Position] = {}
        # Where the values are first, of which the data says too little.
        self._values: dict[Term, Place] = {}

    def add(self, part: Part, report: CheckReport) -> None:
        """Take the findings at the own lines of a part."""
        document = report.document
        for finding in report.findings:
            own = [place for place in finding.places if part.has(place.start)]
            if own and document:
                held = self._same(finding)
                room = MOST_PLACES - len(held.places)
                held.places.extend(self._in_file(part, document, own[:room]))
                times = sum(part.weight(place.resource) for place in own)
                self._more[held.complaint] += times - len(own[:room])

    def _same(self, finding: Finding) -> Finding:
        """Return the finding with the same complaint, or the one for all that are too many."""
        if finding.complaint not in self._findings and len(self._findings) >= MOST_FINDINGS:
            finding = finding._replace(value="", messages=_OTHERS, write=None)
        return self._findings.setdefault(finding.complaint, finding._replace(places=[]))

    def put(self, finding: Finding) -> None:
        """Take a finding on the whole file."""
        self._findings[finding.complaint] = finding

    def findings(self) -> list[Finding]:
        """Return all findings."""
        return [finding._replace(more=self._more[key]) for key, finding in self._findings.items()]

    def position(self, offset: int, /) -> Position:
        """Return the line and the column of a place in the file."""
        return self._positions[offset]

    def add_values(self, part: Part, document: Document, values: Mapping[Term, Verdict]) -> None:
        """Note where the values are of which the data says too little."""
        for value, verdict in values.items():
            if value not in self._values:
                place = Place.of(verdict.statement)
                [self._values[value]] = self._in_file(part, document, [place])

    def first_of(self, values: Iterable[Term]) -> Place:
        """Return where the first of some values is."""
        return min((self._values[value] for value in values), key=lambda place: place.start or 0)

    def _in_file(self, part: Part, document: Document, places: Iterable[Place]) -> list[Place]:
        """Return places in a part as places in the file."""
        moved = []
        for place in places:
            start, end = place.start or 0, place.end or 0
            for offset in (start, end):
                self._positions[part.in_file(offset)] = part.place(document, offset)
            moved.append(
                place._replace(start=part.in_file(start), end=part.in_file(end), changes=())
            )
        return moved
