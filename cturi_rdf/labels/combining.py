"""What the formats of a label mean together: lists, packages, and the nouns beside them."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from cturi_rdf.labels.names import is_packer, names
from cturi_rdf.labels.resolution import (
    nothing,
    one_or_more,
    one_type,
    packed,
    with_readings_of,
)
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import ancestry, is_rdf_syntax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.candidates import Candidate
    from cturi_rdf.labels.resolution import Resolution

_WORLD_FILE, _PLAIN_TEXT = "application/x-worldfile", "text/plain"
_TAR = "application/x-tar"
_PAIR, _MANY = 2, 3
_MEDIA = frozenset({"archive", "audio", "font", "image", "video"})
# What the type has in its name for a noun, in families of formats of an office.
_PARTS = {
    "chart": ("chart",), "database": (".base",), "drawing": ("graphics", ".draw"),
    "formula": ("formula", ".math"), "presentation": ("presentation", ".impress"),
    "spreadsheet": ("spreadsheet", ".calc"),
    "writing": ("document.text", "wordprocessing", ".writer"),
}  # fmt: skip
# The marks that may stand within a member of a list.
_WITHIN_MEMBERS = frozenset({":", "/", "+", "&", "and"})
NOUNS = _MEDIA | _PARTS.keys() | {"template"}


def joined(
    sequence: list[Candidate], formats: list[Candidate], *, is_packed: bool = False
) -> Resolution:
    """Return the meaning of formats together, in the packages of the label if they are packed."""
    marks = of_kind(sequence, "list")
    kept = _most_exact(formats, marks)
    meanings = [one.meaning for one in kept if one.meaning]
    types = list(dict.fromkeys(one for meaning in meanings for one in meaning.types))
    wrapped = next((one.meaning for one in formats if one.meaning and one.meaning.wrappers), None)
    if wrapped:
        # "tar.gz, CSV": the package inside the compression holds the rest.
        inside = tuple(one for one in wrapped.types if registry().packaging(one.essence))
        files = [one for one in types if not registry().packaging(one.essence)]
        types, wrappers = files or types, wrapped.wrappers + (inside[:1] if files else ())
    else:
        wrappers = nested(sequence) if is_packed else ()
        # A format such as GTFS is itself the package that is named beside it.
        types = [one for one in types if one not in wrappers] or types
    if tuple(types) == wrappers:
        return one_type(types[0], "prose", f"{formats[0].text} names {types[0].essence}.")
    likely = any(meaning.confidence == "likely" for meaning in meanings)
    # Where there are several packages to choose from, the first counts.
    likely = likely or (is_packed and len(packers(sequence)) > len(wrappers) > 0)
    # In a longer list a package may be one more member; a colon only ends a heading.
    between = [mark for mark in marks if mark.sign != ":" and not mark.depth]
    likely = likely or (wrapped is not None and len(between) > 1)
    texts = ", ".join(dict.fromkeys(one.text for one in kept))
    reason = f"{texts}: {', '.join(one.essence for one in types)}" if types else texts
    if is_packed or wrappers:
        how = "".join(f", in {wrapper.essence}" for wrapper in reversed(wrappers))
        reason += f"{how or ', packed, but it does not say how'}."
        return with_readings_of(packed(types, wrappers, "prose", reason, likely=likely), meanings)
    # Two formats side by side are hardly a list, and one in brackets is that of the one before it.
    is_list = not any(_together(one, two, marks) for one, two in pairwise(kept))
    is_pair = len(types) == len(kept) == _PAIR and not meanings[1].alternatives
    if is_pair and not is_list and kept[0].depth < kept[1].depth:
        # A program in brackets is what opens the file: "HTML (Calc)".
        last = "program" not in kept[1].use
        return one_type(types[last], "prose", f"{reason}.").or_else([types[not last]])
    likely = likely or (len(types) > 1 and not is_list)
    return with_readings_of(one_or_more(types, "prose", f"{reason}.", likely=likely), meanings)


def _most_exact(formats: list[Candidate], marks: list[Candidate]) -> list[Candidate]:
    """Leave out each format of which another says more, unless both are members of a list.

    "Excel (XLSX)" is one format, "Excel, XLSX" are two; three side by side are a list.
    """
    if any("delimited" in one.words for one in formats):
        # "text, comma separated" is one kind of text.
        formats = [one for one in formats if "text" not in one.words]
    # The extension of a filter of files is exact, as in "Visio XML (*.vdx)".
    filters = [one for one in formats if one.sign == "*"]
    exact = {one.types for one in filters}
    formats = [
        one
        for one in formats
        if one.types in exact
        or all(_is_broader(two, one) or not _together(one, two, marks) for two in filters)
    ]
    # A heading, before a colon and a blank, is told more exactly behind them: "RDF: Turtle".
    starts = {one.start for one in formats}
    inner = [mark for mark in marks if mark.sign != ":" or mark.end in starts]
    are_many = not marks and len({one.meaning for one in formats if not one.depth}) >= _MANY
    kept = [
        one
        for one in formats
        if are_many
        or not any(
            _together(one, other, marks if one.start > other.start else inner)
            and _is_broader(one, other)
            and not _is_broader(other, one)
            for other in formats
            if other is not one
        )
    ]
    # "tar.gz (CSV)" is about what is inside.
    files = [
        one
        for one in kept
        if not (one.meaning and is_packer(one.meaning))
        or any(not _together(one, other, marks) for other in kept)
    ]
    return files or kept


def _together(one: Candidate, other: Candidate, marks: list[Candidate]) -> bool:
    """Return whether no mark between two candidates makes them members of one list."""
    first, last = (one, other) if one.start < other.start else (other, one)
    depth = min(one.depth, other.depth)
    return not any(first.start < mark.start < last.start and mark.depth <= depth for mark in marks)


def _is_broader(one: Candidate, other: Candidate) -> bool:
    """Return whether a format says less than another one beside it."""
    if not (one.meaning and one.types and other.types):
        return False
    broad, narrow = one.types[0], other.types[0]
    if one.name and one.name.format and "family" in one.name.format.use:
        return _is_of_family(one.meaning, narrow)
    is_rdf = one.text.lower() == "rdf"
    return broad != narrow and _says_less(broad.essence, narrow, is_rdf=is_rdf)


@lru_cache(maxsize=4_096)
def _says_less(broad: str, narrow: ContentType, *, is_rdf: bool) -> bool:
    if narrow.essence == _WORLD_FILE:
        # "JPEG world file" is about the file beside a JPEG image.
        return True
    if is_rdf:
        # "RDF as Turtle" names one syntax.
        return is_rdf_syntax(narrow.essence)
    # "STL (ASCII)" says how a file is written, "XML (KML)" in which format.
    return registry().canonical(broad) in {_PLAIN_TEXT, *ancestry(narrow.essence)}


def _is_of_family(family: Resolution, narrow: ContentType) -> bool:
    """Return whether a type is one of those that a family of formats has; a page has any."""
    readings = [reading.types[0].essence for reading in family.alternatives]
    stems = tuple(f"{stem}." for one in readings for stem in (one, one.rpartition(".")[0]))
    return not readings or narrow.essence in readings or narrow.essence.startswith(stems)


def nested(sequence: list[Candidate]) -> tuple[ContentType, ...]:
    """Return the wrappers in a label, the outermost first.

    Before the formats the outermost is named first, after them last: "zip of csv.gz" and
    "csv.gz.zip".  Of several with a mark between them, as in "CSV (ZIP, 7z)", the first counts.
    A compression is around a tar wherever it is named.
    """
    packages = packers(sequence)
    compressions = [one for one in packages if registry().packaging(one.essence) == "compression"]
    tars = [one for one in packages if one.essence == _TAR]
    if compressions and tars:
        return compressions[0], tars[0]
    at = [place for place, one in enumerate(sequence) if one.kind == "package" and one.meaning]
    between = sequence[at[0] : at[-1]] if at else []
    if any(one.kind == "list" and one.sign != ":" for one in between):
        return tuple(packages)[:1]
    start = next((place for place, one in enumerate(sequence) if one.kind == "format"), 0)
    before = packers(sequence[:start])
    return (*before, *(one for one in reversed(packages) if one not in before))


def packers(sequence: list[Candidate]) -> dict[ContentType, str]:
    """Return the types of the packages in a label, each with its name there."""
    named = of_kind(sequence, "package")
    return {one.meaning.types[0]: one.text for one in named if one.meaning}


def of_kind(sequence: Sequence[Candidate], *kinds: str) -> list[Candidate]:
    """Return the candidates of some kinds."""
    return [candidate for candidate in sequence if candidate.kind in kinds]


# -- what nouns say --------------------------------------------------------------------------


def of_nouns(sequence: list[Candidate], nouns: set[str]) -> list[Candidate]:
    """Choose among the types of a name the one that a noun says, as in "ODF drawing".

    Then such nouns are not left over, and "texto" is no plain text in "texto ODF".
    """
    chosen = [_of_noun(one, nouns) for one in sequence]
    left_out = {"template"} if chosen == sequence else NOUNS - _MEDIA
    return [one for one in chosen if left_out.isdisjoint(one.words)]


def _of_noun(candidate: Candidate, nouns: set[str]) -> Candidate:
    meaning = candidate.meaning
    if candidate.kind == "service" and (row := registry().extension(candidate.text.lower())):
        # DDS is a service, but "DDS image" is a format.
        meaning = nothing("extension", "").or_else(row.types)
    if meaning is None or not meaning.alternatives:
        return candidate
    types = [reading.types[0] for reading in meaning.alternatives]
    fitting = [one for one in types if one.type in nouns]
    if not meaning.types:
        parts = tuple(part for noun in nouns for part in _PARTS.get(noun, ()))
        fitting += [one for one in types if any(part in one.essence for part in parts)]
    if len(fitting) != 1:
        return candidate
    reason = f"{candidate.text} beside such a noun is {fitting[0].essence}."
    likely = bool(meaning.types) or candidate.kind == "service"
    chosen = one_type(fitting[0], "prose", reason, likely=likely)
    return candidate._replace(kind="format", meaning=chosen)


def of_medium(meaning: Resolution, sequence: list[Candidate], nouns: set[str]) -> Resolution:
    """Weigh a word such as "audio" or "archive" beside a format of another kind."""
    nouns = nouns & _MEDIA
    if not nouns or meaning.verdict != "media_type" or is_packer(meaning):
        return meaning
    (named,) = meaning.types
    if any(noun in named.essence for noun in nouns):
        return meaning
    because = f"It is said to be {' or '.join(sorted(nouns))}."
    # "MPEG audio" is audio/mpeg, but MP3 names no video though video/mpeg is listed.
    spelt = {names().first_key(one.text) for one in of_kind(sequence, "format")}
    others = (f"{one}/{named.subtype}" for one in sorted(nouns) if named.subtype in spelt)
    if other := next(filter(registry().is_current, others), None):
        return one_type(other, "prose", because, likely=True)
    if "archive" in nouns:
        return meaning.inferred("It may be packed.")
    is_program = all("program" in one.use for one in of_kind(sequence, "format"))
    is_medium = "font" in nouns or any(medium in named.essence for medium in _MEDIA)
    if is_medium or is_program:
        return nothing("prose", because, likely=True).or_else(meaning.types)
    return meaning


def of_template(meaning: Resolution) -> Resolution:
    """Read the template of a format, which IANA lists with that word at the end of its name."""
    is_one = len(meaning.types) == 1 and not meaning.alternatives
    essence = meaning.types[0].essence if is_one else ""
    stem = essence.rpartition(".")[0]
    for other in (f"{essence}-template", f"{essence}.template", f"{stem}.template"):
        if registry().is_current(other) or registry().extensions_of(other):
            reason = f"It is the template of {essence}."
            return one_type(other, "prose", reason, likely=meaning.confidence == "likely")
    if essence in names().syntaxes:
        return meaning.inferred("It may be a template.")
    return nothing("prose", "A template is not in the format of what it makes.")


def of_program(meaning: Resolution, sequence: list[Candidate]) -> Resolution:
    """Weigh the name of a program beside a word that may mean another of its formats."""
    formats = of_kind(sequence, "format")
    marks = {one.sign for one in of_kind(sequence, "list")}
    if len(formats) != 1 or marks - _WITHIN_MEMBERS:
        return meaning
    use = formats[0].use
    words = of_kind(sequence, "thing", *(["word", "qualifier"] if "program" in use else []))
    beside = [one for one in words if one.depth == formats[0].depth]
    if not beside or not {"program", "family"}.intersection(use):
        return meaning
    reason = f"{beside[0].text} may be another format of {formats[0].text}."
    return nothing("prose", reason, likely=True).or_else(meaning.types)
