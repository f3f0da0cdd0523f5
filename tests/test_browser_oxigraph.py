"""Oxigraph's JavaScript in the place of pyoxigraph: the same terms, quads, texts and errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyoxigraph as native
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.browser import oxigraph as ox
from cturi_rdf.browser.terms import canonical

if TYPE_CHECKING:
    from random import Random

DOCUMENT = """@prefix ex: <http://example.org/> .
ex:a a ex:T ; ex:p "é\\n\\"\\\\", "x"@EN, "r"@ar--rtl, 3, 1.5, true ;
  ex:p "2020"^^ex:year, <<( ex:a ex:b "c" )>> .
_:b ex:q [ ex:r _:b ] .
"""


class Engine:
    """The functions of the worker, by pyoxigraph itself."""

    def parse(self, text: str, media_type: str, base: str, lenient: bool) -> str:
        """Return quads, or an error."""
        form = native.RdfFormat.from_media_type(media_type)
        try:
            quads = list(native.parse(text, form, base_iri=base or None, lenient=lenient))
        except SyntaxError as error:
            return json.dumps(error.msg)
        return json.dumps([[flat(term) for term in quad] for quad in quads])

    def select(self, quads: str, query: str) -> str:
        """Return the variables and the rows of an answer."""
        store = native.Store()
        store.load(quads, native.RdfFormat.N_QUADS)
        answer: Any = store.query(query)
        names = [variable.value for variable in answer.variables]
        rows = [
            {name: flat(row[name]) for name in names if row[name] is not None} for row in answer
        ]
        return json.dumps([names, rows])

    def dump(self, quads: str, media_type: str) -> str:
        """Return a document."""
        form = native.RdfFormat.from_media_type(media_type)
        triples = [quad.triple for quad in native.parse(quads, native.RdfFormat.N_QUADS)]
        return "+" + (native.serialize(triples, format=form) or b"").decode()


def flat(term: Any) -> list[Any]:
    match term:
        case native.NamedNode(value):
            return ["N", value]
        case native.BlankNode(value):
            return ["B", value]
        case native.DefaultGraph():
            return ["D"]
        case native.Literal():
            direction = term.direction.value if term.direction else ""
            return ["L", term.value, term.language or "", term.datatype.value, direction]
    return ["T", *map(flat, term)]


@pytest.fixture(autouse=True)
def engine() -> None:
    ox.use(Engine())


def both(text: str, form: str = "TURTLE") -> tuple[list[Any], list[Any]]:
    ours = ox.parse(text, getattr(ox.RdfFormat, form), base_iri="http://example.org/")
    theirs = native.parse(text, getattr(native.RdfFormat, form), base_iri="http://example.org/")
    return list(ours), list(theirs)


def test_quads_are_written_as_pyoxigraph_writes_them() -> None:
    ours, theirs = both(DOCUMENT)
    assert [str(quad).partition("_:")[0] for quad in ours] == [
        str(quad).partition("_:")[0] for quad in theirs
    ]
    assert [[str(term) for term in quad][:3] for quad in ours[:6]] == [
        [str(term) for term in quad][:3] for quad in theirs[:6]
    ]


@given(st.text(st.characters(codec="utf-8")))
def test_a_literal_is_written_as_pyoxigraph_writes_it(text: str) -> None:
    assert str(ox.Literal(text)) == str(native.Literal(text))
    assert str(ox.Literal(text, language="de-AT")) == str(native.Literal(text, language="de-AT"))


@pytest.mark.parametrize("value", [True, False, 0, -3, 1.5, 3.0, float("inf"), float("-inf")])
def test_a_value_of_python_is_a_literal_of_xml_schema(value: float) -> None:
    ours, theirs = ox.Literal(value), native.Literal(value)
    assert (ours.value, ours.datatype.value) == (theirs.value, theirs.datatype.value)


@pytest.mark.parametrize("text", ["<a> <b c> 'x' .", "<a> <b>", "<<", "<a> <b> 'x\n' ."])
def test_an_error_has_its_place(text: str) -> None:
    with pytest.raises(SyntaxError) as theirs:
        list(native.parse(text, native.RdfFormat.TURTLE, base_iri="http://example.org/"))
    # Like pyoxigraph, when the quads are read.
    quads = ox.parse(text, ox.RdfFormat.TURTLE, base_iri="http://example.org/")
    with pytest.raises(SyntaxError) as ours:
        list(quads)
    places = [(it.value.lineno, it.value.offset, it.value.msg) for it in (ours, theirs)]
    assert places[0] == places[1]


@pytest.mark.parametrize("iri", ["no scheme", "http://a b", "a<b", ""])
def test_what_is_no_iri_is_refused(iri: str) -> None:
    for module in (ox, native):
        with pytest.raises(ValueError):  # noqa: PT011 - the texts differ
            module.NamedNode(iri)


def test_json_ld_is_written_as_pyoxigraph_writes_it() -> None:
    text = """<http://a/s> <http://a/p> "x", "y"@en, 3 ; <http://a/q> <http://a/o> .
        <http://a/t> <http://a/p> "é" . <http://g/1> { <http://a/s> <http://a/p> "g" . }"""
    ours, theirs = both(text, "TRIG")
    written = native.serialize(theirs, format=native.RdfFormat.JSON_LD)
    assert ox.serialize(ours, format=ox.RdfFormat.JSON_LD) == written


def test_a_query_gives_the_rows_of_a_store() -> None:
    store = ox.Store()
    store.load(DOCUMENT, ox.RdfFormat.TURTLE)
    answer = store.query("SELECT ?s ?o { ?s ex:p ?o FILTER isNumeric(?o) } ORDER BY ?o",
                         prefixes={"ex": "http://example.org/"})  # fmt: skip
    rows = [[str(term) for term in row] for row in answer]
    assert [row[1].partition("^")[0] for row in rows] == ['"1.5"', '"3"']
    assert {row[0] for row in rows} == {"<http://example.org/a>"}
    assert len(list(store.quads_for_pattern(None, None, ox.Literal(3)))) == 1


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=12), st.randoms())
def test_equal_graphs_are_equal_sets_whatever_their_blank_nodes_are_called(
    edges: list[tuple[int, int, int]], random: Random
) -> None:
    names = random.sample(range(100), 5)
    shuffled = random.sample(edges, len(edges))

    def graph(rows: list[tuple[int, int, int]], labels: list[int]) -> list[ox.Quad]:
        return [
            ox.Quad(
                ox.BlankNode(f"b{labels[s]}"),
                ox.NamedNode(f"http://a/{p}"),
                ox.BlankNode(f"b{labels[o]}"),
            )
            for s, p, o in rows
        ]

    assert canonical(graph(edges, list(range(5)))) == canonical(graph(shuffled, names))
    more = [*edges, (0, 9, 0)]
    assert canonical(graph(edges, list(range(5)))) != canonical(graph(more, names))
