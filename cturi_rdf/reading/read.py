"""Reading RDF: the quads of a file in any syntax, by Oxigraph's streaming parsers.

Oxigraph reads Turtle, TriG, N-Triples, N-Quads, RDF/XML and JSON-LD.  rdflib, which takes forty
times as long, reads N3 and the JSON-LD that Oxigraph refuses.  Terms are read as they are written,
where the syntax of the file can hold them: IRIs with spaces in RDF/XML and JSON-LD, and literals as
they were written.
"""

from __future__ import annotations

import re
from collections import deque
from typing import IO, TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.reading.errors import CatalogError, no_triples, not_valid
from cturi_rdf.reading.source import without_mark
from cturi_rdf.reading.terms import DOCUMENT, is_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.reading.source import Source


# Oxigraph states the place before the reason; the place has attributes of its own.
_PLACE = r"Parser error (?:at|between) .*?: | \(line [0-9]+\)$"
# The most bytes up to the end of the first tag of RDF/XML.
_FIRST = 1 << 16
# An IRI in the reason of an error that has no place.
_IRI = r"(?s)error while parsing IRI '(.*?)'"
# The declaration of a prefix in RDF/XML; quoted text elsewhere that looks alike does no harm.
_XMLNS = rb"""\sxmlns(?::([^\s=]+))?\s*=\s*(?:"([^"<&]*)"|'([^'<&]*)')"""


class QuadDocument:
    """The quads of one file, in the order in which they stand.

    Iterating reads the file, and may be done again.  `base` resolves relative IRIs; by default it
    is `DOCUMENT`, so that `cturi_rdf.reading.terms.relative` gives back what their author wrote.
    `prefixes` has the declared prefixes, once the file has been read.  `replaced` has the places,
    line and column, of lone surrogates in JSON, each of which reads as U+FFFD.  `languages`
    has the languages that were left out because they are no language tags.

    >>> from cturi_rdf.reading.source import open_source
    >>> with open_source("examples/catalogue.ttl") as source:
    ...     sum(1 for quad in QuadDocument(source))
    134
    """

    def __init__(self, source: Source, base: str = DOCUMENT) -> None:
        self.source = source
        self._base = base
        self.prefixes: dict[str, str] = {}
        self.replaced: list[tuple[int, int]] = []
        self.languages: set[str] = set()
        # The format in which Oxigraph has read this JSON-LD before.
        self._json_form: ox.RdfFormat | None = None
        # The quads that rdflib has read: slowly, and in another order each time.
        self._by_rdflib: list[ox.Quad] | None = None

    def __iter__(self) -> Iterator[ox.Quad]:
        """Yield the quads.  Raises `CatalogError` where the file is not valid in its format."""
        name = self.source.format.name
        if self._by_rdflib is not None:
            yield from self._by_rdflib
        elif name == "n3":
            yield from self._read_by_rdflib(self.source.read())
        elif name == "json-ld":
            yield from self._json_ld()
        elif name == "xml":
            yield from self._rdfxml()
        else:
            with self.source.open() as file:
                yield from self._parse(without_mark(file))

    def _rdfxml(self) -> Iterator[ox.Quad]:
        from cturi_rdf.reading.xml_text import rdfxml_quads, rdfxml_text

        with self.source.open() as file:
            text = rdfxml_text(file, self.source.name, self._base)
            # Oxigraph does not keep the prefixes; almost always all of them are on the first tag.
            for prefix, double, single in re.findall(_XMLNS, text.peek(_FIRST)):  # type: ignore[attr-defined]
                self.prefixes[prefix.decode()] = (double or single).decode()
            yield from rdfxml_quads(text, self._parse)

    def _parse(self, content: IO[bytes]) -> Iterator[ox.Quad]:
        return self._quads(self.source.format.parse(content, self._base))

    def _quads(self, parser: ox.QuadParser) -> Iterator[ox.Quad]:
        form = self.source.format
        try:
            if form.name == "xml":
                yield from with_language_tags(parser, self.languages)
            else:
                yield from parser
        except SyntaxError as error:
            raise self._not_valid(error) from error
        self.prefixes |= parser.prefixes

    def _json_ld(self) -> Iterator[ox.Quad]:
        from cturi_rdf.reading.json_scan import check_nesting, scan
        from cturi_rdf.reading.jsonld import whole
        from cturi_rdf.reading.jsonld_stream import streamed

        content, name = self.source.read(), self.source.name
        check_nesting(content, name)
        read = whole(content, name, self.source.reading)
        # The text as it was is not needed any more, and may be large.
        content, self.replaced = read.text, read.halves
        text, form = streamed(content, self._json_form, base_iri=self._base)
        try:
            if form == ox.RdfFormat.JSON_LD and self._json_form is None:
                # The whole file first, because Oxigraph may refuse something at its end.
                deque(ox.parse(text, form, base_iri=self._base), maxlen=0)
        except SyntaxError:
            # What is no JSON is said with its place.
            scan(content, name)
            self._by_rdflib = list(read.quads(self._read_by_rdflib(content)))
            yield from self._by_rdflib
        else:
            self._json_form = form
            yield from read.quads(self._quads(ox.parse(text, form, base_iri=self._base)))
            if read.rewriting:
                self.languages |= read.rewriting.languages

    def _read_by_rdflib(self, content: bytes) -> list[ox.Quad]:
        from cturi_rdf.reading.rdflib_graphs import quads_by_rdflib

        name = self.source.name
        self._by_rdflib, prefixes = quads_by_rdflib(
            content, self.source.format.name, name, self._base
        )
        self.prefixes |= prefixes
        return self._by_rdflib

    def _not_valid(self, error: SyntaxError) -> CatalogError:
        form = self.source.format
        reason = reason_of(error)
        line, column = error.lineno, error.offset
        if form.name == "xml":
            from cturi_rdf.reading.xml_text import not_rdfxml

            return not_rdfxml(self.source, reason)
        if line is None and (iri := re.match(_IRI, reason)):
            line, column = self.place_of(iri[1]) or (None, None)
        return not_valid(form.name, reason, self.source.name, line, column)

    def place_of(self, text: str) -> tuple[int, int] | None:
        """Return the line and the column of a text in any case, one in quotes if there is any."""
        for before in ('"', "'", "<", ""):
            needle = f"{before}{text}".encode().lower()
            with self.source.open() as file:
                for number, line in enumerate(file, 1):
                    at = line.lower().find(needle)
                    if at != -1:
                        column = len(line[:at].decode("utf-8", "replace")) + len(before) + 1
                        return number, column
        return None


def reason_of(error: SyntaxError) -> str:
    """Return the reason in an error of Oxigraph, without the place."""
    return re.sub(_PLACE, "", error.msg or "")


def with_language_tags(
    quads: Iterable[ox.Quad], left_out: set[str] | None = None
) -> Iterator[ox.Quad]:
    """Yield quads; a literal has no language where that is no tag, such as ``en_US``.

    ``xml:lang=""`` means no language (RDF/XML section 2.7).  Any other language that is removed is
    added to `left_out`.
    """
    for quad in quads:
        value = quad.object
        if (
            type(value) is ox.Literal
            and (language := value.language) is not None
            and not is_tag(language)
        ):
            if language and left_out is not None:
                left_out.add(language)
            text = ox.Literal(value.value)
            yield ox.Quad(quad.subject, quad.predicate, text, quad.graph_name)
        else:
            yield quad


def malformed_line(source: Source, number: int) -> CatalogError:
    """Return the error of a malformed line, with the column that Oxigraph reports."""
    with source.open() as file:
        line = next(text for index, text in enumerate(file, 1) if index == number)
    reason, column = "no statement", 1
    try:
        list(ox.parse(line, source.format.oxigraph))
    except SyntaxError as error:
        reason, column = reason_of(error), error.offset or 1
    return not_valid(source.format.name, reason, source.name, number, column)


def expect_valid(
    source: Source, watch: Callable[[Iterable[ox.Quad]], Iterable[ox.Quad]] = iter
) -> None:
    """Raise `CatalogError` unless a file is valid in its format, and has a statement.

    Its quads go through `watch` on the way.
    """
    if not sum(1 for _ in watch(QuadDocument(source))):
        raise no_triples(source.name, source.format.name)


def expect_triples(source: Source) -> None:
    """Raise `CatalogError` unless a file has a statement; it is read up to the first one."""
    if next(iter(QuadDocument(source)), None) is None:
        raise no_triples(source.name, source.format.name)
