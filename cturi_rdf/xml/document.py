"""Elements of a document, found without ever expanding an entity.

Theory of operation.  Expat parses the text, but it never sees what the author declared.
`_harmless` rewrites the document type declaration: each general entity keeps its name and has
for its value that name, after a character that no name can hold; parameter entities, external
identifiers and attribute lists, with their defaults, are gone.  So nothing can grow, in
content or in attributes, and nothing is fetched, while references stay as well-formed as they
were.  Of what is gone it is remembered which attributes are IDs and which entities could hold
elements.

What an entity would have put into the document is not there, then: children that come after
a reference to one that could hold elements have no known number.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from cturi_rdf.content_type.grammar import end_of
from cturi_rdf.errors import EntityError
from cturi_rdf.xml.signature import read_declaration

__all__ = ["Element", "parse"]

_XML_ID = "http://www.w3.org/XML/1998/namespace id xml"
# Vocabularies whose specifications make the attribute "id" an ID, DTD or not (XHTML 1.0 and
# HTML, SVG 1.1 section 5.10.1, MathML 3 section 2.1.6): XPointer's "externally determined".
_WITH_ID = {
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1998/Math/MathML",
}
# With what the value of every entity begins: a noncharacter, which XML allows and no name
# holds.  The name of the entity follows, so that no two values are the same, as those of
# xmlns attributes may not be, and none is longer than a reference to it.
_NOTHING = "\ufdd0"

_S = r"[ \t\r\n]"
_NAME = r"[^ \t\r\n\[\]()<>\"'%&;|]++"
_COMMENT = r"<!--(?:[^-]|-(?!->))*+-->"
_INSTRUCTION = r"<\?(?:[^?]|\?(?!>))*+\?>"
_LITERAL = r"(?:\"[^\"]*+\"|'[^']*+')"
_DECLARED = rf"<![A-Z]++{_S}(?:[^\"'<>]|{_LITERAL})*+>"
_REFERENCE = rf"%{_NAME};"
# XML 1.0 production 22: all that may stand before a document type declaration.
_BEFORE = re.compile(rf"(?:{_S}|{_COMMENT}|{_INSTRUCTION})*+")
# Productions 28, 28a, 28b and 75; what stands in the internal subset is read piece by piece.
_EXTERNAL = rf"(?:SYSTEM{_S}++{_LITERAL}|PUBLIC{_S}++{_LITERAL}{_S}++{_LITERAL})"
_DOCTYPE = re.compile(
    rf"<!DOCTYPE{_S}++({_NAME})({_S}++{_EXTERNAL})?{_S}*+"
    rf"(?:\[((?:{_S}|{_REFERENCE}|{_COMMENT}|{_INSTRUCTION}|{_DECLARED})*+)\]{_S}*+)?>"
)
_PIECE = re.compile(
    rf"{_COMMENT}|{_INSTRUCTION}|(?P<declared>{_DECLARED})|(?P<reference>{_REFERENCE})"
)
# Productions 70 to 76: the declaration of an entity.
_ENTITY = re.compile(
    rf"<!ENTITY{_S}++(?P<parameter>%{_S}++)?(?P<name>{_NAME}){_S}++"
    rf"(?:(?P<value>{_LITERAL})|{_EXTERNAL}(?:{_S}++NDATA{_S}++{_NAME})?){_S}*+>"
)
# Productions 52 to 60: the declaration of a list of attributes.
_NAMES = rf"\({_S}*+{_NAME}{_S}*+(?:\|{_S}*+{_NAME}{_S}*+)*+\)"
_ATTRIBUTE = (
    rf"{_S}++({_NAME}){_S}++(?:([A-Z]++)|(?:NOTATION{_S}++)?{_NAMES}){_S}++"
    rf"(?:#REQUIRED|#IMPLIED|(?:#FIXED{_S}++)?{_LITERAL})"
)
_ATTLIST = re.compile(rf"<!ATTLIST{_S}++({_NAME})((?:{_ATTRIBUTE})*+){_S}*+>")
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_LINE = re.compile(r"\r\n|\r|\n")
_BREAKS = re.compile(r"[^\r\n]++")


class Element:
    """An element: its name, where it is, and its children.

    `namespace` is `None` for none, and for one that an entity would have to say; `number`
    counts among its siblings from 1, or is `None` where an unexpanded entity comes before it;
    `line` and `column` count from 1.
    """

    __slots__ = ("children", "column", "line", "name", "namespace", "number", "parent", "uncounted")

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
        self.children: list[Element] = []
        self.uncounted = False
        self.number: int | None = None
        if parent:
            parent.children.append(self)
            self.number = None if parent.uncounted else len(parent.children)

    def child(self, number: str) -> Element | None:
        """Return the child of that number, digits however many, if there surely is one."""
        if len(number) > len(str(len(self.children))):
            return None
        found = self.children[int(number) - 1 : int(number)]
        return found[0] if found and found[0].number else None

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
    return _Reader(text, whole=whole, namespaces=namespaces, id_attributes=id_attributes).read()


class _Reader:
    """One parse: expat's callbacks and what they build."""

    def __init__(self, text: str, *, whole: bool, namespaces: bool, id_attributes: bool) -> None:
        self._text = text
        self._ids: set[tuple[str, str]] = set()
        # Which entities are declared, and whether they surely hold text alone.
        self._entities: dict[str, bool] = {}
        self._referred = False
        self._subset_start = 0
        self._id_attributes = id_attributes
        self._namespaces = namespaces
        self._whole = whole
        self._current = Element("", None, None, (1, 1))
        self._by_id: dict[str, Element] = {}
        self._parser = expat.ParserCreate(namespace_separator=" " if namespaces else None)
        self._parser.namespace_prefixes = namespaces
        self._harmless_doctype = False
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.SkippedEntityHandler = self._skipped
        # A default handler of this sort is what keeps expat from expanding in content.
        self._parser.DefaultHandler = lambda _data: None

    def read(self) -> tuple[Element, dict[str, Element]]:
        """Return what `parse` does."""
        root = self._current
        pieces = [self._harmless()]
        if not self._whole:
            # A text declaration is none of expat's business, nor is the lack of a root.
            declared = read_declaration(self._text)
            end = declared.end if declared else 0
            pieces = [f"<_>{_breaks(self._text[:end])}", self._text[end:], "</_>"]
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

    def _harmless(self) -> str:
        """Return the document with a harmless document type declaration (see above)."""
        text = self._text
        start = end_of(_BEFORE, text, 0)
        if not text.startswith("<!DOCTYPE", start):
            return text
        match = _DOCTYPE.match(text, start)
        if match is None:
            raise self._malformed("a document type declaration", _line_at(text, start))
        name, external, subset = match.groups()
        self._subset_start = match.start(3)
        harmless = _PIECE.sub(self._replaced, subset or "")
        # With something external, which is never read, an undeclared entity is no error
        # (section 4.1, "entity declared").
        system = ' SYSTEM ""' if external or self._referred else ""
        self._harmless_doctype = True
        breaks = _breaks(text[start : match.start(3)] if subset else match[0])
        return f"{text[:start]}<!DOCTYPE {name}{system} [{breaks}{harmless}]>{text[match.end() :]}"

    def _replaced(self, piece: re.Match[str]) -> str:
        """Return what stands for a piece of the internal subset, and remember what it says."""
        if piece["reference"]:
            self._referred = True
            return ""
        declared = piece["declared"] or ""
        if declared.startswith("<!ENTITY"):
            entity = _ENTITY.fullmatch(declared)
            if entity is None:
                raise self._malformed(
                    "an entity declaration",
                    _line_at(self._text, self._subset_start + piece.start()),
                )
            if entity["parameter"]:
                return _breaks(declared)
            # Plain text adds no children, whatever it says; section 4.2: of two
            # declarations the first is binding.
            plain = entity["value"] is not None and not {"<", "&"} & {*entity["value"]}
            self._entities.setdefault(entity["name"], plain)
            name = entity["name"]
            return f'<!ENTITY {name} "{_NOTHING}{name}"{_breaks(declared)}>'
        if declared.startswith("<!ATTLIST"):
            attributes = _ATTLIST.fullmatch(declared)
            if attributes is None:
                raise self._malformed(
                    "an attribute-list declaration",
                    _line_at(self._text, self._subset_start + piece.start()),
                )
            for attribute in _ATTRIBUTES.finditer(attributes[2]):
                if attribute[2] == "ID":
                    self._ids.add((attributes[1], attribute[1]))
            return _breaks(declared)
        # Comments, instructions, and declarations of elements and notations do no harm.
        return piece[0]

    def _doctype(self, *_: object) -> None:
        # Whatever stands before it here, and is no white space to us, may be to expat.
        if not self._harmless_doctype:
            raise self._malformed("no place for a document type declaration", 1)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, local, raw = _names(name)
        parser = self._parser
        place = (parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        if namespace and _NOTHING in namespace:
            namespace = None
        element = Element(local, namespace, self._current, place)
        self._current = element
        with_id = self._id_attributes or namespace in _WITH_ID
        for attribute, value in attributes.items():
            if (
                attribute in {_XML_ID, "xml:id"}
                or (with_id and attribute == "id")
                or (self._ids and (raw, _names(attribute)[2]) in self._ids)
            ):
                self._by_id.setdefault(value.strip(), element)

    def _end(self, _name: str) -> None:
        # Above every element there is one more, in which nothing ends.
        self._current = self._current.parent or self._current

    def _skipped(self, name: str, is_parameter: bool) -> None:  # noqa: FBT001 - expat's own signature
        if not is_parameter and not self._entities.get(name):
            self._current.uncounted = True

    def _malformed(self, problem: str, line: int) -> EntityError:
        shown = (_LINE.split(self._text, line)[line - 1 : line] or [""])[0]
        return EntityError(
            f"not well-formed: {problem}, line {line}", shown, (0, len(shown)),
            "well-formed XML", "XML 1.0 section 2.1",
        )  # fmt: skip


def _line_at(text: str, position: int) -> int:
    return sum(1 for _ in _LINE.finditer(text, 0, position)) + 1


def _names(name: str) -> tuple[str | None, str, str]:
    """Return namespace, local name and name as written of what expat gives."""
    namespace, *rest = name.split(" ")
    if not rest:
        return None, name, name
    return namespace, rest[0], ":".join(reversed(rest))


def _breaks(text: str) -> str:
    """Return the line breaks of `text`, so that what follows stays on its line."""
    return _BREAKS.sub("", text)
