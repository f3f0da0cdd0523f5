"""The resources in some statements that a profile is about, and what the data says of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.rdf.terms import RDF, SKOS
from cturi_rdf.rdf.urls import DOWNLOAD_URLS
from cturi_rdf.repair.forms import EU_FILE_TYPES
from cturi_rdf.repair.wanted import ENCODING, Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.edits import Statement
    from cturi_rdf.edits.document import Term
    from cturi_rdf.repair.profiles import Profile, PropertyRule

__all__ = ["predicates_for", "resources_in", "typing_of"]

_URLS = {ox.NamedNode(iri): None for iri in DOWNLOAD_URLS}
_SCHEME = ox.NamedNode(EU_FILE_TYPES)


def predicates_for(profile: Profile) -> list[ox.NamedNode]:
    """Return the properties whose statements a plan needs."""
    return [*profile.properties, *_URLS, RDF.type, SKOS.inScheme, ENCODING]


def resources_in(statements: Iterable[Statement], profile: Profile) -> Iterator[Resource]:
    """Return the resources that the profile is about, each graph by itself."""
    types: dict[Term, set[ox.NamedNode]] = {}
    urls: dict[Term, list[str]] = {}
    others: dict[Term, set[ox.NamedNode]] = {}
    found: dict[tuple[object, Term], list[Statement]] = {}
    properties = profile.properties
    for each in statements:
        if each.predicate == RDF.type:
            if isinstance(each.object, ox.NamedNode):
                types.setdefault(each.subject, set()).add(each.object)
        elif each.predicate in _URLS:
            if isinstance(each.object, ox.NamedNode | ox.Literal):
                urls.setdefault(each.subject, []).append(each.object.value)
        elif each.predicate in properties:
            found.setdefault((each.graph, each.subject), []).append(each)
        else:
            others.setdefault(each.subject, set()).add(each.predicate)
    for (_, subject), named in found.items():
        classes = frozenset(types.get(subject, ()))
        yield Resource(
            [each for each in named if profile.rule_for(each.predicate, classes)],
            classes,
            urls.get(subject, ()),
            frozenset(others.get(subject, ())),
        )


def typing_of(
    statements: Iterable[Statement], values: Iterable[tuple[PropertyRule, Statement, Term]]
) -> list[ox.Quad]:
    """Return what the data has to say of the values, and does not."""
    there = {
        (each.subject, each.predicate, each.object)
        for each in statements
        if each.predicate in {RDF.type, SKOS.inScheme}
    }
    quads: dict[Term, dict[ox.Quad, None]] = {}
    for rule, statement, value in values:
        if not isinstance(value, ox.NamedNode):
            continue
        facts = [(RDF.type, rule.type)] if rule.type else []
        if rule.in_scheme and value.value.startswith(EU_FILE_TYPES):
            facts.append((SKOS.inScheme, _SCHEME))
        for path, fact in facts:
            if (value, path, fact) not in there:
                quad = ox.Quad(value, path, fact, statement.graph)
                quads.setdefault(value, {})[quad] = None
    return [quad for value in sorted(quads, key=str) for quad in quads[value]]
