"""Names for blank nodes by what is said of them, so that equal graphs become equal sets.

Each blank node gets a colour, which is a hash.  In each round the colour becomes the hash of the
node's quads, in which blank nodes are written as their colours and the node itself as a mark.  The
rounds end when they part no more nodes.  Where nodes still share a colour, each of them in turn is
marked, the rounds go on, and the smallest result is taken: so it does not depend on the order of
the quads.  That is the search tree of RDF Dataset Canonicalization (RDFC-1.0) without its hashes,
which nobody outside of this process reads.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cturi_rdf.browser.terms import BlankNode, Quad, Triple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# How many nodes of one colour are tried; more of them are alike in all real graphs.
_TRIED = 6


def canonical(quads: Iterable[Quad]) -> set[Quad]:
    """Return quads whose blank nodes are named by what is said of them."""
    all_quads = set(quads)
    quads_of: dict[BlankNode, list[Quad]] = defaultdict(list)
    for quad in all_quads:
        for node in set(_blank_nodes(quad)):
            quads_of[node].append(quad)
    colours = _named(dict.fromkeys(quads_of, ""), quads_of)
    names = {node: BlankNode(f"c{colour}") for node, colour in colours.items()}
    return {Quad(*(_replaced(term, names) for term in quad)) for quad in all_quads}


def _named(
    colours: dict[BlankNode, str], quads_of: dict[BlankNode, list[Quad]]
) -> dict[BlankNode, str]:
    """Return a colour of its own for each node."""
    colours = _refined(colours, quads_of)
    counts = Counter(colours.values())
    shared = sorted(colour for colour, count in counts.items() if count > 1)
    if not shared:
        return colours
    alike = [node for node, colour in colours.items() if colour == shared[0]]
    results = [_named(colours | {node: f"{colours[node]}!"}, quads_of) for node in alike[:_TRIED]]
    return min(results, key=lambda result: sorted(result.values()))


def _refined(
    colours: dict[BlankNode, str], quads_of: dict[BlankNode, list[Quad]]
) -> dict[BlankNode, str]:
    count = 0
    while count < len(set(colours.values())):
        count = len(set(colours.values()))
        colours = {
            node: _hash(colours[node], *sorted(_written(quad, node, colours) for quad in own))
            for node, own in quads_of.items()
        }
    return colours


def _hash(*texts: str) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:32]


def _written(term: Any, node: BlankNode, colours: dict[BlankNode, str]) -> str:
    if isinstance(term, BlankNode):
        return "_:" if term == node else f"_:{colours[term]}"
    if isinstance(term, (Quad, Triple)):
        return f"({' '.join(_written(one, node, colours) for one in term)})"
    return str(term)


def _blank_nodes(term: Any) -> Iterator[BlankNode]:
    if isinstance(term, BlankNode):
        yield term
    elif isinstance(term, (Quad, Triple)):
        for one in term:
            yield from _blank_nodes(one)


def _replaced(term: Any, names: dict[BlankNode, BlankNode]) -> Any:
    if isinstance(term, BlankNode):
        return names[term]
    return Triple(*(_replaced(one, names) for one in term)) if isinstance(term, Triple) else term
