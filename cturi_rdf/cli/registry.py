"""`cturi registry` and `cturi selfcheck`: the facts about media types, and the installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cturi_rdf import ContentType
from cturi_rdf.cli.mapping import content_type_of, lines
from cturi_rdf.cli.options import (
    complete_files,
    help_alone,
    json_option,
    output_option,
    to_option,
    written_format,
)
from cturi_rdf.cli.output import json_line, progress, quiet_option, remark
from cturi_rdf.errors import visible
from cturi_rdf.facts import about
from cturi_rdf.registry import registry as snapshot
from cturi_rdf.registry import user_data
from cturi_rdf.registry.iana import IANA
from cturi_rdf.registry.iana import update as update_from

if TYPE_CHECKING:
    from cturi_rdf.registry import MediaTypeRecord

_SIGNS = {True: "ok", False: "FAILED", None: "-"}
_STATUSES = ("registered", "provisional", "deprecated", "obsolete")


@click.group(
    invoke_without_command=True,
    short_help="Look up, export or update the registry.",
    subcommand_metavar="[COMMAND] [ARGS]...",
)
@click.pass_context
def registry(ctx: click.Context) -> None:
    """Look up media types in the snapshot of IANA's registry, export it, or update it."""
    help_alone(ctx)


@registry.command(short_help="Show the facts about media types.")
@click.argument("types", metavar="TYPE...", nargs=-1, required=True)
@json_option()
def show(types: tuple[str, ...], as_json: bool) -> None:
    """Print all facts about each media type; - reads lines from standard input."""
    for number, text in enumerate(lines(types)):
        facts = about(content_type_of(text).essence)
        if as_json:
            click.echo(json_line(facts))
            continue
        if number:
            click.echo()
        for name, value in facts.items():
            for element in value if isinstance(value, list) else [value]:
                if element is not None:
                    click.echo(f"{name.replace('_', ' '):16}{element}")


@registry.command("list")
@click.option("--status", type=click.Choice(_STATUSES), help="Only types of this status.")
@click.option(
    "--type", "top_level", metavar="TYPE", help="Only types of this top-level type, such as image."
)
@click.option("--suffix", metavar="SUFFIX", help="Only types with this suffix, such as xml.")
@click.option(
    "--reference", metavar="TEXT", help="Only types with this reference, such as RFC7303."
)
@quiet_option
@json_option()
def list_types(
    status: str | None,
    top_level: str | None,
    suffix: str | None,
    reference: str | None,
    as_json: bool,
) -> None:
    """Print the media types that IANA lists: type, tab, status."""
    folded = reference and reference.replace(" ", "").lower()

    def wanted(record: MediaTypeRecord) -> bool:
        content_type = ContentType.parse(record.essence)
        return (
            status in {None, record.status}
            and (top_level is None or content_type.type == top_level.lower())
            and (suffix is None or content_type.suffix == suffix.lower().removeprefix("+"))
            and folded in {None, *map(str.lower, record.references)}
        )

    records = list(filter(wanted, snapshot().media_types()))
    if not records:
        remark("cturi: no media type in the registry matches all these options")
    for record in records:
        if as_json:
            click.echo(json_line(about(record.essence)))
        else:
            click.echo(f"{record.essence}\t{record.status}")


@registry.command(short_help="Print the whole registry as RDF.")
@output_option()
@to_option
@quiet_option
def export(output: str, to: str | None) -> None:
    """Print the registry as RDF, a concept scheme of all media types; in Turtle by default.

    Merge it into a catalogue for SHACL shapes that check whether a media type exists.
    """
    from cturi_rdf.rdf.export import serialise
    from cturi_rdf.reading.atomic import write_whole

    wanted = written_format(output, to)
    with progress("exporting the registry"):
        text = serialise(wanted)
    write_whole(output, text)


@registry.command(short_help="Update the snapshot from IANA.")
@click.argument("source", metavar="[URL|FILE]", default=IANA, shell_complete=complete_files)
@quiet_option
def update(source: str) -> None:
    """Update the snapshot in your data folder from IANA's media-types.xml.

    A document that is not the registry, or that lacks more than a tenth of the types, is refused,
    and nothing changes.
    """
    renewed = update_from(source)
    count = sum(1 for _ in renewed.media_types())
    remark(f"{count} media types, as of {renewed.date}, in {user_data()}")


@click.command(short_help="Check this installation, and the functions in queries.")
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=complete_files)
@json_option()
def selfcheck(files: tuple[str, ...], as_json: bool) -> None:
    """Check this installation, and that the functions that FILEs call exist.

    FILE is a SPARQL query, or RDF with SHACL shapes that contain queries. The exit code is 1 if
    something is wrong.
    """
    from cturi_rdf.reading.source import open_unpacked
    from cturi_rdf.selfcheck import checks

    for file in files:
        # A file that cannot be opened is an error of the call, not of the installation.
        with open_unpacked(file):
            pass
    failed = False
    for check in checks(files):
        failed |= check.sound is False
        if as_json:
            click.echo(json_line(check._asdict()))
        else:
            click.echo(f"{_SIGNS[check.sound]:8}{visible(check.name):31} {visible(check.found)}")
    if failed:
        raise SystemExit(1)
