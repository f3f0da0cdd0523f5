"""A change of the graph becomes an edit of the text: the new graph, and no other change."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from shaped_documents import IMPORTED, NAMESPACES, SHAPES, described
from update_files import WRITERS, update_tests

from cturi_rdf.editing import EditError, edit, locate, save
from cturi_rdf.editing.blank_nodes import same_graph
from cturi_rdf.editing.document import unlocated
from cturi_rdf.editing.engines import ByUpdate, by_graph, by_patch
from cturi_rdf.editing.rewrite import rewrite
from cturi_rdf.reading import CatalogError, ReadOptions
from cturi_rdf.reading.formats import format_named, format_of_file
from cturi_rdf.reading.terms import DOCUMENT, RDF_NS

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Write

    from cturi_rdf.editing import Document

E = "PREFIX : <http://e.example/> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> "
HEAD = "@prefix : <http://e.example/> .\n"


def said(text: bytes, form: str) -> set[ox.Quad]:
    return set(locate(text, format_named(form), base=DOCUMENT).parse(text))


def changed(text: str, update: str, form: str = "turtle") -> str:
    """Return a text with an update made; the second run changes nothing that the law can see."""
    return edit(text.encode(), E + update, ReadOptions(form=form)).text.decode()


@pytest.mark.parametrize("form", WRITERS)
def test_an_update_of_w3c_makes_the_graph_that_it_should_and_keeps_all_other_bytes(
    form: str, shared: Path
) -> None:
    ran = 0
    for test in update_tests(shared / "suites" / "w3c" / "sparql" / "sparql11"):
        if test.has_graphs and not format_named(form).datasets:
            continue
        ran += 1
        text = WRITERS[form](test.before).encode()
        result = edit(text, test.update, ReadOptions(form=form))
        assert same_graph(said(result.text, form), test.after), test.name
        if not result.removed:
            rest = iter(result.text)
            assert all(byte in rest for byte in text), test.name
        assert tokens_of(test.before & test.after, text, form) == tokens_of(
            test.before & test.after, result.text, form
        ), test.name
        # What the graph is now needs no edit any more.
        again = edit(result.text, lambda _: by_graph(test.after), ReadOptions(form=form))  # noqa: B023
        assert not again.is_changed, test.name
    assert ran == (94 if format_named(form).datasets else 27)


CATALOGUES = E + "".join(f"PREFIX {name}: <{iri}> " for name, iri in NAMESPACES.items()).replace(
    f"PREFIX rdf: <{RDF_NS}> ", ""
)
UPDATES = [
    "DELETE { ?a dcat:distribution ?b } INSERT { ?b :of ?a } WHERE { ?a dcat:distribution ?b }",
    "INSERT { :z :p ?b } WHERE { ?a dct:format ?b FILTER(!isLITERAL(?b)) }",
    "DELETE { ?a dct:format ?b } WHERE { ?a dct:format ?b }",
    "DELETE { ?a dct:format ?b } INSERT { ?a dct:type ?b } WHERE { ?a dct:format ?b }",
    "INSERT { ?a dct:source <rel/x>, <#y> } WHERE { ?a a dcat:Distribution }",
    "INSERT DATA { <new> a dcat:Dataset ; dct:title 'x'@de ; dcat:distribution [ a :T ] }",
    "DELETE { ?a a ?t } INSERT { ?a a :T } WHERE { ?a a ?t }",
    "DELETE { ?a rdfs:label ?b } INSERT { ?a rdfs:label 'new'@de } WHERE { ?a rdfs:label ?b }",
]
# Why some shapes of a catalogue do not take every update: above all, a list stays where it is.
UNMOVED = "a node cannot be moved out of there"
REFUSALS = {
    "nt": [],
    "ttl": [],
    "rdf": [UNMOVED],
    "jsonld": [UNMOVED, "a statement cannot be removed there", "a value cannot be replaced there",
               "the change cannot be written"],
}  # fmt: skip


@pytest.mark.parametrize("ending", SHAPES)
@given(seed=st.integers(0, 1 << 32), update=st.sampled_from(UPDATES))
@settings(max_examples=examples(100))
def test_an_update_is_written_into_a_catalogue_of_any_shape(
    tmp_path_factory: pytest.TempPathFactory, ending: str, seed: int, update: str
) -> None:
    imported = tmp_path_factory.getbasetemp() / IMPORTED
    imported.write_text(json.dumps({"@context": NAMESPACES}), "utf-8")
    text = SHAPES[ending](described(seed), seed, "").encode()
    form = format_of_file(f"a.{ending}")
    reading = ReadOptions(form=form.name, contexts={IMPORTED: imported})

    def document_of(data: bytes) -> Document:
        return unlocated(data, form, base="http://d.example/", reading=reading)

    # The law of edits compares what is said with what should be.
    try:
        rewrite(text, document_of, ByUpdate(CATALOGUES + update, "http://d.example/"))
    except EditError as error:
        assert error.problem.startswith(tuple(REFUSALS[ending]))


def tokens_of(quads: frozenset[ox.Quad], text: bytes, form: str) -> dict[str, bytes]:
    """Return how a text writes the objects of some statements without blank nodes."""
    document = locate(text, format_named(form), base=DOCUMENT)
    wanted = {str(quad) for quad in quads if "_:" not in str(quad)}
    return {
        str(statement.quad): text[statement.start : statement.end]
        for statement in document.statements
        if str(statement.quad) in wanted
    }


WITHOUT_2 = """DELETE { ?a rdf:rest ?b . ?b ?p ?o } INSERT { ?a rdf:rest ?c }
WHERE { ?a rdf:rest ?b . ?b rdf:first 2 ; rdf:rest ?c ; ?p ?o }"""

OF_A = "INSERT { :b :p ?x } WHERE { :a :p ?x }"
OF_1 = "DELETE WHERE { ?x :p 1 }"

# A Turtle text, an update, and the text afterwards.
TURTLE = [
    # Beside what is there, in its style.
    (':a :p "x" . # c\n', "INSERT DATA { :a :q 1 }", ':a :p "x" ; :q 1 . # c\n'),
    (
        ':a :p "x", "y" ;\n  :q 1 .\n',
        'INSERT DATA { :a :p "z" }',
        ':a :p "x", "y", "z" ;\n  :q 1 .\n',
    ),
    (":a :p 1 .\n", "DELETE DATA { :a :p 1 } ; INSERT DATA { :a :p 2 }", ":a :p 2 .\n"),
    # A subject goes with the empty line before it, unless the next one has none.
    (
        "\n:a :p 1 .\n\n:b :p 1 .\n\n:c :q 1 .\n\n:d :p 1 .\n",
        "DELETE WHERE { ?s :p ?o }",
        "\n:c :q 1 .\n",
    ),
    ("\n:a :p 1 .\n:b :q 1 .\n", "DELETE WHERE { ?s :p ?o }", "\n:b :q 1 .\n"),
    # A predicate is renamed with all its objects, whatever they are.
    (
        ":a :p 1, [ :q 2 ] ; # c\n  :r 3 .\n",
        "DELETE { ?s :p ?o } INSERT { ?s :n ?o } WHERE { ?s :p ?o }",
        ":a :n 1, [ :q 2 ] ; # c\n  :r 3 .\n",
    ),
    # A new subject, with what belongs to it in brackets.
    (
        ":a :p 1 .\n",
        "INSERT DATA { :b :p [ a :T ; :q (1 2) ] }",
        ":a :p 1 .\n\n:b :p [ a :T ; :q ( 1 2 ) ] .\n",
    ),
    # Brackets become a label where the node stands in two places, or stays alone.
    (
        ":a :p [ :q 1 ; # c\n  :r 2 ] .\n",
        "INSERT { :b :p ?x } WHERE { :a :p ?x }",
        ":a :p _:b1 .\n_:b1 :q 1 ; # c\n  :r 2 .\n\n:b :p _:b1 .\n",
    ),
    (":a :p [ :q 1 ] ; :s 2 .\n", "DELETE WHERE { :a :p ?x }", ":a :s 2 .\n_:b1 :q 1 .\n"),
    (
        "[ :q 1 ] :p 2 .\n",
        "INSERT { :b :p ?x } WHERE { ?x :q 1 }",
        "_:b1  :q 1 ; :p 2 .\n\n:b :p _:b1 .\n",
    ),
    (":a :p [ :q 1 ] ; :s 2 .\n", "DELETE WHERE { :a :p ?x . ?x :q 1 }", ":a :s 2 .\n"),
    # What brackets say goes behind the line of the statement, if it ends there.
    (":a :p [] ; :q 1 . # c\n", OF_A, ":a :p _:b1 ; :q 1 . # c\n\n:b :p _:b1 .\n"),
    (
        ":a :p [ :q 1 ] . # c\n",
        OF_A,
        ":a :p _:b1 . # c\n_:b1 :q 1 .\n\n:b :p _:b1 .\n",
    ),
    (
        ":a :p [ :q 1 # c\n ] . :c :q 2 .\n",
        OF_A,
        ":a :p _:b1 .\n_:b1 :q 1 # c\n. :c :q 2 .\n\n:b :p _:b1 .\n",
    ),
    (":a :p [ :q 1 ] .", OF_A, ":a :p _:b1 .\n_:b1 :q 1 .\n\n:b :p _:b1 .\n"),
    # A subject in brackets loses what it says; it goes where it is a statement.
    ("# c\n\n[ :p 1 ] .\n", OF_1, "# c\n"),
    (":a :q 1 .\n[ :p 1 ] .\n", OF_1, ":a :q 1 .\n"),
    (":a :q\n[ :p 1 ] .\n", OF_1, ":a :q\n[ ] .\n"),
    (":a :q\n\n # c\n[ :p 1 ] .\n", OF_1, ":a :q\n\n # c\n[ ] .\n"),
    # A verb gets the indentation of the one behind it, or one more than its subject.
    (":a :p 1 ; # c\n  .\n", "INSERT DATA { :a :q 2 }", ":a :p 1 ; # c\n  :q 2 ;\n  .\n"),
    (" :a :p 1 ;\n  .\n", "INSERT DATA { :a :q 2 }", " :a :p 1 ;\n  :q 2 ;\n  .\n"),
    # A new node has brackets if one statement leads to it, and none of its own.
    (
        ":a :p 1 .\n",
        "INSERT DATA { :c :p _:x . _:x :q _:y . _:y :q 1 }",
        ":a :p 1 .\n\n:c :p [ :q [ :q 1 ] ] .\n",
    ),
    (
        ":a :p 1 .\n",
        "INSERT DATA { :c :p _:x . _:x :q _:y . _:y :q _:x }",
        ":a :p 1 .\n\n:c :p _:b0 .\n\n_:b0 :q _:b1 .\n\n_:b1 :q _:b0 .\n",
    ),
    (
        ":a :p 1 .\n",
        "INSERT DATA { :c :p _:x . :d :p _:x }",
        ":a :p 1 .\n\n:c :p _:b0 .\n\n:d :p _:b0 .\n",
    ),
    # Items of a collection.
    (
        ":a :q ( [ :n 3 ] # kept\n 2 ( 2 [] ) ) .",
        "DELETE { ?c rdf:first 2 } INSERT { ?c rdf:first :x } WHERE { ?c rdf:first 2 }",
        ":a :q ( [ :n 3 ] # kept\n :x ( :x [] ) ) .",
    ),
    (
        ":a :p ( 1 2 # c\n 3 ) .\n",
        "DELETE { ?c rdf:first 2 } INSERT { ?c rdf:first :x } WHERE { ?c rdf:first 2 }",
        ":a :p ( 1 :x # c\n 3 ) .\n",
    ),
    (
        ":a :p ( 1 2 # c\n 3 ) .\n",
        WITHOUT_2,
        ":a :p ( 1 # c\n 3 ) .\n",
    ),
    (
        ":a :p ( 1 ) .\n",
        "DELETE { ?a rdf:rest () } INSERT { ?a rdf:rest (2 [ :q 3 ]) } WHERE { ?a rdf:first 1 }",
        ":a :p ( 1 2 [ :q 3 ] ) .\n",
    ),
    (
        ":a :p ( 1 2 ) ; :s 1 .\n",
        "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?p != :s) }",
        ":a :s 1 .\n",
    ),
    # Relative IRIs stay relative.
    (
        ":a :p <x> .\n",
        "DELETE DATA { :a :p <x> } ; INSERT DATA { :a :p <#y>, <z> }",
        ":a :p <#y> ; :p <z> .\n",
    ),
    # Nothing to do.
    (":a :p 1 .\n", "INSERT DATA { :a :p 1 }", ":a :p 1 .\n"),
]


@pytest.mark.parametrize(("text", "update", "expected"), TURTLE)
def test_turtle_is_edited_as_a_person_would(text: str, update: str, expected: str) -> None:
    assert changed(HEAD + text, update) == HEAD + expected


def test_a_collection_that_is_none_any_more_becomes_its_cells() -> None:
    text = changed(f"{HEAD}:a :p ( 1 2 ) .\n", "INSERT { :b :p ?x } WHERE { ?x rdf:first 2 }")
    assert text.startswith(f"{HEAD}:a :p _:b1 .\n_:b1 ")
    assert ":b :p _:b2 ." in text


def test_nodes_inside_of_others_get_labels_one_after_the_other() -> None:
    text = f"{HEAD}:a :p [ :q [ :r 1 ] ] .\n"
    update = "INSERT { :b :p ?x, ?y } WHERE { ?x :q ?y }"
    expected = ":a :p _:b1 .\n_:b1 :q _:b2 .\n_:b2 :r 1 .\n\n:b :p _:b1, _:b2 .\n"
    assert changed(text, update) == HEAD + expected


def test_a_named_graph_of_trig_keeps_the_statements_of_its_nodes_inside() -> None:
    text = f"{HEAD}:g {{\n  :a :p [ :q 1 ] }}\n"
    update = "INSERT { GRAPH :g { :a :r ?x } } WHERE { GRAPH :g { :a :p ?x } }"
    expected = f"{HEAD}:g {{\n  :a :p _:b1 ; :r _:b1 . _:b1 :q 1  }}\n"
    assert changed(text, update, "trig") == expected


# A graph of TriG, and the same with a statement about a node that was in brackets.
GRAPHS = [
    (":g { :a :p [ :q 1 ] . # c\n}", ":g { :a :p _:b1 . # c\n    _:b1 :q 1 .\n    :b :p _:b1 .\n}"),
    (
        ":g {\n  :a :p [ :q 1 ] .\n  :c :q 1 .\n}",
        ":g {\n  :a :p _:b1 .\n  _:b1 :q 1 .\n  :c :q 1 .\n  :b :p _:b1 .\n}",
    ),
    (
        ":g {\n  :a :p [ :q 1 ] . :c :q 1 .\n}",
        ":g {\n  :a :p _:b1 .\n  _:b1 :q 1 . :c :q 1 .\n  :b :p _:b1 .\n}",
    ),
]


@pytest.mark.parametrize(("before", "after"), GRAPHS)
def test_a_node_of_a_graph_stays_in_it_with_the_indentation_of_the_others(
    before: str, after: str
) -> None:
    update = "INSERT { GRAPH :g { :b :p ?x } } WHERE { GRAPH :g { :a :p ?x } }"
    assert changed(f"{HEAD}{before}\n", update, "trig") == f"{HEAD}{after}\n"


@pytest.mark.parametrize(
    ("end", "after"),
    [
        ("\n", "\n    ; :r 3 .\n"),
        # A comment stands behind the last statement.
        (" # c\n", " # c\n    ; :r 3\n  .\n"),
        (" # c\n    .\n", " # c\n    ; :r 3\n    .\n"),
    ],
)
def test_a_graph_with_semicolons_before_its_verbs_gets_a_verb_and_a_statement(
    end: str, after: str
) -> None:
    text = f"{HEAD}:g {{\n  :a :p 1\n    ; :q 2"
    update = "INSERT DATA { GRAPH :g { :a :r 3 . :b :p 1 } }"
    assert changed(f"{text}{end}}}\n", update, "trig") == f"{text}{after}  :b :p 1 .\n}}\n"


@pytest.mark.parametrize("before", [":a :p 1 .", ":a :p 1 .\n", ":g { :a :p 1 }\n"])
def test_a_new_graph_is_written_behind_all_others(before: str) -> None:
    update = "INSERT DATA { GRAPH :h { :a :p 1 . :b :p (1 [ :q 2 ]) } }"
    after = "\n:h {\n    :a :p 1 .\n    :b :p ( 1 [ :q 2 ] ) .\n}\n"
    expected = f"{HEAD}{before.rstrip()}\n{after}"
    assert changed(HEAD + before, update, "trig") == expected


XML_HEAD = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://e.example/">\n'
)
XML = """  <T rdf:about="http://e.example/a">
    <p><!-- c --><U><q>1</q></U></p>
    <r>2</r>
  </T>
"""
# An update of the element above, and the elements afterwards.
RDFXML = [
    # An element goes with all that goes in it.
    ("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", ""),
    (
        "DELETE { ?a :p ?b . ?b ?p ?o } WHERE { ?a :p ?b . ?b ?p ?o }",
        XML.replace("    <p><!-- c --><U><q>1</q></U></p>\n", ""),
    ),
    # A node that stays moves behind the outermost element, with its comments.
    (
        "DELETE { ?a :p ?b } INSERT { ?b :back ?a } WHERE { ?a :p ?b }",
        XML.replace("<p><!-- c --><U><q>1</q></U></p>", "<!-- c -->")
        + '  <U rdf:nodeID="b1"><q>1</q><back rdf:resource="http://e.example/a"/></U>\n',
    ),
    # A predicate, or the class of a typed node, gets another name.
    ("DELETE { ?a :p ?b } INSERT { ?a :n ?b } WHERE { ?a :p ?b }", XML.replace("p>", "n>")),
    ("DELETE { ?a a :T } INSERT { ?a a :V } WHERE { ?a a :T }", XML.replace("T", "V")),
    (
        "DELETE WHERE { ?a a :T }",
        XML.replace("<T", "<rdf:Description").replace("</T", "</rdf:Description"),
    ),
]


@pytest.mark.parametrize(("update", "expected"), RDFXML)
def test_elements_of_rdfxml_go_move_and_are_renamed(update: str, expected: str) -> None:
    assert changed(f"{XML_HEAD}{XML}</rdf:RDF>\n", update, "xml") == (
        f"{XML_HEAD}{expected}</rdf:RDF>\n"
    )


# Node elements, an update of them, and the elements afterwards.
B1, B2, B3 = (f' rdf:nodeID="b{number}"' for number in (1, 2, 3))
ABOUT_Z = '\n<rdf:Description rdf:about="http://e.example/z">\n  {}\n</rdf:Description>'
NAME, NEW_NAME = "{ ?a :p ?b }", "{ ?a :n ?b }"
RENAME = f"DELETE {NAME} INSERT {NEW_NAME} WHERE {NAME}"
POINT = f"INSERT {{ :z :o ?b }} WHERE {NAME}"
TURN = f"DELETE {NAME} INSERT {{ ?b :back ?a }} WHERE {NAME}"
NO_TYPE = "DELETE { ?a a :T } INSERT { ?a %s } WHERE { ?a a :T }"
WITHOUT_P = "DELETE { ?s ?p ?o } WHERE { ?s :p '1' ; ?p ?o }"
TAGS = [
    # A node in a property is told by a name, moves behind the element around it, or stays.
    (
        "<T><p rdf:parseType='Resource'><q>1</q></p></T>",
        POINT,
        f"<T><p{B1}/></T>\n<rdf:Description{B1}><q>1</q></rdf:Description>"
        + ABOUT_Z.format(f"<o{B1}/>"),
    ),
    (
        '<T><p rdf:parseType="Resource" /></T>',
        POINT,
        f"<T><p{B1}/></T>\n<rdf:Description{B1}></rdf:Description>" + ABOUT_Z.format(f"<o{B1}/>"),
    ),
    (
        "<T e:x='1'><p rdf:parseType='Resource'><q>1</q></p></T>",
        TURN,
        f"<T{B1} e:x='1'></T>\n<rdf:Description{B2}><q>1</q><back{B1}/></rdf:Description>",
    ),
    (
        "<T e:x='1'><p><U rdf:about='b'><q>1</q></U></p></T>",
        TURN,
        f"<T{B1} e:x='1'></T>\n<U rdf:about='b'><q>1</q><back{B1}/></U>",
    ),
    (
        "<T e:x='1'><p><U rdf:nodeID='b'><q>1</q></U></p></T>",
        TURN,
        f"<T{B1} e:x='1'></T>\n<U rdf:nodeID='b'><q>1</q><back{B1}/></U>",
    ),
    (
        "<T><p><U rdf:nodeID='b'/></p></T>",
        POINT,
        "<T><p><U rdf:nodeID='b'/></p></T>" + ABOUT_Z.format('<o rdf:nodeID="b"/>'),
    ),
    (
        "<T e:x='1'><p><U rdf:ID='b'><q>1</q></U></p></T>",
        TURN,
        f"<T{B1} e:x='1'></T>\n<U rdf:ID='b'><q>1</q><back{B1}/></U>",
    ),
    (
        "<T e:x='1'><p xml:lang='en' e:q='1'/></T>",
        TURN,
        (
            f"<T{B1} e:x='1'></T>\n<rdf:Description{B2} xml:lang='en' e:q='1'>\n  <back{B1}/>\n"
            "</rdf:Description>"
        ),
    ),
    # Nodes in one another move out, the outer one first.
    (
        "<T>\n  <p><U><p><V><q>1</q></V></p></U></p>\n  <p><W/></p></T>",
        POINT,
        f"<T>\n  <p{B1}/>\n  <p{B3}/></T>\n<U{B1}><p{B2}/></U>\n<V{B2}><q>1</q></V>\n<W{B3}/>"
        + ABOUT_Z.format("\n  ".join(f"<o{label}/>" for label in (B1, B2, B3))),
    ),
    # A node on top gets a name, and the others keep theirs.
    (
        "<T><q>2</q></T>\n<e:T e:p='1'><q>1</q></e:T>\n<T rdf:nodeID='m'/>",
        "INSERT { :z :o ?b } WHERE { ?b :p '1' }",
        f"<T><q>2</q></T>\n<e:T{B1} e:p='1'><q>1</q></e:T>\n<T rdf:nodeID='m'/>"
        + ABOUT_Z.format(f"<o{B1}/>"),
    ),
    # A property that keeps its object gets another name where an element of its own says it.
    (
        "<T><p><U><q>1</q></U></p></T>",
        RENAME,
        "<T><n><U><q>1</q></U></n></T>",
    ),
    ("<T e:p='b'/>", RENAME, "<T>\n  <n>b</n>\n</T>"),
    ("<T><p>b</p></T>", RENAME.replace(NEW_NAME, "{ ?a :n 'c' }"), "<T>\n  <n>c</n></T>"),
    # A type becomes another one, an element, or another statement.
    (
        "<T><p>1</p></T>",
        NO_TYPE % "a <http://n.example/V>",
        (
            '<rdf:Description>\n  <rdf:type rdf:resource="http://n.example/V"/><p>1</p>'
            "</rdf:Description>"
        ),
    ),
    (
        "<T><p>1</p></T>",
        NO_TYPE % ":kind 'V'",
        "<rdf:Description><p>1</p><kind>V</kind></rdf:Description>",
    ),
    (
        "<T><p>1</p></T>",
        NO_TYPE % ":kind :V",
        '<rdf:Description><p>1</p><kind rdf:resource="http://e.example/V"/></rdf:Description>',
    ),
    (
        "<T />",
        NO_TYPE % ":kind 'V'",
        "<rdf:Description>\n  <kind>V</kind>\n</rdf:Description>",
    ),
    # An element goes with the lines that it has to itself.
    (" <T><p>1</p></T>\n <U/> ", WITHOUT_P, " <U/> "),
    (" <T><p>1</p></T>  <U/>\n", WITHOUT_P, "   <U/>\n"),
    (" <U/> <T><p>1</p></T>\n", WITHOUT_P, " <U/> \n"),
    # A new node has the first type that is a name in its tag.
    (
        "<T/>",
        "INSERT DATA { :z a 'T' ; a :W ; :p :o }",
        (
            '<T/>\n<W rdf:about="http://e.example/z">\n  <p rdf:resource="http://e.example/o"/>\n'
            "  <rdf:type>T</rdf:type>\n</W>"
        ),
    ),
    ("<T/>", "INSERT DATA { :z a :T }", '<T/>\n<T rdf:about="http://e.example/z"/>'),
]


@pytest.mark.parametrize("end", ["\n</rdf:RDF>\n", "</rdf:RDF>"])
@pytest.mark.parametrize(("body", "update", "expected"), TAGS)
def test_rdfxml_is_edited_in_each_of_its_ways_to_write_a_statement(
    body: str, update: str, expected: str, end: str
) -> None:
    head = XML_HEAD.replace(">", ' xmlns:e="http://e.example/">')
    after = changed(f"{head}{body}{end}", update, "xml")
    assert after.removeprefix(head).removesuffix(end).rstrip() == expected.rstrip()


def test_a_file_that_is_one_node_gets_an_element_around_it_where_another_one_leaves_it() -> None:
    names = f'xmlns:rdf="{RDF_NS}" xmlns="http://e.example/"'
    before = f"<T {names}><p><U><q>1</q></U></p><r><U rdf:about='urn:u'/></r></T>\n"
    text = changed(before, "DELETE { ?a ?p ?b } WHERE { ?a ?p ?b . ?b a :U }", "xml")
    default = 'xmlns="http://e.example/"'
    assert text == (
        f'<rdf:RDF xmlns:rdf="{RDF_NS}">\n<T {names}></T>\n'
        f'  <U rdf:nodeID="b1" {default}><q>1</q></U>\n'
        f"  <U {names} rdf:about='urn:u'/>\n</rdf:RDF>\n"
    )


@pytest.mark.parametrize(
    ("body", "update", "expected"),
    [
        # A node that attributes describe may have a label; one of them may be all that it has.
        (
            "<T e:x='1'><p rdf:nodeID='n' e:q='1'/></T>",
            TURN,
            (
                f"<T{B1} e:x='1'></T>\n<rdf:Description rdf:nodeID='n' e:q='1'>\n  <back{B1}/>\n"
                "</rdf:Description>"
            ),
        ),
        (
            "<T><p e:q='1'/></T>",
            "DELETE { ?a :q '1' } INSERT { ?a :q '2'@de } WHERE { ?a :q '1' }",
            '<T><p><rdf:Description><q xml:lang="de">2</q></rdf:Description></p></T>',
        ),
    ],
)
def test_a_node_that_attributes_describe_is_edited(body: str, update: str, expected: str) -> None:
    head = XML_HEAD.replace(">", ' xmlns:e="http://e.example/">')
    after = changed(f"{head}{body}</rdf:RDF>\n", update, "xml")
    assert after.removeprefix(head).removesuffix("</rdf:RDF>\n").rstrip() == expected


def test_a_node_of_json_ld_beside_another_one_is_no_value_of_it() -> None:
    inside = '{"@id": "urn:b", "r": 1, "@reverse": {"p": {"@id": "urn:a"}}}'
    context = '"@context": {"@vocab": "http://e.example/"}'
    text = f'{{{context}, "@id": "urn:a", "@included": [{inside}]}}'
    with pytest.raises(EditError, match="a statement cannot be removed there"):
        changed(text, TURN, "json-ld")


def test_a_collection_of_rdfxml_is_not_moved() -> None:
    head = XML_HEAD.replace(">", ' xmlns:e="http://e.example/">')
    node = "<p rdf:parseType='Collection'><U/></p>"
    with pytest.raises(EditError, match="cannot be moved out of there") as error:
        changed(f"{head}<T>{node}</T></rdf:RDF>", TURN, "xml")
    assert error.value.line == 2


def test_a_new_namespace_of_rdfxml_gets_the_first_prefix_that_is_free() -> None:
    text = f'{XML_HEAD.replace("xmlns=", DECLARED)}<T rdf:about="urn:a"/>\n</rdf:RDF>\n'
    update = 'INSERT DATA { <urn:a> <http://f/p> "1" ; <http://g/p> "2" }'
    assert re.findall(r'xmlns:(\w+)="http://[fg]/"', changed(text, update, "xml")) == ["ns2", "ns4"]


DECLARED = 'xmlns:ns1="urn:1" xmlns:ns3="urn:3" xmlns='


def test_the_class_of_an_empty_element_is_renamed_alone() -> None:
    text = f'{XML_HEAD}<T rdf:about="http://e.example/a"><p><U/></p></T>\n</rdf:RDF>\n'
    update = "DELETE { ?a a :U } INSERT { ?a a :V } WHERE { ?a a :U }"
    assert changed(text, update, "xml") == text.replace("<U/>", "<V/>")


JSON = """{
  "@context": {"@vocab": "http://e.example/"},
  "@graph": [
    {"@id": "urn:a", "p": {"@type": "U", "q": 1}, "r": 2},
    {"@id": "urn:b", "r": 3}
  ]
}
"""
MOVED = """"p": {"@id": "_:b1"}, "r": 2},
    {"@id": "urn:b", "r": 3, "p": {"@id": "_:b1"}},
    {"@id": "_:b1", "@type": "U", "q": 1}"""

# An update of the objects above, the text that changes and what it becomes.
JSON_LD = [
    ("DELETE { <urn:b> ?p ?o } WHERE { <urn:b> ?p ?o }", ',\n    {"@id": "urn:b", "r": 3}', ""),
    (
        "DELETE { ?a :p ?b . ?b ?p ?o } WHERE { ?a :p ?b . ?b ?p ?o }",
        ' "p": {"@type": "U", "q": 1},',
        "",
    ),
    (
        "INSERT { <urn:b> :p ?b } WHERE { ?a :p ?b }",
        '"p": {"@type": "U", "q": 1}, "r": 2},\n    {"@id": "urn:b", "r": 3}',
        MOVED,
    ),
    ("DELETE { ?a :p ?b } INSERT { ?a :n ?b } WHERE { ?a :p ?b }", '"p"', '"n"'),
]


@pytest.mark.parametrize(("update", "old", "new"), JSON_LD)
def test_objects_of_json_ld_go_move_and_are_renamed(update: str, old: str, new: str) -> None:
    assert changed(JSON, update, "json-ld") == JSON.replace(old, new)


# JSON-LD that says r of a node without a name, and the same where another node names it.
NODES_OF_JSON = [
    ('"@graph": [{"r": 1}]', '"@graph": [{"@id": "_:b1", "r": 1}, NEW]'),
    ('"r": 1', '"@id": "_:b1", "r": 1, "@included": [NEW]'),
    ('"@id": "_:x", "r": 1', '"@id": "_:x", "r": 1, "@included": [NEW]'),
    (
        '"@graph": [{"@id": "urn:a", "q": {"@set": [{"r": 1}, 2]}}]',
        '"@graph": [{"@id": "urn:a", "q": {"@set": [{"@id": "_:b1"}, 2]}}, MOVED, NEW]',
    ),
    (
        '"@graph": {"@id": "urn:a", "q": {"r": 1}}',
        '"@graph": [{"@id": "urn:a", "q": {"@id": "_:b1"}}, MOVED, NEW]',
    ),
    (
        '"q": {"p": {"r": 1}}, "@included": {"@id": "urn:c"}',
        '"q": {"p": {"@id": "_:b1"}}, "@included": [{"@id": "urn:c"}, MOVED, NEW]',
    ),
]


@pytest.mark.parametrize(("before", "after"), NODES_OF_JSON)
def test_a_node_of_json_ld_gets_a_name_where_it_is_or_behind_the_others(
    before: str, after: str
) -> None:
    context = '"@context": {"@vocab": "http://e.example/"}'
    node = "_:x" if "_:x" in before else "_:b1"
    new = f'{{"@id": "urn:b", "p": {{"@id": "{node}"}}}}'
    update = "INSERT { <urn:b> :p ?x } WHERE { ?x :r 1 }"
    text = changed(f"{{{context}, {before}}}", update, "json-ld")
    after = after.replace("NEW", new).replace("MOVED", '{"@id": "_:b1", "r": 1}')
    assert json.loads(text) == json.loads(f"{{{context}, {after}}}")
    # What was there keeps its text.
    assert text.startswith((f"{{{context}, ", f'{{"@id": "_:b1", {context}'))


@pytest.mark.parametrize(
    ("space", "step", "array"),
    [("", "", "[NODE]"), (" ", "", "[NODE]"), (" ", "\n  ", "[\n    NODE\n  ]")],
)
def test_a_node_that_moves_stands_there_as_the_members_of_the_file(
    space: str, step: str, array: str
) -> None:
    context = f'"@context":{space}{{"@vocab":{space}"http://e.example/"}}'
    before = ("," + (step or space)).join([context, '"@id":"urn:a"', '"p":{"r":1}'])
    after = ("," + (step or space)).join([context, '"@id":"urn:a"', f'"@included":{space}{array}'])
    end = "\n" if step else ""
    text = changed(f"{{{step}{before}{end}}}", "DELETE { ?a :p ?b } WHERE { ?a :p ?b }", "json-ld")
    after = after.replace("NODE", '{"@id": "_:b1", "r":1}')
    assert text == f"{{{step}{after}{end}}}"


# Contexts, and what a predicate or a class of http://e.example/ is written as.
NAMES = [
    ('{"@vocab": "http://e.example/"}', "V"),
    ('{"e": "http://e.example/"}', "e:V"),
    ('{"e": "http://e.example/", "V": "http://e.example/V"}', "V"),
    ('{"e": "http://e.example/", "a b": "http://e.example/V"}', "a b"),
    # A term for the other direction is no name of a property, and hides none.
    ('{"a": {"@reverse": "urn:a"}, "e": "http://e.example/", "z": {"@reverse": "urn:z"}}', "e:V"),
    ('{"e": "http://f.example/"}', "http://e.example/V"),
]


@pytest.mark.parametrize(("context", "name"), NAMES)
def test_the_shortest_name_that_a_context_gives_is_written(context: str, name: str) -> None:
    text = f'{{"@context": {context}, "@id": "urn:a", "@type": "urn:T", "urn:p": "x"}}'
    update = (
        "DELETE { ?x a ?t ; <urn:p> ?y } INSERT { ?x a :V ; :V ?y } WHERE { ?x a ?t ; <urn:p> ?y }"
    )
    expected = text.replace("urn:T", name).replace("urn:p", name)
    assert changed(text, update, "json-ld") == expected


def test_a_term_that_an_inner_context_takes_for_the_other_direction_hides_no_other_name() -> None:
    iri = "http://e.example/"
    terms = f'"a": "{iri}a", "b": "{iri}b", "e": "{iri}", "z": "{iri}z"'
    inner = '{"@context": {"a": {"@reverse": "urn:a"}, "z": {"@reverse": "urn:z"}}, "urn:p": "x"}'
    for name, written in (("a", "e:a"), ("b", "b"), ("z", "e:z"), ("y", "e:y")):
        text = f'{{"@context": {{{terms}}}, "@id": "urn:a", "urn:q": {inner}, "urn:r": "x"}}'
        where = "WHERE { ?x ?p ?y FILTER isLITERAL(?y) }"
        update = f"DELETE {{ ?x ?p ?y }} INSERT {{ ?x :{name} ?y }} {where}"
        outside = name if name != "y" else "e:y"
        expected = text.replace("urn:p", written).replace("urn:r", outside)
        assert changed(text, update, "json-ld") == expected


# JSON-LD in the forms that Oxigraph reads in different ways.
OBJECT = '{"@id": "urn:a", "@type": "urn:c", "http://e.example/p": "old"}'
FORMS = {
    "an object without a context": OBJECT,
    "an array without a context": f"[{OBJECT}]",
    "an object that is out of order": '{"http://e.example/p": "old", "@id": "urn:a"}',
    "a context at the end": '{"p": "old", "@context": {"@vocab": "http://e.example/"}}',
    "a byte order mark": f"\ufeff{OBJECT}",
    "half a surrogate": '{"@id": "urn:a", "http://e.example/p": "old", "@type": "urn:\\ud800"}',
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_json_ld_is_edited(name: str) -> None:
    text = FORMS[name]
    update = 'DELETE { ?a :p "old" } INSERT { ?a :p "new" } WHERE { ?a :p "old" }'
    assert changed(text, update, "json-ld") == text.replace("old", "new")


REFUSED = [
    (
        "turtle",
        f"{HEAD}:a :p 1 .",
        "INSERT DATA { GRAPH :g { :a :p 2 } }",
        "turtle has no named graphs",
    ),
    (
        "turtle",
        f"{HEAD}<< :a :p 1 >> :q 2 .",
        "INSERT { ?reifier :r 3 } WHERE { ?reifier :q 2 }",
        "statements without a place",
    ),
    (
        "turtle",
        f"{HEAD}:a :p 1 {{| :q 2 |}} .",
        "DELETE { ?reifier :q 2 } WHERE { ?reifier :q 2 }",
        "^standard input:2:12: an annotation cannot lose all its statements",
    ),
    (
        "json-ld",
        '{"@type": "Dataset", "name": "x", "distribution": [], "contentUrl": "y"}',
        "INSERT { <urn:b> :p ?x } WHERE { ?x a ?type }",
        "^standard input:1:1: a blank node cannot be given a label there",
    ),
    (
        "json-ld",
        '{"@id": "urn:a", "http://e.example/p": {"@list": [{"http://e.example/r": 1}]}}',
        "INSERT { <urn:b> :p ?x } WHERE { ?x :r 1 }",
        "^standard input: a node cannot be moved out of there",
    ),
]


@pytest.mark.parametrize(("form", "text", "update", "reason"), REFUSED)
def test_what_a_syntax_cannot_say_is_refused_with_the_reason(
    form: str, text: str, update: str, reason: str
) -> None:
    with pytest.raises(EditError, match=reason):
        changed(text, update, form)


@pytest.mark.parametrize("form", ["turtle", "nt"])
def test_numbers_and_times_that_an_update_does_not_change_keep_their_spelling(form: str) -> None:
    values = [
        ("01", "integer"), ("1", "integer"), ("12.50", "decimal"), ("1", "boolean"),
        ("2026-01-01T00:00:00.000Z", "dateTime"),
    ]  # fmt: skip
    spelt = "".join(
        f'<a:a> <a:b{number}> "{value}"^^<http://www.w3.org/2001/XMLSchema#{name}> .\n'
        for number, (value, name) in enumerate(values)
    )
    replaced = 'DELETE { ?a ?b "x" } INSERT { ?a ?b "y" } WHERE { ?a ?b "x" }'
    assert changed(spelt + '<a:a> <a:c> "x" .\n', replaced, form) == spelt + '<a:a> <a:c> "y" .\n'
    added = changed(spelt, 'INSERT DATA { <a:z> <a:c> "y" }', form)
    assert added.startswith(spelt)
    # A value that an update names goes in each of its spellings.
    assert '"01"' not in changed(spelt, "DELETE WHERE { ?a <a:b0> 1 }", form)


def test_an_update_that_is_none_is_refused() -> None:
    with pytest.raises(CatalogError, match=r"SPARQL 1\.1 Update"):
        changed(HEAD, "SELECT * { ?s ?p ?o }")


@pytest.mark.parametrize(
    ("update", "problem", "place"),
    [
        ("\nSELECT * { ?s ?p ?o }", "not valid from '* { ?s ?p ?o }' on", (2, 8)),
        ("\nINSERT DATA {", "it ends too early", (2, 14)),
    ],
)
def test_the_place_of_an_error_in_an_update_is_told(
    update: str, problem: str, place: tuple[int, int]
) -> None:
    with pytest.raises(CatalogError, match=re.escape(problem)) as error:
        edit(HEAD.encode(), update, ReadOptions(form="turtle"))
    assert (error.value.line, error.value.column) == place


FETCHING = [
    "LOAD <http://a.example/x>",
    "LOAD <file:///tmp/x.ttl>",
    "load SILENT ex:x",
    "INSERT { ?s ?p 1 } WHERE { SERVICE <http://a.example/sparql> { ?s ?p ?o } }",
]


@pytest.mark.parametrize("update", FETCHING)
def test_an_update_that_fetches_something_from_elsewhere_is_refused(update: str) -> None:
    with pytest.raises(CatalogError, match="fetches something from elsewhere"):
        changed(HEAD, update)


def test_the_words_for_it_in_names_and_texts_are_no_such_update() -> None:
    update = """# LOAD <a>
    INSERT DATA { :load :service "LOAD", '''SERVICE <x>''', <http://a.example/LOAD> }"""
    assert "LOAD" in changed(HEAD, update)


def test_an_rdf_patch_names_a_blank_node_by_its_label() -> None:
    text = b"_:x <a:p> <a:o> . # c\n"
    patch = b'H id <urn:a> .\nTX .\nPA "a" <a:> .\nD <_:x> <a:p> <a:o> .\nA _:x a:p "n" .\nTC .\n'
    result = edit(text, lambda base: by_patch(patch, base), ReadOptions(form="nt"))
    assert result.text == b'_:x <a:p> "n" . # c\n'


def test_a_label_that_looks_like_one_of_a_reader_is_a_label_where_the_file_has_it() -> None:
    label = "0123456789abcdef0123456789abcdef"
    text = f"_:{label} <a:p> <a:o> .\n".encode()
    patch = f'D _:{label} <a:p> <a:o> .\nA _:{label} <a:p> "n" .'.encode()
    for form in ("nt", "turtle"):
        result = edit(text, lambda base: by_patch(patch, base), ReadOptions(form=form))
        assert result.text == text.replace(b"<a:o>", b'"n"')


# A text in which nodes without a name stand beside the ones that are edited, and how a text of one
# of these begins and ends.
BESIDE_NODES = {
    "turtle": ('<a:s> <a:n> [ <a:v> 1 ] , ( 2 3 ) ;\n  <a:t> "x"', " .\n"),
    "xml": (
        f"""<r:RDF xmlns:r="{RDF_NS}" xmlns:a="a:">\n<r:Description r:about="a:s">
<a:n r:parseType="Resource"><a:v>1</a:v></a:n>\n<a:n><r:Description a:v="2"/></a:n>
<a:t>x</a:t>""",
        "\n</r:Description>\n</r:RDF>\n",
    ),
    "json-ld": ('{"@id": "a:s", "a:n": [{"a:v": 1}, {"@list": [2, 3]}],\n"a:t": "x"', "}\n"),
}  # fmt: skip


@pytest.mark.parametrize("form", BESIDE_NODES)
def test_a_statement_is_added_beside_nodes_without_a_name_and_removed_again(form: str) -> None:
    before, behind = BESIDE_NODES[form]
    added = changed(before + behind, 'INSERT DATA { <a:s> <a:u> "y" }', form)
    assert added.startswith(before)
    assert added.endswith(behind)
    assert '"y"' in added or ">y<" in added
    assert changed(added, 'DELETE DATA { <a:s> <a:u> "y" }', form) == before + behind


@pytest.mark.parametrize(
    ("patch", "line"),
    [
        (b"X <a:a> <a:b> <a:c> .", 1),
        (b"TX .\nA <a:a> <a:b> .", 2),
        (b"A <a:a> <a:b> <a:c> <a:d> <a:e> .", 1),
        (b"A <a:a> <a:b> <a:c> ] .", 1),
        (b"A <a:a> <a:b> <a:c> . .", 1),
    ],
)
def test_a_row_that_is_no_rdf_patch_is_named(patch: bytes, line: int) -> None:
    with pytest.raises(CatalogError, match="row of RDF Patch") as error:
        by_patch(patch, DOCUMENT)
    assert error.value.line == line


def test_a_transaction_of_a_patch_that_is_taken_back_changes_nothing() -> None:
    engine = by_patch(b"TX .\nA <a:a> <a:b> <a:c> .\nTA .", DOCUMENT)
    assert engine(set()) == set()


PEOPLE = (
    HEAD
    + """
# People
:ann a :Person ;   # the first
    :knows [ :name "Bob" ; :age 01 ] , <#carl> ;
    :langs ( "de" "en" ) .
<#carl> :name "Carl"@EN .
"""
)


def test_a_graph_of_rdflib_is_saved_into_its_own_file(write: Write) -> None:
    from rdflib import BNode, Graph, Literal, Namespace
    from rdflib.collection import Collection

    path, ex = write("people.ttl", PEOPLE), Namespace("http://e.example/")
    graph = Graph().parse(path)
    assert not save(graph, path).is_changed
    [bob] = graph.subjects(ex.age)
    graph.add((bob, ex.mail, Literal("b@e.example")))
    Collection(graph, graph.value(ex.ann, ex.langs)).append(Literal("fr"))
    graph.add((ex.zoe, ex.knows, zoe := BNode()))
    graph.add((zoe, ex.name, Literal("Z")))
    save(graph, path)
    edited = PEOPLE.replace(" ] ,", ' ; :mail "b@e.example" ] ,').replace('"en"', '"en" "fr"')
    assert path.read_text("utf-8") == f'{edited}\n:zoe :knows [ :name "Z" ] .\n'
    assert not save(Graph().parse(path), path).is_changed


@pytest.mark.parametrize("kind", ["Graph", "Dataset", "ConjunctiveGraph"])
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
def test_every_kind_of_graph_of_rdflib_is_saved_in_the_graphs_that_it_has(
    write: Write, kind: str
) -> None:
    import rdflib

    ex = rdflib.Namespace("http://e.example/")
    text = f"{HEAD}:a :p :x . # c\n"
    named = "" if kind == "Graph" else ":g {\n    :a :p :y .\n}\n"
    for name, inside in (("a.ttl", ""), ("a.trig", named)):
        path = write(name, text + inside)
        graph = getattr(rdflib, kind)()
        graph.add((ex.a, ex.p, ex.x))
        if inside:
            graph.get_context(ex.g).add((ex.a, ex.p, ex.y))
        assert not save(graph, path).is_changed
        graph.add((ex.a, ex.q, ex.z))
        assert save(graph, path).is_changed
        assert path.read_text("utf-8") == text.replace(" . #", " ; :q :z . #") + inside


def test_a_graph_has_nodes_of_its_own_in_triple_terms_too() -> None:
    text = b"<a:a> <a:p> <<( <a:a> <a:p> _:x )>> . # c\n_:x <a:p> 1 .\n"
    engine = by_graph(ox.parse(text, ox.RdfFormat.TURTLE, base_iri=DOCUMENT))
    assert {quad.subject.value for quad in engine(set())} == {"a:a", "graph-x"}
    [term] = (quad.object for quad in engine(set()) if isinstance(quad.object, ox.Triple))
    assert term.object == ox.BlankNode("graph-x")


def test_a_graph_in_another_syntax_is_the_same_graph() -> None:
    text = PEOPLE.encode()
    quads = said(text, "turtle")
    nodes = sorted({str(quad.subject) for quad in quads if "_:" in str(quad.subject)})
    lines = "".join(f"{quad} .\n" for quad in quads)
    for number, node in enumerate(nodes):
        lines = re.sub(re.escape(node) + r"\b", f"_:n{number}", lines)
    renamed = list(ox.parse(lines, ox.RdfFormat.N_QUADS))
    assert not edit(text, lambda _: by_graph(renamed), ReadOptions(form="turtle")).is_changed


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("xml", '<?xml version="1.0" encoding="utf-16"?><e:T xmlns:e="http://e/"/>', "XML"),
        ("json-ld", '{"@id": "http://e.example/a", "http://e.example/p": 1}', "JSON"),
    ],
)
def test_a_file_in_an_encoding_that_takes_no_edits_stays_or_is_refused(
    form: str, text: str, expected: str
) -> None:
    content, reading = text.encode("utf-16"), ReadOptions(form=form)
    assert edit(content, f"{E} DELETE WHERE {{ ?s :none ?o }}", reading).text == content
    with pytest.raises(EditError, match=rf"cannot be edited; expected .*{expected} in UTF-8"):
        edit(content, f"{E} DELETE WHERE {{ ?s ?p ?o }}", reading)
