"""Accept headers: RFC 9110 section 12.5.1, suffixes, aliases and profiles."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import content_types

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.negotiation import MediaRange, best, parse_accept, quality

TURTLE, JSON_LD, RDF_XML, HTML = (
    ContentType.parse(each)
    for each in (
        "text/turtle; charset=utf-8",
        "application/ld+json",
        "application/rdf+xml",
        "text/html",
    )
)
OFFERS = [TURTLE, JSON_LD, RDF_XML]
# The example of RFC 9110 section 12.5.1, with its answers.
RFC_9110 = (
    "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4,"
    " */*;q=0.5"
)
JAVA = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"
COMPACTED, FLATTENED = (
    f"http://www.w3.org/ns/json-ld#{each}" for each in ("compacted", "flattened")
)


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/plain;format=flowed", 1),
        ("text/plain", 0.7),
        ("text/html", 0.3),
        ("image/jpeg", 0.5),
        ("text/plain;format=fixed", 0.4),
        ("text/html;level=3", 0.3),
    ],
)
def test_the_nearest_range_decides(content_type: str, expected: float) -> None:
    assert quality(ContentType.parse(content_type), RFC_9110) == expected


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", TURTLE),
        ("*/*", TURTLE),
        ("text/turtle;q=0.5, application/rdf+xml", RDF_XML),
        ("application/rdf+xml;q=0.5, text/turtle;q=0.4", RDF_XML),
        ("TEXT/TURTLE", TURTLE),
        ("text/turtle;charset=UTF-8", TURTLE),
        ("text/turtle;charset=latin1", None),
        # Suffixes, and aliases of what they stand for.
        ("application/json", JSON_LD),
        ("application/xml", RDF_XML),
        ("text/xml", RDF_XML),
        ("application/json;q=0, */*;q=0.1", TURTLE),
        ("application/json;q=0, application/ld+json", JSON_LD),
        # What is named goes before what is not.
        ("*/*, application/ld+json", JSON_LD),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", RDF_XML),
        (JAVA, TURTLE),
        # A comma in quotes parts nothing.
        ('text/html;title="a, application/rdf+xml", application/ld+json', JSON_LD),
        ('text/html;title="a\\", application/rdf+xml", application/ld+json', JSON_LD),
        # What is no range is passed over; nothing that is wanted is nothing.
        ("garbage, */turtle, text/turtle;q=high, application/rdf+xml;q=0.1", RDF_XML),
        ("garbage", None),
        ("image/png", None),
        ("*/*;q=0", None),
        ("application/octet-stream", None),
    ],
)
def test_the_best_offer_is_the_one_that_is_wanted_most(
    accept: str, expected: ContentType | None
) -> None:
    assert best(accept, OFFERS) == expected


def test_of_nothing_nothing_is_best() -> None:
    assert best("*/*", []) is None


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (f'application/ld+json;profile="{COMPACTED}"', 1),
        (f'application/ld+json;profile="{COMPACTED} {FLATTENED}"', 2),
        (f'application/ld+json;profile="{FLATTENED} {COMPACTED}"', 2),
        ("application/ld+json", 0),
        # RFC 6906: nobody has to understand a profile.
        ("application/ld+json;profile=http://a.example/unknown", 0),
    ],
)
def test_a_profile_is_a_set(accept: str, expected: int) -> None:
    offers = [
        JSON_LD,
        ContentType("application", "ld+json", {"profile": COMPACTED}),
        ContentType("application", "ld+json", {"profile": f"{COMPACTED} {FLATTENED}"}),
    ]
    assert best(accept, offers) == offers[expected]


@pytest.mark.parametrize(
    "text", ["*/html", "text", "text/html;q=2.5", "text/html;q=0..1", "a/b;q=", ""]
)
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(ContentTypeError):
        MediaRange.parse(text)


def test_a_range_is_a_value() -> None:
    one = MediaRange.parse("text/*;q=0.5;level=1")
    assert one == MediaRange.parse("text/*; LEVEL=1; q=0.500") != MediaRange.parse("text/*")
    assert copy.copy(one) == pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own
    assert one != "text/*"
    assert len({one, MediaRange.parse(str(one))}) == 1
    for change in (setattr, lambda each, name, _: delattr(each, name)):
        with pytest.raises(AttributeError):
            change(one, "weight", 1)


@given(content_types)
def test_every_type_is_in_its_own_range_and_in_the_widest(content_type: ContentType) -> None:
    bare = {name: value for name, value in content_type.parameters.items() if name != "q"}
    one = ContentType(content_type.type, content_type.subtype, bare)
    assert MediaRange(one).matches(one)
    assert MediaRange.parse("*/*").matches(one)
    assert quality(one, f"{one.type}/*;q=0.25") == 0.25


@given(st.text(st.sampled_from('ab/*;,="q0.1\\ '), max_size=60))
def test_no_header_whatever_raises(accept: str) -> None:
    assert all(0 <= each.weight <= 1 for each in parse_accept(accept))
    assert best(accept, OFFERS) in {None, *OFFERS}
