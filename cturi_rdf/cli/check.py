"""`cturi check`: whether the media types of a catalogue are as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cturi_rdf.cli.options import (
    allow_nothing_option,
    catalogue_options,
    exit_zero_option,
    file_option,
    json_option,
    output_option,
    profile_option,
)
from cturi_rdf.cli.output import (
    meant,
    outcomes_of,
    quiet_option,
    remark,
    results_of,
    silence_rdflib,
)
from cturi_rdf.reading.errors import called

if TYPE_CHECKING:
    from cturi_rdf.catalogue.findings import CheckReport
    from cturi_rdf.catalogue.shacl.validation import EngineName
    from cturi_rdf.reading.formats import ReadOptions


@click.command(short_help="Report what is wrong with the types of a catalogue.")
@profile_option("Also check values against this metadata profile, such as dcat-ap or pod.")
@file_option(
    "--shapes",
    "others",
    multiple=True,
    help="Also check IN with these SHACL shapes, such as those of DCAT-AP.",
)
@click.option(
    "--engine",
    type=click.Choice(["pyshacl", "shacl"]),
    help="The engine for --shapes; by default shacl, if it is installed and finds the same.",
)
@click.option(
    "--format",
    "wanted",
    default="text",
    show_default=True,
    type=click.Choice(["text", "turtle", "json", "sarif", "github"]),
    help="The report: as text, for RDF tools, for programs, for code scanning, for GitHub.",
)
@click.option(
    "--by-url",
    is_flag=True,
    help="Warn where the file name in the download URL contradicts the labels.",
)
@json_option()
@click.option("--all", "everything", is_flag=True, help="Show all findings, not just ten.")
@quiet_option
@click.option(
    "--language",
    type=click.Choice(["en", "de", "fr", "es"]),
    default="en",
    show_default=True,
    help="The language of the messages; the headings stay in English.",
)
@output_option("The file for the report")
@catalogue_options
@allow_nothing_option
@exit_zero_option
def check(
    sources: tuple[str, ...],
    reading: ReadOptions,
    others: tuple[str, ...],
    engine: EngineName | None,
    profile: str | None,
    wanted: str,
    by_url: bool,
    as_json: bool,
    everything: bool,
    language: str,
    output: str,
    allow_nothing: bool,
    exit_zero: bool,
) -> None:
    """Check the media types of catalogues: whether they exist, are spelt right and agree.

    IN is RDF in any syntax or Project Open Data, and may be compressed; - is standard input.
    Each IN is a catalogue of its own.  The exit code is 1 if a rule is violated, or if a single
    IN has nothing to check.
    """
    from cturi_rdf.catalogue.rendering import REPORTS
    from cturi_rdf.check import check_file
    from cturi_rdf.reading.atomic import expect_apart, write_text

    if allow_nothing:
        sources = meant(sources)
    expect_apart(output, *sources, *others)
    shapes = None
    if others:
        from cturi_rdf.reading.rdflib_graphs import read_graph

        silence_rdflib()
        shapes = read_graph(*others)

    def checked(source: str) -> CheckReport:
        return check_file(
            source,
            reading=reading,
            shapes=shapes,
            profile=profile,
            by_url=by_url,
            engine=engine,
        )

    kind = "json" if as_json else wanted
    outcomes = outcomes_of(checked, sources, at_once=False)
    with results_of(sources, outcomes, "checking") as results:
        reports = dict(results)
        if reports:
            more = {"everything": everything} if kind == "text" else {}
            write_text(output, REPORTS[kind](reports, language, **more))
        for source, report in reports.items():
            for warning in report.warnings:
                remark(f"cturi: the shapes: warning: {warning}")
            # A report in text says it itself.
            if report.idle and (kind, output) != ("text", "-"):
                remark(f"cturi: {called(source)}: {report.idle_notice}")
    # Of many files, some are ontologies or examples.
    fails = [
        report.violated or (bool(report.idle) and len(sources) == 1 and not allow_nothing)
        for report in reports.values()
    ]
    if any(fails) and not exit_zero:
        raise SystemExit(1)
