"""Turtle and TriG: statements with their places, and changes in the style of the file."""

from __future__ import annotations

import re

import pyoxigraph as ox
import pytest
from edited_files import CSV, LINK, edited, says_the_same, tokens
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.editing import Document, EditError, locate
from cturi_rdf.editing.edit import Add, Append, Change, Remove, Replace, plan
from cturi_rdf.editing.law import check
from cturi_rdf.reading.formats import format_named

BASE = "http://base.invalid/doc"
P = "http://x/p"


def document(text: str, name: str = "turtle", predicate: str | None = P) -> Document:
    return locate(
        text.encode(),
        format_named(name),
        base=BASE,
        predicates=None if predicate is None else [predicate],
    )


HEAD = "@prefix : <http://x/> .\n"
# The text, and the tokens of the objects of :p.
FOUND = [
    ('<s> :p "a" , "b"@en , 1.5 , true ; :q "c" .', ['"a"', '"b"@en', "1.5", "true"]),
    ('<s> :q :p ; :r ":p" . :p :q <p> .', []),
    ('[ :p "a" ] .', ['"a"']),
    ('[ :q [ :p "a" ; :r [ ] ] ; :p "b" ] :p "c" .', ['"a"', '"b"', '"c"']),
    ('<s> :p [ :p "a" ] , ( "b" [ :p "c" ] ) , () .',
     ['[ :p "a" ]', '"a"', '( "b" [ :p "c" ] )', '"c"', "()"]),
    ("<s> :p 5. <t> :p -1.e3 , .5 .", ["5", "-1.e3", ".5"]),
    ("<s> a <t>;;:p <a>;;.", ["<a>"]),
    ("<s><http://x/p><a>,:b.c,_:d.e.", ["<a>", ":b.c", "_:d.e"]),
    ("<s> <http://\\u0078/p> <a> . <s> <../../../x:/p> <a>.", ["<a>"]),
    ('<s> :p """a"b""\\"""" , \'\'\'c\n\'\'\' , "" , \'\' .',
     ['"""a"b""\\""""', "'''c\n'''", '""', "''"]),
    ('<s> # :p "x"\n:p # "y"\r"a" # , "z"\r\n^^ # .\n<t> # ;\n; :q 1 .',
     ['"a" # , "z"\r\n^^ # .\n<t>']),
    ('<s> :p "a" @en-GB .', ['"a" @en-GB']),
    ('prefix x: <http://x/> BASE <http://x/> <s> x:p <a> ; <p> "b" .', ["<a>", '"b"']),
    ('<s> :p "a" . @prefix : <http://y/> . <s> :p "b" . PREFIX : <http://x/> <s> :p "c" .',
     ['"a"', '"c"']),
    (":s\\/%2F\\. :p :a\\,b .", [":a\\,b"]),
    ('<s> :p "a" {| :p "b" |} , "c" ~ <r> {| :p "d" |} ~ ; :q "e" .',
     ['"a"', '"b"', '"c"', '"d"']),
    ('<< <s> :p "a" >> :p <<( <s> :p ">>" )>> , << <s> :p "b" ~ _:r >> .',
     ['<<( <s> :p ">>" )>>', '<< <s> :p "b" ~ _:r >>']),
    ('<< <s> :p << <s> :p "#" ~ _:b >> >> .', []),
    ('VERSION "1.2" @version "1.2" . <s> :p "a"@en--ltr .', ['"a"@en--ltr']),
    ("(1 [ :p 2 ]) :p 3 .", ["2", "3"]),
    ("\ufeff<s> :p <http://x/é> .", ["<http://x/é>"]),
]  # fmt: skip
IN_GRAPHS = [
    ('{ <s> :p "a" } <g> { <s> :p "b" . [] :p "c" ; . } GRAPH :g { [ :p "d" ] } <s> :p "e" .',
     ['"a"', '"b"', '"c"', '"d"', '"e"']),
    ('graph _:g { <s> :p "a" } [] { <s> :p "b" . } @prefix GRAPH: <http://x/> . GRAPH:p :p "c" .',
     ['"a"', '"b"', '"c"']),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [("turtle", *row) for row in FOUND] + [("trig", *row) for row in FOUND + IN_GRAPHS],
)
def test_statements_are_those_of_oxigraph_and_their_places_the_tokens(
    name: str, text: str, expected: list[str]
) -> None:
    text = "\ufeff" * text.startswith("\ufeff") + HEAD + text.removeprefix("\ufeff")
    read = document(text, name)
    assert tokens(read) == expected
    assert says_the_same(read)
    assert says_the_same(document(text, name, None))


iris = st.sampled_from(["<http://x/a>", ":a", ":a.b-c", "<p>", ":p", ":%2F\\/", "é:é"])
spaces = st.sampled_from([" ", "\n  ", "\r\n", " # c . ; ]\n", "\r", "\t", " #\r"])
literals = st.sampled_from(
    ['"a"', "'''a'b\n'''", '"\\"#"@en', '""', "1", "2.5", ".5", "true", '"1"^^:a', '"""\\\\"""']
)
verbs = st.sampled_from([":p", "<http://x/p>", "<p>", "a", ":q", ":p\\."])


@st.composite
def items(draw: st.DrawFn, depth: int = 2) -> str:
    kinds = ["term", "term", "blank"] + (["list", "node"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    if kind == "term":
        return draw(st.one_of(iris, literals))
    if kind == "blank":
        return draw(st.sampled_from(["[]", "[ ]", "_:a", "_:b.c", "()"]))
    if kind == "list":
        return "(" + " ".join(draw(st.lists(items(depth - 1), max_size=2))) + ")"
    return "[" + draw(bodies(depth - 1)) + "]"


@st.composite
def objects(draw: st.DrawFn, depth: int) -> str:
    if depth and draw(st.integers(0, 4)) == 0:
        return (
            draw(iris)
            + draw(st.sampled_from(["", "~", "~ :r"]))
            + (" {| " + draw(bodies(depth - 1)) + " |}")
        )
    return draw(items(depth))


@st.composite
def bodies(draw: st.DrawFn, depth: int = 2) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        values = draw(st.lists(objects(depth), min_size=1, max_size=2))
        between = draw(spaces) + "," + draw(spaces)
        parts.append(draw(verbs) + draw(spaces) + between.join(values))
    between = draw(spaces) + draw(st.sampled_from([";", ";;", "; ;"])) + draw(spaces)
    return between.join(parts) + draw(st.sampled_from([" ", ";", " ; "]))


@st.composite
def documents(draw: st.DrawFn) -> str:
    parts = [HEAD, "prefix é: <http://é/>"]
    for _ in range(draw(st.integers(1, 4))):
        subject = draw(st.one_of(iris, st.sampled_from(["[]", "_:a", "(1)", "[ :p 1 ]"])))
        parts.append(subject + draw(spaces) + draw(bodies()) + draw(spaces) + ".")
        parts.append(draw(st.sampled_from(["", "", "BASE <http://x/>", "PREFIX : <http://y/>"])))
    return "".join(part + draw(spaces) for part in parts)


@given(documents())
def test_any_turtle_has_the_statements_that_oxigraph_reads(text: str) -> None:
    read = document(text, predicate=None)
    assert says_the_same(read)


@given(documents(), st.data())
def test_any_changes_change_that_and_nothing_else(text: str, data: st.DataObject) -> None:
    read = document(text)
    statements = list(read.statements)
    kind = st.sampled_from(["add", "add twice", "replace", "rename", "keep"])
    changes: list[Change] = []
    for statement in statements:
        chosen = data.draw(kind)
        token = text.encode()[statement.start : statement.end]
        if chosen.startswith("add"):
            changes.append(Add(statement, LINK, CSV))
        if chosen == "add twice":
            changes.append(Add(statement, LINK, ox.Literal("x", language="en")))
        # An annotated statement or one in brackets says more than itself.
        if chosen in {"replace", "rename"} and not (
            token[:1] in {b"[", b"("} or "|" in text or "~" in text
        ):
            changes.append(Replace(statement, CSV, LINK if chosen == "rename" else None))
    changes.append(Append((ox.Quad(CSV, LINK, ox.Literal("a\n'\"")),)))
    edited(read, *changes)


@given(documents(), st.data())
def test_what_is_removed_is_gone_and_nothing_else(text: str, data: st.DataObject) -> None:
    read = document(text)
    changes: list[Change] = []
    for statement in read.statements:
        token = text.encode()[statement.start : statement.end]
        chosen = data.draw(st.sampled_from(["add", "remove", "remove", "keep"]))
        if chosen == "remove" and token[:1] not in {b"[", b"("}:
            changes.append(Remove(statement))
        elif chosen == "add":
            changes.append(Add(statement, LINK, CSV))
    try:
        check(read, plan(read, changes), changes)
    except EditError:
        # An annotation or a node that would say nothing any more has no syntax.
        assert re.search(r"\{\||\(|\]", text)


# The text after the statements of :p are removed; a first verb has no semicolon before it.
REMOVED = [
    (":s :p 1 ;; :q 2 .", ":s  :q 2 ."),
    (":s :p 1 ; ; :q 2 ; :p 3 ;; .", ":s  :q 2 ;  ."),
    (":s :q 1 ;; :p 2 ; ; :r 3 .", ":s :q 1 ;;  :r 3 ."),
    (":s\n    :p 1 ; # c\n    ; :q 2 .", ":s\n    # c\n     :q 2 ."),
    ("[ :q 1 ] :p 2 ; ; .", "[ :q 1 ] ."),
    (":s :p 1\n    ;\n    :p 2\n    ;\n    :q 3 .", ":s     :q 3 ."),
    ("(1) :q 1 ; :p 2 ; ; .", "(1) :q 1 ;  ."),
    (":s :q 1 ; :p .5 , -.5 .", ":s :q 1 ."),
]


@pytest.mark.parametrize(("text", "rest"), REMOVED)
def test_a_verb_goes_with_its_semicolons(text: str, rest: str) -> None:
    read = document(HEAD + text)
    assert edited(read, *map(Remove, read.statements)).decode() == HEAD + rest


@pytest.mark.parametrize("end", ["", ".", ";", "; ;", "; # }\n", "\n", ";\n  ", ".\n"])
def test_statements_of_a_graph_stand_in_front_of_its_brace_however_the_last_one_ends(
    end: str,
) -> None:
    read = document(f"{HEAD}<g> {{ <s> :p 1 {end}}}\n", "trig")
    node = read.statements[0]
    quads = [ox.Quad(CSV, LINK, ox.Literal(text), node.graph) for text in "ab"]
    edited(read, Add(node, LINK, CSV), *(Append((quad,)) for quad in quads))


@pytest.mark.parametrize("levels", [3, 500])
def test_nested_nodes_are_matched_without_comparing_whole_graphs(
    monkeypatch: pytest.MonkeyPatch, levels: int
) -> None:
    monkeypatch.setattr("cturi_rdf.editing.law.is_isomorphic", lambda *_: False)
    read = document(f"{HEAD}:a :q {'[ :q ' * levels}[ :p 1 ]{' ]' * levels} .")
    edited(read, Add(read.statements[0], LINK, CSV))


@pytest.mark.parametrize(
    ("datatype", "text", "written"),
    [
        ("boolean", "false", "false"),
        ("boolean", "1", '"1"^^xsd:boolean'),
        ("integer", "-07", "-07"),
        ("integer", "seven", '"seven"^^xsd:integer'),
        ("decimal", "+.5", "+.5"),
        ("decimal", "5", '"5"^^xsd:decimal'),
        ("double", "1.E-3", "1.E-3"),
        ("double", ".5e0", ".5e0"),
        ("double", "INF", '"INF"^^xsd:double'),
        ("float", "1e3", '"1e3"^^xsd:float'),
    ],
)
def test_a_number_is_written_without_quotes_where_turtle_reads_the_same_literal(
    datatype: str, text: str, written: str
) -> None:
    xsd = "http://www.w3.org/2001/XMLSchema#"
    read = document(f"@prefix xsd: <{xsd}> .\n{HEAD}:s :p :o .")
    number = ox.Literal(text, datatype=ox.NamedNode(xsd + datatype))
    after = edited(read, Add(read.statements[0], LINK, number)).decode()
    assert after.endswith(f" {written} .")
