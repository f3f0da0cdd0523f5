"""What becomes of one value: its meaning in the form that the profile asks for.

What a label says beside the type goes to the properties that the profile has for it: what the
file is packed in, the charset.  Nothing is guessed: what has several readings, or would lose
what the label says, is left.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import combinations, islice
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.labels.words import name_key, words
from cturi_rdf.registry import registry
from cturi_rdf.repair.contents import agree, named_by, split_types
from cturi_rdf.repair.forms import (
    EU_FILE_TYPES,
    PLACEHOLDERS,
    asked_for,
    eu_file_type_named,
    is_right,
    value_for,
)
from cturi_rdf.repair.steps import Left, short_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.edits import Statement
    from cturi_rdf.edits.document import Term
    from cturi_rdf.labels.meaning import Confidence
    from cturi_rdf.rdf.label_statements import Understood
    from cturi_rdf.repair.profiles import Profile, PropertyRule

__all__ = ["ENCODING", "WRAPPERS", "Resource", "Values", "Wanted"]

# GeoDCAT-AP, "character encoding": the charset of a distribution, which no IRI of IANA has.
ENCODING = ox.NamedNode("http://www.w3.org/2011/content#characterEncoding")
# The roles of the properties that say what a file is packed or compressed in.
WRAPPERS = frozenset({"compression", "package"})
# So many contents of a resource are looked at for the value of a placeholder.
_CONTENTS = 100
_OTHER_ROLES = {"format": "media type", "media type": "format"}

Value = tuple[ox.NamedNode, "Term"]


class Resource(NamedTuple):
    """A resource of one graph: its statements that name formats, its classes, its URLs.

    `others` are the other properties that it has, as far as they matter here, and `access` the
    values of `dcat:accessURL`.
    """

    statements: Sequence[Statement]
    types: frozenset[ox.NamedNode]
    urls: Sequence[str]
    others: frozenset[ox.NamedNode] = frozenset()
    access: Sequence[ox.NamedNode] = ()


class Wanted(NamedTuple):
    """What becomes of a statement: a value on a property, and values on other properties.

    `by_url` are the contents that a download URL named, where that decided.
    """

    value: Value
    rule: str = "form"
    reason: str = ""
    confidence: Confidence = "certain"
    extras: tuple[Value, ...] = ()
    by_url: Sequence[ContentType] | None = None


class Values:
    """Says of the values of one resource what they have to be.

    `ruled` has the statements that the profile has a rule for, `understood` what their values
    mean, `repeated` those that state the same again, by the place of the first.
    """

    def __init__(
        self,
        resource: Resource,
        profile: Profile,
        meaning: Callable[[Statement], Understood],
        *,
        by_url: bool,
    ) -> None:
        self._resource = resource
        self._profile = profile
        self._uses_urls = by_url
        # What download URLs decided so far.
        self.named_by_url: set[ContentType] = set()
        # What the values of each property contradict each other in.
        self._contradicting: dict[ox.NamedNode, str] = {}
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

    def leaves(self, statement: Statement) -> None:
        """Take note that a statement leaves its property, which may be free then."""
        self._properties[statement.predicate] -= 1

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

    def wanted(self, statement: Statement, rule: PropertyRule) -> Wanted | Left:
        """Return what becomes of a value that is not as the rule asks."""
        understood = self.understood[statement.start]
        verdict = understood.resolution.verdict
        if isinstance(statement.object, ox.BlankNode):
            reason = f"A blank node stands where {asked_for(rule)} is asked for."
            return Left(statement, "node", reason)
        if _is_placeholder(statement, understood):
            return self._in_place_of_nothing(statement, rule)
        if verdict == "no_type" and "eu-file-type" in rule.write:
            record = eu_file_type_named(understood.text)
            if record is not None:
                reason = "The EU has a file type of this name."
                return Wanted((rule.property, record), reason=reason)
        if verdict == "service":
            # A text for people is asked for, and the name of a service in an IRI is a code.
            asks = f"{self._profile.title} asks for {asked_for(rule)}"
            return Left(statement, verdict, f"{understood.resolution.reason} {asks}.")
        by_url = self._by_url(statement, rule)
        if verdict in {"nothing", "no_type"}:
            return by_url or Left(statement, verdict, understood.resolution.reason)
        wanted = self._by_label(statement, rule)
        unsure = isinstance(wanted, Wanted) and wanted.confidence == "likely"
        return by_url if unsure and by_url else wanted

    def _by_label(self, statement: Statement, rule: PropertyRule) -> Wanted | Left:
        resolution = self.understood[statement.start].resolution
        contents, wrappers = split_types(resolution.named, resolution.wrappers)
        if len(contents) > 1:
            names = ", ".join(content.essence for content in contents)
            reason = f"It names several formats ({names}): describe a distribution for each."
            return Left(statement, "several", reason)
        wanted = self._of_types(statement, rule, contents, wrappers)
        if isinstance(wanted, Left):
            return wanted
        confidence, reason = resolution.confidence, resolution.reason
        against = self._url_against(contents, wrappers)
        if against:
            confidence, reason = "likely", f"{reason} But the download URL says {against}."
        if wanted.confidence == "likely":
            confidence = "likely"
        asks = f"{self._profile.title} asks for {asked_for(rule)} ({rule.section})."
        reason = " ".join(filter(None, (reason, wanted.reason, asks)))
        return wanted._replace(confidence=confidence, reason=reason)

    def _of_types(
        self,
        statement: Statement,
        rule: PropertyRule,
        contents: list[ContentType],
        wrappers: list[ContentType],
    ) -> Wanted | Left:
        """Return the values for a content and what it is wrapped in."""
        if rule.role in WRAPPERS:
            subject, wrappers = (wrappers or contents)[-1], wrappers[:-1]
        elif contents:
            subject = contents[0]
        elif rule.role != "other" and self._other_contents(statement):
            # The content is named by another statement, this one names the wrapper only.
            return self._moved(statement, rule, wrappers)
        else:
            subject, wrappers = wrappers[-1], wrappers[:-1]
        extras: list[Value] = []
        lost = []
        for wrapper in wrappers:
            place = self._wrapper_value(wrapper)
            if place is not None:
                extras.append(place)
            elif contents and self._wrapper_rule(wrapper):
                lost.append(wrapper.essence)
            else:
                return self._no_wrapper(statement, wrapper)
        text = self.understood[statement.start].text
        value = value_for(rule, subject, text)
        other = self._other_rule(rule)
        if other is not None:
            right = is_right(other, statement.object)
            beside = statement.object if right else value_for(other, subject, text)
            if beside is not None and value is None:
                reason = f"Only {short_name(other.property)} has a value for it."
                return Wanted((other.property, beside), "move", reason, extras=tuple(extras))
            if beside is not None and (wrappers or right):
                # A label is split; what is right on the other property goes there too.
                extras.append((other.property, beside))
        if value is None:
            return self._no_value(statement, rule, subject)
        wanted = Wanted((rule.property, value), "split" if extras else "form", extras=tuple(extras))
        return self._with_parameters(wanted, subject, lost)

    def _moved(
        self, statement: Statement, rule: PropertyRule, wrappers: list[ContentType]
    ) -> Wanted | Left:
        places = [place for place in map(self._wrapper_value, wrappers) if place]
        if len(places) == len(wrappers):
            return Wanted(places[0], "move", extras=tuple(places[1:]))
        value = value_for(rule, wrappers[-1], self.understood[statement.start].text)
        if value is None:
            return self._no_value(statement, rule, wrappers[-1])
        return Wanted((rule.property, value))

    def _with_parameters(self, wanted: Wanted, content: ContentType, lost: list[str]) -> Wanted:
        """Return the same, with a place for the parameters of a type that the value lacks.

        What has no place is lost, as the wrappers in `lost`: then it is no more than likely.
        """
        _, value = wanted.value
        if content.parameters and not (isinstance(value, ox.Literal) and ";" in value.value):
            names = list(content.parameters)
            charset = content.parameters.get("charset")
            if (
                charset
                and isinstance(value, ox.NamedNode)
                and ENCODING not in self._resource.others
            ):
                names.remove("charset")
                record = registry().charset(charset)
                extra = ENCODING, ox.Literal(record.name if record else charset)
                wanted = wanted._replace(rule="split", extras=(*wanted.extras, extra))
            lost = [*lost, *(f"its parameter {name}" for name in names)]
        if not lost:
            return wanted
        reason = f"There is no place for {', '.join(lost)}."
        return wanted._replace(confidence="likely", reason=reason)

    def _no_value(self, statement: Statement, rule: PropertyRule, content: ContentType) -> Left:
        reason = (
            f"It means {content.essence}; {short_name(rule.property)} has to be"
            f" {asked_for(rule)}, and there is none for it."
        )
        return Left(statement, "no value", reason)

    def _no_wrapper(self, statement: Statement, content_type: ContentType) -> Left:
        rule = self._wrapper_rule(content_type)
        if rule is not None:
            return self._no_value(statement, rule, content_type)
        reason = f"{self._profile.title} has no property for {content_type.essence}."
        return Left(statement, "no place", reason)

    def _wrapper_rule(self, content_type: ContentType) -> PropertyRule | None:
        """Return the rule for a package or a compression."""
        role = registry().packaging(content_type.essence) or "package"
        return self._profile.rule_of(role, self._resource.types)

    def _wrapper_value(self, content_type: ContentType) -> Value | None:
        rule = self._wrapper_rule(content_type)
        value = rule and value_for(rule, content_type)
        return (rule.property, value) if rule and value else None

    def _other_rule(self, rule: PropertyRule) -> PropertyRule | None:
        """Return the rule of media type for format and the other way, if nothing is there yet."""
        role = _OTHER_ROLES.get(rule.role)
        other = self._profile.rule_of(role, self._resource.types) if role else None
        return None if other is None or self._properties[other.property] else other

    @cached_property
    def _contents(self) -> dict[ContentType, set[int]]:
        """The contents that statements name, and where those begin that name it."""
        contents: dict[ContentType, set[int]] = {}
        for statement, rule in self.ruled:
            for content_type in self.understood[statement.start].resolution.types:
                if rule.role not in WRAPPERS and not registry().packaging(content_type.essence):
                    contents.setdefault(content_type, set()).add(statement.start)
        return contents

    def _other_contents(self, statement: Statement) -> set[ContentType]:
        """Return what other statements say of the content, or what a URL said in place of one.

        Of very many no more than some: they have no value in common.
        """
        own = {statement.start}
        others = (content for content, starts in self._contents.items() if starts != own)
        return {*islice(others, _CONTENTS), *self.named_by_url}

    def _in_place_of_nothing(self, statement: Statement, rule: PropertyRule) -> Wanted | Left:
        """Return the value for a placeholder, by another statement or by the URL."""
        others = set() if rule.role in WRAPPERS else self._other_contents(statement)
        # Contents that differ in parameters may have one value.
        value, *more = {value_for(rule, content) for content in others} or {None}
        if value is not None and not more:
            content = min(others, key=str)
            reason = f"It is a placeholder, and another statement says {content.essence}."
            return Wanted((rule.property, value), "placeholder", reason)
        wanted = self._by_url(statement, rule)
        return wanted or Left(statement, "placeholder", "It is a placeholder, not a format.")

    def _by_url(self, statement: Statement, rule: PropertyRule) -> Wanted | None:
        for url, contents, wrappers in named_by(self._resource.urls) if self._uses_urls else ():
            # A content is no package.
            if len(contents) <= 1 and (wrappers or rule.role not in WRAPPERS):
                wanted = self._of_types(statement, rule, contents, wrappers)
                if isinstance(wanted, Wanted):
                    reason = f"The download URL {url} says so."
                    written = () if rule.role in WRAPPERS else contents
                    return wanted._replace(
                        rule="by URL", reason=reason, by_url=written, confidence="likely"
                    )
        return None

    def _url_against(self, contents: list[ContentType], wrappers: list[ContentType]) -> str:
        """Return the type that a download URL names where it is another one, else ``""``."""
        for _, inside, outside in named_by(self._resource.urls):
            for mine, theirs in ((contents, inside), (wrappers, outside)):
                if mine and theirs and not any(agree(a, b) for a in mine for b in theirs):
                    return theirs[0].essence
        return ""


def _is_placeholder(statement: Statement, understood: Understood) -> bool:
    if isinstance(statement.object, ox.NamedNode):
        scheme, _, code = statement.object.value.rpartition("/")
        if scheme == EU_FILE_TYPES:
            return code in PLACEHOLDERS
    return "placeholder" in words().unnamed.get(name_key(understood.text), "")
