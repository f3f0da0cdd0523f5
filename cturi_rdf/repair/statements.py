"""A plan as removed and added statements: SPARQL UPDATE, RDF Patch and PROV-O."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urljoin

import pyoxigraph as ox

from cturi_rdf import __version__
from cturi_rdf.editing import Add
from cturi_rdf.rdf.terms import RDF, RDFS, XSD, Vocabulary
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.relative_iri import SENTINEL, relative

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.editing.document import Term
    from cturi_rdf.repair.files import FilePlan
    from cturi_rdf.repair.steps import Step

__all__ = ["as_provenance", "as_rdf_patch", "as_sparql_update"]

_PROV = Vocabulary("http://www.w3.org/ns/prov#")


def _base(source: str) -> str:
    return "urn:x-stdin:" if source == "-" else Path(source).resolve().as_uri()


def _absolute(term: Term | ox.DefaultGraph, base: str) -> str:
    """Return a term in N-Triples, an IRI that is relative in the file against that of the file."""
    if isinstance(term, ox.NamedNode) and term.value.startswith(SENTINEL):
        return f"<{urljoin(base, relative(term.value))}>"
    return str(term)


def _triple(quad: ox.Quad, base: str) -> str:
    return " ".join(_absolute(term, base) for term in (quad.subject, quad.predicate, quad.object))


def as_sparql_update(planned: FilePlan) -> str:
    """Return the plan in SPARQL 1.1 Update, an operation for each change of a statement.

    No blank node can be named in SPARQL: one is found by the statement that goes, so that all
    blank nodes with the same statement are repaired alike.  Raises `CatalogError` for a change in
    a graph that is named by a blank node.
    """
    for step in planned.plan.steps:
        for quad in (*step.change.removed, *step.change.added):
            if isinstance(quad.graph_name, ox.BlankNode):
                raise CatalogError(
                    f"SPARQL cannot change a graph that is named by a blank node: {step.text()}",
                    planned.source,
                    "another kind of patch, such as .rdfp, or an IRI as the name of the graph",
                )
    base = _base(planned.source)
    # A statement that is to be removed may be needed to find a blank node: additions go first.
    steps = sorted(planned.plan.steps, key=lambda step: not isinstance(step.change, Add))
    operations = (_operation(step, base) for step in steps)
    head = f"# {planned.plan.profile.title}, repaired by cturi {__version__}\n"
    return head + " ;\n".join(operations) + "\n"


def _operation(step: Step, base: str) -> str:
    change = step.change
    statement = step.statement
    if statement is None or not isinstance(statement.subject, ox.BlankNode):
        return " ;\n".join(
            f"{verb} {{ {_in_graph(quad, _triple(quad, base), base)} }}"
            for verb, quads in (("DELETE DATA", change.removed), ("INSERT DATA", change.added))
            for quad in quads
        )

    def pattern(quads: Iterable[ox.Quad]) -> str:
        return " ".join(
            _in_graph(quad, f"?node {_triple(quad, base).partition(' ')[2]}", base)
            for quad in quads
        )

    where = pattern(change.removed or [statement.quad])
    gone = f"DELETE {{ {pattern(change.removed)} }}\n" if change.removed else ""
    come = f"INSERT {{ {pattern(change.added)} }}\n" if change.added else ""
    return f"{gone}{come}WHERE {{ {where} FILTER isBlank(?node) }}"


def _in_graph(quad: ox.Quad, triple: str, base: str) -> str:
    if isinstance(quad.graph_name, ox.DefaultGraph):
        return f"{triple} ."
    return f"GRAPH {_absolute(quad.graph_name, base)} {{ {triple} }}"


def as_rdf_patch(planned: FilePlan) -> str:
    """Return the plan as RDF Patch (https://afs.github.io/rdf-delta/rdf-patch.html).

    All of it is one transaction.  The labels of blank nodes are those of the file, where it has
    some.
    """
    base = _base(planned.source)
    digest = hashlib.sha256(planned.original + planned.edited).hexdigest()
    rows = [f"H id <urn:sha256:{digest}> .", "TX ."]
    for step in planned.plan.steps:
        for letter, quads in (("D", step.change.removed), ("A", step.change.added)):
            for quad in quads:
                named = not isinstance(quad.graph_name, ox.DefaultGraph)
                graph = f" {_absolute(quad.graph_name, base)}" if named else ""
                rows.append(f"{letter} {_triple(quad, base)}{graph} .")
    return "".join(f"{row}\n" for row in (*rows, "TC ."))


def as_provenance(planned: FilePlan) -> str:
    """Return the provenance of the changes in PROV-O: the repair, both versions, each step."""
    return cast(
        "bytes",
        ox.serialize(
            (ox.Quad(*triple) for triple in _provenance(planned)),
            format=ox.RdfFormat.TURTLE,
            prefixes={"prov": str(_PROV), "rdfs": str(RDFS), "xsd": str(XSD)},
        ),
    ).decode()


def _provenance(
    planned: FilePlan,
) -> Iterator[tuple[ox.BlankNode | ox.NamedNode, ox.NamedNode, Term]]:
    repair, tool = ox.BlankNode("repair"), ox.BlankNode("cturi")
    now = ox.Literal(datetime.now(UTC).isoformat(timespec="seconds"), datatype=XSD.dateTime)
    old, new = (
        ox.NamedNode(f"urn:sha256:{hashlib.sha256(content).hexdigest()}")
        for content in (planned.original, planned.edited)
    )
    yield repair, RDF.type, _PROV.Activity
    yield repair, _PROV.used, old
    yield repair, _PROV.generated, new
    yield repair, _PROV.endedAtTime, now
    yield repair, _PROV.wasAssociatedWith, tool
    yield repair, _PROV.hadPlan, ox.NamedNode(planned.plan.profile.document)
    yield tool, RDF.type, _PROV.SoftwareAgent
    yield tool, RDFS.label, ox.Literal(f"cturi repair {__version__}")
    yield old, RDF.type, _PROV.Entity
    yield old, RDFS.label, ox.Literal(planned.source)
    yield new, RDF.type, _PROV.Entity
    yield new, _PROV.wasDerivedFrom, old
    for number, step in enumerate(planned.plan.steps, 1):
        node = ox.BlankNode(f"step{number}")
        place = ""
        if step.statement is not None:
            place = "{}:{}: ".format(*planned.plan.document.position(step.statement.start))
        yield node, RDF.type, _PROV.Activity
        yield node, _PROV.wasInformedBy, repair
        yield node, RDFS.label, ox.Literal(f"{place}{step.text()}")
        yield node, RDFS.comment, ox.Literal(f"{step.rule}, {step.confidence}: {step.reason}")
