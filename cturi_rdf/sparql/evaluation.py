"""Asking Oxigraph: in a thread that can be left, with limits, and with our errors."""

from __future__ import annotations

import atexit
import re
import threading
import uuid
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf._util.limits import LimitError, check_limit, limit
from cturi_rdf._util.prefixes import PREFIXES
from cturi_rdf.errors import CturiError
from cturi_rdf.io.relative_iri import DOCUMENT
from cturi_rdf.sparql.aggregates import aggregate_edits
from cturi_rdf.sparql.data import INTERNAL, REGISTRY, visible_graphs
from cturi_rdf.sparql.functions import oxigraph_functions
from cturi_rdf.sparql.registry_triples import names_registry
from cturi_rdf.sparql.syntax import CLOSED_BY, Edit, QueryText, apply, shield

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cturi_rdf.sparql.data import QueryData

__all__ = [
    "Answer",
    "ask_oxigraph",
    "check_size",
    "failed",
    "first_line",
    "in_thread",
    "refused",
]

# An answer to ASK, triples, or the names of variables and rows of their values.
Answer = bool | list[Any] | tuple[list[str], list[Any]]

_PLACE = re.compile(r"error at (\d+):(\d+): expected (?:one of )?(.*)", re.DOTALL)
_KEYWORD = re.compile(r'"([^"\\\s]+)"|\b([A-Z_]{2,})\b')
_UNSUPPORTED = re.compile(r"custom (?:aggregate )?function <(.*?)> is not supported")
# The most keywords that an error lists.
_MANY = 6
# Oxigraph parses and evaluates recursively, and takes up to four kilobytes of its stack for a word
# of a query and sixteen for a bracket; where it has no more, the process ends.  Memory of the
# stack that is not used costs nothing.
_STACK = 512 << 20
_starting = threading.Lock()
# How much of a query an error over all of it shows.
_LONG = 80
# A thread that is left goes on inside Oxigraph.  When the process ends, it must not come back
# to an interpreter that is gone.
_ending = threading.Event()
# In a thread of `in_thread`: the event by which it learns that it was left.
_left: ContextVar[threading.Event | None] = ContextVar("left", default=None)
atexit.register(_ending.set)


def ask_oxigraph(
    query: QueryText, data: QueryData, bindings: Mapping[str, Any], *, shielded: bool
) -> Answer:
    """Return the answer of Oxigraph.

    Types that the query names, or that its functions return, are described in the default
    graph like those of the registry.  `shielded` keeps the text from asking other servers in a
    way that only Oxigraph understands.  Raises `CturiError`, and `LimitError` for too many rows
    or too much time.
    """
    has_from = bool(query.graphs or query.named_graphs)
    bound = {term.value for term in bindings.values() if isinstance(term, ox.NamedNode)}
    named = query.iris | bound
    described = not has_from and (data.shows_registry or names_registry(named))
    text = apply(query.text, aggregate_edits(query))
    if must_shield := shielded and "service" in text.lower():
        text = apply(text, shield(text))

    def evaluate(stopped: threading.Event) -> Answer:
        store = data.with_registry() if described else data.store
        returned: set[str] = set()
        functions = _functions(query, stopped, returned)

        def answer(nodes: set[str]) -> Answer:
            more = data.missing(nodes)
            dataset = _dataset(store, query, more, described=described)
            with dataset as graphs, _errors(query, shielded=must_shield):
                return _read(
                    stopped,
                    query,
                    store.query(
                        text,
                        base_iri=DOCUMENT,
                        prefixes=query.used_prefixes,
                        substitutions={ox.Variable(name): term for name, term in bindings.items()},
                        custom_functions=functions,
                        **graphs,
                    ),
                )

        if not described:
            return answer(set())
        first = answer(named)
        computed = returned - named
        return answer(named | computed) if data.missing(computed) else first

    answer: Answer = in_thread(evaluate, query.text)
    return answer


def check_size(query: QueryText) -> None:
    """Refuse a query that is too long or too deep for the stack that Oxigraph has.

    Raises `LimitError`.

    >>> check_size(QueryText("ASK { FILTER(" + "(" * 2000 + "1" + ")" * 2000 + ") }", {}))
    Traceback (most recent call last):
    cturi_rdf._util.limits.LimitError: more than 1,000 levels of JSON, or of the brackets ...
    """
    check_limit("words", len(query.tokens), _short(query.text))
    steps = (
        (token.text in CLOSED_BY) - (token.text in CLOSED_BY.values())
        for token in query.tokens
        if token.kind == "sign"
    )
    check_limit("nesting", max(accumulate(steps), default=0), _short(query.text))


def in_thread(work: Callable[[threading.Event], Any], text: str) -> Any:
    """Run a function in a thread of its own, and return what it returns.

    The thread is left by Ctrl-C and when the limit of seconds has passed, because nothing can stop
    Oxigraph; an event tells the function so.  Called within such a thread, this runs the function
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
        usual = threading.stack_size(_STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(usual)
    try:
        return outcome.result(limit("seconds") or None)
    except TimeoutError:
        if outcome.done():
            raise
        raise LimitError("seconds", _short(text)) from None
    finally:
        stopped.set()


def _read(stopped: threading.Event, query: QueryText, result: Any) -> Answer:
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
                raise LimitError("rows", _short(query.text), allowed)
        if isinstance(result, ox.QueryTriples):
            return rows
        return [variable.value for variable in result.variables], rows
    finally:
        # It must not outlive the thread; the traceback of an error would keep it.
        del result


def _functions(
    query: QueryText, stopped: threading.Event, returned: set[str]
) -> dict[ox.NamedNode, Callable[..., Any]]:
    """Return the functions that a query names; they note the IRIs that they return."""

    def noting(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if _ending.is_set():
                threading.Event().wait()
            if stopped.is_set():
                return None
            result = function(*arguments)
            if isinstance(result, ox.NamedNode):
                returned.add(result.value)
            return result

        return call

    return {
        name: noting(function)
        for name, function in oxigraph_functions().items()
        if name.value in query.iris
    }


@contextmanager
def _dataset(
    store: ox.Store, query: QueryText, more: Sequence[ox.Quad], *, described: bool
) -> Iterator[Any]:
    """Yield the options that say what graphs a query sees.

    They are those of FROM, merged as RDF merges graphs, or the default graph, with the registry
    and `more` where types are to be `described`.
    """
    temporary = ox.NamedNode(INTERNAL + uuid.uuid4().hex)
    if query.graphs or query.named_graphs:
        sources = [ox.NamedNode(iri) for iri in query.graphs]
        quads = [q for name in sources for q in store.quads_for_pattern(None, None, None, name)]
        options: dict[str, Any] = {
            "default_graph": [temporary],
            "named_graphs": [ox.NamedNode(iri) for iri in query.named_graphs],
        }
    else:
        quads = list(more)
        options = {"default_graph": [ox.DefaultGraph(), REGISTRY, temporary]} if described else {}
        if query.has_word("GRAPH"):
            options["named_graphs"] = visible_graphs(store)
    if quads:
        store.extend(
            ox.Quad(quad.subject, quad.predicate, quad.object, temporary) for quad in quads
        )
    try:
        yield options
    finally:
        if quads:
            store.remove_graph(temporary)


# --- Errors -----------------------------------------------------------------------------------


@contextmanager
def _errors(query: QueryText, *, shielded: bool) -> Iterator[None]:
    """Raise our errors for those of Oxigraph."""
    try:
        yield
    except SyntaxError as error:
        edits = shield(query.text) if shielded else []
        raise _syntax_error(query, str(error), edits) from error
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, CturiError):
            raise
        unsupported = _UNSUPPORTED.search(str(error))
        if unsupported is None:
            raise failed(" ".join(str(error).split()), query.text) from error
        token = next((t for t in query.tokens if t.iri == unsupported[1]), None)
        raise refused(
            f"an unknown function <{unsupported[1]}>",
            query.text,
            f"a function of SPARQL, or one of <{PREFIXES['ctf']}>",
            token and token.span,
        ) from error


def _syntax_error(query: QueryText, message: str, edits: Sequence[Edit]) -> CturiError:
    """Return our error for one of Oxigraph's parser, with the place in the query."""
    text = query.text
    try:
        # Unchanged but for the shield, so that places in it are places in the query.
        ox.Store().query(apply(text, edits), base_iri=DOCUMENT, prefixes=query.used_prefixes)
    except SyntaxError as error:
        message = str(error)
    except (OSError, RuntimeError, ValueError):
        pass
    place = _PLACE.search(message)
    if place is None:
        return refused(f"not valid SPARQL ({' '.join(message.split())})", text, "SPARQL")
    lines = apply(text, edits).split("\n")
    line, column = int(place[1]), int(place[2])
    start = sum(len(text_line) + 1 for text_line in lines[: line - 1]) + column - 1
    # Before it the shield has put in five characters each time.
    start -= 5 * sum(edit.start + 5 * number < start for number, edit in enumerate(edits))
    start = max(0, min(start, len(text)))
    keywords = [quoted or word for quoted, word in _KEYWORD.findall(place[3])]
    expected = ", ".join(dict.fromkeys(keywords)) if len(keywords) <= _MANY else ""
    _, still_open = query.brackets
    if start >= len(text.rstrip()) and still_open:
        expected = repr(CLOSED_BY[query.tokens[still_open[-1]].text])
    return refused("not valid SPARQL", text, expected or "SPARQL", (start, start + 1))


def refused(
    problem: str, text: str, expected: str, span: tuple[int, int] | None = None
) -> CturiError:
    """Return the error over a query, or over a span of it."""
    return CturiError(problem, text, span, expected, "SPARQL 1.1")


def failed(error: Exception | str, text: str) -> CturiError:
    """Return the error of a query that an engine cannot answer."""
    return refused(f"a query that fails ({first_line(error)})", text, "another")


def first_line(error: Exception | str) -> str:
    """Return the first line of an error, or its kind where it has no text."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONG else line[: _LONG - 1] + "…"
