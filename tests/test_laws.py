"""Laws over both doors: what is read can be written, mapped and kept, and is the same again."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import URIRef
from strategies import content_types, hostile_text, legal_iris, uri_tree

from cturi_rdf import ContentType, ContentTypeError, MappingError, facts, from_uri, node, to_uri
from cturi_rdf.labels import Resolver
from cturi_rdf.negotiation import parse_accept
from cturi_rdf.rdf import mint, read
from cturi_rdf.rdf.description import description
from cturi_rdf.uri.mapping import canonical

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.usefixtures("both_readings")

# Names and values in which the asterisks and quotes of RFC 2231 are common.
_NAMES = st.lists(
    st.sampled_from(["a", "b", "*", "0", "1", "*0", "*1", "-", "%", "URI-fragment", "uri-body",
                     "URI-body", "uri-fragment"]),
    min_size=1, max_size=4,
).map("".join)  # fmt: skip
_VALUES = st.sampled_from([
    "x", '"x y"', "utf-8''x", "utf-8'en'%41", "''%e2%82%ac", "iso-8859-1''%e9", "%41", '""', "'",
    "utf-16''%00a", "utf-7''+AGE-", "us-ascii''%7f%41", "utf-8''%0a", "x'y'z", '"\t"', '"é\x85"',
    "utf-8''%09", '"http://a/"', "http%3A%2F%2Fa", "%22", "%25",
])  # fmt: skip
_TYPES = st.sampled_from(
    [
        "x/y",
        "application/uri.http%3A%2F%2Fa",
        "application/uri.a%3A%3Fq%3D1",
        "application/uri.a",
        "x/uri.ContentType%3Aa%2Fb",
        "application/uri.a%3Ab%3F%22c%22%3D1",
    ]
)
_starry = st.builds(
    "; ".join,
    st.tuples(_TYPES, st.lists(st.builds("{}={}".format, _NAMES, _VALUES), max_size=3)).map(
        lambda parts: [parts[0], *parts[1]]
    ),
)


def _read(text: str) -> list[ContentType]:
    """Return the readings of a text, as a header and as a URI."""
    found = [
        ContentType.recover(text).content_type,
        ContentType.recover(text, rules="mail").content_type,
    ]
    for door in (ContentType.parse, from_uri, lambda uri: from_uri(uri, query="opaque")):
        try:
            found.append(door(text))
        except (ContentTypeError, MappingError):
            continue
    return [each for each in found if each is not None]


_texts = _starry | hostile_text | legal_iris
_values = st.one_of(
    content_types, uri_tree, _texts.map(_read).filter(bool).flatmap(st.sampled_from)
)


@given(_values)
def test_what_is_printed_is_read_as_the_same(content_type: ContentType) -> None:
    assert ContentType.parse(str(content_type)) == content_type
    assert ContentType.parse(content_type.to_header(quote="always")) == content_type


@pytest.mark.parametrize("name", ["uri-body", "URI-body", "URI-BODY", "Uri-Fragmen"])
def test_a_name_in_the_uri_tree_is_printed_in_its_own_case(name: str) -> None:
    header = f"application/uri.http%3A%2F%2Fa; {name}=x"
    assert str(ContentType.parse(header)) == header


@given(_values)
def test_the_uri_of_a_content_type_leads_back_to_it(content_type: ContentType) -> None:
    for spelling in ("iri", "draft"):
        try:
            uri = to_uri(content_type, spelling=spelling)
        except MappingError:
            assert content_type.subtype.startswith("uri.") or "uri-body" in content_type.parameters
            continue
        # A query inside the subtype is read as it was meant by one of the two readings.
        assert content_type in {from_uri(uri), from_uri(uri, query="opaque")}


@given(_values)
def test_the_node_of_a_content_type_is_legal_and_leads_back_to_it(
    content_type: ContentType,
) -> None:
    assert from_uri(node(content_type)) == content_type
    assert node(from_uri(node(content_type))) == node(content_type)
    assert read(mint(content_type)) == content_type
    assert pyoxigraph.NamedNode(node(content_type)).value == str(mint(content_type))
    assert read(URIRef(node(content_type))) == content_type


@given(_values)
def test_a_content_type_survives_pickle_and_copies(content_type: ContentType) -> None:
    again = pickle.loads(pickle.dumps(content_type))  # noqa: S301 - our own bytes
    assert again == copy.deepcopy(content_type) == content_type
    assert str(again) == str(content_type)
    made = ContentType(content_type.type, content_type.subtype, content_type.parameters)
    assert made == content_type


@given(_values, _values)
def test_two_are_equal_exactly_where_their_nodes_are(one: ContentType, other: ContentType) -> None:
    assert (one == other) is (node(one) == node(other))
    assert (one == other) <= (hash(one) == hash(other))


@given(_values)
def test_equal_content_types_have_one_canonical_spelling(content_type: ContentType) -> None:
    assert canonical(content_type) == content_type
    again = from_uri(node(content_type))
    assert str(canonical(again)) == str(canonical(content_type))
    assert facts.canonical(str(again)) == facts.canonical(str(content_type))


@given(_values, _values, _values)
def test_content_types_have_one_order(
    one: ContentType, other: ContentType, third: ContentType
) -> None:
    assert [one < other, one == other, one > other].count(True) == 1
    assert (one <= other) is (one < other or one == other)
    assert sorted([one, other, third]) == sorted([third, one, other])


@given(_values)
def test_a_content_type_with_nothing_replaced_is_equal(content_type: ContentType) -> None:
    assert content_type.replace() == content_type
    parts = {"type": content_type.type, "parameters": content_type.parameters}
    assert ContentType("a", content_type.subtype).replace(**parts) == content_type  # type: ignore[arg-type]


# Two spellings of one URI, and whether they are equal.
STAND_FOR = [
    ('a/b; URI-body="http://c/"', "a/b; URI-body=http%3A%2F%2Fc%2F", True),
    ("a/uri.http%3A%2F%2Fc", "a/uri.http%3a%2f%2fc", True),
    ("application/uri.ContentType%3Atext%2Fplain", "text/plain", True),
    ("application/uri.ContentType%3Atext%2Ftsv", "text/tsv", True),
    ("a/uri.x%3Ay; URI-fragment=z%25z", "a/uri.x%3Ay; URI-fragment=z%2525z", True),
    ("application/uri.x%3Ay%3Fq%3D1", "application/uri.x%3Ay; q=1", False),
    ("application/uri.x%3Ay", "application/uri.x%3AY", False),
    ("application/uri.x", "application/uri.X", False),
]


@pytest.mark.parametrize(("one", "other", "equal"), STAND_FOR)
def test_what_stands_for_a_uri_is_compared_by_it(one: str, other: str, equal: bool) -> None:
    first, second = ContentType.parse(one), ContentType.parse(other)
    assert (first == second) is (node(first) == node(second)) is equal
    assert facts.same(one, other) is equal
    # What a cache has for one of two equal types, it gives for the other.
    assert (description.__wrapped__(first) == description.__wrapped__(second)) is equal


# A URI, how its query is read, its content type, and the node of that.
NODES = [
    ("tp:a/x?q=1", "opaque", "ContentType:application/uri.tp%253Aa%252Fx%253Fq%253D1"),
    ("tp:a/x?q=1", "parameters", "tp:a/x?q=%221%22"),
    ('http://w#c"', "parameters", "http://w#c%22"),
    ("http://a/?x", "parameters", "http://a/?x"),
]


@pytest.mark.parametrize(("uri", "query", "wanted"), NODES)
def test_a_node_says_which_reading_of_a_query_made_it(uri: str, query: str, wanted: str) -> None:
    content_type = from_uri(uri, query=query)  # type: ignore[arg-type]
    assert node(content_type) == wanted
    assert from_uri(wanted) == content_type


@pytest.mark.parametrize("charset", ["a[B", "a%5BB", "É", '"Q"', "UTF-8"])
def test_a_charset_in_a_query_is_the_same_there_and_back(charset: str) -> None:
    content_type = ContentType("a", "b", {"URI-body": "x:y", "charset": charset})
    assert from_uri(to_uri(content_type)) == content_type
    assert from_uri(node(content_type)) == content_type


def test_what_section_3_cannot_read_is_no_uri() -> None:
    with pytest.raises(MappingError, match="a MIME-type that is not a media type"):
        to_uri("application/uri.a%3A%3FMIME-type%3D")
    assert to_uri("application/uri.a%3A%3FMIME-type%3D", control="ignore") == "a:?MIME-type="


@pytest.mark.parametrize(
    ("door", "what"),
    [
        (ContentType.parse, "a header"),
        (from_uri, "a URI"),
        (Resolver().resolve, "a label"),
        (parse_accept, "an Accept header"),
    ],
    ids=["header", "URI", "label", "Accept"],
)
def test_what_is_no_text_is_refused_in_a_sentence(door: Callable[[Any], object], what: str) -> None:
    with pytest.raises(TypeError, match=f"^{what} is text, not bytes$"):
        door(b"text/csv")
