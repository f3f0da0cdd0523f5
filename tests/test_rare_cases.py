"""Cases that few catalogues have: what becomes of each, and of the case beside it."""

from __future__ import annotations

import codecs
import gzip
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from rdflib import RDF, SH, Graph, Literal, URIRef
from repairs import HEAD, planned, statements

from cturi_rdf import ContentType
from cturi_rdf.catalogue import annotate_file, plan
from cturi_rdf.catalogue.annotate import Adding
from cturi_rdf.catalogue.check import check_by_parts, check_file
from cturi_rdf.catalogue.graphs import links_of
from cturi_rdf.catalogue.judgement import narrowest
from cturi_rdf.catalogue.parts import LARGE, is_large
from cturi_rdf.catalogue.patches import as_rdf_patch, as_sparql_update
from cturi_rdf.catalogue.quality_score import effect
from cturi_rdf.catalogue.repair import plan_file, repair_by_parts, summary_of
from cturi_rdf.catalogue.shacl import engines
from cturi_rdf.catalogue.shacl.engines import Result
from cturi_rdf.catalogue.shacl.foreign_shapes import default_message
from cturi_rdf.catalogue.sparql_update import Changed, sparql_update
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.editing import EditError, law
from cturi_rdf.rdf import annotate
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from conftest import Write

    from cturi_rdf.editing import Document
    from cturi_rdf.editing.edit import Change, Edit

A = "http://a.example/"
FORMAT = ox.NamedNode("http://purl.org/dc/terms/format")
DCT, DCAT = "http://purl.org/dc/terms/", "http://www.w3.org/ns/dcat#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LINE = f'<{A}a> <{DCT}format> "CSV" .\n'


# --- Repairs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        # The EU has a file type of the name, and there is no media type for it.
        ('dct:format "ArcInfo coverage"', {"format eu:ARCINFO_COV"}),
        # Only the code itself keeps both wrappers.
        ('dct:format "TAR.GZ"', {"format eu:TAR_GZ"}),
    ],
)
def test_a_name_of_the_eu_is_taken_where_no_type_says_as_much(
    tmp_path: Path, stated: str, expected: set[str]
) -> None:
    assert statements(planned(tmp_path, f"<{A}d> {stated} .")) == expected


@pytest.mark.parametrize(
    ("wrong", "left"),
    [("CSV", ["CSV"]), ("PDF", ["PDF"]), ("no label", [])],
)
def test_a_value_whose_edit_says_something_else_is_left_and_the_others_are_mended(
    write: Write, monkeypatch: pytest.MonkeyPatch, wrong: str, left: list[str]
) -> None:
    checked = law.check

    def check(document: Document, edits: list[Edit], changes: Iterable[Change]) -> None:
        changes = list(changes)
        if any(getattr(q.object, "value", "") == wrong for one in changes for q in one.removed):
            raise EditError("the edits would add a statement", document.name, "the change alone")
        checked(document, edits, changes)

    monkeypatch.setattr(plan, "check", check)
    formats = "".join(f'<{A}{label}> dct:format "{label}" .\n' for label in ("CSV", "PDF", "XML"))
    path = write("a.ttl", HEAD + formats)
    found = plan_file(path, profile="dcat-ap")
    assert [one.statement.object.value for one in found.plan.left] == left
    # A check offers what a repair writes.
    offered = [one.value for one in check_file(path, profile="dcat-ap").findings if one.write]
    assert {*offered, *left} == {"CSV", "PDF", "XML"}
    assert set(offered).isdisjoint(left)
    assert {one.reason for one in found.plan.left} <= {"The edits would add a statement."}
    for label in ("CSV", "PDF", "XML"):
        assert (f'dct:format "{label}"' in found.edited.decode()) == (label in left)
    assert found.plan.alike == (not left)


def test_the_classes_of_values_are_left_out_where_their_edits_say_something_else(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = law.check

    def check(document: Document, edits: list[Edit], changes: Iterable[Change]) -> None:
        changes = list(changes)
        if any(q.predicate.value == str(RDF.type) for one in changes for q in one.added):
            raise EditError("the edits would add a statement", document.name, "the change alone")
        checked(document, edits, changes)

    source = write("a.ttl", f'{HEAD}<{A}d> dct:format "CSV" .')
    assert b"MediaTypeOrExtent" in plan_file(source, profile="dcat-ap").edited
    monkeypatch.setattr(plan, "check", check)
    found = plan_file(source, profile="dcat-ap")
    assert (found.plan.typing, found.edited) == ((), f"{HEAD}<{A}d> dct:format eu:CSV .".encode())
    assert [one.action for one in found.plan.verdicts] == ["replace", "leave"]
    assert found.plan.verdicts[1].rule == "typing"


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_what_is_added_to_a_large_file_stands_on_lines_of_its_own(
    write: Write, tmp_path: Path, mark: bytes, end: bytes
) -> None:
    text = f"<{A}a> <{TYPE}> <{DCAT}Distribution> .".encode() + (end or b"\n")
    text = mark + text + LINE.encode().rstrip(b"\n") + end
    source, target = write("a.nt", text), tmp_path / "b.nt"
    with open_source(source) as file:
        repair_by_parts(file, str(target), "dcat-ap", Options(), size=40)
    assert target.read_bytes() == plan_file(source, profile="dcat-ap").edited
    assert target.read_bytes().startswith(mark + b"<")


@pytest.mark.parametrize(
    ("profile", "stated", "shown"),
    [
        ("dcat-ap", 'dct:format "CSV"', " 1 -> 0 violations, 20.0 -> 60.0 of 80 points"),
        # A profile that asks for nothing has no violations to count.
        ("pod", "dct:format eu:CSV", " 60.0 -> 10.0 of 80 points"),
    ],
)
def test_the_gain_of_a_repair_counts_violations_where_there_are_some(
    tmp_path: Path, profile: str, stated: str, shown: str
) -> None:
    text = f"<{A}d> a dcat:Distribution ; {stated} ."
    lines = summary_of(planned(tmp_path, text, profile)).lines()
    [gain] = [line for line in lines if "of 80 points" in line]
    assert gain.startswith(f"{'':7}{shown}")


def test_the_table_of_an_effect_has_a_row_for_each_publisher(tmp_path: Path) -> None:
    text = "".join(
        f"<{A}{one}> dct:publisher <{A}{one}-office> ; dcat:distribution <{A}{one}/d> .\n"
        f"<{A}{one}/d> a dcat:Distribution ; dct:format {value} .\n"
        for one, value in (("a", '"CSV"'), ("b", "eu:CSV"))
    )
    table = effect(planned(tmp_path, text)).as_table()
    assert table.columns[0] == "publisher"
    assert [tuple(row) for row in table.rows] == [
        (f"{A}a-office", 1, 1, 0, 20.0, 40.0),
        (f"{A}b-office", 1, 0, 0, 60.0, 0.0),
    ]


# --- Services ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("confidence", "is_moved"), [("certain", False), ("likely", True)])
def test_a_service_that_is_only_likely_moves_only_if_asked(
    tmp_path: Path, confidence: str, is_moved: bool
) -> None:
    text = f'<{A}d> a dcat:Distribution ; dct:format "WMS serveice" ; dcat:accessURL <{A}w> .'
    options = Options(confidence, services="move")  # type: ignore[arg-type] # it is one of two
    edited = planned(tmp_path, text, options=options).edited.decode()
    assert ("accessService" in edited) == is_moved


# --- Patches -----------------------------------------------------------------------------------


def test_a_patch_names_the_graph_of_a_statement(write: Write) -> None:
    source = write("a.trig", f'{HEAD} <{A}g> {{ <{A}a> dct:format "CSV" }} _:a dct:format "PDF" .')
    found = plan_file(source, profile="dcat-ap")
    assert f'D <{A}a> <{DCT}format> "CSV" <{A}g> .' in as_rdf_patch(found).content.decode()
    store = ox.Store()
    store.load(source.read_bytes(), ox.RdfFormat.TRIG)
    store.update(as_sparql_update(found).content.decode())
    assert {str(quad.graph_name) for quad in store} >= {f"<{A}g>"}
    assert not list(store.quads_for_pattern(None, None, ox.Literal("CSV")))


def test_an_update_finds_a_node_in_its_graph() -> None:
    node, path = ox.BlankNode("n"), ox.NamedNode(f"{A}p")
    graphs = [ox.NamedNode(f"{A}{name}") for name in "gh"]
    quads = [ox.Quad(node, path, ox.Literal("x"), graphs[0]), ox.Quad(node, path, ox.Literal("y"))]
    new = ox.Quad(node, path, ox.Literal("z"), graphs[1])
    [operation], left = sparql_update(quads, [Changed((quads[0],), (new,))])
    assert left == []
    assert f'DELETE {{ GRAPH <{A}g> {{ ?a <{A}p> "x" }} }}' in operation
    assert f'INSERT {{ GRAPH <{A}h> {{ ?a <{A}p> "z" }} }}' in operation


def _said(node: str, path: str, value: str = "") -> ox.Quad:
    """Return a statement about a blank node: that it has a property, or which node it leads to."""
    other = ox.BlankNode(value) if value else ox.Literal("v")
    return ox.Quad(ox.BlankNode(node), ox.NamedNode(f"{A}{path}"), other)


@pytest.mark.parametrize(
    ("quads", "pattern"),
    [
        # "a" and "c" together are true of n only; "b" leaves the same nodes as "a", "d" no fewer.
        (
            [_said(node, path) for node, paths in
             {"n": "abcd", "o": "abd", "p": "cd", "q": "c", "r": "d"}.items() for path in paths],
            f'?a <{A}a> "v" . ?a <{A}c> "v" . FILTER isBlank(?a)',
        ),
        # Two nodes have "a", and two lead to the only one with "u".
        (
            [_said("n", "a"), _said("o", "a"), _said("n", "r", "m"), _said("p", "r", "m"),
             _said("m", "u")],
            f'?a <{A}a> "v" . ?b <{A}u> "v" . ?a <{A}r> ?b . FILTER isBlank(?a) FILTER isBlank(?b)',
        ),
        # All that is said of n is also said of o.
        ([_said(node, path) for node, path in ("na", "nb", "oa", "ob", "oc")], None),
        (
            [_said("n", "a"), _said("o", "a"), _said("n", "r", "m"), _said("o", "r", "m"),
             _said("m", "u")],
            None,
        ),
    ],
)  # fmt: skip
def test_an_update_names_a_blank_node_by_as_few_statements_as_are_true_of_it_alone(
    quads: list[ox.Quad], pattern: str | None
) -> None:
    change = Changed((), (_said("n", "x"),))
    operations, left = sparql_update(quads, [change])
    insert = f'INSERT {{ ?a <{A}x> "v" . }}\nWHERE {{ {pattern} }}'
    assert (operations, left) == (([insert], []) if pattern else ([], [change]))


# --- Shapes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "shown"), [(5, '"4".'), (6, '"4", ….')])
def test_a_message_shows_the_first_five_allowed_values(number: int, shown: str) -> None:
    members = " ".join(f'"{one}"' for one in range(number))
    shapes = Graph().parse(data=f"<{A}s> <{SH['in']}> ( {members} ) .", format="turtle")
    result = Result(
        URIRef(f"{A}n"), None, Literal("x"), URIRef(f"{A}s"), SH.InConstraintComponent,
        SH.Violation, (),
    )  # fmt: skip
    message = default_message(result, shapes)
    assert message.startswith('"x" is none of the allowed values "0", ')
    assert message.endswith(shown)


@pytest.mark.parametrize(
    ("installed", "shapes", "engine"),
    [
        ({"pyshacl"}, "sh:nodeKind sh:IRI", "pyshacl"),
        ({"shacl", "pyshacl"}, "sh:nodeKind sh:IRI", "shacl"),
        ({"shacl", "pyshacl"}, f"sh:node <{A}t>", "pyshacl"),
        # Then one without details is better than none.
        ({"shacl"}, f"sh:node <{A}t>", "shacl"),
        ({"shacl"}, 'sh:property "none"', "pyshacl"),
    ],
)
def test_the_engine_is_one_that_is_installed(
    monkeypatch: pytest.MonkeyPatch, installed: set[str], shapes: str, engine: str
) -> None:
    chosen: list[str] = []
    monkeypatch.setattr(engines, "find_spec", lambda name: name if name in installed else None)
    monkeypatch.setattr(engines, "_by_shacl", lambda *_: chosen.append("shacl") or [])
    monkeypatch.setattr(engines, "_by_pyshacl", lambda *_: chosen.append("pyshacl") or [])
    text = f"@prefix sh: <{SH}> . <{A}s> sh:targetClass <{A}c> ; {shapes} ."
    engines.validate(Graph(), Graph().parse(data=text, format="turtle"))
    assert chosen == [engine]


# --- Reports -----------------------------------------------------------------------------------


def test_a_report_shows_its_counts(write: Write) -> None:
    report = check_file(write("a.nt", LINE), profile="dcat-ap")
    assert repr(report) == f"<CheckReport: {report.summary}>"


def test_the_report_of_a_graph_has_the_places_of_its_labels() -> None:
    graph = Graph().parse(data=f'{HEAD} <{A}d> dct:format "flurbel" .', format="turtle")
    [label] = annotate(graph).to_json()["not_understood_labels"]
    assert (label["label"], label["count"]) == ("flurbel", 1)
    assert label["where"] == [{"resource": f"{A}d", "property": f"{DCT}format"}]


def test_a_description_goes_with_the_last_link_to_it_unless_more_is_said(write: Write) -> None:
    source = write("a.ttl", f'{HEAD} <{A}d> dct:format "text/csv; header=absent" .')
    annotate_file(str(source), str(source), adding=Adding.ALL)
    described = source.read_text()
    assert "absent" in described.replace('"text/csv; header=absent"', "", 1)
    for more, stays in (("", False), (f"<ContentType:text/csv> <{A}p> 1 .", True)):
        text = described.replace('dct:format "text/csv; header=absent"', 'dct:format "PDF"')
        source.write_text(text + more)
        annotate_file(str(source), str(source), adding=Adding.ALL)
        subjects = {quad.subject for quad in ox.parse(path=str(source))}
        assert (ox.NamedNode("ContentType:text/csv") in subjects) == stays


@pytest.mark.parametrize("size", [30, 10_000])
def test_a_file_named_by_its_iri_is_alike_to_others_of_its_ending(write: Write, size: int) -> None:
    lines = "".join(
        f"<{A}{n}.{ending}> <{TYPE}> <http://schema.org/MediaObject> .\n"
        f'<{A}{n}.{ending}> <http://schema.org/encodingFormat> "CSV" .\n'
        for n, ending in enumerate(["csv", "csv", "json", "json", "csv"])
    )
    source = write("a.nt", lines)
    with open_source(source) as file:
        report = check_by_parts(file, "schema", by_url=False, size=size)
    whole = check_file(source, profile="schema")
    assert [(one.complaint, one.times) for one in report.findings] == [
        (one.complaint, one.times) for one in whole.findings
    ]


@pytest.mark.parametrize(
    ("name", "compression", "size", "is_large_one"),
    [
        ("nt", None, LARGE - 1, False),
        ("nt", None, LARGE, True),
        ("nquads", None, LARGE, True),
        # The resources of other syntaxes cannot be told apart by lines.
        ("turtle", None, 2 * LARGE, False),
        ("nt", "gzip", LARGE // 10, False),
        ("nt", "gzip", LARGE // 10 + 1, True),
    ],
)
def test_a_large_file_has_a_statement_a_line_and_is_larger_unpacked(
    name: str, compression: str | None, size: int, is_large_one: bool
) -> None:
    source = SimpleNamespace(format=format_named(name), compression=compression, size=size)
    assert is_large(source) == is_large_one  # type: ignore[arg-type] # it has what counts


# --- Tables ------------------------------------------------------------------------------------

LABELS = f'<{A}d> dct:format "CSV", "flurbel" . <{A}e> dct:format "flurbel" .'


def test_the_tables_of_a_report_on_a_graph_have_its_labels_and_each_label_once() -> None:
    report = annotate(Graph().parse(data=HEAD + LABELS, format="turtle"))
    assert repr(report) == f"<Report: {report.summary}>"
    table, overview = report.as_table(), report.overview()
    assert list(table.columns)[:3] == ["resource", "property", "label"]
    assert sorted(row[2] for row in table.rows) == ["CSV", "flurbel", "flurbel"]
    assert [row[:4] for row in overview.rows] == [
        ("flurbel", 2, "nothing", ""),
        ("CSV", 1, "media_type", "text/csv"),
    ]


def test_the_overview_of_a_check_has_a_row_for_each_rule_the_worst_first(write: Write) -> None:
    report = check_file(write("a.ttl", HEAD + LABELS), profile="dcat-ap")
    overview = report.overview()
    assert list(overview.columns) == ["severity", "rule", "places", "such as", "message"]
    assert [row[:3] for row in overview.rows] == [("Violation", "format", 3), ("Info", "typing", 1)]
    assert overview.rows[0][3] in {"CSV", "flurbel"}
    assert overview.rows[0][4] in {one.message() for one in report.findings}


@pytest.mark.parametrize(
    ("value", "of_file", "of_page"),
    [('"text/csv"', {"type": "text/csv"}, {}), ('"flurbel"', {}, {})],
)
def test_a_link_has_the_type_of_its_target_if_that_is_known(
    value: str, of_file: dict[str, str], of_page: dict[str, str]
) -> None:
    graph = Graph().parse(
        data=f"{HEAD} <{A}d> dcat:downloadURL <{A}f> ; dct:format {value} ; dct:license <{A}l>,"
        f' "ours" . <{A}l> dct:format "text/html" .',
        format="turtle",
    )
    found = {link.target: link.attributes for link in links_of(graph, f"{A}d")}
    assert found == {
        f"{A}f": {"rel": "item", **of_file},
        f"{A}l": {"rel": "license", "type": "text/html", **of_page},
    }


@pytest.mark.parametrize("name", ["a.nt", "a.nq", "a.ttl", "a.nt.gz"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_a_byte_order_mark_stays_before_what_is_annotated(
    write: Write, tmp_path: Path, name: str, mark: bytes
) -> None:
    content = mark + LINE.encode()
    source = write(name, gzip.compress(content) if name.endswith(".gz") else content)
    target = tmp_path / f"b{name}"
    annotate_file(str(source), str(target))
    written = target.read_bytes()
    written = gzip.decompress(written) if name.endswith(".gz") else written
    assert written.startswith(mark + b"<http://a.example/a>")
    assert b"ContentType:text/csv" in written


@pytest.mark.parametrize(("number", "shown"), [(100, 100), (101, 101)])
def test_a_hundred_types_are_compared_and_more_are_listed_as_they_are(
    number: int, shown: int
) -> None:
    types = {ContentType.parse(f"text/x-{one}") for one in range(number - 2)}
    # One is a special case of the other: only the narrower stays, if they are compared.
    types |= {ContentType.parse("application/json"), ContentType.parse("application/geo+json")}
    found = narrowest(types)
    assert len(found) == (shown if number > 100 else shown - 1)
    assert list(found) == sorted(found, key=str)
