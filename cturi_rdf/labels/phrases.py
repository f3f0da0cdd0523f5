"""Labels of several words: what their pieces say together."""

from __future__ import annotations

from itertools import pairwise

from cturi_rdf.labels.lexicon import PACKERS, names
from cturi_rdf.labels.pieces import pieces
from cturi_rdf.labels.resolution import Resolution
from cturi_rdf.labels.words import fused
from cturi_rdf.registry import registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.pieces import Piece

__all__ = ["composed"]

# What the types of a program have in their names whose older files are of the first type.
_PROGRAMS = {
    "application/vnd.ms-excel": ("spreadsheetml", "ms-excel."),
    "application/msword": ("wordprocessingml", "ms-word."),
    "application/vnd.ms-powerpoint": ("presentationml", "ms-powerpoint."),
}
# A text of more words that no table knows is about something else.
_MOST_UNKNOWN = 12
# Two things with a comma between may be one in the other; more are a list.
_PAIR = 2


def composed(label: str) -> Resolution | None:
    """Return what a label of several words means, or None where they name nothing.

    >>> composed("Zipped CSV").outer
    ContentType.parse('application/zip')
    >>> [str(each) for each in composed("XML, CSV and HTML").types]
    ['application/xml', 'text/csv', 'text/html']
    >>> composed("GML over WFS").verdict, composed("WFS (GML)").verdict
    ('media_type', 'service')
    """
    found = _trimmed(pieces(label))
    unknown = sum(piece.kind == "word" for piece in found)
    if unknown > _MOST_UNKNOWN:
        return None
    if unknown:
        found = _without_guesses(found)
    formats = [each for each in found if each.kind == "format"]
    services = [each for each in found if each.kind == "service"]
    packages = [each for each in found if each.kind == "package"]
    if services and _is_service(found):
        return _service(label, services[0])
    if formats:
        return _formats(label, found, formats, packages, unknown=unknown)
    if packages:
        untyped = sum(piece.kind == "untyped" for piece in found)
        return _packages(label, packages, unknown=unknown + untyped)
    for piece in found:
        if piece.kind == "untyped" and piece.found is not None:
            return piece.found.but(label=label)
        if piece.kind == "transport":
            return _service(label, piece)
    return None


def _without_guesses(found: list[Piece]) -> list[Piece]:
    """Leave out ordinary words: among words not known they are just words.

    But not one that is by itself between the marks of a list that has a format as well.
    """
    if not any(each.kind == "format" and not each.guessed for each in found):
        return [each for each in found if not each.guessed]
    edged = [None, *found, None]
    alone = {
        id(piece)
        for before, piece, after in zip(edged, found, edged[2:], strict=False)
        if all(each is None or each.kind == "list" for each in (before, after))
    }
    return [each for each in found if not each.guessed or id(each) in alone]


def _trimmed(found: list[Piece]) -> list[Piece]:
    """Leave out what comes after a word like "via", unless nothing comes before it."""
    for at, piece in enumerate(found):
        if piece.kind == "from":
            before = [each for each in found[:at] if each.kind in {"format", "package", "service"}]
            return found[:at] if before else [each for each in found if each.kind != "from"]
    return found


def _is_service(found: list[Piece]) -> bool:
    """Return whether the services in a label are what it is about.

    The first name decides, unless a list has several formats; and a service straight after
    a format, as in "JSON API", is a service for it.
    """
    named = [each for each in found if each.kind in {"format", "package", "service", "list"}]
    while named and named[0].kind == "list":
        named.pop(0)
    formats = {each.found.types for each in named if each.kind == "format" and each.found}
    if not formats and not any(each.kind == "package" for each in named):
        return True
    parted = any(each.kind == "list" for each in named)
    if named[0].kind == "service":
        inside = all(each.depth for each in named if each.kind == "format") and not named[0].depth
        return inside or not (parted and len(formats) > 1)
    for before, after in pairwise(named):
        if after.kind == "service" and before.kind == "format" and before.depth == after.depth:
            return not parted
    return False


def _service(label: str, piece: Piece) -> Resolution:
    reason = f"{piece.text} says that it is a service."
    return Resolution(label, "service", rule="service", confidence="likely", reason=reason)


def _formats(
    label: str, found: list[Piece], formats: list[Piece], packages: list[Piece], *, unknown: int
) -> Resolution:
    meant = [each.found for each in formats if each.found]
    members = [each for each in packages if _is_member(each, found)]
    packed = [each.found for each in packages if each not in members]
    types = _types(found, formats)
    types += [each.found.types[0] for each in members if each.found]
    outers = [each.outer for each in meant] + [each.types[0] for each in packed if each]
    outer = next(filter(None, outers), None)
    sure = "likely" if unknown or any(each.confidence == "likely" for each in meant) else "certain"
    if len(meant) == 1 and not packages:
        rule = "prose" if unknown else meant[0].rule
        return meant[0].but(label=label, rule=rule, confidence=sure)
    said = ", ".join(dict.fromkeys(each.text for each in (*formats, *members)))
    reason = f"{said}: {', '.join(each.essence for each in types)}"
    if packed or outer:
        reason += f", in {outer.essence}." if outer else ", packed, but it does not say how."
        verdict = "compound"
    else:
        reason += "."
        verdict = "several" if len(types) > 1 else "media_type"
    return Resolution(label, verdict, types, outer, rule="prose", confidence=sure, reason=reason)


def _packages(label: str, packages: list[Piece], *, unknown: int) -> Resolution | None:
    kinds = list(dict.fromkeys(each.found.types[0] for each in packages if each.found))
    if not kinds:
        reason = "It is packed, but nothing says how or what."
        return Resolution(label, "nothing", rule="prose", reason=reason)
    if len(kinds) > 1:
        reason = f"{packages[0].text} is packed again as {packages[-1].text}."
        return Resolution(
            label,
            "compound",
            kinds[:1],
            kinds[-1],
            rule="prose",
            confidence="likely",
            reason=reason,
        )
    if unknown:
        reason = f"It is packed in {kinds[0].essence}, but nothing says what is inside."
        return Resolution(
            label, "compound", (), kinds[0], rule="prose", confidence="likely", reason=reason
        )
    reason = f"{packages[0].text} names {kinds[0].essence}."
    return Resolution(label, "media_type", kinds, rule="alias", reason=reason)


def _is_member(package: Piece, found: list[Piece]) -> bool:
    """Return whether a package is one more member of a list of three or more."""
    members: list[list[Piece]] = [[]]
    for piece in found:
        if piece.kind == "list" and piece.sign != ":":
            members.append([])
        elif piece.kind in {"format", "package"}:
            members[-1].append(piece)
    signs = {each.sign for each in found if each.kind == "list"}
    listed = sum(map(bool, members)) > _PAIR or bool(signs & {"and", "&"})
    return listed and [package] in members


def _types(found: list[Piece], formats: list[Piece]) -> list[ContentType]:
    """Return the types that are named, without those that a more exact name makes needless."""
    types = list(dict.fromkeys(kind for each in formats if each.found for kind in each.found.types))
    if any(each.kind == "list" and each.depth == formats[0].depth for each in found):
        return types
    # "tar.gz (CSV)": a package inside a package is no more than that.
    types = [each for each in types if each.essence not in PACKERS] or types
    for each in formats:
        # "Excel (XLSX)", "PowerPoint PPTX": the exact name decides.
        family = each.found.types[0] if each.found and names().is_family(fused(each.text)) else None
        if family in types and any(_same_program(family, other) for other in types):
            types.remove(family)
    return [each for each in types if not any(_is_broader(each, other) for other in types)]


def _same_program(family: ContentType, other: ContentType) -> bool:
    if family.essence == "text/html":
        # A page is where it is found, any other format is what it is.
        return family != other
    return any(each in other.subtype for each in _PROGRAMS.get(family.essence, ()))


def _is_broader(kind: ContentType, other: ContentType) -> bool:
    """Return whether one type is what another one is built on, or another name of it."""
    if kind == other:
        return False
    known = registry()
    suffix = known.suffix(other.suffix) if other.suffix else None
    built_on = {*known.broader(other.essence), suffix.base if suffix else None}
    return known.canonical(kind.essence) in built_on
