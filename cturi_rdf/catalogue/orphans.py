"""The descriptions that nothing refers to any more, once the labels of a catalogue have changed."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.links import LINKS, text_of_label, type_of_node
from cturi_rdf.catalogue.meaning import Adding
from cturi_rdf.editing.edit import Remove, Replace
from cturi_rdf.rdf.label_statements import understand

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from cturi_rdf.catalogue.meaning import FileOptions
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.rdf.terms import Triple


def unlinked(changes: Iterable[Change]) -> list[Term]:
    """Return the nodes that changes take a link away from."""
    removed = (change for change in changes if isinstance(change, Replace | Remove))
    nodes = (one.statement.object for one in removed if one.statement.predicate in LINKS)
    return list(dict.fromkeys(nodes))


def orphans(
    nodes: Iterable[Term],
    quads: Iterable[ox.Quad],
    options: FileOptions,
    wanted: Container[Triple],
) -> set[ox.Quad]:
    """Return the descriptions of nodes that lost a link, among the quads of a catalogue.

    A description stays where it is `wanted` for the labels that there are, or says anything that
    annotating would not, or where anything else refers to its node, other than a description that
    only mentions it.
    """
    described_by_us = (triple for node in nodes for triple in _description(node, options))
    ours = {triple for triple in described_by_us if triple not in wanted}
    may_go: set[Term] = {subject for subject, _, _ in ours}
    described: defaultdict[Term, list[ox.Quad]] = defaultdict(list)
    references: defaultdict[Term, set[ox.Quad]] = defaultdict(set)
    for quad in quads:
        described[quad.subject].append(quad)
        is_other = quad.object in may_go and quad.object != quad.subject
        if is_other and not _only_mentions(quad, options):
            references[quad.object].add(quad)
    orphaned: set[ox.Quad] = set()
    free = [node for node in may_go if not references[node]]
    while free:
        about = described[free.pop()]
        if not all(tuple(quad.triple) in ours for quad in about):
            continue
        orphaned.update(about)
        # The description of a node may be the last to refer to another.
        for quad in about:
            if quad in references[quad.object]:
                references[quad.object].remove(quad)
                if not references[quad.object]:
                    free.append(quad.object)
    return orphaned


def _only_mentions(quad: ox.Quad, options: FileOptions) -> bool:
    """Return whether a quad is of the description of a type, which does not describe the object.

    That of text/csv says that text/plain is broader, and no more of it.
    """
    if type_of_node(quad.subject) is None:
        return False
    description = _description(quad.subject, options)
    is_described = any(subject == quad.object for subject, _, _ in description)
    return tuple(quad.triple) in description and not is_described


def _description(node: Term, options: FileOptions) -> set[Triple]:
    """Return what annotating says of a node that a link leads to, whatever it was asked to add."""
    text = text_of_label(node) or str(type_of_node(node) or "")
    understood = understand(ox.Literal(text), (), options.resolver)
    return {
        triple
        for adding in (Adding.LABELS, Adding.ALL)
        for names in (False, True)
        for triple in adding.description(understood, options.control, names=names)
    }
