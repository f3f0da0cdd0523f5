"""The application: its addresses, and the function that answers at each."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route

from cturi_rdf import __version__
from cturi_rdf.serve.answers import HANDLERS, problem
from cturi_rdf.serve.api import api_routes
from cturi_rdf.serve.home import home_routes
from cturi_rdf.serve.middleware import Caching, Guard
from cturi_rdf.serve.pages import page_routes
from cturi_rdf.serve.reconciliation import reconciliation_routes
from cturi_rdf.serve.settings import Settings
from cturi_rdf.serve.sparql import sparql_routes
from cturi_rdf.serve.work import Work
from cturi_rdf.sparql.dataset import query_data

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from starlette.requests import Request
    from starlette.responses import Response

    from cturi_rdf.sparql.dataset import DataSource


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
