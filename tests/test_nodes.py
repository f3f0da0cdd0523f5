"""Nodes and descriptions: legal everywhere, merged without a blank node."""

from __future__ import annotations

import pyoxigraph
import pytest
from conftest import examples
from hypothesis import given, settings
from rdflib import RDF, RDFS, BNode, Dataset, Graph, Literal, URIRef
from rdflib.compare import isomorphic
from rdflib.namespace import OWL, SKOS
from strategies import content_types, uri_tree

from cturi_rdf import ContentType, MappingError, node
from cturi_rdf.rdf import CTV, describe, mint, read
from cturi_rdf.registry import registry

# Every serialisation of rdflib that a parser of rdflib reads again.
SERIALISATIONS = [
    ("turtle", "turtle"), ("longturtle", "turtle"), ("nt", "nt"), ("n3", "n3"), ("xml", "xml"),
    ("pretty-xml", "xml"), ("json-ld", "json-ld"), ("trig", "trig"), ("trix", "trix"),
    ("nquads", "nquads"), ("hext", "hext"),
]  # fmt: skip
RICH = 'application/ld+json; profile="http://a.example/1 http://a.example/2"; charset=UTF-8'


@pytest.mark.parametrize(("serialiser", "parser"), SERIALISATIONS)
@given(content_type=content_types)
@settings(max_examples=examples(25))
def test_a_node_survives_every_serialisation(
    serialiser: str, parser: str, content_type: ContentType
) -> None:
    minted = mint(content_type)
    assert pyoxigraph.NamedNode(str(minted)).value == str(minted)
    dataset = Dataset()
    dataset.add((minted, RDF.type, CTV.ContentType))
    text = dataset.serialize(format=serialiser)
    again = Dataset(default_union=True).parse(data=text, format=parser)
    assert (minted, RDF.type, CTV.ContentType) in again
    assert read(minted) == content_type


@given(content_types | uri_tree)
@settings(max_examples=examples(50))
def test_all_of_a_description_is_accepted_by_oxigraph(content_type: ContentType) -> None:
    try:
        mint(content_type)
    except MappingError:
        return
    text = describe(content_type).serialize(format="nt")
    store = pyoxigraph.Store()
    store.load(text.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert len(store) == len(describe(content_type))


@given(content_types)
@settings(max_examples=examples(50))
def test_equal_content_types_have_one_description(content_type: ContentType) -> None:
    other = ContentType(
        content_type.type, content_type.subtype, dict(reversed(content_type.parameters.items()))
    )
    twice = describe(other, describe(content_type))
    assert set(twice) == set(describe(content_type))
    assert not any(isinstance(term, BNode) for triple in twice for term in triple)


def test_a_description_survives_being_written_and_read() -> None:
    graph = describe(RICH)
    for serialiser, parser in (("turtle", "turtle"), ("xml", "xml"), ("json-ld", "json-ld")):
        again = Graph().parse(data=graph.serialize(format=serialiser), format=parser)
        assert isomorphic(again, graph)


def test_a_content_type_is_given_as_such_as_its_node_or_as_a_header() -> None:
    by_header = set(describe(RICH))
    assert set(describe(ContentType.parse(RICH))) == by_header
    assert set(describe(URIRef(node(RICH)))) == set(describe(node(RICH))) == by_header


def test_a_description_has_the_parts_of_the_type_and_what_is_known_of_it() -> None:
    graph = describe("image/svg+xml; charset=UTF-8")
    full = URIRef("ContentType:image/svg+xml?charset=%22utf-8%22")
    bare = URIRef("ContentType:image/svg+xml")
    charset = URIRef("https://w3id.org/cturi/parameter/charset/utf-8")
    suffix = URIRef("https://w3id.org/cturi/suffix/xml")
    dct = "http://purl.org/dc/terms/"
    for triple in (
        (full, RDF.type, CTV.ContentType),
        (full, CTV.contentTypeHeader, Literal("image/svg+xml; charset=utf-8")),
        (full, CTV.bareMediaType, bare),
        (full, CTV.parameter, charset),
        (charset, RDF.type, CTV.Parameter),
        (charset, CTV.parameterName, Literal("charset")),
        (charset, CTV.parameterValue, Literal("utf-8")),
        (bare, RDF.type, CTV.MediaType),
        (bare, RDF.type, URIRef(f"{dct}MediaType")),
        (bare, RDF.type, URIRef(f"{dct}MediaTypeOrExtent")),
        (bare, CTV.topLevelType, URIRef("https://w3id.org/cturi/top-level/image")),
        (bare, CTV.subtypeName, Literal("svg+xml")),
        (bare, CTV.structuredSyntaxSuffix, suffix),
        (suffix, CTV.baseType, URIRef("ContentType:application/xml")),
        (bare, SKOS.broader, URIRef("ContentType:application/xml")),
        (bare, CTV.registrationStatus, CTV.Registered),
    ):
        assert triple in graph, triple


def test_a_type_is_matched_with_its_other_identifiers_and_never_the_same_as_them() -> None:
    graph = describe("application/ld+json")
    media_type = mint("application/ld+json")
    assert set(map(str, graph.objects(media_type, SKOS.exactMatch))) >= {
        "https://www.iana.org/assignments/media-types/application/ld+json",
        "http://www.iana.org/assignments/media-types/application/ld+json",
        "https://w3id.org/spar/mediatype/application/ld%2Bjson",
    }
    # A format is not a media type, and a class of documents is neither.
    assert set(map(str, graph.objects(media_type, SKOS.closeMatch))) >= {
        "http://publications.europa.eu/resource/authority/file-type/JSON_LD",
        "http://www.w3.org/ns/formats/JSON-LD",
    }
    documents = URIRef("http://www.w3.org/ns/iana/media-types/application/ld+json#Resource")
    assert (media_type, RDFS.seeAlso, documents) in graph
    assert (None, OWL.sameAs, None) not in graph


def test_a_profile_is_a_set_of_iris_one_node_each() -> None:
    values = describe(RICH).objects(None, CTV.parameterValue)
    assert set(map(str, values)) == {"http://a.example/1", "http://a.example/2", "utf-8"}


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("text/csv", CTV.Registered),
        ("application/vnd.geo+json", CTV.Obsolete),
        ("application/x-nobody-registered-this", CTV.Unregistered),
    ],
)
def test_the_status_is_that_of_the_registry(header: str, status: URIRef) -> None:
    assert describe(header).value(mint(header), CTV.registrationStatus) == status


def test_every_status_of_the_registry_has_its_term() -> None:
    by_status = {record.status: record.essence for record in registry().media_types()}
    for essence in by_status.values():
        assert describe(essence).value(mint(essence), CTV.registrationStatus) is not None


def test_an_alias_and_an_obsolete_type_lead_to_what_stands_for_them() -> None:
    xml = describe("text/xml")
    assert (mint("text/xml"), CTV.aliasOf, mint("application/xml")) in xml
    old = describe("application/vnd.geo+json")
    assert (mint("application/vnd.geo+json"), CTV.replacedBy, mint("application/geo+json")) in old


def test_of_a_uri_that_is_used_as_a_type_only_that_is_said() -> None:
    graph = describe("application/uri.http%3A%2F%2Fexample.com%2Ftag42")
    assert set(graph.subjects()) == {URIRef("http://example.com/tag42")}
    assert len(graph) == 3


def test_a_withdrawn_type_leads_to_its_successor_and_no_name_makes_a_top_level_type() -> None:
    graph = describe("application/vc+ld+json")
    assert (mint("application/vc+ld+json"), CTV.replacedBy, mint("application/vc")) in graph
    graph = describe("foo/bar")
    assert (mint("foo/bar"), CTV.topLevelType, None) not in graph
    assert (None, RDF.type, CTV.TopLevelType) not in graph
