"""`cturi registry export`: the whole registry as RDF."""

from __future__ import annotations

import click

from cturi_rdf.cli.options import written_format
from cturi_rdf.cli.progress import progress, quiet_option

__all__ = ["export"]


@click.command(short_help="Print the whole registry as RDF.")
@click.option(
    "-o", "--output", metavar="OUT", default="-", help="Where to; standard output if not given."
)
@click.option("--to", metavar="FORMAT", help="The format, if the name of OUT does not tell.")
@quiet_option
def export(output: str, to: str | None) -> None:
    """Print the registry as RDF: a concept scheme of all media types, in Turtle or as OUT says.

    Merged into a catalogue it is what SHACL shapes need to tell a media type from nonsense.
    """
    from cturi_rdf.io.atomic import write_whole  # noqa: PLC0415
    from cturi_rdf.rdf.export import serialise  # noqa: PLC0415

    wanted = written_format(output, to)
    with progress("exporting the registry"):
        text = serialise(wanted)
    write_whole(output, text)
