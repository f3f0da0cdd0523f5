"""The encoding of an XML entity, and its sources (RFC 7303 section 3).

Theory of operation.  There are three sources: a byte order mark, the charset parameter, and the
declaration in the entity.  Section 3.2 ranks them in that order; without any, XML 1.0 section 4.3.3
says UTF-8.  The highest source always decides, even where the octets show that it is wrong, because
consumers agreed on that; the findings say so.  The octets only complete the answer: they give
"utf-16" its byte order, and replace a declared name that is not registered.

`encoding_of` reads only the first octets.  `lint` reads the whole entity, and finds everything in
it and its header that breaks RFC 7303; a choice that is allowed but not recommended, such as UTF-8
with a byte order mark or an alias of ``application/xml``, is not a finding.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.errors import EntityError
from cturi_rdf.xml.charset import (
    charset,
    codec,
    declaration_of,
    decode,
    family,
    has_byte_order,
    ordered,
    read_declaration,
    signature,
)
from cturi_rdf.xml.doctype import recursion
from cturi_rdf.xml.document import as_xml_1_0, parse
from cturi_rdf.xml.kinds import (
    DOCUMENT,
    DTD_SUBSET,
    PARSED_ENTITY,
    Finding,
    facts_of,
    is_governed,
    is_http,
    labelled,
    rules_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.content_type.grammar import Rules
    from cturi_rdf.xml.charset import Charset, Declaration, Signature

    Source = Literal["bom", "charset", "declaration", "default"]

_LABELS = "RFC 7303 section 2.2"
_MARKS = "RFC 7303 section 3.3"
_CORRECT = "RFC 7303 section 3.1, XML 1.0 section 4.3.3"
# How much of an unknown name is shown.
_SHOWN = 40
# Section 6: a base that is not in the document itself.
_DEFAULT_BASE = re.compile(r"<!ATTLIST\s[^>]*\sxml:base\s")
# The problem with a declaration of the wrong kind, by the kind that is right.
_OUT_OF_PLACE = {
    "xml": ("a document begins with a text declaration", "XML 1.0 section 2.8"),
    "text": ("an external entity begins with an XML declaration", "XML 1.0 section 4.3.1"),
}
_FAMILIES = {
    "ascii": "8-bit, like ASCII",
    "utf-16": "16-bit",
    "utf-32": "32-bit",
    "ebcdic": "EBCDIC",
}


class Decision(NamedTuple):
    """An encoding, the source that decided, and what is wrong.

    `encoding` is a registered name in lower case, or the declared name where it is not registered.
    It is `None`, and so is `source`, where RFC 7303 does not decide: for a type that is not XML,
    and for EBCDIC without a declaration.  `findings` are in the order of the sources.  `signature`,
    `charset` and `declaration` have the contents of the sources.
    """

    encoding: str | None
    source: Source | None
    findings: tuple[Finding, ...]
    signature: Signature
    charset: Charset | None
    declaration: Declaration | None


def encoding_of(
    content_type: ContentType | str | None,
    first_bytes: bytes,
    *,
    transport: str | None = None,
    rules: Rules | None = None,
) -> Decision:
    r"""Return the encoding of an entity by RFC 7303 section 3.2, its source, and findings.

    `content_type` is `None` where there is no header, as for a file on a disk: then the entity is
    assumed to be XML.  A header is read leniently, and its defects are findings; a header that
    cannot be read at all raises `ContentTypeError`.  The `rules` for it are ``"http"``, ``"mail"``
    or ``"any"``, see `ContentType.parse`, by default those of the `transport`.  `first_bytes`
    should hold the whole declaration, for which some kilobytes are enough.  `transport` is one of
    `cturi_rdf.xml.kinds.TRANSPORTS`, or None if it is unknown; any other raises `EntityError`.

    >>> decision = encoding_of("application/xml", b"<?xml version='1.0' encoding='latin1'?>")
    >>> decision.encoding, decision.source
    ('iso-8859-1', 'declaration')
    >>> for finding in encoding_of("text/xml; charset=utf-8", b"\xfe\xff\x00<").findings:
    ...     print(finding.code)
    bom-charset
    text-utf-16
    """
    http = is_http(transport)
    label, defects = labelled(content_type, rules or rules_of(transport))
    seen = signature(first_bytes)
    parameter = label.parameters.get("charset") if label else None
    of_label = charset(parameter) if parameter else None
    if of_label and not of_label.name:
        # Nothing but quotes and white space: no name, which is a finding and no source.
        of_label = None
    declaration = declaration_of(first_bytes)
    declared = charset(declaration.encoding) if declaration and declaration.encoding else None
    if label and not is_governed(label):
        problem = f"{label.essence} is no type of XML entities"
        outside = Finding("not-xml", "should", problem, "RFC 7303 section 4.1")
        return Decision(None, None, (*defects, outside), seen, of_label, declaration)
    encoding: str | None
    source: Source | None
    if seen.bom:
        # Section 3.2: a byte order mark is authoritative.
        encoding, source = seen.encoding, "bom"
    elif of_label:
        # Section 3.2: in its absence the charset parameter is.
        encoding, source = _completed(of_label, seen), "charset"
    elif declared:
        # XML 1.0 section 4.3.3, to which section 3.2 defers for the rest.
        encoding, source = _completed(declared, seen), "declaration"
    elif seen.family == "ebcdic":
        encoding, source = None, None
    else:
        encoding, source = seen.encoding or "utf-8", "default"
    findings = (
        *defects,
        *_label_findings(parameter, of_label),
        *_declaration_findings(declaration, declared),
        *_conflicts(seen, of_label, declared),
        *_mark_findings(seen, encoding, of_label, declared),
        *(() if http else _usage_findings(label, encoding, of_label, transport)),
        *_mistaken_mark(label, seen, of_label, declaration),
    )
    return Decision(encoding, source, findings, seen, of_label, declaration)


def _completed(of_label: Charset, seen: Signature) -> str:
    """Return the encoding that a source names, completed by the octets."""
    if seen.encoding is None:
        return of_label.name
    # RFC 2781 section 3.2: "utf-16" leaves the order of bytes to the text; so does "utf-32".
    open_order = of_label.name in {"utf-16", "utf-32"} and family(of_label.name) == seen.family
    # An unregistered name means nothing, but the declaration was readable in this family.
    unknown = family(of_label.name) is None and not of_label.registered
    return seen.encoding if open_order or unknown else of_label.name


def _agree(one: str, other: str) -> bool:
    """Return whether two names can mean one encoding."""
    return one == other or (
        family(one) == family(other) in {"utf-16", "utf-32"}
        and not (has_byte_order(one) and has_byte_order(other))
    )


def _label_findings(parameter: str | None, of_label: Charset | None) -> Iterator[Finding]:
    """Find faults of the charset parameter by itself."""
    if parameter is not None and of_label is None:
        yield Finding("charset-empty", "must", "the charset parameter is empty", _LABELS)
    if of_label and not of_label.registered:
        yield Finding("charset-unregistered", "should", _unregistered(of_label), _LABELS)
    if of_label and family(of_label.name) == "utf-32":
        yield Finding("utf-32", "should", "UTF-32 is not recommended", _LABELS)


def _declaration_findings(
    declaration: Declaration | None, declared: Charset | None
) -> Iterator[Finding]:
    """Find faults of the declaration by itself."""
    if declaration and not declaration.kind:
        problem = "what begins like a declaration is neither an XML nor a text declaration"
        yield Finding("declaration-malformed", "must", problem, "XML 1.0 sections 2.8 and 4.3.1")
    # Section 4.3.3 leaves names in "x-" to those who agree on them.
    if declared and not declared.registered and not declared.name.startswith("x-"):
        yield Finding(
            "declaration-unregistered", "should", _unregistered(declared), "XML 1.0 section 4.3.3"
        )


def _conflicts(
    seen: Signature, of_label: Charset | None, declared: Charset | None
) -> Iterator[Finding]:
    """Find sources, or octets, that contradict each other."""
    mark = seen.encoding if seen.bom else None
    if mark and of_label and not _agree(mark, of_label.name):
        problem = f"the byte order mark says {mark}, the charset parameter {of_label.name}"
        yield Finding("bom-charset", "must", problem, "RFC 7303 sections 3.2 and 8.9")
    if mark and declared and not _agree(mark, declared.name):
        problem = f"the byte order mark says {mark}, the declaration {declared.name}"
        yield Finding("bom-declaration", "must", problem, _CORRECT)
    if of_label and declared and not _agree(of_label.name, declared.name):
        problem = f"the charset parameter says {of_label.name}, the declaration {declared.name}"
        yield Finding("charset-declaration", "should", problem, "RFC 7303 sections 3.1 and 8.8")
    for where, name in (("charset parameter", of_label), ("declaration", declared)):
        shown, claimed = seen.family, family(name.name) if name else None
        # With a byte order mark this is one of the conflicts above.
        if name and shown and claimed and shown != claimed and not mark:
            problem = f"the {where} says {name.name}, the octets are {_FAMILIES[shown]}"
            yield Finding(f"{where.partition(' ')[0]}-octets", "must", problem, _CORRECT)


def _mark_findings(
    seen: Signature, encoding: str | None, of_label: Charset | None, declared: Charset | None
) -> Iterator[Finding]:
    """Find byte order marks that are forbidden or missing (RFC 7303 section 3.3)."""
    ordered = [
        charset.name for charset in (of_label, declared) if charset and has_byte_order(charset.name)
    ]
    if seen.bom and ordered:
        # A label that names the order of bytes makes a mark part of the text, in UTF-32 as well.
        problem = f"{ordered[0]} begins with a byte order mark"
        yield Finding("bom-forbidden", "must", problem, _MARKS)
    # Section 3.3 and XML 1.0 section 4.3.3 are about UTF-16 alone, and about what the label
    # says that decides: whatever is declared below "utf-16" does not say the order of bytes.
    label, kind = of_label or declared, family(encoding or "")
    if kind == "utf-16" and not seen.bom and not has_byte_order(label.name if label else ""):
        yield Finding(
            "bom-missing",
            "must",
            f"{label.name if label else encoding} has neither a byte order mark nor a label"
            " that says the order of bytes",
            f"{_MARKS}, XML 1.0 section 4.3.3",
        )
    if kind in {"utf-16", "utf-32"} and not seen.bom and ordered and declared is None:
        problem = f"{ordered[0]} has no encoding declaration"
        yield Finding("declaration-missing", "should", problem, _MARKS)
    if not seen.bom and not of_label and not declared and seen.family not in {None, "ascii"}:
        problem = f"nothing says in which of the {_FAMILIES[seen.family]} encodings this is"
        yield Finding("unlabelled", "should", problem, "RFC 7303 section 3.1")
    if seen.family == "utf-32" and not (of_label and family(of_label.name) == "utf-32"):
        yield Finding("utf-32", "should", "UTF-32 is not recommended", _LABELS)


def _usage_findings(
    label: ContentType | None, encoding: str | None, of_label: Charset | None, transport: str | None
) -> Iterator[Finding]:
    """Find labels that do not suit a transport other than HTTP (RFC 7303 sections 8.2 and 8.4)."""
    if label is None or family(encoding or "") != "utf-16":
        return
    if label.type == "text":
        problem = "a type under text is in UTF-16, which only HTTP carries"
        yield Finding("text-utf-16", "must", problem, "RFC 7303 section 8.2, RFC 2781")
    elif transport and not of_label:
        problem = "UTF-16 travels without a charset parameter"
        yield Finding("charset-missing", "should", problem, "RFC 7303 section 8.4")


def _mistaken_mark(
    label: ContentType | None,
    seen: Signature,
    of_label: Charset | None,
    declaration: Declaration | None,
) -> Iterator[Finding]:
    """Find text in another charset that looks like a byte order mark (RFC 7303 section 3.1)."""
    kinds = facts_of(label).kinds if label else ()
    unicode = of_label and (
        family(of_label.name) in {"utf-16", "utf-32"} or of_label.name == "utf-8"
    )
    if seen.bom and of_label and not unicode and not declaration and PARSED_ENTITY in kinds:
        yield Finding(
            "declaration-required",
            "must",
            f"an external parsed entity in {of_label.name} begins like a byte order mark and"
            " has no text declaration",
            "RFC 7303 section 3.1",
        )


def _unregistered(name: Charset) -> str:
    shown = name.label if len(name.label) <= _SHOWN else f"{name.label[:_SHOWN]}…"
    implemented = codec(name.name) or family(name.name)
    meant = f"; read as {name.name}" if implemented else ""
    return f"{shown!r} is no registered character set{meant}"


def lint(
    content_type: ContentType | str | None,
    data: bytes,
    *,
    transport: str | None = None,
    rules: Rules | None = None,
) -> tuple[Finding, ...]:
    r"""Return everything in a whole entity and its header that breaks the RFC, with its section.

    The arguments and errors are those of `encoding_of`.  Without a header, the
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
