"""What the statements of a resource name, and which properties are taken, while it is repaired."""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import (
    PAGES,
    WRAPS,
    Evidence,
    Reading,
    evidence_of_label,
    url_reading,
)
from cturi_rdf.catalogue.judgement import agree, judge
from cturi_rdf.catalogue.value_forms import value_for
from cturi_rdf.rdf.terms import DCTERMS, DOWNLOAD_URLS
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_kind_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.catalogue.resources import Subject
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.labels.resolution import Confidence
    from cturi_rdf.rdf.label_statements import Understood


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


def place_for(rule: PropertyRule | None, content_type: ContentType) -> Value | None:
    """Return the property of a rule and the value that it asks for a type, if there are both."""
    if rule is None:
        return None
    value = value_for(rule, content_type)
    return (rule.property, value) if value else None


class ResourceState:
    """The contents that the statements of a resource name; they change as it is repaired.

    `subject` has all that is said of it, `ruled` the statements of one graph that the profile has
    a rule for, `understood` what the values of all mean, `repeated` the statements that say the
    same again; all by the place of the first.  `judgement` is that of all evidence about the
    resource, with the names in its URLs if these are to count.
    """

    def __init__(
        self,
        subject: Subject,
        statements: Sequence[Statement],
        profile: Profile,
        understood: Mapping[Hashable, Understood],
        *,
        by_url: bool = False,
    ) -> None:
        self.subject = subject
        self.profile = profile
        self.understood = understood
        self.types = subject.types
        # What the bytes are by the names of files: each URL with content and wrappers.
        self.by_name = [
            (url, *split_types(reading.contents, reading.wrappers))
            for url in subject.urls
            if (reading := url_reading(url))
            and PAGES.isdisjoint(one.essence for one in reading.contents)
        ]
        evidence = [one for _, one in subject.evidence(lambda one: understood[one.key])]
        # Which of the properties for URLs it is makes no difference once the best is known.
        evidence += (Evidence(DOWNLOAD_URLS[0], url) for url in subject.urls)
        self.judgement = judge(evidence, by_url=by_url)
        # What is stated again is no other statement of a graph (RDF 1.1 Concepts section 3).
        stated: dict[Value, list[Statement]] = {}
        for statement in statements:
            stated.setdefault((statement.predicate, statement.object), []).append(statement)
        self.repeated = {first.key: rest for first, *rest in stated.values()}
        # The order of the statements decides nothing.
        firsts = sorted(stated.items(), key=lambda one: (one[0][0].value, str(one[0][1])))
        rules = [(first, self.rule_for(first.predicate)) for _, (first, *_) in firsts]
        self.ruled = [(statement, rule) for statement, rule in rules if rule is not None]
        chosen = dict(zip(self.judgement.evidence, self.judgement.chosen, strict=True))
        # The readings of statements by the judgement, None of those that it contradicts.
        self.readings = {
            statement.key: _reading(_statement(statement, understood), chosen)
            for statement, _ in self.ruled
        }
        # The statements that leave their property, by their keys.
        self.left: set[Hashable] = set()
        # The contents in which the values of each property contradict each other.
        self._contradicting: dict[ox.NamedNode, str] = {}
        # The contents that statements name, each with where its statements begin.
        self._contents: dict[ContentType, set[Hashable]] = {}
        for statement, rule in self.ruled:
            contents, wrappers = self._named_by(statement)
            # The name of the file may have decided against it.
            is_out = self.judgement.outcome == "one" and self.is_contradicted(statement)
            # Under a property for wrappers a label without one means the wrapper itself.
            if not is_out and not rule.is_of_another_file() and (wrappers or not rule.wraps()):
                for content_type in contents:
                    self._contents.setdefault(content_type, set()).add(statement.key)

    def is_contradicted(self, statement: Statement) -> bool:
        """Return whether other evidence contradicts everything that a statement may name."""
        evidence = _statement(statement, self.understood)
        return evidence.names_types and self.readings[statement.key] is None

    @property
    def certain_contents(self) -> set[ContentType]:
        """The contents that are certain by all evidence, whatever the profile has rules for."""
        return set(self.judgement.contents if self.confidence == "certain" else ())

    @property
    def confidence(self) -> Confidence:
        """How sure it is what the resource is.

        A header that is stated may decide between statements; it is none itself.
        """
        judged = self.judgement
        rows = zip(judged.evidence, judged.chosen, strict=True)
        is_agreed = not any(one.names_types and reading is None for one, reading in rows)
        return judged.confidence if is_agreed else "likely"

    @property
    def described(self) -> tuple[ContentType, ...]:
        """What the resource is: its contents, if their wrappers have properties of their own.

        Otherwise it is what it is wrapped in, for that is the type of its bytes.
        """
        contents, wrappers = self.judgement.contents, self.judgement.wrappers
        of_wrappers = (one for one in self.judgement.evidence if one.path in WRAPS)
        stated = {wrapper for one in of_wrappers for wrapper in one.all_types}
        is_split = all(one in stated or self.wrapper_rule(one) for one in wrappers)
        if contents and is_split:
            return contents
        # A wrapper on its own property is no content.
        return tuple(one for one in wrappers[:1] if one not in stated) or contents

    @property
    def only_by_name(self) -> list[ContentType]:
        """The types in the names of its files that the evidence contradicts, or that get no place.

        No statement names such a wrapper, and no property takes it.
        """
        contents = self.judgement.contents
        judged = contents + self.judgement.wrappers
        return [
            one
            for _, inside, wrappers in self.by_name
            for one in inside + wrappers
            if (
                contents and not any(agree(one, other) for other in contents)
                if one in inside
                else not self.wrapper_rule(one)
                and not any(is_kind_of(other, one) for other in judged)
            )
        ]

    def wrapper_rule(self, content_type: ContentType) -> PropertyRule | None:
        """Return the rule for a package or a compression, or None."""
        return self.rule_of(registry().packaging(content_type.essence) or "package")

    def confidence_of(self, content: ContentType) -> Confidence:
        """Return how sure it is that the resource has a content that some statement names."""
        if content in self.certain_contents:
            return "certain"
        certain = (one for one in self.readings.values() if one and one.confidence == "certain")
        return "certain" if any(content in reading.contents for reading in certain) else "likely"

    def is_guessed(self, content: ContentType) -> bool:
        """Return whether a type is neither certain nor in the name of a file."""
        named = (one for _, inside, outside in self.by_name for one in inside + outside)
        is_named = any(is_kind_of(one, content) for one in named)
        return not is_named and self.confidence_of(content) == "likely"

    def rule_for(self, path: ox.NamedNode) -> PropertyRule | None:
        """Return the rule that the profile has for a property of the resource, or None."""
        return self.profile.rule_for(path, self.types)

    def rule_of(self, role: str) -> PropertyRule | None:
        """Return the rule for the property of the resource that has a role, or None."""
        return self.profile.rule_of(role, self.types)

    def is_for_content(self, path: ox.NamedNode) -> bool:
        """Return whether a property is for the content, so that one value is enough."""
        rule = self.rule_for(path)
        return rule is not None and not rule.wraps()

    def is_free(self, rule: PropertyRule) -> bool:
        """Return whether a property for the content has no value that stays on it.

        A package moves to its own property where the profile has one and the content is named
        elsewhere.
        """
        return all(
            self.is_only_wrapper(statement)
            for statement, other in self.ruled
            if other.property == rule.property and statement.key not in self.left
        )

    def is_only_wrapper(self, statement: Statement) -> bool:
        """Return whether a statement names only wrappers that have properties, beside a content."""
        types = self.understood[statement.key].resolution.named
        contents, wrappers = split_types(types)
        return (
            bool(wrappers)
            and not contents
            and bool(self.beside(statement))
            and all(place_for(self.wrapper_rule(wrapper), wrapper) for wrapper in wrappers)
        )

    def leaves(self, statement: Statement) -> None:
        """Note that a statement leaves its property, which may then be free."""
        self.left.add(statement.key)
        self.left.update(one.key for one in self.repeated.get(statement.key, ()))

    def names(self, statement: Statement, contents: Sequence[ContentType]) -> None:
        """Note that a statement now names other contents."""
        for starts in self._contents.values():
            starts.discard(statement.key)
        for content_type in contents:
            self._contents.setdefault(content_type, set()).add(statement.key)

    def beside(self, statement: Statement) -> set[ContentType]:
        """Return the contents that other statements name, at most a hundred types.

        So many types have no value in common.
        """
        own = {statement.key}
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
                tuple(self._named_by(statement)[0])
                for statement, other in self.ruled
                if other.property == rule.property
            } - {()}
            pairs = combinations(named, 2)
            agreeing = all(any(agree(a, b) for a in one for b in other) for one, other in pairs)
            texts = {str(content) for contents in named for content in contents}
            self._contradicting[rule.property] = "" if agreeing else " and ".join(sorted(texts))
        return self._contradicting[rule.property]

    def _named_by(self, statement: Statement) -> tuple[list[ContentType], tuple[ContentType, ...]]:
        """Return the contents that a statement names, and what it wraps them in."""
        resolution = self.understood[statement.key].resolution
        reading = self.readings[statement.key] or Reading(resolution.types, resolution.wrappers)
        return split_types(reading.contents)[0], reading.wrappers


def _reading(evidence: Evidence, chosen: Mapping[Evidence, Reading | None]) -> Reading | None:
    """Return the reading that was chosen of a statement.

    One that is about something else than the bytes of the resource is judged by itself.
    """
    if evidence in chosen:
        return chosen[evidence]
    return judge([evidence._replace(path=DCTERMS.format.value)]).chosen[0]


def _statement(statement: Statement, understood: Mapping[Hashable, Understood]) -> Evidence:
    return evidence_of_label(statement.predicate.value, understood[statement.key])
