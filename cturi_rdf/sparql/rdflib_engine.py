"""The functions in rdflib's own engine, which is also that of pySHACL, and in oxrdflib.

`ask_rdflib` runs the queries that use a function as a property, which Oxigraph cannot.

rdflib hides errors: what a function raises, a call with too many arguments, and a function that
nobody has registered all leave a variable unbound.  So the names in a query are checked before it
runs, through the one hook that rdflib has for it, ``CUSTOM_EVALS``.  The same hook gives the
functions their second form, as properties.  An update has several parts, and rdflib would call the
hook after some of them have run; so its processor, a plug-in of rdflib, is replaced by one that
looks at all parts first.
"""

from __future__ import annotations

import threading
from functools import cache, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from pyparsing import ParseBaseException
from rdflib import RDF, Dataset, URIRef, plugin
from rdflib.paths import Path
from rdflib.plugins.sparql import CUSTOM_EVALS, prepareQuery, prepareUpdate
from rdflib.plugins.sparql.evaluate import evalBGP
from rdflib.plugins.sparql.operators import register_custom_function, unregister_custom_function
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import SPARQLError
from rdflib.query import UpdateProcessor

from cturi_rdf._util.limits import check_limit
from cturi_rdf.errors import CturiError
from cturi_rdf.reading.rdflib_graphs import add_quad
from cturi_rdf.reading.terms import from_ox, lenient_ox
from cturi_rdf.sparql.errors import SERVICE, failed, first_line, refused, without_network
from cturi_rdf.sparql.evaluation import in_thread, sees_registry
from cturi_rdf.sparql.functions import (
    CTF,
    FUNCTIONS,
    check_query,
    oxigraph_functions,
    refuse_unknown,
    registered_functions,
    unusable,
)
from cturi_rdf.sparql.functions.function import keeping

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rdflib import Graph
    from rdflib.plugins.sparql.parserutils import Expr
    from rdflib.plugins.sparql.sparql import FrozenBindings, Query, QueryContext, Update
    from rdflib.query import Result
    from rdflib.term import Identifier, Node

    from cturi_rdf.sparql.dataset import QueryData
    from cturi_rdf.sparql.evaluation import Content
    from cturi_rdf.sparql.functions.function import Function
    from cturi_rdf.sparql.syntax import QueryText


_HOOK = "cturi"
_PROPERTIES = {URIRef(definition.iri): definition for definition in FUNCTIONS.values()}
_QUERIES = {"SelectQuery", "AskQuery", "ConstructQuery", "DescribeQuery"}
# rdflib's registry of plug-ins has no way to remove one.
_PLUGINS: dict[Any, Any] = plugin._plugins  # noqa: SLF001
_PROCESSOR = ("sparql", UpdateProcessor)
# The processor of updates that was there before ours.
_before = {_PROCESSOR: _PLUGINS[_PROCESSOR]}

# A query and an update that use the productions of the grammar in rdflib's parser.
_WARM_QUERY = """
PREFIX a: <http://a.example/> SELECT DISTINCT ?s (COUNT(DISTINCT ?o) AS ?n) (a:f(?s, 1) AS ?x)
FROM <http://a.example/> FROM NAMED a:g {
  ?s a:p/^a:q|!(a:r|^a:r)* "x"@en , 'y'^^a:d , 1, 1.0, -1, 1e0, true ; a ?c . [] a:p (_:b [a:p 2]) .
  OPTIONAL { ?s a:p ?o FILTER(!BOUND(?o) || ?o IN (1, 2) && ?n = 1 + 2 * -3 / 4) }
  { BIND(IF(STRLEN(STR(?s)) > 1, COALESCE(?a, LANG(?o)), REPLACE("a", "b", "c")) AS ?b) }
  UNION { GRAPH ?g { ?s ?p ?o } MINUS { ?s ?p ?o } } VALUES (?d ?e) { (1 UNDEF) }
  FILTER NOT EXISTS { ?s ?p ?o } FILTER(REGEX(?o, "a", "i")) SERVICE SILENT ?v { ?s ?p ?o }
  { SELECT ?s { ?s ?p ?o } LIMIT 1 }
} GROUP BY ?s (STR(?x) AS ?y) HAVING (GROUP_CONCAT(?o; separator=",") > "a" && MAX(?o) > 1)
ORDER BY DESC(?n) ?s LIMIT 1 OFFSET 1 VALUES ?s { UNDEF }
"""
_WARM_UPDATE = """
PREFIX a: <http://a.example/> INSERT DATA { a:s a:p a:o . GRAPH a:g { a:s a:p 1 } } ;
DELETE { ?s ?p ?o } INSERT { ?s ?p 2 } USING a:g WHERE { ?s ?p ?o } ; CLEAR SILENT DEFAULT ;
DELETE WHERE { ?s a:p ?o }
"""


@cache
def warm_up() -> None:
    """Parse a query and an update once.

    pyparsing finds out how to call each action of a grammar on its first call; if two threads make
    that call at once, it goes wrong for good.
    """
    prepareQuery(_WARM_QUERY)
    prepareUpdate(_WARM_UPDATE)


def register() -> None:
    """Make the functions known to rdflib."""
    warm_up()
    for function in FUNCTIONS.values():
        called = _callable(function)
        # Raw, because rdflib passes a call without arguments to no other function.
        register_custom_function(URIRef(function.iri), called, override=True, raw=True)
    CUSTOM_EVALS[_HOOK] = _evaluate
    ours = CheckedUpdateProcessor
    if plugin.get(*_PROCESSOR) is not ours:
        _before[_PROCESSOR] = _PLUGINS[_PROCESSOR]
    plugin.register(*_PROCESSOR, ours.__module__, ours.__name__)
    _register_in_oxrdflib()


def unregister() -> None:
    """Remove the functions, and restore the earlier processor of updates."""
    for function in FUNCTIONS.values():
        unregister_custom_function(URIRef(function.iri))
    CUSTOM_EVALS.pop(_HOOK, None)
    # A processor that somebody else has registered since then stays.
    if plugin.get(*_PROCESSOR) is CheckedUpdateProcessor:
        _PLUGINS.update(_before)
    while _replaced:
        from oxrdflib import OxigraphStore

        setattr(OxigraphStore, *_replaced.popitem())


def _callable(function: Function) -> Callable[[Expr, FrozenBindings], Node]:
    @keeping
    def value(*arguments: Node) -> Node | None:
        term = function.value(*map(lenient_ox, arguments))
        node: Node | None = None if term is None else from_ox(term)
        return node

    def call(expression: Expr, _: FrozenBindings) -> Node:
        arguments = expression.expr or ()
        for argument in arguments:
            # rdflib passes the error of an inner call as an argument.
            if isinstance(argument, SPARQLError):
                raise argument
        result = value(*arguments)
        if result is None:
            raise SPARQLError(f"{function.signature} has no value")
        return result

    return call


class CheckedUpdateProcessor(UpdateProcessor):
    """Checks all of an update, and lets the earlier processor run it."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self._processor = _before[_PROCESSOR].getClass()(graph)

    def update(
        self,
        strOrQuery: str | Update,  # noqa: N803 - rdflib's name
        initBindings: Any = None,  # noqa: N803
        initNs: Any = None,  # noqa: N803
        **options: Any,
    ) -> None:
        """Run an update; raises `CturiError` for a function that does not exist."""
        if isinstance(strOrQuery, str):
            strOrQuery = prepareUpdate(strOrQuery, initNs=initNs)  # noqa: N806
        refuse_unknown(_names(strOrQuery.algebra))
        self._processor.update(strOrQuery, initBindings, initNs, **options)


# --- The hook -----------------------------------------------------------------------------


def _evaluate(context: QueryContext, part: CompValue) -> Iterator[Any]:
    """Check a query before it runs, and evaluate functions that are used as properties."""
    if part.name == "BGP":
        triples = dict.__getitem__(part, "triples")
        calls = [pattern for pattern in triples if pattern[1] in _PROPERTIES]
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
        # The content of EXISTS is there twice; only the translated one has patterns.
        for _, predicate, _ in dict.get(part, "triples", ()) if part.name == "BGP" else ():
            if not isinstance(predicate, Path):
                yield str(predicate)
            elif CTF in predicate.n3():
                raise unusable(
                    "a function in a property path", predicate.n3(), "a property of its own"
                )


class _Call:
    """A function that is used as a property: its arguments, and the term for its value.

    ``?x ctf:f ?y`` stands for ``ctf:f(?x)``, ``?x ctf:f (?a ?y)`` for ``ctf:f(?x, ?a)``.  `cells`
    are the nodes of the list of arguments.
    """

    def __init__(
        self, triple: tuple[Node, Node, Node], lists: dict[tuple[Node, Node], Node]
    ) -> None:
        subject, predicate, value = triple
        self.function = _PROPERTIES[URIRef(str(predicate))]
        self.cells: list[Node] = []
        cell: Node | None = value
        while cell is not None and (cell, RDF.first) in lists and cell not in self.cells:
            self.cells.append(cell)
            cell = lists.get((cell, RDF.rest))
        members = [lists[cell, RDF.first] for cell in self.cells] or [value]
        *arguments, self.value = members
        self.arguments = [subject, *arguments]


def _rows(context: Any, triples: list[Any], solutions: list[Any]) -> Iterator[Any]:
    """Yield the solutions of a group of triples, some of which are calls."""
    lists = {(s, p): o for s, p, o in triples if p in {RDF.first, RDF.rest}}
    calls = [_Call(solution, lists) for solution in solutions]
    # Lists of arguments are part of the syntax, and not looked for in the graph.
    written = {cell for call in calls for cell in call.cells}
    plain = [
        pattern for pattern in triples if pattern not in solutions and pattern[0] not in written
    ]
    plain.sort(key=lambda triple: sum(context[term] is None for term in triple))
    for solution in evalBGP(context, plain):
        yield from _called(context.thaw(solution), calls)


def _called(context: Any, calls: list[_Call]) -> Iterator[Any]:
    """Yield the solutions that the calls allow; calls with known arguments go first."""
    if not calls:
        yield context.solution()
        return
    ready = next((c for c in calls if all(context[a] is not None for a in c.arguments)), None)
    if ready is None:
        raise unusable(
            "a function whose argument has no value",
            calls[0].function.signature,
            "an argument that the patterns before it bind",
        )
    rest = [call for call in calls if call is not ready]
    wanted = context[ready.value]
    for value in ready.function.values(
        *(lenient_ox(context[argument]) for argument in ready.arguments)
    ):
        if wanted is None:
            inner = context.push()
            inner[ready.value] = from_ox(value)
            yield from _called(inner, rest)
        elif lenient_ox(wanted) == value:
            yield from _called(context, rest)


# --- oxrdflib, whose store gives a query to Oxigraph without any functions ------------------

# The original methods of oxrdflib's store, while ours are in their place.
_replaced: dict[str, Any] = {}


def _register_in_oxrdflib() -> None:
    """Make the functions known to the stores of oxrdflib, where that is installed."""
    try:
        from oxrdflib import OxigraphStore
    except ImportError:
        return
    for name in ("query", "update"):
        _replaced[name] = getattr(OxigraphStore, name)
        setattr(OxigraphStore, name, _checked(_replaced[name]))


def _checked(original: Any) -> Callable[..., Any]:
    """Return a method of the store that checks its text first, and knows the functions."""

    def method(self: Any, text: Any, namespaces: Any, *others: Any, **more: Any) -> Any:
        own_prefixes = self._namespace_for_prefix
        if isinstance(text, str):
            check_query(text, {**own_prefixes, **namespaces}, properties=False)
        functions = {"custom_functions": oxigraph_functions()}
        # The part of the store that its methods need, with an Oxigraph that has the functions.
        inner = SimpleNamespace(
            query=partial(self._inner.query, **functions),
            update=partial(self._inner.update, **functions),
        )
        store = SimpleNamespace(_inner=inner, _namespace_for_prefix=own_prefixes)
        return original(store, text, namespaces, *others, **more)

    return method


# --- Running a query --------------------------------------------------------------------------


# rdflib's parser is not made for threads.
_PARSING = threading.Lock()


def ask_rdflib(
    query: QueryText, data: QueryData, bindings: Mapping[str, Identifier], *, shielded: bool
) -> Content:
    """Return what rdflib finds; raises `CturiError`, and `LimitError` for the limits.

    `shielded` keeps the text from asking other servers in a way that only rdflib understands.
    """
    prepared = _prepared(query)
    # The tokens do not show an escaped keyword, nor one behind a comparison; rdflib's reading
    # decides.
    if shielded and any(part.name == "ServiceGraphPattern" for part in parts(prepared.algebra)):
        raise without_network(SERVICE, query.text)
    if query.graphs or query.named_graphs or prepared.algebra.datasetClause:
        raise refused(
            "FROM beside a function as a property", query.text, "a call, such as ctf:mint(?label)"
        )
    store = data.load(query.patterns) if sees_registry(query, data) else data.store
    dataset = Dataset()
    default = dataset.default_graph
    for name in data.default_graph():
        for quad in store.quads_for_pattern(None, None, None, name):
            default.add(tuple(map(from_ox, quad.triple)))
    for name in data.named_graphs() if query.has_word("GRAPH") else ():
        for quad in store.quads_for_pattern(None, None, None, name):
            add_quad(dataset, quad)

    def evaluate(_: threading.Event) -> Content:
        # All of it is read here and now, while the functions are known.
        with registered_functions():
            result = dataset.query(prepared, initBindings=bindings, use_store_provided=False)
            if result.type == "ASK":
                return bool(result.askAnswer)
            if result.graph is not None:
                return [tuple(map(lenient_ox, triple)) for triple in result.graph]
            return _names_and_rows(query, prepared, result)

    try:
        return cast("Content", in_thread(evaluate, query.text))
    except CturiError:
        raise
    except Exception as error:
        # rdflib may raise any error here, down to TypeError.
        raise failed(error, query.text) from error


def _prepared(query: QueryText) -> Query:
    with _PARSING:
        warm_up()
        try:
            return prepareQuery(query.text, initNs=query.used_prefixes, base=query.base or None)
        except Exception as error:
            # rdflib's parser may raise anything.
            at = error.loc if isinstance(error, ParseBaseException) else 0
            problem = f"not valid SPARQL ({first_line(error)})"
            raise refused(problem, query.text, "SPARQL", (at, at + 1)) from error


def _names_and_rows(
    query: QueryText, prepared: Query, result: Result
) -> tuple[list[str], list[Any]]:
    """Return the variables and rows; none without groups, for which rdflib has an empty row."""
    names, rows = list(result.vars or ()), list(result.bindings)
    check_limit("rows", len(rows), query.text)
    is_grouped = any(
        part.name == "Group" and dict.get(part, "expr") for part in parts(prepared.algebra)
    )
    if is_grouped and rows == [{}]:
        rows = []
    terms = [[lenient_ox(row[name]) if name in row else None for name in names] for row in rows]
    return list(map(str, names)), terms
