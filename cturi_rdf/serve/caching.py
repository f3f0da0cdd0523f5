"""What a client need not get twice, or not at full length: ETag, Cache-Control and gzip.

All answers can be read by everybody, and those to GET depend on the address, the fields of `Vary`
and the data, which stay the same while the server runs (RFC 9110 sections 8.8.3, 12.5.3 and 13.1.2,
RFC 9111 section 5.2).
"""

from __future__ import annotations

import gzip
import hashlib
import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Answers that depend on the data, and what a client asks to see that the server lives.
_FRESH = re.compile(
    r"/|/index\.html|/(?:api|sparql|reconcile|curate|look|file)\b.*|/\.well-known/.*"
)
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
