"""Counts are plotted, and graphs drawn, as pictures that can be read."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from rdflib import BNode, Graph, Literal, URIRef

from cturi_rdf._util.display import Table
from cturi_rdf.check import check
from cturi_rdf.notebook import coverage, kinds, over_time, picture, plot, problems
from cturi_rdf.rdf import annotate

DATA = Path(__file__).parent / "data"


def test_counts_take_publisher_and_year_of_the_dataset(published: Graph) -> None:
    report = annotate(published)
    publishers = [("Office", 1, 1, 1), ("https://a.example/org", 2, 0, 0), ("Me", 1, 0, 0)]
    assert coverage(report).rows == publishers
    assert over_time(report).rows == [("2019", 1, 0), ("2021", 0, 1)]
    assert over_time(report).columns == ["year", "text/csv", "application/json"]
    assert [row[0] for row in kinds(report).rows] == ["media_type", "service", "nothing"]


@pytest.mark.parametrize(
    "dates",
    ["dct:issued '2020'", "dct:issued 'soon', '2020-01'", "dct:issued '' ; dct:modified 2020"],
)
@pytest.mark.parametrize("own", ["", "dct:issued [] ;"])
def test_the_year_is_that_of_the_first_date_that_has_one(dates: str, own: str) -> None:
    data = f"""@prefix dcat: <http://www.w3.org/ns/dcat#> .
        @prefix dct: <http://purl.org/dc/terms/> .
        <urn:a> {dates} ; dcat:distribution [ {own} dcat:mediaType "text/csv" ] ."""
    assert over_time(annotate(Graph().parse(data=data, format="turtle"))).rows == [("2020", 1)]


def test_years_are_drawn_at_their_distances() -> None:
    rows = [(str(year), 1) for year in (1988, *range(2000, 2030, 5), 2030)]
    svg = plot(Table("t", ["year", "n"], rows)).svg
    starts = re.findall(r'<path d="M ([0-9.]+) [^>]*fill: #0072b2', svg)
    assert len(starts) == len(rows)
    left = [float(start) for start in starts]
    whole = left[-1] - left[0]
    for start, (year, _) in zip(left, rows, strict=True):
        assert start - left[0] == pytest.approx(whole * (int(year) - 1988) / (2030 - 1988), abs=0.1)


def test_what_a_file_is_packed_or_compressed_in_is_not_a_format_of_its_year() -> None:
    data = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
        @prefix dct: <http://purl.org/dc/terms/> . <urn:a> dct:issued "2019" ;
        dcat:mediaType "text/csv" ; dcat:packageFormat
        <http://www.iana.org/assignments/media-types/application/zip> ; dcat:compressFormat
        <http://www.iana.org/assignments/media-types/application/gzip> ."""
    report = annotate(Graph().parse(data=data, format="turtle"))
    assert report.labels == 3
    assert over_time(report).columns == ["year", "text/csv"]


def test_a_report_is_plotted_as_its_counts(published: Graph) -> None:
    report, checked = annotate(published), check(published)
    assert plot(report).svg == plot(kinds(report)).svg
    assert plot(checked).svg == plot(problems(checked)).svg
    assert sum(sum(row[1:]) for row in problems(checked).rows) == len(checked.as_table())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("counts", [(), (1,), (1, 2)])
def test_each_column_of_counts_has_its_colour_and_several_have_a_legend(
    counts: tuple[int, ...],
) -> None:
    names = [f"column {number}" for number in counts]
    svg = plot(Table("t", ["name", *names], [("a", *counts)])).svg
    assert ("legend" in svg) == (len(counts) > 1)
    assert (">count<" in svg) == (len(counts) != 1)


@pytest.mark.parametrize("names", [
    ["a", "service", "b", "c", "d", "e", "f", "g"], ["Warning", "a", "b"], list("abcdefghijklm"),
], ids=["a colour with a meaning", "two", "more than there are colours"])  # fmt: skip
def test_no_two_columns_of_counts_look_alike(names: list[str]) -> None:
    svg = plot(Table("t", ["name", *names], [("a", *[1] * len(names))])).svg
    legend = svg[svg.index("legend_1") :]
    looks = re.findall(r'style="fill: (#[0-9a-f]+|url\(#\w+\))"', legend)
    assert len(looks) == len(set(looks)) == len(names)


LONG = "application/vnd.openxmlformats-officedocument"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("names", "rows", "ticks"), [
    (["count"], [(LONG, 154_141)], ["0", "50000", "100000", "150000"]),
    (["points"], [("a", 23), ("b", 2.5)], ["0", "5", "10", "15", "20"]),
    ([f"{LONG} {n}" for n in range(3)], [(LONG, 3, 2, 4)], ["0", "2", "4", "6", "8"]),
    (["count"], [("a", 0), ("b", 0)], ["0", "1"]),
    (["count"], [], ["0", "1"]),
    (["share"], [("a", 0.4)], ["0.0", "0.1", "0.2", "0.3", "0.4"]),
], ids=["large", "of two digits", "beside long names", "zero", "nothing", "shares"])  # fmt: skip
def test_a_plot_has_a_few_round_ticks(names: list[str], rows: Any, ticks: list[str]) -> None:
    svg = plot(Table("t", ["name", *names], rows)).svg
    axis = svg[svg.index("xtick_1") : svg.index("matplotlib.axis_2")]
    assert re.findall("<text[^>]*>([-0-9.\u2212]+)<", axis) == ticks


def test_a_plot_says_how_many_rows_it_leaves_out() -> None:
    rows = [(f"publisher {number}", 1) for number in range(60)]
    assert ">publisher (the first 25 of 60)<" in plot(Table("", ["publisher", "n"], rows)).svg
    assert ">publisher<" in plot(Table("", ["publisher", "n"], rows[:25])).svg


NO_PLOT = [
    ([("a", 1)], r"plot\(\) takes a table of counts or a report, not list"),
    (None, "not NoneType"),
    (Table("", ["a", "b"], [("x", "many")]), "column 'b' has 'many'"),
]


@pytest.mark.parametrize(("counts", "problem"), NO_PLOT)
def test_what_cannot_be_plotted_is_refused_in_a_sentence(counts: Any, problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        plot(counts)


@pytest.mark.parametrize(("first", "columns", "rows", "inches"), [
    ("name", ["n"], [("a", 1)], (7.0, 1.52)),
    ("name", ["n"], [("a" * 50, 1)] * 10, (7.0, 4.4)),
    ("name", ["c" * 10, "d"], [("a" * 50, 1, 1)], (3 + 0.09 * 42 + 0.5 + 0.75, 1.52)),
    ("year", ["n"], [("2020", 1), ("2021", 1)], (7.0, 3.2)),
])  # fmt: skip
def test_a_plot_has_room_for_its_names_and_its_legend(
    first: str, columns: list[str], rows: Any, inches: tuple[float, float]
) -> None:
    svg = plot(Table("t", [first, *columns], rows)).svg
    [size] = re.findall('<svg [^>]*width="([0-9.]+)pt" height="([0-9.]+)pt"', svg)
    assert list(map(float, size)) == pytest.approx([each * 72 for each in inches], abs=0.1)


def test_a_picture_is_no_wider_than_its_page(published: Graph) -> None:
    for drawn in (picture(published), plot(annotate(published))):
        root = re.search("<svg [^>]*>", drawn.svg)
        assert root
        assert "max-width: 100%; height: auto" in root[0]


def test_the_same_counts_make_the_same_plot(published: Graph) -> None:
    counts = over_time(annotate(published))
    assert plot(counts).svg == plot(counts).svg
    assert "application/json" in plot(counts).svg
    assert "nothing to count" in plot(Table("t", ["year", "n"], [])).svg


def test_a_picture_has_every_node_once_and_is_saved(tmp_path: Path) -> None:
    data = "<urn:a> <urn:p> <urn:b>, 1 ; <urn:q> <urn:b> . <urn:b> <urn:p> <urn:a> . [] a <urn:c> ."
    drawn = picture(Graph().parse(data=data, format="turtle"))
    assert repr(drawn) == "<Picture: 5 nodes, 5 edges>"
    assert drawn.svg.count("<g>") == 5
    drawn.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text("utf-8") == drawn._repr_svg_()


@pytest.mark.parametrize("triples", [
    ":a :to :x . :b :leads_to :x . :c :follows :x .",
    ":a :to :x, :y ; :leads_to :z . :b :to :z ; :leads_to :x . :c :follows :x, :y, :z .",
    ":a :to :b . :b :to :c . :c :leads_back_to :a ; :follows :b, :c .",
    ":a :is :a .",
], ids=["to one node", "crossing", "back", "to itself"])  # fmt: skip
def test_the_names_of_edges_are_in_the_picture_and_cover_no_other(triples: str) -> None:
    graph = Graph().parse(data=f"@prefix : <urn:p:> . {triples}", format="turtle")
    svg = picture(graph).svg
    [(width, height)] = re.findall("<svg .*?width='([0-9]+)' height='([0-9]+)'", svg)
    texts = re.findall("<text x='([0-9]+)' y='([0-9]+)' [^>]*'10' [^>]*>([^<]*)<", svg)
    names = [(int(x), int(y), len(name) * 3) for x, y, name in texts]
    assert len(names) == len(graph)
    assert all(half < x < int(width) - half and y < int(height) for x, y, half in names)
    for (x1, y1, half1), (x2, y2, half2) in combinations(names, 2):
        assert abs(x1 - x2) >= half1 + half2 or abs(y1 - y2) >= 10


# A picture that is drawn otherwise is looked at in a browser, and then replaces its file.
PICTURES = {
    "columns": ":a :to :b ; :leads_to :c . :b :to 'x', _:n . :c :back :a ; :is :c ; :follows :b .",
    "circle": ":b :to :c . :c :to :a . :a :to :b ; :is :a .",
    "wide": f":{'a' * 40} :{'leads_to_' * 9} :b . :b :to '{'x' * 34}', '{'y' * 35}', 'a\\nb' .",
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_columns_from_left_to_right_and_arrows_between_them(name: str) -> None:
    data = f"@prefix : <urn:p:> . {PICTURES[name]}"
    graph = Graph()
    for triple in Graph().parse(data=data, format="turtle"):
        graph.add([BNode("n") if isinstance(term, BNode) else term for term in triple])
    graph.bind("", "urn:p:")
    drawn = picture(graph).svg.replace("><", ">\n<") + "\n"
    assert drawn == (DATA / "pictures" / f"{name}.svg").read_text("utf-8")


def test_a_picture_of_a_query_is_that_of_the_graph_that_it_constructed() -> None:
    graph = Graph().parse(data="@prefix : <urn:p:> . :a :to :b .", format="turtle")
    constructed = graph.query("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }")
    assert repr(picture(constructed)) == repr(picture(graph)) == "<Picture: 2 nodes, 1 edge>"
    with pytest.raises(ValueError, match="0 nodes"):
        picture(graph.query("SELECT * { ?s ?p ?o }"))


def test_a_graph_that_is_too_large_for_a_picture_is_refused() -> None:
    graph = Graph()
    with pytest.raises(ValueError, match="0 nodes"):
        picture(graph)
    for number in range(59):
        graph.add((URIRef("urn:a"), URIRef("urn:p"), Literal(number)))
    assert repr(picture(graph)) == "<Picture: 60 nodes, 59 edges>"
    graph.add((URIRef("urn:a"), URIRef("urn:p"), Literal(59)))
    with pytest.raises(ValueError, match="61 nodes"):
        picture(graph)


@pytest.mark.parametrize("count", [coverage, over_time, problems])
def test_a_report_of_another_function_is_refused_in_a_sentence(count: Any) -> None:
    other = annotate(Graph()) if count is problems else check(Graph())
    with pytest.raises(TypeError, match=r"of a report of \w+, not \w+"):
        count(other)
