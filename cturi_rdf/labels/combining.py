"""The formats that count where a label names several."""

from __future__ import annotations

from cturi_rdf.labels.lexicon import names
from cturi_rdf.labels.words import name_key
from cturi_rdf.registry import registry
from cturi_rdf.registry.rdf_types import rdf_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.pieces import Piece

__all__ = ["combined_types"]

_WORLD_FILE = "application/x-worldfile"
# Parts of the subtypes of a program's newer files, by the type of its older files.
_PROGRAMS = {
    "application/vnd.ms-excel": ("spreadsheetml", "ms-excel."),
    "application/msword": ("wordprocessingml", "ms-word."),
    "application/vnd.ms-powerpoint": ("presentationml", "ms-powerpoint."),
    "image/vnd.dwg": ("vnd.dxf",),
}
_RDF, _RDF_XML = "rdf", "application/rdf+xml"
_PLAIN_TEXT = "text/plain"


def combined_types(formats: Sequence[Piece], *, listed: bool) -> list[ContentType]:
    """Return the types of formats, each once.

    Members of a list all count.  Without a list, "Excel (XLSX)" is one format: a more exact
    name decides over the name of a program, and over the type that its own is built on.
    """
    meanings = [piece.meaning for piece in formats if piece.meaning]
    types = list(dict.fromkeys(one for meaning in meanings for one in meaning.types))
    if listed:
        return types
    # "tar.gz (CSV)": a package inside a package is no more than that.
    types = [
        content_type for content_type in types if not registry().packaging(content_type.essence)
    ] or types
    if any(content_type.essence == _WORLD_FILE for content_type in types):
        # "JPEG world file" is about the file beside a JPEG image.
        return [content_type for content_type in types if content_type.essence == _WORLD_FILE]
    for piece in formats:
        key = name_key(piece.text)
        is_family = piece.meaning and (key == _RDF or names().is_family(key))
        family = piece.meaning.types[0] if piece.meaning and is_family else None
        if family in types and any(_same_program(family, other) for other in types):
            types.remove(family)
    return [
        content_type
        for content_type in types
        if not any(_is_broader(content_type, other) for other in types)
    ]


def _same_program(family: ContentType, other: ContentType) -> bool:
    if family.essence == "text/html":
        # "CSV (HTML)" is a CSV file that a page links to.
        return family != other
    if family.essence == _RDF_XML:
        # "RDF as Turtle" names one syntax.
        record = rdf_type(other.essence)
        return record is not None and record.syntax is not None and family != other
    return any(program in other.subtype for program in _PROGRAMS.get(family.essence, ()))


def _is_broader(kind: ContentType, other: ContentType) -> bool:
    """Return whether one type is what another one is built on, or another name of it."""
    if kind == other:
        return False
    if kind.essence == _PLAIN_TEXT:
        # "STL (ASCII)" says how a file is written.
        return True
    suffix = registry().suffix(other.suffix) if other.suffix else None
    built_on = {*registry().broader(other.essence), suffix.base if suffix else None}
    return registry().canonical(kind.essence) in built_on
