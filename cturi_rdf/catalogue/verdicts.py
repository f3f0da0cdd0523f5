"""Verdicts: what a profile makes of each statement of a resource, and the changes that follow.

A value that is as the profile asks is kept, even where another one would be better.  Any other
value becomes what `cturi_rdf.catalogue.replacement` says, unless that contradicts another value.
What a profile requires and a resource lacks is a verdict as well.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import url_reading, wraps_nothing
from cturi_rdf.catalogue.replacement import NO_WRAPPER, UNKNOWN, WrongValue, says_more
from cturi_rdf.catalogue.resource_state import ResourceState, split_types
from cturi_rdf.catalogue.services import SERVICE, advice_on, judge_service
from cturi_rdf.catalogue.value_forms import (
    asked_for,
    eu_code,
    exists_nowhere,
    is_right,
    relation_of_named,
    value_for,
)
from cturi_rdf.catalogue.verdict import Options, Verdict, short_name, written
from cturi_rdf.editing.edit import Add, Append, Remove, Replace
from cturi_rdf.rdf.terms import CHARSET, RDF
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import type_of_iri

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.catalogue.resource_state import Value
    from cturi_rdf.catalogue.resources import Contents, Subject
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.rdf.label_statements import Understood


def verdicts_on_all(
    contents: Contents,
    profile: Profile,
    meaning: Callable[[Statement], Understood],
    options: Options = Options(),
) -> list[Verdict]:
    """Return the verdicts on all resources; `meaning` reads the value of a statement.

    Those on resources that say the same are computed once.
    """
    verdicts: list[Verdict] = []
    outcomes: dict[Subject, _Outcome] = {}
    for own in contents.subjects.values():
        if own.model in outcomes:
            verdicts += outcomes[own.model].of_twin(own)
            continue
        outcome: list[Verdict] = []
        for ruled in contents.ruled_of(own):
            understood = {one.key: meaning(one) for one in (*ruled, *own.labels)}
            state = ResourceState(own, ruled, profile, understood, by_url=options.by_url)
            outcome += _Judging(state, options, contents).run()
        verdicts += outcome
        # The description of a service has an IRI and a URL of its own.
        if options.services == "report" or all(one.rule != "service" for one in outcome):
            numbers = {one.key: number for number, one in enumerate(own.statements)}
            outcomes[own.model] = _Outcome(outcome, numbers)
    return verdicts


# How a file type of the EU may be related to a media type, the narrowest first.
_BY_NEARNESS = ("narrow", "close", "broad", "related", "")


class _Outcome(NamedTuple):
    """The verdicts on a resource, and the numbers of its statements among all about it."""

    verdicts: list[Verdict]
    numbers: dict[Hashable, int]

    def of_twin(self, own: Subject) -> Iterator[Verdict]:
        """Yield the verdicts on a resource that says the same."""

        def twin(statement: Statement) -> Statement:
            return own.statements[self.numbers[statement.key]]

        for verdict in self.verdicts:
            changes = verdict.changes and tuple(
                change
                if isinstance(change, Append)
                else type(change)(twin(change.statement), *change[1:])
                for change in verdict.changes
            )
            yield Verdict(twin(verdict.statement), *verdict[1:-1], changes)


class _Judging:
    """The verdicts on one resource, as they come."""

    def __init__(self, state: ResourceState, options: Options, contents: Contents) -> None:
        self._state = state
        self._options = options
        self._contents = contents
        # The values that each property has so far.
        self._there: dict[ox.NamedNode, dict[Term, None]] = {}
        self._verdicts: list[Verdict] = []

    def run(self) -> list[Verdict]:
        """Return the verdicts, those that change something first."""
        waiting = []
        # Of values that say the same, the one stays that the profile would write.
        for statement, rule in sorted(self._state.ruled, key=self._preference):
            resolution = self._state.understood[statement.key].resolution
            # A text for people may name a service, and so may one that the profile lists.
            is_service = (
                bool(resolution.services)
                and "name" not in rule.write
                and not self._is_listed(statement, rule)
            )
            if is_right(rule, statement.object) and not self._is_in_the_way(statement, rule):
                self._keep(statement, rule, is_service=is_service)
            elif is_service:
                self._judge_service(statement, rule)
            elif not self._is_one_of_several(statement, rule):
                waiting.append((statement, rule))
        # Statements that name content go first, so that the wrappers find their places.
        # Those that the rest contradicts go last; the order of the file decides nothing.
        waiting.sort(key=self._rank)
        self._verdicts += self._replaced(waiting)
        self._report_conflict()
        self._judge_missing()
        return [self._with_repeated(verdict) for verdict in self._verdicts]

    def _replaced(self, waiting: list[tuple[Statement, PropertyRule]]) -> list[Verdict]:
        """Take the verdicts that replace statements, and return those on what is left.

        A replacement may free a property, or tell what a placeholder stands for, so the others are
        looked at again until there is none.
        """
        before = None
        left: list[Verdict] = []
        while len(waiting) != before:
            before, left = len(waiting), []
            for statement, rule in waiting:
                by_url = self._options.by_url
                wanted = WrongValue(self._state, statement, rule, by_url=by_url).verdict()
                verdict = self._replace(wanted, *wanted.value) if wanted.value else wanted
                (self._verdicts if verdict.changes else left).append(verdict)
            waiting = [(one.statement, one.asks) for one in left]
        return left

    def _with_repeated(self, verdict: Verdict) -> Verdict:
        """Return a verdict that also removes the repetitions of a statement that it removes."""
        repeated = self._state.repeated.get(verdict.statement.key, ())
        removes = any(isinstance(change, Replace | Remove) for change in verdict.changes)
        again = tuple(map(Remove, repeated)) if removes else ()
        return verdict._replace(changes=verdict.changes + again)

    def _judge_service(self, statement: Statement, rule: PropertyRule) -> None:
        """Take the verdict on the name of a service."""
        verdict = judge_service(self._state, statement, rule, self._options, self._contents)
        if verdict.value and self._has(*verdict.value):
            # Another label names the same service.
            described = {
                quad for one in self._verdicts for step in one.changes for quad in step.added
            }
            steps = verdict.changes[1:]
            new = tuple(quad for step in steps for quad in step.added if quad not in described)
            nodes = (step for step in steps if isinstance(step, Remove))
            changes = (Remove(statement), *((Append(new),) if new else ()), *nodes)
            verdict = verdict._replace(action="remove", changes=changes)
        self._verdicts.append(verdict)
        if verdict.value:
            self._put(*verdict.value)
        if verdict.changes and verdict.action != "replace":
            self._state.leaves(statement)

    def _is_one_of_several(self, statement: Statement, rule: PropertyRule) -> bool:
        """Leave a value beside others on its property, where only one can be right."""
        # Where the judgement is one, the name of the file or the stated header has decided.
        is_open = self._state.judgement.outcome != "one"
        several = self._state.contradicting(rule) if is_open else ""
        if several:
            self._leave(
                statement,
                rule,
                "several",
                f"The values of {short_name(rule.property)} name {several}, and"
                f" {self._state.profile.title} allows {rule.at_most} value: describe a"
                " distribution for each.",
            )
        return bool(several)

    def _is_in_the_way(self, statement: Statement, rule: PropertyRule) -> bool:
        """Return whether a wrapper, right by itself, takes the only place of a content beside it.

        It moves to its own property.
        """
        is_only = rule.at_most == 1 and not rule.wraps() and self._state.is_only_wrapper(statement)
        return is_only and not self._state.is_free(rule)

    def _keep(self, statement: Statement, rule: PropertyRule, *, is_service: bool) -> None:
        value = statement.object
        other = self._like(rule.property, value) if isinstance(value, ox.NamedNode) else None
        if rule.at_most is not None and other is not None:
            reason = f"{short_name(rule.property)} {written(other)} says the same."
            place = rule.property, other
            verdict = Verdict(statement, rule, "remove", "duplicate", reason, value=place)
            self._verdicts.append(verdict._replace(changes=(Remove(statement),)))
            self._state.leaves(statement)
            return
        self._put(rule.property, statement.object)
        values = self._there[rule.property]
        resolution = self._state.understood[statement.key].resolution
        if rule.at_most is not None and len(values) > rule.at_most:
            self._leave(
                statement,
                rule,
                "several",
                f"{self._state.profile.title} allows {rule.at_most} value of"
                f" {short_name(rule.property)}, and there are {len(values)}.",
            )
        elif is_service and SERVICE not in self._state.types:
            # The profile accepts the code of a service here; DCAT has a better place for it.
            name = ", ".join(resolution.services)
            reason = f"{name} is a service, not a format: {advice_on(self._state, 'it')}."
            self._leave(statement, rule, "service", reason)
        elif self._is_empty(statement):
            self._leave(statement, rule, "node", "Nothing describes this blank node.")
        elif rule.wraps() and wraps_nothing(resolution):
            reason = NO_WRAPPER.format(resolution.types[0].essence, rule.role)
            self._leave(statement, rule, "no wrapper", reason)
        elif self._is_unknown(statement, rule):
            about = f" {resolution.reason}" if eu_code(statement.object) else ""
            self._leave(
                statement, rule, "unknown", UNKNOWN.format(written(statement.object)) + about
            )
        else:
            self._verdicts.append(Verdict(statement, rule, "right"))

    def _is_unknown(self, statement: Statement, rule: PropertyRule) -> bool:
        """Return whether a type exists nowhere: its form alone is right.

        A code of the EU has to be spelt as in the EU's table.
        """
        code, value = eu_code(statement.object), statement.object
        resolution = self._state.understood[statement.key].resolution
        return (code is not None and registry().eu_file_type(code) is None) or (
            not self._is_listed(statement, rule)
            and exists_nowhere(value, resolution, any_format=rule.role == "format")
        )

    @staticmethod
    def _is_listed(statement: Statement, rule: PropertyRule) -> bool:
        value = statement.object
        return isinstance(value, ox.Literal) and rule.also_accepts(value.value)

    def _leave(self, statement: Statement, asks: PropertyRule, rule: str, reason: str) -> None:
        self._verdicts.append(Verdict(statement, asks, "leave", rule, reason))

    def _rank(
        self, ruled: tuple[Statement, PropertyRule]
    ) -> tuple[bool, bool, bool, str, int, str]:
        statement, rule = ruled
        understood = self._state.understood[statement.key]
        types = understood.content_types
        is_wrapper = bool(types) and not split_types(types)[0]
        is_contradicted = self._state.is_contradicted(statement)
        wanted = value_for(rule, types[0], understood.text) if len(types) == 1 else None
        has_details = bool(says_more(statement, understood, wanted))
        # On one property the narrowest is first, and a placeholder takes the place that is left.
        named = [relation_of_named(one.essence, understood.text) for one in types]
        farness = min(map(_BY_NEARNESS.index, named), default=len(_BY_NEARNESS))
        path, value = statement.predicate.value, self._spelled(statement)
        return is_wrapper, is_contradicted, has_details, path, farness, value

    def _preference(self, ruled: tuple[Statement, PropertyRule]) -> tuple[bool, bool, str]:
        """Return the rank of a value: first those that the profile writes, last empty nodes."""
        statement, rule = ruled
        right = partial(is_right, rule, statement.object)
        is_second = right() and not right(preferred=True)
        return is_second, self._is_empty(statement), self._spelled(statement)

    def _is_empty(self, statement: Statement) -> bool:
        """Return whether the value is a blank node of which nothing is said."""
        return isinstance(statement.object, ox.BlankNode) and not self._contents.says(statement)

    def _spelled(self, statement: Statement) -> str:
        """Return a value by which it is ranked: a blank node has another label in each reading."""
        if isinstance(statement.object, ox.BlankNode):
            return f"_:{self._state.understood[statement.key].text}"
        return str(statement.object)

    def _replace(self, wanted: Verdict, path: ox.NamedNode, value: Term) -> Verdict:
        """Return the verdict with the changes that write its values, or why there are none."""
        statement = wanted.statement
        needed = self._options.min_confidence
        # A content that another value names already needs no second one.
        extras = [
            place
            for place in dict.fromkeys(wanted.beside)
            if not self._has(*place)
            if not self._says_charset(*place)
            if not (self._state.is_for_content(place[0]) and self._clash(*place))
        ]
        places = ((path, value), *extras)
        # A value that is there already needs no statement; its place goes to a value that is not.
        missing = [place for place in places if not self._has(*place)]
        clashes = (self._clash(*place, missing[:at]) for at, place in enumerate(missing))
        clash = next(filter(None, clashes), "")
        if clash:
            return Verdict(statement, wanted.asks, "leave", "several", clash)
        verdict = wanted
        if (path, value) not in missing:
            verdict = self._as_duplicate(verdict, path, value, is_whole=not missing)
            if verdict.action == "leave":
                return verdict
        # What says the same may be spelled in another way.
        there = self._like(path, value) if verdict.action == "remove" else None
        verdict = verdict._replace(value=(path, there or value), beside=tuple(extras))
        if wanted.confidence == "likely" and needed == "certain" and wanted.rule != "by URL":
            likely = f"It is likely {written(value)}. {wanted.reason}"
            remedy = "Write it yourself, or run cturi repair with --min-confidence likely."
            reason = f"{likely} {remedy}"
            return verdict._replace(action="leave", rule="likely", reason=reason)
        changes: list[Change] = [] if missing else [Remove(statement)]
        nodes: tuple[Remove, ...] = ()
        if isinstance(statement.object, ox.BlankNode):
            about = self._contents.only_label_of(statement)
            if about is None:
                reason = "A node that is more than the label of one statement cannot be replaced."
                reason += f" It means {short_name(path)} {written(value)}."
                return verdict._replace(action="leave", rule="node", reason=reason)
            verdict = verdict._replace(rule="node")
            nodes = tuple(map(Remove, about))
        for index, (predicate, term) in enumerate(missing):
            moved = predicate if predicate != statement.predicate else None
            change = Add(statement, predicate, term) if index else Replace(statement, term, moved)
            changes.append(change)
        self._note(wanted, places)
        return verdict._replace(changes=(*changes, *nodes))

    def _note(self, wanted: Verdict, places: Iterable[Value]) -> None:
        """Note what is said once a statement is replaced by values at some places."""
        statement = wanted.statement
        for predicate, term in places:
            if predicate == CHARSET or self._state.rule_for(predicate):
                self._put(predicate, term)
        if statement.predicate not in {predicate for predicate, _ in places}:
            self._state.leaves(statement)
        if wanted.contents is not None:
            self._state.names(statement, wanted.contents)

    def _as_duplicate(
        self, verdict: Verdict, path: ox.NamedNode, value: Term, *, is_whole: bool
    ) -> Verdict:
        """Return the verdict on a statement whose value is there already, maybe not as a whole."""
        if verdict.rule == "placeholder":
            # It says nothing that could be there already.
            return verdict._replace(action="remove")
        other = f"{short_name(path)} {written(self._like(path, value) or value)}"
        understood = self._state.understood[verdict.statement.key]
        more = says_more(verdict.statement, understood, value)
        if more:
            reason = f"{other} names the format. {more}"
            return verdict._replace(action="leave", rule="details", reason=reason)
        if not is_whole:
            return verdict
        if verdict.rule == "by URL":
            # The label may say something else.
            return verdict._replace(action="remove", reason=f"{other} is there. {verdict.reason}")
        return verdict._replace(action="remove", rule="duplicate", reason=f"{other} says the same.")

    def _put(self, path: ox.NamedNode, value: Term) -> None:
        self._there.setdefault(path, {})[value] = None

    def _has(self, path: ox.NamedNode, value: Term) -> bool:
        return self._like(path, value) is not None

    def _like(self, path: ox.NamedNode, value: Term) -> Term | None:
        """Return the value of a property that says the same as another one, if it is there.

        Neither the language of a format makes another one of it, nor http in an IRI of IANA.
        """
        meaning = _said(value)
        return next((one for one in self._there.get(path, ()) if _said(one) == meaning), None)

    def _says_charset(self, path: ox.NamedNode, value: Term) -> bool:
        """Return whether a value is a charset that has been written, maybe in another case."""
        there = self._there.get(path, ()) if path == CHARSET else ()
        return str(value).casefold() in {str(one).casefold() for one in there}

    def _clash(self, path: ox.NamedNode, value: Term, coming: Iterable[Value] = ()) -> str:
        """Return the reason why a property takes no value after those `coming`, or ``""``."""
        rule = self._state.rule_for(path)
        there = [*self._there.get(path, {}), *(one for to, one in coming if to == path)]
        if rule is None or rule.at_most is None or len(there) < rule.at_most:
            return ""
        first = written(there[0])
        return (
            f"It means {written(value)}, and {short_name(path)} {first} is there:"
            f" {self._state.profile.title} allows {rule.at_most} value."
        )

    def _report_conflict(self) -> None:
        """Leave a resource whose statements contradict each other where only one can be right."""
        judged = self._state.judgement
        # The name of a service that moves to its description is no longer there.
        gone = {
            one.statement.key for one in self._verdicts if one.rule == "service" and one.changes
        }
        single = [
            (one, rule)
            for one, rule in self._state.ruled
            if rule.at_most == 1 and one.key not in gone
        ]
        if judged.outcome != "conflict" or not single:
            return
        if not any(verdict.tells_conflict for verdict in self._verdicts):
            names = " and ".join(conflict.essence for conflict in judged.conflicts)
            # Preferably at a value of which nothing else is to be said, or will be once it is
            # replaced.
            only = [
                one
                for one in self._verdicts
                if one.asks.at_most == 1 and one.statement.key not in gone
            ]
            right = [one for one in only if one.action == "right"]
            mended = [one for one in only if one.action in {"replace", "move"} and one.changes]
            best = [*mended, *right][-1:]
            statement, rule = (best[0].statement, best[0].asks) if best else single[-1]
            self._verdicts = [one for one in self._verdicts if one not in right[-1:]]
            self._leave(statement, rule, "conflict", f"The resource is said to be {names}.")

    def _judge_missing(self) -> None:
        """Judge the properties that the profile requires and the resource lacks."""
        own, judged, left = self._state.subject, self._state.judgement, self._state.left
        understood = self._state.understood
        staying = [understood[one.key] for one in own.labels if one.key not in left]
        names_service = any(one.resolution.services for one in staying)
        for rule in self._state.profile.rules:
            # What moves to the property is no longer missing.
            if not own.lacks(rule, left) or rule.property in self._there:
                continue
            paths = rule.required or (RDF.type,)
            firsts = own.firsts
            statement = next(firsts[path] for path in paths if path in firsts)
            name, title = short_name(rule.property), self._state.profile.title
            reason = f"{title} requires {name}, {asked_for(rule)}."
            values = {value_for(rule, one) for one in self._state.described}
            # The name of a file is no evidence against the name of a service.
            is_open = names_service or judged.outcome == "conflict"
            value = values.pop() if len(values) == 1 and not is_open else None
            against = self._state.only_by_name
            if against and value is not None:
                value = None
                reason += f" But the download URL says {against[0].essence}."
            verdict = Verdict(statement, rule, "missing", "missing", reason, self._state.confidence)
            if value is not None:
                place = rule.property, value
                verdict = verdict._replace(value=place)
                # Who asks for the name of the file takes its word where nothing else is said.
                is_asked = self._options.min_confidence == "likely" or (
                    self._options.by_url
                    and any(map(url_reading, own.urls))
                    and not any(map(self._state.is_guessed, self._state.described))
                )
                if self._state.confidence == "certain" or is_asked:
                    change = Add(statement, *place)
                    verdict = verdict._replace(changes=(change,))
                else:
                    likely = f" It is likely {written(value)}."
                    verdict = verdict._replace(reason=reason + likely)
            self._verdicts.append(verdict)


def _said(value: Term) -> object:
    """Return what a value says: its text, or the type that IANA's IRI names, else the value."""
    if isinstance(value, ox.NamedNode):
        scheme, essences = type_of_iri(value.value) or ("", ())
        return essences if scheme.startswith("iana-") else value
    return value.value if isinstance(value, ox.Literal) else value
