"""``cturi message``: files, folders and pipes in, RDF out, one line where it cannot be."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from rdflib import RDF, Graph, URIRef

from cturi_rdf.cli.content import message
from cturi_rdf.rdf.vocab import MIME
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.reading.formats import COMPRESSIONS, FORMATS

if TYPE_CHECKING:
    from conftest import Cturi, Write

    from cturi_rdf.reading.formats import Format

MAIL = b"Message-ID: <m@a>\nSubject: secret\nContent-Type: text/csv\n\na,b\n"


def run(*arguments: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(message, [str(each) for each in arguments], input=stdin)


@pytest.fixture
def mail(write: Write) -> Path:
    return write("mail.eml", MAIL)


def test_a_message_becomes_turtle_on_standard_output(mail: Path) -> None:
    for result in (run(mail), run("-", stdin=MAIL)):
        assert result.exit_code == 0
        assert "secret" not in result.stdout
        graph = Graph().parse(data=result.stdout, format="turtle")
        assert graph.value(URIRef("mid:m@a"), RDF.type) == MIME.Message
        # Each namespace has the prefix that everybody knows.
        assert "@prefix skos:" in result.stdout
        assert "@prefix ns" not in result.stdout


@pytest.mark.parametrize(
    ("name", "arguments", "form"),
    [
        ("out.nt", (), "nt"),
        ("out.jsonld", (), "json-ld"),
        ("out.rdf", (), "xml"),
        ("out", ("--to", "text/turtle; charset=utf-8"), "turtle"),
        ("out.ttl", ("--to", "nt"), "nt"),
    ],
)
def test_the_format_is_that_of_the_name_or_of_an_option(
    mail: Path, tmp_path: Path, name: str, arguments: tuple[str, ...], form: str
) -> None:
    result = run(mail, "-o", tmp_path / name, *arguments)
    assert (result.exit_code, result.output) == (0, "")
    assert len(Graph().parse(tmp_path / name, format=form)) > 10
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["mail.eml", name])


def test_compressed_files_are_read_and_written(tmp_path: Path, write: Write) -> None:
    target = tmp_path / "out.nt.gz"
    for compression in COMPRESSIONS:
        packed = compression.pack(MAIL)
        source = write(f"mail.eml{compression.ending}", packed)
        for result in (run(source, "-o", target), run("-", "-o", target, stdin=packed)):
            assert result.exit_code == 0
            assert b"<mid:m@a>" in gzip.decompress(target.read_bytes())


def test_without_a_reader_of_html_the_references_can_be_left_out(
    write: Write, cturi: Cturi, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = write("page.eml", MAIL.replace(b"csv", b"html"))
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    run = cturi("message", mail)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "html]'" in run.err
    assert run.err.endswith("or leave out the references: --no-references\n")
    assert cturi("message", mail, "--no-references").code == 0


def test_bodies_and_personal_fields_are_options(mail: Path) -> None:
    assert "secret" in run(mail, "--personal").stdout
    assert "a,b" in run(mail, "--bodies").stdout


def test_a_folder_and_several_files_make_one_graph(mail: Path, tmp_path: Path) -> None:
    (tmp_path / "two.eml").write_bytes(MAIL.replace(b"<m@a>", b"<n@a>"))
    for result in (run(tmp_path), run(mail, tmp_path / "two.eml")):
        graph = Graph().parse(data=result.stdout, format="turtle")
        assert len(set(graph.subjects(RDF.type, MIME.Message))) == 2


def test_what_cannot_be_used_ends_with_one_line_and_leaves_what_was_there(
    mail: Path, tmp_path: Path, write: Write, cturi: Cturi
) -> None:
    target = write("out.ttl", "kept")
    empty, picture = tmp_path / "folder", tmp_path / "picture.png"
    empty.mkdir()
    cut = empty / "cut.eml.gz"
    cut.write_bytes(gzip.compress(MAIL)[:-9])
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    for arguments in (
        (tmp_path / "absent", "-o", target),
        (picture, "-o", target),
        (empty, "-o", target),
        (cut, "-o", target),
        ("-", "-o", target),
        (mail, picture, "-o", target),
        (mail, "--to", "klingon", "-o", target),
        (mail, "-o", tmp_path / "no" / "out.ttl"),
    ):
        result = cturi("message", *arguments)
        assert result.code == 2, arguments
        assert result.out == ""
        assert result.err.count("\n") == 1
        assert "Traceback" not in result.err
    assert target.read_text("utf-8") == "kept"
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["folder", "mail.eml", "out.ttl", "picture.png"]


def test_a_serialisation_that_fails_leaves_nothing_behind(
    mail: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Graph, "serialize", fail)
    result = run(mail, "-o", tmp_path / "out.ttl")
    assert isinstance(result.exception, CatalogError)
    assert [path.name for path in tmp_path.iterdir()] == ["mail.eml"]


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_a_message_is_written_in_every_format(form: Format, tmp_path: Path) -> None:
    target = tmp_path / f"out.{form.endings[0]}"
    example = Path(__file__).parents[1] / "examples" / "engine.eml"
    run = CliRunner().invoke(message, [str(example), "-o", str(target)])
    assert run.exit_code == 0, run.output
    assert len(read_catalog(str(target))) > 20
