"""Oxigraph's engine, in a thread that can be abandoned, with limits and with our errors."""

from __future__ import annotations

import atexit
import threading
import uuid
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf._util.limits import LimitError, check_limit, limit
from cturi_rdf.reading.terms import from_ox, lenient_ox
from cturi_rdf.sparql.aggregates import aggregate_edits
from cturi_rdf.sparql.dataset import INTERNAL
from cturi_rdf.sparql.errors import oxigraph_errors, refused, short
from cturi_rdf.sparql.registry_triples import REGISTRY
from cturi_rdf.sparql.syntax import CLOSED_BY, QueryText, apply, shield

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rdflib.query import Result
    from rdflib.term import Identifier

    from cturi_rdf.errors import CturiError
    from cturi_rdf.sparql.dataset import QueryData

# What an engine finds, in terms of Oxigraph: the answer to ASK, triples, or the names of variables
# with rows of their values.
Content: TypeAlias = bool | list[Any] | tuple[list[str], list[Any]]


class Answer(NamedTuple):
    """The answer to a query, as a result of rdflib or as text, which takes less time."""

    query: QueryText
    content: Content

    def as_result(self) -> Result:
        """Return the answer as a result of rdflib; raises `CturiError` for a triple as a value."""
        from rdflib import Graph, Variable
        from rdflib.query import Result

        query, content = self
        if isinstance(content, bool):
            result = Result("ASK")
            result.askAnswer = content
        elif isinstance(content, list):
            result = Result("CONSTRUCT")
            result.graph = Graph()
            for triple in content:
                result.graph.add(tuple(_term(query, term) for term in triple))
        else:
            names, rows = content
            result = Result("SELECT")
            result.vars = [Variable(name) for name in query.in_order(names)]
            variables = [Variable(name) for name in names]
            result.bindings = [
                {
                    name: _term(query, term)
                    for name, term in zip(variables, row, strict=True)
                    if term is not None
                }
                for row in rows
            ]
        return result

    def text_rows(self) -> list[list[str]]:
        """Return the names of the variables, and rows of the text of each value.

        Raises `CturiError` for a triple as a value, and `TypeError` where the answer is no rows.
        """
        query, content = self
        if not isinstance(content, tuple):
            raise TypeError("the answer is no rows")
        names, rows = content
        order = [names.index(name) for name in query.in_order(names)]
        texts = ([_text(query, row[at]) for at in order] for row in rows)
        return [[names[at] for at in order], *texts]


def _text(query: QueryText, term: Any) -> str:
    """Return a term as tables and CSV show it: its text, or the label of a blank node."""
    if term is None:
        return ""
    if isinstance(term, ox.Triple):
        raise _inexpressible(query)
    return f"_:{term.value}" if isinstance(term, ox.BlankNode) else str(term.value)


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


def _term(query: QueryText, term: Any) -> Any:
    if isinstance(term, ox.Triple):
        raise _inexpressible(query)
    return from_ox(term)


def _inexpressible(query: QueryText) -> CturiError:
    problem = "a triple term in the answer, which rdflib cannot hold"
    return refused(problem, query.text, "a FILTER(!isTRIPLE(…)) that leaves it out")


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
