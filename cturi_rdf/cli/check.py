"""`cturi check` and `cturi repair`: what a profile asks for, and how to get there."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cturi_rdf.cli.options import (
    allow_nothing_option,
    catalogue_options,
    changes_options,
    edited_output_options,
    exit_zero_option,
    file_option,
    json_option,
    named_output,
    output_option,
    profile_option,
    use_files,
)
from cturi_rdf.cli.output import (
    in_folder,
    is_quiet,
    json_line,
    meant,
    outcomes_of,
    quiet_option,
    remark,
    results_of,
    silence_rdflib,
    targets_of,
)
from cturi_rdf.errors import visible
from cturi_rdf.reading.errors import called

if TYPE_CHECKING:
    from cturi_rdf.catalogue.findings import CheckReport
    from cturi_rdf.catalogue.repair import Summary
    from cturi_rdf.catalogue.shacl.engines import EngineName
    from cturi_rdf.reading.formats import ReadOptions
    from cturi_rdf.repair import FilePlan

# How many of the values left the summary shows.
_SHOWN = 20
_profile_option = profile_option(
    "The metadata profile, such as dcat-ap; by default the one that IN shows."
)


@click.command(short_help="Report what is wrong with the types of a catalogue.")
@_profile_option
@file_option(
    "--shapes",
    "others",
    multiple=True,
    help="Also check IN with these SHACL shapes, such as those of DCAT-AP.",
)
@click.option(
    "--engine",
    type=click.Choice(["pyshacl", "shacl"]),
    help="The engine for --shapes; by default shacl, if it is installed and agrees with pyshacl.",
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
    """Check the media types of catalogues: whether they exist, agree, and meet the profile.

    IN is RDF in any syntax or Project Open Data, and may be compressed; - is standard input.
    Each IN is checked by itself. The exit code is 1 if a rule is violated, or if there is only one
    IN and it has nothing to check.
    """
    from cturi_rdf.catalogue.rendering import REPORTS
    from cturi_rdf.check import check_file
    from cturi_rdf.reading.atomic import write_text

    if as_json and wanted not in {"text", "json"}:
        raise click.UsageError(f"--json asks for another report than --format {wanted}")
    if allow_nothing:
        sources = meant(sources)
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


@click.command(short_help="Replace labels with the values that a profile requires.")
@edited_output_options
@_profile_option
@click.option(
    "--min-confidence",
    type=click.Choice(["certain", "likely"]),
    default="certain",
    show_default=True,
    help="How certain a value has to be to be written.",
)
@click.option(
    "--by-url",
    is_flag=True,
    help="Let the file name in the download URL choose among several types.",
)
@click.option(
    "--services",
    type=click.Choice(["report", "move"]),
    default="report",
    show_default=True,
    help="What to do with the names of services: list them, or move them to dcat:accessService.",
)
@changes_options
@file_option(
    "--patch",
    "patches",
    callback=named_output,
    multiple=True,
    help="Also write the changes to a file that ends in .diff, .ru (SPARQL Update), .rdfp (RDF"
    " Patch), .sarif, .jsonl or .ttl (PROV-O), or to a folder, with a .jsonl for each IN.",
)
@file_option(
    "--undo",
    metavar="PATCH",
    help="Undo the repair that wrote PATCH, a .jsonl file or the folder of them.",
)
@catalogue_options
@quiet_option
@click.option(
    "--all", "everything", is_flag=True, help="List all values that are left, not twenty."
)
@allow_nothing_option
@exit_zero_option
def repair(
    sources: tuple[str, ...],
    output: str,
    in_place: bool,
    profile: str | None,
    min_confidence: str,
    by_url: bool,
    services: str,
    dry_run: bool,
    diff: bool,
    patches: tuple[str, ...],
    undo: str | None,
    reading: ReadOptions,
    everything: bool,
    as_json: bool,
    allow_nothing: bool,
    exit_zero: bool,
) -> None:
    """Replace the formats of a catalogue with the values that a metadata profile requires.

    IN is RDF in any syntax or Project Open Data, and may be compressed; - is standard input.
    OUT has the same syntax, and keeps every byte that needs no change. A summary goes to standard
    error. The exit code is 1 if something is left for a person to decide.
    """
    if allow_nothing:
        sources = meant(sources)
        if not sources:
            return
    targets = targets_of(
        sources, output, in_place=in_place, dry_run=dry_run, diff=diff, as_json=as_json
    )
    files = list(targets) or list(sources)
    written = [_patch_of_each("--patch", patch, files) for patch in patches]
    for patch_of in written:
        use_files(patch_of.values(), "written")
    if undo is not None:
        _undo({source: targets.get(source, output) for source in files}, undo, reading)
        return

    # The other options ask for all changes at once.
    may_be_large = not (dry_run or diff or as_json or patches or services == "move")

    def planned(source: str) -> tuple[Summary, FilePlan | None]:
        from cturi_rdf.catalogue.parts import is_large
        from cturi_rdf.catalogue.repair import plan_source, repair_by_parts, summary_of
        from cturi_rdf.catalogue.verdict import Options
        from cturi_rdf.reading.source import open_source

        options = Options(min_confidence, by_url, services)  # type: ignore[arg-type]
        with open_source(source, reading) as file:
            if may_be_large and is_large(file):
                return repair_by_parts(file, targets[source], profile, options), None
            plan = plan_source(file, profile, options)
            return summary_of(plan), plan

    from cturi_rdf.catalogue.labels import near_misses

    left = False
    outcomes = outcomes_of(planned, files, at_once=False)
    with results_of(files, outcomes, "repairing") as results:
        for source, (summary, plan) in results:
            left = left or bool(summary.left)
            # What changes in a large file has been written, and there is no plan.
            if plan is not None:
                _write(plan, None if dry_run else targets.get(source), [p[source] for p in written])
                _print(plan, diff=diff, as_json=as_json, steps=dry_run)
            most = None if everything else _SHOWN
            hints = () if summary.has_labels else near_misses(source, reading)
            for line in () if as_json or is_quiet() else (*summary.lines(most), *hints):
                remark(line)
    if left and not exit_zero:
        raise SystemExit(1)


def _patch_of_each(option: str, patch: str, sources: list[str]) -> dict[str, str]:
    """Return the patch of each file; those in a folder are JSON lines, which can be undone."""
    if Path(patch or os.curdir).is_dir():
        return in_folder(option, patch, sources, ".jsonl")
    if len(sources) > 1:
        raise click.UsageError(f"{option} for several files needs a folder that exists")
    return {sources[0]: patch}


def _write(planned: FilePlan, target: str | None, patches: list[str]) -> None:
    from cturi_rdf.catalogue.patches import patch_for
    from cturi_rdf.catalogue.repair import repair_file
    from cturi_rdf.reading.atomic import write_whole

    for patch in patches:
        content, left_out = patch_for(patch, planned)
        write_whole(patch, content)
        for line in left_out[:_SHOWN]:
            remark(f"cturi: {patch}: {line}")
        if len(left_out) > _SHOWN:
            remark(f"cturi: {patch}: and {len(left_out) - _SHOWN} more")
    if target is not None:
        repair_file(planned, target)


def _undo(targets: dict[str, str], patch: str, reading: ReadOptions) -> None:
    """Write the original of each file to its target."""
    from cturi_rdf.catalogue.patches import undone
    from cturi_rdf.reading.atomic import write_whole
    from cturi_rdf.reading.source import open_source, open_unpacked, read_whole

    files = list(targets)
    patch_of = _patch_of_each("--undo", patch, files)

    def undo(source: str) -> None:
        name = patch_of[source]
        with open_source(source, reading) as file, open_unpacked(name) as changes:
            content = file.read()
            text = read_whole(changes, name).decode("utf-8", "replace")
            file.check()
        write_whole(targets[source], undone(content, text, name=name))

    with results_of(files, outcomes_of(undo, files, at_once=False)) as results:
        deque(results, maxlen=0)


def _print(planned: FilePlan, *, diff: bool, as_json: bool, steps: bool) -> None:
    if as_json:
        click.echo(json_line(planned.as_dict()))
    elif diff:
        from cturi_rdf.catalogue.patches import as_diff

        click.echo(as_diff(planned), nl=False)
    elif steps:
        plan = planned.plan
        for step in plan.steps:
            place = planned.source
            if step.statement is not None:
                place += ":{}:{}".format(*plan.document.position(step.statement.start))
            click.echo(visible(f"{place}: {step.text()}"))
            click.echo(visible(f"    {step.rule}, {step.confidence}: {step.reason}"))
