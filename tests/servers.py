"""Servers that tests run on the loopback interface."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

from processes import wait_until
from starlette.testclient import TestClient

from cturi_rdf.serve import Settings, application
from cturi_rdf.serve.connections import server_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.sparql.dataset import DataSource

__all__ = ["client_of", "running"]


def client_of(*sources: DataSource, **settings: object) -> TestClient:
    """Return a client of a server that listens nowhere."""
    app = application(*sources, settings=Settings(**settings))  # type: ignore[arg-type]
    return TestClient(app, "http://localhost", raise_server_exceptions=False)


@contextlib.contextmanager
def running(*sources: DataSource, **settings: object) -> Iterator[str]:
    """Run a server in a thread, and give its address without the slash at its end."""
    listening = socket.create_server(("127.0.0.1", 0))
    app = application(*sources, settings=Settings(**settings))  # type: ignore[arg-type]
    server = server_of(app, timeout_graceful_shutdown=1)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
