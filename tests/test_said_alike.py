"""What one command says of a resource, all say: also where nodes of types are stated by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import law, small_folder
from hypothesis import example, given
from hypothesis import strategies as st
from repairs import HEAD

from cturi_rdf.catalogue import headers_of_file
from cturi_rdf.catalogue.annotate import annotate_file
from cturi_rdf.catalogue.meaning import Adding
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.check import check_file
from cturi_rdf.rdf import headers
from cturi_rdf.reading import read_catalog
from cturi_rdf.repair import plan_file, profile_names
from cturi_rdf.sparql import query_data
from cturi_rdf.sparql.query import ask, ready_made

if TYPE_CHECKING:
    from cturi_rdf.catalogue.header import Header

CTV = "https://w3id.org/cturi/vocab#"
NAME = "http://a.example/d"
# Labels that name one type, several, or none.
LABELS = ["CSV", "JSON", "GeoJSON", "text/csv; header=absent", "Excel", "Zipped CSV", "ZIP",
          "csv.gz", "n/a", "flurbel", "WMS", "text/csv; charset=latin1", "CSV, JSON", "CSV, ZIP",
          "GeoJSON, CSV, KML", "application/x-gzip", "application/x-hdf", "KMZ", "ARC"]  # fmt: skip
NODES = ["text/csv", "application/json", "application/geo+json", "application/zip",
         "text/csv?header=%22absent%22", "text/csv?charset=%22utf-8%22", "application/gzip",
         "application/vnd.ms-excel"]  # fmt: skip
WRAPPERS = ["compression> <ContentType:application/gzip>",
            "packaging> <ContentType:application/zip>"]  # fmt: skip
SENT = ["text/csv", "text/html", "application/zip"]

QUERIES = ("headers", "conflicts")

labels = st.lists(
    st.tuples(st.sampled_from(["dct:format", "dcat:mediaType"]), st.sampled_from(LABELS)),
    min_size=1,
    max_size=2,
).map(lambda rows: [f'{path} "{label}"' for path, label in rows])
nodes = st.lists(st.sampled_from(NODES), max_size=2).map(
    lambda drawn: [f"<{CTV}contentType> <ContentType:{node}>" for node in drawn]
)
wrappers = st.lists(st.sampled_from(WRAPPERS), max_size=2, unique=True).map(
    lambda drawn: [f"<{CTV}{wrapper}" for wrapper in drawn]
)
served = st.sampled_from(["", *SENT]).map(
    lambda sent: sent and f"<{CTV}servedAs> <ContentType:{sent}>"
)
resources = st.tuples(labels, nodes, wrappers, served).map(
    lambda parts: " ; ".join(filter(None, [*parts[0], *parts[1], *parts[2], parts[3]]))
)

IN_A_PACKAGE = f'dct:format "ZIP", "KMZ" ; <{CTV}packaging> <ContentType:application/zip>'
# Only the stated header decides between the nodes.
DECIDED = (
    f'dcat:mediaType "Zipped CSV" ; <{CTV}contentType> <ContentType:application/vnd.ms-excel>,'
    f" <ContentType:text/csv> ; <{CTV}packaging> <ContentType:application/zip> ;"
    f" <{CTV}servedAs> <ContentType:text/html>"
)


def in_file(folder: str, statements: str) -> Path:
    file = Path(folder, "catalogue.ttl")
    file.write_text(f"{HEAD}<{NAME}> a dcat:Distribution ; {statements} .\n", "utf-8")
    return file


def header(file: Path, *, by_url: bool = False) -> Header | None:
    found = headers_of_file(str(file), by_url=by_url)
    return next((one for one in found if str(one.name) == NAME), None)


def said(file: Path, *, by_url: bool = False) -> tuple[object, ...] | None:
    """Return what the header says."""
    one = header(file, by_url=by_url)
    return one and (one.verdict, one.content_type, set(one.contains), set(one.conflicts))


@pytest.mark.parametrize("adding", [Adding.LINKS, Adding.ALL])
@given(resources)
@example(IN_A_PACKAGE)
@law
def test_a_file_is_annotated_with_what_its_headers_say(adding: Adding, statements: str) -> None:
    with small_folder() as folder:
        file = in_file(folder, statements)
        before = said(file)
        annotate_file(file, file, adding=adding)
        assert said(file) == before, file.read_text("utf-8")


@given(resources, st.sampled_from(profile_names()))
@example(IN_A_PACKAGE, "dcat-ap-ch")
@example(DECIDED, "dcat-ap-se")
@law
def test_a_repair_changes_no_header_that_a_node_has_to_do_with(
    statements: str, profile: str
) -> None:
    with small_folder() as folder:
        file = in_file(folder, statements)
        before = said(file)
        file.write_bytes(plan_file(str(file), profile=profile).edited)
        assert said(file) == before or not before or before[0] != "one"


@given(labels, st.sampled_from(["a.csv", "a.csv.gz", "a.zip"]), st.sampled_from(profile_names()))
@law
def test_a_repair_by_the_name_of_the_file_changes_no_header_by_that_name(
    labels: list[str], name: str, profile: str
) -> None:
    with small_folder() as folder:
        file = in_file(folder, f"{' ; '.join(labels)} ; dcat:downloadURL <http://a.example/{name}>")
        before = said(file, by_url=True)
        options = Options(by_url=True)
        file.write_bytes(plan_file(str(file), profile=profile, options=options).edited)
        assert said(file, by_url=True) == before or not before or before[0] != "one"


@given(resources, st.sampled_from(profile_names()))
@law
def test_a_check_tells_of_a_conflict_where_the_header_has_one(
    statements: str, profile: str
) -> None:
    with small_folder() as folder:
        file = in_file(folder, statements)
        stated = header(file)
        rules = {one.rule for one in check_file(str(file), profile=profile).findings}
        verdicts = plan_file(str(file), profile=profile).plan.verdicts
    rules |= {one.rule for one in verdicts} & {"conflict", "several"}
    if stated and stated.conflicts:
        assert rules & {"TypesAgree", "conflict", "several"}
    else:
        # A profile may allow one value where several agree, and a header that is stated decides
        # against some statements.
        assert not rules & (
            {"TypesAgree"} if "servedAs" in statements else {"TypesAgree", "conflict"}
        )


@given(resources)
@law
def test_a_graph_and_the_queries_say_what_the_file_says(statements: str) -> None:
    with small_folder() as folder:
        file = in_file(folder, statements)
        stated = header(file)
        in_graph = headers(read_catalog(str(file)))
        data = query_data(str(file), annotated=True, registry="default")
    assert [one.as_dict() for one in in_graph] == ([stated.as_dict()] if stated else [])
    rows = {name: ask(ready_made()[name].text, data).text_rows()[1:] for name in QUERIES}
    sent = stated.content_type if stated else None
    assert [row[1].lower() for row in rows["headers"]] == ([str(sent).lower()] if sent else [])
    assert bool(rows["conflicts"]) == bool(stated and stated.conflicts)
