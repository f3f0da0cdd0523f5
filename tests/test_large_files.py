"""A large file of lines is checked and repaired in parts, and nothing of that shows."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import pyoxigraph as ox
import pytest
from catalogues import DAILY
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import python

from cturi_rdf.catalogue import alike, parts
from cturi_rdf.catalogue.check import check_by_parts, check_file
from cturi_rdf.catalogue.repair import plan_file, repair_by_parts, summary_of
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.cli import cturi
from cturi_rdf.errors import CturiError
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cturi_rdf.catalogue.findings import CheckReport

# A line of the summary that only the whole file has: who publishes a file is not kept of parts.
_OF_A_PUBLISHER = re.compile(r" {11}.*: .*points")
# And those that name the values that are left.
_NAMES_OF_LEFT = re.compile(r" *\d+ × | +first (at|on) | {11}")
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_DCAT, _DCT = "http://www.w3.org/ns/dcat#", "http://purl.org/dc/terms/"
# No profile has a rule for these.
_DC = "http://purl.org/dc/elements/1.1/"


def findings(report: CheckReport, *, places: bool = True) -> dict[object, object]:
    """Return all that a report says, with the number and the places of each complaint."""
    found: dict[object, tuple[int, set[object]]] = {}
    for finding in report.findings:
        number, several = found.get(finding.complaint, (0, set()))
        for place in finding.places if places else ():
            several.add((place.resource, place.value, report.position(place.start)))
        found[finding.complaint] = number + finding.times, several
    return found


def assert_equal_in_parts(
    path: Path, size: int, profile: str | None, options: Options = Options()
) -> None:
    """Check and repair a file in parts of a size, and as a whole."""
    whole = check_file(path, profile=profile, by_url=options.by_url)
    with open_source(path) as source:
        report = check_by_parts(source, profile, by_url=options.by_url, size=size)
    # Where URLs count, no two resources are alike.
    assert findings(report, places=options.by_url) == findings(whole, places=options.by_url)
    assert report.focus_nodes == whole.focus_nodes
    assert (report.profile, report.idle) == (whole.profile, whole.idle)
    assert_repaired_in_parts(path, size, profile, options)


def complaints(report: CheckReport) -> Counter[tuple[str, str]]:
    """Return how often a report names each rule."""
    counts: Counter[tuple[str, str]] = Counter()
    for finding in report.findings:
        counts[finding.rule, str(finding.severity)] += finding.times
    return counts


def assert_repaired_in_parts(
    path: Path,
    size: int,
    profile: str | None,
    options: Options = Options(),
    *,
    counts_only: bool = False,
) -> None:
    """Repair a file in parts of a size, and as a whole.

    With `counts_only` the values left may have other names: of those alike one is named.
    """
    planned = plan_file(path, profile=profile, options=options)
    target = path.with_name(f"repaired{path.suffix}")
    with open_source(path) as source:
        summary = repair_by_parts(source, str(target), profile, options, size=size)
    assert target.read_bytes() == planned.edited
    unknown = _NAMES_OF_LEFT if counts_only else _OF_A_PUBLISHER
    lines, of_parts = (
        [line for line in one.lines() if not unknown.match(line)]
        for one in (summary_of(planned), summary)
    )
    assert of_parts == lines


def test_the_terms_of_earlier_versions_are_counted_in_parts(tmp_path: Path) -> None:
    vocabulary, path = "https://w3id.org/cturi/vocab#", tmp_path / "c.nt"
    path.write_text(
        "".join(
            f'<http://a.example/{n}> <{_DCT}format> "CSV" .\n'
            f'<http://a.example/{n}> <{vocabulary}{"header" if n % 3 else "reason"}> "CSV" .\n'
            f"<http://a.example/{n}> <{_RDF}type> <{vocabulary}{'Label' if n % 2 else 'L'}> .\n"
            for n in range(120)
        )
    )
    whole = check_file(path)
    with open_source(path) as source:
        report = check_by_parts(source, None, by_url=False, size=2_000)
    times = {finding.message(): finding.times for finding in report.findings}
    assert times["ctv:header is replaced by ctv:contentTypeHeader."] == 80
    assert times["ctv:Label is replaced by ctv:TypeLabel."] == 60
    assert findings(report, places=False) == findings(whole, places=False)


def _is_valid(line: str) -> bool:
    try:
        return len(list(ox.parse(line, ox.RdfFormat.N_QUADS))) == 1
    except SyntaxError:
        return False


def lines_of(quads: Iterable[ox.Quad], seed: int | None = None) -> bytes:
    """Return N-Quads, in another order for another seed."""
    lines = list(filter(_is_valid, (f"{quad} .\n" for quad in quads)))
    if seed is not None:
        random.Random(seed).shuffle(lines)  # noqa: S311 - no secret
    return "".join(lines).encode()


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one in DAILY[:3] else pytest.mark.slow) for one in DAILY]
)
@pytest.mark.parametrize("seed", [None, pytest.param(1, marks=pytest.mark.slow)])
def test_a_real_catalogue_is_the_same_in_parts(
    name: str, seed: int | None, shared: Path, tmp_path: Path
) -> None:
    with open_source(shared / "catalogs" / name) as source:
        content = lines_of(QuadDocument(source), seed)
    path = tmp_path / "a.nq"
    path.write_bytes(content)
    for profile in (None, "dcat-ap"):
        by_url = Options(by_url=True)
        assert_equal_in_parts(path, max(len(content) // 12, 500), profile, by_url)
        assert_equal_in_parts(path, max(len(content) // 5, 500), profile)


_NODES = st.sampled_from(
    [*(f"<http://a.example/{number}>" for number in range(4)), "_:a", "_:b", "_:c"]
)
_TEXTS = st.sampled_from(
    ['"CSV"', '"text/csv"', '"WMS"', '"nonsense"', '"csv.gz"', '"PDF"@de', '"image/tiff"']
)
_IRIS = st.sampled_from(
    [
        "<http://publications.europa.eu/resource/authority/file-type/CSV>",
        "<https://www.iana.org/assignments/media-types/text/csv>",
        "<http://a.example/x.csv>",
        "<http://a.example/x.pdf>",
    ]
)
_PATHS = st.sampled_from(
    [
        *(f"<{_DCT}{name}>" for name in ("format", "title", "license", "mediaType", "conformsTo")),
        *(
            f"<{_DCAT}{name}>"
            for name in ("mediaType", "compressFormat", "downloadURL", "distribution", "mediatype")
        ),
        "<http://www.w3.org/2000/01/rdf-schema#label>",
        f"<{_RDF}value>",
        "<https://w3id.org/cturi/vocab#parameter>",
        "<https://w3id.org/cturi/vocab#contentTypeHeader>",
        "<https://w3id.org/cturi/vocab#parameterName>",
    ]
)
_CLASSES = st.sampled_from(
    [f"<{_DCAT}Distribution>", f"<{_DCAT}Dataset>", f"<{_DCT}MediaTypeOrExtent>"]
)
_LINES = st.one_of(
    st.tuples(_NODES, _PATHS, st.one_of(_TEXTS, _IRIS, _NODES)),
    st.tuples(_NODES, st.just(f"<{_RDF}type>"), _CLASSES),
).map(lambda terms: "{} {} {} .".format(*terms))
_ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n# a comment\n", "\n\n"])


@pytest.mark.hypothesis
@settings(deadline=None)
@given(
    st.lists(st.tuples(_LINES, _ENDS), min_size=1, max_size=24),
    st.sampled_from([90, 200, 500]),
    st.sampled_from([None, "dcat-ap", "dcat"]),
)
def test_where_the_parts_end_changes_nothing(
    lines: list[tuple[str, str]], size: int, profile: str | None
) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder, "a.nt")
        path.write_bytes("".join(line + end for line, end in lines).encode())
        assert_equal_in_parts(path, size, profile)


def test_a_resource_that_is_divided_is_judged_by_what_each_part_says_of_its_values(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.nt"
    path.write_text(
        f"<http://a.example/0> <{_RDF}type> <{_DCAT}Distribution> .\n"
        f'<http://a.example/1> <{_DC}title> "between the two parts" .\n'
        f"<http://a.example/0> <{_DCAT}mediaType> _:n .\n"
        f'_:n <{_RDF}value> "text/csv" .\n'
        f'<http://a.example/2> <{_DC}title> "after them" .\n',
        newline="\n",
    )
    for size in range(100, 400, 20):
        assert_equal_in_parts(path, size, "dcat-ap")


@pytest.mark.parametrize("text", ["CSV", "text/cvs", "nonsense"])
def test_a_value_is_judged_by_what_its_own_part_knows_of_it(text: str, tmp_path: Path) -> None:
    # The first part has the second line too, but not the third one, which the second part has.
    path = tmp_path / "a.nt"
    path.write_text(
        f"<http://a.example/0> <{_DC}format> <http://a.example/1> .\n"
        f"<http://a.example/1> <{_DC}format> <http://a.example/2> .\n"
        f'<http://a.example/2> <{_RDF}value> "{text}" .\n'
        f"<http://a.example/3> <{_DC}format> <http://a.example/4> .\n",
        newline="\n",
    )
    rules = {finding.value: finding.rule for finding in check_file(path).findings}
    understood = "TypeExists" if text == "nonsense" else "TypeIsSpeltRight"
    assert rules == {
        "http://a.example/1": "TypeExists",
        "http://a.example/2": understood,
        "http://a.example/4": "TypeExists",
    }
    for size in (90, 150, 1_000):
        assert_equal_in_parts(path, size, "dcat-ap")
        with open_source(path) as source:
            report = check_by_parts(source, None, by_url=False, size=size)
        assert {finding.value: finding.rule for finding in report.findings} == rules


@pytest.mark.parametrize(
    ("label", "beside"),
    [("CSV", "application/json"), ("Zipped Shapefile", "Zipped Shapefile")],
)
def test_all_that_is_said_of_a_resource_counts_in_each_part(
    label: str, beside: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.nt"
    lines = (
        f"<http://a.example/d> <{_DCT}format> _:f .\n",
        f'_:f <http://www.w3.org/2000/01/rdf-schema#label> "{label}" .\n',
        f'<http://a.example/d> <{_DCAT}mediaType> "{beside}" .\n',
    )
    for several in permutations(lines):
        path.write_text("".join(several), newline="\n")
        assert_equal_in_parts(path, 1, "dcat-ap")


def test_a_profile_without_an_iri_is_known_by_its_name_in_any_part(tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text(
        f'<http://a.example/d> <{_DCT}title> "Not the first title counts" .\n'
        f'<http://a.example/d> <{_DCT}format> "CSV" .\n'
        f"<http://a.example/c> <{_DCT}conformsTo> _:p .\n"
        f'_:p <{_DCT}title> "DCAT-US 3.0" .\n',
        newline="\n",
    )
    with open_source(path) as source:
        report = check_by_parts(source, None, by_url=False, size=1)
    assert report.profile is not None
    assert report.profile.profile.name == "dcat-us"


def test_a_distribution_in_several_parts_is_scored_once(tmp_path: Path) -> None:
    # Where the dataset names it, no more is known of it than another part tells.
    path = tmp_path / "a.nt"
    for told in (f'<{_DCT}title> "A"', f"<{_DCT}license> <http://a.example/by>"):
        path.write_text(
            f"<http://a.example/dataset> <{_DCAT}distribution> <http://a.example/1> .\n"
            f"<http://a.example/dataset> <{_RDF}type> <{_DCAT}Dataset> .\n"
            f"<http://a.example/1> {told} .\n"
            f"<http://a.example/1> <{_DCAT}accessURL> <http://a.example/1.html> .\n"
            f'<http://a.example/1> <{_DCT}format> "CSV" .\n',
            newline="\n",
        )
        for size in (90, 200, 1_000):
            assert_equal_in_parts(path, size, "dcat-ap")


def test_what_the_data_lacks_is_told_at_the_first_value_that_asks_for_it(tmp_path: Path) -> None:
    path, iana = tmp_path / "a.nt", "https://www.iana.org/assignments/media-types"
    path.write_text(
        # One of two formats is too many, and nothing says which.
        f"<http://a.example/0> <{_DCT}format> <{iana}/text/csv> .\n"
        f"<http://a.example/0> <{_DCT}format> <{iana}/application/json> .\n"
        f"<http://a.example/1> <{_DCAT}mediaType> <{iana}/application/json> .\n"
        f"<http://a.example/2> <{_DCAT}mediaType> <{iana}/text/csv> .\n",
        newline="\n",
    )
    for size in (100, 200, 250, 1_000):
        with open_source(path) as source:
            report = check_by_parts(source, "dcat-ap", by_url=True, size=size)
        for one in (report, check_file(path, profile="dcat-ap")):
            [finding] = [finding for finding in one.findings if finding.rule == "typing"]
            assert one.position(finding.places[0].start or 0).line == 3


def dump(kinds: int, resources: int) -> str:
    """Return the lines of a dump in which so many kinds of resources repeat."""
    wrong = ("text/cvs", "aplication/json", "text/csv", "WMS", "application/pdf")
    return "".join(
        f"<http://a.example/{number}> <{_RDF}type> <{_DCAT}Distribution> .\n"
        f'<http://a.example/{number}> <{_DCT}title> "Resource {number}" .\n'
        f"<http://a.example/{number}> <{_DCAT}downloadURL> <http://a.example/{number}/x.csv> .\n"
        f'<http://a.example/{number}> <{_DCT}format> "CSV {number % kinds}" .\n'
        f'<http://a.example/{number}> <{_DCAT}mediaType> "{wrong[number % kinds % 5]}" .\n'
        for number in range(resources)
    )


@pytest.mark.parametrize("size", [700, 5_000, 1_000_000])
def test_resources_that_say_the_same_are_counted_and_repaired_each(
    size: int, tmp_path: Path
) -> None:
    path = tmp_path / "a.nt"
    path.write_text(dump(7, 300), newline="\n")
    planned = plan_file(path, profile="dcat-ap")
    target = tmp_path / "b.nt"
    with open_source(path) as source:
        summary = repair_by_parts(source, str(target), "dcat-ap", Options(), size=size)
    assert target.read_bytes() == planned.edited
    assert list(summary.lines()) == list(summary_of(planned).lines())
    whole = check_file(path, profile="dcat-ap")
    with open_source(path) as source:
        report = check_by_parts(source, "dcat-ap", by_url=False, size=size)
    assert findings(report, places=False) == findings(whole, places=False)
    assert report.focus_nodes == 300
    # Of each finding the first ten places are told, as they are of a small file.
    firsts = {finding.complaint: finding for finding in reversed(whole.findings)}
    for finding in report.findings:
        first = firsts[finding.complaint]
        assert finding.places[0].resource == first.places[0].resource
        assert len(finding.places) >= min(10, first.times)


# The resources of a group have names with its number: a dataset, a distribution and blank nodes.
_DATASETS = ["<http://a.example/{0}>", "_:d{0}"]
_PARTS = ["<http://a.example/{0}.csv>", "_:a{0}", "_:b{0}"]


def _lines_about(nodes: list[str]) -> st.SearchStrategy[list[str]]:
    subjects = st.sampled_from(nodes)
    properties = st.sampled_from(
        [
            *(f"<{_DCT}{name}>" for name in ("format", "title", "publisher")),
            *(f"<{_DCAT}{name}>" for name in ("mediaType", "distribution", "accessService")),
            "<http://www.w3.org/2000/01/rdf-schema#label>",
        ]
    )
    values = st.one_of(_TEXTS, _IRIS, st.sampled_from(_DATASETS + _PARTS))
    url = st.tuples(
        subjects, st.just(f"<{_DCAT}downloadURL>"), st.just("<http://b.example/{0}.csv>")
    )
    has = st.tuples(subjects, st.just(f"<{_DCAT}distribution>"), st.sampled_from(_PARTS))
    lines = st.one_of(
        st.tuples(subjects, properties, values),
        st.tuples(subjects, st.just(f"<{_RDF}type>"), _CLASSES),
        url,
        has,
    )
    return st.lists(lines.map(lambda terms: "{} {} {} .\n".format(*terms)), min_size=1, max_size=5)


@pytest.mark.hypothesis
@settings(deadline=None)
@given(
    st.lists(_lines_about(_DATASETS), min_size=1, max_size=2),
    st.lists(_lines_about(_PARTS), min_size=1, max_size=3),
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=4, max_size=24),
    st.sampled_from([300, 1_000, 100_000]),
    st.sampled_from([None, "dcat-ap", "pod"]),
)
def test_groups_of_resources_that_say_the_same_are_judged_as_each_of_them_is(
    datasets: list[list[str]],
    distributions: list[list[str]],
    order: list[tuple[int, int]],
    size: int,
    profile: str | None,
) -> None:
    from tempfile import TemporaryDirectory

    written = [
        line.replace("{0}", str(number))
        for number, (one, other) in enumerate(order)
        for lines in (datasets[one % len(datasets)], distributions[other % len(distributions)])
        for line in lines
    ]
    # The third of a kind stands for the others.
    few = patch.object(alike, "JUDGED", 3), patch.object(parts, "_FEW_HASHES", 5)
    with TemporaryDirectory() as folder, few[0], few[1], patch.object(parts, "_PIECE", 150):
        path = Path(folder, "a.nt")
        path.write_text("".join(filter(_is_valid, written)), newline="\n")
        if path.stat().st_size:
            assert_repaired_in_parts(path, size, profile, counts_only=True)
            whole = check_file(path, profile=profile)
            with open_source(path) as source:
                report = check_by_parts(source, profile, by_url=False, size=size)
            assert complaints(report) == complaints(whole)
            assert report.focus_nodes == whole.focus_nodes


@pytest.mark.parametrize("profile", ["pod", "dcat-ap-ch"])
def test_what_is_missing_is_written_beside_the_url_of_each(profile: str, tmp_path: Path) -> None:
    path, target = tmp_path / "a.nt", tmp_path / "b.nt"
    path.write_text(
        "".join(
            f"<http://a.example/{number}> <{_RDF}type> <{_DCAT}Distribution> .\n"
            f"<http://a.example/{number}> <{_DCAT}downloadURL> <http://b.example/{number}.csv> .\n"
            f'<http://a.example/{number}> <{_DCT}format> "text/csv" .\n'
            for number in range(120)
        ),
        newline="\n",
    )
    planned = plan_file(path, profile=profile)
    assert any(step.rule == "missing" for step in planned.plan.steps)
    with open_source(path) as source:
        repair_by_parts(source, str(target), profile, Options(), size=5_000)
    assert target.read_bytes() == planned.edited


@pytest.mark.parametrize("size", [300, 1_000, 100_000])
@pytest.mark.parametrize("is_far", [False, True])
def test_a_statement_that_others_describe_stays_in_a_large_file(
    size: int, is_far: bool, tmp_path: Path
) -> None:
    path, resource, others = tmp_path / "a.nt", "<http://a.example/{}>", []
    lines = []
    for number in range(40):
        node, label = resource.format(number), f'<{_DCT}format> "CSV"'
        lines.append(f"{node} <{_RDF}type> <{_DCAT}Distribution> .\n{node} {label} .\n")
        described = []
        if number == 20:
            described = [
                f"_:a{n} <{_RDF}subject> {node} .\n_:a{n} <{_RDF}predicate> <{_DCT}{name}> .\n"
                f'_:a{n} <{_RDF}object> "CSV" .\n'
                for n, name in enumerate(["title", "license", "type", "format"])
            ]
        if number == 30:
            described = [f"_:b <{_RDF}reifies> <<( {node} {label} )>> .\n"]
        (others if is_far else lines).extend(described)
    path.write_text("".join(lines + others), newline="\n")
    kept = {resource.format(number) for number in (20, 30)}
    edited = plan_file(path, profile="dcat-ap").edited.decode()
    assert all(f'{node} <{_DCT}format> "CSV" .' in edited for node in kept)
    assert edited.count(f'<{_DCT}format> "CSV" .') == len(kept)
    assert_repaired_in_parts(path, size, "dcat-ap")


@pytest.fixture
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "LARGE", 1)


@pytest.mark.usefixtures("everything_is_large")
def test_the_commands_do_it_by_themselves(tmp_path: Path) -> None:
    path, target = tmp_path / "a.nt", tmp_path / "b.nt.gz"
    path.write_text(dump(3, 60), newline="\n")
    checked = CliRunner().invoke(cturi, ["check", str(path), "--json"])
    assert checked.exit_code == 1
    assert '"count": 20' in checked.stdout
    repaired = CliRunner().invoke(
        cturi, ["repair", str(path), "--profile", "dcat-ap", "-o", str(target)]
    )
    assert "120 values" in repaired.stderr
    assert target.read_bytes()[:2] == b"\x1f\x8b"
    in_place = CliRunner().invoke(
        cturi, ["repair", str(path), "--profile", "dcat-ap", "--in-place"]
    )
    assert "120 values" in in_place.stderr
    before = path.stat().st_mtime_ns
    CliRunner().invoke(cturi, ["repair", str(path), "--profile", "dcat-ap", "--in-place"])
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize("options", [["--dry-run"], ["--diff"], ["--json"], ["--services", "move"]])
def test_what_asks_for_all_changes_at_once_gets_them_of_a_large_file(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.nt"
    answers = []
    for large in (parts.LARGE, 1):
        path.write_text(dump(3, 60), newline="\n")
        monkeypatch.setattr(parts, "LARGE", large)
        command = ["repair", str(path), "--profile", "dcat-ap", "--in-place", *options]
        answers.append((CliRunner().invoke(cturi, command).output, path.read_bytes()))
    assert answers[0] == answers[1]
    assert answers[0][0]


@pytest.mark.usefixtures("everything_is_large")
def test_a_line_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text(dump(3, 6) + "<a:b> nonsense\n", newline="\n")
    for call in (check_file, lambda one: CliRunner().invoke(cturi, ["repair", one])):
        if call is check_file:
            with pytest.raises(CturiError, match=r"a\.nt:31"):
                call(path)
        else:
            assert "a.nt:31" in call(str(path)).output


@pytest.mark.usefixtures("everything_is_large")
@pytest.mark.parametrize("call", [check_file, lambda path: plan_file(path, profile="dcat")])
def test_a_file_without_a_statement_is_refused(
    call: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / "a.nt"
    path.write_text("# nothing\n")
    with pytest.raises(CturiError, match="no triples"):
        call(path)


# The peak of this program alone: ru_maxrss begins with the memory of the process that started it.
_PEAK = (
    "import sys\n"
    "from cturi_rdf.cli import cturi\n"
    "try: cturi.main(sys.argv[1:])\n"
    "except SystemExit: pass\n"
    "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM:'))\n"
    "print(peak.split()[1], file=sys.stderr)\n"
)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the peak of memory")
@pytest.mark.parametrize(
    "command", [["annotate"], ["headers"], ["check"], ["repair", "--profile", "dcat-ap"]]
)
def test_memory_does_not_grow_with_a_file_of_lines(command: list[str], tmp_path: Path) -> None:
    peaks = []
    for size in (15, 60):
        path = tmp_path / f"{size}.nt"
        with path.open("w", newline="\n") as file:
            block = dump(500, 10_000)
            for number in range(size * 1_000_000 // len(block) + 1):
                file.write(block.replace("http://a.example/", f"http://a.example/{number}/"))
        name, *options = command
        target = ["-o", str(tmp_path / "out")] if name == "headers" else ["-o", str(path) + ".nt"]
        done = python("-c", _PEAK, name, str(path), *options, *target, "-q")
        peaks.append(int(done.stderr.split()[-1]) / 1024)
        path.unlink()
    assert peaks[1] < 250
    assert peaks[1] < peaks[0] + 30
