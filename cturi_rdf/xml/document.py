"""Elements of a document, found without ever expanding an entity.

Theory of operation.  Expat parses the text, but it never sees what the author declared:
`cturi_rdf.xml.doctype` has made the document type declaration harmless, and
`fourth_edition` has replaced the characters for which expat is too old.

So the document lacks the content of entities: children after a reference to an entity that could
hold elements have no known number.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING
from xml.parsers import expat

from cturi_rdf.errors import EntityError
from cturi_rdf.xml.charset import read_declaration
from cturi_rdf.xml.doctype import NOTHING, Doctype, line_at, line_breaks, malformed, read_doctype

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_XML_ID = "http://www.w3.org/XML/1998/namespace id xml"
_XML_BASE = "http://www.w3.org/XML/1998/namespace base xml"
# Vocabularies whose specifications make the attribute "id" an ID, DTD or not (XHTML 1.0 and
# HTML, SVG 1.1 section 5.10.1, MathML 3 section 2.1.6): XPointer's "externally determined".
_WITH_ID = {
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1998/Math/MathML",
}

_SURROGATE = re.compile("[\ud800-\udfff]")


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
            line = line_at(self._text, _SURROGATE.search(self._text).start())  # type: ignore[union-attr]
            raise self._malformed("a surrogate", line) from error
        if not self._whole:
            root = root.children[0]
            root.parent = None
        return root, self._by_id

    def _doctype(self, *_: object) -> None:
        # A character before it that is no white space to us may be white space to expat.
        if not self._has_doctype:
            line = self._parser.CurrentLineNumber
            raise self._malformed("no place for a document type declaration", line)

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
        return name.translate(self._back)

    def _malformed(self, problem: str, line: int) -> EntityError:
        return malformed(self._read(self._text), problem, line)


def _names(name: str) -> tuple[str | None, str, str]:
    """Return the namespace, the local name and the written name in a name from expat."""
    namespace, *rest = name.split(" ")
    if not rest:
        return None, name, name
    return namespace, rest[0], ":".join(reversed(rest))


# XML 1.0, fifth edition, productions 4 and 4a, outside of ASCII: the characters with which a name
# may begin, and those that may only follow.
NAME_START = (
    r"\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    r"\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
NAME_CHARACTERS = r"\u00b7\u0300-\u036f\u203f-\u2040"
_START = re.compile(f"[{NAME_START}]")
_ONLY_AFTER = re.compile(f"[{NAME_CHARACTERS}]")
# Fourth edition, appendix B: ideographs and Hangul syllables begin a name; digits do not, and
# the fifth edition has them, outside of ASCII, among the characters that do.
_LETTERS = (range(0x4E00, 0x9FA6), range(0xAC00, 0xD7A4))
_DIGITS = [range(zero, zero + 10) for zero in (0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6)]
_SAME_AFTER = {"\u00b7", *map(chr, range(0x300, 0x346)), "\u0360", "\u0361"}

# XML 1.1 production 2a, and references to those of them that XML 1.0 does not have.
_RESTRICTED = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_CONTROL = re.compile(
    r"&#(?:0*+(?:[1-8]|1[124-9]|2[0-9]|3[01])|x0*+(?:[1-8bcefBCEF]|1[0-9a-fA-F]));"
)
_LINE_ENDS = str.maketrans("\x85\u2028", "\n\n")


def as_xml_1_0(text: str) -> str:
    r"""Return a document of XML 1.1 as one of XML 1.0, line for line; any other as it is.

    Raises `EntityError` at a control character that has to be a reference in XML 1.1.

    >>> as_xml_1_0("<?xml version='1.1'?>\x85<a/>")
    "<?xml version='1.1'?>\n<a/>"
    >>> as_xml_1_0("<?xml version='1.0'?>\x85<a/>")
    "<?xml version='1.0'?>\x85<a/>"
    """
    declaration = read_declaration(text)
    if declaration is None or declaration.version != "1.1":
        return text
    text = text.translate(_LINE_ENDS)
    restricted = _RESTRICTED.search(text)
    if restricted:
        raise malformed(
            text,
            f"U+{ord(restricted[0]):04X} has to be a character reference in XML 1.1",
            line_at(text, restricted.start()),
        )
    # A noncharacter can stand wherever such a reference can, and nowhere else.
    return _CONTROL.sub(lambda match: NOTHING * len(match[0]), text)


def fourth_edition(text: str) -> tuple[str, dict[int, int]] | None:
    """Return a document with names of the fourth edition, and how to turn them back.

    The answer is None where nothing would change.  There are 32,000 replacements; where a document
    needs more, its last characters stay as they are.

    >>> text, back = fourth_edition("<ሰላም/>")
    >>> text, text.translate(back)
    ('<一丁丂/>', '<ሰላም/>')
    >>> fourth_edition("<a/>")
    """
    if text.isascii():
        return None
    # In the order of the text, so that the answer is always the same.
    used = dict.fromkeys(text)
    letters = filter(_START.match, used)
    others = (c for c in used if _ONLY_AFTER.match(c) and c not in _SAME_AFTER)
    # The digits of the text are among the letters here, so that all of them are exchanged.
    exchanged = dict(_paired(letters, _LETTERS, used)) | dict(_paired(others, _DIGITS, {}))
    if not exchanged:
        return None
    back = {after: before for before, after in exchanged.items()}
    return text.translate(exchanged), back


def _paired(
    characters: Iterable[str], ranges: Iterable[range], used: dict[str, None]
) -> Iterator[tuple[int, int]]:
    """Pair each character with one from `ranges` that is not used."""
    free = (code for code in chain(*ranges) if chr(code) not in used)
    return zip(map(ord, characters), free, strict=False)
