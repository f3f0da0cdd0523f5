"""The samples of the page about the server, run as they stand: systemd, Docker and nginx."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from processes import PATIENCE, answers, wait_until
from servers import running

from cturi_rdf.serve.app import hosts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "serve.md").read_text("utf-8")
CTURI = Path(sys.executable).with_name("cturi")
URL = "https://formats.example.org/"
pytestmark = pytest.mark.slow


def _sample(language: str) -> str:
    [text] = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert isinstance(text, str)
    return text


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextlib.contextmanager
def _process(command: list[str], address: str) -> Iterator[None]:
    """Run a server, and wait until it answers."""
    port = urllib.parse.urlsplit(address).port or 0
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            wait_until(lambda: process.poll() is not None or answers(port))
            yield
        finally:
            process.terminate()


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not installed")
    unit = _sample("ini")
    assert "Restart=on-failure" in unit
    command = re.search(r"^ExecStart=(\S+) (.*)$", unit, re.MULTILINE)
    assert command is not None
    file = tmp_path / "cturi.service"
    file.write_text(unit.replace(command[1], str(CTURI)))
    done = subprocess.run([analyze, "verify", file], capture_output=True, text=True, check=False)
    assert (done.returncode, [line for line in done.stderr.splitlines() if "cturi" in line]) == (
        0,
        [],
    )
    # Room for as many queries as run at once, and for the server.
    [room] = re.findall(r"^MemoryMax=(\d+)G$", unit, re.MULTILINE)
    assert int(room) * 1_000 > 8 * 500
    # The options of the command are those that there are.
    words = [word for word in command[2].split() if word.startswith("--")]
    usage = subprocess.run([CTURI, "serve", "--help"], capture_output=True, text=True, check=True)
    assert words
    assert all(word in usage.stdout for word in words)


def test_the_command_of_the_container_serves_every_name_and_is_healthy() -> None:
    sample, port = _sample("dockerfile"), _free_port()
    entry, health = (
        json.loads(re.search(rf"^{name} (\[.*\])$", sample, re.MULTILINE)[1])  # type: ignore[index]
        for name in ("ENTRYPOINT", "HEALTHCHECK CMD")
    )
    assert entry[0] == "cturi"
    address = f"http://127.0.0.1:{port}/health"
    with _process([str(CTURI), *entry[1:], "--port", str(port)], address):
        answer = httpx.get(address, timeout=PATIENCE, headers={"host": "any.example"})
        assert answer.status_code == 200
        words = [word.replace("8000", str(port)) for word in health[1:]]
        assert subprocess.run([sys.executable, *words], check=False).returncode == 0
    assert (
        subprocess.run([sys.executable, *words], check=False, capture_output=True).returncode != 0
    )


def test_nginx_passes_requests_on_as_the_sample_says(tmp_path: Path) -> None:
    nginx = shutil.which("nginx")
    if nginx is None:
        pytest.skip("nginx is not installed")
    port = _free_port()
    with running(hosts=hosts_of("127.0.0.1", URL), url=URL) as address:
        behind = urllib.parse.urlsplit(address).netloc
        sample = _sample("nginx").replace("listen 80;", f"listen 127.0.0.1:{port};")
        sample = sample.replace("127.0.0.1:8000", behind)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
        configuration = tmp_path / "nginx.conf"
        configuration.write_text(
            f"{'user root;' * _is_root()}\ndaemon off; pid {tmp_path}/pid;\n"
            f"error_log {tmp_path}/log;\nevents {{}}\n"
            f"http {{ access_log off; {folders} {sample} }}\n"
        )
        front = f"http://127.0.0.1:{port}"
        named = {"host": "formats.example.org"}
        with _process([nginx, "-e", f"{tmp_path}/log", "-c", str(configuration)], front):
            assert (
                httpx.get(f"{front}/health", timeout=PATIENCE, headers=named).json()["status"]
                == "ok"
            )
            text = httpx.get(f"{front}/.well-known/void", timeout=PATIENCE, headers=named).text
            assert f"<{URL}sparql>" in text
            # A name that is not that of the server.
            assert (
                httpx.get(
                    f"{front}/health", timeout=PATIENCE, headers={"host": "a.example"}
                ).status_code
                == 421
            )
            catalogue = b'<http://a/1> <http://purl.org/dc/terms/format> "CSV" .\n'
            for size, status in ((9_000_000, 200), (11_000_000, 413)):
                content = catalogue * (size // len(catalogue))
                check = f"{front}/api/headers?format=turtle"
                answer = httpx.post(check, content=content, headers=named, timeout=PATIENCE)
                assert answer.status_code == status
