"""`cturi query`: SPARQL over catalogues, the virtual registry and the functions."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cturi_rdf.cli.options import context_option
from cturi_rdf.cli.progress import progress
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.rdf.base import relative

if TYPE_CHECKING:
    from rdflib import Dataset
    from rdflib.query import Result

    from cturi_rdf.rdf.query import ReadyMade

__all__ = ["query"]

_ROWS = ("table", "csv", "json")
# More than any table needs: in a pipe nothing is cut off.
_WIDE = 100_000


@click.command()
@click.argument("query", metavar="QUERY", required=False)
@click.argument("sources", metavar="[FILE]...", nargs=-1)
@click.option("--list", "listed", is_flag=True, help="List the queries that come with the package.")
@click.option(
    "--to", metavar="FORMAT", help="table, csv or json for rows; any format of RDF for triples."
)
@click.option(
    "-o", "--output", metavar="OUT", default="-", help="Where to, if not standard output."
)
@click.option("--annotate", "annotated", is_flag=True,
              help="Let the query see what `cturi annotate` adds to the files.")  # fmt: skip
@click.option("--from", "form", metavar="FORMAT", help="The format of FILEs whose name tells none.")
@context_option
@click.option(
    "--allow-network", is_flag=True,
    help="Let SERVICE ask other servers, and load the graphs of FROM and JSON-LD contexts.",
)  # fmt: skip
def query(  # noqa: PLR0913, PLR0917 - one parameter an option
    query: str | None,
    sources: tuple[str, ...],
    listed: bool,  # noqa: FBT001 - a flag
    to: str | None,
    output: str,
    annotated: bool,  # noqa: FBT001 - a flag
    form: str | None,
    contexts: dict[str, Path],
    allow_network: bool,  # noqa: FBT001 - a flag
) -> None:
    """Print what a SPARQL query finds in FILEs and in the registry of media types.

    QUERY is the text of a query, the name of a file with one, a name from --list, or - for
    standard input.  It can only read.  The prefixes ct, ctv, ctf, dct and those of FILEs are
    known.  Triples are printed as Turtle.
    """
    from cturi_rdf.catalog.output import write_whole  # noqa: PLC0415 - loads rdflib
    from cturi_rdf.catalog.write import write_catalog  # noqa: PLC0415
    from cturi_rdf.rdf.annotate import annotate  # noqa: PLC0415
    from cturi_rdf.rdf.query import ready_made, run  # noqa: PLC0415

    known = ready_made()
    if listed:
        for each in known.values():
            click.echo(f"{each.name:16}{each.title}")
        return
    if query is None:
        raise click.UsageError("QUERY is missing; --list shows the queries of the package")
    text, annotated = _text(query, known, annotated=annotated)
    with progress(f"querying {', '.join(sources) or 'the registry'}"):
        dataset = _read(sources, form, contexts, allow_network=allow_network)
        if annotated:
            annotate(dataset)
        result = run(text, dataset, allow_network=allow_network)
        if result.graph is None:
            write_whole(output, _rows(result, to or "table", output).encode())
        else:
            write_catalog(_dataset(result, dataset), output, _format(to or "turtle"))


def _text(query: str, known: dict[str, ReadyMade], *, annotated: bool) -> tuple[str, bool]:
    """Return the text of a query, and whether it asks for annotations."""
    if query in known:
        return known[query].text, annotated or known[query].annotated
    if query == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace"), annotated
    try:
        return Path(query).read_bytes().decode("utf-8", "replace"), annotated
    except (OSError, ValueError) as error:
        # A query has spaces or braces; what has none is meant as a name.
        if any(mark in query for mark in " \n{}"):
            return query, annotated
        why = getattr(error, "strerror", None) or error
        raise CturiError(
            f"no such query, nor can a file be read ({why})", query, (0, len(query)),
            "a query, a file, or a name from --list", "cturi query --help",
        ) from error  # fmt: skip


def _read(
    sources: tuple[str, ...], form: str | None, contexts: dict[str, Path], *, allow_network: bool
) -> Dataset:
    from rdflib import Dataset  # noqa: PLC0415 - loads rdflib

    from cturi_rdf.catalog import read_catalog  # noqa: PLC0415

    dataset = Dataset(default_union=True)
    for source in sources:
        more = read_catalog(source, form=form, contexts=contexts, allow_network=allow_network)
        for prefix, namespace in more.namespaces():
            dataset.bind(prefix, namespace, override=False)
        for subject, predicate, value, name in more.quads():
            dataset.graph(name).add((subject, predicate, value))
    return dataset


def _rows(result: Result, to: str, output: str) -> str:
    """Return rows, or the answer to ASK, as text."""
    if to not in _ROWS:
        raise click.UsageError(f"rows are no triples: --to is one of {', '.join(_ROWS)}")
    if result.type == "ASK":
        answer = bool(result.askAnswer)
        return json.dumps({"head": {}, "boolean": answer} if to == "json" else answer) + "\n"
    result.bindings = [
        {name: _relative(term) for name, term in row.items()} for row in result.bindings
    ]
    if to == "table":
        return _table(result, output)
    text = result.serialize(format=to) or b""
    return text.decode().rstrip("\n") + "\n"


def _relative(term: Any) -> Any:
    """Return a term so that a relative IRI is what its author wrote."""
    from rdflib import URIRef  # noqa: PLC0415 - loads rdflib

    return URIRef(relative(str(term))) if isinstance(term, URIRef) else term


def _table(result: Result, output: str) -> str:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - only where it is used
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Column, Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    names = result.vars or []
    columns = [Column(Text(str(name)), overflow="fold") for name in names]
    table = Table(*columns, box=SIMPLE_HEAD, pad_edge=False)
    for row in result.bindings:
        cells = ("" if row.get(name) is None else str(row[name]) for name in names)
        table.add_row(*(Text(visible(cell)) for cell in cells))
    on_terminal = output == "-" and sys.stdout.isatty()
    file = io.StringIO()
    Console(file=file, width=None if on_terminal else _WIDE).print(table)
    lines = [line.rstrip() for line in file.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


def _format(to: str) -> Any:
    from cturi_rdf.catalog.formats import format_named  # noqa: PLC0415 - loads rdflib

    if to in _ROWS and to != "json":
        raise click.UsageError(f"triples are no rows: --to is a format of RDF, not {to}")
    return format_named(to)


def _dataset(result: Result, source: Dataset) -> Dataset:
    """Return the triples of a result, with the prefixes of where they are from."""
    from rdflib import Dataset  # noqa: PLC0415 - loads rdflib

    from cturi_rdf.rdf.query import PREFIXES  # noqa: PLC0415

    dataset = Dataset(default_union=True)
    for prefix, namespace in (*PREFIXES.items(), *source.namespaces()):
        dataset.bind(prefix, namespace)
    for triple in result.graph or ():
        dataset.add(triple)
    return dataset
