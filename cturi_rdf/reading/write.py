"""Writing a catalogue: its relative IRIs relative again, its literals as they were."""

from __future__ import annotations

import json
import re
from os import fspath
from typing import TYPE_CHECKING, Any

from rdflib import XSD, BNode, Dataset, Graph, Literal, URIRef
from rdflib.namespace import NamespaceManager

from cturi_rdf.reading.atomic import write_whole
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.rdflib_graphs import verbatim
from cturi_rdf.reading.relative_iri import relative
from cturi_rdf.reading.writable import Writable, check_statement, readable

if TYPE_CHECKING:
    from os import PathLike

    from rdflib.term import Node

    from cturi_rdf.reading.formats import Format


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
