"""RDF/XML: property elements and property attributes, with the places of their objects."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.parsers import expat

from cturi_rdf.editing.document import Document
from cturi_rdf.editing.edit import EditError
from cturi_rdf.editing.rdfxml.marked import MarkedXml
from cturi_rdf.editing.rdfxml.write import write_rdfxml
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.read import reason_of, with_language_tag
from cturi_rdf.reading.source import buffered
from cturi_rdf.reading.xml_text import rdfxml_text, utf8_xml
from cturi_rdf.xml import encoding_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    import pyoxigraph as ox

    from cturi_rdf.editing.changes import Change
    from cturi_rdf.editing.document import Statement
    from cturi_rdf.editing.edit import Piece


_ASCII, _BYTES = bytes(range(0x80)).decode(), bytes(range(0x100))


class XmlDocument(Document):
    r"""A file of RDF/XML.

    The place of a text is the span between the tags; that of an IRI is the value of the attribute
    that names it; that of a blank node is the tag that begins it.  A file in UTF-16 or Big5 has
    positions but takes no edits: its `data` is the same text in UTF-8.  Where the file is not
    well-formed XML, locating raises `CatalogError`.

    >>> from cturi_rdf.reading.formats import format_named
    >>> data = b'''<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    ...   xmlns:d="http://d.example/"><d:File d:type="text/csv"><d:format>CSV</d:format></d:File>
    ... </r:RDF>'''
    >>> wanted = {"http://d.example/type", "http://d.example/format"}
    >>> document = XmlDocument(data, format_named("xml"), predicates=wanted)
    >>> [data[statement.start : statement.end].decode() for statement in document.statements]
    ['text/csv', 'CSV']
    """

    def _located(self) -> list[Statement]:
        start = self.data[:1024]
        encoding = (encoding_of("application/xml", start).encoding or "utf-8").lower()
        if not _is_of_bytes(encoding):
            self.data = utf8_xml(buffered(self.data), self.name).read()
            problem = f"a file in {encoding.upper()} takes no edits"
            self.unwritable = EditError(problem, self.name, "RDF/XML in UTF-8")
            encoding = "utf-8"
        self.encoding = encoding
        self._expect_well_formed(encoding)
        marked = MarkedXml(self.data, self.predicates, self.parse)
        self.root = marked.root
        try:
            self._read = marked.statements()
        except SyntaxError as error:
            problem = f"not RDF/XML ({reason_of(error)})"
            raise CatalogError(problem, self.name, "valid RDF/XML") from error
        return sorted(self._read, key=lambda statement: statement.start)

    def in_reading_order(self) -> list[Statement]:
        """Return the statements as Oxigraph gives them."""
        return self._read

    def _expect_well_formed(self, encoding: str) -> None:
        parser = expat.ParserCreate(encoding)
        try:
            parser.Parse(self.data, True)  # noqa: FBT003 - expat's signature
        except expat.ExpatError as error:
            place = error.lineno, error.offset + 1
            raise CatalogError(
                f"not xml ({error})", self.name, "well-formed XML", *place
            ) from error

    def edits(self, changes: Iterable[tuple[int, Change]]) -> Iterator[Piece]:
        """Yield the edits that make some changes; indentation and line ends follow the file."""
        return write_rdfxml(self, changes)

    def parse(self, content: IO[bytes] | bytes) -> Iterator[ox.Quad]:
        """Yield the quads of a text in RDF/XML.  Raises `SyntaxError`."""
        quads = super().parse(rdfxml_text(buffered(content), self.name))
        return map(with_language_tag, quads)


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
