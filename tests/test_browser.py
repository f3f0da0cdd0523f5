"""The server in a real browser: its pages, its editor, keyboards and readers, by axe-core's rules.

Needs Selenium, Chromium and its driver, and npm, which brings axe-core.
"""

from __future__ import annotations

import runpy
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from processes import PATIENCE
from repairs import LATIN_1
from servers import running

from cturi_rdf.catalogue.patches import as_diff
from cturi_rdf.check import check_file
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("selenium")

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

BROWSER, DRIVER, NPM = map(shutil.which, ("chromium", "chromedriver", "npm"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="Chromium or its driver is not installed"),
    pytest.mark.skipif(not NPM, reason="npm is not installed"),
]
AXE = "axe-core@4.14.1"
ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "examples" / "catalogue.ttl"
PAGES = (
    "/",
    "/look?q=Zipped+Shapefile",
    "/look?q=text/csv;charset",
    "/type/image/svg+xml",
    "/label/CSV",
    "/suffix.html",
    "/vocab",
    "/reconcile/preview?id=text/csv",
    "/try/",
    f"/sparql?{urlencode({'query': 'SELECT ?t { ?t a ctv:MediaType } LIMIT 20'})}",
    "/sparql?query=ASK%7B%7D",
    "/type/none",
)
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
DESKTOP, PHONE = (1440, 900), (390, 844)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve an example, and return the address of the first page without its slash."""
    with running(CATALOGUE) as place:
        yield place


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.set_page_load_timeout(PATIENCE)
    driver.set_script_timeout(PATIENCE)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the script of axe-core, from npm."""
    folder = tmp_path_factory.mktemp("axe")
    subprocess.run([NPM or "", "pack", "--silent", AXE], check=True, cwd=folder)
    [archive] = folder.glob("*.tgz")
    with tarfile.open(archive) as files:
        script = files.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def _wait(browser: webdriver.Chrome, condition: Any) -> Any:
    return WebDriverWait(browser, PATIENCE).until(condition)


def _show(browser: webdriver.Chrome, size: tuple[int, int], scheme: str) -> None:
    """Set the size of the window, and whether its user wants light or dark pages."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def _check(browser: webdriver.Chrome, address: str) -> None:
    """Give the example to the page that checks catalogues, and wait for the findings."""
    browser.get(f"{address}/try/")
    _wait(browser, lambda page: page.find_element(By.ID, "run").is_enabled())
    browser.find_element(By.ID, "file").send_keys(str(CATALOGUE))
    text = "return document.getElementById('text').value"
    _wait(browser, lambda page: page.execute_script(text) == CATALOGUE.read_text("utf-8"))
    # What the page offers to its reader is kept for the test, for the policy forbids to fetch it.
    browser.execute_script(
        "window.kept = []; const make = URL.createObjectURL;"
        "URL.createObjectURL = (it) => { window.kept.push(it); return make.call(URL, it) }"
    )
    browser.find_element(By.ID, "run").click()
    _wait(
        browser,
        lambda page: (
            page.find_element(By.ID, "run").is_enabled()
            and page.find_element(By.ID, "headers").text
        ),
    )


def _problems(browser: webdriver.Chrome, axe: str) -> list[str]:
    """Return what axe-core finds on the page, and whether it is wider than the window."""
    browser.execute_script(axe)
    violations = browser.execute_async_script(
        "const done = arguments[1];"
        "axe.run(document, {runOnly: arguments[0]}).then(({violations}) => done("
        "  violations.map(({id, nodes}) => id + ': ' + nodes[0].html)))",
        RULES,
    )
    too_wide = "return document.documentElement.scrollWidth > window.innerWidth"
    return [*violations, *(["wider than the window"] if browser.execute_script(too_wide) else [])]


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_every_page_can_be_read_by_everybody(
    browser: webdriver.Chrome, address: str, axe: str, size: tuple[int, int], scheme: str
) -> None:
    _show(browser, size, scheme)
    for path in PAGES:
        browser.get(address + path)
        assert _problems(browser, axe) == [], path
    _check(browser, address)
    assert _problems(browser, axe) == []


def test_suggestions_come_while_typing(browser: webdriver.Chrome, address: str) -> None:
    browser.get(address)
    browser.find_element(By.ID, "q").send_keys("svg")
    options = _wait(browser, lambda page: page.find_elements(By.CSS_SELECTOR, "datalist option"))
    assert options[0].get_attribute("value") == "image/svg+xml"
    browser.find_element(By.ID, "q").send_keys(Keys.BACKSPACE * 3)
    _wait(browser, lambda page: not page.find_elements(By.CSS_SELECTOR, "datalist option"))


def test_the_first_page_is_used_with_the_keyboard_alone(
    browser: webdriver.Chrome, address: str
) -> None:
    browser.get(address)
    body = browser.find_element(By.TAG_NAME, "body")
    for _ in range(10):
        if browser.switch_to.active_element.get_attribute("id") == "q":
            break
        body.send_keys(Keys.TAB)
    browser.switch_to.active_element.send_keys("Zipped Shapefile", Keys.ENTER)
    _wait(browser, lambda page: "look?q=" in page.current_url)
    text = browser.find_element(By.TAG_NAME, "main").text
    assert "application/vnd.shp" in text
    assert "application/zip" in text


def test_a_curator_sees_the_findings_at_their_places_and_the_repair(
    browser: webdriver.Chrome, address: str
) -> None:
    _show(browser, DESKTOP, "light")
    _check(browser, address)
    assert "sent to this server" in browser.find_element(By.ID, "where").text
    counts, by = browser.find_element(By.ID, "summary").text.split("; ")
    assert counts == check_file(str(CATALOGUE), profile="dcat-ap").summary.partition(", ")[2]
    assert by == "dcat-ap, as requested."
    place = browser.find_element(By.CSS_SELECTOR, "#findings button")
    line = int(place.text.removeprefix("line ").partition(",")[0])
    place.click()
    selected = browser.execute_script(
        "const it = document.getElementById('text');"
        "return it.value.slice(it.selectionStart, it.selectionEnd)"
    )
    assert CATALOGUE.read_text("utf-8").split("\n")[line - 1].endswith(selected)
    assert "/authority/file-type/CSV" in browser.find_element(By.ID, "diff").text
    assert "text/csv" in browser.find_element(By.ID, "headers").text
    assert "left for a person to decide" in (
        browser.find_element(By.ID, "report").get_attribute("textContent") or ""
    )
    expected = plan_file(str(CATALOGUE), profile="dcat-ap")
    offered = browser.execute_async_script(
        "const done = arguments[0]; Promise.all(window.kept.map((it) => it.text())).then(done)"
    )
    diff = as_diff(expected).decode().splitlines()
    assert [offered[0], *offered[1].splitlines()[2:]] == [expected.edited.decode(), *diff[2:]]
    for name in ("download", "patch"):
        link = browser.find_element(By.ID, name)
        assert (link.get_attribute("href") or "").startswith("blob:")


DROP = """
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(arguments[0])], arguments[1]))
    document.getElementById('text').dispatchEvent(
      new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))
"""


def test_a_file_that_is_dropped_is_taken_and_one_that_is_not_utf_8_is_refused(
    browser: webdriver.Chrome, address: str
) -> None:
    browser.get(f"{address}/try/")
    _wait(browser, lambda page: page.find_element(By.ID, "run").is_enabled())
    text = '<http://e/d> <http://purl.org/dc/terms/format> "CSV" .'
    browser.execute_script(DROP, list(text.encode()), "d.nt")
    value = "return document.getElementById('text').value"
    _wait(browser, lambda page: page.execute_script(value) == text)
    assert Select(browser.find_element(By.ID, "syntax")).first_selected_option.text == "N-Triples"
    browser.execute_script(DROP, list(LATIN_1), "d.rdf")
    _wait(browser, lambda page: "not UTF-8" in page.find_element(By.ID, "summary").text)
    assert browser.execute_script(value) == text


def test_what_a_label_means_is_asked_from_the_server(
    browser: webdriver.Chrome, address: str
) -> None:
    browser.get(f"{address}/try/")
    _wait(browser, lambda page: page.find_element(By.ID, "resolve").is_enabled())
    browser.find_element(By.ID, "resolve").click()
    _wait(browser, lambda page: "ContentType:" in page.find_element(By.ID, "meaning").text)
    assert "application/zip" in browser.find_element(By.ID, "meaning").text


def test_the_editor_completes_terms_and_sends_the_query(
    browser: webdriver.Chrome, address: str
) -> None:
    browser.get(address)
    editor = _wait(browser, lambda page: page.find_element(By.CSS_SELECTOR, ".CodeMirror textarea"))
    browser.execute_script("document.querySelector('.CodeMirror').CodeMirror.setValue('')")
    editor.send_keys("SELECT ?d { ?d ctv:servedA")
    hints = _wait(browser, lambda page: page.find_elements(By.CSS_SELECTOR, ".CodeMirror-hint"))
    assert hints[0].text.startswith("ctv:servedAs")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    browser.switch_to.active_element.send_keys(" ?t FILTER(!ctf:isXM")
    hints = _wait(browser, lambda page: page.find_elements(By.CSS_SELECTOR, ".CodeMirror-hint"))
    assert hints[0].text.startswith("ctf:isXML(")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    browser.switch_to.active_element.send_keys("?t)) }")
    # The key for the next field leads out of the editor.
    browser.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.text == "Ask"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    _wait(browser, lambda page: "/sparql?query=" in page.current_url)
    assert "12 rows" in browser.find_element(By.TAG_NAME, "main").text


def test_the_first_page_works_without_scripts(browser: webdriver.Chrome, address: str) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(address)
        browser.find_element(By.ID, "q").send_keys("SVG")
        browser.find_element(By.CSS_SELECTOR, "form button").click()
        _wait(browser, lambda page: "look?q=SVG" in page.current_url)
        assert "image/svg+xml" in browser.find_element(By.TAG_NAME, "main").text
        browser.get(address)
        browser.find_element(By.CSS_SELECTOR, "form[action=sparql] button").click()
        _wait(browser, lambda page: "/sparql?query=" in page.current_url)
        assert "text/csv" in browser.find_element(By.TAG_NAME, "main").text
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_the_editor_is_what_its_script_makes(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "build_editor.py"))
    for name, content in script["build"](tmp_path).items():
        assert (script["STATIC"] / name).read_bytes() == content, name


def test_an_anchor_of_the_vocabulary_is_a_term(browser: webdriver.Chrome, address: str) -> None:
    browser.get(f"{address}/vocab#contentType")
    target = browser.execute_script("return document.querySelector(':target').textContent")
    assert target == "ctv:contentType"


def test_no_page_asks_for_what_the_policy_forbids(browser: webdriver.Chrome, address: str) -> None:
    browser.get_log("browser")
    for path in ("/", "/look?q=SVG", "/type/text/csv", "/try/", "/vocab"):
        browser.get(address + path)
    assert [entry["message"] for entry in browser.get_log("browser")] == []
