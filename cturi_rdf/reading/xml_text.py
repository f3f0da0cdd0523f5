"""XML in a form that Oxigraph's parser of RDF/XML can read.

Oxigraph reads nothing but UTF-8, expands entities without a limit, lets a file end inside an
element, takes a comment, a processing instruction or a CDATA section for the end of a text, and
refuses a base that is relative to the one around it.
"""

from __future__ import annotations

import codecs
import html
import io
import re
from collections import deque
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, cast
from xml.parsers import expat

import pyoxigraph as ox

from cturi_rdf._util.limits import check_limit
from cturi_rdf._util.references import resolve_reference
from cturi_rdf.reading.errors import CatalogError, not_valid
from cturi_rdf.reading.formats import Pieces, format_of_content
from cturi_rdf.reading.source import buffered, without_mark
from cturi_rdf.reading.terms import DOCUMENT, RDF_NS, is_random

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cturi_rdf.reading.source import Source


_RDF = f"{RDF_NS} RDF"
# The characters that are written as references in the value of an attribute.
IN_VALUE = str.maketrans({
    "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;",
    "\r": "&#13;", "\n": "&#10;", "\t": "&#9;",
})  # fmt: skip

# The longest XML declaration that is looked for (XML 1.0 section 2.8), and the encoding in it.
_FIRST = 1_024
_DECLARED = re.compile(r"""(<\?xml[^>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')""")
_ENCODING = re.compile(r"""<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.:-]*)["']""", re.ASCII)
# Byte order marks, and the first character of documents without one; the longer ones come first.
_BEGINNINGS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF16_BE: "utf-16",
    codecs.BOM_UTF16_LE: "utf-16",
    "<".encode("utf-32-be"): "utf-32-be",
    "<".encode("utf-32-le"): "utf-32-le",
    "<".encode("utf-16-be"): "utf-16-be",
    "<".encode("utf-16-le"): "utf-16-le",
}
# A tag, or a text up to the next one.
_TAG_OR_TEXT = re.compile(rb"<[^>]*>?|[^<]+")
# Markup that stands inside of a text without ending it (XML 1.0 sections 2.5 to 2.7), the XML
# declaration aside; last, what may be the beginning of such markup at the end of a block.
_MARKUP = re.compile(
    rb"<!--.*?-->|<\?(?!xml\s).*?\?>|<!\[CDATA\[(.*?)\]\]>"
    rb"|(<(?:!(?:-(?:-.*)?|\[.*)?|\?(?!xml\s).*)?\Z)",
    re.DOTALL,
)
# A tag, or the declaration of an entity; an `xml:base` in a tag.
_TAG = re.compile(rb"<(/)?[^<\"'>]*+(?:(?:\"[^\"]*+\"|'[^']*+')[^<\"'>]*+)*+>")
_BASE = re.compile(rb"(?<=\s)xml:base\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_LITERAL = re.compile(rb"=\s*[\"']Literal[\"']")
# What a relative base depends on: other bases, entities in it, and literals, in which it is a text.
_OF_BASES = (b"xml:base", b"<!ENTITY", b'"Literal"', b"'Literal'")
_RELATIVE_BASE = re.compile(rb"xml:base\s*=\s*[\"'](?![A-Za-z][\w+.\-]*:)")
_ENTITY = re.compile(rb"<!ENTITY\s+([^\s%]+)\s+(?:\"([^\"]*)\"|'([^']*)')\s*>")
_REFERENCE = re.compile(r"&[^&;\s]+;")


def xml_encoding(first: bytes) -> str:
    r"""Return the encoding of an XML document by its first bytes (XML 1.0, appendix F).

    The byte order mark decides, or the bytes of the first characters, or the declaration.

    >>> xml_encoding("<?xml version='1.0' encoding='Latin1'?>".encode("ascii"))
    'latin1'
    >>> xml_encoding("<a/>".encode("utf-16-be"))
    'utf-16-be'
    """
    for beginning, encoding in _BEGINNINGS.items():
        if first.startswith(beginning):
            return encoding
    # The declaration in EBCDIC tells which of its variants this is.
    text = first.decode("cp037" if first.startswith("<?xm".encode("cp037")) else "latin-1")
    declared = _ENCODING.match(text)
    encoding = declared[1].lower() if declared else "utf-8"
    try:
        return "utf-8" if codecs.lookup(encoding).name == "utf-8" else encoding
    except LookupError:
        return encoding


def utf8_xml(file: IO[bytes], name: str) -> IO[bytes]:
    r"""Return a stream of an XML document in UTF-8, without a byte order mark.

    Reading raises `CatalogError` where the bytes are not of it.

    >>> utf8_xml(buffered('<é/>'.encode("utf-16")), "a.rdf").read().decode()
    '<é/>'
    """
    first = file.peek(_FIRST)[:_FIRST]  # type: ignore[attr-defined] # buffered
    encoding = xml_encoding(first)
    if encoding == "utf-8":
        return without_mark(file)
    try:
        text = io.TextIOWrapper(file, encoding, newline="")
    except LookupError as error:
        raise CatalogError(
            f"an encoding that cannot be read ({encoding})", name, "UTF-8"
        ) from error
    return buffered(_Transcoded(text, name))


class _Transcoded(Pieces):
    """A stream of UTF-8, made of one in another encoding.

    Spaces stand in place of the encoding in its declaration, so that all columns stay.
    """

    def __init__(self, text: io.TextIOWrapper, name: str) -> None:
        self._text = text
        self._name = name
        first = _DECLARED.sub(_without_encoding, self._piece(_FIRST).decode(), count=1)
        self._rest = memoryview(first.removeprefix("\ufeff").encode())

    def _piece(self, size: int) -> bytes:
        try:
            return self._text.read(size).encode()
        except UnicodeError as error:
            encoding = self._text.encoding
            raise CatalogError(f"bytes that are not {encoding}", self._name, encoding) from error


def _without_encoding(declaration: re.Match[str]) -> str:
    return declaration[1].ljust(len(declaration[0]))


def rdfxml_text(file: IO[bytes], name: str, base: str | None = None) -> IO[bytes]:
    r"""Return a stream of RDF/XML that Oxigraph can read.

    It is in UTF-8, has no comments and no processing instructions, text instead of CDATA sections,
    and no relative `xml:base`, if it is read against a `base`.  Reading raises what `utf8_xml`
    raises, `LimitError` where entities expand to more than the limit `entities`, and `CatalogError`
    where the text ends inside an element.

    >>> text = b"<a>x<!-- y --><![CDATA[&z]]></a>"
    >>> rdfxml_text(buffered(text), "a.rdf").read()
    b'<a>x&amp;z</a>'
    """
    text = buffered(_Text(buffered(_Watched(utf8_xml(file, name), name))))
    return text if base is None else buffered(_WithBases(text, base))


def has_relative_base(data: bytes) -> bool:
    """Return whether a text may have an `xml:base` that is relative to another one."""
    return _RELATIVE_BASE.search(data) is not None


def entities_of(data: bytes) -> dict[str, str]:
    """Return the texts of the internal entities of a document, by their references.

    >>> entities_of(b'<!DOCTYPE a [ <!ENTITY b "urn:"> <!ENTITY c "&b;c#"> ]>')["&c;"]
    'urn:c#'
    """
    texts: dict[str, str] = {}
    for name, *quoted in _ENTITY.findall(data):
        # The first declaration of a name counts (XML 1.0 section 4.2).
        reference = f"&{name.decode('utf-8', 'replace')};"
        texts.setdefault(reference, expanded_text(b"".join(quoted), texts))
    return texts


def expanded_text(value: bytes, entities: Mapping[str, str]) -> str:
    """Return the text of a value in which references stand for entities and characters."""
    text = value.decode("utf-8", "replace")
    return _REFERENCE.sub(lambda one: entities.get(one[0]) or html.unescape(one[0]), text)


def may_have_records(first: bytes) -> bool:
    """Return whether the first element of an XML document is another one than rdf:RDF.

    It may be a node (RDF 1.1 XML Syntax section 7.2.8), or have rdf:RDF inside.

    >>> may_have_records(b"<?xml version='1.0'?><a:b>"), may_have_records(b"<rdf:RDF>")
    (True, False)
    """
    element = re.search(rb"<(?:[^\s<>/!?:]+:)?([^\s<>/!?:]+)", first)
    return element is not None and element[1] != b"RDF"


def rdfxml_quads(
    text: IO[bytes], parse: Callable[[IO[bytes]], Iterator[ox.Quad]]
) -> Iterator[ox.Quad]:
    """Yield the quads of RDF/XML, or those of each rdf:RDF inside of another document.

    Such records are what catalogue services answer (OGC CSW, OAI-PMH).  The label of a blank node
    is one of its record.
    """
    if not may_have_records(text.peek(_FIRST)):  # type: ignore[attr-defined] # buffered
        yield from parse(text)
        return
    whole = text.read()
    inner = records(whole)
    for number, record in enumerate(inner):

        def own(term: Any, number: int = number) -> Any:
            has_label = isinstance(term, ox.BlankNode) and not is_random(term.value)
            return ox.BlankNode(f"r{number}_{term.value}") if has_label else term

        for quad in parse(buffered(record)):
            yield ox.Quad(*map(own, quad))
    if not inner:
        yield from parse(buffered(whole))


def records(text: bytes) -> list[bytes]:
    """Return each rdf:RDF inside of another document, as a document of its own.

    >>> rdf = b"<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>"
    >>> records(b"<a xmlns:d='http://d.example/'>%b</a>" % rdf)[0][:35]
    b'<r:RDF xmlns:d="http://d.example/" '
    """
    documents: list[bytes] = []
    # The namespaces in each open element, and whether it is RDF itself.
    scopes: list[tuple[dict[str, str], bool]] = [({}, False)]
    declared: dict[str, str] = {}
    parser = expat.ParserCreate("utf-8", " ")
    begun, outer = 0, {}

    def declare(prefix: str | None, iri: str | None) -> None:
        declared[prefix or ""] = iri or ""

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal begun, outer
        namespaces, is_rdf = scopes[-1]
        if element == _RDF and not is_rdf:
            begun = parser.CurrentByteIndex
            outer = {prefix: iri for prefix, iri in namespaces.items() if prefix not in declared}
        is_rdf = is_rdf or element == _RDF or any(name.startswith(RDF_NS) for name in attributes)
        scopes.append((namespaces | declared, is_rdf))
        declared.clear()

    def end(element: str) -> None:
        scopes.pop()
        if element == _RDF and not scopes[-1][1]:
            whole = text[begun : text.index(b">", parser.CurrentByteIndex) + 1]
            names = (f" xmlns{prefix and ':'}{prefix}=\"{iri.translate(IN_VALUE)}\""
                     for prefix, iri in outer.items())  # fmt: skip
            tag = re.compile(rb"<[^\s/>]+").match(whole)
            place = tag.end() if tag else 0
            documents.append(whole[:place] + "".join(names).encode() + whole[place:])

    parser.StartNamespaceDeclHandler = declare
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    with suppress(expat.ExpatError):
        # What is not well-formed is refused when it is read.
        parser.Parse(text, True)  # noqa: FBT003 - expat's signature
    return documents


class _Text(Pieces):
    """A stream of XML in which no markup but tags breaks a text."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._begun = b""

    def _piece(self, size: int) -> bytes:
        while True:
            # Markup without its end is searched again, so each reading doubles the text.
            content = self._file.read(max(size, len(self._begun)))
            text, self._begun = self._begun + content, b""
            if b"<!" in text or b"<?" in text or text.endswith(b"<"):
                text = _MARKUP.sub(self._replaced if content else _as_text, text)
            if text or not content:
                return text

    def _replaced(self, markup: re.Match[bytes]) -> bytes:
        self._begun = markup[2] or b""
        return b"" if markup[2] else _as_text(markup)


def _as_text(markup: re.Match[bytes]) -> bytes:
    """Return the text that replaces markup; markup without an end stays."""
    if markup[1] is None:
        return markup[2] or b""
    return markup[1].replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")


class _WithBases(Pieces):
    """A stream of XML in which each base is absolute (XML Base section 4.1).

    `_scopes` are the elements with a base or a literal in which the text is, by how many tags are
    open around them; in a literal there is no base.  The base of the first element counts to the
    end, so that most files need no more of their tags read.
    """

    def __init__(self, file: IO[bytes], base: str) -> None:
        self._file = file
        self._begun = b""
        self._base: str | None = base
        self._scopes: list[tuple[int, str | None]] = []
        self._depth = 0
        self._is_first = True
        self._entities: dict[str, str] = {}

    def _piece(self, size: int) -> bytes:
        while True:
            content = self._file.read(max(size, len(self._begun)))
            text, self._begun = self._begun + content, b""
            # No tag has another one in it.
            last = text.rfind(b"<")
            if content and last != -1 and not _TAG.match(text, last):
                text, self._begun = text[:last], text[last:]
            if self._scopes or any(one in text for one in _OF_BASES):
                text = _TAG.sub(self._with_base, text)
            self._is_first = self._is_first and not text
            if text or not content:
                return text

    def _with_base(self, match: re.Match[bytes]) -> bytes:
        tag, is_end = match[0], match[1]
        if tag.startswith((b"<!", b"<?")):
            self._entities = entities_of(tag) | self._entities
            return tag
        if is_end:
            self._depth -= 1
            if self._scopes and self._scopes[-1][0] == self._depth:
                self._base = self._scopes.pop()[1]
            return tag
        outer, written = self._base, _BASE.search(tag) if self._base is not None else None
        if written and outer is not None:
            value = expanded_text(written[1] or written[2] or b"", self._entities)
            self._base = resolve_reference(value, outer)
            absolute = f'xml:base="{self._base.translate(IN_VALUE)}"'.encode()
            if self._base != value:
                tag = tag[: written.start()] + absolute + tag[written.end() :]
        if _LITERAL.search(tag):
            self._base = None
        if tag.endswith(b"/>"):
            self._base = outer
            return tag
        if self._base != outer and not self._is_first:
            self._scopes.append((self._depth, outer))
        self._depth += 1
        self._is_first = False
        return tag


class _Watched(Pieces):
    """A stream of XML that expat reads too, and sees what Oxigraph lets pass."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._name = name
        self._parser: expat.XMLParserType | None = expat.ParserCreate("utf-8")
        self._parser.EntityDeclHandler = self._declared
        self._has_entities = False
        # The characters of all texts, with what entities expand to, and the bytes of the file.
        self._expanded = self._read = 0

    def _declared(self, *_: object) -> None:
        if self._parser is not None and not self._has_entities:
            self._has_entities = True
            self._parser.CharacterDataHandler = self._text
            self._parser.StartElementHandler = self._start

    def _text(self, text: str) -> None:
        self._expanded += len(text)
        check_limit("entities", self._expanded - self._read, self._name)

    def _start(self, _: str, attributes: dict[str, str]) -> None:
        self._text("".join(attributes.values()))

    def _piece(self, size: int) -> bytes:
        content = self._file.read(size)
        self._read += len(content)
        try:
            if self._parser is not None:
                self._parser.Parse(content, not content)
        except expat.ExpatError as error:
            is_end = error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]
            if self._has_entities or is_end:
                reason = "it ends inside an element" if is_end else expat.ErrorString(error.code)
                raise _not_xml(reason, self._name, error) from error
            # Oxigraph says what is wrong, or reads what expat does not know, such as a new letter.
            self._parser = None
        if not content:
            self._parser = None
        return content


def not_rdfxml(source: Source, reason: str) -> CatalogError:
    """Return the error for a file that is not RDF/XML: the fault in its XML, or in its RDF."""
    other = format_of_content(source.first)
    if other is not None and other.name != "xml":
        problem = f"not RDF/XML: it looks like {other.name}"
        expected = "the element rdf:RDF"
        error = CatalogError(problem, source.name, expected, 1, 1)
        return error.with_option(f", or --from {other.name}")
    parser = expat.ParserCreate("utf-8", " ")
    root = ""

    def start(element: str, _: object) -> None:
        nonlocal root
        root = root or element

    parser.StartElementHandler = start
    try:
        with source.open() as file:
            parser.ParseFile(utf8_xml(file, source.name))
    except expat.ExpatError as malformed:
        return _not_xml(reason, source.name, malformed)
    if root == _RDF:
        place = _place_of_fault(source)
        return not_valid("RDF/XML", reason, source.name, *place)
    element = root.rpartition(" ")[2]
    problem = f"not RDF/XML but an element {element} ({reason})"
    return CatalogError(problem, source.name, "the element rdf:RDF", 1, 1)


def _place_of_fault(source: Source) -> tuple[int, int] | tuple[()]:
    """Return the line and the column of what Oxigraph refuses in well-formed XML.

    It does not say where it is.  So it is given the text tag by tag: the fault is in what it took
    last.
    """
    with source.open() as file:
        text = utf8_xml(file, source.name).read()
    if has_relative_base(text):
        # Oxigraph would refuse this first.
        return ()
    text = _MARKUP.sub(lambda markup: re.sub(rb"[^\n]", b" ", markup[0]), text)
    pieces = _TAG_OR_TEXT.finditer(text)
    taken: list[re.Match[bytes]] = []

    class Slowly(Pieces):
        def _piece(self, _: int) -> bytes:
            piece = next(pieces, None)
            if piece is None:
                return b""
            taken.append(piece)
            return piece[0]

    try:
        stream = cast("IO[bytes]", Slowly())
        quads = ox.parse(stream, ox.RdfFormat.RDF_XML, base_iri=DOCUMENT, lenient=True)
        deque(quads, maxlen=0)
    except SyntaxError as error:
        # A text ends where the next tag begins.
        is_text = "text event" in (error.msg or "")
        faults = [piece for piece in taken if not is_text or piece[0][:1] != b"<"]
        if faults:
            start = faults[-1].start() + len(faults[-1][0]) - len(faults[-1][0].lstrip())
            line = text.count(b"\n", 0, start) + 1
            column = len(text[text.rfind(b"\n", 0, start) + 1 : start].decode("utf-8", "replace"))
            return line, column + 1
    return ()


def _not_xml(reason: str, name: str, error: expat.ExpatError) -> CatalogError:
    return not_valid("xml", reason, name, error.lineno, error.offset + 1)
