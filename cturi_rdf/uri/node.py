"""The node of a content type: its one IRI in RDF, by which two content types are equal.

A content type of the draft's `uri.` tree, or with a `URI-body`, stands for a URI (sections 2.3
and 2.4), and that URI is its node.  Two that stand for the same URI are equal, however each
is encoded.  Where the URI does not lead back, the node is a `ContentType:` URI, which always
does: of a subtype that is no URI, and of one with a query in it that `from_uri` reads as
parameters.  So every content type has a node, and reading a node gives an equal one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import in_uri_tree
from cturi_rdf.errors import MappingError
from cturi_rdf.uri.mapping import content_type_uri, from_uri, parse, to_uri

if TYPE_CHECKING:
    from cturi_rdf.uri.mapping import Control

_SCHEME = "contenttype:"
# RFC 3986 section 2.3: the characters that are never encoded in a URI.
_UNENCODED = re.compile(r"[A-Za-z0-9\-._~]*")


def is_content_type_uri(iri: str) -> bool:
    """Return whether an IRI has the scheme `ContentType`, in any case (RFC 3986 section 3.1).

    >>> is_content_type_uri("contenttype:text/csv")
    True
    """
    return iri[: len(_SCHEME)].lower() == _SCHEME


def node(content_type: ContentType | str, *, control: Control = "honour") -> str:
    """Return the one canonical IRI of a content type: equal types have equal nodes.

    The node is the `iri` spelling with names sorted and the charset's value in lower case.  A type
    that stands for a URI has that URI as its node; with ``control="ignore"`` (the draft, section 6)
    it has a ``ContentType:`` URI like any other, so that a text cannot choose the IRI of somebody
    else.  Raises `MappingError` where a text is not a Content-Type.

    >>> node("text/html; level=1; Charset=UTF-8")
    'ContentType:text/html?charset=%22utf-8%22&level=%221%22'
    >>> node("application/uri.http%3A%2F%2Fexample.com%2Ftag42")
    'http://example.com/tag42'
    >>> node("application/uri.http%3A%2F%2Fexample.com%2Ftag42", control="ignore")
    'ContentType:application/uri.http%253A%252F%252Fexample.com%252Ftag42'
    >>> node("application/uri.example")
    'ContentType:application/uri.example'
    """
    if not isinstance(content_type, ContentType):
        content_type = parse(content_type)
    if control == "ignore":
        return content_type_uri(canonical(content_type))
    while stands_for_uri(content_type):
        content_type = _in_order(content_type)
        try:
            uri = to_uri(content_type)
        except MappingError:
            return content_type_uri(content_type)
        read_type = from_uri(uri)
        if not is_content_type_uri(uri):
            if _leads_back(read_type, uri):
                return uri
            return content_type_uri(from_uri(uri, query="opaque"))
        # The URI is itself one of a content type.
        content_type = read_type
    return content_type_uri(_in_order(content_type))


def canonical(content_type: ContentType) -> ContentType:
    """Return the canonical form of all equal content types, from which the node is made.

    >>> print(canonical(ContentType.parse("text/html; level=1; Charset=UTF-8")))
    text/html; charset=utf-8; level=1
    """
    return _in_order(as_read(content_type))


def as_read(content_type: ContentType) -> ContentType:
    """Return a content type that stands for a URI as its node is read, any other unchanged.

    >>> print(as_read(ContentType.parse("application/uri.ContentType%3Atext%2Fcsv")))
    text/csv
    """
    return from_uri(node(content_type)) if stands_for_uri(content_type) else content_type


def _in_order(content_type: ContentType) -> ContentType:
    """Return a content type with its parameters sorted by name, and the charset in lower case."""
    if not content_type.parameters or in_uri_tree(content_type.subtype):
        return content_type
    parameters = dict(sorted(content_type.parameters.items()))
    charset = parameters.get("charset", "")
    # In a URI the case of a percent-encoded octet is data.
    if not stands_for_uri(content_type) or _UNENCODED.fullmatch(charset):
        parameters |= {"charset": charset.lower()} if charset else {}
    return ContentType(content_type.type, content_type.subtype, parameters)


def check_uri(content_type: ContentType) -> None:
    """Raise `MappingError` where a content type should stand for a URI, but does not.

    >>> check_uri(ContentType("text", "csv"))
    >>> check_uri(ContentType("application", "uri.example"))
    Traceback (most recent call last):
    cturi_rdf.errors.MappingError: not an absolute URI in what should be a URI
        application/uri.example
        ^^^^^^^^^^^^^^^^^^^^^^^ expected an absolute URI, encoded by its section 4 (draft-eastlake-cturi section 2.3)
    """  # noqa: E501 - the message as it is
    if stands_for_uri(content_type):
        to_uri(content_type)


def stands_for_uri(content_type: ContentType) -> bool:
    """Return whether a type is meant as a URI: in the `uri.` tree (2.3) or by a `URI-body` (2.4).

    >>> stands_for_uri(ContentType("application", "uri.x%3Ay"))
    True
    """
    return in_uri_tree(content_type.subtype) or "uri-body" in content_type.parameters


def identity(content_type: ContentType) -> tuple[object, ...]:
    """Return the key for equality and hash of a content type that stands for a URI."""
    name = node(content_type)
    read_type = from_uri(name)
    return (name,) if stands_for_uri(read_type) else read_type._identity()  # noqa: SLF001 - its twin


def _leads_back(content_type: ContentType, uri: str) -> bool:
    try:
        return to_uri(_in_order(content_type)) == uri
    except MappingError:
        return False
