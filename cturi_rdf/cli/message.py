"""``cturi message``: a MIME message, an mbox or a folder of messages as RDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cturi_rdf.cli import completion
from cturi_rdf.cli.options import output_option, to_option, written_format
from cturi_rdf.cli.progress import progress, quiet_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.mime.document import Message
    from cturi_rdf.mime.mailbox import Mailbox
    from cturi_rdf.mime.source import Source

__all__ = ["message"]

_CHUNK = 1 << 20


@click.command(short_help="Read mail messages and mailboxes as RDF.")
@click.argument(
    "paths", nargs=-1, required=True, metavar="FILE|DIR...", shell_complete=completion.files
)
@output_option()
@to_option
@click.option("--bodies", is_flag=True, help="Include the contents of the parts.")
@click.option("--personal", is_flag=True, help="Include all header fields: From, To, Subject…")
@click.option(
    "--references/--no-references",
    default=True,
    help="Whether to look for cid: and mid: URLs in HTML, CSS and XML parts.",
)
@quiet_option
def message(
    paths: tuple[str, ...],
    output: str,
    to: str | None,
    *,
    bodies: bool,
    personal: bool,
    references: bool,
) -> None:
    """Write MIME messages as RDF: their parts, types and sizes, and the links between parts.

    FILE is a message or an mbox, and may be compressed; DIR is a folder of them; - is standard
    input.  Bodies and personal header fields are left out unless you ask for them.
    """
    from rdflib import Dataset

    from cturi_rdf.mime.mailbox import Mailbox
    from cturi_rdf.rdf.message import describe_mailbox
    from cturi_rdf.reading.write import write_catalog

    form = written_format(output, to)
    mailbox = Mailbox(*[_opened(path) for path in paths])
    with progress(f"reading {', '.join(paths)}"):
        graph = Dataset(default_union=True)
        describe_mailbox(
            _at_least_one(mailbox, paths),
            bodies=bodies,
            personal=personal,
            references=references,
            graph=graph,
        )
        write_catalog(graph, output, form)


def _opened(path: str) -> str | Source:
    """Return the source of messages at a path, with standard input and compressed files copied."""
    from cturi_rdf.mime.source import Source
    from cturi_rdf.reading.compression import compression_named
    from cturi_rdf.reading.source import open_unpacked

    if path == "-" or (compression_named(path) and Path(path).is_file()):
        with open_unpacked(path) as file:
            return Source.of_chunks(iter(lambda: file.read(_CHUNK), b""))
    return path


def _at_least_one(mailbox: Mailbox, paths: tuple[str, ...]) -> Iterator[Message]:
    empty = True
    for entity in mailbox:
        empty = False
        yield entity
    if empty:
        raise click.ClickException(f"no message in {', '.join(paths)}")
