"""How a Turtle file spells terms and where it breaks lines."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIX_OF
from cturi_rdf.editing.edit import EditError
from cturi_rdf.editing.located_graph import FIRST, NIL, REST
from cturi_rdf.editing.turtle.terms import SPACE, STRING, TYPE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cturi_rdf.editing.document import Document
    from cturi_rdf.editing.turtle.terms import Terms


# The directives at the head of a file, `@prefix` and `PREFIX` told apart; a byte order mark first.
_DIRECTIVE = re.compile(
    rb"%b(?:(@prefix|(?i:prefix)(?=[ \t\r\n#]))%b[\w\-.\x80-\xff]*:"
    rb"|@?(?i:base|version))%b(?:<[^<>]*>|%b)(?:%b\.)?"
    % (*[SPACE.pattern] * 3, STRING.pattern, SPACE.pattern)
)
_START = re.compile(rb"(?:\xef\xbb\xbf)?")
# What Turtle reads as a literal of a datatype without quotes (Turtle sections 2.5.2 and 2.5.3).
_BARE = {
    f"http://www.w3.org/2001/XMLSchema#{name}": re.compile(pattern)
    for name, pattern in (
        ("boolean", "true|false"),
        ("integer", "[+-]?[0-9]+"),
        ("decimal", r"[+-]?[0-9]*\.[0-9]+"),
        ("double", r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+"),
    )
}
# A local name that needs no escape in any version of Turtle; it may be empty.
_LOCAL = re.compile(r"(?:[A-Za-z0-9_](?:[\w\-]*\w)?)?", re.ASCII)


class Style:
    """The line ends of a file, the space before a semicolon, and one level of indentation."""

    def __init__(self, document: Document) -> None:
        data = document.data
        self.line_end = document.line_end
        spaced = 2 * data.count(b" ;") >= data.count(b";")
        self.semicolon = b" ;" if spaced else b";"
        indented = re.search(rb"(?<=[\r\n])(?:\t+| +)(?=[^\s#])", data)
        self.indentation = indented[0] if indented else b"    "
        # Where a prefix can be declared, and how, if the head of the file declares any.
        self.declaration: tuple[int, bytes] | None = None
        match = _START.match(data)
        while match and (match := _DIRECTIVE.match(data, match.end())):
            if match[1]:
                sparql = not match[1].startswith(b"@")
                form = match[1] + (b" %b: <%b>" if sparql else b" %b: <%b> .")
                self.declaration = match.end(), self.line_end + form


class Spelling:
    """Writes terms with the prefixes of the file that are in force at a place.

    Where the head of the file declares prefixes, customary ones that the file lacks are used as
    well; `declared` has those that were needed.  `nested` are blank nodes to write where they are
    used, each with the quads about it.
    """

    def __init__(
        self,
        terms: Terms,
        name: str,
        *,
        declares: bool,
        size: int,
        nested: Mapping[ox.BlankNode, Sequence[ox.Quad]] = MappingProxyType({}),
    ) -> None:
        self._terms = terms
        self._name = name
        self._nested = nested
        self.declared: dict[str, str] = {}
        own = terms.prefixes(size)
        self._customary = {
            namespace: prefix
            for namespace, prefix in PREFIX_OF.items()
            if declares and prefix.encode() not in own and prefix != "ct"
        }
        self._version = -1
        self._namespaces: list[tuple[str, str]] = []
        self._written: dict[object, bytes] = {}

    def at(self, offset: int) -> Spelling:
        """Return the spelling at a place."""
        version = self._terms.version(offset)
        if version != self._version:
            prefixes = self._terms.prefixes(offset)
            # The longest namespace first; of equal ones the shortest prefix.
            self._namespaces = sorted(
                ((iri, prefix.decode()) for prefix, iri in prefixes.items() if iri),
                key=lambda pair: (-len(pair[0]), len(pair[1]), pair[1]),
            )
            self._version = version
            self._written.clear()
        return self

    def verb(self, predicate: ox.NamedNode) -> bytes:
        """Return a predicate as it is written."""
        return b"a" if predicate == TYPE else self.term(predicate)

    def pair(self, predicate: ox.NamedNode, value: object) -> bytes:
        """Return a predicate and an object as they are written; files repeat the same ones."""
        key = predicate, value
        written = self._written.get(key)
        if written is None:
            written = self._written[key] = self.verb(predicate) + b" " + self.term(value)
        return written

    def term(self, term: object) -> bytes:
        """Return a term as it is written.  Raises `EditError` for a node without a label."""
        written = self._written.get(term)
        if written is None:
            written = self._written[term] = self._spell(term).encode()
        return written

    def _spell(self, term: object) -> str:
        if isinstance(term, ox.NamedNode):
            return self._iri(term)
        if isinstance(term, ox.BlankNode) and term in self._nested:
            return self._in_brackets(term)
        if isinstance(term, ox.BlankNode) and self._terms.is_anonymous(term):
            raise EditError(
                "an anonymous blank node cannot be written a second time",
                self._name,
                "an IRI, a literal or a blank node with a label",
            )
        if isinstance(term, ox.Literal):
            bare = _BARE.get(term.datatype.value)
            if bare and bare.fullmatch(term.value):
                return term.value
            text = str(term)
            if text.endswith(">"):
                return text[: text.rindex("<")] + self._iri(term.datatype)
            return text
        if isinstance(term, ox.Triple):
            return f"<<( {' '.join(self._spell(part) for part in term)} )>>"
        return str(term)

    def _in_brackets(self, node: ox.BlankNode) -> str:
        """Return a new node with all that is said of it: a list in round brackets."""
        items: list[str] = []
        cell: Any = node
        while (about := {quad.predicate: quad.object for quad in self._nested.get(cell, ())}) and (
            about.keys() == {FIRST, REST} and len(self._nested[cell]) == len(about)
        ):
            items.append(self._spell(about[FIRST]))
            if about[REST] == NIL:
                return f"( {' '.join(items)} )"
            cell = about[REST]
        quads = sorted(self._nested[node], key=lambda quad: (quad.predicate != TYPE, str(quad)))
        pairs = (f"{self.verb(q.predicate).decode()} {self._spell(q.object)}" for q in quads)
        return f"[ {' ; '.join(pairs)} ]"

    def _iri(self, node: ox.NamedNode) -> str:
        iri = node.value
        for namespace, prefix in (*self._namespaces, *self._customary.items()):
            if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
                if self._customary.get(namespace) == prefix:
                    self.declared[prefix] = namespace
                return f"{prefix}:{iri[len(namespace) :]}"
        return str(node)
