"""Values show themselves: as HTML in a notebook, by rich on a terminal, as data frames."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import python
from rdflib import Graph, Literal, URIRef
from rich.console import Console

from cturi_rdf import ContentType
from cturi_rdf._util.display import Displayed, Table
from cturi_rdf.catalogue.header import Headers
from cturi_rdf.check import check
from cturi_rdf.labels import resolve, resolve_all
from cturi_rdf.notebook import coverage, picture, plot, query, table
from cturi_rdf.rdf import annotate, headers

HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</td></table><h1>",
    "&lt;b&gt;", "javascript:alert(1)", "http://a.example/'onclick='x", "[red]no markup[/red]",
    "\x1b[2J\x1b]0;title\x07", "\u202etxt.exe", "$x^2$", "a\nb", "]]>", "{{7*7}}",
]  # fmt: skip


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


def test_a_report_shows_what_it_did_not_understand_first(published: Graph) -> None:
    report = annotate(published)
    assert report.as_table().rows[0][2] == "text/csv"
    assert [row[:2] for row in report.overview().rows][:2] == [("WMS", 1), ("whatever", 1)]
    assert "6 labels on 5 resources" in report._repr_html_()
    assert len(report.to_pandas()) == report.to_polars().height == report.labels


def test_a_check_is_a_table_of_places(published: Graph) -> None:
    report = check(published)
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


class _Counted(Displayed):
    """A value that counts how often it makes its row."""

    made = 0

    def as_table(self) -> Table:
        type(self).made += 1
        return Table("", ["resource"], [("x",)])


def _rows_made(shown: Any) -> int:
    before = _Counted.made
    shown()
    return _Counted.made - before


def test_of_a_million_values_as_many_rows_are_made_as_are_shown() -> None:
    few, many = [_Counted()] * 40, [_Counted()] * 1_000_000
    for make in (table, lambda values: Headers(values, {})):
        in_html = [_rows_made(make(values)._repr_html_) for values in (few, many)]
        on_a_terminal = [
            _rows_made(lambda: Console(quiet=True).print(make(values)))  # noqa: B023 - at once
            for values in (few, many)
        ]
        assert in_html[0] == in_html[1] <= 31
        assert on_a_terminal[0] == on_a_terminal[1] <= 31
    assert _rows_made(table(many[:1_000]).to_pandas) == 1_000


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


def test_headers_of_a_graph_are_a_table_and_a_data_frame(published: Graph) -> None:
    sent = headers(published)
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


def test_the_table_of_one_value_is_its_own_and_that_of_several_has_a_row_of_each() -> None:
    one = resolve("CSV").as_table()
    assert table(one) is one
    assert table([resolve("CSV")]).rows == one.rows
    assert table([resolve("CSV")]).caption == one.caption
    several = table([resolve("CSV"), resolve("WMS")])
    assert (several.caption, len(several.rows), several.columns) == ("2 values", 2, one.columns)
    graph = Graph().parse(data="<urn:a> <urn:p> <urn:b> .")
    assert table((True, graph, "text")).columns[0] == "severity"
    for each in ((True, graph), (True, "text", graph)):
        with pytest.raises(TypeError):
            table(each)


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


@pytest.mark.parametrize("length", [400, 401])
def test_a_text_of_more_than_400_characters_is_shortened_and_whole_in_the_title(
    length: int,
) -> None:
    html = Table("", ["a"], [("x" * length,)]).to_html()
    assert ("x…<" in html) is (f'title="{"x" * length}"' in html) is (length == 401)


@pytest.mark.parametrize("rows", [30, 31])
def test_thirty_rows_are_shown_and_the_number_of_the_others(rows: int) -> None:
    made = Table("", ["a", "b"], [(n, "x") for n in range(rows)])
    rest = "… and 1 more rows" if rows == 31 else None
    assert made.to_html().count("<tr>") == 1 + 30 + (rows == 31)
    assert ('<td colspan="2"' in made.to_html()) is ("more rows" in made.to_html()) is (rows == 31)
    assert made.to_rich().caption == rest
    assert made.to_rich().row_count == 30
