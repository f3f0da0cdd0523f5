"""``cturi message``: a MIME message, an mbox or a folder of messages as RDF."""

from __future__ import annotations

import gzip
import os
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, cast

import click

from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from rdflib import Graph

    from cturi_rdf.mime.document import Message
    from cturi_rdf.mime.mailbox import Mailbox

__all__ = ["message"]


class _Refusal(click.ClickException):
    """The call or its input cannot be used; one line says why."""

    exit_code = 2

    def __init__(self, problem: str) -> None:
        super().__init__(" ".join(problem.split()))


# What a file's name says of the serialisation, and what `--to` takes beside rdflib's names.
_FORMATS = {
    ".ttl": "turtle", ".nt": "nt", ".n3": "n3", ".jsonld": "json-ld", ".json": "json-ld",
    ".rdf": "xml", ".xml": "xml", ".owl": "xml", ".trig": "trig",
}  # fmt: skip


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE|DIR…")
@click.option("-o", "--output", metavar="OUT", help="Where to write; else standard output.")
@click.option("--to", "to", metavar="FORMAT", help="turtle, json-ld, xml, nt, or a media type.")
@click.option("--bodies", is_flag=True, help="With the contents of the parts.")
@click.option("--personal", is_flag=True, help="With all header fields: From, To, Subject…")
@click.option(
    "--references/--no-references",
    default=True,
    help="Whether to look for cid: and mid: URLs in HTML, SVG and CSS parts.",
)
def message(  # noqa: PLR0913 - one argument an option
    paths: tuple[str, ...],
    output: str | None,
    to: str | None,
    *,
    bodies: bool,
    personal: bool,
    references: bool,
) -> None:
    """Write MIME messages as RDF: parts, types, sizes, and what refers to what.

    FILE is a message or an mbox, DIR a folder of them, - standard input.  Neither bodies
    nor personal header fields are written unless asked for.
    """
    from cturi_rdf.mime.mailbox import Mailbox  # noqa: PLC0415 - rdflib, only once it runs
    from cturi_rdf.rdf.message import describe_mailbox  # noqa: PLC0415 - the same

    format_ = _format(to, output)
    mailbox = Mailbox(*(_opened(path) for path in paths))
    try:
        graph = describe_mailbox(
            _at_least_one(mailbox, paths), bodies=bodies, personal=personal, references=references
        )
        _write(graph, format_, output)
    except CturiError as error:
        raise _Refusal(error.summary) from error
    except (ImportError, OSError) as error:
        raise _Refusal(str(error)) from error


def _opened(path: str) -> str | BinaryIO:
    """Return what a path stands for, standard input and compressed files opened."""
    if path == "-":
        return sys.stdin.buffer
    if path.endswith(".gz") and Path(path).is_file():
        return cast("BinaryIO", gzip.open(path))
    return path


def _at_least_one(mailbox: Mailbox, paths: tuple[str, ...]) -> Iterator[Message]:
    empty = True
    for each in mailbox:
        empty = False
        yield each
    if empty:
        raise _Refusal(f"no message in {', '.join(paths)}")


def _format(to: str | None, output: str | None) -> str:
    """Return rdflib's name of the serialisation that is asked for."""
    from rdflib import plugin  # noqa: PLC0415 - only once it runs
    from rdflib.plugin import PluginException  # noqa: PLC0415 - the same
    from rdflib.serializer import Serializer  # noqa: PLC0415 - the same

    suffix = Path((output or "").removesuffix(".gz")).suffix.lower()
    name = to or _FORMATS.get(suffix, "turtle")
    try:
        plugin.get(name, Serializer)  # type: ignore[type-abstract]
    except PluginException as error:
        raise _Refusal(f"no format {name!r}; try turtle, json-ld, xml or nt") from error
    return name


def _write(graph: Graph, format_: str, output: str | None) -> None:
    """Write a graph to standard output, or whole or not at all to a file."""
    if output is None or output == "-":
        sys.stdout.buffer.write(graph.serialize(format=format_, encoding="utf-8"))
        return
    target = Path(output)
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        try:
            octets = graph.serialize(format=format_, encoding="utf-8")
            file.write(gzip.compress(octets, mtime=0) if target.suffix == ".gz" else octets)
            file.close()
            Path(file.name).chmod(0o666 & ~_umask())
            Path(file.name).replace(target)
        except BaseException:
            file.close()
            with suppress(OSError):
                Path(file.name).unlink()
            raise


def _umask() -> int:
    """Return the mask of the permissions of new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
