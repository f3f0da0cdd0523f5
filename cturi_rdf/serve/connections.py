"""Connections of a server that has patience, but not with everybody.

A connection that sends nothing costs its client nothing, and the server a place.  So a request has
to arrive within `PATIENCE` seconds and one more for each `SLOWEST` bytes, counted from when the
connection is made or the answer before it was sent; an answer has to be read as it comes, with no
pause of `PATIENCE` seconds.  While more than `MOST_WAITING` connections wait for a request, those
that have waited longest make room for new ones, so that silent clients keep nobody out.  They have
a moment for it: of connections that come together, those that ask something stay.
"""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cturi_rdf._util.system import allow_open_files

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Generator

PATIENCE, SLOWEST, MOST_WAITING = 30, 500, 500
# How many seconds a connection has before it makes room for others, and how many connections there
# may be, those that wait and those that are answered.
_MOMENT, _MOST = 3, 5_000
# How often a connection is looked at while it is patient.
_LOOKS = 6
# How many bytes of a request may come before its content, and how many are looked at together.
_HEAD, _PIECE = 32_768, 8_192
_WAITS = {h11.IDLE, h11.SEND_BODY}


class Connection(H11Protocol):
    """A connection of HTTP/1.1 that ends when its client is too slow."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        # The connections that wait, the longest first; of this server alone.
        self._waiting: dict[Connection, None] = vars(self.server_state).setdefault("waiting", {})
        self._wait()
        self._unread, self._unread_since = 0, self.loop.time()
        if len(self._waiting) > MOST_WAITING:
            delay = _MOMENT if len(self._waiting) < _MOST else 0
            self.loop.call_later(delay, self._make_room)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._waiting.pop(self, None)
        self._next_look.cancel()
        super().connection_lost(exc)
        # Where the client broke it off, a timer would keep the connection for `PATIENCE` seconds.
        self._unset_keepalive_if_required()
        self._forget_request()

    def data_received(self, data: bytes) -> None:
        """Count what arrives."""
        self._received += len(data)
        # By pieces, because h11 looks at the length of a head after each.
        for at in range(0, len(data), _PIECE):
            if not self.transport.is_closing():
                super().data_received(data[at : at + _PIECE])
        if self.conn.their_state not in _WAITS:
            self._waiting.pop(self, None)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait()
        self._forget_request()
        super().on_response_complete()

    def _forget_request(self) -> None:
        """Free the fields of the last request, which a silent client would make this keep."""
        self.cycle = self.scope = self.headers = None  # type: ignore[assignment]

    def _make_room(self) -> None:
        """End the connection that has waited longest, if still too many wait."""
        if len(self._waiting) > MOST_WAITING:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            oldest.transport.abort()

    def _wait(self) -> None:
        self._since, self._received = self.loop.time(), 0
        self._waiting.pop(self, None)
        self._waiting[self] = None

    def _look(self) -> None:
        """End the connection if its client is too slow, or look again later."""
        now = self.loop.time()
        unread = self.transport.get_write_buffer_size()
        if unread != self._unread:
            self._unread, self._unread_since = unread, now
        is_waiting = self.conn.their_state in _WAITS and not unread
        is_late = is_waiting and now > self._since + PATIENCE + self._received / SLOWEST
        if is_late or (now > self._unread_since + PATIENCE and unread):
            self.transport.abort()
        self._next_look = self.loop.call_later(PATIENCE / _LOOKS, self._look)


class _Server(uvicorn.Server):
    """A server that a hang-up ends as well, unless nohup started it."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Take the signals that end the server, and raise them again once it has ended."""
        # Windows has none.
        number = getattr(signal, "SIGHUP", None)
        is_main = threading.current_thread() is threading.main_thread()
        with super().capture_signals():
            if number is None or not is_main or signal.getsignal(number) is signal.SIG_IGN:
                yield
                return
            before = signal.signal(number, self.handle_exit)
            try:
                yield
            finally:
                signal.signal(number, before)


def server_of(app: Any, **options: Any) -> uvicorn.Server:
    """Return a server for an application that is patient with slow clients, and no more."""
    # More than there are connections, for the data and the workers.
    allow_open_files(2 * _MOST)
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=PATIENCE,
        h11_max_incomplete_event_size=_HEAD,
        limit_concurrency=2 * _MOST,
        proxy_headers=False,
        **{"timeout_graceful_shutdown": 5, **options},
    )
    return _Server(config)
