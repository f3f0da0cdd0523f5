"""`cturi annotate`: catalogues in, linked data out, and a summary for curators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cturi_rdf._util.display import counted
from cturi_rdf.cli import completion
from cturi_rdf.cli.batch import outcomes_of, results_of, targets_of
from cturi_rdf.cli.options import (
    NO_LABELS,
    catalogue_options,
    control_option,
    format_of,
    named_output,
    output_option,
    to_option,
)
from cturi_rdf.cli.output import quiet_option, remark
from cturi_rdf.errors import visible
from cturi_rdf.labels.resolver import OWN_REASON
from cturi_rdf.reading.errors import called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cturi_rdf.catalogue import FileReport, Place
    from cturi_rdf.catalogue.report import UnresolvedLabel
    from cturi_rdf.reading.options import ReadOptions
    from cturi_rdf.uri.mapping import Control


# How many labels the summary shows: not understood ones, and others.
_SHOWN, _OTHERS_SHOWN = 10, 5


@click.command(short_help="Link a catalogue to the media types that it names.")
@output_option("The file to write, or an existing folder for several files")
@click.option("--in-place", is_flag=True, help="Edit the files themselves.")
@click.option(
    "--add",
    "adding",
    type=click.Choice(["links", "labels", "all"]),
    help="What to add: links to content types, which is the default; with labels, also how each"
    " label was understood; with all, also short descriptions of the types, the default with"
    " --descriptions.",
)
@click.option(
    "--descriptions",
    callback=named_output,
    metavar="FILE",
    shell_complete=completion.files,
    help="Write everything but the links to this file.",
)
@to_option
@click.option(
    "--base", metavar="IRI", help="The base of relative IRIs, for formats that need absolute ones."
)
@catalogue_options
@control_option
@quiet_option
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the summary as JSON on standard output; needs -o.",
)
def annotate(
    sources: tuple[str, ...],
    output: str,
    in_place: bool,
    adding: str | None,
    descriptions: str | None,
    reading: ReadOptions,
    to: str | None,
    base: str | None,
    as_json: bool,
    control: Control,
) -> None:
    """Link every resource of a catalogue to the content types that its labels name.

    IN and OUT are RDF in any syntax or Project Open Data, and may be compressed; - is standard
    input.  If both have the same syntax, the text of IN is kept and only added to, and OUT may
    be IN itself.  A summary goes to standard error.
    """
    if in_place and to is not None:
        raise click.UsageError("--in-place takes files, and no --to")
    if as_json and output == "-" and not in_place:
        raise click.UsageError("--json prints on standard output, so OUT needs -o FILE")
    if descriptions is not None and len(sources) > 1:
        raise click.UsageError("--descriptions is for one file at a time")

    targets = targets_of(sources, output, in_place=in_place)

    def annotated(source: str) -> FileReport:
        from cturi_rdf.catalogue import Adding, annotate_file

        target = targets[source]
        iri = base
        if not in_place and (target != "-" or to):
            format_of(target, to)
            # Only a syntax other than that of IN may need it.
            iri = base or _iri_of(source)
        return annotate_file(
            source,
            target,
            reading=reading,
            to=to,
            base=iri,
            adding=Adding(adding) if adding else None,
            descriptions=descriptions,
            control=control,
        )

    files = list(targets)
    outcomes = outcomes_of(annotated, files, at_once=True)
    with results_of(files, outcomes, "annotating") as results:
        for source, report in results:
            if as_json:
                import json

                summary = {"source": source, **report.to_json()}
                click.echo(json.dumps(summary, ensure_ascii=False))
            else:
                _summarise(called(source), report)


def _iri_of(source: str) -> str | None:
    """Return the IRI of a file, None for standard input."""
    if source == "-":
        return None
    from pathlib import Path

    return Path(source).resolve().as_uri()


def _summarise(source: str, report: FileReport) -> None:
    """Print the summary for curators on standard error."""
    types = counted(len(report.content_types), "content type")
    lines = [f"{source}: {report.extent}"]
    if not report.labels:
        lines.append(NO_LABELS)
    if report.resolved:
        lines.append(f"{report.resolved:7} resolved, to {types}")
    if report.likely:
        lines.append(f"{report.likely:7} of them guessed")
        lines += _listed(report.groups("likely"), _guess)
    if report.services:
        lines.append(f"{report.services:7} naming a service, which has no type")
        lines += _listed(report.groups("service"))
    if report.not_understood:
        lines.append(f"{report.not_understood:7} not understood")
        lines += _listed(report.groups(), lambda group: _unresolved(source, group), _SHOWN)
    if report.replaced:
        links = counted(report.replaced, "link")
        lines.append(f"{'':7} {links} replaced, whose labels have changed")
    lines += _of_terms(source, report)
    unclear = [*report.groups("likely"), *report.groups()]
    if any(group.reason != OWN_REASON for group in unclear):
        lines.append(f"{'':7} next: define unclear labels in a table, and pass it with --labels")
    for line in lines:
        remark(line)


def _of_terms(source: str, report: FileReport) -> Iterator[str]:
    """Yield a line for each kind of faulty term."""
    if report.encoded:
        first = visible(min(report.encoded))
        iris = counted(len(report.encoded), "invalid IRI")
        yield f"{'':7} {iris} percent-encoded, such as {first!r}"
    if report.merged:
        first = visible(min(report.merged))
        graphs = counted(len(report.merged), "named graph")
        yield f"{'':7} {graphs} written without the name, such as {first}"
    if report.languages:
        languages = counted(len(report.languages), "language")
        first = visible(min(report.languages))
        yield f"{'':7} {languages} left out as no language tag, such as {first!r}"
    if report.halves:
        number, (row, column) = len(report.halves), report.halves[0]
        halves = "half of a character" if number == 1 else f"{number} halves of characters"
        yield f"{'':7} {halves} read as U+FFFD, first at {source}:{row}:{column}"
    if report.ill_typed:
        number, literal, place = report.ill_typed
        do_not = "literal does not fit its" if number == 1 else "literals do not fit their"
        where = _place(source, place)
        yield f"{number:7} {do_not} datatype, kept as written: {literal} {where}"


def _listed(
    groups: list[UnresolvedLabel],
    more: Callable[[UnresolvedLabel], str] = lambda _: "",
    shown: int = _OTHERS_SHOWN,
) -> Iterator[str]:
    """Yield the most frequent labels, with further text on each."""
    for group in groups[:shown]:
        yield from f"{group.count:11} × {group.text!r}{more(group)}".split("\n")
    if len(groups) > shown:
        yield f"{'':11} and {counted(len(groups) - shown, 'more label')}: all with --json"


def _guess(group: UnresolvedLabel) -> str:
    return f": {', '.join(map(str, group.content_types))}. {group.reason}"


def _unresolved(source: str, group: UnresolvedLabel) -> str:
    return f": {group.reason}\n{'':13} first {_place(source, group.first)}"


def _place(source: str, place: Place) -> str:
    """Return where a label stands: the line and the column, or else the resource."""
    if place.line is None:
        return f"on {'a blank node' if place.resource.startswith('_:') else place.resource}"
    return f"at {source}:{place.line}:{place.column}"
