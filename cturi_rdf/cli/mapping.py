"""`cturi uri`, `header`, `convert`, `describe` and `resolve`: what one line of text means."""

from __future__ import annotations

import codecs
import re
import sys
from typing import TYPE_CHECKING

import click

from cturi_rdf import ContentType, ContentTypeError, CturiError, from_uri, to_uri
from cturi_rdf._util.display import counted
from cturi_rdf.cli.options import (
    control_option,
    file_option,
    files_argument,
    json_option,
    labels_option,
    named_output,
    output_option,
    to_option,
    written_format,
)
from cturi_rdf.cli.output import aligned, json_line, progress, quiet_option, remark, text_to
from cturi_rdf.errors import visible
from cturi_rdf.uri.mapping import content_type_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.cli.options import Resolve
    from cturi_rdf.labels import Resolution
    from cturi_rdf.uri.mapping import Control, Spelling


# As in the draft's sample program, a scheme and a colon tell a URI from a Content-Type.
_SCHEME = re.compile(r"(?!(?i:content-type)[ \t]*:)[A-Za-z][A-Za-z0-9+.\-]*:")
_QUIT = frozenset({"quit", "exit", "halt", "stop", "end"})

_spelling = click.option(
    "--spelling",
    type=click.Choice(["iri", "draft"]),
    default="iri",
    show_default=True,
    help="iri: a legal IRI; draft: with raw quotes, as the draft prints them.",
)
_pairs_option = json_option("Print one JSON object per line, with content_type and uri.")


@click.command(short_help="Convert Content-Types to URIs.")
@click.argument("headers", metavar="HEADER...", nargs=-1, required=True)
@_pairs_option
@_spelling
@control_option
def uri(headers: tuple[str, ...], spelling: Spelling, control: Control, *, as_json: bool) -> None:
    """Print the URI of each Content-Type; - reads lines from standard input."""

    def mapped(text: str) -> dict[str, str]:
        content_type = content_type_of(text)
        to = content_type_uri if control == "ignore" else to_uri
        return {"content_type": str(content_type), "uri": to(content_type, spelling=spelling)}

    _print_lines(headers, mapped, None if as_json else "uri")


@click.command(short_help="Convert URIs to Content-Types.")
@click.argument("uris", metavar="URI...", nargs=-1, required=True)
@_pairs_option
@control_option
def header(uris: tuple[str, ...], control: Control, *, as_json: bool) -> None:
    """Print the Content-Type of each URI; - reads lines from standard input."""

    def mapped(text: str) -> dict[str, str]:
        uri = bare_uri(text)
        return {"content_type": str(from_uri(uri, control=control)), "uri": uri}

    _print_lines(uris, mapped, None if as_json else "content_type")


@click.command(short_help="Convert Content-Types and URIs line by line, and back.")
@click.argument("source", metavar="[-]", required=False)
@_spelling
@control_option
def convert(source: str | None, spelling: Spelling, control: Control) -> None:
    """Convert each line from a Content-Type to a URI or the reverse, and convert it back.

    Lines come from a pipe, or from a prompt, which "quit" ends. A URI is printed in the draft's
    spelling if no legal IRI can be converted back.
    """
    if source not in {None, "-"}:
        raise click.UsageError(f"convert reads lines, not {source!r}; pipe them in")
    asked = sys.stdin.isatty()
    if asked:
        click.echo("Type a Content-Type, a URI, or 'quit'.\n")
    failed = False
    for line in lines("-"):
        text = line.strip()
        if text.lower() in _QUIT and asked:
            break
        if text:
            failed |= not _convert(text, spelling, control)
            click.echo()
    if failed and not asked:
        raise SystemExit(2)


def is_uri(text: str) -> bool:
    """Return whether a text is meant as a URI rather than as a Content-Type.

    >>> is_uri("ContentType:text/csv"), is_uri("Content-Type: text/csv")
    (True, False)
    """
    return _SCHEME.match(bare_uri(text)) is not None


def bare_uri(text: str) -> str:
    """Return a URI without the angle brackets that prose and Turtle put around it."""
    text = text.strip()
    return text[1:-1] if text.startswith("<") and text.endswith(">") else text


def content_type_of(text: str) -> ContentType:
    """Return the content type of a header; the error for a label says what it should be."""
    try:
        return ContentType.parse(text)
    except ContentTypeError as error:
        from cturi_rdf.labels import resolve

        meant = () if "/" in text else resolve(text).types
        if not meant:
            raise
        expected = f"{error.expected}, such as {meant[0]}"
        raise ContentTypeError(
            error.problem, text, error.span, expected=expected, rule=error.rule
        ) from error


def lines(arguments: Iterable[str]) -> Iterator[str]:
    """Yield the arguments, and for ``-`` the lines of standard input."""
    for argument in arguments:
        if argument != "-":
            yield argument
            continue
        for number, line in enumerate(sys.stdin.buffer):
            # A shell of Windows puts a byte order mark at the beginning of a pipe.
            content = line if number else line.removeprefix(codecs.BOM_UTF8)
            # Bytes that are not UTF-8 stay visible, as in an argument.
            text = content.decode("utf-8", "surrogateescape")
            yield text.removesuffix("\n").removesuffix("\r")


def _print_lines(
    arguments: tuple[str, ...], convert_one: Callable[[str], dict[str, str]], key: str | None
) -> None:
    """Print a value of each pair, or all of it as JSON; report what has none, and go on."""
    failed = False
    is_one = len(arguments) == 1 and "-" not in arguments
    for number, text in enumerate(lines(arguments), 1):
        try:
            pair = convert_one(text)
            click.echo(pair[key] if key else json_line(pair))
        except CturiError as error:
            failed = True
            place = "" if is_one else f"{number}: "
            click.echo(f"cturi: {place}{error.summary}", err=True)
    if failed:
        raise SystemExit(2)


def _convert(text: str, spelling: Spelling, control: Control) -> bool:
    """Print a line, its conversion, and the conversion back; return whether the line is valid."""
    try:
        if is_uri(text):
            click.echo(f"<{bare_uri(text)}>")
            content_type = from_uri(bare_uri(text), control=control)
            click.echo(f"    Content-Type: {content_type}")
            click.echo(f"<{to_uri(content_type, spelling=spelling, control=control)}>")
        else:
            content_type = ContentType.parse(text)
            click.echo(f"Content-Type: {content_type}")
            for variant in (spelling, "draft"):
                mapped = to_uri(content_type, spelling=variant, control=control)
                back = from_uri(mapped, control=control)
                if str(back) == str(content_type):
                    break
            click.echo(f"    <{mapped}>")
            click.echo(f"Content-Type: {back}")
    except CturiError as error:
        click.echo(str(error))
        return False
    return True


@click.command(short_help="Describe content types in RDF.")
@click.argument("texts", metavar="HEADER|URI...", nargs=-1, required=True)
@output_option()
@to_option
@control_option
def describe(
    texts: tuple[str, ...],
    output: str,
    to: str | None,
    control: Control,
) -> None:
    """Print a description of each content type as RDF; - reads lines from standard input.

    A URI may be a ContentType: URI, or the IRI of the type in another registry such as IANA's.
    """
    from cturi_rdf.rdf.description import describe as describe_in
    from cturi_rdf.rdf.description import new_graph
    from cturi_rdf.reading.atomic import write_text

    form = written_format(output, to)
    graph = new_graph()
    for text in lines(texts):
        describe_in(_content_type(text), graph, control=control)
    write_text(output, graph.serialize(format=form.name).rstrip() + "\n")


def _content_type(text: str) -> ContentType:
    if not is_uri(text):
        return content_type_of(text)
    from cturi_rdf.registry.schemes import only_type_of_iri

    uri = bare_uri(text)
    return only_type_of_iri(uri) or from_uri(uri)


@click.command(short_help="Say what labels such as CSV or .xlsx mean.")
@click.argument("labels", metavar="LABEL...", nargs=-1, required=True)
@json_option()
@output_option()
@labels_option
def resolve(labels: tuple[str, ...], output: str, resolver: Resolve, *, as_json: bool) -> None:
    """Print what each LABEL means: verdict, media types, rule and reason.

    Give - to read labels from standard input, one per line. The columns are aligned on a terminal,
    and separated by tabs in a pipe.
    """
    resolutions = map(resolver, lines(labels))
    if output == "-" and not as_json and sys.stdout.isatty() and "-" not in labels:
        for line in aligned(list(map(_columns, resolutions)), "  "):
            click.echo(line)
        return
    with text_to(output) as out:
        for resolution in resolutions:
            if as_json:
                click.echo(json_line(resolution.as_dict()), out)
            else:
                click.echo("\t".join(_columns(resolution)), out)


def _columns(resolution: Resolution) -> tuple[str, ...]:
    types = ", ".join(map(str, resolution.types)) or "-"
    packed = "".join(f" in {wrapper}" for wrapper in reversed(resolution.wrappers))
    sure = f"{resolution.rule}, {resolution.confidence}"
    parts = (resolution.label, resolution.verdict, f"{types}{packed}", sure, resolution.reason)
    return tuple(map(visible, parts))


# `cturi columns`: the table of the distinct labels in a column.


@click.command(short_help="Write what the distinct labels of a column mean.")
@files_argument("sources", metavar="FILE...", nargs=-1, required=True)
@click.option("--column", metavar="COLUMN", required=True, help="The column with the labels.")
@file_option(
    "-o",
    "--output",
    metavar="OUT",
    callback=named_output,
    required=True,
    help="The table to write: .parquet, .csv or .tsv.",
)
@quiet_option
def columns(sources: tuple[str, ...], column: str, output: str) -> None:
    """Write a table of the distinct labels in a column, and what each of them means.

    FILE is Parquet or CSV, of any size. For each label the table has the type, the header to serve
    it with, the verdict, the confidence, the reason, and the IRIs of the EU and of IANA. Any engine
    can join it to the rows:

      SELECT * FROM rows LEFT JOIN 'labels.parquet' ON rows.format = label
    """
    from cturi_rdf.columns import write_label_table

    with progress("reading the labels"):
        count = write_label_table(sources, column, output)
    remark(f"{output}: {counted(count, 'label')}")
