"""`cturi headers`: from a catalogue back to the Content-Type of each of its files."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from cturi_rdf.cli.batch import outcomes_of
from cturi_rdf.cli.options import (
    NO_LABELS,
    context_option,
    contexts_of,
    format_of,
    from_option,
    labels_option,
    network_option,
    sources_argument,
)
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.io.relative_iri import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.io.jsonld_contexts import Contexts
    from cturi_rdf.rdf.header import Header

__all__ = ["headers"]


@click.command(short_help="The Content-Type of each file of a catalogue.")
@sources_argument
@from_option
@context_option
@network_option
@labels_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with the evidence.")
def headers(  # noqa: PLR0913, PLR0917 - one parameter an option
    sources: tuple[str, ...],
    form: str | None,
    contexts: dict[str, Path],
    allow_network: bool,  # noqa: FBT001 - a flag
    resolver: Resolve,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Print the Content-Type of every resource of a catalogue that has one, and only one.

    One line a resource: its IRI, a tab, the header.  A blank node goes by the URL that it
    is downloaded from.  Of several files each is a catalogue of its own.
    """
    found = contexts_of(contexts, allow_network=allow_network)

    def printed(source: str, file: IO[str]) -> str:
        if source != "-" or form:
            format_of(source, form, "--from")
        if as_json:
            return _print_json(source, form, found, resolver, file)
        return _print_lines(source, form, found, resolver, file)

    failed = False
    for outcome in _in_order(printed, sources):
        if isinstance(outcome, CturiError):
            failed = True
            click.echo(f"cturi: {outcome.summary}", err=True)
        else:
            click.echo(outcome, nl=False, err=True)
    if failed:
        raise SystemExit(2)


def _in_order(
    printed: Callable[[str, IO[str]], str], sources: tuple[str, ...]
) -> Iterator[str | CturiError]:
    """Yield what comes of each file, once its lines are on standard output."""
    out = sys.stdout
    if len(sources) == 1:

        def print_now(source: str) -> str:
            return printed(source, out)

        yield from outcomes_of(print_now, sources, at_once=False)
        return
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, str(number)) for number, _ in enumerate(sources)]

        def put_by(number: int) -> str:
            with paths[number].open("w", encoding="utf-8") as file:
                return printed(sources[number], file)

        outcomes = outcomes_of(put_by, range(len(sources)), at_once=True)
        for path, outcome in zip(paths, outcomes, strict=True):
            if path.exists():
                with path.open(encoding="utf-8") as file:
                    shutil.copyfileobj(file, out)
                path.unlink()
            yield outcome


def _print_json(
    source: str, form: str | None, contexts: Contexts, resolver: Resolve, file: IO[str]
) -> str:
    """Print headers as JSON; return the remark on their file."""
    from cturi_rdf.rdf.files import headers_of_file  # noqa: PLC0415 - loads tables

    resources = 0
    for header in headers_of_file(source, form=form, contexts=contexts, resolver=resolver):
        resources += 1
        click.echo(json.dumps(_to_json(header), ensure_ascii=False), file)
    return _remark(source, resources, None, 0)


def _print_lines(
    source: str, form: str | None, contexts: Contexts, resolver: Resolve, file: IO[str]
) -> str:
    """Print headers, many lines at a time; return the remark on their file."""
    from cturi_rdf.rdf.files import HeaderLines  # noqa: PLC0415 - loads tables

    text = HeaderLines(source, form=form, contexts=contexts, resolver=resolver)
    for lines in text:
        click.echo(lines, file, nl=False)
    return _remark(source, text.resources, text.first, text.conflicts)


def _remark(source: str, resources: int, first: Header | None, conflicts: int) -> str:
    """Return what the lines do not say: that nothing was found, or which labels disagree."""
    text = "" if resources else f"{source}: no headers\n{NO_LABELS}\n"
    if first:
        said = " against ".join(map(str, first.conflicts))
        where = visible(relative(str(first.name)))
        text += f"{source}: {conflicts} with labels that disagree (all with --json)\n"
        text += f"  {where}: {said}\n"
    return text


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
