"""The resources that a profile is about, and the facts about values in the data."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

import pyoxigraph as ox

from cturi_rdf.catalogue.profiles import iri_of
from cturi_rdf.catalogue.value_forms import eu_code
from cturi_rdf.rdf.background import EU_FILE_TYPES
from cturi_rdf.rdf.label_statements import DESCRIBED_BY
from cturi_rdf.rdf.terms import CHARSET, CTV, DOWNLOAD_URLS, PROPERTIES, RDF, SKOS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.catalogue.verdict import Options
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term


# The facts about a value in the data.
Fact = tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode]

_URLS = [ox.NamedNode(iri) for iri in DOWNLOAD_URLS]
# The properties whose values the Metadata Quality Assessment looks at.
ASSESSED = iri_of("dct:format"), iri_of("dcat:mediaType")
_DISTRIBUTION, _SERVICE = iri_of("dcat:Distribution"), iri_of("dcat:DataService")
# The classes of a node that stands for a format; DCMI had the last one before 2008.
FORMATS = frozenset(
    map(iri_of, ("dct:MediaTypeOrExtent", "dct:MediaType", "dct:FileFormat", "dct:IMT"))
)
# The kind of each property that has no labels.
KINDS = {
    **dict.fromkeys(_URLS, "URL"),
    iri_of("dcat:accessURL"): "access",
    iri_of("dcat:accessService"): "service",
    iri_of("dcat:endpointURL"): "endpoint",
    iri_of("dct:title"): "title",
    CHARSET: "charset",
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


def _kinds(profile: Profile) -> dict[ox.NamedNode, str]:
    """Return the kind of each property; labels on other properties are evidence too."""
    labels = (path for path, link in PROPERTIES.items() if link != CTV.relatedContentType)
    named = dict.fromkeys(profile.properties, "named")
    return {**dict.fromkeys(labels, "label"), **KINDS, **named}


def predicates_for(profile: Profile, options: Options) -> list[ox.NamedNode]:
    """Return the properties whose statements a plan needs; titles tell services apart."""
    kinds = _kinds(profile).items()
    return [path for path, kind in kinds if kind != "title" or options.services == "move"]


class Subject:
    """The statements about one subject, in all graphs.

    `types` are its classes, `urls` are where it is downloaded from, `access` has the values of
    `dcat:accessURL`, `services` those of `dcat:accessService`, and `charsets` the character sets
    that are stated of it.  `named` has the statements that name formats for which the profile may
    have a rule, by their graphs, `labels` these and all others.  `firsts` has the first statement
    of each property.  `dataset` is what has the subject as its distribution, by the statement
    at `linked`; `endpoints` and `titles` are those of a service.  `first` is where the first
    statement about it begins that may matter to a profile.
    """

    __slots__ = (
        "access", "charsets", "dataset", "endpoints", "first", "firsts", "labels", "linked", "name",
        "named", "publisher", "services", "titles", "types", "urls",
    )  # fmt: skip

    def __init__(self) -> None:
        self.types: frozenset[ox.NamedNode] = frozenset()
        self.urls: tuple[str, ...] = ()
        self.access: tuple[ox.NamedNode, ...] = ()
        self.services: tuple[Term, ...] = ()
        self.endpoints: tuple[Term, ...] = ()
        self.titles: tuple[str, ...] = ()
        self.charsets: tuple[str, ...] = ()
        self.labels: list[Statement] = []
        self.firsts: dict[ox.NamedNode, Statement] = {}
        self.named: dict[object, list[Statement]] = {}
        self.dataset: Term | None = None
        self.linked = self.first = -1
        self.publisher: Term | None = None
        self.name: Term | None = None

    @property
    def start(self) -> int:
        """Where the first statement that may matter begins, or the one that names its dataset."""
        return self.linked if self.first < 0 else self.first

    @property
    def is_distribution(self) -> bool:
        """Whether it is a distribution, by its class or by the dataset that has it."""
        return self.dataset is not None or _DISTRIBUTION in self.types

    def lacks(self, rule: PropertyRule) -> bool:
        """Return whether the subject has no value that a rule requires."""
        return (
            rule.is_required(self.firsts)
            and (bool(rule.required) or not rule.of.isdisjoint(self.types))
            and rule.property not in self.firsts
            and (not self.types or not rule.of or not rule.of.isdisjoint(self.types))
        )

    def take(self, kind: str | None, predicate: ox.NamedNode, value: Term) -> None:
        """Take a statement about the subject; `kind` is the kind of its property."""
        if kind == "fact":
            if predicate == RDF.type and isinstance(value, ox.NamedNode):
                self.types |= {value}
        elif kind == "URL" and isinstance(value, ox.NamedNode | ox.Literal):
            self.urls += (value.value,)
        elif kind == "access" and isinstance(value, ox.NamedNode):
            self.access += (value,)
        elif kind == "publisher":
            self.publisher = self.publisher or value
        elif kind == "name":
            self.name = self.name or value
        elif kind == "service":
            self.services += (value,)
        elif kind == "endpoint":
            self.endpoints += (value,)
        elif isinstance(value, ox.NamedNode | ox.Literal):
            if kind == "title":
                self.titles += (value.value,)
            elif kind == "charset":
                self.charsets += (value.value,)


class Resource(NamedTuple):
    """A resource in one graph: its statements that the profile has rules for, and all about it."""

    statements: Sequence[Statement]
    subject: Subject


class Contents:
    """The statements of a file or a graph that matter to a profile, from one reading.

    `resources` are the resources that the profile is about, separately for each graph; `subjects`
    are all subjects of statements; `facts` are the classes and schemes of values.
    """

    def __init__(self, statements: Iterable[Statement], profile: Profile) -> None:
        kinds = _kinds(profile)
        # The facts about values that the data may need.
        asked = {rule.type for rule in profile.rules} | {EU_FILE_TYPES}
        self.facts: set[Fact] = set()
        self.subjects: dict[Term, Subject] = {}
        # What is said of each blank node, and how often one is the object of a statement.
        self._about: dict[Term, list[Statement]] = {}
        self._uses: Counter[Term] = Counter()
        named: list[tuple[Subject, list[Statement]]] = []
        last, own = None, Subject()
        for statement in statements:
            graph, subject, predicate, value, *_ = statement
            # Statements of one subject mostly stand together.
            if subject is not last:
                last, own = subject, self.subject(subject)
            self._note(statement)
            kind = kinds.get(predicate)
            own.firsts.setdefault(predicate, statement)
            if kind not in {None, "title"} and own.first < 0:
                own.first = statement.start
            if kind in {"named", "label"} and not isinstance(value, ox.Triple):
                own.labels.append(statement)
            if kind == "named":
                if graph not in own.named:
                    own.named[graph] = []
                    named.append((own, own.named[graph]))
                own.named[graph].append(statement)
            elif kind == "distribution":
                part = self.subject(value)
                if part.dataset is None:
                    part.dataset, part.linked = subject, statement.start
            else:
                own.take(kind, predicate, value)
            if kind == "fact" and value in asked and isinstance(subject, ox.NamedNode):
                self.facts.add((subject, predicate, cast("ox.NamedNode", value)))
        self.resources: list[Resource] = []
        # The statements about resources of classes of which the profile says nothing.
        self.unruled: list[Statement] = []
        self._judge_by(profile, named)
        # The services that are described, by their endpoints, with their titles.
        self.services: dict[Term, tuple[Term, tuple[str, ...]]] = {
            endpoint: (node, own.titles)
            for node, own in self.subjects.items()
            if _SERVICE in own.types
            for endpoint in own.endpoints
        }

    def _note(self, statement: Statement) -> None:
        """Note a statement about a blank node, or that has one as its object."""
        if isinstance(statement.subject, ox.BlankNode):
            self._about.setdefault(statement.subject, []).append(statement)
        if isinstance(statement.object, ox.BlankNode):
            self._uses[statement.object] += 1

    def label_of(self, node: Term | None) -> str:
        """Return the first text that describes a blank node, or an empty one."""
        about = self._about.get(node, ()) if node else ()
        texts = (one.object for one in about if one.predicate in DESCRIBED_BY)
        return next((text.value for text in texts if isinstance(text, ox.Literal)), "")

    def only_label_of(self, statement: Statement) -> list[Statement] | None:
        """Return what is said of a blank node that is nothing but the label of one statement.

        Return None where something else uses the node, or where more is said of it.
        """
        about = self._about.get(statement.object, [])
        is_label = all(
            one.predicate in DESCRIBED_BY or (one.predicate == RDF.type and one.object in FORMATS)
            for one in about
        )
        return about if is_label and self._uses[statement.object] == 1 else None

    def _judge_by(self, profile: Profile, named: list[tuple[Subject, list[Statement]]]) -> None:
        """Sort out the resources that a profile has rules for, or requires something of."""
        rule_for = lru_cache(profile.rule_for)
        for own, several in named:
            ruled: list[Statement] = []
            for one in several:
                (ruled if rule_for(one.predicate, own.types) else self.unruled).append(one)
            if ruled:
                self.resources.append(Resource(ruled, own))
        with_rules = {id(resource.subject) for resource in self.resources}
        for own in self.subjects.values():
            if id(own) not in with_rules and any(own.lacks(rule) for rule in profile.rules):
                self.resources.append(Resource([], own))

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

    def missing(self, rule: PropertyRule, value: Term) -> Iterator[Fact]:
        """Yield the facts about a value that the data needs and lacks."""
        return (fact for fact in facts_about(rule, value) if fact not in self.facts)


def facts_about(rule: PropertyRule, value: Term) -> Iterator[Fact]:
    """Yield the facts about a value that the data needs: its class and its scheme."""
    if isinstance(value, ox.NamedNode):
        if rule.type:
            yield value, RDF.type, rule.type
        if rule.in_scheme and eu_code(value) is not None:
            yield value, SKOS.inScheme, EU_FILE_TYPES
