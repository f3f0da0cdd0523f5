"""Annotating and repairing a graph of rdflib, by the same rules as a file.

A label gets its node, or is reported with the reason why it has none.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox
from rdflib import BNode, Graph, URIRef

from cturi_rdf._util.display import Table, Tabular, prefixes_of
from cturi_rdf.catalogue.evidence import BESIDE, TELLING
from cturi_rdf.catalogue.graphs import (
    Occurrence,
    RdflibDocument,
    document_of,
    occurrences,
    place_of,
    refusing_remote_blank_nodes,
    statements_in,
    union_of,
)
from cturi_rdf.catalogue.labels import Labels, Meanings
from cturi_rdf.catalogue.links import LINKS, Links, orphans, unlinked
from cturi_rdf.catalogue.meaning import Adding, FileOptions
from cturi_rdf.catalogue.plan import plan_document
from cturi_rdf.catalogue.profiles import choose_profile
from cturi_rdf.catalogue.report import Place, Summary
from cturi_rdf.catalogue.resources import Contents
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.editing.edit import Remove
from cturi_rdf.labels import resolve
from cturi_rdf.reading.rdflib_graphs import as_dataset
from cturi_rdf.reading.terms import lenient_ox, relative

if TYPE_CHECKING:
    from typing import Literal

    from cturi_rdf.catalogue.profiles import Profile
    from cturi_rdf.catalogue.verdict import Left, Step
    from cturi_rdf.rdf.label_statements import Resolver
    from cturi_rdf.uri.mapping import Control


# The columns for the meaning of a label.
_RESOLUTION = ("verdict", "types", "wrappers", "rule", "confidence", "reason")


class Report(Summary, Tabular):
    """The result of `annotate`: all occurrences of labels, in the order in which they were read.

    The three counts `resolved`, `services` and `not_understood` add up to `labels`; `to_json`
    returns them with the lists behind them.
    """

    def __init__(self, labels: list[Occurrence]) -> None:
        super().__init__()
        self.occurrences = labels
        for one in labels:
            self.count(one.understood, 1, map(_place, [one]))
        self.resources = len({one.resource for one in labels})

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
        """Return a row for each distinct label: first those without a node, then by frequency."""
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


def _place(label: Occurrence) -> Place:
    name = place_of(label.graph, label.resource)
    resource = f"_:{name}" if isinstance(name, BNode) else relative(str(name))
    return Place(resource, str(label.predicate))


def annotate(
    graph: Graph,
    *,
    resolver: Resolver = resolve,
    add: Literal["links", "labels", "all"] = "all",
    control: Control = "honour",
) -> Report:
    """Link the resources of a graph to the content types that their labels name.

    `add` says what is added: ``links`` adds the links, in the graph of the label; ``labels``
    also adds the meaning of each known label, as in a file; ``all`` adds the meanings of all labels
    and short descriptions of the types, so that the graph can be queried by itself.  Descriptions
    of types and labels go to the default graph.
    Annotating again adds nothing; a link that came from a label which has changed since is
    replaced, and a description is removed with the last reference to its node.  A label that stands
    for a URI gets a link to it, and nothing is said about that URI; with ``control="ignore"`` it is
    a type like any other (draft-eastlake-cturi, section 6).

    >>> from rdflib import Literal
    >>> from cturi_rdf.rdf import CTV
    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType "text/csv" .''')
    >>> annotate(graph)
    <Report: 1 label on 1 resource, 1 resolved, 0 services, 0 not understood>
    >>> print(graph.value(predicate=CTV.contentTypeHeader, object=Literal("text/csv")))
    ContentType:text/csv
    """
    graph = union_of(graph)
    document = RdflibDocument(graph)
    with refusing_remote_blank_nodes():
        labels = list(occurrences(graph, resolver))
        for label in labels:
            document.take_from(label.graph, label.resource, label.predicate, label.value)
        for path in (*LINKS, *BESIDE):
            for statement in statements_in(graph, URIRef(path.value)):
                if path not in TELLING or TELLING[path](lenient_ox(statement[-1])):
                    document.take_from(*statement)
    for prefix, namespace in prefixes_of("ctv", "dct", "skos").items():
        graph.bind(prefix, namespace, override=False)
    options = FileOptions(Adding(add), resolver, control=control, names=add == "all")
    understood = {lenient_ox(label.value): label.understood for label in labels}
    described = options.descriptions(understood.values())
    descriptions = tuple(ox.Quad(*triple) for triple in described)
    statements, meaning = document.statements, understood.__getitem__
    changes = list(Links(statements, Labels(statements), meaning, options, descriptions))
    with refusing_remote_blank_nodes():
        document.make(changes)
        if nodes := unlinked(changes):
            left = document_of(graph)
            gone = orphans(nodes, (one.quad for one in left.statements), options, described)
            left.make(Remove(one) for one in left.statements if one.quad in gone)
    return Report(labels)


class GraphPlan(NamedTuple):
    """The changes made in a graph, and the values that are left for a person to decide."""

    profile: Profile
    steps: tuple[Step, ...]
    left: tuple[Left, ...]


def repair(
    graph: Graph,
    profile: str | None = None,
    *,
    options: Options = Options(),
    resolver: Resolver = resolve,
) -> GraphPlan:
    """Give the resources of a graph the types that a profile asks for; the graph is changed.

    `profile` is the name of one, such as ``dcat-ap``; without it the profile is the one that the
    graph shows.  Raises `CatalogError` if there is no such profile.

    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType "text/csv" .''')
    >>> for step in repair(graph, "dcat").steps:
    ...     print(step.text())
    dcat:mediaType "text/csv" -> <https://www.iana.org/assignments/media-types/text/csv>
    """
    graph = as_dataset(graph)
    document = document_of(graph)
    statements = document.statements
    chosen = choose_profile((statement.quad for statement in statements), profile).profile
    meanings = Meanings(resolver)
    contents = Contents(statements, chosen, by_url=options.by_url)
    meanings.describe(meanings.unclear(contents.values), statements)
    plan = plan_document(document, chosen, meanings, options, contents)
    document.make(step.change for step in plan.steps)
    return GraphPlan(chosen, plan.steps, plan.left)
