"""The law of edits: they pass where the edited text says the new graph, and nowhere else."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from cturi_rdf.editing import EditError, locate
from cturi_rdf.editing.document import unlocated
from cturi_rdf.editing.edit import Add, Edit, Remove, Replace, apply, plan
from cturi_rdf.editing.law import check, is_isomorphic
from cturi_rdf.reading.formats import format_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.editing import Document
    from cturi_rdf.editing.edit import Change

A = "http://a.example/"
P, VALUE, OTHER = ox.NamedNode(f"{A}p"), ox.Literal("new"), ox.Literal("d")
TURTLE = f"""@prefix : <{A}> .
:s :p "a", "b" ; :q [ :p "a" ], [ :p "a" ], [ :p "b" ; :q [ :p "c" ] ] .
:t :p "a" . _:n :p "a" . _:m :p "a" ; :q _:n .
"""
LINES = f"""<{A}s> <{A}p> "a" .
<{A}s> <{A}p> "b" .
<{A}t> <{A}p> "a" .
_:n <{A}p> "a" .
_:m <{A}q> _:n .
"""
XML = f"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="{A}">
<T rdf:about="{A}s"><p>a</p><p>b</p><q><T><p>a</p></T></q><q><T><p>a</p></T></q></T>
<T rdf:about="{A}t"><p>a</p><q rdf:parseType="Resource"><p>b</p></q></T>
</rdf:RDF>
"""
JSON = f"""{{"@context": {{"@vocab": "{A}"}}, "@graph": [
{{"@id": "{A}s", "p": ["a", "b"], "q": [{{"p": "a"}}, {{"p": "a"}}, {{"p": "b"}}]}},
{{"@id": "{A}t", "p": "a"}}, {{"p": "a"}}]}}
"""
DOCUMENTS = {"turtle": TURTLE, "nt": LINES, "xml": XML, "json-ld": JSON}


def _changes(document: Document) -> list[list[Change]]:
    """Return changes of a file: of each statement with a text, one of each kind, and some pairs."""
    texts = [one for one in document.statements if isinstance(one.object, ox.Literal)]
    each: list[list[Change]] = [[]]
    for one in texts:
        each += [[Add(one, P, VALUE)], [Replace(one, VALUE)], [Replace(one, OTHER)], [Remove(one)]]
    pairs = pairwise(texts)
    return each + [[Replace(one, VALUE), Remove(other)] for one, other in pairs]


def _graph(quads: object) -> ox.Dataset:
    dataset = ox.Dataset(quads)  # type: ignore[arg-type] # quads of Oxigraph
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def _passes(document: Document, edits: list[Edit], changes: list[Change]) -> bool:
    try:
        check(document, edits, changes)
    except EditError:
        return False
    return True


@pytest.mark.parametrize("syntax", DOCUMENTS)
def test_the_edits_of_some_changes_pass_as_those_of_others_only_if_both_say_the_same(
    syntax: str,
) -> None:
    document = locate(DOCUMENTS[syntax].encode(), syntax)
    stated = [one.quad for one in document.statements]
    made = []
    for changes in _changes(document):
        edits = list(plan(document, changes))
        made.append((edits, _graph(document.parse(apply(document.data, edits)))))
    wanted = []
    for changes in _changes(document):
        left = list(stated)
        for quad in (quad for change in changes for quad in change.removed):
            left.remove(quad)
        wanted.append(_graph(left + [quad for change in changes for quad in change.added]))
    together = list(zip(_changes(document), wanted, strict=True))
    for (edits, result), (changes, graph) in product(made, together):
        assert _passes(document, edits, changes) == (result == graph), (edits, changes)


@pytest.mark.parametrize(
    ("old", "new", "problem", "line"),
    [
        ('"a"', '"x"', "would remove|would add", 2),
        (':t :p "a" .', "", "would remove", 1),
        (':t :p "a" .', ':t :p "a", "x" .', "would add", 1),
        (':t :p "a" .', ':t :p "a" . [] :p "a" .', "would add", 1),
        (' ; :q [ :p "c" ]', "", "would remove", 1),
        (':t :p "a" .', ':t :p "a" . .', "cannot be read there", 3),
    ],
)
def test_edits_without_a_change_are_told_by_what_they_do(
    old: str, new: str, problem: str, line: int
) -> None:
    document = locate(TURTLE.encode(), "turtle")
    start = TURTLE.index(old)
    edits = [Edit(start, start + len(old), new.encode())]
    with pytest.raises(EditError, match=problem) as broken:
        check(document, edits, [])
    assert broken.value.line is not None
    assert broken.value.line >= line or "cannot" not in problem


def _lines(number: int) -> str:
    return "".join(f"<{A}s> <{A}p{n}> <{A}o> . # {'c' * n}\n" for n in range(number))


@pytest.mark.parametrize("syntax", ["turtle", "nt"])
@pytest.mark.parametrize("comment", ["", "# shorter", "# of\n# two lines, which are longer"])
@pytest.mark.parametrize("broken", range(4))
def test_a_text_that_cannot_be_read_is_told_at_the_edit_that_breaks_it(
    broken: int, comment: str, syntax: str
) -> None:
    text = _lines(4)
    document = locate(text.encode(), syntax)
    ends = [offset for offset, character in enumerate(text) if character == "\n"]
    starts = [text.rindex("#", 0, end) for end in ends]
    texts = ["]" if number == broken else comment for number in range(4)]
    edits = [
        Edit(start, end, new.encode()) for start, end, new in zip(starts, ends, texts, strict=True)
    ]
    with pytest.raises(EditError, match="cannot be read there") as error:
        check(document, edits, [])
    place = error.value.line, error.value.column
    assert place == document.position(starts[broken])


@pytest.mark.parametrize("broken", range(3))
def test_the_edit_that_breaks_a_line_is_found_beyond_other_than_ascii_characters(
    broken: int,
) -> None:
    text = '<a:s> <a:p> "äöü", "äöü", "😀é" , "e" .\n'
    document = locate(text.encode(), "turtle")
    starts = [len(text[:at].encode()) for at, sign in enumerate(text) if sign == ","]
    edits = [Edit(start, start, b"]" if start == starts[broken] else b" ") for start in starts]
    with pytest.raises(EditError, match="cannot be read there") as error:
        check(document, edits, [])
    assert (error.value.line, error.value.column) == document.position(starts[broken])


def test_a_text_whose_fault_has_no_place_is_told_at_the_first_edit() -> None:
    text = f"\n\n{XML}"
    document = locate(text.encode(), "xml")
    space, end = text.index(" "), text.index("</rdf")
    added = Edit(space, space, b" "), Edit(end, end, b"</T>")
    edits = [Edit(0, 1, b"\r"), Edit(1, 2, b"\r"), *added]
    with pytest.raises(EditError, match="cannot be read there") as error:
        check(document, edits, [])
    assert (error.value.line, error.value.column) == document.position(edits[0].start)


def _backwards(quads: Iterator[ox.Quad]) -> Iterator[ox.Quad]:
    return reversed(list(quads))


def test_a_text_that_cannot_be_read_without_the_edits_either_is_told_where_it_is_wrong() -> None:
    text = _lines(2) + "]"
    form = format_named("turtle")
    document = unlocated(text.encode(), format=form, base=A, name="a.ttl")
    with pytest.raises(EditError, match="it cannot be read") as error:
        check(document, [Edit(0, 0, b"# more\n")], [])
    assert error.value.line == 3


@pytest.mark.parametrize("number", [2, 20, 21, 45, 80])
def test_both_texts_may_be_read_in_any_order(number: int) -> None:
    text = _lines(number)
    document = locate(text.encode(), "turtle")
    check(document, [], [], _backwards)
    first, end = document.statements[0], len(text)
    check(document, list(plan(document, [Remove(first)])), [Remove(first)], _backwards)
    with pytest.raises(EditError, match=f"would remove <{A}s> <{A}p0>"):
        check(document, [Edit(0, text.index("\n"), b"")], [], _backwards)
    with pytest.raises(EditError, match=f"would add <{A}t> <{A}p>"):
        check(document, [Edit(end, end, f"<{A}t> <{A}p> 1 .".encode())], [], _backwards)


def test_what_is_said_once_cannot_be_taken_away_twice() -> None:
    # The nodes have no labels, so the texts are compared as a whole.
    document = locate(TURTLE.encode(), "turtle")
    node = next(one for one in document.statements if document.is_anonymous(one.subject.value))
    edits = list(plan(document, [Remove(node)]))
    check(document, edits, [Remove(node)])
    with pytest.raises(EditError, match="does not remove"):
        check(document, edits, [Remove(node), Remove(node)])


def test_whole_texts_are_the_same_whatever_their_nodes_are_called() -> None:
    document = locate(TURTLE.encode(), "turtle")
    node = next(one for one in document.statements if document.is_anonymous(one.subject.value))

    def same(changes: list[Change], edits: list[Edit]) -> bool:
        after = document.parse(apply(document.data, edits))
        return is_isomorphic(document, changes, document.parse(document.data), after)

    for change in (Add(node, P, VALUE), Replace(node, VALUE), Remove(node)):
        edits = list(plan(document, [change]))
        assert same([change], edits) is True
        assert same([], edits) is False
        assert same([change], []) is False
    assert same([change, change], edits) is False
