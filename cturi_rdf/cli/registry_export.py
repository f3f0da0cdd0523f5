"""`cturi registry export`: the whole registry as RDF."""

from __future__ import annotations

import click

from cturi_rdf.cli.options import output_option, to_option, written_format
from cturi_rdf.cli.progress import progress, quiet_option

__all__ = ["export"]


@click.command(short_help="Print the whole registry as RDF.")
@output_option()
@to_option
@quiet_option
def export(output: str, to: str | None) -> None:
    """Print the registry as RDF, a concept scheme of all media types; in Turtle by default.

    Merge it into a catalogue for SHACL shapes that check whether a media type exists.
    """
    from cturi_rdf.io.atomic import write_whole  # noqa: PLC0415
    from cturi_rdf.rdf.export import serialise  # noqa: PLC0415

    wanted = written_format(output, to)
    with progress("exporting the registry"):
        text = serialise(wanted)
    write_whole(output, text)
