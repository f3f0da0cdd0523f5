"""The forms in which a profile wants a type: IRIs of a scheme, a media type as text, a name."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import is_in_use, is_known, is_placeholder
from cturi_rdf.catalogue.verdict import in_languages
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError
from cturi_rdf.labels import resolve
from cturi_rdf.labels.candidates import format_keys
from cturi_rdf.labels.names import name_key, names
from cturi_rdf.rdf.terms import EU_FILE_TYPES
from cturi_rdf.reading.terms import SENTINEL
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import identifiers, type_of_iri
from cturi_rdf.registry.tables import inverted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeGuard

    from cturi_rdf.catalogue.profiles import PropertyRule
    from cturi_rdf.editing.document import Term
    from cturi_rdf.labels import Resolution
    from cturi_rdf.registry import EuFileTypeRecord


# Of the characters of an IRI (RFC 3987), without those that no IRI of RDF has.
_URL = re.compile(r"https?://[^\x00-\x20<>\"{}|\\^`]+")
# The IRIs that registries of types and formats give.
_OF_REGISTRY = re.compile(
    r"https?://(www\.)?(iana\.org/|w3\.org/ns/formats/)|.*/authority/file-type/|contenttype:",
    re.IGNORECASE,
)
_MEANT_AS_TYPE = re.compile(r"[^ /;:]+/[^ /;:]+ *(;|\Z)")
# How many values are remembered as right or wrong.
_REMEMBERED = 8_192


def value_for(rule: PropertyRule, content_type: ContentType, text: str = "") -> Term | None:
    """Return the value that a rule asks for a content type, or None where no form has it.

    `text` is the label that the type was read from: it may be the code or the name of a format
    that is narrower than its media type.

    >>> from cturi_rdf.catalogue.profiles import iri_of, profile_named
    >>> rule = profile_named("dcat-ap").rule_for(iri_of("dct:format"))
    >>> value_for(rule, ContentType.parse("application/pdf"), "PDF/A-2b").value.rpartition("/")[2]
    'PDFA2B'
    """
    for form in rule.write:
        for value in _written(form, content_type, text):
            if form != "media-type" or not rule.pattern or rule.pattern.search(value.value):
                return value
    return None


def _written(
    form: str, content_type: ContentType, text: str = ""
) -> Iterator[ox.NamedNode | ox.Literal]:
    """Yield the values for a content type in a form, the most exact first."""
    # A registered name stays, even where it is another name of a type: text/xml.
    is_current = registry().is_current(content_type.essence)
    canonical = registry().canonical(content_type.essence)
    essence = content_type.essence if is_current and form != "eu-file-type" else canonical
    if form == "media-type":
        named = ContentType.parse(essence)
        yield ox.Literal(str(ContentType(named.type, named.subtype, content_type.parameters)))
        yield ox.Literal(essence)
    elif form == "eu-file-type":
        record = eu_file_type_for(essence, text)
        if record:
            yield _eu_node(record)
    elif registry().is_current(essence):
        for identifier in identifiers(essence):
            if identifier.scheme == form:
                yield ox.NamedNode(identifier.iri)


def eu_code(value: Term) -> str | None:
    """Return the code in the IRI of an EU file type, even one that the EU does not have, or None.

    >>> eu_code(ox.NamedNode(f"{EU_FILE_TYPES.value}/CSV")), eu_code(ox.Literal("CSV"))
    ('CSV', None)
    """
    if not isinstance(value, ox.NamedNode):
        return None
    scheme, _, code = value.value.rpartition("/")
    return code if scheme == EU_FILE_TYPES.value else None


def exists_nowhere(value: Term, resolution: Resolution, *, any_format: bool) -> bool:
    """Return whether a value stands for a type or a format that is in no registry.

    A text does if it is meant as a media type.  Where `any_format` IRI may stand for a format, one
    of a registry has to be there.

    >>> own = ox.NamedNode("http://a.example/our-format")
    >>> [exists_nowhere(own, resolve(own.value), any_format=any_) for any_ in (True, False)]
    [False, True]
    """
    if isinstance(value, ox.NamedNode):
        is_type = not any_format or bool(_OF_REGISTRY.match(value.value))
    else:
        is_type = isinstance(value, ox.Literal) and bool(_MEANT_AS_TYPE.match(value.value))
    return is_type and not is_known(resolution)


def _eu_node(record: EuFileTypeRecord) -> ox.NamedNode:
    return ox.NamedNode(f"{EU_FILE_TYPES.value}/{record.code}")


@lru_cache(maxsize=_REMEMBERED)
def eu_file_type_for(essence: str, text: str) -> EuFileTypeRecord | None:
    """Return the EU's file type that a label names, else the one that is surely of its type.

    >>> eu_file_type_for("image/tiff", "GeoTIFF").code, eu_file_type_for("image/tiff", "tif").code
    ('GEOTIFF', 'TIFF')
    """
    related = registry().related_codes(essence).get("eu-file-type", {})
    records = map(registry().eu_file_type, related)
    usable = [row for row in records if row and not row.deprecated and not row.inner]
    formats = format_keys(text)
    for keys in ({name_key(text)}, formats, set(map(names().first_key, formats))):
        named = [row for row in usable if keys & {name_key(row.code), name_key(row.label)}]
        if len(named) == 1:
            return named[0]
    nearest = [row for row in usable if related[row.code] == "close"]
    # The EU's HDF may be one of three types.
    is_sure = len(nearest) == 1 and resolve(_eu_node(nearest[0]).value).confidence == "certain"
    return nearest[0] if is_sure else None


def relation_of_named(essence: str, text: str) -> str:
    """Return how the EU's file type that a label names is related to its media type, or ``""``.

    >>> [relation_of_named("image/tiff", text) for text in ("GeoTIFF", "TIFF image")]
    ['narrow', 'close']
    """
    record = eu_file_type_for(essence, text)
    related = registry().related_codes(essence).get("eu-file-type", {})
    return related[record.code] if record else ""


def is_special_case(essence: str, text: str) -> bool:
    """Return whether a label names a file type of the EU that is narrower than its media type."""
    return relation_of_named(essence, text) == "narrow"


@lru_cache(maxsize=_REMEMBERED)
def is_right(rule: PropertyRule, value: Term, *, preferred: bool = False) -> bool:
    """Return whether a value is as a rule asks, if `preferred` in a form that is written.

    >>> from cturi_rdf.catalogue.profiles import iri_of, profile_named
    >>> rule = profile_named("pod").rule_for(iri_of("dcat:mediaType"))
    >>> [is_right(rule, ox.Literal(text)) for text in ("text/csv", "text/csv; header=absent")]
    [True, False]
    """
    if isinstance(value, ox.Literal | ox.NamedNode) and rule.also_accepts(value.value):
        return True
    forms = rule.write if preferred else (*rule.write, *rule.accept)
    return any(_has_form(form, rule, value) for form in forms)


def _has_form(form: str, rule: PropertyRule, value: Term) -> bool:
    if form == "name":
        return isinstance(value, ox.Literal) and bool(value.value.strip())
    if form == "media-type":
        return isinstance(value, ox.Literal) and _is_media_type(rule, value.value)
    if form == "url" and is_url(value):
        form, value = "node", ox.NamedNode(value.value)
    if isinstance(value, ox.BlankNode):
        return form == "node"
    if not isinstance(value, ox.NamedNode) or value.value.startswith(SENTINEL):
        return False
    code = eu_code(value)
    if form == "eu-file-type":
        record = registry().eu_file_types().get(code or "")
        return record is not None and not record.deprecated and not is_placeholder(value.value)
    scheme, essences = type_of_iri(value.value) or ("", ())
    if form == "node":
        # Any IRI, except IRIs of IANA that are not of a current type, and files.
        if value.value.startswith("file:") or is_placeholder(value.value):
            return False
        if code is not None and rule.role != "format":
            # The EU's table has file types, which are no media types.
            return False
        return not scheme.startswith("iana") or any(map(registry().is_current, essences))
    return any(value in _written(form, ContentType.parse(essence)) for essence in essences)


def is_url(value: Term) -> TypeGuard[ox.Literal]:
    """Return whether a value is a text that is a URL, which schema.org takes for the node.

    >>> is_url(ox.Literal("https://a.example/x")), is_url(ox.Literal("text/csv"))
    (True, False)
    """
    return isinstance(value, ox.Literal) and _URL.fullmatch(value.value) is not None


def _is_media_type(rule: PropertyRule, text: str) -> bool:
    # The pattern of a profile may allow "n/a".
    if is_placeholder(text) or (rule.pattern and not rule.pattern.search(text)):
        return False
    try:
        essence = ContentType.parse(text).essence
    except ContentTypeError:
        return False
    if not text.lower().startswith(essence):
        # RFC 9110 section 8.3.1 has no space around the slash.
        return False
    if registry().is_current(essence):
        return True
    meant = {content_type.essence for content_type in resolve(essence).types}
    # A name in use is replaced by a registered one only, any other by whatever it resembles.
    is_better = registry().is_current if is_in_use(essence) else bool
    return essence in meant or not any(map(is_better, meant))


def eu_file_type_named(text: str) -> ox.NamedNode | None:
    """Return the EU's file type whose code or name is a label, or None.

    >>> eu_file_type_named("e00").value.rpartition("/")[2]
    'E00'
    """
    nodes = map(_eu_node, _eu_codes(service=False).get(name_key(text), ()))
    return next((node for node in nodes if not is_placeholder(node.value)), None)


def eu_service_named(services: Iterable[str]) -> ox.NamedNode | None:
    """Return the EU's code for a service with one of these names, or None.

    >>> eu_service_named(["Web Map Service"]).value.rpartition("/")[2]
    'WMS_SRVC'
    """
    codes = _eu_codes(service=True)
    named = {record for name in services for record in codes.get(names().first_key(name), ())}
    return _eu_node(named.pop()) if len(named) == 1 else None


@cache
def _eu_codes(*, service: bool) -> dict[str, list[EuFileTypeRecord]]:
    """Return the EU's codes in use for services, or for files, by the keys of codes and names."""
    records = registry().eu_file_types()
    usable = (row for row in records if row.service == service and not row.deprecated)
    return inverted((row, {name_key(row.code), name_key(row.label)}) for row in usable)


def asked_for(rule: PropertyRule) -> str:
    """Return the forms that a rule asks for, in words.

    >>> from cturi_rdf.catalogue.profiles import iri_of, profile_named
    >>> asked_for(profile_named("dcat-ap-ch").rule_for(iri_of("dct:format")))
    'an EU file type or an IRI of IANA'
    """
    return " or ".join(in_languages(form)["en"] for form in rule.write)
