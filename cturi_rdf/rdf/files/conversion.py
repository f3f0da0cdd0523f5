"""A catalogue in another syntax, with what its labels mean."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pyoxigraph as ox

from cturi_rdf.content_type.grammar import percent_encode
from cturi_rdf.io.atomic import write_whole
from cturi_rdf.io.errors import CatalogError
from cturi_rdf.io.read import document as quads_of
from cturi_rdf.io.relative_iri import SENTINEL, relative
from cturi_rdf.io.terms import lenient_node
from cturi_rdf.rdf.files.labels import EDITABLE, Meanings, located, report_of, resource_name
from cturi_rdf.rdf.files.links import LINKS
from cturi_rdf.rdf.files.report import FileReport, Place
from cturi_rdf.rdf.properties import PROPERTIES
from cturi_rdf.rdf.terms import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.io.formats import Format
    from cturi_rdf.io.source import Source
    from cturi_rdf.rdf.files.meaning import Options
    from cturi_rdf.rdf.terms import Triple

__all__ = ["convert"]

# Turtle section 6.5, IRIREF: the characters that an IRI cannot have.
_NOT_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_SPECIAL = re.compile(rf"{re.escape(SENTINEL)}|{_NOT_IRI.pattern}")
# XML 1.0 section 2.3, a part of NCName: what every syntax takes for the label of a blank node.
_LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")


def convert(source: Source, target: str, form: Format, options: Options) -> FileReport:
    """Write a source in another format, with links and descriptions; see `annotate_file`."""
    conversion = _Conversion(source, options)
    writable = _Writable(form, options.base)
    prefixes = PREFIXES | conversion.prefixes
    try:
        content = ox.serialize(
            map(writable.quad, conversion.annotated()),
            format=form.oxigraph, prefixes=_usable(prefixes),
        )  # fmt: skip
    except ValueError as error:
        raise CatalogError(f"it cannot be written ({error})", target, form.name) from error
    source.check()
    write_whole(target, content or b"")
    report = conversion.report
    report.encoded = writable.encoded
    return report


class _Conversion:
    """What a file says, and what is added to that."""

    def __init__(self, source: Source, options: Options) -> None:
        read = quads_of(source, options.contexts)
        self._quads = list(read)
        if not self._quads:
            name = source.format.name
            raise CatalogError(f"no triples in it, read as {name}", source.name, "RDF")
        self.prefixes = read.prefixes
        self._options = options
        self._labels = [quad for quad in self._quads if quad.predicate in PROPERTIES]
        self._meanings = Meanings(options.resolver)
        unclear = self._meanings.unclear(quad.object for quad in self._labels)
        self._meanings.describe(unclear, self._quads)
        self.report = _report(source, options, self._labels, self._meanings)

    def annotated(self) -> Iterator[ox.Quad]:
        """Yield what the file says, and what is added."""
        links = {quad for quad in self._quads if quad.predicate in LINKS}
        missing = {ox.Quad(*triple): None for triple in self._descriptions()}
        for quad in self._quads:
            yield quad
            missing.pop(quad, None)
            if quad.predicate in PROPERTIES:
                understood = self._meanings.of(quad.object)
                for link in self._options.adding.links(quad.predicate, understood):
                    new = ox.Quad(quad.subject, *link, quad.graph_name)
                    if new not in links:
                        links.add(new)
                        self.report.added += 1
                        yield new
        yield from missing

    def _descriptions(self) -> dict[Triple, None]:
        triples: dict[Triple, None] = {}
        for understood in dict.fromkeys(self._meanings.of(quad.object) for quad in self._labels):
            triples |= dict.fromkeys(self._options.adding.description(understood))
        if self._options.describe:
            for triple in triples:
                self._options.describe(triple)
            return {}
        return triples


def _report(
    source: Source, options: Options, labels: list[ox.Quad], meanings: Meanings
) -> FileReport:  # fmt: skip
    """Return what the labels mean, with their places where the syntax has places."""
    report = FileReport()
    report.count_resources(hash(quad.subject) for quad in labels)
    if source.format.name not in EDITABLE:
        for quad in labels:
            place = Place(resource_name(quad.subject), quad.predicate.value)
            report.count(meanings.of(quad.object), 1, lambda place=place: [place])  # type: ignore[misc]
        return report
    return report_of(located(source, options.contexts, options.resolver))


def _usable(prefixes: dict[str, str]) -> dict[str, str]:
    """Return the prefixes whose namespaces are absolute IRIs, which Oxigraph asks for."""
    return {
        prefix: iri
        for prefix, iri in prefixes.items()
        if not _SPECIAL.search(iri) and re.match("[A-Za-z][A-Za-z0-9+.-]*:", iri)
    }


class _Writable:
    """Terms as a format can hold them: relative IRIs relative again, others legal."""

    def __init__(self, form: Format, base: str | None) -> None:
        self._form = form
        self._base = base
        # The IRIs that were percent-encoded.
        self.encoded: set[str] = set()
        self._iri = lru_cache(1 << 14)(self._special)

    def quad(self, quad: ox.Quad) -> ox.Quad:
        """Return a quad whose terms the format can hold."""
        graph = quad.graph_name if self._form.datasets else ox.DefaultGraph()
        return ox.Quad(
            self._term(quad.subject), self._term(quad.predicate), self._term(quad.object),
            self._term(graph),
        )  # fmt: skip

    def _term(self, term: Any) -> Any:
        if isinstance(term, ox.NamedNode):
            return self._iri(term) if _SPECIAL.search(term.value) else term
        if isinstance(term, ox.BlankNode) and not _LABEL.fullmatch(term.value):
            return ox.BlankNode(f"b_{term.value.encode().hex()}")
        return term

    def _special(self, term: ox.NamedNode) -> ox.NamedNode:
        text = relative(term.value)
        if text != term.value and not self._form.relative and self._base:
            text = urljoin(self._base, text)
        if not self._form.any_iri and _NOT_IRI.search(text):
            self.encoded.add(text)
            text = percent_encode(text, _NOT_IRI)
        return lenient_node(text)
