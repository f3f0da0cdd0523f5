"""`cturi headers`: from a catalogue back to the Content-Type of each of its files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from cturi_rdf.cli.options import (
    NO_LABELS,
    context_option,
    format_of,
    format_of_lines,
    from_option,
    labels_option,
    network_option,
    source_argument,
    stream_option,
)
from cturi_rdf.cli.progress import progress
from cturi_rdf.errors import visible
from cturi_rdf.rdf.base import relative

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.rdf.headers import Header

__all__ = ["headers"]


@click.command(short_help="The Content-Type of each file of a catalogue.")
@source_argument
@from_option
@context_option
@network_option
@labels_option
@stream_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with the evidence.")
def headers(  # noqa: PLR0913, PLR0917 - one parameter an option
    source: str,
    form: str | None,
    contexts: dict[str, Path],
    allow_network: bool,  # noqa: FBT001 - a flag
    resolver: Resolve,
    stream: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Print the Content-Type of every resource of a catalogue that has one, and only one.

    One line a resource: its IRI, a tab, the header.  A blank node goes by the URL that it
    is downloaded from.
    """
    if stream and not as_json:
        from cturi_rdf.bulk import HeaderLines  # noqa: PLC0415 - loads rdflib

        quads = format_of_lines(source, form).datasets
        text = HeaderLines(source, quads=quads, resolver=resolver)
        for lines in text:
            click.echo(lines, nl=False)
        _remark(source, text.resources, text.first, text.conflicts)
        return
    found: Iterable[Header]
    if stream:
        from cturi_rdf.bulk import headers_lines  # noqa: PLC0415

        quads = format_of_lines(source, form).datasets
        found = headers_lines(source, quads=quads, resolver=resolver)
    else:
        from cturi_rdf.catalog import read_catalog  # noqa: PLC0415 - loads rdflib
        from cturi_rdf.rdf.headers import headers as headers_of  # noqa: PLC0415

        with progress(f"reading {source}"):
            form = format_of(source, form, "--from").name
            dataset = read_catalog(
                source, form=form, contexts=contexts, allow_network=allow_network
            )
            found = sorted(headers_of(dataset, resolver=resolver), key=lambda each: str(each.name))
    resources, first, conflicts = 0, None, 0
    for each in found:
        resources += 1
        if as_json:
            click.echo(json.dumps(_to_json(each), ensure_ascii=False))
        elif each.content_type:
            click.echo(f"{visible(relative(str(each.name)))}\t{each.content_type}")
        if each.conflicts and not as_json:
            first, conflicts = first or each, conflicts + 1
    _remark(source, resources, first, conflicts)


def _remark(source: str, resources: int, first: Header | None, conflicts: int) -> None:
    """Say on standard error what the lines do not: nothing found, or labels that disagree."""
    if not resources:
        click.echo(f"{source}: no headers\n{NO_LABELS}", err=True)
    if first:
        said = " against ".join(map(str, first.conflicts))
        where = visible(relative(str(first.name)))
        click.echo(f"{conflicts} with labels that disagree (all with --json):", err=True)
        click.echo(f"  {where}: {said}", err=True)


def _to_json(header: Header) -> dict[str, Any]:
    return {
        "resource": relative(str(header.name)),
        "content_type": str(header.content_type) if header.content_type else None,
        "conflicts": [str(each) for each in header.conflicts],
        "evidence": [
            {
                "property": str(each.property),
                "label": each.text,
                "content_type": str(each.content_type),
            }
            for each in header.evidence
        ],
    }
