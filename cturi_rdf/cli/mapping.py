"""`cturi uri`, `cturi header` and `cturi convert`: the mapping, line by line."""

from __future__ import annotations

import codecs
import re
import sys
from typing import TYPE_CHECKING

import click

from cturi_rdf import ContentType, ContentTypeError, CturiError, from_uri, to_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Literal

    from cturi_rdf.uri.mapping import Control, Spelling

    Quote = Literal["needed", "always"]

__all__ = ["bare_uri", "content_type_of", "convert", "header", "is_uri", "lines", "uri"]

# As in the draft's sample program, a scheme and a colon tell a URI from a Content-Type.
_SCHEME = re.compile(r"(?!(?i:content-type)[ \t]*:)[A-Za-z][A-Za-z0-9+.\-]*:")
_QUIT = frozenset({"quit", "exit", "halt", "stop", "end"})

_spelling = click.option(
    "--spelling",
    type=click.Choice(["iri", "draft"]),
    default="iri",
    show_default=True,
    help="A legal IRI, or raw quotes as the draft prints them.",
)
_control = click.option(
    "--control",
    type=click.Choice(["honour", "ignore"]),
    default="honour",
    show_default=True,
    help="Let URI-body and MIME-type control the mapping (the draft, sections 2.4 and 3.3), or"
    " treat them like any other parameter (section 6).",
)
_quote = click.option(
    "--quote",
    type=click.Choice(["needed", "always"]),
    default="needed",
    show_default=True,
    help="Put quotes where a header needs them, or around every value, as section 3.1 of the"
    " draft demands; both mean the same.",
)


@click.command(short_help="Convert Content-Types to URIs.")
@click.argument("headers", metavar="HEADER...", nargs=-1, required=True)
@_spelling
@_control
def uri(headers: tuple[str, ...], spelling: Spelling, control: Control) -> None:
    """Print the URI of each Content-Type; - reads lines from standard input."""
    _convert_lines(
        lines(headers),
        lambda text: to_uri(content_type_of(text), spelling=spelling, control=control),
    )


@click.command(short_help="Convert URIs to Content-Types.")
@click.argument("uris", metavar="URI...", nargs=-1, required=True)
@click.option(
    "--opaque",
    is_flag=True,
    help="Keep a query in the subtype, so that the URI can be restored exactly.",
)
@_quote
@_control
def header(
    uris: tuple[str, ...],
    opaque: bool,
    quote: Quote,
    control: Control,
) -> None:
    """Print the Content-Type of each URI; - reads lines from standard input."""
    query: Literal["opaque", "parameters"] = "opaque" if opaque else "parameters"
    _convert_lines(
        lines(uris),
        lambda text: from_uri(bare_uri(text), query=query, control=control).to_header(quote=quote),
    )


@click.command(short_help="Convert Content-Types and URIs line by line, and back.")
@click.argument("source", metavar="[-]", required=False)
@_spelling
@_quote
@_control
def convert(source: str | None, spelling: Spelling, quote: Quote, control: Control) -> None:
    """Convert each line from a Content-Type to a URI or the reverse, and convert it back.

    Lines come from a prompt, which "quit" ends, or from a pipe.  A URI is printed in the draft's
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
            failed |= not _convert(text, spelling, quote, control)
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


def _convert_lines(texts: Iterable[str], convert_one: Callable[[str], str]) -> None:
    """Print the conversion of each text; report the texts that cannot be converted, and go on."""
    failed = False
    for number, text in enumerate(texts, 1):
        try:
            click.echo(convert_one(text))
        except CturiError as error:
            failed = True
            click.echo(f"cturi: {number}: {error.summary}", err=True)
    if failed:
        raise SystemExit(2)


def _convert(text: str, spelling: Spelling, quote: Quote, control: Control) -> bool:
    """Print a line, its conversion, and the conversion back; return whether the line is valid."""
    try:
        if is_uri(text):
            click.echo(f"<{bare_uri(text)}>")
            content_type = from_uri(bare_uri(text), control=control)
            click.echo(f"    Content-Type: {content_type.to_header(quote=quote)}")
            click.echo(f"<{to_uri(content_type, spelling=spelling, control=control)}>")
        else:
            content_type = ContentType.parse(text)
            click.echo(f"Content-Type: {content_type.to_header(quote=quote)}")
            mapped, back = _there_and_back(content_type, spelling, control)
            click.echo(f"    <{mapped}>")
            click.echo(f"Content-Type: {back.to_header(quote=quote)}")
    except CturiError as error:
        click.echo(str(error))
        return False
    return True


def _there_and_back(
    content_type: ContentType, spelling: Spelling, control: Control
) -> tuple[str, ContentType]:
    """Return the URI of a content type, and the content type that the URI converts back to.

    The URI is in the draft's spelling if only that one gives the same content type again.
    """
    differences = []
    for variant in (spelling, "draft"):
        mapped = to_uri(content_type, spelling=variant, control=control)
        back = from_uri(mapped, control=control)
        if str(back) == str(content_type):
            return mapped, back
        differences.append((mapped, back))
    return differences[0]
