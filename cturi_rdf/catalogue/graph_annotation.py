"""Annotating a graph: a label gets its node, or is reported with the reason why it has none."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
from rdflib import Dataset, Graph

from cturi_rdf._util.display import Table, Tabular, prefixes_of
from cturi_rdf.catalogue.graphs import (
    Occurrence,
    evidence_in,
    occurrences,
    place_of,
    refusing_remote_blank_nodes,
    union_of,
)
from cturi_rdf.catalogue.header import Header, header_links
from cturi_rdf.catalogue.summary import Summary, kind_of
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.description import in_rdflib, own_description, short_description
from cturi_rdf.rdf.label_statements import label_triples, links
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.reading.relative_iri import relative
from cturi_rdf.reading.terms import from_ox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from rdflib.term import Node

    from cturi_rdf.catalogue.summary import Kind
    from cturi_rdf.labels import Resolution
    from cturi_rdf.rdf.label_statements import Resolver
    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.uri.mapping import Control

__all__ = ["Group", "Report", "annotate"]

# The columns for the meaning of a label.
_RESOLUTION = ("verdict", "types", "wrappers", "rule", "confidence", "reason")


class Group:
    """All occurrences of one label that got no node, or got it by a guess, and the reason."""

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
        for occurrence in self.occurrences:
            yield place_of(occurrence.graph, occurrence.resource), occurrence.predicate

    def to_json(self) -> dict[str, Any]:
        """Return the text, how often and where it occurs, and the reason."""
        return {
            "label": self.text,
            "count": self.count,
            "reason": self.reason,
            "where": [
                {"resource": relative(str(resource)), "property": str(predicate)}
                for resource, predicate in self.places()
            ],
        }


class Report(Summary, Tabular):
    """The result of `annotate`: all occurrences of labels, in the order in which they were read.

    The three counts `resolved`, `services` and `not_understood` add up to `labels`; `to_json`
    returns them with the lists behind them.
    """

    def __init__(self, labels: list[Occurrence]) -> None:
        self.occurrences = labels
        self.labels = len(labels)
        self.resolved = sum(bool(occurrence.content_types) for occurrence in labels)
        self.services = sum(occurrence.resolution.verdict == "service" for occurrence in labels)
        self.likely = sum(kind_of(occurrence.resolution) == "likely" for occurrence in labels)
        self.not_understood = self.labels - self.resolved - self.services
        self.resources = len({occurrence.resource for occurrence in labels})
        self.content_types = {content_type for one in labels for content_type in one.content_types}

    def groups(self, kind: Kind = "not_understood") -> list[Group]:
        """Return the labels of a kind, the most frequent text first."""
        groups: dict[str, Group] = {}
        for occurrence in self.occurrences:
            resolution = occurrence.resolution
            if kind_of(resolution) != kind:
                continue
            group = groups.setdefault(occurrence.text, Group(occurrence.text, resolution.reason))
            group.occurrences.append(occurrence)
        return sorted(groups.values(), key=lambda group: -group.count)

    def as_table(self) -> Table:
        """Return a row for each occurrence of a label, as it was understood."""
        rows = [
            (
                relative(str(place_of(occurrence.graph, occurrence.resource))),
                *(occurrence.predicate, occurrence.text),
                *(getattr(occurrence.resolution, name) for name in _RESOLUTION),
            )
            for occurrence in self.occurrences
        ]
        return Table(self.summary, ("resource", "property", "label", *_RESOLUTION), rows)

    def overview(self) -> Table:
        """Return a row for each distinct label: without a node first, then the most frequent."""
        counts = Counter(occurrence.text for occurrence in self.occurrences)
        by_text = {occurrence.text: occurrence for occurrence in self.occurrences}
        order = sorted(by_text, key=lambda text: (bool(by_text[text].content_types), -counts[text]))
        rows = []
        for text in order:
            resolution = by_text[text].resolution
            packed = "".join(f" in {wrapper}" for wrapper in reversed(resolution.wrappers))
            meaning = ", ".join(map(str, resolution.types)) + packed
            rows.append((text, counts[text], resolution.verdict, meaning, resolution.reason))
        return Table(self.summary, ("label", "count", "verdict", "types", "reason"), rows)

    def __repr__(self) -> str:
        return f"<Report: {self.summary}>"


def annotate(
    graph: Graph,
    *,
    resolver: Resolver = resolve,
    add: Literal["links", "labels", "all"] = "all",
    control: Control = "honour",
) -> Report:
    """Link the resources of a graph to the content types that their labels name.

    Nothing is removed.  `add` says what is added: the links, in a dataset beside the label; also
    the meaning of each label; or ``all``, also short descriptions of the types, so that the graph
    can be asked by itself.  What describes types and labels goes to the default graph.  Annotating
    again adds nothing.  A label that stands for a URI gets a link to it, and nothing is said of
    that URI; with ``control="ignore"`` it is a type like any other (draft-eastlake-cturi, section
    6).

    >>> from rdflib import Literal
    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType "text/csv" .''')
    >>> annotate(graph)
    <Report: 1 label on 1 resource, 1 resolved, 0 services, 0 not understood>
    >>> print(graph.value(predicate=CTV.contentTypeHeader, object=Literal("text/csv")))
    ContentType:text/csv
    """
    graph = union_of(graph)
    with refusing_remote_blank_nodes():
        labels = list(occurrences(graph, resolver))
    for prefix, namespace in prefixes_of("ctv", "dct", "skos").items():
        graph.bind(prefix, namespace, override=False)
    default = graph.default_graph if isinstance(graph, Dataset) else graph
    added: list[tuple[Any, Any, Any, Graph]] = []
    for occurrence in labels:
        path = ox.NamedNode(str(occurrence.predicate))
        added += (
            (occurrence.resource, *map(from_ox, link), occurrence.graph)
            for link in links(path, occurrence.understood, label=add != "links", control=control)
        )
    added += _header_statements(graph, labels, control, if_different=add == "links")
    resolutions = {occurrence.text: occurrence.resolution for occurrence in labels}
    for text, resolution in resolutions.items():
        descriptions = _descriptions(text, resolution, add, control)
        added += ((*in_rdflib(triple), default) for triple in descriptions)
    # All at once, because a remote store takes a request for each call.
    with refusing_remote_blank_nodes():
        graph.addN(added)
    return Report(labels)


def _descriptions(
    text: str, resolution: Resolution, add: str, control: Control
) -> Iterator[Triple]:
    """Yield what is added to the default graph for a label."""
    if add != "links":
        yield from label_triples(text, resolution, control)
    for content_type in (*resolution.named, *resolution.wrappers):
        yield from (short_description if add == "all" else own_description)(content_type, control)


def _header_statements(
    graph: Graph, labels: list[Occurrence], control: Control, *, if_different: bool
) -> Iterator[tuple[Any, Any, Any, Graph]]:
    """Yield links of labelled resources to the header of their bytes, or to types in conflict."""
    stated = set(graph.subjects(CTV.servedAs))
    wanted = {
        resource: header_links(
            Header(resource, resource, evidence), control, if_different=if_different
        )
        for resource, evidence in evidence_in(graph, labels, urls=False).items()
        if resource not in stated
    }
    for occurrence in labels:
        for link in wanted.get(occurrence.resource, ()) if occurrence.content_types else ():
            yield occurrence.resource, *map(from_ox, link), occurrence.graph
