"""The provenance of a repair in PROV-O: the repair, both versions of the file, each change."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import pyoxigraph as ox

from cturi_rdf import __version__
from cturi_rdf.rdf.terms import RDF, RDFS, XSD, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.catalogue.repair import FilePlan
    from cturi_rdf.editing.document import Term


_PROV = Vocabulary("http://www.w3.org/ns/prov#")


def as_provenance(planned: FilePlan) -> bytes:
    """Return the provenance of the changes in PROV-O: the repair, both versions, each step."""
    return cast(
        "bytes",
        ox.serialize(
            (ox.Quad(*triple) for triple in _provenance(planned)),
            format=ox.RdfFormat.TURTLE,
            prefixes={"prov": str(_PROV), "rdfs": str(RDFS), "xsd": str(XSD)},
        ),
    )


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
