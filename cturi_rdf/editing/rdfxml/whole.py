"""Elements of RDF/XML that go or move as a whole.

An element goes with everything in it where no statement in it stays.  A node that is described
inside of a property moves behind the outermost element around it, as it is written, where the
property cannot hold it any more; an anonymous one gets an `rdf:nodeID`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.edit import Add, Append, Edit, Remove, Replace
from cturi_rdf.editing.located_graph import Tally, free_labels
from cturi_rdf.editing.rdfxml.tags import QualifiedNames, Style, attributes_of, tag_name
from cturi_rdf.editing.rdfxml.write import DESCRIPTION, TYPE
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cturi_rdf.editing.document import Statement
    from cturi_rdf.editing.edit import Change, Piece
    from cturi_rdf.editing.located_graph import GraphAfter, LocatedGraph, Node
    from cturi_rdf.editing.rdfxml import XmlDocument


_REST = re.compile(rb"[ \t]*(\r\n?|\n)")
_PARSE_TYPE = re.compile(rb"""\s+[^\s=]*parseType\s*=\s*(?:"[^"]*"|'[^']*')""")
_RDF = ox.NamedNode(TYPE)


def whole_elements(
    document: XmlDocument, changes: list[Change], located: LocatedGraph, after: GraphAfter
) -> tuple[list[Change], list[Piece]]:
    """Return the changes without those of whole elements, and the edits that make these."""
    return _Whole(document, changes, located, after).parts()


class _Whole:
    """One run: the elements of whose statements none stays."""

    def __init__(
        self, document: XmlDocument, changes: list[Change], located: LocatedGraph, after: GraphAfter
    ) -> None:
        self._document, self._changes = document, changes
        self._elements = elements = document.elements
        tally = Tally(changes, located, after, self._around)
        # Elements beside which a statement is added stay.
        added = (change.statement for change in changes if isinstance(change, Add))
        kept = {n for one in added for n in list(self._around(one))[self._skipped(one) :]}
        self._gone = set(filter(elements.is_on_top, tally.going() - kept))
        self._emptied = set(filter(elements.is_property, tally.emptied() - kept))

    def _skipped(self, statement: Statement) -> int:
        """Return how many elements around a statement can go when one is added beside it."""
        return int(statement.handle.kind not in {"attribute", "type"})

    def _around(self, statement: Statement) -> Iterator[int]:
        """Yield the elements around a statement, its own first."""
        number = -1 if statement.handle is None else statement.handle.number
        while number >= 0:
            yield number
            number = self._elements.parents[number]

    def parts(self) -> tuple[list[Change], list[Piece]]:
        """Return the changes that are left, and the edits of whole elements."""
        document, elements = self._document, self._elements
        gone, emptied = self._gone, self._emptied
        document.emptied = {elements.starts[number] for number in emptied}
        pieces = [(*self._lines(number), b"", 0) for number in gone]
        left: list[Change] = []
        for change in self._changes:
            if isinstance(change, Add | Append):
                left.append(change)
                continue
            statement = change.statement
            own, *around = self._around(statement) if statement.handle else (-1,)
            if not gone.isdisjoint((own, *around)) and isinstance(change, Remove):
                continue
            if own == -1 or (not emptied.isdisjoint(around) and isinstance(change, Remove)):
                # What has no place goes with what is around it: the law tells.
                continue
            if (name := _new_name(change)) and (renaming := self._named(own, name)):
                pieces += renaming
            elif statement.handle.kind == "type":
                others, renaming = self._typed(own, change)
                left += others
                pieces += renaming
            else:
                left.append(change)
        return left, pieces

    def _typed(self, number: int, change: Remove | Replace) -> tuple[list[Add], list[Piece]]:
        """Return the edits that give a node element another name, and what that cannot say."""
        others: list[Add] = []
        pieces: list[Piece] = []
        if isinstance(change, Replace):
            path, value = change.predicate or _RDF, change.object
            if path == _RDF and isinstance(value, ox.NamedNode):
                pieces = self._named(number, value.value)
            if not pieces:
                others.append(Add(change.statement, path, value))
        pieces = pieces or self._named(number, DESCRIPTION)
        if not pieces:
            raise self._document.refusal("a type cannot be removed there", change.statement.start)
        return others, pieces

    def _named(self, number: int, iri: str) -> list[Piece]:
        """Return the edits that give an element another name; none without a prefix for it."""
        elements, data = self._elements, self._document.data
        names = QualifiedNames(self._document.root.namespaces)
        name = names.element(iri, elements.namespaces[number])
        if name is None or name[1] or names.declared:
            return []
        return [(*span, name[0].encode(), 0) for span in elements.name_spans(number, data)]

    def _lines(self, number: int) -> tuple[int, int]:
        """Return the span of an element, with the lines that it has to itself."""
        document, elements = self._document, self._elements
        start, end = elements.starts[number], elements.ends[number]
        line, rest = document.line_start(start), _REST.match(document.data, end)
        if rest and not document.data[line:start].strip():
            return line, rest.end()
        return start, end


def _new_name(change: Remove | Replace) -> str | None:
    """Return the predicate of a property element that keeps its object and nothing else."""
    if not isinstance(change, Replace) or change.predicate is None:
        return None
    is_same = change.object == change.statement.object and change.statement.handle.end >= 0
    return change.predicate.value if is_same else None


def move_out(
    document: XmlDocument, homes: Mapping[Node, Statement], nodes: set[Node]
) -> list[Edit]:
    """Return the edits that move the outermost of some nodes behind the elements around them.

    Raises `EditError` for a node that stands nowhere, or in a file without rdf:RDF.
    """
    elements, labels = document.elements, free_labels(document)
    edits: list[Edit] = []
    reached = -1
    for node in sorted(nodes, key=lambda node: homes[node].start if node in homes else -1):
        home = homes.get(node)
        if home is None:
            edits.append(_named(document, node, next(labels)[2:]))
            continue
        if home.handle is None or document.root.is_node or home.handle.kind != "node":
            raise document.refusal("a node cannot be moved out of there", home.start)
        number = home.handle.number
        if elements.starts[number] < reached:
            continue
        reached = elements.ends[number]
        label = None if isinstance(node, ox.NamedNode) else next(labels)[2:]
        edits += _moved(document, number, label)
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def _moved(document: XmlDocument, number: int, label: str | None) -> Iterator[Edit]:
    """Yield the edits that move the node in a property behind the outermost element."""
    elements, data = document.elements, document.data
    start, opened = elements.starts[number], elements.opens[number]
    close, end = elements.closes[number], elements.ends[number]
    names = QualifiedNames(document.root.namespaces)
    scope = elements.namespaces[number]
    tag = data[start : opened - 1].rstrip(b"/")
    if elements.is_resource(number) and label is not None:
        name = names.qualified(RDF_NS, "Description", scope)[0].encode()
        named = b" " + names.attribute(f"{RDF_NS}nodeID", scope)[0].encode() + b'="%b"'
        reference = named % label.encode()
        inner = data[opened:close] if close > opened else b""
        moved = b"<%b%b>%b</%b>" % (name, reference, inner, name)
        tag, around = _PARSE_TYPE.sub(b"", tag), b""
    else:
        child = number + 1
        if child >= len(elements.starts) or elements.parents[child] != number:
            raise document.refusal("a node cannot be moved out of there", start)
        first, last = elements.starts[child], elements.ends[child]
        moved, reference = _node(document, child, label)
        around = (data[opened:first] + data[last:close]).strip()
    top = number
    while not elements.is_on_top(top):
        top = elements.parents[top]
    indentation = Style(document, document.root).indentation(elements.starts[top])
    yield Edit(start, end, tag + reference + b"/>" + around)
    yield Edit(elements.ends[top], elements.ends[top], indentation + moved)


def _node(document: XmlDocument, child: int, label: str | None) -> tuple[bytes, bytes]:
    """Return a node element with a name, and the attribute that names it in a property.

    Raises `EditError` for a node with an `rdf:ID`, or with no name.
    """
    elements, data = document.elements, document.data
    start = elements.starts[child]
    text, scope = data[start : elements.ends[child]], elements.namespaces[child]
    names = QualifiedNames(document.root.namespaces)
    resource = names.attribute(f"{RDF_NS}resource", scope)[0].encode()
    for name, (value, end) in attributes_of(data, start):
        local = name.rpartition(b":")[2]
        if local in {b"about", b"nodeID"}:
            key, quoted = resource if local == b"about" else name, data[value - 1 : end + 1]
            return text, b" %b=%b" % (key, quoted)
    if label is None:
        raise document.refusal("a node cannot be moved out of there", start)
    attribute = f' {names.attribute(f"{RDF_NS}nodeID", scope)[0]}="{label}"'.encode()
    place = 1 + len(tag_name(data, start))
    return text[:place] + attribute + text[place:], attribute


def _named(document: XmlDocument, node: Node, label: str) -> Edit:
    """Return the edit that gives a node element on top a name."""
    elements = document.elements
    for statement in document.statements:
        number = -1 if statement.handle is None else statement.handle.owner
        if statement.subject == node and number >= 0 and not elements.is_property(number):
            names = QualifiedNames(document.root.namespaces)
            name = names.attribute(f"{RDF_NS}nodeID", elements.namespaces[number])[0]
            place = elements.name_spans(number, document.data)[0][1]
            return Edit(place, place, f' {name}="{label}"'.encode())
    raise document.refusal("a blank node cannot be given a label there", 0)
