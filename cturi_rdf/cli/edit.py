"""`cturi edit`: a change of the graph, written into the user's own file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cturi_rdf._util.display import counted
from cturi_rdf.cli.options import (
    catalogue_options,
    changes_options,
    edited_output_options,
    file_option,
)
from cturi_rdf.cli.output import (
    outcomes_of,
    quiet_option,
    remark,
    results_of,
    silence_rdflib,
    targets_of,
)
from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cturi_rdf.editing.engines import Engine
    from cturi_rdf.editing.files import Edited
    from cturi_rdf.reading.formats import ReadOptions


@click.command(short_help="Change the graph of a file, and keep its text.")
@file_option(
    "--update",
    metavar="QUERY.ru",
    help="A file with a SPARQL 1.1 Update, or the update itself.",
)
@file_option("--patch", metavar="FILE.rdfp", help="An RDF Patch.")
@file_option(
    "--from-graph",
    "graph",
    metavar="NEW",
    help="A file in any syntax whose graph IN is to have.",
)
@file_option(
    "--fix",
    metavar="SHAPES",
    help="A file with SHACL shapes: make the changes of which they allow only one.",
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
    standard input.  Only what has to change differs in OUT.  Its text is read again before it is
    written; if that is not the new graph, nothing is written, and the message names the statement
    that cannot be edited.
    """
    from cturi_rdf.reading.atomic import expect_apart

    named = [given for given in (update, patch, graph, fix) if given is not None]
    if len(named) != 1:
        choices = "--update, --patch, --from-graph and --fix"
        raise click.UsageError(f"one of {choices} has to say what to change")
    targets = targets_of(
        sources, output, in_place=in_place, dry_run=dry_run, diff=diff, as_json=as_json
    )
    for target in targets.values():
        expect_apart(target, *named)
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
        from cturi_rdf.catalogue.shacl.fixes import by_shapes

        silence_rdflib()
        return by_shapes(fix)
    if graph is not None:
        return engines.of_file(graph, reading)
    name = update or patch or ""
    # An update has braces or spaces; so may the name of a file that is there.
    is_text = update is not None and ("{" in update or len(update.split()) > 1)
    if update is not None and is_text and not Path(update).exists():
        return lambda base: engines.ByUpdate(update, base)
    with open_unpacked(name) as file:
        content = read_whole(file, name)
    if patch is not None:
        return lambda base: engines.by_patch(content, base, patch)
    text = content.decode("utf-8-sig", "replace")
    return lambda base: engines.ByUpdate(text, base, name)


def _print(edited: Edited, *, diff: bool, as_json: bool, statements: bool) -> None:
    if as_json:
        click.echo(json.dumps(edited.as_dict(), ensure_ascii=False))
    elif diff:
        click.echo(edited.diff(), nl=False)
    elif statements:
        for line in _statements(edited):
            click.echo(visible(line))
    went = counted(len(edited.removed), "statement")
    remark(f"cturi: {edited.source}: {went} removed, {len(edited.added)} added")


def _statements(edited: Edited) -> Iterator[str]:
    yield from (f"- {quad}" for quad in edited.removed)
    yield from (f"+ {quad}" for quad in edited.added)
