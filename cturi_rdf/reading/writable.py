"""The terms that a format can hold, and the check that a written text can be read again."""

from __future__ import annotations

import re
from collections import deque
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote
from xml.parsers import expat

import pyoxigraph as ox

from cturi_rdf._util.references import resolve_reference
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.terms import (
    DOCUMENT,
    NOT_IN_IRI,
    NOT_LEGAL,
    SENTINEL,
    is_random,
    legal_iri,
    lenient_node,
    relative,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cturi_rdf.reading.formats import Format


_SPECIAL = re.compile(rf"{re.escape(SENTINEL)}|{NOT_LEGAL}|#[^#]*#")
_ABSOLUTE = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")
# XML 1.0 section 2.3, a part of NCName: blank node labels that every syntax accepts.
_LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
# What a label with a number begins with.
_NUMBERED = "node"
# XML 1.0 section 2.2: characters that no document has, not even as a reference.
_NOT_IN_XML = r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
# The name at the end of an IRI, read from its end, about as XML 1.0 section 2.3 has it.
_NAME_REVERSED = re.compile(r"[\w.-]*[^\W\d]")
# RDF/XML sections 6 and 7.2.7: an element with one of these names is no property, or another one.
_SYNTAX = {
    f"http://www.w3.org/1999/02/22-rdf-syntax-ns#{name}"
    for name in (
        "RDF", "ID", "about", "parseType", "resource", "nodeID", "datatype", "Description", "li",
        "aboutEach", "aboutEachPrefix", "bagID",
    )
}  # fmt: skip


class Writable:
    """Makes terms that a format can hold: relative IRIs relative again, other IRIs legal."""

    def __init__(self, form: Format, target: str, base: str | None = None) -> None:
        self.form = form
        self.target = target
        self._base = base
        # The IRIs that were percent-encoded, and the graphs that became one.
        self.encoded: set[str] = set()
        self.merged: set[str] = set()
        self._labels: dict[str, str] = {}
        self._node = lru_cache(1 << 14)(lambda iri: lenient_node(self.iri(iri)))

    def quad(self, quad: ox.Quad) -> ox.Quad:
        """Return a quad whose terms the format can hold.

        Raises `CatalogError` for a predicate or a value that it cannot hold.
        """
        if self.form.name == "json-ld" and isinstance(quad.object, ox.Triple):
            problem = f"JSON-LD cannot hold the triple term {quad.object}"
            raise CatalogError(problem, self.target, "another format, such as Turtle")
        predicate = quad.predicate
        if self.form.name == "xml":
            # Names of elements are not resolved (RDF 1.1 XML Syntax section 6.1.2).
            if self._base and predicate.value.startswith(SENTINEL):
                predicate = ox.NamedNode(resolve_reference(relative(predicate.value), self._base))
            text = quad.object.value if isinstance(quad.object, ox.Literal) else ""
            subject: object = quad.subject
            if isinstance(subject, ox.NamedNode):
                subject = f"<{relative(subject.value)}>"
            check_statement(subject, predicate.value, text, self.target)
        graph = quad.graph_name
        if not self.form.datasets and not isinstance(graph, ox.DefaultGraph):
            self.merged.add(str(graph))
            graph = ox.DefaultGraph()
        return ox.Quad(*map(self._term, (quad.subject, predicate, quad.object, graph)))

    @staticmethod
    def prefixes(all_prefixes: Mapping[str, str]) -> dict[str, str]:
        """Return the prefixes whose namespaces are absolute IRIs, which Oxigraph asks for."""
        return {
            prefix: iri
            for prefix, iri in all_prefixes.items()
            if not _SPECIAL.search(iri) and _ABSOLUTE.match(iri)
        }

    def _term(self, term: Any) -> Any:
        if isinstance(term, ox.NamedNode):
            return self._node(term.value) if _SPECIAL.search(term.value) else term
        if isinstance(term, ox.BlankNode):
            return ox.BlankNode(self._label(term.value))
        if isinstance(term, ox.Triple):
            return ox.Triple(*map(self._term, term))
        if isinstance(term, ox.Literal) and _SPECIAL.search(term.datatype.value):
            return ox.Literal(term.value, datatype=self._node(term.datatype.value))
        return term

    def _label(self, label: str) -> str:
        """Return a label that every syntax accepts: a number where a parser made it up.

        Two readings number the same nodes alike.  A label of the file that looks like such a
        number gets a line below it.
        """
        if is_random(label):
            return self._labels.setdefault(label, f"{_NUMBERED}{len(self._labels)}")
        if not _LABEL.fullmatch(label):
            return f"b_{label.encode().hex()}"
        return f"{label}_" if re.fullmatch(rf"{_NUMBERED}[0-9]+_*", label) else label

    def iri(self, iri: str) -> str:
        """Return an IRI as the format can hold it: relative, absolute, or percent-encoded.

        Raises `CatalogError` for a relative one where the format has none, and there is no base.
        """
        text = relative(iri)
        if text != iri and self.form.by_lines:
            if not self._base:
                problem = f"{self.form.name} cannot hold the relative IRI <{text}>"
                raise CatalogError(problem, self.target, "a base IRI, or another format")
            text = resolve_reference(text, self._base)
        if self.form.any_iri:
            return text
        legal = legal_iri(text, lambda character: quote(character, safe=""))
        if legal != text:
            self.encoded.add(text)
        return legal


@lru_cache(1 << 10)
def _is_property(predicate: str) -> bool:
    """Return whether an element of RDF/XML can be named after a predicate."""
    name = _NAME_REVERSED.match(predicate[::-1])
    return bool(name) and predicate not in _SYNTAX and not NOT_IN_IRI.search(predicate)


def check_statement(subject: object, predicate: str, text: str, target: str) -> None:
    r"""Raise `CatalogError` for a predicate, or the text of a value, that RDF/XML cannot hold.

    >>> check_statement("<a:b>", "http://purl.org/dc/terms/format", "a\tb", "out.rdf")
    """
    if predicate.startswith(SENTINEL):
        problem = f"RDF/XML cannot hold the relative predicate <{relative(predicate)}> of {subject}"
        expected = "a base IRI, or another format (RDF 1.1 XML Syntax section 6.1.2)"
        raise CatalogError(problem, target, expected)
    if not _is_property(predicate):
        raise CatalogError(
            f"RDF/XML cannot hold the predicate <{relative(predicate)}> of {subject}, which no"
            " element can be named after",
            target,
            "another format, such as Turtle (RDF 1.1 XML Syntax section 6)",
        )
    character = character_not_in_xml(text)
    if character:
        raise CatalogError(
            f"RDF/XML cannot hold {character}, which is in a value of <{predicate}> of {subject}",
            target,
            "another format, such as Turtle (XML 1.0 section 2.2)",
        )


def character_not_in_xml(text: str) -> str | None:
    r"""Return the first character that no XML document can hold, such as ``U+0001``, or None.

    >>> character_not_in_xml("a\tb"), character_not_in_xml("a\x01b")
    (None, 'U+0001')
    """
    match = None if text.isprintable() else re.search(_NOT_IN_XML, text)
    return match and f"U+{ord(match[0]):04X}"


def readable(form: Format, target: str) -> Callable[[IO[bytes]], None]:
    """Return a function that reads a new text of `target` before it replaces the old one.

    It raises `CatalogError` where the text is not valid in the format.
    """

    def check(file: IO[bytes]) -> None:
        try:
            if form.name == "xml":
                expat.ParserCreate(namespace_separator=" ").ParseFile(file)
                file.seek(0)
            deque(form.parse(file, DOCUMENT), maxlen=0)
        except (SyntaxError, expat.ExpatError) as error:
            problem = f"it cannot be written, because it could not be read again ({error})"
            expected = f"what {form.name} can hold, or another format"
            raise CatalogError(problem, target, expected) from error

    return check
