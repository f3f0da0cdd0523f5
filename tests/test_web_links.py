"""Links of the web: Link headers (RFC 8288), link elements, and what Signposting asks for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph, URIRef

from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.rdf.web_links import (
    RELATIONS,
    check,
    field_of,
    read_field,
    read_html,
    read_text,
    statements,
)

if TYPE_CHECKING:
    from conftest import Cturi, Write

HERE = "https://a.example/data/1"
# A field, the targets, the relations and the types of its links; then its defects.
FIELDS = [
    ('<b>; rel=item; type="text/csv"', [("b", "item", "text/csv")], []),
    ("<b>;rel=item,<c>;rel=license", [("b", "item", None), ("c", "license", None)], []),
    (" , <b> ; rel = item , ,", [("b", "item", None)], []),
    ("<b,c>; rel=item", [("b,c", "item", None)], []),
    ('<b>; rel="item describedby"', [("b", "item describedby", None)], []),
    ('<b>; REL=ITEM; Type="text/csv"; type=a/b', [("b", "item", "text/csv")], []),
    ('<b>; title="a, <c>; \\"d\\""; rel=item', [("b", "item", None)], []),
    ("<b>; rel=item; crossorigin; type=a/b", [("b", "item", "a/b")], []),
    ("<b>; rel=https://a.example/Rel", [("b", "https://a.example/Rel", None)], []),
    ("<b>", [], ["a link without a relation"]),
    ("<b>; rel=''", [("b", "''", None)], []),
    ("b; rel=item, <c>; rel=item", [("c", "item", None)], ["text that is not a link"]),
    ("<b>; rel=item x, <c>; rel=item", [("b", "item", None), ("c", "item", None)],
     ["text after a parameter"]),
    ("<b; rel=item", [], ["text that is not a link"]),
    ("", [], []),
]  # fmt: skip


@pytest.mark.parametrize(("field", "links", "defects"), FIELDS)
def test_a_field_is_read_by_the_algorithm_of_the_rfc(
    field: str, links: list[tuple[str, str, str | None]], defects: list[str]
) -> None:
    read = read_field(field)
    assert [(link.target, " ".join(link.relations), link.type) for link in read.links] == links
    assert [defect.problem for defect in read.defects] == defects
    for defect in read.defects:
        assert 0 <= defect.span[0] <= defect.span[1] <= len(field)


@given(
    st.lists(st.sampled_from([*'<>;,=" ab', "rel=item", "\\", "type=", "text/csv"])).map("".join)
)
def test_any_field_is_read_and_what_is_written_is_read_as_the_same(field: str) -> None:
    links = read_field(field, HERE).links
    again = read_field(field_of(links), HERE).links
    assert [(link.relations, link.attributes | {"rel": ""}) for link in again] == [
        (link.relations, link.attributes | {"rel": ""}) for link in links
    ]


@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize("piece", ["<", '"', "<a>;", ",", '<a>;b="', "<a>;rel=b,", "\\"])
def test_a_flood_of_nonsense_is_read_in_linear_time(piece: str) -> None:
    read_field(piece * 30_000)


def test_targets_are_resolved_and_an_anchor_is_another_context() -> None:
    (link,) = read_field('<../b>; rel=item; anchor="#c"', HERE).links
    assert (link.context, link.target) == (f"{HERE}#c", "https://a.example/b")


PAGE = """<!DOCTYPE html><html><head><title>x</title>
<link rel="describedby alternate" href="meta.ttl" type="text/turtle">
<LINK REL=item HREF=/f.zip><link href=x><link rel=item>
<script>"<link rel=item href=no>"</script>
<!-- <link rel=item href=no> -->"""


def test_the_links_of_a_page_are_those_of_its_link_elements() -> None:
    links, defects = read_html(PAGE, HERE)
    assert [(link.relations, link.target, link.type) for link in links] == [
        (("describedby", "alternate"), "https://a.example/data/meta.ttl", "text/turtle"),
        (("item",), "https://a.example/f.zip", None),
    ]
    problems = ["a link without a relation", "a link without a target"]
    assert [defect.problem for defect in defects] == problems
    assert all(defect.text in PAGE for defect in defects)


# A link, and what is found about it.
CHECKED = [
    ('<b>; rel=item; type="text/csv"', []),
    ("<b>; rel=item", ["type-missing"]),
    ("<b>; rel=license", []),
    ('<b>; rel=item; type="Zipped CSV"', ["type-malformed"]),
    ('<b>; rel=item; type="text / csv"', ["type-malformed"]),
    ("<b>; rel=item; type=application/dcat+xml", ["type-unregistered"]),
    ("<b>; rel=item; type=application/x-gzip", ["type-alias"]),
    ("<b>; rel=item; type=application/vc+ld+json", ["type-alias"]),
    ("<b>; rel=cite-as, <c>; rel=cite-as", ["cite-as-twice"]),
    ("<b>; rel=cite-as, <b>; rel=cite-as", []),
]


@pytest.mark.parametrize(("field", "codes"), CHECKED)
def test_the_types_of_links_are_checked(field: str, codes: list[str]) -> None:
    assert [finding.code for finding in check(read_field(field, HERE).links)] == codes


def test_a_type_that_is_no_media_type_is_corrected_where_it_means_one() -> None:
    for text, said in (
        ("CSV", "'CSV', is not a media type; write text/csv"),
        ("Zipped CSV", "'Zipped CSV', is not a media type; write application/zip"),
        ("csv.tar.gz", "'csv.tar.gz', is not a media type; write application/gzip"),
        ("CSV, JSON", "'CSV, JSON', is not a media type: "),
        ("misc", "'misc', is not a media type: "),
        ("text/tsv", "'text/tsv', is another name for text/tab-separated-values"),
        ("text/x-unheard", "'text/x-unheard', is not a registered type"),
    ):
        [finding] = check(read_field(f'<a>; rel=up; type="{text}"').links)
        assert f"the type of <a>, {said}" in str(finding)


def test_the_outermost_type_of_a_label_is_the_one_to_send() -> None:
    (finding,) = check(read_field('<b>; rel=item; type="Zipped CSV"').links)
    assert finding.problem.endswith("write application/zip")


def test_links_are_statements_and_a_type_names_nobody_s_uri() -> None:
    field = "<b>; rel=item; type=text/csv, <c>; rel=http://r.example/x;"
    field += ' type="application/uri.http%3A%2F%2Fv.example%2F"'
    graph = Graph()
    for triple in statements(read_field(field, HERE).links):
        graph.add(triple)
    b = URIRef("https://a.example/data/b")
    assert (URIRef(HERE), URIRef(f"{RELATIONS}item"), b) in graph
    assert (b, CTV.contentType, URIRef("ContentType:text/csv")) in graph
    assert (URIRef(HERE), URIRef("http://r.example/x"), None) in graph
    assert (None, None, URIRef("http://v.example/")) not in graph
    assert list(statements(read_field("<b>; rel=item").links)) == []


HEADERS = """HTTP/2 200
Link: <meta.ttl>; rel="describedby"; type="text/turtle",
  <f.csv>; rel="item"
content-type: text/html
link: <x>
"""


def test_the_command_prints_checks_and_states_links(cturi: Cturi, write: Write) -> None:
    source = write("headers.txt", HEADERS)
    run = cturi("links", source, "--context", HERE)
    assert run.out.splitlines() == [
        "describedby\thttps://a.example/data/meta.ttl\ttext/turtle",
        "item\thttps://a.example/data/f.csv\t",
    ]
    assert f"{source}:5: a link without a relation" in run.err
    run = cturi("links", source, "--check")
    assert run.code == 1
    assert "should: <f.csv>, item, has no type (Signposting" in run.out
    run = cturi("links", source, "--context", HERE, "--to", "nt")
    assert f"<{HERE}> <{RELATIONS}item> <https://a.example/data/f.csv> ." in run.out.splitlines()
    run = cturi("links", write("page.html", PAGE), "--context", HERE)
    assert run.out.count("\n") == 2


def test_a_file_without_a_link_in_it_is_refused_once(cturi: Cturi, write: Write) -> None:
    catalogue = write("c.ttl", "@prefix a: <http://a.example/> .\n<a> a a:b, a:c, <d> .\n")
    run = cturi("links", catalogue)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "text that is not a link" in run.err
    assert cturi("links", catalogue, "--check").code == 1
    assert cturi("links", write("empty.html", "<html>")).code == 0


def test_a_text_without_the_name_of_a_field_is_the_value_of_one() -> None:
    for text in ("<a>; rel=item", " <a>;\n rel=item \n"):
        [(line, (links, defects))] = read_text(text)
        assert (line, [link.target for link in links], defects) == (1, ["a"], ())
    assert list(read_text(" \n")) == []


CATALOGUE = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
<http://a.example/d> dcat:distribution <http://a.example/d#1> ; dct:license <http://l.example/by> .
<http://a.example/d#1> dct:format "Zipped CSV" ; dcat:downloadURL <http://a.example/d.zip> ."""


def test_a_resource_of_a_catalogue_has_a_link_header(cturi: Cturi, write: Write) -> None:
    source = write("c.ttl", CATALOGUE)
    run = cturi("links", source, "--of", "http://a.example/d", "--json")
    first, *_ = map(json.loads, run.out.splitlines())
    assert first["content_type"] == "application/zip"
    run = cturi("links", source, "--of", "http://a.example/none")
    assert (run.code, run.out) == (2, "")
    assert "has no links of http://a.example/none" in run.err
    run = cturi("links", source, "--of", "http://a.example/d")
    written = '<http://a.example/d.zip>; rel="item"; type="application/zip", '
    written += '<http://l.example/by>; rel="license"'
    assert run.out == f"Link: {written}\n"
    ((_, read),) = read_text(run.out)
    assert list(check(read.links)) == []
    assert cturi("links", source, "--of", "http://a.example/none").code == 2
