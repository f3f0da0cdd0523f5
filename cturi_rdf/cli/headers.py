"""`cturi headers`: from a catalogue back to the Content-Type of each of its files."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from cturi_rdf.cli.batch import outcomes_of
from cturi_rdf.cli.options import (
    NO_LABELS,
    context_option,
    format_of,
    format_of_lines,
    from_option,
    labels_option,
    network_option,
    sources_argument,
    stream_option,
)
from cturi_rdf.cli.progress import progress
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.io.relative_iri import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.rdf.headers import Header

__all__ = ["headers"]


@click.command(short_help="The Content-Type of each file of a catalogue.")
@sources_argument
@from_option
@context_option
@network_option
@labels_option
@stream_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with the evidence.")
def headers(  # noqa: PLR0913, PLR0917 - one parameter an option
    sources: tuple[str, ...],
    form: str | None,
    contexts: dict[str, Path],
    allow_network: bool,  # noqa: FBT001 - a flag
    resolver: Resolve,
    stream: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Print the Content-Type of every resource of a catalogue that has one, and only one.

    One line a resource: its IRI, a tab, the header.  A blank node goes by the URL that it
    is downloaded from.  Of several files each is a catalogue of its own.
    """
    read: Callable[[str], Iterable[Header]]
    if stream:
        read = partial(_of_lines, form=form, resolver=resolver)
    else:
        read = partial(
            _of_graph, form=form, contexts=contexts, allow_network=allow_network, resolver=resolver
        )

    def printed(source: str, file: IO[str]) -> str:
        if stream and not as_json:
            return _print_lines(source, form, resolver, file)
        return _print(source, read(source), file, as_json=as_json)

    failed = False
    for outcome in _in_order(printed, sources, at_once=stream):
        if isinstance(outcome, CturiError):
            failed = True
            click.echo(f"cturi: {outcome.summary}", err=True)
        else:
            click.echo(outcome, nl=False, err=True)
    if failed:
        raise SystemExit(2)


def _in_order(
    printed: Callable[[str, IO[str]], str], sources: tuple[str, ...], *, at_once: bool
) -> Iterator[str | CturiError]:
    """Yield what comes of each file, once its lines are on standard output."""
    out = sys.stdout
    if not at_once or len(sources) == 1:

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


def _of_graph(
    source: str,
    *,
    form: str | None,
    contexts: dict[str, Path],
    allow_network: bool,
    resolver: Resolve,
) -> list[Header]:
    from cturi_rdf.io import read_catalog  # noqa: PLC0415 - loads rdflib
    from cturi_rdf.rdf.headers import headers as headers_of  # noqa: PLC0415

    with progress(f"reading {source}"):
        read = format_of(source, form, "--from").name
        dataset = read_catalog(source, form=read, contexts=contexts, allow_network=allow_network)
        return sorted(headers_of(dataset, resolver=resolver), key=lambda each: str(each.name))


def _of_lines(source: str, *, form: str | None, resolver: Resolve) -> Iterator[Header]:
    from cturi_rdf.stream import headers_lines  # noqa: PLC0415 - loads rdflib

    quads = format_of_lines(source, form).datasets
    return headers_lines(source, quads=quads, resolver=resolver)


def _print(source: str, found: Iterable[Header], file: IO[str], *, as_json: bool) -> str:
    """Print headers; return what is to be said of their file."""
    resources, first, conflicts = 0, None, 0
    for each in found:
        resources += 1
        if as_json:
            click.echo(json.dumps(_to_json(each), ensure_ascii=False), file)
        elif each.content_type:
            click.echo(f"{visible(relative(str(each.name)))}\t{each.content_type}", file)
        if each.conflicts and not as_json:
            first, conflicts = first or each, conflicts + 1
    return _remark(source, resources, first, conflicts)


def _print_lines(source: str, form: str | None, resolver: Resolve, file: IO[str]) -> str:
    """Do the same with a stream, many lines at a time."""
    from cturi_rdf.stream import HeaderLines  # noqa: PLC0415 - loads rdflib

    quads = format_of_lines(source, form).datasets
    text = HeaderLines(source, quads=quads, resolver=resolver)
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
