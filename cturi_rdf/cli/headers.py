"""`cturi headers`: from a catalogue back to the Content-Type of each of its files."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING

import click

from cturi_rdf.catalogue.header import TABLES, Remarks
from cturi_rdf.catalogue.server_formats import SERVER_FORMATS, files_of
from cturi_rdf.cli.options import catalogue_options, json_option, output_option
from cturi_rdf.cli.output import outcomes_of, quiet_option, remark, results_of, text_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.errors import CturiError
    from cturi_rdf.reading.formats import ReadOptions


@click.command(short_help="Print the Content-Type of each file of a catalogue.")
@click.option(
    "--format",
    "wanted",
    type=click.Choice((*TABLES, *SERVER_FORMATS)),
    default="tsv",
    show_default=True,
    help="What to print: tables, or the configuration of a web server.",
)
@output_option()
@click.option(
    "--host",
    metavar="HOST",
    help="For servers: only the files of this host. Without it, each host has its own rules.",
)
@click.option(
    "--content-encoding",
    is_flag=True,
    help="For servers: send data.csv.gz as text/csv with Content-Encoding: gzip.",
)
@click.option(
    "--by-url",
    is_flag=True,
    help="Let the file name in the download URL choose among several types, and list each file"
    " where the two disagree.",
)
@json_option()
@catalogue_options
@quiet_option
def headers(
    sources: tuple[str, ...],
    reading: ReadOptions,
    wanted: str,
    output: str,
    host: str | None,
    as_json: bool,
    content_encoding: bool,
    by_url: bool,
) -> None:
    """Print the Content-Type that a server should send for each file of a catalogue.

    Each line has the IRI of a resource, a tab, and the header. A file in a zip is sent as a zip. A
    blank node is named by its download URL or its title. For nginx, Apache and static hosts (a
    _headers file), files are named by the host and the path of their download URL. Each IN is read
    by itself.
    """
    kind = "json" if as_json else wanted
    if (content_encoding or host is not None) and kind not in SERVER_FORMATS:
        option = "--content-encoding" if content_encoding else "--host"
        raise click.UsageError(f"{option} is for --format nginx, apache or headers")

    def printed(source: str, file: IO[str]) -> str:
        if kind == "tsv" and not by_url:
            return _print_lines(source, file, reading)
        from cturi_rdf.catalogue import headers_of_file

        results = headers_of_file(source, reading=reading, urls=kind != "json", by_url=by_url)
        remarks = Remarks(source, by_url=by_url)
        if kind in SERVER_FORMATS:
            files, left_out = files_of(
                remarks.counted(results), kind, host=host, content_encoding=content_encoding
            )
            remarks.leave_out(left_out)
            # A part of a configuration would be one to a server.
            lines: Iterable[str] = list(SERVER_FORMATS[kind](files))
        else:
            lines = TABLES[kind](remarks.counted(results))
        for line in lines:
            click.echo(line, file)
        return _with_hints(remarks, source, reading)

    with (
        text_to(output) as out,
        results_of(sources, _printed_in_order(printed, sources, out)) as results,
    ):
        for _, text in results:
            remark(text, nl=False)


def _printed_in_order(
    printed: Callable[[str, IO[str]], str], sources: tuple[str, ...], out: IO[str]
) -> Iterator[str | CturiError]:
    """Yield the outcome of each file, once its lines are in the output."""
    if len(sources) == 1:

        def print_now(source: str) -> str:
            return printed(source, out)

        yield from outcomes_of(print_now, sources, at_once=False)
        return

    with TemporaryDirectory() as folder:
        paths = [Path(folder, str(number)) for number, _ in enumerate(sources)]

        def spill(number: int) -> str:
            with paths[number].open("w", encoding="utf-8") as file:
                return printed(sources[number], file)

        outcomes = outcomes_of(spill, range(len(sources)), at_once=True)
        for path, outcome in zip(paths, outcomes, strict=True):
            if path.exists():
                with path.open(encoding="utf-8") as file:
                    copyfileobj(file, out)
                path.unlink()
            yield outcome


def _print_lines(source: str, file: IO[str], reading: ReadOptions) -> str:
    """Print headers, many lines at a time; return the remarks on their file."""
    from cturi_rdf.catalogue import HeaderStream

    remarks = Remarks(source)
    text = HeaderStream(source, remarks.note, reading=reading)
    for lines in text:
        click.echo(lines, file, nl=False)
    remarks.resources = text.resources
    remarks.guesses = text.guesses
    return _with_hints(remarks, source, reading)


def _with_hints(remarks: Remarks, source: str, reading: ReadOptions) -> str:
    """Return the remarks; where there is no header, with the properties that are meant."""
    from cturi_rdf.catalogue.labels import near_misses

    hints = () if remarks.resources else near_misses(source, reading)
    return str(remarks) + "".join(f"{hint}\n" for hint in hints)
