"""Checking a catalogue by shapes: ours for its statements about types, those of others for all."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.checked import Judged, judged_file, judged_quads, named_term
from cturi_rdf.catalogue.findings import (
    CheckReport,
    Finding,
    FindingPlace,
    judged_statements,
    of_typing,
    shown,
    together,
    with_profile,
)
from cturi_rdf.catalogue.parts import Parts, is_large
from cturi_rdf.catalogue.plan import Typing
from cturi_rdf.catalogue.profiles import choose_profile
from cturi_rdf.catalogue.repair import profile_of
from cturi_rdf.catalogue.shacl import CTVS, SH
from cturi_rdf.catalogue.shacl.rules import FocusNodes, findings_of_ours
from cturi_rdf.catalogue.verdict import in_languages, short_name
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.terms import RDF, intended, successor
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import from_ox, relative

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
    from os import PathLike

    from rdflib import Graph

    from cturi_rdf.catalogue.checked import Catalogue
    from cturi_rdf.catalogue.parts import Part
    from cturi_rdf.catalogue.shacl.engines import EngineName
    from cturi_rdf.catalogue.shacl.foreign_shapes import Spans
    from cturi_rdf.editing import Document, Statement
    from cturi_rdf.editing.document import Position
    from cturi_rdf.rdf.label_statements import Resolver, Term
    from cturi_rdf.reading.source import Source


# The titles of the rules, like the labels of the shapes.
TITLES: dict[Term, str] = {
    CTVS.TypeFitsFileName: "the labels fit the file name",
    CTVS.PropertyExists: "the property exists",
    CTVS.TermIsInUse: "the term should be in use",
}


def check(
    graph: Graph,
    *,
    shapes: Graph | None = None,
    profile: str | None = None,
    resolver: Resolver = resolve,
    by_url: bool = False,
) -> CheckReport:
    """Return what `check_file` finds in a file with the statements of a graph or a dataset.

    The metadata profile is the one with the name `profile`, else the one that the graph shows.
    With `by_url` there is a warning where the file name in a download URL contradicts the labels.
    The graph is not changed: the facts about its types that shapes need are merged into a copy.
    A property shape that `shapes` names and does not define is left out, with a warning in the
    report.
    Raises `CatalogError` if the extra ``shacl`` is not installed, or if `shapes` has no shape.

    >>> from rdflib import Graph
    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType <http://x/nonsense> .''')
    >>> print(check(graph).findings[0].message())
    <http://x/nonsense> is in no registry of media types or formats.
    """
    from cturi_rdf.catalogue.graphs import document_of
    from cturi_rdf.catalogue.shacl.foreign_shapes import union_of
    from cturi_rdf.reading.rdflib_graphs import as_dataset

    # Graphs of an aggregate may have statements in common.
    quads = list(dict.fromkeys(one.quad for one in document_of(as_dataset(graph)).statements))
    chosen = choose_profile(quads, profile)
    judged = judged_quads(quads, chosen, resolver, partial(_name, graph), by_url=by_url)
    return _check(judged, shapes, lambda: (union_of(graph), None), by_url=by_url)


def _name(graph: Graph, resource: Term) -> str:
    from cturi_rdf.catalogue.graphs import place_of

    return relative(str(place_of(graph, from_ox(resource))))


def check_file(  # noqa: PLR0913 - what is checked, how it is read, and by what
    source: str | PathLike[str],
    *,
    reading: ReadOptions = ReadOptions(),
    shapes: Graph | None = None,
    profile: str | None = None,
    by_url: bool = False,
    engine: EngineName | None = None,
) -> CheckReport:
    """Return the report of `check` on a file, with the places in it.

    `source` is its path, or ``-``; `reading` says how to read it.  A property for which the
    metadata profile of the file has a rule is checked by that rule, and each finding has the text
    to write.  The profile is the one with the name `profile`, else the one that the file says it
    follows.  The `engine` for the shapes is ``"pyshacl"``, ``"shacl"`` of the extra ``fast-shacl``,
    or None for the fastest one that is installed and gives the same results.  A large file of
    N-Triples or N-Quads is checked in parts, unless there are `shapes`; the report then has
    the first places of each finding, and how many more there are.  Raises `CatalogError`.
    """
    with open_source(source, reading) as file:
        if shapes is None and is_large(file):
            return check_by_parts(file, profile, by_url=by_url)
        judged = judged_file(file, partial(profile_of, file, profile), by_url=by_url)

        def graph() -> tuple[Graph, Spans | None]:
            from cturi_rdf.catalogue.shacl.foreign_shapes import graph_with_spans, union_of
            from cturi_rdf.reading.rdflib_graphs import read_catalog

            return graph_with_spans(union_of(read_catalog(source, reading)), file)

        report = _check(judged, shapes, graph, by_url=by_url, engine=engine)
        # A profile that the user names is as good as shapes.
        report.named = shapes is not None and profile is None
        file.check()
    return report


def _check(
    judged: Judged,
    shapes: Graph | None,
    graph: Callable[[], tuple[Graph, Spans | None]],
    *,
    by_url: bool,
    engine: EngineName | None = None,
) -> CheckReport:
    catalogue, chosen, plan = judged
    nodes = FocusNodes(catalogue, judged_statements(plan))
    findings = with_profile(all_findings(catalogue, nodes, by_url=by_url), plan)
    if catalogue.document is None:
        findings = list(map(_without_places, findings))
    idle = [] if nodes.focus_nodes else ["our shapes"]
    warnings: tuple[str, ...] = ()
    if shapes is not None:
        from cturi_rdf.catalogue.shacl.engines import has_focus_node
        from cturi_rdf.catalogue.shacl.foreign_shapes import findings_of, usable

        shapes, warnings = usable(shapes)
        whole, spans = graph()
        if has_focus_node(whole, shapes):
            # A file that is meant for the shapes of others need not be one for ours.
            idle.clear()
        else:
            idle.append("the shapes that were added")
        findings += findings_of(whole, nodes.background(), shapes, spans, engine)
    return CheckReport(
        findings,
        nodes.focus_nodes,
        tuple(idle),
        warnings,
        catalogue.document,
        catalogue.name,
        chosen,
        named=shapes is not None,
    )


def _without_places(finding: Finding) -> Finding:
    """Return a finding in a graph, whose statements have no places in a text."""
    places = [place._replace(start=None, end=None, changes=()) for place in finding.places]
    return finding._replace(places=places)


def all_findings(catalogue: Catalogue, nodes: FocusNodes, *, by_url: bool) -> list[Finding]:
    """Return what our rules find in a catalogue."""
    findings = [*findings_of_ours(nodes)] if nodes.focus_nodes else []
    findings = together([*findings, *_findings_of_terms(catalogue)])
    return [*findings, *_findings_by_url(catalogue)] if by_url else findings


def _findings_by_url(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield a warning for each download URL whose file name names another type than the labels.

    Labels that contradict each other are findings of their own, and left out here.
    """
    for url, header in catalogue.downloads():
        if header.by_name is not None:
            # An ambiguous label names each of its types.
            named = {str(one) for evidence in header.evidence for one in evidence.all_types}
            types = header.contains or sorted(named)
            names = header.content_type or ", ".join(map(str, types)), header.by_name
            yield _warning("TypeFitsFileName", url, shown(url.object), names)


def _findings_of_terms(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield a warning for each statement with a term that should be another one.

    That is a property that no vocabulary has, or a term of an earlier version of ours.
    """
    for one in catalogue.misnamed:
        meant = intended(one.predicate) or one.predicate
        yield _warning("PropertyExists", one, "", (one.predicate, meant))
    for one in catalogue.earlier:
        term = named_term(one.predicate, one.object)
        value = shown(term) if one.predicate == RDF.type else ""
        yield _warning("TermIsInUse", one, value, (term, successor(term)))


def _warning(rule: str, one: Statement, value: str, names: Iterable[object]) -> Finding:
    """Return a finding on a statement; without a `value` its property is to blame."""
    texts = [short_name(name) if isinstance(name, ox.NamedNode) else name for name in names if name]
    words = in_languages(rule if len(texts) > 1 else f"{rule} without").items()
    messages = {language: message.format(*texts) for language, message in words}
    place = FindingPlace.of(one) if value else FindingPlace.of(one)._replace(value=None)
    shape = ox.NamedNode(f"{CTVS}{rule}")
    return Finding(shape, shape, SH.Warning, one.predicate, value, messages, [place])


# A finding has so many places, and so many findings are words apart; the others are counted.
MOST_PLACES, MOST_FINDINGS = 100, 10_000
_OTHERS = {"en": "There are more such values than are listed."}


def check_by_parts(
    source: Source, profile: str | None, *, by_url: bool, **size: int
) -> CheckReport:
    """Return the report on a large file; see `check_file`.

    Of each finding it has the first places, and the number of all.
    """
    gathered, typing = _Gathered(), Typing()
    labelled = typed = 0
    with Parts(source, alike=not by_url, **size) as parts:
        chosen = choose_profile(parts.profile_quads, profile)
        for part in parts:
            if not part.is_judged:
                continue
            catalogue, _, plan = judged_file(part, lambda _: chosen, by_url=by_url)
            nodes = FocusNodes(catalogue, judged_statements(plan))
            own_labelled, own_typed = nodes.resources_of(part)
            labelled, typed = labelled + own_labelled, typed + own_typed
            findings = all_findings(catalogue, nodes, by_url=by_url)
            gathered.add_asking(part, plan.document, typing.add(plan, part))
            gathered.add(part, plan.document, with_profile(findings, plan._replace(typing=())))
        source.check()
    missing = typing.missing()
    if missing:
        values = list(dict.fromkeys(quad.subject for quad in missing))
        gathered.put(of_typing(chosen.profile, values, gathered.first_asking(missing)))
    # Types that are described count only where there is nothing else.
    focus_nodes = labelled or typed
    return CheckReport(
        gathered.findings(),
        focus_nodes,
        () if focus_nodes else ("our shapes",),
        profile=chosen,
        position_at=gathered.position,
    )


class _Gathered:
    """The findings of all parts, with their first places, and the positions of these."""

    def __init__(self) -> None:
        self._findings: dict[Hashable, Finding] = {}
        self._more: Counter[Hashable] = Counter()
        self._positions: dict[int, Position] = {}
        # The first statements that ask for what the data does not say of their values.
        self._asking: dict[ox.Quad, FindingPlace] = {}

    def add(self, part: Part, document: Document, findings: Iterable[Finding]) -> None:
        """Take the findings at the own lines of a part."""
        for finding in findings:
            own = [place for place in finding.places if part.has(place.start)]
            if own:
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

    def add_asking(
        self, part: Part, document: Document, asking: Mapping[ox.Quad, Statement]
    ) -> None:
        """Note the statements of a part that ask for what the part does not say."""
        for quad, statement in asking.items():
            if quad not in self._asking:
                place = FindingPlace.of(statement)
                [self._asking[quad]] = self._in_file(part, document, [place])

    def first_asking(self, quads: Iterable[ox.Quad]) -> FindingPlace:
        """Return the place of the first statement that asks for one of some quads."""
        return min((self._asking[quad] for quad in quads), key=lambda place: place.start or 0)

    def _in_file(
        self, part: Part, document: Document, places: Iterable[FindingPlace]
    ) -> list[FindingPlace]:
        """Return places in a part as places in the file."""
        moved = []
        for place in places:
            offsets = place.start or 0, place.end or 0
            start, end = map(part.in_file, offsets)
            self._positions[start], self._positions[end] = (
                part.place(document, offset) for offset in offsets
            )
            moved.append(place._replace(start=start, end=end, changes=()))
        return moved
