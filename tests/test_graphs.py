"""Labels in a graph to nodes, and nodes back to headers."""

from __future__ import annotations

import pytest
from pyoxigraph import NamedNode
from rdflib import DCAT, DCTERMS, RDF, ConjunctiveGraph, Dataset, Graph, Literal, URIRef

from cturi_rdf import ContentType
from cturi_rdf.check import check
from cturi_rdf.rdf import CTV, annotate, headers, mint
from cturi_rdf.rdf.terms import PROPERTIES
from cturi_rdf.reading.rdflib_graphs import as_dataset
from cturi_rdf.reading.terms import DOCUMENT
from cturi_rdf.uri.mapping import content_type_uri

PREFIXES = """
    @prefix ctv: <https://w3id.org/cturi/vocab#> .
    @prefix dcat: <http://www.w3.org/ns/dcat#> .
    @prefix dct: <http://purl.org/dc/terms/> .
    @prefix ex: <http://a.example/> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
DATA = URIRef("http://a.example/data")
EU = "http://publications.europa.eu/resource/authority/file-type"


def _graph(turtle: str) -> Graph:
    return Graph().parse(data=PREFIXES + turtle, format="turtle", publicID=DOCUMENT)


# A value of dct:format, and the type that it names.
VALUES = [
    ('"text/csv"', "text/csv"),
    ('"text/csv"@en', "text/csv"),
    ('"text/csv"^^dct:IMT', "text/csv"),
    ('"text/html; charset=UTF-8"', "text/html; charset=utf-8"),
    ('"CSV"', "text/csv"),
    ('".xlsx"', "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("<https://www.iana.org/assignments/media-types/text/csv>", "text/csv"),
    ("<http://www.iana.org/assignments/media-types/text/csv>", "text/csv"),
    ("<http://www.w3.org/ns/iana/media-types/text/csv#Resource>", "text/csv"),
    ("<https://w3id.org/mediatype/text/csv>", "text/csv"),
    ("<https://w3id.org/spar/mediatype/application/ld%2Bjson>", "application/ld+json"),
    ("<http://purl.org/NET/mediatypes/text/csv>", "text/csv"),
    (f"<{EU}/JSON_LD>", "application/ld+json"),
    ("<CSV>", "text/csv"),
    ("<text/csv>", "text/csv"),
    ("<our_format.md>", "text/markdown"),
    ('<our_format.md> . <our_format.md> rdfs:label "CSV"', "text/csv"),
    ('<CSV> . <CSV> rdfs:label "TSV"', "text/csv"),
    ('[ rdf:value "text/csv" ; rdfs:label "Comma-separated values" ]', "text/csv"),
    ('[ a dct:MediaTypeOrExtent ; rdfs:label "CSV" ]', "text/csv"),
    ('ex:format . ex:format rdfs:label "text/csv"', "text/csv"),
    ('[ <http://schema.org/name> "CSV" ]', "text/csv"),
    ('[ <https://schema.org/name> "CSV" ]', "text/csv"),
]


@pytest.mark.parametrize(("value", "header"), VALUES)
def test_a_label_of_any_kind_of_term_gets_its_node(value: str, header: str) -> None:
    graph = _graph(f"ex:data dct:format {value} .")
    before = set(graph)
    report = annotate(graph)
    assert (report.labels, report.resolved, report.not_understood) == (1, 1, 0)
    assert before < set(graph)
    assert list(graph.objects(DATA, CTV.contentType)) == [mint(header)]
    assert (mint(header), CTV.contentTypeHeader, Literal(header)) in graph
    assert [each.content_type for each in headers(graph)] == [ContentType.parse(header)]


def test_the_file_that_describes_a_format_is_not_the_format() -> None:
    # RO-Crate 1.1, "Adding detailed descriptions of encodings".
    graph = _graph("""
        @prefix schema: <http://schema.org/> .
        ex:data schema:encodingFormat "text/plain", <our_format.md> .
        <our_format.md> a schema:MediaObject ; schema:name "What we call our format" ;
            schema:encodingFormat "text/markdown" .
    """)
    sent = {str(header.resource): str(header.content_type) for header in headers(graph)}
    assert sent[str(DATA)] == "text/plain"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("application/uri.ContentType%3Atext%2Fcsv", "text/csv"),
        ('text/html; URI-body="http://c/"', "text/html; URI-body=http%3A%2F%2Fc%2F"),
        ("text/uri.http%3a%2f%2fc%2f", "application/uri.http%3A%2F%2Fc%2F"),
    ],
)
def test_equal_content_types_are_sent_as_one_header(one: str, other: str) -> None:
    for value in (one, content_type_uri(ContentType.parse(one)), other):
        graph = Graph()
        is_node = value not in {one, other}
        graph.add(
            (DATA, CTV.contentType, URIRef(value))
            if is_node
            else (DATA, DCTERMS.format, Literal(value))
        )
        assert [str(header.content_type) for header in headers(graph)] == [other]


@pytest.mark.parametrize("each", [URIRef(each.value) for each in PROPERTIES], ids=str)
def test_every_known_property_is_read_by_its_full_iri(each: URIRef) -> None:
    graph = Graph()
    graph.add((DATA, each, Literal("application/gzip")))
    graph.add(
        (DATA, URIRef(f"http://other.example/{each.rpartition('/')[2]}"), Literal("text/csv"))
    )
    assert annotate(graph).labels == 1
    assert (DATA, URIRef(PROPERTIES[NamedNode(each)].value), mint("application/gzip")) in graph
    assert (mint("text/csv"), None, None) not in graph


def test_what_is_not_understood_is_listed_with_reason_and_place() -> None:
    graph = _graph("""
        ex:set dcat:distribution [ dct:format "no such format at all" ] .
        ex:data dct:format "no such format at all" .
        ex:service dct:format "WMS" .
    """)
    report = annotate(graph)
    assert (report.labels, report.resolved, report.services, report.not_understood) == (3, 0, 1, 2)
    [group] = report.groups()
    assert (group.text, group.count) == ("no such format at all", 2)
    assert group.reason
    assert {place.resource for place in group.places} == {
        "http://a.example/set",
        "http://a.example/data",
    }
    assert [each.text for each in report.groups("service")] == ["WMS"]
    assert not list(graph.objects(None, CTV.contentType))


def test_how_a_label_was_understood_can_be_queried() -> None:
    graph = _graph('ex:data dct:format "CSV" . ex:service dct:format "WMS" .')
    annotate(graph)
    rows = graph.query("""
        SELECT ?resource ?text ?verdict ?type {
            ?resource ctv:typeLabel ?label .
            ?label ctv:labelText ?text ; ctv:verdict ?verdict ; ctv:resolutionRule ?rule ;
                ctv:confidence ?confidence ; ctv:resolutionReason ?reason .
            OPTIONAL { ?label ctv:namesContentType ?type }
        }""")
    found = {tuple(map(str, row)) for row in rows}  # type: ignore[arg-type]
    assert found == {
        (str(DATA), "CSV", str(CTV.SingleType), "ContentType:text/csv"),
        ("http://a.example/service", "WMS", str(CTV.Service), "None"),
    }


def test_annotating_again_adds_nothing() -> None:
    graph = _graph('ex:data dct:format "CSV", "GeoJSON", <XML> ; dcat:mediaType "text/csv" .')
    first = annotate(graph).to_json()
    before = set(graph)
    assert annotate(graph).to_json() == first
    assert set(graph) == before


def test_the_link_of_a_label_that_has_changed_is_replaced_in_a_graph_too() -> None:
    graph = _graph('ex:data dct:format "CSV" .')
    annotate(graph)
    graph.set((DATA, DCTERMS["format"], Literal("GeoJSON")))
    annotate(graph)
    assert list(graph.objects(DATA, CTV.contentType)) == [mint("application/geo+json")]
    assert len(list(graph.objects(DATA, CTV.typeLabel))) == 1


def test_an_empty_graph_has_nothing_to_annotate() -> None:
    report = annotate(Graph())
    assert (report.labels, report.resources, report.groups()) == (0, 0, [])


def test_in_a_dataset_links_stand_beside_the_label_and_descriptions_in_the_default_graph() -> None:
    dataset = Dataset()
    name = URIRef("http://a.example/graph")
    dataset.graph(name).add((DATA, DCTERMS.format, Literal("CSV")))
    annotate(dataset)
    assert (DATA, CTV.contentType, mint("text/csv")) in dataset.graph(name)
    assert (mint("text/csv"), RDF.type, CTV.MediaType) in dataset.default_graph
    assert (mint("text/csv"), RDF.type, CTV.MediaType) not in dataset.graph(name)


@pytest.mark.parametrize("default_union", [False, True])
def test_the_links_and_urls_of_all_graphs_of_a_dataset_count(*, default_union: bool) -> None:
    dataset = Dataset(default_union=default_union)
    stated = dataset.graph(URIRef("http://a.example/graph"))
    stated.add((DATA, DCTERMS.format, Literal("CSV")))
    stated.add((DATA, CTV.servedAs, mint("application/gzip")))
    stated.add((DATA, DCAT.downloadURL, URIRef("http://a.example/data.csv.gz")))
    before = [(str(header.content_type), header.urls) for header in headers(dataset)]
    assert before == [("application/gzip", ("http://a.example/data.csv.gz",))]
    annotate(dataset)
    assert list(stated.objects(DATA, CTV.servedAs)) == [mint("application/gzip")]
    assert [(str(header.content_type), header.urls) for header in headers(dataset)] == before


def test_the_outermost_wrapper_is_what_a_resource_is_sent_as() -> None:
    graph = _graph("""
        ex:data dcat:mediaType "text/csv" ; dcat:compressFormat "application/gzip" ;
            dcat:packageFormat "application/x-tar" .
    """)
    annotate(graph)
    assert (DATA, CTV.compression, mint("application/gzip")) in graph
    assert (DATA, CTV.packaging, mint("application/x-tar")) in graph
    [header] = headers(graph)
    assert str(header.content_type) == "application/gzip"
    assert list(map(str, header.contains)) == ["text/csv"]


# A label under the property for packages or for compressions, and the links that it gives.
PACKED = [
    ('dcat:packageFormat "ZIP"', {"packaging application/zip"}),
    (
        'dcat:packageFormat "Zipped Shapefile"',
        {"contentType application/vnd.shp", "packaging application/zip"},
    ),
    ('dcat:compressFormat "csv.gz"', {"contentType text/csv", "compression application/gzip"}),
    (
        'dcat:packageFormat "TAR.GZ"',
        {"packaging application/x-tar", "compression application/gzip"},
    ),
    ('dcat:packageFormat "application/x-chest"', {"packaging application/x-chest"}),
]


@pytest.mark.parametrize(("stated", "links"), PACKED)
def test_a_package_that_names_what_is_inside_says_what_the_content_is(
    stated: str, links: set[str]
) -> None:
    graph = _graph(f"ex:data {stated} .")
    annotate(graph)
    names = ("contentType", "compression", "packaging")
    types = {f"{name} {one[12:]}" for name in names for one in graph.objects(DATA, CTV[name])}
    assert types == links


def test_a_feature_of_a_void_dataset_is_a_format_or_something_else() -> None:
    # VoID, section 3.4: technical features such as the supported serialisations.
    graph = _graph(
        "ex:data <http://rdfs.org/ns/void#feature> <http://www.w3.org/ns/formats/Turtle>,"
        " <http://www.w3.org/ns/formats/RDF_XML>, ex:caching ."
    )
    assert annotate(graph).resolved == 2
    related = set(graph.objects(DATA, CTV.relatedContentType))
    assert related == {mint("text/turtle"), mint("application/rdf+xml")}
    assert list(headers(graph)) == []
    assert check(graph).findings == []


def test_a_package_with_who_knows_what_in_it_is_sent_as_the_package() -> None:
    graph = _graph("ex:data dct:format 'zipped something' .")
    report = annotate(graph)
    assert (report.resolved, report.not_understood) == (1, 0)
    assert list(graph.objects(DATA, CTV.contentType)) == [mint("application/zip")]
    assert [str(each.content_type) for each in headers(graph)] == ["application/zip"]


# Labels of one resource, and its header; None where they disagree.
EVIDENCE = [
    ('dct:format "CSV" ; dcat:mediaType "text/csv"', "text/csv"),
    ('dct:format "GeoJSON" ; dcat:mediaType "application/octet-stream"', "application/geo+json"),
    ('dct:format "application/json" ; dcat:mediaType "application/ld+json"', "application/ld+json"),
    ('dcat:mediaType "text/html", "text/html; charset=utf-8"', "text/html; charset=utf-8"),
    ('dcat:mediaType "text/xml", "application/xml"', "application/xml"),
    ('dct:format "XLSX" ; dcat:mediaType "application/vnd.ms-excel"', None),
    ('dct:format "CSV", "JSON"', None),
    ('dcat:mediaType "text/html; charset=utf-8", "text/html; charset=latin1"', None),
    ("a <http://www.w3.org/ns/iana/media-types/text/turtle#Resource>", "text/turtle"),
    ('dct:format "CSV" ; ctv:contentType <ContentType:text/html>', "text/csv"),
    ('dct:format "CSV" ; ctv:servedAs <ContentType:text/html>', "text/html"),
    (
        'dct:format "CSV" ; ctv:contentType <ContentType:a/b> ; ctv:servedAs <ContentType:a/c>',
        "text/csv",
    ),
    ('dct:format "n/a" ; ctv:contentType <ContentType:text/html>', "text/html"),
    (
        'dct:format "JSON" ; ctv:contentType <ContentType:application/geo+json>',
        "application/geo+json",
    ),
    ("ctv:contentType <ContentType:text/csv?header=%22present%22>", "text/csv; header=present"),
    ('ctv:contentType <ContentType:no-slash> ; dct:format "CSV"', "text/csv"),
]


@pytest.mark.parametrize(("labels", "header"), EVIDENCE)
def test_the_header_is_what_all_the_evidence_agrees_on(labels: str, header: str | None) -> None:
    [found] = headers(Graph().parse(data=f"{PREFIXES} ex:data {labels} .", format="turtle"))
    assert found.resource == DATA
    assert found.evidence
    assert found.content_type == (header and ContentType.parse(header))
    assert bool(found.conflicts) is (header is None)
    assert (header or " or ") in repr(found)


def test_a_resource_without_any_evidence_has_no_header() -> None:
    assert list(headers(_graph('ex:data dct:format "no such format at all" .'))) == []


def test_a_blank_node_goes_by_the_url_that_it_is_fetched_from() -> None:
    graph = _graph("[] dcat:downloadURL ex:file ; dcat:mediaType 'text/csv' .")
    [header] = headers(graph)
    assert header.name == URIRef("http://a.example/file")
    assert (header.resource, DCAT.mediaType, None) in graph


@pytest.mark.parametrize(
    ("turtle", "place"),
    [
        ("[] dcat:accessURL ex:file ; dct:format ''", "http://a.example/file"),
        ("ex:set dcat:distribution [ dct:format '' ]", "http://a.example/set"),
        ("[] dct:title 'A set' ; dcat:distribution [ dct:format '' ]", "A set"),
        ("[] dct:identifier '7' ; dct:title 'A set' ; dct:format ''", "7"),
    ],
)
def test_a_blank_node_is_named_by_what_a_curator_can_find(turtle: str, place: str) -> None:
    [group] = annotate(_graph(f"{turtle} .")).groups()
    assert [each.resource for each in group.places] == [place]


def test_a_blank_node_without_anything_to_go_by_stays_one() -> None:
    graph = _graph("_:a dct:relation _:b . _:b dct:relation _:a ; dct:format '' .")
    [place] = annotate(graph).groups()[0].places
    assert place.resource.startswith("_:")


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
def test_a_conjunctive_graph_is_a_dataset_with_the_same_statements_and_prefixes() -> None:
    graph = ConjunctiveGraph()
    graph.bind("ex", "http://a.example/")
    graph.add((DATA, DCTERMS.format, Literal("CSV")))
    graph.get_context(DATA).add((DATA, DCTERMS.format, Literal("TSV")))
    dataset = as_dataset(graph)
    assert isinstance(dataset, Dataset)
    assert set(dataset.objects(DATA)) == {Literal("CSV"), Literal("TSV")}
    assert set(dataset.default_graph.objects(DATA)) == {Literal("CSV")}
    assert ("ex", URIRef("http://a.example/")) in dataset.namespaces()
    dataset.remove((DATA, DCTERMS.format, Literal("TSV")))
    assert set(graph.objects(DATA)) == {Literal("CSV")}
    # All others stay as they are.
    assert all(as_dataset(other) is other for other in (Graph(), dataset, Dataset()))
