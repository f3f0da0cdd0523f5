"""The resources in some statements that a profile is about, and what the data says of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.rdf.terms import RDF, SKOS
from cturi_rdf.rdf.urls import DOWNLOAD_URLS
from cturi_rdf.repair.forms import EU_FILE_TYPES
from cturi_rdf.repair.profiles import iri_of
from cturi_rdf.repair.wanted import ENCODING, Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.edits import Statement
    from cturi_rdf.edits.document import Term
    from cturi_rdf.repair.profiles import Profile, PropertyRule

__all__ = ["Contents", "predicates_for"]

_URLS = {ox.NamedNode(iri): None for iri in DOWNLOAD_URLS}
_SCHEME = ox.NamedNode(EU_FILE_TYPES)
_ACCESS_URL = iri_of("dcat:accessURL")


def predicates_for(profile: Profile) -> list[ox.NamedNode]:
    """Return the properties whose statements a plan needs."""
    return [*profile.properties, *_URLS, _ACCESS_URL, RDF.type, SKOS.inScheme, ENCODING]


class Contents:
    """What a file or a graph says that matters to a profile, from one reading of its statements.

    `resources` are the resources that the profile is about, each graph by itself.
    """

    def __init__(self, statements: Iterable[Statement], profile: Profile) -> None:
        types: dict[Term, set[ox.NamedNode]] = {}
        urls: dict[Term, list[str]] = {}
        access: dict[Term, list[ox.NamedNode]] = {}
        others: dict[Term, set[ox.NamedNode]] = {}
        named: dict[tuple[object, Term], list[Statement]] = {}
        properties = profile.properties
        # What the data may have to say of the values.
        facts = {rule.type for rule in profile.rules} | {_SCHEME}
        self._facts: set[tuple[Term, ox.NamedNode, Term]] = set()
        for statement in statements:
            _, subject, predicate, value, *_ = statement
            if predicate in properties:
                named.setdefault((statement.graph, subject), []).append(statement)
            elif predicate == RDF.type:
                if isinstance(value, ox.NamedNode):
                    types.setdefault(subject, set()).add(value)
            elif predicate in _URLS:
                if isinstance(value, ox.NamedNode | ox.Literal):
                    urls.setdefault(subject, []).append(value.value)
            elif predicate == _ACCESS_URL:
                if isinstance(value, ox.NamedNode):
                    access.setdefault(subject, []).append(value)
            else:
                others.setdefault(subject, set()).add(predicate)
            if value in facts:
                self._facts.add((subject, predicate, value))
        self.resources = []
        for (_, resource), own in named.items():
            classes = frozenset(types.get(resource, ()))
            self.resources.append(
                Resource(
                    [one for one in own if profile.rule_for(one.predicate, classes)], classes,
                    urls.get(resource, ()), frozenset(others.get(resource, ())),
                    access.get(resource, ()),
                )
            )  # fmt: skip

    @property
    def values(self) -> Iterator[Term]:
        """The values of the properties that the profile has rules for."""
        return (
            statement.object for resource in self.resources for statement in resource.statements
        )

    def missing(self, values: Iterable[tuple[PropertyRule, Statement, Term]]) -> list[ox.Quad]:
        """Return what the data has to say of some values, and does not."""
        quads: dict[Term, dict[ox.Quad, None]] = {}
        for rule, statement, value in values:
            if not isinstance(value, ox.NamedNode):
                continue
            facts = [(RDF.type, rule.type)] if rule.type else []
            if rule.in_scheme and value.value.startswith(EU_FILE_TYPES):
                facts.append((SKOS.inScheme, _SCHEME))
            for path, fact in facts:
                if (value, path, fact) not in self._facts:
                    quad = ox.Quad(value, path, fact, statement.graph)
                    quads.setdefault(value, {})[quad] = None
        return [quad for value in sorted(quads, key=str) for quad in quads[value]]
