"""JSON-LD and Project Open Data as documents: values of members with their places."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.editing.document import Document
from cturi_rdf.editing.edit import EditError
from cturi_rdf.editing.json.context import Active, process
from cturi_rdf.editing.json.walk import Walk
from cturi_rdf.editing.json.write import write_json
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.json_scan import scan
from cturi_rdf.reading.json_text import check_nesting, in_utf8, require_unicode, without_halves
from cturi_rdf.reading.jsonld_contexts import Contexts, Inlining
from cturi_rdf.reading.jsonld_stream import streamed
from cturi_rdf.reading.read import stated
from cturi_rdf.reading.self_contained import context_for, needs_nothing, with_contexts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from cturi_rdf.editing.changes import Change
    from cturi_rdf.editing.document import Statement
    from cturi_rdf.editing.edit import Piece
    from cturi_rdf.reading.json_scan import Scanned

__all__ = ["JsonDocument"]

_BLOCK = 1 << 20
# The schema whose files have no place for links.
_POD = b"https://project-open-data.cio.gov/v1.1/schema"


class JsonDocument(Document):
    r"""A file of JSON-LD.

    The place of a value is the JSON value, that of a node which says more than its name the value
    of its `@id`.  Nothing can be added to JSON without a context or to Project Open Data, whose
    schema has no place for links; nothing can be edited in UTF-16 or UTF-32.  Where the file is not
    JSON or a context cannot be had, locating raises `CatalogError`.

    >>> from cturi_rdf.reading.formats import format_named
    >>> data = b'{"@context": {"@vocab": "http://d.example/"}, "format": ["CSV", 7]}'
    >>> document = JsonDocument(data, format_named("json-ld"), predicates=["http://d.example/format"])
    >>> [data[statement.start : statement.end] for statement in document.statements]
    [b'"CSV"', b'7']
    """

    _by_rdflib = False

    def _located(self) -> list[Statement]:
        name, text = self.name, in_utf8(self.data, self.name)
        if text is not self.data:
            problem = "a file that is not in UTF-8 takes no edits"
            self.unwritable = EditError(problem, name, "JSON in UTF-8")
            self.data = text
        if self.contexts and self.contexts.strict:
            require_unicode(without_halves(text)[1], name)
        check_nesting(text, name)
        scanned = scan(text, name)
        active, guessed = Active(self.base), context_for(scanned, name)
        self.closed: str | None = None
        if guessed is not None:
            active, self.closed = process(active, guessed), "JSON without a context"
        if _is_project_open_data(scanned):
            self.closed = "Project Open Data"
        self._inlined = Inlining(name, self.contexts or Contexts())
        self.walk = Walk(scanned, self.predicates, self._inlined)
        self.walk.run(active)
        return sorted(self.walk.statements, key=lambda statement: statement.start)

    def edits(self, changes: Iterable[tuple[int, Change]]) -> Iterator[Piece]:
        """Yield the edits that make some changes; indentation and line ends follow the file."""
        return write_json(self, changes)

    def parse(self, content: IO[bytes] | bytes) -> Iterator[ox.Quad]:
        """Yield the quads of a text in JSON-LD.  Raises `SyntaxError`.

        The contexts that it names are put inline.
        """
        if isinstance(content, bytes):
            data = content
        else:
            data = b"".join(iter(lambda: content.read(_BLOCK), b""))
        try:
            whole = without_halves(data)[0]
            if not needs_nothing(whole):
                whole = with_contexts(whole, self.name, self._inlined)
        except CatalogError as error:
            raise SyntaxError(error.problem) from error
        if not self._by_rdflib:
            options: dict[str, Any] = {"base_iri": self.base, "lenient": self.format.any_iri}
            return stated(ox.parse(*streamed(whole, **options), **options))
        from cturi_rdf.reading.rdflib_graphs import parse_with_rdflib, to_quads

        try:
            return iter(to_quads(parse_with_rdflib(whole, "json-ld", self.name), self.name))
        except CatalogError as error:
            raise SyntaxError(error.problem) from error

    def fall_back(self) -> bool:
        """Let rdflib read the document from now on, if Oxigraph refuses it."""
        if not self._by_rdflib:
            try:
                deque(self.parse(self.data), maxlen=0)
            except SyntaxError:
                self._by_rdflib = True
                return True
        return False


def _is_project_open_data(scanned: Scanned) -> bool:
    return any(
        scanned.name(child) == "conformsTo" and scanned.raw(child)[1:].startswith(_POD)
        for child in (scanned.children(0) if scanned.kind(0) == ord("{") else ())
    )
