"""`cturi annotate` and `cturi headers`: a catalogue in, linked data and headers out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cturi_rdf.cli.options import (
    context_option,
    from_option,
    labels_option,
    network_option,
    source_argument,
)
from cturi_rdf.cli.progress import progress
from cturi_rdf.display import counted
from cturi_rdf.errors import visible
from cturi_rdf.rdf.base import relative

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rdflib import Dataset

    from cturi_rdf.bulk import LinesReport
    from cturi_rdf.catalog.formats import Format
    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.rdf.annotate import Report
    from cturi_rdf.rdf.headers import Header

__all__ = ["annotate", "headers"]

# How many of the labels that were not understood the summary shows.
_SHOWN = 10
# rdflib's names of the formats with a statement a line.
_BY_LINES = frozenset({"nt", "nquads"})


_stream = click.option(
    "--stream", is_flag=True,
    help="Line by line, in constant memory: N-Triples and N-Quads of any size.",
)  # fmt: skip


@click.command()
@source_argument
@click.option(
    "-o", "--output", metavar="OUT", default="-", help="Where to; standard output if not given."
)
@from_option
@click.option("--to", metavar="FORMAT", help="The format of OUT, if its name does not tell.")
@click.option(
    "--base", metavar="IRI", help="What relative IRIs become absolute with, in N-Triples."
)
@context_option
@network_option
@labels_option
@_stream
@click.option(
    "--json", "as_json", is_flag=True, help="The summary as JSON on standard output; needs -o."
)
def annotate(  # noqa: PLR0913, PLR0917 - one parameter an option
    source: str,
    output: str,
    form: str | None,
    to: str | None,
    base: str | None,
    contexts: dict[str, Path],
    allow_network: bool,  # noqa: FBT001 - a flag
    resolver: Resolve,
    stream: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Link every resource of a catalogue to the content types that its labels name.

    IN and OUT are RDF in any syntax or Project Open Data, also gzipped; - is a pipe.  All
    that IN says is in OUT too.  A summary goes to standard error.
    """
    from cturi_rdf.catalog import read_catalog, write_catalog  # noqa: PLC0415 - loads rdflib
    from cturi_rdf.rdf.annotate import annotate as annotate_in  # noqa: PLC0415

    if as_json and output == "-":
        raise click.UsageError("--json prints on standard output, so that OUT needs -o FILE")
    if stream:
        lines = _lines_to_lines(source, form, output, to)
        from cturi_rdf.bulk import annotate_lines  # noqa: PLC0415 - loads rdflib

        with progress(f"annotating {source}"):
            found = annotate_lines(source, output, quads=lines.datasets, resolver=resolver)
        if as_json:
            click.echo(json.dumps(found.to_json(), ensure_ascii=False))
        else:
            _summarise_lines(source, found)
        return
    with progress(f"annotating {source}"):
        dataset = read_catalog(source, form=form, contexts=contexts, allow_network=allow_network)
        wanted = _output_format(dataset, output, to)
        report = annotate_in(dataset, resolver=resolver)
        where = base or (Path(source).resolve().as_uri() if source != "-" else None)
        encoded = write_catalog(dataset, output, wanted, base=where)
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False))
    else:
        _summarise(source, report)
    if encoded:
        click.echo(
            f"{len(encoded)} IRIs are none by RFC 3987; {wanted.name} has them percent-encoded,"
            f" such as {visible(min(encoded))!r}",
            err=True,
        )


@click.command()
@source_argument
@from_option
@context_option
@network_option
@labels_option
@_stream
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with the evidence.")
def headers(  # noqa: PLR0913, PLR0917 - one parameter an option
    source: str,
    form: str | None,
    contexts: dict[str, Path],
    allow_network: bool,  # noqa: FBT001 - a flag
    resolver: Resolve,
    stream: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Print the Content-Type of every resource of a catalogue that has one, and only one.

    One line a resource: its IRI, a tab, the header.  A blank node goes by the URL that it
    is downloaded from.
    """
    from cturi_rdf.catalog import read_catalog  # noqa: PLC0415 - loads rdflib
    from cturi_rdf.rdf.headers import headers as headers_of  # noqa: PLC0415

    found: Iterable[Header]
    if stream:
        lines = _lines(source, form)
        from cturi_rdf.bulk import headers_lines  # noqa: PLC0415 - loads rdflib

        found = headers_lines(source, quads=lines.datasets, resolver=resolver)
    else:
        with progress(f"reading {source}"):
            dataset = read_catalog(
                source, form=form, contexts=contexts, allow_network=allow_network
            )
            found = sorted(headers_of(dataset, resolver=resolver), key=lambda each: str(each.name))
    first, conflicts = None, 0
    for each in found:
        if as_json:
            click.echo(json.dumps(_to_json(each), ensure_ascii=False))
        elif each.content_type:
            click.echo(f"{visible(relative(str(each.name)))}\t{each.content_type}")
        if each.conflicts:
            first, conflicts = first or each, conflicts + 1
    if first and not as_json:
        said = " against ".join(map(str, first.conflicts))
        where = visible(relative(str(first.name)))
        click.echo(f"{conflicts} with labels that disagree (all with --json):", err=True)
        click.echo(f"  {where}: {said}", err=True)


def _lines(source: str, form: str | None) -> Format:
    """Return the format of a file that can be read line by line."""
    from cturi_rdf.catalog.formats import format_named, format_of_file  # noqa: PLC0415

    wanted = format_named(form) if form else format_of_file(source)
    if wanted.name not in _BY_LINES:
        raise click.UsageError(f"--stream reads N-Triples and N-Quads, not {wanted.name}")
    return wanted


def _lines_to_lines(source: str, form: str | None, output: str, to: str | None) -> Format:
    """Return the format of a file that can also be written line by line."""
    from cturi_rdf.catalog.formats import format_named, format_of_file  # noqa: PLC0415

    read = _lines(source, form)
    if to is None and output == "-":
        return read
    written = format_named(to) if to else format_of_file(output)
    # What names graphs cannot stand in a file that has none.
    if written.name not in _BY_LINES or written.datasets < read.datasets:
        raise click.UsageError(f"--stream cannot write {read.name} as {written.name}")
    return read


def _output_format(dataset: Dataset, output: str, to: str | None) -> Format:
    """Return what to write: as asked for, as the name tells, else what holds all there is."""
    from cturi_rdf.catalog.formats import format_named, format_of_file  # noqa: PLC0415

    if to:
        return format_named(to)
    if output != "-":
        return format_of_file(output)
    default = dataset.default_graph.identifier
    named = any(name != default for *_, name in dataset.quads())
    return format_named("trig" if named else "turtle")


def _summarise(source: str, report: Report) -> None:
    """Print what a curator wants to know first, on standard error."""
    types = {each for one in report.occurrences for each in one.content_types}
    counts = (
        (report.resolved, f"resolved, to {counted(len(types), 'content type')}"),
        (report.services, "naming a service, which has no type"),
        (report.not_understood, "not understood"),
    )
    labels, resources = counted(report.labels, "label"), counted(report.resources, "resource")
    lines = [f"{source}: {labels} on {resources}"]
    lines += [f"{count:7} {what}" for count, what in counts if count]
    groups = report.groups()
    for group in groups[:_SHOWN]:
        resource, _ = next(group.places())
        lines.append(f"{len(group.occurrences):11} × {group.text!r}: {group.reason}")
        lines.append(f"{'':13} first on {relative(str(resource))}")
    if len(groups) > _SHOWN:
        lines.append(f"{'':11} and {len(groups) - _SHOWN} more labels: all with --json")
    for line in lines:
        click.echo(visible(line), err=True)


def _summarise_lines(source: str, report: LinesReport) -> None:
    """Print the same of a stream, and where its malformed lines are."""
    counts = (
        (report.resolved, f"resolved, to {counted(len(report.content_types), 'content type')}"),
        (report.services, "naming a service, which has no type"),
        (report.not_understood, "not understood"),
        (report.malformed, "malformed lines, passed through as they are"),
    )
    labels, resources = counted(report.labels, "label"), counted(report.resources, "resource")
    lines = [f"{source}: {labels} on {resources}"]
    lines += [f"{count:7} {what}" for count, what in counts if count]
    if report.malformed:
        lines.append(f"{'':13} lines {', '.join(map(str, report.malformed_lines[:_SHOWN]))}")
    groups = report.groups()
    for group in groups[:_SHOWN]:
        lines.append(f"{group.count:11} × {group.text!r}: {group.reason}")
        lines.append(f"{'':13} first on {relative(group.places[0][0])}")
    if len(groups) > _SHOWN:
        lines.append(f"{'':11} and {len(groups) - _SHOWN} more labels: all with --json")
    for line in lines:
        click.echo(visible(line), err=True)


def _to_json(header: Header) -> dict[str, Any]:
    return {
        "resource": relative(str(header.name)),
        "content_type": str(header.content_type) if header.content_type else None,
        "conflicts": [str(each) for each in header.conflicts],
        "evidence": [
            {
                "property": str(each.property),
                "label": each.text,
                "content_type": str(each.content_type),
            }
            for each in header.evidence
        ],
    }
