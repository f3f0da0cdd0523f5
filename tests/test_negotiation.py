"""Accept headers: RFC 9110 section 12.5.1, suffixes, aliases and profiles."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import content_types

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.negotiation import (
    MediaRange,
    Negotiator,
    best,
    choose,
    parse_accept,
    quality,
    read_accept,
)
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import VERSIONS, is_a, rdf_types

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
    assert quality(RFC_9110, content_type) == expected


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", TURTLE),
        (" ,\t, ", TURTLE),
        ("*/*", TURTLE),
        ("text/turtle;q=0.5, application/rdf+xml", RDF_XML),
        ("application/rdf+xml;q=0.5, text/turtle;q=0.4", RDF_XML),
        ("TEXT/TURTLE", TURTLE),
        ("text/turtle;charset=UTF-8", TURTLE),
        ("text/turtle;charset=latin1", None),
        # Suffixes, and aliases of their types.
        ("application/json", JSON_LD),
        ("application/xml", RDF_XML),
        ("text/xml", RDF_XML),
        ("application/json;q=0, */*;q=0.1", TURTLE),
        ("application/json;q=0, application/ld+json", JSON_LD),
        # A type that is named goes before others.
        ("*/*, application/ld+json", JSON_LD),
        # A browser's own header: what suffixes allow does not outweigh */*.
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", TURTLE),
        (JAVA, TURTLE),
        # A comma in quotes does not separate.
        ('text/html;title="a, application/rdf+xml", application/ld+json', JSON_LD),
        ('text/html;title="a\\", application/rdf+xml", application/ld+json', JSON_LD),
        # Members that are no range are ignored; if nothing matches, nothing is chosen.
        ("garbage, */turtle, text/turtle;q=high, application/rdf+xml;q=0.1", RDF_XML),
        ("garbage", None),
        ("image/png", None),
        ("*/*;q=0", None),
        # What the RFC refuses is not found by its meaning.
        ("*/*;q=0, application/json", None),
        ("application/octet-stream", None),
    ],
)
def test_the_best_offer_is_the_one_that_is_wanted_most(
    accept: str, expected: ContentType | None
) -> None:
    assert best(accept, OFFERS) == expected


@given(st.lists(st.sampled_from(["*", ";q=1", "0", "x/y", ",", " ", '"', "é"])).map("".join))
@example("*;q=0.5x/y")
@example(" ")
def test_a_defect_is_within_its_header(accept: str) -> None:
    for defect in read_accept(accept).defects:
        assert defect.text == accept
        assert 0 <= defect.span[0] <= defect.span[1] <= len(accept)


def test_a_defect_after_a_bare_star_is_where_it_stands() -> None:
    defect, _ = read_accept("a/b, *;q=0.5x/y").defects
    assert defect.text[slice(*defect.span)] == "0.5x/y"


@pytest.mark.parametrize("accept", [None, "", "*/*", "text/html"])
def test_of_nothing_nothing_is_best(accept: str | None) -> None:
    assert choose(accept, []) == (None, 0, None)
    assert best(accept, []) is None


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
    assert quality(f"{one.type}/*;q=0.25", one) == 0.25


@given(st.text(st.sampled_from('ab/*;,="q0.1\\ '), max_size=60))
def test_no_header_raises(accept: str) -> None:
    assert all(0 <= each.weight <= 1 for each in parse_accept(accept))
    assert best(accept, OFFERS) in {None, *OFFERS}


# A range, a type, and how the range takes it: by the RFC, by its meaning, or not at all.
ACTIVITY = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'
TAKEN = [
    ("*/*", "text/csv", "rfc9110"),
    ("text/*", "text/csv", "rfc9110"),
    ("text/*", "image/png", None),
    ("text/html", "text/html;level=1", "rfc9110"),
    ("text/html;level=1", "text/html", None),
    ("text/xml", "application/xml", "meaning"),
    ("application/json", "application/ld+json", "meaning"),
    ("application/zip", "application/epub+zip", None),
    # ActivityStreams is JSON-LD with its profile, but not each type that is JSON-LD.
    ("application/activity+json", "application/activity+json", "rfc9110"),
    ("application/activity+json", ACTIVITY, "meaning"),
    (ACTIVITY, "application/activity+json", "meaning"),
    ("application/ld+json", "application/vc", "meaning"),
    ("application/activity+json", "application/vc", None),
    # UTF-8 is no condition for a type without a charset.
    ("*/*;charset=utf-8", "text/csv", "meaning"),
    ("text/*;charset=utf-8", "text/csv", "meaning"),
    ("text/*;charset=utf-8", "image/png", None),
    ("text/csv;charset=utf-8", "text/csv", "meaning"),
    ("text/csv;charset=utf-16", "text/csv", None),
    ("text/csv;charset=utf-8", "text/csv;charset=utf-16", None),
    # An undefined version is no condition for a type that has versions.
    ("text/turtle;version=9", "text/turtle", "meaning"),
    ("text/turtle;version=1.1", "text/turtle;version=1.2", None),
    ("application/ld+json;version=9", "application/ld+json", None),
    ("text/csv;version=9", "text/csv", None),
]


@pytest.mark.parametrize(("wanted", "given", "by"), TAKEN)
def test_a_range_takes_a_type_by_the_rfc_or_by_meaning(
    wanted: str, given: str, by: str | None
) -> None:
    assert choose(wanted, [given]).by == by
    assert MediaRange.parse(wanted).matches(ContentType.parse(given)) is (by is not None)


@pytest.mark.parametrize(
    ("accept", "offers"),
    [
        ("text/xml;charset=utf-8", ["text/xml", "application/xml"]),
        ("text/xml;charset=utf-8", ["application/xml", "image/svg+xml"]),
        ("*/*;charset=utf-8, text/xml;charset=utf-8", ["image/svg+xml", "text/csv"]),
        ("application/activity+json", [ACTIVITY, "application/ld+json"]),
    ],
)
def test_by_meaning_a_name_is_nearer_than_an_alias_a_syntax_and_anything(
    accept: str, offers: list[str]
) -> None:
    for order in (offers, offers[::-1]):
        assert best(accept, order) == offers[0]


def test_a_header_is_text() -> None:
    with pytest.raises(TypeError, match="an Accept header is text, not bytes"):
        read_accept(b"text/csv")  # type: ignore[arg-type]


# --- RDF 1.2 ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accept", "offers", "expected"),
    [
        ("text/turtle;version=1.2", ["text/turtle"], "text/turtle"),
        ("text/turtle;version=1.1", ["text/turtle"], "text/turtle"),
        ("text/turtle;version=1.2-basic", ["text/turtle;version=1.1"], "text/turtle;version=1.1"),
        ("text/turtle;version=1.1", ["text/turtle;version=1.2"], None),
        ("text/turtle;version=1.2-basic", ["text/turtle;version=1.2"], None),
        ("text/turtle", ["text/turtle;version=1.2"], "text/turtle;version=1.2"),
        (
            "text/turtle;version=1.2;q=0.5, application/ld+json;q=0.4",
            ["application/ld+json", "text/turtle"],
            "text/turtle",
        ),
        # An undefined version is no condition, but a type that has it goes first.
        ("text/turtle;version=9", ["text/turtle"], "text/turtle"),
        ("text/turtle;version=9, text/csv", ["text/turtle", "text/csv"], "text/csv"),
        # A type without such a parameter has none that is ordered.
        ("text/csv;version=1.2", ["text/csv;version=1.1"], None),
    ],
)
def test_an_earlier_version_of_rdf_will_do(
    accept: str, offers: list[str], expected: str | None
) -> None:
    assert best(accept, offers) == expected


@pytest.mark.parametrize("one", VERSIONS)
@pytest.mark.parametrize("other", VERSIONS)
def test_versions_of_rdf_are_ordered(one: str, other: str) -> None:
    for record in rdf_types():
        if record.latest:
            narrow, broad = (
                ContentType.parse(f"{record.essence}; version={each}") for each in (one, other)
            )
            assert is_a(narrow, broad) is (VERSIONS.index(one) <= VERSIONS.index(other))


def test_the_table_of_rdf_types_agrees_with_iana() -> None:
    records = list(rdf_types())
    assert len(records) >= 40
    for record in records:
        iana = registry().media_type(record.essence)
        assert (iana is not None) == (record.status == "registered"), record
        assert record.source
        assert record.syntax is None or record.syntax in {each.essence for each in records}
        assert registry().canonical(record.essence) == record.essence


# --- Defects, answers ---------------------------------------------------------------------


def test_what_is_dropped_of_a_header_is_a_defect_with_its_place() -> None:
    accept = "text/html, text/ , */html, text/csv;q=2, ,text/turtle"
    found = read_accept(accept)
    assert [str(each) for each in found.ranges] == ["text/html", "text/turtle"]
    assert [accept[slice(*each.span)] for each in found.defects][1:] == [" */html", "2"]
    assert all(each.text == accept and each.rule for each in found.defects)


def test_a_profile_that_json_ld_does_not_have_is_a_warning() -> None:
    wrong = "http://www.w3.org/ns/json-ld#compact"
    accept = f'text/html, application/ld+json;profile="{COMPACTED} {wrong} http://a.example/p"'
    (defect,) = read_accept(accept).defects
    assert accept[slice(*defect.span)] == wrong
    assert best(accept, [JSON_LD]) == JSON_LD
    assert read_accept(f'application/ld+json;profile="{COMPACTED} {FLATTENED}"').defects == ()


def test_text_and_values_give_the_same_answer() -> None:
    accept = "application/json, text/*;q=0.5"
    text = [str(each) for each in OFFERS]
    assert choose(accept, OFFERS) == choose(parse_accept(accept), text)
    assert best(accept, text) == str(best(parse_accept(accept), OFFERS))
    assert quality(accept, "text/csv") == quality(accept, ContentType.parse("text/csv")) == 0.5
    assert best(None, text) == text[0]
    assert Negotiator(OFFERS).negotiate(accept) == Negotiator(text).negotiate(accept)


def test_an_answer_has_its_header_fields() -> None:
    profile = f'application/ld+json; profile="{COMPACTED}"'
    negotiator = Negotiator({"text/turtle": "/d.ttl", profile: "/d.jsonld", "text/html": None})
    assert dict(negotiator.negotiate("text/html").headers) == {
        "Content-Type": "text/html",
        "Vary": "Accept",
        "Link": (
            '</d.ttl>; rel="alternate"; type="text/turtle",'
            ' </d.jsonld>; rel="alternate";'
            f' type="application/ld+json; profile=\\"{COMPACTED}\\""'
        ),
    }
    answer = negotiator.negotiate("application/json, text/")
    assert (answer.status, answer.by) == (200, "meaning")
    assert str(answer.offer) == profile
    assert len(answer.defects) == 1
    refused = negotiator.negotiate("image/png")
    assert (refused.status, refused.offer, refused.by) == (406, None, None)
    assert refused.problem == {
        "type": "about:blank",
        "title": "Not Acceptable",
        "status": 406,
        "detail": f"The resource is available as text/turtle, {profile}, text/html.",
        "available": [
            {"type": "text/turtle", "href": "/d.ttl"},
            {"type": profile, "href": "/d.jsonld"},
            {"type": "text/html"},
        ],
    }
    assert dict(refused.headers)["Vary"] == "Accept"


def test_a_type_alone_has_no_alternates() -> None:
    (offer,) = (negotiator := Negotiator({"text/html": "/d.html"})).offers
    fields = (("Content-Type", "text/html"), ("Vary", "Accept"))
    assert negotiator.negotiate(None) == (200, offer, "rfc9110", fields, None, ())


@pytest.mark.parametrize(
    ("place", "sent"),
    [
        ("http://[::1]/a?b=c%20d#e", "http://[::1]/a?b=c%20d#e"),
        ("/日本 .ttl", "/%E6%97%A5%E6%9C%AC%20.ttl"),
        ('/a>; rel="next", <b', "/a%3E;%20rel=%22next%22,%20%3Cb"),
        ("/a\r\nSet-Cookie: b=c", "/a%0D%0ASet-Cookie:%20b=c"),
        ("/100%", "/100%25"),
    ],
)
def test_a_link_has_what_a_uri_may_contain(place: str, sent: str) -> None:
    negotiator = Negotiator({"text/html": None, "text/turtle": place})
    _, _, (_, link) = negotiator.negotiate("text/html").headers
    assert link == f'<{sent}>; rel="alternate"; type="text/turtle"'


def test_something_has_to_be_offered() -> None:
    with pytest.raises(ValueError, match="no representation"):
        Negotiator([])
    with pytest.raises(ContentTypeError):
        Negotiator(["turtle"])


@given(st.lists(content_types, min_size=1, max_size=3), st.text("ab/*;,=q0.1 ", max_size=40))
def test_what_the_rfc_finds_is_never_overruled_by_meaning(
    offers: list[ContentType], accept: str
) -> None:
    choice = choose(accept, offers)
    strict = [choose(accept, [each]) for each in offers]
    if any(each.by == "rfc9110" for each in strict):
        assert choice.by == "rfc9110"
        assert choice.weight == max(each.weight for each in strict if each.by == "rfc9110")


# A header, the offers, the choice, and the choice where every parameter counts.
ALWAYS_UTF_8 = [
    ("application/json;charset=utf-8, */*;q=0.1", ["text/html", "application/json"], 1, 0),
    ("application/vnd.api+json; charset=UTF-8", ["application/vnd.api+json"], 0, 0),
    ("text/turtle;charset=utf-8, text/html;q=0.5", ["text/html", "text/turtle"], 1, 0),
    ("application/json;charset=utf-8;q=0, */*", ["application/json", "text/html"], 1, 0),
    ("application/json;charset=utf-16, text/html;q=0.1", ["application/json", "text/html"], 1, 1),
    ("text/csv;charset=utf-8, text/html;q=0.5", ["text/csv", "text/html"], 1, 1),
]


@pytest.mark.parametrize(("accept", "offers", "wanted", "exact"), ALWAYS_UTF_8)
def test_utf_8_is_no_condition_for_what_is_always_utf_8(
    accept: str, offers: list[str], wanted: int, exact: int
) -> None:
    assert choose(accept, offers).index == wanted
    assert choose(accept, offers, exact=True).index == exact


def test_a_range_by_a_suffix_is_a_defect_that_says_so() -> None:
    accept = "text/html, application/*+xml;q=0.5"
    ranges, (defect,) = read_accept(accept)
    assert [str(each.content_type) for each in ranges] == ["text/html"]
    assert defect.problem == "a range of types by their suffix"
    assert defect.text[slice(*defect.span)] == "application/*+xml"
    assert defect.rule == "RFC 7303 section 8"


def test_one_slip_more_loses_nothing_that_was_read() -> None:
    (range_,), defects = read_accept("text/html;level = 1;q=0.5;x")
    assert (str(range_), len(defects)) == ("text/html; level=1; q=0.5", 1)
    (range_,), defects = read_accept("text/html;level = 1;q=0.5;x", "http")
    assert (str(range_), len(defects)) == ("text/html; q=0.5", 3)
