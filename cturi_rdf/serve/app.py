"""The application: its settings, its addresses, and what it does for all requests alike."""

from __future__ import annotations

import gzip
import hashlib
import logging
import os
import re
import time
from contextlib import asynccontextmanager
from http import HTTPStatus
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from anyio import to_thread
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route

from cturi_rdf import __version__
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.serve.answers import HANDLERS, problem
from cturi_rdf.serve.api import api_routes
from cturi_rdf.serve.pages import page_routes
from cturi_rdf.serve.reconciliation import reconciliation_routes
from cturi_rdf.serve.sparql import sparql_routes
from cturi_rdf.serve.work import Work
from cturi_rdf.sparql.dataset import query_data

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cturi_rdf.sparql.dataset import DataSource, Registry

# The names by which a machine calls itself.
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# The addresses that stand for all addresses of a machine.
_ANY = ("0.0.0.0", "::")  # noqa: S104 - only to tell that somebody asked for it
_log = logging.getLogger("cturi_rdf.serve")
# Content Security Policy Level 3: only what this server serves, and no inline script.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# A preview of the reconciliation service is shown inside the page of its client.
_FRAMED = _POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
_FIELDS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    # All of it is public and can only be read (Fetch Standard, section "CORS protocol").
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-methods", b"GET, HEAD, POST, OPTIONS"),
    (b"access-control-allow-headers", b"Accept, Content-Type, If-None-Match"),
    (b"access-control-expose-headers", b"ETag, Link"),
)


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
        expected, rule = "a URL such as https://formats.example/", "RFC 9110 section 4.2"
        raise CturiError("not an absolute URL of HTTP", url, expected=expected, rule=rule)
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
        return urljoin(address, "" if name == "-" else quote(os.fsencode(path)))

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
        *page_routes(work),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await to_thread.run_sync(work.start)
        yield
        work.end()

    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(_Guard, settings=settings), Middleware(_Caching)],
        exception_handlers=HANDLERS,
    )


# --- What all requests share: checks, fields, lines in the log ----------------------------------


class _Guard:
    """A middleware that refuses requests for another host and requests that are too large."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it; other events go through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, size = time.perf_counter(), 500, 0

        async def receive_some() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._settings.size:
                raise HTTPException(413, self._too_large())
            return message

        async def send_with_fields(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                policy = _FRAMED if scope["path"].endswith("/preview") else _POLICY
                fields = (*_FIELDS, (b"content-security-policy", policy.encode()))
                message = {**message, "headers": [*message.get("headers", ()), *fields]}
            await send(message)

        try:
            refused = self._refused(scope)
            if refused is not None:
                await refused(scope, receive, send_with_fields)
            else:
                await self._app(scope, receive_some, send_with_fields)
        finally:
            client = (scope.get("client") or ("-",))[0]
            target = scope["path"] + (
                f"?{query.decode('latin-1')}" if (query := scope["query_string"]) else ""
            )
            milliseconds = (time.perf_counter() - started) * 1000
            _log.info(
                "%s %s %s %d %.1f ms",
                client,
                scope["method"],
                visible(target)[:500],
                status,
                milliseconds,
            )

    def _refused(self, scope: Scope) -> ASGIApp | None:
        """Return the response to a request that goes no further, or None."""
        fields = dict(scope["headers"])
        host = fields.get(b"host", b"").decode("latin-1")
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        allowed = self._settings.hosts
        if "*" not in allowed and name.lower() not in allowed:
            return problem(421, f"This server is not called {visible(name)!r}.")
        length = fields.get(b"content-length", b"0")
        if length.isdigit() and int(length[:20]) > self._settings.size:
            return problem(413, self._too_large())
        return None

    def _too_large(self) -> str:
        return f"The content of a request may have {self._settings.size:,} bytes."


# --- What a client need not get twice, or at full length: ETag, Cache-Control and gzip -----------

# All answers can be read by everybody, and those to GET depend on the address, the fields of `Vary`
# and the data, which stay the same while the server runs (RFC 9110 sections 8.8.3, 12.5.3 and
# 13.1.2, RFC 9111 section 5.2).

# Answers that depend on the data, and what a client asks to see that the server lives.
_FRESH = re.compile(r"/|/index\.html|/(?:api|sparql|reconcile|look|data)\b.*|/\.well-known/.*")
_NEVER = "/health"
# Shorter content grows, and longer content takes so long that others are answered meanwhile.
_SHORT, _LONG = 1_000, 100_000
# Those that a 304 has as well (RFC 9110 section 15.4.5).
_KEPT = ("cache-control", "content-location", "etag", "link", "vary")


class _Caching:
    """A middleware for answers whose whole content is known when they begin."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with less where the client has or takes less."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start: Message | None = None

        async def send_less(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
            elif start is not None:
                begun, start = start, None
                if not message.get("more_body"):
                    message = await _less(scope, begun, message)
                await send(begun)
                await send(message)
            else:
                await send(message)

        await self._app(scope, receive, send_less)


async def _less(scope: Scope, start: Message, message: Message) -> Message:
    """Return the content to send; the status and the fields at its start are changed."""
    asked, fields = Headers(scope=scope), MutableHeaders(raw=list(start.get("headers", ())))
    body: bytes = message.get("body", b"")
    if len(body) >= _SHORT:
        fields.add_vary_header("Accept-Encoding")
    if scope["method"] in {"GET", "HEAD"} and start["status"] == HTTPStatus.OK:
        path = scope["path"]
        fresh = "no-store" if path == _NEVER else "no-cache" if _FRESH.fullmatch(path) else ""
        fields["cache-control"] = fresh or "public, max-age=3600"
        digest = hashlib.sha256(fields.get("content-type", "").encode() + b"\n" + body)
        # Weak, because it is the same for all codings of the content.
        fields["etag"] = f'W/"{digest.hexdigest()[:32]}"'
        if asked.get("if-match", "*").strip() != "*":
            # No weak tag is one of those that a client names (RFC 9110 section 13.1.1).
            refused = problem(412, "All entity tags of this server are weak: none matches.")
            start.update(status=refused.status_code, headers=refused.raw_headers)
            return {**message, "body": refused.body}
        if _has(asked, fields["etag"]):
            start["status"] = 304
            kept = {name: fields[name] for name in _KEPT if name in fields}
            start["headers"] = MutableHeaders(kept).raw
            return {**message, "body": b""}
    if len(body) >= _SHORT and _takes_gzip(asked.get("accept-encoding", "")):
        is_long = len(body) > _LONG
        body = await to_thread.run_sync(_packed, body) if is_long else _packed(body)
        fields["content-encoding"], fields["content-length"] = "gzip", str(len(body))
    start["headers"] = fields.raw
    return {**message, "body": body}


def _packed(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


def _has(asked: Headers, tag: str) -> bool:
    """Return whether a client has this content (RFC 9110 section 13.1.2, weak comparison)."""
    value = asked.get("if-none-match", "")
    tags = re.findall(r'"[^"]*"', value)
    return value.strip() == "*" or tag.removeprefix("W/") in tags


def _takes_gzip(accepted: str) -> bool:
    """Return whether a client takes content in gzip (RFC 9110 section 12.5.3).

    >>> [_takes_gzip(text) for text in ("gzip, br", "gzip;q=0", "*;q=0.5", "br", "")]
    [True, False, True, False, False]
    """
    weights = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        number = re.fullmatch(r"\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*", weight)
        weights[name.strip()] = float(number[1]) if number else 1.0
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0
