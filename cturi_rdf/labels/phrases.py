"""Labels of several words: what their pieces say together.

The signature of a label has one character for each piece.  The first of the `PATTERNS` that
matches the signature says how the pieces are read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.labels.combining import combined_types
from cturi_rdf.labels.meaning import Meaning, nothing, one_type, packed, service, several
from cturi_rdf.labels.pieces import pieces
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.pieces import Piece

__all__ = ["PATTERNS", "Pattern", "composed", "signature"]

# A text with more unknown words is about something else.
_MOST_UNKNOWN = 12
# The characters of a signature.
_KINDS = {
    "format": "F", "package": "P", "service": "S", "untyped": "U", "transport": "T", "word": "W",
}  # fmt: skip
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

    pattern: re.Pattern[str]
    read: Callable[[list[Piece]], Meaning | None]
    rule: str
    example: str


def composed(label: str) -> Meaning | None:
    """Return what a label of several words means, or None where they name nothing.

    >>> composed("Zipped CSV").outer
    ContentType.parse('application/zip')
    >>> [str(each) for each in composed("XML, CSV and HTML").types]
    ['application/xml', 'text/csv', 'text/html']
    >>> composed("GML over WFS").verdict, composed("WFS (GML)").verdict
    ('media_type', 'service')
    >>> composed("WFS, GML").services, composed("GML, WFS").services
    (('WFS',), ('WFS',))
    """
    sequence = _before_source(pieces(label))
    unknown = _count(sequence, "word")
    if unknown > _MOST_UNKNOWN:
        return None
    if unknown:
        sequence = _without_guesses(sequence)
    rest = _without_services(sequence)
    outline = signature(rest)
    pattern = _matching(outline)
    meaning = pattern.read(rest) if pattern else None
    services = _of_kind(sequence, "service")
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
    return next((pattern for pattern in PATTERNS if pattern.pattern.fullmatch(outline)), None)


@lru_cache(maxsize=4_096)
def _outline(text: str) -> str:
    if re.search("[FS]", text):
        text = re.sub("[TW]", "", text)
    # A mark with nothing on one side separates nothing.
    text = re.sub(rf"{_MARK}*({_MARK})", r"\1", text).strip(",|/+&:")
    return re.sub(rf"\({_MARK}*|{_MARK}*\)", lambda match: match[0].strip(",|/+&:"), text)


def _character(piece: Piece) -> str:
    if piece.kind == "list":
        return _MARKS.get(piece.sign, _COMMA)
    if piece.kind == "package" and piece.meaning is None:
        return _PACKED_SOMEHOW
    return _KINDS[piece.kind]


# -- before the patterns -------------------------------------------------------------------


def _before_source(sequence: list[Piece]) -> list[Piece]:
    """Leave out what comes after a word like "via", unless nothing comes before it."""
    for at, piece in enumerate(sequence):
        if piece.kind == "from":
            before = [
                each for each in sequence[:at] if each.kind in {"format", "package", "service"}
            ]
            return sequence[:at] if before else [each for each in sequence if each.kind != "from"]
    return sequence


def _without_guesses(sequence: list[Piece]) -> list[Piece]:
    """Leave out ordinary words: among unknown words they are just words.

    A word that is a whole member of a list stays, if the list has a format as well.
    """
    if not any(piece.kind == "format" and not piece.guessed for piece in sequence):
        return [piece for piece in sequence if not piece.guessed]
    edged = [None, *sequence, None]
    alone = {
        id(piece)
        for before, piece, after in zip(edged, sequence, edged[2:], strict=False)
        if all(neighbour is None or neighbour.kind == "list" for neighbour in (before, after))
    }
    return [piece for piece in sequence if not piece.guessed or id(piece) in alone]


def _without_services(sequence: list[Piece]) -> list[Piece]:
    """Leave out the members of a list that are services, if others are formats.

    A list names all its members, in whatever order.
    """
    members = _members(sequence)
    formats = [member for member in members if not _is_service(member)]
    kept = {id(piece) for member in formats for piece in member if piece.kind != "service"}
    if len(members) == 1 or not any(
        piece.kind in {"format", "package"} for member in formats for piece in member
    ):
        return sequence
    # The marks between the members stay: they still make a list.
    return [piece for piece in sequence if id(piece) in kept or piece.kind == "list"]


def _members(sequence: list[Piece]) -> list[list[Piece]]:
    """Return the members of a list; a pair such as "SOAP/XML" is one member."""
    level = min((each.depth for each in sequence), default=0)
    marks = [each for each in sequence if each.kind == "list" and each.depth == level]
    if len(marks) == 1 and _character(marks[0]) in "/:":
        return [sequence]
    members: list[list[Piece]] = [[]]
    for piece in sequence:
        if piece.kind == "list" and piece.depth == level:
            members.append([])
        else:
            members[-1].append(piece)
    return members


def _is_service(member: list[Piece]) -> bool:
    pattern = _matching(signature(member))
    return pattern is not None and pattern.read is _service


# -- the readings ----------------------------------------------------------------------------


def _service(sequence: list[Piece]) -> Meaning:
    named = next(piece for piece in sequence if piece.kind == "service")
    return service(named.text, f"{named.text} says that it is a service.", likely=True)


def _service_for(sequence: list[Piece]) -> Meaning:
    """Read a service with its format; in a longer list the format counts by itself."""
    return _service(sequence)


def _transport(sequence: list[Piece]) -> Meaning:
    named = next(piece for piece in sequence if piece.kind == "transport")
    return service(named.text, f"{named.text} says how it is delivered, not what.", likely=True)


def _formats(sequence: list[Piece]) -> Meaning:
    formats = _of_kind(sequence, "format")
    if len(formats) == 1 and formats[0].meaning:
        meaning = formats[0].meaning
        return meaning.inferred(rule="prose") if _is_guess(sequence) else meaning
    return _joined(sequence, formats)


def _siblings(sequence: list[Piece]) -> Meaning:
    """Read a package that is a member of a list by itself as one more format."""
    return _joined(sequence, _of_kind(sequence, "format", "package"))


def _packed(sequence: list[Piece]) -> Meaning:
    return _joined(sequence, _of_kind(sequence, "format"), is_packed=True)


def _joined(sequence: list[Piece], formats: list[Piece], *, is_packed: bool = False) -> Meaning:
    meanings = [piece.meaning for piece in formats if piece.meaning]
    level = formats[0].depth
    listed = any(piece.kind == "list" and piece.depth == level for piece in sequence)
    types = combined_types(formats, listed=listed)
    wrapped = next((meaning for meaning in meanings if meaning.wrappers), None)
    if wrapped:
        # "tar.gz, CSV": the package inside the compression holds the rest.
        inside = tuple(one for one in wrapped.types if registry().packaging(one.essence))
        files = [one for one in types if not registry().packaging(one.essence)]
        types, wrappers = files or types, wrapped.wrappers + (inside[:1] if files else ())
    else:
        wrappers = _nested(sequence) if is_packed else ()
    likely = _is_guess(sequence) or any(meaning.confidence == "likely" for meaning in meanings)
    texts = ", ".join(dict.fromkeys(piece.text for piece in formats))
    reason = f"{texts}: {', '.join(content_type.essence for content_type in types)}"
    if is_packed or wrappers:
        how = "".join(f", in {wrapper.essence}" for wrapper in reversed(wrappers))
        reason += f"{how or ', packed, but it does not say how'}."
        return packed(types, wrappers, "prose", reason, likely=likely)
    if len(types) > 1:
        return several(types, "prose", f"{reason}.", likely=likely)
    return one_type(types[0], "prose", f"{reason}.", likely=likely)


def _nested(sequence: list[Piece]) -> tuple[ContentType, ...]:
    """Return the wrappers in a label, the outermost first.

    The first package counts, and a compression straight after it, which is around it: "tar bz2".
    """
    for piece, after in zip_longest(sequence, sequence[1:]):
        if piece.kind == "package" and piece.meaning:
            inner = piece.meaning.types[:1]
            outer = (
                after.meaning.types[:1]
                if after and after.kind == "package" and after.meaning
                else ()
            )
            kinds = [registry().packaging(wrapper.essence) for wrapper in inner + outer]
            return outer + inner if kinds == ["package", "compression"] else inner
    return ()


def _packages(sequence: list[Piece]) -> Meaning:
    packages = _of_kind(sequence, "package")
    kinds = list(dict.fromkeys(piece.meaning.types[0] for piece in packages if piece.meaning))
    archives = all(registry().packaging(kind.essence) == "package" for kind in kinds)
    if len(kinds) > 1 and archives and _count(sequence, "list"):
        return _siblings(sequence)
    if len(kinds) > 1:
        reason = f"{packages[0].text} is packed again as {packages[-1].text}."
        return packed(kinds[:1], kinds[-1:], "prose", reason, likely=True)
    if _is_guess(sequence):
        reason = f"It is packed in {kinds[0].essence}, but nothing says what is inside."
        readings = [
            piece.meaning.reason for piece in _of_kind(sequence, "untyped") if piece.meaning
        ]
        reason = " ".join([reason, *dict.fromkeys(readings)])
        return packed([], kinds[:1], "prose", reason, likely=True)
    return one_type(kinds[0], "alias", f"{packages[0].text} names {kinds[0].essence}.")


def _packed_somehow(_: list[Piece]) -> Meaning:
    return nothing("prose", "It is packed, but nothing says how or what.")


def _untyped(sequence: list[Piece]) -> Meaning | None:
    return _of_kind(sequence, "untyped")[0].meaning


def _of_kind(sequence: list[Piece], *kinds: str) -> list[Piece]:
    return [piece for piece in sequence if piece.kind in kinds]


def _count(sequence: list[Piece], kind: str) -> int:
    return sum(piece.kind == kind for piece in sequence)


def _is_guess(sequence: list[Piece]) -> bool:
    """Return whether a part of the label is not understood, or has no type."""
    return _count(sequence, "word") + _count(sequence, "untyped") > 0


def _pattern(
    pattern: str, read: Callable[[list[Piece]], Meaning | None], rule: str, example: str
) -> Pattern:
    return Pattern(re.compile(pattern), read, rule, example)


# The first pattern that matches is the one that counts.
PATTERNS = (
    _pattern(
        "[^FPQ]*S[^FPQ]*", _service,
        "A service without a format is a service.", "WMS of the city of Oslo",
    ),
    _pattern(
        r"[^FPQ(]*S[^FPQ(]*\(.*\)[^FPQ]*", _service,
        "Formats in brackets after a service are what it delivers.", "WFS (GML, SHP)",
    ),
    _pattern(
        r"[FPQU]*[FPQ]S+(?:\(.*\))?", _service,
        "A service straight after a format is a service for that format.", "GeoJSON API",
    ),
    _pattern(
        r"(?:U*S[FPQSU]+|S+[/:][FPQU]+|[FPQU]+[/:]S+)(?:\(.*\))?", _service_for,
        "So is a service before a format, and a pair with a slash.", "SOAP/XML",
    ),
    _pattern(
        r"[PQ]:.*F.*|[PQ]\|F(?:[+&,/]F)+|F(?:[+&,/]F)+[:|][PQ]", _packed,
        "A package before a colon holds the whole list.", "zip: kml, csv",
    ),
    _pattern(
        r"(?=.*F)(?=.*&|\(?(?:[^,|/+&]+[,|/+&]){2})(?:\(?|.*[,|/+&])P(?:[,|/+&].*|\)?)", _siblings,
        'In a list of three, and after "and", a package is one more member.', "csv; zip; json",
    ),
    _pattern(
        ".*F.*[PQ].*|.*[PQ].*F.*", _packed,
        "Otherwise a package holds the formats beside it.", "CSV (zip)",
    ),
    _pattern(
        ".*F.*", _formats,
        "All formats of a list count.", "XML, CSV and HTML",
    ),
    _pattern(
        ".*P.*", _packages,
        "A package with an unknown word is a package of something.", "zip flurbel",
    ),
    _pattern(
        ".*Q.*", _packed_somehow,
        "A word for packed files alone names no format.", "compressed",
    ),
    _pattern(
        ".*U.*", _untyped,
        "A format without a media type is one also beside other words.", "FlatGeobuf of Oslo",
    ),
    _pattern(
        ".*T.*", _transport,
        "How a file is delivered is no format.", "http Oslo",
    ),
)  # fmt: skip
