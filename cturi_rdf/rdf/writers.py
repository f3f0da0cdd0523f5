"""Writing triples without blank nodes, in the order in which they come.

rdflib's serialisers take any graph, and ask it many questions for each subject.  Here nothing
is asked, so that a graph need not even be made: the whole registry is written in less time
than rdflib takes to write it, and in Turtle in a tenth of that.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from rdflib import RDF, XSD, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from rdflib.term import Node

    from cturi_rdf.rdf.describe import Triple

    # Subject -> property -> values, in the order in which they came.
    Sections = dict[Node, dict[Node, dict[Node, None]]]

__all__ = ["WRITERS"]

_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
# N-Triples section 2.4.
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r"})

# XML section 2.11: one that is not a reference is read as a line feed.
_RETURN = {"\r": "&#13;"}


def n_triples(triples: Iterable[Triple], prefixes: Mapping[str, str]) -> Iterator[str]:  # noqa: ARG001 - as the others
    r"""Yield N-Triples, each once.

    >>> from rdflib import DCTERMS, URIRef
    >>> said = [(URIRef("http://a.example/"), DCTERMS.title, Literal('"A"', lang="en"))]
    >>> print("".join(n_triples(said, {})), end="")
    <http://a.example/> <http://purl.org/dc/terms/title> "\"A\""@en .
    """
    names = _Names(_full)
    for subject, path, value in dict.fromkeys(triples):
        yield f"{names[subject]} {names[path]} {names[value]} .\n"


def turtle(triples: Iterable[Triple], prefixes: Mapping[str, str]) -> Iterator[str]:
    """Yield Turtle, a block a subject.

    >>> from rdflib import DCTERMS, URIRef
    >>> said = [(URIRef("http://a.example/"), DCTERMS.title, Literal("A", lang="en"))]
    >>> print("".join(turtle(said, {"dct": str(DCTERMS)})), end="")
    @prefix dct: <http://purl.org/dc/terms/> .
    <BLANKLINE>
    <http://a.example/> dct:title "A"@en .
    """
    names = _Names(lambda term: _short(term, prefixes))
    verbs = _Names(names.__getitem__)
    verbs[RDF.type] = "a"
    for prefix, namespace in prefixes.items():
        yield f"@prefix {prefix}: <{namespace}> .\n"
    for subject, said in _sections(triples).items():
        yield f"\n{names[subject]} "
        yield " ;\n    ".join(
            f"{verbs[path]} {', '.join(map(names.__getitem__, values))}"
            for path, values in said.items()
        )
        yield " .\n"


def rdf_xml(triples: Iterable[Triple], prefixes: Mapping[str, str]) -> Iterator[str]:
    """Yield RDF/XML, an element a subject.

    Raises `ValueError` for a property that none of the prefixes makes a name of XML.

    >>> from rdflib import DCTERMS, URIRef
    >>> said = [(URIRef("http://a.example/"), DCTERMS.title, Literal("A & B", lang="en"))]
    >>> print("".join(rdf_xml(said, {"rdf": str(RDF), "dct": str(DCTERMS)})).splitlines()[3])
        <dct:title xml:lang="en">A &amp; B</dct:title>
    """
    names, attributes = _Names(lambda term: _prefixed(term, prefixes)), _Names(_attribute)
    yield '<?xml version="1.0" encoding="utf-8"?>\n<rdf:RDF'
    for prefix, namespace in prefixes.items():
        yield f" xmlns:{prefix}={quoteattr(namespace)}"
    yield ">\n"
    for subject, said in _sections(triples).items():
        yield f"  <rdf:Description rdf:about={quoteattr(str(subject))}>\n"
        for path, values in said.items():
            name = names[path]
            if not name:
                raise ValueError(f"no prefix for {path}")
            for value in values:
                start = f"    <{name}{attributes[value]}"
                if isinstance(value, Literal):
                    yield f"{start}>{escape(value, _RETURN)}</{name}>\n"
                else:
                    yield f"{start}/>\n"
        yield "  </rdf:Description>\n"
    yield "</rdf:RDF>\n"


def json_ld(triples: Iterable[Triple], prefixes: Mapping[str, str]) -> Iterator[str]:  # noqa: ARG001
    """Yield JSON-LD in its expanded form, a line a subject.

    >>> from rdflib import DCTERMS, URIRef
    >>> said = [(URIRef("http://a.example/"), DCTERMS.title, Literal("A"))]
    >>> print("".join(json_ld(said, {})).splitlines()[1])
    {"@id": "http://a.example/", "http://purl.org/dc/terms/title": [{"@value": "A"}]}
    """
    values: dict[Node, dict[str, str]] = {}
    comma = "[\n"
    for subject, said in _sections(triples).items():
        section: dict[str, object] = {"@id": str(subject)}
        for path, those in said.items():
            for each in those:
                if each not in values:
                    values[each] = _object(each)
            section[str(path)] = [values[each] for each in those]
        yield comma + json.dumps(section, ensure_ascii=False)
        comma = ",\n"
    yield "\n]\n"


# By the names that rdflib has for the formats; what has no named graphs is TriG and N-Quads too.
WRITERS = {
    "nt": n_triples, "nquads": n_triples, "turtle": turtle, "trig": turtle, "n3": turtle,
    "xml": rdf_xml, "json-ld": json_ld,
}  # fmt: skip


class _Names(dict["Node", str]):
    """What terms are written as, each made once."""

    def __init__(self, make: Callable[[Node], str]) -> None:
        self._make = make

    def __missing__(self, term: Node) -> str:
        name = self[term] = self._make(term)
        return name


def _sections(triples: Iterable[Triple]) -> Sections:
    """Return what is said of each subject, each triple once."""
    sections: Sections = {}
    for subject, path, value in triples:
        try:
            sections[subject][path][value] = None
        except KeyError:
            sections.setdefault(subject, {}).setdefault(path, {})[value] = None
    return sections


def _full(term: Node) -> str:
    """Return a term as in N-Triples."""
    if not isinstance(term, Literal):
        return f"<{term}>"
    text = f'"{str(term).translate(_ESCAPED)}"'
    if term.language:
        return f"{text}@{term.language}"
    return f"{text}^^<{term.datatype}>" if term.datatype else text


def _short(term: Node, prefixes: Mapping[str, str]) -> str:
    """Return a term as in Turtle."""
    if not isinstance(term, Literal):
        return _prefixed(term, prefixes) or f"<{term}>"
    if term.datatype == XSD.boolean:
        return str(term)
    if term.datatype:
        return f"{_full(Literal(str(term)))}^^{_short(term.datatype, prefixes)}"
    return _full(term)


def _prefixed(term: Node, prefixes: Mapping[str, str]) -> str:
    """Return an IRI as a prefixed name, or ``""`` where it has none that is one in XML too."""
    iri = str(term)
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
            return f"{prefix}:{iri[len(namespace) :]}"
    return ""


def _attribute(value: Node) -> str:
    """Return the attribute of a property element in RDF/XML, or ``""``."""
    if not isinstance(value, Literal):
        return f" rdf:resource={quoteattr(str(value))}"
    if value.language:
        return f" xml:lang={quoteattr(value.language)}"
    return f" rdf:datatype={quoteattr(value.datatype)}" if value.datatype else ""


def _object(value: Node) -> dict[str, str]:
    """Return a node or value object of JSON-LD."""
    if not isinstance(value, Literal):
        return {"@id": str(value)}
    if value.language:
        return {"@value": str(value), "@language": value.language}
    typed = {"@type": str(value.datatype)} if value.datatype else {}
    return {"@value": str(value)} | typed
