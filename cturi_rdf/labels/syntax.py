"""Labels that are media types by their syntax, right or broken."""

from __future__ import annotations

import re
from functools import cache

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels.lexicon import names
from cturi_rdf.labels.meaning import Meaning, nothing, one_type
from cturi_rdf.labels.spelling import Speller
from cturi_rdf.labels.words import fused, words
from cturi_rdf.registry import registry

__all__ = ["MEDIA_TYPE", "TOP_LEVEL", "is_top_level", "media_type", "subtype", "typed"]

# RFC 6838 section 4.2 and the registry of top-level types; chemical is used by all of its
# field, and x- names were allowed for the rest (RFC 2045 section 5.1).
TOP_LEVEL = (
    "application", "audio", "chemical", "example", "font", "haptics", "image", "message",
    "model", "multipart", "text", "video",
)  # fmt: skip
_X_TOP_LEVEL = re.compile(r"x-[a-z0-9-]+", re.ASCII)
# RFC 6838 section 4.2: restricted-name, within running text.
MEDIA_TYPE = re.compile(
    rf"(?:{'|'.join(TOP_LEVEL)})/[a-z0-9][a-z0-9!#$&^_.+-]*[a-z0-9+]|(?:{'|'.join(TOP_LEVEL)})/[a-z]",
    re.ASCII | re.IGNORECASE,
)
_PREFIX = re.compile(r"(?:x-|vnd\.|prs\.|x\.)+", re.ASCII)
_AROUND_SLASH = re.compile(r"\s*/\s*", re.ASCII)


def typed(label: str) -> Meaning | None:
    """Return what a label means that is a media type, perhaps a broken one, or None.

    >>> typed("Application/VND.apache.Parquet").types
    (ContentType.parse('application/vnd.apache.parquet'),)
    >>> typed("text/html;;charset").confidence
    'likely'
    >>> typed("csv/json")
    """
    if "/" not in label:
        return None
    try:
        return media_type(ContentType.parse(label))
    except CturiError:
        pass
    if len(MEDIA_TYPE.findall(label)) > 1:
        return None
    spaced = _AROUND_SLASH.sub("/", label)
    recovered = ContentType.recover(spaced)
    content_type = recovered.content_type
    if content_type is None:
        return None
    found = media_type(content_type)
    if found is None or (not recovered.defects and spaced == label):
        return found
    defect = recovered.defects[0].problem if recovered.defects else "space at its slash"
    return found.inferred(f"It is a header with a defect: {defect}.")


def media_type(content_type: ContentType) -> Meaning | None:
    """Return what a media type means as a label, or None where it is none but by its slash."""
    if not is_top_level(content_type.type):
        return _misspelt_top_level(content_type)
    essence = content_type.essence
    record = registry().media_type(essence)
    if record and not record.replaced_by and record.status != "obsolete":
        return one_type(content_type, "syntax", f"IANA lists {record.name}.")
    canonical = registry().canonical(essence)
    if canonical != essence:
        reason = f"{essence} is another name of {canonical}."
        if record:
            reason = f"IANA lists {essence} as {record.status}, in favour of {canonical}."
        return _renamed(content_type, canonical, "alias", reason)
    if fused(content_type.subtype) in words().unnamed or content_type.subtype in TOP_LEVEL:
        reason = f"IANA does not list {essence}, and its subtype names no format."
        return nothing("syntax", reason)
    return _unregistered(content_type)


def subtype(label: str) -> Meaning | None:
    """Return what a label means that is a subtype without its top-level type, or None.

    >>> subtype("vnd.apache.parquet").types
    (ContentType.parse('application/vnd.apache.parquet'),)
    """
    key = label.strip().lower().replace(" ", "")
    found = _by_subtype().get(key) if "." in key or "+" in key or "-" in key else None
    if not found:
        first, _, rest = label.strip().lower().partition(" ")
        if first in TOP_LEVEL and registry().is_current(f"{first}/{rest}"):
            found = f"{first}/{rest}"
    if not found:
        return None
    reason = f"It is {found} without its top-level type or its slash."
    return one_type(found, "syntax", reason, likely=True)


def _unregistered(content_type: ContentType) -> Meaning:
    """Return what a type means that IANA does not list and no table has as an alias."""
    essence = content_type.essence
    reason = f"{essence} is well-formed, but IANA does not list it."
    kept = one_type(content_type, "syntax", reason)
    if registry().extensions_of(essence) or registry().codes_of("eu-file-type", essence):
        return kept
    bare = _PREFIX.sub("", content_type.subtype)
    service = names().service(bare)
    if service is not None:
        return service.inferred(f"{essence} is an invented type: {bare} is no format.")
    # A suffix too many: KMZ is no XML.
    stem, _, suffix = essence.rpartition("+")
    if stem and registry().is_current(stem):
        reason = f"{stem} is no type of +{suffix}."
        return _renamed(content_type, stem, "spelling", reason, likely=True)
    lettered = _by_letters().get(fused(essence))
    if lettered:
        reason = f"It is {lettered} spelt wrong."
        return _renamed(content_type, lettered, "spelling", reason, likely=True)
    named = names().trusted(fused(bare))
    if named is not None and named.verdict == "media_type":
        reason = f"IANA does not list {essence}; {named.reason}"
        return _renamed(content_type, named.types[0].essence, "alias", reason, likely=True)
    near = {_canonical(each) for each in _speller().near(essence)}
    if len(near) == 1:
        (meant,) = near
        reason = f"It is {meant} spelt wrong."
        return _renamed(content_type, meant, "spelling", reason, likely=True)
    return kept


def _misspelt_top_level(content_type: ContentType) -> Meaning | None:
    """Return the type that has this subtype, where the top-level type is none but meant as one."""
    written, name = content_type.type, content_type.subtype
    if "/" in name:
        return None
    because = f"There is no top-level type {written}."
    meant = _top_levels().near(written) or (("image",) if written == "img" else ())
    for top_level in meant:
        found = media_type(ContentType(top_level, name, content_type.parameters))
        if found and found.types and registry().is_current(found.types[0].essence):
            return found.inferred(because, "spelling")
    quiet = fused(written) in words().are("noise") and names().trusted(fused(written)) is None
    if quiet and names().service(name) is None:
        named = names().exact(name) or subtype(name)
        if named is not None and named.types:
            return named.inferred(because)
    return None


def _renamed(
    content_type: ContentType, essence: str, rule: str, reason: str, *, likely: bool = False
) -> Meaning:
    kind, _, name = essence.partition("/")
    meant = ContentType(kind, name, content_type.parameters)
    return one_type(meant, rule, reason, likely=likely)


def is_top_level(name: str) -> bool:
    """Return whether a name is that of a top-level type, an x- name included."""
    return name in TOP_LEVEL or _X_TOP_LEVEL.fullmatch(name) is not None


def _canonical(essence: str) -> str:
    return registry().canonical(essence)


@cache
def _top_levels() -> Speller:
    return Speller(TOP_LEVEL)


@cache
def _common() -> frozenset[str]:
    """Return the types that files have: those that are misspelt are among them."""
    types = {each for record in registry().extensions() for each in record.types}
    return frozenset(types | {each.alias for each in registry().alias_records()})


@cache
def _speller() -> Speller:
    return Speller(_common())


@cache
def _by_letters() -> dict[str, str | None]:
    """Return the registered types by their letters and digits; None where two are alike."""
    found: dict[str, str | None] = {}
    for record in registry().media_types():
        if record.status != "obsolete":
            key = fused(record.essence)
            found[key] = None if key in found else record.essence
    return found


@cache
def _by_subtype() -> dict[str, str | None]:
    """Return the types by subtype alone; None where two types differ in the rest."""
    found: dict[str, str | None] = {}
    listed = [each.essence for each in registry().media_types()]
    for essence in (*_common(), *listed):
        canonical = _canonical(essence)
        name = essence.partition("/")[2]
        before = found.setdefault(name, canonical)
        if before != canonical:
            found[name] = None
    return found
