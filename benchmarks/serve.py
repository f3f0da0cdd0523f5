"""`make bench-serve`: the server under load, beside rdflib-endpoint and Oxigraph's own server.

Many clients ask at once, each again as soon as it has its answer, over connections that stay
open.  For each side: requests a second, the median and the slowest hundredth of the times, and
errors.  Then the memory of the server over a hundred thousand requests.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import platform
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CATALOGUE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
BIN = str(Path(sys.executable).parent)
CLIENTS = 200
REQUESTS = 100_000
# A tenth more is what allocators keep between two looks at a process.
MOST_GROWTH = 1.1
LABELS = ("CSV", "Zipped Shapefile", "text/csv; charset=utf-8", "XSLX", "WMS", "flurbel")
QUERY = (
    "PREFIX dct: <http://purl.org/dc/terms/> "
    "SELECT ?file ?format { ?file dct:format ?format } LIMIT 10"
)
PEER = """
import sys, uvicorn
from rdflib import Dataset
from rdflib_endpoint import SparqlEndpoint
graph = Dataset(default_union=True)
graph.parse(sys.argv[1])
uvicorn.run(SparqlEndpoint(graph=graph), port=int(sys.argv[2]), log_level="warning")
"""


class Load(NamedTuple):
    """The answers that clients got: the time of each in seconds, and the errors."""

    times: list[float]
    errors: list[str]
    seconds: float

    def line(self, name: str) -> str:
        """Return it as a line of the report."""
        if len(self.times) < CLIENTS:
            return f"{name:42} no answers: {self.errors[:1]}"
        cuts = statistics.quantiles(self.times, n=100)
        return (
            f"{name:42} {len(self.times) / self.seconds:8,.0f}/s  median {cuts[49] * 1000:7.1f} ms"
            f"  p99 {cuts[98] * 1000:7.1f} ms  {len(self.errors)} errors"
        )


async def _client(
    port: int, requests: Iterator[bytes], load: Load, goes_on: Callable[[], bool]
) -> None:
    """Send requests over one connection for as long as `goes_on` says."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with contextlib.closing(writer):
        while goes_on():
            started = time.perf_counter()
            writer.write(next(requests))
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: *(\d+)", head)
            if length is not None:
                await reader.readexactly(int(length[1]))
            else:
                # RFC 9112 section 7.1: chunks, each with its length; the last one is empty.
                while size := int(await reader.readline(), 16):
                    await reader.readexactly(size + 2)
                await reader.readline()
            load.times.append(time.perf_counter() - started)
            if not head.startswith(b"HTTP/1.1 200"):
                load.errors.append(head.partition(b"\r\n")[0].decode())


def _requests(paths: tuple[str, ...]) -> Iterator[bytes]:
    """Yield requests for some addresses, again and again."""
    fields = "Host: localhost\r\nAccept: application/sparql-results+json, application/json"
    while True:
        for path in paths:
            yield f"GET {path} HTTP/1.1\r\n{fields}\r\n\r\n".encode()


async def _load(
    port: int, paths: tuple[str, ...], clients: int, seconds: float, count: float
) -> Load:
    """Return the load over so many seconds, or so many requests."""
    load, started = Load([], [], 0.0), time.perf_counter()
    requests = _requests(paths)

    def goes_on() -> bool:
        return time.perf_counter() - started < seconds and len(load.times) < count

    answers = await asyncio.gather(
        *(_client(port, requests, load, goes_on) for _ in range(clients)), return_exceptions=True
    )
    load.errors.extend(repr(error) for error in answers if error is not None)
    return load._replace(seconds=time.perf_counter() - started)


def load(
    port: int, *paths: str, clients: int = CLIENTS, seconds: float = 1e9, count: float = 1e9
) -> Load:
    """Put load on a server; it ends after some seconds or requests."""
    return asyncio.run(_load(port, paths, clients, seconds, count))


@contextlib.contextmanager
def served(command: list[str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server on a port of this machine, and end it."""
    with Path(os.devnull).open("wb") as nothing:
        process = subprocess.Popen(command, stdout=nothing, stderr=nothing)
    try:
        for _ in range(600):
            # A server may listen before it has read its files.
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as one:
                one.settimeout(60)
                one.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                one.recv(1)
                break
            time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait(30)


def memory(process: subprocess.Popen[bytes]) -> float:
    """Return the megabytes that a process has in memory."""
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    return int(re.findall(r"VmRSS:\s*(\d+)", status)[0]) / 1000


def main(seconds: float) -> int:
    """Print the report; return how many of its lines are not as wanted."""
    print(f"Python {platform.python_version()}, {CLIENTS} clients for {seconds:g} s, loopback")
    query = f"/sparql?query={quote(QUERY)}"
    resolve = tuple(f"/api/resolve?label={quote(label)}" for label in LABELS)
    ours = [sys.executable, "-m", "cturi_rdf", "serve", str(CATALOGUE), "--port"]
    missed = 0
    with served([*ours, "8765"], 8765) as process:
        for name, paths in (("/api/resolve", resolve), ("a small query", (query,))):
            outcome = load(8765, *paths, seconds=seconds)
            print(outcome.line(f"cturi serve, {name}"))
            missed += bool(outcome.errors)
    if importlib.util.find_spec("rdflib_endpoint"):
        peer = [sys.executable, "-c", PEER, str(CATALOGUE), "8766"]
        with served(peer, 8766):
            path = f"/?query={quote(QUERY)}"
            print(load(8766, path, seconds=seconds).line("rdflib-endpoint, the same query"))
    else:
        print("rdflib-endpoint is not installed")
    if program := shutil.which("oxigraph", path=os.pathsep.join((BIN, os.environ["PATH"]))):
        with tempfile.TemporaryDirectory() as folder:
            store = [program, "load", "--location", folder, "--file", str(CATALOGUE)]
            subprocess.run([*store, "--base", "http://a.example/"], check=True, capture_output=True)
            command = [program, "serve", "--location", folder, "--bind", "127.0.0.1:8768"]
            with served(command, 8768):
                path = f"/query?query={quote(QUERY)}"
                print(load(8768, path, seconds=seconds).line("Oxigraph's server, the same query"))
    else:
        print("Oxigraph's server is not installed; pip install oxigraph has it")
    with served([*ours, "8765"], 8765) as process:
        sizes = []
        for _ in range(10):
            outcome = load(8765, *resolve, query, clients=20, count=REQUESTS / 10)
            missed += bool(outcome.errors)
            sizes.append(memory(process))
        print(f"Memory over {REQUESTS:,} requests, MB:", *(f"{size:.0f}" for size in sizes))
        missed += sizes[-1] > MOST_GROWTH * sizes[0]
    print("All of it holds." if not missed else f"{missed} not as wanted.")
    return missed


if __name__ == "__main__":
    sys.exit(bool(main(float(sys.argv[1]) if sys.argv[1:] else 30)))
