"""Shared by the tests: the material beside the project, and a run of the command line."""

from __future__ import annotations

import gc
import importlib.util
import io
import json
import os
import signal
import socket
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import pytest
from catalogues import CATALOGUES, DAILY, Annotated
from hypothesis import settings
from rdflib import Dataset

from cturi_rdf import cli
from cturi_rdf._util.lazy import compiled
from cturi_rdf.content_type import strict, value
from cturi_rdf.rdf import annotate
from cturi_rdf.reading import read_catalog
from cturi_rdf.registry import Registry, registry
from cturi_rdf.sparql.functions import register_functions, unregister_functions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from rdflib import Graph

# These drive terminals and signals that Windows does not have.
_POSIX = ["test_cli_faults.py", "test_cli_terminal.py", "test_kills.py"]
try:
    import termios  # noqa: F401
except ImportError:
    collect_ignore = _POSIX
SHARED = Path(__file__).parents[1].parent / "shared"
_PUBLISHED = """
    @prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
    @prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix ex: <https://a.example/> .
    ex:set dct:publisher [ foaf:name "Office" ] ; dct:issued "2019-02-03" ;
        dcat:distribution ex:a, ex:b, ex:c .
    ex:a dcat:mediaType "text/csv" . ex:b dct:format "WMS" . ex:c dct:format "whatever" .
    ex:d dct:format "JSON" ; dct:publisher "Me" ; dct:issued 2021 .
    ex:e dct:format "JSON" , "CSV" ; dct:publisher ex:org ; dct:issued "soon" ."""

# `make test` uses the profile `daily`, and `make fuzz` `fuzz`.  There is no deadline, because a
# machine may be busy.  Every run but those of `make fuzz` tries the same examples, so that a
# failure belongs to the change that it is seen with.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("daily", deadline=None, derandomize=True, max_examples=10)
settings.register_profile(
    "fuzz", deadline=None, max_examples=int(os.environ.get("CTURI_EXAMPLES", "20000"))
)
settings.load_profile("default")


def examples(number: int) -> int:
    """Return how many examples a slow property tries, if it tries a number in `make test-all`."""
    return max(1, settings().max_examples * number // 100)


def law(test: Callable[..., None]) -> Callable[..., None]:
    """Try a law of the judgement a thousand times in `make test-all`; coverage does not look."""
    number = max(examples(40), 1000 if settings().max_examples >= 100 else 0)
    return pytest.mark.no_cover(settings(max_examples=number)(test))


def small_folder() -> TemporaryDirectory[str]:
    """Return a temporary folder for small files: in memory, because a law makes thousands."""
    memory = "/dev/shm"  # noqa: S108 - `tempfile` makes the folder in it
    return TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)


def partly_slow(rows: Iterable[Any], *, daily: Collection[Any]) -> list[Any]:
    """Return the rows of a table, with those marked as slow that are not for every day."""
    rows = list(rows)
    assert set(daily) <= set(rows), f"no rows of the table: {set(daily) - set(rows)}"
    return [row if row in daily else pytest.param(row, marks=pytest.mark.slow) for row in rows]


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """Refuse every connection to another machine."""
    connect, look_up = socket.socket.connect, socket.getaddrinfo
    here = {"localhost", "127.0.0.1", "::1", "0.0.0.0", "", None}  # noqa: S104 - compared only

    def connect_here(self: socket.socket, address: Any) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6} and address[0] not in here:
            raise PermissionError(f"a test may not connect to {address[0]}")
        connect(self, address)

    def look_up_here(host: Any, *arguments: Any, **options: Any) -> Any:
        if host not in here:
            raise socket.gaierror(f"a test may not look up {host}")
        return look_up(host, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect_here)
        patch.setattr(socket, "getaddrinfo", look_up_here)
        yield


@pytest.fixture(params=["C", "Python"], scope="module")
def both_readings(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run the tests of a module on the reading of plain headers in C, and on that in Python."""
    read_plain = strict.read_plain_in_python
    if request.param == "C":
        parser = compiled("cturi_rdf.content_type._parser")
        if parser is None:
            pytest.skip("the module in C is not built")
        read_plain = parser.read_plain
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value, "read_plain", read_plain)
        value._remembered.cache_clear()
        yield
    value._remembered.cache_clear()


@pytest.fixture
def linear_time() -> Iterator[None]:
    """Fail a test after a minute of processor time: quadratic time would take several."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        pytest.fail("more than a minute of processor time")

    handler = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 60)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, handler)


@pytest.fixture
def registered() -> Iterator[None]:
    """Let every engine have the functions of SPARQL."""
    register_functions()
    yield
    unregister_functions()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of material beside the project; its tests are skipped without it.

    In CI it has to be there: a gate that skips its evidence is no gate.
    """
    if not SHARED.is_dir():
        message = f"the material beside the project is not at {SHARED.name}/"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return SHARED


@pytest.fixture(scope="session")
def gold_labels(shared: Path) -> tuple[Any, list[Any]]:
    """Return the module that judges the resolution of a label, and the rows of the gold set."""
    spec = importlib.util.spec_from_file_location("score", shared / "labels" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    lines = (shared / "labels" / "gold.jsonl").read_text("utf-8").splitlines()
    return score, [json.loads(line) for line in lines]


@pytest.fixture(scope="session", params=partly_slow(CATALOGUES, daily=DAILY))
def annotated(shared: Path, request: pytest.FixtureRequest) -> Annotated:
    """Return each real catalogue as it was read, and annotated; pytest runs its tests together."""
    path = shared / "catalogs" / request.param
    dataset, given = read_catalog(str(path)), Dataset(default_union=True)
    # A copy of its statements, with the names of their blank nodes.
    given.addN(dataset.quads())
    return Annotated(path, given, dataset, annotate(dataset))


class Run(NamedTuple):
    """The result of a run of the command line."""

    code: int
    out: str
    err: str


class Cturi(Protocol):
    """The command line, which runs in this process."""

    def __call__(self, *arguments: object, stdin: str | bytes = "") -> Run:
        """Return the result of a run."""


@pytest.fixture
def cturi(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cturi:
    """Return a function that runs the command line in this process."""

    def run(*arguments: object, stdin: str | bytes = "") -> Run:
        octets = stdin if isinstance(stdin, bytes) else stdin.encode("utf-8", "surrogateescape")
        monkeypatch.setattr(sys, "argv", ["cturi", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(octets), "utf-8"))
        with pytest.raises(SystemExit) as left:
            cli.main()
        captured = capsys.readouterr()
        return Run(int(left.value.code or 0), captured.out, captured.err)

    return run


class Write(Protocol):
    """Files of a test."""

    def __call__(self, name: str, content: str | bytes) -> Path:
        """Write a file, text in UTF-8, and return its path."""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes files into the temporary folder of the test."""

    def run(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return run


# The examples in docstrings that write all types or all labels.
_SLOW_EXAMPLES = {
    "cturi_rdf.rdf.export.export",
    "cturi_rdf.rdf.export.serialise",
    "cturi_rdf.site.tables.label_rows",
    "cturi_rdf.site.tables.open_tables",
}


def pytest_collection() -> None:
    """Let the collector of garbage rest while the tests are collected: they are none."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let it never look at the tests again, which takes a tenth of the time of all of them."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Mark slow examples, the rows of a table after those for every day, and what is not measured.

    Coverage doubles the time of a test.  Of a table with slow rows it measures the first row, and
    those that are not slow.
    """
    rows = Counter[str]()
    for item in items:
        test = item.nodeid.partition("[")[0]
        rows[test] += 1
        daily = item.get_closest_marker("daily")
        if (isinstance(item, pytest.DoctestItem) and item.name in _SLOW_EXAMPLES) or (
            daily and rows[test] > daily.args[0]
        ):
            item.add_marker(pytest.mark.slow)
        if rows[test] > 1 and item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.no_cover)


# How many tests were left out because they are slow.
_LEFT_OUT = pytest.StashKey[int]()


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count the slow tests that are left out; a worker of xdist tells its controller."""
    slow = sum(item.get_closest_marker("slow") is not None for item in items)
    for config in {item.config for item in items}:
        config.stash[_LEFT_OUT] = config.stash.get(_LEFT_OUT, 0) + slow
        if hasattr(config, "workeroutput"):
            config.workeroutput["left_out"] = config.stash[_LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the count of a worker, which is that of every other worker too."""
    node.config.stash[_LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print in one line each what a checkout alone skips, and what `make test` leaves out."""
    skipped = terminalreporter.stats.get("skipped", [])
    needing = sum("the material beside the project" in str(each.longrepr) for each in skipped)
    if needing:
        terminalreporter.write_line(
            f"{needing} tests were skipped: they need files that are not part of a checkout"
        )
    if left_out := config.stash.get(_LEFT_OUT, 0):
        terminalreporter.write_line(f"`make test-all` runs {left_out} more tests, the slow ones")


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """Return the snapshot in the package, whatever the user has."""
    monkeypatch.setenv("CTURI_DATA", str(tmp_path))
    registry.cache_clear()
    return registry()


@pytest.fixture
def published() -> Graph:
    """Return a catalogue with publishers, years, and labels of every kind."""
    from rdflib import Graph

    return Graph().parse(data=_PUBLISHED, format="turtle")
