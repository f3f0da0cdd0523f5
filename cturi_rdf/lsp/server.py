"""The language server: what an editor asks, answered by `texts`.

It speaks the Language Server Protocol 3.17 on standard input and output, by pygls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cturi_rdf import __version__
from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.profiles import profile_named
from cturi_rdf.errors import CturiError
from cturi_rdf.lsp import texts
from cturi_rdf.lsp.texts import Spot

if TYPE_CHECKING:
    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer
    from rdflib import Graph

    from cturi_rdf.lsp.texts import Remark
else:
    import_extra("pygls", "lsp")
    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer


_SOURCE = "cturi"
_SEVERITIES = {
    "Violation": lsp.DiagnosticSeverity.Error,
    "Warning": lsp.DiagnosticSeverity.Warning,
    "Info": lsp.DiagnosticSeverity.Information,
}


class Settings:
    """What the editor says when it starts: `profile`, and `shapes`, a list of files."""

    profile: str | None = None
    shapes: Graph | None = None

    def take(self, options: Any) -> None:
        """Take the settings of `initializationOptions`.  Raises `CatalogError`."""
        given = options if isinstance(options, dict) else {}
        name = given.get("profile")
        self.profile = profile_named(name).name if name else None
        files = given.get("shapes") or []
        if files:
            from cturi_rdf.reading.rdflib_graphs import read_graph

            self.shapes = read_graph(*files)


def new_server(settings: Settings) -> LanguageServer:
    """Return the server; `settings` are used until the editor sends others."""
    server = LanguageServer("cturi", __version__)
    remarks: dict[str, list[Remark]] = {}

    def look(uri: str) -> None:
        """Check the text of a file as it is now, and show the findings."""
        if not texts.is_known(uri):
            return
        text = server.workspace.get_text_document(uri)
        remarks[uri] = texts.remarks(uri, text.source, settings.profile, settings.shapes)
        server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                uri, [_diagnostic(uri, one) for one in remarks[uri]], text.version
            )
        )

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        if params.initialization_options:
            try:
                settings.take(params.initialization_options)
            except CturiError as error:
                # A message may be shown before the answer (LSP 3.17, "Initialize Request").
                kind = lsp.MessageType.Error
                server.window_show_message(lsp.ShowMessageParams(kind, error.summary))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        look(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        look(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        remarks.pop(params.text_document.uri, None)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        uri = params.text_document.uri
        return _hover(uri, server.workspace.get_text_document(uri).source, params.position)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]),
    )
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri, wanted = params.text_document.uri, params.range
        return [
            _action(uri, remark)
            for remark in remarks.get(uri, ())
            if remark.changes
            and remark.start <= _spot(wanted.end)
            and _spot(wanted.start) <= remark.end
        ]

    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["<", '"', "/"])
    )
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        text = server.workspace.get_text_document(params.text_document.uri).source
        return _completion(text, params.position)

    return server


def _hover(uri: str, text: str, position: lsp.Position) -> lsp.Hover | None:
    """Return what the label at a place means, and why."""
    meant = texts.meaning(uri, text, _spot(position)) if texts.is_known(uri) else None
    if meant is None:
        return None
    start, end, resolution = meant
    types = ", ".join(f"`{one}`" for one in resolution.types) or resolution.verdict
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, f"{types}\n\n{resolution.reason}")
    return lsp.Hover(content, _range(start, end))


def _completion(text: str, position: lsp.Position) -> lsp.CompletionList:
    """Return the values that fit at a place; the whole of what is typed is replaced."""
    values, start = texts.values(text, _spot(position))
    items = [
        lsp.CompletionItem(
            value.name,
            kind=lsp.CompletionItemKind.Value,
            detail=value.detail,
            # An editor compares what is typed with this.
            filter_text=f"{value.name} {value.iri}",
            text_edit=lsp.TextEdit(_range(start, _spot(position)), value.iri),
        )
        for value in values
    ]
    return lsp.CompletionList(is_incomplete=False, items=items)


def _spot(position: lsp.Position) -> Spot:
    return Spot(position.line, position.character)


def _range(start: Spot, end: Spot) -> lsp.Range:
    return lsp.Range(lsp.Position(*start), lsp.Position(*end))


def _diagnostic(uri: str, remark: Remark) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        _range(remark.start, remark.end),
        remark.message,
        severity=_SEVERITIES.get(remark.level, lsp.DiagnosticSeverity.Warning),
        code=remark.rule,
        source=_SOURCE,
        related_information=[
            lsp.DiagnosticRelatedInformation(lsp.Location(uri, _range(start, end)), name)
            for name, start, end in remark.parts
        ],
    )


def _action(uri: str, remark: Remark) -> lsp.CodeAction:
    edits = [lsp.TextEdit(_range(one.start, one.end), one.text) for one in remark.changes]
    return lsp.CodeAction(
        remark.title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(uri, remark)],
        edit=lsp.WorkspaceEdit({uri: edits}),
    )
