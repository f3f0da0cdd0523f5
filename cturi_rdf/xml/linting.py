"""Everything in a stored entity and its header that breaks RFC 7303.

A choice that is allowed but not recommended, such as UTF-8 with a byte order mark or an alias of
``application/xml``, is not a finding; `facts_of` has the recommended type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cturi_rdf.errors import EntityError
from cturi_rdf.xml.charset import codec, decode, ordered, read_declaration
from cturi_rdf.xml.doctype import recursion
from cturi_rdf.xml.document import as_xml_1_0, parse
from cturi_rdf.xml.encoding import encoding_of, labelled
from cturi_rdf.xml.kinds import DOCUMENT, DTD_SUBSET, PARSED_ENTITY, Finding, facts_of, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.content_type.grammar import Rules

# Section 6: a base that is not in the document itself.
_DEFAULT_BASE = re.compile(r"<!ATTLIST\s[^>]*\sxml:base\s")
# The problem with a declaration of the wrong kind, by the kind that is right.
_OUT_OF_PLACE = {
    "xml": ("a document begins with a text declaration", "XML 1.0 section 2.8"),
    "text": ("an external entity begins with an XML declaration", "XML 1.0 section 4.3.1"),
}


def lint(
    content_type: ContentType | str | None,
    data: bytes,
    *,
    transport: str | None = None,
    rules: Rules | None = None,
) -> tuple[Finding, ...]:
    r"""Return everything in a whole entity and its header that breaks the RFC, with its section.

    The arguments and errors are those of `cturi_rdf.xml.encoding_of`.  Without a header, the
    entity is assumed to be a document; without a transport, HTTP is not assumed.

    >>> for finding in lint("application/xml; charset=utf-8", b"<a>\xe9</b>"):
    ...     print(finding)
    must: octet 4 is not of utf-8 (RFC 7303 section 3.1, XML 1.0 section 4.3.3)
    """
    rules = rules or rules_of(transport)
    decision = encoding_of(content_type, data, transport=transport, rules=rules)
    if decision.encoding is None:
        return decision.findings
    label, _ = labelled(content_type, rules)
    kinds = facts_of(label or "application/xml").kinds
    if codec(ordered(decision.encoding, data)) is None:
        problem = "this encoding cannot be read here: the content is not checked"
        unread = Finding("unreadable", "should", problem, "XML 1.0 section 4.3.3")
        return (*decision.findings, unread)
    try:
        text = decode(data, decision.encoding)
    except EntityError as error:
        rule = "RFC 7303 section 3.1, XML 1.0 section 4.3.3"
        undecodable = Finding("undecodable", "must", error.problem, rule)
        return (*decision.findings, undecodable)
    return (*decision.findings, *_declared(text, kinds), *_content(text, kinds))


def _declared(text: str, kinds: tuple[str, ...]) -> Iterator[Finding]:
    """Find a declaration that is good, but not in this kind of entity."""
    declaration = read_declaration(text)
    wanted = "xml" if DOCUMENT in kinds else "text"
    if declaration and declaration.kind and wanted not in declaration.kind:
        problem, rule = _OUT_OF_PLACE[wanted]
        yield Finding("declaration-kind", "must", problem, rule)


def _content(text: str, kinds: tuple[str, ...]) -> Iterator[Finding]:
    """Find content that is not of the kind of entity which the type says (section 4.1)."""
    if DTD_SUBSET in kinds and _DEFAULT_BASE.search(text):
        problem = "a DTD gives xml:base a default, which only validating processors see"
        yield Finding("base-default", "should", problem, "RFC 7303 section 6")
    try:
        # Section 4.1 is about XML alone, not about namespaces.
        parse(text, whole=PARSED_ENTITY not in kinds, namespaces=False)
    except EntityError as error:
        if DTD_SUBSET not in kinds:
            yield Finding("not-well-formed", "must", error.problem, "RFC 7303 section 4.1")
    else:
        if DTD_SUBSET in kinds:
            problem = "a document is labelled as a DTD"
            yield Finding("not-a-dtd", "should", problem, "RFC 7303 section 4.1")
        elif circle := recursion(as_xml_1_0(text)):
            line, entities = circle
            problem = f"an entity contains itself: {entities}, line {line}"
            yield Finding("entity-recursion", "must", problem, "XML 1.0 section 4.1")
