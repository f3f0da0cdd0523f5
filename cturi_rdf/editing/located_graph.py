"""The graph that a document says, with the statements that say each of its quads.

Anonymous blank nodes have the labels of the document, so an engine that changes the graph keeps
their identity.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.blank_nodes import blank_nodes, is_plain, nodes_of, same_graph
from cturi_rdf.editing.edit import EditError
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.editing.document import Document, Statement, Term


FIRST, REST, NIL = (ox.NamedNode(RDF_NS + name) for name in ("first", "rest", "nil"))
Node = ox.NamedNode | ox.BlankNode


class LocatedGraph:
    """The quads of a document, and their places.

    `statements` has the statements of each quad: a quad may be stated twice, and the cells of a
    collection have no verbs.  `homes` has the statement with an anonymous blank node as its object,
    by the node; no other text leads to that node.  `lists` has the cells of each collection that
    the text has in round brackets, by the first one.
    """

    def __init__(self, document: Document) -> None:
        """Take a document with all its statements.  Raises `EditError` where some have no place."""
        self.document = document
        self.statements: dict[ox.Quad, list[Statement]] = {}
        self.homes: dict[ox.BlankNode, Statement] = {}
        for statement in (*document.statements, *document.implied()):
            self.statements.setdefault(statement.quad, []).append(statement)
            node = statement.object
            if isinstance(node, ox.BlankNode) and document.is_anonymous(node.value):
                self.homes.setdefault(node, statement)
        self.lists = document.lists()
        self.quads = set(self.statements)
        if not same_graph(self.quads, set(document.parse(document.data))):
            problem, expected = "it has statements without a place", "no reified triples in << >>"
            raise EditError(problem, document.name, expected)

    @cached_property
    def nodes(self) -> set[ox.BlankNode]:
        """The blank nodes of the graph."""
        return blank_nodes(self.quads)

    def to_move(self, after: GraphAfter) -> dict[Node, Statement | None]:
        """Return the nodes that have to leave the statements that they stand in, with these.

        Brackets hold a node in one place.  A node has to leave them, with a label if it is
        anonymous, to stand in two places, to lose the statement that leads to it and keep its own,
        or to get another one that leads to it.  A collection loses its round brackets where what
        becomes of it is none.
        """
        moving: dict[Node, Statement | None] = {}
        for quad, statements in self.statements.items():
            if quad in after.quads or isinstance(quad.object, ox.Literal):
                continue
            if quad.object in after.subjects:
                # It has a name, and is described inside of a statement that goes.
                for one in filter(self.document.holds, statements):
                    if not self._is_renamed(one, after):
                        moving[one.object] = one  # type: ignore[index] # it is a node
        for node in self.nodes:
            if not self.document.is_anonymous(node.value) or (
                node in self.cells and node not in self.lists
            ):
                continue
            home, references = self.homes.get(node), after.references[node]
            if home is None:
                needs = references > 0
            elif home.quad in after.quads or self._is_renamed(home, after):
                needs = references > 1
            else:
                needs = references > 0 or node in after.about
            if needs or (node in self.lists and self._is_broken(node, after)):
                moving[node] = home
        return moving

    @cached_property
    def cells(self) -> set[ox.BlankNode]:
        """The cells of the lists."""
        return {cell for cells in self.lists.values() for cell in cells}

    def _is_renamed(self, home: Statement, after: GraphAfter) -> bool:
        """Return whether a statement comes with another predicate that can take the same place."""
        siblings = self.document.of_one_verb(home)
        return any(
            quad not in self.quads
            and quad.subject == home.subject
            and quad.graph_name == home.graph
            and all(
                one.quad not in after.quads
                and ox.Quad(one.subject, quad.predicate, one.object, one.graph) in after.quads
                for one in siblings
            )
            for quad in (after.leading_to.get(home.object, ()) if siblings else ())
        )

    def _is_broken(self, head: ox.BlankNode, after: GraphAfter) -> bool:
        """Return whether a collection is none any more, and its cells are not gone either."""
        cells = self.lists[head]
        is_gone = not any(cell in after.about or after.references[cell] for cell in cells)
        return not is_gone and after.items(head) is None


class GraphAfter:
    """The quads that the text of a `located` graph is to say, and what they say of blank nodes."""

    def __init__(self, quads: set[ox.Quad], located: LocatedGraph) -> None:
        self.quads, self.located = quads, located
        self.nodes = blank_nodes(quads)
        self.about: dict[ox.BlankNode, list[ox.Quad]] = {}
        self.leading_to: dict[object, list[ox.Quad]] = {}
        self.references: defaultdict[object, int] = defaultdict(int)
        for quad in quads:
            if is_plain(quad):
                continue
            if isinstance(quad.subject, ox.BlankNode):
                self.about.setdefault(quad.subject, []).append(quad)
            if isinstance(quad.object, ox.BlankNode):
                self.leading_to.setdefault(quad.object, []).append(quad)
                self.references[quad.object] += 1
            if isinstance(quad.object, ox.Triple) or isinstance(quad.graph_name, ox.BlankNode):
                # A node in there cannot be in brackets elsewhere.
                for node in nodes_of((quad.object, quad.graph_name)):
                    self.references[node] += 2

    @cached_property
    def subjects(self) -> set[object]:
        """The subjects of the quads."""
        return {quad.subject for quad in self.quads}

    @cached_property
    def nested(self) -> dict[ox.BlankNode, list[ox.Quad]]:
        """The new nodes that one statement leads to, each with what is said of it."""
        if not self.located.document.brackets:
            return {}
        return {
            node: about
            for node, about in self.about.items()
            if node not in self.located.nodes
            and self.references[node] == 1
            and not self._leads_to(node, node)
        }

    def _leads_to(self, node: ox.BlankNode, wanted: ox.BlankNode) -> bool:
        open_, seen = [node], {node}
        while open_:
            for quad in self.about.get(open_.pop(), ()):
                value = quad.object
                if value == wanted:
                    return True
                if isinstance(value, ox.BlankNode) and value not in seen:
                    seen.add(value)
                    open_.append(value)
        return False

    def items(self, head: ox.BlankNode) -> list[Term] | None:
        """Return the items of what is a list in the text; None where it is none any more."""
        cells = {*self.located.lists[head][1:]} | (self.nodes - self.located.nodes)
        items: list[Term] = []
        cell: Term = head
        seen = set()
        while isinstance(cell, ox.BlankNode):
            about = self.about.get(cell, [])
            firsts = [quad.object for quad in about if quad.predicate == FIRST]
            rests = [quad.object for quad in about if quad.predicate == REST]
            is_cell = cell == head or (
                cell in cells and len(about) == 2 and self.references[cell] == 1  # noqa: PLR2004
            )
            if len(firsts) != 1 or len(rests) != 1 or not is_cell or cell in seen:
                return None
            seen.add(cell)
            items += firsts
            cell = rests[0]
        return items if cell == NIL else None


def free_labels(document: Document) -> Iterator[str]:
    """Yield labels of blank nodes that a text does not have, in the syntax of Turtle."""
    return (f"_:b{n}" for n in count(1) if f"b{n}".encode() not in document.data)
