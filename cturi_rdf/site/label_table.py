"""The table of labels: what each of many spellings in catalogues means, for a plain look-up.

Whoever has no Python looks a label up in lower case, with spaces as one space.  The table has every
name, code, extension and IRI of the registry, and the usual phrases around the names of formats.
What the resolver only guesses is in it as ``likely``.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, permutations
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import service_names
from cturi_rdf.labels.words import languages, words_of
from cturi_rdf.rdf.label_statements import known_labels
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import SchemeRecord, own_identifiers
from cturi_rdf.registry.tables import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.labels import Resolution


# Around the name of a format, in the languages of the catalogues.
_PHRASES = (
    ".{}", "*.{}", "{} file", "{} files", "{} format", "{} data", "file {}", "format {}",
    "{}-datei", "{}-fil", "{}-bestand", "fichier {}", "archivo {}", "ficheiro {}", "formato {}",
    "application/{}", "text/{}", "image/{}", "application/x-{}", "({})", "{} document",
    "{} table", "{} zip", "{} (zip)", "zipped {}", "zip ({})", "zip/{}", "{}/zip", "{}.zip",
    "zip+{}", "{}_zip", "zip {}", "{}-zip", "{}.gz", "{}.tar.gz", "{}, zip", "{} gzip", "{}s",
    "{} download", "{} export", "esri {}", "ogc {}", "ogc:{}", "{} (utf-8)", "{}(zip)", "{} / zip",
    "zip / {}", "zip:{}", "gzip:{}", "google earth ({0})",
    "microsoft {}", "ms {}", "{}+xml", "zipped {}s",
)  # fmt: skip
_PACKED = ("zipped {}", "{} (zip)", "{}(zip)", "{} zip", "zip:{}", "{} file")
# What stands before the type in the IRIs that others make of any type.
_MINTED = (
    "https://www.iana.org/assignments/media-types/",
    "http://www.iana.org/assignments/media-types/",
    "https://www.iana.org/assignments/media-type/",
    "http://inspire.ec.europa.eu/media-types/",
)
_CHARSETS = (";charset=utf-8", "; charset=utf-8", "; charset=iso-8859-1")
# Formats that stand beside one another in one label.
_TOGETHER = (
    "csv", "json", "xml", "xls", "xlsx", "pdf", "html", "kml", "kmz", "shp", "geojson", "txt",
    "rdf", "zip", "gml", "gpkg", "dwg", "dxf", "doc", "docx", "jpg", "png", "ods", "xsd",
)  # fmt: skip
_SIGNS = (", ", "/", " / ")
# The tables of formats whose names stand in catalogues.
_FORMATS = ("eu-file-type", "w3c-formats", "pronom", "loc-fdd", "wikidata", "dataone")


class LabelRow(NamedTuple):
    """A label in lower case, and its meaning."""

    label: str
    verdict: str
    types: tuple[str, ...]
    packages: tuple[str, ...]
    confidence: str


def key_of(label: str) -> str:
    r"""Return a label as it is looked up: in lower case, with one space for white space.

    >>> key_of(" Zipped\tCSV")
    'zipped csv'
    """
    return " ".join(label.lower().split())


@cache
def label_rows() -> tuple[LabelRow, ...]:
    """Return the rows of the table, in the order of the labels."""
    return rows_of(candidates())


def rows_of(labels: Iterable[str]) -> tuple[LabelRow, ...]:
    """Return the rows of a table of some labels, in their order.

    >>> rows_of(["SHP (zip)", "misc"])[0][:3]
    ('shp (zip)', 'compound', ('application/vnd.shp',))
    """
    rows: dict[str, LabelRow | None] = {}
    for label in dict.fromkeys(labels):
        key = key_of(label)
        row = _row(key, resolve(label))
        # What depends on the case of letters cannot be looked up without it.
        if row and rows.setdefault(key, row) != row:
            rows[key] = None
    return tuple(row for _, row in sorted(rows.items()) if row)


def _row(key: str, resolution: Resolution) -> LabelRow | None:
    """Return the row of a label, or None where it names nothing, or two of our tables disagree."""
    if not (resolution.types or resolution.wrappers or resolution.verdict == "service"):
        return None
    snapshot = registry()
    read = {snapshot.canonical(content_type.essence) for content_type in resolution.types}
    # An extension is read as the first of its types.
    usual = map(snapshot.canonical, snapshot.types_of_extension(key)[:1])
    if read and not read.issuperset(usual):
        return None
    types, packages = map(str, resolution.types), map(str, resolution.wrappers)
    return LabelRow(key, resolution.verdict, tuple(types), tuple(packages), resolution.confidence)


def candidates() -> Iterator[str]:
    """Yield the labels that the table may have, some more than once."""
    core = list(known_labels())
    words = [
        word.word
        for word in words_of(*languages())
        if any(kind.startswith("format:") for kind in word.kinds)
    ]
    return chain(
        core,
        words,
        (phrase.format(word) for word in words for phrase in _PACKED),
        (
            phrase.format(name)
            for name in core
            for phrase in _PHRASES
            # Nobody writes "Excel file file".
            if set(phrase.split()).isdisjoint(name.lower().split())
        ),
        service_names(),
        _types(),
        (sign.join(pair) for pair in permutations(_TOGETHER, 2) for sign in _SIGNS),
        (f"{dot}{row.extension}" for row in registry().extensions() for dot in ("", ".", "*.")),
        _codes(),
    )


def _types() -> Iterator[str]:
    snapshot = registry()
    essences = dict.fromkeys(record.essence for record in snapshot.media_types())
    essences |= dict.fromkeys(snapshot.alias_records().keys())
    essences |= dict.fromkeys(snapshot.extensions_by_type().keys())
    for essence in essences:
        yield essence
        yield essence.partition("/")[2]
        yield from (start + essence for start in _MINTED)
        yield from (essence + end for end in _CHARSETS)
        for identifier in own_identifiers(essence):
            yield from _spellings(identifier.iri)


def _codes() -> Iterator[str]:
    """Yield the labels of formats, and their IRIs in all forms."""
    forms = [row for row in load("schemes.tsv", SchemeRecord) if "{code}" in row.template]
    for scheme in _FORMATS:
        templates = [row.template for row in forms if row.scheme == scheme]
        for record in registry().formats(scheme):
            yield record.label
            for template in templates:
                yield from _spellings(template.replace("{code}", record.code))


def _spellings(iri: str) -> Iterable[str]:
    other = iri.replace("https://", "http://")
    return {iri, other, other.replace("http://", "https://")}
