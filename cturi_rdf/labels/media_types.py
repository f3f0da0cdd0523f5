"""Labels that are written as media types, correctly or not, unlisted types, and misspelt names.

`typed` reads a label.  Of the rules about types that IANA does not list, the first one that has a
meaning counts.

A misspelt name is one typing error away from a known one: two neighbouring characters swapped, one
missing, one too many or one wrong.  Most short words are near another one, so a shorter name may
have fewer kinds of errors: three letters only a swap; more a letter doubled or not doubled; then
any letter too many or missing; and only a long name a wrong letter.
"""

from __future__ import annotations

import re
from functools import cache
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels.names import name_key, names
from cturi_rdf.labels.resolution import nothing, one_type, packed
from cturi_rdf.registry import registry
from cturi_rdf.registry.tables import inverted, load
from cturi_rdf.uri.mapping import as_read

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from cturi_rdf.labels.resolution import Resolution

# RFC 6838 section 4.2 and the registry of top-level types; chemical is in use throughout its field,
# and x- names were allowed for the rest (RFC 2045 section 5.1).
_TOP_LEVEL = (
    "application", "audio", "chemical", "example", "font", "haptics", "image", "message",
    "model", "multipart", "text", "video",
)  # fmt: skip
_PREFIX = re.compile(r"(?:x-|vnd\.|prs\.|x\.)+", re.ASCII)
_BETWEEN_WORDS = re.compile(r"[-_.+]+")
# RFC 6838 section 4.2: restricted-name, within running text.
MEDIA_TYPE = (
    rf"(?ai:(?:{'|'.join(_TOP_LEVEL)})/[a-z0-9]"
    rf"(?:(?!\+(?:{'|'.join(_TOP_LEVEL)})/)[a-z0-9!#$&^_.+-])*(?<![!#$&^_.-]))"
)
# The name of a type that can stand alone: of a text, sound or image, or of a vendor.  Of the rest
# only one with a digit, for the others are ordinary words.
_STANDS_ALONE = re.compile(
    r"(?:(?:audio|font|image|model|text|video)/(?!vnd\.)|[a-z]+/vnd\.|application/(?=[a-z-]+[0-9]))"
    r"([a-z0-9.-]+)(?:\+[a-z0-9-]+)?",
    re.ASCII,
)
_SHORTEST_NAME = 5
_X_TOP_LEVEL = re.compile(r"x-[a-z0-9-]+", re.ASCII)
_OTHER_SIGNS = frozenset(";\\|:")
_SLASH = re.compile(rf"(?ai)\A({'|'.join(_TOP_LEVEL)})(?:\s*(?:[;\\|]|/+)\s*|:(?=\w))")
# Words behind a type, such as "zipped", are no parameters.
_BESIDE_WORDS = re.compile(rf"{MEDIA_TYPE}\s+[^\s;=/][^;=/]*")
# A plus sign that was decoded as in the query of a URL: "application/geo json".
_FOR_PLUS = re.compile(r"([a-z]+/[a-z0-9.-]+) ([a-z0-9-]+)", re.ASCII | re.IGNORECASE)
# The lengths of names from which a misspelling may have more kinds of errors.
_SWAP_ONLY = 3
_ANY_LETTER = 6
_WRONG_LETTER = 7


class SpecifiedTypeRecord(NamedTuple):
    """A type that a specification defines though IANA does not list it."""

    essence: str
    specification: str


def typed(label: str) -> Resolution | None:
    """Return the meaning of a label that is a media type, perhaps a broken one, or None.

    >>> typed("Application/VND.apache.Parquet").types
    (ContentType.parse('application/vnd.apache.parquet'),)
    >>> typed("text/html;;charset").confidence, str(typed("application/geo json").types[0])
    ('likely', 'application/geo+json')
    >>> typed("csv/json")
    """
    if "/" not in label and _OTHER_SIGNS.isdisjoint(label):
        return None
    try:
        return media_type(ContentType.parse(label))
    except CturiError:
        pass
    if len(re.findall(MEDIA_TYPE, label)) > 1:
        return None
    slashed = _SLASH.sub(r"\1/", label)
    plus = _FOR_PLUS.fullmatch(slashed)
    essence = f"{plus[1]}+{plus[2]}".lower() if plus else ""
    if plus and (
        registry().canonical(essence) != essence
        or registry().is_current(essence)
        or (registry().suffix(plus[2].lower()) and not registry().is_current(plus[1].lower()))
    ):
        meaning = media_type(ContentType.parse(essence))
        return meaning and meaning.inferred("It has a blank instead of its plus sign.")
    if _BESIDE_WORDS.fullmatch(label):
        return None
    recovered = ContentType.recover(slashed, rules="any")
    content_type = recovered.content_type
    meaning = media_type(content_type) if content_type else None
    if meaning is None or ("/" not in label and not meaning.registered):
        return None
    defect = recovered.defects[0].problem if recovered.defects else "another sign for its slash"
    return meaning.inferred(f"It is a header with a defect: {defect}.")


def media_type(content_type: ContentType) -> Resolution | None:
    """Return the meaning of a media type as a label, or None for two names with a slash between."""
    # Meanings are kept by their types, and equal types need the same one.
    content_type = as_read(content_type)
    if not is_top_level(content_type.type):
        if not content_type.parameters:
            return _misspelt_top_level(content_type)
        if all(map(names().exact, content_type.essence.split("/"))) or names().exact(
            content_type.essence
        ):
            # "csv/json; charset=utf-8" is a list.
            return None
    if not content_type.parameters and "|" in content_type.subtype:
        # A bar separates the members of a list: no listed type has one (RFC 6838 section 4.2).
        return None
    if content_type.subtype == "*":
        reason = (
            f"{content_type.essence} is a range of types (RFC 9110 section 12.5.1), not a type."
        )
        return nothing("syntax", reason)
    essence = content_type.essence
    record = registry().media_type(essence)
    canonical = registry().canonical(essence)
    is_current = record and not record.replaced_by and record.status != "obsolete"
    if canonical != essence and not is_current:
        reason = f"{essence} is another name for {canonical}."
        if record:
            reason = f"IANA lists {essence} as {record.status}, in favour of {canonical}."
        named = ContentType.parse(canonical).replace(parameters=content_type.parameters)
        return one_type(named, "alias", reason)
    if record:
        status = "" if record.status == "registered" else f" as {record.status}"
        return one_type(content_type, "syntax", f"IANA lists {record.name}{status}.")
    reason = f"{essence} is well-formed, but IANA does not list it."
    as_it_is = one_type(content_type, "syntax", reason)
    # A type with correct parameters is hardly misspelt.
    return as_it_is if content_type.parameters else _unregistered(content_type) or as_it_is


def subtype(label: str) -> Resolution | None:
    """Return the meaning of a label that is a subtype without its top-level type, or None.

    >>> subtype("vnd.apache.parquet").types
    (ContentType.parse('application/vnd.apache.parquet'),)
    >>> subtype("xml+atom").types
    (ContentType.parse('application/atom+xml'),)
    """
    written = label.strip().lower()
    bare, spaced = written.replace(" ", ""), written.replace(" ", "/", 1)
    first, plus, rest = bare.partition("+")
    essence = _of_subtype(bare) if not {".", "+", "-"}.isdisjoint(bare) else None
    if essence is None and plus:
        # A suffix may stand before the name, as in xml+atom.
        essence = _of_subtype(f"{rest}+{first}")
    if registry().is_current(spaced):
        essence = spaced
    key = name_key(bare)
    if essence is None and len(key) >= _SHORTEST_NAME and names().find(key) is None:
        # "troff" is text/troff, "hl7cda" application/vnd.hl7cda+xml.
        named = _of_subtype(key)
        essence = named if named and _STANDS_ALONE.fullmatch(named) else None
    if not essence:
        return None
    reason = f"It is {essence} without its top-level type or its slash."
    return one_type(essence, "syntax", reason, likely=True)


def is_top_level(name: str) -> bool:
    """Return whether a name is that of a top-level type, an x- name included."""
    # "x-fmt/111" is an identifier of PRONOM, and "X-Road" a service.
    is_x_name = name != "x-fmt" and _X_TOP_LEVEL.fullmatch(name) is not None
    return name in _TOP_LEVEL or (is_x_name and names().exact(name) is None)


def _misspelt_top_level(content_type: ContentType) -> Resolution | None:
    """Return the type with this subtype where the top-level type is misspelt or a word of noise."""
    written, name = content_type.type, content_type.subtype
    if "/" in name:
        return None
    because = f"There is no top-level type {written}."
    meant = near(written, frozenset(_TOP_LEVEL)) or (("image",) if written == "img" else ())
    for top_level in meant:
        meaning = media_type(ContentType(top_level, name))
        if meaning and meaning.types and registry().is_current(meaning.types[0].essence):
            return meaning.inferred(because, "spelling")
    named = after_word(written, name)
    return named and named.inferred(because)


def after_word(word: str, name: str) -> Resolution | None:
    """Return the meaning of a name behind a slash, if the word before it names no format."""
    if not names().kinds(word) & {"noise", "qualifier", "thing"} or names().trusted(word):
        return None
    named = names().exact(name) or subtype(name)
    return named if named is not None and named.types else None


# -- types that IANA does not list ---------------------------------------------------------


def _unregistered(content_type: ContentType) -> Resolution | None:
    """Return the meaning of a type that IANA does not list and no table has as an alias."""
    return (
        _in_use(content_type)
        or _packed(content_type)
        or _named(content_type)
        or _placeholder(content_type)
        or _misspelt(content_type)
    )


def _of_subtype(name: str) -> str | None:
    """Return the one known type with this subtype, or None if there is none or more than one."""
    canonical = {registry().canonical(essence) for essence in _by_subtype().get(name, ())}
    return canonical.pop() if len(canonical) == 1 else None


def _in_use(content_type: ContentType) -> Resolution | None:
    """Keep a type that a specification defines, or that has a file extension or EU file type."""
    snapshot, essence = registry(), content_type.essence
    record = load("specified-types.tsv", SpecifiedTypeRecord).get(essence)
    if record is not None:
        reason = f"{essence} is a type of {record.specification}; IANA does not list it."
    elif snapshot.extensions_of(essence) or snapshot.codes_of("eu-file-type", essence):
        reason = f"{essence} is a type in use, but IANA does not list it."
    else:
        return None
    return one_type(content_type, "syntax", reason)


def _packed(content_type: ContentType) -> Resolution | None:
    """Read a package at either side of a plus, as in text/csv+gzip and application/zip+json."""
    stem, _, suffix = content_type.subtype.rpartition("+")
    record = registry().suffix(suffix) if stem else None
    inner, outer = f"{content_type.type}/{stem}", (record and record.base) or ""
    if registry().packaging(outer) and outer not in registry().broader(inner):
        return _in_package(content_type, inner, outer)
    first, _, rest = content_type.subtype.partition("+")
    outer = f"{content_type.type}/{first}"
    if not rest or registry().packaging(outer) is None:
        return None
    return _in_package(content_type, f"{content_type.type}/{rest}", outer)


def _in_package(content_type: ContentType, inner: str, outer: str) -> Resolution:
    meaning = media_type(ContentType.parse(inner))
    essence = meaning.types[0].essence if meaning and meaning.types else inner
    if essence == outer:
        # A Darwin Core archive is a zip file.
        return one_type(outer, "syntax", f"{content_type.essence} is {outer}.", likely=True)
    reason = f"{content_type.essence} is {essence} in {outer}."
    return packed([essence], [outer], "syntax", reason, likely=True)


def _placeholder(content_type: ContentType) -> Resolution | None:
    """Refuse example/ (RFC 4735), a name such as x-unknown or force-download, and audio/video."""
    bare = bare_name(content_type.essence)
    name = names().find(bare)
    parts = [names().find(word) for word in _BETWEEN_WORDS.split(bare) if word]
    empty = any(part and "placeholder" in part.kinds for part in parts) and all(
        part and (part.unnamed or "noise" in part.kinds) for part in parts
    )
    is_type = content_type.type == "example" or content_type.subtype in _TOP_LEVEL
    if is_type or empty or (name and name.unnamed):
        reason = f"IANA does not list {content_type.essence}, and its subtype names no format."
        return nothing("syntax", reason)
    return None


def _named(content_type: ContentType) -> Resolution | None:
    """Read the subtype as the name of a format or a service.

    A suffix may be too many, for KMZ is no XML, or stand before the name: application/xml+atom.
    """
    essence = content_type.essence
    reason = f"IANA does not list {essence}."
    stem = essence.rpartition("+")[0]
    first, _, rest = bare_name(essence).partition("+")
    named = names().trusted(name_key(first + rest))
    if named is None and registry().suffix(first):
        named = names().trusted(name_key(rest + first))
    is_example = content_type.type == "example"
    if named is not None and named.verdict in {"service", "compound"} and not is_example:
        return named.inferred(reason)
    if named is None and (stem or is_example):
        named = subtype(content_type.subtype)
    if named is None and registry().is_current(stem):
        reason = f"{reason} {stem} has no such suffix."
        return one_type(stem, "spelling", reason, likely=True)
    if named is None or named.verdict != "media_type":
        return None
    return one_type(named.types[0], "alias", f"{reason} {named.reason}", likely=True)


def _misspelt(content_type: ContentType) -> Resolution | None:
    """Find the one known type whose name is a typing error away."""
    stem = content_type.essence.removesuffix(bare_name(content_type.essence))
    names_near = near(bare_name(content_type.essence), _by_name().keys())
    types = {essence for name in names_near for essence in _by_name()[name]}
    meant = {registry().canonical(one) for one in types if one.removesuffix(bare_name(one)) == stem}
    if len(meant) != 1:
        return None
    (essence,) = meant
    return one_type(essence, "spelling", f"It is a misspelling of {essence}.", likely=True)


def bare_name(essence: str) -> str:
    """Return the subtype without what stands before its name, such as "x-"."""
    return _PREFIX.sub("", essence.partition("/")[2])


@cache
def _common() -> frozenset[str]:
    """Return the types that files have, which are the ones that people misspell."""
    return frozenset(registry().alias_records().keys() | registry().extensions_by_type().keys())


@cache
def _by_name() -> dict[str, list[str]]:
    """Return the types that files have by their names without a prefix."""
    return inverted((essence, [bare_name(essence)]) for essence in _common())


@cache
def _by_subtype() -> dict[str, list[str]]:
    """Return the types by subtype, and those that stand alone also by its letters."""
    specified = load("specified-types.tsv", SpecifiedTypeRecord)
    essences = {*_common(), *registry().media_types().keys(), *specified.keys()}
    names_of = {essence: [essence.partition("/")[2]] for essence in essences}
    for match in filter(None, map(_STANDS_ALONE.fullmatch, essences)):
        names_of[match[0]].append(name_key(match[1]))
    return inverted(names_of.items())


# -- misspelt names ----------------------------------------------------------------------


def misspelt(text: str) -> Resolution | None:
    """Return the meaning of a name with one typing error, or None."""
    key, own = name_key(text), names().find(text)
    words = () if own and own.is_word else near(key, names().common)
    meanings: dict[object, tuple[str, Resolution]] = {}
    for word in words:
        name = names().find(word)
        # A short name is near many others by chance: only common ones count.
        if len(key) <= _SWAP_ONLY and (name is None or name.source != "eu-file-type"):
            continue
        meant = names().trusted(word)
        if meant is not None and meant.verdict in {"media_type", "compound", "service"}:
            meanings.setdefault((meant.verdict, meant.types, meant.wrappers), (word, meant))
    if not meanings:
        return None
    if len(meanings) > 1:
        readings = " or ".join(sorted(word for word, _ in meanings.values()))
        reason = f"It is a misspelling, and could be {readings}."
        types = [one for _, meant in meanings.values() for one in meant.types]
        return nothing("spelling", reason).or_else(types)
    ((word, meant),) = meanings.values()
    rule = "service" if meant.verdict == "service" else "spelling"
    return meant.inferred(f"It is a misspelling of {word}.", rule)


def near(name: str, table: AbstractSet[str]) -> tuple[str, ...]:
    """Return the known names that are one likely error away: only swaps, if there are any.

    >>> near("xslx", {"xlsx", "csv", "shapefile"}), near("wms", {"wmf"})
    (('xlsx',), ())
    """
    if len(name) < _SWAP_ONLY or name.isdigit():
        return ()
    halves = [(name[:at], name[at:]) for at in range(len(name))]
    swapped = table & {start + end[1::-1] + end[2:] for start, end in halves[:-1]} - {name}
    if swapped or len(name) == _SWAP_ONLY:
        return tuple(sorted(swapped))
    # Another first letter makes another word, another digit another version.
    errors = {
        start + end[1:]
        for start, end in halves[1:]
        if not end[0].isdigit() and (end[0] == start[-1] or len(name) > _ANY_LETTER)
    }
    errors |= {
        start + letter + end
        for start, end in [*halves[1:], (name, "")]
        for letter in ascii_lowercase
        if letter == start[-1] or len(name) >= _ANY_LETTER
    }
    if len(name) >= _WRONG_LETTER:
        letters = ascii_lowercase + digits
        errors |= {start + letter + end[1:] for start, end in halves[1:] for letter in letters}
    return tuple(sorted(table & errors - {name}))
