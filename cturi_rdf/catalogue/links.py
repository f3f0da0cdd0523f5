"""The links of a catalogue: those that it lacks, and those that its labels no longer say.

Once labels have changed, the descriptions of types that nothing refers to any more go as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import prefixes_of
from cturi_rdf.catalogue.evidence import (
    BESIDE,
    evidence_of_term,
    is_of_use,
    tells_more,
)
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.catalogue.meaning import Adding, FileOptions, links_named
from cturi_rdf.editing import Statement
from cturi_rdf.editing.edit import Add, Append, Remove, Replace
from cturi_rdf.errors import MappingError
from cturi_rdf.rdf.label_statements import understand
from cturi_rdf.rdf.terms import (
    CTV,
    DCAT,
    MANY_FORMATS,
    PROPERTIES,
    RDF,
    WRAPPED_BY,
    label_node,
    mint,
    name_of_segment,
)
from cturi_rdf.registry import registry
from cturi_rdf.uri.mapping import from_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from cturi_rdf.catalogue.evidence import Evidence
    from cturi_rdf.catalogue.labels import Fact, Labels
    from cturi_rdf.catalogue.report import FileReport
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.rdf.label_statements import Link, Term, Understood
    from cturi_rdf.rdf.terms import Triple

    Subject = tuple[object, Term]

# How many combinations of labels are remembered.
_REMEMBERED = 8_192
# The prefixes of the triples that are added to a file.
OUR_PREFIXES = prefixes_of("ctv", "dct", "rdfs", "skos")
# The properties that link a resource; the link to the label's node is last.
_OF_HEADERS = (CTV.servedAs, CTV.conflictingType)
_WRAPPERS = tuple(WRAPPED_BY.values())
LINKS = (
    *dict.fromkeys([*PROPERTIES.values(), *_WRAPPERS]),
    *_OF_HEADERS,
    CTV.typeLabel,
)
_TYPES = frozenset(LINKS) - {CTV.typeLabel, *_OF_HEADERS}
_LABELS = label_node("").value


class _Resource(NamedTuple):
    """The links and classes of a resource, its labels, and all evidence about it."""

    links: list[Statement]
    labels: list[Statement]
    evidence: list[Evidence]


class Links:
    """The changes that give every resource the links that its labels ask for; iterable repeatedly.

    A link that no label asks for was stated by somebody, and stays, unless it came from a label
    that has changed since, or that is judged in another way now.  The node of the old label tells
    that, if it is still linked.  Where no label's node is linked, the link goes if it does not
    count for the header: see `cturi_rdf.catalogue.judgement`.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        labels: Labels,
        meaning: Callable[[Term], Understood],
        options: FileOptions,
        descriptions: tuple[ox.Quad, ...],
    ) -> None:
        """Take the statements of a file or a graph, and the meanings of the labels in them."""
        self._descriptions = descriptions
        self._options = options
        self._if_different = options.adding is Adding.LINKS
        self._statements = statements
        self._meaning = meaning
        self._evidence: dict[tuple[ox.NamedNode, Term], tuple[Evidence, ...]] = {
            (path, value): options.evidence(path, meaning(value)) for path, value in labels.counts
        }
        # Many resources have the same labels.
        self._links_of = lru_cache(_REMEMBERED)(self._links_of_labels)
        apart = labels.scattered
        self._resources = self._gathered(apart) if apart or labels.others else {}

    def __iter__(self) -> Iterator[Change]:
        """Yield the changes in the order of the file, and the descriptions last."""
        gathered = dict(self._resources)
        # The labels of a resource that stand together.  What describes a node among them may stand
        # between.
        labels: list[Statement] = []
        for statement in self._statements:
            # Those of a subject with labels in several graphs have been gathered.
            if self._resources and (statement.graph, statement.subject) in self._resources:
                resource = gathered.pop((statement.graph, statement.subject), None)
                if resource:
                    yield from self._changes_of(resource)
            elif (statement.predicate, statement.object) in self._evidence:
                if labels and statement.subject != labels[0].subject:
                    yield from self._of_labels(labels)
                    labels = []
                labels.append(statement)
        if labels:
            yield from self._of_labels(labels)
        if self._descriptions:
            yield Append(self._descriptions)

    def _of_labels(self, labels: Sequence[Statement]) -> Iterator[Add]:
        """Yield the changes of a resource of which nothing but labels is stated."""
        same = tuple((label.predicate, label.object) for label in labels)
        for number, link in self._links_of(same):
            yield Add(labels[number], *link)

    def _links_of_labels(self, labels: tuple[Fact, ...]) -> list[tuple[int, Fact]]:
        """Return the links of any resource with some labels, each with the number of its label."""
        resource = ox.BlankNode()
        stated = [Statement(ox.DefaultGraph(), resource, *label, number)
                  for number, label in enumerate(labels)]  # fmt: skip
        return [
            (change.statement.start, (change.predicate, change.object))
            for change in self._changes_of(_Resource([], stated, []))
            if isinstance(change, Add)
        ]

    def _gathered(self, apart: set[Term]) -> dict[Subject, _Resource]:
        """Return the resources that have links already, or labels in several places."""
        resources: dict[Subject, _Resource] = defaultdict(lambda: _Resource([], [], []))
        for statement in self._statements:
            if statement.predicate in LINKS or tells_more(statement.predicate, statement.object):
                resources[statement.graph, statement.subject].links.append(statement)
        # The labels of a resource may be in several graphs, and are judged together.
        evidence: dict[Term, list[Evidence]] = defaultdict(list)
        for statement in self._statements:
            place = statement.graph, statement.subject
            if statement.predicate in BESIDE:
                beside = _evidence_of(statement)
                evidence[statement.subject] += [beside] if is_of_use(beside) else []
            elif statement.predicate in PROPERTIES and (
                statement.subject in apart or place in resources
            ):
                resources[place].labels.append(statement)
                evidence[statement.subject] += self._evidence_of(statement)
        for (_, subject), resource in resources.items():
            resource.evidence.extend(evidence[subject])
        return resources

    def _evidence_of(self, label: Statement) -> tuple[Evidence, ...]:
        # A triple term is no label.
        return self._evidence.get((label.predicate, label.object), ())

    def _changes_of(self, resource: _Resource) -> list[Change]:
        here = [one for label in resource.labels for one in self._evidence_of(label)]
        # Each link beside the first label that may ask for it.
        labels: dict[Link, Statement] = {}
        for label in resource.labels:
            for one in self._evidence_of(label):
                for link in links_named(one, self._options.control):
                    labels.setdefault(link, label)
        judged = self._options.links(here, resource.evidence)
        wanted = {link: labels[link] for link in judged if link in labels}
        there = {(link.predicate, link.object) for link in resource.links}
        # A package may be linked as what wraps another content.
        wrappers = {node for path, node in there if path in _WRAPPERS}
        missing: dict[ox.NamedNode, list[tuple[Link, Statement]]] = defaultdict(list)
        for link, statement in wanted.items():
            path, node = link
            if link not in there and not (path == CTV.contentType and node in wrappers):
                missing[path].append((link, statement))
        changes: list[Change] = []
        outdated = self._outdated(resource, wanted, labels, missing)
        outdated += self._of_headers(resource, here, outdated, missing)
        for old in outdated:
            new = missing[old.predicate]
            changes.append(Replace(old, new.pop(0)[0][1]) if new else Remove(old))
        changes += [Add(statement, *link) for new in missing.values() for link, statement in new]
        return list(self._in_dcat(resource, here, changes)) if self._options.dcat else changes

    def _in_dcat(
        self, resource: _Resource, here: list[Evidence], changes: list[Change]
    ) -> Iterator[Change]:
        """Yield the changes of a resource, with DCAT's properties where they say the same.

        DCAT 3 says the media type of a distribution (section 6.8.17), its compression (6.8.18) and
        its package (6.8.19), by the IRIs of IANA.  Our terms stay for what it cannot say: the
        parameters of a type, a type that IANA does not list, several types at once, and that a type
        is a guess.  A resource that has one of the properties gets no second value: mending a value
        is for `cturi repair`.
        """
        evidence = here + resource.evidence
        taken = {label.predicate for label in resource.labels}
        taken.update(ox.NamedNode(one.path) for one in evidence)
        classes = {one.text for one in evidence if one.path == RDF.type.value}
        certain = {
            link
            for one in evidence
            if one.confidence == "certain"
            for link in links_named(one, self._options.control)
        }
        number = Counter(path for path, _ in self._options.links(evidence))
        for change in changes:
            if not isinstance(change, Add):
                yield change
                continue
            path, own = change.predicate, _OF_DCAT.get(change.predicate)
            content_type = _type_of_node(change.object)
            record = registry().media_type(content_type.essence) if content_type else None
            is_sure = (path, change.object) in certain and number[path] == 1
            if own and record and is_sure and classes.isdisjoint(_NO_DISTRIBUTIONS):
                if own not in taken:
                    yield Add(change.statement, own, ox.NamedNode(_IANA + record.name))
                if content_type and content_type.parameters:
                    yield change
            # The header follows from the types, the packages and the compressions.
            elif path != CTV.servedAs:
                yield change

    def _of_headers(
        self,
        resource: _Resource,
        here: list[Evidence],
        outdated: list[Statement],
        missing: dict[ox.NamedNode, list[tuple[Link, Statement]]],
    ) -> list[Statement]:
        """Note which header is missing; return the links to headers of earlier labels.

        Where the labels are those of the last time, another header was stated by hand.
        """
        there = [link for link in resource.links if link.predicate in _OF_HEADERS]
        annotated = any(link.predicate == CTV.typeLabel for link in resource.links)
        # Links alone tell it by a type that no label names any more.
        changed = outdated or (annotated and missing)
        if there and not (changed and (annotated or self._no_longer_count(resource, there))):
            return []
        if self._if_different and not any(one.content_types for one in here):
            # Now no label names a type.
            return []
        evidence = resource.evidence + [
            _evidence_of(link)
            for link in resource.links
            if link.predicate in _TYPES and link not in outdated
        ]
        new_links = (link for new in missing.values() for link, _ in new)
        evidence += (evidence_of_term(path.value, node) for path, node in new_links)
        judged = self._options.links(here, evidence)
        links = [link for link in judged if link[0] in _OF_HEADERS]
        named = {(link.predicate, link.object) for link in there}
        for link in links:
            if link not in named:
                missing[link[0]].append((link, (resource.labels or resource.links)[-1]))
        return [link for link in there if (link.predicate, link.object) not in links]

    def _outdated(
        self,
        resource: _Resource,
        wanted: Container[Link],
        asked: Container[Link],
        missing: Mapping[ox.NamedNode, list[tuple[Link, Statement]]],
    ) -> list[Statement]:
        """Return the links that came from labels that have changed, or are judged otherwise now."""
        if not (resource.links and resource.labels):
            return []
        extra = [
            link
            for link in resource.links
            if link.predicate in _TYPES and (link.predicate, link.object) not in wanted
            # A package that is named as the content may wrap another one.
            if link.predicate not in _WRAPPERS or (CTV.contentType, link.object) not in wanted
        ]
        nodes = [link for link in resource.links if link.predicate == CTV.typeLabel]
        texts = (self._meaning(label.object).text for label in resource.labels)
        current = {label_node(text) for text in texts if text}
        old = [node for node in nodes if node.object not in current and _text_of_label(node.object)]
        # A label without a page has no node that tells what it was.
        if old or (nodes and all((CTV.typeLabel, node) in wanted for node in current)):
            types = {node for link in old for node in self._nodes(_text_of_label(link.object))}
            return old + [
                link
                for link in extra
                if (link.predicate, link.object) in asked or link.object in types
            ]
        if not extra:
            return []
        needed = {*_OF_DCAT, *(path for path, links in missing.items() if links)}
        return [
            link
            for link in self._no_longer_count(resource, extra)
            if link.predicate in needed or (link.predicate, link.object) in asked
        ]

    def _no_longer_count(self, resource: _Resource, links: list[Statement]) -> list[Statement]:
        """Return those links that do not count for the header."""
        counting = judge([*resource.evidence, *map(_evidence_of, resource.links)]).evidence
        named = [(link, _evidence_of(link)) for link in links]
        return [link for link, one in named if one.names_types and one not in counting]

    def _nodes(self, text: str) -> Iterator[ox.NamedNode]:
        """Yield the nodes of the types that a label names."""
        resolution = self._options.resolver(text)
        for content_type in (*resolution.types, *resolution.wrappers):
            yield mint(content_type, control=self._options.control)


def _evidence_of(statement: Statement) -> Evidence:
    """Return a link, or what stands beside labels, as evidence."""
    return evidence_of_term(statement.predicate.value, statement.object)


def counted(changes: Iterable[Change], report: FileReport) -> Iterator[Change]:
    """Yield changes of links, and count in a report how many links are added and replaced."""
    for change in changes:
        if isinstance(change, Replace | Remove):
            report.replaced += 1
        elif not isinstance(change, Append):
            report.added += 1
        yield change


def _text_of_label(node: object) -> str:
    """Return the text of the node of a label, or ``""`` for another node."""
    iri = node.value if isinstance(node, ox.NamedNode) else ""
    if not iri.startswith(_LABELS):
        return ""
    try:
        return name_of_segment(iri.removeprefix(_LABELS))
    except UnicodeDecodeError:
        return ""


def _type_of_node(node: object) -> ContentType | None:
    """Return the content type that a node stands for, or None for another node."""
    try:
        return from_uri(node.value) if isinstance(node, ox.NamedNode) else None
    except MappingError:
        return None


_OF_DCAT = {
    CTV.contentType: DCAT.mediaType,
    CTV.compression: DCAT.compressFormat,
    CTV.packaging: DCAT.packageFormat,
}
# The properties are of distributions (rdfs:domain), and these are none.
_NO_DISTRIBUTIONS = frozenset(one for one in MANY_FORMATS if "schema.org" not in one)
_IANA = "https://www.iana.org/assignments/media-types/"


def unlinked(changes: Iterable[Change]) -> list[Term]:
    """Return the nodes that changes take a link away from."""
    removed = (change for change in changes if isinstance(change, Replace | Remove))
    nodes = (one.statement.object for one in removed if one.statement.predicate in LINKS)
    return list(dict.fromkeys(nodes))


def orphans(
    nodes: Iterable[Term],
    quads: Iterable[ox.Quad],
    options: FileOptions,
    wanted: Container[Triple],
) -> set[ox.Quad]:
    """Return the descriptions of nodes that lost a link, among the quads of a catalogue.

    A description stays where it is `wanted` for the labels that there are, or says anything that
    annotating would not, or where anything else refers to its node, other than a description that
    only mentions it.
    """
    described_by_us = (triple for node in nodes for triple in _description(node, options))
    ours = {triple for triple in described_by_us if triple not in wanted}
    may_go: set[Term] = {subject for subject, _, _ in ours}
    described: defaultdict[Term, list[ox.Quad]] = defaultdict(list)
    references: defaultdict[Term, set[ox.Quad]] = defaultdict(set)
    for quad in quads:
        described[quad.subject].append(quad)
        is_other = quad.object in may_go and quad.object != quad.subject
        if is_other and not _only_mentions(quad, options):
            references[quad.object].add(quad)
    orphaned: set[ox.Quad] = set()
    # The description of a node may be the last to refer to another.
    while free := [
        node
        for node in may_go
        if references[node] <= orphaned
        and all(tuple(one.triple) in ours for one in described[node])
    ]:
        may_go.difference_update(free)
        orphaned.update(quad for node in free for quad in described[node])
    return orphaned


def _only_mentions(quad: ox.Quad, options: FileOptions) -> bool:
    """Return whether a quad is of the description of a type, which does not describe the object.

    That of text/csv says that text/plain is broader, and no more of it.
    """
    description = _description(quad.subject, options)
    is_described = any(subject == quad.object for subject, _, _ in description)
    return tuple(quad.triple) in description and not is_described


def _description(node: Term, options: FileOptions) -> set[Triple]:
    """Return what annotating says of a node that a link leads to, whatever it was asked to add."""
    text = _text_of_label(node) or str(_type_of_node(node) or "")
    understood = understand(ox.Literal(text), (), options.resolver)
    return {
        triple
        for adding in (Adding.LABELS, Adding.ALL)
        for names in (False, True)
        for triple in options._replace(adding=adding, names=names).description(understood)
    }
