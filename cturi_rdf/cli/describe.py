"""`cturi describe`: the description of a content type, as Turtle."""

from __future__ import annotations

import click

from cturi_rdf import ContentType, from_uri
from cturi_rdf.cli import completion
from cturi_rdf.cli.mapping import bare_uri, content_type_of, is_uri, lines

__all__ = ["describe"]


@click.command(short_help="Describe content types in RDF.")
@click.argument("texts", metavar="HEADER|URI...", nargs=-1, required=True)
@click.option(
    "--to",
    "form",
    metavar="FORMAT",
    default="turtle",
    show_default=True,
    shell_complete=completion.formats,
    help="The RDF format to print.",
)
@click.option(
    "--registration",
    metavar="FILE",
    shell_complete=completion.files,
    help="Instead, print what the registration form in FILE lacks by RFC 6838 and RFC 7303; the"
    " exit code is 1 if it lacks anything.",
)
def describe(texts: tuple[str, ...], form: str, registration: str | None) -> None:
    """Print a description of each content type as RDF; - reads lines from standard input.

    A URI may be a ContentType: URI, or the IRI of the type in another registry such as IANA's.
    """
    if registration is not None:
        _check_registration(texts, registration)
        return
    from cturi_rdf.rdf.description import describe as describe_in
    from cturi_rdf.rdf.description import new_graph
    from cturi_rdf.reading.formats import format_named

    wanted = format_named(form)
    graph = new_graph()
    for text in lines(texts):
        describe_in(_content_type(text), graph)
    printed = graph.serialize(format=wanted.name)
    click.echo(printed.rstrip())


def _content_type(text: str) -> ContentType:
    if not is_uri(text):
        return content_type_of(text)
    from cturi_rdf.registry.schemes import type_of_iri

    uri = bare_uri(text)
    _, essences = type_of_iri(uri) or ("", ())
    return ContentType.parse(essences[0]) if len(essences) == 1 else from_uri(uri)


def _check_registration(texts: tuple[str, ...], file: str) -> None:
    """Print the faults of a registration form for each type."""
    from cturi_rdf.reading.source import open_unpacked, read_whole
    from cturi_rdf.xml import lint_registration

    with open_unpacked(file) as stream:
        octets = read_whole(stream, file)
    form = octets.decode("utf-8", "replace")
    findings = [
        finding for text in lines(texts) for finding in lint_registration(form, _content_type(text))
    ]
    for finding in findings:
        click.echo(str(finding))
    if findings:
        raise SystemExit(1)
