"""The registry as RDF: all of it, as SKOS has it, and enough for any SHACL engine."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from checks import CTVS, catalogue_shapes
from click.testing import CliRunner
from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, Graph, Literal, Namespace, URIRef

from cturi_rdf.catalogue.shacl.foreign_shapes import SH
from cturi_rdf.check import check
from cturi_rdf.cli.registry import export as command
from cturi_rdf.rdf import CTV, mint
from cturi_rdf.rdf.export import SCHEME as SCHEME_NODE
from cturi_rdf.rdf.export import export, source_of
from cturi_rdf.rdf.terms import EU_FILE_TYPES
from cturi_rdf.reading.terms import to_ox
from cturi_rdf.registry import registry

SCHEME = URIRef(SCHEME_NODE.value)
EXAMPLES = Path(__file__).parents[1] / "ontology" / "examples"
OURS = Namespace("https://w3id.org/cturi/")
IANA = "https://www.iana.org/assignments/media-types/"


@pytest.fixture(scope="module")
def graph() -> Graph:
    return export(Graph(store="SimpleMemory"))


def test_every_type_that_iana_lists_is_a_concept_and_a_media_type(graph: Graph) -> None:
    listed = {mint(each.essence) for each in registry().media_types()}
    assert len(listed) > 2000
    assert set(graph.subjects(SKOS.inScheme, SCHEME)) == listed
    for kind in (SKOS.Concept, DCTERMS.MediaType, CTV.MediaType):
        assert listed <= set(graph.subjects(RDF.type, kind))
    # The only other scheme is the EU's, of its own file types.
    others = set(graph.subject_objects(SKOS.inScheme)) - {(each, SCHEME) for each in listed}
    assert {scheme for _, scheme in others} == {URIRef(EU_FILE_TYPES.value)}
    assert all(each.startswith(f"{EU_FILE_TYPES.value}/") for each, _ in others)


def test_the_identifiers_of_iana_are_media_types(graph: Graph) -> None:
    for each in registry().media_types():
        assert (URIRef(IANA + each.name), RDF.type, DCTERMS.MediaType) in graph


def test_the_scheme_says_what_it_is_and_of_when(graph: Graph) -> None:
    assert (SCHEME, RDF.type, SKOS.ConceptScheme) in graph
    assert str(graph.value(SCHEME, DCTERMS.modified)) == registry().date
    assert str(graph.value(SCHEME, OWL.versionInfo)).endswith(f"-{registry().date}")
    assert graph.value(SCHEME, RDFS.label)
    for name in ("title", "description", "creator", "license", "source"):
        assert graph.value(SCHEME, DCTERMS[name])


def test_every_node_of_ours_has_one_label(graph: Graph) -> None:
    nodes = set(graph.subjects())
    ours = [node for node in nodes if str(node).startswith(("ContentType:", OURS))]
    assert len(ours) > 5_000
    assert [node for node in ours if len(list(graph.objects(node, RDFS.label))) != 1] == []
    latin = OURS["parameter/charset/latin1"]
    assert list(graph.objects(latin, RDFS.label)) == [Literal("charset=latin1")]
    assert list(graph.objects(OURS["label/WMS"], RDFS.label)) == [Literal("WMS")]


def test_the_concepts_are_as_skos_wants_them(graph: Graph) -> None:
    # S9, S13, S14: a scheme is no concept; one preferred label a language.
    assert (SCHEME, RDF.type, SKOS.Concept) not in graph
    tops = set(graph.subjects(SKOS.topConceptOf, SCHEME))
    assert tops == set(graph.objects(SCHEME, SKOS.hasTopConcept))
    for concept in graph.subjects(RDF.type, SKOS.Concept):
        assert len(list(graph.objects(concept, SKOS.prefLabel))) == 1
        assert (concept in tops) is ((concept, SKOS.broader, None) not in graph)


def test_nothing_is_broader_than_itself(graph: Graph) -> None:
    # SKOS section 8.6.8 leaves cycles open; a type that is its own special case is none.
    for concept in set(graph.subjects(SKOS.broader)):
        assert concept not in set(graph.transitive_objects(concept, SKOS.broader)) - {concept}
        assert (concept, SKOS.broader, concept) not in graph


def test_other_names_and_unregistered_types_are_described_but_no_members(graph: Graph) -> None:
    alias = mint("text/tsv")
    assert (alias, CTV.registrationStatus, CTV.Unregistered) in graph
    assert (alias, CTV.aliasOf, mint("text/tab-separated-values")) in graph
    assert (alias, SKOS.inScheme, None) not in graph


def test_the_registry_is_added_to_a_graph_that_keeps_its_prefixes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = [(SCHEME_NODE, to_ox(RDF.type), to_ox(SKOS.ConceptScheme))]
    monkeypatch.setattr("cturi_rdf.rdf.export.triples", lambda: few)
    own = Graph()
    own.bind("mine", CTV)
    assert export(own) is own
    for graph in (own, export()):
        assert list(graph) == [(SCHEME, RDF.type, SKOS.ConceptScheme)]
    names = {str(namespace): prefix for prefix, namespace in graph.namespaces()}
    kept = {str(namespace): prefix for prefix, namespace in own.namespaces()}
    assert (names[str(CTV)], kept[str(CTV)]) == ("ctv", "mine")


@pytest.mark.slow
def test_exporting_twice_adds_nothing() -> None:
    graph = export()
    size = len(graph)
    assert len(export(graph)) == size


@pytest.mark.slow
def test_the_export_is_valid_by_our_own_shapes(graph: Graph) -> None:
    # Of a dataset with distributions, these alone would be looked at.
    types = Graph()
    types += (triple for triple in graph if not triple[0].startswith(f"{SCHEME}#"))
    report = check(types)
    assert report.focus_nodes > 2000
    assert report.findings == []


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    "rule", ["TypeExists", "TypeIsSpeltRight", "TypeIsCurrent", "TypeIsNoService", "TypeIsNoAlias",
             "TypeIsRegistered", "FormatIsNoMediaType", "CharsetIsMeaningful",
             "CharsetIsRegistered", "TypesAgree", "PackingIsPacking"],
)  # fmt: skip
def test_the_shapes_need_nothing_else_in_any_engine(graph: Graph, rule: str) -> None:
    # The query of the rule over the export and a raw catalogue: no label is described.
    shapes = catalogue_shapes()
    namespaces = {
        str(shapes.value(each, SH.prefix)): str(shapes.value(each, SH.namespace))
        for each in shapes.objects(None, SH.declare)
    }
    this = URIRef("https://catalogue.example/data")
    for kind, expected in (("valid", 0), ("broken", 1)):
        example = Graph().parse(EXAMPLES / kind / f"{rule}.ttl")
        found = 0
        for triple in example:
            graph.add(triple)
        try:
            for constraint in shapes.objects(CTVS[rule], SH.sparql):
                query = str(shapes.value(constraint, SH.select))
                found += len(graph.query(query, initNs=namespaces, initBindings={"this": this}))
        finally:
            for triple in example:
                graph.remove(triple)
        assert found == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.nt", "a.ttl", "a.rdf", "a.jsonld"])
def test_the_command_writes_the_graph_in_the_format_that_the_name_tells(
    tmp_path: Path, graph: Graph, name: str
) -> None:
    target = tmp_path / name
    result = CliRunner().invoke(command, ["-o", str(target)])
    assert result.exit_code == 0, result.output
    written = {quad.triple for quad in ox.parse(path=str(target))}
    assert written == {ox.Triple(*map(to_ox, triple)) for triple in graph}


def test_the_command_prints(graph: Graph) -> None:
    result = CliRunner().invoke(command, ["--to", "nt"])
    assert result.exit_code == 0
    printed = result.stdout_bytes.count(b"\n")
    assert printed == len(graph)
    assert Literal("text/csv").n3() in result.stdout


CSV, PRONOM = "ContentType:text/csv", "https://www.nationalarchives.gov.uk/PRONOM/x-fmt/18"
EU = f"{EU_FILE_TYPES.value}/CSV"
SUFFIX = "https://w3id.org/cturi/suffix/xml"


@pytest.mark.parametrize(("subject", "path", "value", "source"), [
    (CSV, CTV.fileExtension, "csv", "extensions"),
    (CSV, CTV.machineReadable, "true", "eu-file-type"),
    (CSV, CTV.registrationStatus, CTV.Registered, "iana-media-types"),
    (CSV, SKOS.closeMatch, PRONOM, "pronom"),
    (CSV, SKOS.narrowMatch, EU, "eu-file-type"),
    (CSV, SKOS.closeMatch, "https://a.example/csv", "cturi"),
    (CSV, SKOS.broader, "ContentType:text/plain", "names"),
    ("ContentType:image/svg+xml", SKOS.broader, "ContentType:application/xml", "iana-suffixes"),
    (CSV, DCTERMS.references, "https://www.rfc-editor.org/info/rfc4180", "iana-media-types"),
    (CSV, RDFS.seeAlso, IANA + "text/csv", "iana-media-types"),
    (SUFFIX, DCTERMS.references, "https://www.rfc-editor.org/info/rfc7303", "iana-suffixes"),
    (SUFFIX, CTV.suffixName, "xml", "iana-suffixes"),
    (EU, RDF.type, DCTERMS.MediaTypeOrExtent, "eu-file-type"),
    (CSV, RDF.type, CTV.MediaType, "cturi"),
])  # fmt: skip
def test_a_statement_has_the_source_that_says_it(
    subject: str, path: str, value: str, source: str
) -> None:
    term = ox.NamedNode(value) if ":" in value else ox.Literal(value)
    assert source_of((ox.NamedNode(subject), ox.NamedNode(path), term)) == source
