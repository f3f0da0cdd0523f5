"""The server: its description, its refusals, its limits and its command."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from processes import PATIENCE, heed_signals, wait_until
from rdflib import RDF, Graph, URIRef
from servers import client_of, running
from starlette.exceptions import HTTPException

from cturi_rdf._util.system import ENDING_SIGNALS
from cturi_rdf.cli.serve import _listen
from cturi_rdf.errors import CturiError
from cturi_rdf.serve import Settings, application
from cturi_rdf.serve.answers import LONGEST_TEXT
from cturi_rdf.serve.app import hosts_of
from cturi_rdf.serve.connections import Connection
from cturi_rdf.serve.sparql import SD
from cturi_rdf.serve.work import Work, _outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping

    from conftest import Cturi
    from starlette.testclient import TestClient

EXAMPLES = Path(__file__).parents[1] / "examples"
CATALOGUE = EXAMPLES / "catalogue.ttl"
# Entities of entities: a hundred million characters in a few.
LAUGHS = (
    '<!DOCTYPE a [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(8))
    + "]><a>&a8;</a>"
)
SLOW = """
SELECT (COUNT(*) AS ?n) {
  ?a a ctv:MediaType . ?b a ctv:MediaType FILTER(STRLEN(CONCAT(STR(?a), STR(?b))) = 3)
}
"""


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(CATALOGUE)


def test_health_is_ok(client: TestClient) -> None:
    assert client.get("/health").json()["status"] == "ok"


# --- The endpoint -------------------------------------------------------------------------------


def test_the_service_description_lists_the_functions(client: TestClient) -> None:
    text = client.get("/sparql", headers={"accept": "text/turtle"}).text
    graph = Graph().parse(data=text, format="turtle")
    service = URIRef("http://localhost/sparql")
    assert (service, RDF.type, SD.Service) in graph
    header = URIRef("https://w3id.org/cturi/function#header")
    assert (service, SD.extensionFunction, header) in graph


@pytest.mark.parametrize(
    ("limits", "query", "part"),
    [
        ({"rows": 10}, "SELECT * { ?s a ctv:MediaType }", "more than 10 rows"),
        ({"seconds": 1}, SLOW, "more than 1 seconds"),
    ],
)
def test_the_rows_and_the_time_of_a_query_are_limited(
    limits: dict[str, int], query: str, part: str
) -> None:
    response = client_of(**limits).get("/sparql", params={"query": query})
    assert response.status_code == 500
    assert part in response.json()["detail"]
    # The options of other commands set no limit of a server.
    assert "CTURI_LIMIT" not in response.text


# --- What is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "fields", "content", "status"),
    [
        ("GET", "/none", {}, None, 404),
        ("GET", "/health", {"host": "evil.example"}, None, 421),
        ("GET", "/health", {"host": "localhost:8000"}, None, 200),
        ("GET", "/health", {"host": "[::1]:8000"}, None, 200),
        ("GET", "/../../etc/passwd", {}, None, 404),
        ("GET", "/api/uri?header=nothing", {}, None, 400),
        ("GET", "/api/uri?header=text/csv%0D%0ASet-Cookie:%20a", {}, None, 400),
        ("GET", "/api/uri", {}, None, 400),
        ("GET", "/api/header?uri=ContentType:", {}, None, 400),
        ("GET", "/api/resolve", {}, None, 400),
        ("POST", "/api/resolve", {}, "[" * 100_000, 400),
        ("POST", "/api/resolve", {}, '{"labels": [1]}', 400),
        ("POST", "/api/check?name=a.ttl", {}, b"a" * 2_000_000, 413),
        ("POST", "/api/check?name=a.ttl.gz", {}, b"\x1f\x8b\x08" + bytes(20), 400),
        ("POST", "/api/check?name=..%2F..%2Fa.exe", {}, b"a", 400),
        ("POST", "/api/check?format=json-ld", {}, b'{"a":' * 50_000, 413),
        ("OPTIONS", "/none", {"origin": "http://e/"}, None, 404),
        ("POST", "/api/check?format=xml", {}, LAUGHS, 413),
        (
            "POST",
            "/api/check?format=xml",
            {},
            b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>',
            400,
        ),
    ],
)
def test_what_cannot_be_answered_is_a_problem_that_says_why(
    method: str, path: str, fields: dict[str, str], content: str | bytes | None, status: int
) -> None:
    client = client_of(size=1_000_000)
    response = client.request(method, path, headers=fields, content=content)
    assert response.status_code == status, response.text
    if status != 200:
        assert response.json()["detail"]
    assert "root:" not in response.text


FORM = {"content-type": "application/x-www-form-urlencoded"}
QUERY = {"content-type": "application/sparql-query"}
LONG = "a" * LONGEST_TEXT
LABELS = {"content-type": "application/json"}
# What is sent, and the answer: its status, and what it says of the problem.
REFUSED: list[tuple[str, str, dict[str, str], str | bytes | None, int, str]] = [
    ("GET", "/sparql?update=CLEAR%20ALL", {}, None, 403, "This endpoint is read-only"),
    ("GET", "/sparql?query=ASK{}&format=ttl", {}, None, 400, "'format' is one of csv, tsv, json"),
    ("GET", "/sparql?query=ASK{}&query=ASK{}", {}, None, 400, "has one query, this has 2"),
    ("POST", "/sparql", FORM, "", 400, "has one query, this has 0"),
    ("POST", "/sparql", {"content-type": "csv"}, "", 415, "Content-Type: "),
    ("POST", "/sparql", {"content-type": "text/csv"}, "", 415, "not as text/csv"),
    ("POST", "/sparql", {"content-type": f"{QUERY['content-type']};charset=latin1"}, "ASK {}", 415,
     "A query is sent in UTF-8."),
    ("POST", "/sparql", QUERY, b"ASK \xff", 400, "not UTF-8 at byte 5"),
    ("POST", "/sparql", FORM, b"query=\xff", 400, "The parameters cannot be read: "),
    ("POST", "/sparql", FORM, b"a=&" * 1_001, 400, "The parameters cannot be read: "),
    ("POST", "/sparql", FORM, b"a=&" * 999 + b"query=ASK{}", 200, ""),
    ("POST", "/sparql", {"content-type": f"{QUERY['content-type']};charset=UTF-8"}, "ASK {}", 200,
     ""),
    ("POST", "/sparql?query=ASK", QUERY, "ASK {}", 200, ""),
    ("GET", "/api/header?uri=ContentType:a/b&control=x", {}, None, 400, "'honour' or 'ignore'"),
    ("GET", "/api/uri?header=a/b&header=a/b", {}, None, 400, "needed once, not 2 times"),
    ("GET", f"/api/uri?header=a/{LONG[2:]}", {}, None, 200, ""),
    ("GET", f"/api/uri?header={LONG}a", {}, None, 400, "may have 10,000 characters"),
    ("GET", f"/api/resolve?label={LONG}", {}, None, 200, ""),
    ("GET", f"/api/resolve?label={LONG}a", {}, None, 400, "labels of up to 10,000 characters"),
    ("POST", "/api/resolve", LABELS, json.dumps({"labels": ["CSV"] * 10_001}), 400,
     "A request may have 10,000 labels"),
    ("POST", "/api/resolve", LABELS, '{"labels": "CSV"}', 400, 'not such as {"labels": ["CSV"]}'),
    ("POST", "/api/resolve", LABELS, '{"labels": []}', 400, "There is no label"),
    ("POST", "/api/resolve", LABELS, "[]", 400, "It is not a JSON object."),
    ("POST", "/api/resolve", LABELS, "{", 400, "It is not JSON: "),
    ("POST", "/api/resolve", LABELS, '{"labels": ["\\ud800"]}', 400, "It is not JSON: "),
    ("POST", "/api/repair?name=a.ttl&min-confidence=x", {}, "", 400, "'certain' or 'likely'"),
    ("POST", "/api/check?name=a.ttl&profile=none", {}, "<e:a> a <e:b> .", 400, "profile"),
    ("GET", "/health", {"host": "[::2]:8000"}, None, 421, "This server is not called '[::2]'."),
    ("GET", "/suffix/" + "a" * 2_001, {}, None, 404, "There is no such page."),
    ("GET", "/suffix/" + "a" * 2_000, {}, None, 404, "Nothing is known of "),
    ("GET", "/label/%2525ff", {}, None, 404, "There is no such page: "),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "fields", "content", "status", "detail"), REFUSED)
def test_a_refusal_says_what_was_expected(
    client: TestClient,
    method: str,
    path: str,
    fields: dict[str, str],
    content: str | bytes | None,
    status: int,
    detail: str,
) -> None:
    response = client.request(method, path, headers=fields, content=content)
    assert response.status_code == status, response.text
    if detail:
        problem = response.json()
        assert detail in problem["detail"]
        assert (problem["status"], problem["type"]) == (status, "about:blank")
        assert problem["title"] == HTTPStatus(status).phrase


@pytest.mark.parametrize(
    "url", ["formats.example", "//formats.example/", "ftp://formats.example/", "http://[x", ""]
)
def test_a_server_is_called_by_a_url_of_http(cturi: Cturi, url: str) -> None:
    run = cturi("serve", "--url", url)
    assert run.code == 2
    assert run.err.startswith("cturi: not an absolute URL of HTTP")


@pytest.mark.parametrize(
    ("host", "url", "name"),
    [
        ("127.0.0.1", "https://Formats.Example:8443/types", "formats.example"),
        ("127.0.0.1", "https://me:secret@formats.example/", "formats.example"),
        ("127.0.0.1", "http://[2001:DB8::1]/", "[2001:db8::1]"),
        ("127.0.0.1", "http://[2001:DB8::1]:8000/", "[2001:db8::1]"),
        ("FE80::1", None, "[fe80::1]"),
        ("Machine", None, "machine"),
    ],
)
def test_a_server_answers_by_the_names_of_its_address_and_its_url(
    host: str, url: str | None, name: str
) -> None:
    client = client_of(hosts=hosts_of(host, url))
    for called in (name, name.upper(), f"{name}:8000", "localhost"):
        assert client.get("/health", headers={"host": called}).status_code == 200, called
    assert client.get("/health", headers={"host": "evil.example"}).status_code == 421


def test_every_response_has_the_fields_that_protect_its_reader(client: TestClient) -> None:
    for path in ("/health", "/none", "/sparql?query=ASK"):
        headers = client.get(path).headers
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["access-control-allow-origin"] == "*"


@pytest.mark.daily(1)
@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_the_command_serves_and_ends_in_order(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "cturi_rdf", "serve", str(CATALOGUE), "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=heed_signals,  # noqa: PLW1509
    )
    assert process.stderr is not None
    address = re.search(r"http://127\.0\.0\.1:\d+/", process.stderr.readline())
    assert address is not None
    with urllib.request.urlopen(f"{address[0]}health") as response:  # noqa: S310 - our own
        assert response.status == 200
    assert "GET /health 200" in process.stderr.readline()
    process.send_signal(number)
    log = process.communicate(timeout=PATIENCE)[1]
    assert "Traceback" not in log
    assert process.returncode == 128 + number


# --- Limits ------------------------------------------------------------------------------------


def test_the_number_of_tasks_at_once_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cturi_rdf.serve.work._PATIENCE", 0.1)
    work = Work(Settings(at_once=1))
    work.start()

    async def ask() -> None:
        first = asyncio.create_task(work.do(time.sleep, 2))
        await asyncio.sleep(0.5)
        with pytest.raises(HTTPException, match="503: The server is busy"):
            await work.do(len, "b")
        await first
        assert await work.do(len, "next") == 4

    asyncio.run(ask())


def test_no_task_waits_for_a_thread_before_it_waits_for_a_place(tmp_path: Path) -> None:
    # The threads that Starlette shares are forty; these tasks wait for one another.
    work = Work(Settings(at_once=60, seconds=PATIENCE))
    work.start()
    meeting = (
        "import os, time\n"
        f"open(f'{tmp_path}/{{os.getpid()}}', 'w').close()\n"
        f"while len(os.listdir('{tmp_path}')) < 60: time.sleep(0.1)"
    )

    async def ask() -> None:
        await asyncio.gather(*(work.do(exec, meeting) for _ in range(60)))

    asyncio.run(ask())


HUNGRY = (
    "SELECT (STRLEN(?x30) AS ?n) { BIND('aaaaaaaaaaaaaaaa' AS ?x0) "
    + " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(30))
    + " }"
)
# They compute for hours: a product, a filter over one, a closure, a text of texts.
ENDLESS = [
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p }",
    "ASK { ?a a ?x . ?b a ?y . ?c a ?z FILTER(STRLEN(CONCAT(STR(?a), STR(?b), STR(?c))) = 3) }",
    "SELECT (COUNT(*) AS ?n) { ?a (skos:broader|!skos:broader)* ?b . ?b !skos:broader* ?c }",
    "SELECT (SUM(STRLEN(REPLACE(CONCAT(?x, ?y), '(a|b)*', ''))) AS ?n) { ?a ?p ?x . ?b ?q ?y }",
]


def test_a_server_is_healthy_while_hostile_queries_run_and_after_them() -> None:
    statuses, health = [], []
    with running(seconds=2, at_once=8) as address:

        def ask(query: str) -> None:
            parameters = urllib.parse.urlencode({"query": query})
            response = httpx.get(f"{address}/sparql?{parameters}", timeout=PATIENCE)
            statuses.append((response.status_code, response.json()["detail"]))

        queries = [*ENDLESS, *ENDLESS[:3], HUNGRY]
        threads = [threading.Thread(target=ask, args=(query,)) for query in queries]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            health.append(httpx.get(f"{address}/health", timeout=PATIENCE).status_code)
            time.sleep(0.1)
        answer = httpx.get(f"{address}/sparql?query=ASK%7B%7D", timeout=PATIENCE)
    assert len(health) > 1
    assert set(health) == {200}
    assert [status for status, _ in statuses] == [500] * 8
    assert {detail.partition(":")[0] for _, detail in statuses} == {"A limit of this server"}
    assert answer.json()["boolean"] is True


def test_the_memory_of_a_query_is_limited() -> None:
    client = client_of(memory=200)
    response = client.get("/sparql", params={"query": HUNGRY})
    assert response.status_code == 500
    assert response.json()["detail"] == "A limit of this server: more than 200 MB for a request."
    assert client.get("/sparql", params={"query": "ASK {}"}).json()["boolean"]


def test_a_worker_that_is_killed_costs_its_task_alone() -> None:
    work = Work(Settings(at_once=2))

    async def ask() -> None:
        other = asyncio.create_task(work.do(time.sleep, 1))
        with pytest.raises(HTTPException, match="500"):
            await work.do(os.abort)
        assert await other is None
        # The nursery itself is replaced too.
        os.kill(await work.do(os.getppid), signal.SIGKILL)
        assert await work.do(len, "next") == 4
        assert await asyncio.gather(*(work.do(len, "next") for _ in range(2))) == [4, 4]

    asyncio.run(ask())
    assert work.is_sound


class _Odd(Exception):  # noqa: N818 - nothing of ours
    """An error that no other process can read."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


def test_an_error_that_no_other_process_can_read_is_told_in_words() -> None:
    def fail() -> None:
        raise _Odd("o", "dd")

    assert _outcome(len, ("abc",)) == (True, 3)
    is_answer, error = _outcome(int, ("x",))
    assert (is_answer, type(error)) == (False, ValueError)
    is_answer, error = _outcome(fail, ())
    assert (is_answer, type(error), str(error)) == (False, RuntimeError, "_Odd: odd")


def _has_ended(number: int) -> bool:
    """Return whether all threads of a process have ended, and its connections are closed.

    Nobody may have asked for its exit code.
    """
    try:
        stats = [path.read_text("ascii") for path in Path(f"/proc/{number}/task").glob("*/stat")]
    except OSError:
        return False
    return all(stat.rpartition(")")[2].split()[0] == "Z" for stat in stats)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_a_worker_lets_the_server_go_first_and_takes_no_more_than_its_share() -> None:
    resource = pytest.importorskip("resource")
    work = Work(Settings(memory=300))
    assert asyncio.run(work.do(os.nice, 0)) == min(os.nice(0) + 5, 19)
    assert asyncio.run(work.do(resource.getrlimit, resource.RLIMIT_CORE)) == (0, 0)
    # A task that took a quarter of its share has a worker of its own.
    first = asyncio.run(work.do(os.getpid))
    for size, is_kept in ((10, True), (200, False)):
        assert asyncio.run(work.do(eval, f"len(bytearray({size}_000_000))")) == size * 1_000_000
        assert (asyncio.run(work.do(os.getpid)) == first) == is_kept
    # One that ended while it waited is replaced.
    last = asyncio.run(work.do(os.getpid))
    os.kill(last, signal.SIGKILL)
    wait_until(lambda: _has_ended(last))
    assert asyncio.run(work.do(os.getpid)) != last
    work.end()


def test_a_worker_is_asked_of_a_new_nursery_where_the_old_one_ends_before_it_forks() -> None:
    work = Work(Settings(at_once=2))

    async def ask() -> None:
        nursery = await work.do(os.getppid)
        os.kill(nursery, signal.SIGSTOP)
        sleeping = asyncio.create_task(work.do(time.sleep, 1))
        await asyncio.sleep(0.2)
        asked = asyncio.create_task(work.do(len, "next"))
        await asyncio.sleep(0.2)
        os.kill(nursery, signal.SIGKILL)
        assert await asked == 4
        assert await sleeping is None

    asyncio.run(ask())
    assert work.is_sound
    work.end()


def test_what_tasks_need_is_loaded_before_a_worker_begins() -> None:
    """Else each worker that takes the place of one that was ended would load it again."""
    work = Work(Settings())
    loaded = "set(__import__('sys').modules)"
    modules = asyncio.run(work.do(eval, loaded))
    assert {"cturi_rdf.serve.api", "cturi_rdf.serve.reconciliation"} <= modules
    work.end()


def test_no_process_is_left_when_the_server_is_gone() -> None:
    work = Work(Settings())
    group = asyncio.run(work.do(os.getpgrp))
    work.end()

    def is_gone() -> bool:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        return False

    wait_until(is_gone)


def test_a_busy_server_says_so_and_when_to_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cturi_rdf.serve.work._PATIENCE", 0.1)
    response = client_of(at_once=0).get("/api/resolve?label=CSV")
    assert response.status_code == 503
    assert response.headers["retry-after"].isdigit()


@pytest.mark.parametrize(
    ("path", "sent_as"),
    [
        ("/sparql", "application/sparql-query"),
        ("/api/resolve", "application/json"),
        ("/api/check", "text/turtle"),
        ("/api/headers", "text/turtle"),
        ("/reconcile", "application/x-www-form-urlencoded"),
        ("/reconcile/1.0/match", "application/json"),
    ],
)
def test_a_client_that_goes_away_is_no_fault_of_the_server(path: str, sent_as: str) -> None:
    fields = {b"host": b"localhost", b"content-type": sent_as.encode(), b"content-length": b"9"}
    scope = {
        "type": "http", "method": "POST", "path": path, "query_string": b"",
        "headers": list(fields.items()),
    }  # fmt: skip
    received = iter(
        [{"type": "http.request", "body": b"--x", "more_body": True}, {"type": "http.disconnect"}]
    )
    sent = []

    async def receive() -> dict[str, object]:
        return next(received)

    async def send(message: MutableMapping[str, object]) -> None:
        sent.append(message.get("status"))

    asyncio.run(application()(scope, receive, send))
    assert sent[0] == 400


def test_a_server_tells_nothing_of_its_faults(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Work, "do", fail)
    response = client.get("/api/resolve?label=CSV")
    assert response.status_code == 500
    assert "ZeroDivision" not in response.text


def test_a_server_that_cannot_start_a_process_is_not_healthy(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Work, "is_sound", False)
    assert client.get("/health").status_code == 503


def test_the_size_of_content_is_limited_also_where_nobody_tells_it() -> None:
    client = client_of(size=10_000)
    chunks = (b"a" * 1_000 for _ in range(100))
    assert client.post("/api/check?name=a.ttl", content=chunks).status_code == 413


# --- Slow clients ------------------------------------------------------------------------------

HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
LONG = (
    b"POST /api/check?format=turtle HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n<a> "
)


def test_a_client_that_falls_silent_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cturi_rdf.serve.connections.PATIENCE", 3)
    with running() as address, contextlib.ExitStack() as connections:
        place = ("127.0.0.1", urllib.parse.urlsplit(address).port)
        silent = {
            sent: connections.enter_context(socket.create_connection(place, timeout=PATIENCE))
            for sent in (b"", HEAD, HEAD + b"\r\n" + HEAD, LONG)
        }
        for sent, client in silent.items():
            client.sendall(sent)
        for client in silent.values():
            with contextlib.suppress(ConnectionResetError):
                while client.recv(10_000):
                    pass
        assert httpx.get(f"{address}/health", timeout=PATIENCE).status_code == 200


def test_a_request_may_take_the_time_that_its_bytes_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cturi_rdf.serve.connections.PATIENCE", 1)
    monkeypatch.setattr("cturi_rdf.serve.connections.SLOWEST", 1)

    def slowly() -> Iterator[bytes]:
        for octet in b'<http://a/1> <http://purl.org/dc/terms/format> "CSV" .':
            time.sleep(0.06)
            yield bytes([octet])

    with running() as address:
        response = httpx.post(
            f"{address}/api/check?format=turtle", content=slowly(), timeout=PATIENCE
        )
    assert response.status_code == 200


def test_silent_clients_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cturi_rdf.serve.connections.MOST_WAITING", 50)
    monkeypatch.setattr("cturi_rdf.serve.connections._MOMENT", 1)
    with running() as address, contextlib.ExitStack() as connections:
        place = ("127.0.0.1", urllib.parse.urlsplit(address).port)
        for _ in range(120):
            connections.enter_context(socket.create_connection(place))
        for _ in range(3):
            assert httpx.get(f"{address}/health", timeout=PATIENCE).status_code == 200


def test_more_silent_clients_than_a_process_may_have_files_keep_nobody_out() -> None:
    command = f"ulimit -Sn 200; exec {sys.executable} -m cturi_rdf serve --port 0"
    with (
        subprocess.Popen(["/bin/sh", "-c", command], stderr=subprocess.PIPE, text=True) as process,
        contextlib.ExitStack() as connections,
    ):
        assert process.stderr is not None
        address = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stderr.readline())
        assert address is not None
        for _ in range(600):
            connections.enter_context(socket.create_connection(("127.0.0.1", int(address[1]))))
        assert httpx.get(f"{address[0]}health", timeout=PATIENCE).status_code == 200
        process.terminate()


def test_a_request_with_too_many_fields_is_refused_before_it_costs_anything() -> None:
    with running() as address:
        place = ("127.0.0.1", urllib.parse.urlsplit(address).port)
        with socket.create_connection(place) as client:
            client.sendall(HEAD + b"X: y\r\n" * 20_000 + b"\r\n")
            assert client.recv(12) == b"HTTP/1.1 400"
        # A query in an address may be long.
        assert (
            httpx.get(f"{address}/health?query={'a' * 20_000}", timeout=PATIENCE).status_code == 200
        )


def test_a_connection_keeps_nothing_of_a_request_after_its_answer() -> None:
    with running() as address, contextlib.ExitStack() as connections:
        place = ("127.0.0.1", urllib.parse.urlsplit(address).port)
        for breaks_off in (True, True, False):
            client = connections.enter_context(socket.create_connection(place))
            client.sendall(HEAD + b"X: y\r\n" * 1_000 + b"\r\n")
            assert client.recv(12) == b"HTTP/1.1 200"
            if breaks_off:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()

        def kept() -> list[Connection]:
            gc.collect()
            return [thing for thing in gc.get_objects() if isinstance(thing, Connection)]

        wait_until(lambda: len(kept()) == 1)
        assert [(one.scope, one.headers, one.cycle) for one in kept()] == [(None, None, None)]


# --- Files -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["secret/context.json", "context.json", "../context.json"])
def test_a_catalogue_that_is_sent_has_no_neighbours(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A context that a client names is no file of the server, whether there is one or not."""
    text = '{"@context": {"s": "http://secret.example/", "f": "http://purl.org/dc/terms/format"}}'
    for folder in (Path(tempfile.gettempdir()), Path.cwd(), tmp_path):
        assert not (folder / "secret").exists()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "secret").mkdir()
    for file in (tmp_path / "secret/context.json", tmp_path / "context.json"):
        file.write_text(text)
    content = json.dumps({"@context": name, "@id": "s:x", "f": "CSV"})
    answers = []
    for context in (name, "none.json"):
        response = client.post("/api/check?format=json-ld", content=content.replace(name, context))
        assert response.status_code == 400
        assert "secret.example" not in response.text
        assert str(tmp_path) not in response.text
        answers.append(response.text.replace(context, ""))
    assert answers[0] == answers[1] or name.startswith("..")


def test_a_worker_that_is_ended_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    line = '<http://e/{}> <http://purl.org/dc/terms/format> "CSV {}" .\n'
    content = "".join(line.format(n, n) for n in range(100_000))
    client = client_of(seconds=1)
    assert client.post("/api/check?format=nt", content=content).status_code == 500
    assert not list(tmp_path.glob("cturi-*"))


# --- The network -------------------------------------------------------------------------------


def test_no_request_makes_the_server_connect_to_another() -> None:
    """Whatever asks for something else names a server that counts its connections."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.settimeout(0.1)
        place = f"http://127.0.0.1:{other.getsockname()[1]}/x"
        client = client_of(CATALOGUE, seconds=10)
        catalogues = {
            "turtle": f"@base <{place}> . <> <http://www.w3.org/2002/07/owl#imports> <{place}> .",
            "json-ld": f'{{"@context": "{place}", "@id": "{place}", "dct:format": "CSV"}}',
            "xml": f'<!DOCTYPE a SYSTEM "{place}" [<!ENTITY e SYSTEM "{place}">]><a>&e;</a>',
        }
        for name, content in catalogues.items():
            for path in ("/api/check", "/api/repair?profile=dcat-ap", "/api/headers"):
                separator = "&" if "?" in path else "?"
                client.post(f"{path}{separator}format={name}", content=content)
        for query in (
            f"SELECT * {{ SERVICE <{place}> {{ ?s ?p ?o }} }}",
            f"SELECT * {{ BIND(<{place}> AS ?x) SERVICE SILENT ?x {{ ?s ?p ?o }} }}",
            f"ASK FROM <{place}> {{ ?s ?p ?o }}",
            f"LOAD <{place}>",
            f"SELECT (ctf:header('{place}') AS ?x) {{}}",
        ):
            client.get("/sparql", params={"query": query})
        client.get("/sparql", params={"query": "ASK {}", "default-graph-uri": place})
        for path in (
            "/look?q=",
            "/api/resolve?label=",
            "/api/header?uri=",
            "/label/",
            "/reconcile/preview?id=",
            "/reconcile/suggest/entity?prefix=",
        ):
            client.get(path + urllib.parse.quote(place, safe=""))
        with pytest.raises(TimeoutError):
            other.accept()


def test_an_address_that_cannot_be_listened_on_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CturiError, match="the port is already in use") as refused:
            _listen("127.0.0.1", port)
        assert refused.value.text == f"127.0.0.1:{port}"
        assert refused.value.expected.startswith("a free port")
    for host in ("192.0.2.1", "a" * 64 + ".example", "no such host"):
        with pytest.raises(CturiError, match=r"the server cannot listen there \(.+\)") as refused:
            _listen(host, 0)
        assert refused.value.expected == "an address of this machine and a free port"
