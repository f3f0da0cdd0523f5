"""The names in a file, expanded in the context in which they stand.

Each name is expanded once for each context, and each context is made once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cturi_rdf.editing.json.context import UNSET, Active, Term, process

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from cturi_rdf.reading.json_scan import Scanned

__all__ = ["ExpandedNames", "Member"]

# A member: the entry, what its name expands to, the definition of the name.
Member = tuple[int, str, Term | None]


class ExpandedNames:
    """Expands the names of a file."""

    def __init__(
        self,
        scanned: Scanned,
        predicates: Collection[str] | None,
        loader: Callable[[Any], Any],
    ) -> None:
        """Take the file, the wanted predicates, and the loader of the contexts named in it."""
        self._scanned = scanned
        self._data = scanned.data
        self._wanted = None if predicates is None else frozenset(predicates)
        self._loader = loader

    def is_wanted(self, predicate: str) -> bool:
        """Return whether statements with a predicate were asked for."""
        return self._wanted is None or predicate in self._wanted

    def derived(self, active: Active, key: Any, local: Any, *, propagate: bool = True) -> Active:
        """Return the context that a local context makes; each is made once."""
        context = active.derived.get(key)
        if context is None:
            context = process(active, local() if callable(local) else local, propagate=propagate)
            active.derived[key] = context
        return context

    def own(self, active: Active, entry: int) -> Active:
        """Return the context in an object, with that of its own."""
        context = self._scanned.contexts.get(entry)
        if context is None:
            return active
        raw = self._scanned.raw(context)
        return self.derived(active, raw, lambda: self._loader(self._scanned.value(context)))

    def expanded(self, active: Active, key: int) -> tuple[str, Term | None, bool] | None:
        """Return the expansion of a name, its definition, and whether it is wanted.

        A name that no context defines is no property, but the walk looks into its value.
        """
        name = self._scanned.names[key]
        expanded = active.expand(name, vocab=True)
        meaning: tuple[str, Term | None, bool] | None = None
        if expanded is not None:
            wanted = expanded.startswith("@") or (":" in expanded and self.is_wanted(expanded))
            meaning = expanded, active.terms.get(name), wanted
        active.expansions[key] = meaning
        return meaning

    def keyword(self, active: Active, entry: int) -> str:
        """Return the keyword or IRI that the name of a member stands for, or nothing."""
        key = self._scanned.keys[entry]
        meaning = active.expansions.get(key) or self.expanded(active, key)
        return meaning[0] if meaning else ""

    def previous(self, active: Active, entry: int) -> Active:
        """Return the context before that of a type, for a node inside (section 5.1.2, step 7)."""
        if active.previous is None:
            return active
        names = [self.keyword(active, child) for child in self._scanned.children(entry)]
        return active if "@value" in names or names == ["@id"] else active.previous

    def of_types(self, active: Active, entry: int) -> Active:
        """Return the context with those of the types of a node (section 5.1.2, step 11)."""
        if not active.has_scopes:
            return active
        types: list[str] = []
        for child in self._scanned.children(entry):
            if self.keyword(active, child) == "@type":
                value = self._scanned.value(child)
                types += [
                    element
                    for element in (value if isinstance(value, list) else [value])
                    if isinstance(element, str)
                ]
        return self.scoped(active, sorted(types))

    def scoped(self, active: Active, types: Iterable[str]) -> Active:
        """Return the context with those of some types, which the nodes inside do not have."""
        before = active
        for name in types:
            term = before.terms.get(name)
            if term is not None and term.context is not UNSET:
                active = self.derived(active, term, term.context, propagate=False)
        return active

    def members(self, entry: int, active: Active) -> tuple[dict[str, int], list[Member], bool]:
        """Return the keywords of an object, the members to read, and whether there are more."""
        scanned, data = self._scanned, self._data
        keys, nexts, starts = scanned.keys, scanned.nexts, scanned.starts
        expansions = active.expansions
        fields: dict[str, int] = {}
        members: list[Member] = []
        is_more = is_repeated = False
        child, end = entry + 1, nexts[entry]
        while child < end:
            key = keys[child]
            expansion = expansions.get(key, UNSET)
            if expansion is UNSET:
                expansion = self.expanded(active, key)
            if expansion is not None:
                name, term, wanted = expansion
                if wanted and name[0] == "@":
                    if name in {"@nest", "@type", "@included", "@reverse"}:
                        members.append((child, name, term))
                    is_repeated = is_repeated or (name == "@id" and name in fields)
                    if name != "@context":
                        fields[name] = child
                else:
                    is_more = True
                    if wanted or data[starts[child]] in b"{[":
                        members.append((child, name, term))
            child = nexts[child]
        if is_repeated:
            # Oxigraph refuses two names; rdflib, which reads it then, takes the last of all.
            members = list({keys[member[0]]: member for member in members}.values())
        return fields, members, is_more
