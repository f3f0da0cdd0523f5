"""The command line: what is printed, where, and with which exit code."""

from __future__ import annotations

import errno
import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
from conftest import examples
from hypothesis import HealthCheck, given, settings
from processes import python, shell
from rdflib import Graph
from strategies import hostile_text

from cturi_rdf import __version__, cli
from cturi_rdf.cli import EXAMPLES
from cturi_rdf.rdf import CTV, mint

if TYPE_CHECKING:
    from conftest import Cturi, Write

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "catalogue.ttl"
CTURI = [sys.executable, "-m", "cturi_rdf"]


@pytest.mark.parametrize(
    "text",
    [
        "text/csv; header=present",
        "ContentType:text/csv?header=%22present%22",
        "<ContentType:text/csv?header=%22present%22>",
    ],
)
def test_describe_prints_turtle(cturi: Cturi, text: str) -> None:
    run = cturi("describe", text)
    graph = Graph().parse(data=run.out, format="turtle")
    assert (mint("text/csv; header=present"), CTV.bareMediaType, mint("text/csv")) in graph
    assert (run.code, run.err) == (0, "")


def test_describe_knows_what_others_call_a_type(cturi: Cturi) -> None:
    run = cturi("describe", "--to", "nt", "https://www.iana.org/assignments/media-types/text/csv")
    assert "<ContentType:text/csv> <https://w3id.org/cturi/vocab#contentTypeHeader>" in run.out


def test_registry_shows_and_lists_types(cturi: Cturi) -> None:
    shown = cturi("registry", "show", "TEXT/XML", "application/x-nobody")
    assert not {"[", "]"} & {*shown.out}
    assert "alias of        application/xml\n" in shown.out
    assert "status          unregistered\n" in shown.out
    [facts] = map(json.loads, cturi("registry", "show", "--json", "image/svg+xml").out.splitlines())
    assert facts["special_case_of"] == ["application/xml"]
    assert facts["extensions"] == ["svg", "svgz"]
    every = cturi("registry", "list").out.splitlines()
    assert len(every) > 2_300
    some = cturi("registry", "list", "--suffix", "+xml", "--type", "image").out
    assert "image/svg+xml\tregistered\n" in some
    assert set(some.splitlines()) < set(every)
    none = cturi("registry", "list", "--suffix", "xmll")
    assert (none.code, none.out, "no media type" in none.err) == (0, "", True)
    by_rfc = cturi("registry", "list", "--reference", "rfc 7303", "--json").out.splitlines()
    assert len(by_rfc) == 5
    obsolete = cturi("registry", "list", "--status", "obsolete").out.splitlines()
    assert all(line.endswith("\tobsolete") for line in obsolete)


def test_registry_is_renewed_from_a_file_and_refuses_any_other(
    cturi: Cturi, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTURI_DATA", str(tmp_path / "data"))
    run = cturi("registry", "update", shared / "registry/iana-media-types-2026-07.xml")
    assert (run.code, run.out) == (0, "")
    assert run.err.startswith("2344 media types, as of 2026-07-01, in ")
    document = (shared / "registry/iana-media-types-2026-07.xml").read_bytes()
    assert cturi("registry", "update", "-", stdin=document) == run
    refused = cturi("registry", "update", EXAMPLE)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "not IANA's registry" in refused.err
    (tmp_path / "file").touch()
    monkeypatch.setenv("CTURI_DATA", str(tmp_path / "file" / "data"))
    kept = cturi("registry", "update", shared / "registry/iana-media-types-2026-07.xml")
    assert kept.code == 2
    assert f"cannot be written ({os.strerror(errno.ENOTDIR)})" in kept.err
    assert "expected a folder that can be written to" in kept.err


def test_headers_prints_a_line_a_resource_and_the_conflicts_apart(
    cturi: Cturi, tmp_path: Path
) -> None:
    cturi("annotate", EXAMPLE, "-o", tmp_path / "out.ttl")
    run = cturi("headers", tmp_path / "out.ttl")
    rows = dict(line.split("\t") for line in run.out.splitlines())
    assert rows["https://catalogue.example/ghcn-csv"] == "text/csv"
    assert rows["https://catalogue.example/earthquakes-geojson"] == "application/geo+json"
    assert "https://catalogue.example/world-bank-xlsx" not in rows
    assert "1 resource with labels that disagree" in run.err
    assert "world-bank-xlsx" in run.err
    # Before annotating, the labels themselves say the same.
    assert cturi("headers", EXAMPLE).out == run.out
    found = {each["resource"]: each for each in map(json.loads, _lines(cturi, "--json", EXAMPLE))}
    excel = found["https://catalogue.example/world-bank-xlsx"]
    assert excel["content_type"] is None
    assert len(excel["conflicts"]) == len(excel["evidence"]) == 2
    assert found["https://catalogue.example/iris-csv"]["evidence"] == [
        {
            "property": "http://www.w3.org/ns/dcat#mediaType",
            "label": "text/csv; header=absent; charset=US-ASCII",
            "content_types": ["text/csv; header=absent; charset=US-ASCII"],
            "outer": None,
            "wrappers": [],
            "confidence": "certain",
        }
    ]


def _lines(cturi: Cturi, *arguments: object) -> list[str]:
    return cturi("headers", *arguments).out.splitlines()


# A call that is no good: its words, and a part of the one line that says so.
REFUSED = [
    (["no-such-command"], "No such command 'no-such-command'; cturi --help lists the commands"),
    (["anotate", EXAMPLE], "did you mean 'annotate'?"),
    (["headers", "."], "(Is a directory); expected a file"),
    (["query", "typs"], "expected 'types'"),
    (["query", "SELECT ?x {}", "-o", "out.xlsx"], ".txt, or the option --to FORMAT"),
    (["query", "ASK { FILTER(ctf:qq(1)) }"], "expected one of ctf:mint, ctf:resolve"),
    (["resolve", "x", "--labels", sys.executable], "is not UTF-8"),
    (["describe", "csv"], "'/' and a subtype, such as text/csv"),
    (["registry", "show", "XLSX"], "such as application/vnd.openxmlformats"),
    (["uri"], "Missing argument 'HEADER...'; see cturi uri --help"),
    (["uri", "--no-such-option"], "No such option '--no-such-option'; see cturi uri --help"),
    (["uri", "text"], "the subtype is missing"),
    (["header", "text/plain"], "not an absolute URI"),
    (["describe", "text"], "the subtype is missing"),
    (["describe", "text/csv", "--to", "docx"], "an unknown format"),
    (["annotate", "missing.ttl"], "missing.ttl: it cannot be read"),
    (["annotate", __file__], ".n3, or the option --from FORMAT"),
    (["annotate", EXAMPLE, "--from", "docx"], "an unknown format"),
    (["annotate", EXAMPLE, "-o", "out.xlsx"], "one of .ttl, .turtle, .trig"),
    (["annotate", EXAMPLE, "-o", "out.xlsx"], ".n3, or the option --to FORMAT"),
    (["registry", "export", "-o", "out.xlsx"], "the option --to FORMAT"),
    (["message", EXAMPLE, "-o", "out.xlsx"], "the option --to FORMAT"),
    (["check", __file__], "the option --from FORMAT"),
    (["check", EXAMPLE, "--json", "--format", "sarif"], "another report than --format sarif"),
    (["query", "types", __file__], "the option --from FORMAT"),
    (["query", "CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1", "-o", "out.xlsx"], "the option --to FORMAT"),
    (["query", "ASK {}", "--labels", os.devnull, "--as-is"], "--as-is reads no labels"),
    (["annotate", EXAMPLE, "-o", "missing/out.ttl"], "it cannot be written"),
    (["annotate", EXAMPLE, "--json"], "needs -o"),
    (["annotate", EXAMPLE, "--context", "x"], "is not IRI=FILE"),
    (["annotate", EXAMPLE, "--context", "x=missing"], "cannot be read"),
    (["headers", "missing.ttl"], "it cannot be read"),
]


@pytest.mark.parametrize(("arguments", "line"), REFUSED, ids=str)
def test_a_wrong_call_exits_with_2_and_one_line(
    cturi: Cturi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run = cturi(*arguments)
    assert (run.code, run.out) == (2, "")
    assert line in run.err
    assert run.err.startswith("cturi: ")
    assert run.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("group", [[], ["registry"]], ids=str)
def test_a_group_alone_shows_its_help_as_it_is(cturi: Cturi, group: list[str]) -> None:
    run = cturi(*group)
    assert (run.code, run.out) == (2, "")
    assert run.err == cturi(*group, "--help").out
    assert not any("..." in line for line in run.err.split("Options:")[1].splitlines())


def test_a_catalogue_without_labels_is_told_what_labels_are(
    cturi: Cturi, tmp_path: Path, write: Write
) -> None:
    source = write("plain.ttl", "<a:b> <a:c> <a:d> .")
    for command in (["annotate", source, "-o", tmp_path / "out.ttl"], ["headers", source]):
        said = cturi(*command).err
        assert "dct:format, dcat:mediaType, schema:encodingFormat or the like" in said


def test_what_a_pipe_gets_is_utf8_in_any_locale() -> None:
    for encoding in ("ascii", "latin-1", "utf-16"):
        environment = os.environ | {"PYTHONIOENCODING": encoding}
        run = python("-m", "cturi_rdf", "resolve", "Ω", env=environment, encoding="utf-8")
        assert run.stdout.startswith("Ω\tnothing")


def test_only_types_that_say_different_things_are_against_each_other(
    cturi: Cturi, write: Write
) -> None:
    source = write(
        "data.ttl",
        "@prefix dct: <http://purl.org/dc/terms/> ."
        ' <a:b> dct:format "text/csv; charset=utf-8", "text/csv", "image/png" .',
    )
    [found] = map(json.loads, cturi("headers", source, "--json").out.splitlines())
    assert found["conflicts"] == ["image/png", "text/csv"]
    assert len(found["evidence"]) == 3


@given(text=hostile_text)
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_argument_is_answered_or_refused(cturi: Cturi, text: str) -> None:
    if "\ud800" <= max(text, default="") <= "\udfff":
        return
    for command in ("uri", "header", "describe"):
        run = cturi(command, "--", text)
        assert run.code in {0, 2}
        assert "Traceback" not in run.err
        assert run.code == 0 or run.err.startswith("cturi: ")


def test_an_interrupt_and_a_closed_pipe_end_quietly(
    cturi: Cturi, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.cturi, "invoke", lambda _: interrupt())
    run = cturi("uri", "text/csv")
    assert (run.code, run.err.strip()) == (130, "cturi: interrupted")
    command = f"yes text/csv | head -20000 | {sys.executable} -m cturi_rdf uri - | head -1"
    pipe = shell(command)
    assert (pipe.stdout, pipe.stderr) == ("ContentType:text/csv\n", "")


def test_every_command_helps(cturi: Cturi) -> None:
    listed = cturi("--help").out
    for name in cli.cturi.list_commands(None):  # type: ignore[arg-type]
        assert f"  {name} " in listed
        assert cturi(name, "--help").out.startswith(f"Usage: cturi {name}")
    assert cturi("--version").out == f"cturi, version {__version__}\n"


def test_printing_the_version_loads_no_rdf_and_no_tables() -> None:
    loaded = python("-X", "importtime", "-m", "cturi_rdf", "--version").stderr
    assert "cturi_rdf.uri.mapping" in loaded
    assert "rdflib" not in loaded
    assert "rich" not in loaded


EXCEL = "application/vnd.ms-excel"
GUESSES = [
    # The statements about a file, the header, and how confident that is.
    ('dct:format "Excel"', EXCEL, "likely"),
    (f'dct:format "Excel" ; dcat:mediaType "{EXCEL}"', EXCEL, "certain"),
    # Only the guess contradicts the other label.
    ('dct:format "Excel" ; dcat:mediaType "text/csv"', None, "likely"),
    ('dct:format "CSV"', "text/csv", "certain"),
]


@pytest.mark.parametrize(("statements", "sent", "confidence"), GUESSES)
def test_a_header_that_rests_on_a_guess_is_marked(
    statements: str, sent: str | None, confidence: str, write: Write, cturi: Cturi
) -> None:
    file = write(
        "a.ttl",
        "@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .\n"
        f"<http://a.example/a> {statements} .",
    )
    for _ in range(2):
        run = cturi("headers", file)
        is_guess = sent is not None and confidence == "likely"
        assert (f"1 label guessed\n  'Excel': {sent}\n" in run.err) == is_guess
        header = json.loads(cturi("headers", "--json", file).out)
        assert (header["content_type"], header["confidence"]) == (sent, confidence)
        # The same line of the table by the other way of reading.
        assert cturi("headers", "--by-url", file).out == run.out
        cturi("annotate", "--in-place", file)


ENTITIES = {
    b"": "it is empty, so nothing shows an encoding; utf-8 is the default",
    b"\x89PNG\r\n": "it does not begin with <",
    b"\n<a/>": "",
    b"<?xml version='1.0'?><a/>": "",
    "<a/>".encode("utf-16-le"): "",
}


@pytest.mark.parametrize(("data", "remark"), ENTITIES.items(), ids=range(5))
def test_encoding_says_where_nothing_shows_one(
    cturi: Cturi, write: Write, data: bytes, remark: str
) -> None:
    path = write("a.xml", data)
    run = cturi("encoding", path)
    assert run.out.endswith("\tdefault\n") or not remark
    assert (remark in run.err) if remark else not run.err
    piped = cturi("encoding", "-", stdin=data)
    assert piped == run._replace(err=run.err.replace(str(path), "standard input"))


def test_the_encoding_of_a_file_is_in_its_beginning_and_the_rest_is_read_where_it_counts(
    cturi: Cturi, write: Write
) -> None:
    path = write("a.xml", "<?xml version='1.0' encoding='iso-8859-1'?><a/>")
    for options, code in (([], 0), (["--lint"], 2), (["--fragment", "a"], 2)):
        run = cturi("--limit", "document=20", "encoding", path, *options)
        assert run.code == code, run.err
        assert ("iso-8859-1" in run.out) == (code == 0)


def test_the_help_has_the_commands_in_groups_those_for_catalogues_first(cturi: Cturi) -> None:
    out = cturi("--help").out
    titles = ["Catalogues:", "Labels and types:", "Headers and URIs:", "Publishing:"]
    assert [line for line in out.splitlines() if line in titles] == titles
    for name in cli.cturi.list_commands(None):  # type: ignore[arg-type]
        assert f"\n  {name} " in out


@pytest.mark.parametrize("name", ["annotate", "check", "repair", "headers", "query"])
def test_the_help_of_a_command_fits_a_screen_and_the_whole_help_has_every_option(
    cturi: Cturi, name: str
) -> None:
    short, run = cturi(name, "--help").out, cturi(name, "--help-all")
    whole = run.out
    # The command itself would miss its arguments.
    assert (run.code, run.err) == (0, "")
    assert len(short.splitlines()) <= 40
    assert "--strict" not in short
    command = cli.cturi.get_command(None, name)  # type: ignore[arg-type]
    assert command
    options = [option for each in command.params for option in each.opts if option[:2] == "--"]
    assert [option for option in options if option not in whole] == []


def _command(name: str) -> click.Command:
    """Return a command by its words."""
    command: Any = cli.cturi
    for word in name.split():
        command = command.get_command(None, word)
        assert command
    return command  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_empty_name_of_an_output_is_refused_by_every_command(name: str) -> None:
    command = _command(name)
    # The patch of `edit` is read, not written.
    written = {"--output", "--descriptions", *(["--patch"] if name == "repair" else [])}
    for option in command.params:
        if written & set(option.opts):
            value = ("",) if option.multiple else ""
            with pytest.raises(click.BadParameter, match="an empty name"):
                option.process_value(click.Context(command), value)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_in_the_help_of_a_command_is_a_call_of_it(name: str) -> None:
    words = shlex.split(EXAMPLES[name].rpartition("| ")[2])
    called = name.split()
    assert words[: len(called) + 1] == ["cturi", *called]
    _command(name).make_context(name, words[len(called) + 1 :])


# They do not end, ask the network, or have tests of their own.
APART = {"lsp", "registry update", "selfcheck", "serve", "site"}


@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - APART))
def test_the_example_in_the_help_of_a_command_runs_on_the_files_of_the_examples(
    name: str, tmp_path: Path
) -> None:
    shutil.copytree(EXAMPLE.parent, tmp_path, dirs_exist_ok=True)
    # The name of the program alone, not that of the annotated file.
    run = shell(EXAMPLES[name].replace("cturi ", f"{' '.join(CTURI)} ", 1), tmp_path)
    assert run.returncode == (1 if name in {"check", "repair", "links"} else 0), run.stderr


def test_the_help_of_every_command_has_an_example() -> None:
    commands = cli.cturi.list_commands(None)  # type: ignore[arg-type]
    assert {name for name in EXAMPLES if " " not in name} == set(commands)
    of_registry = _command("registry").commands  # type: ignore[attr-defined]
    assert {f"registry {name}" for name in of_registry} == {n for n in EXAMPLES if " " in n}
