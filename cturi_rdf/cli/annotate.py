"""`cturi annotate`: catalogues in, linked data out, and what a curator wants to know."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cturi_rdf._util.display import counted
from cturi_rdf.cli.batch import outcomes_of
from cturi_rdf.cli.options import (
    BY_LINES,
    NO_LABELS,
    context_option,
    format_of,
    format_of_lines,
    from_option,
    labels_option,
    network_option,
    sources_argument,
    stream_option,
)
from cturi_rdf.cli.progress import progress
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.io.relative_iri import relative

if TYPE_CHECKING:
    from rdflib import Dataset

    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.io.formats import Format
    from cturi_rdf.rdf.summary import Summary

    # Of one file, where it is and where its output goes.
    _Files = tuple[str, str]

__all__ = ["annotate"]

# How many of the labels that were not understood the summary shows.
_SHOWN = 10


@click.command(short_help="Link a catalogue to what its labels mean.")
@sources_argument
@click.option(
    "-o", "--output", metavar="OUT", default="-",
    help="Where to; standard output if not given, a folder for several files.",
)  # fmt: skip
@from_option
@click.option("--to", metavar="FORMAT", help="The format of OUT, if its name does not tell.")
@click.option(
    "--base", metavar="IRI", help="What relative IRIs become absolute with, in N-Triples."
)
@context_option
@network_option
@labels_option
@stream_option
@click.option(
    "--json", "as_json", is_flag=True, help="The summary as JSON on standard output; needs -o."
)
def annotate(  # noqa: PLR0913, PLR0917 - one parameter an option
    sources: tuple[str, ...],
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
    that IN says is in OUT too.  A summary goes to standard error.  Several files go into a
    folder, each under its own name.
    """
    if as_json and output == "-":
        raise click.UsageError("--json prints on standard output, so that OUT needs -o FILE")

    def annotated(source: str, target: str) -> Summary:
        if stream:
            from cturi_rdf.stream import annotate_lines  # noqa: PLC0415 - loads rdflib

            lines = _lines_to_lines(source, form, target, to)
            return annotate_lines(source, target, quads=lines.datasets, resolver=resolver)
        from cturi_rdf.io import read_catalog, write_catalog  # noqa: PLC0415 - loads rdflib
        from cturi_rdf.rdf.annotate import annotate as annotate_in  # noqa: PLC0415

        read = format_of(source, form, "--from").name
        dataset = read_catalog(source, form=read, contexts=contexts, allow_network=allow_network)
        wanted = _output_format(dataset, target, to)
        report = annotate_in(dataset, resolver=resolver)
        where = base or (Path(source).resolve().as_uri() if source != "-" else None)
        encoded = write_catalog(dataset, target, wanted, base=where)
        if encoded:
            click.echo(
                f"{len(encoded)} IRIs are none by RFC 3987; {wanted.name} has them"
                f" percent-encoded, such as {visible(min(encoded))!r}",
                err=True,
            )
        return report

    targets = _targets(sources, output)
    outcomes = outcomes_of(lambda files: annotated(*files), targets, at_once=stream)
    failed = False
    for source in sources:
        with progress(f"annotating {source}"):
            outcome = next(outcomes)
        if isinstance(outcome, CturiError):
            click.echo(f"cturi: {outcome.summary}", err=True)
            failed = True
        elif as_json:
            summary = {"source": source, **outcome.to_json()}
            click.echo(json.dumps(summary, ensure_ascii=False))
        else:
            _summarise(source, outcome)
    if failed:
        raise SystemExit(2)


def _lines_to_lines(source: str, form: str | None, output: str, to: str | None) -> Format:
    """Return the format of a file that can also be written line by line."""
    read = format_of_lines(source, form)
    if to is None and output == "-":
        return read
    written = format_of(output, to, "--to")
    # What names graphs cannot stand in a file that has none.
    if written.name not in BY_LINES or written.datasets < read.datasets:
        raise click.UsageError(f"--stream cannot write {read.name} as {written.name}")
    return read


def _output_format(dataset: Dataset, output: str, to: str | None) -> Format:
    """Return what to write: as asked for, as the name tells, else what holds all there is."""
    if to is None and output == "-":
        default = dataset.default_graph.identifier
        to = "trig" if any(name != default for *_, name in dataset.quads()) else "turtle"
    return format_of(output, to, "--to")


def _targets(sources: tuple[str, ...], output: str) -> list[_Files]:
    """Return each source with where its output goes: several go into a folder."""
    if len(sources) == 1 and not Path(output).is_dir():
        return [(sources[0], output)]
    if "-" in {output, *sources} or not Path(output).is_dir():
        raise click.UsageError("several files need -o FOLDER, a folder that is there")
    targets = [str(Path(output, Path(source).name)) for source in sources]
    twice = [name for name, count in Counter(targets).items() if count > 1]
    if twice:
        raise click.UsageError(f"two files would be written to {twice[0]!r}")
    return list(zip(sources, targets, strict=True))


def _summarise(source: str, report: Summary) -> None:
    """Print what a curator wants to know first, on standard error."""
    types = counted(len(report.content_types), "content type")
    counts = (
        (report.resolved, f"resolved, to {types}"),
        (report.services, "naming a service, which has no type"),
        (report.not_understood, "not understood"),
    )
    labels, resources = counted(report.labels, "label"), counted(report.resources, "resource")
    lines = [f"{source}: {labels} on {resources}"]
    if not report.labels:
        lines.append(NO_LABELS)
    lines += [f"{count:7} {what}" for count, what in counts if count]
    if report.malformed:
        numbers = ", ".join(map(str, report.malformed_lines[:_SHOWN]))
        lines.append(f"{report.malformed:7} malformed, passed through as they are")
        lines.append(f"{'':13} lines {numbers}")
    groups = report.groups()
    for group in groups[:_SHOWN]:
        lines.append(f"{group.count:11} × {group.text!r}: {group.reason}")
        resource, _ = next(group.places())
        lines.append(f"{'':13} first on {relative(str(resource))}")
    if len(groups) > _SHOWN:
        lines.append(f"{'':11} and {counted(len(groups) - _SHOWN, 'more label')}: all with --json")
    for line in lines:
        click.echo(visible(line), err=True)
