"""The application: its settings, its addresses, and the function that answers at each."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route

from cturi_rdf import __version__
from cturi_rdf.errors import CturiError
from cturi_rdf.serve.answers import HANDLERS, problem
from cturi_rdf.serve.api import api_routes
from cturi_rdf.serve.home import home_routes
from cturi_rdf.serve.middleware import Caching, Guard
from cturi_rdf.serve.pages import page_routes
from cturi_rdf.serve.reconciliation import reconciliation_routes
from cturi_rdf.serve.sparql import sparql_routes
from cturi_rdf.serve.work import Work
from cturi_rdf.sparql.dataset import query_data

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from starlette.requests import Request
    from starlette.responses import Response

    from cturi_rdf.sparql.dataset import DataSource, Registry

# The names by which a machine calls itself.
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# The addresses that stand for all addresses of a machine.
_ANY = ("0.0.0.0", "::")  # noqa: S104 - only to tell that somebody asked for it


class Settings(NamedTuple):
    """The limits of a server, and the names that it is called by.

    `hosts` are the values of ``Host`` that are answered, without a port; ``*`` is any.  Other names
    are refused, because an attacker's page may point its own name at this server (DNS rebinding).
    `size` limits the content of a request, in bytes.  `seconds`, `rows` and `memory`, in megabytes,
    limit a query or a check, and `at_once` is how many of them run at the same time.
    `allow_service` lets queries ask other servers, by SERVICE and FROM.  `address` is where the
    server listens, and `url` the address that clients use for a server behind a proxy.  `annotated`
    and `registry` say what is served beside the files: see `cturi_rdf.sparql.query_data`.  `base`
    is the base of relative IRIs; by default each file is below the address of the server.
    """

    hosts: tuple[str, ...] = _LOOPBACK
    size: int = 10_000_000
    seconds: int = 30
    rows: int = 100_000
    at_once: int = 8
    memory: int = 500
    allow_service: bool = False
    address: str = "http://localhost/"
    url: str | None = None
    annotated: bool = True
    registry: Registry = "default"
    base: str | None = None


def hosts_of(host: str, url: str | None = None) -> tuple[str, ...]:
    """Return the values of ``Host`` that a server at an address answers.

    `url` is what clients call it.  Raises `CturiError` for a text that is no URL of a server.

    >>> hosts_of("127.0.0.1", "https://[2001:DB8::1]/types/")
    ('localhost', '127.0.0.1', '[::1]', '[2001:db8::1]')
    >>> hosts_of("0.0.0.0")
    ('*',)
    """
    if url is None:
        return ("*",) if host in _ANY else _hosts(host)
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        expected, rule = "such as https://formats.example/", "RFC 9110 section 4.2"
        raise CturiError("a URL that no client can use", url, expected=expected, rule=rule)
    return _hosts(host, parts.hostname)


def _hosts(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*_LOOPBACK, *(bracketed(name).lower() for name in names))))


def bracketed(host: str) -> str:
    """Return a host as a URL has it: an address of IPv6 in brackets (RFC 3986 section 3.2.2)."""
    return f"[{host}]" if ":" in host else host


def _base_below(address: str, sources: Iterable[DataSource]) -> Callable[[str], str]:
    """Return the base of a served file, which says no more of its folder than tells files apart."""
    files = [Path(source) for source in sources if isinstance(source, str | PathLike)]
    root = os.path.commonpath([file.absolute().parent for file in files]) if files else ""

    def base(name: str) -> str:
        path = Path(name).absolute().relative_to(root).as_posix()
        return urljoin(address, "" if name == "-" else quote(path))

    return base


def application(*sources: DataSource, settings: Settings = Settings()) -> Starlette:  # noqa: B008 - an immutable value
    """Return a server of data, the registry and the labels, as an ASGI application.

    `sources` are paths of files, graphs of rdflib or stores of Oxigraph, which are read once.
    Raises `CatalogError` for a file that cannot be read.

    >>> from starlette.testclient import TestClient
    >>> client = TestClient(application(), "http://localhost")
    >>> client.get("/api/uri", params={"header": "text/csv"}).json()["uri"]
    'ContentType:text/csv'
    """
    data = query_data(
        *sources,
        annotated=settings.annotated,
        registry=settings.registry,
        base=settings.base or _base_below(settings.url or settings.address, sources),
    )
    work = Work(settings, data)

    async def health(_: Request) -> Response:
        if not work.is_sound:
            return problem(503, "No process for a query can be started.")
        return JSONResponse({"status": "ok", "version": __version__})

    routes = [
        Route("/health", health),
        *sparql_routes(work, settings),
        *api_routes(work),
        *reconciliation_routes(work, settings),
        *home_routes(work),
        *page_routes(),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await to_thread.run_sync(work.start)
        yield
        work.end()

    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, settings=settings), Middleware(Caching)],
        exception_handlers=HANDLERS,
    )
