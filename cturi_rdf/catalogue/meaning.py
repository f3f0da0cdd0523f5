"""The meaning of one statement: links for its resource, and descriptions of its label."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import (
    BESIDE,
    WRAPS,
    Evidence,
    Reading,
    evidence_of_label,
    evidence_of_term,
    names_rdf,
    texts_of_evidence,
)
from cturi_rdf.catalogue.header import Header
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.rdf.description import own_description, short_description
from cturi_rdf.rdf.label_statements import (
    has_page,
    label_triples,
    links,
    needs_description,
    understand,
)
from cturi_rdf.rdf.terms import CHARSET, CTV, PROPERTIES, label_node, mint
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cturi_rdf._util.temporary import EvidenceTexts
    from cturi_rdf.rdf.label_statements import Link, Resolver, Term, Understood
    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.uri.mapping import Control


# How many sets of evidence are remembered.
_REMEMBERED = 4_096
_RESOURCE = b"<urn:x-cturi:resource> "
_NODE = b"_:value"


class Adding(StrEnum):
    """What annotating adds.

    `LINKS` are the types and the wrappers of resources, with the parameters of types that have
    some; `LABELS` also the meaning of each label that has a page, `ALL` also short descriptions of
    the types.
    """

    LINKS = "links"
    LABELS = "labels"
    ALL = "all"


class FileOptions(NamedTuple):
    """How files are annotated; `base` is for syntaxes that have no relative IRIs.

    `describe` takes the descriptions of labels and types, where these go to a file of their own.
    `control` is that of `cturi_rdf.node`: whether a label may name the URI of something else.
    With `names` a graph is made to be asked: types are described with what their IRIs say, all
    labels have nodes, and all resources a header.
    `dcat` asks for DCAT's own properties where they say what a link says.
    """

    adding: Adding
    resolver: Resolver
    base: str | None = None
    describe: Callable[[Triple], None] | None = None
    control: Control = "honour"
    names: bool = False
    dcat: bool = False

    def evidence(self, path: ox.NamedNode, understood: Understood) -> tuple[Evidence, ...]:
        """Return what the links of a resource follow from, given one of its labels.

        That is what the label names, if anything, and its node, if it gets one.  The text of the
        label does not count, so that labels with the same readings are the same evidence.
        """
        evidence = evidence_of_label(path.value, understood)
        if not names_rdf(evidence):
            evidence = evidence._replace(text="")
        node = Evidence(CTV.typeLabel.value, understood.text)
        both = (
            (evidence, evidence.names_types),
            (node, understood.text and self._has_node(understood)),
        )
        return tuple(one for one, counts in both if counts)

    def links(self, here: Iterable[Evidence], beside: Iterable[Evidence] = ()) -> tuple[Link, ...]:
        """Return the links of a resource in a graph, by the evidence of its labels there.

        They follow from the judgement of these and of all evidence `beside` them: of the types
        that the labels may name, those that the judgement takes, or those of certain statements
        that contradict each other; then the header, or the types in conflict.  A file needs no
        header that is the one type which is linked.
        """
        judged = _links(tuple(here), tuple(beside), self.control, if_different=not self.names)
        # Links say nothing of what contradicts each other.
        alone = self.adding is Adding.LINKS
        return tuple(link for link in judged if not alone or link[0] != CTV.conflictingType)

    def _has_node(self, understood: Understood) -> bool:
        """Return whether a label gets a node: in a file only one that has a page."""
        return self.adding is not Adding.LINKS and (self.names or has_page(understood))

    def description(self, understood: Understood) -> tuple[Triple, ...]:
        """Return the additions to the default graph for a label; see `short_description`."""
        triples: dict[Triple, None] = {}
        if self._has_node(understood):
            triples |= dict.fromkeys(label_triples(*understood, self.control))
        for content_type in (*understood.content_types, *understood.resolution.wrappers):
            triples |= dict.fromkeys(
                short_description(content_type, self.control, names=self.names)
                if self.adding is Adding.ALL
                else own_description(content_type, self.control)
            )
        return tuple(triples)

    def descriptions(self, labels: Iterable[Understood]) -> dict[Triple, None]:
        """Return the additions to the default graph for labels, unless `describe` takes them."""
        triples: dict[Triple, None] = {}
        for understood in dict.fromkeys(labels):
            triples |= dict.fromkeys(self.description(understood))
        if self.describe is None:
            return triples
        for triple in triples:
            self.describe(triple)
        return {}


@lru_cache(maxsize=_REMEMBERED)
def links_named(evidence: Evidence, control: Control = "honour") -> tuple[Link, ...]:
    """Return the links that a statement may ask for by any of its readings.

    What it names as the content may be what wraps another content.
    """
    packaging = registry().packaging
    outer = (
        Reading((), tuple(one for one in reading.contents if packaging(one.essence)))
        for reading in evidence.readings
    )
    as_wrapper = evidence._replace(readings=tuple(outer))
    return (*_links_of(evidence, control), *_links_of(as_wrapper, control))


def _links_of(evidence: Evidence, control: Control) -> Iterator[Link]:
    """Yield the links that a statement asks for by its readings."""
    path = ox.NamedNode(evidence.path)
    if path == CTV.typeLabel:
        yield path, label_node(evidence.text)
    elif path not in BESIDE:
        for reading in evidence.readings:
            yield from links(path, reading.contents, reading.wrappers, control)


@lru_cache(maxsize=_REMEMBERED)
def _links(
    here: tuple[Evidence, ...],
    beside: tuple[Evidence, ...],
    control: Control,
    *,
    if_different: bool,
) -> tuple[Link, ...]:
    evidence = tuple(dict.fromkeys(here + beside))
    # Links say nothing of a character set that is stated beside the type.
    judgement = judge(one for one in evidence if one.path != CHARSET.value)
    # Of a type with the parameters of several statements, the link is to what each names.
    named_types = {named for one in evidence for named in one.all_types}
    taken = {
        named
        for one in (*judgement.contents, *judgement.wrappers)
        for named in named_types
        if named == one or (one not in named_types and named.essence == one.essence)
    }
    # A package with unknown content is itself what the labels name.
    around = judgement.wrappers if judgement.contents else ()
    judged: dict[Link, None] = {}
    for one, reading in zip(judgement.evidence, judgement.chosen, strict=True):
        readings = one.readings if one.confidence == "certain" else ()
        if reading:
            contents, wrappers = (
                tuple(content_type for content_type in types if content_type in taken)
                for types in (reading.contents, reading.wrappers)
            )
            if one.path not in WRAPS:
                wrappers += tuple(content for content in contents if content in around)
                contents = tuple(content for content in contents if content not in around)
            readings = (Reading(contents, wrappers),)
        judged |= dict.fromkeys(_links_of(one._replace(readings=readings), control))
    linked = {node for _, node in judged}
    header = Header("", "", evidence)
    of_header = [(CTV.conflictingType, mint(one, control=control)) for one in header.conflicts]
    if header.content_type:
        sent = mint(header.content_type, control=control)
        of_header = [] if if_different and linked == {sent} else [(CTV.servedAs, sent)]
    named = {link for one in here for link in links_named(one, control)}
    # What is about something else than the bytes of the resource, and the nodes of labels.
    others = (one for one in here if one not in judgement.evidence)
    return (
        *(link for link in judged if link in named),
        *(
            of_header
            if any(one.content_types for one in (here if if_different else evidence))
            else ()
        ),
        *(
            link
            for one in others
            for link in _links_of(one._replace(readings=one.readings[:1]), control)
        ),
    )


class StatementMeaning(NamedTuple):
    """What a statement adds: to the evidence about its resource, and to the default graph.

    `needs_description` is true for a node that may have to be described to be understood.
    """

    understood: Understood
    evidence: EvidenceTexts
    description: tuple[Triple, ...]
    needs_description: bool


def meaning_of(
    predicate: bytes,
    value: bytes,
    described: Sequence[tuple[bytes, bytes]],
    options: FileOptions,
) -> StatementMeaning | None:
    """Return the meaning of a statement whose value has this description; None if it is not RDF."""
    read = _read(predicate, value, described)
    if read is None:
        return None
    term, facts = read
    understood = understand(term, facts, options.resolver)
    path = ox.NamedNode(predicate.decode()[1:-1])
    return StatementMeaning(
        understood,
        tuple(row for one in options.evidence(path, understood) for row in texts_of_evidence(one)),
        options.description(understood),
        needs_description(term, understood),
    )


def texts_of_statement(
    resolver: Resolver,
    predicate: bytes,
    value: bytes,
    described: Sequence[tuple[bytes, bytes]] | None,
) -> EvidenceTexts | None:
    """Return the evidence of a statement; nothing for one without any, None if it is not RDF.

    `described` is None where the description of the value is not known yet: a value that needs one
    has no evidence then.
    """
    read = _read(predicate, value, described or ())
    if read is None:
        return None
    term, facts = read
    path = ox.NamedNode(predicate.decode()[1:-1])
    if path not in PROPERTIES:
        return texts_of_evidence(evidence_of_term(path.value, term))
    understood = understand(term, facts, resolver)
    if described is None and needs_description(term, understood):
        return ()
    return texts_of_evidence(evidence_of_label(path.value, understood))


def _read(
    predicate: bytes, value: bytes, described: Sequence[tuple[bytes, bytes]]
) -> tuple[Term, list[tuple[ox.NamedNode, Term]]] | None:
    """Return the value of a statement and its description, as terms."""
    node = _NODE if value.startswith(b"_:") else value
    lines = [b"%b%b %b .\n" % (_RESOURCE, predicate, node)]
    lines += [b"%b %b %b .\n" % (node, *fact) for fact in described]
    try:
        quads = list(ox.parse(b"".join(lines), ox.RdfFormat.N_TRIPLES, lenient=True))
    except SyntaxError:
        return None
    return quads[0].object, [(quad.predicate, quad.object) for quad in quads[1:]]
