"""Special cases of content types: parameters, aliases, suffixes."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import content_types

from cturi_rdf import ContentType
from cturi_rdf.registry.hierarchy import is_a, most_specific


@pytest.mark.parametrize(
    ("narrow", "broad", "expected"),
    [
        ("text/csv", "text/csv", True),
        ("text/csv; header=present", "text/csv", True),
        ("text/csv", "text/csv; header=present", False),
        ("text/html; charset=UTF-8", "text/html; charset=utf-8", True),
        ("application/ld+json", "application/json", True),
        ("application/json", "application/ld+json", False),
        ("image/svg+xml", "text/xml", True),
        ("text/xml", "application/xml", True),
        ("application/xml", "text/xml", True),
        ("application/vnd.geo+json", "application/geo+json", True),
        ("application/geo+json-seq", "application/json-seq", True),
        ("text/csv", "application/octet-stream", True),
        ("text/csv", "text/plain", True),
        ("text/csv", "text/html", False),
    ],
)
def test_a_type_is_another_by_parameters_aliases_and_suffixes(
    narrow: str, broad: str, expected: object
) -> None:
    assert is_a(ContentType.parse(narrow), ContentType.parse(broad)) is expected


@given(content_types)
def test_every_type_is_itself_and_its_bare_type(content_type: ContentType) -> None:
    bare = ContentType(content_type.type, content_type.subtype)
    assert is_a(content_type, content_type)
    assert is_a(content_type, bare)
    assert most_specific([bare, content_type]) == content_type


def test_of_no_types_none_is_the_most_specific() -> None:
    assert most_specific([]) is None
