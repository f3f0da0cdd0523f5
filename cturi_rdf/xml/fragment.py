"""The targets of fragment identifiers of XML entities, and the specification that decides.

RFC 7303 section 5 gives XML types the XPointer framework with shorthand pointers and the
element() scheme; section 9.6.1 has three cases for a "+xml" type, which may have a syntax of
its own beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.errors import CturiError, FragmentError
from cturi_rdf.registry.tables import Record, load
from cturi_rdf.xml.document import parse
from cturi_rdf.xml.encoding import encoding_of, labelled
from cturi_rdf.xml.finding import Finding
from cturi_rdf.xml.kinds import PARSED_ENTITY, facts_of
from cturi_rdf.xml.octets import decode
from cturi_rdf.xml.pointer import parse_fragment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.xml.document import Element
    from cturi_rdf.xml.pointer import Pointer

# Types whose attribute "id" is an ID in any namespace that a parser sees; an entity
# reference in xmlns, as some editors write it, is not expanded here.
_WITH_ID = {"image/svg+xml", "application/xhtml+xml", "application/mathml+xml"}


class XPointerSchemeRecord(Record):
    """One scheme of XPointer, by W3C's registry or a Working Draft of W3C.

    `status` is ``registered`` or ``in review`` by the registry, or ``draft``; `specification` is
    the name of its specification, where one is known.
    """

    __slots__ = ()
    name: str
    status: str
    specification: str | None


class Resolution(NamedTuple):
    """The meaning of a fragment identifier of an entity.

    `by` is "xpointer" if XPointer finds an `element`, "type" if the type's own specification
    decides, "nobody" if nothing gives it a meaning.  `case` is which of the three cases of RFC 7303
    section 9.6.1 it is: 1, a pointer that resolves; 2, one that does not; 3, no pointer; `None` for
    a type that is not XML.  `pointer` is the pointer, if it is one, and `reason` says why there is
    no element.
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
        root, by_id = read_document(label, data)
    except CturiError as error:
        return Resolution(left, 2, None, pointer, error.summary)
    element = locate(pointer, root, by_id)
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
            yield Finding(
                "fragment-syntax",
                "should",
                f"not an XPointer, so without meaning: {error.problem}",
                "RFC 7303 section 5",
            )
        return
    schemes = load("xpointer-schemes.tsv", XPointerSchemeRecord)
    for part in pointer.parts:
        record = None if part.prefix else schemes.get(part.scheme)
        own = f"{part.scheme}()" in facts.fragments
        in_review = record is not None and record.status == "in review"
        if in_review or not (part.prefix or record or own):
            yield Finding(
                "xpointer-scheme",
                "should",
                f"the XPointer scheme {part.scheme}() is not registered{' yet' * in_review}",
                "RFC 7303 section 5",
            )
        if not part.conforms:
            yield Finding(
                "xpointer-data",
                "must",
                f"{part.scheme}() cannot have this data: {part.data!r}",
                record.specification if record and record.specification else "RFC 7303 section 5",
            )


def locate(pointer: Pointer, root: Element, by_id: dict[str, Element]) -> Element | None:
    """Return the element at which a pointer points, of a document as `parse` returns it.

    Parts are tried from left to right, and those of a scheme that is not ours are skipped
    (XPointer Framework section 3.3).

    >>> from cturi_rdf.xml.pointer import parse_pointer
    >>> locate(parse_pointer("x(y)element(/2)element(/1/1)"), *parse("<a><b/></a>")).name
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


def read_document(label: ContentType | None, data: bytes) -> tuple[Element, dict[str, Element]]:
    """Parse an entity of a type, see `parse`; raise `EntityError` if it is not well-formed.

    >>> root, by_id = read_document(None, b"<a xml:id='b'/>")
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
