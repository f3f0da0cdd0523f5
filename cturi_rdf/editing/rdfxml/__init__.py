"""RDF/XML: property elements and property attributes, with the places of their objects.

An element goes with everything in it where no statement in it stays.  A node that only loses its
type is called rdf:Description.  A node that is described inside of a property moves behind the
outermost element around it, as it is written, where the property cannot hold it any more; an
anonymous one gets an `rdf:nodeID`.
"""

from __future__ import annotations

import codecs
import re
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING
from xml.parsers import expat

from cturi_rdf.editing.document import Document, Span
from cturi_rdf.editing.edit import EditError
from cturi_rdf.editing.rdfxml.leaving import move_out
from cturi_rdf.editing.rdfxml.marked import MarkedXml
from cturi_rdf.editing.rdfxml.tags import (
    has_other_attributes,
    tag_name,
)
from cturi_rdf.editing.rdfxml.write import Writing
from cturi_rdf.reading.errors import not_valid
from cturi_rdf.reading.read import reason_of, with_language_tags
from cturi_rdf.reading.source import buffered
from cturi_rdf.reading.terms import is_tag
from cturi_rdf.reading.xml_text import (
    has_relative_base,
    may_have_records,
    rdfxml_quads,
    rdfxml_text,
    records,
    utf8_xml,
    xml_encoding,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO

    import pyoxigraph as ox

    from cturi_rdf.editing.document import Statement
    from cturi_rdf.editing.edit import Change, Piece
    from cturi_rdf.editing.located_graph import GraphAfter
    from cturi_rdf.editing.rdfxml.tags import ElementPlace
    from cturi_rdf.reading.formats import Format, ReadOptions

_LANGUAGE = re.compile(rb"""xml:lang\s*=\s*["']([^"']*)""")
_ASCII, _BYTES = bytes(range(0x80)).decode(), bytes(range(0x100))


class XmlDocument(Document):
    r"""A file of RDF/XML.

    The place of a text is the span between the tags; that of an IRI is the value of the attribute
    that names it; that of a blank node is the tag that begins it.  A file in UTF-16 or Big5 has
    positions but takes no edits: its `data` is the same text in UTF-8.  Where the file is not
    well-formed XML, locating raises `CatalogError`.

    >>> from cturi_rdf.editing import locate
    >>> data = b'''<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    ...   xmlns:d="http://d.example/"><d:File d:type="text/csv"><d:format>CSV</d:format></d:File>
    ... </r:RDF>'''
    >>> wanted = {"http://d.example/type", "http://d.example/format"}
    >>> document = locate(data, "xml", predicates=wanted)
    >>> [data[statement.start : statement.end].decode() for statement in document.statements]
    ['text/csv', 'CSV']
    """

    keeps_nodes = True
    labelling = move_out
    # Whether all edits declare their prefixes together, on the first element.
    shares_prefixes = True

    def __init__(
        self, data: bytes, form: Format, base: str | None, name: str, reading: ReadOptions
    ) -> None:
        super().__init__(data, form, base, name, reading)
        encoding = xml_encoding(self.data[:1024])
        if not _is_of_bytes(encoding):
            self.data = utf8_xml(buffered(self.data), self.name).read()
            problem = f"a file in {encoding.upper()} cannot be edited"
            self.unwritable = EditError(problem, self.name, "RDF/XML in UTF-8")
            encoding = "utf-8"
        self.encoding = encoding
        self._expect_well_formed(encoding)
        # Whether it is another document with rdf:RDF inside, such as an answer of a catalogue.
        self.has_records = may_have_records(self.data) and bool(records(self.data))

    def _find(self) -> None:
        marked = MarkedXml(self)
        self.elements = marked.elements
        self.root = self.elements.root
        try:
            self._read, self.statements = marked.statements()
        except SyntaxError as error:
            raise not_valid("RDF/XML", reason_of(error), self.name) from error

    def apart(self) -> XmlDocument:
        """Return the document; a prefix that is declared twice in one tag is no XML."""
        one = copy(self)
        one.shares_prefixes = False
        return one

    def edits(
        self, changes: Iterable[tuple[int, Change]], after: GraphAfter | None = None
    ) -> Iterator[Piece]:
        """Yield the edits that make some changes, each with its number."""
        return Writing(self).edits(changes, after)

    def in_reading_order(self) -> Sequence[Statement]:
        """Return the statements as Oxigraph gives them."""
        return self._read

    def subject_span(self, statement: Statement) -> Span | None:
        """Return the place of the attribute that names a subject, or of its tag."""
        place: ElementPlace | None = statement.handle
        return place and self.elements.subject_span(place.owner)

    def predicate_span(self, statement: Statement) -> Span | None:
        """Return the place of the name of a property element."""
        place: ElementPlace | None = statement.handle
        if place is None or place.end == -1:
            return None
        return Span(place.start + 1, place.start + 1 + len(tag_name(self.data, place.start)))

    def _expect_well_formed(self, encoding: str) -> None:
        parser = expat.ParserCreate(encoding)

        def first(_: str, attributes: dict[str, str]) -> None:
            parser.StartElementHandler = None
            self._has_language = "xml:lang" in attributes

        parser.StartElementHandler = first
        try:
            parser.Parse(self.data, True)  # noqa: FBT003 - expat's signature
        except expat.ExpatError as error:
            place = error.lineno, error.offset + 1
            raise not_valid("xml", error, self.name, *place) from error

    def holds(self, statement: Statement) -> bool:
        """Return whether the object of a statement is described inside of its element."""
        place: ElementPlace | None = statement.handle
        return place is not None and (
            place.kind == "node"
            or (place.kind == "resource" and has_other_attributes(self.data, place.start))
        )

    def of_one_verb(self, statement: Statement) -> list[Statement]:
        """Return the statement alone, if it is a property element."""
        return [statement] if statement.handle and statement.handle.end != -1 else []

    def parse(self, content: IO[bytes] | bytes) -> Iterator[ox.Quad]:
        """Yield the quads of a text in RDF/XML.  Raises `SyntaxError`."""
        text = content
        if not self._is_plain:
            text = rdfxml_text(buffered(content), self.name, self.base)
        whole = super().parse
        quads = rdfxml_quads(buffered(text), whole) if self.has_records else whole(text)
        return quads if self._has_tags else with_language_tags(quads)

    @cached_property
    def _is_plain(self) -> bool:
        """Whether Oxigraph reads the text as it is: tags and text in UTF-8."""
        data, mark = self.data, len(codecs.BOM_UTF8) if self.data.startswith(codecs.BOM_UTF8) else 0
        is_utf8 = self.encoding == "utf-8" and self.unwritable is None
        is_markup = b"<!" in data or data.find(b"<?", mark + 1) != -1
        return is_utf8 and not is_markup and not has_relative_base(data)

    @cached_property
    def _has_tags(self) -> bool:
        """Whether each language in the file is surely a language tag, or empty."""
        if b"<!ATTLIST" in self.data or b"<!ENTITY" in self.data:
            return False
        # Edits write an empty one where the first element has one.
        languages = {match[1] for match in _LANGUAGE.finditer(self.data)}
        return not self._has_language and all(is_tag(one.decode("latin-1")) for one in languages)


def _is_of_bytes(encoding: str) -> bool:
    """Return whether expat reads an encoding, and its tags and references are those of ASCII.

    That is UTF-8, or one in which each byte is a character.
    """
    if encoding == "utf-8":
        return True
    try:
        text = _BYTES.decode(encoding, "replace")
    except (LookupError, UnicodeError):
        return False
    return len(text) == len(_BYTES) and text.startswith(_ASCII)
