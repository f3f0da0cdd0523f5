"""Changes of statements as SPARQL 1.1 Update, also those about blank nodes.

SPARQL cannot name a blank node: an operation finds it by a pattern.  The pattern has to match that
node and no other, so it is made of statements about the node, or that lead to it, of which the
graph has no second set, and of those that are removed.  The changes of one node are one operation,
for after it the node says other things.

The operations run one after the other, and an earlier one must not mislead a later one.  So they
are made in rounds.  In a round a pattern may use what no other operation removes, and has to be
unique even if all additions were there already.  After a round the graph is what its operations
make of it, in which further nodes may have become unique.  Nodes that cannot be told apart can
still be changed if all of them change alike.  What is left after the last round is left out.

Operations that differ in their terms only are one operation with a table of terms, for portals
have thousands of them.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.rdf.terms import DOWNLOAD_URLS
from cturi_rdf.reading.terms import NOT_IN_IRI

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


_ACCESS = "http://www.w3.org/ns/dcat#accessURL"
# The properties by which a person would name a distribution, the best first.
_PREFERRED = {iri: rank for rank, iri in enumerate((*DOWNLOAD_URLS, _ACCESS))}
# How far the pattern of a node goes to other blank nodes.
_STEPS = 4

_Node = ox.BlankNode
# A statement with a blank node in one place, without that node: whether the node is its subject,
# the graph, the predicate and the other term.
_Handle = tuple[bool, Any, ox.NamedNode, Any]


class Changed(NamedTuple):
    """Statements that go and come together."""

    removed: tuple[ox.Quad, ...]
    added: tuple[ox.Quad, ...]

    @property
    def nodes(self) -> set[_Node]:
        """The blank nodes in the statements."""
        quads = (*self.removed, *self.added)
        terms = (term for quad in quads for term in (quad.subject, quad.object, quad.graph_name))
        return {term for term in terms if isinstance(term, ox.BlankNode)}

    @property
    def has_text(self) -> bool:
        """Whether its statements can be written as text."""
        return all(map(_has_text, (*self.removed, *self.added)))


def _has_text(quad: ox.Quad) -> bool:
    """Return whether a statement can be written as text: JSON takes IRIs that have a blank."""
    terms = quad.subject, quad.predicate, quad.object, quad.graph_name
    iris = (term.value for term in terms if isinstance(term, ox.NamedNode))
    return not any(map(NOT_IN_IRI.search, iris))


class _State:
    """A graph at the beginning of a round, and what the rest of the operations change in it."""

    def __init__(self, quads: Iterable[ox.Quad], waiting: Sequence[Changed]) -> None:
        self.quads = set(quads)
        self._removed = {quad for changed in waiting for quad in changed.removed}
        self._about: dict[_Node, list[ox.Quad]] = defaultdict(list)
        # The blank nodes that a handle may lead to, now or in the course of the round.
        self._nodes: dict[_Handle, set[_Node]] = defaultdict(set)
        added = (quad for changed in waiting for quad in changed.added)
        for quad in self.quads:
            for node, _ in _handles(quad) if _has_text(quad) else ():
                self._about[node].append(quad)
        for quad in self.quads.union(added):
            for node, handle in _handles(quad):
                self._nodes[handle].add(node)

    def pattern_of(
        self, node: _Node, own: frozenset[ox.Quad], seen: frozenset[_Node] = frozenset()
    ) -> tuple[list[ox.Quad], set[_Node]]:
        """Return statements that identify a node, and the nodes of which they may be statements.

        `own` are the statements that are removed together with the pattern's use.
        """
        candidates: set[_Node] | None = None
        pattern: list[ox.Quad] = []
        for quads, nodes in self._clues(node, own, seen):
            if candidates is None or not candidates <= nodes:
                candidates = nodes if candidates is None else candidates & nodes
                pattern += quads
            if len(candidates) == 1:
                break
        return pattern, candidates or set()

    def _clues(
        self, node: _Node, own: frozenset[ox.Quad], seen: frozenset[_Node]
    ) -> Iterator[tuple[list[ox.Quad], set[_Node]]]:
        """Yield statements about a node, the best first, with the nodes that they may be about.

        What leads to other blank nodes comes last, with the statements that identify these.
        """
        usable = [quad for quad in self._about[node] if quad in own or quad not in self._removed]
        alone = ((quad, self._nodes[_handle(quad, node)]) for quad in usable if not _linked(quad))
        for quad, nodes in sorted(
            alone, key=lambda one: (len(one[1]) > 1, *_rank(one[0]), len(one[1]), str(one[0]))
        ):
            yield [quad], nodes
        for quad in usable if len(seen) < _STEPS else ():
            other = quad.object if quad.subject == node else quad.subject
            if isinstance(other, ox.BlankNode) and other != node and other not in seen:
                more, others = self.pattern_of(other, own, seen | {node})
                if len(others) == 1:
                    yield [*more, quad], self._nodes[_handle(quad, node)]

    def holds(self, pattern: Iterable[ox.Quad], node: _Node, other: _Node) -> bool:
        """Return whether the graph now says of another node what a pattern says of a node."""
        return all(_with(quad, node, other) in self.quads for quad in pattern)


def sparql_update(
    quads: Iterable[ox.Quad], changes: Sequence[Changed], text: Callable[[Any], str] = str
) -> tuple[list[str], list[Changed]]:
    """Return the operations that make changes in a graph, and the changes that are left out.

    `text` returns a term as SPARQL has it.  Changes that SPARQL cannot make are left out: of blank
    nodes that cannot be told apart, of graphs that are named by one, of triple terms, and of IRIs
    with a character that no IRI has.

    >>> triple = "_:d <http://www.w3.org/ns/dcat#downloadURL> <http://a.example/csv> ."
    >>> [quad] = ox.parse(triple, ox.RdfFormat.N_TRIPLES)
    >>> new = ox.Quad(quad.subject, ox.NamedNode("http://a.example/format"), ox.Literal("CSV"))
    >>> print(*sparql_update([quad], [Changed((), (new,))])[0])
    INSERT { ?a <http://a.example/format> "CSV" . }
    WHERE { ?a <http://www.w3.org/ns/dcat#downloadURL> <http://a.example/csv> . FILTER isBlank(?a) }
    """
    state = set(quads)
    operations = []
    named = [changed for changed in changes if not changed.nodes and changed.has_text]
    for verb, side in (("DELETE DATA", "removed"), ("INSERT DATA", "added")):
        rows = dict.fromkeys(
            _in_graph(q, text) for changed in named for q in getattr(changed, side)
        )
        if rows:
            operations.append(f"{verb} {{\n  " + "\n  ".join(rows) + "\n}")
    left = _together(changes)
    while waiting := list(filter(_is_possible, left)):
        written, done = _round(_State(state, waiting), waiting, text)
        if not done:
            break
        operations += written
        state.difference_update(quad for changed in done for quad in changed.removed)
        state.update(quad for changed in done for quad in changed.added)
        left = [changed for changed in left if changed not in done]
    nodes = {node for changed in left for node in changed.nodes}
    return operations, [
        changed for changed in changes if not (nodes.isdisjoint(changed.nodes) and changed.has_text)
    ]


def _round(
    state: _State, waiting: Sequence[Changed], text: Callable[[Any], str]
) -> tuple[list[str], set[Changed]]:
    """Return the operations that can be made now, and the changes that they make."""
    done: set[Changed] = set()
    shapes: dict[_Shape, list[tuple[str, ...]]] = {}
    alike: dict[object, list[Changed]] = defaultdict(list)
    for changed in waiting:
        nodes = sorted(changed.nodes, key=str)
        own = frozenset(changed.removed)
        patterns = [state.pattern_of(node, own) for node in nodes]
        if all(len(candidates) == 1 for _, candidates in patterns):
            statements = (quad for pattern, _ in patterns for quad in pattern)
            shape, row = _shape(changed, statements, text)
            shapes.setdefault(shape, []).append(row)
            done.add(changed)
        elif len(nodes) == 1:
            alike[_renamed(changed, nodes[0], _SAME)].append(changed)
    operations = [shape.operation(rows) for shape, rows in shapes.items()]
    for group in alike.values() if not done else ():
        by_node = {next(iter(changed.nodes)): changed for changed in group}
        for node, changed in by_node.items():
            pattern, candidates = state.pattern_of(node, frozenset(changed.removed))
            if (
                changed not in done
                and candidates <= by_node.keys()
                and all(state.holds(pattern, node, other) for other in candidates)
            ):
                shape, row = _shape(changed, pattern, text)
                operations.append(shape.operation([row]))
                done.update(by_node[other] for other in candidates)
    return operations, done


def _together(changes: Iterable[Changed]) -> list[Changed]:
    """Return the changes of blank nodes; those that have a blank node in common become one."""
    group_of: dict[_Node, list[Changed]] = {}
    groups: list[list[Changed]] = []
    for changed in changes:
        nodes = changed.nodes
        group = [changed]
        for other in {id(group_of[n]): group_of[n] for n in nodes if n in group_of}.values():
            group = other + group
            groups = [kept for kept in groups if kept is not other]
        if nodes:
            groups.append(group)
            group_of |= {node: group for one in group for node in one.nodes}
    return [
        Changed(
            tuple(dict.fromkeys(quad for changed in group for quad in changed.removed)),
            tuple(dict.fromkeys(quad for changed in group for quad in changed.added)),
        )
        for group in groups
    ]


def _is_possible(changed: Changed) -> bool:
    return changed.has_text and not any(
        isinstance(quad.graph_name, ox.BlankNode)
        or isinstance(quad.subject, ox.Triple)
        or isinstance(quad.object, ox.Triple)
        for quad in (*changed.removed, *changed.added)
    )


class _Shape(NamedTuple):
    """The text of an operation with holes for terms."""

    removed: tuple[str, ...]
    added: tuple[str, ...]
    pattern: tuple[str, ...]
    nodes: int

    def operation(self, rows: Sequence[tuple[str, ...]]) -> str:
        """Return the operation for some rows of terms."""
        if len(rows) == 1:
            terms, table = rows[0], ""
        else:
            terms = tuple(f"?v{number}" for number in range(len(rows[0])))
            lines = "".join(f"    ({' '.join(row)})\n" for row in dict.fromkeys(rows))
            table = f"\n  VALUES ({' '.join(terms)}) {{\n{lines}  }}\n "
        parts = [" ".join(part).format(*terms) for part in self[:3]]
        gone = f"DELETE {{ {parts[0]} }}\n" if self.removed else ""
        come = f"INSERT {{ {parts[1]} }}\n" if self.added else ""
        blank = " ".join(f"FILTER isBlank({_variable(n)})" for n in range(self.nodes))
        return f"{gone}{come}WHERE {{{table} {parts[2]} {blank} }}"


def _shape(
    changed: Changed, pattern: Iterable[ox.Quad], text: Callable[[Any], str]
) -> tuple[_Shape, tuple[str, ...]]:
    variables: dict[_Node, str] = {}
    holes: dict[str, str] = {}

    def term(value: Any) -> str:
        if isinstance(value, ox.BlankNode):
            return variables.setdefault(value, _variable(len(variables)))
        return holes.setdefault(text(value), f"{{{len(holes)}}}")

    def statement(quad: ox.Quad) -> str:
        path = text(quad.predicate).replace("{", "{{").replace("}", "}}")
        triple = f"{term(quad.subject)} {path} {term(quad.object)}"
        return _within(quad, triple, term)

    # What is removed is asked for too: it may tell the node from those of another graph.
    condition = dict.fromkeys((*pattern, *changed.removed))
    parts = [tuple(map(statement, part)) for part in (condition, changed.removed, changed.added)]
    return _Shape(parts[1], parts[2], parts[0], len(variables)), tuple(holes)


def _variable(number: int) -> str:
    letter = "abcdefghijklmnopqrstu"[number % 21]
    return f"?{letter}{number // 21 or ''}"


def _in_graph(quad: ox.Quad, text: Callable[[Any], str]) -> str:
    triple = " ".join(map(text, (quad.subject, quad.predicate, quad.object)))
    return _within(quad, triple, text, "{", "}")


def _within(
    quad: ox.Quad, triple: str, text: Callable[[Any], str], start: str = "{{", end: str = "}}"
) -> str:
    if isinstance(quad.graph_name, ox.DefaultGraph):
        return f"{triple} ."
    return f"GRAPH {text(quad.graph_name)} {start} {triple} {end}"


def _handles(quad: ox.Quad) -> Iterator[tuple[_Node, _Handle]]:
    """Yield the blank nodes of a statement, each with the rest of it."""
    if isinstance(quad.subject, ox.BlankNode):
        yield quad.subject, (True, quad.graph_name, quad.predicate, quad.object)
    if isinstance(quad.object, ox.BlankNode):
        yield quad.object, (False, quad.graph_name, quad.predicate, quad.subject)


def _handle(quad: ox.Quad, node: _Node) -> _Handle:
    return next(handle for own, handle in _handles(quad) if own == node)


def _linked(quad: ox.Quad) -> bool:
    """Return whether a statement says something of two nodes without a name."""
    other = (ox.BlankNode, ox.Triple)
    return isinstance(quad.subject, other) and isinstance(quad.object, other)


def _rank(quad: ox.Quad) -> tuple[int, bool]:
    rank = _PREFERRED.get(quad.predicate.value, len(_PREFERRED))
    return rank, isinstance(quad.object, ox.Literal)


_SAME = ox.BlankNode("same")


def _renamed(changed: Changed, node: _Node, other: _Node) -> object:
    return tuple(frozenset(_with(quad, node, other) for quad in part) for part in changed)


def _with(quad: ox.Quad, node: _Node, other: _Node) -> ox.Quad:
    """Return a statement of a node as one of another node."""
    subject = other if quad.subject == node else quad.subject
    value = other if quad.object == node else quad.object
    return ox.Quad(subject, quad.predicate, value, quad.graph_name)
