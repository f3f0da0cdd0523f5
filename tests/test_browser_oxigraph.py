"""Oxigraph's JavaScript in the place of pyoxigraph: the same terms, quads, texts and errors."""

from __future__ import annotations

import copy
import io
import json
from typing import TYPE_CHECKING, Any

import pyoxigraph as native
import pytest
from browser_engine import Engine
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.browser import oxigraph as ox
from cturi_rdf.browser.terms import canonical

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

XSD = "http://www.w3.org/2001/XMLSchema#"
DOCUMENT = """@prefix ex: <http://example.org/> .
ex:a a ex:T ; ex:p "é\\n\\"\\\\", "x"@EN, "r"@ar--rtl, 3, 1.5, true ;
  ex:p "2020"^^ex:year, <<( ex:a ex:b "c" )>> .
_:b ex:q [ ex:r _:b ] .
"""


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
    # An end in another line is not in the message.
    ends = [(it.value.end_lineno, it.value.end_offset) for it in (ours, theirs)]
    assert ends[0] == ends[1] or "\n" in text


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
    store.extend(ox.parse(DOCUMENT, ox.RdfFormat.TURTLE))
    answer = store.query(
        "PREFIX ex: <http://example.org/>"
        "SELECT ?s ?o ?none { ?s ex:p ?o FILTER isNumeric(?o) } ORDER BY ?o"
    )
    assert [variable.value for variable in answer.variables] == ["s", "o", "none"]
    iris = "http://example.org/a", f"{XSD}decimal", f"{XSD}integer"
    node, decimal, integer = map(ox.NamedNode, iris)
    assert list(answer) == [
        [node, ox.Literal("1.5", datatype=decimal), None],
        [node, ox.Literal("3", datatype=integer), None],
    ]


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


def test_what_a_term_is_called_is_what_pyoxigraph_calls_it() -> None:
    for module in (ox, native):
        node = module.NamedNode("http://a/b")
        assert repr(module.Variable("x"))
        assert str(module.Variable("x")) == "?x"
        assert copy.copy(node) == copy.deepcopy(node) == node
        assert node != module.BlankNode("b")
        text = module.Literal("a", language="ar", direction=module.BaseDirection.RTL)
        assert str(text) == '"a"@ar--rtl'
        assert text.direction == module.BaseDirection.RTL
        assert module.Literal("a").direction is module.Literal("a").language is None
        assert module.DefaultGraph() == module.DefaultGraph()
        with pytest.raises(ValueError):  # noqa: PT011 - the texts differ
            module.Literal("a", language="no language")
        with pytest.raises(ValueError):  # noqa: PT011
            module.BlankNode("a b")
        assert module.BlankNode() != module.BlankNode()


@pytest.mark.parametrize("module", [ox, native], ids=["ours", "pyoxigraph"])
def test_quads_are_written_to_a_file_a_path_or_as_octets(module: Any, tmp_path: Path) -> None:
    quads = both("<a> <b> 1 .")[module is native]
    form = module.RdfFormat.N_TRIPLES
    octets = module.serialize(quads, format=form)
    assert octets.startswith(b"<http://example.org/a> <http://example.org/b> ")
    file = io.BytesIO()
    assert module.serialize(quads, file, form) is None
    assert module.serialize(quads, str(tmp_path / "a.nt"), form) is None
    assert file.getvalue() == octets == (tmp_path / "a.nt").read_bytes()
    assert len(list(module.parse(path=str(tmp_path / "a.nt"), format=form))) == 1
    turtle = module.serialize(quads, format=module.RdfFormat.TURTLE)
    assert turtle == b"<http://example.org/a> <http://example.org/b> 1 .\n"


@pytest.mark.parametrize(("text", "form", "prefixes"), [
    ("@prefix a: <http://a/> .\nPREFIX : <http://b/> a:a :b 1 .", "TURTLE",
     {"a": "http://a/", "": "http://b/"}),
    ("<d:a xmlns:d='http://d/'><d:b>c</d:b></d:a>", "RDF_XML", {"d": "http://d/"}),
    ("<http://a/a> <http://a/b> \"xmlns:r='http://a/'\" .", "N_TRIPLES", {}),
])  # fmt: skip
def test_a_document_has_the_prefixes_that_it_declares(
    text: str, form: str, prefixes: dict[str, str]
) -> None:
    for module in (ox, native):
        parser = module.parse(text, getattr(module.RdfFormat, form))
        # pyoxigraph knows those of RDF/XML while it reads.
        next(parser)
        assert parser.prefixes == prefixes


def test_what_oxigraph_cannot_write_or_read_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "dump", lambda *_: "-no such thing")
    with pytest.raises(ValueError, match=r"^no such thing$"):
        ox.serialize(both("<a> <b> 1 .")[0], format=ox.RdfFormat.RDF_XML)
    monkeypatch.setattr(Engine, "parse", lambda *_: json.dumps("it is broken"))
    with pytest.raises(SyntaxError) as broken:
        list(ox.parse("", ox.RdfFormat.TURTLE))
    assert (broken.value.msg, broken.value.lineno) == ("it is broken", None)
    monkeypatch.setattr(Engine, "select", lambda *_: json.dumps("no query"))
    with pytest.raises(SyntaxError, match=r"^no query$"):
        ox.Store().query("SELECT")
    with pytest.raises(SyntaxError, match="not UTF-8"):
        list(ox.parse(b"\xff", ox.RdfFormat.TURTLE))
    with pytest.raises(ValueError, match="format"):
        ox.parse("")


def test_a_set_of_quads_is_the_same_whatever_its_blank_nodes_are_called() -> None:
    sets = []
    for label in ("x", "y"):
        quads = ox.Dataset(both(f"_:{label} <b> _:{label}, [] .")[0])
        before = set(quads)
        quads.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
        assert quads != before
        sets.append(quads)
    assert sets[0] == sets[1]
