"""`cturi check`: whether the media types of a catalogue are as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cturi_rdf._util.gc import paused
from cturi_rdf.cli.options import (
    contexts_options,
    format_of,
    from_option,
    labels_option,
    source_argument,
)
from cturi_rdf.cli.progress import progress
from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from rdflib import Graph

    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.io.jsonld_contexts import Contexts

__all__ = ["check"]


@click.command(short_help="What is wrong with the types of a catalogue.")
@source_argument
@from_option
@contexts_options
@labels_option
@click.option(
    "--shapes", "others", metavar="FILE", multiple=True,
    help="More SHACL shapes to check IN by, such as those of DCAT-AP.",
)  # fmt: skip
@click.option(
    "--profile", metavar="NAME",
    help="A metadata profile, such as dcat-ap or pod, to check values by; says what to write.",
)  # fmt: skip
@click.option(
    "--format", "wanted", default="text", show_default=True,
    type=click.Choice(["text", "turtle", "json", "sarif", "github"]),
    help="What to print: for reading, RDF tools, programs, code scanning, GitHub's workflows.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--language", type=click.Choice(["en", "de", "fr", "es"]), default="en", show_default=True,
    help="The language of the messages.",
)  # fmt: skip
@click.option("-o", "--output", metavar="OUT", default="-", help="Where the report goes.")
def check(  # noqa: PLR0913, PLR0917 - one parameter an option
    source: str,
    form: str | None,
    contexts: Contexts,
    resolver: Resolve,
    others: tuple[str, ...],
    profile: str | None,
    wanted: str,
    as_json: bool,  # noqa: FBT001
    language: str,
    output: str,
) -> None:
    """Check the media types of a catalogue: that they exist, are spelt right, agree.

    IN is RDF in any syntax or Project Open Data, also gzipped; - is a pipe.  Exit 1 where a
    shape is violated, and where there was nothing to check.
    """
    with progress(f"checking {source}"), paused():
        from cturi_rdf.check import check_file  # noqa: PLC0415 - loads tables
        from cturi_rdf.check.report import REPORTS  # noqa: PLC0415
        from cturi_rdf.io.atomic import write_text  # noqa: PLC0415

        if source != "-" or form:
            format_of(source, form, "--from")
        report = check_file(
            source, form=form, contexts=contexts,
            shapes=_shapes(others), profile=profile, resolver=resolver,
        )  # fmt: skip
        kind = "json" if as_json else wanted
        text = REPORTS[kind](report, source, language)
    if kind == "text":
        text = "".join(f"{visible(line)}\n" for line in text.splitlines())
    write_text(output, text)
    for warning in report.warnings:
        click.echo(f"cturi: the shapes: warning: {warning}", err=True)
    for each in report.idle:
        click.echo(f"cturi: {source}: nothing to check for {each}, which is not a pass", err=True)
    if not report.conforms:
        raise click.exceptions.Exit(1)


def _shapes(files: tuple[str, ...]) -> Graph | None:
    """Return the shapes of all the files together, or None where there are no files."""
    if not files:
        return None
    from rdflib import Graph  # noqa: PLC0415 - loads rdflib

    from cturi_rdf.io import read_catalog  # noqa: PLC0415

    merged = Graph()
    for each in files:
        for subject, predicate, value, _ in read_catalog(each).quads():
            merged.add((subject, predicate, value))
    return merged
