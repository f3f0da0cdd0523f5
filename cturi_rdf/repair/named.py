"""The contents and wrappers that the statements of a resource name, and their properties."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_a

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.rdf.label_statements import Understood
    from cturi_rdf.repair.resources import Resource

__all__ = ["Named", "Value", "agree", "split_types"]

# How many contents of a resource are looked at for the value of a placeholder.
_CONTENTS = 100

Value = tuple[ox.NamedNode, "Term"]


def split_types(
    types: Sequence[ContentType], outside: Sequence[ContentType] = ()
) -> tuple[list[ContentType], list[ContentType]]:
    """Return the types of content, and those that wrap it, the outermost last.

    `outside` are more wrappers, the outermost first.
    """
    contents: list[ContentType] = []
    wrappers: list[ContentType] = []
    for content_type in types:
        wraps = registry().packaging(content_type.essence)
        (wrappers if wraps else contents).append(content_type)
    return contents, list(dict.fromkeys([*wrappers, *reversed(outside)]))


def agree(one: ContentType, other: ContentType) -> bool:
    """Return whether one of two types is a special case of the other."""
    return is_a(one, other) or is_a(other, one)


class Named:
    """The contents that the statements of a resource name; they change with the steps of a repair.

    `ruled` has the statements that the profile has a rule for, `understood` what the values of
    all mean, `repeated` the statements that say the same again; both by the place of the first.
    """

    def __init__(
        self, resource: Resource, profile: Profile, understood: Mapping[int, Understood]
    ) -> None:
        self.resource = resource
        self.profile = profile
        self.understood = understood
        # What is stated again is no other statement of a graph (RDF 1.1 Concepts section 3).
        stated: dict[Value, list[Statement]] = {}
        for statement in resource.statements:
            stated.setdefault((statement.predicate, statement.object), []).append(statement)
        self.repeated = {first.start: rest for first, *rest in stated.values()}
        rules = [(first, self.rule_for(first.predicate)) for first, *_ in stated.values()]
        self.ruled = [(statement, rule) for statement, rule in rules if rule is not None]
        # How many values stay on each property.
        self._properties = Counter(statement.predicate for statement, _ in self.ruled)
        # The contents in which the values of each property contradict each other.
        self._contradicting: dict[ox.NamedNode, str] = {}
        # The contents that statements name, each with where its statements begin.
        self._contents: dict[ContentType, set[int]] = {}
        for statement, rule in self.ruled:
            resolution = understood[statement.start].resolution
            # Under a property for wrappers a label without one means the wrapper itself.
            if not rule.wraps() or resolution.wrappers:
                for content_type in split_types(resolution.types)[0]:
                    self._contents.setdefault(content_type, set()).add(statement.start)

    def rule_for(self, path: ox.NamedNode) -> PropertyRule | None:
        """Return the rule that the profile has for a property of the resource, or None."""
        return self.profile.rule_for(path, self.resource.subject.types)

    def rule_of(self, role: str) -> PropertyRule | None:
        """Return the rule for the property of the resource that has a role, or None."""
        return self.profile.rule_of(role, self.resource.subject.types)

    def is_for_content(self, path: ox.NamedNode) -> bool:
        """Return whether a property is for the content, so that one value is enough."""
        rule = self.rule_for(path)
        return rule is not None and not rule.wraps()

    def has(self, path: ox.NamedNode) -> bool:
        """Return whether a property has a value that stays on it."""
        return self._properties[path] > 0

    def leaves(self, statement: Statement) -> None:
        """Note that a statement leaves its property, which may then be free."""
        self._properties[statement.predicate] -= 1

    def names(self, statement: Statement, contents: Sequence[ContentType]) -> None:
        """Note that a statement now names other contents."""
        for content_type in self.understood[statement.start].resolution.types:
            self._contents.get(content_type, set()).discard(statement.start)
        for content_type in contents:
            self._contents.setdefault(content_type, set()).add(statement.start)

    def beside(self, statement: Statement) -> set[ContentType]:
        """Return the contents that other statements name, at most a hundred types.

        So many types have no value in common.
        """
        own = {statement.start}
        named = self._contents.items()
        others = (content for content, starts in named if starts and starts != own)
        return set(islice(others, _CONTENTS))

    def contradicting(self, rule: PropertyRule) -> str:
        """Return the contents that the property of a rule names if one is allowed and they differ.

        Otherwise return ``""``.
        """
        if rule.at_most != 1:
            return ""
        if rule.property not in self._contradicting:
            named = {
                tuple(split_types(self.understood[statement.start].resolution.types)[0])
                for statement, other in self.ruled
                if other.property == rule.property
            } - {()}
            pairs = combinations(named, 2)
            agreeing = all(any(agree(a, b) for a in one for b in other) for one, other in pairs)
            texts = {content.essence for contents in named for content in contents}
            self._contradicting[rule.property] = "" if agreeing else ", ".join(sorted(texts))
        return self._contradicting[rule.property]
