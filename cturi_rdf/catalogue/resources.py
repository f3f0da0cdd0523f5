"""The resources that a profile is about, and the facts about values in the data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, cast

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import LINKS, evidence_of_label, evidence_of_term, url_reading
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.catalogue.profiles import iri_of
from cturi_rdf.catalogue.value_forms import eu_code, is_special_case
from cturi_rdf.labels.details import details
from cturi_rdf.rdf.label_statements import DESCRIBED_BY, understand, understand_texts
from cturi_rdf.rdf.terms import (
    CHARSET,
    CTV,
    DOWNLOAD_URLS,
    EU_FILE_TYPES,
    FILES,
    PROPERTIES,
    RDF,
    SKOS,
    VALUES,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping

    from cturi_rdf.catalogue.evidence import Evidence
    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.catalogue.verdict import Options
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.rdf.label_statements import Understood


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
    **dict.fromkeys(map(ox.NamedNode, sorted(LINKS)), "link"),
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


# Of these only their presence matters to a verdict.
PRESENT = frozenset({"access", "service", "endpoint", "title", "publisher", "name"})
# Labels on properties that the profile has rules for, and on others.
_LABELS = ("named", "label")
# These, and labels of something else, such as a file that describes the resource.
_ALL_LABELS = (*_LABELS, "other")
# Statements of these kinds are evidence, and are not changed themselves.
_VALUES = PRESENT | {"URL", "fact", "distribution"}


def kinds_of(profile: Profile) -> dict[ox.NamedNode, str]:
    """Return the kind of each property.

    Labels on properties without a rule are evidence too, unless they are about something "other".
    """
    labels = {
        path: "other" if link == CTV.relatedContentType else "label"
        for path, link in PROPERTIES.items()
        if VALUES.get(path) != "anything"
    }
    return {**labels, **KINDS, **dict.fromkeys(profile.properties, "named")}


def predicates_for(profile: Profile, options: Options) -> list[ox.NamedNode]:
    """Return the properties whose statements a plan needs; titles tell services apart."""
    kinds = kinds_of(profile).items()
    return [path for path, kind in kinds if kind != "title" or options.services == "move"]


def unplaced_for(profile: Profile, options: Options) -> set[ox.NamedNode]:
    """Return those of these properties of which a plan needs the values alone, and no places.

    What a profile requires is written beside statements that it names.
    """
    if options.services == "move":
        return set()
    beside = {path for rule in profile.rules for path in rule.required or ()}
    if any(rule.required == () for rule in profile.rules):
        beside.add(RDF.type)
    return {path for path, kind in kinds_of(profile).items() if kind in _VALUES} - beside


class Subject:
    """The statements about one subject that may matter to a profile, in all graphs.

    `kinds` tells the kind of each property.  `dataset` is what has the subject as its distribution,
    by the statement at `linked`.  Many subjects say the same: `model` is the first of these, and
    keeps their `classes` once these are asked for.
    """

    __slots__ = ("classes", "dataset", "kinds", "linked", "model", "statements")

    def __init__(self, kinds: Mapping[ox.NamedNode, str]) -> None:
        self.kinds = kinds
        self.statements: list[Statement] = []
        self.dataset: Term | None = None
        self.linked = -1
        self.model = self
        self.classes: frozenset[ox.NamedNode] | None = None

    def said(self, *, exact: bool) -> tuple[object, ...]:
        """Return everything about the subject that verdicts depend on.

        Unless it has to be `exact`, only the format that a URL tells matters.
        """
        graphs: dict[object, int] = {}
        terms: list[object] = []
        for statement in self.statements:
            graph, subject, path, value = statement[:4]
            kind = self.kinds[path]
            terms += graphs.setdefault(graph, len(graphs)), path
            if kind == "URL" and not exact and isinstance(value, ox.NamedNode | ox.Literal):
                terms.append(url_reading(value.value))
            elif kind not in PRESENT:
                terms.append(value)
            if kind == "fact" and value in FILES and isinstance(subject, ox.NamedNode):
                terms.append(subject if exact else url_reading(subject.value))
        return tuple(terms)

    def of_kind(self, *kinds: str) -> list[Statement]:
        """Return the statements with properties of some kinds."""
        return [one for one in self.statements if self.kinds[one.predicate] in kinds]

    def values(self, kind: str) -> list[Term]:
        """Return the values of the properties of a kind."""
        return [one.object for one in self.statements if self.kinds[one.predicate] == kind]

    def texts(self, kind: str) -> list[str]:
        """Return the values of the properties of a kind that are IRIs or literals, as texts."""
        values = self.values(kind)
        return [one.value for one in values if isinstance(one, ox.NamedNode | ox.Literal)]

    @property
    def urls(self) -> list[str]:
        """The URLs that it is downloaded from; the IRI of a file without one is its URL."""
        urls = self.texts("URL")
        if not urls and not FILES.isdisjoint(self.types):
            urls = [one.subject.value for one in self.statements[:1]
                    if isinstance(one.subject, ox.NamedNode)]  # fmt: skip
        return urls

    @property
    def types(self) -> frozenset[ox.NamedNode]:
        """Its classes."""
        # Many have the same classes as their model.
        if self.model.classes is None:
            facts = self.model.of_kind("fact")
            classes = (one.object for one in facts if one.predicate == RDF.type)
            self.model.classes = frozenset(one for one in classes if isinstance(one, ox.NamedNode))
        return self.model.classes

    @property
    def labels(self) -> list[Statement]:
        """The statements that name formats, whether the profile may have a rule for them or not."""
        labels = self.of_kind(*_LABELS)
        return [one for one in labels if not isinstance(one.object, ox.Triple)]

    def evidence(
        self, meaning: Callable[[Statement], Understood]
    ) -> list[tuple[Statement, Evidence]]:
        """Return its statements, but for its URLs, as evidence; `meaning` reads a label."""
        others = self.of_kind("link", "charset", "fact")
        return [
            *((one, evidence_of_label(one.predicate.value, meaning(one))) for one in self.labels),
            *((one, evidence_of_term(one.predicate.value, one.object)) for one in others),
        ]

    @property
    def firsts(self) -> dict[ox.NamedNode, Statement]:
        """The first statement of each property."""
        return {one.predicate: one for one in reversed(self.statements)}

    @property
    def start(self) -> int:
        """Where the first statement that may matter begins, or the one that names its dataset."""
        starts = (one.start for one in self.statements if self.kinds[one.predicate] != "title")
        return next(starts, self.linked)

    @property
    def is_distribution(self) -> bool:
        """Whether it is a distribution, by its class or by the dataset that has it."""
        return self.dataset is not None or _DISTRIBUTION in self.types

    def lacks(self, rule: PropertyRule, left: Container[Hashable] = ()) -> bool:
        """Return whether the subject has no value that a rule requires.

        Statements with the keys of those that have `left` do not count.
        """
        if rule.required is None:
            return False
        present = {one.predicate for one in self.statements if one.key not in left}
        types = self.types
        return (
            rule.is_required(present)
            and (bool(rule.required) or not rule.of.isdisjoint(types))
            and rule.property not in present
            and (not types or not rule.of or not rule.of.isdisjoint(types))
        )


class _Places(NamedTuple):
    """Which statements of a subject have rules, for each graph, and which labels have none."""

    ruled: list[list[int]]
    unruled: list[int]


class Contents:
    """The statements of a file or a graph that matter to a profile, from one reading.

    `subjects` are all subjects of statements; `facts` are the classes and schemes of values.  With
    `by_url` the URLs of resources count.
    """

    def __init__(
        self, statements: Iterable[Statement], profile: Profile, *, by_url: bool = False
    ) -> None:
        self._profile = profile
        self.kinds = kinds_of(profile)
        # The facts about values that the data may need.
        asked = {rule.type for rule in profile.rules} | {EU_FILE_TYPES}
        self.facts: set[Fact] = set()
        self.subjects: dict[Term, Subject] = {}
        # What is said of each blank node, and how often one is an object or a graph.
        self._about: dict[Term, list[Statement]] = {}
        self._uses: Counter[Term] = Counter()
        # Whether a blank node at a place is a list, whose own statements have no places.
        self.is_list: Callable[[int], bool] = lambda _: False
        last, own = None, Subject(self.kinds)
        for statement in statements:
            subject, predicate, value = statement[1:4]
            # Statements of one subject mostly stand together.
            if subject is not last:
                last, own = subject, self.subject(subject)
            if isinstance(subject, ox.BlankNode):
                self._about.setdefault(subject, []).append(statement)
            for node in (value, statement.graph):
                if isinstance(node, ox.BlankNode):
                    self._uses[node] += 1
            kind = self.kinds.get(predicate)
            if kind is not None:
                own.statements.append(statement)
            if kind == "distribution" and not isinstance(value, ox.Literal):
                part = self.subject(value)
                if part.dataset is None:
                    part.dataset, part.linked = subject, statement.start
            elif kind == "fact" and value in asked and isinstance(subject, ox.NamedNode):
                self.facts.add((subject, predicate, cast("ox.NamedNode", value)))
        # What is known of the models.
        self._known: dict[Subject, _Places] = {}
        models: dict[tuple[object, ...], Subject] = {}
        for own in self.subjects.values():
            own.model = models.setdefault(own.said(exact=by_url), own)
        self._models = models.values()
        # The services that are described, by their endpoints, with their titles.
        self.services: dict[Term, tuple[Term, list[str]]] = {
            endpoint: (node, own.texts("title"))
            for node, own in self.subjects.items()
            if _SERVICE in own.types
            for endpoint in own.values("endpoint")
        }

    def label_of(self, node: Term | None) -> str:
        """Return the text by which a blank node is understood, or an empty one."""
        about = self._about.get(node) if node else None
        facts = [(one.predicate, one.object) for one in about or ()]
        return understand(node, facts).text if node and facts else ""

    def says(self, statement: Statement) -> bool:
        """Return whether anything is said of the blank node that a statement has as its object."""
        return statement.object in self._about or self.is_list(statement.start)

    def only_label_of(self, statement: Statement) -> list[Statement] | None:
        """Return what is said of a blank node that is nothing but the label of one statement.

        Return None where something else uses the node, or where more is said of it, as by a text
        that is not understood beside one that is; and nothing for another term.
        """
        if not isinstance(statement.object, ox.BlankNode):
            return []
        about = self._about.get(statement.object, [])
        is_label = all(
            one.predicate in DESCRIBED_BY or (one.predicate == RDF.type and one.object in FORMATS)
            for one in about
        )
        texts = {one.object.value for one in about if isinstance(one.object, ox.Literal)}
        best = self.label_of(statement.object)
        is_one = texts <= {best} or _say_the_same(texts, best)
        return about if is_label and is_one and self._uses[statement.object] == 1 else None

    def ruled_of(self, own: Subject) -> Iterator[list[Statement]]:
        """Yield the statements about a subject that the profile has rules for, for each graph.

        A resource that lacks what the profile requires may have none.
        """
        for places in self._places(own.model).ruled:
            yield [own.statements[place] for place in places]

    @property
    def ruled(self) -> Iterator[Statement]:
        """The statements that the profile has rules for."""
        return (
            own.statements[place]
            for own in self.subjects.values()
            for of_graph in self._places(own.model).ruled
            for place in of_graph
        )

    @property
    def unruled(self) -> Iterator[Statement]:
        """The labels of which the profile says nothing on a resource of their class."""
        for own in self.subjects.values():
            for place in self._places(own.model).unruled:
                yield own.statements[place]

    def _places(self, own: Subject) -> _Places:
        """Return which statements of a subject the profile has rules for; of its model the same."""
        if own in self._known:
            return self._known[own]
        ruled: dict[object, list[int]] = {}
        unruled = []
        for place, one in enumerate(own.statements):
            kind = self.kinds[one.predicate]
            if kind not in _ALL_LABELS:
                continue
            if not self._profile.rule_for(one.predicate, own.types):
                unruled.append(place)
            elif kind == "named":
                ruled.setdefault(one.graph, []).append(place)
        lacks = not ruled and any(map(own.lacks, self._profile.rules))
        self._known[own] = _Places([[]] if lacks else list(ruled.values()), unruled)
        return self._known[own]

    def subject(self, term: Term) -> Subject:
        """Return the statements about a term."""
        own = self.subjects.get(term)
        if own is None:
            own = self.subjects[term] = Subject(self.kinds)
        return own

    @property
    def values(self) -> Iterator[Term]:
        """The values of all labels."""
        return (one.object for own in self._models for one in own.of_kind(*_ALL_LABELS))

    def missing(self, rule: PropertyRule, value: Term) -> Iterator[Fact]:
        """Yield the facts about a value that the data needs and lacks: its class, its scheme."""
        facts: list[Fact] = []
        if isinstance(value, ox.NamedNode) and rule.type:
            facts.append((value, RDF.type, rule.type))
        if isinstance(value, ox.NamedNode) and rule.in_scheme and eu_code(value) is not None:
            facts.append((value, SKOS.inScheme, EU_FILE_TYPES))
        return (fact for fact in facts if fact not in self.facts)


def _say_the_same(texts: Iterable[str], best: str) -> bool:
    """Return whether texts about one format say no more than the best of them.

    Each is understood and contradicts no other, and none has details or names a special case.
    """
    understood = [understand_texts([text]) for text in texts]
    judged = judge(evidence_of_label(ASSESSED[0].value, one) for one in understood)
    return (
        judged.outcome != "conflict"
        and all(judged.chosen)
        and not any(
            details(*one) or any(is_special_case(of.essence, one.text) for of in one.content_types)
            for one in understood
            if one.text != best
        )
    )
