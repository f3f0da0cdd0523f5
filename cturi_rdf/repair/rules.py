"""The rules: from the format of a resource and the demands of a profile to changes.

A value that is as the profile asks is kept, even where another one would be better.  Any other
value becomes what `cturi_rdf.repair.wanted` says, unless that contradicts another value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import Evidence, readings_of
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.catalogue.profiles import iri_of
from cturi_rdf.catalogue.value_forms import is_right
from cturi_rdf.editing import Add, Append, Remove, Replace
from cturi_rdf.rdf.terms import RDF
from cturi_rdf.repair.named import Named, split_types
from cturi_rdf.repair.steps import Left, Step, short_name, written
from cturi_rdf.repair.wanted import wanted_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.labels import Resolution
    from cturi_rdf.labels.resolution import Confidence
    from cturi_rdf.rdf.label_statements import Understood
    from cturi_rdf.repair.resources import Resource
    from cturi_rdf.repair.wanted import Wanted

__all__ = ["Options", "Repaired", "repaired", "service_of"]

_SERVICE, _TITLE = iri_of("dcat:DataService"), iri_of("dct:title")
_ENDPOINT, _ACCESS_SERVICE = iri_of("dcat:endpointURL"), iri_of("dcat:accessService")


class Options(NamedTuple):
    """How much a repair may do.

    That is the confidence that it needs, whether URLs count, and whether the names of services move
    to `dcat:accessService`.
    """

    min_confidence: Confidence = "certain"
    by_url: bool = False
    services: Literal["report", "move"] = "report"


class Repaired(NamedTuple):
    """Groups of steps that belong together, the values that are left, and the values afterwards."""

    groups: list[list[Step]]
    left: list[Left]
    values: list[tuple[PropertyRule, Statement, Term]]


def repaired(
    resource: Resource,
    profile: Profile,
    understood: Mapping[int, Understood],
    options: Options = Options(),  # noqa: B008 - an immutable value
) -> Repaired:
    """Return the repair of a resource by a profile.

    `understood` has the meanings of the values of its statements, by the places of the statements.
    """
    return _Repair(Named(resource, profile, understood), options).run()


class _Repair:
    def __init__(self, named: Named, options: Options) -> None:
        self._named = named
        self._options = options
        # The values that each property has so far.
        self._there: dict[ox.NamedNode, dict[Term, None]] = {}
        self._result = Repaired([], [], [])

    def run(self) -> Repaired:
        """Return the steps for the resource, and the values that are left."""
        waiting = []
        for statement, rule in self._named.ruled:
            resolution = self._named.understood[statement.start].resolution
            # A text for people may name a service.
            services = () if "name" in rule.write else resolution.services
            is_service = bool(services) and resolution.verdict == "service"
            if is_service and self._moves(statement, ", ".join(services)):
                continue
            if is_right(rule, statement.object):
                self._keep(statement, rule)
            elif is_service:
                continue
            elif services:
                self._leave_services(statement, resolution)
            elif not self._is_one_of_several(statement, rule):
                waiting.append((statement, rule))
        # Statements that name content go first, so that the wrappers find their places.
        waiting.sort(key=lambda entry: self._is_wrapper(entry[0]))
        self._result.left.extend(self._written(waiting))
        self._report_conflict()
        for group in self._result.groups:
            group += [step for change in group for step in self._with_repeated(change)]
        return self._result

    def _written(self, waiting: list[tuple[Statement, PropertyRule]]) -> list[Left]:
        """Take the steps for statements, and return the statements that are left.

        A step may free a property, or tell what a placeholder stands for, so these are looked at
        again until no step is taken.
        """
        before = None
        left: dict[int, Left] = {}
        while len(waiting) != before:
            before, left = len(waiting), {}
            for statement, rule in waiting:
                wanted = wanted_for(self._named, statement, rule, by_url=self._options.by_url)
                why = wanted if isinstance(wanted, Left) else self._change(statement, wanted)
                if why is not None:
                    left[statement.start] = why
            waiting = [entry for entry in waiting if entry[0].start in left]
        return list(left.values())

    def _with_repeated(self, step: Step) -> Iterator[Step]:
        """Yield the steps that remove repetitions of a statement that a step removes."""
        change = step.change
        if isinstance(change, Replace | Remove):
            for statement in self._named.repeated[change.statement.start]:
                reason = "It is stated twice."
                yield Step(Remove(statement), "duplicate", step.confidence, reason)

    def _moves(self, statement: Statement, name: str) -> bool:
        """Move the name of a service to a description of it, or leave it; return which."""
        subject, access = statement.subject, self._named.resource.subject.access
        reason = f"{name} is a service, not a format: "
        if self._options.services == "report":
            reason += f"{self._advice('it')}."
        elif not isinstance(subject, ox.NamedNode):
            reason += "the distribution has no IRI to make that of the service from."
        elif len(access) != 1:
            reason += f"its dcat:endpointURL is that of {len(access)} values of dcat:accessURL."
        else:
            service = service_of(subject, name)
            facts = ((RDF.type, _SERVICE), (_TITLE, ox.Literal(name)), (_ENDPOINT, access[0]))
            quads = tuple(ox.Quad(service, path, value, statement.graph) for path, value in facts)
            reason += "DCAT 3 section 6.8 links a distribution to its service."
            changes = (Replace(statement, service, _ACCESS_SERVICE), Append(quads))
            steps = [Step(change, "service", "certain", reason) for change in changes]
            self._result.groups.append(steps)
            self._named.leaves(statement)
            return True
        self._leave(statement, "service", reason)
        return False

    def _leave_services(self, statement: Statement, resolution: Resolution) -> None:
        """Leave a value that names services beside formats: a new value would name no service."""
        self._leave(
            statement,
            "service",
            f"It names {' and '.join(map(str, resolution.named))}, and"
            f" {', '.join(resolution.services)}, which is no format: {self._advice('that')},"
            " and keep the rest.",
        )

    def _advice(self, service: str) -> str:
        """Return the advice for a service: a text for people names it, or a description."""
        rule = self._named.rule_of("format")
        if rule is not None and "name" in rule.write:
            return f"name {service} in {short_name(rule.property)}"
        return f"describe {service} as a dcat:DataService, linked by dcat:accessService"

    def _is_one_of_several(self, statement: Statement, rule: PropertyRule) -> bool:
        """Leave a value beside others on its property, where only one can be right."""
        several = self._named.contradicting(rule)
        if several:
            self._leave(
                statement,
                "several",
                f"{self._named.profile.title} allows {rule.at_most} value of"
                f" {short_name(rule.property)}, which names {several}: describe a distribution for"
                " each.",
            )
        return bool(several)

    def _keep(self, statement: Statement, rule: PropertyRule) -> None:
        self._put(rule, statement, statement.object)
        values = self._there[rule.property]
        if rule.at_most is not None and len(values) > rule.at_most:
            self._leave(
                statement,
                "several",
                f"{self._named.profile.title} allows {rule.at_most} value of"
                f" {short_name(rule.property)}, and there are {len(values)}.",
            )

    def _leave(self, statement: Statement, rule: str, reason: str) -> None:
        self._result.left.append(Left(statement, rule, reason))

    def _is_wrapper(self, statement: Statement) -> bool:
        types = self._named.understood[statement.start].resolution.named
        return bool(types) and not split_types(types)[0]

    def _change(self, statement: Statement, wanted: Wanted) -> Left | None:
        """Take the steps to the wanted values, or return why the statement is left."""
        path, value = wanted.value
        needed = self._options.min_confidence
        if wanted.confidence == "likely" and needed == "certain" and wanted.rule != "by URL":
            likely = f"It is likely {written(value)}. {wanted.reason}"
            remedy = "Write it yourself, or run cturi repair with --min-confidence likely."
            return Left(statement, "likely", f"{likely} {remedy}")
        # A content that another value names already needs no second one.
        extras = [
            place
            for place in dict.fromkeys(wanted.extras)
            if not self._has(*place)
            if not (self._named.is_for_content(place[0]) and self._clash(*place))
        ]
        places = (wanted.value, *extras)
        # A value that is there already needs no statement; its place goes to a value that is not.
        missing = [place for place in places if not self._has(*place)]
        clash = next(filter(None, (self._clash(*place) for place in missing)), "")
        if clash:
            return Left(statement, "several", clash)
        steps = []
        if not missing:
            reason = f"{short_name(path)} {written(value)} is there already."
            steps.append(Step(Remove(statement), "duplicate", wanted.confidence, reason))
        for index, (predicate, term) in enumerate(missing):
            moved = predicate if predicate != statement.predicate else None
            change = Add(statement, predicate, term) if index else Replace(statement, term, moved)
            steps.append(Step(change, wanted.rule, wanted.confidence, wanted.reason))
        for predicate, term in places:
            rule = self._named.rule_for(predicate)
            if rule:
                self._put(rule, statement, term)
        if statement.predicate not in {predicate for predicate, _ in places}:
            self._named.leaves(statement)
        if wanted.contents is not None:
            self._named.names(statement, wanted.contents)
        self._result.groups.append(steps)
        return None

    def _put(self, rule: PropertyRule, statement: Statement, value: Term) -> None:
        self._there.setdefault(rule.property, {})[value] = None
        self._result.values.append((rule, statement, value))

    def _has(self, path: ox.NamedNode, value: Term) -> bool:
        return value in self._there.get(path, ())

    def _clash(self, path: ox.NamedNode, value: Term) -> str:
        """Return the reason why a property takes no other value, or ``""``."""
        rule = self._named.rule_for(path)
        there = self._there.get(path, {})
        if rule is None or rule.at_most is None or len(there) < rule.at_most:
            return ""
        first = written(next(iter(there)))
        return (
            f"It means {written(value)}, and {short_name(path)} {first} is there:"
            f" {self._named.profile.title} allows {rule.at_most} value."
        )

    def _report_conflict(self) -> None:
        """Leave a resource whose statements contradict each other where only one can be right."""
        evidence = []
        for statement, rule in self._named.ruled:
            resolution = self._named.understood[statement.start].resolution
            if resolution.named and rule.at_most == 1:
                path, text = statement.predicate.value, resolution.label
                evidence.append(Evidence(path, text, readings_of(resolution)))
        answer = judge(evidence)
        if answer.outcome == "conflict":
            statement = self._named.ruled[-1][0]
            if all(change.statement is not statement for change in self._result.left):
                names = " and ".join(conflict.essence for conflict in answer.conflicts)
                self._leave(statement, "conflict", f"The resource is said to be {names}.")


def service_of(distribution: ox.NamedNode, name: str) -> ox.NamedNode:
    """Return the IRI of a service by its name and by the distribution that it gives access to.

    >>> service_of(ox.NamedNode("http://a.example/roads"), "WMS").value
    'http://a.example/roads#wms-service'
    """
    separator = "-" if "#" in distribution.value else "#"
    slug = re.sub(r"[^a-z0-9]+", "-", f"{name} service".lower()).strip("-")
    return ox.NamedNode(f"{distribution.value}{separator}{slug}")
