"""Repairing many resources: those that say the same are looked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.edits import Add, Append
from cturi_rdf.rdf.header import url_claim
from cturi_rdf.repair.resources import ENCODING
from cturi_rdf.repair.rules import Repaired, repaired

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from cturi_rdf.edits import Change, Statement
    from cturi_rdf.rdf.label_statements import Understood
    from cturi_rdf.repair.profiles import Profile
    from cturi_rdf.repair.resources import Resource
    from cturi_rdf.repair.rules import Options

__all__ = ["Repairs"]

# So many kinds of resources are remembered.
_REMEMBERED = 8_192


class Repairs:
    """What a profile makes of resources; `meaning` says what a statement's value means."""

    def __init__(
        self, profile: Profile, meaning: Callable[[Statement], Understood], options: Options
    ) -> None:
        self._profile = profile
        self._meaning = meaning
        self._options = options
        self._outcomes: dict[Hashable, tuple[Sequence[Statement], Repaired]] = {}

    def of(self, resource: Resource) -> Repaired:
        """Return what the profile makes of a resource."""
        understood = [self._meaning(statement) for statement in resource.statements]
        kind = self._kind(resource, understood)
        alike = self._outcomes.get(kind)
        if alike is not None:
            return _moved(alike[1], alike[0], resource.statements)
        meanings = {
            statement.start: meaning
            for statement, meaning in zip(resource.statements, understood, strict=True)
        }
        outcome = repaired(
            resource, self._profile, lambda statement: meanings[statement.start], self._options
        )
        if len(self._outcomes) >= _REMEMBERED:
            self._outcomes.clear()
        self._outcomes[kind] = resource.statements, outcome
        return outcome

    def _kind(self, resource: Resource, understood: Sequence[Understood]) -> Hashable:
        """Return all of a resource that its repair depends on."""
        urls: Hashable = tuple(resource.urls)
        if not self._options.by_url:
            # No reason names a URL: what the URLs say is enough.
            urls = tuple(tuple(url_claim(url)) for url in resource.urls)
        values = tuple(
            (statement.predicate, statement.object, meaning.text)
            for statement, meaning in zip(resource.statements, understood, strict=True)
        )
        services = self._options.services == "move" and any(
            meaning.resolution.verdict == "service" for meaning in understood
        )
        if services:
            # A service has an IRI and a URL of its own.
            urls = urls, resource.statements[0].subject, tuple(resource.access)
        return resource.types, urls, ENCODING in resource.others, values


def _moved(
    outcome: Repaired, statements: Sequence[Statement], others: Sequence[Statement]
) -> Repaired:
    """Return an outcome for some statements as one for others that say the same."""
    twins = {old.start: new for old, new in zip(statements, others, strict=True)}

    def moved(change: Change) -> Change:
        if isinstance(change, Append):
            return change
        if isinstance(change, Add):
            return change._replace(beside=twins[change.beside.start])
        return change._replace(statement=twins[change.statement.start])

    return Repaired(
        [[step._replace(change=moved(step.change)) for step in group] for group in outcome.groups],
        [left._replace(statement=twins[left.statement.start]) for left in outcome.left],
        [(rule, twins[statement.start], value) for rule, statement, value in outcome.values],
    )
