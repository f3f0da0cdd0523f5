"""The checks and header fields that all requests share, and their lines in the log."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from cturi_rdf.errors import visible
from cturi_rdf.serve.problems import problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cturi_rdf.serve.settings import Settings

_log = logging.getLogger("cturi_rdf.serve")
# Content Security Policy Level 3: only what this server serves, and no inline script.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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
