"""`cturi site`: what https://w3id.org/cturi/ redirects to, as static files."""

from __future__ import annotations

from pathlib import Path

import click

from cturi_rdf._util.display import counted
from cturi_rdf.cli import completion
from cturi_rdf.cli.progress import progress, quiet_option, remark

__all__ = ["site"]

_BASE = "https://cturi-rdf.github.io/"


@click.command(short_help="Build a website of the vocabulary and the registry.")
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    required=True,
    help="The folder to write to.",
    shell_complete=completion.folders,
)
@click.option(
    "--base",
    metavar="URL",
    default=_BASE,
    show_default=True,
    help="The address that the folder is published at.",
)
@quiet_option
def site(output: str, base: str) -> None:
    """Write a page for each term, media type, suffix, top-level type, parameter and known label.

    Each page is HTML, Turtle and JSON-LD.  DIR/w3id has the redirects for w3id.org.
    Files in DIR that are not part of the site stay as they are.
    """
    from cturi_rdf.site import write_site

    with progress(f"writing the site to {output}"):
        count = write_site(Path(output), base.rstrip("/") + "/")
    remark(f"{output}: {counted(count, 'file')}")
