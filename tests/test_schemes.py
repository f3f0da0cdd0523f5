"""An identifier of a media type in one scheme is found in every other."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.labels import resolve
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import Identifier, identifiers, schemes, type_of_iri

if TYPE_CHECKING:
    from pathlib import Path

EU = "http://publications.europa.eu/resource/authority/file-type"


IRIS = [
    ("https://www.iana.org/assignments/media-types/text/csv", "iana-https", "text/csv"),
    ("http://www.iana.org/assignments/media-types/text/csv", "iana-http", "text/csv"),
    ("HTTP://WWW.IANA.ORG/assignments/media-types/text/csv", "iana-http", "text/csv"),
    ("https://iana.org/assignments/media-types/text/csv/", "iana-https", "text/csv"),
    ("http://www.iana.org/assignments/media-types/Image/SVG%2BXML", "iana-http", "image/svg+xml"),
    ("http://www.iana.org/assignments/media-types/text%2Fcsv", "iana-http", "text/csv"),
    ("https://w3id.org/spar/mediatype/image/svg%2Bxml", "spar-w3id", "image/svg+xml"),
    ("https://w3id.org/spar/mediatype/image/svg+xml", "spar-w3id", "image/svg+xml"),
    ("http://www.sparontologies.net/mediatype/text/turtle", "spar-net", "text/turtle"),
    ("http://purl.org/NET/mediatypes/text/csv", "purl-net", "text/csv"),
    ("http://purl.org/net/mediatypes/text/csv", "purl-net", "text/csv"),
    ("https://w3id.org/mediatype/text/csv", "w3id-mediatype", "text/csv"),
    ("http://www.w3.org/ns/iana/media-types/text/csv#Resource", "w3c-ns-iana", "text/csv"),
    ("http://www.w3.org/ns/iana/media-types/text/csv", "w3c-ns-iana", "text/csv"),
    ("https://w3id.org/uri4uri/mime/text/csv;charset=utf-8", "uri4uri", "text/csv"),
    ("http://inspire.ec.europa.eu/media-types/application/x-gmz", "inspire", "application/x-gmz"),
    ("urn:ietf:bcp:13|application/fhir+json", "fhir-system", "application/fhir+json"),
    ("http://dataid.dbpedia.org/ns/mt#TextTurtle", "dataid-mt", "text/turtle"),
    ("http://dataid.dbpedia.org/ns/iana#text/turtle", "dataid-iana", "text/turtle"),
    ("http://www.w3.org/ns/formats/Turtle", "w3c-formats", "text/turtle"),
    ("http://www.w3.org/ns/formats/data/RDF_XML", "w3c-formats", "application/rdf+xml"),
    (f"{EU}/CSV", "eu-file-type", "text/csv"),
    (f"{EU}/csv/", "eu-file-type", "text/csv"),
    (f"{EU.replace('http:', 'https:')}/JSON_LD", "eu-file-type", "application/ld+json"),
    ("info:pronom/fmt/101", "pronom", "application/xml"),
    ("https://www.nationalarchives.gov.uk/pronom/fmt/101", "pronom", "application/xml"),
    (
        "https://www.loc.gov/preservation/digital/formats/fdd/fdd000012.shtml",
        "loc-fdd",
        "audio/mpeg",
    ),
    ("http://www.wikidata.org/entity/Q935809", "wikidata", "text/csv"),
    ("https://www.wikidata.org/wiki/Q935809", "wikidata", "text/csv"),
    ("https://w3id.org/idsa/code/TEXT_CSV", "ids", "text/csv"),
    ("https://w3id.org/idsa/code/APPLICATION_N_TRIPLES", "ids", "application/n-triples"),
    # Types in use that IANA does not list.
    ("http://www.wikidata.org/entity/Q45432", "wikidata", "application/rss+xml"),
    ("http://www.wikidata.org/entity/Q162839", "wikidata", "application/x-xz"),
    # A code that the scheme does not have means no type.
    (f"{EU}/NONE_SUCH", "eu-file-type", None),
    (f"{EU}/", "eu-file-type", None),
    (f"{EU}/WMS_SRVC", "eu-file-type", None),
    ("http://www.iana.org/assignments/media-types/media-types.xhtml", "iana-http", None),
    ("https://www.iana.org/assignments/media-types/", "iana-https", None),
    ("https://www.iana.org/assignments/media-types/a/b/c", "iana-https", None),
    ("http://edamontology.org/format_3746", "edam", None),
    ("http://identifiers.org/combine.specifications/sbml", "identifiers-combine", None),
    ("http://www.wikidata.org/entity/Q42", "wikidata", None),
    ("http://dataid.dbpedia.org/ns/mt#Unknown", "dataid-mt", None),
]


@pytest.mark.parametrize(("iri", "scheme", "type_"), IRIS)
def test_an_iri_of_a_scheme_means_the_type_of_its_code(
    iri: str, scheme: str, type_: str | None
) -> None:
    assert type_of_iri(iri) == (scheme, (type_,) if type_ else ())


@pytest.mark.parametrize(
    "iri", ["", "text/csv", "CSV", "http://example.org/text/csv", f" {EU}/CSV", "info:", "http://"]
)
def test_another_iri_is_of_no_scheme(iri: str) -> None:
    assert type_of_iri(iri) is None


@given(
    st.one_of(
        st.text(),
        st.sampled_from([EU, "info:pronom/"]).flatmap(
            lambda start: st.text().map(lambda rest: start + rest)
        ),
    )
)
def test_any_text_is_read_or_refused(text: str) -> None:
    found = type_of_iri(text)
    assert found is None or found[0] in schemes()


def test_every_identifier_that_is_written_is_read_back() -> None:
    for record in registry().media_types():
        for each in identifiers(record.essence):
            scheme, types = type_of_iri(each.iri) or ("", ())
            assert scheme == each.scheme
            assert record.essence in types


def test_the_identifiers_of_a_type_say_how_they_are_related() -> None:
    assert identifiers("image/svg+xml")[:6] == (
        ("iana-https", "https://www.iana.org/assignments/media-types/image/svg+xml", "exact"),
        ("iana-http", "http://www.iana.org/assignments/media-types/image/svg+xml", "exact"),
        ("w3c-ns-iana", "http://www.w3.org/ns/iana/media-types/image/svg+xml#Resource", "class"),
        ("spar-w3id", "https://w3id.org/spar/mediatype/image/svg%2Bxml", "exact"),
        ("w3id-mediatype", "https://w3id.org/mediatype/image/svg+xml", "exact"),
        ("purl-net", "http://purl.org/NET/mediatypes/image/svg+xml", "exact"),
    )
    relations = {(each.iri, each.relation) for each in identifiers("text/html")}
    assert ("http://www.w3.org/ns/formats/RDFa", "narrow") in relations
    assert (f"{EU}/HTML", "close") in relations
    assert (f"{EU}/RDFA", "related") in relations
    assert (f"{EU}/HTML_SIMPL", "narrow") in relations
    turtle = Identifier("w3c-formats", "http://www.w3.org/ns/formats/Turtle", "close")
    assert turtle in identifiers("text/turtle")


def test_iana_has_an_iri_for_what_it_lists_alone_and_spells_it_as_it_does() -> None:
    edifact = identifiers("application/edifact")[0]
    assert edifact.iri == "https://www.iana.org/assignments/media-types/application/EDIFACT"
    assert [each.scheme for each in identifiers("application/x-mxd")] == ["eu-file-type"]
    assert identifiers("application/x-none-such") == ()


def test_no_iri_is_exact_for_two_types() -> None:
    exact: dict[str, str] = {}
    for record in registry().media_types():
        for each in identifiers(record.essence):
            if each.relation == "exact":
                assert exact.setdefault(each.iri, record.essence) == record.essence


def test_every_scheme_of_the_survey_is_known(shared: Path) -> None:
    with (shared / "registry" / "identifier-schemes.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"].endswith("iri")]
    filled = {
        "{type}/{subtype}": "text/csv",
        "{+iana-media-type}": "text/csv",
        "[;params]": "",
        "{CODE}": "CSV",
        "{Name}": "Turtle",
        "{nnnn}": "3746",
        "{puid}": "fmt/101",
        "{fddNNNNNN}": "fdd000012",
        "{Qid} with wdt:P1163 literal": "Q935809",
        "{TypeSubtype}": "TextCsv",
        "{spec}": "sbml",
    }
    assert len(rows) > 15
    for row in rows:
        iri = row["pattern_or_property"]
        for place, value in filled.items():
            iri = iri.replace(place, value)
        assert type_of_iri(iri) is not None, row["id"]


@pytest.mark.parametrize(
    "code", ["edam:format_3752", "edam.format:3752", "edam.format:format_3752"]
)
@pytest.mark.parametrize("resolver", ["https://bioregistry.io/", "http://identifiers.org/"])
def test_a_resolver_may_have_the_prefix_of_a_code_twice(resolver: str, code: str) -> None:
    found = resolve(resolver + code)
    assert [str(each) for each in found.types] == ["text/csv"]
