"""`cturi query`: SPARQL over catalogues, the virtual registry and the functions."""

from __future__ import annotations

import io
import json
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cturi_rdf.cli import completion
from cturi_rdf.cli.options import (
    context_option,
    files_option,
    labels_option,
    output_option,
    strict_option,
    written_format,
)
from cturi_rdf.cli.output import csv_row, progress, quiet_option, silence_rdflib
from cturi_rdf.errors import visible
from cturi_rdf.reading.errors import CatalogError, unreadable

if TYPE_CHECKING:
    from rdflib import Dataset
    from rdflib.query import Result

    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.reading.formats import Format
    from cturi_rdf.reading.jsonld_contexts import Contexts

__all__ = ["query"]

_ROWS = ("table", "csv", "json")
# Wider than any table: nothing is cut off in a pipe.
_WIDE = 100_000


@click.command(short_help="Query catalogues and the registry with SPARQL.")
@click.argument("query", metavar="QUERY", required=False, shell_complete=completion.queries)
@click.argument("sources", metavar="[FILE]...", nargs=-1, shell_complete=completion.files)
@click.option("--list", "listed", is_flag=True, help="List the queries that come with the package.")
@click.option(
    "--to",
    metavar="FORMAT",
    shell_complete=completion.results,
    help="table, csv or json for rows, any format of RDF for triples; by default what the name"
    " of OUT shows, or table or turtle.",
)
@output_option()
@click.option(
    "--annotate",
    "annotated",
    is_flag=True,
    help="Let the query see what `cturi annotate` adds to the files.",
)
@labels_option
@click.option(
    "--from",
    "form",
    metavar="FORMAT",
    shell_complete=completion.formats,
    help="The format of FILEs, if their names do not show it.",
)
@strict_option
@context_option
@files_option
@click.option(
    "--allow-network",
    is_flag=True,
    help="Let SERVICE ask other servers, and load the graphs of FROM and JSON-LD contexts.",
)
@quiet_option
def query(
    query: str | None,
    sources: tuple[str, ...],
    listed: bool,
    to: str | None,
    output: str,
    annotated: bool,
    resolver: Resolve,
    form: str | None,
    contexts: dict[str, Path | None],
    allow_network: bool,
    allow_files: bool,
    strict: bool,
) -> None:
    """Print what a SPARQL query finds in FILEs and in the registry of media types.

    QUERY is the text of a query, the name of a file with one, a name from --list, or - for
    standard input.  It can only read.  It sees the registry if it names something in it, such as
    a term of ctv, or if there are no FILEs.  The prefixes of FILEs and the common ones, such as
    dcat, dct, skos, schema, ctv and ctf, need no declaration.  Triples are printed as Turtle.  In
    CSV a cell that a spreadsheet would run as a formula begins with an apostrophe.
    """
    from cturi_rdf.catalogue.graph_annotation import annotate
    from cturi_rdf.labels import resolve
    from cturi_rdf.reading.atomic import write_text
    from cturi_rdf.reading.jsonld_contexts import Contexts
    from cturi_rdf.reading.write import write_catalog
    from cturi_rdf.sparql.answers import answer_triples
    from cturi_rdf.sparql.data import query_data
    from cturi_rdf.sparql.query import ready_made, run

    queries = ready_made()
    if listed:
        for entry in queries.values():
            click.echo(f"{entry.name:16}{entry.title}")
        return
    if query is None:
        raise click.UsageError("QUERY is missing; --list shows the queries of the package")
    ready = queries.get(query)
    text = ready.text if ready else _text(query, list(queries))
    annotated = annotated or (ready is not None and ready.annotated)
    if resolver is not resolve and not annotated:
        raise click.UsageError("--labels is for --annotate: this query reads no labels")
    silence_rdflib()
    with progress(f"querying {', '.join(sources) or 'the registry'}"):
        places = Contexts(contexts, allow_network, allow_files, strict)
        if annotated:
            dataset = _read(sources, form, places)
            annotate(dataset, resolver=resolver)
            data = query_data(dataset)
        else:
            data = query_data(*sources, form=form, contexts=places)
        result = run(text, data, allow_network=allow_network)
    # The progress has been removed from the line by now.
    if result.graph is None:
        write_text(output, _rows(result, to or _format_for(output), output))
    else:
        write_catalog(answer_triples(result, data.prefixes), output, _format(output, to))


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


def _read(sources: tuple[str, ...], form: str | None, contexts: Contexts) -> Dataset:
    from rdflib import Dataset

    from cturi_rdf.reading.rdflib_graphs import read_dataset

    dataset = Dataset(default_union=True)
    for source in sources:
        more = read_dataset(source, form, contexts)
        for prefix, namespace in more.namespaces():
            dataset.bind(prefix, namespace, override=False)
        for subject, predicate, value, name in more.quads():
            dataset.graph(name).add((subject, predicate, value))
    return dataset


def _format_for(output: str) -> str:
    """Return the format for rows that the name of a file tells; raises `CatalogError`."""
    extension = Path(output.lower().removesuffix(".gz")).suffix.removeprefix(".")
    if extension in _ROWS or extension in {"", "txt"}:
        return extension if extension in _ROWS else "table"
    raise CatalogError(
        "a file whose name does not tell how to write rows",
        output,
        "one of .csv, .json, .txt, or the option --to FORMAT",
    )


def _rows(result: Result, to: str, output: str) -> str:
    """Return rows, or the answer to ASK, as text."""
    if to not in _ROWS:
        raise click.UsageError(f"rows are not triples: --to is one of {', '.join(_ROWS)}")
    if result.type == "ASK":
        answer = bool(result.askAnswer)
        return json.dumps({"head": {}, "boolean": answer} if to == "json" else answer) + "\n"
    from cturi_rdf.sparql.answers import answer_rows

    result.bindings = answer_rows(result)
    if to == "json":
        return (result.serialize(format=to) or b"").decode().rstrip("\n") + "\n"
    variables = result.vars or []
    names = list(map(str, variables))
    rows = [[_shown(row.get(name)) for name in variables] for row in result.bindings]
    if to == "table":
        return _table(names, rows, output)
    # SPARQL 1.1 Query Results CSV and TSV Formats, section 3.
    return "".join(f"{csv_row(row)}\r\n" for row in (names, *rows))


def _table(names: list[str], rows: list[list[str]], output: str) -> str:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    columns = [Column(Text(name), overflow="fold") for name in names]
    table = Table(*columns, box=SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, map(visible, row)))
    on_terminal = output == "-" and sys.stdout.isatty()
    file = io.StringIO()
    Console(file=file, width=None if on_terminal else _WIDE).print(table)
    lines = [line.rstrip() for line in file.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


def _shown(term: Any) -> str:
    from rdflib import BNode

    return "" if term is None else f"_:{term}" if isinstance(term, BNode) else str(term)


def _format(output: str, to: str | None) -> Format:
    if to in _ROWS and to != "json":
        raise click.UsageError(f"triples are not rows: --to is a format of RDF, not {to}")
    return written_format(output, to)
