"""Base URIs, against which relative references in an XML document are resolved.

RFC 7303 section 6 has four sources, in the order of RFC 3986 section 5.1: ``xml:base`` in the
content, the entity that encapsulates it, the URI from which it was retrieved, and a default.
How ``xml:base`` counts is XML Base, second edition.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type.grammar import percent_encode
from cturi_rdf.errors import EntityError
from cturi_rdf.uri.reference import resolve_reference
from cturi_rdf.uri.rfc3986 import split
from cturi_rdf.xml.doctype import NOTHING
from cturi_rdf.xml.encoding import labelled
from cturi_rdf.xml.fragment import read_document, resolve_fragment
from cturi_rdf.xml.kinds import facts_of

if TYPE_CHECKING:
    from typing import Literal

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.xml.document import Element

    Source = Literal["content", "encapsulation", "retrieval", "default"]

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
        raise EntityError(
            "a relative reference without a base URI",
            reference,
            expected="an absolute URI, or a base URI from one of the four sources",
            rule="RFC 3986 section 5.1",
        )


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
        root, _ = read_document(label, data)
        # An external parsed entity may have none, or several.
        return root.children[0] if len(root.children) == 1 else None
    resolution = resolve_fragment(label, fragment, data)
    if resolution.element is None:
        raise EntityError(
            f"a fragment identifier of no element: {resolution.reason}",
            fragment,
            expected="an XPointer that resolves",
            rule="RFC 7303 section 5",
        )
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
            raise EntityError(
                "an xml:base that only an entity gives, which is never expanded",
                shown,
                expected="a value without references to entities",
                rule="RFC 7303 section 6",
            )
        if value:
            base = _within(base, percent_encode(value.strip(), _ENCODED), "content")
    return base


def _within(outer: Base, reference: str, source: Source) -> Base:
    """Return the base that a reference gives, without its fragment; `outer` if it gives none."""
    uri = resolve_reference(reference, outer.uri or "").partition("#")[0]
    return Base(uri, source) if split(uri).scheme else outer
