"""The resources that a profile is about, and the facts about values in the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import pyoxigraph as ox

from cturi_rdf.catalogue.profiles import iri_of
from cturi_rdf.catalogue.value_forms import eu_code
from cturi_rdf.rdf.background import EU_FILE_TYPES
from cturi_rdf.rdf.terms import RDF, SKOS
from cturi_rdf.rdf.urls import DOWNLOAD_URLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term

__all__ = [
    "ASSESSED",
    "ENCODING",
    "Contents",
    "Fact",
    "Resource",
    "Subject",
    "facts_about",
    "predicates_for",
]

# The facts about a value in the data.
Fact = tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode]

_URLS = [ox.NamedNode(iri) for iri in DOWNLOAD_URLS]
# The properties whose values the Metadata Quality Assessment looks at.
ASSESSED = iri_of("dct:format"), iri_of("dcat:mediaType")
# GeoDCAT-AP, "character encoding": the charset of a distribution, which no IRI of IANA has.
ENCODING = ox.NamedNode("http://www.w3.org/2011/content#characterEncoding")
_DISTRIBUTION = iri_of("dcat:Distribution")
# The kind of each property.
_KINDS = {
    **dict.fromkeys(_URLS, "URL"),
    iri_of("dcat:accessURL"): "access",
    RDF.type: "fact",
    SKOS.inScheme: "fact",
    # The properties that the quality assessment counts, whatever the profile asks.
    **dict.fromkeys(ASSESSED, "named"),
    iri_of("dcat:distribution"): "distribution",
    iri_of("dct:publisher"): "publisher",
    # Names of publishers; Project Open Data has the second.
    iri_of("foaf:name"): "name",
    SKOS.prefLabel: "name",
}


def predicates_for(profile: Profile) -> list[ox.NamedNode]:
    """Return the properties whose statements a plan needs."""
    return [*dict.fromkeys((*profile.properties, *_KINDS, ENCODING))]


class Subject:
    """The statements about one subject, in all graphs.

    `types` are its classes, `urls` are where it is downloaded from, `access` has the values of
    `dcat:accessURL`, and `others` its other properties that matter here.  `named` has the
    statements that name formats, by their graphs, and `dataset` is what has the subject as its
    distribution.
    """

    __slots__ = ("access", "dataset", "name", "named", "others", "publisher", "types", "urls")

    def __init__(self) -> None:
        self.types: frozenset[ox.NamedNode] = frozenset()
        self.urls: tuple[str, ...] = ()
        self.access: tuple[ox.NamedNode, ...] = ()
        self.others: frozenset[ox.NamedNode] = frozenset()
        self.named: dict[object, list[Statement]] = {}
        self.dataset: Term | None = None
        self.publisher: Term | None = None
        self.name: Term | None = None

    @property
    def is_distribution(self) -> bool:
        """Whether it is a distribution, by its class or by the dataset that has it."""
        return self.dataset is not None or _DISTRIBUTION in self.types

    def take(self, kind: str | None, predicate: ox.NamedNode, value: Term) -> None:
        """Take a statement about the subject; `kind` is the kind of its property."""
        if kind == "URL" and isinstance(value, ox.NamedNode | ox.Literal):
            self.urls += (value.value,)
        elif kind == "access" and isinstance(value, ox.NamedNode):
            self.access += (value,)
        elif kind == "publisher":
            self.publisher = self.publisher or value
        elif kind == "name":
            self.name = self.name or value
        elif predicate == RDF.type and isinstance(value, ox.NamedNode):
            self.types |= {value}
        elif kind is None:
            self.others |= {predicate}


class Resource(NamedTuple):
    """A resource in one graph: its statements that the profile has rules for."""

    statements: Sequence[Statement]
    subject: Subject


class Contents:
    """The statements of a file or a graph that matter to a profile, from one reading.

    `resources` are the resources that the profile is about, separately for each graph; `subjects`
    are all subjects of statements; `facts` are the classes and schemes of values.
    """

    def __init__(self, statements: Iterable[Statement], profile: Profile) -> None:
        kinds = {**_KINDS, **dict.fromkeys(profile.properties, "named")}
        # The facts about values that the data may need.
        asked = {rule.type for rule in profile.rules} | {EU_FILE_TYPES}
        self.facts: set[Fact] = set()
        self.subjects: dict[Term, Subject] = {}
        named: list[tuple[Subject, list[Statement]]] = []
        last, own = None, Subject()
        for statement in statements:
            graph, subject, predicate, value, *_ = statement
            # Statements of one subject mostly stand together.
            if subject is not last:
                last, own = subject, self.subject(subject)
            kind = kinds.get(predicate)
            if kind == "named":
                if graph not in own.named:
                    own.named[graph] = []
                    named.append((own, own.named[graph]))
                own.named[graph].append(statement)
            elif kind == "distribution":
                part = self.subject(value)
                part.dataset = part.dataset or subject
            else:
                own.take(kind, predicate, value)
            if kind == "fact" and value in asked and isinstance(subject, ox.NamedNode):
                self.facts.add((subject, predicate, cast("ox.NamedNode", value)))
        self.resources = []
        for own, several in named:
            ruled = [one for one in several if profile.rule_for(one.predicate, own.types)]
            if ruled:
                self.resources.append(Resource(ruled, own))

    def subject(self, term: Term) -> Subject:
        """Return the statements about a term."""
        own = self.subjects.get(term)
        if own is None:
            own = self.subjects[term] = Subject()
        return own

    @property
    def values(self) -> Iterator[Term]:
        """The values of the properties that the profile has rules for."""
        return (
            statement.object for resource in self.resources for statement in resource.statements
        )

    def missing(self, values: Iterable[tuple[PropertyRule, Statement, Term]]) -> list[ox.Quad]:
        """Return the facts about some values that the data needs and lacks."""
        quads: dict[Term, dict[ox.Quad, None]] = {}
        for rule, statement, value in values:
            for fact in facts_about(rule, value):
                if fact not in self.facts:
                    quads.setdefault(value, {})[ox.Quad(*fact, statement.graph)] = None
        return [quad for value in sorted(quads, key=str) for quad in quads[value]]


def facts_about(rule: PropertyRule, value: Term) -> Iterator[Fact]:
    """Yield the facts about a value that the data needs: its class and its scheme."""
    if isinstance(value, ox.NamedNode):
        if rule.type:
            yield value, RDF.type, rule.type
        if rule.in_scheme and eu_code(value) is not None:
            yield value, SKOS.inScheme, EU_FILE_TYPES
