"""`cturi lsp`: findings, meanings and values while a file is typed, for editors."""

from __future__ import annotations

import os

import click

from cturi_rdf.cli import completion
from cturi_rdf.cli.output import silence_rdflib
from cturi_rdf.errors import CturiError


@click.command(short_help="Serve an editor: findings, fixes and meanings while you type.")
@click.option(
    "--profile",
    metavar="NAME",
    shell_complete=completion.profiles,
    help="The metadata profile to check by; by default the one that a file names.",
)
@click.option(
    "--shapes",
    metavar="FILE",
    multiple=True,
    shell_complete=completion.files,
    help="Also check with these SHACL shapes.",
)
def lsp(profile: str | None, shapes: tuple[str, ...]) -> None:
    """Speak the Language Server Protocol on standard input and output.

    An editor starts this command, and may send `profile` and `shapes` itself.
    """
    try:
        from cturi_rdf.lsp.server import Settings, new_server
    except ImportError as error:
        raise click.ClickException(str(error)) from error

    silence_rdflib()
    settings = Settings()
    try:
        settings.take({"profile": profile, "shapes": list(shapes)})
    except CturiError as error:
        raise click.ClickException(error.summary) from error
    # The server closes what it reads and writes.
    with os.fdopen(os.dup(0), "rb") as given, os.fdopen(os.dup(1), "wb") as answers:
        new_server(settings).start_io(given, answers)
