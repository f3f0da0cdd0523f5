"""The law of edits: they pass where the edited text says the new graph, and nowhere else."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from cturi_rdf.editing import EditError, locate
from cturi_rdf.editing.edit import Add, Edit, Remove, Replace, apply, plan
from cturi_rdf.editing.law import check

if TYPE_CHECKING:
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
        ('"a"', '"x"', "would take away|would add", 2),
        (':t :p "a" .', "", "would take away", 1),
        (':t :p "a" .', ':t :p "a", "x" .', "would add", 1),
        (':t :p "a" .', ':t :p "a" . [] :p "a" .', "would add", 1),
        (' ; :q [ :p "c" ]', "", "would take away", 1),
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
