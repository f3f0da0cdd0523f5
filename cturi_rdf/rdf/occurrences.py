"""Where labels stand in a graph, and what each means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from rdflib import DCTERMS, RDF, RDFS, SDO, SKOS, Dataset, Graph, Literal, URIRef

from cturi_rdf.errors import MappingError
from cturi_rdf.io.relative_iri import SENTINEL, relative
from cturi_rdf.labels import Resolution, resolve
from cturi_rdf.rdf.properties import PROPERTIES
from cturi_rdf.uri.mapping import to_uri
from cturi_rdf.uri.node import stands_for_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rdflib.term import Node

    from cturi_rdf.content_type import ContentType

    Resolver = Callable[[str], Resolution]

__all__ = ["DESCRIBED_BY", "Occurrence", "occurrences", "understand"]

# What describes a format that is a node, what says it shortest first.
DESCRIBED_BY = (
    RDF.value, SKOS.notation, DCTERMS.identifier, SDO.encodingFormat, RDFS.label, SKOS.prefLabel,
    SDO.name, DCTERMS.title, RDFS.isDefinedBy, SKOS.exactMatch,
)  # fmt: skip


class Occurrence(NamedTuple):
    """A label where it stands: a triple of a graph, its text and what it means."""

    resource: Node
    predicate: URIRef
    value: Node
    text: str
    resolution: Resolution
    graph: Graph

    @property
    def content_types(self) -> tuple[ContentType, ...]:
        """What the label names; of a package with who knows what in it, the package."""
        outer = self.resolution.outer
        return self.resolution.types or (() if outer is None else (outer,))


def occurrences(
    graph: Graph, properties: Iterable[URIRef] = PROPERTIES, resolver: Resolver = resolve
) -> Iterator[Occurrence]:
    """Yield every label of the known properties in a graph or dataset, understood or not.

    In a dataset each comes with the named graph that it stands in.
    """
    for each in properties:
        for resource, value, where in _statements(graph, each):
            text, resolution = understand(graph, value, resolver)
            yield Occurrence(resource, each, value, text, resolution, where)


def understand(graph: Graph, value: Node, resolver: Resolver = resolve) -> tuple[str, Resolution]:
    """Return the text of a label and what it means.

    A literal says it itself; a node by its IRI, or by what `graph` says about it: of these
    the first that means something.  A type that is meant as a URI, and is none, means nothing.

    >>> understand(Graph(), Literal("text/csv", lang="en"))[1].types
    (ContentType.parse('text/csv'),)
    """
    first: tuple[str, Resolution] | None = None
    for text in _texts(graph, value):
        resolution = _mapped(resolver(text))
        if resolution.verdict != "nothing":
            return text, resolution
        first = first or (text, resolution)
    return first or ("", resolver(""))


def _mapped(resolution: Resolution) -> Resolution:
    """Return a resolution, or why there is no URI where one of its types is meant as one."""
    for content_type in filter(stands_for_uri, resolution.types):
        try:
            to_uri(content_type)
        except MappingError as error:
            reason = f"{content_type.essence} is meant as a URI: {error.problem} ({error.rule})."
            return resolution.but(verdict="nothing", types=(), outer=None, reason=reason)
    return resolution


def _texts(graph: Graph, value: Node) -> Iterator[str]:
    if isinstance(value, Literal):
        yield str(value)
        return
    if isinstance(value, URIRef):
        yield _without_base(value)
    for each in DESCRIBED_BY:
        for text in sorted(graph.objects(value, each), key=str):
            if isinstance(text, Literal | URIRef):
                yield _without_base(text)


def _without_base(value: Node) -> str:
    """Return the text of a term; that of a relative IRI is what its author wrote.

    A `file:` IRI as the name of a format is a relative one that some parser resolved.
    """
    text = str(value)
    if isinstance(value, URIRef):
        if text.startswith(SENTINEL):
            return unquote(relative(text))
        if text.startswith("file:"):
            return unquote(text.rpartition("/")[2])
    return text


def _statements(graph: Graph, each: URIRef) -> Iterator[tuple[Node, Node, Graph]]:
    # Lists, because what is found may be annotated at once.
    if isinstance(graph, Dataset):
        for subject, _, value, name in list(graph.quads((None, each, None, None))):
            yield subject, value, graph.graph(name)
    else:
        for subject, value in list(graph.subject_objects(each)):
            yield subject, value, graph
