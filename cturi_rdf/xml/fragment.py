"""Fragment identifiers of XML entities: their syntax, their targets, and the rule that decides.

The syntax is XPointer's, in the W3C Recommendations of 25 March 2003: XPointer Framework, element()
Scheme, xmlns() Scheme.  RFC 7303 section 5 gives XML types the XPointer framework with shorthand
pointers and the element() scheme; section 9.6.1 has three cases for a "+xml" type, which may have a
syntax of its own beside it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf._util.references import resolve_reference, split
from cturi_rdf.content_type.grammar import end_of, percent_decode, percent_encode
from cturi_rdf.errors import CturiError, EntityError, FragmentError
from cturi_rdf.registry.tables import load
from cturi_rdf.xml.charset import decode
from cturi_rdf.xml.doctype import NOTHING
from cturi_rdf.xml.document import NAME_CHARACTERS, NAME_START, parse
from cturi_rdf.xml.encoding import encoding_of
from cturi_rdf.xml.kinds import PARSED_ENTITY, Finding, facts_of, labelled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.xml.document import Element

    Source = Literal["content", "encapsulation", "retrieval", "default"]


# The characters of a name, as far as needed to see where it ends; `_is_name` checks the rest.
_NAME = r"[^ \t\r\n()^/:=]++"
_S = r"[ \t\r\n]*+"
# Framework productions 4 and 5, as far as the parenthesis that opens the data.
_PART = re.compile(rf"(?:({_NAME}):)?({_NAME})\(")
_SPACE = re.compile(_S)
# Framework productions 7 to 9: the parts of data.
_PIECE = re.compile(r"[^()^]++|\^[()^]|[()]")
_ESCAPED = re.compile(r"\^([()^])")
# element() production 1 and 2; xmlns() productions 1 and 2.
_ELEMENT = re.compile(rf"({_NAME})?((?:/[1-9][0-9]*+)*+)")
_XMLNS = re.compile(rf"({_NAME}){_S}={_S}(.*+)", re.DOTALL)

_XML = "http://www.w3.org/XML/1998/namespace"
_XMLNS_NAME = "http://www.w3.org/2000/xmlns/"
_FRAMEWORK = "XPointer Framework section 3.1"


class Part(NamedTuple):
    """One pointer part.

    `scheme` is the name of its scheme without `prefix`, `namespace` what the prefix is bound
    to: `None` without a prefix, and for one that no xmlns() before it binds.  `data` is the
    scheme data with circumflexes undone.  `conforms` says whether the data is as the scheme
    wants it, as far as we know the scheme; for an element() part that does, `target` is the
    name that it starts from, or `None`, and the steps of its child sequence, as digits.
    """

    scheme: str
    prefix: str | None
    namespace: str | None
    data: str
    conforms: bool
    target: tuple[str | None, tuple[str, ...]] | None


class Pointer(NamedTuple):
    """A pointer: either a `shorthand` name, or `parts` in the order in which they are tried."""

    text: str
    shorthand: str | None
    parts: tuple[Part, ...]


def parse_fragment(fragment: str) -> Pointer:
    """Return the pointer that a fragment identifier of a URI or IRI holds, "#" left out.

    Its percent-encoding is undone first (XPointer Framework section 4).  Raises
    `FragmentError` if it is not a pointer.

    >>> parse_fragment("xmlns(p=http://a.example/)p:q(%5E))").parts[1].namespace
    'http://a.example/'
    >>> parse_fragment("caf%C3%A9").shorthand
    'café'
    """
    try:
        pointer = percent_decode(fragment)
    except UnicodeDecodeError as error:
        problem, rule = "percent-encoded octets that are not UTF-8", "XPointer Framework section 4"
        raise FragmentError(problem, fragment, expected="the octets of UTF-8", rule=rule) from error
    return parse_pointer(pointer)


def parse_pointer(pointer: str) -> Pointer:
    """Return the parts of a pointer; raises `FragmentError` for any other text.

    XPointer Framework section 3.1: wrong data of a scheme is not an error of the pointer.

    >>> parse_pointer("intro").shorthand
    'intro'
    >>> [(part.scheme, part.data) for part in parse_pointer("x(^(^)) element(/1/2)").parts]
    [('x', '()'), ('element', '/1/2')]
    """
    # Framework production 2.
    if _is_name(pointer):
        return Pointer(pointer, pointer, ())
    parts: list[Part] = []
    # The framework's namespace binding context: at first only "xml" is bound.
    bound: dict[str | None, str] = {"xml": _XML}
    position = 0
    while True:
        match = _PART.match(pointer, position)
        if match is None or not all(map(_is_name, filter(None, match.groups()))):
            raise FragmentError(
                "no pointer part" if parts else "neither a name nor a pointer part",
                pointer,
                (position, len(pointer)),
                expected="a scheme's name and '('",
                rule=_FRAMEWORK,
            )
        end = _end_of_data(pointer, match.end())
        raw = pointer[match.end() : end]
        part = _part(match[1], match[2], raw, bound)
        parts.append(part)
        if end + 1 == len(pointer):
            return Pointer(pointer, None, tuple(parts))
        position = end_of(_SPACE, pointer, end + 1)


def _is_name(text: str) -> bool:
    return _names().fullmatch(text) is not None


@cache
def _names() -> re.Pattern[str]:
    """Return the pattern of an NCName; it takes longer to compile than all the rest.

    Namespaces in XML 1.0, production 4; XML 1.0, productions 4 and 4a.
    """
    start = f"A-Z_a-z{NAME_START}"
    return re.compile(rf"[{start}][{start}\-.0-9{NAME_CHARACTERS}]*+")


def _end_of_data(pointer: str, start: int) -> int:
    """Return the place of the parenthesis that closes the scheme data beginning at `start`."""
    depth, position = 1, start
    while match := _PIECE.match(pointer, position):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return position
        position = match.end()
    if position < len(pointer):
        raise FragmentError(
            "a circumflex that escapes nothing",
            pointer,
            (position, position + 1),
            expected="'^' before '(', ')' or '^'",
            rule=_FRAMEWORK,
        )
    raise FragmentError(
        "a parenthesis that is not closed",
        pointer,
        (start - 1, len(pointer)),
        expected="')'; one that is data is written '^('",
        rule=_FRAMEWORK,
    )


def _part(prefix: str | None, scheme: str, raw: str, bound: dict[str | None, str]) -> Part:
    """Return a part; an xmlns() part adds its binding to `bound`."""
    data = _ESCAPED.sub(r"\1", raw)
    namespace = bound.get(prefix)
    conforms, target = True, None
    if scheme == "element" and not prefix:
        match = _ELEMENT.fullmatch(data)
        if match and data and (match[1] is None or _is_name(match[1])):
            target = (match[1], tuple(match[2].split("/")[1:]))
        conforms = target is not None
    elif scheme == "xmlns" and not prefix:
        match = _XMLNS.fullmatch(data)
        conforms = match is not None and _is_name(match[1])
        # The framework: these two prefixes, and these two namespaces, cannot be bound anew.
        is_free = match and match[1] not in {"xml", "xmlns"} and match[2] not in {_XML, _XMLNS_NAME}
        if match and conforms and is_free:
            bound[match[1]] = match[2]
    return Part(scheme, prefix, namespace, data, conforms, target)


# Types whose attribute "id" is an ID in any namespace that a parser sees; an entity
# reference in xmlns, as some editors write it, is not expanded here.
_WITH_ID = {"image/svg+xml", "application/xhtml+xml", "application/mathml+xml"}


class XPointerSchemeRecord(NamedTuple):
    """One scheme of XPointer, by W3C's registry or a Working Draft of W3C.

    `status` is ``registered`` or ``in review`` by the registry, or ``draft``; `specification` is
    the name of its specification, where one is known.
    """

    name: str
    status: str
    specification: str | None


class Resolution(NamedTuple):
    """The meaning of a fragment identifier of an entity.

    `by` is "xpointer" if XPointer finds an `element`, "type" if the type's own specification
    decides, "nobody" if nothing gives it a meaning.  `case` is the number of the case in RFC 7303
    section 9.6.1: 1, a pointer that resolves; 2, one that does not; 3, no pointer; `None` for a
    type that is not XML.  `pointer` is the pointer, if it is one, and `reason` says why there is no
    element.
    """

    by: Literal["xpointer", "type", "nobody"]
    case: Literal[1, 2, 3] | None
    element: Element | None
    pointer: Pointer | None
    reason: str


def resolve_fragment(
    content_type: ContentType | str | None, fragment: str, data: bytes
) -> Resolution:
    """Return the meaning of a fragment identifier, without "#", for an entity of a type.

    Nothing resolves in a document that cannot be read.  Without a type, ``application/xml`` is
    assumed.  Raises `ContentTypeError` for a header that cannot be read at all.

    >>> resolution = resolve_fragment("image/svg+xml", "a", b"<svg><g xml:id='a'/></svg>")
    >>> resolution.by, resolution.case, resolution.element.path
    ('xpointer', 1, '/1/1')
    >>> resolve_fragment("image/svg+xml", "svgView(viewBox(0,0,9,9))", b"<svg/>").by
    'type'
    """
    label, _ = labelled(content_type)
    facts = facts_of(label or "application/xml")
    if not facts.fragments:
        return Resolution("type", None, None, None, f"{facts.essence} is no type of XML entities")
    # Section 9.6.1 leaves the rest to a "+xml" type; section 5 leaves it undefined.
    left: Literal["type", "nobody"] = (
        "type" if label is not None and label.suffix == "xml" else "nobody"
    )
    try:
        pointer = parse_fragment(fragment)
    except FragmentError as error:
        return Resolution(left, 3, None, None, error.summary)
    try:
        root, by_id = _read_document(label, data)
    except CturiError as error:
        return Resolution(left, 2, None, pointer, error.summary)
    element = _locate(pointer, root, by_id)
    if element is None:
        return Resolution(left, 2, None, pointer, _why_not(pointer, root, by_id))
    return Resolution("xpointer", 1, element, pointer, "")


def lint_fragment(content_type: ContentType | str | None, fragment: str) -> tuple[Finding, ...]:
    """Return the faults of a fragment identifier for a type, in any document.

    RFC 7303 section 5: authors should not use schemes that W3C's registry does not have.  A scheme
    with a prefix has a namespace, and is not for the registry.  Raises `ContentTypeError` for a
    header that cannot be read at all.

    >>> for finding in lint_fragment("application/xml", "foo(bar)element(/1)"):
    ...     print(finding)
    should: the XPointer scheme foo() is not registered (RFC 7303 section 5)
    >>> lint_fragment("image/svg+xml", "xywh=1,2,3,4")
    ()
    """
    label, _ = labelled(content_type)
    return tuple(_wrong(label, fragment))


def _wrong(label: ContentType | None, fragment: str) -> Iterator[Finding]:
    facts = facts_of(label or "application/xml")
    if not facts.fragments:
        return
    try:
        pointer = parse_fragment(fragment)
    except FragmentError as error:
        # Section 9.6.1 leaves other syntaxes to a "+xml" type.
        if label is None or label.suffix != "xml":
            problem = f"not an XPointer, so without meaning: {error.problem}"
            yield Finding("fragment-syntax", "should", problem, "RFC 7303 section 5")
        return
    schemes = load("xpointer-schemes.tsv", XPointerSchemeRecord)
    for part in pointer.parts:
        record = None if part.prefix else schemes.get(part.scheme)
        own = f"{part.scheme}()" in facts.fragments
        in_review = record is not None and record.status == "in review"
        if in_review or not (part.prefix or record or own):
            problem = f"the XPointer scheme {part.scheme}() is not registered{' yet' * in_review}"
            yield Finding("xpointer-scheme", "should", problem, "RFC 7303 section 5")
        if not part.conforms:
            yield Finding(
                "xpointer-data",
                "must",
                f"{part.scheme}() cannot have this data: {part.data!r}",
                f"XPointer {part.scheme}() Scheme",
            )


def _locate(pointer: Pointer, root: Element, by_id: dict[str, Element]) -> Element | None:
    """Return the element at which a pointer points, of a document as `parse` returns it.

    Parts are tried from left to right, and those of a scheme that is not ours are skipped
    (XPointer Framework section 3.3).

    >>> _locate(parse_pointer("x(y)element(/2)element(/1/1)"), *parse("<a><b/></a>")).name
    'b'
    """
    if pointer.shorthand is not None:
        return by_id.get(pointer.shorthand)
    for part in pointer.parts:
        if part.target:
            element, steps = _follow(part.target, root, by_id)
            if element is not None and not steps:
                return element
    return None


def _follow(
    target: tuple[str | None, tuple[str, ...]], root: Element, by_id: dict[str, Element]
) -> tuple[Element | None, tuple[str, ...]]:
    """Return the last element on the way of an element() part, and the steps that are left.

    element() scheme, section 3: from the element of that name, or from the top.
    """
    name, steps = target
    element = root if name is None else by_id.get(name)
    while element and steps:
        child = element.child(steps[0])
        if child is None:
            break
        element, steps = child, steps[1:]
    return element, steps


def _why_not(pointer: Pointer, root: Element, by_id: dict[str, Element]) -> str:
    """Return why a pointer finds no element: it does not exist, or it cannot be known."""
    ends = [_follow(part.target, root, by_id)[0] for part in pointer.parts if part.target]
    if pointer.shorthand is not None:
        ends.append(None)
    # If the first element is not found, its ID could be in any entity that was not expanded.
    if any(end.uncounted if end else _any_uncounted(root) for end in ends):
        return "it cannot be known: an entity that is not expanded stands before what it points at"
    return "it points at nothing here"


def _any_uncounted(root: Element) -> bool:
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.uncounted:
            return True
        waiting += element.children
    return False


def _read_document(label: ContentType | None, data: bytes) -> tuple[Element, dict[str, Element]]:
    """Parse an entity of a type, see `parse`; raise `EntityError` if it is not well-formed.

    >>> root, by_id = _read_document(None, b"<a xml:id='b'/>")
    >>> by_id["b"].name
    'a'
    """
    decision = encoding_of(label, data)
    whole = label is None or PARSED_ENTITY not in facts_of(label).kinds
    return parse(
        decode(data, decision.encoding or "utf-8"),
        whole=whole,
        id_attributes=label is not None and label.essence in _WITH_ID,
    )


# XML Base section 3.1: the characters that are percent-encoded before a value is used, because no
# URI can contain them; characters beyond ASCII make the value an IRI.
_ENCODED = re.compile(r"[\x00-\x20<>\"{}|\\^`\x7f]")


class Base(NamedTuple):
    """A base URI or IRI, without a fragment, and which of the four sources gave it.

    Both are `None` where no source gives an absolute URI.
    """

    uri: str | None
    source: Source | None

    def resolve(self, reference: str) -> str:
        """Return the URI or IRI of a reference in the document (RFC 3986 section 5.2).

        Raises `EntityError` for a relative one where there is no base.

        >>> Base("http://a.example/b/", "content").resolve("../c")
        'http://a.example/c'
        """
        if self.uri is not None:
            return resolve_reference(reference, self.uri)
        if split(reference).scheme:
            return reference
        problem = "a relative reference without a base URI"
        expected = "an absolute URI, or a base URI from one of the four sources"
        raise EntityError(problem, reference, expected=expected, rule="RFC 3986 section 5.1")


def base_of(  # noqa: PLR0913 - the four sources of a base
    content_type: ContentType | str | None,
    data: bytes,
    *,
    fragment: str = "",
    encapsulation: str | None = None,
    retrieval: str | None = None,
    default: str | None = None,
) -> Base:
    """Return the base URI of references in an entity, or in the element of a fragment in it.

    Without `fragment` it is that of the document element.  `encapsulation` is the base of what
    contains the entity, such as a multipart with a Content-Location; `retrieval` is the URI that it
    was retrieved from; `default` is assumed by the application.  The content is only read for a
    type of XML: any other type embeds its base in another way, or not at all.

    Raises `EntityError` where the entity is not well-formed, where the fragment points at nothing,
    and where the value of ``xml:base`` depends on an entity, because entities are never expanded.

    >>> data = b"<a xml:base='/x/'><b xml:base='y/' xml:id='b'/></a>"
    >>> base_of("application/xml", data, fragment="b", retrieval="http://a.example/c#d")
    Base(uri='http://a.example/x/y/', source='content')
    >>> base_of("application/xml", b"<a/>", retrieval="http://a.example/c#d").uri
    'http://a.example/c'
    """
    outer = Base(None, None)
    # RFC 3986 section 5.1, from the last source: each may be relative to the one after it.
    sources: dict[Source, str | None]
    sources = {"default": default, "retrieval": retrieval, "encapsulation": encapsulation}
    for source, uri in sources.items():
        if uri is not None:
            outer = _within(outer, uri, source)
    label, _ = labelled(content_type)
    if facts_of(label or "application/xml").base_uri is None:
        return outer
    return _embedded(_element(label, fragment, data), outer)


def _element(label: ContentType | None, fragment: str, data: bytes) -> Element | None:
    if not fragment:
        root, _ = _read_document(label, data)
        # An external parsed entity may have none, or several.
        return root.children[0] if len(root.children) == 1 else None
    resolution = resolve_fragment(label, fragment, data)
    if resolution.element is None:
        problem = f"a fragment identifier of no element: {resolution.reason}"
        expected = "an XPointer that resolves"
        raise EntityError(problem, fragment, expected=expected, rule="RFC 7303 section 5")
    return resolution.element


def _embedded(element: Element | None, outer: Base) -> Base:
    """Return the base of an element (XML Base section 4.1 and 4.2): its own, or its parent's."""
    values: list[str] = []
    while element is not None:
        if element.base is not None:
            values.append(element.base)
        element = element.parent
    base = outer
    for value in reversed(values):
        if NOTHING in value:
            shown = value.replace(NOTHING, "&")
            problem = "an xml:base that only an entity gives, which is never expanded"
            expected = "a value without references to entities"
            raise EntityError(problem, shown, expected=expected, rule="RFC 7303 section 6")
        if value:
            base = _within(base, percent_encode(value.strip(), _ENCODED), "content")
    return base


def _within(outer: Base, reference: str, source: Source) -> Base:
    """Return the base that a reference gives, without its fragment; `outer` if it gives none."""
    uri = resolve_reference(reference, outer.uri or "").partition("#")[0]
    return Base(uri, source) if split(uri).scheme else outer
