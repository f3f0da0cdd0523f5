"""Web applications: the page on frameworks, and the calling conventions by themselves."""

from __future__ import annotations

import asyncio
import re
import runpy
import shutil
import subprocess
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple
from wsgiref.simple_server import make_server
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import httpx
import pytest
from rdflib import Graph

from cturi_rdf import ContentTypeError
from cturi_rdf.negotiation import Representations
from cturi_rdf.rdf import representations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "how-to" / "frameworks.md").read_text("utf-8")
APPS = dict(re.findall(r"```py\n# (\w+)\.py\n(.*?)```", PAGE, re.DOTALL))
FRAMEWORKS = ["starlette_app", "fastapi_app", "flask_app"]
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


class Answer(NamedTuple):
    """The answer that a client got."""

    status: int
    headers: Mapping[str, str]
    content: bytes


def _app(name: str, folder: Path) -> Any:
    """Return the application that the page builds, saved as the page says."""
    path = folder / f"{name}.py"
    path.write_text(APPS[name], "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return runpy.run_path(str(path), run_name=name)["app"]


def _ask(app: Any, path: str, accept: str | None, method: str = "GET") -> Answer:
    """Send a request to an application of ASGI."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://a.example") as client:
            # It would send a header of its own.
            del client.headers["Accept"]
            headers = {} if accept is None else {"Accept": accept}
            return await client.request(method, path, headers=headers)

    reply = asyncio.run(ask())
    return Answer(reply.status_code, reply.headers, reply.content)


@pytest.fixture(scope="module", params=FRAMEWORKS)
def get(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Answer]:
    """Give a function that asks the application of the page."""
    app = _app(request.param, tmp_path_factory.mktemp("app"))

    def ask(path: str, accept: str | None) -> Answer:
        if request.param != "flask_app":
            return _ask(app, path, accept)
        headers = {} if accept is None else {"Accept": accept}
        found = app.test_client().get(path, headers=headers)
        return Answer(found.status_code, found.headers, found.data)

    return ask


def test_the_page_has_an_application_of_thirty_lines_for_each_framework() -> None:
    assert list(APPS) == FRAMEWORKS
    assert all(len(code.strip().splitlines()) <= 30 for code in APPS.values())


@pytest.mark.parametrize("path", ["/catalogue", "/graph/"])
@pytest.mark.parametrize(
    ("accept", "content_type", "parser"),
    [
        (BROWSER, "text/html; charset=utf-8", None),
        (None, "text/html; charset=utf-8", None),
        ("application/json", "application/ld+json", "json-ld"),
        ("text/turtle;version=1.2", "text/turtle; charset=utf-8", "turtle"),
        ("application/n-triples, */*;q=0.1", "application/n-triples", "nt"),
        ("application/rdf+xml;q=0.4, text/html;q=0.3", "application/rdf+xml", "xml"),
    ],
)
def test_an_application_negotiates(
    get: Callable[..., Answer], path: str, accept: str | None, content_type: str, parser: str | None
) -> None:
    answer = get(path, accept)
    assert (answer.status, answer.headers["Content-Type"]) == (200, content_type)
    assert answer.headers["Vary"] == "Accept"
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    if parser:
        expected = Graph().parse(ROOT / "examples" / "catalogue.ttl")
        assert len(Graph().parse(data=answer.content, format=parser)) == len(expected)


@pytest.mark.parametrize("path", ["/catalogue", "/graph/"])
def test_an_application_says_what_there_is(get: Callable[..., Answer], path: str) -> None:
    answer = get(path, "image/png")
    assert (answer.status, answer.headers["Content-Type"]) == (406, "application/problem+json")
    assert b"text/turtle" in answer.content


def test_a_mounted_application_answers_head_and_refuses_to_change(tmp_path: Path) -> None:
    app = _app("starlette_app", tmp_path)
    head, whole = (_ask(app, "/graph/", "text/turtle", method) for method in ("HEAD", "GET"))
    assert head.content == b"" != whole.content
    assert head.headers == whole.headers
    refused = _ask(app, "/graph/", "text/turtle", "POST")
    assert (refused.status, refused.headers["Allow"]) == (405, "GET, HEAD")


# --- The calling conventions --------------------------------------------------------------

RESOURCE = Representations({"text/turtle": "<> a <#Thé> .", "text/html": lambda: b"<p>"})


@pytest.mark.parametrize(
    ("accept", "status"), [("text/turtle", "200 OK"), ("image/png", "406 Not Acceptable")]
)
def test_wsgi_is_followed_to_the_letter(accept: str, status: str) -> None:
    sent: list[Any] = []
    environ: dict[str, Any] = {"HTTP_ACCEPT": accept, "QUERY_STRING": ""}
    setup_testing_defaults(environ)

    def start_response(*given: object) -> Callable[[bytes], object]:
        sent.append(given)
        return sent.append

    found = validator(RESOURCE.wsgi)(environ, start_response)
    body = b"".join(found)
    found.close()  # type: ignore[attr-defined]
    assert sent[0][0] == status
    assert dict(sent[0][1])["Content-Length"] == str(len(body))


def _asgi(scope: dict[str, Any], *events: str) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    waiting = list(events)

    async def receive() -> dict[str, Any]:
        return {"type": waiting.pop(0)}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(RESOURCE.asgi(scope, receive, send))
    return sent


def test_asgi_joins_several_header_fields_and_confirms_the_life_of_a_server() -> None:
    headers = [(b"accept", b"text/turtle;q=0.1"), (b"Accept", b"text/html")]
    start, body = _asgi({"type": "http", "method": "GET", "headers": headers})
    assert start["status"] == 200
    assert (b"content-type", b"text/html") in start["headers"]
    assert body["body"] == b"<p>"
    sent = _asgi({"type": "lifespan"}, "lifespan.startup", "lifespan.shutdown")
    assert [each["type"] for each in sent] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]
    with pytest.raises(ValueError, match="not 'websocket'"):
        _asgi({"type": "websocket"})


def test_text_is_sent_in_utf_8_and_functions_are_called_when_asked() -> None:
    assert RESOURCE.respond("text/turtle").body == "<> a <#Thé> .".encode()
    assert RESOURCE.respond("text/turtle", "head").body == b""
    assert RESOURCE.respond("text/turtle", "DELETE").status == 405
    with pytest.raises(ContentTypeError):
        Representations({"turtle": ""})
    with pytest.raises(ContentTypeError):
        representations(Graph(), others={"html": ""})


# A type, a body, the header, and the octets: text carries its charset, octets do not.
BODIES: list[tuple[str, bytes | str, str, bytes]] = [
    ("text/html", "ä", "text/html; charset=utf-8", "ä".encode()),
    ("text/html", "ä".encode("latin-1"), "text/html", b"\xe4"),
    ("text/html; charset=iso-8859-1", "ä", "text/html; charset=iso-8859-1", b"\xe4"),
    ("text/html; charset=iso-8859-1", "€", "text/html; charset=utf-8", "€".encode()),
    ("text/plain; charset=klingon", "a", "text/plain; charset=utf-8", b"a"),
    ("application/json; charset=klingon", "1", "application/json; charset=utf-8", b"1"),
    ("image/svg+xml", "ä", "image/svg+xml; charset=utf-8", "ä".encode()),
    ("application/xml", "ä", "application/xml; charset=utf-8", "ä".encode()),
    ("application/json", '"ä"', "application/json", '"ä"'.encode()),
]


@pytest.mark.parametrize(("content_type", "body", "header", "octets"), BODIES)
def test_text_is_sent_with_its_charset(
    content_type: str, body: bytes | str, header: str, octets: bytes
) -> None:
    for content in (body, lambda: body):
        answer = Representations({content_type: content}).respond(None)
        assert (answer.headers[0], answer.body) == (("Content-Type", header), octets)
        assert dict(answer.headers)["Content-Length"] == str(len(octets))


def test_a_browser_reads_the_text_that_was_meant() -> None:
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("Chromium is not installed")
    text = "Straßenbäume – été"
    page = f"<!doctype html><title>x</title><p>{text}<script>"
    page += "document.body.append(document.characterSet)</script>"
    with make_server("127.0.0.1", 0, Representations({"text/html": page}).wsgi) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        options = ("--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom")
        command = [browser, *options, f"http://127.0.0.1:{server.server_port}/"]
        shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        server.shutdown()
    assert text in shown.stdout
    assert "UTF-8</p>" in shown.stdout or "UTF-8</body>" in shown.stdout
