"""Oxigraph's engine, in a thread that can be abandoned, with limits and with our errors."""

from __future__ import annotations

import atexit
import threading
import uuid
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf._util.limits import LimitError, check_limit, limit
from cturi_rdf.reading.terms import lenient_ox
from cturi_rdf.sparql.dataset import INTERNAL
from cturi_rdf.sparql.errors import oxigraph_errors, short
from cturi_rdf.sparql.registry_triples import REGISTRY
from cturi_rdf.sparql.syntax import CLOSED_BY, QueryEdit, QueryText, apply, shield

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rdflib.term import Identifier

    from cturi_rdf.sparql.dataset import QueryData
    from cturi_rdf.sparql.syntax import Token

# What an engine finds, in terms of Oxigraph: the answer to ASK, triples, or the names of variables
# with rows of their values.
Content: TypeAlias = bool | list[Any] | tuple[list[str], list[Any]]
# Oxigraph parses and evaluates recursively, and takes up to four kilobytes of its stack for a word
# of a query and sixteen for a bracket.  When the stack is full, the process ends.  Unused stack
# costs nothing.
STACK = 512 << 20
_starting = threading.Lock()
# An abandoned thread goes on inside Oxigraph.  When the process ends, the thread must not return to
# an interpreter that is gone.
_ending = threading.Event()
# In a thread of `in_thread`: the event that tells it that it was abandoned.
_left: ContextVar[threading.Event | None] = ContextVar("left", default=None)
atexit.register(_ending.set)


def ask_oxigraph(
    query: QueryText, data: QueryData, bindings: Mapping[str, Identifier], *, shielded: bool
) -> Content:
    """Return what Oxigraph finds.

    `shielded` keeps the text from asking other servers in a way that only Oxigraph understands.
    Raises `CturiError`, and `LimitError` for too many rows or too much time.
    """
    terms = {ox.Variable(name): lenient_ox(term) for name, term in bindings.items()}
    text = apply(query.text, aggregate_edits(query))
    if must_shield := shielded and "service" in text.lower():
        text = apply(text, shield(text))

    def evaluate(stopped: threading.Event) -> Content:
        store = data.load(query.patterns) if sees_registry(query, data) else data.store
        with (
            _graphs(store, query, data) as graphs,
            oxigraph_errors(query, shielded=must_shield),
        ):
            return _read(
                stopped,
                query,
                store.query(
                    text,
                    base_iri=data.base,
                    prefixes=query.used_prefixes,
                    substitutions=terms,
                    custom_functions=_functions(query, stopped),
                    **graphs,
                ),
            )

    return cast("Content", in_thread(evaluate, query.text))


def sees_registry(query: QueryText, data: QueryData) -> bool:
    """Return whether the graph with the registry is part of what a query is about."""
    if query.graphs or query.named_graphs:
        return REGISTRY.value in {*query.graphs, *query.named_graphs}
    return data.registry == "default" or query.has_word("GRAPH")


def check_size(query: QueryText) -> None:
    """Refuse a query that is too long or too deep for the stack that Oxigraph has.

    Raises `LimitError`.

    >>> check_size(QueryText("ASK { FILTER(" + "(" * 2000 + "1" + ")" * 2000 + ") }", {}))
    Traceback (most recent call last):
    cturi_rdf._util.limits.LimitError: more than 1,000 levels of JSON, or of the brackets ...
    """
    check_limit("words", len(query.tokens), short(query.text))
    steps = (
        (token.text in CLOSED_BY) - (token.text in CLOSED_BY.values())
        for token in query.tokens
        if token.kind == "sign"
    )
    check_limit("nesting", max(accumulate(steps), default=0), short(query.text))


def in_thread(work: Callable[[threading.Event], Any], text: str) -> Any:
    """Run a function in a thread of its own, and return what it returns.

    Nothing can stop Oxigraph, so the thread is abandoned on Ctrl-C and when the limit of seconds
    has passed; an event tells the function so.  Called within such a thread, this runs the function
    there.
    """
    outer = _left.get()
    if outer is not None:
        return work(outer)
    stopped, context, outcome = threading.Event(), copy_context(), Future[Any]()
    context.run(_left.set, stopped)

    def run() -> None:
        try:
            outcome.set_result(context.run(work, stopped))
        except BaseException as error:  # noqa: BLE001 - raised again where the result is waited for
            outcome.set_exception(error)

    thread = threading.Thread(target=run, name="cturi-query", daemon=True)
    with _starting:
        usual = threading.stack_size(STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(usual)
    try:
        return outcome.result(limit("seconds") or None)
    except TimeoutError:
        if outcome.done():
            raise
        raise LimitError("seconds", short(text)) from None
    finally:
        stopped.set()


def _read(stopped: threading.Event, query: QueryText, result: Any) -> Content:
    """Return the whole answer; Oxigraph computes each row when it is read."""
    if isinstance(result, ox.QueryBoolean):
        return bool(result)
    allowed, rows = limit("rows"), list[Any]()
    try:
        for row in result:
            if stopped.is_set():
                break
            rows.append(row)
            if allowed and len(rows) > allowed:
                raise LimitError("rows", short(query.text), allowed)
        if isinstance(result, ox.QueryTriples):
            return rows
        return [variable.value for variable in result.variables], rows
    finally:
        # The result must not outlive the thread; the traceback of an error would keep it.
        del result


def _functions(
    query: QueryText, stopped: threading.Event
) -> dict[ox.NamedNode, Callable[..., Any]]:
    """Return the functions that a query names; they end a query that was abandoned."""
    if not any(iri.startswith(PREFIXES["ctf"]) for iri in query.iris):
        return {}
    from cturi_rdf.sparql.functions import oxigraph_functions

    def ending(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if _ending.is_set():
                threading.Event().wait()
            return None if stopped.is_set() else function(*arguments)

        return call

    return {
        name: ending(function)
        for name, function in oxigraph_functions().items()
        if name.value in query.iris
    }


@contextmanager
def _graphs(store: ox.Store, query: QueryText, data: QueryData) -> Iterator[dict[str, Any]]:
    """Yield the options for the graphs that a query is about: those of FROM, or the dataset.

    Several graphs of FROM are merged (SPARQL 1.1 section 13.2.1), in a graph of this query.
    """
    if not (query.graphs or query.named_graphs):
        yield {"default_graph": data.default_graph(), "named_graphs": data.named_graphs()}
        return
    sources = [ox.NamedNode(iri) for iri in query.graphs]
    merged = ox.NamedNode(INTERNAL + uuid.uuid4().hex)
    if len(sources) > 1:
        store.extend(
            ox.Quad(quad.subject, quad.predicate, quad.object, merged)
            for name in sources
            for quad in store.quads_for_pattern(None, None, None, name)
        )
    try:
        yield {
            # Without one the default graph is empty, and so is this.
            "default_graph": sources if len(sources) == 1 else [merged],
            "named_graphs": [ox.NamedNode(iri) for iri in query.named_graphs],
        }
    finally:
        if len(sources) > 1:
            store.remove_graph(merged)


# COUNT and MAX by SPARQL's rules for rows without a value, from which Oxigraph's differ.
#
# COUNT leaves out the rows whose expression has an error (SPARQL 1.1 section 18.5.1.2).  Oxigraph
# does so for a variable, but leaves the count of an expression unbound.  So each row adds 1 or 0:
# `COUNT(f(?x))` becomes `SUM(COALESCE(IF(ISIRI(f(?x)), 1, 1), 0))`.  `COUNT(DISTINCT f(?x))`
# counts an IRI of ours in place of the errors, and takes 1 off where there are any.
#
# MAX is the last value in the order of ORDER BY (section 18.5.1.6), in which no value comes before
# all others (section 15.1).  Oxigraph leaves it unbound if one row has no value.  So a blank node,
# which is the next in that order, takes the place of no value: `MAX(f(?x))` becomes
# `MAX(COALESCE(f(?x), BNODE()))`.  If that is a blank node, the group has nothing but blank nodes,
# which are in no order, and SAMPLE gives one of its own, or nothing.
#
# An aggregate may use the name that GROUP BY gives to an expression.  Oxigraph knows it there
# unless the expression is a variable alone.  So `(?x AS ?y)` becomes `(COALESCE(?x) AS ?y)`.


_COUNT = "SUM(COALESCE(IF(ISIRI({value}), 1, 1), 0))"
_DISTINCT = (
    f"(COUNT(DISTINCT COALESCE({{value}}, <{INTERNAL}error>))"
    " - COALESCE(MAX(COALESCE(IF(ISIRI({value}), 0, 0), 1)), 0))"
)
# MAX of an expression in which a blank node stands for an error.
_LAST = "MAX(COALESCE({value}, BNODE()))"
_MAX = f"IF(ISBLANK({_LAST}), SAMPLE({{value}}), {_LAST})"


def aggregate_edits(query: QueryText) -> list[QueryEdit]:
    """Return the changes of a query that make Oxigraph answer COUNT and MAX as SPARQL asks.

    >>> text = "SELECT (COUNT(STRLEN(?x)) AS ?n) { ?s ?p ?x }"
    >>> apply(text, aggregate_edits(QueryText(text, {})))
    'SELECT (SUM(COALESCE(IF(ISIRI(STRLEN(?x)), 1, 1), 0)) AS ?n) { ?s ?p ?x }'
    """
    tokens = query.tokens
    partners, _ = query.brackets
    edits = list(_names(tokens))
    for at, first, last in _aggregates(tokens, partners):
        value = query.text[tokens[first].start : tokens[last].span[1]]
        if tokens[at].text.upper() == "MAX":
            form = _MAX
        elif first < last:
            form = _COUNT if first == at + 2 else _DISTINCT
        else:
            # Of a variable, a constant or all rows.
            continue
        text = form.format(value=value)
        edits.append(QueryEdit(tokens[at].start, tokens[partners[at + 1]].span[1], text))
    return edits


def _names(tokens: Sequence[Token]) -> Iterator[QueryEdit]:
    """Yield the changes of ``(?x AS ?y)``, by which an aggregate finds the ``?y`` of GROUP BY."""
    for at, token in enumerate(tokens[:-3]):
        kinds = [following.kind for following in tokens[at : at + 4]]
        if token.text == "(" and kinds[1:] == ["variable", "word", "variable"]:
            name = tokens[at + 1]
            yield QueryEdit(*name.span, f"COALESCE({name.text})")


def _aggregates(
    tokens: Sequence[Token], partners: dict[int, int]
) -> Iterator[tuple[int, int, int]]:
    """Yield where COUNT and MAX stand, and the first and the last token of their expressions."""
    end = 0
    for at, token in enumerate(tokens[:-1]):
        if token.kind != "word" or token.text.upper() not in {"COUNT", "MAX"} or at < end:
            # One within the expression of another, by EXISTS, is left to Oxigraph.
            continue
        if tokens[at + 1].text == "(" and at + 1 in partners:
            first, end = at + 2, partners[at + 1]
            if tokens[first].text.upper() == "DISTINCT":
                first += 1
            if first < end:
                yield at, first, end - 1
