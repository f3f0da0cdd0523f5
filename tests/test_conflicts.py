"""One definition of conflict: every door of the package tells the same of a real catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.catalogue import headers_of_file
from cturi_rdf.check import check_file
from cturi_rdf.rdf import headers
from cturi_rdf.repair import plan_file
from cturi_rdf.sparql.query import MissingStatements, ready_made, run

if TYPE_CHECKING:
    from catalogues import Annotated


def test_headers_check_and_the_query_agree_on_every_catalogue(annotated: Annotated) -> None:
    path = str(annotated.path)
    in_file = [header for header in headers_of_file(path) if header.conflicts]
    in_graph = [header for header in headers(annotated.given) if header.conflicts]
    assert [str(header.name) for header in in_file] == [str(header.name) for header in in_graph]
    checked = {
        str(place.resource)
        for finding in check_file(path).findings
        if finding.shape.value.endswith("#TypesAgree")
        for place in finding.places
    }
    try:
        queried = {str(row[0]) for row in run(ready_made()["conflicts"].text, annotated.dataset)}
    except MissingStatements:
        # Annotating links types in conflict only where there are any.
        queried = set()
    assert len(in_file) == len(in_graph) == len(queried)
    # Where the profile of the file tells of a conflict, our shapes do not tell of it again.
    verdicts = plan_file(path).plan.verdicts
    told = {one.statement.subject for one in verdicts if one.tells_conflict}
    assert len(checked) <= len(in_file) <= len(checked) + len(told)
