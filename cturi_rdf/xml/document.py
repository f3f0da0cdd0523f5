"""Elements of a document, found without ever expanding an entity.

Theory of operation.  Expat parses the text, but it never sees what the author declared:
`cturi_rdf.xml.doctype` has made the document type declaration harmless, and
`cturi_rdf.xml.characters` has replaced the characters for which expat is too old.

So the document lacks the content of entities: children after a reference to an entity that could
hold elements have no known number.
"""

from __future__ import annotations

from functools import partial
from xml.parsers import expat

from cturi_rdf.errors import EntityError
from cturi_rdf.xml.characters import as_xml_1_0, fourth_edition
from cturi_rdf.xml.doctype import NOTHING, Doctype, line_breaks, malformed, read_doctype
from cturi_rdf.xml.signature import read_declaration

_XML_ID = "http://www.w3.org/XML/1998/namespace id xml"
_XML_BASE = "http://www.w3.org/XML/1998/namespace base xml"
# Vocabularies whose specifications make the attribute "id" an ID, DTD or not (XHTML 1.0 and
# HTML, SVG 1.1 section 5.10.1, MathML 3 section 2.1.6): XPointer's "externally determined".
_WITH_ID = {
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1998/Math/MathML",
}


class Element:
    """An element: its name, where it is, and its children.

    `namespace` is `None` where there is none, and where only an entity names it; `number`
    counts among its siblings from 1, or is `None` where an unexpanded entity comes before it;
    `line` and `column` count from 1.  `base` is its own ``xml:base``, as it is written or
    as the internal subset has it by default, and `None` where it has none.
    """

    __slots__ = (
        "base", "children", "column", "line", "name", "namespace", "number", "parent", "uncounted",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        namespace: str | None,
        parent: Element | None,
        place: tuple[int, int],
    ) -> None:
        self.name = name
        self.namespace = namespace
        self.parent = parent
        self.line, self.column = place
        self.base: str | None = None
        self.children: list[Element] = []
        self.uncounted = False
        self.number: int | None = None
        if parent:
            parent.children.append(self)
            self.number = None if parent.uncounted else len(parent.children)

    def child(self, number: str) -> Element | None:
        """Return the child with a number in decimal digits, or None if it is unknown."""
        if len(number) > len(str(len(self.children))):
            return None
        children = self.children[int(number) - 1 : int(number)]
        return children[0] if children and children[0].number else None

    @property
    def path(self) -> str | None:
        """The child sequence of element() that leads here, if all of it can be counted."""
        steps: list[str] = []
        element = self
        while element.parent:
            if element.number is None:
                return None
            steps.append(f"/{element.number}")
            element = element.parent
        return "".join(reversed(steps))

    def __repr__(self) -> str:
        return f"Element({self.name!r}, {self.path!r}, line {self.line})"


def parse(
    text: str, *, whole: bool = True, namespaces: bool = True, id_attributes: bool = False
) -> tuple[Element, dict[str, Element]]:
    """Return the root above all top-level elements, and the first element of each ID.

    An ID is what ``xml:id`` or an ATTLIST of the internal subset makes one, and the plain
    ``id`` of vocabularies that say so; with `id_attributes`, of all.  Unless it is the
    `whole` of a document, `text` is an external parsed entity, and can have any number of
    top-level elements.  Raises `EntityError` at the first place that is not well-formed.

    >>> root, by_id = parse("<a><b/><c xml:id='x'/></a>")
    >>> by_id["x"], by_id["x"] is root.child("1").child("2")
    (Element('c', '/1/2', line 1), True)
    """
    text = as_xml_1_0(text)
    reader = partial(_Reader, whole=whole, namespaces=namespaces, id_attributes=id_attributes)
    try:
        return reader(text, {}).read()
    except EntityError:
        # It may be well-formed by the fifth edition of XML 1.0, or by XML 1.1.
        exchanged = fourth_edition(text)
        if exchanged is None:
            raise
        return reader(*exchanged).read()


class _Reader:
    """One parse: expat's callbacks and what they build."""

    def __init__(
        self,
        text: str,
        back: dict[int, int],
        *,
        whole: bool,
        namespaces: bool,
        id_attributes: bool,
    ) -> None:
        self._text = text
        self._back = back
        doctype = read_doctype(text) if whole else None
        self._has_doctype = doctype is not None
        self._declared = doctype or Doctype(text)
        self._id_attributes = id_attributes
        self._whole = whole
        self._current = Element("", None, None, (1, 1))
        self._by_id: dict[str, Element] = {}
        self._parser = expat.ParserCreate(namespace_separator=" " if namespaces else None)
        self._parser.namespace_prefixes = namespaces
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.SkippedEntityHandler = self._skipped
        # A default handler of this sort is what keeps expat from expanding in content.
        self._parser.DefaultHandler = lambda _data: None

    def read(self) -> tuple[Element, dict[str, Element]]:
        """Return the result of `parse`."""
        root = self._current
        pieces = [self._declared.text]
        if not self._whole:
            # Expat must see neither the text declaration nor the lack of a root.
            declared = read_declaration(self._text)
            end = declared.end if declared else 0
            pieces = [f"<_>{line_breaks(self._text[:end])}", self._text[end:], "</_>"]
        try:
            for piece in pieces:
                self._parser.Parse(piece)
            self._parser.Parse("", True)  # noqa: FBT003 - expat's own signature
        except expat.ExpatError as error:
            raise self._malformed(str(error).partition(":")[0], error.lineno) from error
        except UnicodeEncodeError as error:
            raise self._malformed("a surrogate", 1) from error
        if not self._whole:
            root = root.children[0]
            root.parent = None
        return root, self._by_id

    def _doctype(self, *_: object) -> None:
        # A character before it that is no white space to us may be white space to expat.
        if not self._has_doctype:
            raise self._malformed("no place for a document type declaration", 1)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, local, raw = _names(name)
        parser = self._parser
        place = (parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        if namespace and NOTHING in namespace:
            namespace = None
        element = Element(
            self._read(local), self._read(namespace) if namespace else None, self._current, place
        )
        self._current = element
        base = attributes.get(_XML_BASE, attributes.get("xml:base", self._declared.bases.get(raw)))
        element.base = None if base is None else self._read(base)
        with_id, ids = self._id_attributes or namespace in _WITH_ID, self._declared.ids
        for attribute, value in attributes.items():
            if (
                attribute in {_XML_ID, "xml:id"}
                or (with_id and attribute == "id")
                or (ids and (raw, _names(attribute)[2]) in ids)
            ):
                self._by_id.setdefault(self._read(value.strip()), element)

    def _end(self, _name: str) -> None:
        # The root above all elements never ends.
        self._current = self._current.parent or self._current

    def _skipped(self, name: str, is_parameter: bool) -> None:  # noqa: FBT001 - expat's own signature
        if not is_parameter and not self._declared.plain.get(name):
            self._current.uncounted = True

    def _read(self, name: str) -> str:
        return name.translate(self._back) if self._back else name

    def _malformed(self, problem: str, line: int) -> EntityError:
        return malformed(self._read(self._text), problem, line)


def _names(name: str) -> tuple[str | None, str, str]:
    """Return the namespace, the local name and the written name in a name from expat."""
    namespace, *rest = name.split(" ")
    if not rest:
        return None, name, name
    return namespace, rest[0], ":".join(reversed(rest))
