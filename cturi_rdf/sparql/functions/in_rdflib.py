"""The functions in rdflib's own engine, which is also that of pySHACL.

rdflib hides errors: what a function raises, a call with too many arguments, and a function
that nobody has registered all leave a variable unbound.  So the names of a query are looked
at before it runs, through the one hook that rdflib has for it, ``CUSTOM_EVALS``.  The same
hook gives the functions their second form, as properties.  An update has several parts, and
the hook would be asked when some of them are done; so its processor, which is a plug-in of
rdflib, gives way to one that looks first.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rdflib import RDF, URIRef, plugin
from rdflib.paths import Path
from rdflib.plugins.sparql import CUSTOM_EVALS, prepareUpdate
from rdflib.plugins.sparql.evaluate import evalBGP
from rdflib.plugins.sparql.operators import (
    register_custom_function,
    unregister_custom_function,
)
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.processor import SPARQLUpdateProcessor
from rdflib.plugins.sparql.sparql import SPARQLError
from rdflib.query import UpdateProcessor

from cturi_rdf.sparql.functions.checking import refuse_unknown, unusable
from cturi_rdf.sparql.functions.conversion import from_value, to_term
from cturi_rdf.sparql.functions.definitions import FUNCTIONS
from cturi_rdf.sparql.functions.function import CTF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rdflib.plugins.sparql.parserutils import Expr
    from rdflib.plugins.sparql.sparql import FrozenBindings, QueryContext, Update
    from rdflib.term import Node

    from cturi_rdf.sparql.functions.function import Function

__all__ = ["CheckedUpdateProcessor", "parts", "register", "unregister"]

_HOOK = "cturi"
_PROPERTIES = {URIRef(each.iri): each for each in FUNCTIONS.values()}
_QUERIES = {"SelectQuery", "AskQuery", "ConstructQuery", "DescribeQuery"}


def register() -> None:
    """Make the functions known to rdflib."""
    for function in FUNCTIONS.values():
        called = _callable(function)
        # Raw, for rdflib gives a call without arguments to nobody.
        register_custom_function(URIRef(function.iri), called, override=True, raw=True)
    CUSTOM_EVALS[_HOOK] = _evaluate
    _process_updates_by(CheckedUpdateProcessor)


def unregister() -> None:
    """Take the functions out again."""
    for function in FUNCTIONS.values():
        unregister_custom_function(URIRef(function.iri))
    del CUSTOM_EVALS[_HOOK]
    _process_updates_by(SPARQLUpdateProcessor)


def _process_updates_by(kind: type[UpdateProcessor]) -> None:
    plugin.register("sparql", UpdateProcessor, kind.__module__, kind.__name__)


def _callable(function: Function) -> Callable[[Expr, FrozenBindings], Node]:
    @lru_cache(maxsize=65_536)
    def value(*arguments: Node) -> Node | None:
        found = function.value([to_term(each) for each in arguments])
        return None if found is None else from_value(found)

    def call(expression: Expr, _: FrozenBindings) -> Node:
        arguments = expression.expr or ()
        for each in arguments:
            # The error of a call within this one comes as an argument.
            if isinstance(each, SPARQLError):
                raise each
        found = value(*arguments)
        if found is None:
            raise SPARQLError(f"{function.signature} has no value")
        return found

    return call


class CheckedUpdateProcessor(SPARQLUpdateProcessor):
    """rdflib's, which looks at all of an update before any of it runs."""

    def update(self, update: str | Update, bindings: Any = None, namespaces: Any = None) -> None:
        """Run an update of rdflib; raises `CturiError` for a function that does not exist."""
        if isinstance(update, str):
            update = prepareUpdate(update, initNs=namespaces)
        refuse_unknown(_names(update.algebra))
        super().update(update, bindings, namespaces)


# --- The hook -----------------------------------------------------------------------------


def _evaluate(context: QueryContext, part: CompValue) -> Iterator[Any]:
    """Look at a query before it runs, and evaluate functions that are used as properties."""
    if part.name == "BGP":
        triples = dict.__getitem__(part, "triples")
        calls = [each for each in triples if each[1] in _PROPERTIES]
        if calls:
            return _rows(context, triples, calls)
    elif part.name in _QUERIES:
        refuse_unknown(_names(part))
    raise NotImplementedError


def parts(algebra: Any) -> Iterator[CompValue]:
    """Yield every part of the algebra of a query."""
    pending = [algebra]
    while pending:
        current = pending.pop()
        if isinstance(current, CompValue):
            yield current
            pending += dict.values(current)
            # The pattern of EXISTS is no member, but an attribute.
            pending += vars(current).values()
        elif isinstance(current, list | tuple):
            pending += current


def _names(algebra: Any) -> Iterator[str]:
    """Yield the IRIs of all functions and properties in the algebra of a query or an update."""
    for part in parts(algebra):
        if part.name == "Function":
            yield str(dict.__getitem__(part, "iri"))
        # What EXISTS has is there twice; only the translated one has patterns.
        for _, predicate, _ in dict.get(part, "triples", ()) if part.name == "BGP" else ():
            if not isinstance(predicate, Path):
                yield str(predicate)
            elif CTF in predicate.n3():
                raise unusable(
                    "a function in a property path", predicate.n3(), "a property of its own"
                )


class _Call:
    """A function that is used as a property: its arguments, and what its value is to be.

    ``?x ctf:f ?y`` stands for ``ctf:f(?x)``, ``?x ctf:f (?a ?y)`` for ``ctf:f(?x, ?a)``.
    """

    def __init__(
        self, triple: tuple[Node, Node, Node], lists: dict[tuple[Node, Node], Node]
    ) -> None:
        subject, predicate, value = triple
        self.function = _PROPERTIES[URIRef(str(predicate))]
        members = []
        while (value, RDF.first) in lists:
            members.append(lists[value, RDF.first])
            value = lists[value, RDF.rest]
        *arguments, self.value = members or [value]
        self.arguments = [subject, *arguments]


def _rows(context: Any, triples: list[Any], found: list[Any]) -> Iterator[Any]:
    """Yield the solutions of a group of triples, some of which are calls."""
    lists = {(s, p): o for s, p, o in triples if p in {RDF.first, RDF.rest}}
    calls = [_Call(each, lists) for each in found]
    # The lists of arguments are a way of writing, and not looked for in the graph.
    written = _written({each[2] for each in found}, lists)
    plain = [each for each in triples if each not in found and each[0] not in written]
    plain.sort(key=lambda triple: sum(context[each] is None for each in triple))
    for solution in evalBGP(context, plain):
        yield from _called(context.thaw(solution), calls)


def _written(heads: set[Node], lists: dict[tuple[Node, Node], Node]) -> set[Node]:
    cells: set[Node] = set()
    for head in heads:
        cell: Node | None = head
        while cell is not None and (cell, RDF.first) in lists:
            cells.add(cell)
            cell = lists.get((cell, RDF.rest))
    return cells


def _called(context: Any, calls: list[_Call]) -> Iterator[Any]:
    """Yield the solutions that the calls leave, those with known arguments first."""
    if not calls:
        yield context.solution()
        return
    ready = next((c for c in calls if all(context[a] is not None for a in c.arguments)), None)
    if ready is None:
        raise unusable(
            "a function whose argument has no value", calls[0].function.signature,
            "an argument that the patterns before it bind",
        )  # fmt: skip
    rest = [each for each in calls if each is not ready]
    wanted = context[ready.value]
    for value in ready.function.values([to_term(context[each]) for each in ready.arguments]):
        node = from_value(value)
        if wanted is None:
            inner = context.push()
            inner[ready.value] = node
            yield from _called(inner, rest)
        elif to_term(wanted) == to_term(node):
            yield from _called(context, rest)
