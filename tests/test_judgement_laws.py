"""The laws of the judgement: what annotate, headers, check and repair make of the same file."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from catalogues import CATALOGUES, DAILY
from conftest import examples, law, partly_slow, small_folder
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import Graph
from repairs import EU, HEAD, IANA, catalogues, fixed
from shaped_documents import (
    IMPORTED,
    IN_A_GRAPH,
    NAMESPACES,
    SHAPES,
    described,
    statements_of,
)

from cturi_rdf.catalogue import annotate_file, headers_of_file
from cturi_rdf.catalogue.findings import is_made_missing, severities
from cturi_rdf.catalogue.quality_score import effect
from cturi_rdf.catalogue.rendering import as_github, as_json, as_sarif, as_text
from cturi_rdf.catalogue.shacl import CTVS, SH
from cturi_rdf.catalogue.shacl.rules import rules
from cturi_rdf.catalogue.value_forms import is_right, is_url
from cturi_rdf.catalogue.verdict import Options, written
from cturi_rdf.check import check, check_file
from cturi_rdf.content_type import ContentType
from cturi_rdf.reading import read_catalog
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import relative
from cturi_rdf.reading.writable import Writable
from cturi_rdf.registry import registry
from cturi_rdf.registry.charsets import charset_record
from cturi_rdf.registry.hierarchy import is_a
from cturi_rdf.repair import FilePlan, plan_file, profile_named, profile_names, repair_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from shaped_documents import Described

    from cturi_rdf.catalogue.findings import CheckReport
    from cturi_rdf.catalogue.header import Header
    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.repair import PropertyRule

LIKELY = Options("likely")
FORMATS = ["CSV", "Excel", "Word", "text/csv; charset=windows-1252", "GeoJSON", "Zipped Shapefile",
           "application/json", "n/a", "flurbel", "aplication/json", "XLSX", "TAR.GZ", "CSV, JSON",
           "WMS", "application/vnd.api+json; ext=x", "MIF", "text/plain", "csv.gz",
           "text/csv; charset=utf-8", "application/json; charset=utf-8", "ODS",
           "application/zip; charset=binary", "Turtle, N-Triples", "compressed CSV",
           "CSV (UTF-8)"]  # fmt: skip
CHARSET = "<http://www.w3.org/2011/content#characterEncoding>"
IRIS = [
    f"<{scheme}://www.iana.org/assignments/media-types/text/csv>" for scheme in ("http", "https")
]
several = st.lists(
    st.one_of(
        st.tuples(st.just("dcat:mediaType"), st.sampled_from(IRIS)),
        st.tuples(
            st.sampled_from(["dct:format", "dcat:mediaType", "dcat:packageFormat"]),
            st.sampled_from(FORMATS),
        ),
        st.tuples(st.just(CHARSET), st.sampled_from(["utf-8", "latin1"])),
    ),
    min_size=1,
    max_size=3,
).map(
    lambda rows: " ; ".join(
        f"{path} {text if text in IRIS else json.dumps(text)}" for path, text in rows
    )
)
URLS = ["", "a.csv", "a.xlsx", "a.csv.gz", "a.zip", "a.geojson"]


def downloaded_as(name: str, path: str = "dcat:downloadURL") -> str:
    return f" ; {path} <http://a.example/{name}>" if name else ""


def on_one(statements: str, name: str = "") -> str:
    url = downloaded_as(name)
    return f"{HEAD}<http://a.example/d> a dcat:Distribution ; {statements}{url} .\n"


@contextmanager
def in_file(content: str | bytes, ending: str = "ttl") -> Iterator[Path]:
    """Give a file with a catalogue, in a folder of its own."""
    with small_folder() as folder:
        file = Path(folder, f"catalogue.{ending}")
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        yield file


def planned(
    text: str, profile: str = "dcat-ap", options: Options | None = None, *, ending: str = "ttl"
) -> FilePlan:
    with in_file(text, ending) as file:
        return plan_file(str(file), profile=profile, options=options or Options())


def quads(text: str | bytes) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(text, ox.RdfFormat.TURTLE)]


def triples(text: str) -> set[ox.Triple]:
    return set(quads(text))


def headers(content: str | bytes, *, by_url: bool = False) -> dict[object, Header]:
    with in_file(content) as file:
        return {one.name: one for one in headers_of_file(str(file), by_url=by_url)}


def sent(header: Header) -> tuple[ContentType | None, set[ContentType]]:
    """Return how a resource is sent, with the names of types and charsets as IANA has them.

    text/xml is another name of application/xml (RFC 7303 section 9.2), and the EU has one code.
    """
    return header.content_type and _named(header.content_type), set(map(_named, header.contains))


def _named(content_type: ContentType) -> ContentType:
    named = ContentType.parse(registry().canonical(content_type.essence))
    record = charset_record(content_type.parameters.get("charset", ""))
    charset = {"charset": record.name} if record else {}
    return named.replace(parameters={**content_type.parameters, **charset})


# --- Law 1: what a profile accepts is no violation, and is not changed ---------------------------


def values_of(rule: PropertyRule) -> st.SearchStrategy[str]:
    """Return values that a rule of a profile accepts, as Turtle has them."""
    current = [
        one.essence for one in registry().media_types() if registry().is_current(one.essence)
    ]
    codes = [one.code for one in registry().eu_file_types() if not one.deprecated]
    forms = {
        "iana-https": st.sampled_from(current).map(lambda one: f"<{IANA}{one}>"),
        "eu-file-type": st.sampled_from(codes).map(lambda one: f"<{EU}{one}>"),
        "media-type": st.sampled_from(current).map(lambda one: f'"{one}"'),
        "name": st.sampled_from(["CSV", "a table", "Shapefile"]).map(lambda one: f'"{one}"'),
    }
    known = [forms[form] for form in (*rule.write, *rule.accept) if form in forms]
    patterns = map(st.from_regex, rule.also)
    also = [strategy.map(lambda one: str(ox.Literal(one))) for strategy in patterns]
    return st.one_of(*known, *also)


@st.composite
def accepted(draw: st.DrawFn) -> tuple[str, str]:
    """Return the name of a profile, and a resource with values that it accepts."""
    profile = profile_named(draw(st.sampled_from(profile_names())))
    ruled = draw(st.lists(st.sampled_from(profile.rules), min_size=1, max_size=3))
    of = ruled[0].of
    one_each = {rule.property: rule for rule in ruled if not of or not rule.of or of & rule.of}
    kind = f"a {min(of, key=str)} ; " if of else ""
    pairs = [f"{path} {draw(values_of(rule))}" for path, rule in one_each.items()]
    return profile.name, f"{HEAD}<http://a.example/d> {kind}{' ; '.join(pairs)} .\n"


@given(accepted())
@law
def test_what_a_profile_accepts_is_no_violation_and_stays(case: tuple[str, str]) -> None:
    profile, text = case
    plan = planned(text, profile).plan
    stated = [
        verdict for verdict in plan.verdicts if is_right(verdict.asks, verdict.statement.object)
    ]
    assert not any(step.change.removed for verdict in stated for step in verdict.steps)
    violated = [verdict for verdict, severity in severities(plan) if severity == SH.Violation]
    assert all(verdict.action == "missing" for verdict in violated if verdict in stated)


# --- Law 2: the headers before a certain repair are those after it ------------------------------


def assert_same_headers(text: str, profile: str, *, by_url: bool) -> None:
    plan = planned(text, profile, Options(by_url=by_url))
    before, after = (headers(one, by_url=by_url) for one in (plan.original, plan.edited))
    changed = {
        name: (
            _said(header),
            _said(after[name]),
            [one for one in quads(plan.edited) if str(one.subject)[1:-1] == name],
        )
        for name, header in before.items()
        if header.verdict != "none" and _said(after[name]) != _said(header)
    }
    assert not changed


def _said(header: Header) -> tuple[object, ...]:
    conflicts = set(map(_named, header.conflicts))
    return header.verdict, sent(header), header.content_encoding, conflicts


@given(several, st.sampled_from(URLS), st.sampled_from(profile_names()), st.booleans())
@law
def test_a_certain_repair_changes_no_header(
    statements: str, url: str, profile: str, by_url: bool
) -> None:
    assert_same_headers(on_one(statements, url), profile, by_url=by_url)


@given(catalogues, st.sampled_from(profile_names()), st.booleans())
@law
def test_a_certain_repair_changes_no_header_of_a_catalogue(
    text: str, profile: str, by_url: bool
) -> None:
    assert_same_headers(HEAD + text, profile, by_url=by_url)


def judged_labels(shared: Path) -> list[str]:
    """Return the judged labels as values: an IRI is a node."""
    gold = (shared / "labels" / "gold.jsonl").read_text("utf-8").splitlines()
    labels = dict.fromkeys(json.loads(line)["label"] for line in gold)
    return [f"<{one}>" if is_url(ox.Literal(one)) else str(ox.Literal(one)) for one in labels]


def distributions(rows: Iterable[str]) -> str:
    return HEAD + "".join(
        f"<http://a.example/{number}> a dcat:Distribution ; {row} .\n"
        for number, row in enumerate(rows)
    )


def test_a_certain_repair_of_a_judged_label_changes_no_header(shared: Path) -> None:
    values = judged_labels(shared)
    paths = ("dct:format", "dcat:mediaType")
    rows = [f"{path} {value}" for path in paths for value in values]
    assert len(rows) > 500
    assert_same_headers(distributions(rows), "dcat-ap", by_url=False)


@pytest.mark.parametrize("profile", partly_slow(profile_names(), daily=["dcat-ap"]))
def test_a_certain_repair_of_a_type_of_the_eu_changes_no_header(profile: str) -> None:
    types = {one for record in registry().eu_file_types() for one in record.types}
    rows = [f'{path} "{one}"' for path in ("dct:format", "dcat:mediaType") for one in sorted(types)]
    assert_same_headers(distributions(rows), profile, by_url=False)


CONTENT = "schema:contentUrl"
PLACES = [
    ("dct:format", "dcat:mediaType"),
    ("dct:format", "dct:format"),
    ("dcat:mediaType", "dcat:mediaType"),
    ("dct:format", "dcat:compressFormat"),
    ("dcat:mediaType", "dcat:packageFormat"),
]


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("by_url", [False, True])
@pytest.mark.parametrize("profile", profile_names())
def test_a_certain_repair_of_two_judged_labels_changes_no_header(
    shared: Path, profile: str, by_url: bool
) -> None:
    values = judged_labels(shared)
    cases = list(product(PLACES, URLS))
    for step in (1, 7, 31, 101):
        rows = []
        for number, pair in enumerate(zip(values, values[step:] + values[:step], strict=True)):
            paths, url = cases[(number + step) % len(cases)]
            rows.append(" ; ".join(map("{} {}".format, paths, pair)) + downloaded_as(url))
            # Some profiles have rules for schema.org only.
            formats = " ; ".join(map("schema:encodingFormat {}".format, pair))
            rows.append(f"a schema:DataDownload ; {formats}{downloaded_as(url, CONTENT)}")
        text = distributions(rows)
        assert planned(text, profile, Options(by_url=by_url)).plan.edits
        assert_same_headers(text, profile, by_url=by_url)


@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=DAILY[:6]))
@pytest.mark.parametrize("profile", ["dcat-ap", "schema"])
def test_a_certain_repair_of_a_real_catalogue_changes_no_header_and_is_done_once(
    shared: Path, tmp_path: Path, name: str, profile: str
) -> None:
    source = shared / "catalogs" / name
    plan = plan_file(str(source), profile=profile)
    target = tmp_path / name
    repair_file(plan, str(target))
    again = plan_file(str(target), profile=profile)
    assert again.edited == again.original == plan.edited
    # The names of blank nodes differ from reading to reading.
    before, after = (
        Counter((str(one.name), *sent(one)[:1]) for one in headers_of_file(str(path)))
        for path in (source, target)
    )
    named = {key: count for key, count in before.items() if key[1]}
    assert {key: after[key] for key in named} == named


# --- Law 3: what was understood stays understood -------------------------------------------------


@given(several, st.sampled_from(profile_names()))
@law
def test_what_a_certain_repair_understands_is_understood_after_it(
    statements: str, profile: str
) -> None:
    plan = planned(on_one(statements), profile)
    (before,), (after,) = (_types(headers(one)) for one in (plan.original, plan.edited))
    assert all(any(is_a(new, old) or is_a(old, new) for new in after) for old in before)


def _types(found: dict[object, Header]) -> list[set[ContentType]]:
    """Return the types that are understood; of an ambiguous name only the one that it means."""
    types = [
        {*filter(None, [header.content_type]), *header.contains, *header.conflicts}
        for header in found.values()
    ]
    return types or [set()]


# --- Law 4: a guess is never written against certain evidence, and never marked certain ----------


@given(several, st.sampled_from(URLS), st.sampled_from(profile_names()), st.booleans())
@law
def test_a_guess_changes_nothing_that_is_certain(
    statements: str, url: str, profile: str, by_url: bool
) -> None:
    text = on_one(statements, url)
    plan = planned(text, profile, Options("likely", by_url=by_url))
    (before,) = headers(text).values() or (None,)
    if before is None or before.content_type is None or before.confidence == "likely":
        return
    (after,) = headers(plan.edited, by_url=by_url).values()
    (with_url,) = headers(text, by_url=by_url).values()
    # With its parameters: what has no place is left.
    assert after.content_type in {before.content_type, with_url.content_type}


@given(several, st.sampled_from(URLS), st.sampled_from(profile_names()))
@law
def test_what_is_done_unasked_does_not_rest_on_guesses(
    statements: str, url: str, profile: str
) -> None:
    text = on_one(statements, url)
    certain = {verdict.statement.start: verdict for verdict in planned(text, profile).plan.verdicts}
    assert all(one.confidence == "certain" for one in certain.values() if one.changes)


# --- Law 5: check and repair name the same statements --------------------------------------------


# The shapes that compare statements: a verdict is on one statement.
COMPARING = {rule.shape for rule in rules() if rule.compares}


def assert_one_judgement(file: str, profile: str | None, *, by_url: bool = False) -> None:
    """Assert that check names what repair changes and leaves, and nothing else."""
    report = check_file(file, profile=profile, by_url=by_url)
    planned = plan_file(file, profile=profile, options=Options(by_url=by_url))
    plan = planned.plan
    assert report.profile is not None
    assert report.profile.profile == plan.profile
    changed, left = Counter[object](), Counter[object]()
    for verdict in plan.verdicts:
        if is_made_missing(plan, verdict):
            # It is there when the file is checked; what takes its place is written with it.
            continue
        start, path = verdict.statement.start, verdict.asks.property
        if verdict.left:
            left[start, path, verdict.reason] += 1
        elif verdict.changes:
            changed[start, path] += 1
            # A statement that stands there twice is named twice.
            statements = [step.statement for step in verdict.steps]
            changed.update((o.start, path) for o in statements if o and verdict.is_repetition(o))
    ruled = {(one.start, one.predicate) for one in plan.contents.ruled}
    for finding in report.findings:
        for place in finding.places:
            if not isinstance(finding.shape, ox.NamedNode) or "/profile/" not in str(finding.shape):
                assert (place.start, finding.path) not in ruled or finding.shape in COMPARING
            elif finding.write is not None:
                changed[place.start, finding.path] -= 1
            # What the data does not say of its values is one finding of the whole file.
            elif finding.path is not None and finding.component != SH.PatternConstraintComponent:
                left[place.start, finding.path, finding.message()] -= 1
    assert not any(changed.values()), changed
    assert not any(left.values()), left
    assert violations(report) == effect(planned).before.violations
    # What the profile does not ask for breaks no "must" of it, but a type has to exist.
    violated = {one.shape for one in report.findings if one.severity == SH.Violation}
    assert {one for one in violated if "/profile/" not in str(one)} <= {CTVS.TypeExists}


def violations(report: CheckReport) -> int:
    """Return how many violations a report has."""
    return report.count(SH.Violation)


# Properties of which some profiles say nothing, values that are in no registry, and others.
UNRULED = ["dct:format", "dcat:mediaType", "schema:encodingFormat", "dcat:compressFormat",
           "<http://purl.org/dc/elements/1.1/format>", "<http://spdx.org/rdf/terms#contentType>",
           "<http://www.w3.org/ns/csvw#targetFormat>",
           "<https://project-open-data.cio.gov/v1.1/schema#describedByType>"]  # fmt: skip
UNKNOWN = ['"foo/bar"', '"n/a"', '"none/none"', '"image/*"', '"flurbel"', '"CSV"', '"WMS"', "[ ]",
           '"application/x-tar"', "<http://a.example/own>", f"<{IANA}foo/bar>", f"<{EU}NONE_SUCH>",
           f"<{EU}csv>", f"<{EU}DMP>", "<http://www.w3.org/ns/formats/NoneSuch>", "<foo>",
           '[ dct:title "CSV" ]', "<http://a.example/labelled>"]  # fmt: skip
CLASSES = ["dcat:Distribution", "dcat:Dataset", "dcat:DataService", "schema:MediaObject"]
unruled = st.lists(
    st.tuples(
        st.sampled_from(["", *(f"a {one} ; " for one in CLASSES)]),
        st.lists(
            st.tuples(st.sampled_from(UNRULED), st.sampled_from(UNKNOWN)), min_size=1, max_size=4
        ),
    ),
    min_size=1,
    max_size=4,
).map(
    lambda rows: (
        "".join(
            f"<http://a.example/{number}> {kind}{' ; '.join(map(' '.join, pairs))} .\n"
            for number, (kind, pairs) in enumerate(rows)
        )
        + '<http://a.example/labelled> dct:title "text/csv" .\n'
    )
)


@given(unruled | catalogues, st.none() | st.sampled_from(profile_names()))
@law
def test_check_and_repair_count_the_same_in_every_output(text: str, profile: str | None) -> None:
    with in_file(HEAD + text) as file:
        assert_one_count(file, profile)


@pytest.mark.parametrize("profile", [None, *partly_slow(profile_names(), daily=["schema"])])
@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=DAILY[:3]))
def test_check_and_repair_count_the_same_in_a_real_catalogue(
    shared: Path, tmp_path: Path, name: str, profile: str | None
) -> None:
    file = tmp_path / name
    file.write_bytes((shared / "catalogs" / name).read_bytes())
    assert_one_count(file, profile)


def assert_one_count(file: Path, profile: str | None) -> None:
    """Assert that the violations in a file, and those in its repair, are as many in each output."""
    planned = plan_file(str(file), profile=profile)
    before, after, publishers = effect(planned)
    name = planned.plan.profile.name
    assert counts(str(file), check_file(str(file), profile=name)) == {before.violations}
    repaired = file.with_stem("repaired")
    repaired.write_bytes(planned.edited)
    report = check_file(str(repaired), profile=name)
    assert counts(str(repaired), report) == {after.violations}
    again = plan_file(str(repaired), profile=name)
    assert len(again.plan.left) == len(planned.plan.left)
    violated = {place.start for finding, place in report.placed if finding.level == "Violation"}
    assert violated <= {one.statement.start for one in again.plan.left}
    assert sum(one.violations for one, _ in publishers.values()) == before.violations
    assert planned.as_dict()["quality"]["after"]["violations"] == after.violations
    assert len(planned.as_dict()["left"]) == len(planned.plan.left)


def counts(file: str, report: CheckReport) -> set[int]:
    """Return how many violations each output of a check has."""
    reports = {file: report}
    sarif = json.loads(as_sarif(reports))["runs"][0]["results"]
    as_object = json.loads(as_json(reports))
    errors = [line for line in as_github(reports).splitlines() if line.startswith("::error ")]
    summary = re.search(r" (\d+) violation", as_text(reports))
    assert summary
    return {
        report.count(SH.Violation),
        int(summary[1]),
        as_object["violations"],
        sum(one["count"] for one in as_object["findings"] if one["severity"] == "Violation"),
        sum(result["level"] == "error" for result in sarif),
        len(errors) - len(report.idle),
        sum(row[0] == "Violation" for row in report.as_table().rows),
        sum(row[2] for row in report.overview().rows if row[0] == "Violation"),
    }


@given(
    several,
    st.sampled_from(URLS),
    st.sampled_from(["", "a dcat:DataService ; ", "a dcat:Dataset ; ", "a dcat:Distribution ; "]),
    st.none() | st.sampled_from(profile_names()),
    st.booleans(),
)
@law
def test_check_and_repair_judge_the_same(
    statements: str, url: str, kind: str, profile: str | None, by_url: bool
) -> None:
    text = on_one(statements, url).replace("a dcat:Distribution ; ", kind)
    with in_file(text) as file:
        assert_one_judgement(str(file), profile, by_url=by_url)


@given(catalogues, st.none() | st.sampled_from(profile_names()))
@law
def test_check_and_repair_judge_a_catalogue_alike(text: str, profile: str | None) -> None:
    with in_file(HEAD + text) as file:
        assert_one_judgement(str(file), profile)


@pytest.mark.parametrize("profile", [None, *profile_names()])
@pytest.mark.parametrize(
    "path", ["schema:encodingFormat", "<http://purl.org/dc/elements/1.1/format>", "dct:format"]
)
def test_check_and_repair_know_what_describes_a_label(path: str, profile: str | None) -> None:
    statements = f'dct:format "Excel" ; dcat:mediaType "n/a" ; {path} <http://a.example/n>'
    statements += ' . <http://a.example/n> <http://www.w3.org/2000/01/rdf-schema#label> "xlsx"'
    with in_file(on_one(statements)) as file:
        assert_one_judgement(str(file), profile)


@pytest.mark.parametrize("profile", [None, "schema", "dcat-ap"])
@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=DAILY[:6]))
def test_check_and_repair_judge_a_real_catalogue_alike(
    shared: Path, name: str, profile: str | None
) -> None:
    assert_one_judgement(str(shared / "catalogs" / name), profile)


# --- Law 6: each fix can be taken alone, and says what its change says --------------------------


@given(several, st.sampled_from(URLS), st.sampled_from(profile_names()))
@law
def test_a_fix_that_is_taken_alone_makes_its_change_and_no_other(
    statements: str, url: str, profile: str
) -> None:
    text = on_one(statements, url)
    with in_file(text) as file:
        report = check_file(str(file), profile=profile)
    before = triples(text)
    places = [place for _, place in report.placed]
    results = json.loads(as_sarif({"catalogue.ttl": report}))["runs"][0]["results"]
    for place, result in zip(places, results, strict=True):
        if "fixes" in result:
            gone = Counter(quad for change in place.changes for quad in change.removed)
            come = {quad.triple for change in place.changes for quad in change.added}
            # A statement that stands there twice goes when both are removed.
            left = Counter(quads(text)) - Counter(quad.triple for quad in gone.elements())
            assert triples(fixed(text, [result])) == (before & left.keys()) | come


# --- Law 8: the same graph has the same judgement -------------------------------------------------


GRAPH = "http://g.example/g"
FORMS = {"nt": ox.RdfFormat.N_TRIPLES, "nq": ox.RdfFormat.N_QUADS, "ttl": ox.RdfFormat.TURTLE,
         "trig": ox.RdfFormat.TRIG, "jsonld": ox.RdfFormat.JSON_LD}  # fmt: skip


SHAPED = (
    st.integers(0, 1 << 32),
    st.sampled_from([name for name in profile_names() if name != "pod"]),
    st.sampled_from([Options(), LIKELY, Options("likely", by_url=True)]),
)


@given(st.sampled_from(["", GRAPH, "_:g"]), *SHAPED)
@law
def test_the_same_graph_in_another_syntax_order_or_shape_has_the_same_judgement(
    graph: str, seed: int, profile: str, options: Options
) -> None:
    writers = IN_A_GRAPH if graph else SHAPES
    assert_one_judgement_in(writers, described(seed), seed, graph, profile, options)


@pytest.mark.parametrize("graph", ["", GRAPH])
@given(*SHAPED)
@settings(max_examples=examples(40))
def test_a_graph_of_rdf_1_2_has_the_same_judgement_in_each_syntax(
    graph: str, seed: int, profile: str, options: Options
) -> None:
    # The others have no triple terms.
    writers = (IN_A_GRAPH if graph else SHAPES).items()
    readable = {ending: write for ending, write in writers if ending in {"nt", "nq", "ttl", "trig"}}
    catalogue = described(seed, reified=True)
    assert_one_judgement_in(readable, catalogue, seed, graph, profile, options)


def assert_one_judgement_in(
    writers: Mapping[str, Callable[..., str]],
    catalogue: Described,
    seed: int,
    graph: str,
    profile: str,
    options: Options,
) -> None:
    """Assert that a catalogue has the same answers however it is written."""
    answers = []
    for ending, write in writers.items():
        text = write(catalogue, seed, graph)
        assert read_by_others(text, ending) == canonical(statements_of(catalogue, graph))
        with small_folder() as folder:
            Path(folder, IMPORTED).write_text(json.dumps({"@context": NAMESPACES}), "utf-8")
            file = Path(folder, f"catalogue.{ending}")
            file.write_text(text, "utf-8", newline="")
            answers.append((ending, answers_on(file, profile, options)))
    for ending, answer in answers:
        assert answer == answers[0][1], ending


def canonical(quads: Iterable[ox.Quad]) -> ox.Dataset:
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def read_by_others(text: str, ending: str) -> ox.Dataset:
    """Return what a text says, read by nothing of ours."""
    text = text.removeprefix("\ufeff")
    if ending == "rdf":
        # Oxigraph resolves no base against another one.
        text = (
            Graph()
            .parse(data=text, format="xml", publicID="http://d.example/")
            .serialize(format="nt")
        )
        return canonical(ox.parse(text, ox.RdfFormat.N_TRIPLES))
    if ending == "jsonld":
        text = json.dumps(_with_imported(json.loads(text)))
    return canonical(ox.parse(text, FORMS[ending], base_iri="http://d.example/"))


def _with_imported(document: Any) -> Any:
    """Return JSON-LD with what its contexts import in its place."""
    for part in document if isinstance(document, list) else [document]:
        if part.get("@context", {}).pop("@import", ""):
            part["@context"] = NAMESPACES | part["@context"]
    return document


def answers_on(file: Path, profile: str, options: Options) -> list[object]:
    """Return the headers, the findings and what annotate and repair make of a file."""
    sent = Counter(
        (str(one.resource).partition("_:")[0], str(one.content_type), str(one.contains))
        for one in headers_of_file(str(file), by_url=options.by_url)
    )
    found = _found(check_file(file, profile=profile, by_url=options.by_url))
    plan = plan_file(str(file), profile=profile, options=options)
    left = Counter((one.rule, one.text(), one.reason) for one in plan.plan.left)
    repaired = read_by_others(plan.edited.decode(), file.suffix[1:])
    annotate_file(file, file)
    return [sent, found, left, repaired, read_by_others(file.read_text(), file.suffix[1:])]


SYNTAXES = {
    "nq": ox.RdfFormat.N_QUADS, "trig": ox.RdfFormat.TRIG, "jsonld": ox.RdfFormat.JSON_LD,
    "rdf": ox.RdfFormat.RDF_XML,
}  # fmt: skip


@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=["maregraph-eu-catalog.ttl"]))
def test_a_real_catalogue_in_another_syntax_has_the_same_verdicts(
    shared: Path, tmp_path: Path, name: str
) -> None:
    with open_source(str(shared / "catalogs" / name)) as source:
        found = list(QuadDocument(source, "http://a.example/"))
    outcomes = []
    for ending, form in SYNTAXES.items():
        file = tmp_path / f"catalogue.{ending}"
        legal = Writable(format_of_file(str(file)), name).quad
        # RDF/XML has one graph.
        merged = dict.fromkeys(legal(ox.Quad(*quad.triple)) for quad in found)
        file.write_bytes(ox.serialize(merged, format=form) or b"")
        plan = plan_file(str(file), profile="dcat-ap").plan
        steps = Counter((step.rule, step.text()) for step in plan.steps if step.rule != "typing")
        left = Counter((one.rule, one.text()) for one in plan.left)
        outcomes.append((steps, left))
    assert all(outcome == outcomes[0] for outcome in outcomes)


@pytest.mark.parametrize("other", ["<https://{}>", '"text/csv"'])
def test_what_one_iri_says_twice_is_found_in_a_graph_as_in_its_file(
    other: str, tmp_path: Path
) -> None:
    name = "www.iana.org/assignments/media-types/text/csv"
    file = tmp_path / "catalogue.ttl"
    said = f"dcat:mediaType <http://{name}> , {other.format(name)}"
    file.write_text(on_one(said, ""), "utf-8")
    assert_found_in_its_graph(file, "dcat-ap")


@given(several, st.sampled_from(URLS), st.none() | st.sampled_from(profile_names()), st.booleans())
@law
def test_a_file_and_its_graph_have_the_same_findings(
    statements: str, url: str, profile: str | None, by_url: bool
) -> None:
    with in_file(on_one(statements, url)) as file:
        assert_found_in_its_graph(file, profile, by_url=by_url)


@given(catalogues, st.none() | st.sampled_from(profile_names()))
@law
def test_a_catalogue_and_its_graph_have_the_same_findings(text: str, profile: str | None) -> None:
    with in_file(HEAD + text) as file:
        assert_found_in_its_graph(file, profile)


@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=DAILY[:6]))
def test_a_real_catalogue_and_its_graph_have_the_same_findings(shared: Path, name: str) -> None:
    for by_url in (False, True):
        assert_found_in_its_graph(shared / "catalogs" / name, None, by_url=by_url)


def assert_found_in_its_graph(file: Path, profile: str | None, *, by_url: bool = False) -> None:
    """Assert that what is found in a file and in its graph differs in its places alone."""
    of_file = check_file(file, profile=profile, by_url=by_url)
    of_graph = check(read_catalog(file), profile=profile, by_url=by_url)
    assert of_graph.profile is not None
    assert of_file.profile is not None
    assert of_graph.profile.profile == of_file.profile.profile
    assert of_graph.focus_nodes == of_file.focus_nodes
    assert _found(of_graph) == _found(of_file)


def _found(report: CheckReport) -> Counter[tuple[object, ...]]:
    """Return what is found, with the focus node, the path and the value of each finding."""
    found: Counter[tuple[object, ...]] = Counter()
    for finding in report.findings:
        # What is stated twice is stated once in a graph.
        if finding.message().endswith("It is stated twice."):
            continue
        messages = tuple(sorted(finding.messages.items()))
        said = finding.shape, finding.severity, finding.value, messages, finding.write
        for place in finding.places:
            terms = place.resource, finding.path, place.value
            # What a file lacks as a whole is told beside its first statement.
            is_of_file = finding.path is None and place.value is None
            found[said, () if is_of_file else tuple(map(_of_any_reading, terms))] += 1
    return found


def _of_any_reading(term: Term | None) -> str:
    """Return a term; a blank node has another name in each reading, and an IRI may be relative."""
    return "" if isinstance(term, ox.BlankNode) else relative(str(term))


# --- Law 9: an edit that cannot be made takes back its own value, and nothing else ----------------

CONTEXT = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "plain": {"@id": "dct:format"},
    "byLanguage": {"@id": "dct:format", "@container": "@language"},
    "listed": {"@id": "dct:format", "@container": "@list"},
    "typed": {"@id": "dct:format", "@type": "http://www.w3.org/2001/XMLSchema#token"},
    "mediaType": {"@id": "dcat:mediaType"},
}
members = st.tuples(
    st.sampled_from(["plain", "byLanguage", "listed", "typed", "mediaType"]),
    st.lists(st.sampled_from(FORMATS), min_size=1, max_size=2, unique=True),
).map(
    lambda pair: (
        pair[0],
        dict(zip(("en", "de"), pair[1], strict=False)) if pair[0] == "byLanguage" else pair[1],
    )
)


@given(
    st.lists(st.lists(members, min_size=1, max_size=2).map(dict), min_size=2, max_size=4),
    st.sampled_from([name for name in profile_names() if name not in {"pod", "dcat-us-json"}]),
)
@law
def test_an_edit_that_cannot_be_made_takes_nothing_else_with_it(
    rows: list[dict[str, object]], profile: str
) -> None:
    nodes = [
        {"@id": f"http://a.example/{number}", "@type": "dcat:Distribution", **row}
        for number, row in enumerate(rows)
    ]

    def outcome(*some: dict[str, object]) -> Counter[tuple[object, ...]]:
        text = json.dumps({"@context": CONTEXT, "@graph": some}, indent=1)
        plan = planned(text, profile, ending="jsonld").plan
        return Counter(
            (
                verdict.statement.subject,
                written(verdict.statement.object),
                verdict.action,
                bool(verdict.changes),
            )
            for verdict in plan.verdicts
            if verdict.rule != "typing"
        )

    together = outcome(*nodes)
    alone = sum(map(outcome, nodes), Counter())
    assert together == alone
    with small_folder() as folder:
        file = Path(folder, "catalogue.jsonld")
        file.write_text(json.dumps({"@context": CONTEXT, "@graph": nodes}), "utf-8")
        assert check_file(str(file), profile=profile)
