"""The formats that count where a label names several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.labels.lexicon import names
from cturi_rdf.labels.words import name_key
from cturi_rdf.registry import registry
from cturi_rdf.registry.rdf_types import rdf_type

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.pieces import Piece

__all__ = ["combined_types"]

_WORLD_FILE = "application/x-worldfile"
_RDF, _RDF_XML = "rdf", "application/rdf+xml"
_PLAIN_TEXT = "text/plain"
# Parts of the subtypes that are more exact than the name of a family, by the type of the family.
_OF_FAMILY = {
    "application/vnd.ms-excel": ("spreadsheetml", "ms-excel."),
    "application/msword": ("wordprocessingml", "ms-word."),
    "application/vnd.ms-powerpoint": ("presentationml", "ms-powerpoint."),
    "image/vnd.dwg": ("vnd.dxf",),
    # Every type is more exact than a page: "CSV (web page)" is a CSV file that a page links to.
    "text/html": ("",),
}


def combined_types(formats: Sequence[Piece], members: Collection[Piece]) -> list[ContentType]:
    """Return the types of formats, without repetitions.

    Those that are members of a list all count.  Any other type counts only if none is more exact:
    "Excel (XLSX)" is one format.
    """
    named = [(name_key(piece.text), piece.meaning) for piece in formats if piece.meaning]
    types = list(dict.fromkeys(one for _, meaning in named for one in meaning.types))
    listed = {one for piece in members if piece.meaning for one in piece.meaning.types}
    # "tar.gz (CSV)" is about what is inside.
    files = [kind for kind in types if kind in listed or not registry().packaging(kind.essence)]
    files = files or types
    families = {meaning.types[0] for key, meaning in named if key == _RDF or names().is_family(key)}
    return [
        kind
        for kind in files
        if kind in listed
        or not any(
            _is_broader(kind, other) or (kind in families and _is_of_family(kind, other))
            for other in files
        )
    ]


def _is_of_family(family: ContentType, other: ContentType) -> bool:
    if family == other:
        return False
    if family.essence == _RDF_XML:
        # "RDF as Turtle" names one syntax.
        record = rdf_type(other.essence)
        return record is not None and record.syntax is not None
    return any(part in other.subtype for part in _OF_FAMILY.get(family.essence, ()))


def _is_broader(kind: ContentType, other: ContentType) -> bool:
    """Return whether one type says less than another one beside it."""
    if kind == other:
        return False
    if other.essence == _WORLD_FILE:
        # "JPEG world file" is about the file beside a JPEG image.
        return True
    # "STL (ASCII)" says how a file is written, "XML (KML)" in which format.
    suffix = registry().suffix(other.suffix) if other.suffix else None
    built_on = {*registry().broader(other.essence), suffix.base if suffix else None, _PLAIN_TEXT}
    return registry().canonical(kind.essence) in built_on
