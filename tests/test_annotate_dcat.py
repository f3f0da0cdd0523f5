"""Links as DCAT's own properties, and ours for what DCAT cannot say."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from rdflib import DCAT, DCTERMS, Dataset, Graph, Literal, URIRef

from cturi_rdf.catalogue import Adding, annotate_file
from cturi_rdf.cli import cturi
from cturi_rdf.rdf import CTV, headers
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.repair import plan_file

ROOT = Path(__file__).parents[1]
IANA = "https://www.iana.org/assignments/media-types/"
HEAD = """\
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix ctv: <https://w3id.org/cturi/vocab#> .
"""
CATALOGUES = [
    "w3c-csiro-dap-examples.ttl", "maregraph-eu-catalog.ttl", "comunefoggia-catalog.rdf",
    "datosgobes-E_DCAT-AP-ES_full_optional.ttl", "linkedpipes-test.trig", "fedict-dcat.rdf",
]  # fmt: skip


def as_dcat(path: Path, target: Path) -> Graph:
    """Return what a file says as it is annotated with DCAT's terms."""
    annotate_file(path, target, dcat=True, base="http://e/")
    return read_catalog(str(target))


@pytest.mark.parametrize(
    ("description", "added"),
    [
        ('a dcat:Distribution ; dct:format "CSV"', {("mediaType", "text/csv")}),
        (
            'a dcat:Distribution ; dct:format "Zipped Shapefile"',
            {("mediaType", "application/vnd.shp"), ("packageFormat", "application/zip")},
        ),
        (
            'dct:format "csv.gz"',
            {("mediaType", "text/csv"), ("compressFormat", "application/gzip")},
        ),
        # The parameters are ours.
        (
            'dct:format "text/csv; header=absent"',
            {("mediaType", "text/csv"), ("contentType", "text/csv?header=%22absent%22")},
        ),
        # IANA lists no such type, so DCAT has no IRI of it.
        ('dct:format "ECW"', {("contentType", "application/x-ecw")}),
        # DCAT has one media type for a distribution.
        (
            'dct:format "CSV", "JSON"',
            {("contentType", "text/csv"), ("contentType", "application/json")},
        ),
        # A guess is no statement of DCAT; one that another label confirms is none.
        ('a dcat:Distribution ; dct:format "Word"', {("contentType", "application/msword")}),
        ('a dcat:Distribution ; dct:format "Word", "doc"', {("mediaType", "application/msword")}),
        # A value is mended by repair, and gets none beside it.
        ('dcat:mediaType "text/csv"', set()),
        (f"dct:format 'CSV' ; dcat:mediaType <{IANA}text/csv>", set()),
        # The properties would make a distribution of it.
        ('a dcat:DataService ; dct:format "JSON"', {("contentType", "application/json")}),
        ('a dcat:Distribution ; dct:format "WMS"', set()),
    ],
)  # fmt: skip
def test_a_link_is_dcats_where_dcat_can_say_it(
    tmp_path: Path, description: str, added: set[tuple[str, str]]
) -> None:
    source = tmp_path / "a.ttl"
    source.write_text(f"{HEAD}<http://e/d> {description} .\n", "utf-8")
    before = Graph().parse(source)
    node, after = URIRef("http://e/d"), as_dcat(source, tmp_path / "b.ttl")
    new = set(after.predicate_objects(node)) - set(before.predicate_objects(node))
    wanted = {
        (CTV[name], URIRef(f"ContentType:{value}"))
        if name == "contentType"
        else (DCAT[name], URIRef(IANA + value))
        for name, value in added
    }
    assert new == wanted


@pytest.mark.parametrize("ending", ["ttl", "nt", "rdf", "jsonld"])
def test_every_syntax_says_the_same_and_a_second_time_adds_nothing(
    tmp_path: Path, ending: str
) -> None:
    example = ROOT / "examples" / "catalogue.ttl"
    turtle = as_dcat(example, tmp_path / "a.ttl")
    other = tmp_path / f"b.{ending}"
    types = set(map(str, turtle.objects(None, DCAT.mediaType)))
    assert len(types) > 5
    # A relative IRI of the example is absolute in a syntax that has none.
    found = set(map(str, as_dcat(example, other).objects(None, DCAT.mediaType)))
    assert {each.removeprefix("http://e/") for each in found} == types
    again = tmp_path / f"c.{ending}"
    annotate_file(other, again, dcat=True)
    assert again.read_bytes() == other.read_bytes()


def test_a_distribution_with_all_of_the_properties_is_one_still(tmp_path: Path) -> None:
    source = tmp_path / "a.ttl"
    wrapped = 'dcat:compressFormat "gzip" ; dcat:packageFormat "zip"'
    source.write_text(f'{HEAD}<http://e/d> dct:format "CSV" ; {wrapped} .\n', "utf-8")
    once, again = tmp_path / "b.ttl", tmp_path / "c.ttl"
    annotate_file(source, once, dcat=True)
    annotate_file(once, again, dcat=True)
    assert b"dcat:mediaType" in once.read_bytes()
    assert again.read_bytes() == once.read_bytes()


@pytest.mark.parametrize("schema", ["project-open-data.cio.gov/v1.1/schema", "a.example/v3"])
def test_a_field_for_a_text_gets_no_link(tmp_path: Path, schema: str) -> None:
    source, target = tmp_path / "data.json", tmp_path / "out.json"
    distribution = {"downloadURL": "http://a.example/1.csv", "format": "CSV"}
    data = {"conformsTo": f"https://{schema}", "dataset": [{"distribution": [distribution]}]}
    source.write_text(text := json.dumps(data), "utf-8")
    with pytest.raises(CatalogError, match="no place for links"):
        annotate_file(source, source, dcat=True)
    assert source.read_text("utf-8") == text
    added = set(as_dcat(source, target).objects(None, DCAT.mediaType))
    assert added == {URIRef(f"{IANA}text/csv")}


def test_a_guess_does_not_become_certain_by_annotating(tmp_path: Path) -> None:
    source, target = tmp_path / "a.ttl", tmp_path / "b.ttl"
    source.write_text(f'{HEAD}<http://e/d> a dcat:Distribution ; dct:format "Word" .\n', "utf-8")
    annotate_file(source, target, dcat=True)
    assert plan_file(str(target)).edited == target.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUES)
def test_the_headers_of_a_catalogue_stay_as_they_were(
    shared: Path, tmp_path: Path, name: str
) -> None:
    source = shared / "catalogs" / name
    target = tmp_path / name
    annotate_file(source, target, dcat=True)
    before, after = Dataset().parse(source), Dataset().parse(target)

    def sent(dataset: Dataset) -> Counter[str]:
        return Counter(str(header.content_type) for header in headers(dataset))

    assert sent(after) == sent(before)
    # No resource has two of a kind that had one.
    for path in (DCAT.mediaType, DCAT.compressFormat, DCAT.packageFormat):
        old = Counter(subject for subject, _, _ in before.triples((None, path, None)))
        new = Counter(subject for subject, _, _ in after.triples((None, path, None)))
        blank_or_old = max(old.values(), default=1)
        assert max(new.values(), default=1) <= blank_or_old


def test_the_command_has_both_choices(tmp_path: Path) -> None:
    source = tmp_path / "a.ttl"
    source.write_text(f'{HEAD}<http://e/d> dct:format "CSV" .\n', "utf-8")
    text = CliRunner().invoke(cturi, ["annotate", "-q", str(source), "--as", "dcat"]).stdout
    assert f"dcat:mediaType <{IANA}text/csv>" in text
    assert "ctv:contentType" not in text
    assert CliRunner().invoke(cturi, ["annotate", "-q", str(source), "--as", "ctv"]).stdout == (
        CliRunner().invoke(cturi, ["annotate", "-q", str(source)]).stdout
    )


def test_a_catalogue_of_a_thousand_distributions_grows_by_three_triples_a_label_at_most(
    tmp_path: Path,
) -> None:
    labels = ["CSV", "Zipped Shapefile", "csv.gz", "XML", "WMS", "XSLX", "GeoJSON", "whatever"]
    graph = Graph()
    for number in range(1_000):
        node = URIRef(f"http://e/{number}")
        graph.add((node, DCTERMS["format"], Literal(labels[number % len(labels)])))
    source, target = tmp_path / "a.ttl", tmp_path / "b.ttl"
    graph.serialize(source, encoding="utf-8")
    for dcat in (False, True):
        annotate_file(source, target, dcat=dcat)
        added = len(Graph().parse(target)) - len(graph)
        assert 600 < added <= 3 * len(graph)


def test_what_is_appended_is_turtle_as_a_person_writes_it(tmp_path: Path) -> None:
    source, target = ROOT / "examples" / "catalogue.ttl", tmp_path / "a.ttl"
    annotate_file(source, target, adding=Adding.ALL)
    blocks = [block for block in target.read_text("utf-8").split("\n\n") if "    ctv:" in block]
    own = [block for block in blocks if block.startswith(("<ContentType:", "<https://w3id.org/"))]
    assert len(own) > 20
    subjects = [block.split(maxsplit=1)[0] for block in own]
    assert len(subjects) == len(set(subjects))
    for block in own:
        first, *lines = block.splitlines()
        assert first.split()[1] == "a"
        predicates = [line.split()[0] for line in lines]
        assert len(predicates) == len({*predicates, "a"}) - 1
    # Of two classes the special one, which entails the other.
    types = [block for block in own if " a ctv:MediaType" in block or "XMLMediaType" in block]
    assert {block.splitlines()[0].split(maxsplit=1)[1] for block in types} == {
        "a ctv:MediaType ;",
        "a ctv:XMLMediaType ;",
    }
    assert any(
        "skos:closeMatch <" in line and ">, <" in line for line in "\n".join(own).split("\n")
    )
