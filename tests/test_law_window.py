"""The law of edits reads large files side by side; comparing them as a whole is for doubts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from edited_files import CSV, LINK

from cturi_rdf.editing import law, locate
from cturi_rdf.editing.edit import Add, Append, Remove, Replace, plan
from cturi_rdf.editing.law import check
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.terms import DOCUMENT

if TYPE_CHECKING:
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.edit import Change


FORMAT = "http://purl.org/dc/terms/format"
PART = "http://www.w3.org/ns/dcat#distribution"
NUMBER = 2_000


def _turtle() -> str:
    parts = (f'[ <{FORMAT}> "{n}" ; <a:size> {n} ]' for n in range(NUMBER))
    return f'<a:d> <{PART}> {" , ".join(parts)} .\n_:b <{FORMAT}> "CSV" .'


def _trig() -> str:
    # Nodes that a change is about before the parser has met them.
    return "\n".join(
        f'[] {{ <a:{n}> <{PART}> [ <{FORMAT}> "x{n}" ] . [] <{FORMAT}> "y" }}'
        for n in range(NUMBER)
    )


def _rdfxml() -> str:
    parts = (f"<d:distribution><rdf:Description><c:format>{n}</c:format></rdf:Description>"
             "</d:distribution>" for n in range(NUMBER))  # fmt: skip
    return (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:d="http://www.w3.org/ns/dcat#" xmlns:c="http://purl.org/dc/terms/">'
        f'<rdf:Description rdf:about="a:d">\n{"".join(parts)}</rdf:Description></rdf:RDF>'
    )


def _json_ld(*, graph: bool) -> str:
    parts: list[Any] = [{FORMAT: str(n), "a:size": n} for n in range(NUMBER)]
    return json.dumps({"@graph": parts} if graph else {"@id": "a:d", PART: parts})


TEXTS = {
    "turtle": _turtle(),
    "trig": _trig(),
    "xml": _rdfxml(),
    "json-ld": _json_ld(graph=True),
    "json-ld, one node": _json_ld(graph=False),
}


def _changes(statements: list[Statement]) -> list[Change]:
    """Return changes of every kind: some anonymous nodes lose all that they say."""
    changes: list[Change] = [Append((ox.Quad(CSV, LINK, CSV),))]
    for number, one in enumerate(statements):
        kinds = Add(one, LINK, CSV), Replace(one, ox.Literal(f"{one.object}x")), Remove(one)
        changes += kinds[number % 4 : number % 4 + 1]
    return [*changes[1:], changes[0]]


@pytest.mark.parametrize("name", TEXTS)
def test_the_window_answers_for_a_large_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bool:
        raise AssertionError("compared as a whole")

    monkeypatch.setattr(law, "is_isomorphic", fail)
    form = format_named(name.partition(",")[0])
    document = locate(TEXTS[name].encode(), form, base=DOCUMENT, predicates={FORMAT})
    assert len(document.statements) >= NUMBER
    changes = _changes(list(document.statements))
    check(document, plan(document, changes), changes)


@pytest.mark.parametrize(("number", "as_a_whole"), [(2, False), (41, False), (42, True)])
def test_twenty_statements_of_each_reading_wait_for_those_of_the_other(
    number: int, as_a_whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[bool] = []

    def whole(*arguments: Any) -> bool:
        compared.append(True)
        return law_of_whole_texts(*arguments)

    law_of_whole_texts = law.is_isomorphic
    monkeypatch.setattr(law, "is_isomorphic", whole)
    # Nodes without names, in the opposite order.
    text = "".join(f"[] <a:p{n}> <a:o> .\n" for n in range(number))
    document = locate(text.encode(), "turtle")
    check(document, [], [], lambda quads: reversed(list(quads)))
    assert bool(compared) == as_a_whole
