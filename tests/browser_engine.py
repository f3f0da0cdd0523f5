"""The functions of the worker in a web page, by pyoxigraph itself."""

from __future__ import annotations

import json
from typing import Any

import pyoxigraph as native

__all__ = ["Engine"]


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
