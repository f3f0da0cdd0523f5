"""The meaning of one statement: links for its resource, and descriptions of its label."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import (
    Evidence,
    evidence_of_label,
    evidence_of_term,
    names_rdf,
    texts_of_evidence,
)
from cturi_rdf.catalogue.header import Header, header_links
from cturi_rdf.rdf.description import own_description, short_description
from cturi_rdf.rdf.label_statements import (
    has_page,
    label_triples,
    links,
    needs_description,
    understand,
)
from cturi_rdf.rdf.terms import CTV, PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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

    def makes_node(self, understood: Understood, *, names: bool = False) -> bool:
        """Return whether a label gets a node: in a file only one that has a page."""
        return self is not Adding.LINKS and (names or has_page(understood))

    def description(
        self, understood: Understood, control: Control = "honour", *, names: bool = False
    ) -> tuple[Triple, ...]:
        """Return the additions to the default graph for a label; see `short_description`."""
        text, resolution = understood
        triples: dict[Triple, None] = {}
        if self.makes_node(understood, names=names):
            triples |= dict.fromkeys(label_triples(text, resolution, control))
        for content_type in (*understood.content_types, *resolution.wrappers):
            triples |= dict.fromkeys(
                short_description(content_type, control, names=names)
                if self is Adding.ALL
                else own_description(content_type, control)
            )
        return tuple(triples)


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

    def links(self, path: ox.NamedNode, understood: Understood) -> tuple[Link, ...]:
        """Return the additions to a resource for one of its labels."""
        label = self.adding.makes_node(understood, names=self.names)
        return tuple(links(path, understood, label=label, control=self.control))

    def header_links(self, evidence: Iterable[Evidence]) -> tuple[Link, ...]:
        """Return the additions to a resource for all of its labels together."""
        links_of_all = _header_links(tuple(evidence), self.control, if_different=not self.names)
        # Links say nothing of what contradicts each other.
        alone = self.adding is Adding.LINKS
        return tuple(link for link in links_of_all if not alone or link[0] == CTV.servedAs)

    def descriptions(self, labels: Iterable[Understood]) -> dict[Triple, None]:
        """Return the additions to the default graph for labels, unless `describe` takes them."""
        triples: dict[Triple, None] = {}
        for understood in dict.fromkeys(labels):
            triples |= dict.fromkeys(
                self.adding.description(understood, self.control, names=self.names)
            )
        if self.describe is None:
            return triples
        for triple in triples:
            self.describe(triple)
        return {}


@lru_cache(maxsize=_REMEMBERED)
def _header_links(
    evidence: tuple[Evidence, ...], control: Control, *, if_different: bool
) -> tuple[Link, ...]:
    header = Header("", "", tuple(dict.fromkeys(evidence)))
    return tuple(header_links(header, control, if_different=if_different))


@dataclass(frozen=True, slots=True, eq=False)
class Additions:
    """What a label adds to its resource: links, and what counts for the header, as texts.

    The label itself does not count: labels with the same readings are the same evidence.  Equal
    additions are mostly one object, and are compared as objects, which is quick.
    """

    links: tuple[Link, ...]
    evidence: EvidenceTexts


_additions = lru_cache(maxsize=_REMEMBERED)(Additions)


class StatementMeaning(NamedTuple):
    """What a statement adds: to its resource, and to the default graph.

    `needs_description` is true for a node that may have to be described to be understood.
    """

    understood: Understood
    additions: Additions
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
    adding, path = options.adding, ox.NamedNode(predicate.decode()[1:-1])
    evidence = evidence_of_label(path.value, understood)
    if not names_rdf(evidence):
        evidence = evidence._replace(text="")
    return StatementMeaning(
        understood,
        _additions(
            options.links(path, understood),
            texts_of_evidence(evidence) if evidence.names_types else (),
        ),
        adding.description(understood, options.control),
        needs_description(term, understood),
    )


def evidence_of(
    predicate: bytes,
    value: bytes,
    described: Sequence[tuple[bytes, bytes]] | None,
    resolver: Resolver,
) -> Evidence | None:
    """Return the evidence of a statement, without types where it has none; None if not RDF.

    `described` is None where the description of the value is not known yet: a value that needs one
    has no types then.
    """
    read = _read(predicate, value, described or ())
    if read is None:
        return None
    term, facts = read
    path = ox.NamedNode(predicate.decode()[1:-1])
    if path in PROPERTIES:
        understood = understand(term, facts, resolver)
        if described is None and needs_description(term, understood):
            # Of no use yet.
            return Evidence("", "")
        return evidence_of_label(path.value, understood)
    return evidence_of_term(path.value, term)


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
