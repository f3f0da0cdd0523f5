"""What several statements say together: each row has them, and the whole judgement."""

# ruff: noqa: E501 - the tables have a row a line

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from conftest import law
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode

from cturi_rdf import ContentType
from cturi_rdf.catalogue.evidence import Evidence, evidence_of_term, readings_of
from cturi_rdf.catalogue.header import sent_as
from cturi_rdf.catalogue.judgement import Claim, judge, weigh
from cturi_rdf.labels import resolve
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_kind_of

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

TYPES = {
    name: ContentType.parse(text)
    for name, text in {
        "csv": "text/csv", "html": "text/html", "json": "application/json",
        "geo": "application/geo+json", "xml": "application/xml", "zip": "application/zip",
        "tar": "application/x-tar", "gz": "application/gzip", "bz": "application/x-bzip2",
        "odt": "application/vnd.oasis.opendocument.text", "own": "application/x-own",
    }.items()
}  # fmt: skip
# The types of each claim, what these are wrapped in, and what its property names; the outcome, the
# contents, the wrappers and the conflicts.
WEIGHED: list[tuple[list[tuple[str, str, str | None]], str, str, str, str]] = [
    ([("csv", "", None)], "one", "csv", "", ""),
    ([("csv", "", None), ("csv", "", None)], "one", "csv", "", ""),
    ([("csv", "", None), ("html", "", None)], "conflict", "", "", "csv html"),
    ([("csv html", "", None)], "several", "csv html", "", ""),
    ([("csv html", "", None), ("csv", "", None)], "one", "csv", "", ""),
    ([("json", "", None), ("geo", "", None)], "one", "geo", "", ""),
    # Types that one statement lists are a choice; another statement may choose the broader one.
    ([("json geo", "", None)], "several", "geo json", "", ""),
    ([("json geo", "", None), ("json", "", None)], "one", "json", "", ""),
    ([("json geo", "", None), ("geo", "", None)], "one", "geo", "", ""),
    ([("json geo", "", None), ("xml json", "", None)], "one", "json", "", ""),
    ([("json geo", "", None), ("json", "", None), ("geo", "", None)], "one", "geo", "", ""),
    ([("zip", "", None)], "one", "", "zip", ""),
    ([("zip", "", None), ("csv", "", None)], "one", "csv", "zip", ""),
    ([("zip", "", None), ("odt", "", None)], "one", "odt", "", ""),
    ([("zip", "", "package"), ("odt", "", None)], "one", "odt", "zip", ""),
    ([("csv", "zip", None)], "one", "csv", "zip", ""),
    ([("csv", "gz tar", None)], "one", "csv", "gz tar", ""),
    ([("csv", "tar gz", None)], "one", "csv", "gz tar", ""),
    ([("csv", "zip", None), ("gz", "", "compression")], "one", "csv", "gz zip", ""),
    ([("gz", "", "compression"), ("bz", "", "compression")], "conflict", "", "", "gz bz"),
    ([("gz bz", "", "compression")], "several", "gz bz", "", ""),
    ([("zip tar", "", "package")], "several", "tar zip", "", ""),
    ([("gz", "", "compression"), ("zip tar", "", "package")], "one", "tar zip", "gz", ""),
    (
        [("gz", "", "compression"), ("zip tar", "", "package"), ("csv", "", None)],
        "one",
        "csv",
        "gz",
        "",
    ),
    ([("gz bz", "", "compression"), ("zip", "", "package")], "several", "gz bz", "", ""),
    ([("zip", "", "package"), ("tar", "", "package")], "conflict", "", "", "tar zip"),
    ([("own", "", "package")], "one", "", "own", ""),
    ([("own", "", "compression")], "one", "", "own", ""),
    ([("csv", "", "package")], "one", "", "csv", ""),
    ([("zip csv", "", None)], "several", "zip csv", "", ""),
    ([("zip csv", "", None), ("csv", "", None)], "one", "csv", "", ""),
    ([("zip csv", "", None), ("zip", "", None)], "one", "csv", "zip", ""),
    ([("csv", "own", None)], "one", "csv", "own", ""),
    ([], "none", "", "", ""),
]


def _types(names: str) -> tuple[ContentType, ...]:
    return tuple(TYPES[name] for name in names.split())


@pytest.mark.parametrize(("claims", "outcome", "contents", "wrappers", "conflicts"), WEIGHED)
@pytest.mark.parametrize("order", [1, -1])
def test_claims_are_weighed_together_in_any_order(
    claims: list[tuple[str, str, str | None]],
    outcome: str,
    contents: str,
    wrappers: str,
    conflicts: str,
    order: int,
) -> None:
    claimed = [Claim(_types(one), _types(around), kind) for one, around, kind in claims]
    expected = outcome, _types(contents), _types(wrappers), _types(conflicts)
    assert weigh(tuple(claimed[::order])) == expected


# --- What every claim has in common with every other one -------------------------------------------

NAMES = sorted(TYPES)
# The parameters that a file has: any statement may give any of them.
PARAMETERS = {"charset": "utf-8", "header": "absent", "profile": "http://a.example/p"}
given_parameters = st.sets(st.sampled_from(sorted(PARAMETERS))).map(
    lambda names: {name: PARAMETERS[name] for name in names}
)
one_claim = st.tuples(st.sampled_from(NAMES), given_parameters)


def _claim(name: str, parameters: dict[str, str]) -> Claim:
    return Claim((TYPES[name].replace(parameters=parameters),))


@given(st.lists(one_claim, min_size=1, max_size=4))
@law
def test_a_parameter_makes_no_conflict_and_is_kept(
    claims: list[tuple[str, dict[str, str]]],
) -> None:
    bare = weigh(tuple(_claim(name, {}) for name, _ in claims))
    weighed = weigh(tuple(_claim(*one) for one in claims))
    assert weighed.outcome == bare.outcome
    for with_parameters, without in zip(weighed[1:3], bare[1:3], strict=True):
        assert [one.essence for one in with_parameters] == [one.essence for one in without]
    said = {name for _, parameters in claims for name in parameters}
    kept = {name for one in weighed.contents + weighed.wrappers for name in one.parameters}
    assert kept == (said if weighed.outcome == "one" else set())


PAIRS = [
    (one, other)
    for one in NAMES
    for other in NAMES
    if is_kind_of(TYPES[one], TYPES[other]) and not registry().packaging(TYPES[one].essence)
]


@given(st.sampled_from(PAIRS), given_parameters, st.sampled_from(sorted(PARAMETERS)))
@law
def test_only_a_parameter_with_two_values_is_a_conflict(
    pair: tuple[str, str], parameters: dict[str, str], name: str
) -> None:
    first, second = ({**parameters, name: value} for value in ("utf-16", "latin1"))
    weighed = weigh((_claim(pair[0], first), _claim(pair[1], second)))
    # A profile is a set (RFC 6906 section 3.1).
    assert weighed.outcome == ("one" if name == "profile" else "conflict")


choices = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True)


@given(st.lists(st.tuples(choices, given_parameters), min_size=1, max_size=3), st.randoms())
@law
def test_the_order_of_claims_and_of_their_types_decides_nothing(
    claims: list[tuple[list[str], dict[str, str]]], random: Random
) -> None:
    stated = [
        Claim(tuple(TYPES[name].replace(parameters=parameters) for name in names))
        for names, parameters in claims
    ]
    shuffled = [
        claim._replace(types=tuple(random.sample(claim.types, len(claim.types))))
        for claim in stated
    ]
    random.shuffle(shuffled)
    assert weigh(tuple(shuffled)) == weigh(tuple(stated))


@given(st.lists(st.tuples(choices, given_parameters), min_size=1, max_size=3))
@law
def test_a_parameter_leaves_the_choice_that_there_is_without_it(
    claims: list[tuple[list[str], dict[str, str]]],
) -> None:
    def essences(*, bare: bool) -> tuple[str, list[str], list[str]]:
        weighed = weigh(
            tuple(
                Claim(tuple(TYPES[one].replace(parameters={} if bare else own) for one in names))
                for names, own in claims
            )
        )
        contents, wrappers = ([one.essence for one in types] for types in weighed[1:3])
        return weighed.outcome, contents, wrappers

    assert essences(bare=False) == essences(bare=True)


@given(choices, st.sampled_from(["csv", "geo", "odt"]))
@law
def test_a_list_of_types_leaves_all_of_them_to_choose_from(names: list[str], one: str) -> None:
    types = set(_types(" ".join([*names, one])))
    outcome = "several" if len(types) > 1 else "one"
    assert weigh((Claim(tuple(types)),)) == (outcome, tuple(sorted(types, key=str)), (), ())


def test_a_label_that_names_several_formats_has_several_in_every_command(shared: Path) -> None:
    gold = (shared / "labels" / "gold.jsonl").read_text("utf-8").splitlines()
    meanings = [resolve(json.loads(line)["label"]) for line in gold]
    lists = [one for one in meanings if one.verdict == "several"]
    assert len(lists) > 10
    assert not [one.label for one in lists if sent_as(one).content_type is not None]


DCAT, CTV = "http://www.w3.org/ns/dcat#", "https://w3id.org/cturi/vocab#"
PATHS = {
    "format": "http://purl.org/dc/terms/format", "type": f"{DCAT}mediaType",
    "package": f"{DCAT}packageFormat", "compression": f"{DCAT}compressFormat",
    "url": f"{DCAT}downloadURL", "node": f"{CTV}contentType", "packaging": f"{CTV}packaging",
    "class": "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    "charset": "http://www.w3.org/2011/content#characterEncoding",
}  # fmt: skip
# Labels that name one type, several, or one of several.
NAMED = ["CSV", "XML", "CSV, JSON", "Zipped CSV", "MIF", "Excel", "OWL", "RDF TriX", "RDF",
         "meta/rdf-schema", "flurbel", "text/html"]  # fmt: skip
TEXTS = ["text/csv", "text/plain", "text/turtle", "application/xml", "application/rdf+xml"]


@given(st.sampled_from(NAMED), st.sampled_from(TEXTS), st.booleans())
@law
def test_a_character_set_may_stand_in_a_type_or_beside_it(
    label: str, text: str, by_url: bool
) -> None:
    both = [f"format {label}", "url http://a/a.zip"]
    inside, beside = (
        judge(map(_evidence, [*both, *stated]), by_url=by_url)
        for stated in ([f"type {text}; charset=utf-8"], [f"type {text}", "charset utf-8"])
    )
    assert (inside.outcome, inside.wrappers) == (beside.outcome, beside.wrappers)
    assert inside.conflicts == beside.conflicts
    if inside.outcome == "one":
        assert inside.contents == beside.contents


# The statements about a resource, then the outcome, its contents and wrappers, how sure they are,
# the conflicts; then the reading that is chosen of each statement that counts.
JUDGED = """
format CSV
    one: text/csv, certain
    CSV: text/csv, certain

format Excel
    one: application/vnd.ms-excel, likely
    Excel: application/vnd.ms-excel, likely

format Excel | type application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
    one: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, certain
    Excel: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, certain
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, certain

format Excel | type text/csv
    conflict: text/csv, likely
    against application/vnd.ms-excel + text/csv
    Excel: none
    text/csv: text/csv, certain

format Excel | url http://a/a.xlsx
    one: application/vnd.ms-excel, likely
    Excel: application/vnd.ms-excel, likely

format Excel | url http://a/a.xlsx | by URL
    one: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, likely
    Excel: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, likely

format Excel | url http://a/a.csv
    one: application/vnd.ms-excel, likely
    Excel: application/vnd.ms-excel, likely

format Excel | url http://a/a.csv | by URL
    one: text/csv, likely
    Excel: none

format CSV | type text/html
    conflict: nothing, certain
    against text/csv + text/html
    CSV: none
    text/html: none

format CSV | type text/html | url http://a/a.csv
    conflict: nothing, certain
    against text/csv + text/html
    CSV: none
    text/html: none

format CSV | type text/html | url http://a/a.csv | by URL
    one: text/csv, likely
    CSV: text/csv, certain
    text/html: none

format CSV | type text/html | url http://a/a.pdf
    conflict: nothing, certain
    against text/csv + text/html
    CSV: none
    text/html: none

format CSV | type text/html | url http://a/a.pdf | by URL
    conflict: nothing, certain
    against text/csv + text/html
    CSV: none
    text/html: none

format CSV | url http://a/a.csv.gz
    one: text/csv, certain
    CSV: text/csv, certain

format CSV | url http://a/a.csv.gz | by URL
    one: text/csv in application/gzip, likely
    CSV: text/csv, certain

format application/zip | url http://a/a.xlsx | by URL
    one: nothing in application/zip, certain
    application/zip: application/zip, certain

format application/json; charset=utf-8 | type GeoJSON
    one: application/geo+json; charset=utf-8, certain
    application/json; charset=utf-8: application/json; charset=utf-8, certain
    GeoJSON: application/geo+json, certain

format application/zip; charset=binary | type ODS
    one: application/vnd.oasis.opendocument.spreadsheet; charset=binary, certain
    application/zip; charset=binary: application/zip; charset=binary, certain
    ODS: application/vnd.oasis.opendocument.spreadsheet, certain

format CSV | url http://a/a.json
    one: text/csv, certain
    CSV: text/csv, certain

format CSV | url http://a/a.json | by URL
    one: text/csv, certain
    CSV: text/csv, certain

format CSV | url http://a/a.csv | url http://a/a.json
    one: text/csv, certain
    CSV: text/csv, certain

format CSV | url http://a/a.csv | url http://a/a.json | by URL
    one: text/csv, certain
    CSV: text/csv, certain

format RDF
    one: application/rdf+xml, certain
    RDF: application/rdf+xml, certain

format RDF | type text/turtle
    one: text/turtle, certain
    RDF: text/turtle, certain
    text/turtle: text/turtle, certain

format RDF | url http://a/a.ttl
    one: application/rdf+xml, certain
    RDF: application/rdf+xml, certain

format RDF | url http://a/a.ttl | by URL
    one: text/turtle, likely
    RDF: text/turtle, likely

format RDF | type text/html
    conflict: nothing, certain
    against application/rdf+xml + text/html
    RDF: none
    text/html: none

format CSV, JSON
    several: application/json + text/csv, certain
    CSV, JSON: text/csv + application/json, certain

format CSV, JSON | type text/csv
    one: text/csv, certain
    CSV, JSON: text/csv + application/json, certain
    text/csv: text/csv, certain

format CSV, JSON | url http://a/a.json
    several: application/json + text/csv, certain
    CSV, JSON: text/csv + application/json, certain

format CSV, JSON | url http://a/a.json | by URL
    one: application/json, likely
    CSV, JSON: text/csv + application/json, certain

format CSV, JSON | format Excel
    conflict: application/json + text/csv, likely
    against application/json + application/vnd.ms-excel + application/vnd.openxmlformats-officedocument.spreadsheetml.sheet + text/csv
    CSV, JSON: text/csv + application/json, certain
    Excel: none

format MIF
    none: nothing, certain
    MIF: none

format MIF | type text/plain
    one: text/plain, certain
    MIF: text/plain, certain
    text/plain: text/plain, certain

format barquet
    none: nothing, likely
    barquet: none

format barquet | type text/csv
    one: text/csv, likely
    barquet: none
    text/csv: text/csv, certain

format n/a
    none: nothing, certain
    n/a: nothing, certain

format n/a | type text/csv
    one: text/csv, certain
    n/a: nothing, certain
    text/csv: text/csv, certain

format flurbel | type text/csv
    one: text/csv, likely
    flurbel: none
    text/csv: text/csv, certain

format WMS
    none: nothing, certain
    WMS: nothing, certain

format WMS | type image/png
    one: image/png, certain
    WMS: nothing, certain
    image/png: image/png, certain

format Zipped CSV
    one: text/csv in application/zip, certain
    Zipped CSV: text/csv in application/zip, certain

format Zipped CSV | type text/html
    conflict: nothing, certain
    against text/csv + text/html
    Zipped CSV: none
    text/html: none

format Zipped CSV | package zip
    one: text/csv in application/zip, certain
    Zipped CSV: text/csv in application/zip, certain
    zip: application/zip, certain

format compressed CSV
    one: text/csv, likely
    compressed CSV: text/csv, likely

format compressed CSV | type text/csv
    one: text/csv, likely
    compressed CSV: text/csv, likely
    text/csv: text/csv, certain

format compressed CSV | type application/gzip
    one: text/csv in application/gzip, certain
    compressed CSV: text/csv, certain
    application/gzip: application/gzip, certain

format compressed CSV | compression gzip
    one: text/csv in application/gzip, certain
    compressed CSV: text/csv, certain
    gzip: application/gzip, certain

package Zipped CSV | format CSV
    one: text/csv in application/zip, certain
    CSV: text/csv, certain
    Zipped CSV: text/csv in application/zip, certain

package zip | compression gzip | format CSV
    one: text/csv in application/zip in application/gzip, certain
    CSV: text/csv, certain
    gzip: application/gzip, certain
    zip: application/zip, certain

compression gzip | compression bzip2 | format CSV
    conflict: nothing, certain
    against application/gzip + application/x-bzip2
    CSV: none
    bzip2: none
    gzip: none

node ContentType:text/html | format CSV
    one: text/csv, certain
    CSV: text/csv, certain

node ContentType:application/geo+json | format JSON
    one: application/geo+json, certain
    JSON: application/json, certain
    ContentType:application/geo+json: application/geo+json, certain

node ContentType:text/html | format n/a
    one: text/html, certain
    n/a: nothing, certain
    ContentType:text/html: text/html, certain

node ContentType:text/csv | format CSV
    one: text/csv, certain
    CSV: text/csv, certain

node ContentType:text/html | format CSV | compression gzip
    one: text/csv in application/gzip, certain
    CSV: text/csv, certain
    gzip: application/gzip, certain

packaging ContentType:application/zip | node ContentType:text/html | format CSV
    one: text/csv, certain
    CSV: text/csv, certain

packaging ContentType:application/zip | format CSV
    one: text/csv in application/zip, certain
    CSV: text/csv, certain
    ContentType:application/zip: application/zip, certain

packaging ContentType:application/zip | format Zipped CSV
    one: text/csv in application/zip, certain
    Zipped CSV: text/csv in application/zip, certain

type text/csv | charset utf-8
    one: text/csv; charset=utf-8, certain
    utf-8: none
    text/csv: text/csv, certain

type text/csv; charset=latin1 | charset ISO-8859-1
    one: text/csv; charset=latin1, certain
    ISO-8859-1: none
    text/csv; charset=latin1: text/csv; charset=latin1, certain

type text/csv; charset=latin1 | charset utf-8
    conflict: text/csv; charset=latin1, certain
    against text/csv; charset=latin1 + text/csv; charset=utf-8
    utf-8: none
    text/csv; charset=latin1: none

type image/png | charset utf-8
    one: image/png, certain
    utf-8: none
    image/png: image/png, certain

type text/csv | charset utf-8 | charset latin1
    one: text/csv, certain
    latin1: none
    utf-8: none
    text/csv: text/csv, certain

format CSV | type text/html | class http://www.w3.org/ns/dcat#DataService
    several: text/csv + text/html, likely
    CSV: text/csv, certain
    http://www.w3.org/ns/dcat#DataService: none
    text/html: text/html, certain

format TIFF | format GeoTIFF
    one: image/tiff, certain
    GeoTIFF: image/tiff, certain
    TIFF: image/tiff, certain

format ARC
    none: nothing, certain
    ARC: none

format ARC | package zip
    one: application/x-freearc + application/x-internet-archive in application/zip, likely
    ARC: none
    zip: application/zip, certain

class http://www.w3.org/ns/iana/media-types/text/csv#Resource | format JSON
    conflict: nothing, certain
    against application/json + text/csv
    JSON: none
    http://www.w3.org/ns/iana/media-types/text/csv#Resource: none
"""


def _evidence(statement: str) -> Evidence:
    name, _, text = statement.partition(" ")
    if name in {"url", "charset"}:
        return Evidence(PATHS[name], text)
    if name in {"node", "class", "packaging"}:
        return evidence_of_term(PATHS[name], NamedNode(text))
    return Evidence(PATHS[name], text, readings_of(resolve(text)))


def _wrapped(contents: tuple[ContentType, ...], wrappers: tuple[ContentType, ...]) -> str:
    inside, around = " + ".join(map(str, contents)), " in ".join(map(str, wrappers[::-1]))
    return " in ".join(filter(None, (inside or "nothing", around)))


def _shown(statements: list[str], *, by_url: bool) -> str:
    judged = judge(map(_evidence, statements), by_url=by_url)
    parts = [f"{judged.outcome}: {_wrapped(judged.contents, judged.wrappers)}, {judged.confidence}"]
    if judged.conflicts:
        parts.append(f"against {' + '.join(map(str, judged.conflicts))}")
    for one, reading in zip(judged.evidence, judged.chosen, strict=True):
        said = "none"
        if reading is not None:
            said = f"{_wrapped(reading.contents, reading.wrappers)}, {reading.confidence}"
        parts.append(f"{one.text}: {said}")
    return "\n    ".join(parts)


@pytest.mark.parametrize("row", JUDGED.strip().split("\n\n"))
@pytest.mark.parametrize("order", [1, -1])
def test_statements_are_judged_together_in_any_order(row: str, order: int) -> None:
    stated, _, expected = row.partition("\n    ")
    statements = stated.split(" | ")
    by_url = statements[-1] == "by URL"
    statements = statements[:-1] if by_url else statements
    assert _shown(statements[::order], by_url=by_url) == expected
