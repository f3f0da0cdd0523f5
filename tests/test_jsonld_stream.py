"""JSON-LD in the order of a stream: it says the same, and is read in little memory."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from edited_files import canonical
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonld_documents import document
from processes import python

from cturi_rdf.reading import jsonld_stream
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.jsonld import whole
from cturi_rdf.reading.jsonld_stream import in_stream_order, streamed

if TYPE_CHECKING:
    from conftest import Write

BASE = {"base_iri": "http://a.example/", "lenient": True}
VOCAB = '"@context": {"@vocab": "http://v.example/"}'
KIND = '"@context": {"@vocab": "http://v.example/", "kind": "@type", "sort": {"@id": "@type"}}'


def _is_stream(text: str) -> bool:
    """Return whether Oxigraph reads a text as a stream, once its members are in order."""
    try:
        list(ox.parse(in_stream_order(text.encode()), ox.RdfFormat.STREAMING_JSON_LD, **BASE))
    except SyntaxError:
        return False
    return True


def _streamed(text: str) -> set[str]:
    return canonical(ox.parse(*streamed(text.encode(), **BASE), **BASE))


def _read(text: str) -> set[str] | None:
    """Return the quads that Oxigraph reads from a text, in any order, or None if it refuses it."""
    try:
        return canonical(ox.parse(text.encode(), ox.RdfFormat.JSON_LD, **BASE))
    except SyntaxError:
        return None


def _members(text: str | bytes) -> Any:
    """Return a file, without the name that it may get."""
    value = json.loads(text)
    if isinstance(value, dict) and str(value.get("@id")).startswith("_:"):
        del value["@id"]
    return value


@pytest.mark.parametrize(
    "text",
    [
        f'{{{VOCAB}, "@id": "a:b", "@type": "T", "p": "1"}}',
        f'{{"@graph": [{{"@id": "a:b", "p": 1, "@type": ["T", "U"], "q": {{}}}}], {VOCAB}}}',
        f' {{ "p" : [ "1" , true, null ] ,\r\n\t {VOCAB} , "@type" : [ "T" ] }} ',
        f'{{{VOCAB}, "p": [{{"q": -1.5e3, "@type": "T"}}, {{"@value": "1", "@type": "D"}}]}}',
        f'{{"p": "1", {VOCAB}}}',
        f'{{{KIND}, "p": "1", "kind": "T"}}',
        f'{{"@graph": [{{"p": "1", "sort": "T"}}], {KIND}}}',
        # Text that looks like members is none.
        f'{{{VOCAB}, "p{{": ": \\"@type\\": {{\\"q\\": 1, \\"@type\\": 2}}", "@type": "T"}}',
        f'{{"p": "\\"@context\\": {{}}}}", {VOCAB}}}',
        f'[{{{VOCAB}, "p": "1"}}, {{"@context": {{"e": "http://e.example/"}}, "e:p": "2"}}]',
        f"{{{VOCAB}}}",
        f'{{{VOCAB}, "p": {{"@context": null, "@type": "a:c", "a:d": "1"}}}}',
    ],
)
def test_contexts_and_types_are_moved_to_where_a_stream_has_them(text: str) -> None:
    assert _is_stream(text)
    assert _streamed(text) == _read(text)
    assert _members(in_stream_order(text.encode())) == _members(text)


@pytest.mark.parametrize(
    "text",
    [
        f'{{{VOCAB}, "p": {{"q": 1}}, "@type": "T"}}',
        f'{{{VOCAB}, "@graph": [{{"p": 1}}], "@id": "a:b"}}',
        f'{{{VOCAB}, "p": {{"q": 1, {VOCAB}}}}}',
    ],
)
def test_what_is_in_no_simple_order_is_read_as_a_whole(text: str) -> None:
    assert not _is_stream(text)
    assert _streamed(text) == _read(text)


@pytest.mark.parametrize("members", ['CONTEXT, "p": "1"', '"p": "1", CONTEXT', '"p": {}, CONTEXT'])
def test_a_context_whose_end_is_too_far_to_look_for_is_read_where_it_is(
    monkeypatch: pytest.MonkeyPatch, members: str
) -> None:
    text = f"{{{members.replace('CONTEXT', VOCAB)}}}"
    for longest in (len(text), 20):
        monkeypatch.setattr(jsonld_stream, "_LONGEST", longest)
        ordered, form = streamed(text.encode(), **BASE)
        assert canonical(ox.parse(ordered, form, **BASE)) == _read(text)
        assert ordered.startswith(b'{"@context"') is (longest > 20 or members[0] == "C")


def test_a_byte_order_mark_is_not_read() -> None:
    text = f'\ufeff{{"p": "1", {VOCAB}, "@type": "T"}}'
    assert len(_streamed(text)) == 2


# Members in any order, with the strings that are hardest to tell from them.
NAMES = st.sampled_from(["@id", "@type", "@graph", "@value", "kind", "p", 'q"', "r{", "[", "s\\"])
SCALARS = st.sampled_from(
    ["a:b", "T", '"@type": {"', '{"@id": "', ', "@type": "', "}", "", "\\", "_:c", 1, True, None]
)
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(NAMES, inner), max_size=5, unique_by=lambda pair: pair[0]).map(dict)
    ),
    max_leaves=20,
)


@given(
    members=st.lists(st.tuples(NAMES, TREES), max_size=5, unique_by=lambda pair: pair[0]),
    place=st.integers(0, 5),
    indent=st.none() | st.integers(0, 2),
)
def test_a_file_in_any_order_says_what_it_says_as_a_whole(
    members: list[tuple[str, Any]], place: int, indent: int | None
) -> None:
    context = {"@vocab": "http://v.example/", "kind": "@type"}
    members.insert(place, ("@context", context))
    text = json.dumps(dict(members), indent=indent)
    assert _members(in_stream_order(text.encode())) == _members(text)
    as_a_whole = _read(text)
    # A stream is not looked through for values that have members of nodes too.
    if as_a_whole is not None:
        assert _streamed(text) == as_a_whole


def _with_what_no_iri_has(value: Any) -> set[str]:
    text, rewriting, _ = whole(json.dumps(value).encode(), "a.jsonld", ReadOptions())
    quads = ox.parse(text, ox.RdfFormat.JSON_LD, **BASE)
    return canonical(rewriting.quads(quads) if rewriting else quads)


def _with_its_context_in_an_array(value: dict[str, Any]) -> dict[str, Any]:
    """Return a file that says the same, whose strings are looked at one by one."""
    return {**value, "@context": [value["@context"]]}


@given(st.integers(0, 1 << 32))
def test_a_file_that_is_read_as_it_stands_says_what_each_of_its_strings_says(seed: int) -> None:
    value = document(seed)
    assume(isinstance(value, dict) and isinstance(value.get("@context"), dict))
    try:
        quads = _with_what_no_iri_has(value)
    except SyntaxError:
        assume(condition=False)
    assert quads == _with_what_no_iri_has(_with_its_context_in_an_array(value))


@pytest.mark.parametrize("first", ["{}", '{"@value": "a"}', '{"@id": "b"}', '["c"]', "1"])
def test_an_iri_with_a_space_is_read_behind_any_value_of_an_array(first: str) -> None:
    value = json.loads(f"""{{
        "@context": {{"link": {{"@id": "http://v.example/link", "@type": "@id"}}}},
        "@id": "http://e.example/1",
        "link": [{first}, "x y"]
    }}""")
    quads = _with_what_no_iri_has(value)
    assert any("<http://a.example/x y>" in quad for quad in quads)
    assert quads == _with_what_no_iri_has(_with_its_context_in_an_array(value))


_READ = """
import sys
from pathlib import Path
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source
with open_source(sys.argv[1]) as source:
    print(sum(1 for _ in QuadDocument(source)))
# That of `getrusage` may be the peak of the process that started this one.
print(*[line.split()[1] for line in Path("/proc/self/status").open() if "VmHWM" in line])
"""
NODE = {"@id": "http://a.example/1", "@type": "Dataset", "title": "A title of some length " * 4}
FILES: dict[str, Any] = {
    "a graph of nodes": lambda nodes: {
        "@graph": nodes,
        "@context": {"@vocab": "http://v.example/"},
    },
    "Project Open Data": lambda nodes: {"conformsTo": "a:b", "dataset": nodes},
    "a list of nodes": lambda nodes: [{"@context": {"@vocab": "a:"}, **node} for node in nodes],
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is told by /proc")
@pytest.mark.parametrize("form", FILES)
def test_a_file_is_read_in_a_few_times_its_size(write: Write, form: str) -> None:
    sizes, peaks = [], []
    for number in (60_000, 120_000):
        path = write(f"{number}.jsonld", json.dumps(FILES[form]([NODE] * number)))
        run = python("-c", _READ, str(path))
        quads, peak = map(int, run.stdout.split())
        assert quads >= 2 * number
        sizes.append(path.stat().st_size)
        peaks.append(peak * 1024)
    # Oxigraph alone takes thirteen times the size, unless the file comes as a stream. Four to five
    # times are measured; with smaller files, the steps in which buffers grow show.
    assert peaks[1] - peaks[0] < 6 * (sizes[1] - sizes[0])
