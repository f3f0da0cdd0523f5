"""The registry as open tables, for those who have neither Python nor RDF.

A Data Package of CSV files, SSSOM mappings between the identifiers of other schemes and media
types, a JSON Schema, and a folder that is an npm package.  All come from the facts of the RDF.

The table of labels says what each of many spellings in catalogues means.  Whoever has no Python
looks a label up in lower case, with spaces as one space.  The table has every name, code, extension
and IRI of the registry, and the usual phrases around the names of formats.  What the resolver only
guesses is in it as ``likely``.
"""

from __future__ import annotations

import csv
import json
from functools import cache
from io import StringIO
from itertools import chain, permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import cturi_rdf
from cturi_rdf.content_type import ContentType
from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import languages, service_names, words_of
from cturi_rdf.labels.resolver import EdamRecord
from cturi_rdf.rdf.label_statements import known_labels
from cturi_rdf.registry import registry
from cturi_rdf.registry.qualities import qualities
from cturi_rdf.registry.schemes import SchemeRecord, identifiers, own_identifiers
from cturi_rdf.registry.tables import inverted, load, sources
from cturi_rdf.site.pages import static

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cturi_rdf.labels import Resolution


_SITE = "https://w3id.org/cturi/"
_CODES = ("eu-file-type", "pronom", "loc-fdd", "wikidata", "w3c-formats")
# RFC 6838 section 4.2: restricted-name, twice.
_NAME = "[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}"
_PREFIXES = {
    "iana": "https://www.iana.org/assignments/media-types/",
    "eu-file-type": "http://publications.europa.eu/resource/authority/file-type/",
    "pronom": "https://www.nationalarchives.gov.uk/PRONOM/",
    "loc-fdd": "https://www.loc.gov/preservation/digital/formats/fdd/",
    "wikidata": "http://www.wikidata.org/entity/",
    "w3c-formats": "http://www.w3.org/ns/formats/",
    "edam": "http://edamontology.org/",
    "semapv": "https://w3id.org/semapv/vocab/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
}
_PREDICATES = {
    "close": "skos:closeMatch",
    # The format is the subject, the type the object.
    "narrow": "skos:broadMatch",
    "broad": "skos:narrowMatch",
    "related": "skos:relatedMatch",
}
_TYPE_COLUMNS = (
    "media_type", "name", "status", "registered", "replaced_by", "alias_of", "aliases", "broader",
    "extensions", "packs", "machine_readable", "non_proprietary", *_CODES,
)  # fmt: skip
_TRUTHS = {"machine_readable", "non_proprietary"}
_LABEL_COLUMNS = ("label", "verdict", "media_types", "packages", "confidence")
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


def open_tables() -> dict[str, str]:
    """Return the text of each file by its path.

    >>> sorted(name for name in open_tables() if name.endswith(".csv"))
    ['labels.csv', 'media-types.csv']
    """
    types, labels = list(_type_rows()), label_rows()
    tables = {
        "media-types.csv": _csv(_TYPE_COLUMNS, types),
        "labels.csv": _csv(_LABEL_COLUMNS, labels),
        "datapackage.json": _json(_data_package()),
        "media-types.schema.json": _json(_schema("registered")),
        "media-types-in-use.schema.json": _json(_schema("in use")),
        "labels.sssom.tsv": _label_mappings(labels),
        "labels.ttl": _label_triples(labels),
    }
    for scheme in (*_CODES, "edam"):
        tables[f"{scheme}.sssom.tsv"] = _mappings(scheme)
    return tables | _npm_package(types, labels)


def _essences() -> list[str]:
    """Return the registered types, then those that are in use."""
    snapshot = registry()
    in_use = (*snapshot.alias_records().keys(), *snapshot.extensions_by_type().keys())
    return list(dict.fromkeys((*snapshot.media_types().keys(), *in_use)))


def _type_rows() -> Iterator[tuple[Any, ...]]:
    snapshot = registry()
    for essence in _essences():
        record, canonical = snapshot.media_type(essence), snapshot.canonical(essence)
        stated = qualities(ContentType.parse(essence))
        related = snapshot.related_codes(essence)
        yield (
            essence,
            record.name if record else None,
            record.status if record else "unregistered",
            record.registered if record else None,
            "|".join(record.replaced_by if record else ()),
            canonical if canonical != essence else None,
            tuple(snapshot.aliases(essence)),
            tuple(snapshot.broader(essence)),
            tuple(snapshot.extensions_of(essence)),
            snapshot.packaging(essence),
            stated.machine_readable,
            stated.open,
            *(_close(related.get(scheme, {})) for scheme in _CODES),
        )


def _close(codes: dict[str, str]) -> str:
    return next((code for code, relation in codes.items() if relation == "close"), "")


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(_cell, row) for row in rows)
    return text.getvalue()


def _cell(value: bool | tuple[str, ...] | str | None) -> str:  # noqa: FBT001 - what a cell holds
    if isinstance(value, bool):
        return str(value).lower()
    return "|".join(value) if isinstance(value, tuple) else value or ""


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _licences() -> list[str]:
    """Return the licences of the sources that have a name in the list of SPDX."""
    named = {one for source in sources() for one in source.licence.split(" AND ")}
    return sorted(one for one in named if not one.startswith("LicenseRef"))


def _data_package() -> dict[str, Any]:
    """Return the description of the CSV files (Data Package 1.0)."""
    origin = [{"title": source.title, "path": source.page} for source in sources()]
    return {
        "profile": "tabular-data-package",
        "name": "cturi-media-types",
        "title": "Media types, and what the labels of catalogues mean",
        "version": cturi_rdf.__version__,
        "created": f"{registry().date}T00:00:00Z",
        "homepage": _SITE,
        "licenses": [{"name": licence} for licence in _licences()],
        "sources": origin,
        "resources": [
            {
                "profile": "tabular-data-resource",
                "name": name,
                "path": f"{name}.csv",
                "encoding": "utf-8",
                "schema": {
                    "fields": [
                        {"name": column, "type": "boolean" if column in _TRUTHS else "string"}
                        for column in columns
                    ],
                    "primaryKey": columns[0],
                },
            }
            for name, columns in (("media-types", _TYPE_COLUMNS), ("labels", _LABEL_COLUMNS))
        ],
    }


def _schema(which: str) -> dict[str, Any]:
    """Return a JSON Schema of media types: their grammar, and those that there are."""
    current = [one.name for one in registry().media_types() if registry().is_current(one.essence)]
    in_use = [essence for essence in _essences() if not registry().media_type(essence)]
    names = current if which == "registered" else [*current, *in_use]
    name = "media-types" if which == "registered" else "media-types-in-use"
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{_SITE}data/{name}.schema.json",
        "title": f"Media types, {which}",
        "description": f"IANA, {registry().date}; #/$defs/syntax is the grammar alone.",
        "$ref": "#/$defs/known",
        "$defs": {
            "syntax": {"type": "string", "pattern": f"^{_NAME}/{_NAME}$", "maxLength": 255},
            "known": {"$ref": "#/$defs/syntax", "enum": names},
        },
    }


def _sssom(name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of mappings (SSSOM 1.0) with its metadata."""
    head = [
        "#curie_map:",
        *(f"#  {prefix}: {iri}" for prefix, iri in sorted(_PREFIXES.items())),
        f"#mapping_set_id: {_SITE}data/{name}.sssom.tsv",
        f"#mapping_set_version: '{cturi_rdf.__version__}'",
        "#license: https://creativecommons.org/licenses/by/4.0/",
    ]
    return "\n".join([*head, "\t".join(columns), *map("\t".join, rows), ""])


def _mappings(scheme: str) -> str:
    """Return the mappings of a scheme's formats to media types that IANA lists."""
    columns = ("subject_id", "subject_label", "predicate_id", "object_id", "mapping_justification")
    if scheme != "edam":
        return _sssom(scheme, columns, sorted(_format_rows(scheme)))
    judged = "semapv:ManualMappingCuration"
    rows = [
        (f"edam:{record.code}", "", _PREDICATES["close"], f"iana:{name}", judged)
        for record in load("labels/edam.tsv", EdamRecord)
        for name in filter(None, map(_iana, record.types))
    ]
    return _sssom(scheme, columns, rows)


def _format_rows(scheme: str) -> Iterator[tuple[str, ...]]:
    codes = registry().formats(scheme)
    for record in registry().media_types():
        for identifier in identifiers(record.essence):
            if identifier.scheme == scheme:
                local = identifier.iri.removeprefix(_PREFIXES[scheme])
                label = codes[local.removesuffix(".shtml")].label
                predicate, name = _PREDICATES[identifier.relation], _iana(record.essence)
                lexical = "semapv:LexicalMatching"
                yield f"{scheme}:{local}", label, predicate, f"iana:{name}", lexical


def _label_mappings(labels: Iterable[LabelRow]) -> str:
    """Return the labels with one type that IANA lists as mappings of literals."""
    columns = (
        "subject_label", "subject_type", "predicate_id", "object_id", "mapping_justification",
        "confidence",
    )  # fmt: skip
    rows = [
        (
            row.label, "rdfs literal", "skos:closeMatch", f"iana:{name}",
            "semapv:LexicalMatching", "1.0" if row.confidence == "certain" else "0.5",
        )
        for row in labels
        if row.verdict == "media_type" and (name := _iana(row.types[0]))
    ]  # fmt: skip
    return _sssom("labels", columns, rows)


def _iana(essence: str) -> str:
    record = registry().media_type(essence)
    return record.name if record else ""


def _label_triples(labels: Iterable[LabelRow]) -> str:
    """Return the table as RDF: the type of each label, under the label as a hidden label.

    A store without functions joins on it: ``?type skos:hiddenLabel ?key`` with the label in lower
    case as `key`.
    """
    by_type = inverted(
        (row.label, row.types[:1])
        for row in labels
        if row.verdict == "media_type" and ";" not in row.types[0]
    )
    blocks = ["@prefix skos: <http://www.w3.org/2004/02/skos/core#> .", ""]
    for essence, keys in sorted(by_type.items()):
        texts = ", ".join(json.dumps(key, ensure_ascii=False) for key in keys)
        blocks.append(f"<ContentType:{essence}> skos:hiddenLabel {texts} .")
    return "\n".join([*blocks, ""])


def _npm_package(types: list[tuple[Any, ...]], labels: tuple[LabelRow, ...]) -> dict[str, str]:
    """Return the files of the npm package: types by name, and the labels that name something."""
    by_name = {
        row[0]: {
            column: value
            for column, value in zip(_TYPE_COLUMNS[1:], row[1:], strict=True)
            if value not in {None, "", ()}
        }
        for row in types
    }
    by_label = {label: meaning for label, *meaning in labels}
    manifest = {
        "name": "cturi-data",
        "version": cturi_rdf.__version__,
        "description": "Media types with aliases, extensions and codes, and what labels mean",
        "license": " AND ".join(_licences()),
        "main": "index.js",
        "files": ["index.js", "types.json", "labels.json"],
    }
    return {
        "npm/package.json": _json(manifest),
        "npm/README.md": static("npm/README.md"),
        "npm/index.js": static("npm/index.js"),
        "npm/types.json": json.dumps(by_name, ensure_ascii=False, separators=(",", ":")),
        "npm/labels.json": json.dumps(by_label, ensure_ascii=False, separators=(",", ":")),
    }


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
        _labels_of_types(),
        (sign.join(pair) for pair in permutations(_TOGETHER, 2) for sign in _SIGNS),
        (f"{dot}{row.extension}" for row in registry().extensions() for dot in ("", ".", "*.")),
        _labels_of_formats(),
    )


def _labels_of_types() -> Iterator[str]:
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


def _labels_of_formats() -> Iterator[str]:
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
