"""Labels of several words: what their pieces say together.

The signature of a label has one character for each piece.  The first of the `PATTERNS` that
matches the signature says how the pieces are read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.labels.pieces import pieces
from cturi_rdf.labels.readings import (
    formats_of_list,
    of_kind,
    packages,
    packed_formats,
    packed_somehow,
    service_only,
    service_with_format,
    siblings,
    transport,
    untyped,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.labels.meaning import Meaning
    from cturi_rdf.labels.pieces import Piece

__all__ = ["PATTERNS", "Pattern", "composed", "signature"]

# A text with more unknown words is about something else.
_MOST_UNKNOWN = 12
# The characters of a signature.
_KINDS = {
    "format": "F",
    "package": "P",
    "service": "S",
    "untyped": "U",
    "transport": "T",
    "word": "W",
}
_PACKED_SOMEHOW = "Q"
_MARKS = {"and": "&", "&": "&", "|": "|", "/": "/", "+": "+", ":": ":"}
_COMMA = ","
_MARK = "[,|/+&:]"


class Pattern(NamedTuple):
    """A pattern of signatures, how it is read, and the rule in words with an example.

    In a signature ``F`` is a format, ``P`` a package, ``Q`` a word like "compressed", ``S`` a
    service, ``T`` a word like "http", ``U`` a format without a type, ``W`` an unknown word;
    commas, ``|``, ``/``, ``+``, ``&`` (also for "and") and ``:`` separate, and brackets are
    brackets.  Unknown words and ``T`` are left out where there is a format or a service.
    """

    pattern: str
    read: Callable[[list[Piece]], Meaning | None]
    rule: str
    example: str

    def matches(self, outline: str) -> bool:
        """Return whether a signature is of this pattern."""
        return re.fullmatch(self.pattern, outline) is not None


def composed(label: str) -> Meaning | None:
    """Return the meaning of a label of several words, or None where they name nothing.

    >>> composed("Zipped CSV").outer
    ContentType.parse('application/zip')
    >>> list(map(str, composed("XML, CSV and HTML").types))
    ['application/xml', 'text/csv', 'text/html']
    >>> composed("GML over WFS").verdict, composed("WFS (GML)").verdict
    ('media_type', 'service')
    >>> composed("WFS, GML").services, composed("GML, WFS").services
    (('WFS',), ('WFS',))
    """
    sequence = _without_archives(_without_sources(pieces(label)))
    unknown = of_kind(sequence, "word")
    if len(unknown) > _MOST_UNKNOWN:
        return None
    if unknown:
        sequence = _without_guesses(sequence)
    services = of_kind(sequence, "service")
    rest = _without_services(sequence) if services else sequence
    pattern = _matching(signature(rest))
    meaning = pattern.read(rest) if pattern else None
    if meaning is None or meaning.verdict == "service" or not services:
        return meaning
    names = dict.fromkeys(piece.text for piece in services)
    reason = f"{meaning.reason} Beside it: {', '.join(names)}, a service."
    return meaning._replace(services=tuple(names), reason=reason)


def signature(sequence: Iterable[Piece]) -> str:
    """Return the signature of a label from its pieces; `Pattern` says what is in it.

    >>> signature(pieces("Zipped CSV, WFS (GML)"))
    'PF,S(F)'
    """
    kinds: list[str] = []
    depth = 0
    for piece in sequence:
        kinds += ["("] * (piece.depth - depth) + [")"] * (depth - piece.depth)
        depth = piece.depth
        kinds.append(_character(piece))
    return _outline("".join(kinds) + ")" * depth)


@lru_cache(maxsize=4_096)
def _matching(outline: str) -> Pattern | None:
    if not outline.strip("W"):
        # Unknown words alone, as in most texts that name nothing.
        return None
    return next((pattern for pattern in PATTERNS if pattern.matches(outline)), None)


@lru_cache(maxsize=4_096)
def _outline(text: str) -> str:
    if re.search("[FS]", text):
        text = re.sub("[TW]", "", text)
    # A mark at either end separates nothing.
    text = re.sub(rf"{_MARK}*({_MARK})", r"\1", text).strip(",|/+&:")
    return re.sub(rf"\({_MARK}*|{_MARK}*\)", lambda match: match[0].strip(",|/+&:"), text)


def _character(piece: Piece) -> str:
    if piece.kind == "list":
        return _MARKS.get(piece.sign, _COMMA)
    if piece.kind == "package" and piece.meaning is None:
        return _PACKED_SOMEHOW
    return _KINDS[piece.kind]


# -- before the patterns -------------------------------------------------------------------


def _without_sources(sequence: list[Piece]) -> list[Piece]:
    """Leave out what comes after a word like "via" or "for", unless no format comes before it.

    That ends with its brackets, at a comma ("CSV via FTP, JSON"), and at any mark before a member
    with such a word ("KML for maps and CSV for Excel").  Where it is a format, a comma alone does
    not end it: "CSV from Excel, Access".
    """
    kept: list[Piece] = []
    source: Piece | None = None
    is_format = False
    for at, piece in enumerate(sequence):
        if source and (
            piece.depth < source.depth
            or (_is_comma(piece) and not is_format)
            or (piece.kind == "list" and _has_source(sequence[at + 1 :]))
        ):
            source = None
        if piece.kind == "from":
            source = piece if _has_more(kept, sequence[at + 1 :]) else None
            is_format = False
        elif source:
            is_format = is_format or piece.kind in {"format", "package", "archive"}
        else:
            kept.append(piece)
    return kept


def _is_comma(piece: Piece) -> bool:
    return piece.kind == "list" and _character(piece) in {_COMMA, "|"}


def _has_source(sequence: list[Piece]) -> bool:
    """Return whether the member of a list that begins here has a word like "via"."""
    ends = (piece for piece in sequence if piece.kind == "from" or _is_comma(piece))
    return next((piece.kind for piece in ends), "") == "from"


def _has_more(before: list[Piece], after: list[Piece]) -> bool:
    """Return whether a format stands before a word like "for", or a package without a format."""
    if of_kind(before, "package") and after and after[0].kind == "format":
        return bool(of_kind(before, "format"))
    return bool(of_kind(before, "format", "package", "archive", "service"))


def _without_guesses(sequence: list[Piece]) -> list[Piece]:
    """Leave out ordinary words: among unknown words they are just words.

    A word that is a whole member of a list stays, if the list has a format as well.
    """
    if not any(piece.kind == "format" and not piece.guessed for piece in sequence):
        return [piece for piece in sequence if not piece.guessed]
    return [piece for piece, whole in _whole_members(sequence) if not piece.guessed or whole]


def _without_archives(sequence: list[Piece]) -> list[Piece]:
    """Read a format such as GTFS as a package only where a format beside it is inside."""
    if not of_kind(sequence, "archive"):
        return sequence
    alone = not of_kind(sequence, "format", "package")
    return [
        piece._replace(kind="format" if whole or alone else "package")
        if piece.kind == "archive"
        else piece
        for piece, whole in _whole_members(sequence)
    ]


def _whole_members(sequence: list[Piece]) -> Iterator[tuple[Piece, bool]]:
    """Yield each piece, and whether it is a whole member of a list."""
    edged = [None, *sequence, None]
    for before, piece, after in zip(edged, sequence, edged[2:], strict=False):
        marks = [one for one in (before, after) if one is not None]
        yield piece, all(one.kind == "list" and one.sign != ":" for one in marks)


def _without_services(sequence: list[Piece]) -> list[Piece]:
    """Leave out the members of a list that are services, if others are formats.

    The order of the members does not count.
    """
    members = _members(sequence)
    if len(members) == 1:
        return sequence
    # The marks between the members stay: they still make a list.
    kept = [
        piece
        for member in members
        for piece in (of_kind(member, "list") if _is_service(member) else member)
        if piece.kind != "service"
    ]
    return kept if of_kind(kept, "format", "package") else sequence


def _members(sequence: list[Piece]) -> list[list[Piece]]:
    """Return the members of a list with the mark before each; "SOAP/XML" is one member."""
    level = min((piece.depth for piece in sequence), default=0)
    marks = [
        at for at, piece in enumerate(sequence) if piece.kind == "list" and piece.depth == level
    ]
    if len(marks) == 1 and _character(sequence[marks[0]]) in "/:":
        return [sequence]
    return [sequence[start:end] for start, end in pairwise([0, *marks, len(sequence)])]


def _is_service(member: list[Piece]) -> bool:
    pattern = _matching(signature(member))
    return pattern is not None and pattern.read is service_only


# The first pattern that matches is the one that counts.
PATTERNS = (
    Pattern(
        "[^FPQ]*S[^FPQ]*", service_only,
        "A service without a format is a service.", "WMS of the city of Oslo",
    ),
    Pattern(
        r"[^FPQ(]*S[^FPQ(]*\(.*\)[^FPQ]*", service_only,
        "Formats in brackets after a service are what it delivers.", "WFS (GML, SHP)",
    ),
    Pattern(
        r"[FPQU]*[FPQ]S+(?:\(.*\))?", service_only,
        "A service straight after a format is a service for that format.", "GeoJSON API",
    ),
    Pattern(
        r"(?:U*S[FPQSU]+|S+[/:][FPQU]+|[FPQU]+[/:]S+)(?:\(.*\))?", service_with_format,
        "So is a service before a format, and a pair with a slash.", "SOAP/XML",
    ),
    Pattern(
        r"[PQ]:.*F.*|[PQ]\|F(?:[+&,/]F)+|F(?:[+&,/]F)+[:|][PQ]", packed_formats,
        "A package before a colon holds the whole list.", "zip: kml, csv",
    ),
    Pattern(
        r"F\(?P(?:[&,|/+]P)+\)?|P(?:[&,|/+]P)+F", packed_formats,
        "If one format stands beside a list of packages, the first package holds it.",
        "CSV (ZIP or RAR)",
    ),
    Pattern(
        r"(?=.*F)(?=.*&|\(?(?:[^,|/+&]+[,|/+&]){2})(?:\(?|.*[,|/+&])P(?:[,|/+&].*|\)?)", siblings,
        'In a list of three or more, or after "and", a package is a member of the list.',
        "csv; zip; json",
    ),
    Pattern(
        r"[^PQ(]*F(?:[PQ]|\([PQ]\))(?:[,|/+&].*)?[,|/+&][^PQ,|/+&]*F[^PQ,|/+&]*", formats_of_list,
        "A package behind one member of a list, but not the last, holds that member alone.",
        "SHP (zip), KML",
    ),
    Pattern(
        ".*F.*[PQ].*|.*[PQ].*F.*", packed_formats,
        "Otherwise a package holds the formats beside it.", "CSV (zip)",
    ),
    Pattern(
        ".*F.*", formats_of_list,
        "All formats of a list count.", "XML, CSV and HTML",
    ),
    Pattern(
        ".*P.*", packages,
        "A package with an unknown word is a package of something.", "zip flurbel",
    ),
    Pattern(
        ".*Q.*", packed_somehow,
        "A word for packing alone names no format.", "compressed",
    ),
    Pattern(
        ".*U.*", untyped,
        "A format without a media type is recognised beside other words.", "FlatGeobuf of Oslo",
    ),
    Pattern(
        ".*T.*", transport,
        "The way a file is delivered is not a format.", "http Oslo",
    ),
)  # fmt: skip
