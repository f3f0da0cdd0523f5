"""The document type declaration: made harmless for a parser, and read for its facts.

Each general entity keeps its name and has for its value that name, after a character that no name
can hold; parameter entities, external identifiers and attribute lists, with their defaults, are
gone.  So nothing can grow, in content or in attributes, and nothing is fetched, while references
stay as well-formed as they were.  The facts of what is removed are kept: which attributes are IDs,
which entities could hold elements, and which entities refer to which.
"""

from __future__ import annotations

import re
from functools import partial
from graphlib import CycleError, TopologicalSorter
from xml.parsers import expat

from cturi_rdf.content_type.grammar import end_of
from cturi_rdf.errors import EntityError

# The value of every entity begins with this noncharacter, which XML allows and no name holds.  The
# name of the entity follows, so that no two values are the same, as those of xmlns attributes may
# not be, and none is longer than a reference to it.
NOTHING = "\ufdd0"

_S = r"[ \t\r\n]"
_NAME = r"[^ \t\r\n\[\]()<>\"'%&;|]++"
_COMMENT = r"<!--(?:[^-]|-(?!->))*+-->"
_INSTRUCTION = r"<\?(?:[^?]|\?(?!>))*+\?>"
_LITERAL = r"(?:\"[^\"]*+\"|'[^']*+')"
_DECLARED = rf"<![A-Z]++{_S}(?:[^\"'<>]|{_LITERAL})*+>"
_REFERENCE = rf"%{_NAME};"
# Production 9: the internal subset has no parameter entities inside of declarations (section 2.8).
_REFERENCE_INSIDE = rf"&(?:#[0-9]++|#x[0-9A-Fa-f]++|(?!#){_NAME});"
_VALUE = rf"(?:\"(?:[^%&\"]|{_REFERENCE_INSIDE})*+\"|'(?:[^%&']|{_REFERENCE_INSIDE})*+')"
# XML 1.0 production 22: all that may stand before a document type declaration.
_BEFORE = re.compile(rf"(?:{_S}|{_COMMENT}|{_INSTRUCTION})*+")
# Productions 28, 28a, 28b and 75; the internal subset is read piece by piece.
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
    rf"(?:(?P<value>{_VALUE})|{_EXTERNAL}(?:{_S}++NDATA{_S}++{_NAME})?){_S}*+>"
)
# Productions 52 to 60: the declaration of a list of attributes.
_NAMES = rf"\({_S}*+{_NAME}{_S}*+(?:\|{_S}*+{_NAME}{_S}*+)*+\)"
_TYPE = rf"(?:[A-Z]++|(?:NOTATION{_S}++)?{_NAMES})"
_DEFAULT = rf"(?:#REQUIRED|#IMPLIED|(?:#FIXED{_S}++)?{_LITERAL})"
# No group of the repeated part captures: CPython loses such a group in a possessive repeat.
_ATTLIST = re.compile(
    rf"<!ATTLIST{_S}++({_NAME})((?:{_S}++{_NAME}{_S}++{_TYPE}{_S}++{_DEFAULT})*+){_S}*+>"
)
_ATTRIBUTE = re.compile(
    rf"{_S}++({_NAME}){_S}++({_TYPE}){_S}++(?:#REQUIRED|#IMPLIED|(?:#FIXED{_S}++)?({_LITERAL}))"
)
_LINE = re.compile(r"\r\n|\r|\n")
_NOT_BREAKS = re.compile(r"[^\r\n]++")
# References in the value of an entity, after the character references that are replaced when it is
# declared (XML 1.0 section 4.4 and appendix D), and text that holds none.
_CHARACTER = re.compile(r"&#(?:0*+(3[78])|x0*+(2[56]));")
_CHARACTERS = {"37": "%", "38": "&", "25": "%", "26": "&"}
_OPAQUE = re.compile(
    r"<!\[CDATA\[(?:[^\]]|\](?!\]>))*+(?:\]\]>)?"
    r"|<!--(?:[^-]|-(?!->))*+(?:-->)?|<\?(?:[^?]|\?(?!>))*+(?:\?>)?"
)
_REFERENCES = {
    "&": re.compile(rf"&({_NAME});"),
    "%": re.compile(rf"%({_NAME});"),
}
# XML 1.0 section 4.6: five entities need no declaration.
_REFERS = re.compile(r"&(?!(?:#x?[0-9A-Fa-f]++|amp|lt|gt|quot|apos);)")
# How many entities of a circle are named.
_SHOWN = 5


class Doctype:
    """A document whose document type declaration is harmless, and what the declaration said.

    `text` is the document, line for line.  `ids` are pairs of an element and its attribute of
    type ID.  `bases` are the default values of ``xml:base``, by element.  `plain` says for
    each general entity whether it surely holds text alone.  `values` are the place and the
    value of each internal entity, by "&" or "%" and its name.
    """

    def __init__(self, text: str) -> None:
        """Take a document without a document type declaration, which says nothing."""
        self.text = text
        self.ids: set[tuple[str, str]] = set()
        self.bases: dict[str, str] = {}
        self.plain: dict[str, bool] = {}
        self.values: dict[str, tuple[int, str]] = {}

    def replaced(self, start: int, piece: re.Match[str]) -> str:
        """Return the harmless form of a piece of the subset at `start`, and keep its facts."""
        declared = piece["declared"] or ""
        if declared.startswith("<!ENTITY"):
            return self._entity(declared, start + piece.start())
        if declared.startswith("<!ATTLIST"):
            attributes = _ATTLIST.fullmatch(declared)
            if attributes is None:
                problem = "an attribute-list declaration"
                raise malformed(self.text, problem, line_at(self.text, start + piece.start()))
            for attribute in _ATTRIBUTE.finditer(attributes[2]):
                if attribute[2] == "ID":
                    self.ids.add((attributes[1], attribute[1]))
                value = attribute[3] and self._default(attribute[3], start + piece.start())
                # Section 3.3: of two declarations the first is binding.
                if attribute[1] == "xml:base" and value is not None:
                    self.bases.setdefault(attributes[1], value)
            return line_breaks(declared)
        # Comments, instructions, and declarations of elements and notations do no harm.
        return "" if piece["reference"] else piece[0]

    def _default(self, literal: str, start: int) -> str:
        """Return the default value of an attribute, marked if it refers to an entity."""
        values: list[str] = []
        parser = expat.ParserCreate()
        # An entity may be declared elsewhere.
        parser.UseForeignDTD(True)  # noqa: FBT003 - the interface of expat
        parser.StartElementHandler = lambda _, attributes: values.extend(attributes.values())
        try:
            parser.Parse(f"<_ _={literal}/>", True)  # noqa: FBT003 - the interface of expat
        except (expat.ExpatError, UnicodeEncodeError) as error:
            problem = "the default value of an attribute"
            raise malformed(self.text, problem, line_at(self.text, start)) from error
        return NOTHING + literal[1:-1] if _REFERS.search(literal) else values[0]

    def _entity(self, declared: str, start: int) -> str:
        entity = _ENTITY.fullmatch(declared)
        if entity is None:
            raise malformed(self.text, "an entity declaration", line_at(self.text, start))
        name, literal = entity["name"], entity["value"]
        mark = "%" if entity["parameter"] else "&"
        # Section 4.2: of two declarations the first is binding.
        if literal is not None:
            self.values.setdefault(mark + name, (start, literal[1:-1]))
        if entity["parameter"]:
            return line_breaks(declared)
        # Plain text adds no children.
        plain = literal is not None and not {"<", "&"} & {*literal}
        self.plain.setdefault(name, plain)
        return f'<!ENTITY {name} "{NOTHING}{name}"{line_breaks(declared)}>'


def read_doctype(text: str) -> Doctype | None:
    """Return a document with a harmless document type declaration, or None where it has none.

    Raises `EntityError` where a declaration is malformed.  It is read by productions 22 to 29
    and 52 to 76 of XML 1.0; of element types and notations, which do no harm, an XML parser
    has to judge.

    >>> doctype = read_doctype("<!DOCTYPE a [<!ATTLIST a b ID #IMPLIED>]><a/>")
    >>> doctype.text, doctype.ids
    ('<!DOCTYPE a []><a/>', {('a', 'b')})
    >>> read_doctype("<a/>")
    """
    start = end_of(_BEFORE, text, 0)
    if not text.startswith("<!DOCTYPE", start):
        return None
    match = _DOCTYPE.match(text, start)
    if match is None:
        raise malformed(text, "a document type declaration", line_at(text, start))
    name, external, subset = match.groups("")
    doctype = Doctype(text)
    harmless = _PIECE.sub(partial(doctype.replaced, match.start(3)), subset)
    # With something external, which is never read, an undeclared entity is no error
    # (section 4.1, "entity declared").
    referred = external or any(piece["reference"] for piece in _PIECE.finditer(subset))
    system = ' SYSTEM ""' if referred else ""
    breaks = line_breaks(text[start : match.start(3)] if subset else match[0])
    declaration = f"<!DOCTYPE {name}{system} [{breaks}{harmless}]>"
    doctype.text = f"{text[:start]}{declaration}{text[match.end() :]}"
    return doctype


def recursion(text: str) -> tuple[int, str] | None:
    """Return the line of the first entity that contains itself, and how, or None.

    XML 1.0 section 4.1, "No Recursion", of entities that the internal subset declares, whether the
    document refers to them or not.  The document must be one that `read_doctype` can read.

    >>> recursion("<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&#38;e;'>]><a/>")
    (1, '&e; in &f; in &e;')
    """
    doctype = read_doctype(text)
    if doctype is None:
        return None
    values = doctype.values.items()
    circle = _circle({name: _references(name[0], value) for name, (_, value) in values})
    if not circle:
        return None
    shown = [f"{name};" for name in circle[: _SHOWN + 1]]
    if len(circle) > len(shown):
        shown[-1] = "…"
    return line_at(text, doctype.values[circle[0]][0]), " in ".join(reversed(shown))


def malformed(text: str, problem: str, line: int) -> EntityError:
    r"""Return the error for a document that is not well-formed, with the line where it is not.

    >>> malformed("<a>\n</b>", "mismatched tag", 2).problem
    'not well-formed: mismatched tag, line 2'
    """
    shown = (_LINE.split(text, line)[line - 1 : line] or [""])[0]
    return EntityError(
        f"not well-formed: {problem}, line {line}",
        shown,
        expected="well-formed XML",
        rule="XML 1.0 section 2.1",
    )


def _references(mark: str, value: str) -> list[str]:
    """Return the entities of the same kind to which the value of an entity refers."""
    value = _CHARACTER.sub(lambda match: _CHARACTERS[match[1] or match[2]], value)
    if mark == "&":
        value = _OPAQUE.sub("", value)
    return [mark + name for name in dict.fromkeys(_REFERENCES[mark].findall(value))]


def _circle(edges: dict[str, list[str]]) -> list[str]:
    """Return the first circle of a graph, its first member again at the end."""
    sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(edges, ()))
    for start, targets in edges.items():
        for target in targets:
            sorter.add(target, start)
    try:
        sorter.prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle
    return []


def line_at(text: str, position: int) -> int:
    r"""Return the number of the line, from 1, on which a position is.

    >>> line_at("a\r\nb", 3)
    2
    """
    return sum(1 for _ in _LINE.finditer(text, 0, position)) + 1


def line_breaks(text: str) -> str:
    r"""Return the line breaks of `text`, so that what follows stays on its line.

    >>> line_breaks("a\r\nb\n")
    '\r\n\n'
    """
    return _NOT_BREAKS.sub("", text)
