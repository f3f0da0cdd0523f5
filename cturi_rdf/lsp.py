"""The language server: findings, meanings and values of formats while a file is typed.

It speaks the Language Server Protocol 3.17 on standard input and output, by pygls.  Places are
lines and columns from 0; the editor says in which units it counts columns (LSP 3.17, Position).
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pyoxigraph as ox

from cturi_rdf import __version__
from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.check import check_file
from cturi_rdf.catalogue.evidence import evidence_of_label
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.catalogue.profiles import profile_named
from cturi_rdf.editing import EditError, locate
from cturi_rdf.editing.edit import plan
from cturi_rdf.errors import CturiError
from cturi_rdf.rdf.label_statements import understand
from cturi_rdf.rdf.terms import PROPERTIES
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import ReadOptions, format_of_file
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer
    from pygls.workspace import TextDocument
    from rdflib import Graph

    from cturi_rdf.catalogue.evidence import Reading
    from cturi_rdf.catalogue.findings import CheckReport, Finding, FindingPlace
    from cturi_rdf.editing import Span, Statement
    from cturi_rdf.reading.formats import Format
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
_LABELLED = frozenset(path.value for path in PROPERTIES)
_EU = "http://publications.europa.eu/resource/authority/file-type/"
_IANA = "https://www.iana.org/assignments/media-types/"
# A property before the cursor, and what may stand between it and its first value.
_BETWEEN = r"[\s\"'<:=\[]*(?:rdf:resource=[\"'])?$"
_FORMAT = re.compile(rf"\bformat{_BETWEEN}")
_MEDIA_TYPE = re.compile(rf"\b(?:mediaType|compressFormat|packageFormat|encodingFormat){_BETWEEN}")
# LSP 3.17, Text Documents: what ends a line, and nothing else does.
_LINE_END = re.compile(r"\r\n?|\n")
# What may be typed of a value: up to a quote, a bracket or a space before it.
_TYPED = re.compile(r"[^\s\"'<>,;\[\](){}=]*$")


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
    # What was found in each open file; the last look counts.
    reported: dict[str, list[Reported]] = {}

    def look(uri: str) -> None:
        """Check the text of a file as it is now, and show the findings."""
        document = server.workspace.get_text_document(uri)
        if _format_of(uri) is None:
            return
        reported[uri] = findings(document, settings)
        server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                uri, [one.diagnostic for one in reported[uri]], document.version
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
        reported.pop(params.text_document.uri, None)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return meaning(
            server.workspace.get_text_document(params.text_document.uri), params.position
        )

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]),
    )
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        wanted = params.range
        return [
            one.fix
            for one in reported.get(params.text_document.uri, ())
            if one.fix is not None
            and one.diagnostic.range.start <= wanted.end
            and wanted.start <= one.diagnostic.range.end
        ]

    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["<", '"', "/"])
    )
    def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        return values(server.workspace.get_text_document(params.text_document.uri), params.position)

    return server


class _Places:
    """The places of a text, as its editor counts."""

    def __init__(self, document: TextDocument) -> None:
        self._lines = _LINE_END.split(document.source)
        self._codec = document.position_codec

    def position(self, line: int, column: int) -> lsp.Position:
        """Return a place that counts from 1, in characters."""
        return self._codec.position_to_client_units(self._lines, lsp.Position(line - 1, column - 1))

    def before(self, position: lsp.Position) -> str:
        """Return what stands before a place in its line."""
        place = self._codec.position_from_client_units(self._lines, position)
        return self._lines[place.line][: place.character]


class Reported(NamedTuple):
    """A finding, and what mends it if anything does."""

    diagnostic: lsp.Diagnostic
    fix: lsp.CodeAction | None = None


def findings(document: TextDocument, settings: Settings) -> list[Reported]:
    """Return what is wrong in a text: the findings of a check, or why it cannot be read."""
    places = _Places(document)
    with TemporaryDirectory() as folder:
        # The check reads files, as often as it needs to.
        path = Path(folder, _name_of(document.uri))
        path.write_text(document.source, "utf-8", newline="")
        try:
            report = check_file(
                path, profile=settings.profile, shapes=settings.shapes, reading=ReadOptions()
            )
        except CatalogError as error:
            start = places.position(error.line or 1, error.column or 1)
            end = lsp.Position(start.line, start.character + 1)
            diagnostic = lsp.Diagnostic(
                lsp.Range(start, end),
                error.fault,
                severity=lsp.DiagnosticSeverity.Error,
                code="syntax",
                source=_SOURCE,
            )
            return [Reported(diagnostic)]
    return [
        _reported(document.uri, places, report, finding, place) for finding, place in report.placed
    ]


def _reported(
    uri: str, places: _Places, report: CheckReport, finding: Finding, place: FindingPlace
) -> Reported:
    def range_of(one: FindingPlace | Span) -> lsp.Range:
        start, end = (report.position(offset or 0) or (1, 1) for offset in (one.start, one.end))
        return lsp.Range(places.position(*start), places.position(*end))

    diagnostic = lsp.Diagnostic(
        range_of(place),
        finding.message(),
        severity=_SEVERITIES.get(finding.level, lsp.DiagnosticSeverity.Warning),
        code=finding.rule,
        source=_SOURCE,
        # The focus node, the path and the value of a result of shapes.
        related_information=[
            lsp.DiagnosticRelatedInformation(lsp.Location(uri, range_of(part)), name)
            for name, part in place.parts.items()
        ],
    )
    edits = _edits(places, report, place)
    if not edits:
        return Reported(diagnostic)
    title = f"Write {finding.write}" if finding.write else "Leave it out"
    if not any(change.removed for change in place.changes):
        title = "Add what is missing"
    fix = lsp.CodeAction(
        title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        edit=lsp.WorkspaceEdit({uri: edits}),
    )
    return Reported(diagnostic, fix)


def _edits(places: _Places, report: CheckReport, place: FindingPlace) -> list[lsp.TextEdit]:
    """Return the edits that make the changes of a finding; none where they cannot be made."""
    document = place.document or report.document
    if document is None:
        return []
    try:
        return [
            lsp.TextEdit(
                lsp.Range(
                    *(places.position(*document.position(at)) for at in (edit.start, edit.end))
                ),
                document.text(edit.text),
            )
            for edit in plan(document, place.changes)
        ]
    except EditError:
        return []


def meaning(document: TextDocument, position: lsp.Position) -> lsp.Hover | None:
    """Return what the label at a place means beside the others of its resource, and why."""
    places, form = _Places(document), _format_of(document.uri)
    if form is None:
        return None
    try:
        text = locate(document.source.encode(), form, base=document.uri, predicates=_LABELLED)
        statements = list(text.statements)
    except CatalogError:
        return None
    for statement in statements:
        value, span = statement.object, statement.object_span
        if span is None or isinstance(value, ox.BlankNode | ox.Triple):
            continue
        start, end = (places.position(*text.position(offset)) for offset in span)
        if start <= position <= end:
            beside = [one for one in statements if one.subject == statement.subject]
            content = _meaning_beside(statement, beside)
            markdown = lsp.MarkupContent(lsp.MarkupKind.Markdown, content)
            return lsp.Hover(markdown, lsp.Range(start, end))
    return None


def _meaning_beside(label: Statement, others: Iterable[Statement]) -> str:
    """Return the types and the reason of a label, given all labels of its resource."""
    resolution = understand(label.object).resolution
    evidence = {
        (one.predicate, one.object): evidence_of_label(one.predicate.value, understand(one.object))
        for one in others
    }
    judgement = judge(evidence.values())
    own = evidence[label.predicate, label.object]
    chosen = dict(zip(judgement.evidence, judgement.chosen, strict=True)).get(own)
    is_certain = chosen is not None and chosen.confidence == "certain"
    readings = [chosen] if chosen and is_certain else own.readings
    types = " or ".join(filter(None, map(_types_of, readings))) or resolution.verdict
    is_settled = is_certain and resolution.confidence == "likely"
    return f"{types}\n\n{resolution.reason}{' Another label says which.' if is_settled else ''}"


def _types_of(reading: Reading) -> str:
    contents = ", ".join(f"`{one}`" for one in reading.contents)
    return contents + "".join(f" in `{one}`" for one in reversed(reading.wrappers))


def values(document: TextDocument, position: lsp.Position) -> list[lsp.CompletionItem]:
    """Return the values that fit at a place; the whole of what is typed is replaced.

    These are the EU's file types for a format, and IANA's types for a media type.
    """
    places = _Places(document)
    before = places.before(position)
    typed = _TYPED.search(before)
    begin = before[: typed.start()] if typed else before
    if _FORMAT.search(begin):
        fitting = [
            (_EU + one.code, one.code, ", ".join((one.label, *one.types)))
            for one in registry().eu_file_types()
            if not one.service
        ]
    elif _MEDIA_TYPE.search(begin):
        essences = [one.essence for one in registry().media_types()]
        fitting = [(_IANA + essence, essence, "IANA") for essence in essences]
    else:
        return []
    whole = lsp.Range(places.position(position.line + 1, len(begin) + 1), position)
    return [
        lsp.CompletionItem(
            name,
            kind=lsp.CompletionItemKind.Value,
            detail=detail,
            # An editor compares what is typed with this.
            filter_text=f"{name} {iri}",
            text_edit=lsp.TextEdit(whole, iri),
        )
        for iri, name, detail in fitting
    ]


def _name_of(uri: str) -> str:
    """Return the name of the file that a URI is of.

    >>> _name_of("file:///a%20b/c.ttl")
    'c.ttl'
    """
    return unquote(urlsplit(uri).path).rpartition("/")[2]


def _format_of(uri: str) -> Format | None:
    """Return the format of RDF that the name of a file tells, if any."""
    try:
        return format_of_file(_name_of(uri))
    except CatalogError:
        return None
