"""`make attack`: the server while hostile clients are at it, for as long as asked for.

At the same time, and again and again: queries that compute for hours or ask for all memory,
connections that say nothing or half a request, requests that are none, uploads that unpack to
more than they are or name files of the server, and some clients who mean well.  In the end: the
answers by kind and status, the statuses and times of ``/health``, and the memory of the server.
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
import statistics
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from benchmarks.serve import CATALOGUE, memory, served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PORT = 8767
SECONDS, AT_ONCE = 5, 4
# What a hostile request may get: an answer that refuses it, or a closed connection.
REFUSED = {400, 404, 405, 408, 413, 414, 415, 421, 431, 500, 501, 503, "closed"}
QUERIES = (
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p }",
    "ASK { ?a a ?x . ?b a ?y . ?c a ?z FILTER(STRLEN(CONCAT(STR(?a), STR(?b), STR(?c))) = 3) }",
    "SELECT (COUNT(*) AS ?n) { ?a (skos:broader|!skos:broader)* ?b . ?b !skos:broader* ?c }",
    "SELECT (STRLEN(?x30) AS ?n) { BIND('aaaaaaaaaaaaaaaa' AS ?x0) "
    + " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(30))
    + " }",
    "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
    "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }",
    "ASK " + "{" * 5_000,
    "LOAD <file:///etc/passwd>",
)
RAW = (
    b"GET /health HTTP/1.1\r\n\r\n",
    b"GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"GET /type/" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    b"GET /label/%00%0D%0ASet-Cookie:%20a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\x00" * 1_000,
)
ENTITIES = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(8))
UPLOADS = {
    "xml": f'<!DOCTYPE a [<!ENTITY a0 "ha">{ENTITIES}]><a>&a8;</a>',
    "turtle": "<a:a> <a:b> " + "[ <a:c> " * 20_000,
    "json-ld": '{"@context": "/etc/passwd", "@id": "a:b", "c": ' + "[" * 5_000,
    "n-triples": "<a:a> <a:b> " + '"' + "a" * 5_000_000,
}
FRIENDLY = (
    "/api/resolve?label=Zipped+Shapefile",
    "/type/text/csv.ttl",
    f"/sparql?query={quote('SELECT * { ?d ctv:contentType/ctv:contentTypeHeader ?h }')}",
)


class Attack:
    """The clients, and what they have seen."""

    def __init__(self, minutes: float) -> None:
        self._end = time.monotonic() + 60 * minutes
        self.seen: dict[str, Counter[object]] = defaultdict(Counter)
        self.times: list[float] = []

    def goes_on(self) -> bool:
        """Return whether there is time left."""
        return time.monotonic() < self._end

    def ask(self, kind: str, path: str, content: str | None = None) -> None:
        """Send a request, and count the status of its answer."""
        url = f"http://127.0.0.1:{PORT}{path}"
        data = None if content is None else content.encode()
        request = urllib.request.Request(url, data, {"Content-Type": "text/plain"})
        started = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own
                answer.read()
                self.seen[kind][answer.status] += 1
        except urllib.error.HTTPError as error:
            self.seen[kind][error.code] += 1
        except (OSError, HTTPException):
            self.seen[kind]["closed"] += 1
        if kind == "health":
            self.times.append(time.monotonic() - started)

    def query(self) -> None:
        """Ask a hostile query."""
        self.ask("hostile queries", f"/sparql?query={quote(random.choice(QUERIES))}")  # noqa: S311

    def upload(self) -> None:
        """Send a hostile catalogue."""
        form = random.choice(list(UPLOADS))  # noqa: S311
        path = random.choice(("check", "repair", "headers"))  # noqa: S311
        self.ask("hostile uploads", f"/api/{path}?format={form}", UPLOADS[form])

    def raw(self) -> None:
        """Send what is no request, or a strange one."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", PORT)) as client:
            client.settimeout(2)
            client.sendall(random.choice(RAW))  # noqa: S311
            status = client.recv(12).partition(b" ")[2]
            self.seen["raw bytes"][int(status) if status.isdigit() else "closed"] += 1
            time.sleep(0.05)
            return
        self.seen["raw bytes"]["closed"] += 1

    def silence(self) -> None:
        """Hold many connections that say nothing, or half a request, for some time."""
        with contextlib.ExitStack() as held:
            for _ in range(600):
                with contextlib.suppress(OSError):
                    client = held.enter_context(socket.create_connection(("127.0.0.1", PORT)))
                    client.sendall(random.choice((b"", b"GET / HT", b"POST /sparql HTTP/1.1\r\n")))  # noqa: S311
                    self.seen["silent connections"]["opened"] += 1
            time.sleep(20)

    def health(self) -> None:
        """Ask for the health of the server."""
        self.ask("health", "/health")
        time.sleep(0.5)

    def friend(self) -> None:
        """Ask what other users ask."""
        self.ask("others", random.choice(FRIENDLY))  # noqa: S311
        time.sleep(0.2)


def _threads(attack: Attack) -> Iterator[threading.Thread]:
    tasks: list[tuple[Callable[[], None], int]] = [
        (attack.query, 8), (attack.upload, 1), (attack.raw, 1), (attack.silence, 1),
        (attack.health, 1), (attack.friend, 1),
    ]  # fmt: skip

    def repeat(task: Callable[[], None]) -> None:
        while attack.goes_on():
            task()

    for task, count in tasks:
        for _ in range(count):
            yield threading.Thread(target=repeat, args=(task,))


def main(minutes: float) -> int:
    """Print what the clients saw; return how many of its lines are not as wanted."""
    command = [sys.executable, "-m", "cturi_rdf", "serve", str(CATALOGUE), "--port", str(PORT)]
    command += ["--seconds", str(SECONDS), "--at-once", str(AT_ONCE), "--memory", "200"]
    missed = 0
    with served(command, PORT) as process:
        attack = Attack(minutes)
        threads = list(_threads(attack))
        sizes = [memory(process)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(5)
            sizes.append(memory(process))
        print(f"{minutes:g} minutes; a query may take {SECONDS} s, {AT_ONCE} run at once")
        for kind, statuses in sorted(attack.seen.items()):
            print(f"{kind:20} {sum(statuses.values()):9,}  {dict(statuses)}")
            if kind.startswith("hostile"):
                missed += bool(statuses.keys() - REFUSED - {200})
        median, slowest = statistics.median(attack.times), max(attack.times)
        print(f"/health: median {median * 1000:.0f} ms, slowest {slowest * 1000:.0f} ms")
        missed += attack.seen["health"].keys() != {200}
        after = json.load(urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health"))
        missed += after["status"] != "ok" or process.poll() is not None
        shown = " ".join(f"{size:.0f}" for size in sizes[1 :: max(1, len(sizes) // 10)])
        print(f"Memory of the server, MB: {shown}; threads {_status(process.pid, 'Threads')}")
    print("All of it holds." if not missed else f"{missed} not as wanted.")
    return missed


def _status(pid: int, name: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(line.partition(":")[2].strip() for line in lines if line.startswith(name))


if __name__ == "__main__":
    sys.exit(bool(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)))
