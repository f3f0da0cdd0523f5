"""Annotating a graph: every label gets its node, or is listed with the reason why not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pyoxigraph as ox
from rdflib import Dataset, Graph

from cturi_rdf._util.arguments import checked
from cturi_rdf._util.display import Table, Tabular, counted
from cturi_rdf._util.prefixes import prefixes_of
from cturi_rdf.io.relative_iri import relative
from cturi_rdf.io.terms import from_ox
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.blank_nodes import place_of
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.rdf.graph_headers import evidence_in
from cturi_rdf.rdf.header import Header, header_links
from cturi_rdf.rdf.label_statements import Understood, label_triples, links
from cturi_rdf.rdf.occurrences import Occurrence, occurrences
from cturi_rdf.rdf.summary import Summary, Unresolved
from cturi_rdf.rdf.vocab import CTV

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib.term import Node

    from cturi_rdf.rdf.label_statements import Resolver

__all__ = ["Group", "Report", "annotate"]


class Group(Unresolved):
    """All occurrences of one text that did not get a node, and the reason."""

    __slots__ = ("occurrences", "reason", "text")

    def __init__(self, text: str, reason: str) -> None:
        self.text = text
        self.reason = reason
        self.occurrences: list[Occurrence] = []

    @property
    def count(self) -> int:
        """How often the label was found."""
        return len(self.occurrences)

    def places(self) -> Iterator[tuple[Node, Node]]:
        """Yield each resource and property; a blank node by its place."""
        for each in self.occurrences:
            yield place_of(each.graph, each.resource), each.predicate


class Report(Summary, Tabular):
    """What `annotate` found, every occurrence of a label in the order in which it was read.

    The three counts `resolved`, `services` and `not_understood` add up to `labels`; `to_json`
    returns them with the lists behind them.
    """

    def __init__(self, found: list[Occurrence]) -> None:
        self.occurrences = found
        self.labels = len(found)
        self.resolved = sum(bool(each.content_types) for each in found)
        self.services = sum(each.resolution.verdict == "service" for each in found)
        self.not_understood = self.labels - self.resolved - self.services
        self.resources = len({each.resource for each in found})
        self.content_types = {each for one in found for each in one.content_types}

    def groups(self, *, services: bool = False) -> list[Group]:
        """Return what got no node, the most frequent text first; or only the services."""
        groups: dict[str, Group] = {}
        for each in self.occurrences:
            resolution = each.resolution
            if each.content_types or (resolution.verdict == "service") is not services:
                continue
            group = groups.setdefault(each.text, Group(each.text, resolution.reason))
            group.occurrences.append(each)
        return sorted(groups.values(), key=lambda group: -group.count)

    def as_table(self) -> Table:
        """Return a row for each occurrence of a label, as it was understood."""
        rows = [
            (
                relative(str(place_of(each.graph, each.resource))), each.predicate, each.text,
                each.resolution.verdict, each.resolution.types, each.resolution.outer,
                each.resolution.rule, each.resolution.confidence, each.resolution.reason,
            )
            for each in self.occurrences
        ]  # fmt: skip
        columns = (
            "resource", "property", "label", "verdict", "types", "outer",
            "rule", "confidence", "reason",
        )  # fmt: skip
        return Table(self.summary, columns, rows)

    def overview(self) -> Table:
        """Return a row for each distinct label: what got no node first, then the commonest."""
        counts = Counter(each.text for each in self.occurrences)
        found = {each.text: each for each in self.occurrences}
        order = sorted(found, key=lambda text: (bool(found[text].content_types), -counts[text]))
        rows = []
        for text in order:
            resolution = found[text].resolution
            packed = "" if resolution.outer is None else f" in {resolution.outer}"
            meant = ", ".join(map(str, resolution.types)) + packed
            rows.append((text, counts[text], resolution.verdict, meant, resolution.reason))
        return Table(self.summary, ("label", "count", "verdict", "types", "reason"), rows)

    @property
    def summary(self) -> str:
        """The counts on one line."""
        return (
            f"{counted(self.labels, 'label')} on {counted(self.resources, 'resource')},"
            f" {self.resolved} resolved, {counted(self.services, 'service')},"
            f" {self.not_understood} not understood"
        )

    def __repr__(self) -> str:
        return f"<Report: {self.summary}>"


@checked
def annotate(graph: Graph, *, resolver: Resolver = resolve) -> Report:
    """Link the resources of a graph to the content types that their labels name.

    Nothing is taken away: links, the descriptions of the types and what each label was
    understood as are added, in a dataset beside the label and in the default graph.
    Annotating again adds nothing.

    >>> from rdflib import Literal
    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType "text/csv" .''')
    >>> annotate(graph)
    <Report: 1 label on 1 resource, 1 resolved, 0 services, 0 not understood>
    >>> print(graph.value(predicate=CTV.contentTypeHeader, object=Literal("text/csv")))
    ContentType:text/csv
    """
    found = list(occurrences(graph, resolver=resolver))
    for prefix, namespace in prefixes_of("ctv", "dct", "skos").items():
        graph.bind(prefix, namespace, override=False)
    default = graph.default_graph if isinstance(graph, Dataset) else graph
    for each in found:
        understood = Understood(each.text, each.resolution)
        for link in links(ox.NamedNode(str(each.predicate)), understood):
            each.graph.add((each.resource, *map(from_ox, link)))
    _add_headers(graph, found)
    for text, resolution in {each.text: each.resolution for each in found}.items():
        for triple in label_triples(text, resolution):
            default.add(in_rdflib(triple))
    return Report(found)


def _add_headers(graph: Graph, found: list[Occurrence]) -> None:
    """Add how each resource is sent, or which types contradict, where it has labels."""
    evidence = evidence_in(graph, found, classes=False)
    graphs: dict[Node, dict[Node, Graph]] = {}
    for each in found:
        if each.content_types:
            graphs.setdefault(each.resource, {})[each.graph.identifier] = each.graph
    for resource, beside in graphs.items():
        if (resource, CTV.servedAs, None) not in graph:
            for link in header_links(Header(resource, resource, evidence[resource])):
                for where in beside.values():
                    where.add((resource, *map(from_ox, link)))
