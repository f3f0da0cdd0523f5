"""`cturi registry export`: the whole registry as RDF."""

from __future__ import annotations

import click

from cturi_rdf.cli.progress import progress

__all__ = ["export"]


@click.command()
@click.option(
    "-o", "--output", metavar="OUT", default="-", help="Where to; standard output if not given."
)
@click.option("--to", metavar="FORMAT", help="The format, if the name of OUT does not tell.")
def export(output: str, to: str | None) -> None:
    """Print the registry as RDF: a concept scheme of all media types, in Turtle or as OUT says.

    Merged into a catalogue it is what SHACL shapes need to tell a media type from nonsense.
    """
    from cturi_rdf.catalog.formats import format_named, format_of_file  # noqa: PLC0415
    from cturi_rdf.catalog.output import write_whole  # noqa: PLC0415
    from cturi_rdf.rdf.export import serialise  # noqa: PLC0415 - loads rdflib

    if to:
        wanted = format_named(to)
    else:
        wanted = format_named("turtle") if output == "-" else format_of_file(output)
    with progress("exporting the registry"):
        text = serialise(wanted.name)
    write_whole(output, text)
