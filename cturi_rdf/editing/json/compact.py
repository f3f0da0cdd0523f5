"""The names and values that a context reads as given terms (JSON-LD 1.1 API section 6)."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox

from cturi_rdf.editing.json.context import UNSET, Active, Term
from cturi_rdf.editing.json.nodes import literal_of, node_of
from cturi_rdf.editing.terms import RDF_NS

__all__ = ["key_of", "keyword", "node_object", "value_of"]

_TYPE = f"{RDF_NS}type"
_STRING = "http://www.w3.org/2001/XMLSchema#string"


def key_of(active: Active, predicate: str, value: object) -> str | None:
    """Return the shortest name that stands for a predicate and suits a value.

    A term, a compact IRI, a name of the vocabulary, or else the whole IRI; None where the
    context reads even that as something else.
    """
    kind = (
        predicate,
        type(value),
        getattr(value, "language", None),
        str(getattr(value, "datatype", "")),
    )
    if kind not in active.names:
        active.names[kind] = _key_of(active, predicate, value)
    return active.names[kind]


def _key_of(active: Active, predicate: str, value: object) -> str | None:
    terms = [
        (isinstance(value_of(active, term, value), dict), len(name), name)
        for name, term in active.terms.items()
        if term.iri == predicate and not term.reverse and term.container <= {"@set"}
    ]
    if terms and value_of(active, active.terms[min(terms)[2]], value) is not None:
        return min(terms)[2]
    return _compact(active, predicate, vocab=True, terms=False)


def _compact(active: Active, iri: str, *, vocab: bool, terms: bool) -> str | None:
    """Return the shortest text that a context expands to an IRI."""
    names = []
    for name, term in active.terms.items():
        if term.iri and term.prefix and iri.startswith(term.iri) and iri != term.iri:
            names.append(f"{name}:{iri.removeprefix(term.iri)}")
        elif terms and vocab and term.iri == iri:
            names.append(name)
    if vocab and active.vocab and iri.startswith(active.vocab):
        names.append(iri.removeprefix(active.vocab))
    for name in [*sorted(names, key=len), iri]:
        if (
            name
            and (terms or name not in active.terms)
            and active.expand(name, vocab=vocab, relative=True) == iri
        ):
            return name
    return None


def keyword(active: Active, name: str) -> str:
    """Return the alias of a keyword that a context defines, or the keyword."""
    aliases = [alias for alias, term in active.terms.items() if term.iri == name]
    return min(aliases, key=len, default=name)


def value_of(active: Active, term: Term | None, value: object) -> Any:
    """Return the JSON that a context reads as a value of a term; None if there is none."""
    scoped = term is not None and term.context is not UNSET

    def name(word: str) -> str:
        return word if scoped else keyword(active, word)

    if isinstance(value, ox.Literal):
        if literal_of(value.value, active, term) == value:
            return value.value
        value_object = {name("@value"): value.value}
        fields = {}
        if value.language:
            fields["@language"] = value.language
            if value.direction:
                fields["@direction"] = value.direction.value
        elif value.datatype.value != _STRING:
            kind = _compact(active, value.datatype.value, vocab=True, terms=False)
            fields["@type"] = kind or value.datatype.value
        if literal_of(value.value, active, None, dict(fields)) != value:
            return None
        return value_object | {name(word): text for word, text in fields.items()}
    if isinstance(value, ox.NamedNode):
        text = value.value
        if term is not None and term.type in {"@id", "@vocab"}:
            vocab = term.type == "@vocab"
            return text if node_of(active, text, vocab=vocab) == value else None
        return {name("@id"): text} if node_of(active, text) == value else None
    if isinstance(value, ox.BlankNode):
        return {name("@id"): str(value)}
    return None


def node_object(active: Active, subject: object, quads: list[ox.Quad]) -> dict[str, Any] | None:
    """Return a node object with the statements about one subject; None if there is none."""
    named = value_of(active, None, subject)
    if named is None:
        return None
    node: dict[str, Any] = dict(named)
    for quad in quads:
        if quad.predicate.value == _TYPE and isinstance(quad.object, ox.NamedNode):
            key = keyword(active, "@type")
            compacted: Any = _compact(active, quad.object.value, vocab=True, terms=True)
        else:
            key = key_of(active, quad.predicate.value, quad.object) or ""
            compacted = value_of(active, active.terms.get(key), quad.object)
        if not key or compacted is None:
            return None
        if key not in node:
            node[key] = compacted
        else:
            before = node[key]
            node[key] = [*(before if isinstance(before, list) else [before]), compacted]
    return node
