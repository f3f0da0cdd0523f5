"""JSON-LD and Project Open Data as documents: values of members with their places."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.document import Document, Span, Statement, Terms
from cturi_rdf.editing.edit import EditError
from cturi_rdf.editing.json.names import Names
from cturi_rdf.editing.json.places import Places
from cturi_rdf.editing.json.write import move_out, says_more, write_json
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.json_scan import (
    check_nesting,
    in_utf8,
    require_unicode,
    scan,
    without_halves,
)
from cturi_rdf.reading.jsonld import rewriting, whole
from cturi_rdf.reading.jsonld_contexts import Inlining
from cturi_rdf.reading.jsonld_stream import streamed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO

    from cturi_rdf.reading.formats import Format, ReadOptions
    from cturi_rdf.reading.json_scan import Scanned


# The schema whose files have no place for links.
_POD = b"https://project-open-data.cio.gov/v1.1/schema"
_DCAT = "http://www.w3.org/ns/dcat#"
# The properties for which its distributions have a field with a text; DCAT-US 3.0, which may have
# no context, has more.
_POD_FIELDS = frozenset({"http://purl.org/dc/terms/format", f"{_DCAT}mediaType"})
_FIELDS = _POD_FIELDS | {f"{_DCAT}compressFormat", f"{_DCAT}packageFormat"}


class JsonDocument(Document):
    r"""A file of JSON-LD.

    The place of a value is the JSON value, that of a node which says more than its name the value
    of its `@id`.  Only the texts of `fields` can be added to JSON without a context and to Project
    Open Data, which have no place for links; nothing can be edited in UTF-16 or UTF-32.  Statements
    of a file that only rdflib reads have no places.  Where the file is not JSON or a context cannot
    be had, locating raises `CatalogError`.

    >>> from cturi_rdf.editing import locate
    >>> data = b'{"@context": {"@vocab": "http://d.example/"}, "format": ["CSV", 7]}'
    >>> document = locate(data, "json-ld", predicates=["http://d.example/format"])
    >>> [data[statement.start : statement.end] for statement in document.statements]
    [b'"CSV"', b'7']
    """

    keeps_nodes = True
    _by_rdflib = False
    _read: Sequence[Statement] = ()
    # How Oxigraph read the text, once it was located.
    _read_as: ox.RdfFormat | None = None
    edits, labelling = write_json, move_out

    def __init__(
        self, data: bytes, form: Format, base: str | None, name: str, reading: ReadOptions
    ) -> None:
        super().__init__(data, form, base, name, reading)
        text = in_utf8(data, name)
        if text is not data:
            problem = "a file that is not in UTF-8 cannot be edited"
            self.unwritable = EditError(problem, name, "JSON in UTF-8")
            self.data = text
        text, halves = without_halves(text)
        if self.reading.strict:
            require_unicode(halves, name)
        check_nesting(text, name)
        self._inlined = Inlining(name, self.reading)
        rewritten = rewriting(scan(text, name), name, self._inlined)
        # Oxigraph reads the text as it is, and so it does after edits.
        self._is_plain = not (rewritten.parts or rewritten.head or halves)
        self.scanned, self.names = rewritten.scanned, Names(rewritten, self.base)
        self.closed = "JSON without a context" if rewritten.context is not None else None
        self.fields = _FIELDS
        if _is_project_open_data(rewritten.scanned):
            self.closed, self.fields = "Project Open Data", _POD_FIELDS
        self.rewritten = rewritten

    def _find(self) -> None:
        rewritten = self.rewritten
        try:
            places = Places(self, rewritten, self.names)
            self._read, self.statements = places.statements()
            self._read_as = places.form
        except SyntaxError:
            self._by_rdflib = True
            problem = "a file that only rdflib can read cannot be edited"
            self.unwritable = EditError(problem, self.name, "JSON-LD that Oxigraph reads")
            from cturi_rdf.reading.rdflib_graphs import quads_by_rdflib

            quads, _ = quads_by_rdflib(rewritten.text(), "json-ld", self.name)
            terms = Terms()
            self.statements = [
                Statement(*terms.of(quad), number - len(quads))
                for number, quad in enumerate(rewritten.quads(quads))
                if self.is_wanted(quad.predicate, quad.object)
            ]

    def subject_span(self, statement: Statement) -> Span | None:
        """Return the place of a subject's name, or of the brace that begins its object."""
        place = statement.handle
        if place is None or place.holder == -1:
            return None
        name = self.rewritten.members(place.holder).get("@id")
        if name is not None:
            return Span(self.scanned.starts[name], self.scanned.ends[name])
        start = self.scanned.starts[place.holder]
        return Span(start, start + 1)

    def predicate_span(self, statement: Statement) -> Span | None:
        """Return the place of the name of a member."""
        place = statement.handle
        if place is None or place.member == -1:
            return None
        return Span(*self.scanned.key_span(place.member))

    def in_reading_order(self) -> Sequence[Statement]:
        """Return the statements as Oxigraph gives them."""
        return self._read

    def holds(self, statement: Statement) -> bool:
        """Return whether the object of a statement is described in the place of its value."""
        place = statement.handle
        return place is not None and place.kind == "value" and says_more(self, place)

    def of_one_verb(self, statement: Statement) -> list[Statement]:
        """Return the statements that one member makes."""
        if statement.handle is None or statement.handle.kind != "value":
            return []
        return self._members.get(statement.handle.member, [])

    @cached_property
    def _members(self) -> dict[int, list[Statement]]:
        members: dict[int, list[Statement]] = {}
        for statement in self.statements:
            if statement.handle is not None and statement.handle.kind == "value":
                members.setdefault(statement.handle.member, []).append(statement)
        return members

    def encoded(self, value: object) -> bytes:
        """Return a value as JSON."""
        return json.dumps(value, ensure_ascii=False).encode()

    def parse(self, content: IO[bytes] | bytes) -> Iterator[ox.Quad]:
        """Yield the quads of a text in JSON-LD.  Raises `SyntaxError`.

        The contexts that it names are put inline.
        """
        data = content if isinstance(content, bytes) else content.read()
        if self._is_plain and not self._by_rdflib:
            read_as = self._read_as if data is self.data else None
            text, form = streamed(data, read_as, base_iri=self.base)
            return iter(ox.parse(text, form, base_iri=self.base))
        try:
            reading = self.reading._replace(strict=False)
            read = whole(data, self.name, reading, self._inlined)
            if self._by_rdflib:
                from cturi_rdf.reading.rdflib_graphs import quads_by_rdflib

                return read.quads(quads_by_rdflib(read.text, "json-ld", self.name)[0])
        except CatalogError as error:
            raise SyntaxError(error.problem) from error
        text, form = streamed(read.text, base_iri=self.base)
        return read.quads(ox.parse(text, form, base_iri=self.base))


def _is_project_open_data(scanned: Scanned) -> bool:
    return any(
        scanned.name(child) == "conformsTo" and scanned.raw(child)[1:].startswith(_POD)
        for child in (scanned.children(0) if scanned.kind(0) == ord("{") else ())
    )
