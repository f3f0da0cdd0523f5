"""From a graph to a text: what differs from the graph of a document, written into its text.

Most changes concern no anonymous blank node.  Then the graphs before and after are compared as
lines of N-Quads, and only the properties of what differs are located.  Any other change takes four
steps:

1. The document is located whole, and an engine changes its graph.
2. Anonymous blank nodes that brackets cannot hold any more get a label: this edits the text and
   not the graph.  The engine runs again on that text.
3. Each quad that goes or comes is a change of a statement; the syntax writes them.
4. The law: the edited text says the new graph, and says it by itself.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.editing.blank_nodes import matched, same_graph
from cturi_rdf.editing.document import GraphLines
from cturi_rdf.editing.edit import Add, Append, EditError, Remove, Replace, apply, plan
from cturi_rdf.editing.engines import ByUpdate, line_of, quads_in
from cturi_rdf.editing.located_graph import FIRST, REST, GraphAfter, LocatedGraph
from cturi_rdf.reading.read import reason_of
from cturi_rdf.reading.terms import lenient_node, relative

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from cturi_rdf.editing.document import Document, Statement
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.editing.engines import Engine, Lines
    from cturi_rdf.editing.located_graph import Node

    DocumentOf = Callable[[bytes], Document]
    _Quads = list[ox.Quad]
    _Pairs = list[tuple[ox.Quad, ox.Quad]]


# How often nodes get labels: those inside of others come after these.
_ROUNDS = 64
_REMEMBERED = 4096  # terms
# A base that a file declares, in any syntax.
_OWN_BASE = re.compile(rb'(?i:base)"?\s*[<=:]')
# A blank node in N-Quads whose label may be one that a reader made up.
_MAYBE_ANONYMOUS = re.compile(rb"_:([A-Za-z]?[0-9a-f]{20,32})(?=[ >])")


class Rewritten(NamedTuple):
    """A document, the text that says the new graph, and the quads that went and came."""

    document: Document
    text: bytes
    removed: frozenset[ox.Quad]
    added: frozenset[ox.Quad]


def rewrite(data: bytes, document_of: DocumentOf, engine: Engine) -> Rewritten:
    """Return a text with its graph changed by an engine; what the change does not touch stays.

    `document_of` makes a document of a text; `engine` gives the quads that the text is to say for
    those that it says.  Raises `EditError` where the syntax cannot express a change there, and
    where the file takes no edits.
    """
    document = document_of(data)
    rewritten = _by_difference(document, engine) or _by_whole_graph(data, document_of, engine)
    if document.unwritable is None:
        return rewritten
    if rewritten.removed or rewritten.added:
        raise document.unwritable
    # The text of the document may be in another encoding.
    return rewritten._replace(text=data)


def _by_difference(document: Document, engine: Engine) -> Rewritten | None:
    """Return a text in which statements without anonymous nodes change; None for other changes.

    The graphs are compared as lines, and only the properties of what goes and of its neighbours
    are located: this is quick.
    """
    try:
        graph = _in_lines(document, document.data)
        before = set(lines := graph.splitlines())
        gone, come = _difference(engine, graph, before)
    except SyntaxError:
        # The file cannot be read, or N-Quads cannot hold an IRI in it.
        return None
    removed, added = set(gone.values()), set(come.values())
    if not gone and not come:
        return Rewritten(document, document.data, frozenset(), frozenset())
    if any(map(_MAYBE_ANONYMOUS.search, [*gone, *come])):
        return None
    after = (before - gone.keys()) | come.keys()
    if gone and document.keeps_nodes:
        staying = (line for line in lines if line not in gone)
        if set(_first_words(gone)).difference(_first_words(chain(staying, come))):
            return None
    _expect_expressible(document, added)
    in_order = [gone[line] for line in dict.fromkeys(line for line in lines if line in gone)]
    pairs, removals, new = _pairs(in_order, [come[line] for line in sorted(come)])
    staying = (line for line in lines if line not in gone)
    beside = _beside(staying, list(map(line_of, new)), has_graphs=document.format.datasets)
    subjects = {quad.subject for quad in (*removed, *new)}
    paths = beside.union(quad.predicate.value for quad in removed)
    document.find(paths, lines=GraphLines(lines, subjects))
    statements = list(document.statements)
    places = _places(statements, removed)
    if len(places) < len(removed):
        return None
    changes = _changes(document, places, pairs, removals)
    changes += _additions(document, statements, removed, new)
    try:
        text = apply(document.data, plan(document, changes))
        is_right = set(_in_lines(document, text).splitlines()) == after
    except (EditError, SyntaxError):
        return None
    if not is_right:
        return None
    return Rewritten(document, text, frozenset(removed), frozenset(added))


def _places(
    statements: Iterable[Statement], quads: Collection[ox.Quad]
) -> dict[ox.Quad, list[Statement]]:
    """Return the statements of some quads."""
    subjects = {quad.subject for quad in quads}
    places: dict[ox.Quad, list[Statement]] = {}
    for statement in statements if quads else ():
        if statement.subject in subjects and (quad := statement.quad) in quads:
            places.setdefault(quad, []).append(statement)
    return places


def _difference(engine: Engine, graph: bytes, lines: set[bytes]) -> tuple[Lines, Lines]:
    """Return the lines that an engine removes and adds, by all of them."""
    if isinstance(engine, ByUpdate):
        return engine.difference(graph, lines)
    before = set(quads_in(lines))
    after = engine(before)
    removed, added = ({line_of(q): q for q in some} for some in (before - after, after - before))
    return removed, added


def _in_lines(document: Document, text: bytes) -> bytes:
    """Return what a text says in N-Quads; anonymous nodes are numbered in their order."""
    lines = ox.serialize(document.parse(text), format=ox.RdfFormat.N_QUADS) or b""
    if _MAYBE_ANONYMOUS.search(lines):
        labels: dict[bytes, bytes] = {}
        start = 0xA0000000
        while b"%x" % start in document.data:
            start += 1

        def numbered(match: re.Match[bytes]) -> bytes:
            label = match[1]
            if label not in labels:
                is_anonymous = document.is_anonymous(label.decode())
                labels[label] = b"%x%024x" % (start, len(labels)) if is_anonymous else label
            return b"_:" + labels[label]

        lines = _MAYBE_ANONYMOUS.sub(numbered, lines)
    return lines


def _first_words(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the first word of each line."""
    return (line.partition(b" ")[0] for line in lines)


def _beside(staying: Iterable[bytes], new: Iterable[bytes], *, has_graphs: bool) -> set[str]:
    """Return the predicates of the statements beside which others may be added.

    They are those of the others, and that of the last statement of each subject.
    """
    subjects = set(_first_words(new))
    # The last one by the subject, and by the graph.
    last: dict[object, bytes] = {}
    for line in staying if subjects else ():
        subject, _, rest = line.partition(b" ")
        if subject in subjects:
            last[(subject, _graph_in(rest)) if has_graphs else subject] = rest
    rests = (*last.values(), *(line.partition(b" ")[2] for line in new))
    return {predicate[1:-1].decode() for predicate in _first_words(rests)}


def _graph_in(rest: bytes) -> bytes:
    """Return the graph of a line by what stands behind its subject; the default one is empty.

    >>> _graph_in(b'<a:b> "c" <a:d> .'), _graph_in(b"<a:b> <a:c> .")
    (b'<a:d>', b'')
    """
    before, _, last = rest.removesuffix(b" .").rpartition(b" ")
    is_graph = b" " in before and last.startswith((b"<", b"_:")) and b'"' not in last
    return last if is_graph else b""


def _by_whole_graph(data: bytes, document_of: DocumentOf, engine: Engine) -> Rewritten:
    """Return a text in which any statements change, by all of its statements with their places."""
    text = data
    for _ in range(_ROUNDS):
        document = document_of(text)
        document.find(None)
        located = LocatedGraph(document)
        before = located.quads
        after = GraphAfter(matched(before, engine(before)), located)
        _expect_expressible(document, after.quads)
        if after.quads == before:
            return Rewritten(document, data, frozenset(), frozenset())
        moving = located.to_move(after)
        if not moving:
            break
        text = _moved(located, moving)
    else:
        raise EditError("its blank nodes are nested too deeply", document.name, "labels for them")
    edited = _edited(after)
    return Rewritten(
        document, edited, frozenset(before - after.quads), frozenset(after.quads - before)
    )


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


def _edited(after: GraphAfter) -> bytes:
    """Return the text that says another graph, checked by the law of edits."""
    located, document = after.located, after.located.document
    removed = {q for q in located.quads - after.quads if not _of_cell(q, located.cells)}
    added = {
        quad
        for quad in after.quads - located.quads
        if quad.subject not in after.nested and not _of_cell(quad, located.cells)
    }
    removals = sorted(removed, key=lambda quad: located.statements[quad][0].start)
    pairs, gone, come = _pairs(removals, sorted(added, key=str))
    changes = _changes(document, located.statements, pairs, gone)
    changes += _additions(document, document.statements, removed, come)
    text = apply(document.data, plan(document, changes, after))
    result = _read(document, text)
    if not same_graph(result, after.quads):
        raise _broken(located, changes, result, after.quads)
    return text


def _read(document: Document, text: bytes) -> set[ox.Quad]:
    try:
        return set(document.parse(text))
    except SyntaxError as error:
        problem = f"the edited text could not be read ({reason_of(error)})"
        raise EditError(problem, document.name, "edits of valid statements") from error


def _broken(
    located: LocatedGraph, changes: Sequence[Change], result: set[ox.Quad], wanted: set[ox.Quad]
) -> EditError:
    """Return the error of edits that say something else, at the change that does it.

    Where no change is to blame, such as in a collection, it is at the first statement about a node
    that should change.
    """
    document, problem = located.document, "the change cannot be written without another one"
    quads = wanted - result or result - wanted
    for change in changes:
        if change.statement is not None and not quads.isdisjoint((*change.added, *change.removed)):
            return document.refusal(problem, change.statement.start)
    nodes = {term for quad in located.quads ^ wanted for term in (quad.subject, quad.object)}
    starts = (
        places[0].start
        for quad, places in located.statements.items()
        if places[0].start >= 0 and not nodes.isdisjoint((quad.subject, quad.object))
    )
    return document.refusal(problem, min(starts, default=-1))


def _changes(
    document: Document,
    places: Mapping[ox.Quad, Sequence[Statement]],
    pairs: _Pairs,
    gone: Iterable[ox.Quad],
) -> list[Change]:
    """Return the changes that put quads in the places of others, and remove some."""
    written = _relative_in(document)
    changes: list[Change] = []
    for old, new in pairs:
        first, *others = places[old]
        path = None if old.predicate == new.predicate else written(new.predicate)
        changes.append(Replace(first, written(new.object), path))
        changes += map(Remove, others)
    changes += (Remove(one) for quad in gone for one in places[quad])
    # What has no place goes with what is around it: the law tells.
    return [
        change for change in changes if change.statement and change.statement.handle is not None
    ]


def _pairs(gone: _Quads, come: _Quads) -> tuple[_Pairs, _Quads, _Quads]:
    """Return which quad takes the place of which other one, and what is left on both sides.

    It has the same subject and predicate, or else the same subject and object.
    """
    pairs = []
    for same in (_path, _value):
        if not come:
            break
        slots: defaultdict[object, list[ox.Quad]] = defaultdict(list)
        for quad in gone:
            slots[same(quad)].append(quad)
        rest = []
        for quad in come:
            if slot := slots.get(same(quad)):
                pairs.append((slot.pop(0), quad))
            else:
                rest.append(quad)
        gone, come = [quad for slot in slots.values() for quad in slot], rest
    return pairs, gone, come


def _relative_in(document: Document) -> Callable[[Any], Any]:
    """Return the function that makes an IRI relative where it is in the folder of a file.

    It stays as it is where another base may be in force, or none.
    """
    base = document.base
    folder = "" if base is None else base[: base.rindex("/") + 1]
    counts = not document.format.by_lines and not _OWN_BASE.search(document.data)

    @lru_cache(maxsize=_REMEMBERED)
    def written(term: Any) -> Any:
        if base is None or not isinstance(term, ox.NamedNode):
            return term
        iri = relative(term.value)
        if counts and iri == term.value and iri.startswith(folder):
            iri = iri.removeprefix(base if iri.partition("#")[0] == base else folder)
            if ":" in iri.partition("/")[0]:
                return term
        return term if iri == term.value else lenient_node(iri)

    return written


def _path(quad: ox.Quad) -> object:
    return quad.subject, quad.graph_name, quad.predicate


def _value(quad: ox.Quad) -> object:
    return quad.subject, quad.graph_name, quad.object


def _of_cell(quad: ox.Quad, cells: set[ox.BlankNode]) -> bool:
    """Return whether a quad is one that a collection stands for."""
    return quad.subject in cells and quad.predicate in {FIRST, REST}


def _additions(
    document: Document,
    statements: Iterable[Statement],
    removed: set[ox.Quad],
    quads: Sequence[ox.Quad],
) -> Iterator[Change]:
    """Yield the changes that add quads: beside one of their subject, else at the end.

    The best neighbour is one that stays, of the same predicate, the last one in the text.
    """
    if not quads:
        return
    wanted = {(quad.subject, quad.graph_name) for quad in quads}
    staying: dict[object, Statement] = {}
    going: dict[object, Statement] = {}
    for one in statements:
        key = one.subject, one.graph
        if key in wanted and one.handle is not None:
            places = going if one.quad in removed else staying
            places[key] = places[key, one.predicate] = one
    written, appended = _relative_in(document), []
    for quad in quads:
        key = quad.subject, quad.graph_name
        same = key, quad.predicate
        beside = staying.get(same) or staying.get(key) or going.get(same) or going.get(key)
        if beside is None:
            appended.append(ox.Quad(*map(written, quad)))
        else:
            yield Add(beside, written(quad.predicate), written(quad.object))
    if appended:
        yield Append(tuple(appended))
