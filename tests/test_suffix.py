"""Structured syntax suffixes (RFC 6838 section 4.2.8), by IANA's registry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cturi_rdf import ContentType
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import structure_of

if TYPE_CHECKING:
    from pathlib import Path

# The suffixes whose registration says something else than the facts beside the project.
FRAGMENTS = {
    "json-seq": ("application/json-seq", True),  # RFC 8091 section 4
    "jwt": ("application/jwt", True),  # RFC 8417 section 7.2.1
    "gzip": ("application/gzip", True),  # RFC 8460 section 6.3
    "cbor-seq": ("application/cbor-seq", True),  # RFC 8742 section 6.3
    "zstd": ("application/zstd", False),  # RFC 8878 section 7.3
    "yaml": (None, False),  # RFC 9512 section 2.2: "do not apply unless explicitly expressed"
    "cwt": ("application/cwt", False),  # RFC 9782 section 6.1.1
}


@pytest.mark.parametrize(
    ("text", "stem", "suffixes", "counts", "kept", "base"),
    [
        ("image/svg+xml", "svg", ("xml",), "xml", (), "application/xml"),
        ("application/vc+ld+json", "vc", ("ld", "json"), "json", ("ld",), "application/json"),
        ("application/a+xml+zip", "a", ("xml", "zip"), "zip", ("xml",), "application/zip"),
        ("application/a+json+v2", "a", ("json", "v2"), "json", ("v2",), "application/json"),
        ("application/a+xml+xml", "a", ("xml", "xml"), "xml", ("xml",), "application/xml"),
        ("application/a+wbxml", "a", ("wbxml",), "wbxml", (), "application/vnd.wap.wbxml"),
        ("application/a+ber", "a", ("ber",), "ber", (), None),
        ("application/a+bogus", "a", ("bogus",), None, ("bogus",), None),
        ("audio/amr-wb+", "amr-wb+", (), None, (), None),
        ("application/xml", "xml", (), None, (), None),
        ("application/uri.http%3A%2F%2Fa+xml", "uri.http%3A%2F%2Fa+xml", (), None, (), None),
    ],
)
def test_the_last_registered_suffix_counts_and_the_rest_is_kept(
    text: str,
    stem: str,
    suffixes: tuple[str, ...],
    counts: str | None,
    kept: tuple[str, ...],
    base: str | None,
) -> None:
    found = structure_of(ContentType.parse(text))
    assert (found.stem, found.suffixes, found.kept) == (stem, suffixes, kept)
    assert (found.record and found.record.name) == counts
    assert (found.base and found.base.essence) == base


def test_every_registered_suffix_says_what_it_implies(shared: Path) -> None:
    rows = json.loads((shared / "registry/structured-syntax-suffixes.json").read_text("utf-8"))
    assert len(rows["suffixes"]) == len(list(registry().suffixes()))
    for row in rows["suffixes"]:
        found = structure_of(ContentType("application", f"unheard-of{row['suffix']}"))
        assert found.record, row["suffix"]
        assert (found.base.essence if found.base else "") == row["base_type"]
        assert found.record.title == row["name"]
        if found.record.name not in FRAGMENTS:
            assert found.record.suffix_first == ("three-case rule" in row["fragment"])


@pytest.mark.parametrize(
    ("name", "fragment", "suffix_first"), [(name, *rule) for name, rule in FRAGMENTS.items()]
)
def test_a_suffix_has_the_fragments_that_its_registration_says(
    name: str, fragment: str | None, suffix_first: bool
) -> None:
    record = structure_of(ContentType("application", f"unheard-of+{name}")).record
    assert record
    assert (record.fragment, record.suffix_first) == (fragment, suffix_first)
