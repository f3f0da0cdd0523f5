"""The page that needs nothing installed: Python and Oxigraph in a real browser, and our code."""

from __future__ import annotations

import functools
import gzip
import json
import shutil
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from catalogues import CATALOGUES

from cturi_rdf.browser.build import page_files

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("selenium")

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

BROWSER, DRIVER, NPM = map(shutil.which, ("chromium", "chromedriver", "npm"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="Chromium or its driver is not installed"),
    pytest.mark.skipif(not NPM, reason="npm is not installed"),
]
PATIENCE = 300
# What the page may take to load, compressed, in octets.
MOST = 15_000_000
EXAMPLE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"


class Page(NamedTuple):
    """The page in a browser."""

    driver: webdriver.Chrome
    address: str

    def run(self, *words: str, **files: str) -> dict[str, Any]:
        """Return what a command gives in the worker."""
        named = {name.replace("__", "."): text for name, text in files.items()}
        script = """const [words, files, done] = arguments;
            cturi(words, files).then(done, (error) => done({failed: String(error)}));"""
        answer: dict[str, Any] = self.driver.execute_async_script(script, list(words), named)
        assert "failed" not in answer, answer["failed"]
        return answer


class Handler(SimpleHTTPRequestHandler):
    """A static server that knows the types of modules."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("try")
    for name, content in page_files().items():
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_bytes(content)
    return path


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[Page]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER or ""
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--no-first-run",
    ):  # fmt: skip
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER or ""))
    driver.set_script_timeout(PATIENCE)
    address = f"http://127.0.0.1:{server.server_port}/"
    driver.get(address)
    WebDriverWait(driver, PATIENCE).until(lambda it: it.execute_script(READY))
    yield Page(driver, address)
    driver.quit()
    server.shutdown()
    server.server_close()


READY = "return document.body.dataset.ready"


def test_the_page_says_how_long_it_took_and_asks_no_other_server(
    page: Page, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = [
        json.loads(entry["message"])["message"]["params"]["request"]["url"]
        for entry in page.driver.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"]
    ]
    hosts = {urlsplit(url).netloc for url in requests if url.startswith(("http:", "https:"))}
    assert hosts == {urlsplit(page.address).netloc}
    packed = sum(len(gzip.compress(path.read_bytes())) for path in folder.rglob("*.*"))
    with capsys.disabled():
        seconds = int(page.driver.execute_script(READY)) / 1000
        print(f"\nready in {seconds:.1f} s, {packed / 1e6:.1f} MB compressed")  # noqa: T201
    assert packed <= MOST
    problems = [entry for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert problems == []


def test_a_reader_checks_and_repairs_the_example_of_the_page(page: Page) -> None:
    driver = page.driver
    driver.find_element(By.ID, "run").click()
    WebDriverWait(driver, PATIENCE).until(
        lambda it: (
            it.find_element(By.ID, "run").is_enabled() and it.find_element(By.ID, "headers").text
        )
    )
    assert "violation" in driver.find_element(By.ID, "summary").text
    places = driver.find_elements(By.CSS_SELECTOR, "#findings button")
    places[0].click()
    selected = driver.execute_script(
        "const it = document.getElementById('text');"
        "return it.value.slice(it.selectionStart, it.selectionEnd)"
    )
    assert selected.startswith('"')
    assert "/authority/file-type/CSV" in driver.find_element(
        By.CSS_SELECTOR, "#diff .added"
    ).text + (driver.find_element(By.ID, "diff").text)
    link = driver.find_element(By.ID, "download").get_attribute("href") or ""
    assert link.startswith("blob:")
    assert "text/csv" in header_table(driver)


def header_table(driver: webdriver.Chrome) -> str:
    return driver.find_element(By.ID, "headers").text


def test_a_reader_asks_what_a_label_means(page: Page) -> None:
    asked = page.driver.find_element(By.ID, "asked")
    asked.clear()
    asked.send_keys("csv.gz")
    page.driver.find_element(By.ID, "resolve").click()
    WebDriverWait(page.driver, PATIENCE).until(
        lambda it: "ContentType:text/csv" in it.find_element(By.ID, "meaning").text
    )
    assert "application/gzip" in page.driver.find_element(By.ID, "meaning").text


COMMANDS = [
    ["check", "--json", "-q"],
    ["repair", "--profile", "dcat-ap", "--diff"],
    ["repair", "--profile", "dcat-ap", "-o", "out"],
    ["headers", "--json"],
]


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_a_command_gives_what_the_command_line_gives(
    page: Page, tmp_path: Path, shared: Path, catalogue: str
) -> None:
    same_outputs(page, tmp_path, shared / "catalogs" / catalogue)


def test_the_example_gives_what_the_command_line_gives(page: Page, tmp_path: Path) -> None:
    same_outputs(page, tmp_path, EXAMPLE)


BROKEN = {
    ".ttl": "@prefix ex: <http://a.example/> . ex:a ex:b",
    ".nt": "<http://a.example/a> <http://a.example/b> .",
    ".rdf": "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>",
    ".jsonld": '{"@id": ',
}


@pytest.mark.parametrize("suffix", BROKEN)
def test_a_broken_file_is_refused_in_the_words_of_the_command_line(
    page: Page, tmp_path: Path, suffix: str
) -> None:
    (tmp_path / f"c{suffix}").write_text(BROKEN[suffix])
    command = ["check", f"c{suffix}", "--profile", "dcat-ap"]
    done = subprocess.run(
        [sys.executable, "-m", "cturi_rdf", *command],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        text=True,
    )
    answer = page.run(*command, **{f"c__{suffix[1:]}": BROKEN[suffix]})
    assert (answer["code"], answer["err"]) == (done.returncode, done.stderr)
    assert done.returncode == 2


def test_the_page_shows_the_problem_alone_where_a_file_is_broken(page: Page) -> None:
    page.driver.execute_script("document.getElementById('text').value = arguments[0]", "<a> .")
    page.driver.find_element(By.ID, "run").click()
    WebDriverWait(page.driver, PATIENCE).until(
        lambda it: "not valid Turtle" in it.find_element(By.ID, "summary").text
    )
    assert not page.driver.find_element(By.ID, "parts").is_displayed()


def same_outputs(page: Page, tmp_path: Path, catalogue: Path) -> None:
    name = f"c{catalogue.suffix}"
    text = catalogue.read_bytes().decode()
    for words in COMMANDS:
        command = [words[0], name, *words[1:]]
        if "-o" in command:
            command[-1] += catalogue.suffix
        for old in tmp_path.iterdir():
            old.unlink()
        (tmp_path / name).write_bytes(catalogue.read_bytes())
        done = subprocess.run(
            [sys.executable, "-m", "cturi_rdf", *command],
            capture_output=True,
            check=False,
            cwd=tmp_path,
        )
        written = {
            path.name: path.read_bytes().decode()
            for path in tmp_path.iterdir()
            if path.name != name
        }
        answer = page.run(*command, **{name.replace(".", "__"): text})
        assert answer["code"] == done.returncode
        assert answer["out"] == done.stdout.decode()
        assert answer["files"] == written
