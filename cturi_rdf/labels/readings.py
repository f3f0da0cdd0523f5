"""What the pieces of a label mean together, each function for one kind of phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.labels.combining import combined_types
from cturi_rdf.labels.meaning import Meaning, nothing, one_or_more, one_type, packed, service
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.pieces import Piece

__all__ = [
    "formats_of_list",
    "of_kind",
    "packages",
    "packed_formats",
    "packed_somehow",
    "service_only",
    "service_with_format",
    "siblings",
    "transport",
    "untyped",
]

_TAR = "application/x-tar"


def service_only(sequence: list[Piece]) -> Meaning:
    """Read a label that means its first service, even if it names formats as well."""
    named = next(piece for piece in sequence if piece.kind == "service")
    return service(named.text, f"{named.text} says that it is a service.", likely=True)


def service_with_format(sequence: list[Piece]) -> Meaning:
    """Read a service with its format; in a longer list the format counts by itself."""
    return service_only(sequence)


def transport(sequence: list[Piece]) -> Meaning:
    """Read a word such as "http", which says how a file is delivered."""
    named = next(piece for piece in sequence if piece.kind == "transport")
    return service(named.text, f"{named.text} says how it is delivered, not what.", likely=True)


def formats_of_list(sequence: list[Piece]) -> Meaning:
    """Read all the formats of a list."""
    formats = of_kind(sequence, "format")
    if len(formats) == 1 and formats[0].meaning:
        meaning = formats[0].meaning
        return meaning.inferred(rule="prose") if _is_guess(sequence) else meaning
    return _joined(sequence, formats)


def siblings(sequence: list[Piece]) -> Meaning:
    """Read a package that is a member of a list by itself as one more format."""
    return _joined(sequence, of_kind(sequence, "format", "package"))


def packed_formats(sequence: list[Piece]) -> Meaning:
    """Read formats that are in the package beside them."""
    return _joined(sequence, of_kind(sequence, "format"), is_packed=True)


def _joined(sequence: list[Piece], formats: list[Piece], *, is_packed: bool = False) -> Meaning:
    meanings = [piece.meaning for piece in formats if piece.meaning]
    lists = {piece.depth for piece in sequence if piece.kind == "list"}
    types = combined_types(formats, [piece for piece in formats if piece.depth in lists])
    wrapped = next((meaning for meaning in meanings if meaning.wrappers), None)
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
    likely = _is_guess(sequence) or any(meaning.confidence == "likely" for meaning in meanings)
    # Where there are several packages to choose from, the first counts.
    likely = likely or (is_packed and len(_packers(sequence)) > len(wrappers) > 0)
    texts = ", ".join(dict.fromkeys(piece.text for piece in formats))
    essences = ", ".join(content_type.essence for content_type in types)
    reason = f"{texts}: {essences}" if types else texts
    if is_packed or wrappers:
        how = "".join(f", in {wrapper.essence}" for wrapper in reversed(wrappers))
        reason += f"{how or ', packed, but it does not say how'}."
        return packed(types, wrappers, "prose", reason, likely=likely)
    return one_or_more(types, "prose", f"{reason}.", likely=likely)


def _nested(sequence: list[Piece]) -> tuple[ContentType, ...]:
    """Return the wrappers in a label, the outermost first.

    Before the formats the outermost is named first, after them last: "zip of csv.gz" and
    "csv.gz.zip".  Of several with a mark between them, as in "CSV (ZIP, 7z)", the first counts.
    A compression is around a tar wherever it is named.
    """
    start = next((at for at, piece in enumerate(sequence) if piece.kind == "format"), 0)
    before: list[ContentType] = []
    after: list[ContentType] = []
    is_separate = False
    for at, piece in enumerate(sequence):
        if piece.kind == "list" and piece.sign != ":":
            is_separate = True
        if piece.kind != "package" or not piece.meaning:
            continue
        wrapper, others = piece.meaning.types[0], before + after
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


def packages(sequence: list[Piece]) -> Meaning:
    """Read packages of something that the label does not name."""
    named = _packers(sequence)
    inside, *around = reversed(_nested(sequence))
    if len(named) > 1 + len(around):
        return siblings(sequence)
    if around:
        others = ", then as ".join(named[wrapper] for wrapper in around)
        reason = f"{named[inside]} is packed again as {others}."
        return packed([inside], around[::-1], "prose", reason, likely=True)
    if _is_guess(sequence):
        reason = f"It is packed in {inside.essence}, but nothing says what is inside."
        readings = [piece.meaning.reason for piece in of_kind(sequence, "untyped") if piece.meaning]
        reason = " ".join([reason, *dict.fromkeys(readings)])
        return packed([], [inside], "prose", reason, likely=True)
    return one_type(inside, "alias", f"{named[inside]} names {inside.essence}.")


def _packers(sequence: list[Piece]) -> dict[ContentType, str]:
    """Return the types of the packages in a label, each with its name there."""
    named = of_kind(sequence, "package")
    return {piece.meaning.types[0]: piece.text for piece in named if piece.meaning}


def packed_somehow(_: list[Piece]) -> Meaning:
    """Read a word such as "compressed", which does not say by what."""
    return nothing("prose", "It is packed, but nothing says how or what.")


def untyped(sequence: list[Piece]) -> Meaning | None:
    """Read a format that has no media type."""
    return of_kind(sequence, "untyped")[0].meaning


def of_kind(sequence: list[Piece], *kinds: str) -> list[Piece]:
    """Return the pieces of some kinds."""
    return [piece for piece in sequence if piece.kind in kinds]


def _is_guess(sequence: list[Piece]) -> bool:
    """Return whether a part of the label is not understood, or has no type."""
    return bool(of_kind(sequence, "word", "untyped"))
