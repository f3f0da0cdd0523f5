"""`cturi selfcheck`: whether this installation is sound, and the functions in queries exist."""

from __future__ import annotations

import json

import click

from cturi_rdf.cli import completion
from cturi_rdf.errors import visible

__all__ = ["selfcheck"]

_SIGNS = {True: "ok", False: "FAILED", None: "-"}


@click.command(short_help="Check this installation, and the functions in queries.")
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=completion.files)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per check.")
def selfcheck(files: tuple[str, ...], as_json: bool) -> None:
    """Check this installation, and that the functions that FILEs call exist.

    A FILE is a SPARQL query, or RDF with SHACL shapes that have queries.  The exit code is 1 if
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
            click.echo(json.dumps(check._asdict(), ensure_ascii=False))
        else:
            click.echo(f"{_SIGNS[check.sound]:8}{visible(check.name):31} {visible(check.found)}")
    if failed:
        raise SystemExit(1)
