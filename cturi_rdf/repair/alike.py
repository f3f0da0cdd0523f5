"""Repairing many resources: the repair of resources that say the same is computed once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.catalogue.evidence import url_reading
from cturi_rdf.editing import Append
from cturi_rdf.repair.resources import ENCODING
from cturi_rdf.repair.rules import Repaired, repaired

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from cturi_rdf.catalogue.profiles import Profile
    from cturi_rdf.editing import Change, Statement
    from cturi_rdf.rdf.label_statements import Understood
    from cturi_rdf.repair.resources import Resource
    from cturi_rdf.repair.rules import Options

__all__ = ["all_repaired"]

# How many kinds of resources are remembered.
_REMEMBERED = 8_192


def all_repaired(
    resources: Iterable[Resource],
    profile: Profile,
    meaning: Callable[[Statement], Understood],
    options: Options,
) -> Repaired:
    """Return the repairs of resources by a profile; `meaning` reads the value of a statement."""
    total = Repaired([], [], [])
    outcomes: dict[Hashable, tuple[Sequence[Statement], Repaired]] = {}
    for resource in resources:
        statements = resource.statements
        understood = {statement.start: meaning(statement) for statement in statements}
        kind = _kind(resource, understood, options)
        if kind in outcomes:
            outcome = _moved(*outcomes[kind], statements)
        else:
            outcome = repaired(resource, profile, understood, options)
            if len(outcomes) >= _REMEMBERED:
                outcomes.clear()
            outcomes[kind] = statements, outcome
        total.groups.extend(outcome.groups)
        total.left.extend(outcome.left)
        total.values.extend(outcome.values)
    return total


def _kind(resource: Resource, understood: dict[int, Understood], options: Options) -> Hashable:
    """Return everything about a resource that its repair depends on."""
    own = resource.subject
    urls: Hashable = own.urls
    if not options.by_url:
        # Reasons do not name URLs, so the formats that the URLs tell are enough.
        urls = tuple(map(url_reading, own.urls))
    values = tuple(
        (statement.predicate, statement.object, understood[statement.start].text)
        for statement in resource.statements
    )
    if options.services == "move" and any(
        meaning.resolution.verdict == "service" for meaning in understood.values()
    ):
        # A service has an IRI and a URL of its own.
        urls = urls, resource.statements[0].subject, own.access
    return own.types, urls, ENCODING in own.others, values


def _moved(
    statements: Sequence[Statement], outcome: Repaired, others: Sequence[Statement]
) -> Repaired:
    """Return an outcome for some statements as one for others that say the same."""
    twins = {old.start: new for old, new in zip(statements, others, strict=True)}

    def moved(change: Change) -> Change:
        if isinstance(change, Append):
            return change
        return change._replace(statement=twins[change.statement.start])

    return Repaired(
        [[step._replace(change=moved(step.change)) for step in group] for group in outcome.groups],
        [left._replace(statement=twins[left.statement.start]) for left in outcome.left],
        [(rule, twins[statement.start], value) for rule, statement, value in outcome.values],
    )
