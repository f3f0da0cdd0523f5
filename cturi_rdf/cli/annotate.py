"""`cturi annotate`: catalogues in, linked data out, and a summary for curators."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cturi_rdf.cli.options import (
    catalogue_options,
    control_option,
    edited_output_options,
    file_option,
    format_of,
    json_option,
    named_output,
    to_option,
)
from cturi_rdf.cli.output import outcomes_of, quiet_option, remark, results_of, targets_of
from cturi_rdf.reading.errors import called

if TYPE_CHECKING:
    from cturi_rdf.catalogue import FileReport
    from cturi_rdf.reading.formats import ReadOptions
    from cturi_rdf.uri.mapping import Control


@click.command(short_help="Link a catalogue to the media types that it names.")
@edited_output_options
@click.option(
    "--add",
    "adding",
    type=click.Choice(["links", "labels", "all"]),
    help="What to add: links to content types, which is the default; with labels, also how each"
    " label was understood; with all, also short descriptions of the types, the default with"
    " --descriptions.",
)
@click.option(
    "--as",
    "terms",
    type=click.Choice(["ctv", "dcat"]),
    default="ctv",
    help="The terms of the links: of the cturi vocabulary, which is the default, or DCAT's own"
    " mediaType, compressFormat and packageFormat where they can say it.",
)
@file_option(
    "--descriptions", callback=named_output, help="Write everything but the links to this file."
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
                click.echo(json.dumps(summary, ensure_ascii=False))
            else:
                for line in summary_lines(called(source), report):
                    remark(line)
                for hint in () if report.labels else near_misses(source, reading):
                    remark(f"{'':8}{hint}")


def _iri_of(source: str) -> str | None:
    """Return the IRI of a file, None for standard input."""
    if source == "-":
        return None

    return Path(source).resolve().as_uri()
