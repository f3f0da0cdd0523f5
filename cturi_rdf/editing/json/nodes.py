"""Nodes, slots and literals of JSON-LD, as far as statements need them."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.editing.json.context import UNSET, Active, Term
from cturi_rdf.editing.terms import RDF_NS, iri, literal

if TYPE_CHECKING:
    from cturi_rdf.reading.json_scan import Scanned

__all__ = ["Node", "Slot", "ValuePlace", "literal_of", "node_of"]

_XSD = "http://www.w3.org/2001/XMLSchema#"
_INTEGER = ox.NamedNode(f"{_XSD}integer")
_DOUBLE = ox.NamedNode(f"{_XSD}double")
_BOOLEAN = ox.NamedNode(f"{_XSD}boolean")
_JSON = ox.NamedNode(f"{RDF_NS}JSON")
# From here on a number is a double (JSON-LD 1.1 API section 8.2.2, step 10).
_LARGE = 1e21


class ValuePlace(NamedTuple):
    """Where a statement stands.

    `kind` is `value` for a member's value or a part of it, `type` for a value of `@type`, and
    `reverse` where the member states the reverse.  Beside an element of a `list` and the `key` of a
    type map nothing can be written.  `holder` is the entry of the object, `member` that of its
    member, `entry` that of the value.  `active` is the context there and `term` the definition of
    the member's name.
    """

    kind: str
    holder: int
    member: int
    entry: int
    active: Active
    term: Term | None


class Node:
    """A node object or a cell of a list, whose subject is made when it is needed."""

    __slots__ = ("_active", "_id", "_subject", "scanned")

    def __init__(self, scanned: Scanned, active: Active, entry: int | str | None) -> None:
        """Take the entry of the member `@id`, or an IRI that stands for it, or None."""
        self.scanned = scanned
        self._active = active
        self._id = entry
        self._subject: ox.NamedNode | ox.BlankNode | None = None

    def subject(self) -> ox.NamedNode | ox.BlankNode | None:
        """Return the subject; None for a relative IRI without a base."""
        if self._subject is None:
            value = self.scanned.value(self._id) if isinstance(self._id, int) else self._id
            if isinstance(value, str):
                self._subject = node_of(self._active, value)
            else:
                self._subject = ox.BlankNode()
        return self._subject


class Slot(NamedTuple):
    """The subject and the predicate of the values of a member, and where the member stands.

    `kind` is that of the `ValuePlace`; where it is `reverse`, the values are the subjects.
    """

    owner: Node
    predicate: str
    active: Active
    graph: Any
    holder: int
    member: int
    kind: str = "value"


def node_of(
    active: Active, text: str, *, vocab: bool = False
) -> ox.NamedNode | ox.BlankNode | None:
    """Return the node that a string names; None if it names none."""
    expanded = active.expand(text, vocab=vocab, relative=True)
    if expanded is None or expanded.startswith("@"):
        return None
    if expanded.startswith("_:"):
        return _blank(expanded[2:])
    return iri(expanded)


def _blank(label: str) -> ox.BlankNode:
    """Return a blank node; a label that RDF does not allow is replaced by another one."""
    try:
        return ox.BlankNode(label)
    except ValueError:
        return ox.BlankNode(blake2b(label.encode(), digest_size=16).hexdigest())


def literal_of(
    value: Any,
    active: Active,
    term: Term | None,
    fields: dict[str, Any] | None = None,
) -> ox.NamedNode | ox.BlankNode | ox.Literal | None:
    """Return the term that a scalar stands for (JSON-LD 1.1 API sections 5.3.2 and 8.2.2).

    `fields` are the other members of a value object by their keywords; without them the
    definition of the term and the context say language and datatype.
    """
    if fields is None:
        kind = None if term is None else term.type
        language = active.language if term is None or term.language is UNSET else term.language
        direction = active.direction if term is None or term.direction is UNSET else term.direction
        if isinstance(value, str) and kind in {"@id", "@vocab"}:
            return node_of(active, value, vocab=kind == "@vocab")
        if kind == "@none":
            # As Oxigraph reads it; section 5.3.2, step 4, keeps the default language.
            language = None
        if kind in {"@id", "@vocab", "@none"}:
            kind = None
    else:
        kind = fields.get("@type")
        if isinstance(kind, str):
            kind = active.expand(kind, vocab=True, relative=True)
        language, direction = fields.get("@language"), fields.get("@direction")
    if kind == "@json":
        text = json.dumps(
            _canonical(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        return ox.Literal(text, datatype=_JSON)
    if value is None or isinstance(value, list | dict):
        return None
    datatype = iri(kind) if isinstance(kind, str) else None
    if isinstance(value, bool):
        return ox.Literal("true" if value else "false", datatype=datatype or _BOOLEAN)
    if isinstance(value, int | float):
        return _number(value, datatype)
    if datatype is not None or not isinstance(language, str):
        return literal(value, datatype=datatype)
    if isinstance(direction, str):
        base = ox.BaseDirection.RTL if direction == "rtl" else ox.BaseDirection.LTR
        return ox.Literal(value, language=language, direction=base)
    return literal(value, language)


def _number(value: float, datatype: ox.NamedNode | None) -> ox.Literal:
    """Return a number (section 8.2.2, steps 10 and 11)."""
    if datatype != _DOUBLE and abs(value) < _LARGE and value == int(value):
        return ox.Literal(str(int(value)), datatype=datatype or _INTEGER)
    mantissa, _, exponent = f"{float(value):.15E}".partition("E")
    mantissa = mantissa.rstrip("0")
    mantissa += "0" if mantissa.endswith(".") else ""
    return ox.Literal(f"{mantissa}E{int(exponent)}", datatype=datatype or _DOUBLE)


def _canonical(value: Any) -> Any:
    """Return JSON with numbers as RFC 8785 writes them."""
    if isinstance(value, float) and abs(value) < _LARGE and value == int(value):
        return int(value)
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in value.items()}
    return value
