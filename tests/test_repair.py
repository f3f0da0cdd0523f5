"""Repair: a catalogue as its profile asks, by the smallest change, and nothing guessed."""

# ruff: noqa: E501 - the tables have a row a line

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from rdflib import Dataset, Graph
from rdflib.compare import isomorphic
from repairs import EU, HEAD, IANA, LIKELY, D, planned, statements

from cturi_rdf.catalogue.value_forms import eu_file_type_for, relation_of_named
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.labels import resolve
from cturi_rdf.registry import registry
from cturi_rdf.repair import plan_file, repair

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


# The statements of a distribution, the profile, and its statements after the repair.
REPAIRED = [
    ('dct:format "CSV"', "dcat-ap", {"format eu:CSV"}),
    ('dcat:mediaType "text/csv"', "dcat-ap", {"mediaType iana:text/csv"}),
    ('dct:format "PDF/A-2b"', "dcat-ap", {"format eu:PDFA2B"}),
    ('dct:format "PDF/A-2b files"', "dcat-ap", {"format eu:PDFA2B"}),
    ('dct:format "zipped GTFS feed"', "dcat-ap", {"format eu:GTFS"}),
    ('dct:format "TAR.GZ"', "dcat-ap", {"format eu:TAR_GZ"}),
    ('dct:format "ISO_ZIP"', "dcat-ap", {"format eu:ISO", "packageFormat iana:application/zip", "mediaType iana:application/vnd.efi.iso"}),
    ('dct:format "XHTML page"', "dcat-ap", {"format eu:XHTML"}),
    # A narrower code of the EU stays narrower, by whatever name.
    *(
        (f'dct:format "{name}"', "dcat-ap", {"format eu:GEOTIFF"})
        for name in ("GeoTIFF", "Cloud Optimized GeoTIFF", "COG", "GTiff", "GeoTIF")
    ),
    ('dcat:mediaType "image/tif"', "dcat-ap", {"mediaType iana:image/tiff"}),
    (f"dcat:mediaType <{IANA}application/javascript>", "dcat-ap", {"mediaType iana:text/javascript"}),
    (f"dcat:mediaType <{IANA}text/csv>", "dcat-ap", {"mediaType iana:text/csv"}),
    ("dct:format eu:CSV", "dcat-ap", {"format eu:CSV"}),
    ("dct:format <CSV>", "dcat-ap", {"format eu:CSV"}),
    # A compound label is split.
    (
        'dct:format "Zipped Shapefile"', "dcat-ap",
        {"format eu:SHP", "packageFormat iana:application/zip", "mediaType iana:application/vnd.shp"},
    ),
    (
        'dct:format "CSV.gz"', "dcat-ap",
        {"format eu:CSV", "compressFormat iana:application/gzip", "mediaType iana:text/csv"},
    ),
    (
        'dct:format "CSV", "ZIP"', "dcat-ap",
        {"format eu:CSV", "packageFormat iana:application/zip"},
    ),
    # A placeholder is no format, also where any IRI is one.
    *(
        (f"dct:format eu:OP_DATPRO; dcat:mediaType <{IANA}image/tiff>", profile,
         {"format eu:TIFF", "mediaType iana:image/tiff"})
        for profile in ("dcat-ap", "dcat", "dcat-us")
    ),
    # A value on the wrong property goes to the right one.
    (
        'dct:format "Shapefile"; dcat:mediaType "application/zip"', "dcat-ap",
        {"format eu:SHP", "packageFormat iana:application/zip"},
    ),
    ('dct:format "MARC 21"', "dcat-ap", {"mediaType iana:application/marc"}),
    ("dcat:mediaType eu:CSV", "dcat-ap", {"mediaType iana:text/csv", "format eu:CSV"}),
    # One value a property, and nothing that the label says is lost.
    ('dct:format "CSV", "csv"@en, eu:CSV', "dcat-ap", {"format eu:CSV"}),
    (
        'dcat:mediaType "text/csv; charset=latin1"', "dcat-ap",
        {"mediaType iana:text/csv", "characterEncoding latin1"},
    ),
    (
        'dcat:mediaType "text/csv; charset=utf8"', "dcat-ap",
        {"mediaType iana:text/csv", "characterEncoding UTF-8"},
    ),
    # A placeholder is what another statement says.
    (
        f"dct:format eu:OP_DATPRO; dcat:mediaType <{IANA}text/csv>", "dcat-ap",
        {"format eu:CSV", "mediaType iana:text/csv"},
    ),
    # A package that names its content names it once, on the properties for that.
    (
        'dcat:packageFormat "Zipped Shapefile"', "dcat-ap",
        {"format eu:SHP", "packageFormat iana:application/zip", "mediaType iana:application/vnd.shp"},
    ),
    (
        'dcat:packageFormat "Zipped Shapefile"; dct:format eu:SHP', "dcat-ap",
        {"format eu:SHP", "packageFormat iana:application/zip"},
    ),
    (
        'dcat:compressFormat "CSV.gz"; dcat:packageFormat "CSV.zip"', "dcat-ap",
        {"format eu:CSV", "mediaType iana:text/csv", "compressFormat iana:application/gzip",
         "packageFormat iana:application/zip"},
    ),
    # Profiles contradict each other.
    ('dcat:packageFormat "zip"', "dcat-ap", {"packageFormat iana:application/zip"}),
    ('dcat:packageFormat "zip"', "dcat-ap-no", {"packageFormat eu:ZIP"}),
    ('dct:format "CSV"', "dcat-ap-se", {"format text/csv"}),
    ("dct:format eu:CSV", "dcat-ap-se", {"format text/csv"}),
    ('dct:format "MARC 21"', "dcat-ap-ch", {"format iana:application/marc"}),
    ('dct:format "TIF"; dcat:mediaType "image/tif"', "pod", {"format TIF", "mediaType image/tiff"}),
    (f"dcat:mediaType <{IANA}text/csv>", "pod", {"mediaType text/csv"}),
    # A name of a format is kept as one, and another name of a media type is none.
    ('dcat:mediaType "KMZ"', "pod", {"mediaType application/vnd.google-earth.kmz", "format KMZ"}),
    ('dcat:mediaType "image/jpg"', "pod", {"mediaType image/jpeg"}),
    ('schema:encodingFormat "CSV"', "ro-crate-1.2", {"encodingFormat text/csv"}),
    ("schema:encodingFormat <http://a.example/format>", "schema", {"encodingFormat http://a.example/format"}),
    ('schema:encodingFormat "image/tif"', "croissant-1.0", {"encodingFormat image/tiff"}),
]  # fmt: skip


@pytest.mark.parametrize(("stated", "profile", "expected"), REPAIRED)
def test_each_value_becomes_what_the_profile_asks(
    tmp_path: Path, stated: str, profile: str, expected: set[str]
) -> None:
    plan = planned(tmp_path, f"{D}{stated} .\n", profile)
    assert (statements(plan), plan.plan.left) == (expected, ())


# Values left to a human, and a word of the reason.
LEFT = [
    ('dct:format "WMS"', "accessService"),
    ("dct:format eu:WMS_SRVC", "accessService"),
    ('dct:format "CSV, JSON"', "a distribution for each"),
    ('dct:format "PDF and ZIP"', "a distribution for each"),
    ('dct:format "GTFS / KML"', "application/zip, application/vnd.google-earth.kml+xml"),
    ('dct:format "n/a"', "placeholder"),
    ('dct:format "flurbel"', "Nothing"),
    ('dct:format "XML"; dcat:mediaType "text/csv"', "text/csv"),
    ('dct:format "CSV", "JSON"', "allows 1 value"),
    ('dct:format "CSV (UTF-8)", "text/csv; charset=latin1"', "=UTF-8 and text/csv; charset=latin1"),
    ('dcat:packageFormat "application/x-tar"', "IRI of IANA"),
    ("dct:format [ ]", "blank node"),
    ('dcat:mediaType "application/ld+json; profile=x"', "profile"),
    ('dct:format "Excel-Tabelle"', "--min-confidence likely"),
    ('dct:format "XML, tar.gz"', "no place for application/x-tar"),
    ('dct:format eu:CSV; dcat:packageFormat "Zipped Shapefile"', "says text/csv"),
    ('dct:format "CSV"; dcat:downloadURL <http://a.example/a.xlsx>', "But the download URL"),
    ('dct:format "text/plain"; dcat:packageFormat "csv.gz"', "only text/plain"),
    ('dct:format "FTP"', "protocol"),
    ('dct:format "CSV"; dcat:downloadURL "http://[is no URL/a.pdf"', "application/pdf"),
]


@pytest.mark.parametrize(("stated", "why"), LEFT)
def test_what_only_a_human_can_decide_is_left_with_the_reason(
    tmp_path: Path, stated: str, why: str
) -> None:
    left = planned(tmp_path, f"{D}{stated} .\n").plan.left
    assert any(why in each.reason for each in left), left


def code_for(essence: str, label: str) -> str:
    """Return the EU's code that is written for a media type under a label, or ``""``."""
    record = eu_file_type_for(essence, label)
    return record.code if record else ""


def types_by_code() -> dict[str, str]:
    """Return the media types of the EU's codes that are certain names of one."""
    resolved = ((one.code, resolve(one.code)) for one in registry().eu_file_types())
    certain = {
        code: one.types[0].essence
        for code, one in resolved
        if (one.verdict, one.confidence) == ("media_type", "certain")
    }
    return {code: essence for code, essence in certain.items() if code_for(essence, code) == code}


POD = "https://project-open-data.cio.gov/v1.1/schema"
DCAT_US = "https://resources.data.gov/dcat-us/3.0.0"


def data_json(tmp_path: Path, schema: str, media_type: str) -> str:
    """Write JSON without a context, with a distribution; return its name."""
    file = tmp_path / "data.json"
    distribution = {"@type": "Distribution", "mediaType": media_type}
    data = {"conformsTo": schema, "dataset": [{"distribution": [distribution]}]}
    file.write_text(json.dumps(data), "utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("schema", "label", "expected"),
    [
        (POD, "CSV", {"mediaType": "text/csv"}),
        (DCAT_US, "CSV", {"mediaType": "text/csv"}),
        (DCAT_US, "Zipped CSV", {"mediaType": "text/csv", "packageFormat": "application/zip"}),
    ],
)
def test_json_without_a_context_gets_the_texts_of_its_fields(
    tmp_path: Path, schema: str, label: str, expected: dict[str, str]
) -> None:
    edited = json.loads(plan_file(data_json(tmp_path, schema, label)).edited)
    (distribution,) = edited["dataset"][0]["distribution"]
    assert distribution == {"@type": "Distribution", "format": label, **expected}


@pytest.mark.parametrize("schema", [POD, DCAT_US])
def test_where_links_have_no_place_all_that_is_to_be_written_is_said(
    tmp_path: Path, schema: str
) -> None:
    file = data_json(tmp_path, schema, "Zipped CSV")
    (left,) = plan_file(file, profile="dcat-ap").plan.left
    assert "no place for links" in left.reason
    values = f"{IANA}text/csv", f"{IANA}application/zip", f"{EU}CSV"
    assert all(value in left.reason for value in values)


def test_of_two_names_where_one_value_is_allowed_the_narrower_is_written(tmp_path: Path) -> None:
    types, rank = types_by_code(), ("narrow", "close", "related")
    nearness = {code: rank.index(relation_of_named(of, code)) for code, of in types.items()}
    pairs = [
        (one, other)
        for one, other in product(types, repeat=2)
        if types[one] == types[other] and nearness[one] < nearness[other]
    ]
    assert {("GEOTIFF", "TIFF"), ("PDFA1A", "PDF"), ("RDF_XML", "RDF")} <= set(pairs)
    rows = (
        f'<http://a.example/{one}-{other}> a dcat:Distribution; dct:format "{one}", "{other}" .\n'
        for one, other in pairs
    )
    plan = planned(tmp_path, "".join(rows))
    written = {
        (quad.subject.value.rpartition("/")[2], quad.object.value.removeprefix(EU))
        for quad in ox.parse(plan.edited, ox.RdfFormat.TURTLE)
        if quad.predicate.value.endswith("/format") and isinstance(quad.object, ox.NamedNode)
    }
    assert written == {(f"{one}-{other}", one) for one, other in pairs}


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        ("csv", {"format eu:CSV", "mediaType iana:text/csv"}),
        ("xlsx", {"format CSV", "mediaType application/json"}),
    ],
)
@pytest.mark.parametrize("around", ["", f" ; dcat:compressFormat <{IANA}application/gzip>"])
def test_the_url_decides_for_no_content_that_no_statement_names(
    tmp_path: Path, ending: str, expected: set[str], around: str
) -> None:
    # What is around the contents agrees with any of them.
    stated = f'dct:format "CSV" ; dcat:mediaType "application/json"{around}'
    text = f"{D}{stated} ; dcat:downloadURL <http://a.example/a.{ending}> .\n"
    plan = planned(tmp_path, text, options=Options(by_url=True))
    assert expected <= statements(plan)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (f"<{IANA}no/such>", {"mediaType text/csv"}),
        # It is right on the other property, and of the type that the URL names.
        (f"<{IANA}text/csv>", {"mediaType iana:text/csv"}),
    ],
)
def test_only_a_value_of_the_type_that_the_url_names_moves_as_it_is(
    tmp_path: Path, value: str, expected: set[str]
) -> None:
    text = f"{D}dct:format {value} ; dcat:downloadURL <http://a.example/a.csv> .\n"
    options = Options("likely", by_url=True)
    assert expected <= statements(planned(tmp_path, text, "dcat-us-json", options=options))


def test_a_placeholder_is_no_value_that_a_format_repeats(tmp_path: Path) -> None:
    steps = planned(tmp_path, f'{D}dct:format "CSV", "-" .\n').plan.steps
    made = {one.statement.object.value: one.rule for one in steps if one.statement}
    assert made == {"CSV": "form", "-": "placeholder"}


def test_a_name_that_is_written_as_a_media_type_stays_as_narrow_as_it_is() -> None:
    narrowed = {}
    for code, essence in types_by_code().items():
        invented = f"model/x-{code.lower().replace('_', '-')}"
        resolution = resolve(invented)
        if [one.essence for one in resolution.types] == [essence] != [invented]:
            narrowed[code] = code_for(essence, invented)
    assert {"GEOTIFF", "PDFA2B", "CSV"} <= narrowed.keys()
    assert {code: written for code, written in narrowed.items() if code != written} == {}


def test_an_invented_media_type_beside_another_name_names_no_format_by_its_subtype() -> None:
    # "example/rdf xml" is RDF/XML, not RDF in any syntax.
    assert code_for("application/rdf+xml", "example/rdf xml") == "RDF_XML"


def test_the_iri_of_a_service_is_left_where_a_name_is_asked_for(tmp_path: Path) -> None:
    (left,) = planned(tmp_path, f"{D}dct:format eu:WMS_SRVC .\n", "pod").plan.left
    assert "is a service" in left.reason


def test_a_likely_change_is_made_where_it_is_asked_for(tmp_path: Path) -> None:
    text = D + 'dct:format "Excel-Tabelle" .\n'
    assert statements(planned(tmp_path, text, options=LIKELY)) == {"format eu:XLS"}


# A distribution with a service, and its statements after the service has moved.
MOVED = [
    (
        'dct:format "WMS"; dcat:accessURL <http://a.example/wms>',
        {"accessService http://a.example/d#wms-service"},
    ),
    (
        'dct:format "CSV", "WFS"; dcat:accessURL <http://a.example/wfs>',
        {"accessService http://a.example/d#wfs-service", "format eu:CSV"},
    ),
    # Nobody knows where it is.
    ("dct:format eu:WMS_SRVC", {"format eu:WMS_SRVC"}),
    (
        "dct:format eu:WMS_SRVC; dcat:accessURL <http://a.example/1>, <http://a.example/2>",
        {"format eu:WMS_SRVC"},
    ),
]


@pytest.mark.parametrize(("stated", "expected"), MOVED)
def test_services_move_where_it_is_asked_for(
    tmp_path: Path, stated: str, expected: set[str]
) -> None:
    options = Options(services="move")
    plan = planned(tmp_path, f"{D}{stated} .\n", options=options)
    assert statements(plan) == expected
    again = planned(tmp_path, plan.edited.decode().removeprefix(HEAD), options=options)
    assert again.edited == plan.edited


@pytest.mark.parametrize("label", ["WFS, GeoJSON", "GeoJSON, WFS", "KML / WMS"])
def test_a_label_with_a_service_beside_a_format_is_not_cut_short(
    tmp_path: Path, label: str
) -> None:
    plan = planned(tmp_path, f'{D}dct:format "{label}" .\n')
    assert plan.edited == plan.original
    [left] = plan.plan.left
    assert left.rule == "service"
    assert label.replace("GeoJSON", "").replace("KML", "").strip(", /") in left.reason


@pytest.mark.parametrize(
    ("stated", "options"),
    [
        # A service that moves is no other value in the way.
        (
            'dcat:mediaType "CSV", eu:WMS_SRVC; dcat:accessURL <http://a.example/service>',
            Options(services="move"),
        ),
        # What a URL decides is the content that the rest is the package of.
        (
            f"dcat:mediaType eu:ZIP, <{IANA}no/such>; dcat:downloadURL <http://a.example/a.csv>",
            Options(by_url=True),
        ),
    ],
)
def test_one_run_does_all_that_a_second_one_would(
    tmp_path: Path, stated: str, options: Options
) -> None:
    plan = planned(tmp_path, f"{D}{stated} .\n", "dcat-ap-2.1.1", options)
    again = planned(tmp_path, plan.edited.decode().removeprefix(HEAD), "dcat-ap-2.1.1", options)
    assert plan.edited != plan.original
    assert again.edited == plan.edited


def test_a_service_that_moves_has_its_class_its_name_and_its_url(tmp_path: Path) -> None:
    text = "".join(
        f'<http://a.example/{name}> dct:format "WMS"; dcat:accessURL <http://a.example/{name}/wms> .\n'
        for name in "de"
    )
    plan = planned(tmp_path, text, options=Options(services="move"))
    quads = list(ox.parse(plan.edited, ox.RdfFormat.TURTLE))
    for name in "de":
        service = ox.NamedNode(f"http://a.example/{name}#wms-service")
        values = {getattr(quad.object, "value", "") for quad in quads if quad.subject == service}
        kind, url = "http://www.w3.org/ns/dcat#DataService", f"http://a.example/{name}/wms"
        assert values == {kind, "WMS", url}


@pytest.mark.parametrize("other", ['"wms"', '"WMS"@en'])
def test_two_labels_of_one_service_make_one_service_with_both_as_titles(
    tmp_path: Path, other: str
) -> None:
    text = f'{D}dct:format "WMS", {other}; dcat:accessURL <http://a.example/w> .\n'
    plan = planned(tmp_path, text, options=Options(services="move"))
    assert [one.action for one in plan.plan.verdicts] == ["move", "remove"]
    quads = [
        quad for verdict in plan.plan.verdicts for one in verdict.changes for quad in one.added
    ]
    service = ox.NamedNode("http://a.example/d#wms-service")
    about = sorted(str(quad.object) for quad in quads if quad.subject == service)
    expected = ['"WMS"', other, "<http://www.w3.org/ns/dcat#DataService>", "<http://a.example/w>"]
    assert about == sorted(expected)
    assert statements(plan) == {"accessService http://a.example/d#wms-service"}


@pytest.mark.parametrize("name", ["a.csv", "a.csv.zip"])
def test_a_download_url_does_not_decide_against_a_package_that_a_label_names(
    tmp_path: Path, name: str
) -> None:
    # Its parameter has no place.
    label = '"application/zip; charset=binary"'
    text = f"{D}dcat:mediaType <{IANA}text/csv>; dct:format {label}; dcat:downloadURL <{name}> .\n"
    base = "@base <http://a.example/> .\n"
    for options in (Options(by_url=True), Options("likely", by_url=True)):
        plan = planned(tmp_path, base + text, "dcat", options)
        assert plan.edited == plan.original


def test_the_download_url_decides_where_it_is_asked_to(tmp_path: Path) -> None:
    text = D + "dct:format eu:OP_DATPRO; dcat:downloadURL <http://a.example/a.xlsx> .\n"
    assert statements(planned(tmp_path, text, options=Options(by_url=True))) == {"format eu:XLSX"}


def test_a_profile_has_no_rule_for_a_format_outside_a_distribution(
    tmp_path: Path,
) -> None:
    plan = planned(tmp_path, D + 'a <http://a.example/Book>; dct:format "CSV" .\n')
    assert (plan.plan.steps, plan.plan.left) == ((), ())


def test_a_data_service_may_have_several_formats(tmp_path: Path) -> None:
    plan = planned(tmp_path, D + 'a dcat:DataService; dct:format "CSV", "JSON" .\n')
    assert {"format eu:CSV", "format eu:JSON"} < statements(plan)


def test_the_data_say_what_the_values_are_where_the_shapes_ask_for_it(tmp_path: Path) -> None:
    text = planned(tmp_path, D + "dct:format eu:CSV .\n").edited.decode()
    assert "eu:CSV a dct:MediaTypeOrExtent" in text
    assert "inScheme <http://publications.europa.eu/resource/authority/file-type>" in text


def test_a_repaired_file_is_not_changed_again(tmp_path: Path) -> None:
    text = "".join(
        f"<http://a.example/{n}> {stated} .\n" for n, (stated, *_) in enumerate(REPAIRED)
    )
    once = planned(tmp_path, text)
    again = planned(tmp_path, once.edited.decode().removeprefix(HEAD))
    assert again.edited == once.edited
    assert not again.plan.steps


@pytest.mark.parametrize("by_url", [False, True])
@pytest.mark.parametrize(
    ("stated", "is_left"),
    [
        ('dcat:compressFormat "CSV"', True),
        ('dcat:packageFormat "GeoJSON"', True),
        # A zip by its structure, and a name that may be of one.
        ('dcat:packageFormat "EPUB"', False),
        ('dcat:compressFormat "csv.gz"', False),
    ],
)
def test_what_wraps_nothing_is_no_value_of_a_property_for_wrappers(
    tmp_path: Path, stated: str, is_left: bool, by_url: bool
) -> None:
    text = f"{D}{stated}; dcat:downloadURL <http://a.example/a.zip> .\n"
    left = planned(tmp_path, text, options=Options(by_url=by_url)).plan.left
    assert any("which is no " in each.reason for each in left) is is_left


@pytest.mark.parametrize("kind", [Graph, Dataset])
def test_a_graph_of_rdflib_becomes_what_the_file_becomes(shared: Path, kind: type[Graph]) -> None:
    file = str(shared / "findings/library.ttl")
    plan = plan_file(file, profile="dcat-ap", options=LIKELY)
    graph = kind()
    graph.parse(data=plan.original, format="turtle")
    left = repair(graph, "dcat-ap", options=LIKELY).left
    assert sorted(each.rule for each in left) == sorted(each.rule for each in plan.plan.left)
    wanted = Graph().parse(data=plan.edited, format="turtle")
    made = (
        {quad[:3] for quad in graph.quads((None, None, None, None))} if kind is Dataset else graph
    )
    assert isomorphic(wanted, _graph_of(made))


def _graph_of(triples: Iterable[tuple[Any, ...]]) -> Graph:
    graph = Graph()
    for triple in triples:
        graph.add(triple)
    return graph


def test_the_name_of_a_service_stays_on_the_service_itself(tmp_path: Path) -> None:
    plan = planned(tmp_path, D + 'a dcat:DataService; dct:format "INSPIRE Atom feed service" .\n')
    [left] = plan.plan.left
    assert "is what the service is, not a format of its answers" in left.reason
