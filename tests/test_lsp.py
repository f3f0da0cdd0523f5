"""The language server, asked by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import pytest
from processes import PATIENCE

pytest.importorskip("pygls")
pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol import types as lsp  # noqa: E402 - after the check that it is there
from pygls.workspace import TextDocument  # noqa: E402

from cturi_rdf.lsp import Settings, findings, meaning, values  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from conftest import Cturi
    from pytest_lsp import LanguageClient

URI = "file:///catalogue.ttl"
TEXT = """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
# 😀 the file
<http://a.example/d> a dcat:Distribution ; dct:title "😀" ; dct:format "CSV" ;
  dcat:mediaType "nonsense" .
"""


RIGHT = "<https://www.iana.org/assignments/media-types/text/csv>"


def spot_of(text: str, part: str) -> lsp.Position:
    """Return where a part of a text begins, in units of UTF-16."""
    before = text[: text.index(part)]
    line = before.rpartition("\n")[2]
    return lsp.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def asked(
    question: Callable[[LanguageClient], Awaitable[Any]],
    options: dict[str, Any] | None = None,
    units: lsp.PositionEncodingKind = lsp.PositionEncodingKind.Utf16,
) -> Any:
    """Return the answer to a question that a client asks a server of its own."""

    async def session() -> Any:
        client = pytest_lsp.make_test_lsp_client()
        await client.start_io(sys.executable, "-m", "cturi_rdf", "lsp")
        try:
            capabilities = pytest_lsp.client_capabilities("visual-studio-code")
            capabilities.general.position_encodings = [units]
            await client.initialize_session(
                lsp.InitializeParams(capabilities, initialization_options=options)
            )
            answer = await question(client)
            await client.shutdown_session()
            return answer
        finally:
            await client.stop()

    return asyncio.run(asyncio.wait_for(session(), PATIENCE))


async def opened(client: LanguageClient, text: str = TEXT, uri: str = URI) -> list[lsp.Diagnostic]:
    """Open a text, and return the findings that come."""
    item = lsp.TextDocumentItem(uri, "turtle", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[uri])


def test_findings_come_while_a_text_is_typed() -> None:
    async def question(client: LanguageClient) -> Any:
        first = await opened(client)
        change = lsp.TextDocumentContentChangeWholeDocument(TEXT.replace('"nonsense"', RIGHT))
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(2, URI), [change])
        )
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return first, list(client.diagnostics[URI])

    first, second = asked(question)
    at = spot_of(TEXT, '"nonsense"')
    [found] = [one for one in first if one.range.start == at]
    assert found.range.end == lsp.Position(at.line, at.character + len('"nonsense"'))
    assert (found.source, found.severity) == ("cturi", lsp.DiagnosticSeverity.Error)
    assert "names a format" in found.message
    assert not any(one.range.start == at for one in second)


def test_a_line_ends_where_the_protocol_says_so_and_nowhere_else() -> None:
    text = TEXT.replace("# 😀 the file", "# \u2028 \x0b \x85 the file")
    found = [one.diagnostic for one in findings(TextDocument(URI, text), Settings())]
    [found] = [one for one in found if "names a format" in one.message]
    assert found.range.start == lsp.Position(3, text.splitlines()[-1].index('"nonsense"'))


def test_columns_are_counted_in_the_units_that_the_editor_asks_for() -> None:
    found = asked(opened, units=lsp.PositionEncodingKind.Utf8)
    line = TEXT.splitlines()[2].encode()
    assert any(one.range.start == lsp.Position(2, line.index(b'"CSV"')) for one in found)


def test_what_cannot_be_read_is_a_finding_at_its_place() -> None:
    [found] = asked(lambda client: opened(client, "<a:a> <a:b> .\n"))
    assert (found.code, found.range.start.line) == ("syntax", 0)


def test_a_label_says_what_it_means_and_why() -> None:
    async def question(client: LanguageClient) -> Any:
        await opened(client)
        position, document = spot_of(TEXT, '"CSV"'), lsp.TextDocumentIdentifier(URI)
        return await client.text_document_hover_async(lsp.HoverParams(document, position))

    hover = asked(question)
    assert hover.contents.value == "`text/csv`\n\nThe EU's file type CSV is text/csv."
    assert hover.range.start == spot_of(TEXT, '"CSV"')


@pytest.mark.parametrize(("labels", "types"), [
    ('"Excel"', "`application/vnd.ms-excel` or `{openxml}`"),
    ('"Excel", "XLSX"', "`{openxml}`"),
    ('"Excel", "CSV"', "`application/vnd.ms-excel` or `{openxml}`"),
    ('"Zipped CSV"', "`text/csv` in `application/zip`"),
    ('"CSV, JSON"', "`text/csv`, `application/json`"),
    ('"WMS"', "service"),
    ('"flurbel"', "nothing"),
])  # fmt: skip
def test_a_label_means_what_it_means_beside_the_others(labels: str, types: str) -> None:
    text = f"@prefix dct: <http://purl.org/dc/terms/> . <a:d> dct:format {labels} ."
    hover = meaning(TextDocument(URI, text), spot_of(text, labels))
    assert hover is not None
    openxml = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert hover.contents.value.split("\n")[0] == types.format(openxml=openxml)


def fixes(client: LanguageClient, part: str, text: str) -> Awaitable[Any]:
    position = spot_of(text, part)
    return client.text_document_code_action_async(
        lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(URI),
            lsp.Range(position, position),
            lsp.CodeActionContext([]),
        )
    )


def test_a_profile_has_quick_fixes_of_a_repair() -> None:
    async def question(client: LanguageClient) -> Any:
        await opened(client)
        return await fixes(client, '"CSV"', TEXT)

    action, added = asked(question, {"profile": "dcat-ap"})
    assert (action.title.split()[0], added.title) == ("Write", "Add what is missing")
    [edit] = action.edit.changes[URI]
    assert edit.new_text == "<http://publications.europa.eu/resource/authority/file-type/CSV>"
    assert edit.range.start == spot_of(TEXT, '"CSV"')


def test_a_file_of_another_kind_has_neither_findings_nor_meanings() -> None:
    place = spot_of(TEXT, "CSV")
    for name, is_known in (("a.ttl", True), ("a.txt", False)):
        document = TextDocument(f"file:///{name}", TEXT)
        assert (meaning(document, place) is not None) == is_known
    assert meaning(TextDocument(URI, TEXT), spot_of(TEXT, "# ")) is None
    assert meaning(TextDocument(URI, "<a> <b"), place) is None


def test_a_closed_file_has_no_quick_fixes() -> None:
    async def question(client: LanguageClient) -> list[int]:
        [finding, *_] = await opened(client, TEXT.replace('"nonsense"', '"text/csv"'))
        document = lsp.TextDocumentIdentifier(URI)
        wanted = lsp.CodeActionParams(document, finding.range, lsp.CodeActionContext([finding]))
        counts = []
        for _ in range(2):
            actions = await client.text_document_code_action_async(wanted)
            counts.append(len(actions or []))
            client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
        return counts

    before, after = asked(question, {"profile": "dcat-ap"})
    assert before > after == 0


def test_an_unknown_profile_is_an_error_of_the_command(cturi: Cturi) -> None:
    run = cturi("lsp", "--profile", "x")
    assert run.code == 2
    assert run.err.startswith("cturi: x: an unknown profile; expected one of croissant-1.0, ")


def test_an_editor_shows_that_the_profile_it_sent_is_unknown() -> None:
    async def question(client: LanguageClient) -> Any:
        return await opened(client), client.messages

    found, [shown] = asked(question, {"profile": "x"})
    assert found
    assert shown.type == lsp.MessageType.Error
    assert shown.message.startswith("x: an unknown profile; expected one of croissant-1.0, ")


SHAPES = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://e.example/> .
ex:S a sh:NodeShape ; sh:targetClass ex:Book ; sh:property [ sh:path ex:in ; sh:in ( ex:de ) ] ."""
BOOK = '@prefix ex: <http://e.example/> .\nex:a a ex:Book ; ex:in "DE" .\n'


def test_shapes_have_quick_fixes_too(tmp_path: Path) -> None:
    pytest.importorskip("pyshacl")
    shapes = tmp_path / "shapes.ttl"
    shapes.write_text(SHAPES)

    async def question(client: LanguageClient) -> Any:
        return await opened(client, BOOK), await fixes(client, '"DE"', BOOK)

    [found], [action] = asked(question, {"shapes": [str(shapes)]})
    related = {one.message: one.location.range.start for one in found.related_information}
    places = {"focus node": "ex:a a", "path": "ex:in", "value": '"DE"'}
    assert related == {name: spot_of(BOOK, text) for name, text in places.items()}
    assert [edit.new_text for edit in action.edit.changes[URI]] == ["ex:de"]


def test_values_are_offered_where_a_format_is_typed() -> None:
    text = TEXT.replace('"CSV"', "<CS")

    async def question(client: LanguageClient) -> Any:
        await opened(client, text)
        start = spot_of(text, "CS ")
        position = lsp.Position(start.line, start.character + 2)
        return await client.text_document_completion_async(
            lsp.CompletionParams(lsp.TextDocumentIdentifier(URI), position)
        )

    by_name = {item.label: item for item in asked(question)}
    edit = by_name["CSV"].text_edit
    assert edit.new_text == "http://publications.europa.eu/resource/authority/file-type/CSV"
    assert edit.range.start == spot_of(text, "CS ")
    assert "text/csv" in by_name["CSV"].detail


# A text up to the cursor, and a value that is offered there, if any.
TYPED = [
    ("a dct:format ", "CSV"),
    ('{"dct:format": "', "CSV"),
    ("dcat:mediaType <", "text/csv"),
    ('"mediaType": "tex', "text/csv"),
    ('<dct:format rdf:resource="', "CSV"),
    ("dct:title ", None),
    ("dct:format ; ", None),
]


@pytest.mark.parametrize(("text", "name"), TYPED)
def test_the_property_before_the_cursor_decides_which_values_fit(
    text: str, name: str | None
) -> None:
    offered = values(TextDocument(URI, text), lsp.Position(0, len(text)))
    assert (name in {value.label for value in offered}) if name else not offered
