"""What an editor shows of a text: findings with their fixes, the meaning of a label, values.

Places are lines and columns from 0, columns in units of UTF-16, as the Language Server Protocol has
them (LSP 3.17, Position).
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

import pyoxigraph as ox

from cturi_rdf.catalogue.check import check_file
from cturi_rdf.editing import EditError, locate
from cturi_rdf.editing.edit import plan
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.terms import PROPERTIES
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.options import ReadOptions
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib import Graph

    from cturi_rdf.catalogue.findings import CheckReport, Finding, Place
    from cturi_rdf.editing import Document
    from cturi_rdf.labels import Resolution


_LABELLED = frozenset(path.value for path in PROPERTIES)
_EU = "http://publications.europa.eu/resource/authority/file-type/"
_IANA = "https://www.iana.org/assignments/media-types/"
# A property before the cursor, and what may stand between it and its first value.
_BETWEEN = r"[\s\"'<:=\[]*(?:rdf:resource=[\"'])?$"
_FORMAT = re.compile(rf"\bformat{_BETWEEN}")
_MEDIA_TYPE = re.compile(rf"\b(?:mediaType|compressFormat|packageFormat|encodingFormat){_BETWEEN}")
# LSP 3.17, Text Documents: what ends a line, and nothing else does.
_LINE_END = re.compile(r"\r\n?|\n")
# What may be typed of a value: up to a quote, a bracket or a space before it.
_TYPED = re.compile(r"[^\s\"'<>,;\[\](){}=]*$")


class Spot(NamedTuple):
    """A line and a column."""

    line: int
    column: int


class Change(NamedTuple):
    """A piece of a text, and what to write there."""

    start: Spot
    end: Spot
    text: str


class Remark(NamedTuple):
    """A finding at its place; `changes` mend it, and `title` says how.

    `parts` are the places of the focus node, the path and the value of a result of shapes.
    """

    start: Spot
    end: Spot
    level: str
    rule: str
    message: str
    title: str = ""
    changes: tuple[Change, ...] = ()
    parts: tuple[tuple[str, Spot, Spot], ...] = ()


class Value(NamedTuple):
    """A value of a property: its IRI, the name to show, and what it is."""

    iri: str
    name: str
    detail: str


def name_of(uri: str) -> str:
    """Return the name of the file that a URI is of.

    >>> name_of("file:///a%20b/c.ttl")
    'c.ttl'
    """
    return unquote(urlsplit(uri).path).rpartition("/")[2]


def is_known(uri: str) -> bool:
    """Return whether the name of a file tells a format of RDF."""
    try:
        format_of_file(name_of(uri))
    except CatalogError:
        return False
    return True


def remarks(
    uri: str, text: str, profile: str | None = None, shapes: Graph | None = None
) -> list[Remark]:
    """Return what is wrong in a text: the findings of a check, or why it cannot be read."""
    lines = _LINE_END.split(text)
    with TemporaryDirectory() as folder:
        # The check reads files, as often as it needs to.
        path = Path(folder, name_of(uri))
        path.write_text(text, "utf-8", newline="")
        try:
            report = check_file(path, profile=profile, shapes=shapes, reading=ReadOptions())
        except CatalogError as error:
            start = _spot(lines, error.line or 1, error.column or 1)
            end = Spot(start.line, start.column + 1)
            return [Remark(start, end, "Violation", "syntax", error.fault)]
    return [
        _remark(report, lines, finding, place)
        for finding in report.findings
        for place in finding.places
    ]


def _remark(report: CheckReport, lines: list[str], finding: Finding, place: Place) -> Remark:
    def spot(offset: int | None) -> Spot:
        position = report.position(offset or 0)
        return _spot(lines, *position) if position else Spot(0, 0)

    start, end = spot(place.start), spot(place.end)
    parts = tuple((name, spot(one.start), spot(one.end)) for name, one in place.parts.items())
    document = place.document or report.document
    changes: tuple[Change, ...] = ()
    if document is not None and place.changes:
        try:
            changes = tuple(_changes(document, lines, place))
        except EditError:
            changes = ()
    title = f"Write {finding.write}" if finding.write else "Leave it out"
    if not any(change.removed for change in place.changes):
        title = "Add what is missing"
    message = finding.message()
    return Remark(start, end, finding.level, finding.rule, message, title, changes, parts)


def _changes(document: Document, lines: list[str], place: Place) -> Iterator[Change]:
    for edit in plan(document, place.changes):
        start, end = (_spot(lines, *document.position(one)) for one in (edit.start, edit.end))
        yield Change(start, end, document.text(edit.text))


def _spot(lines: list[str], line: int, column: int) -> Spot:
    """Return a place that counts from 1, in characters, as editors count."""
    text = lines[line - 1][: column - 1] if line <= len(lines) else ""
    return Spot(line - 1, _units(text))


def _units(text: str) -> int:
    """Return the length of a text in UTF-16.

    >>> _units("a😀")
    3
    """
    return len(text.encode("utf-16-le")) // 2


def meaning(uri: str, text: str, spot: Spot) -> tuple[Spot, Spot, Resolution] | None:
    """Return what the label at a place means, and where it begins and ends."""
    data, lines = text.encode(), _LINE_END.split(text)
    try:
        document = locate(data, format_of_file(name_of(uri)), base=uri, predicates=_LABELLED)
        statements = list(document.statements)
    except CatalogError:
        return None
    for statement in statements:
        if statement.object_span is None or isinstance(statement.object, ox.BlankNode | ox.Triple):
            continue
        start, end = (_spot(lines, *document.position(one)) for one in statement.object_span)
        if start <= spot <= end:
            return start, end, resolve(statement.object.value)
    return None


def values(text: str, spot: Spot) -> tuple[list[Value], Spot]:
    """Return the values that fit at a place, and where what is typed of one begins.

    These are the EU's file types for a format, and IANA's types for a media type.
    """
    lines = _LINE_END.split(text)
    line = lines[spot.line] if spot.line < len(lines) else ""
    before = line.encode("utf-16-le")[: 2 * spot.column].decode("utf-16-le", "ignore")
    typed = _TYPED.search(before)
    begin = before[: typed.start()] if typed else before
    place = Spot(spot.line, _units(begin))
    if _FORMAT.search(begin):
        return [
            Value(_EU + one.code, one.code, ", ".join((one.label, *one.types)))
            for one in registry().eu_file_types()
            if not one.service
        ], place
    if _MEDIA_TYPE.search(begin):
        return [Value(_IANA + one, one, "IANA") for one in _media_types()], place
    return [], place


def _media_types() -> list[str]:
    return list(registry().media_types().keys())
