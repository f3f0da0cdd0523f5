"""Annotating a catalogue: its own text with edits, or the same in another syntax."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from os import fspath
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import BESIDE, TELLING
from cturi_rdf.catalogue.labels import EDITABLE, IllTypedLiterals, labelled, located, report_of
from cturi_rdf.catalogue.links import LINKS, OUR_PREFIXES, Links, counted, orphans, unlinked
from cturi_rdf.catalogue.meaning import Adding, FileOptions
from cturi_rdf.editing import EditError, Statement
from cturi_rdf.editing.document import unlocated
from cturi_rdf.editing.edit import apply, pieces, plan
from cturi_rdf.editing.law import check
from cturi_rdf.editing.rewrite import rewrite
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.label_statements import DESCRIBED_BY
from cturi_rdf.rdf.terms import PROPERTIES, RDF
from cturi_rdf.reading.atomic import expect_apart, packing, replacing, same_file, write_whole
from cturi_rdf.reading.errors import CatalogError, no_triples
from cturi_rdf.reading.formats import ReadOptions, compression_named, format_named, format_of_file
from cturi_rdf.reading.read import QuadDocument, expect_valid
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import DOCUMENT
from cturi_rdf.reading.writable import Writable, readable

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from os import PathLike

    from cturi_rdf.catalogue.report import FileReport
    from cturi_rdf.editing import Document
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.reading.formats import Format
    from cturi_rdf.reading.source import Source
    from cturi_rdf.uri.mapping import Control


# The size of a file whose changes are kept in memory.
_LARGE = 32 << 20
_BESIDE = {path.value: test for path, test in TELLING.items()}
# Every annotated file contains this.
_OURS = b"w3id.org/cturi"


def annotate_file(  # noqa: PLR0913 - what the command line has too
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    reading: ReadOptions = ReadOptions(),
    to: str | None = None,
    base: str | None = None,
    adding: Adding | None = None,
    descriptions: str | PathLike[str] | None = None,
    control: Control = "honour",
    dcat: bool = False,
) -> FileReport:
    """Write a catalogue with the meanings of its labels; `target` may be the catalogue itself.

    Both are paths, or ``-``, and may be compressed.  `reading` says how to read the source, `to` is
    the name of the format to write, where that of the target does not tell it.  If the target has
    the format of the source, the text is kept and statements are added to it; in another format all
    statements are written anew, with relative IRIs made absolute by `base` where the format needs
    that.  `adding` says what to add, by default the links alone; the descriptions of labels and
    types go to the file `descriptions` if one is given, by default all of them.  Files are written
    whole or not at all, and a file in which nothing changes is not written.  A lone
    surrogate in JSON is read as U+FFFD, unless `reading` is strict.  A label that stands for a URI
    gets a link to it, or with ``control="ignore"`` one to its ``ContentType:`` URI; nothing is ever
    said about somebody else's URI (draft-eastlake-cturi, section 6).  With `dcat` a link is one of
    DCAT's own properties where DCAT can express it.  Raises `CatalogError`.
    """
    target = fspath(target)
    if descriptions is not None:
        expect_apart(fspath(descriptions), fspath(source), target)
    described: dict[Triple, None] = {}
    options = FileOptions(
        adding or (Adding.LINKS if descriptions is None else Adding.ALL),
        reading.resolver or resolve,
        base,
        None if descriptions is None else described.setdefault,
        control,
        dcat=dcat,
    )
    with open_source(source, reading) as file:
        report = _Annotation(file, target, options).run(_format(file, target, to))
    if descriptions is not None:
        _write_descriptions(fspath(descriptions), described)
    return report


def _format(source: Source, target: str, to: str | None) -> Format:
    """Return the format to write: the given one, or that of the target, or that of the source.

    A file that is written over itself keeps its format, whatever its name says.
    """
    if to is not None:
        return format_named(to)
    if target != "-":
        if same_file(source.name, target):
            return source.format
        return format_of_file(target)
    return format_named("turtle") if source.format.name == "n3" else source.format


def _write_descriptions(target: str, triples: Iterable[Triple]) -> None:
    form = format_named("turtle") if target == "-" else format_of_file(target)
    quads = (ox.Quad(*triple) for triple in sorted(triples, key=lambda triple: str(triple[0])))
    content = ox.serialize(quads, format=form.oxigraph, prefixes=OUR_PREFIXES) or b""
    write_whole(target, content, readable(form, target))


class _Annotation:
    """One file being annotated."""

    def __init__(self, source: Source, target: str, options: FileOptions) -> None:
        self._source = source
        self._target = target
        self._options = options

    def run(self, written: Format) -> FileReport:
        """Write the file in a format."""
        source = self._source
        same = written.name == source.format.name
        if (
            source.format.by_lines
            and not self._options.dcat
            and written.by_lines
            and written.datasets >= source.format.datasets
        ):
            report = self._by_lines()
            if report:
                return report
        if not same or source.format.name not in EDITABLE:
            return convert(source, self._target, written, self._options)
        try:
            return self._by_edits()
        except CatalogError:
            # The parser of the whole file gives the best error.
            expect_valid(source)
            raise

    def _by_lines(self) -> FileReport | None:
        """Add lines to lines, if the file has not been annotated before."""
        from cturi_rdf.catalogue.lines import AnnotatedBeforeError, annotate_lines

        compression = compression_named(self._target)
        try:
            with replacing(self._target, at_once=False) as file:
                report = annotate_lines(
                    self._source, file, self._options, compression.pack if compression else None
                )
                self._source.check()
        except AnnotatedBeforeError:
            return None
        return report

    def _by_edits(self) -> FileReport:
        options = self._options
        document, labelled = located(
            self._source, (*LINKS, *BESIDE), tests=_BESIDE, unplaced=BESIDE
        )
        literals, by_lines = IllTypedLiterals(), document.format.by_lines
        if by_lines or not labelled.labels.counts:
            # Of a file of lines the law below reads only the lines with edits.
            expect_valid(self._source, literals.watch)
        report = report_of(labelled, document)
        if document.format.name == "json-ld":
            from cturi_rdf.reading.json_scan import without_halves

            report.halves = without_halves(document.data)[1]
        understood = map(labelled.meanings.of, labelled.labels.values)
        wanted = options.descriptions(understood)
        descriptions = tuple(self._missing(document, wanted))
        changes: Iterable[Change] = Links(
            labelled.statements, labelled.labels, labelled.meanings.of, options, descriptions
        )
        # The changes of a large file take more memory than its text, and are made again.
        if len(document.data) < _LARGE:
            changes = list(changes)
        try:
            edits = plan(document, counted(changes, report))
        except EditError as error:
            return self._anew(error.problem, error.line, error.column)
        check(document, edits, changes, watch=iter if by_lines else literals.watch)
        report.ill_typed = literals.result(self._source)
        self._source.check()
        if not edits and same_file(self._source.name, self._target):
            return report
        nodes = unlinked(changes) if labelled.labels.others else []
        with packing(self._target) as file:
            if nodes:
                file.write(self._without_orphans(nodes, wanted, apply(document.data, edits)))
            else:
                file.writelines(pieces(document.data, edits))
            self._source.check()
        return report

    def _without_orphans(self, nodes: list[Term], wanted: Container[Triple], data: bytes) -> bytes:
        """Return a text without what we said of nodes to which nothing refers any more."""
        source = self._source
        document_of = partial(
            unlocated, format=source.format, base=DOCUMENT, name=source.name, reading=source.reading
        )

        def kept(quads: set[ox.Quad]) -> set[ox.Quad]:
            return quads - orphans(nodes, quads, self._options, wanted)

        try:
            return rewrite(data, document_of, kept).text
        except EditError:
            return data

    def _anew(self, problem: str, line: int | None = None, column: int | None = None) -> FileReport:
        """Write a file that has no place for additions anew; refuse to write it over itself."""
        source = self._source
        if same_file(source.name, self._target):
            expected = "-o with the name of another file"
            raise CatalogError(problem, source.name, expected, line, column)
        return convert(source, self._target, source.format, self._options)

    def _missing(self, document: Document, wanted: Iterable[Triple]) -> Iterable[ox.Quad]:
        """Return those descriptions of labels and types that the file does not have yet."""
        missing = {ox.Quad(*triple): None for triple in wanted}
        if missing and _OURS in document.data:
            for quad in QuadDocument(self._source):
                missing.pop(quad, None)
        return missing


# The properties that only describe a node; their values are no labels of resources.
_DESCRIBING = frozenset(DESCRIBED_BY).difference(PROPERTIES, LINKS, {RDF.type})


def convert(source: Source, target: str, form: Format, options: FileOptions) -> FileReport:
    """Write a source in another format, with links and descriptions; see `annotate_file`.

    The file is read twice: for its labels, and to write it statement by statement.  A statement is
    identified by its number, because blank nodes have other names in another reading.
    """
    quads = QuadDocument(source)
    report, changes, wanted = _changes(quads, options)
    applied: Iterable[ox.Quad] = _applied(changes, quads)
    if nodes := unlinked(changes):
        described = list(applied)
        orphaned = orphans(nodes, described, options, wanted)
        applied = (quad for quad in described if quad not in orphaned)
    writable = Writable(form, target, options.base)
    try:
        with packing(target, readable(form, target)) as file:
            ox.serialize(
                map(writable.quad, applied),
                file,
                form.oxigraph,
                prefixes=writable.prefixes(OUR_PREFIXES | quads.prefixes),
            )
            source.check()
    except CatalogError:
        raise
    except ValueError as error:
        raise CatalogError(f"it cannot be written ({error})", target, form.name) from error
    report.encoded, report.merged = writable.encoded, writable.merged
    for faulty in (report.encoded, report.languages):
        if faulty:
            report.examples[min(faulty)] = quads.place_of(min(faulty))
    return report


def _changes(
    quads: QuadDocument, options: FileOptions
) -> tuple[FileReport, list[Change], dict[Triple, None]]:
    """Return the meanings of the labels of a file, the changes that follow, and descriptions."""
    source, literals = quads.source, IllTypedLiterals()

    def find(paths: Iterable[ox.NamedNode], unclear: set[Term]) -> list[Statement]:
        number, statements, wanted = -1, [], frozenset(paths)
        for number, quad in enumerate(literals.watch(quads)):
            predicate, subject = quad.predicate, quad.subject
            if predicate in wanted and (
                predicate not in _DESCRIBING
                or subject in unclear
                # It may have had another name in the reading before.
                or isinstance(subject, ox.BlankNode)
            ):
                terms = quad.graph_name, subject, predicate, quad.object
                statements.append(Statement(*terms, number, number))
        if number < 0:
            raise no_triples(source.name, source.format.name)
        return statements

    labels = labelled(find, options.resolver, (*LINKS, *BESIDE))
    understood = map(labels.meanings.of, labels.labels.values)
    wanted = options.descriptions(understood)
    descriptions = tuple(ox.Quad(*triple) for triple in wanted)
    if source.format.name in EDITABLE:
        document, places = located(source)
        report = report_of(places, document)
    else:
        report = report_of(labels)
    report.halves, report.languages = quads.replaced, quads.languages
    report.ill_typed = literals.result(source)
    links = Links(labels.statements, labels.labels, labels.meanings.of, options, descriptions)
    return report, list(counted(links, report)), wanted


def _applied(changes: Iterable[Change], quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    """Yield the quads of a file with changes of statements, which have their numbers as places."""
    appended: dict[ox.Quad, None] = {}
    removed: set[int] = set()
    added: dict[int, list[tuple[ox.NamedNode, Term]]] = defaultdict(list)
    for change in changes:
        statement = change.statement
        if statement is None:
            appended |= dict.fromkeys(change.added)
            continue
        if change.removed:
            removed.add(statement.start)
        added[statement.start] += [(quad.predicate, quad.object) for quad in change.added]
    for number, quad in enumerate(quads):
        appended.pop(quad, None)
        if number not in removed:
            yield quad
        for link in added.get(number, ()):
            yield ox.Quad(quad.subject, *link, quad.graph_name)
    yield from appended
