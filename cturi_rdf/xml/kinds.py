"""Kinds: the rules of RFC 7303 for a type by its name alone, whether it is registered or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import EntityError
from cturi_rdf.registry.hierarchy import structure_of
from cturi_rdf.xml.charset import charset, family

if TYPE_CHECKING:
    from typing import Literal

    from cturi_rdf.content_type.grammar import Rules
    from cturi_rdf.registry.hierarchy import Structure

    Level = Literal["must", "should"]


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
    `structure` what the suffix implies (see `cturi_rdf.registry.hierarchy`).
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
    governed = is_governed(content_type)
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
        # Sections 3 and 9.5; RFC 6657 section 3 leaves it to each registration of other text.
        True if governed else None,
        # Section 5 is about all the types that the RFC defines, that of DTDs included,
        # though a DTD has no elements to point at.
        _XPOINTER + _ADDED.get(content_type.essence, ()) if governed else (),
        # Section 6 names four types; a "+xml" type refers to it (section 9.6.1).
        "xml:base" if xml else None,
        structure_of(content_type),
    )


def _is_aliased(content_type: ContentType) -> bool:
    return content_type.type in {"application", "text"} and content_type.subtype in _ALIASED


# The data that a transport carries as it is, for the transports that RFC 7303 names, by the names
# that a user may give.  "mail" is SMTP without extensions, which is all one can count on.
TRANSPORTS = {
    "7bit": "7bit",
    "mail": "7bit",
    "smtp": "7bit",
    "8bit": "8bit",
    "8bitmime": "8bit",
    "nntp": "8bit",
    "binary": "binary",
    "binarymime": "binary",
    "http": "http",
    "https": "http",
}
_KINDS = ("7bit", "8bit", "binary")
# Character sets that use seven bits for any text (RFC 1468, 1554, 1557, 1843,
# 1922, 2152); the rest of ASCII's family uses the eighth.
_SEVEN_BITS = re.compile(r"us-ascii|iso-2022-.*|utf-7|unicode-1-1-utf-7|hz-gb-2312")
# RFC 2045 section 2.7: no NUL, CR and LF only together, lines of 998 octets at the most.
_LINES = re.compile(rb"(?:[^\x00\r\n]{0,998}+\r\n)*+[^\x00\r\n]{0,998}+")


class Transfer(NamedTuple):
    """How an entity may travel.

    `kind` is the kind of data: 7bit, 8bit or binary.  `allowed` are the values that
    Content-Transfer-Encoding may have, empty where there is no such header or no way at all;
    `required` says that the data may not go as it is, `permitted` that it may go somehow,
    `rule` the section that decides.
    """

    kind: str
    allowed: tuple[str, ...] = ()
    required: bool = False
    permitted: bool = True
    rule: str = "RFC 7303 section 9.1"


def data_kind(encoding: str, data: bytes | None = None) -> str:
    """Return whether data is 7bit, 8bit or binary: by its character set, or as it is.

    A character set alone only says what is true of all texts in it, line lengths apart.

    >>> data_kind("us-ascii"), data_kind("utf-8"), data_kind("utf-16")
    ('7bit', '8bit', 'binary')
    >>> data_kind("utf-8", b"<a/>")
    '7bit'
    """
    if data is not None:
        if not _LINES.fullmatch(data):
            return "binary"
        return "7bit" if data.isascii() else "8bit"
    name = charset(encoding).name
    if _SEVEN_BITS.fullmatch(name):
        return "7bit"
    # Wide units have NULs, EBCDIC has other line ends; an unknown encoding could have both.
    return "8bit" if family(name) == "ascii" else "binary"


def rules_of(transport: str | None) -> Rules:
    """Return the rules that a header is read by: those of HTTP, of mail, or any if unknown.

    >>> rules_of("https"), rules_of("nntp"), rules_of(None)
    ('http', 'mail', 'any')
    """
    if transport is None:
        return "any"
    return "http" if is_http(transport) else "mail"


def is_http(transport: str | None) -> bool:
    """Return whether a transport is HTTP or HTTPS; raises `EntityError` if it is unknown.

    >>> is_http("https"), is_http("mail"), is_http(None)
    (True, False, False)
    """
    return transport is not None and _carries(transport) == "http"


def transfer_of(
    content_type: ContentType | str, encoding: str, transport: str, data: bytes | None = None
) -> Transfer:
    """Return how an entity of this type and character set may travel (RFC 7303 section 9.1).

    `transport` is one of `TRANSPORTS`.  With `data` the data decides, else the whole range of the
    character set.  Raises `EntityError` for any other transport.

    >>> transfer_of("application/xml", "utf-8", "mail").allowed
    ('quoted-printable', 'base64')
    >>> transfer_of("text/xml", "utf-16", "mail").permitted
    False
    """
    if isinstance(content_type, str):
        content_type = ContentType.parse(content_type)
    carries = _carries(transport)
    kind = data_kind(encoding, data)
    if carries == "http":
        # HTTP has no such header field (RFC 9110 appendix, RFC 9112 appendix B.5).
        return Transfer(kind)
    if content_type.type == "text" and family(charset(encoding).name) == "utf-16":
        return Transfer(kind, permitted=False, rule="RFC 7303 section 8.2, RFC 2781")
    needs, can = _KINDS.index(kind), _KINDS.index(carries)
    if needs <= can:
        # Unencoded, under the name of its own kind or of a wider one that the transport carries.
        allowed = (*_KINDS[needs : can + 1], "quoted-printable", "base64")
    elif carries == "8bit":
        allowed = ("base64",)
    else:
        allowed = ("quoted-printable", "base64")
    return Transfer(kind, allowed, required=needs > can)


def _carries(transport: str) -> str:
    carries = TRANSPORTS.get(transport.lower())
    if carries is None:
        problem, expected = "an unknown transport", f"one of {', '.join(TRANSPORTS)}"
        raise EntityError(problem, transport, expected=expected, rule="RFC 7303 section 9.1")
    return carries


class Finding(NamedTuple):
    """One thing that breaks a rule.

    `code` is a name for programs; `level` is "must" or "should", whichever the rule says
    (RFC 2119); `problem` is for people, `rule` is the specification and section.

    >>> print(Finding("utf-32", "should", "UTF-32 is not recommended", "RFC 7303 section 2.2"))
    should: UTF-32 is not recommended (RFC 7303 section 2.2)
    """

    code: str
    level: Level
    problem: str
    rule: str

    def __str__(self) -> str:
        return f"{self.level}: {self.problem} ({self.rule})"


def labelled(
    content_type: ContentType | str | None, rules: Rules = "any"
) -> tuple[ContentType | None, tuple[Finding, ...]]:
    """Return the type that a header names, read leniently, and the defects of the header.

    Raises `ContentTypeError` where the header cannot be read at all.

    >>> label, findings = labelled("text/xml; charset:utf-8")
    >>> label.essence, [finding.code for finding in findings]
    ('text/xml', ['header'])
    """
    if content_type is None or isinstance(content_type, ContentType):
        return content_type, ()
    recovered = ContentType.recover(content_type, rules=rules)
    if recovered.content_type is None:
        raise recovered.defects[-1]
    return recovered.content_type, tuple(
        Finding("header", "must", f"the header has {defect.problem}", defect.rule)
        for defect in recovered.defects
    )
