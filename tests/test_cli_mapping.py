"""The commands that map Content-Types to URIs and back: uri, header and convert."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from processes import PATIENCE

from cturi_rdf import ContentType

if TYPE_CHECKING:
    from conftest import Cturi

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("mapping.json").read_text("utf-8"))
CTURI = [sys.executable, "-m", "cturi_rdf"]


@pytest.mark.parametrize("row", VECTORS["content_type_to_uri"], ids=lambda row: row["content_type"])
def test_uri_prints_the_uri_of_a_content_type(cturi: Cturi, row: dict[str, str]) -> None:
    assert cturi("uri", row["content_type"]) == (0, row["iri"] + "\n", "")
    draft = cturi("uri", "--spelling", "draft", "--", row["content_type"])
    assert draft == (0, row["draft"] + "\n", "")


@pytest.mark.parametrize("row", VECTORS["uri_to_content_type"], ids=lambda row: row["uri"])
def test_header_prints_the_content_type_of_a_uri(cturi: Cturi, row: dict[str, str]) -> None:
    run = cturi("header", row["uri"])
    assert run == (0, f"{ContentType.parse(row['content_type'])}\n", "")
    assert cturi("header", f"<{row['uri']}>").code == 0


def test_lines_come_from_a_pipe_and_every_bad_one_is_named(cturi: Cturi) -> None:
    run = cturi("uri", "-", stdin="\ufefftext/csv\r\nno type\ntext/html\n")
    assert (run.code, run.out) == (2, "ContentType:text/csv\nContentType:text/html\n")
    assert run.err.startswith(
        "cturi: 2: the subtype is missing at character 4 of 'no type': expected"
    )
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "place"), [(["no type"], ""), (["text/csv", "no type"], "2: ")]
)
def test_a_bad_argument_is_named_by_its_number_unless_it_is_the_only_one(
    cturi: Cturi, arguments: list[str], place: str
) -> None:
    assert cturi("uri", *arguments).err.startswith(f"cturi: {place}the subtype is missing")


def test_convert_tells_a_uri_from_a_content_type_and_prints_the_way_back(cturi: Cturi) -> None:
    # A shell of Windows begins what it pipes with a byte order mark.
    lines = '\ufefftext/plain; charset="us-ascii"\n\nContentType:image/jpeg\n'
    run = cturi("convert", stdin=lines)
    assert run == (
        0,
        (
            "Content-Type: text/plain; charset=us-ascii\n"
            "    <ContentType:text/plain?charset=%22us-ascii%22>\n"
            "Content-Type: text/plain; charset=us-ascii\n\n"
            "<ContentType:image/jpeg>\n"
            "    Content-Type: image/jpeg\n"
            "<ContentType:image/jpeg>\n\n"
        ),
        "",
    )


# The options, a line, and the output for it.
CONVERTED = [
    # The draft's own example of section 2.3 is a round trip, in the draft's spelling.
    (
        [], 'application/uri.http%3A%2F%2Fa%3Ab%40c.text%2Fx%2Fy; URI-fragment="z%25z"',
        ["application/uri.http%3A%2F%2Fa%3Ab%40c.text%2Fx%2Fy; URI-fragment=z%25z",
         "http://a:b@c.text/x/y#z%z",
         "application/uri.http%3A%2F%2Fa%3Ab%40c.text%2Fx%2Fy; URI-fragment=z%25z"],
    ),
    (
        ["--control", "ignore"], "a:b?MIME-type=text/csv",
        ["a:b?MIME-type=text/csv", "application/uri.a%3Ab; MIME-type=text%2Fcsv",
         "a:b?MIME-type=%22text/csv%22"],
    ),
    (
        ["--control", "ignore"], "text/csv; URI-body=a%3Ab",
        ["text/csv; URI-body=a%3Ab", "ContentType:text/csv?uri-body=%22a%253Ab%22",
         "text/csv; URI-body=a%3Ab"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("options", "line", "printed"), CONVERTED)
def test_convert_takes_the_options_of_the_mapping(
    cturi: Cturi, options: list[str], line: str, printed: list[str]
) -> None:
    run = cturi("convert", *options, stdin=line)
    lines = [
        each.strip().strip("<>").removeprefix("Content-Type: ") for each in run.out.split("\n")
    ]
    assert (run.code, [each for each in lines if each]) == (0, printed)


def test_controlled_mapping_can_be_switched_off_in_both_directions(cturi: Cturi) -> None:
    uri = "mailto:joe@blow.test?MIME-type=text/html"
    assert cturi("header", uri).out == "text/html; URI-body=mailto%3Ajoe%40blow.test\n"
    run = cturi("header", "--control", "ignore", uri)
    assert run.out == "application/uri.mailto%3Ajoe%40blow.test; MIME-type=text%2Fhtml\n"
    header = "text/html; URI-body=a%3Ab"
    assert cturi("uri", header).out == "a:b?MIME-type=%22text/html%22\n"
    run = cturi("uri", "--control", "ignore", header)
    assert run.out == "ContentType:text/html?uri-body=%22a%253Ab%22\n"


def test_convert_shows_what_is_wrong_and_goes_on(cturi: Cturi) -> None:
    run = cturi("convert", "-", stdin="nonsense\n<mailto:a@b.example>\n")
    assert run.code == 2
    assert "        ^ expected '/' and a subtype (RFC 2045 section 5.1)" in run.out
    assert "Content-Type: application/uri.mailto%3Aa%40b.example" in run.out
    assert cturi("convert", "text/csv").err == (
        "cturi: convert reads lines, not 'text/csv'; pipe them in\n"
    )


def test_json_has_every_character_as_it_is(cturi: Cturi) -> None:
    for command in (("header", "http://a.example/\u00e9"), ("resolve", "fichier donn\u00e9es")):
        run = cturi(*command, "--json")
        assert "\u00e9" in run.out + run.err
        assert "\\u00e9" not in run.out


def test_json_has_both_sides_of_the_mapping(cturi: Cturi) -> None:
    pair = {"content_type": "text/csv", "uri": "ContentType:text/csv"}
    for command, given in (("uri", "Text/CSV"), ("header", "ContentType:text/csv")):
        assert json.loads(cturi(command, "--json", given).out) == pair


def test_quit_in_a_pipe_is_a_line_like_any_other(cturi: Cturi) -> None:
    assert "expected '/'" in cturi("convert", stdin="quit\n").out


def test_convert_prompts_until_quit_is_entered() -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    with subprocess.Popen([*CTURI, "convert"], stdin=slave, stdout=subprocess.PIPE) as process:
        os.close(slave)
        # Who typed a wrong line has seen it.
        os.write(master, b"text/csv\nnonsense\nquit\n")
        out, _ = process.communicate(timeout=PATIENCE)
    os.close(master)
    assert process.returncode == 0
    assert out.decode().startswith("Type a Content-Type, a URI, or 'quit'.")
    assert "<ContentType:text/csv>" in out.decode()
