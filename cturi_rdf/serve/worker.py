"""The processes in which a server runs what strangers ask for.

Nothing can stop Oxigraph, or a Python function that runs in circles, from inside its process.  So
a *nursery* reads the data once, and forks a worker whenever the server asks for one; a worker does
one task at a time.  It shares the memory of the data with its siblings, may not use more than its
own share, and is ended by the kernel when the time of its task is over (``SIGALRM``, which
nothing here catches).  Its death costs that task alone.

The server talks to the nursery over a socket, on which it passes the socket of each new worker, and
to a worker by pickles that begin with their length.  All of them are one process group, which ends
when the server ends, however that happens.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import resource
import signal
import socket
import struct
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.limits import limited
from cturi_rdf.labels import resolve
from cturi_rdf.sparql.dataset import QueryData
from cturi_rdf.sparql.evaluation import STACK, in_thread
from cturi_rdf.sparql.query import MissingStatements

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO

    from cturi_rdf.sparql.dataset import Registry

_FORKING = multiprocessing.get_context("fork")
_LENGTH = struct.Struct("<Q")
# What a nursery sends once it has read the data, and a worker once it has begun.
READY = b"r"
# The priority of a worker, below that of the server, which answers while all workers are busy.
_NICE = 5
# A worker whose memory has grown by more than this part of its share is not used again.
_GROWN = 4


class Terms(NamedTuple):
    """What a nursery has to know besides the triples: about the data, and the limits of a task."""

    prefixes: dict[str, str]
    base: str | None
    registry: Registry
    memory: int
    limits: Mapping[str, int]


def send(connection: socket.socket, value: object) -> None:
    """Send a value."""
    content = pickle.dumps(value)
    connection.sendall(_LENGTH.pack(len(content)) + content)


def receive(connection: socket.socket) -> Any:
    """Return the next value.  Raises `EOFError` where the other end is closed."""
    return pickle.loads(_exactly(connection, *_LENGTH.unpack(_exactly(connection, _LENGTH.size))))  # noqa: S301 - of our own process


def _exactly(connection: socket.socket, length: int) -> bytes:
    pieces = []
    while length:
        piece = connection.recv(min(length, 1 << 20))
        if not piece:
            raise EOFError
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)


def main() -> None:
    """Be a nursery: read the data from standard input, and fork a worker for each socket."""
    control = socket.socket(fileno=int(sys.argv[1]))
    terms, data = _read(sys.stdin.buffer)
    # What tasks need is loaded once, and not by each worker: their modules, and the labels.
    import_module("cturi_rdf.serve.app")
    resolve("CSV")
    control.sendall(READY)
    while True:
        message, connections, *_ = socket.recv_fds(control, 1, 1)
        if not message:
            os.killpg(0, signal.SIGKILL)
        with socket.socket(fileno=connections[0]) as connection:
            # Each start collects the workers that have ended before.
            _FORKING.Process(target=_work, args=(control, connection, terms, data)).start()


def _read(file: IO[bytes]) -> tuple[Terms, QueryData]:
    terms: Terms = pickle.load(file)  # noqa: S301 - of our own process
    store = ox.Store()
    store.bulk_load(file, ox.RdfFormat.N_QUADS, lenient=True)
    data = QueryData(store, terms.prefixes, base=terms.base, registry=terms.registry)
    data.load()
    data.size(data.default_graph())
    return terms, data


def _work(control: socket.socket, connection: socket.socket, terms: Terms, data: QueryData) -> None:
    """Be a worker: do tasks over a connection, in a thread that has the stack for them."""
    control.close()
    connection.sendall(READY)
    os.nice(_NICE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # macOS has no such file, and there this limit has no effect.
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        allowed = pages * resource.getpagesize() + STACK + terms.memory
        resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))
    # Who asks for what the data do not have sees no log.
    warnings.simplefilter("ignore", MissingStatements)
    # The kernel counts the seconds, not this process.
    with suppress(EOFError, OSError), limited({**terms.limits, "seconds": 0}):
        in_thread(lambda _: _tasks(connection, terms, data), "tasks")


def _tasks(connection: socket.socket, terms: Terms, data: QueryData) -> None:
    """Do one task after the other."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    while True:
        function, arguments, needs_data = receive(connection)
        signal.setitimer(signal.ITIMER_REAL, terms.limits["seconds"])
        outcome = _outcome(function, (data, *arguments) if needs_data else arguments)
        signal.setitimer(signal.ITIMER_REAL, 0)
        grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        is_last = grown > terms.memory // _GROWN or isinstance(outcome[1], MemoryError)
        send(connection, (*outcome, is_last))
        if is_last:
            return


def _outcome(function: Any, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    """Return whether a task has an answer, and that answer or the error."""
    try:
        return True, function(*arguments)
    except Exception as error:  # noqa: BLE001 - raised again in the server
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 - of our own
        except Exception:  # noqa: BLE001
            return False, RuntimeError(f"{type(error).__name__}: {error}")
        return False, error
