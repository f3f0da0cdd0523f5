"""The command `cturi resolve`: what labels mean."""

from __future__ import annotations

import json
import sys

import click

from cturi_rdf.cli.options import labels_option
from cturi_rdf.errors import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.labels import Resolution

__all__ = ["resolve"]


@click.command(short_help="What labels such as CSV or .xlsx mean.")
@click.argument("labels", metavar="LABEL...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@labels_option
def resolve(labels: tuple[str, ...], resolver: Resolve, *, as_json: bool) -> None:
    """Print what each LABEL means: verdict, media types, rule and reason.

    The label - stands for the lines of standard input.
    """
    for label in _lines(labels):
        resolution = resolver(label)
        click.echo(
            json.dumps(resolution.as_dict(), ensure_ascii=False) if as_json else _line(resolution)
        )


def _lines(labels: Iterable[str]) -> Iterator[str]:
    for label in labels:
        if label == "-":
            for line in sys.stdin.buffer:
                # What is not UTF-8 stays visible, as in an argument.
                yield line.decode("utf-8", "surrogateescape").removesuffix("\n").removesuffix("\r")
        else:
            yield label


def _line(resolution: Resolution) -> str:
    types = ", ".join(map(str, resolution.types)) or "-"
    packed = "".join(f" in {wrapper}" for wrapper in reversed(resolution.wrappers))
    sure = f"{resolution.rule}, {resolution.confidence}"
    parts = (resolution.label, resolution.verdict, f"{types}{packed}", sure, resolution.reason)
    return "\t".join(map(visible, parts))
