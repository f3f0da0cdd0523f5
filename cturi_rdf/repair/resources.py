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

_URLS = [ox.NamedNode(iri) for iri in DOWNLOAD_URLS]
_SCHEME = ox.NamedNode(EU_FILE_TYPES)
_ACCESS_URL = iri_of("dcat:accessURL")
# What a property says of a resource.
_KINDS = {
    **dict.fromkeys(_URLS, "URL"), _ACCESS_URL: "access", RDF.type: "fact", SKOS.inScheme: "fact",
}  # fmt: skip


def predicates_for(profile: Profile) -> list[ox.NamedNode]:
    """Return the properties whose statements a plan needs."""
    return [*profile.properties, *_URLS, _ACCESS_URL, RDF.type, SKOS.inScheme, ENCODING]


class _Subject:
    """What the statements about one subject say."""

    __slots__ = ("access", "named", "others", "types", "urls")

    def __init__(self) -> None:
        self.types: set[ox.NamedNode] = set()
        self.urls: list[str] = []
        self.access: list[ox.NamedNode] = []
        self.others: set[ox.NamedNode] = set()
        # The statements that name formats, by their graphs.
        self.named: dict[object, list[Statement]] = {}


class Contents:
    """What a file or a graph says that matters to a profile, from one reading of its statements.

    `resources` are the resources that the profile is about, each graph by itself.
    """

    def __init__(self, statements: Iterable[Statement], profile: Profile) -> None:
        kinds = {**_KINDS, **dict.fromkeys(profile.properties, "named")}
        # What the data may have to say of the values.
        facts = {rule.type for rule in profile.rules} | {_SCHEME}
        self._facts: set[tuple[Term, ox.NamedNode, Term]] = set()
        subjects: dict[Term, _Subject] = {}
        named: list[tuple[_Subject, list[Statement]]] = []
        last, own = None, _Subject()
        for statement in statements:
            graph, subject, predicate, value, *_ = statement
            # Statements of one subject mostly stand together.
            if subject is not last:
                last, own = subject, subjects.setdefault(subject, _Subject())
            kind = kinds.get(predicate)
            if kind == "named":
                if graph not in own.named:
                    own.named[graph] = []
                    named.append((own, own.named[graph]))
                own.named[graph].append(statement)
            elif kind == "URL" and isinstance(value, ox.NamedNode | ox.Literal):
                own.urls.append(value.value)
            elif kind == "access" and isinstance(value, ox.NamedNode):
                own.access.append(value)
            elif kind == "fact":
                if predicate == RDF.type and isinstance(value, ox.NamedNode):
                    own.types.add(value)
                if value in facts:
                    self._facts.add((subject, predicate, value))
            elif kind is None:
                own.others.add(predicate)
        self.resources = []
        for own, several in named:
            types = frozenset(own.types)
            ruled = [one for one in several if profile.rule_for(one.predicate, types)]
            others = frozenset(own.others)
            self.resources.append(Resource(ruled, types, own.urls, others, own.access))

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
