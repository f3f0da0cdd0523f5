"""`cturi resolve`: the meanings of labels."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from cturi_rdf.cli.mapping import lines
from cturi_rdf.cli.options import labels_option
from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.labels import Resolution

__all__ = ["resolve"]


@click.command(short_help="Say what labels such as CSV or .xlsx mean.")
@click.argument("labels", metavar="LABEL...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@labels_option
def resolve(labels: tuple[str, ...], resolver: Resolve, *, as_json: bool) -> None:
    """Print what each LABEL means: verdict, media types, rule and reason.

    Give - to read labels from standard input, one per line.  The columns are aligned on a
    terminal, and separated by tabs in a pipe.
    """
    resolutions = map(resolver, lines(labels))
    if as_json:
        for resolution in resolutions:
            click.echo(json.dumps(resolution.as_dict(), ensure_ascii=False))
    elif sys.stdout.isatty() and "-" not in labels:
        from rich.cells import cell_len, set_cell_size

        rows = list(map(_columns, resolutions))
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = zip(row, widths, strict=True)
            click.echo("  ".join(set_cell_size(*cell) for cell in cells).rstrip())
    else:
        for resolution in resolutions:
            click.echo("\t".join(_columns(resolution)))


def _columns(resolution: Resolution) -> tuple[str, ...]:
    types = ", ".join(map(str, resolution.types)) or "-"
    packed = "".join(f" in {wrapper}" for wrapper in reversed(resolution.wrappers))
    sure = f"{resolution.rule}, {resolution.confidence}"
    parts = (resolution.label, resolution.verdict, f"{types}{packed}", sure, resolution.reason)
    return tuple(map(visible, parts))
