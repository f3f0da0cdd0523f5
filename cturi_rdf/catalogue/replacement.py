"""The replacement of one value: its meaning in the form that the profile asks for.

The other parts of a label, such as the wrapper and the charset, go to the properties that the
profile has for them.  Nothing is guessed: a value with several readings, or one that would lose
part of the label, is left.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import (
    is_known,
    is_placeholder,
    wraps_nothing,
)
from cturi_rdf.catalogue.judgement import agree
from cturi_rdf.catalogue.resource_state import place_for, split_types
from cturi_rdf.catalogue.value_forms import (
    asked_for,
    eu_code,
    eu_file_type_named,
    is_right,
    is_special_case,
    value_for,
)
from cturi_rdf.catalogue.verdict import Verdict, short_name, written
from cturi_rdf.labels import resolve
from cturi_rdf.labels.details import details
from cturi_rdf.labels.names import name_key
from cturi_rdf.rdf.terms import CHARSET
from cturi_rdf.reading.terms import relative
from cturi_rdf.registry import registry
from cturi_rdf.registry.charsets import has_charset, known_charset, same_charset
from cturi_rdf.registry.hierarchy import is_a, is_kind_of

if TYPE_CHECKING:
    from cturi_rdf.catalogue.evidence import Reading
    from cturi_rdf.catalogue.profiles import PropertyRule
    from cturi_rdf.catalogue.resource_state import ResourceState, Value
    from cturi_rdf.catalogue.verdict import Action
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.rdf.label_statements import Understood


# A text that is meant as a media type.
_TYPE = re.compile(r"[^ /;:]+/[^ /;:]+ *(;.*)?", re.DOTALL)
UNKNOWN = "{} is in no registry of media types or formats."
NO_WRAPPER = "It means {}, which is no {}."
_NAMED_BY_EU = "The EU has a file type of this name."
_OTHER_ROLES = {"format": "media type", "media type": "format"}


class WrongValue:
    """A value that is not as its rule asks, with the state of its resource.

    With `by_url` the URLs of the resource count too.
    """

    def __init__(
        self, state: ResourceState, statement: Statement, rule: PropertyRule, *, by_url: bool
    ) -> None:
        self._state = state
        self._statement = statement
        self._rule = rule
        # The names of its files say nothing of another file, in which the data may be described.
        self._by_name = [] if rule.is_of_another_file() else state.by_name
        self._uses_urls = by_url
        self._text, self._resolution = state.understood[statement.key]

    def verdict(self) -> Verdict:
        """Return the verdict on the value, without its changes; on a node that of its label."""
        old = self._statement.object
        verdict = self._of_label()
        if isinstance(old, ox.BlankNode) and (not self._text or verdict.value is None):
            reason = f"A blank node stands where {asked_for(self._rule)} is asked for."
            its = f" Its label is {self._text!r}. {verdict.reason}" if self._text else ""
            return self._left("node", reason + its)
        return verdict._replace(value=verdict.value and _as_written(old, verdict.value))

    def _of_label(self) -> Verdict:
        rule, verdict = self._rule, self._resolution.verdict
        if is_placeholder(self._text):
            return self._in_place_of_nothing()
        file_type = eu_file_type_named(self._text) if "eu-file-type" in rule.write else None
        by_name = file_type and self._write((rule.property, file_type), reason=_NAMED_BY_EU)
        if by_name and verdict == "no_type":
            return by_name
        if verdict == "service":
            # A text for people is asked for, and the name of a service in an IRI is a code.
            asks = f"{self._state.profile.title} asks for {asked_for(rule)}."
            return self._left(verdict, f"{self._resolution.reason} {asks}")
        if rule.wraps() and wraps_nothing(self._resolution):
            # No name of a file makes a wrapper of it.
            essence = self._resolution.types[0].essence
            return self._left("no wrapper", NO_WRAPPER.format(essence, rule.role))
        by_url = self._by_url()
        reading = self._state.readings[self._statement.key]
        if reading is None or not reading.contents:
            return by_url or self._left(*self._why_nothing())
        is_certain = self._resolution.confidence == "certain"
        if by_name and is_certain and reading.contents != self._resolution.types and not by_url:
            # "RDF" beside Turtle is still RDF; an ambiguous name takes the value beside it.
            return by_name
        by_label = self._by_label(reading)
        if by_name and verdict == "compound" and by_label.value is None:
            # Only the code "TAR_GZ" itself keeps both wrappers.
            return by_name
        unsure = by_label.value is None or by_label.confidence == "likely"
        return by_url if unsure and by_url else by_label

    def _why_nothing(self) -> tuple[str, str]:
        """Return the rule and the reason by which a value without a reading is left."""
        judged = self._state.judgement
        own = dict.fromkeys(one.types[0] for one in self._resolution.readings if one.types)
        others = [
            one
            for one in judged.conflicts or judged.contents
            if not any(is_a(mine, one) for mine in own)
        ]
        if others and self._state.is_contradicted(self._statement):
            named, says = " or ".join(map(str, own)) or self._text, " and ".join(map(str, others))
            return "conflict", f"It names {named}, and other evidence says {says}."
        if judged.conflicts and not others:
            named = " or ".join(map(str, own))
            return "conflict", f"It may mean {named}, and the other statements do not agree on one."
        verdict, value = self._resolution.verdict, self._statement.object
        is_type = isinstance(value, ox.NamedNode) or bool(_TYPE.fullmatch(self._text))
        if is_type and not is_known(self._resolution):
            return "unknown", f"{UNKNOWN.format(written(value))} {self._resolution.reason}"
        return verdict, self._resolution.reason

    def _in_place_of_nothing(self) -> Verdict:
        """Return the value for a placeholder, by another statement or by the URL."""
        others = self._state.beside(self._statement) or self._state.certain_contents
        if self._rule.wraps() or self._rule.is_of_another_file():
            others = set()
        # Contents that differ in parameters may have one value.
        value, *more = {value_for(self._rule, content) for content in others} or {None}
        if value is not None and not more:
            content = min(others, key=str)
            reason = f"It is a placeholder, and another statement says {content.essence}."
            confidence = self._state.confidence_of(content)
            by_url = self._by_url() if confidence == "likely" else None
            return by_url or self._write(
                (self._rule.property, value),
                rule="placeholder",
                reason=reason,
                confidence=confidence,
                contents=(content,),
            )
        is_code = eu_code(self._statement.object) is not None
        reason = "It is a placeholder, not a format." if is_code else self._resolution.reason
        return self._by_url() or self._left("placeholder", reason)

    def _by_url(self) -> Verdict | None:
        judged, reading = self._state.judgement, self._state.readings[self._statement.key]
        inner, own = split_types(reading.contents, reading.wrappers) if reading else ([], [])
        if self._rule.wraps() and not own:
            # PPTX as a package is the package itself.
            inner, own = own, inner
        for url, types, outer in self._by_name if self._uses_urls else ():
            # An archive may be the structure of the content, or around another one.
            structures = {
                one
                for one in (*outer, *judged.wrappers)
                if any(is_kind_of(inside, one) for inside in judged.contents)
            }
            around = structures.intersection(judged.wrappers)
            wrappers = [one for one in outer if one in around or one not in structures]
            if not around.union(own).issubset(wrappers):
                # It says less than the label, or than all the evidence.
                continue
            # What is inside agrees with what is inside, not with the structure of its package.
            inside = judged.contents or judged.wrappers
            agreeing = all(any(is_a(other, one) for other in inside) for one in types) and all(
                any(agree(one, other) for other in judged.contents + judged.wrappers)
                for one in wrappers
            )
            if judged.outcome != "one" or not agreeing:
                # The statements say something else, and they count more.
                continue
            # All evidence together may say more than the name, such as a parameter.
            contents = inner if self._rule.wraps() else list(judged.contents)
            if len(contents) > 1 or not (contents or wrappers):
                continue
            if any(map(self._state.is_guessed, contents)):
                continue
            choices = [contents]
            if reading is None or not reading.contents:
                # Where a parameter has no place, a value that names nothing does not lose it.
                choices.append([one.replace(parameters={}) for one in contents])
            for choice in choices:
                by_types = self._of_types(choice, wrappers)
                if by_types.value and by_types.confidence == "certain":
                    reason = f"The download URL {relative(url)} says so."
                    return by_types._replace(
                        rule="by URL", reason=reason, contents=tuple(choice), confidence="likely"
                    )
        return None

    def _by_label(self, reading: Reading) -> Verdict:
        resolution = self._resolution
        contents, wrappers = split_types(reading.contents, reading.wrappers)
        if len(contents) > 1 or len(reading.contents) > 1:
            names = ", ".join(content.essence for content in reading.contents)
            reason = f"It names several formats ({names}): describe a distribution for each."
            return self._left("several", reason)
        by_types = self._of_types(contents, wrappers)
        if by_types.value is None:
            return by_types
        is_whole = by_types.confidence == "certain" and not by_types.beside
        if self._state.is_contradicted(self._statement) and not (
            is_whole and by_types.value[0] == self._rule.property
        ):
            # A part of it would contradict the other statements elsewhere, or be lost.
            return self._left(*self._why_nothing())
        confidence, reason = reading.confidence, reading.reason
        if resolution.confidence == "likely" and confidence == "certain":
            reason = f"It may mean {contents[0].essence if contents else wrappers[-1].essence},"
            reason += " and another statement says so."
        against = self._url_against(contents, wrappers)
        if against:
            # What other evidence contradicts is not offered.
            reason = f"{reason} But the download URL says {against}."
            remedy = " --by-url lets the URL decide." if confidence == "likely" else ""
            return self._left("likely", reason + remedy)
        if by_types.confidence == "likely":
            confidence = "likely"
        rule, title = self._rule, self._state.profile.title
        asks = f"{title} asks for {asked_for(rule)}."
        if is_right(rule, self._statement.object):
            asks = f"{title} allows {rule.at_most} value of {short_name(rule.property)}."
        reason = " ".join(filter(None, (reason, by_types.reason, asks)))
        return by_types._replace(confidence=confidence, reason=reason)

    def _of_types(self, contents: list[ContentType], wrappers: list[ContentType]) -> Verdict:
        """Return the values for a content and what it is wrapped in."""
        rule = self._rule
        inside = None
        if rule.wraps():
            # "Zipped CSV" as a package also names its content.
            inside = contents[0] if contents and wrappers else None
            subject, wrappers = (wrappers or contents)[-1], wrappers[:-1]
            if wraps_nothing(resolve(subject.essence)):
                return self._left("no wrapper", NO_WRAPPER.format(subject.essence, rule.role))
        elif contents:
            subject = contents[0]
        elif not rule.is_of_another_file() and self._state.beside(self._statement):
            # Another statement names the content; this one names only the wrapper.
            return self._as_structure(wrappers) or self._moved(wrappers)
        else:
            subject, wrappers = wrappers[-1], wrappers[:-1]
        others = self._beside(contents, wrappers, inside)
        if isinstance(others, Verdict):
            return others
        extras, lost = others
        value = value_for(rule, subject, self._text)
        other = self._free_rule(_OTHER_ROLES.get(rule.role))
        if other is not None:
            old = self._statement.object
            # A blank node goes with its label, and what is not of this type by its place.
            names_it = any(agree(one, subject) for one in self._resolution.types)
            right = names_it and not isinstance(old, ox.BlankNode) and is_right(other, old)
            beside = old if right else value_for(other, subject, self._text)
            if beside is not None and value is None:
                reason = f"Only {short_name(other.property)} has a value for it."
                moved = self._write(
                    (other.property, beside), rule="move", reason=reason, beside=tuple(extras)
                )
                return self._with_parameters(moved, subject, lost)
            is_no_name = "name" in other.write and _TYPE.fullmatch(self._text)
            if beside is not None and (wrappers or right) and not is_no_name:
                # A label is split; a value that is right on another property goes there too.  A
                # media type that is spelt wrong is no better as the name of a format.
                extras.append((other.property, beside))
        if value is None:
            return self._no_value(rule, subject)
        values = self._write(
            (rule.property, value), rule="split" if extras else "form", beside=tuple(extras)
        )
        if inside is not None:
            # From now on the content is named only where it was written.
            is_named = any(self._state.is_for_content(path) for path, _ in extras)
            values = values._replace(contents=(inside,) if is_named else ())
        return self._with_parameters(values, subject, lost)

    def _beside(
        self,
        contents: list[ContentType],
        wrappers: list[ContentType],
        inside: ContentType | None,
    ) -> tuple[list[Value], list[str]] | Verdict:
        """Return the values for other properties, and the types that no property takes."""
        extras: list[Value] = []
        lost = []
        for wrapper in wrappers:
            rule = self._state.wrapper_rule(wrapper)
            place = place_for(rule, wrapper)
            if place is not None:
                extras.append(place)
            elif rule is None:
                reason = f"{self._state.profile.title} has no property for {wrapper.essence}."
                return self._left("no place", reason)
            elif contents:
                lost.append(wrapper.essence)
            else:
                return self._no_value(rule, wrapper)
        if inside is None:
            return extras, lost
        others = self._state.beside(self._statement)
        if others and all(is_a(other, inside) for other in others):
            return extras, lost
        if others:
            names = ", ".join(sorted(other.essence for other in others))
            less = "only " if all(is_a(inside, other) for other in others) else ""
            reason = f"It says that {inside.essence} is inside, and another statement says"
            return self._left("conflict", f"{reason} {less}{names}.")
        rules = map(self._free_rule, _OTHER_ROLES)
        places = [place for rule in rules if (place := place_for(rule, inside))]
        return [*extras, *places], lost if places else [*lost, inside.essence]

    def _as_structure(self, wrappers: list[ContentType]) -> Verdict | None:
        """Return the content that other statements name, where this one names its structure.

        A zip beside OpenDocument is no package around it: the document itself is a zip.
        """
        others = self._state.beside(self._statement)
        if not any(is_kind_of(other, wrapper) for other in others for wrapper in wrappers):
            return None
        value, *more = {value_for(self._rule, content) for content in others}
        if value is None or more:
            return self._no_value(self._rule, wrappers[-1])
        content = min(others, key=str)
        reason = f"{content.essence} is {wrappers[-1].essence}, and another statement says so."
        confidence = self._state.confidence_of(content)
        place = self._rule.property, value
        form = self._write(place, reason=reason, confidence=confidence, contents=(content,))
        return self._with_parameters(form, wrappers[-1], [])

    def _moved(self, wrappers: list[ContentType]) -> Verdict:
        """Return the values for wrappers on their properties, or the outermost on this one."""
        values = (place_for(self._state.wrapper_rule(wrapper), wrapper) for wrapper in wrappers)
        places = list(filter(None, values))
        if len(places) == len(wrappers) and not self._leaves_a_gap():
            moved = self._write(places[0], rule="move", beside=tuple(places[1:]))
            return self._with_parameters(moved, wrappers[0], [])
        if len(wrappers) > 1:
            # One value would name one of them.
            return self._no_value(self._rule, wrappers[-1])
        value = value_for(self._rule, wrappers[-1], self._text)
        if value is None:
            return self._no_value(self._rule, wrappers[-1])
        return self._with_parameters(self._write((self._rule.property, value)), wrappers[-1], [])

    def _leaves_a_gap(self) -> bool:
        """Return whether the profile requires the property, and no other value comes to it."""
        state, rule = self._state, self._rule
        is_empty = state.subject.lacks(rule, state.left | {self._statement.key})
        return is_empty and not any(
            value_for(rule, content) for content in state.beside(self._statement)
        )

    def _with_parameters(self, values: Verdict, content: ContentType, lost: list[str]) -> Verdict:
        """Return the same, with a place for the parameters of a type that the value lacks.

        A value is not written where a parameter or the types in `lost` have no place.  One that
        leaves out what the label says beyond its format is only likely.
        """
        value = values.value and values.value[1]
        if content.parameters and not (isinstance(value, ox.Literal) and ";" in value.value):
            names = list(content.parameters)
            charset = content.parameters.get("charset")
            stated = self._state.subject.texts("charset")
            is_of_content = not self._rule.wraps() and has_charset(content)
            if charset and is_of_content and isinstance(value, ox.NamedNode):
                if not stated:
                    extra = CHARSET, ox.Literal(known_charset(charset))
                    rule = "move" if values.rule == "move" else "split"
                    values = values._replace(rule=rule, beside=(*values.beside, extra))
                if all(same_charset(charset, one) for one in stated):
                    names.remove("charset")
            if names:
                lost = [*lost, f"its parameter{'s' * (len(names) > 1)} {' and '.join(names)}"]
        if lost and value is not None:
            reason = f"It means {written(value)}, and there is no place for {', '.join(lost)}."
            return self._left("no place", reason)
        more = says_more(self._statement, self._state.understood[self._statement.key], value)
        reason = " ".join(filter(None, (values.reason, more)))
        return values._replace(confidence="likely", reason=reason) if more else values

    def _left(self, name: str, reason: str) -> Verdict:
        return Verdict(self._statement, self._rule, "leave", name, reason)

    def _write(self, place: Value, **parts: Any) -> Verdict:
        """Return the verdict that writes a value on a property, with more `parts` of a verdict."""
        action: Action = "replace" if place[0] == self._rule.property else "move"
        return Verdict(self._statement, self._rule, action, "form", value=place)._replace(**parts)

    def _no_value(self, rule: PropertyRule, content: ContentType) -> Verdict:
        name, asks = short_name(rule.property), asked_for(rule)
        if not is_known(self._resolution):
            reason = UNKNOWN.format(written(self._statement.object))
            return self._left("unknown", f"{reason} {name} has to be {asks}.")
        reason = f"It means {content.essence}; {name} has to be {asks}, and there is none for it."
        return self._left("no value", reason)

    def _free_rule(self, role: str | None) -> PropertyRule | None:
        """Return the rule of a role, if nothing is on its property yet."""
        rule = self._state.rule_of(role) if role else None
        return rule if rule is not None and self._state.is_free(rule) else None

    def _url_against(self, contents: list[ContentType], wrappers: list[ContentType]) -> str:
        """Return the type that a download URL names where it is another one, else ``""``."""
        for _, inside, outside in self._by_name:
            for mine, theirs in ((contents, inside), (wrappers, outside)):
                if mine and theirs and not any(agree(a, b) for a in mine for b in theirs):
                    return theirs[0].essence
        return ""


def _as_written(old: Term, place: Value) -> Value:
    """Return a value with the language of the text that it replaces.

    In JSON-LD and RDF/XML the language is mostly one for the whole file, and a text without it
    would look unlike the texts around it.
    """
    path, value = place
    if isinstance(old, ox.Literal) and old.language and isinstance(value, ox.Literal):
        return path, ox.Literal(value.value, language=old.language)
    return place


def says_more(statement: Statement, label: Understood, value: Term | None = None) -> str:
    """Return a sentence on what the label of a statement says beyond its meaning, or ``""``.

    An IRI is an identifier, of which no part says more.  `value` is the value in its place; an EU
    file type may be named as the label names it.  A media type says less than a label that names a
    special case of it, as "GeoTIFF" does.
    """
    if isinstance(statement.object, ox.NamedNode):
        return ""
    record = registry().eu_file_types().get((value and eu_code(value)) or "")
    stated = frozenset(map(name_key, (record.code, record.label))) if record else frozenset()
    more = ", ".join(details(*label, stated))
    is_type = value is not None and record is None
    types = label.resolution.types if is_type and not more else ()
    if any(is_special_case(one.essence, label.text) for one in types):
        more = label.text
    return f"The label says more: {more}." if more else ""
