"""Labels of one's own, and the command `cturi resolve`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cturi_rdf.cli.mapping import resolve as command
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import Resolver, read_labels, resolve

if TYPE_CHECKING:
    from conftest import Cturi, Write


# -- labels of one's own ------------------------------------------------------------------

OWN = """# what our own people write

Bericht\tapplication/pdf
Paket 7\ttext/csv > application/zip\tas the office packs it
beides\ttext/csv|application/json
CSV\tservice
"""


def test_labels_of_ones_own_come_first() -> None:
    mine = Resolver(read_labels(OWN))
    assert mine.resolve("BERICHT").types == (ContentType("application", "pdf"),)
    assert mine.resolve("Paket-7").outer == ContentType("application", "zip")
    assert mine.resolve("Paket-7").reason == "as the office packs it"
    assert mine.resolve("beides").verdict == "several"
    assert (mine.resolve("csv").verdict, mine.resolve("csv").rule) == ("service", "own")
    assert mine.resolve("JSON") == resolve("JSON")


def test_a_label_that_its_owner_defines_as_nothing_says_who_says_so() -> None:
    meaning = Resolver(read_labels("diverse\tnothing\n")).resolve("diverse")
    assert (meaning.verdict, meaning.rule) == ("nothing", "own")
    assert meaning.reason == "Your own labels say that it names no format."


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\x1c", "\x0b"])
def test_a_row_ends_at_a_line_end_and_at_no_other_character(character: str) -> None:
    mine = Resolver(read_labels(f"Bericht{character}2\tapplication/pdf\r\nAkte\ttext/csv\r"))
    assert mine.resolve("Akte").types == (ContentType("text", "csv"),)
    assert mine.resolve(f"Bericht{character}2").types == (ContentType("application", "pdf"),)


@pytest.mark.parametrize("line", ["Bericht", "Bericht\t", "\ttext/csv", "Bericht\tPDF"])
def test_a_line_without_a_meaning_is_refused_with_the_line(line: str) -> None:
    with pytest.raises(CturiError, match=r"Bericht|text/csv|PDF"):
        read_labels(line)


# -- the command --------------------------------------------------------------------------


def test_the_command_prints_a_line_a_label() -> None:
    ran = CliRunner().invoke(command, ["Zipped CSV", "WMS"])
    assert ran.exit_code == 0
    first, second = ran.stdout.splitlines()
    assert first.startswith("Zipped CSV\tcompound\ttext/csv in application/zip\tprose, certain\t")
    assert second.startswith("WMS\tservice\t-\t")


def test_the_command_reads_lines_and_prints_json() -> None:
    ran = CliRunner().invoke(command, ["--json", "-"], input="csv\r\n\nWéird\tlabel\nZip")
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [answer["label"] for answer in answers] == ["csv", "", "Wéird\tlabel", "Zip"]
    assert answers[0] == {
        "label": "csv", "verdict": "media_type", "types": ["text/csv"], "outer": None,
        "wrappers": [], "services": [], "rule": "code", "confidence": "certain", "registered": True,
        "reason": "The EU's file type CSV is text/csv.",
        "qualities": [{
            "type": "text/csv", "machine_readable": True, "open": True, "archive": False,
            "coap": None,
        }],
    }  # fmt: skip


def test_the_command_takes_labels_of_ones_own(write: Write) -> None:
    table = write("labels.tsv", OWN)
    ran = CliRunner().invoke(command, ["--labels", str(table), "--json", "Bericht"])
    assert json.loads(ran.stdout)["types"] == ["application/pdf"]


def test_the_command_refuses_a_table_of_something_else(write: Write, cturi: Cturi) -> None:
    table = write("labels.tsv", "Bericht PDF")
    code, out, err = cturi("resolve", "--labels", table, "Bericht")
    assert (code, out) == (2, "")
    assert f"{table}: line 1: not a label and its meaning" in err


def test_a_meaning_that_is_no_type_is_refused_with_its_line() -> None:
    with pytest.raises(CturiError, match="line 2: the subtype is missing") as caught:
        read_labels("Karte\timage/png\nBericht\tpdf\n")
    assert "service, no_type or nothing" in caught.value.expected
    assert caught.value.text == "Bericht\tpdf"


def test_a_table_may_come_from_a_spreadsheet(write: Write) -> None:
    table = write("labels.tsv", "\ufeffBericht\tapplication/pdf\r\nKarte\timage/png\r\n".encode())
    mine = Resolver(read_labels(table.read_text("utf-8")))
    assert [mine.resolve(each).rule for each in ("Bericht", "Karte")] == ["own", "own"]
