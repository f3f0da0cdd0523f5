"""Laws of a repair, on generated catalogues: done once, taken back, and nothing else changed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from conftest import law, small_folder
from drawn_documents import DOCUMENTS
from hypothesis import example, given
from hypothesis import strategies as st
from repairs import EU, HEAD, IANA, LABELLED, PROPERTIES, catalogues, fixed

from cturi_rdf.catalogue.patches import as_json_lines, as_rdf_patch, as_sparql_update, undone
from cturi_rdf.catalogue.quality_score import effect
from cturi_rdf.catalogue.rendering import as_sarif
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.check import check_file
from cturi_rdf.editing.engines import by_patch
from cturi_rdf.reading import CatalogError
from cturi_rdf.repair import FilePlan, plan_file, profile_named, profile_names

if TYPE_CHECKING:
    from cturi_rdf.editing import Statement

SERIALISED = {
    "ttl": ox.RdfFormat.TURTLE,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdf": ox.RdfFormat.RDF_XML,
    "nt": ox.RdfFormat.N_TRIPLES,
}

options = st.builds(
    Options,
    st.sampled_from(["certain", "likely"]),
    st.booleans(),
    st.sampled_from(["report", "move"]),
)


def planned(content: bytes, profile: str, options: Options, ending: str = "ttl") -> FilePlan:
    with small_folder() as folder:
        file = Path(folder, f"catalogue.{ending}")
        file.write_bytes(content)
        return plan_file(str(file), profile=profile, options=options)


@pytest.mark.parametrize("profile", profile_names())
@pytest.mark.parametrize("value", ['"WMS"', f"<{EU}WMS_SRVC>", '"Esri REST"@en'])
@pytest.mark.parametrize("path", PROPERTIES)
def test_a_service_becomes_no_format_in_any_profile(profile: str, value: str, path: str) -> None:
    text = f"{HEAD}<a:b> a dcat:Distribution ; {path} {value} ; dcat:downloadURL <a:b.csv> ."
    plan = planned(text.encode(), profile, Options("likely", by_url=True))
    assert not [step for step in plan.plan.steps if step.rule != "typing"]


def on_one(*values: str) -> str:
    return f"<http://a.example/1> a dcat:Distribution ; {' ; '.join(values)} .\n"


def on_other(*values: str) -> str:
    return on_one(*values).replace("/1>", "/2>")


AS_CSV, AS_CSV_GZ, AT_A_SERVICE = (
    "dcat:downloadURL <http://a.example/a.csv>",
    "dcat:downloadURL <http://a.example/a.csv.gz>",
    "dcat:accessURL <http://a.example/service>",
)


# Two spellings of a label, a statement that stands there twice, a URL whose wrapper finds its
# place taken, one that names a content where a package is asked for, a place that a package or a
# service leaves, a placeholder that is read before the URL has told what it stands for, one beside
# a property that the profile has no rule for, and one that moves to a property that is required.
@example(on_one('dcat:mediaType "CSV", "csv"'), "pod", Options())
@example(
    on_one(f'dcat:mediaType "CSV", <{IANA}no/such>', 'schema:encodingFormat "Excel"'),
    "dcat-ap",
    Options(),
)
@example(on_one('dcat:mediaType "n/a", "n/a", "XML"', AS_CSV), "dcat-ap", Options(by_url=True))
@example(
    on_one(
        f"dcat:mediaType <{EU}OP_DATPRO>",
        f"dct:format <{EU}OP_DATPRO>",
        f"dcat:compressFormat <{IANA}text/csv>",
        AS_CSV_GZ,
    ),
    "dcat-ap",
    Options(by_url=True),
)
@example(
    on_one('dcat:mediaType "ZIP"', f"dcat:packageFormat <{IANA}no/such>", AS_CSV),
    "dcat-ap",
    Options(by_url=True),
)
@example(on_one('dcat:mediaType "ZIP"', 'dct:format "MARC 21"'), "dcat-ap", Options())
@example(
    on_one('dct:format "WMS"', 'dcat:mediaType "application/x-tar"', AT_A_SERVICE),
    "dcat-ap-de",
    Options(services="move"),
)
@example(
    on_one('dcat:compressFormat "n/a"', 'dcat:mediaType "MARC 21"', AS_CSV),
    "dcat-ap",
    Options(by_url=True),
)
@example(on_one('schema:encodingFormat "CSV"', 'dct:format "n/a"', AS_CSV), "dcat-ap-ch", Options())
# What moves away is missing then, where the profile requires it.
@example(on_one('dct:format "WMS"', AT_A_SERVICE), "dcat-ap-se", Options(services="move"))
@example(
    on_one('dcat:mediaType "CSV"', 'dct:format "WMS"', AT_A_SERVICE),
    "dcat-ap-se",
    Options(services="move"),
)
# One of the readings of a name is no wrapper.
@example(on_one('dcat:packageFormat "Excel"'), "dcat-ap", Options("likely"))
# What is named as a compression is around a package.
@example(
    on_one('dcat:mediaType "ZIP"', 'dcat:compressFormat "CSV"', AS_CSV),
    "dcat-ap",
    Options(by_url=True),
)
@example(on_one(f"dct:format <{EU}ZIP>", AS_CSV), "pod", Options())
@example(
    on_one('dcat:mediaType "text/csv; header=absent", "flurbel"', AS_CSV),
    "dcat",
    Options("likely", by_url=True),
)
# The name of a service that moves away tells of no conflict, and what contradicts adds nothing.
@example(
    on_one('dcat:mediaType "CSV", "JSON"', 'dct:format "WMS"', AT_A_SERVICE, AS_CSV),
    "dcat-ap-se",
    Options("likely", services="move"),
)
@example(
    on_one('dcat:mediaType "GeoJSON", "n/a", "Excel"', AS_CSV), "dcat-ap-se", Options("likely")
)
# Two packages for a property that takes one.
@example(
    on_one('dcat:compressFormat "WMS"', 'dcat:packageFormat "XML, tar.gz"'), "dcat-ap-no", Options()
)
@given(catalogues, st.sampled_from(profile_names()), options)
@law
def test_a_repair_is_done_once_and_can_be_taken_back(
    text: str, profile: str, options: Options
) -> None:
    plan = planned((HEAD + text).encode(), profile, options)
    assert undone(plan.edited, as_json_lines(plan).decode()) == plan.original
    # The report on the repaired file confirms the prediction of the plan.
    gain = effect(plan)
    assert gain.after.violations <= gain.before.violations
    again = planned(plan.edited, profile, options)
    assert again.edited == plan.edited
    assert len(again.plan.left) == len(plan.plan.left)
    assert effect(again).before == gain.after
    # Only values of the profile change, and the labels of nodes that go with them.
    properties = profile_named(profile).properties
    before, after = (
        set(ox.parse(content, ox.RdfFormat.TURTLE, base_iri="http://a.example/"))
        for content in (plan.original, plan.edited)
    )

    def may_go(one: Statement | ox.Quad) -> bool:
        return one.predicate in properties or isinstance(one.subject, ox.BlankNode)

    assert all(may_go(one) for step in plan.plan.steps for one in step.change.removed)
    kept = {quad for quad in before if not may_go(quad)}
    assert {quad.predicate for quad in kept} <= {quad.predicate for quad in after}


# A value to leave out, for another one says it too.
@example(on_one('dcat:mediaType "text/csv", "CSV"'), "dcat-ap", "ttl")
# A package that leaves the property of a media type, which the profile requires.
@example(
    on_one('dcat:mediaType "ZIP" ; dct:format "SHP" ; dcat:downloadURL <a:z.zip>'),
    "dcat-ap-ch",
    "ttl",
)
# Two texts at one place.
@example(on_one('dcat:packageFormat "XML, tar.gz"'), "dcat-us-json", "ttl")
# Two fixes that need the same prefix.
@example(on_one('dct:format "Zipped Shapefile"') + on_other('dct:format "PDF"'), "dcat-ap", "rdf")
@given(catalogues, st.sampled_from(profile_names()), st.sampled_from(["ttl", "rdf"]))
@law
def test_the_fixes_of_a_check_repair_its_values(text: str, profile: str, ending: str) -> None:
    content, form = (HEAD + text).encode(), SERIALISED[ending]
    if ending == "rdf":
        quads = ox.parse(content, ox.RdfFormat.TURTLE, base_iri="http://a.example/")
        content = ox.serialize(dict.fromkeys(quads), format=form) or b""
    plan = planned(content, profile, Options(), ending)
    with small_folder() as folder:
        file = Path(folder, f"catalogue.{ending}")
        file.write_bytes(plan.original)
        report = check_file(str(file), profile=profile)
        results = json.loads(as_sarif({file.name: report}))["runs"][0]["results"]
    properties = profile_named(profile).properties
    mended, repaired = (
        {
            (quad.subject, quad.predicate, quad.object)
            for quad in ox.parse(content, form, base_iri="http://a.example/")
            if quad.predicate in properties and not isinstance(quad.object, ox.BlankNode)
        }
        for content in (fixed(plan.original.decode(), results), plan.edited)
    )
    assert mended == repaired


@given(catalogues, st.sampled_from(["dcat-ap", "dcat-ap-no", "dcat-us"]), options)
@law
def test_an_rdf_patch_says_the_same_as_the_edited_file(
    text: str, profile: str, options: Options
) -> None:
    # In lines each blank node has a label, by which the patch names it.
    quads = ox.parse(f"@base <http://a.example/> .\n{HEAD}{text}", ox.RdfFormat.TURTLE)
    lines = ox.serialize(dict.fromkeys(quads), format=ox.RdfFormat.N_QUADS) or b""
    plan = planned(lines, profile, options, "nq")
    content, left_out = as_rdf_patch(plan)
    assert left_out == ()
    stated = set(plan.plan.document.parse(plan.original))
    assert set(by_patch(content, "http://a.example/")(stated)) == set(
        plan.plan.document.parse(plan.edited)
    )


@given(catalogues, st.sampled_from(["dcat-ap", "dcat-ap-no", "dcat-us"]), options)
@law
def test_the_update_in_sparql_says_the_same_as_the_edited_file(
    text: str, profile: str, options: Options
) -> None:
    plan = planned(f"@base <http://a.example/> .\n{HEAD}{text}".encode(), profile, options)
    store = ox.Store()
    store.load(plan.original, ox.RdfFormat.TURTLE)
    content, left_out = as_sparql_update(plan)
    if left_out:
        # Nodes of which the same is said cannot be told from each other.
        assert any(text.count(node) > 1 for node in LABELLED)
        return
    if plan.plan.steps:
        store.update(content.decode())
    wanted, written = ox.Dataset(ox.parse(plan.edited, ox.RdfFormat.TURTLE)), ox.Dataset(store)
    for dataset in (wanted, written):
        dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    assert written == wanted


# What is said of the values without a name.
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
NODES = ["", f"<{RDFS}label> 'CSV'", f"a dct:MediaTypeOrExtent ; <{RDFS}label> 'CSV'"]


# A property whose namespace its own element declares, a value that stays only in part, and one
# that is a node of its own.
@example(on_one('schema:encodingFormat "CSV"@en'), "croissant-1.0", Options(), NODES[0])
@example(on_one('dcat:mediaType "CSV", "text/csv; charset=latin1"'), "dcat", Options(), NODES[0])
@example(on_one("dct:format [ ]"), "dcat-ap", Options(), NODES[2])
@given(
    catalogues,
    st.sampled_from([name for name in profile_names() if name != "pod"]),
    options,
    st.sampled_from(NODES),
)
@law
def test_a_repair_is_the_same_in_every_syntax(
    text: str, profile: str, options: Options, node: str
) -> None:
    head = f"@base <http://a.example/> .\n{HEAD}"
    text = text.replace("[ ]", f"[ {node} ]")
    quads = list(dict.fromkeys(ox.parse(f"{head}{text}", ox.RdfFormat.TURTLE)))
    plans = []
    for ending, form in SERIALISED.items():
        content = ox.serialize(quads, format=form)
        plan = planned(content or b"", profile, options, ending).plan
        steps = Counter((step.rule, step.text()) for step in plan.steps if step.rule != "typing")
        plans.append((steps, Counter((left.rule, left.text()) for left in plan.left)))
    assert all(plan == plans[0] for plan in plans)


@pytest.mark.parametrize("syntax", DOCUMENTS)
@given(
    st.integers(0, 1 << 32),
    st.sampled_from([name for name in profile_names() if name != "pod"]),
    options,
)
@law
def test_a_file_in_any_words_of_its_syntax_is_repaired_once(
    syntax: str, seed: int, profile: str, options: Options
) -> None:
    try:
        plan = planned(DOCUMENTS[syntax](seed).encode(), profile, options, syntax)
    except CatalogError as error:
        # A document of JSON-LD may define none of its terms.
        assert error.problem.startswith("no triples in it")
        return
    assert undone(plan.edited, as_json_lines(plan).decode()) == plan.original
    assert planned(plan.edited, profile, options, syntax).edited == plan.edited


@pytest.mark.parametrize(
    "members",
    [
        '"format": "csv.gz", "mediaType": {"@value": "ZIP", "@language": "fr"}',
        '"format": "ZIP", "mediaType": "csv.gz"',
    ],
)
def test_a_value_that_moves_leaves_its_member_to_another_value(members: str) -> None:
    text = f"""{{
      "@context": {{
        "format": {{"@id": "http://purl.org/dc/terms/format"}},
        "mediaType": {{"@id": "http://www.w3.org/ns/dcat#mediaType", "@language": null}}
      }},
      "@id": "http://e.example/a",
      {members}
    }}"""
    plan = planned(text.encode(), "dcat-ap", Options(), "jsonld")
    assert len(plan.plan.steps) >= 2
    assert not plan.plan.left
    assert planned(plan.edited, "dcat-ap", Options(), "jsonld").edited == plan.edited
