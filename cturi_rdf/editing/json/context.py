"""Active contexts of JSON-LD: the meanings of the names in a file (JSON-LD 1.1 API section 4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cturi_rdf.editing.terms import iri

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["UNSET", "Active", "Term", "process"]

# The value of what a context does not say; null would be something that it says.
UNSET: Any = object()
_KEYWORD = re.compile(r"@[A-Za-z]+\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# Members of a context that define no term (section 4.1.2, step 5.13).
_NO_TERMS = frozenset({
    "@base", "@direction", "@import", "@language", "@propagate", "@protected", "@version",
    "@vocab",
})  # fmt: skip
_GEN_DELIMS = tuple(":/?#[]@")


class Term:
    """The definition of a term (section 4.2)."""

    __slots__ = (
        "container", "context", "direction", "iri", "language", "prefix", "reverse", "type",
    )  # fmt: skip

    def __init__(self) -> None:
        self.iri: str | None = None
        self.reverse = self.prefix = False
        self.container: frozenset[str] = frozenset()
        self.type: str | None = None
        self.language: Any = UNSET
        self.direction: Any = UNSET
        self.context: Any = UNSET


class Active:
    """An active context: terms, base, vocabulary mapping, default language and direction."""

    def __init__(self, base: str | None) -> None:
        self.base = self.document_base = base
        self.vocab: str | None = None
        self.language: str | None = None
        self.direction: str | None = None
        self.terms: dict[str, Term] = {}
        # The context to go back to in the nodes inside (section 4.1, previous context).
        self.previous: Active | None = None
        # Whether a type may have a context of its own.
        self.has_scopes = False
        # The expansions of names, by their numbers, and the contexts made from this one.
        self.expansions: dict[int, tuple[str, Term | None, bool] | None] = {}
        self.derived: dict[Any, Active] = {}
        # The names that were chosen for new members.
        self.names: dict[Any, str | None] = {}

    def copy(self) -> Active:
        """Return a context that can be changed."""
        other = Active(self.document_base)
        other.base, other.vocab = self.base, self.vocab
        other.language, other.direction = self.language, self.direction
        other.terms, other.previous = dict(self.terms), self.previous
        other.has_scopes = self.has_scopes
        return other

    def expand(
        self,
        value: str,
        *,
        vocab: bool = False,
        relative: bool = False,
        local: Mapping[str, Any] | None = None,
        defined: dict[str, bool] | None = None,
    ) -> str | None:
        """Return the IRI or the keyword that a string stands for (section 5.2.2).

        `vocab` looks for terms and puts the vocabulary mapping before it, `relative` resolves
        it against the base; `local` and `defined` are given while a context is read.
        """
        if value.startswith("@") and (value in _KEYWORDS or _KEYWORD.match(value)):
            return value if value in _KEYWORDS else None
        if local is not None and defined is not None and value in local and not defined.get(value):
            _define(self, local, value, defined)
        term = self.terms.get(value)
        if term is not None and (vocab or (term.iri or "").startswith("@")):
            return term.iri
        prefix, colon, suffix = value.partition(":")
        if colon and prefix:
            if prefix == "_" or suffix.startswith("//"):
                return value
            if local is not None and defined is not None and prefix in local:
                _define(self, local, prefix, defined)
            term = self.terms.get(prefix)
            if term is not None and term.iri is not None and term.prefix:
                return term.iri + suffix
            if _SCHEME.match(value):
                return value
        if vocab and self.vocab is not None:
            return self.vocab + value
        if relative:
            absolute = iri(value, self.base) if self.base is not None else None
            return absolute.value if absolute else value
        return value


_KEYWORDS = frozenset({
    "@base", "@container", "@context", "@default", "@direction", "@embed", "@explicit", "@graph",
    "@id", "@import", "@included", "@index", "@json", "@language", "@list", "@nest", "@none",
    "@prefix", "@preserve", "@propagate", "@protected", "@requireAll", "@reverse", "@set",
    "@type", "@value", "@version", "@vocab",
})  # fmt: skip


def process(active: Active, local: Any, *, propagate: bool = True) -> Active:
    """Return an active context changed by a local context (section 4.1.2).

    Every context must be inline: none may be given by its name.  A definition that the
    specification forbids defines nothing.
    """
    contexts = local if isinstance(local, list) else [local]
    if isinstance(local, dict) and local.get("@propagate") is False:
        propagate = False
    result = active.copy()
    if not propagate and result.previous is None:
        result.previous = active
    for context in contexts:
        if context is None:
            previous = None if propagate else result.previous
            result = Active(active.document_base)
            result.previous = previous
        elif isinstance(context, dict):
            _apply(result, context)
    return result


def _apply(result: Active, context: dict[str, Any]) -> None:
    """Take over the definitions of one local context (section 4.1.2, steps 5.7 and following)."""
    if "@base" in context:
        base = context["@base"]
        base_iri = iri(base, result.base) if isinstance(base, str) else None
        result.base = base_iri.value if base_iri else None
    if "@vocab" in context:
        vocab = context["@vocab"]
        result.vocab = (
            result.expand(vocab, vocab=True, relative=True) if isinstance(vocab, str) else None
        )
    if "@language" in context:
        result.language = context["@language"]
    if "@direction" in context:
        result.direction = context["@direction"]
    defined: dict[str, bool] = {}
    for term in context:
        if term not in _NO_TERMS:
            _define(result, context, term, defined)


def _define(active: Active, local: Mapping[str, Any], term: str, defined: dict[str, bool]) -> None:
    """Define a term of a local context (section 4.2.2)."""
    if term in defined or term in _KEYWORDS or _KEYWORD.match(term) or not term:
        return
    defined[term] = False
    value = local[term]
    active.terms.pop(term, None)
    fields: Mapping[str, Any] = {"@id": value} if value is None or isinstance(value, str) else value
    if not isinstance(fields, dict):
        return
    definition = Term()
    kind = fields.get("@type")
    if isinstance(kind, str):
        definition.type = active.expand(kind, vocab=True, local=local, defined=defined)
    if _name(active, local, term, defined, definition, fields):
        _describe(active, definition, fields)
        active.terms[term] = definition
        defined[term] = True


def _name(  # noqa: PLR0913, PLR0917 - the steps of one algorithm
    active: Active,
    local: Mapping[str, Any],
    term: str,
    defined: dict[str, bool],
    definition: Term,
    fields: Mapping[str, Any],
) -> bool:
    """Find what a term stands for (steps 11 to 18); return whether it stands for anything."""
    if isinstance(reverse := fields.get("@reverse"), str):
        definition.reverse = True
        definition.iri = active.expand(reverse, vocab=True, local=local, defined=defined)
    elif "@id" in fields and fields["@id"] != term:
        if isinstance(fields["@id"], str):
            definition.iri = active.expand(fields["@id"], vocab=True, local=local, defined=defined)
            # Oxigraph and rdflib ask for no simple definition (step 14.2.5).
            definition.prefix = (
                ":" not in term and "/" not in term and (definition.iri or "").endswith(_GEN_DELIMS)
            )
    elif ":" in term[1:]:
        prefix, _, suffix = term.partition(":")
        if prefix in local:
            _define(active, local, prefix, defined)
        term_of_prefix = active.terms.get(prefix)
        definition.iri = (
            term
            if term_of_prefix is None or term_of_prefix.iri is None
            else term_of_prefix.iri + suffix
        )
    elif "/" in term:
        definition.iri = active.expand(term, vocab=True)
    elif active.vocab is not None:
        definition.iri = active.vocab + term
    else:
        return False
    return True


def _describe(active: Active, definition: Term, fields: Mapping[str, Any]) -> None:
    """Take over the rules for the values of a term (steps 19 to 27)."""
    container = fields.get("@container")
    if container is not None:
        definition.container = frozenset([container] if isinstance(container, str) else container)
    if "@context" in fields:
        definition.context = fields["@context"]
        active.has_scopes = True
    if "@language" in fields and "@type" not in fields:
        definition.language = fields["@language"]
    if "@direction" in fields and "@type" not in fields:
        definition.direction = fields["@direction"]
    if isinstance(fields.get("@prefix"), bool):
        definition.prefix = fields["@prefix"]
