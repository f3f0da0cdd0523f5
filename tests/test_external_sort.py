"""Bringing together the evidence of every resource, sorted by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cturi_rdf._util import temporary
from cturi_rdf._util.temporary import EvidenceByName, SideTable
from cturi_rdf.catalogue import HeaderStream, headers_of_file
from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from pathlib import Path

    from cturi_rdf.catalogue.header import Header


@pytest.mark.parametrize("united", [1, 3, 64])
@pytest.mark.parametrize("in_memory", [1, 20, 49, 50, 51, 1_000])
def test_what_is_said_of_resources_is_brought_together_by_name(
    monkeypatch: pytest.MonkeyPatch, in_memory: int, united: int
) -> None:
    monkeypatch.setattr(temporary, "_IN_MEMORY", in_memory)
    monkeypatch.setattr(temporary, "_REMEMBERED", 4)
    monkeypatch.setattr(temporary, "_UNIONS", 4)
    monkeypatch.setattr(temporary, "_NAMES", 7)
    monkeypatch.setattr(temporary, "_UNITED", united)
    expected: dict[bytes, set[str]] = {}
    with EvidenceByName() as gathering:
        for number in range(500):
            name, text = f"a:{number * 7 % 50}".encode(), str(number % 9)
            gathering.add([name], (("p", text, "h"),))
            expected.setdefault(name, set()).add(text)
        found = list(gathering)
        assert found == list(gathering)
    assert [name for name, _ in found] == sorted(expected)
    for name, statements in found:
        assert statements == tuple(sorted(("p", text, "h") for text in expected[name]))


def test_nothing_is_gathered_of_nothing() -> None:
    with EvidenceByName() as gathering:
        assert list(gathering) == []


def test_evidence_of_the_same_texts_has_one_number_whatever_objects_they_are() -> None:
    text = "".join("CSV")
    with EvidenceByName() as gathering:
        shared, apart = (((text, one),) for one in (text, "".join("CSV")))
        assert gathering._numbered(shared) == gathering._numbered(apart)


FORMAT = "<http://purl.org/dc/terms/format>"
URL = "<http://www.w3.org/ns/dcat#downloadURL>"


def test_names_that_are_not_plain_are_printed_as_they_can_be(tmp_path: Path) -> None:
    source = tmp_path / "in.nt"
    names = ["a:plain", "a:\\u0062", "a:b", "a:é", "a:\\u00e9", "a:\\u200Bzero"]
    lines = [f'<{name}> {FORMAT} "CSV" .\n' for name in names]
    url = "<http://www.w3.org/ns/dcat#downloadURL>"
    lines += [f'_:b {FORMAT} "JSON" .\n', f'_:b {url} "http://a.example/\\t\\\\x" .\n']
    lines += [f'_:c {FORMAT} "CSV", "JSON" .\n'.replace(", ", f" .\n_:c {FORMAT} ")]
    source.write_text("".join(lines), "utf-8")
    without_header: list[tuple[Header, int]] = []
    printed = HeaderStream(str(source), lambda *one: without_header.append(one))
    text = "".join(printed)
    real = ["b", "plain", "é", "\u200bzero"]
    lines = [f"{visible(f'a:{name}')}\ttext/csv" for name in real]
    lines += [visible("http://a.example/\t\\x") + "\tapplication/json"]
    assert sorted(text.splitlines()) == sorted(lines)
    assert printed.resources == 6
    assert [(header.name, number) for header, number in without_header] == [("_:c", 1)]
    found = {str(each.name) for each in headers_of_file(str(source))}
    assert {"a:b", "a:é", "http://a.example/\t\\x", "_:c"} <= found


def test_the_name_of_a_blank_node_keeps_a_bracket(tmp_path: Path) -> None:
    source = tmp_path / "in.nt"
    title = "<http://purl.org/dc/terms/title>"
    source.write_text(f'_:b {FORMAT} "CSV" .\n_:b {title} "<b> data" .\n')
    assert "".join(HeaderStream(source)) == "<b> data\ttext/csv\n"


def test_resources_of_one_name_come_in_one_order(tmp_path: Path) -> None:
    source = tmp_path / "in.ttl"
    types = ["text/csv", "application/json", "text/html", "image/png", "text/csv"]
    nodes = "".join(f'[] {FORMAT} "{one}" ; {URL} <http://a.example/x> .\n' for one in types)
    source.write_text(nodes, "utf-8")
    orders = {
        tuple(str(header.content_type) for header in headers_of_file(str(source), urls=True))
        for _ in range(5)
    }
    assert len(orders) == 1
    assert sorted(orders.pop()) == sorted(types)


@pytest.mark.parametrize(("number", "are_few"), [(2, True), (3, False)])
def test_few_values_are_remembered_so_that_only_their_descriptions_are_stored(
    monkeypatch: pytest.MonkeyPatch, number: int, *, are_few: bool
) -> None:
    monkeypatch.setattr(temporary, "FEW_NODES", 2)
    values = [b"_:%d" % each for each in range(number)]
    with SideTable() as table:
        table.put_statements((value, b"", b"", b"") for value in values * 2)
        assert table.values() == ({hash(value) for value in values} if are_few else None)
