"""`cturi annotate` and `cturi edit`: changes of a graph, written into the user's own file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cturi_rdf._util.display import counted
from cturi_rdf.cli.options import (
    catalogue_options,
    changes_options,
    control_option,
    edited_output_options,
    file_option,
    json_option,
    named_output,
    to_option,
    written_format,
)
from cturi_rdf.cli.output import (
    json_line,
    outcomes_of,
    quiet_option,
    remark,
    results_of,
    silence_rdflib,
    targets_of,
)
from cturi_rdf.errors import visible
from cturi_rdf.reading.errors import CatalogError, called

if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.catalogue import FileReport
    from cturi_rdf.editing.engines import Engine
    from cturi_rdf.editing.files import Edited
    from cturi_rdf.reading.formats import ReadOptions
    from cturi_rdf.uri.mapping import Control


@click.command(short_help="Link a catalogue to the media types that it names.")
@edited_output_options
@click.option(
    "--add",
    "adding",
    type=click.Choice(["links", "labels", "all"]),
    help="links: only links to content types, the default; labels: also how each label was"
    " understood; all: also short descriptions of the types, the default with --descriptions.",
)
@click.option(
    "--as",
    "terms",
    type=click.Choice(["ctv", "dcat"]),
    default="ctv",
    help="The properties of the links: those of the cturi vocabulary, the default, or DCAT's"
    " mediaType, compressFormat and packageFormat where these can express the link.",
)
@file_option(
    "--descriptions", callback=named_output, help="Write everything except the links to this file."
)
@to_option
@click.option(
    "--base", metavar="IRI", help="The base of relative IRIs, for formats that need absolute ones."
)
@catalogue_options
@control_option
@quiet_option
@json_option("Print the summary as one JSON object per file; needs -o.")
def annotate(
    sources: tuple[str, ...],
    output: str,
    in_place: bool,
    adding: str | None,
    terms: str,
    descriptions: str | None,
    reading: ReadOptions,
    to: str | None,
    base: str | None,
    as_json: bool,
    control: Control,
) -> None:
    """Link every resource of a catalogue to the content types that its labels name.

    IN and OUT are RDF in any syntax or Project Open Data, and may be compressed; - is standard
    input. If both have the same syntax, OUT is the text of IN with additions, and may be IN
    itself. A summary goes to standard error.
    """
    if in_place and to is not None:
        raise click.UsageError("--in-place keeps the syntax of a file, so it takes no --to")
    if as_json and output == "-" and not in_place:
        raise click.UsageError("--json prints on standard output, so the catalogue needs -o FILE")
    if descriptions is not None and len(sources) > 1:
        raise click.UsageError("--descriptions is for one file at a time")

    targets = targets_of(sources, output, in_place=in_place)

    def annotated(source: str) -> FileReport:
        from cturi_rdf.catalogue import Adding, annotate_file

        target = targets[source]
        iri = base
        if not in_place and (target != "-" or to):
            written_format(target, to)
            # Only a syntax other than that of IN may need it.
            iri = base or (None if source == "-" else Path(source).resolve().as_uri())
        return annotate_file(
            source,
            target,
            reading=reading,
            to=to,
            base=iri,
            adding=Adding(adding) if adding else None,
            descriptions=descriptions,
            control=control,
            dcat=terms == "dcat",
        )

    from cturi_rdf.catalogue.labels import near_misses
    from cturi_rdf.catalogue.report import summary_lines

    files = list(targets)
    outcomes = outcomes_of(annotated, files, at_once=True)
    with results_of(files, outcomes, "annotating") as results:
        for source, report in results:
            if as_json:
                summary = {"source": source, **report.to_json()}
                click.echo(json_line(summary))
            else:
                for line in summary_lines(called(source), report):
                    remark(line)
                for hint in () if report.labels else near_misses(source, reading):
                    remark(hint)


@click.command(short_help="Change the graph of a file, and keep its text.")
@file_option(
    "--update",
    metavar="QUERY.ru",
    help="A file with a SPARQL 1.1 Update, or the update itself; it may use the prefixes of IN.",
)
@file_option("--patch", metavar="FILE.rdfp", help="An RDF Patch.")
@file_option(
    "--from-graph",
    "graph",
    metavar="NEW",
    help="A file with the new graph of IN, in any syntax.",
)
@file_option(
    "--fix",
    metavar="SHAPES",
    help="A file with SHACL shapes: make each change for which they allow only one value.",
)
@edited_output_options
@changes_options
@catalogue_options
@quiet_option
def edit(
    sources: tuple[str, ...],
    update: str | None,
    patch: str | None,
    graph: str | None,
    fix: str | None,
    output: str,
    in_place: bool,
    diff: bool,
    dry_run: bool,
    as_json: bool,
    reading: ReadOptions,
) -> None:
    """Change the graph of a file; its comments, order, prefixes and layout stay.

    IN is Turtle, TriG, N-Triples, N-Quads, RDF/XML or JSON-LD, and may be compressed; - is
    standard input. OUT differs from IN only where the graph changes. The new text is read again
    before it is written; if its graph is not the new one, nothing is written, and the error names
    the statement that cannot be edited.
    """
    if sum(given is not None for given in (update, patch, graph, fix)) != 1:
        choices = "--update, --patch, --from-graph and --fix"
        raise click.UsageError(f"exactly one of {choices} has to say what to change")
    targets = targets_of(
        sources, output, in_place=in_place, dry_run=dry_run, diff=diff, as_json=as_json
    )
    engine = _engine(update, patch, graph, fix, reading)

    def edited(source: str) -> Edited:
        from cturi_rdf.editing.files import edit as edit_text

        return edit_text(source, engine, reading)

    files = list(targets) or list(sources)
    outcomes = outcomes_of(edited, files, at_once=False)
    with results_of(files, outcomes, "editing") as results:
        for source, outcome in results:
            if source in targets and not dry_run:
                outcome.write(targets[source])
            _print(outcome, diff=diff, as_json=as_json, statements=dry_run)


def _engine(
    update: str | None,
    patch: str | None,
    graph: str | None,
    fix: str | None,
    reading: ReadOptions,
) -> Callable[[str], Engine]:
    """Return the function that gives the engine for the base of a file."""
    from cturi_rdf.editing import engines
    from cturi_rdf.reading.source import open_unpacked, read_whole

    if fix is not None:
        from cturi_rdf.catalogue.shacl.foreign_shapes import by_shapes

        silence_rdflib()
        return by_shapes(fix)
    if graph is not None:
        return engines.of_file(graph, reading)
    name = update or patch or ""
    # An update has braces or spaces; so may the name of a file that is there.
    is_text = update is not None and ("{" in update or len(update.split()) > 1)
    if update is not None and not Path(update).exists():
        if not is_text:
            expected = "SPARQL 1.1 Update, or the name of a file with it"
            raise CatalogError("neither an update nor a file", update, expected)
        return lambda base: engines.ByUpdate(update, base)
    with open_unpacked(name) as file:
        content = read_whole(file, name)
    if patch is not None:
        return lambda base: engines.by_patch(content, base, patch)
    text = content.decode("utf-8-sig", "replace")
    return lambda base: engines.ByUpdate(text, base, name)


def _print(edited: Edited, *, diff: bool, as_json: bool, statements: bool) -> None:
    if as_json:
        click.echo(json_line(edited.as_dict()))
    elif diff:
        click.echo(edited.diff(), nl=False)
    elif statements:
        for sign, quads in (("-", edited.removed), ("+", edited.added)):
            for quad in quads:
                click.echo(visible(f"{sign} {quad}"))
    went = counted(len(edited.removed), "statement")
    remark(f"cturi: {edited.source}: {went} removed, {len(edited.added)} added")
