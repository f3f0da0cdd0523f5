"""rdflib: its parsers, for files that Oxigraph does not read, and files as its datasets and back.

A catalogue is written with its relative IRIs relative again, and its literals as they were.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from contextlib import contextmanager
from os import fspath
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import rdflib
from rdflib import XSD, BNode, Dataset, Graph, Literal, URIRef
from rdflib.graph import (
    DATASET_DEFAULT_GRAPH_ID,
    ConjunctiveGraph,
    QuotedGraph,
    ReadOnlyGraphAggregate,
)
from rdflib.namespace import NamespaceManager
from rdflib.store import TripleAddedEvent
from rdflib.term import Variable

from cturi_rdf.errors import expect_kind
from cturi_rdf.reading.atomic import write_whole
from cturi_rdf.reading.errors import CatalogError, no_triples, not_valid
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import DOCUMENT, SENTINEL, from_ox, relative, to_ox
from cturi_rdf.reading.writable import Writable, check_statement, readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

    from rdflib.term import Node

    from cturi_rdf.reading.formats import Format


# What `cturi_rdf.reading` offers.
__all__ = ["CatalogError", "ReadOptions", "read_catalog", "write_catalog"]

_SETTINGS = threading.RLock()
# rdflib's JSON-LD resolves relative IRIs by urllib, which does so for the schemes that it knows:
# one that nobody uses stands in for that of `DOCUMENT`.
_RESOLVED = ("wais:", "prospero:", "gopher:")
_STRING = ox.NamedNode("http://www.w3.org/2001/XMLSchema#string")


def read_catalog(source: str | PathLike[str], reading: ReadOptions = ReadOptions()) -> Dataset:
    """Return the dataset that a file holds; `source` is its path, or ``-`` for standard input.

    Relative IRIs stay recognisable: they have the base `DOCUMENT`.  Raises `CatalogError`.
    """
    dataset = new_dataset()
    with open_source(source, reading) as file:
        quads = QuadDocument(file)
        with verbatim():
            for quad in quads:
                if isinstance(quad.object, ox.Triple):
                    problem = "a triple term, which graphs of rdflib cannot hold"
                    raise CatalogError(problem, file.name, "statements of RDF 1.1")
                add_quad(dataset, quad)
        for prefix, namespace in quads.prefixes.items():
            dataset.bind(prefix, namespace)
        if not len(dataset):
            raise no_triples(file.name, file.format.name)
        file.check()
    return dataset


def read_graph(*sources: str | PathLike[str]) -> Graph:
    """Return the triples of several files in one graph, whatever graphs they are in there.

    Raises `CatalogError`.

    >>> len(read_graph("examples/catalogue.ttl"))
    134
    """
    merged = Graph()
    for source in sources:
        for subject, predicate, value, _ in read_catalog(source).quads():
            merged.add((subject, predicate, value))
    return merged


def add_quad(dataset: Dataset, quad: ox.Quad) -> None:
    """Add one of Oxigraph's quads to a dataset of rdflib."""
    name = from_ox(quad.graph_name)
    triple = (from_ox(quad.subject), from_ox(quad.predicate), from_ox(quad.object))
    dataset.graph(name).add(triple)


def as_dataset(graph: Graph) -> Graph:
    """Return a ConjunctiveGraph, which rdflib deprecates, as a dataset; any other graph unchanged.

    Both have the same store, so that a change of one is a change of the other.  Raises `TypeError`
    for what is no graph, such as the path of a file.

    >>> isinstance(as_dataset(Graph()), Dataset)
    False
    """
    expect_kind(graph, Graph, "a graph is one of rdflib")
    if not isinstance(graph, ConjunctiveGraph) or isinstance(
        graph, Dataset | ReadOnlyGraphAggregate
    ):
        return graph
    dataset = Dataset(graph.store, default_union=True)
    dataset.default_graph = graph.default_context
    dataset.namespace_manager = graph.namespace_manager
    return dataset


def new_dataset() -> Dataset:
    """Return a dataset that has only the prefixes that it is given."""
    dataset = Dataset(default_union=True)
    dataset.namespace_manager = NamespaceManager(dataset, bind_namespaces="none")
    return dataset


def own_prefixes(graph: Graph) -> dict[str, str]:
    """Return the prefixes of a graph by their namespaces, without those that rdflib gives to all.

    >>> graph = Graph().parse(format="turtle", data="@prefix : <urn:a:> . :x a :y .")
    >>> own_prefixes(graph)
    {'urn:a:': ''}
    """
    given = bound_prefixes(Graph()).items()
    return {pair[1]: pair[0] for pair in bound_prefixes(graph).items() if pair not in given}


def bound_prefixes(graph: Graph) -> dict[str, str]:
    """Return the namespaces of a graph by their prefixes, even while another thread binds one.

    >>> bound_prefixes(Graph())["dcat"]
    'http://www.w3.org/ns/dcat#'
    """
    while True:
        try:
            return {prefix: str(namespace) for prefix, namespace in graph.namespaces()}
        except RuntimeError as error:
            # The stores of rdflib iterate over the dictionary itself.
            if "changed size during iteration" not in str(error):
                raise


def quads_by_rdflib(
    content: bytes, form: str, source: str, base: str = DOCUMENT
) -> tuple[list[ox.Quad], dict[str, str]]:
    """Return the quads and the prefixes of a document that rdflib reads against a base.

    Raises `CatalogError` for whatever rdflib's parsers raise, down to AttributeError, and for a
    term that is not RDF: a formula or a variable of N3, an invalid IRI.
    """
    dataset = new_dataset()
    # In the order of the text, which the store of rdflib does not keep.
    added: dict[tuple[Any, Any], int] = {}
    dataset.store.dispatcher.subscribe(  # type: ignore[no-untyped-call]
        TripleAddedEvent,
        lambda event: added.setdefault((event.triple, event.context.identifier), len(added)),
    )
    scheme = next((one for one in _RESOLVED if one.encode() not in content), SENTINEL)
    try:
        with verbatim():
            dataset.parse(data=content, format=form, publicID=_moved(base, SENTINEL, scheme))
    except Exception as error:
        lines = (str(error).strip() or type(error).__name__).splitlines()
        reason = " ".join(line.strip() for line in lines[:3])
        raise not_valid(form, reason, source) from error
    rows = sorted(
        dataset.quads(), key=lambda row: added.get((row[:3], row[3] or DATASET_DEFAULT_GRAPH_ID), 0)
    )
    quads = list(_quads(rows, source, scheme))
    return quads, {prefix: str(iri) for prefix, iri in dataset.namespaces()}


def _moved(iri: str, scheme: str, other: str) -> str:
    """Return an IRI with another scheme, if it has the first one."""
    return other + iri.removeprefix(scheme) if iri.startswith(scheme) else iri


def _quads(rows: Iterable[Any], source: str, scheme: str) -> Iterator[ox.Quad]:
    for subject, predicate, value, name in rows:
        terms = [subject, predicate, value]
        if name is not None and name != DATASET_DEFAULT_GRAPH_ID:
            terms.append(name)
        for term in terms:
            if isinstance(term, QuotedGraph | Variable):
                kind = "variable" if isinstance(term, Variable) else "formula"
                raise CatalogError(f"a {kind}, which only N3 has", source, "statements of RDF")
        if isinstance(subject, Literal):
            problem = f"a text that has a statement, {subject.n3()}"
            expected = "a node (JSON-LD 1.1 API section 9.1.1, invalid reverse property value)"
            raise CatalogError(problem, source, expected)
        try:
            yield ox.Quad(*(
                to_ox(URIRef(_moved(term, scheme, SENTINEL)) if isinstance(term, URIRef) else term)
                for term in terms
            ))  # fmt: skip
        except ValueError as error:
            raise CatalogError(f"not RDF ({error})", source, "valid IRIs and languages") from error


def quads_of_graph(graph: Graph, source: str) -> Iterator[ox.Quad]:
    """Yield the quads of a graph or a dataset of rdflib; `source` is what errors call it.

    Raises `CatalogError` for a term that is not RDF.
    """
    dataset = as_dataset(graph)
    if not isinstance(dataset, Dataset):
        dataset = new_dataset()
        dataset.default_graph += graph
    # The default graph of a ConjunctiveGraph has a blank node as its name.
    default = dataset.default_graph.identifier
    rows = ((*row[:3], None if row[3] == default else row[3]) for row in dataset.quads())
    return _quads(rows, source, SENTINEL)


def as_rdflib_has_it(quad: ox.Quad) -> ox.Quad:
    """Return a quad as rdflib gives it back after reading it: "01" of xsd:integer as "1".

    >>> integer = ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")
    >>> one = ox.Quad(integer, integer, ox.Literal("01", datatype=integer))
    >>> as_rdflib_has_it(one).object.value
    '1'
    """
    value = quad.object
    if not isinstance(value, ox.Literal):
        return quad
    datatype = None if value.language or value.datatype == _STRING else value.datatype.value
    with _SETTINGS:
        read = Literal(value.value, lang=value.language, datatype=datatype and URIRef(datatype))
    return ox.Quad(quad.subject, quad.predicate, to_ox(read), quad.graph_name)


@contextmanager
def verbatim() -> Iterator[None]:
    """Keep rdflib from changing literals ("01" to "1"), and from logging warnings about them.

    Both are settings of the whole process: one thread at a time can change them.
    """
    with _SETTINGS:
        logger, normalise = logging.getLogger("rdflib"), rdflib.NORMALIZE_LITERALS
        level = logger.level
        try:
            logger.setLevel(logging.CRITICAL)
            rdflib.NORMALIZE_LITERALS = False
            yield
        finally:
            logger.setLevel(level)
            rdflib.NORMALIZE_LITERALS = normalise


# Turtle section 6.5, a part of BLANK_NODE_LABEL; rdflib keeps what JSON-LD calls a node.
_BLANK_NODE_LABEL = re.compile(r"[A-Za-z0-9_]++")
# Literals that rdflib writes without quotes, and a parser reads as the same again.
_PLAIN = {
    XSD.integer: re.compile(r"0|-?[1-9][0-9]*+"),
    XSD.boolean: re.compile(r"true|false"),
}


def write_catalog(
    dataset: Dataset, target: str | PathLike[str], form: Format, *, base: str | None = None
) -> set[str]:
    """Write a dataset to the file `target`, or to standard output for ``-``.

    Relative IRIs are written as relative ones; in a format that has none they are resolved against
    `base`.  Returns the IRIs with characters that the format cannot hold; these are
    percent-encoded.  Raises `CatalogError` and leaves the target as it was.
    """
    target = fspath(target)
    writable = Writable(form, target, base)
    write_whole(target, serialise(dataset, writable), readable(form, target))
    return writable.encoded


def serialise(dataset: Dataset, writable: Writable) -> bytes:
    """Return the bytes of a dataset in the format of `writable`.

    Raises `CatalogError` for what the format cannot hold.
    """
    form, target = writable.form, writable.target
    if form.name == "xml":
        for subject, predicate, value, _ in dataset.quads():
            text = str(value) if isinstance(value, Literal) else ""
            name = f"<{relative(subject)}>" if isinstance(subject, URIRef) else f"_:{subject}"
            check_statement(name, str(predicate), text, target)
    try:
        return _serialised(dataset, writable)
    except CatalogError:
        raise
    except Exception as error:
        # rdflib's serialisers may raise anything.
        reason = str(error).strip() or type(error).__name__
        raise CatalogError(
            f"it cannot be written ({reason})", target, f"what {form.name} can hold"
        ) from error


def _serialised(dataset: Dataset, writable: Writable) -> bytes:
    form = writable.form
    with verbatim():
        written: dict[Any, Any] = {
            term: _written(term, writable)
            for quad in dataset.quads()
            for term in quad[: 4 if form.datasets else 3]
        }
    graph: Graph = Dataset(default_union=True) if form.datasets else Graph()
    graph.namespace_manager = NamespaceManager(graph, bind_namespaces="none")
    for prefix, namespace in dataset.namespaces():
        graph.bind(prefix, namespace)
    for subject, predicate, value, name in dataset.quads():
        triple = (written[subject], written[predicate], written[value])
        where = graph.graph(written[name]) if isinstance(graph, Dataset) else graph
        where.add(triple)
    if form.name == "json-ld":
        from rdflib.plugins.serializers.jsonld import from_rdf

        # rdflib's serialiser always makes numbers of JSON of them, and 1000.0 of 1e3.
        document = from_rdf(graph, use_native_types=False)  # type: ignore[no-untyped-call]
        return json.dumps(document, ensure_ascii=False, indent=2).encode()
    text = graph.serialize(format=form.name, encoding="utf-8")
    return text if isinstance(text, bytes) else text.encode()


def _written(term: Node | None, writable: Writable) -> Node | None:
    """Return a term that rdflib writes just as it was read, and legally."""
    if isinstance(term, URIRef):
        return URIRef(writable.iri(str(term)))
    if isinstance(term, BNode):
        return term if _BLANK_NODE_LABEL.fullmatch(term) else BNode()
    if isinstance(term, Literal) and term.datatype is not None:
        datatype = _written(term.datatype, writable)
        return _Verbatim(term, datatype=datatype, normalize=False)  # type: ignore[arg-type]
    return term


class _Verbatim(Literal):
    """A literal that keeps its lexical form: rdflib writes the decimal 1 as 1.0."""

    def _literal_n3(
        self,
        use_plain: bool = False,  # noqa: FBT001, FBT002 - rdflib's signature
        qname_callback: Any = None,
    ) -> str:
        plain = _PLAIN.get(self.datatype) if use_plain and self.datatype else None
        return super()._literal_n3(bool(plain and plain.fullmatch(self)), qname_callback)
