"""Files that are no catalogues: refused in one line, and nothing is left behind."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cturi_rdf.rdf import annotate
from cturi_rdf.reading import CatalogError, rdflib_graphs, read_catalog, write_catalog
from cturi_rdf.reading.formats import FORMATS, ReadOptions, format_named
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source, share_read
from cturi_rdf.reading.writable import Writable

if TYPE_CHECKING:
    from conftest import Cturi, Write


EXAMPLE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
RDF_START = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
# Files that are no catalogues: the name of the file, its bytes, and its fault.
BAD = [
    ("empty.ttl", b"", "an empty file"),
    ("blank.ttl", b" \n ", "an empty file"),
    ("empty.ttl.gz", gzip.compress(b""), "an empty file"),
    ("prose.ttl", b"This is no RDF.", "not valid Turtle"),
    ("prose.rdf", b"This is no RDF.", "not valid XML"),
    ("prose.json", b"This is no RDF.", "not valid JSON"),
    ("prose.nt", b"This is no RDF.", "not valid N-Triples"),
    ("prose.nq", b"This is no RDF.", "not valid N-Quads"),
    ("prose.trig", b"This is no RDF.", "not valid TriG"),
    ("page.xml", b"<html><body>Hello</body></html>", "not RDF/XML but an element html"),
    ("page of CSW.xml", b"<Records>" + RDF_START + b"</rdf:RDF></Records>", "no triples in it"),
    (
        "fault in CSW.xml",
        b"<Records>"
        + RDF_START
        + b'<rdf:Description rdf:about="a:b" rdf:ID="c"/></rdf:RDF></Records>',
        r"not RDF/XML",
    ),
    (
        "fault.rdf",
        RDF_START + b'<rdf:Description rdf:about="a:b" rdf:ID="c"/></rdf:RDF>',
        r"fault.rdf:1:66: not valid RDF/XML: ",
    ),
    ("plain.json", b'{"a": 1}', "nothing says what its fields mean"),
    ("number.json", b"1", "no triples in it"),
    ("octets.ttl", bytes(range(128, 256)), ":1:1: .*UTF-8"),
    ("latin1.nt", b'<a:b> <a:c> <a:d> .\n<a:b> <a:c> "B\xe4ume" .', ":2:.*UTF-8"),
    ("prefix.ttl", b"@prefix a: <http://a.example/> .", "no triples in it"),
    ("cut.ttl.gz", gzip.compress(b"<a:b> <a:c> <a:d> . " * 99)[:40], "a broken gzip file"),
    ("broken.ttl.gz", b"\x1f\x8b" + b"x" * 40, "a broken gzip file"),
    ("data.docx", b"PK\x03\x04", "it is packed by ZIP"),
    ("data.odt", b"no format", "cannot tell the format from the file name"),
    ("data", b"This is no RDF.", "cannot tell the format from the file name"),
]


@pytest.mark.parametrize(("name", "content", "problem"), BAD, ids=[row[0] for row in BAD])
def test_what_is_no_catalogue_is_refused_in_one_line(
    write: Write, name: str, content: bytes, problem: str
) -> None:
    source = write(name, content)
    with pytest.raises(CatalogError, match=problem) as caught:
        read_catalog(str(source))
    assert str(source) in caught.value.summary
    assert "\n" not in caught.value.summary


@pytest.mark.parametrize(
    "command", ["annotate", "check", "headers", "headers --format nginx", "repair --profile dcat"]
)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("none.ttl", "# none"),
        ("none.trig", "<a:b> { }"),
        ("none.nt", "# none"),
        ("none.nq", "# none"),
        ("none.rdf", f"{RDF_START.decode()}</rdf:RDF>"),
        ("none.jsonld", "{}"),
    ],
)
def test_every_command_refuses_a_file_without_triples(
    cturi: Cturi, write: Write, command: str, name: str, content: str
) -> None:
    run = cturi(*command.split(), write(name, content))
    assert (run.code, run.out) == (2, "")
    assert f"{name}: no triples in it, read as " in run.err


@pytest.mark.parametrize("name", ["data.ttl", "data.trig", "data.nt", "data.nq"])
def test_a_byte_order_mark_is_passed_over(write: Write, name: str) -> None:
    source = write(name, b"\xef\xbb\xbf<a:b> <a:c> <a:d> .\r\n")
    assert len(read_catalog(str(source))) == 1


@pytest.mark.parametrize("name", ["missing.ttl", "folder.ttl", "nul\x00.ttl"])
def test_what_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.ttl").mkdir()
    with pytest.raises(CatalogError, match="cannot be read"):
        read_catalog(str(tmp_path / name))


@pytest.mark.parametrize("name", ["missing/out.ttl", "folder", "loop"])
def test_an_unwritable_target_is_refused_and_nothing_is_left(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    dataset = read_catalog(str(EXAMPLE))
    with pytest.raises(CatalogError, match="cannot be written"):
        write_catalog(dataset, str(tmp_path / name), format_named("turtle"))
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "loop"}
    assert (tmp_path / "loop").is_symlink()
    assert not list((tmp_path / "folder").iterdir())


def test_a_target_keeps_its_rights(tmp_path: Path) -> None:
    target = tmp_path / "out.ttl"
    target.touch(mode=0o640)
    write_catalog(read_catalog(str(EXAMPLE)), str(target), format_named("turtle"))
    assert target.stat().st_mode & 0o777 == 0o640


@given(st.binary(max_size=200), st.sampled_from(FORMATS))
@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes, form: Any) -> None:
    source = tmp_path / "in"
    source.write_bytes(content)
    try:
        dataset = read_catalog(str(source), ReadOptions(form=form.name))
    except CatalogError as error:
        assert "\n" not in error.summary
    else:
        annotate(dataset)


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("a.ttl", '<http://a.example/> <http://purl.org/dc/terms/format> "', '" .'),
        ("a.nt", '<http://a.example/> <http://purl.org/dc/terms/format> "', '" .'),
    ],
)
def test_half_a_character_is_refused(write: Write, name: str, start: str, end: str) -> None:
    source = write(name, f"{start}\\uD800{end}")
    with pytest.raises(CatalogError, match=r":1:.*D800"):
        read_catalog(str(source))
    source.write_text(f"{start}\\uD7FF{end}")
    assert len(read_catalog(str(source))) == 1


def test_half_a_character_of_json_is_replaced_and_its_place_kept(write: Write) -> None:
    path = write(
        "a.jsonld",
        r"""{"http://a.example/p":
 ["ü \udc92", "\ud83d", "\ud83d\ude00", "\\ud83d", "\uD83D\n"]}""",
    )
    with open_source(str(path)) as source:
        read = QuadDocument(source)
        values = [quad.object.value for quad in read]
    assert values == ["ü \ufffd", "\ufffd", "\U0001f600", "\\ud83d", "\ufffd\n"]
    assert read.replaced == [(2, 6), (2, 16), (2, 53)]


def test_a_whole_pair_of_json_is_a_character(write: Write) -> None:
    source = write("a.jsonld", r'{"http://purl.org/dc/terms/format": "\ud83d\ude00"}')
    assert [str(value) for value in read_catalog(str(source)).objects()] == ["\U0001f600"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("absent.ttl", "No such file or directory"), ("a\0.ttl", "embedded null byte")],
)
def test_the_reason_why_a_file_cannot_be_read_is_said(name: str, reason: str) -> None:
    with pytest.raises(CatalogError, match=rf"it cannot be read \({reason}\)"):
        read_catalog(name)


@pytest.mark.parametrize(("change", "how"), [("append", "changed"), ("replace", "was replaced")])
def test_a_file_that_changes_while_it_is_read_is_refused(
    change: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.nt"
    path.write_text("<a:b> <a:c> <a:d> .\n")
    add = rdflib_graphs.add_quad

    def add_and_change(*quad: Any) -> None:
        if change == "append":
            path.write_text(path.read_text() + "\n")
        else:
            (tmp_path / "new").write_text(path.read_text())
            (tmp_path / "new").replace(path)
        add(*quad)

    monkeypatch.setattr(rdflib_graphs, "add_quad", add_and_change)
    with pytest.raises(CatalogError, match=f"it {how} while it was read"):
        read_catalog(path)


# What rdflib may raise, and the reason that is told.
RAISED = [
    (KeyError(), "KeyError"),
    (ValueError(" one\n  two \nthree\nfour"), "one two three"),
    (RecursionError("too deep"), "too deep"),
]


@pytest.mark.parametrize(("error", "reason"), RAISED)
def test_whatever_rdflib_raises_has_a_reason_of_a_few_lines(
    monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(rdflib_graphs.Dataset, "parse", refuse)
    with pytest.raises(CatalogError) as caught:
        rdflib_graphs.quads_by_rdflib(b"", "turtle", "a.ttl")
    assert str(caught.value) == f"a.ttl: not valid Turtle: {reason}"
    monkeypatch.setattr(rdflib_graphs, "_serialised", refuse)
    writable = Writable(format_named("turtle"), "a.ttl", None)
    with pytest.raises(CatalogError) as caught:
        rdflib_graphs.serialise(rdflib_graphs.new_dataset(), writable)
    expected = f"a.ttl: it cannot be written ({reason}"
    assert str(caught.value).startswith(expected)


def test_the_share_that_has_been_read_is_of_the_file_that_was_opened_last() -> None:
    assert share_read() is None
    with open_source(EXAMPLE) as outer:
        outer.read()
        assert share_read() == 1.0
        with open_source(EXAMPLE):
            assert share_read() is not None
    assert share_read() is None
