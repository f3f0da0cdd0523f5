"""Labels that are written as media types, correctly or not."""

from __future__ import annotations

import re
from functools import cache

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels.lexicon import names
from cturi_rdf.labels.meaning import Meaning, nothing, one_type
from cturi_rdf.labels.spelling import Speller
from cturi_rdf.labels.unregistered import by_subtype, unregistered
from cturi_rdf.labels.words import name_key, name_keys, words
from cturi_rdf.registry import registry
from cturi_rdf.registry.lookup import inverted
from cturi_rdf.uri.node import as_read

__all__ = ["MEDIA_TYPE", "TOP_LEVEL", "is_top_level", "media_type", "subtype", "typed"]

# RFC 6838 section 4.2 and the registry of top-level types; chemical is in use throughout its field,
# and x- names were allowed for the rest (RFC 2045 section 5.1).
TOP_LEVEL = (
    "application", "audio", "chemical", "example", "font", "haptics", "image", "message",
    "model", "multipart", "text", "video",
)  # fmt: skip
_TOP_LEVELS = Speller(TOP_LEVEL)
_X_TOP_LEVEL = re.compile(r"x-[a-z0-9-]+", re.ASCII)
# RFC 6838 section 4.2: restricted-name, within running text.
MEDIA_TYPE = (
    rf"(?ai:(?:{'|'.join(TOP_LEVEL)})/[a-z0-9]"
    rf"(?:(?!\+(?:{'|'.join(TOP_LEVEL)})/)[a-z0-9!#$&^_.+-])*(?<![!#$&^_.-]))"
)
# A registered name that can stand alone.
_NAMED = re.compile(r"(?:text/(?!vnd\.)|[a-z]+/vnd\.)([a-z0-9.-]+)(?:\+[a-z0-9-]+)?", re.ASCII)
_SHORTEST_NAME = 5
_FOR_SLASH = rf"(?ai)({'|'.join(TOP_LEVEL)})\s*[;\\|]\s*([a-z0-9.+-]+)"
_OTHER_SIGNS = frozenset(";\\|")
_SIGN_OF_SUBTYPE = re.compile(r"[.+-]")
_AROUND_SLASH = re.compile(r"\s*/\s*", re.ASCII)


def typed(label: str) -> Meaning | None:
    """Return the meaning of a label that is a media type, perhaps a broken one, or None.

    >>> typed("Application/VND.apache.Parquet").types
    (ContentType.parse('application/vnd.apache.parquet'),)
    >>> typed("text/html;;charset").confidence
    'likely'
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
    recovered = ContentType.recover(spaced, rules="any")
    content_type = recovered.content_type
    if content_type is None:
        return None
    meaning = media_type(content_type)
    if meaning is None or (not recovered.defects and spaced == label):
        return meaning
    defect = recovered.defects[0].problem if recovered.defects else "space at its slash"
    return meaning.inferred(f"It is a header with a defect: {defect}.")


def _with_other_sign(label: str) -> Meaning | None:
    """Return the listed type that is written with another sign for its slash, or None."""
    match = None if _OTHER_SIGNS.isdisjoint(label) else re.fullmatch(_FOR_SLASH, label)
    content_type = ContentType(match[1].lower(), match[2].lower()) if match else None
    meaning = media_type(content_type) if content_type else None
    if meaning is None or not any(registry().is_current(inner.essence) for inner in meaning.types):
        return None
    return meaning.inferred("It is a media type with another sign for its slash.", "spelling")


def media_type(content_type: ContentType) -> Meaning | None:
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
        reason = f"{essence} is another name of {canonical}."
        if record:
            reason = f"IANA lists {essence} as {record.status}, in favour of {canonical}."
        named = ContentType.parse(canonical).replace(parameters=content_type.parameters)
        return one_type(named, "alias", reason)
    if record:
        status = "" if record.status == "registered" else f" as {record.status}"
        return one_type(content_type, "syntax", f"IANA lists {record.name}{status}.")
    if content_type.subtype in TOP_LEVEL:
        reason = f"IANA does not list {essence}, and its subtype names no format."
        return nothing("syntax", reason)
    return unregistered(content_type)


def subtype(label: str) -> Meaning | None:
    """Return the meaning of a label that is a subtype without its top-level type, or None.

    >>> subtype("vnd.apache.parquet").types
    (ContentType.parse('application/vnd.apache.parquet'),)
    >>> subtype("xml+atom").types
    (ContentType.parse('application/atom+xml'),)
    """
    written, named = label.strip().lower(), _named(label)
    bare, spaced = written.replace(" ", ""), written.replace(" ", "/", 1)
    suffix, plus, name = bare.partition("+")
    essence = (
        (by_subtype(bare) if _SIGN_OF_SUBTYPE.search(bare) else None)
        # A suffix may stand before the name, as in xml+atom.
        or (by_subtype(f"{name}+{suffix}") if plus else None)
        or (spaced if spaced != written and registry().is_current(spaced) else None)
        or (named if named and not words().is_word(name_key(label)) else None)
    )
    if not essence:
        return None
    reason = f"It is {essence} without its top-level type or its slash."
    return one_type(essence, "syntax", reason, likely=True)


def _misspelt_top_level(content_type: ContentType) -> Meaning | None:
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
    key = name_key(written)
    quiet = key in words().of_kind("noise") and names().trusted(key) is None
    if quiet and names().service(name) is None:
        named = names().exact(name) or subtype(name)
        if named is not None and named.types:
            return named.inferred(because)
    return None


def is_top_level(name: str) -> bool:
    """Return whether a name is that of a top-level type, an x- name included."""
    # "x-fmt/111" is an identifier of PRONOM.
    return name in TOP_LEVEL or (name != "x-fmt" and _X_TOP_LEVEL.fullmatch(name) is not None)


def _named(label: str) -> str | None:
    """Return the one registered type with this bare name: of text, or of a vendor."""
    table = registry().media_types()
    essences = _by_name().get(name_key(label), ())
    registered = [essence for essence in essences if table[essence].status == "registered"]
    return registered[0] if len(registered) == 1 else None


@cache
def _by_name() -> dict[str, list[str]]:
    """Return the types by their bare name, as a key.

    "troff" is text/troff, "hl7cda" application/vnd.hl7cda+xml.
    """
    matches = filter(None, map(_NAMED.fullmatch, registry().media_types().keys()))
    named = [match for match in matches if len(match[1]) >= _SHORTEST_NAME]
    keys = name_keys([match[1] for match in named])
    return inverted((match[0], (key,)) for key, match in zip(keys, named, strict=True))
