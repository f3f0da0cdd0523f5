"""Kinds: the rules of RFC 7303 for a type by its name alone, whether it is registered or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.registry.suffix import structure_of

if TYPE_CHECKING:
    from cturi_rdf.registry.suffix import Structure

# The four kinds of XML MIME entity (RFC 7303 section 4.1).
DOCUMENT = "document entity"
PARSED_ENTITY = "external parsed entity"
DTD_SUBSET = "external DTD subset"
PARAMETER_ENTITY = "external parameter entity"

# Section 4.1: the purposes of the three registrations.  The first two have an alias each under
# "text" (sections 9.2 and 9.4).
_ALIASED = {"xml": (DOCUMENT,), "xml-external-parsed-entity": (PARSED_ENTITY,)}
_DTD = ("application", "xml-dtd")
# Section 5: the framework, whose shorthand pointers need no scheme, and the one scheme that
# every processor has to know; xmlns() is what prefixes of other schemes need.
_XPOINTER = ("XPointer", "element()", "xmlns()")
# Syntaxes that a type adds to it, which never overlap (section 9.6.1): SVG 1.1 section 17.3.2,
# SVG 2 section 15.7 with Media Fragments URI 1.0.
_ADDED = {"image/svg+xml": ("svgView()", "Media Fragments")}


class Facts(NamedTuple):
    """All that the name of a type implies.

    `is_xml` says whether the type is for XML MIME entities, `kinds` which kinds of them (section
    4.1).  `alias_of` and `aliases` are other names of the same type, `recommended` is the type to
    use instead.  `charset` says whether a charset parameter is meaningful; it is `None` where only
    the registration of the type says so.  `fragments` are the names of the syntaxes of its fragment
    identifiers, as far as the name implies them, `base_uri` is how content embeds a base URI, and
    `structure` what the suffix implies (see `cturi_rdf.registry.suffix`).
    """

    essence: str
    is_xml: bool
    kinds: tuple[str, ...]
    alias_of: ContentType | None
    aliases: tuple[ContentType, ...]
    recommended: ContentType | None
    charset: bool | None
    fragments: tuple[str, ...]
    base_uri: str | None
    structure: Structure


def is_xml(content_type: ContentType) -> bool:
    """Return whether a type is for XML MIME entities (RFC 7303 section 4.2).

    Four types are, and every one whose subtype ends in "+xml"; parameters do not count.
    ``application/xml-dtd`` is not: a DTD does not parse as a document.  The draft had asked
    for a match of ``*/*+xml``; the RFC compares the last four characters.

    >>> [is_xml(ContentType.parse(text)) for text in ("text/xml", "image/svg+xml; q=1")]
    [True, True]
    >>> [is_xml(ContentType.parse(text)) for text in ("application/xml-dtd", "a/b; c=d+xml")]
    [False, False]
    """
    return _is_aliased(content_type) or content_type.suffix == "xml"


def is_governed(content_type: ContentType) -> bool:
    """Return whether RFC 7303 says how to find the encoding: XML, and the type of DTDs.

    >>> is_governed(ContentType.parse("application/xml-dtd"))
    True
    """
    return is_xml(content_type) or (content_type.type, content_type.subtype) == _DTD


def facts_of(content_type: ContentType | str) -> Facts:
    """Return all that the name of a type implies, registered or not.

    Raises `ContentTypeError` for a text that is no type.  RFC 7303 sections 4 to 6 and 9.

    >>> facts = facts_of("text/xml")
    >>> facts.kinds, facts.recommended.essence, facts.base_uri
    (('document entity',), 'application/xml', 'xml:base')
    >>> facts_of("application/unheard-of+xml").fragments
    ('XPointer', 'element()', 'xmlns()')
    """
    if isinstance(content_type, str):
        content_type = ContentType.parse(content_type)
    type_, subtype = content_type.type, content_type.subtype
    xml = is_xml(content_type)
    governed = xml or (type_, subtype) == _DTD
    kinds: tuple[str, ...] = ()
    alias_of = None
    aliases: tuple[ContentType, ...] = ()
    if _is_aliased(content_type):
        kinds = _ALIASED[subtype]
        if type_ == "text":
            # Sections 9.2 and 9.4: the same but for the name; 4.1 recommends the other.
            alias_of = ContentType("application", subtype)
        else:
            aliases = (ContentType("text", subtype),)
    elif xml:
        # Section 4.2: an entity that is supposed to be an XML document.
        kinds = (DOCUMENT,)
    elif governed:
        kinds = (DTD_SUBSET, PARAMETER_ENTITY)
    return Facts(
        content_type.essence,
        xml,
        kinds,
        alias_of,
        aliases,
        alias_of,
        # Sections 3 and 9.5; of other types under "text", RFC 6657 section 3.
        True if governed or type_ == "text" else None,
        # Section 5 is about all the types that the RFC defines, that of DTDs included,
        # though a DTD has no elements to point at.
        _XPOINTER + _ADDED.get(content_type.essence, ()) if governed else (),
        # Section 6 names four types; a "+xml" type refers to it (section 9.6.1).
        "xml:base" if xml else None,
        structure_of(content_type),
    )


def _is_aliased(content_type: ContentType) -> bool:
    return content_type.type in {"application", "text"} and content_type.subtype in _ALIASED
