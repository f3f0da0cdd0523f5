"""Labels that are written as media types, correctly or not: `typed` reads a label."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels.names import names
from cturi_rdf.labels.resolution import one_type
from cturi_rdf.labels.spelling import Speller
from cturi_rdf.labels.unregistered import TOP_LEVEL, by_subtype, unregistered
from cturi_rdf.registry import registry
from cturi_rdf.uri.node import as_read

if TYPE_CHECKING:
    from cturi_rdf.labels.resolution import Resolution

_TOP_LEVELS = Speller(TOP_LEVEL)
# RFC 6838 section 4.2: restricted-name, within running text.
MEDIA_TYPE = (
    rf"(?ai:(?:{'|'.join(TOP_LEVEL)})/[a-z0-9]"
    rf"(?:(?!\+(?:{'|'.join(TOP_LEVEL)})/)[a-z0-9!#$&^_.+-])*(?<![!#$&^_.-]))"
)
_X_TOP_LEVEL = re.compile(r"x-[a-z0-9-]+", re.ASCII)
_OTHER_SIGNS = frozenset(";\\|")
_FOR_SLASH = rf"(?ai)({'|'.join(TOP_LEVEL)})\s*[;\\|]\s*([a-z0-9.+-]+)"
# A plus sign that was decoded as in the query of a URL: "application/geo json".
_FOR_PLUS = re.compile(r"([a-z]+/[a-z0-9.-]+) ([a-z0-9-]+)", re.ASCII | re.IGNORECASE)
_AROUND_SLASH = re.compile(r"\s*/\s*", re.ASCII)


def typed(label: str) -> Resolution | None:
    """Return the meaning of a label that is a media type, perhaps a broken one, or None.

    >>> typed("Application/VND.apache.Parquet").types
    (ContentType.parse('application/vnd.apache.parquet'),)
    >>> typed("text/html;;charset").confidence, str(typed("application/geo json").types[0])
    ('likely', 'application/geo+json')
    >>> typed("csv/json")
    """
    if "/" not in label:
        return _with_other_sign(label)
    try:
        return media_type(ContentType.parse(label))
    except CturiError:
        pass
    if len(re.findall(MEDIA_TYPE, label)) > 1:
        return None
    spaced = _AROUND_SLASH.sub("/", label)
    plus = _FOR_PLUS.fullmatch(spaced)
    essence = f"{plus[1]}+{plus[2]}".lower() if plus else ""
    if plus and (
        registry().canonical(essence) != essence
        or registry().is_current(essence)
        or (registry().suffix(plus[2].lower()) and not registry().is_current(plus[1].lower()))
    ):
        meaning = media_type(ContentType.parse(essence))
        return meaning and meaning.inferred("It has a blank instead of its plus sign.")
    recovered = ContentType.recover(spaced, rules="any")
    content_type = recovered.content_type
    meaning = media_type(content_type) if content_type else None
    if meaning is None or (not recovered.defects and spaced == label):
        return meaning
    defect = recovered.defects[0].problem if recovered.defects else "space at its slash"
    return meaning.inferred(f"It is a header with a defect: {defect}.")


def _with_other_sign(label: str) -> Resolution | None:
    """Return the listed type that is written with another sign for its slash, or None."""
    match = None if _OTHER_SIGNS.isdisjoint(label) else re.fullmatch(_FOR_SLASH, label)
    content_type = ContentType(match[1].lower(), match[2].lower()) if match else None
    meaning = media_type(content_type) if content_type else None
    if meaning is None or not any(registry().is_current(inner.essence) for inner in meaning.types):
        return None
    return meaning.inferred("It is a media type with another sign for its slash.", "spelling")


def media_type(content_type: ContentType) -> Resolution | None:
    """Return the meaning of a media type as a label, or None for two names with a slash between."""
    # Meanings are kept by their types, and equal types need the same one.
    content_type = as_read(content_type)
    if not is_top_level(content_type.type):
        return _misspelt_top_level(content_type)
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
    return unregistered(content_type)


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
    essence = by_subtype(bare) if not {".", "+", "-"}.isdisjoint(bare) else None
    if essence is None and plus:
        # A suffix may stand before the name, as in xml+atom.
        essence = by_subtype(f"{rest}+{first}")
    if essence is None and spaced != written and registry().is_current(spaced):
        essence = spaced
    if not essence:
        return None
    reason = f"It is {essence} without its top-level type or its slash."
    return one_type(essence, "syntax", reason, likely=True)


def is_top_level(name: str) -> bool:
    """Return whether a name is that of a top-level type, an x- name included."""
    # "x-fmt/111" is an identifier of PRONOM.
    return name in TOP_LEVEL or (name != "x-fmt" and _X_TOP_LEVEL.fullmatch(name) is not None)


def _misspelt_top_level(content_type: ContentType) -> Resolution | None:
    """Return the type with this subtype where the top-level type is misspelt or a word of noise."""
    written, name = content_type.type, content_type.subtype
    if "/" in name:
        return None
    because = f"There is no top-level type {written}."
    meant = _TOP_LEVELS.near(written) or (("image",) if written == "img" else ())
    for top_level in meant:
        meaning = media_type(ContentType(top_level, name, content_type.parameters))
        if meaning and meaning.types and registry().is_current(meaning.types[0].essence):
            return meaning.inferred(because, "spelling")
    named = after_word(written, name)
    return named and named.inferred(because)


def after_word(word: str, name: str) -> Resolution | None:
    """Return the meaning of a name behind a slash, if the word before it names no format.

    >>> after_word("katalog", "json").types
    (ContentType.parse('application/json'),)
    >>> after_word("csv", "json")
    """
    if not names().kinds(word) & {"noise", "qualifier", "thing"} or names().trusted(word):
        return None
    named = names().exact(name) or subtype(name)
    return named if named is not None and named.types else None
