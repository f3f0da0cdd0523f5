"""The server in a real browser: the first page, the page for curators, keyboards and readers.

Needs Selenium, Chromium and its driver; with axe-core of npm, in a folder that Node would find it
in, the pages are also held to its rules of accessibility.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from servers import running

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("selenium")

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    BROWSER is None or DRIVER is None, reason="Chromium and its driver are not installed"
)
EXAMPLES = Path(__file__).parents[1] / "examples"
CATALOGUE = EXAMPLES / "catalogue.ttl"
PAGES = (
    "/",
    "/look?q=Zipped+Shapefile",
    "/look?q=text/csv;charset",
    "/type/image/svg+xml",
    "/label/CSV",
    "/suffix.html",
    "/vocab",
    "/reconcile/preview?id=text/csv",
    "/curate",
    "/type/none",
)
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
DESKTOP, PHONE = (1280, 900), (390, 844)
# A busy machine may be slow.
PATIENCE = 60


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
def axe() -> str:
    """Return the script of axe-core, from where Node would load it."""
    folders = [folder / "node_modules" for folder in Path(__file__).parents]
    folders += [Path(folder) for folder in os.environ.get("NODE_PATH", "").split(":") if folder]
    for folder in folders:
        script = folder / "axe-core" / "axe.min.js"
        if script.is_file():
            return script.read_text("utf-8")
    pytest.skip("axe-core is not installed")


def _wait(browser: webdriver.Chrome, condition: Any) -> Any:
    return WebDriverWait(browser, PATIENCE).until(condition)


def _show(browser: webdriver.Chrome, size: tuple[int, int], scheme: str) -> None:
    """Set the size of the window, and whether its user wants light or dark pages."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def _curate(browser: webdriver.Chrome, address: str) -> None:
    """Give the example to the page for curators, and wait for the findings."""
    browser.get(f"{address}/curate")
    browser.find_element(By.ID, "file").send_keys(str(CATALOGUE))
    Select(browser.find_element(By.ID, "profile")).select_by_value("dcat-ap")
    browser.find_element(By.CSS_SELECTOR, "main button").click()
    _wait(browser, lambda page: page.find_elements(By.ID, "repaired"))


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
    _curate(browser, address)
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


def test_a_curator_sees_the_findings_at_their_lines_and_the_repaired_text(
    browser: webdriver.Chrome, address: str
) -> None:
    _show(browser, DESKTOP, "light")
    _curate(browser, address)
    link = browser.find_element(By.CSS_SELECTOR, "td a[href^='#line-']")
    line = link.text
    link.click()
    _wait(browser, lambda page: page.current_url.endswith(f"#line-{line}"))
    text = browser.find_element(By.ID, f"line-{line}").text
    original = CATALOGUE.read_text("utf-8").split("\n")[int(line) - 1]
    assert text.split() == [line, *original.split()]
    left, right = browser.find_elements(By.CSS_SELECTOR, ".sides > section")
    assert left.location["y"] == right.location["y"]
    assert left.location["x"] < right.location["x"]
    assert "file-type/" in right.text


def test_a_file_that_is_dropped_on_the_text_is_taken(
    browser: webdriver.Chrome, address: str
) -> None:
    browser.get(f"{address}/curate")
    browser.execute_script(
        """
        const data = new DataTransfer()
        const text = '<http://e/d> <http://purl.org/dc/terms/format> "CSV" .'
        data.items.add(new File([text], 'd.ttl'))
        document.getElementById('text').dispatchEvent(
          new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))
        """
    )
    Select(browser.find_element(By.ID, "profile")).select_by_value("dcat-ap")
    browser.find_element(By.CSS_SELECTOR, "main button").click()
    _wait(browser, lambda page: page.find_elements(By.ID, "repaired"))
    assert "d.ttl:" in browser.find_element(By.TAG_NAME, "main").text


def test_the_pages_work_without_scripts(browser: webdriver.Chrome, address: str) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        _curate(browser, address)
        browser.get(address)
        browser.find_element(By.ID, "q").send_keys("SVG")
        browser.find_element(By.CSS_SELECTOR, "form button").click()
        _wait(browser, lambda page: "look?q=SVG" in page.current_url)
        assert "image/svg+xml" in browser.find_element(By.TAG_NAME, "main").text
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_an_anchor_of_the_vocabulary_is_a_term(browser: webdriver.Chrome, address: str) -> None:
    browser.get(f"{address}/vocab#contentType")
    target = browser.execute_script("return document.querySelector(':target').textContent")
    assert target == "ctv:contentType"


def test_no_page_asks_for_what_the_policy_forbids(browser: webdriver.Chrome, address: str) -> None:
    browser.get_log("browser")
    for path in ("/", "/look?q=SVG", "/type/text/csv", "/curate", "/vocab"):
        browser.get(address + path)
    assert [entry["message"] for entry in browser.get_log("browser")] == []
