"""The second pass over a label: what its candidates say together.

Some candidates are left out first: a format that a noun makes another thing ("Shapefile
metadata"), a source or purpose ("via FTP"), what surrounds a format, and services in a list that
has formats too.  Then the signature of the label, with one character a candidate, is matched
against `PATTERNS`; the first pattern that matches says how the rest is read.

The answer is certain only if nothing is left over: no unknown word, no qualifier, no format without
a type, no second package to choose from, and no two formats side by side without a mark.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.labels.candidates import candidates
from cturi_rdf.labels.names import names
from cturi_rdf.labels.resolution import (
    Resolution,
    nothing,
    one_or_more,
    one_type,
    packed,
    service,
    with_readings_of,
)
from cturi_rdf.registry import registry
from cturi_rdf.registry.rdf_types import rdf_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.candidates import Candidate

# A text with more unknown words is about something else.
_MOST_UNKNOWN = 12
# The characters of a signature.
_KINDS = {
    "format": "F", "package": "P", "service": "S", "untyped": "U", "transport": "T",
    "word": "W", "qualifier": "W", "thing": "W",
}  # fmt: skip
_PACKED_SOMEHOW = "Q"
_MARKS = {"and": "&", "&": "&", "|": "|", "/": "/", "+": "+", ":": ":"}
_COMMA = ","
_MARK = "[,|/+&:]"
_NAMES = ("format", "archive", "service", "untyped", "transport")
_LEFT_OVER = frozenset({"word", "qualifier", "thing", "untyped"})
_WORLD_FILE, _PLAIN_TEXT, _RDF_XML = "application/x-worldfile", "text/plain", "application/rdf+xml"
_TAR = "application/x-tar"


class Pattern(NamedTuple):
    """A pattern of signatures, how it is read, and the rule in words with an example.

    In a signature ``F`` is a format, ``P`` a package, ``Q`` a word like "compressed", ``S`` a
    service, ``T`` what surrounds a format, such as "http", ``U`` a format without a type, ``W`` any
    other word; commas, ``|``, ``/``, ``+``, ``&`` (also for "and") and ``:`` separate, and brackets
    are brackets.  ``W`` and ``T`` are left out where there is a format or a service.
    """

    pattern: str
    read: Callable[[list[Candidate]], Resolution]
    rule: str
    example: str

    def matches(self, outline: str) -> bool:
        """Return whether a signature is of this pattern."""
        return re.fullmatch(self.pattern, outline) is not None


def composed(label: str) -> Resolution | None:
    """Return the meaning of a label from its candidates, or None where they name nothing.

    >>> composed("Zipped CSV").outer
    ContentType.parse('application/zip')
    >>> list(map(str, composed("XML, CSV and HTML").types))
    ['application/xml', 'text/csv', 'text/html']
    >>> composed("GML over WFS").verdict, composed("WFS (GML)").verdict
    ('media_type', 'service')
    >>> composed("WFS, GML").services, composed("GML, WFS").services
    (('WFS',), ('WFS',))
    >>> composed("Shapefile metadata").verdict, composed("Shapefile Oslo").confidence
    ('nothing', 'likely')
    """
    sequence = candidates(label)
    kinds = {one.kind for one in sequence}
    if "word" in kinds and len(_of_kind(sequence, "word")) > _MOST_UNKNOWN:
        return None
    is_left_over = not kinds.isdisjoint(_LEFT_OVER)
    sequence, things = _without_things(sequence) if "thing" in kinds else (sequence, None)
    if "from" in kinds:
        sequence = _without_sources(sequence)
    if "archive" in kinds:
        sequence = _without_archives(sequence)
    if is_left_over and any(one.depth == 0 and one.kind in _LEFT_OVER for one in sequence):
        sequence = _without_guesses(sequence)
    named = _of_kind(sequence, "service") if "service" in kinds else []
    if named:
        sequence = _without_services(sequence)
    pattern = _matching(signature(sequence))
    meaning = pattern.read(sequence) if pattern else None
    if meaning is None:
        return things
    if meaning.types and is_left_over and meaning.confidence == "certain":
        meaning = meaning.inferred(rule="prose")
    if not named or meaning.verdict == "service":
        return meaning
    services = tuple(dict.fromkeys(candidate.text for candidate in named))
    reason = f"{meaning.reason} Beside it: {', '.join(services)}, a service."
    return meaning._replace(services=services, reason=reason)


def signature(sequence: Iterable[Candidate]) -> str:
    """Return the signature of a label from its candidates; `Pattern` says what is in it.

    >>> signature(candidates("Zipped CSV, WFS (GML)"))
    'PF,S(F)'
    """
    kinds: list[str] = []
    depth = 0
    for candidate in sequence:
        kinds += ["("] * (candidate.depth - depth) + [")"] * (depth - candidate.depth)
        depth = candidate.depth
        kinds.append(_character(candidate))
    return _outline("".join(kinds) + ")" * depth)


@lru_cache(maxsize=4_096)
def _matching(outline: str) -> Pattern | None:
    if not outline.strip("W"):
        # Other words alone, as in most texts that name nothing.
        return None
    return next((pattern for pattern in PATTERNS if pattern.matches(outline)), None)


@lru_cache(maxsize=4_096)
def _outline(text: str) -> str:
    if re.search("[FS]", text):
        text = re.sub("[TW]", "", text)
    # A mark at either end separates nothing.
    text = re.sub(rf"{_MARK}*({_MARK})", r"\1", text).strip(",|/+&:")
    return re.sub(rf"\({_MARK}*|{_MARK}*\)", lambda match: match[0].strip(",|/+&:"), text)


def _character(candidate: Candidate) -> str:
    if candidate.kind == "list":
        return _MARKS.get(candidate.sign, _COMMA)
    if candidate.kind == "package" and candidate.meaning is None:
        return _PACKED_SOMEHOW
    return _KINDS[candidate.kind]


# -- what is left out before the patterns --------------------------------------------------


def _without_things(sequence: list[Candidate]) -> tuple[list[Candidate], Resolution | None]:
    """Leave out the names before a noun that makes another thing, and say so.

    A format whose content may be anything stays, as in "XML metadata".
    """
    kept: list[Candidate] = []
    reason = None
    for candidate in sequence:
        if candidate.kind == "thing":
            while kept and kept[-1].depth == candidate.depth and _is_made_another(kept[-1]):
                dropped = kept.pop()
                if dropped.meaning:
                    reason = f"{candidate.text} of {dropped.text} is not in that format."
                if kept and kept[-1].sign == "/":
                    kept.pop()
        kept.append(candidate)
    return kept, nothing("prose", reason) if reason else None


def _is_made_another(candidate: Candidate) -> bool:
    types = candidate.meaning.types if candidate.meaning else ()
    is_syntax = any(one.essence in names().syntaxes for one in types)
    return candidate.kind in {*_NAMES, "qualifier"} and not is_syntax


def _without_sources(sequence: list[Candidate]) -> list[Candidate]:
    """Leave out what comes after a word like "via" or "for", unless nothing comes before it.

    That ends with its brackets, at a comma ("CSV via FTP, JSON"), and at any mark before a member
    with such a word ("KML for maps and CSV for Excel").  Where it is a format, a comma alone does
    not end it: "CSV from Excel, Access".
    """
    kept: list[Candidate] = []
    source: Candidate | None = None
    is_format = False
    for at, candidate in enumerate(sequence):
        if source and (
            candidate.depth < source.depth
            or (_is_comma(candidate) and not is_format)
            or (candidate.kind == "list" and _has_source(sequence[at + 1 :]))
        ):
            source = None
        if candidate.kind == "from":
            source = candidate if _has_more(kept, sequence[at + 1 :]) else None
            is_format = False
        elif source:
            is_format = is_format or candidate.kind in {"format", "package", "archive"}
        else:
            kept.append(candidate)
    return kept


def _is_comma(candidate: Candidate) -> bool:
    return candidate.kind == "list" and _character(candidate) in {_COMMA, "|"}


def _has_source(sequence: list[Candidate]) -> bool:
    """Return whether the member of a list that begins here has a word like "via"."""
    ends = (one for one in sequence if one.kind == "from" or _is_comma(one))
    return next((one.kind for one in ends), "") == "from"


def _has_more(before: list[Candidate], after: list[Candidate]) -> bool:
    """Return whether a format stands before a word like "for", or a package without a format."""
    if _of_kind(before, "package") and after and after[0].kind == "format":
        return bool(_of_kind(before, "format"))
    return bool(_of_kind(before, "format", "package", "archive", "service", "thing"))


def _without_guesses(sequence: list[Candidate]) -> list[Candidate]:
    """Leave out ordinary words: among unknown words they are just words.

    A word that is a whole member of a list stays, if the list has a format as well.
    """
    has_format = any(one.kind == "format" and not one.guessed for one in sequence)
    return [
        one
        for one, is_whole in _whole_members(sequence)
        if not (one.guessed and one.meaning) or (is_whole and has_format)
    ]


def _without_archives(sequence: list[Candidate]) -> list[Candidate]:
    """Read a format such as GTFS as a package only where a format beside it is inside."""
    alone = not _of_kind(sequence, "format", "package")
    return [
        one._replace(kind="format" if is_whole or alone else "package")
        if one.kind == "archive"
        else one
        for one, is_whole in _whole_members(sequence)
    ]


def _whole_members(sequence: list[Candidate]) -> list[tuple[Candidate, bool]]:
    """Return each candidate, and whether it is a whole member of a list."""
    edged = [None, *sequence, None]
    beside = zip(edged, edged[2:], strict=False)
    marks = [[one for one in pair if one is not None] for pair in beside]
    return [
        (candidate, all(one.kind == "list" and one.sign != ":" for one in around))
        for candidate, around in zip(sequence, marks, strict=True)
    ]


def _without_services(sequence: list[Candidate]) -> list[Candidate]:
    """Leave out the members of a list that are services, if others are formats.

    The order of the members does not count.
    """
    members = _members(sequence)
    if len(members) == 1:
        return sequence
    # The marks between the members stay: they still make a list.
    kept = [
        candidate
        for member in members
        for candidate in (_of_kind(member, "list") if _is_service(member) else member)
        if candidate.kind != "service"
    ]
    return kept if _of_kind(kept, "format", "package") else sequence


def _members(sequence: list[Candidate]) -> list[list[Candidate]]:
    """Return the members of a list with the mark before each; "SOAP/XML" is one member."""
    level = min((one.depth for one in sequence), default=0)
    marks = [at for at, one in enumerate(sequence) if one.kind == "list" and one.depth == level]
    if len(marks) == 1 and _character(sequence[marks[0]]) in "/:":
        return [sequence]
    return [sequence[start:end] for start, end in pairwise([0, *marks, len(sequence)])]


def _is_service(member: list[Candidate]) -> bool:
    pattern = _matching(signature(member))
    return pattern is not None and pattern.read is _service


# -- how the rest is read ------------------------------------------------------------------


def _service(sequence: list[Candidate]) -> Resolution:
    """Read a label that means its first service, even if it names formats as well."""
    text = _of_kind(sequence, "service")[0].text
    return service(text, f"{text} says that it is a service.", likely=True)


def _served_format(sequence: list[Candidate]) -> Resolution:
    """Read a service with its format; in a longer list the format counts by itself."""
    return _service(sequence)


def _transport(sequence: list[Candidate]) -> Resolution:
    """Read what surrounds a format where there is none, such as a protocol or a portal."""
    text = _of_kind(sequence, "transport")[0].text
    return service(text, f"{text} says how or where it is, not what.", likely=True)


def _formats(sequence: list[Candidate]) -> Resolution:
    """Read all the formats of a list."""
    formats = _of_kind(sequence, "format")
    if len(formats) == 1 and formats[0].meaning:
        return formats[0].meaning
    return _joined(sequence, formats)


def _siblings(sequence: list[Candidate]) -> Resolution:
    """Read a package that is a member of a list by itself as one more format."""
    siblings = _of_kind(sequence, "format", "package")
    return _joined(sequence, [one for one in siblings if one.meaning])


def _packed_formats(sequence: list[Candidate]) -> Resolution:
    """Read formats that are in the package beside them."""
    return _joined(sequence, _of_kind(sequence, "format"), is_packed=True)


def _packages(sequence: list[Candidate]) -> Resolution:
    """Read packages of something that the label does not name."""
    named = _packers(sequence)
    inside, *around = reversed(_nested(sequence))
    if len(named) > 1 + len(around):
        return _siblings(sequence)
    if around:
        others = ", then as ".join(named[wrapper] for wrapper in around)
        reason = f"{named[inside]} is packed again as {others}."
        return packed([inside], around[::-1], "prose", reason, likely=True)
    if _of_kind(sequence, "word", "untyped", "thing"):
        reason = f"It is packed in {inside.essence}, but nothing says what is inside."
        untyped = [one.meaning.reason for one in _of_kind(sequence, "untyped") if one.meaning]
        reason = " ".join([reason, *dict.fromkeys(untyped)])
        return packed([], [inside], "prose", reason, likely=True)
    likely = any(one.meaning and one.meaning.confidence == "likely" for one in sequence)
    return one_type(inside, "alias", f"{named[inside]} names {inside.essence}.", likely=likely)


def _packed_somehow(_: list[Candidate]) -> Resolution:
    """Read a word such as "compressed", which does not say by what."""
    return nothing("prose", "It is packed, but nothing says how or what.")


def _untyped(sequence: list[Candidate]) -> Resolution:
    """Read a format that has no media type."""
    meanings = [one.meaning for one in _of_kind(sequence, "untyped") if one.meaning]
    return meanings[0]


# The first pattern that matches is the one that counts.
PATTERNS = (
    Pattern(
        "[^FPQ]*S[^FPQ]*", _service,
        "A service without a format is a service.", "WMS of the city of Oslo",
    ),
    Pattern(
        r"[^FPQ(]*S[^FPQ(]*\(.*\)[^FPQ]*", _service,
        "Formats in brackets after a service are what it delivers.", "WFS (GML, SHP)",
    ),
    Pattern(
        r"[FPQU]*[FPQ]S+(?:\(.*\))?", _service,
        "A service straight after a format is a service for that format.", "GeoJSON API",
    ),
    Pattern(
        r"(?:U*S[FPQSU]+|S+[/:][FPQU]+|[FPQU]+[/:]S+)(?:\(.*\))?", _served_format,
        "So is a service before a format, and a pair with a slash.", "SOAP/XML",
    ),
    Pattern(
        r"[PQ]:.*F.*|[PQ]\|F(?:[+&,/]F)+|F(?:[+&,/]F)+[:|][PQ]", _packed_formats,
        "A package before a colon holds the whole list.", "zip: kml, csv",
    ),
    Pattern(
        r"F\(?P(?:[&,|/+]P)+\)?|P(?:[&,|/+]P)+F", _packed_formats,
        "If one format stands beside a list of packages, the first package holds it.",
        "CSV (ZIP or RAR)",
    ),
    Pattern(
        r"(?=.*F)(?=.*&|\(?(?:[^,|/+&]+[,|/+&]){2})(?:\(?|.*[,|/+&])P(?:[,|/+&].*|\)?)", _siblings,
        'In a list of three or more, or after "and", a package is a member of the list.',
        "csv; zip; json",
    ),
    Pattern(
        r"[^PQ(]*F(?:[PQ]|\([PQ]\))(?:[,|/+&].*)?[,|/+&][^PQ,|/+&]*F[^PQ,|/+&]*", _formats,
        "A package behind one member of a list, but not the last, holds that member alone.",
        "SHP (zip), KML",
    ),
    Pattern(
        ".*F.*[PQ].*|.*[PQ].*F.*", _packed_formats,
        "Otherwise a package holds the formats beside it.", "CSV (zip)",
    ),
    Pattern(
        ".*F.*", _formats,
        "All formats of a list count.", "XML, CSV and HTML",
    ),
    Pattern(
        ".*P.*", _packages,
        "A package with an unknown word is a package of something.", "zip flurbel",
    ),
    Pattern(
        ".*Q.*", _packed_somehow,
        "A word for packing alone names no format.", "compressed",
    ),
    Pattern(
        ".*U.*", _untyped,
        "A format without a media type is recognised beside other words.", "FlatGeobuf of Oslo",
    ),
    Pattern(
        ".*T.*", _transport,
        "The way a file is delivered is not a format.", "http Oslo",
    ),
)  # fmt: skip


# -- formats together ----------------------------------------------------------------------


def _joined(
    sequence: list[Candidate], formats: list[Candidate], *, is_packed: bool = False
) -> Resolution:
    kept = _most_exact(formats, [one for one in sequence if one.kind == "list"])
    meanings = [one.meaning for one in kept if one.meaning]
    types = list(dict.fromkeys(one for meaning in meanings for one in meaning.types))
    wrapped = next((one.meaning for one in formats if one.meaning and one.meaning.wrappers), None)
    if wrapped:
        # "tar.gz, CSV": the package inside the compression holds the rest.
        inside = tuple(one for one in wrapped.types if registry().packaging(one.essence))
        files = [one for one in types if not registry().packaging(one.essence)]
        types, wrappers = files or types, wrapped.wrappers + (inside[:1] if files else ())
    else:
        wrappers = _nested(sequence) if is_packed else ()
        # A format such as GTFS is itself the package that is named beside it.
        types = [one for one in types if one not in wrappers] or types
    if tuple(types) == wrappers:
        return one_type(types[0], "prose", f"{formats[0].text} names {types[0].essence}.")
    likely = any(meaning.confidence == "likely" for meaning in meanings)
    # Where there are several packages to choose from, the first counts.
    likely = likely or (is_packed and len(_packers(sequence)) > len(wrappers) > 0)
    texts = ", ".join(dict.fromkeys(one.text for one in kept))
    reason = f"{texts}: {', '.join(one.essence for one in types)}" if types else texts
    if is_packed or wrappers:
        how = "".join(f", in {wrapper.essence}" for wrapper in reversed(wrappers))
        reason += f"{how or ', packed, but it does not say how'}."
        return with_readings_of(packed(types, wrappers, "prose", reason, likely=likely), meanings)
    likely = likely or (len(types) > 1 and _side_by_side(kept, sequence))
    return with_readings_of(one_or_more(types, "prose", f"{reason}.", likely=likely), meanings)


def _most_exact(formats: list[Candidate], marks: list[Candidate]) -> list[Candidate]:
    """Leave out each format of which another says more, unless both are members of a list.

    "Excel (XLSX)" is one format, "Excel, XLSX" are two.
    """
    kept = [
        one
        for one in formats
        if not any(
            _is_broader(one, other) and _together(one, other, marks)
            for other in formats
            if other is not one
        )
    ]
    if any("delimited" in _kinds(one) for one in kept):
        # "text, comma separated" is one kind of text.
        kept = [one for one in kept if "text" not in _kinds(one)]
    # "tar.gz (CSV)" is about what is inside.
    files = [
        one
        for one in kept
        if not _is_package(one) or any(not _together(one, other, marks) for other in kept)
    ]
    return files or kept


def _kinds(candidate: Candidate) -> frozenset[str]:
    return candidate.name.kinds if candidate.name else frozenset()


def _is_package(candidate: Candidate) -> bool:
    types = candidate.meaning.types if candidate.meaning else ()
    return bool(types) and all(registry().packaging(one.essence) for one in types)


def _together(one: Candidate, other: Candidate, marks: list[Candidate]) -> bool:
    """Return whether no mark between two candidates makes them members of one list."""
    first, last = (one, other) if one.start < other.start else (other, one)
    depth = min(one.depth, other.depth)
    return not any(first.start < mark.start < last.start and mark.depth <= depth for mark in marks)


def _side_by_side(formats: list[Candidate], sequence: list[Candidate]) -> bool:
    """Return whether two different formats of several have nothing between them."""
    marks = [one for one in sequence if one.kind == "list"]
    return any(
        one.depth == other.depth and not any(one.start < mark.start < other.start for mark in marks)
        for one, other in pairwise(formats)
    )


def _is_broader(one: Candidate, other: Candidate) -> bool:
    """Return whether a format says less than another one beside it."""
    if not (one.meaning and other.meaning and one.meaning.types and other.meaning.types):
        return False
    broad, narrow = one.meaning.types[0], other.meaning.types[0]
    if one.name and one.name.format and "family" in one.name.format.use and one is not other:
        return _is_of_family(one.meaning, narrow)
    if broad == narrow:
        return False
    if narrow.essence == _WORLD_FILE:
        # "JPEG world file" is about the file beside a JPEG image.
        return True
    if broad.essence == _RDF_XML and one.text.lower() == "rdf":
        # "RDF as Turtle" names one syntax.
        record = rdf_type(narrow.essence)
        return record is not None and record.syntax is not None and not record.embedded
    # "STL (ASCII)" says how a file is written, "XML (KML)" in which format.
    suffix = registry().suffix(narrow.suffix) if narrow.suffix else None
    built_on = {*registry().broader(narrow.essence), suffix.base if suffix else None, _PLAIN_TEXT}
    return registry().canonical(broad.essence) in built_on


def _is_of_family(family: Resolution, narrow: ContentType) -> bool:
    """Return whether a type is one of those that a family of formats has; a page has any."""
    readings = [reading.types[0].essence for reading in family.alternatives]
    stems = tuple(f"{stem}." for essence in readings for stem in (essence, _stem(essence)))
    return not readings or narrow.essence in readings or narrow.essence.startswith(stems)


def _stem(essence: str) -> str:
    return essence.rpartition(".")[0] or essence


def _nested(sequence: list[Candidate]) -> tuple[ContentType, ...]:
    """Return the wrappers in a label, the outermost first.

    Before the formats the outermost is named first, after them last: "zip of csv.gz" and
    "csv.gz.zip".  Of several with a mark between them, as in "CSV (ZIP, 7z)", the first counts.
    A compression is around a tar wherever it is named.
    """
    start = next((at for at, one in enumerate(sequence) if one.kind == "format"), 0)
    before: list[ContentType] = []
    after: list[ContentType] = []
    is_separate = False
    for at, candidate in enumerate(sequence):
        if candidate.kind == "list" and candidate.sign != ":":
            is_separate = True
        if candidate.kind != "package" or not candidate.meaning:
            continue
        wrapper, others = candidate.meaning.types[0], before + after
        if not is_separate or not others or _is_compressed_tar(wrapper, others[-1]):
            (before if at < start else after).append(wrapper)
            is_separate = False
    wrappers = dict.fromkeys(before + after[::-1])
    if any(wrapper.essence == _TAR for wrapper in wrappers):
        wrappers = dict.fromkeys([*filter(_is_compression, wrappers), *wrappers])
    return tuple(wrappers)


def _is_compression(wrapper: ContentType) -> bool:
    return registry().packaging(wrapper.essence) == "compression"


def _is_compressed_tar(one: ContentType, other: ContentType) -> bool:
    pair = one, other
    return any(map(_is_compression, pair)) and any(wrapper.essence == _TAR for wrapper in pair)


def _packers(sequence: list[Candidate]) -> dict[ContentType, str]:
    """Return the types of the packages in a label, each with its name there."""
    named = _of_kind(sequence, "package")
    return {one.meaning.types[0]: one.text for one in named if one.meaning}


def _of_kind(sequence: list[Candidate], *kinds: str) -> list[Candidate]:
    """Return the candidates of some kinds."""
    return [candidate for candidate in sequence if candidate.kind in kinds]
