"""Files that are cut off, mix line ends or change while they are read, in every command."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Protocol

import pytest
from annotated_files import CATALOGUE

from cturi_rdf.reading.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cturi

# Commands that read catalogues; `OUT` is a file to write, which exists before.
COMMANDS = """\
annotate --in-place
annotate -o OUT.nt
annotate --descriptions OUT.ttl -o OUT.jsonld
headers
check
check --format sarif
query types
query types -o OUT.csv
repair --profile dcat-ap
repair --profile dcat-ap --in-place
repair --profile pod -o OUT
""".splitlines()


class Refusal(Protocol):
    """The one line with which a command refuses a file of a name and a text."""

    def __call__(self, command: str, name: str, text: str, *, changed: bool = False) -> str:
        """Return the line without the name of the command and the folder."""


@pytest.fixture
def refusal(cturi: Cturi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Refusal:
    """Return a function that runs a command; it checks that nothing is written."""

    def run(command: str, name: str, text: str, *, changed: bool = False) -> str:
        path, after = tmp_path / name, f"{text}\n" if changed else text
        path.write_bytes(text.encode())
        opened: list[Source] = []
        open_source = Source.open

        def open_late(self: Source) -> object:
            opened.append(self)
            if len(opened) == 2:
                path.write_bytes(after.encode())
            return open_source(self)

        if changed:
            monkeypatch.setattr(Source, "open", open_late)
        targets = [tmp_path / word for word in command.split() if word.startswith("OUT")]
        for target in targets:
            target.write_text("mine")
        result = cturi(*command.replace("OUT", str(tmp_path / "OUT")).split(), path)
        assert (result.code, result.out) == (2, "")
        assert set(tmp_path.iterdir()) == {path, *targets}
        assert path.read_bytes() == after.encode()
        assert {target.read_text() for target in targets} <= {"mine"}
        assert result.err.startswith(f"cturi: {tmp_path}/")
        assert result.err.endswith("\n")
        [line] = result.err.splitlines()
        return line.removeprefix(f"cturi: {tmp_path}/")

    return run


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("name", "last", "place"),
    [
        ("ttl", 'dct:title "one" ;', "7:39"),
        ("ttl", 'mediaType [ rdfs:label "Zip', "8:50"),
        ("trig", "dcat:distribution [ dct:format", "10:56"),
        ("trig", '"WMS" ] .', "10:85"),
        ("nt", "_:d <http://purl.org/dc/terms/form", "7:5"),
        ("rdf", "<rdf:Descr", "6:3"),
        ("rdf", "<dct:format>CSV</dct:format>", "8:33"),
        ("rdf", "<dct:format>WMS</dct:format>\n      </rdf:Description>", "18:25"),
        ("jsonld", '"dct:format": "CSV"\n    }', "11:6"),
        ("jsonld", '"dct:format": ["no such f', "15:44"),
    ],
)
def test_a_file_that_is_cut_off_is_refused_with_the_place_where_it_ends(
    refusal: Refusal, command: str, name: str, last: str, place: str
) -> None:
    before, last, _ = CATALOGUE[name].partition(last)
    mixed = (before + last).replace("\n", "\r\n", 3)
    assert refusal(command, f"a.{name}", mixed).startswith(f"a.{name}:{place}: not ")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", CATALOGUE)
def test_a_file_that_changes_while_it_is_read_is_refused(
    refusal: Refusal, command: str, name: str
) -> None:
    line = refusal(command, f"a.{name}", CATALOGUE[name], changed=True)
    assert line == f"a.{name}: it changed while it was read; expected a file that does not change"


@pytest.fixture
def refuses_late_change(cturi: Cturi, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that expects a command to refuse a file that changes after it was read."""

    def expect(path: Path, *words: str) -> None:
        text = path.read_text()
        read, reads, last = os.preadv, [0], [0]

        def preadv(descriptor: int, buffers: list[bytearray], offset: int) -> int:
            length = read(descriptor, buffers, offset)
            reads[0] += 1
            if reads[0] == last[0]:
                path.write_text(f"{text}\n")
            return length

        monkeypatch.setattr(os, "preadv", preadv)
        assert cturi(*words, path).code in {0, 1}
        assert reads[0]
        reads[0], last[0] = 0, reads[0]
        path.write_text(text)
        run = cturi(*words, path)
        assert (run.code, run.out) == (2, "")
        assert "it changed while it was read; expected a file that does not change" in run.err
        assert path.read_text() == f"{text}\n"

    return expect


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", CATALOGUE)
def test_a_file_that_changes_after_the_last_reading_is_refused_too(
    refuses_late_change: Callable[..., None], tmp_path: Path, command: str, name: str
) -> None:
    path = tmp_path / f"a.{name}"
    path.write_text(CATALOGUE[name])
    refuses_late_change(path, *command.replace("OUT", str(tmp_path / "OUT")).split())


def test_a_repaired_file_that_changes_after_the_last_reading_is_not_undone(
    refuses_late_change: Callable[..., None], cturi: Cturi, tmp_path: Path
) -> None:
    path, patch = tmp_path / "a.ttl", tmp_path / "a.jsonl"
    path.write_text(CATALOGUE["ttl"])
    repaired = cturi("repair", path, "--profile", "dcat-ap", "--in-place", "--patch", patch)
    assert repaired.code in {0, 1}
    refuses_late_change(path, "repair", "--undo", str(patch), "--in-place")


@pytest.mark.parametrize("command", ["annotate", "headers", "check"])
def test_the_reason_why_a_file_cannot_be_read_is_the_one_of_the_system(
    cturi: Cturi, tmp_path: Path, command: str
) -> None:
    circle, plain = tmp_path / "circle.ttl", tmp_path / "plain"
    circle.symlink_to(circle)
    plain.write_text("")
    for source, reason in (
        (circle, os.strerror(errno.ELOOP)),
        (plain / "a.ttl", os.strerror(errno.ENOTDIR)),
        (tmp_path / "a.ttl", os.strerror(errno.ENOENT)),
    ):
        run = cturi(command, source)
        assert (run.code, run.out) == (2, "")
        assert f"{source}: it cannot be read ({reason})" in run.err


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("annotate a.ttl --in-place --descriptions ./a.ttl", "./a.ttl"),
        ("annotate a.ttl -o b.ttl --descriptions a.ttl", "a.ttl"),
        ("annotate a.ttl -o b.ttl --descriptions b.ttl", "b.ttl"),
        ("repair a.ttl --profile dcat --in-place --patch a.ttl", "a.ttl"),
        ("repair a.ttl --profile dcat -o b.ttl --patch b.ttl", "b.ttl"),
        ("check a.ttl --format turtle -o a.ttl", "a.ttl"),
        ("check a.ttl --shapes b.ttl --format turtle -o b.ttl", "b.ttl"),
        ("headers a.ttl --format nginx -o ./a.ttl", "./a.ttl"),
        ("headers a.ttl b.ttl -o b.ttl", "b.ttl"),
        ("query types a.ttl --to csv -o a.ttl", "a.ttl"),
        ("query d.rq --to csv -o d.rq", "d.rq"),
        ("message a.ttl -o a.ttl", "a.ttl"),
        ("links a.ttl -o a.ttl", "a.ttl"),
        ("columns c.csv --column a -o c.csv", "c.csv"),
        ("resolve a -o c.csv --labels c.csv", "c.csv"),
        ("annotate a.ttl --context http://a.example/=b.ttl -o ./b.ttl", "./b.ttl"),
        ("annotate a.ttl -o b.ttl --context http://a.example/=b.ttl", "b.ttl"),
        ("check a.ttl --context http://a.example/=d.rq -o d.rq", "d.rq"),
        ("repair a.ttl -o b.ttl --undo b.ttl", "b.ttl"),
        ("repair a.ttl b.ttl --in-place --context http://a.example/=b.ttl", "b.ttl"),
        ("edit a.ttl -o b.ttl --from-graph b.ttl", "b.ttl"),
    ],
)
def test_no_output_overwrites_another_file_of_the_same_call(
    cturi: Cturi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, file: str
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"a.ttl": CATALOGUE["ttl"], "b.ttl": "# other\n", "c.csv": "a\n", "d.rq": "ASK {}"}
    files = {tmp_path / name: text for name, text in texts.items()}
    for path, text in files.items():
        path.write_text(text)
    run = cturi(*command.split())
    error = f"cturi: {file}: this command uses it for something else; expected another file\n"
    assert (run.code, run.out, run.err) == (2, "", error)
    assert {path: path.read_text() for path in files} == files
