"""The meaning of a label on a resource, and the statements that express it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import pyoxigraph as ox

from cturi_rdf._util.display import whole_characters
from cturi_rdf.errors import MappingError
from cturi_rdf.labels import Resolution, resolve
from cturi_rdf.labels.names import formats
from cturi_rdf.rdf.terms import CTV, PROPERTIES, RDF, WRAPPED_BY, Triple, label_node, literal, mint
from cturi_rdf.reading.terms import SENTINEL, relative
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_a
from cturi_rdf.uri.mapping import check_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.resolution import Verdict
    from cturi_rdf.uri.mapping import Control

    Resolver = Callable[[str], Resolution]
    Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


# The properties that describe a format that is a node, those with short texts first.
DESCRIBED_BY = tuple(
    ox.NamedNode(iri)
    for iri in (
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#value",
        "http://www.w3.org/2004/02/skos/core#notation",
        "http://purl.org/dc/terms/identifier",
        "http://www.w3.org/2000/01/rdf-schema#label",
        "http://www.w3.org/2004/02/skos/core#prefLabel",
        "http://schema.org/name",
        "https://schema.org/name",
        "http://purl.org/dc/terms/title",
        "http://www.w3.org/2000/01/rdf-schema#isDefinedBy",
        "http://www.w3.org/2004/02/skos/core#exactMatch",
    )
)
_VERDICTS = {
    "media_type": CTV.SingleType,
    "compound": CTV.CompoundType,
    "several": CTV.SeveralTypes,
    "service": CTV.Service,
    "no_type": CTV.NoType,
    "nothing": CTV.NotUnderstood,
}
_CONFIDENCES = {"certain": CTV.Certain, "likely": CTV.Likely}

# A property of the resource that has a label, and the node of a content type.
Link = tuple[ox.NamedNode, ox.NamedNode]
# Why a blank node of which no name is stated means nothing.
_NAMELESS = "It is a node without a label."


class Understood(NamedTuple):
    """The text of a label, and its meaning."""

    text: str
    resolution: Resolution

    @property
    def content_types(self) -> tuple[ContentType, ...]:
        """The types that the label names; for a package with unknown content, the package."""
        return self.resolution.named


def understand(
    value: Term, described: Iterable[tuple[ox.NamedNode, Term]] = (), resolver: Resolver = resolve
) -> Understood:
    """Return the meaning of the value of a property.

    The text of a literal is the label.  A node is named by its IRI, or by the statements about it
    in `described`, predicates with objects, which count together.  A relative IRI whose name is
    only a guess is not named by it if it is described.

    >>> understand(ox.Literal("text/csv", language="en")).content_types
    (ContentType.parse('text/csv'),)
    """
    if isinstance(value, ox.Literal):
        return understand_texts([value.value], resolver)
    texts = list(_texts(described))
    if not isinstance(value, ox.NamedNode):
        return understand_texts(texts, resolver)
    named = understand_texts([name_as_written(value.value)], resolver)
    is_guess = _is_guess(value, named.resolution)
    if not texts or (named.resolution.verdict != "nothing" and not is_guess):
        return named
    by_texts = understand_texts(texts, resolver)
    return by_texts if is_guess or by_texts.resolution.verdict != "nothing" else named


def needs_description(value: Term, understood: Understood) -> bool:
    """Return whether statements about a value may tell more than `understood`, which is without.

    >>> blank, text = ox.BlankNode(), ox.Literal("no format")
    >>> [needs_description(value, understand(value, (), resolve)) for value in (blank, text)]
    [True, False]
    """
    if isinstance(value, ox.Literal):
        return False
    resolution = understood.resolution
    return resolution.verdict == "nothing" or _is_guess(value, resolution)


def understand_texts(texts: Iterable[str], resolver: Resolver = resolve) -> Understood:
    """Return what texts about one format mean: the one that says all that the others say.

    Texts that contradict each other name several formats.  Guesses count only where nothing is
    certain, and then the first; without any meaning the first text is returned.  A type that should
    stand for a URI, but does not, means nothing.

    >>> understand_texts(["application/xml", "Table", "GML"]).text
    'GML'
    >>> understand_texts(["text/csv", "JSON"]).resolution.verdict
    'several'
    """
    every = [Understood(text, _mapped(resolver(text))) for text in map(whole_characters, texts)]
    meant = [one for one in every if one.resolution.verdict != "nothing"]
    if not meant:
        return every[0] if every else Understood("", resolver("")._replace(reason=_NAMELESS))
    certain = [one for one in meant if one.resolution.confidence == "certain"] or meant[:1]
    best = certain[0]
    for one in certain:
        if not _says(best, one) and _says(one, best):
            best = one
    return best if all(_says(best, one) for one in certain) else _all_of(certain)


def _says(one: Understood, other: Understood) -> bool:
    """Return whether a text says all that another one says, or more exactly."""
    mine, asked = one.resolution, other.resolution
    types = (*mine.named, *mine.wrapping)
    return set(asked.services).issubset(mine.services) and all(
        any(is_a(narrow, broad) for narrow in types) for broad in (*asked.named, *asked.wrapping)
    )


def _all_of(several: Sequence[Understood]) -> Understood:
    """Return texts as one label with all that they name."""
    text = ", ".join(dict.fromkeys(one.text for one in several))
    types = dict.fromkeys(content for one in several for content in one.content_types)
    services = dict.fromkeys(name for one in several for name in one.resolution.services)
    names = " and ".join([*map(str, types), *services])
    verdict: Verdict = "several" if len(types) > 1 else "media_type" if types else "service"
    reason = f"It is described as {names}."
    resolution = Resolution(text, verdict, types, rule="prose", reason=reason, services=services)
    return Understood(text, resolution)


def _mapped(resolution: Resolution) -> Resolution:
    """Return a resolution, or the verdict ``nothing`` where a type stands for no valid URI."""
    for content_type in resolution.types:
        try:
            check_uri(content_type)
        except MappingError as error:
            reason = f"{content_type.essence} is meant as a URI: {error.problem} ({error.rule})."
            return Resolution(resolution.label, "nothing", rule=resolution.rule, reason=reason)
    return resolution


def name_as_written(iri: str) -> str:
    """Return the text of an IRI as a label: of a relative one, what its author wrote.

    A `file:` IRI as the name of a format is a relative one that some parser resolved.

    >>> name_as_written("file:///home/me/Zipped%20CSV")
    'Zipped CSV'
    """
    if iri.startswith(SENTINEL):
        return unquote(relative(iri))
    if iri.startswith("file:"):
        return unquote(iri.rpartition("/")[2])
    return iri


def _is_guess(value: Term, resolution: Resolution) -> bool:
    """Return whether the meaning of a value is a guess by the name in a relative IRI."""
    is_relative = isinstance(value, ox.NamedNode) and value.value.startswith((SENTINEL, "file:"))
    return is_relative and resolution.confidence == "likely"


def _texts(described: Iterable[tuple[ox.NamedNode, Term]]) -> Iterator[str]:
    """Yield the texts that describe a node, the best first."""
    texts = [
        (DESCRIBED_BY.index(predicate), term.value, isinstance(term, ox.NamedNode))
        for predicate, term in described
        if predicate in DESCRIBED_BY and isinstance(term, ox.Literal | ox.NamedNode)
    ]
    for _, text, is_node in sorted(texts):
        yield name_as_written(text) if is_node else text


def links(
    predicate: ox.NamedNode,
    contents: Iterable[ContentType],
    wrappers: Sequence[ContentType] = (),
    control: Control = "honour",
) -> Iterator[Link]:
    """Yield the statements about a resource that has a label as the value of `predicate`.

    They name the content types of the label and what wraps them, by their nodes as `control` makes
    them.  A link of ours is itself such a statement.

    >>> meaning = understand(ox.Literal("Zipped CSV")).resolution
    >>> path = ox.NamedNode("http://purl.org/dc/terms/format")
    >>> [link.value for _, link in links(path, meaning.types, meaning.wrappers)]
    ['ContentType:text/csv', 'ContentType:application/zip']
    """
    link = PROPERTIES.get(predicate, predicate)
    wrappers = () if link == CTV.relatedContentType else wrappers
    # "Zipped CSV" as a package also names its content.
    inside = CTV.contentType if wrappers and link in WRAPPED_BY.values() else link
    for content_type in contents:
        wraps = registry().packaging(content_type.essence) if inside != link else None
        yield WRAPPED_BY[wraps] if wraps else inside, mint(content_type, control=control)
    for wrapper in wrappers:
        yield WRAPPED_BY[registry().packaging(wrapper.essence) or "package"], mint(wrapper)


def has_page(understood: Understood) -> bool:
    """Return whether the node of a label can be fetched: it is known, and means what we say.

    What a stranger wrote is no permanent IRI of ours.

    >>> [has_page(understand(ox.Literal(text))) for text in ("CSV", "CSV file of Oslo")]
    [True, False]
    """
    return understood.text in known_labels() and understood.resolution.rule != "own"


@cache
def known_labels() -> dict[str, None]:
    """Return the labels that have pages: the names of the formats that catalogues have."""
    lists = registry().eu_file_types(), registry().formats("w3c-formats")
    codes = (record.code for record in lists[0])
    names = [form for code in codes for form in (code, code.replace("_", " "))]
    names += [record.label for records in lists for record in records]
    return dict.fromkeys([*formats().keys(), *names])


def label_triples(
    label: str, resolution: Resolution, control: Control = "honour"
) -> Iterator[Triple]:
    """Yield the verdict, the rule, the confidence and the types of a label.

    The types are not described.

    >>> statement = label_node("WMS"), CTV.verdict, CTV.Service
    >>> statement in label_triples("WMS", resolve("WMS"))
    True
    """
    if label:
        node = label_node(label)
        yield node, RDF.type, CTV.TypeLabel
        yield node, CTV.labelText, literal(label)
        yield node, CTV.verdict, _VERDICTS[resolution.verdict]
        yield node, CTV.resolutionRule, literal(resolution.rule)
        yield node, CTV.confidence, _CONFIDENCES[resolution.confidence]
        yield node, CTV.resolutionReason, literal(resolution.reason)
        for content_type in resolution.types:
            yield node, CTV.namesContentType, mint(content_type, control=control)
        for wrapper in resolution.wrappers:
            yield node, CTV.outerContentType, mint(wrapper)
