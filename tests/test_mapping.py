"""The mapping: draft-eastlake-cturi of June 2023 and -08, and the laws that it should obey."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyoxigraph
import pytest
from hypothesis import example, given
from strategies import content_types, hostile_text, legal_iris, uri_tree

from cturi_rdf import ContentType, ContentTypeError, MappingError, from_uri, node, to_uri
from cturi_rdf.content_type.grammar import in_uri_tree

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("mapping.json").read_text("utf-8"))


@pytest.mark.parametrize("row", VECTORS["content_type_to_uri"], ids=lambda row: row["content_type"])
def test_a_content_type_maps_to_its_uri(row: dict[str, str]) -> None:
    content_type = ContentType.parse(row["content_type"])
    assert to_uri(content_type, spelling="draft") == row["draft"]
    assert to_uri(row["content_type"], spelling="draft") == row["draft"]
    assert to_uri(content_type) == to_uri(row["content_type"]) == row["iri"]
    assert node(content_type) == node(row["content_type"]) == row["node"]


@pytest.mark.parametrize("row", VECTORS["uri_to_content_type"], ids=lambda row: row["uri"])
def test_a_uri_maps_to_its_content_type_and_back(row: dict[str, str]) -> None:
    content_type = from_uri(row["uri"])
    assert content_type.to_header(quote="always") == row["content_type"]
    assert to_uri(content_type) == row["back_iri"]


@pytest.mark.parametrize("row", VECTORS["errors"], ids=lambda row: row["why"])
def test_what_has_no_counterpart_is_an_error(row: dict[str, str]) -> None:
    with pytest.raises(MappingError) as caught:
        from_uri(row["uri"]) if "uri" in row else to_uri(row["content_type"])
    assert caught.value.rule
    assert caught.value.expected


def test_a_text_that_is_not_a_content_type_is_a_mapping_error_too() -> None:
    with pytest.raises(ContentTypeError) as caught:
        node("text")
    assert isinstance(caught.value, MappingError)
    assert caught.value.span == (4, 4)


@pytest.mark.parametrize("row", VECTORS["content_type_to_uri"], ids=lambda row: row["content_type"])
def test_the_draft_spelling_is_read_as_well_as_the_legal_one(row: dict[str, str]) -> None:
    assert from_uri(row["draft"]) == from_uri(row["iri"])
    assert to_uri(from_uri(row["draft"]), spelling="draft") == row["draft"]


# A Content-Type that the drafts say nothing of, its URI, and the rule.
DECISIONS = [
    # URI-fragment is the fragment where 3.2 gives it back, and a parameter otherwise.
    ("a/b; URI-fragment=c", "ContentType:a/b#c"),
    ("a/b; URI-fragment=%2F", "ContentType:a/b#/"),
    ("a/b; URI-fragment=%2f", "ContentType:a/b?uri-fragment=%22%252f%22"),
    ('a/b; URI-fragment="c d"', "ContentType:a/b?uri-fragment=%22c%20d%22"),
    ("a/b; URI-fragment=%FF", "ContentType:a/b?uri-fragment=%22%25FF%22"),
    # In the uri. tree all that RFC 3986 forbids at its place is encoded.
    ("a/uri.http%3A%2F%2Fa%2Fb%20c", "http://a/b%20c"),
    ("a/uri.http%3A%2F%2Fa%2F%7B%5B%5D%7D", "http://a/%7B%5B%5D%7D"),
    ("a/uri.http%3A%2F%2Fx%40y%40a%2F", "http://x%40y@a/"),
    ("a/uri.http%3A%2F%2F%5B%3A%3A1%5D%3A80%2F", "http://[::1]:80/"),
    ("a/uri.http%3A%2F%2Fa; b=%26%23", "http://a?b=%22%26%23%22"),
    ("a/uri.http%3A%2F%2Fa; b&c#d=e", "http://a?b%26c%23d=%22e%22"),
    # One with a URI-body is canonical in its order like every other.
    ("a/b; URI-body=u%3Av; d=1; c=2", "u:v?MIME-type=%22a/b%22&d=%221%22&c=%222%22"),
    ("a#/b?; URI-body=u%3Av", "u:v?MIME-type=%22a%23/b%3F%22"),
]


@pytest.mark.parametrize(("header", "uri"), DECISIONS)
def test_where_the_draft_is_silent_nothing_is_lost(header: str, uri: str) -> None:
    assert to_uri(header) == uri
    assert to_uri(from_uri(uri)) == uri


@pytest.mark.parametrize("fragment", ['"', "100%", "[b]", "c"])
def test_a_fragment_that_the_draft_leaves_raw_is_read_as_the_encoded_one(fragment: str) -> None:
    content_type = from_uri(f"ContentType:a/b#{fragment}")
    assert content_type == from_uri(to_uri(content_type))
    assert to_uri(content_type) == f"ContentType:a/b#{quote(fragment)}"


# A URI of which the drafts say nothing, and its Content-Type.
QUERIES = [
    ("http://a?b&c", "application/uri.http%3A%2F%2Fa%3Fb&c"),
    ("http://a?b=1&", "application/uri.http%3A%2F%2Fa%3Fb%3D1&"),
    ("http://a?b[]=1", "application/uri.http%3A%2F%2Fa%3Fb%5B%5D%3D1"),
    ("http://a?b%5B%5D=1", "application/uri.http%3A%2F%2Fa%3Fb%255B%255D%3D1"),
    ("http://a?b*=1", "application/uri.http%3A%2F%2Fa%3Fb*%3D1"),
    ("http://a?uri-fragment=1", "application/uri.http%3A%2F%2Fa%3Furi-fragment%3D1"),
    ("http://a?b=", 'application/uri.http%3A%2F%2Fa; b=""'),
    ('http://a?b="', 'application/uri.http%3A%2F%2Fa; b="%22"'),
    ("http://a?b=%22", 'application/uri.http%3A%2F%2Fa; b="%2522"'),
    ("http://a?b=%22%22", 'application/uri.http%3A%2F%2Fa; b=""'),
    ("http://a?b=c=d", 'application/uri.http%3A%2F%2Fa; b="c%3Dd"'),
    ("u:v?MIME-type=a/b&c=1&C=2", "application/uri.u%3Av%3FMIME-type%3Da%2Fb&c%3D1&C%3D2"),
    ("u:v?MIME-type=a/b&uri-body=c", "application/uri.u%3Av%3FMIME-type%3Da%2Fb&uri-body%3Dc"),
]


@pytest.mark.parametrize(("uri", "header"), QUERIES)
def test_a_query_is_a_list_of_distinct_parameters_or_opaque(uri: str, header: str) -> None:
    assert from_uri(uri).to_header(quote="always") == header


@pytest.mark.parametrize(
    ("uri", "problem"),
    [
        ("http://a:b/", "not a host and a port"),
        ("http://a:1:2/", "not a host and a port"),
        ("http://[::1/", "not a host and a port"),
        ("http://[x]/", "not an IP address"),
        ("http://[::1%25eth0]/", "not an IP address"),
        ("http://a b/", "a character that is not allowed here"),
        ("http://a<b@c/", "a character that is not allowed here"),
        ("http://a/%zz", "a character that is not allowed here"),
        ("http://a/\ud800", "a character that is not allowed here"),
        ("http://a/?b=\n", "a character that is not allowed here"),
        ("http://a/#b#c", "a character that is not allowed here"),
        ("u:v?MIME-type=a/uri.b", "a MIME-type that is not a media type"),
        ("u:v?MIME-type=a%20/b", "a MIME-type that is not a media type"),
        ("u:v?MIME-type=%FF", "percent-encoded octets that are not UTF-8"),
        ("ContentType:a/b?c=d%20e", "a piece of the query that is not a parameter"),
        ("ContentType:a/b?c=1&", "a piece of the query that is not a parameter"),
        ("ContentType:a%20/b", "not a media type"),
        ("ContentType:Content-Type:a/b", "not a media type"),
        ("ContentType:a/b?c*=d", "an extended value that cannot be decoded"),
        ("ContentType:a/b?uri-fragment=c#d", "the parameter 'uri-fragment' twice"),
    ],
)
def test_a_uri_that_is_not_legal_is_refused(uri: str, problem: str) -> None:
    with pytest.raises(MappingError) as caught:
        from_uri(uri)
    assert caught.value.problem == problem


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("a/uri.b%3Ac%23d", "a fragment in the subtype"),
        ("a/uri.b%3A%FF", "percent-encoded octets that are not UTF-8"),
        ("a/uri.http%3A%2F%2Fa%3Ab", "not a host and a port in what should be a URI"),
        ("a/b; URI-body=c%3A%0A", "a control character in what should be a URI"),
    ],
)
def test_a_content_type_of_no_uri_is_refused(header: str, problem: str) -> None:
    with pytest.raises(MappingError) as caught:
        to_uri(header)
    assert caught.value.problem == problem


def test_controlled_mapping_can_be_switched_off() -> None:
    header = ContentType.parse('application/xml; URI-body="http://xml.example/foo"')
    uri = to_uri(header, control="ignore")
    assert uri == "ContentType:application/xml?uri-body=%22http://xml.example/foo%22"
    assert from_uri(uri) == header
    typed = from_uri("mailto:joe@blow.test?MIME-type=text/html", control="ignore")
    assert typed.essence == "application/uri.mailto%3Ajoe%40blow.test"


@given(content_types)
def test_the_order_of_parameters_changes_no_node(content_type: ContentType) -> None:
    parameters = dict(reversed(content_type.parameters.items()))
    assert node(content_type.replace(parameters=parameters)) == node(content_type)


@given(legal_iris)
@example("a:b")
def test_every_legal_iri_comes_back_exactly_when_opaque(iri: str) -> None:
    assert to_uri(from_uri(iri, query="opaque")) == iri
    assert to_uri(from_uri(iri, query="opaque"), spelling="draft") == iri
    assert pyoxigraph.NamedNode(iri).value == iri


@given(legal_iris)
@example("http://a.example/?MIME-type=text")
def test_every_legal_iri_comes_back_exactly_when_nothing_in_it_controls(iri: str) -> None:
    content_type = from_uri(iri, query="opaque", control="ignore")
    assert to_uri(content_type, control="ignore") == iri


@given(hostile_text | legal_iris)
def test_any_string_maps_or_raises_and_is_a_fixed_point_after_one_trip(text: str) -> None:
    try:
        once = to_uri(from_uri(text))
    except MappingError as error:
        assert str(error)
        return
    pyoxigraph.NamedNode(once)
    try:
        again = from_uri(once)
    except MappingError:
        # What came out of the uri. tree, or of a URI-body, need be no media type.
        assert once.lower().startswith("contenttype:") or "MIME-type=" in once
        return
    if not once.lower().startswith("contenttype:") or not in_uri_tree(again.subtype):
        assert to_uri(again) == once


@given(content_types | uri_tree | hostile_text)
def test_every_iri_and_node_is_legal_and_holds_no_control(source: ContentType | str) -> None:
    try:
        uris = [to_uri(source), node(source), to_uri(source, spelling="draft")]
    except MappingError:
        return
    assert not any(c < " " or "\x7f" <= c <= "\x9f" for uri in uris for c in uri)
    for uri in uris[:2]:
        assert pyoxigraph.NamedNode(uri).value == uri
    if isinstance(source, str):
        source = ContentType.parse(source)
    # The charset's value is the one that a node changes.
    if "charset" not in source.parameters and not in_uri_tree(source.subtype):
        assert node(source) == node(ContentType.parse(str(source)))


@pytest.mark.daily(2)
@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize(
    "flood",
    ["http://" + "a@" * 150_000, "a:" + "%41" * 100_000, "a:?" + "b=c&" * 75_000,
     "ContentType:a/b?" + "&".join(f"c{n}=d" for n in range(40_000)), "a" * 300_000 + " :",
     "http://" + "[" * 300_000, "http://" + ":" * 300_000, "a:?b=" + '"' * 300_000],
    ids=range(8),
)  # fmt: skip
def test_a_flood_of_nonsense_maps_or_is_refused_in_linear_time(flood: str) -> None:
    try:
        assert to_uri(from_uri(flood))
    except MappingError as error:
        assert len(str(error)) < 1_000


@pytest.mark.parametrize(
    ("uri", "blamed"),
    [
        ("/a/b", "/a/b"),
        ("http://u@a:b/", "a:b"),
        ("http://u@[x]:1/", "[x]"),
        ("http://a<b@c/", "<"),
        ("http://u@a b/", " "),
        ("http://a/%zz", "%"),
        ("http://a/?b=\n", "\n"),
        ("http://a/#b#c", "#"),
        ("http://a/\u00e9\ud800 ", "\ud800"),
        ("ContentType:a/b?c=1&d=2 3", " "),
        ("ContentType:a/b?c=1&d", "d"),
        ("ContentType:a/b?c=1&d=2&", ""),
        ("ContentType:a%20/b", "a%20/b"),
        ("ContentType://a/b", "//"),
        ("ContentType:a/b?c=1&d*=e", "d*=e"),
        ("ContentType:a/b?uri-fragment=c#d", "d"),
    ],
)
def test_the_fault_in_a_uri_is_shown(uri: str, blamed: str) -> None:
    with pytest.raises(MappingError) as caught:
        from_uri(uri)
    assert uri[slice(*caught.value.span)] == blamed
