"""Tasks of requests: a few at once, each in a worker process, within limits of time and memory.

Nothing can stop Oxigraph, or a Python function that runs in circles, from inside its process.  So
a *nursery* reads the data once, and forks a worker whenever the server asks for one; a worker does
one task at a time.  It shares the memory of the data with its siblings, may not use more than its
own share, and is ended by the kernel when the time of its task is over (``SIGALRM``, which
nothing here catches).  Its death costs that task alone.

The server talks to the nursery over a socket, on which it passes the connection of each new worker,
and to a worker by `multiprocessing.connection`.  All of them are one process group, which ends
when the server ends, however that happens.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
import weakref
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pyoxigraph as ox
from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException

from cturi_rdf._util.limits import LimitError, limited
from cturi_rdf._util.system import can_fork
from cturi_rdf.labels import resolve
from cturi_rdf.sparql.dataset import QueryData
from cturi_rdf.sparql.evaluation import STACK, in_thread
from cturi_rdf.sparql.query import MissingStatements

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import IO

    from cturi_rdf.serve.app import Settings
    from cturi_rdf.sparql.dataset import Registry

_Result = TypeVar("_Result")
# How many seconds a task waits for a place, and a new nursery may take to read the data.
_PATIENCE = 5
_READING = 600
_MEGABYTE = 1_000_000
_MAIN = "from cturi_rdf.serve.work import main; main()"
# The priority of a worker, below that of the server, which answers while all workers are busy.
_NICE = 5
# A worker whose memory has grown by more than this part of its share is not used again.
_GROWN = 4
# Windows has no processes that share what they have read: there a task runs in a thread.
_HAS_PROCESSES = can_fork()
if _HAS_PROCESSES:
    import resource


class Work:
    """The place where queries, checks and repairs run.

    A task that takes too much time or memory is ended with its process, and another process takes
    its place.
    """

    def __init__(self, settings: Settings, data: QueryData | None = None) -> None:
        self._settings = settings
        self._data = data or _no_data()
        self._free = threading.BoundedSemaphore(settings.at_once)
        self._limits = {
            "rows": settings.rows,
            "seconds": settings.seconds,
            "document": 10 * settings.size,
            "line": settings.size,
            "unpacked": 10 * settings.size,
            "nesting": 200,
            "entities": settings.size,
        }
        self._nursery = _Nursery(self._packed) if _HAS_PROCESSES else None

    async def do(
        self, task: Callable[..., _Result], *arguments: Any, with_data: bool = False
    ) -> _Result:
        """Return the result of a function of a module, called with some arguments.

        `with_data` puts the data of the server before them.  Raises `HTTPException` with 503 where
        no place is free, `LimitError` where the time is over, and any error of the task.
        """
        return await to_thread.run_sync(
            # In a pool a task would wait for a thread before it waits for a place.
            self._do,
            (task, arguments, with_data),
            limiter=CapacityLimiter(1),
        )

    def start(self) -> None:
        """Let the workers read the data now, and not when the first task comes."""
        if self._nursery is not None:
            self._nursery.keep(self._nursery.worker())

    def end(self) -> None:
        """End all processes, for good."""
        if self._nursery is not None:
            self._nursery.end()

    @property
    def is_sound(self) -> bool:
        """Whether tasks can be done."""
        return self._nursery is None or self._nursery.is_sound

    def _do(self, request: tuple[Callable[..., _Result], tuple[Any, ...], bool]) -> _Result:
        if not self._free.acquire(timeout=_PATIENCE):
            raise HTTPException(503, "The server is busy with other queries.", {"Retry-After": "5"})
        try:
            if self._nursery is not None:
                return self._in_process(self._nursery, request)  # type: ignore[no-any-return]
            task, arguments, with_data = request
            if with_data:
                arguments = (self._data, *arguments)
            with limited(self._limits):
                return in_thread(lambda _: task(*arguments), "a request")  # type: ignore[no-any-return]
        finally:
            self._free.release()

    def _in_process(self, nursery: _Nursery, request: tuple[Any, ...]) -> Any:
        worker = nursery.worker(request)
        started, seconds = time.monotonic(), self._settings.seconds
        try:
            # The worker ends itself; the rest is for one that the kernel does not end.
            is_answer, result, is_last = _receive(worker, seconds + _PATIENCE)
        except (EOFError, OSError) as error:
            worker.close()
            # A worker that did not live that long has taken too much memory.
            if time.monotonic() - started >= seconds - 0.1:
                raise LimitError("seconds", "a request", seconds) from error
            raise self._too_large() from error
        if is_last:
            worker.close()
        else:
            nursery.keep(worker)
        if isinstance(result, MemoryError):
            raise self._too_large()
        if not is_answer:
            raise result
        return result

    def _too_large(self) -> HTTPException:
        return HTTPException(
            500, f"A limit of this server: more than {self._settings.memory:,} MB for a request."
        )

    def _packed(self) -> IO[bytes]:
        """Return a file with all that a nursery reads."""
        data = self._data
        terms = _Terms(
            data.prefixes, data.base, data.registry, self._settings.memory * _MEGABYTE, self._limits
        )
        file = tempfile.TemporaryFile()  # noqa: SIM115 - kept for the next nursery
        pickle.dump(terms, file)
        data.store.dump(file, ox.RdfFormat.N_QUADS)
        # The nursery has it, and so has the file.  Others may use these data too.
        self._data = _no_data()
        return file


def _no_data() -> QueryData:
    return QueryData(ox.Store(), registry="none")


class _Nursery:
    """The process that forks workers, and the workers that wait for a task."""

    def __init__(self, pack: Callable[[], IO[bytes]]) -> None:
        self._pack = pack
        self._file: IO[bytes] | None = None
        # What has to be closed or ended in the end.
        self._open: list[Any] = []
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._idle: list[Connection] = []
        self.is_sound = True
        self.end = weakref.finalize(self, _end, self._idle, self._open)

    def worker(self, request: Any = None) -> Connection:
        """Return the connection to a worker, which has been sent the request, if any."""
        while True:
            try:
                worker, is_new = self._idle.pop(), False
            except IndexError:
                worker, is_new = self._forked(), True
            if request is None:
                return worker
            try:
                worker.send(request)
            except OSError:
                worker.close()
                if is_new:
                    raise
            else:
                return worker

    def keep(self, worker: Connection) -> None:
        """Let a worker wait for its next task."""
        self._idle.append(worker)

    def _forked(self) -> Connection:
        """Return the connection to a new worker, of a new nursery if there is none."""
        with self._lock:
            for _ in range(2):
                ours, theirs = multiprocessing.Pipe()
                try:
                    with theirs:
                        if self._control is None:
                            self._control = self._started()
                        socket.send_fds(self._control, [b"w"], [theirs.fileno()])
                    # The nursery may end before it has read the data, or forked.
                    _receive(ours, _READING)
                except (EOFError, OSError):
                    ours.close()
                    self._control = None
                else:
                    self.is_sound = True
                    return ours
            self.is_sound = False
        raise HTTPException(503, "The server cannot start a process for this request.")

    def _started(self) -> socket.socket:
        if self._file is None:
            self._file = self._pack()
            self._open.append(self._file)
        self._file.seek(0)
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-P", "-c", _MAIN, str(theirs.fileno())],
                stdin=self._file,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                # Where it has no memory, Oxigraph says so in one line.
                env={**os.environ, "RUST_BACKTRACE": "0"},
            )
        self._open += [process, ours]
        return ours


def _receive(connection: Connection, seconds: float) -> Any:
    """Return what a worker sends.  Raises `EOFError` or `OSError` where it ends, or is too slow."""
    if not connection.poll(seconds):
        raise TimeoutError
    return connection.recv()


def _end(idle: list[Connection], opened: list[Any]) -> None:
    """End nurseries and their workers, and close what leads to them."""
    for thing in (*idle, *opened):
        if isinstance(thing, subprocess.Popen):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(thing.pid, signal.SIGKILL)
            thing.wait()
        else:
            thing.close()


# --- The processes: a nursery, and its workers ----------------------------------------------------


class _Terms(NamedTuple):
    """What a nursery has to know besides the triples: about the data, and the limits of a task."""

    prefixes: dict[str, str]
    base: str | None
    registry: Registry
    memory: int
    limits: Mapping[str, int]


def main() -> None:
    """Be a nursery: read the data from standard input, and fork a worker for each socket."""
    control = socket.socket(fileno=int(sys.argv[1]))
    terms, data = _read(sys.stdin.buffer)
    # Labels are loaded once, and not by each worker.
    resolve("CSV")
    forking = multiprocessing.get_context("fork")
    while True:
        message, connections, *_ = socket.recv_fds(control, 1, 1)
        if not message:
            os.killpg(0, signal.SIGKILL)
        with Connection(connections[0]) as connection:
            # Each start collects the workers that have ended before.
            forking.Process(target=_work, args=(control, connection, terms, data)).start()


def _read(file: IO[bytes]) -> tuple[_Terms, QueryData]:
    terms: _Terms = pickle.load(file)  # noqa: S301 - of our own process
    data = QueryData(ox.Store(), terms.prefixes, base=terms.base, registry=terms.registry)
    # The data look at the quads that they get.
    data.extend(ox.parse(file, ox.RdfFormat.N_QUADS, lenient=True))
    data.load()
    data.size(data.default_graph())
    return terms, data


def _work(control: socket.socket, connection: Connection, terms: _Terms, data: QueryData) -> None:
    """Be a worker: do tasks over a connection, in a thread that has the stack for them."""
    control.close()
    # It has begun.
    connection.send(None)
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


def _tasks(connection: Connection, terms: _Terms, data: QueryData) -> None:
    """Do one task after the other."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    while True:
        function, arguments, needs_data = connection.recv()
        signal.setitimer(signal.ITIMER_REAL, terms.limits["seconds"])
        outcome = _outcome(function, (data, *arguments) if needs_data else arguments)
        signal.setitimer(signal.ITIMER_REAL, 0)
        grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        is_last = grown > terms.memory // _GROWN or isinstance(outcome[1], MemoryError)
        connection.send((*outcome, is_last))
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
