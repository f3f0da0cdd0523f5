"""W3C's SPARQL 1.1 Update tests, and graphs written with comments in odd places."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["WRITERS", "UpdateTest", "update_tests"]

_MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
_UT = "http://www.w3.org/2009/sparql/tests/test-update#"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


class UpdateTest(NamedTuple):
    """A test of the suite: the graph, the update, and the graph that it makes."""

    name: str
    before: frozenset[ox.Quad]
    update: str
    after: frozenset[ox.Quad]

    @property
    def has_graphs(self) -> bool:
        """Whether there are named graphs before or after the update."""
        return any(
            not isinstance(quad.graph_name, ox.DefaultGraph) for quad in self.before | self.after
        )


def update_tests(suite: Path) -> Iterator[UpdateTest]:
    """Yield the tests of evaluation in the folders of a suite."""
    for manifest in sorted(suite.glob("*/manifest.ttl")):
        store = ox.Store()
        store.load(path=str(manifest), format=ox.RdfFormat.TURTLE, base_iri=manifest.as_uri())
        kind = ox.NamedNode(f"{_MF}UpdateEvaluationTest")
        for quad in store.quads_for_pattern(None, ox.NamedNode(_TYPE), kind):
            [action] = _values(store, quad.subject, f"{_MF}action")
            [result] = _values(store, quad.subject, f"{_MF}result")
            [request] = _values(store, action, f"{_UT}request")
            yield UpdateTest(
                quad.subject.value.rpartition("/")[2],
                frozenset(_graph(store, action)),
                _path(request).read_text("utf-8"),
                frozenset(_graph(store, result)),
            )


def _values(store: ox.Store, node: object, predicate: str) -> list[ox.NamedNode]:
    found = store.quads_for_pattern(node, ox.NamedNode(predicate), None)
    return [quad.object for quad in found]


def _path(iri: ox.NamedNode) -> Path:
    return Path(iri.value.removeprefix("file://"))


def _graph(store: ox.Store, node: ox.NamedNode) -> Iterator[ox.Quad]:
    for file in _values(store, node, f"{_UT}data"):
        yield from _parsed(file)
    for data in _values(store, node, f"{_UT}graphData"):
        [file], [name] = _values(store, data, f"{_UT}graph"), _values(store, data, _LABEL)
        for quad in _parsed(file):
            yield ox.Quad(*quad.triple, ox.NamedNode(name.value))


def _parsed(file: ox.NamedNode) -> Iterator[ox.Quad]:
    return iter(ox.parse(path=str(_path(file)), format=ox.RdfFormat.TURTLE, base_iri=file.value))


def in_trig(quads: Iterable[ox.Quad]) -> str:
    """Return quads in TriG, or Turtle, with a comment between any two tokens."""
    numbers = count(1)
    tokens: list[str] = []
    graphs: dict[str, dict[str, dict[str, list[str]]]] = {}
    for quad in sorted(quads, key=str):
        named = "" if isinstance(quad.graph_name, ox.DefaultGraph) else str(quad.graph_name)
        subjects = graphs.setdefault(named, {})
        verbs = subjects.setdefault(str(quad.subject), {})
        verbs.setdefault(str(quad.predicate), []).append(str(quad.object))
    for named, subjects in graphs.items():
        tokens += [named, "{"] if named else []
        for subject, verbs in subjects.items():
            tokens.append(subject)
            for verb, objects in verbs.items():
                tokens += [verb, *" , ".join(f"\0{value}" for value in objects).split("\0")[1:]]
                tokens.append(";")
            tokens[-1] = "."
        tokens += ["}"] if named else []
    return "# start\n" + "".join(f"{token} # c{next(numbers)}\n  " for token in tokens)


def in_lines(quads: Iterable[ox.Quad]) -> str:
    """Return quads in N-Quads, or N-Triples, with comments between lines and behind them."""
    lines = enumerate(sorted(quads, key=str))
    return "".join(f"# c{n}\n\n {quad} . # d{n}\n" for n, quad in lines) + "# the end"


def in_xml(quads: Iterable[ox.Quad]) -> str:
    """Return quads in RDF/XML with comments between any two tags."""
    numbers = count(1)
    triples = [ox.Triple(*quad.triple) for quad in sorted(quads, key=str)]
    text = (ox.serialize(triples, format=ox.RdfFormat.RDF_XML) or b"").decode()
    return re.sub(r"(?<=>)\s+(?=<)", lambda m: f"<!-- c{next(numbers)} -->{m[0]}", text)


def in_json(quads: Iterable[ox.Quad]) -> str:
    """Return quads in JSON-LD, which has no comments, with odd spaces."""
    text = (ox.serialize(sorted(quads, key=str), format=ox.RdfFormat.JSON_LD) or b"").decode()
    return json.dumps(json.loads(text), indent=3).replace('": ', '" :  ')


WRITERS: dict[str, Callable[[Iterable[ox.Quad]], str]] = {
    "turtle": in_trig,
    "trig": in_trig,
    "nt": in_lines,
    "nquads": in_lines,
    "xml": in_xml,
    "json-ld": in_json,
}
