"""Blank nodes in two readings of one text, paired by where they stand, or by what they say."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import count, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.reading.terms import is_random

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


class Pairs:
    """The pairs of blank nodes of two readings that were met so far.

    A node with a label has the same label in both; `is_anonymous` tells whether a label was made up
    in one reading.
    """

    def __init__(self, is_anonymous: Callable[[str], bool] = is_random) -> None:
        self._is_anonymous = is_anonymous
        self.there: dict[str, str] = {}
        self.back: dict[str, str] = {}

    def match(self, one: ox.Quad, other: ox.Quad) -> bool:
        """Return whether two quads are the same; if so, remember the pairs of blank nodes."""
        if one.predicate != other.predicate:
            return False
        fresh: dict[str, str] = {}
        for here, there in (
            (one.subject, other.subject),
            (one.object, other.object),
            (one.graph_name, other.graph_name),
        ):
            if here != there and not self._match(here, there, fresh):
                return False
        for label, partner in fresh.items():
            self.there[label] = partner
            self.back[partner] = label
        return True

    def _match(self, one: object, other: object, fresh: dict[str, str]) -> bool:
        if isinstance(one, ox.BlankNode) and isinstance(other, ox.BlankNode):
            here, there = one.value, other.value
            partner = self.there.get(here) or fresh.get(here)
            if partner is not None:
                return partner == there
            if there in fresh.values() or there in self.back:
                return False
            fresh[here] = there
            return self._is_anonymous(here) and self._is_anonymous(there)
        if isinstance(one, ox.Triple) and isinstance(other, ox.Triple):
            return all(map(self._match, one, other, repeat(fresh)))
        return one == other


def is_plain(quad: ox.Quad) -> bool:
    """Return whether a quad has no blank nodes."""
    return (
        isinstance(quad.subject, ox.NamedNode)
        and isinstance(quad.object, ox.NamedNode | ox.Literal)
        and not isinstance(quad.graph_name, ox.BlankNode)
    )


def nodes_of(terms: Iterable[object]) -> Iterator[ox.BlankNode]:
    """Yield the blank nodes of some terms, or of a quad, those in triple terms too."""
    for term in terms:
        if isinstance(term, ox.BlankNode):
            yield term
        elif isinstance(term, ox.Triple):
            yield from nodes_of(term)


def blank_nodes(quads: Iterable[ox.Quad]) -> set[ox.BlankNode]:
    """Return the blank nodes of some quads."""
    return {node for quad in quads if not is_plain(quad) for node in nodes_of(quad)}


def renamed(quad: ox.Quad, name: Callable[[ox.BlankNode], ox.BlankNode]) -> ox.Quad:
    """Return a quad with other blank nodes."""
    if is_plain(quad):
        return quad

    def new(term: Any) -> Any:
        if isinstance(term, ox.Triple):
            return ox.Triple(*map(new, term))
        return name(term) if isinstance(term, ox.BlankNode) else term

    return ox.Quad(*map(new, quad))


def relabel(quad: ox.Quad, labels: Mapping[str, str]) -> ox.Quad:
    """Return a quad with the labels of another reading, as far as they are known."""
    return renamed(quad, lambda node: ox.BlankNode(labels.get(node.value, node.value)))


def same_graph(one: Iterable[ox.Quad], other: Iterable[ox.Quad]) -> bool:
    """Return whether two graphs are the same, apart from the labels of blank nodes.

    >>> quads = (ox.parse(f"_:{label} <a:b> <a:c> .", ox.RdfFormat.N_TRIPLES) for label in "ab")
    >>> same_graph(*quads)
    True
    """
    ones = one if isinstance(one, set) else set(one)
    others = other if isinstance(other, set) else set(other)
    different = ones ^ others
    if not different:
        return True
    if len(ones) != len(others) or any(map(is_plain, different)):
        return False
    return _canonical(ones) == _canonical(others)


def _canonical(quads: Iterable[ox.Quad]) -> ox.Dataset:
    """Return the quads with blank nodes, with labels by what they say."""
    dataset = ox.Dataset(quad for quad in quads if not is_plain(quad))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return dataset


# Which blank nodes of a new graph are those of the old one, so that little seems to change.  Any
# answer is right, for the labels of blank nodes mean nothing; a good one makes few edits.  Nodes
# that say the same, and that the same statements lead to, are the same: they get one colour, and a
# colour is made of those of the neighbours, round by round.  The rest are paired by how much they
# have in common.

_ROUNDS = 8
# Statements that so many nodes share tell nothing.
_COMMON = 100

_Node = ox.BlankNode


def matched(before: set[ox.Quad], after: set[ox.Quad]) -> set[ox.Quad]:
    """Return the new graph with nodes of the old one in the place of new nodes that match them.

    Other new nodes get short labels, which are free in both.
    """
    if not blank_nodes(after - before):
        return after
    old, new = blank_nodes(before), blank_nodes(after)
    if new <= old:
        return after
    fresh = new - old
    pairs = _Matching(before, after, old - new, fresh).pairs()
    labels = {node.value for node in old | new}
    free = (label for number in count() if (label := f"b{number}") not in labels)
    for node, label in zip(_in_order(fresh - pairs.keys(), after), free, strict=False):
        pairs[node] = ox.BlankNode(label)
    return {renamed(quad, lambda node: pairs.get(node, node)) for quad in after}


def _in_order(nodes: set[_Node], quads: Iterable[ox.Quad]) -> list[_Node]:
    """Return nodes in an order that does not depend on their labels, as far as it can be."""
    about = _about(quads, nodes)

    def texts(node: _Node) -> list[str]:
        return sorted(
            " ".join("_" if t in nodes else str(t) for t in r) for r in about.get(node, ())
        )

    return sorted(nodes, key=texts)


class _Matching:
    """One run of the search."""

    def __init__(
        self, before: set[ox.Quad], after: set[ox.Quad], gone: set[_Node], fresh: set[_Node]
    ) -> None:
        self._olds, self._news = _about(before, gone), _about(after, fresh)
        self._pairs: dict[_Node, _Node] = {}

    def pairs(self) -> dict[_Node, _Node]:
        """Return the old nodes by the new ones that match them."""
        if not self._olds or not self._news:
            return {}
        while self._by_colour() or self._by_likeness():
            pass
        return self._pairs

    def _colours(self) -> dict[_Node, object]:
        """Return the colours of the nodes that have no partner yet, the old ones first."""
        paired = {*self._pairs, *self._pairs.values()}
        about = {n: rests for n, rests in (self._olds | self._news).items() if n not in paired}
        colours: dict[_Node, object] = dict.fromkeys(about, 0)
        for _ in range(_ROUNDS):
            nexts: dict[_Node, object] = {}
            for node, rests in about.items():
                # A node with a partner is told by the old one.
                neighbours = Counter(
                    tuple(colours.get(t, self._pairs.get(t, t)) for t in rest)  # type: ignore[call-overload]
                    for rest in rests
                )
                nexts[node] = hash(frozenset(neighbours.items()))
            is_done = len(set(colours.values())) == len(set(nexts.values()))
            colours = nexts
            if is_done:
                break
        return colours

    def _by_colour(self) -> bool:
        """Pair nodes of one colour; return whether there were any."""
        # The old nodes of each colour, and the new ones.
        groups: defaultdict[object, tuple[list[_Node], list[_Node]]] = defaultdict(lambda: ([], []))
        for node, colour in self._colours().items():
            groups[colour][node in self._news].append(node)
        both = [group for group in groups.values() if all(group)]
        alone = [(old, new) for [old, *olds], [new, *news] in both if not olds and not news]
        self._pairs |= {new: old for old, new in alone}
        if both and not alone:
            # Nodes that look alike: one pair may tell their neighbours apart.
            olds, news = both[0]
            is_linked = any(t in self._news for rest in self._news[news[0]] for t in rest)
            end = 1 if is_linked else None
            self._pairs.update(zip(news[:end], olds[:end], strict=False))
        return bool(both)

    def _by_likeness(self) -> bool:
        """Pair the nodes that have most in common; return whether there were any."""
        paired = set(self._pairs.values())
        holders: defaultdict[object, list[_Node]] = defaultdict(list)
        for node, about in self._olds.items():
            if node not in paired:
                for rest in about:
                    holders[rest].append(node)
        scores: list[tuple[int, _Node, _Node]] = []
        for node, about in self._news.items():
            if node in self._pairs:
                continue
            likeness = Counter(
                old
                for rest in about
                for old in holders.get(tuple(self._pairs.get(t, t) for t in rest), ())[:_COMMON]  # type: ignore[call-overload]
            )
            scores += ((score, node, old) for old, score in likeness.most_common(1))
        for _, node, old in sorted(scores, key=itemgetter(0), reverse=True):
            if old not in paired:
                paired.add(old)
                self._pairs[node] = old
        return bool(scores)


def _about(quads: Iterable[ox.Quad], nodes: set[_Node]) -> dict[_Node, list[tuple[object, ...]]]:
    about: dict[_Node, list[tuple[object, ...]]] = {}
    for quad in quads:
        for node, *rest in _mentions(quad):
            if node in nodes:
                about.setdefault(node, []).append(tuple(rest))
    return about


def _mentions(quad: ox.Quad) -> Iterator[tuple[Any, ...]]:
    """Yield the blank nodes of a quad, each with its part in it and the other terms."""
    for part, node in enumerate((quad.subject, quad.object, quad.graph_name)):
        if isinstance(node, ox.BlankNode):
            terms = quad.subject, quad.object, quad.graph_name
            yield node, part, quad.predicate, *(t for i, t in enumerate(terms) if i != part)
