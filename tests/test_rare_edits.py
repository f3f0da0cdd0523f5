"""Edits of rare texts: what becomes of each, and of the text beside it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pyoxigraph as ox
import pytest

from cturi_rdf.editing import locate
from cturi_rdf.editing.blank_nodes import matched
from cturi_rdf.editing.document import unlocated
from cturi_rdf.editing.engines import ByUpdate, by_patch
from cturi_rdf.editing.json.marks import Sign
from cturi_rdf.editing.rewrite import rewrite
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.terms import DOCUMENT

A = "http://a.example/"
NEXT = ox.NamedNode(f"{A}next")
FORMAT = ox.NamedNode("http://purl.org/dc/terms/format")
DCT, DCAT = "http://purl.org/dc/terms/", "http://www.w3.org/ns/dcat#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LINE = f'<{A}a> <{DCT}format> "CSV" .\n'


def test_a_prefix_of_a_patch_is_taken_back() -> None:
    patch = f'PA "a" "{A}" .\nA <{A}s> <{A}p> a:o .\nPD "a" .\n'
    # The namespace of a prefix may be an IRI in brackets.
    assert by_patch(patch.replace(f'"{A}"', f"<{A}>").encode(), A)(set())
    with pytest.raises(CatalogError, match="not a row"):
        by_patch(patch.replace(f'"{A}"', f"<{A}>").encode() + f"A <{A}s> <{A}p> a:o .".encode(), A)


@pytest.mark.parametrize(
    "text",
    [
        # The token stands behind the bar.
        "<a:a> <a:b> |] .",
        "<a:a> <a:b> <a:c> |) .",
        "<a:a> <a:b> ( <a:c> |] .",
        "<a:a> <a:b> [ <a:c> 1 |) .",
        "<a:a> <a:b> |'c .",
        "<a:a> <a:b> |'''c' .",
        "<a:a> <a:b> |<< <a:c> <a:d> 'e .",
        "<a:a> <a:b> |<< <a:c> <a:d> 'e' .",
        "<a:a> <a:b> [ <a:c> 1 . |] .",
        "{ <a:a> <a:b> 1 } |} .",
        "<a:a> <a:b> 1 . |}",
        "@prefix |a <a:b> .",
        "@prefix a: <a:b> |<a:a> <a:b> 1 .",
        "|@other a: <a:b> .",
        "<a:a> <a:b> [ <a:c> 1 |",
        "|<a:a <a:b> <a:c> .",
    ],
)
def test_the_place_of_a_token_that_turtle_does_not_have_there_is_told(text: str) -> None:
    with pytest.raises(CatalogError) as broken:
        locate(text.replace("|", "").encode(), "trig")
    assert (broken.value.line, broken.value.column) == (1, text.index("|") + 1)


@pytest.mark.parametrize("taken", [[], ["a0000000"], ["a0000000", "a0000001"], ["a0000001"]])
def test_anonymous_nodes_have_labels_that_the_text_does_not_have(taken: list[str]) -> None:
    labels = "".join(f"_:{label}{0:024x} <{A}p> 1 . " for label in taken)
    document = locate(f"{labels}[ <{A}p> 2 ] <{A}q> 3 .".encode(), "turtle")
    nodes = {one.subject.value for one in document.statements}
    assert len(nodes) == len(taken) + 1
    [own] = [node for node in nodes if document.is_anonymous(node)]
    assert own[:8] not in taken


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        # Two nodes that look alike, and one of them is gone.
        ("[ ex:p 1 ], [ ex:p 1 ]", "[ ex:p 1 ]", 2),
        # A ring, in which no node can be told from the others.
        ("_:a . _:a ex:n _:b . _:b ex:n _:a", "_:c . _:c ex:n _:d . _:d ex:n _:c", 3),
    ],
)
def test_nodes_that_look_alike_keep_their_names_as_far_as_there_are_enough(
    before: str, after: str, same: int
) -> None:
    head = f"@prefix ex: <{A}> . ex:s ex:o "
    old, new = (set(ox.parse(f"{head}{one} .", ox.RdfFormat.TURTLE)) for one in (before, after))
    assert len(matched(old, new) & old) == same


@pytest.mark.parametrize("size", [3, 4, 7])
def test_nodes_that_only_their_neighbours_tell_apart_are_matched_one_after_the_other(
    size: int,
) -> None:
    # A ring of nodes that all say the same.
    old, new = (
        {
            ox.Quad(ox.BlankNode(f"{label}{n}"), NEXT, ox.BlankNode(f"{label}{(n + 1) % size}"))
            for n in range(size)
        }
        for label in "cd"
    )
    assert matched(old, new) == old


SIGN = chr(0xE1000)


@pytest.mark.parametrize("number", range(3))
def test_the_sign_of_a_text_is_the_first_character_that_it_does_not_have(number: int) -> None:
    text = "".join(chr(0xE1000 + one) for one in range(number))
    assert Sign(text.encode()).character == chr(0xE1000 + number)


NODE, TEXT, ANY = ox.NamedNode(f"{A}n"), ox.Literal("n"), ox.BlankNode("a")


@pytest.mark.parametrize(
    ("marked", "term", "is_same", "numbers"),
    [
        (NODE, NODE, True, set()),
        (ox.NamedNode(f"{A}n{SIGN}12"), NODE, True, {12}),
        (ox.NamedNode(f"{A}n#{SIGN}12"), NODE, True, {12}),
        (ox.NamedNode(f"{A}m{SIGN}12"), NODE, False, {12}),
        (ox.NamedNode(f"{A}n{SIGN}x"), NODE, True, set()),
        (ox.NamedNode(f"{A}m"), NODE, False, set()),
        (ox.Literal("n"), ox.Literal(""), False, set()),
        (ox.Literal(f"n{SIGN}3"), TEXT, True, {3}),
        (ox.Literal(f"n{SIGN}3"), ox.NamedNode("n:"), False, {3}),
        (ox.Literal(f"n{SIGN}3", language="en"), TEXT, False, {3}),
        (ox.Literal(f"n{SIGN}3", language="en"), ox.Literal("n", language="en"), True, {3}),
        (ox.Literal(f"n{SIGN}3", datatype=NODE), TEXT, False, {3}),
        # Each reading has its own names for nodes.
        (ANY, ox.BlankNode("b"), True, set()),
        (ox.Triple(ANY, NODE, NODE), ox.Triple(ox.BlankNode("b"), NODE, NODE), True, set()),
        (ox.Triple(NODE, NODE, TEXT), ox.Triple(NODE, NODE, NODE), False, set()),
    ],
)  # fmt: skip
def test_a_term_with_a_mark_is_the_same_as_the_one_without(
    marked: Any, term: Any, is_same: bool, numbers: set[int]
) -> None:
    sign = Sign(b"")
    assert sign.is_same(marked, term) == is_same
    assert sign.numbers(ox.Quad(NODE, NODE, marked)) == numbers
    assert sign.numbers(None) == set()


def _updated(text: str, update: str, name: str = "a.ttl", base: str | None = DOCUMENT) -> str:
    document_of = partial(unlocated, format=format_of_file(name), base=base, name=name)
    return rewrite(text.encode(), document_of, ByUpdate(update, base or A)).text.decode()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (f"{DOCUMENT}", "<>"),
        (f"{DOCUMENT}#a", "<#a>"),
        (f"{DOCUMENT.rpartition('/')[0]}/b", "<b>"),
        (f"{DOCUMENT.rpartition('/')[0]}/b/c:d", "<b/c:d>"),
        # A colon would make the name before it a scheme.
        (f"{DOCUMENT.rpartition('/')[0]}/b:c", "<./b:c>"),
        (f"{A}x", f"<{A}x>"),
    ],
)
def test_an_iri_in_the_folder_of_a_file_is_written_as_a_relative_one(
    value: str, written: str
) -> None:
    text = f"<{A}s> <{A}p> 1 ."
    edited = _updated(text, f"INSERT DATA {{ <{A}s> <{A}q> <{value}> }}")
    assert edited == f"<{A}s> <{A}p> 1 ; <{A}q> {written} ."


TWO = "@prefix : <http://a.example/> .\n"


@pytest.mark.parametrize(
    ("before", "update", "after"),
    [
        # The last statement of a graph needs no dot.
        (":g { :s :p [ :q 1 ] }", ":t :r ?n <= :s :p ?n", ":g { :s :p _:b1 . _:b1 :q 1  }"),
        # A semicolon goes with what is behind it, and the comments stay.
        (":s :p 1 ; # one\n  :q 2 # two\n  .", "- :s :q 2", ":s :p 1  # one\n   # two\n  ."),
        (":s :p 1 ;\n  :q 2 ;;\n  :r 3 .", "- :s :q 2", ":s :p 1 ;\n  \n  :r 3 ."),
        (":s :p 1 .\n\n\n:t :q 2 .\n", "- :t :q 2", ":s :p 1 .\n"),
        (":s :p 1 .\n\n\n:t :q 2 .\n\n:u :q 3 .\n", "- :t :q 2", ":s :p 1 .\n\n:u :q 3 .\n"),
        ("[ :p 1 ] :q 2 .", "- ?n :q 2", "[ :p 1 ]  ."),
        (":s :p 1, 2, 3 .", "- :s :p 1", ":s :p 2, 3 ."),
        (":s :p 1, 2, 3 .", "- :s :p 2", ":s :p 1, 3 ."),
        (":s :p 1, 2, 3 .", "- :s :p 3", ":s :p 1, 2 ."),
    ],
)
def test_what_goes_takes_its_punctuation_with_it(before: str, update: str, after: str) -> None:
    if update.startswith("- "):
        sparql, name = f"DELETE {{ {update[2:]} }} WHERE {{ {update[2:]} }}", "a.ttl"
    else:
        new, _, where = update.partition("<=")
        sparql, name = f"INSERT {{ {new} }} WHERE {{ GRAPH :g {{ {where} }} }}", "a.trig"
    edited = _updated(TWO + before, f"PREFIX : <{A}> {sparql}", name)
    assert edited.removeprefix(TWO).startswith(after)


@pytest.mark.parametrize(
    ("before", "number", "after"),
    [
        ("( 1 2 3 )", 1, "( 2 3 )"),
        ("( 1 2 3 )", 2, "( 1 3 )"),
        ("( 1  2\n 3 )", 1, "( 2\n 3 )"),
        # A comment stays, and so does the space around it.
        ("( 1 # one\n 2 # two\n 3 )", 1, "(  # one\n 2 # two\n 3 )"),
        ("( 1 # one\n 2 # two\n 3 )", 2, "( 1 # one\n  # two\n 3 )"),
    ],
)
def test_an_item_of_a_collection_goes_with_the_space_on_one_side(
    before: str, number: int, after: str
) -> None:
    old = f"?c rdf:first {number} ; rdf:rest ?d . ?d rdf:first ?f ; rdf:rest ?r"
    update = f"DELETE {{ {old} }} INSERT {{ ?c rdf:first ?f ; rdf:rest ?r }} WHERE {{ {old} }}"
    prefixes = f"PREFIX rdf: <{TYPE.removesuffix('type')}> "
    text = f"<{A}s> <{A}p> {{}} ."
    assert _updated(text.format(before), prefixes + update) == text.format(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<t>a</t>", "<t>b &amp; c</t>"),
        ("<t/>", "<t>b &amp; c</t>"),
        ("<t></t>", "<t>b &amp; c</t>"),
        ("<t xml:lang='en'>a</t>", "<t>b &amp; c</t>"),
        ("<t rdf:datatype='http://a.example/d'>a</t>", "<t>b &amp; c</t>"),
        ("<t><![CDATA[a]]></t>", "<t>b &amp; c</t>"),
    ],
)
def test_a_text_of_rdfxml_is_replaced_whatever_its_element_looks_like(
    before: str, after: str
) -> None:
    rdf = TYPE.removesuffix("type")
    text = (
        f'<rdf:RDF xmlns:rdf="{rdf}" xmlns="{A}"><rdf:Description rdf:about="{A}s">{{}}'
        "</rdf:Description></rdf:RDF>"
    )
    update = f'DELETE {{ ?s <{A}t> ?o }} INSERT {{ ?s <{A}t> "b & c" }} WHERE {{ ?s <{A}t> ?o }}'
    assert _updated(text.format(before), update, "a.rdf") == text.format(after)
