"""From a graph to a text: what differs from the graph of a document, written into its text.

1. The document is located whole, and an engine changes its graph.
2. Anonymous blank nodes that brackets cannot hold any more get a label: this edits the text and
   not the graph.  The engine runs again on that text.
3. Each quad that goes or comes is a change of a statement; the syntax writes them.
4. The law: the edited text says the new graph, and says it by itself.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.editing.blank_nodes import matched, same_graph
from cturi_rdf.editing.edit import Add, Append, EditError, Remove, Replace, apply, plan
from cturi_rdf.editing.engines import ByUpdate
from cturi_rdf.editing.located_graph import FIRST, REST, GraphAfter, LocatedGraph
from cturi_rdf.reading.read import reason_of
from cturi_rdf.reading.relative_iri import relative
from cturi_rdf.reading.terms import lenient_node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cturi_rdf.editing.document import Document, Statement
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.editing.located_graph import Node

    Locate = Callable[..., Document]
    Engine = Callable[[set[ox.Quad]], set[ox.Quad]]


# How often nodes get labels: those inside of others come after these.
_ROUNDS = 64
_MAYBE_ANONYMOUS = re.compile(rb"_:[A-Za-z]?[0-9a-f]{20,32}\b")


class Rewritten(NamedTuple):
    """A document, the text that says the new graph, and the quads that went and came."""

    document: Document
    text: bytes
    removed: frozenset[ox.Quad]
    added: frozenset[ox.Quad]


def rewrite(data: bytes, locate: Locate, engine: Engine) -> Rewritten:
    """Return a text with its graph changed by an engine; what the change does not touch stays.

    `locate` makes a document of a text, and of the statements with some predicates if these are
    given; `engine` gives the quads that the text is to say for those
    that it says.  Raises `EditError` where the syntax cannot say a change at its place.
    """
    if (quick := _replaced(data, locate, engine)) is not None:
        return quick
    text = data
    for _ in range(_ROUNDS):
        located = LocatedGraph(document := locate(text))
        before = located.quads
        after = GraphAfter(matched(before, engine(before)))
        _expect_expressible(document, after.quads)
        if after.quads == before:
            return Rewritten(document, data, frozenset(), frozenset())
        moving = located.to_move(after)
        if not moving:
            break
        text = _moved(located, moving)
    else:
        raise EditError("its blank nodes are nested too deep", document.name, "labels for them")
    edited = _edited(located, after)
    return Rewritten(
        document, edited, frozenset(before - after.quads), frozenset(after.quads - before)
    )


def _replaced(data: bytes, locate: Locate, engine: Engine) -> Rewritten | None:
    """Return a text in which statements only go, or take the places of others; else None.

    Then the properties that the update names are located alone, and the graphs are compared as
    lines, which is quick.  Nodes without a label, and the statements beside which others are added,
    need all of them.
    """
    if not isinstance(engine, ByUpdate):
        return None
    # Most updates name the properties that they change.
    document = locate(data, guess := engine.named())
    before = _lines(document, data)
    if _MAYBE_ANONYMOUS.search(before):
        return None
    try:
        after = engine.lines(before)
    except SyntaxError:
        # An IRI that N-Quads cannot hold.
        return None
    olds, news = set(before.splitlines()), set(after.splitlines())
    removed, added = map(_quads, (olds - news, news - olds))
    places = Counter(map(_path, removed))
    places.subtract(map(_path, added))
    if not removed or min(places.values()) < 0:
        return None
    predicates = {quad.predicate.value for quad in removed}
    located = LocatedGraph(document if predicates <= guess else locate(data, predicates), removed)
    if not removed <= located.statements.keys():
        return None
    changes, _ = _paired(located, list(removed), sorted(added, key=str))
    try:
        text = apply(data, plan(located.document, changes))
    except EditError:
        return None
    if set(_lines(document, text).splitlines()) != news:
        return None
    return Rewritten(located.document, text, frozenset(removed), frozenset(added))


def _lines(document: Document, text: bytes) -> bytes:
    """Return what a text says in N-Quads."""
    return ox.serialize(document.parse(text), format=ox.RdfFormat.N_QUADS) or b""


def _quads(lines: set[bytes]) -> set[ox.Quad]:
    return set(ox.parse(b"\n".join(lines), ox.RdfFormat.N_QUADS))


def _expect_expressible(document: Document, quads: set[ox.Quad]) -> None:
    if not document.format.datasets and any(
        not isinstance(quad.graph_name, ox.DefaultGraph) for quad in quads
    ):
        problem = f"{document.format.name} has no named graphs"
        raise EditError(problem, document.name, "statements of the default graph")


def _moved(located: LocatedGraph, moving: dict[Node, Statement | None]) -> bytes:
    """Return the text with some nodes out of the statements around them, which says the same."""
    document = located.document
    homes = {node: home for node, home in moving.items() if home is not None}
    text = apply(document.data, document.labelling(homes, set(moving)))
    if not same_graph(located.quads, _read(document, text)):
        place = min((home.start for home in homes.values()), default=0)
        raise document.refusal("a node cannot be moved out of there", place)
    return text


def _edited(located: LocatedGraph, after: GraphAfter) -> bytes:
    """Return the text that says another graph, checked by the law of edits."""
    document = located.document
    changes, nested = changes_between(located, after)
    document.nested = nested
    changes, pieces = document.grouped(changes, located, after)
    text = apply(document.data, plan(document, changes, pieces))
    result = _read(document, text)
    if not same_graph(result, after.quads):
        raise _broken(document, changes, result, after.quads)
    return text


def _read(document: Document, text: bytes) -> set[ox.Quad]:
    try:
        return set(document.parse(text))
    except SyntaxError as error:
        problem = f"the edited text could not be read ({reason_of(error)})"
        raise EditError(problem, document.name, "edits of valid statements") from error


def _broken(
    document: Document, changes: Sequence[Change], result: set[ox.Quad], wanted: set[ox.Quad]
) -> EditError:
    """Return the error of edits that say something else, at the change that does it."""
    quads = wanted - result or result - wanted
    for change in changes:
        if change.statement is not None and not quads.isdisjoint((*change.added, *change.removed)):
            return document.refusal("the edit would say something else", change.statement.start)
    return EditError("the edits would say something else", document.name, "edits of statements")


def changes_between(
    located: LocatedGraph, after: GraphAfter
) -> tuple[list[Change], dict[ox.BlankNode, list[ox.Quad]]]:
    """Return the changes of statements that make one graph of another, and nested nodes.

    A statement of the same subject and predicate, or else of the same subject and object, is
    replaced; others are removed and added.  The nodes are new ones to be written in brackets, each
    with what is said of it.
    """
    removed, added = located.quads - after.quads, after.quads - located.quads
    nested = _nested(located, after)
    gone = [quad for quad in removed if not _of_cell(quad, located.cells)]
    come = [
        quad for quad in added if quad.subject not in nested and not _of_cell(quad, located.cells)
    ]
    come.sort(key=str)
    changes, rest = _paired(located, gone, come)
    return [*changes, *_additions(located, after, rest)], nested


def _paired(
    located: LocatedGraph, gone: list[ox.Quad], come: list[ox.Quad]
) -> tuple[list[Change], list[ox.Quad]]:
    """Return the changes that replace and remove statements, and the quads that take no place."""
    gone.sort(key=lambda quad: located.statements[quad][0].start)
    written = partial(_relative, base=located.document.base)
    changes: list[Change] = []
    for same in (_path, _value):
        slots: defaultdict[object, list[ox.Quad]] = defaultdict(list)
        for quad in gone:
            slots[same(quad)].append(quad)
        rest = []
        for quad in come:
            if not (pair := slots.get(same(quad))):
                rest.append(quad)
                continue
            old = pair.pop(0)
            first, *others = located.statements[old]
            path = None if same is _path else written(quad.predicate)
            changes.append(Replace(first, written(quad.object), path))
            changes += map(Remove, others)
        gone, come = [quad for pair in slots.values() for quad in pair], rest
    changes += (Remove(one) for quad in gone for one in located.statements[quad])
    return changes, come


def _relative(term: Any, base: str | None) -> Any:
    """Return a term, an IRI relative to a base where it is beside it or in it."""
    if base is None or not isinstance(term, ox.NamedNode):
        return term
    iri, folder = relative(term.value), base[: base.rindex("/") + 1]
    if iri == term.value and iri.startswith(folder):
        iri = iri.removeprefix(base if iri.partition("#")[0] == base else folder)
        if ":" in iri.partition("/")[0]:
            return term
    return term if iri == term.value else lenient_node(iri)


def _path(quad: ox.Quad) -> object:
    return quad.subject, quad.graph_name, quad.predicate


def _value(quad: ox.Quad) -> object:
    return quad.subject, quad.graph_name, quad.object


def _of_cell(quad: ox.Quad, cells: set[ox.BlankNode]) -> bool:
    """Return whether a quad is one that a collection stands for."""
    return quad.subject in cells and quad.predicate in {FIRST, REST}


def _nested(located: LocatedGraph, after: GraphAfter) -> dict[ox.BlankNode, list[ox.Quad]]:
    """Return the new nodes that one statement leads to, each with what is said of it."""
    if not located.document.brackets:
        return {}
    return {
        node: about
        for node, about in after.about.items()
        if node not in located.nodes
        and after.references[node] == 1
        and not _leads_to(node, after, node)
    }


def _leads_to(node: ox.BlankNode, after: GraphAfter, wanted: ox.BlankNode) -> bool:
    open_, seen = [node], {node}
    while open_:
        for quad in after.about.get(open_.pop(), ()):
            value = quad.object
            if value == wanted:
                return True
            if isinstance(value, ox.BlankNode) and value not in seen:
                seen.add(value)
                open_.append(value)
    return False


def _additions(
    located: LocatedGraph, after: GraphAfter, quads: Iterable[ox.Quad]
) -> Iterable[Change]:
    """Yield the changes that add quads: beside one of their subject, else at the end."""
    written = partial(_relative, base=located.document.base)
    places: dict[object, list[Statement]] = defaultdict(list)
    wanted = {(quad.subject, quad.graph_name) for quad in quads}
    for quad, statements in located.statements.items():
        if (quad.subject, quad.graph_name) in wanted:
            places[quad.subject, quad.graph_name] += (s for s in statements if s.handle is not None)
    appended = []
    for quad in quads:
        beside = places.get((quad.subject, quad.graph_name))
        if beside:
            statement = max(beside, key=lambda one: _fitness(one, quad, after))
            yield Add(statement, written(quad.predicate), written(quad.object))
        else:
            appended.append(ox.Quad(*map(written, quad)))
    if appended:
        yield Append(tuple(appended))


def _fitness(statement: Statement, quad: ox.Quad, after: GraphAfter) -> tuple[bool, bool, int]:
    """Rank a statement as a neighbour: one that stays, of the same predicate, the last one."""
    return statement.quad in after.quads, statement.predicate == quad.predicate, statement.start
