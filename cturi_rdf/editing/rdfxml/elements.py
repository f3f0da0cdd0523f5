"""The elements of RDF/XML that are open while a file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.rdfxml.syntax import ABOUT, ID, NODE_ID
from cturi_rdf.editing.terms import iri

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Markup", "Node", "Property"]


class Node:
    """A node element, in which property elements are expected."""

    __slots__ = (
        "_attributes", "_plain", "_subject", "base", "ends", "language", "members", "namespaces",
    )  # fmt: skip

    def __init__(
        self,
        base: str | None,
        language: str,
        attributes: Mapping[str, str],
        namespaces: Mapping[str, str],
    ) -> None:
        self.base = base
        self.language = language
        self.namespaces = namespaces
        # How many elements rdf:li it has.
        self.members = 0
        # The property element that ends with this node (rdf:parseType="Resource").
        self.ends: Property | None = None
        self._attributes = attributes
        self._subject: ox.NamedNode | ox.BlankNode | None = None
        self._plain: Property | None = None

    @property
    def plain(self) -> Property:
        """A property element that nobody asked for, of which nothing has to be known."""
        if self._plain is None:
            self._plain = Property(self.base, self.language)
        return self._plain

    def subject(self) -> ox.NamedNode | ox.BlankNode | None:
        """Return the subject of the node's statements; None for a relative IRI without base."""
        if self._subject is None:
            given = self._attributes
            if (about := given.get(ABOUT)) is not None:
                self._subject = iri(about, self.base)
            elif (name := given.get(ID)) is not None:
                self._subject = iri(f"#{name}", self.base)
            elif (name := given.get(NODE_ID)) is not None:
                self._subject = ox.BlankNode(name)
            else:
                self._subject = ox.BlankNode()
        return self._subject


class Property:
    """A property element, or rdf:RDF, in which node elements are expected."""

    __slots__ = (
        "attributes", "base", "ends", "is_list", "is_root", "language", "name", "namespaces",
        "nodes", "owner", "predicate", "start", "target", "text",
    )  # fmt: skip

    def __init__(self, base: str | None, language: str) -> None:
        self.base = base
        self.language = language
        # The predicate if its statement is asked for.
        self.predicate: str | None = None
        self.name = ""
        self.owner: Node | None = None
        self.start = -1
        self.namespaces: Mapping[str, str] = {}
        self.attributes: dict[str, str] = {}
        # The node elements in it, each with the place of its name.
        self.nodes: list[tuple[Node, tuple[int, int]]] = []
        # The node that its attributes name.
        self.target: Node | None = None
        self.text: list[str] | None = None
        self.is_list = self.is_root = False
        self.ends: Property | None = None


class Markup:
    """A literal of XML, in which any elements may be."""

    __slots__ = ("ends", "inner")

    def __init__(self, ends: Property | None) -> None:
        self.ends = ends
        self.inner = self if ends is None else Markup(None)
