"""Values show themselves: as HTML in a notebook, by rich on a terminal, as data frames."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from html.parser import HTMLParser
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import python
from rdflib import Graph, Literal, URIRef
from rich.console import Console

from cturi_rdf import ContentType
from cturi_rdf._util.display import Displayed, Table
from cturi_rdf.check import check
from cturi_rdf.labels import resolve, resolve_all
from cturi_rdf.notebook import coverage, kinds, over_time, picture, plot, problems, query, table
from cturi_rdf.rdf import annotate, headers

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</td></table><h1>",
    "&lt;b&gt;", "javascript:alert(1)", "http://a.example/'onclick='x", "[red]no markup[/red]",
    "\x1b[2J\x1b]0;title\x07", "\u202etxt.exe", "$x^2$", "a\nb", "]]>", "{{7*7}}",
]  # fmt: skip
CATALOGUE = """
    @prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
    @prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix ex: <https://a.example/> .
    ex:set dct:publisher [ foaf:name "Office" ] ; dct:issued "2019-02-03" ;
        dcat:distribution ex:a, ex:b, ex:c .
    ex:a dcat:mediaType "text/csv" . ex:b dct:format "WMS" . ex:c dct:format "whatever" .
    ex:d dct:format "JSON" ; dct:publisher "Me" ; dct:issued 2021 .
    ex:e dct:format "JSON" , "CSV" ; dct:publisher ex:org ; dct:issued "soon" ."""


class _Tags(HTMLParser):
    """The tags and attributes that a browser sees."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag, *(f"@{name}" for name, _ in attrs)}
        self.links += [value or "" for name, value in attrs if name in {"href", "src"}]


def _tags(html: str) -> _Tags:
    tags = _Tags()
    tags.feed(html)
    tags.close()
    return tags


def _is_harmless(html: str) -> bool:
    tags = _tags(html)
    allowed = {"table", "caption", "thead", "tbody", "tr", "th", "td", "a", "span"}
    attributes = {"@style", "@href", "@rel", "@title", "@colspan"}
    return tags.seen <= allowed | attributes and all(
        re.match(r"https?://", each) for each in tags.links
    )


@pytest.fixture
def catalogue() -> Graph:
    return Graph().parse(data=CATALOGUE, format="turtle")


@pytest.fixture
def hostile() -> Graph:
    graph = Graph()
    for number, each in enumerate(HOSTILE):
        node = URIRef(f"https://a.example/{number}")
        graph.add((node, URIRef("http://purl.org/dc/terms/format"), Literal(each)))
        graph.add((node, URIRef("http://purl.org/dc/terms/publisher"), Literal(each)))
    return graph


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (ContentType.parse("image/svg+xml; charset=utf-8"), "charset=utf-8"),
        (ContentType.recover("text/html;;charset"), "a parameter without a value"),
        (resolve("Zipped Shapefile"), "application/vnd.shp"),
        (Table("", ["a"], [(None,), (1,)]), "<td"),
    ],
)
def test_a_value_shows_itself_without_any_extension(value: Any, shown: str) -> None:
    html = value._repr_html_()
    assert shown in html
    assert _is_harmless(html)
    console = Console(width=200)
    with console.capture() as captured:
        console.print(value)
    assert shown.replace("<td", "a") in captured.get()


def test_a_report_shows_what_it_did_not_understand_first(catalogue: Graph) -> None:
    report = annotate(catalogue)
    assert report.as_table().rows[0][2] == "text/csv"
    assert [row[:2] for row in report.overview().rows][:2] == [("WMS", 1), ("whatever", 1)]
    assert "6 labels on 5 resources" in report._repr_html_()
    assert len(report.to_pandas()) == report.to_polars().height == report.labels


def test_a_check_is_a_table_of_places(catalogue: Graph) -> None:
    report = check(catalogue)
    frame = report.to_pandas()
    assert {"severity", "rule", "message"} < set(frame.columns)
    assert len(frame) == sum(len(each.places) for each in report.findings) > 0
    assert len(report.overview()) <= len(report.findings)
    assert report.findings[0].rule in report._repr_html_()


def test_nothing_that_a_publisher_writes_is_markup(hostile: Graph) -> None:
    report = annotate(hostile)
    found = list(headers(hostile))
    shown = [report, check(hostile), table(resolve_all(HOSTILE)), table(hostile), coverage(report)]
    shown += [table(found)] if found else []
    shown += [ContentType.recover(each) for each in HOSTILE]
    for each in shown:
        assert _is_harmless(each._repr_html_()), each
        console = Console(width=300, force_terminal=True, color_system=None)
        with console.capture() as captured:
            console.print(each)
        printed = captured.get()
        assert "\x1b]" not in printed
        assert "\x1b[2J" not in printed
        assert "\u202e" not in printed
    assert "[red]no markup[/red]" in resolve("[red]no markup[/red]")._repr_html_()


def test_no_picture_of_a_hostile_graph_has_markup_of_it(hostile: Graph) -> None:
    for svg in (picture(hostile).svg, plot(coverage(annotate(hostile))).svg):
        tags = _tags(svg)
        assert not tags.seen & {"script", "img", "h1", "@onclick", "@onerror", "@onload"}
        assert "alert(1)</script>" not in svg


@given(st.lists(st.text(), min_size=1, max_size=4), st.text())
def test_whatever_the_text_the_table_holds_no_markup_of_it(row: list[str], caption: str) -> None:
    made = Table(caption, [f"<{number}>" for number in range(len(row))], [row])
    assert _is_harmless(made.to_html())


def test_only_what_a_browser_fetches_is_a_link() -> None:
    rows = [(each,) for each in ("https://a.example/x", "javascript:x", "data:,x", "http://a b")]
    assert _tags(Table("", ["iri"], rows).to_html()).links == ["https://a.example/x"]


def test_known_prefixes_are_short_and_long_texts_are_cut() -> None:
    rows = [("http://purl.org/dc/terms/format",), ("x" * 500,)]
    made = Table("", ["value"], rows)
    assert ">dct:format</a>" in made.to_html()
    assert ">" + "x" * 399 + "…" in made.to_html()
    assert made.to_pandas()["value"][1] == "x" * 500


def test_of_many_rows_the_first_are_shown_and_the_rest_counted() -> None:
    made = Table("", ["n"], [(n,) for n in range(100)])
    assert "… and 70 more rows" in made.to_html()
    assert len(made.to_pandas()) == len(made) == 100
    console = Console()
    with console.capture() as captured:
        console.print(Table("", ["a number, from 0 to 99"], made.rows))
    assert "… and 70 more rows" in captured.get()


@pytest.mark.parametrize(
    ("column", "made"),
    [
        ([1, 2.5, None], [1.0, 2.5, None]),
        ([np.int64(1), np.float32(2.5), 3], [1.0, 2.5, 3.0]),
        ([1, "a", None], ["1", "a", None]),
        ([True, 1], ["True", "1"]),
        ([2**70, "a"], [str(2**70), "a"]),
        ([datetime(2020, 1, 1, tzinfo=UTC), None], [datetime(2020, 1, 1, tzinfo=UTC), None]),
        ([None, None], [None, None]),
    ],
)
def test_a_column_of_a_data_frame_has_one_type(column: list[Any], made: list[Any]) -> None:
    whole = Table("", ["a"], [(each,) for each in column])
    assert whole.to_polars()["a"].to_list() == made
    assert len(whole.to_pandas()) == len(column)


def test_an_empty_table_is_an_empty_data_frame() -> None:
    made = Table("", ["a", "b"], [])
    assert list(made.to_pandas().columns) == made.to_polars().columns == ["a", "b"]


def test_counts_take_publisher_and_year_of_the_dataset(catalogue: Graph) -> None:
    report = annotate(catalogue)
    publishers = [("Office", 1, 1, 1), ("https://a.example/org", 2, 0, 0), ("Me", 1, 0, 0)]
    assert coverage(report).rows == publishers
    assert over_time(report).rows == [("2019", 1, 0), ("2021", 0, 1)]
    assert over_time(report).columns == ["year", "text/csv", "application/json"]
    assert [row[0] for row in kinds(report).rows] == ["media_type", "service", "nothing"]


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


def test_a_report_is_plotted_as_its_counts(catalogue: Graph) -> None:
    report, checked = annotate(catalogue), check(catalogue)
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


def test_pictures_and_queries_are_of_graphs() -> None:
    for function, arguments in ((picture, ("a.ttl",)), (query, ("a.ttl", "ASK {}"))):
        with pytest.raises(TypeError, match=r"takes Graph .*not str"):
            function(*arguments)  # type: ignore[operator]


def test_headers_of_a_graph_are_a_table_and_a_data_frame(catalogue: Graph) -> None:
    sent = headers(catalogue)
    assert len(sent) == len(sent.to_pandas()) == 3
    assert ">ex:a</a>" in sent._repr_html_()
    assert headers(Graph()).to_pandas().columns.tolist() == sent.as_table().columns


def test_tables_and_pictures_have_the_prefixes_of_the_graph() -> None:
    data = """@prefix : <https://a.example/id/> . @prefix dct: <http://purl.org/dc/terms/> .
        @prefix v: <http://www.w3.org/2006/vcard/ns#> .
        :map dct:creator [ v:fn "Me" ], [ v:fn "You" ] ."""
    graph = Graph().parse(data=data, format="turtle")
    constructed = query(graph, "CONSTRUCT { ?s dct:creator ?o } { ?s dct:creator ?o }")
    assert isinstance(constructed, Graph)
    for shown in (picture(graph).svg, picture(constructed).svg, table(graph).to_html()):
        assert ">:map<" in shown
        assert ">dct:creator<" in shown
    assert all(f">{name}<" in picture(graph).svg for name in ("_:1", "_:2", "v:fn"))
    answer = query(graph, "SELECT ?s { ?s dct:creator ?o }")
    assert isinstance(answer, Table)
    assert ">:map</a>" in answer.to_html()
    assert answer.rows[0] == ("https://a.example/id/map",)


def test_a_picture_is_no_wider_than_its_page(catalogue: Graph) -> None:
    for drawn in (picture(catalogue), plot(annotate(catalogue))):
        root = re.search("<svg [^>]*>", drawn.svg)
        assert root
        assert "max-width: 100%; height: auto" in root[0]


def test_the_same_counts_make_the_same_plot(catalogue: Graph) -> None:
    counts = over_time(annotate(catalogue))
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
    found = re.findall("<text x='([0-9]+)' y='([0-9]+)' [^>]*'10' [^>]*>([^<]*)<", svg)
    names = [(int(x), int(y), len(name) * 3) for x, y, name in found]
    assert len(names) == len(graph)
    assert all(half < x < int(width) - half and y < int(height) for x, y, half in names)
    for (x1, y1, half1), (x2, y2, half2) in combinations(names, 2):
        assert abs(x1 - x2) >= half1 + half2 or abs(y1 - y2) >= 10


def test_a_graph_that_is_too_large_for_a_picture_is_refused() -> None:
    graph = Graph()
    with pytest.raises(ValueError, match="0 nodes"):
        picture(graph)
    for number in range(70):
        graph.add((URIRef("urn:a"), URIRef("urn:p"), Literal(number)))
    with pytest.raises(ValueError, match="71 nodes"):
        picture(graph)


def test_what_is_shown_in_no_table_is_refused() -> None:
    for each in (3, "text", [], [1], [ContentType("a", "b"), resolve("CSV")]):
        with pytest.raises(TypeError):
            table(each)
    with pytest.raises(NotImplementedError):
        Displayed().as_table()


def test_showing_is_not_paid_for_before_it_is_used() -> None:
    script = "import sys, cturi_rdf.rdf, cturi_rdf.labels; print(*sys.modules)"
    run = python("-c", script)
    assert not {"pandas", "polars", "matplotlib", "IPython"} & set(run.stdout.split())


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "matplotlib"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install .*\[notebook\]"):
        Table("", ["a"], []).to_pandas()
    with pytest.raises(ImportError, match=r"pip install .*\[notebook\]"):
        plot(Table("", ["a", "b"], []))
