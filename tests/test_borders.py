"""Rows on both sides of a border: of a limit, a fallback, an order, an exception."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from rdflib import DCAT, DCTERMS, SH, XSD, BNode, Dataset, Graph, Literal, URIRef

from cturi_rdf import ContentType
from cturi_rdf._util.display import PREFIXES, _plain, shortened
from cturi_rdf._util.limits import LimitError, check_limit, limited
from cturi_rdf.catalogue import Adding, annotate_file, headers_of_file
from cturi_rdf.catalogue.judgement import Claim, weigh
from cturi_rdf.catalogue.labels import Labels
from cturi_rdf.catalogue.shacl.engines import Result, _unusable
from cturi_rdf.catalogue.shacl.foreign_shapes import (
    Fix,
    _language_of,
    _make,
    _member,
    _typed,
    fix_of,
)
from cturi_rdf.check import check_file
from cturi_rdf.editing import EditError, locate
from cturi_rdf.editing.blank_nodes import matched
from cturi_rdf.editing.edit import Add, Append, Edit, _apart, apply, plan
from cturi_rdf.labels import resolve
from cturi_rdf.reading import read_catalog, write_catalog
from cturi_rdf.reading.formats import format_named, format_of_content
from cturi_rdf.repair import Options, plan_file
from cturi_rdf.site.tables import LabelRow, _label_mappings
from cturi_rdf.sparql.query import run
from cturi_rdf.sparql.syntax import QueryText
from cturi_rdf.uri.rfc3986 import legalise

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from conftest import Cturi, Write

    from cturi_rdf.editing import Document

A = "http://a.example/"
HEAD = f"""
@prefix cnt: <http://www.w3.org/2011/content#> . @prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix ctv: <https://w3id.org/cturi/vocab#> . @prefix dct: <http://purl.org/dc/terms/> .
@prefix eu: <http://publications.europa.eu/resource/authority/file-type/> . @prefix ex: <{A}> .
"""
FORMAT = ox.NamedNode("http://purl.org/dc/terms/format")
IANA = "https://www.iana.org/assignments/media-types/"


def _document(text: bytes, form: str = "turtle", predicates: Sequence[str] = ("x:p",)) -> Document:
    return locate(text, format_named(form), base=A, predicates=predicates)


# --- Limits and amounts ------------------------------------------------------------------------


@pytest.mark.parametrize("value", [2, 3, 4])
def test_a_limit_is_the_most_that_is_allowed(value: int) -> None:
    with limited({"depth": 3}):
        if value > 3:
            with pytest.raises(LimitError):
                check_limit("depth", value, "the text")
        else:
            check_limit("depth", value, "the text")


@pytest.mark.parametrize("number", [63, 64, 65, 66, 100, 101])
@pytest.mark.parametrize("ending", ["nt", "ttl"])
def test_no_evidence_about_a_resource_is_lost(write: Write, number: int, ending: str) -> None:
    lines = (f'<{A}r> <{FORMAT.value}> "text/x-{index}" .\n' for index in range(number))
    [header] = headers_of_file(str(write(f"catalogue.{ending}", "".join(lines))))
    assert len(header.evidence) == number
    # More types than a human reads are not listed.
    assert len(header.conflicts) == min(number, 100)


@pytest.mark.parametrize("number", [1, 9, 10, 11, 12])
def test_the_first_ten_places_of_a_label_are_kept(number: int) -> None:
    lines = (f'<{A}{index}> <{FORMAT.value}> "CSV" .\n' for index in range(number))
    labels = Labels(_document("".join(lines).encode(), "nt", [FORMAT.value]).statements)
    key = FORMAT, ox.Literal("CSV")
    assert labels.counts == {key: number}
    assert [one.subject.value for one in labels.first[key]] == [
        f"{A}{index}" for index in range(min(number, 10))
    ]


@pytest.mark.parametrize("number", [9, 10, 11])
def test_the_first_ten_guessed_labels_are_listed(cturi: Cturi, write: Write, number: int) -> None:
    lines = (f'<{A}{index}> <{FORMAT.value}> "Excel ({index})" .\n' for index in range(number))
    run = cturi("headers", write("catalogue.nt", "".join(lines)))
    assert f"{number} labels guessed" in run.err
    assert run.err.count("  'Excel (") == min(number, 10)
    assert ("  and 1 more: all with --json" in run.err) == (number == 11)


@pytest.mark.parametrize(
    ("number", "fits"),
    [(2**63 - 1, True), (2**63, False), (-(2**63), True), (-(2**63) - 1, False)],
)
def test_a_data_frame_has_numbers_of_64_bits_and_others_as_text(number: int, fits: bool) -> None:
    assert _plain(number) == (number if fits else str(number))


# --- Fallbacks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [None, f"{A}graph"])
def test_json_ld_that_only_rdflib_reads_keeps_its_named_graph(
    write: Write, tmp_path: Path, name: str | None
) -> None:
    # Oxigraph refuses a list as the value of a reverse property.
    node = {"@id": f"{A}file", "format": "text/csv", "part of": {"@list": ["x"]}}
    context = {"format": FORMAT.value, "part of": {"@reverse": f"{A}part"}}
    body = node if name is None else {"@id": name, "@graph": [node]}
    source = write("catalogue.jsonld", json.dumps({"@context": context, **body}))
    annotate_file(str(source), str(tmp_path / "out.nq"))
    graphs = {
        quad.graph_name
        for quad in ox.parse(path=str(tmp_path / "out.nq"))
        if quad.predicate == FORMAT
    }
    assert graphs == {ox.DefaultGraph() if name is None else ox.NamedNode(name)}


@pytest.mark.parametrize("end", [b"", b"\n", b"\n<http://a.exa"])
def test_a_statement_behind_comments_shows_its_format_wherever_the_text_ends(end: bytes) -> None:
    form = format_of_content(b"# a\n\n# b\n# c\n<a:s> <a:p> <a:o> <a:g> ." + end)
    assert form == format_named("nquads")


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("iso-8859-1''na%EFve", "naïve"),
        ("\"iso-8859-1''na%EFve\"", "naïve"),
        ("utf-8''na%C3%AFve", "naïve"),
        ("\"utf-8''na%C3%AFve\"", "naïve"),
    ],
)
def test_an_extended_value_is_decoded_by_its_own_charset(value: str, read: str) -> None:
    recovered = ContentType.recover(f"a/b; t*={value}", rules="mail").content_type
    assert recovered is not None
    assert recovered.parameters["t"] == read


@pytest.mark.parametrize(
    ("datatype", "legal"),
    [(f"{A}type", f"{A}type"), (f"{A}a type", f"{A}a%20type"), ("type", f"{A}x/type")],
)
def test_a_datatype_is_written_as_an_iri_that_the_format_can_hold(
    write: Write, tmp_path: Path, datatype: str, legal: str
) -> None:
    value = {"@value": "1", "@type": datatype}
    source = write("in.jsonld", json.dumps({"@id": f"{A}s", f"{A}p": value}))
    target, base = str(tmp_path / "o.nt"), f"{A}x/y"
    dataset = read_catalog(str(source))
    for encoded in (
        lambda: write_catalog(dataset, target, format_named("nt"), base=base),
        lambda: annotate_file(str(source), target, base=base).encoded,
    ):
        assert encoded() == ({datatype} if " " in datatype else set())
        [quad] = ox.parse(path=target)
        assert isinstance(quad.object, ox.Literal)
        assert quad.object.datatype.value == legal


def test_a_blank_node_gets_a_name_that_the_format_can_hold(tmp_path: Path) -> None:
    dataset, target = Dataset(), str(tmp_path / "o.nt")
    for label in ("a b", "a", "é"):
        dataset.add((BNode(label), DCTERMS.title, Literal(label)))
    write_catalog(dataset, target, format_named("nt"))
    assert {quad.object.value for quad in ox.parse(path=target)} == {"a b", "a", "é"}
    assert (tmp_path / "o.nt").read_text("utf-8").count("_:a ") == 1


@pytest.mark.parametrize("draft", [True, False])
def test_a_private_character_is_raw_in_a_query_alone(*, draft: bool) -> None:
    legal = legalise("http://a.example/\ue000é?\ue000#\ue000", draft=draft)
    assert legal == "http://a.example/%EE%80%80é?\ue000#%EE%80%80"


# A context inside another one is read with that one; one beside it on its own.
SCOPED = {"in": {"@id": f"{A}in", "@context": "inner.jsonld"}}
INSIDE = {"@context": ["inner.jsonld", SCOPED]}
BESIDE = {"@context": {"in": f"{A}in"}}


@pytest.mark.parametrize(("outer", "value"), [(INSIDE, {}), (BESIDE, {"@context": "inner.jsonld"})])
def test_every_context_is_put_in_once(
    write: Write, tmp_path: Path, outer: dict[str, object], value: dict[str, object]
) -> None:
    write("inner.jsonld", json.dumps({"@context": {"format": FORMAT.value}}))
    document = {**outer, "@id": f"{A}s", "in": {**value, "@id": f"{A}file", "format": "CSV"}}
    source = write("catalogue.jsonld", json.dumps(document))
    annotate_file(str(source), str(tmp_path / "out.nq"))
    assert ox.Literal("CSV") in {quad.object for quad in ox.parse(path=str(tmp_path / "out.nq"))}


# --- Orders ------------------------------------------------------------------------------------

NAMESPACES = [(A, "a"), (f"{A}b/", "b")]


@pytest.mark.parametrize("namespaces", [NAMESPACES, NAMESPACES[::-1]])
def test_the_longest_namespace_gives_the_prefix(namespaces: list[tuple[str, str]]) -> None:
    assert shortened(f"{A}b/c", dict(namespaces)) == "b:c"
    assert shortened(f"{A}c", dict(namespaces)) == "a:c"


@pytest.mark.parametrize(
    ("prefixes", "predicate", "written"),
    [
        ([("a", A), ("b", f"{A}b/")], f"{A}b/c", b"b:c"),
        ([("b", f"{A}b/"), ("a", A)], f"{A}b/c", b"b:c"),
        ([("b", f"{A}b/"), ("a", A)], f"{A}c", b"a:c"),
        ([("a", A), ("b", f"{A}b-")], f"{A}b-c", b"b:c"),
        ([("long", A), ("s", A)], f"{A}c", b"s:c"),
        ([("s", A), ("long", A)], f"{A}c", b"s:c"),
        ([("z", A), ("a", A)], f"{A}c", b"a:c"),
    ],
)
def test_an_edit_takes_the_longest_namespace_and_then_the_shortest_prefix(
    prefixes: list[tuple[str, str]], predicate: str, written: bytes
) -> None:
    head = "".join(f"@prefix {prefix}: <{iri}> . " for prefix, iri in prefixes)
    document = _document(f'{head}<x:s> <x:p> "o" .'.encode())
    change = Add(document.statements[0], ox.NamedNode(predicate), ox.Literal("v"))
    assert apply(document.data, plan(document, [change])).endswith(written + b' "v" .')


@pytest.mark.parametrize("rare", ["application/x-a", "application/x-b"])
def test_a_finding_of_fewer_places_comes_first(write: Write, rare: str) -> None:
    common = {"application/x-a": "application/x-b", "application/x-b": "application/x-a"}[rare]
    source = write(
        "catalogue.ttl",
        f'{HEAD} ex:1 dcat:mediaType "{rare}" .'
        f' ex:2 dcat:mediaType "{common}" . ex:3 dcat:mediaType "{common}" .',
    )
    findings = [
        (finding.value, len(finding.places))
        for finding in check_file(str(source)).findings
        if finding.path == ox.NamedNode(str(DCAT.mediaType))
    ]
    assert findings == [(rare, 1), (common, 2)]


@pytest.mark.parametrize(("taken", "label"), [(["b0", "b2"], "b1"), (["b0", "b1"], "b2")])
def test_a_new_blank_node_gets_the_first_short_label_that_is_free(
    taken: list[str], label: str
) -> None:
    before = {ox.Quad(ox.BlankNode(name), FORMAT, ox.Literal(name)) for name in taken}
    after = before | {ox.Quad(ox.BlankNode("of-the-reader"), FORMAT, ox.Literal("CSV"))}
    [added] = matched(before, after) - before
    assert added.subject == ox.BlankNode(label)


# --- Exceptions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "types", "confidence"),
    [
        ("fmt/357", {"audio/3gpp"}, "likely"),
        # Two names of one type are one type.
        ("fmt/45", {"application/rtf"}, "certain"),
        ("fmt/18", {"application/pdf"}, "certain"),
    ],
)
def test_a_code_with_two_types_is_no_certain_one(
    code: str, types: set[str], confidence: str
) -> None:
    resolution = resolve(f"info:pronom/{code}")
    assert {str(each) for each in resolution.types} == types
    assert resolution.confidence == confidence


@pytest.mark.parametrize(("tail", "verdict"), [("csv", "media_type"), ("rest", "nothing")])
def test_a_word_behind_data_in_an_address_names_a_type_or_nothing(tail: str, verdict: str) -> None:
    assert resolve(f"{A}x/data/{tail}").verdict == verdict


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("7-z", True),
        ("7 z", False),
        ("D-XF", True),
        ("D XF", False),
        ("geo json", True),
        ("grib 2", True),
    ],
)
def test_a_short_name_in_a_sentence_is_not_cut_by_a_space(name: str, is_one: bool) -> None:
    assert (resolve(f"Download as {name} today").verdict != "nothing") == is_one
    # As the whole label it is that name, though less certainly.
    assert (resolve(name).confidence == "certain") == is_one


@pytest.mark.parametrize(
    ("label", "meant"),
    [("shapefixe", "application/vnd.shp"), ("xhapefile", None), ("barquet", None)],
)
def test_a_wrong_letter_is_no_first_letter(label: str, meant: str | None) -> None:
    assert [str(each) for each in resolve(label).types] == ([meant] if meant else [])


# A noun for another thing takes the name just before it, at its own depth of brackets, or at the
# depth around its brackets where it is alone in them.
@pytest.mark.parametrize(
    ("label", "named"),
    [
        ("CSV (metadata)", set()),
        ("CSV (metadata, ZIP)", {"text/csv", "application/zip"}),
        ("CSV (metadata) PDF (XML)", {"application/xml"}),
        ("(ZIP) CSV", {"text/csv", "application/zip"}),
        ("(ZIP) CSV (metadata)", {"application/zip"}),
        ("XML (JSON) CSV (metadata)", {"application/json"}),
    ],
)
def test_a_noun_alone_in_brackets_is_about_what_is_before_them(label: str, named: set[str]) -> None:
    meaning = resolve(label)
    assert {str(each) for each in (*meaning.types, *meaning.wrappers)} == named


@pytest.mark.parametrize(("confidence", "number"), [("certain", "1.0"), ("likely", "0.5")])
def test_a_guess_is_half_as_sure_in_a_table_of_mappings(confidence: str, number: str) -> None:
    row = LabelRow("csv", "media_type", ("text/csv",), (), confidence)
    *_, head, mapping = _label_mappings([row]).splitlines()
    assert dict(zip(head.split("\t"), mapping.split("\t"), strict=True))["confidence"] == number


@pytest.mark.parametrize(
    ("value", "types"),
    [
        # A package beside a content leaves the property for the content, which is free then.
        ("ZIP", [f"{IANA}text/csv"]),
        ("no such type", ["no such type"]),
        ("text/csv, text/html", ["text/csv, text/html"]),
    ],
)
def test_a_property_that_a_package_leaves_takes_the_content(
    write: Write, value: str, types: list[str]
) -> None:
    labels = f'dct:format "zipped CSV" ; dcat:mediaType "{value}"'
    source = write("a.ttl", f"{HEAD} ex:1 a dcat:Distribution ; {labels} .")
    edited = Graph().parse(plan_file(str(source), profile="dcat-ap-ch").edited, format="turtle")
    assert [*map(str, edited.objects(URIRef(f"{A}1"), DCAT.mediaType))] == types


@pytest.mark.parametrize(("value", "is_missing"), [("eu:ZIP", False), ('"ZIP"', True)])
def test_a_property_is_not_missing_where_another_value_moves_to_it(
    write: Write, value: str, is_missing: bool
) -> None:
    url = "dcat:downloadURL <http://a.example/a.csv>"
    source = write("a.ttl", f"{HEAD} ex:1 a dcat:Distribution ; dct:format {value} ; {url} .")
    verdicts = plan_file(str(source), profile="pod").plan.verdicts
    actions = ["right", "missing"] if is_missing else ["move"]
    assert [verdict.action for verdict in verdicts] == actions


@pytest.mark.parametrize(("value", "level"), [('"WMS"', "Violation"), ("eu:WMS_SRVC", "Warning")])
def test_a_service_is_a_warning_only_where_the_profile_allows_the_value(
    write: Write, value: str, level: str
) -> None:
    source = write("catalogue.ttl", f"{HEAD} ex:1 a dcat:Distribution ; dct:format {value} .")
    [finding] = [
        finding
        for finding in check_file(str(source), profile="dcat-ap").findings
        if finding.path == FORMAT
    ]
    assert finding.severity.value.endswith(level)


@pytest.mark.parametrize(
    ("value", "shown"), [('[ dct:title "CSV" ]', "CSV"), ("ex:csv", f"{A}csv"), ('"CSV"', "CSV")]
)
def test_a_finding_shows_the_label_of_a_blank_node_in_its_place(
    write: Write, value: str, shown: str
) -> None:
    source = write("catalogue.ttl", f"{HEAD} ex:1 a dcat:Distribution ; dct:format {value} .")
    findings = check_file(str(source), profile="dcat-ap").findings
    assert [finding.value for finding in findings if finding.path == FORMAT] == [shown]


def test_a_resource_with_a_charset_of_its_own_is_given_no_second(write: Write) -> None:
    distribution = 'a dcat:Distribution ; dcat:mediaType "text/csv; charset=latin1"'
    source = write(
        "catalogue.ttl",
        f'{HEAD} ex:1 {distribution} . ex:2 {distribution} ; cnt:characterEncoding "utf-8" .',
    )
    edited = plan_file(str(source), profile="dcat-ap").edited.decode()
    subjects = [
        quad.subject.value
        for quad in ox.parse(edited, ox.RdfFormat.TURTLE)
        if quad.predicate.value.endswith("#characterEncoding")
    ]
    assert sorted(subjects) == [f"{A}1", f"{A}2"]


@pytest.mark.parametrize(
    ("distribution", "service"),
    [(f"{A}a", f"{A}a#wms-service"), (f"{A}x#a", f"{A}x#a-wms-service")],
)
def test_the_iri_of_a_service_has_one_fragment(
    write: Write, distribution: str, service: str
) -> None:
    source = write(
        "catalogue.ttl",
        f'{HEAD} <{distribution}> a dcat:Distribution ; dct:format "WMS" ; dcat:accessURL ex:w .',
    )
    planned = plan_file(str(source), profile="dcat-ap", options=Options(services="move"))
    [moved] = [
        quad.object.value
        for quad in ox.parse(planned.edited, ox.RdfFormat.TURTLE)
        if quad.predicate.value.endswith("#accessService")
    ]
    assert moved == service


# Without the label that they came from, links to another type are outdated, and those to the same
# type may have a package that was stated by hand.
@pytest.mark.parametrize(("linked", "is_packed"), [("text/html", False), ("text/csv", True)])
def test_a_package_that_no_label_names_stays_with_the_type_that_one_names(
    write: Write, linked: str, is_packed: bool
) -> None:
    source = write(
        "catalogue.ttl",
        f'{HEAD} ex:1 dct:format "CSV" ; ctv:contentType <ContentType:{linked}> ;'
        " ctv:packaging <ContentType:application/zip> .",
    )
    annotate_file(str(source), str(source), adding=Adding.LABELS)
    text = source.read_text()
    assert "ctv:contentType <ContentType:text/csv>" in text
    assert ("ctv:packaging" in text) == is_packed


@pytest.mark.parametrize(("label", "is_packed"), [("SHP", False), ("SHPZ", True)])
def test_the_link_to_a_package_goes_with_the_label_that_named_it(
    write: Write, label: str, is_packed: bool
) -> None:
    source = write("catalogue.ttl", f'{HEAD} ex:1 dct:format "SHPZ" .')
    annotate_file(str(source), str(source), adding=Adding.LABELS)
    text = source.read_text().replace('dct:format "SHPZ"', f'dct:format "{label}"')
    source.write_text(text)
    annotate_file(str(source), str(source), adding=Adding.LABELS)
    links = {
        quad.predicate.value.partition("#")[2]
        for quad in ox.parse(path=str(source))
        if quad.subject == ox.NamedNode(f"{A}1")
    }
    assert "contentType" in links
    assert ("packaging" in links) == is_packed


# A name that tells one type decides; one that tells none leaves the conflict as it was.
@pytest.mark.parametrize(
    ("file", "header", "conflicts"),
    [("a.csv", "text/csv", 0), ("a", None, 2), ("a.unheard-of", None, 2)],
)
def test_a_file_name_that_tells_no_single_type_decides_nothing(
    write: Write, file: str, header: str | None, conflicts: int
) -> None:
    source = write(
        "catalogue.ttl",
        f'{HEAD} ex:1 dcat:downloadURL ex:{file} ; dct:format "CSV" ; dcat:mediaType "text/html" .',
    )
    [found] = headers_of_file(str(source), by_url=True)
    assert (str(found.content_type) if found.content_type else None) == header
    assert len(found.conflicts) == conflicts


@pytest.mark.parametrize("grouped", ["?o", "ctf:header(?o)", "?o ctf:header(?o)"])
def test_a_call_in_group_by_is_a_call(write: Write, grouped: str) -> None:
    source = write("catalogue.ttl", f'{HEAD} ex:1 dct:format "CSV" . ex:2 dct:format "CSV" .')
    query = f"SELECT (COUNT(*) AS ?n) {{ ?s dct:format ?o }} GROUP BY {grouped}"
    assert not any(use.is_property for use in QueryText(query, PREFIXES).functions())
    [[count]] = run(query, str(source))
    assert int(count) == 2


# --- Line ends and spans -----------------------------------------------------------------------


def test_the_two_characters_of_a_line_end_are_of_one_line() -> None:
    document = _document(b'<x:s> <x:p> "c" .\r\n<x:s> <x:p> "d" .\r<x:s> <x:p> "e" .\n')
    places = [document.position(offset) for offset in range(16, 21)]
    assert [tuple(place) for place in places] == [(1, 17), (1, 18), (1, 19), (2, 1), (2, 2)]
    assert document.position(len(document.data) - 1).line == 3


@pytest.mark.parametrize("end", [b"", b"\n", b"\r", b"\r\n"])
def test_what_is_appended_follows_the_last_line_end(end: bytes) -> None:
    document = _document(b'<x:s> <x:p> "c" .' + end, "nt")
    quad = ox.Quad(ox.NamedNode("x:s"), ox.NamedNode("x:q"), ox.Literal("d"))
    edited = apply(document.data, plan(document, [Append((quad,))]))
    line_end = end or b"\n"
    assert edited == b'<x:s> <x:p> "c" .' + line_end + b'<x:s> <x:q> "d" .' + line_end


@pytest.mark.parametrize(("end", "is_nested"), [(9, True), (10, True), (11, False)])
def test_a_change_inside_of_another_ends_no_later(end: int, is_nested: bool) -> None:
    edits = [Edit(2, 10, b"", 0), Edit(5, end, b"", 1)]
    document = _document(b'<x:s> <x:p> "c" .')
    if is_nested:
        assert _apart(document, edits) == edits[:1]
    else:
        with pytest.raises(EditError, match="two changes overlap"):
            _apart(document, edits)


# --- Choices of few ----------------------------------------------------------------------------

GZIP, ZSTD, CSV_TYPE = map(ContentType.parse, ("application/gzip", "application/zstd", "text/csv"))


@pytest.mark.parametrize(
    ("types", "outcome", "wrappers"),
    [((GZIP,), "one", (GZIP,)), ((GZIP, ZSTD), "several", ())],
    ids=["one compression", "two compressions"],
)
def test_a_choice_of_two_compressions_is_one_of_the_whole(
    types: tuple[ContentType, ...], outcome: str, wrappers: tuple[ContentType, ...]
) -> None:
    weighed = weigh((Claim(types, wraps="compression"), Claim((CSV_TYPE,))))
    assert (weighed.outcome, weighed.wrappers) == (outcome, wrappers)
    assert weighed.contents == ((CSV_TYPE,) if outcome == "one" else types)


@pytest.mark.parametrize(
    ("members", "value", "fix"),
    [
        ('"csv" ex:csv', "CSV", Literal("csv")),
        ('"text" ex:csv', "CSV", URIRef(f"{A}csv")),
        ("dcat:csv ex:csv", "CSV", None),
    ],
    ids=["by its text", "by its name", "by the name of two"],
)
def test_a_member_of_a_list_is_told_by_its_text_before_its_name(
    members: str, value: str, fix: object
) -> None:
    pytest.importorskip("pyshacl")
    shapes = Graph().parse(data=f"{HEAD} ex:s ex:p ( {members} ) .")
    allowed = shapes.value(URIRef(f"{A}s"), URIRef(f"{A}p"))
    assert _member(Literal(value), shapes, allowed, Graph()) == fix


@pytest.mark.parametrize(
    ("wanted", "values", "fix"),
    [
        ("1", "", (None, "1")),
        ("1, 2", "", None),
        ("1", "3", ("3", "1")),
        ("1", "3, 4", None),
    ],
    ids=["a value is missing", "either of two is", "it is another one", "it is one of two"],
)
def test_a_value_that_a_shape_asks_for_is_written_where_it_can_mean_no_other(
    wanted: str, values: str, fix: tuple[str | None, str] | None
) -> None:
    pytest.importorskip("pyshacl")
    shapes = Graph().parse(
        data=f"{HEAD} @prefix sh: <{SH}> . ex:s sh:hasValue {wanted} ; sh:maxCount 1 ."
    )
    data = Graph().parse(data=f"{HEAD} ex:n ex:p {values} ." if values else HEAD)
    node, path, shape = (URIRef(f"{A}{name}") for name in "nps")
    component = SH.HasValueConstraintComponent
    found = fix_of(Result(node, path, None, shape, component, SH.Violation, ()), data, shapes)
    assert (found and (found.old and str(found.old), str(found.new))) == fix


@pytest.mark.parametrize(("text", "is_one"), [("1", True), ("x", False), ("", False)])
def test_a_text_gets_a_datatype_only_if_it_is_one_of_it(text: str, is_one: bool) -> None:
    typed = _typed(Literal(text), XSD.integer)
    assert typed == (Literal(text, datatype=XSD.integer) if is_one else None)


@pytest.mark.parametrize(
    ("old", "before", "after"),
    [
        # A value comes to each graph that has the old one.
        ("1", "gp1 hp1 hp3 iq1", "gp2 hp2 hp3 iq1"),
        # Without an old one it comes to one graph that speaks of the node.
        (None, "hq1 gq1 iq3", "hq1 gq1 iq3 gp2"),
        (None, "", ""),
    ],
)
def test_a_fix_is_made_in_the_graphs_that_it_is_about(
    old: str | None, before: str, after: str
) -> None:
    def quads_of(texts: str) -> set[ox.Quad]:
        node = ox.NamedNode(f"{A}n")
        return {
            ox.Quad(
                node, ox.NamedNode(f"{A}{path}"), ox.Literal(value), ox.NamedNode(f"{A}{graph}")
            )
            for graph, path, value in texts.split()
        }

    other = ox.Quad(ox.NamedNode(f"{A}o"), ox.NamedNode(f"{A}p"), ox.Literal("1"))
    quads = quads_of(before) | {other}
    node, path = URIRef(f"{A}n"), URIRef(f"{A}p")
    _make(quads, Fix(node, path, None if old is None else Literal(old), Literal("2")))
    assert quads == quads_of(after) | {other}


def test_the_language_of_a_message_is_that_of_the_text_that_it_was_made_from() -> None:
    shapes = Graph().parse(
        data=f"""{HEAD} @prefix sh: <{SH}> .
        ex:s sh:sparql [ sh:message "{{$this}}\\nis wrong."@en, "{{?value}} ist falsch."@de ] ,
            [ sh:message "plain" ] .
        ex:t sh:sparql [ sh:message "{{?value}} est faux."@fr ] ."""
    )
    shape = URIRef(f"{A}s")
    for message, language in [
        ("a\nb\nis wrong.", "en"),
        ("CSV ist falsch.", "de"),
        ("CSV ist falsch. Ja.", ""),
        ("plain", ""),
        ("CSV est faux.", ""),
    ]:
        assert _language_of(message, shape, shapes) == language


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SimpleNamespace(message=" a\n b "), "a b"),
        (ValueError("x\ny"), "x y"),
        (ValueError(), "ValueError"),
        ("a text", "a text"),
    ],
)
def test_shapes_that_an_engine_cannot_use_are_refused_with_its_reason_on_one_line(
    error: object, reason: str
) -> None:
    refused = _unusable("pySHACL", error)
    assert refused.problem == f"pySHACL cannot use them ({reason})"


@pytest.mark.parametrize("profile", ["dcat", "dcat-ap", "dcat-us"])
@pytest.mark.parametrize(
    "stated",
    [
        "dct:format eu:NOPE",
        f"dcat:mediaType <{IANA}text/nope>",
        'dcat:mediaType "text/nope"',
        'dct:format "text/nope"',
    ],
)
def test_no_profile_hides_that_a_type_exists_nowhere(
    write: Write, profile: str, stated: str
) -> None:
    source = write("a.ttl", f"{HEAD} ex:1 a dcat:Distribution ; {stated} .")
    [left] = plan_file(str(source), profile=profile).plan.left
    assert (left.rule, "is in no registry" in left.reason) == ("unknown", True)


@pytest.mark.parametrize(
    ("beside", "is_written"),
    [("", False), (' ; dcat:mediaType "text/csv"', False), (' ; dcat:compressFormat "gz"', True)],
)
def test_a_value_that_is_packed_is_replaced_where_something_says_how(
    write: Write, beside: str, *, is_written: bool
) -> None:
    stated = f'dct:format "compressed CSV"{beside}'
    source = write("a.ttl", f"{HEAD} ex:1 a dcat:Distribution ; {stated} .")
    edited = plan_file(str(source), profile="dcat-ap").edited.decode()
    assert ("compressed CSV" not in edited) == is_written


def test_what_is_packed_in_a_way_that_the_url_tells_gets_its_compression_with_it(
    write: Write,
) -> None:
    url = f"dcat:downloadURL <{A}a.csv.gz>"
    stated = f'dct:format "compressed CSV" ; {url}'
    source = write("a.ttl", f"{HEAD} ex:1 a dcat:Distribution ; {stated} .")
    plan = plan_file(str(source), profile="dcat-ap", options=Options(by_url=True))
    assert f"compressFormat <{IANA}application/gzip>" in plan.edited.decode()
