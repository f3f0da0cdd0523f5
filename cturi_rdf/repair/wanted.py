"""What becomes of one value: its meaning in the form that the profile asks for.

What a label says beside the type goes to the properties that the profile has for it: what the
file is packed in, the charset.  Nothing is guessed: what has several readings, or would lose
what the label says, is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.labels.words import name_key, words
from cturi_rdf.rdf.header import PAGES, url_claim
from cturi_rdf.registry import registry
from cturi_rdf.repair.forms import (
    PLACEHOLDERS,
    asked_for,
    eu_code,
    eu_file_type_named,
    is_right,
    value_for,
)
from cturi_rdf.repair.named import agree, split_types
from cturi_rdf.repair.resources import ENCODING
from cturi_rdf.repair.steps import Left, short_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.edits import Statement
    from cturi_rdf.labels.meaning import Confidence
    from cturi_rdf.rdf.label_statements import Understood
    from cturi_rdf.repair.named import Named, Value
    from cturi_rdf.repair.profiles import PropertyRule

__all__ = ["Values", "Wanted"]

_NAMED_BY_EU = "The EU has a file type of this name."
_OTHER_ROLES = {"format": "media type", "media type": "format"}


class Wanted(NamedTuple):
    """What becomes of a statement: a value on a property, and values on other properties.

    `contents` is what is named then, where it is not what the label named.
    """

    value: Value
    rule: str = "form"
    reason: str = ""
    confidence: Confidence = "certain"
    extras: tuple[Value, ...] = ()
    contents: Sequence[ContentType] | None = None


class Values:
    """Says of the values of one resource what they have to be; `named` is what they name."""

    def __init__(self, named: Named, *, by_url: bool) -> None:
        self._named = named
        self._uses_urls = by_url

    def wanted(self, statement: Statement, rule: PropertyRule) -> Wanted | Left:
        """Return what becomes of a value that is not as the rule asks."""
        understood = self._named.understood[statement.start]
        verdict = understood.resolution.verdict
        if isinstance(statement.object, ox.BlankNode):
            reason = f"A blank node stands where {asked_for(rule)} is asked for."
            return Left(statement, "node", reason)
        if _is_placeholder(statement, understood):
            return self._in_place_of_nothing(statement, rule)
        named = eu_file_type_named(understood.text) if "eu-file-type" in rule.write else None
        by_name = named and Wanted((rule.property, named), reason=_NAMED_BY_EU)
        if by_name and verdict == "no_type":
            return by_name
        if verdict == "service":
            # A text for people is asked for, and the name of a service in an IRI is a code.
            asks = f"{self._named.profile.title} asks for {asked_for(rule)}"
            return Left(statement, verdict, f"{understood.resolution.reason} {asks}.")
        by_url = self._by_url(statement, rule)
        if verdict in {"nothing", "no_type"}:
            return by_url or Left(statement, verdict, understood.resolution.reason)
        wanted = self._by_label(statement, rule)
        if by_name and verdict == "compound" and isinstance(wanted, Left):
            # There is no place for all that "TAR_GZ" says but this one.
            return by_name
        unsure = isinstance(wanted, Wanted) and wanted.confidence == "likely"
        return by_url if unsure and by_url else wanted

    def _by_label(self, statement: Statement, rule: PropertyRule) -> Wanted | Left:
        resolution = self._named.understood[statement.start].resolution
        contents, wrappers = split_types(resolution.named, resolution.wrappers)
        if len(contents) > 1 or resolution.verdict == "several":
            names = ", ".join(content.essence for content in resolution.named)
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
        asks = f"{self._named.profile.title} asks for {asked_for(rule)} ({rule.section})."
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
        inside = None
        if rule.wraps():
            # "Zipped CSV" as a package names what is inside as well.
            inside = contents[0] if contents and wrappers else None
            subject, wrappers = (wrappers or contents)[-1], wrappers[:-1]
        elif contents:
            subject = contents[0]
        elif rule.role != "other" and self._named.beside(statement):
            # The content is named by another statement, this one names the wrapper only.
            return self._moved(statement, rule, wrappers)
        else:
            subject, wrappers = wrappers[-1], wrappers[:-1]
        others = self._beside(statement, contents, wrappers, inside)
        if isinstance(others, Left):
            return others
        extras, lost = others
        text = self._named.understood[statement.start].text
        value = value_for(rule, subject, text)
        other = self._free_rule(_OTHER_ROLES.get(rule.role))
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
        if inside is not None:
            # What is inside is named from now on where it was written, and nowhere else.
            is_named = any(self._named.is_for_content(path) for path, _ in extras)
            wanted = wanted._replace(contents=[inside] if is_named else [])
        return self._with_parameters(wanted, subject, lost)

    def _beside(
        self,
        statement: Statement,
        contents: list[ContentType],
        wrappers: list[ContentType],
        inside: ContentType | None,
    ) -> tuple[list[Value], list[str]] | Left:
        """Return the values for other properties, and the types that find no place on any."""
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
        if inside is None:
            return extras, lost
        others = self._named.beside(statement)
        if any(agree(inside, other) for other in others):
            return extras, lost
        if others:
            names = ", ".join(sorted(other.essence for other in others))
            reason = f"It says that {inside.essence} is inside, and another statement says {names}."
            return Left(statement, "conflict", reason)
        rules = filter(None, map(self._free_rule, _OTHER_ROLES))
        values = [(rule.property, value_for(rule, inside)) for rule in rules]
        places = [(path, value) for path, value in values if value is not None]
        return [*extras, *places], lost if places else [*lost, inside.essence]

    def _moved(
        self, statement: Statement, rule: PropertyRule, wrappers: list[ContentType]
    ) -> Wanted | Left:
        places = [place for place in map(self._wrapper_value, wrappers) if place]
        if len(places) == len(wrappers):
            return Wanted(places[0], "move", extras=tuple(places[1:]))
        value = value_for(rule, wrappers[-1], self._named.understood[statement.start].text)
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
                and ENCODING not in self._named.resource.others
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
        reason = f"{self._named.profile.title} has no property for {content_type.essence}."
        return Left(statement, "no place", reason)

    def _wrapper_rule(self, content_type: ContentType) -> PropertyRule | None:
        """Return the rule for a package or a compression."""
        return self._named.rule_of(registry().packaging(content_type.essence) or "package")

    def _wrapper_value(self, content_type: ContentType) -> Value | None:
        rule = self._wrapper_rule(content_type)
        value = rule and value_for(rule, content_type)
        return (rule.property, value) if rule and value else None

    def _free_rule(self, role: str | None) -> PropertyRule | None:
        """Return the rule of a role, if nothing is on its property yet."""
        rule = self._named.rule_of(role) if role else None
        return None if rule is None or self._named.has(rule.property) else rule

    def _in_place_of_nothing(self, statement: Statement, rule: PropertyRule) -> Wanted | Left:
        """Return the value for a placeholder, by another statement or by the URL."""
        others = set() if rule.wraps() else self._named.beside(statement)
        # Contents that differ in parameters may have one value.
        value, *more = {value_for(rule, content) for content in others} or {None}
        if value is not None and not more:
            content = min(others, key=str)
            reason = f"It is a placeholder, and another statement says {content.essence}."
            return Wanted((rule.property, value), "placeholder", reason, contents=[content])
        wanted = self._by_url(statement, rule)
        return wanted or Left(statement, "placeholder", "It is a placeholder, not a format.")

    def _by_url(self, statement: Statement, rule: PropertyRule) -> Wanted | None:
        for url, types, wrappers in self._named_by_urls() if self._uses_urls else ():
            contents = [] if rule.wraps() else types
            if len(contents) <= 1 and (contents or wrappers):
                wanted = self._of_types(statement, rule, contents, wrappers)
                if isinstance(wanted, Wanted):
                    reason = f"The download URL {url} says so."
                    return wanted._replace(
                        rule="by URL", reason=reason, contents=contents, confidence="likely"
                    )
        return None

    def _url_against(self, contents: list[ContentType], wrappers: list[ContentType]) -> str:
        """Return the type that a download URL names where it is another one, else ``""``."""
        for _, inside, outside in self._named_by_urls():
            for mine, theirs in ((contents, inside), (wrappers, outside)):
                if mine and theirs and not any(agree(a, b) for a in mine for b in theirs):
                    return theirs[0].essence
        return ""

    def _named_by_urls(self) -> Iterator[tuple[str, list[ContentType], list[ContentType]]]:
        """Yield the URLs whose file names say what the bytes are, with content and wrappers."""
        for url in self._named.resource.urls:
            for claim in url_claim(url):
                if PAGES.isdisjoint(content_type.essence for content_type in claim.types):
                    yield url, *split_types(claim.types, claim.wrappers)


def _is_placeholder(statement: Statement, understood: Understood) -> bool:
    code = eu_code(statement.object)
    if code is not None:
        return code in PLACEHOLDERS
    return "placeholder" in words().unnamed.get(name_key(understood.text), "")
