"""How formats of other schemes are related to media types: judged by hand, and by rule."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cturi_rdf.registry.schemes import identifiers, type_of_iri

if TYPE_CHECKING:
    from cturi_rdf.registry import Registry

SCRIPTS = Path(__file__).parents[1] / "scripts"
SCHEMES = ("eu-file-type", "w3c-formats", "pronom", "loc-fdd", "wikidata")


def judged() -> dict[str, dict[str, str]]:
    """Return the judged formats of each type by scheme: a code, or a dash for none."""
    lines = (SCRIPTS / "registry" / "relations.tsv").read_text("utf-8").splitlines()
    columns, *rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {row[0]: dict(zip(columns, row, strict=True)) for row in rows}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_relation_occurs_in_every_scheme(known: Registry, scheme: str) -> None:
    relations = Counter(relation for row in known.formats(scheme) for relation in row.relations)
    # W3C's formats are no containers.
    expected = {"close", "narrow"} if scheme == "w3c-formats" else {"close", "narrow", "broad"}
    assert relations.keys() >= expected
    assert min(relations[each] for each in expected) > 2


def test_a_scheme_has_one_format_at_most_that_is_the_type_itself(known: Registry) -> None:
    for scheme in SCHEMES:
        close = Counter(
            essence
            for row in known.formats(scheme)
            for essence, relation in zip(row.types, row.relations, strict=True)
            if relation == "close"
        )
        assert set(close.values()) == {1}, scheme


def test_the_judged_formats_are_those_in_the_tables(known: Registry) -> None:
    assert len(judged()) >= 200
    for essence, row in judged().items():
        assert row["reason"]
        for scheme in SCHEMES:
            codes = known.related_codes(essence).get(scheme, {})
            close = [code for code, relation in codes.items() if relation == "close"]
            assert bool(codes) == bool(row[scheme]), (essence, scheme)
            assert close == [each for each in (row[scheme],) if each not in {"", "-"}]


def test_the_rule_finds_nearly_all_of_what_is_judged(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import registry_formats
    from registry_relations import relations
    from registry_sources import Sources

    schemes = registry_formats.all_schemes(Sources(shared / "registry"))
    entries = [entry for scheme in schemes for entry in scheme.rows]
    by_rule = relations(Sources(None).registry, entries)
    rows = judged()
    of_judged = {
        key: relation for key, relation in by_rule.items() if rows.get(key[2], {}).get(key[0])
    }
    right = [
        (relation == "close") == (rows[essence][scheme] == code)
        for (scheme, code, essence), relation in of_judged.items()
    ]
    assert len(right) > 1_500
    assert sum(right) >= 0.98 * len(right)
    # Likewise of the cells of the table, each of which may hang on one entry among hundreds.
    found = {(key[2], key[0]): key[1] for key, each in of_judged.items() if each == "close"}
    cells = {(essence, scheme): row[scheme] for essence, row in rows.items() for scheme in SCHEMES}
    agree = [found.get(cell, "-") == code for cell, code in cells.items() if code]
    assert sum(agree) >= 0.98 * len(agree)


@pytest.mark.parametrize(
    ("essence", "scheme", "code"),
    [
        ("application/json", "wikidata", "Q2063"),
        ("text/csv", "wikidata", "Q935809"),
        ("text/html", "wikidata", "Q8811"),
        ("application/xml", "wikidata", "Q2115"),
        ("application/zip", "wikidata", "Q136218"),
        ("application/pdf", "wikidata", "Q42332"),
        ("image/tiff", "pronom", "fmt/353"),
        ("application/xml", "loc-fdd", "fdd000263"),
        ("text/turtle", "pronom", "fmt/874"),
        ("text/markdown", "pronom", "fmt/1149"),
        ("application/geo+json", "pronom", "fmt/1367"),
        ("video/webm", "pronom", "fmt/573"),
        ("application/zip", "eu-file-type", "ZIP"),
        ("application/rdf+xml", "eu-file-type", "RDF_XML"),
        ("font/woff2", "pronom", "fmt/1172"),  # its version is in the name of the type
        ("font/woff", "pronom", "fmt/616"),  # there has been no version but the first
        ("image/emf", "wikidata", "Q3054349"),  # of no stated version, beside versions
        ("application/onenote", "pronom", "fmt/637"),  # named with its maker
        ("application/pdf", "pronom", None),  # versions and profiles alone
        ("video/mp4", "eu-file-type", None),  # a container
    ],
)
def test_the_format_itself_is_close(
    known: Registry, essence: str, scheme: str, code: str | None
) -> None:
    codes = known.related_codes(essence)[scheme]
    close = [each for each, relation in codes.items() if relation == "close"]
    assert close == ([code] if code else [])
    iris = [
        each.iri
        for each in identifiers(essence)
        if (each.scheme, each.relation) == (scheme, "close")
    ]
    assert [type_of_iri(iri) for iri in iris] == [(scheme, (essence,))] * len(close)


def test_octets_are_no_format(known: Registry) -> None:
    # RFC 2046 section 4.5.1: PRONOM gives the type where it knows of no other.
    assert known.related_codes("application/octet-stream").keys() == {"eu-file-type"}
    assert known.formats("pronom")["x-fmt/441"].types == ()


def test_two_names_of_one_type_are_no_kinds_of_a_format(known: Registry) -> None:
    notes = known.formats("loc-fdd")["fdd000433"]
    assert (notes.types, notes.relations) == (("application/vnd.lotus-notes",), ("close",))
