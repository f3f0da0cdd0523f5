"""What all requests share: checks, fields, lines in the log, and what need not be sent again.

A client need not get an answer twice, or at full length: ETag, Cache-Control and gzip.  All answers
can be read by everybody, and those to GET depend on the address, the fields of `Vary` and the data,
which stay the same while the server runs (RFC 9110 sections 8.8.3, 12.5.3 and 13.1.2, RFC 9111
section 5.2).
"""

from __future__ import annotations

import gzip
import hashlib
import logging
import re
import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException

from cturi_rdf.errors import visible
from cturi_rdf.serve.answers import problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cturi_rdf.serve.app import Settings

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


class Guard:
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


# Answers that depend on the data, and what a client asks to see that the server lives.
_FRESH = re.compile(r"/|/index\.html|/(?:api|sparql|reconcile|look|data)\b.*|/\.well-known/.*")
_NEVER = "/health"
_COMPRESSIBLE = re.compile(r"text/|application/(?!octet-stream|gzip|zip)|image/svg")
# Shorter content grows, and longer content takes so long that others are answered meanwhile.
_SHORT, _LONG = 1_000, 100_000
# Those that a 304 has as well (RFC 9110 section 15.4.5).
_KEPT = ("cache-control", "content-location", "etag", "link", "vary")


class Caching:
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
    if scope["method"] in {"GET", "HEAD"} and start["status"] == HTTPStatus.OK:
        path = scope["path"]
        fresh = "no-store" if path == _NEVER else "no-cache" if _FRESH.fullmatch(path) else ""
        fields["cache-control"] = fresh or "public, max-age=3600"
        digest = hashlib.sha256(fields.get("content-type", "").encode() + b"\n" + body)
        # Weak, because it is the same for all codings of the content.
        fields["etag"] = f'W/"{digest.hexdigest()[:32]}"'
        if _has(asked, fields["etag"]):
            start["status"] = 304
            kept = {name: fields[name] for name in _KEPT if name in fields}
            start["headers"] = MutableHeaders(kept).raw
            return {**message, "body": b""}
    if len(body) >= _SHORT and _COMPRESSIBLE.match(fields.get("content-type", "")):
        fields.add_vary_header("Accept-Encoding")
        if _takes_gzip(asked.get("accept-encoding", "")):
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
