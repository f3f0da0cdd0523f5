"""`cturi serve`, `site` and `lsp`: the registry, labels and catalogues for browsers and editors."""

from __future__ import annotations

import errno
import logging
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cturi_rdf._util.display import counted
from cturi_rdf._util.lazy import import_extra
from cturi_rdf.cli.options import (
    complete_files,
    complete_folders,
    data_options,
    file_option,
    named_output,
    profile_option,
)
from cturi_rdf.cli.output import progress, quiet_option, remark, silence_rdflib
from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Callable


def _limit_option(name: str, default: int, help_text: str) -> Callable[..., Any]:
    """Return the option for a limit on what requests may cost."""
    return click.option(
        name,
        metavar="NUMBER",
        type=click.IntRange(1),
        default=default,
        show_default=True,
        help=help_text,
    )


@click.command(short_help="Serve the registry, labels and catalogues over HTTP.")
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=complete_files)
@click.option(
    "--host",
    metavar="HOST",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; 0.0.0.0 means every address of the machine.",
)
@click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 picks a free one.",
)
@click.option("--url", metavar="URL", help="The URL that clients use, if a proxy is in between.")
@_limit_option("--seconds", 30, "How long a query or a check may take.")
@_limit_option("--rows", 100_000, "How many rows a query may return.")
@_limit_option("--size", 10_000_000, "How many bytes a request may have.")
@_limit_option("--memory", 500, "How many megabytes a query or a check may take.")
@_limit_option("--at-once", 8, "How many queries and checks run at the same time.")
@data_options
@click.option(
    "--allow-service", is_flag=True, help="Let queries ask other servers, with SERVICE and FROM."
)
def serve(
    files: tuple[str, ...],
    host: str,
    port: int,
    url: str | None,
    as_is: bool,
    no_registry: bool,
    base: str | None,
    **limits: Any,
) -> None:
    """Serve catalogues and the registry of media types: /sparql, /api, /health.

    FILEs are read once. SPARQL queries run over them, what `cturi annotate --add labels` would add
    to them, and the registry. No request changes or stores anything. Ctrl-C stops the server.
    """
    from cturi_rdf.serve import Settings, application
    from cturi_rdf.serve.app import bracketed, hosts_of

    import_extra("uvicorn", "serve")
    from cturi_rdf.serve.connections import server_of

    hosts = hosts_of(host, url)
    with _listen(host, port) as listening:
        port = listening.getsockname()[1]
        settings = Settings(
            hosts,
            address=f"http://{'localhost' if '*' in hosts else bracketed(host)}:{port}/",
            url=url,
            annotated=not as_is,
            registry="none" if no_registry else "default",
            base=base,
            **limits,
        )
        app = application(*files, settings=settings)
        address = url or f"http://{bracketed(host)}:{port}/"
        logging.basicConfig(format="%(message)s", level=logging.INFO)
        silence_rdflib()
        click.echo(f"cturi: serving at {address} (Ctrl-C ends it)", err=True)
        server_of(app).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises `CturiError` where it cannot."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, UnicodeError) as error:
        place = f"{host}:{port}"
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            problem, expected = "the port is already in use", "a free port, as --port 0 picks one"
        else:
            reason = getattr(error, "strerror", None) or error
            problem = f"the server cannot listen there ({reason})"
            expected = "an address of this machine and a free port"
        raise CturiError(problem, place, expected=expected, rule="cturi serve --help") from error


@click.command(short_help="Build a website of the vocabulary and the registry.")
@click.option(
    "-o",
    "--output",
    callback=named_output,
    metavar="DIR",
    required=True,
    help="The folder to write to.",
    shell_complete=complete_folders,
)
@click.option(
    "--base",
    metavar="URL",
    help="The URL at which the folder is published; needed for the redirects of w3id.org.",
)
@click.option(
    "--without-try", is_flag=True, help="Leave out DIR/try, which needs packages from npm."
)
@quiet_option
def site(output: str, base: str | None, *, without_try: bool) -> None:
    """Write a page for each term, media type, suffix, top-level type, parameter and known label.

    Each page is HTML, Turtle and JSON-LD. With --base, DIR/w3id has the redirects for w3id.org.
    DIR/try checks and repairs catalogues in the reader's browser. Files in DIR that are not part
    of the site stay as they are.
    """
    from cturi_rdf.site import write_site

    if base is not None and not base.startswith(("https://", "http://")):
        raise click.BadParameter(
            f"{base!r} is not an absolute URL, such as https://formats.example/",
            param_hint="--base",
        )
    with progress(f"writing the site to {output}"):
        count = write_site(Path(output), base, has_try=not without_try)
    remark(f"{output}: {counted(count, 'file')}")


@click.command(short_help="Serve an editor: findings, fixes and meanings while you type.")
@profile_option("The metadata profile to check by; by default the one that a file names.")
@file_option("--shapes", multiple=True, help="Also check with these SHACL shapes.")
def lsp(profile: str | None, shapes: tuple[str, ...]) -> None:
    """Speak the Language Server Protocol on standard input and output.

    An editor starts this command, and may send `profile` and `shapes` itself.
    """
    from cturi_rdf.lsp import Settings, new_server

    silence_rdflib()
    settings = Settings()
    settings.take({"profile": profile, "shapes": list(shapes)})
    # The server closes what it reads and writes.
    with os.fdopen(os.dup(0), "rb") as given, os.fdopen(os.dup(1), "wb") as answers:
        new_server(settings).start_io(given, answers)
