"""`cturi query`: SPARQL over catalogues, the virtual registry and the functions."""

from __future__ import annotations

import io
import json
import os
import sys
import warnings
from contextlib import closing
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from cturi_rdf.catalogue.header import csv_row
from cturi_rdf.cli.options import (
    complete_files,
    complete_formats,
    data_options,
    files_argument,
    json_option,
    output_option,
    reading_options,
    used_as,
    written_format,
)
from cturi_rdf.cli.output import aligned, progress, quiet_option, remark, silence_rdflib
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.reading.errors import CatalogError, called, unreadable
from cturi_rdf.reading.formats import format_of_file

if TYPE_CHECKING:
    from cturi_rdf.reading.formats import ReadOptions
    from cturi_rdf.sparql.query import Answer

# The formats of rows; those of SPARQL by their media types.
_WRITTEN = {
    "json": "application/sparql-results+json",
    "xml": "application/sparql-results+xml",
    "tsv": "text/tab-separated-values; charset=utf-8",
}
# Files of so many bytes are kept on disk.
_LARGE = 50_000_000
_ROWS = ("table", "csv", *_WRITTEN)


def _complete_queries(
    context: click.Context, parameter: click.Parameter, typed: str
) -> list[CompletionItem]:
    """Return the names of ready-made queries, and files, for the shell to complete."""
    from cturi_rdf.sparql.query import ready_made

    names = [
        CompletionItem(query.name, help=query.title)
        for query in ready_made().values()
        if query.name.startswith(typed)
    ]
    return names + complete_files(context, parameter, typed)


def _complete_results(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """Return the names of formats for rows, and of RDF, for the shell to complete."""
    rows = [name for name in ("table", "csv", "json") if name.startswith(typed)]
    return rows + complete_formats(context, parameter, typed)


@click.command(short_help="Query catalogues and the registry with SPARQL.")
@click.argument(
    "query",
    metavar="QUERY",
    required=False,
    shell_complete=_complete_queries,
    callback=used_as("IN"),
)
@files_argument("sources", metavar="[FILE]...", nargs=-1)
@click.option("--list", "listed", is_flag=True, help="List the queries that come with the package.")
@click.option(
    "--to",
    metavar="FORMAT",
    shell_complete=_complete_results,
    help="table, csv, tsv, json or xml for rows, any RDF format for triples; by default the one"
    " that the name of OUT shows, or else table or turtle.",
)
@json_option("Print the JSON of SPARQL; the same as --to json.")
@output_option()
@data_options
@reading_options(
    "FILEs",
    "Let SERVICE ask other servers, and fetch the graphs of FROM and JSON-LD contexts.",
)
@quiet_option
def query(
    query: str | None,
    sources: tuple[str, ...],
    listed: bool,
    to: str | None,
    as_json: bool,
    output: str,
    as_is: bool,
    no_registry: bool,
    base: str | None,
    reading: ReadOptions,
) -> None:
    """Print what a SPARQL query finds in FILEs and in the registry of media types.

    QUERY is the text of a query, the name of a file with a query, a name from --list, or - for
    standard input. Updates are refused. The query runs over FILEs, what `cturi annotate --add
    labels` would add to them, and the registry. The prefixes of FILEs and common ones, such as
    dcat, dct, skos, schema, ctv and ctf, need no declaration. Triples are printed as Turtle. In CSV
    a cell that a spreadsheet would run as a formula begins with an apostrophe.
    """
    from cturi_rdf.labels import resolve
    from cturi_rdf.reading.atomic import write_text
    from cturi_rdf.sparql.dataset import query_data
    from cturi_rdf.sparql.query import MissingStatements, ask, ready_made

    queries = ready_made()
    if listed:
        for entry in queries.values():
            click.echo(f"{entry.name:16}{entry.title}")
        return
    if query is None:
        raise click.UsageError("QUERY is missing; cturi query --list shows ready-made queries")
    if reading.resolver is not resolve and as_is:
        raise click.UsageError("--as-is reads no labels, so --labels changes nothing")
    to = "json" if as_json else to
    text = queries[query].text if query in queries else _text(query, list(queries))
    silence_rdflib()
    sizes = {source: _size(source) for source in sources}
    if _is_large(sizes):
        _tell_size(sizes, annotated=not as_is)
    with (
        progress(f"querying {', '.join(sources) or 'the registry'}"),
        warnings.catch_warnings(record=True) as missing,
    ):
        warnings.simplefilter("always", MissingStatements)
        with closing(
            query_data(
                *sources,
                reading=reading,
                base=base,
                annotated=not as_is,
                registry="none" if no_registry else "default",
                on_disk=_is_large(sizes),
            )
        ) as data:
            try:
                answer = ask(text, data, allow_network=reading.allow_network)
            except CturiError as error:
                if text == query or query in queries:
                    raise
                where = f"the query in {called(query)}: {error.summary}{error.option}"
                raise click.ClickException(where) from error
    # The progress has been removed from the line by now.
    for warning in missing:
        problem, *_ = warning.message.args  # type: ignore[union-attr] # an exception
        click.echo(f"cturi: {problem}{'' if sources else '; no FILE is given'}", err=True)
    if not isinstance(answer.content, list):
        write_text(output, _rows(answer, to or _format_for(output), output))
        return
    from cturi_rdf.reading.rdflib_graphs import write_catalog
    from cturi_rdf.sparql.query import answer_triples

    if to in _ROWS and to not in {"json", "xml"}:
        raise click.UsageError(f"the query returns triples: --to is a format of RDF, not {to}")
    triples = answer_triples(answer.as_result(), data.prefixes)
    write_catalog(triples, output, written_format(output, to))


def _is_large(sizes: dict[str, int]) -> bool:
    return sum(sizes.values()) >= _LARGE


def _tell_size(sizes: dict[str, int], *, annotated: bool) -> None:
    """Say what a query of large files takes, and how to ask a part of them."""
    on_disk = sum(size * _times(source, annotated=annotated) for source, size in sizes.items())
    remark(
        f"cturi: {sum(sizes.values()) / 1e6:,.0f} MB are loaded into a temporary folder, which"
        f" takes up to about {on_disk / 1e9:.1f} GB of disk"
    )
    remark(
        "  next: ask a part of them, such as the lines with one property (grep -F"
        " 'dcat#mediaType' FILE | cturi query QUERY -)"
        + (", or leave the labels unread with --as-is, which is quicker" if annotated else "")
    )


def _times(source: str, *, annotated: bool) -> int:
    """Return up to how many times its size a file takes on disk."""
    times = 5 if annotated else 2
    try:
        by_lines = format_of_file(source).by_lines
    except CatalogError:
        by_lines = False
    # Other syntaxes have short names.
    return times if by_lines else 2 * times


def _size(source: str) -> int:
    """Return how many bytes a file has, about what is inside where it is compressed.

    Of a pipe nobody knows it.
    """
    try:
        size = (os.fstat(sys.stdin.fileno()) if source == "-" else Path(source).stat()).st_size
    except (OSError, AttributeError):
        return 0
    return size * 10 if source.endswith((".gz", ".bz2", ".xz", ".zst")) else size


def _text(query: str, names: list[str]) -> str:
    """Return the text of a query that is given as text, in a file or on standard input.

    Raises `CatalogError` for anything else, with the nearest of the names of ready-made queries.
    """
    if query == "-":
        return _decoded(sys.stdin.buffer.read(), "standard input")
    try:
        octets = Path(query).read_bytes()
    except (OSError, ValueError) as error:
        # A query has spaces or braces; a text without them is meant as a name.
        if any(mark in query for mark in " \n{}"):
            return query
        close = get_close_matches(query, names, n=1)
        expected = f"'{close[0]}'" if close else "a query, a file, or a name from --list"
        raise unreadable(query, error, expected) from error
    return _decoded(octets, query)


def _decoded(octets: bytes, source: str) -> str:
    """Return the text of a query; raises `CatalogError`, with the line, where it is not UTF-8."""
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = octets.count(b"\n", 0, error.start) + 1
        raise CatalogError("a byte that is not UTF-8", source, "SPARQL in UTF-8", line) from error


def _format_for(output: str) -> str:
    """Return the format for rows that the name of a file tells; raises `CatalogError`."""
    extension = Path(output.lower().removesuffix(".gz")).suffix.removeprefix(".")
    if extension in _ROWS or extension in {"", "txt"}:
        return extension if extension in _ROWS else "table"
    raise CatalogError(
        "a name that does not show how to write rows",
        output,
        "one of .csv, .tsv, .json, .xml, .txt, or the option --to FORMAT",
    )


def _rows(answer: Answer, to: str, output: str) -> str:
    """Return rows, or the answer to ASK, as text."""
    if to not in _ROWS:
        raise click.UsageError(f"the query returns rows: --to is one of {', '.join(_ROWS)}")
    if to in _WRITTEN:
        from cturi_rdf.sparql.query import writers

        write = writers(answer.as_result()).get(_WRITTEN[to])
        if write is None:
            raise click.UsageError(f"{to} is a format for rows, but the answer is true or false")
        return write().decode().rstrip("\n") + "\n"
    if isinstance(answer.content, bool):
        return json.dumps(answer.content) + "\n"
    names, *rows = answer.text_rows()
    if to == "table":
        return _table(names, rows, output)
    # SPARQL 1.1 Query Results CSV and TSV Formats, section 3.
    return "".join(f"{csv_row(row)}\r\n" for row in (names, *rows))


def _table(names: list[str], rows: list[list[str]], output: str) -> str:
    rows = [list(map(visible, row)) for row in rows]
    if output == "-" and sys.stdout.isatty():
        return _folded_table(names, rows)
    from rich.cells import cell_len

    lines = aligned([names, *rows], "   ")
    lines.insert(1, "─" * max(map(cell_len, lines)))
    return "".join(f" {line}".rstrip() + "\n" for line in lines)


def _folded_table(names: list[str], rows: list[list[str]]) -> str:
    """Return a table that is as wide as the terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    columns = [Column(Text(name), overflow="fold") for name in names]
    table = Table(*columns, box=SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    file = io.StringIO()
    Console(file=file).print(table)
    lines = [line.rstrip() for line in file.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"
