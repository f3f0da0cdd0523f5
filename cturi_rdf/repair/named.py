"""What the statements of a resource name, and on which of its properties."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.repair.contents import agree, split_types

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.edits import Statement
    from cturi_rdf.edits.document import Term
    from cturi_rdf.rdf.label_statements import Understood
    from cturi_rdf.repair.profiles import Profile, PropertyRule
    from cturi_rdf.repair.resources import Resource

__all__ = ["WRAPPERS", "Named", "Value"]

# The roles of the properties that say what a file is packed or compressed in.
WRAPPERS = frozenset({"compression", "package"})
# So many contents of a resource are looked at for the value of a placeholder.
_CONTENTS = 100

Value = tuple[ox.NamedNode, "Term"]


class Named:
    """What the statements of a resource name; it changes with the steps of a repair.

    `ruled` has the statements that the profile has a rule for, `understood` what their values
    mean, `repeated` those that state the same again, by the place of the first.
    """

    def __init__(
        self, resource: Resource, profile: Profile, meaning: Callable[[Statement], Understood]
    ) -> None:
        # What is stated again is no other statement of a graph (RDF 1.1 Concepts section 3).
        stated: dict[Value, list[Statement]] = {}
        for statement in resource.statements:
            stated.setdefault((statement.predicate, statement.object), []).append(statement)
        self.repeated = {first.start: rest for first, *rest in stated.values()}
        rules = [
            (first, profile.rule_for(first.predicate, resource.types))
            for first, *_ in stated.values()
        ]
        self.ruled = [(statement, rule) for statement, rule in rules if rule is not None]
        self.understood = {statement.start: meaning(statement) for statement, _ in self.ruled}
        # How many values each property has that stay on it.
        self._properties = Counter(statement.predicate for statement, _ in self.ruled)
        # What the values of each property contradict each other in.
        self._contradicting: dict[ox.NamedNode, str] = {}
        # The contents that statements name, each with where its statements begin.
        self._contents: dict[ContentType, set[int]] = {}
        for statement, rule in self.ruled:
            resolution = self.understood[statement.start].resolution
            # Under a property for wrappers a label without one means the wrapper itself.
            if rule.role not in WRAPPERS or resolution.wrappers:
                for content_type in split_types(resolution.types)[0]:
                    self._contents.setdefault(content_type, set()).add(statement.start)

    def has(self, path: ox.NamedNode) -> bool:
        """Return whether a property has a value that stays on it."""
        return self._properties[path] > 0

    def leaves(self, statement: Statement) -> None:
        """Take note that a statement leaves its property, which may be free then."""
        self._properties[statement.predicate] -= 1

    def names(self, statement: Statement, contents: Sequence[ContentType]) -> None:
        """Take note that a statement names other contents than before."""
        for content_type in self.understood[statement.start].resolution.types:
            self._contents.get(content_type, set()).discard(statement.start)
        for content_type in contents:
            self._contents.setdefault(content_type, set()).add(statement.start)

    def beside(self, statement: Statement) -> set[ContentType]:
        """Return what other statements say of the content.

        Of very many no more than some: they have no value in common.
        """
        own = {statement.start}
        named = self._contents.items()
        others = (content for content, starts in named if starts and starts != own)
        return set(islice(others, _CONTENTS))

    def contradicting(self, rule: PropertyRule) -> str:
        """Return the contents that a property names beyond what it may have, or ``""``."""
        if rule.at_most != 1:
            return ""
        if rule.property not in self._contradicting:
            self._contradicting[rule.property] = self._contradiction(rule.property)
        return self._contradicting[rule.property]

    def _contradiction(self, path: ox.NamedNode) -> str:
        """Return the contents that a property names if not all of them agree, or ``""``."""
        named = {
            tuple(split_types(self.understood[statement.start].resolution.types)[0])
            for statement, rule in self.ruled
            if rule.property == path
        } - {()}
        pairs = combinations(named, 2)
        if all(any(agree(a, b) for a in one for b in other) for one, other in pairs):
            return ""
        return ", ".join(sorted({content.essence for contents in named for content in contents}))
