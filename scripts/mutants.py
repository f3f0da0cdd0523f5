"""Change the package in small ways, at random, and see whether the tests notice.

A mutation is one changed comparison, condition, number, truth value or operator, or one call left
out; a number may be the value of a constant.  The daily tests run once under coverage, which
records the tests that run each line, also in the processes that they start.  A mutation is tried by
those that run its lines, then by those that run its module; of a constant, the lines are those that
name it.  If they notice nothing, the slow tests follow, and the laws with all their examples, file
by file: first the files with the most daily tests that run its lines.  Each step has a limit of
seconds.  All of this happens in copies of the checkout, in `build/mutants`.  The record is kept
there until the package or the tests change.

Mutations that no test notices are printed, and the exit code is 1 if fewer than 95 of 100 die: each
shows a line whose border has no test on one of its sides (or that is not needed).

    make mutants                      100 mutations, by a seed of the day
    make mutants MUTANTS=20 SEED=1    20 mutations, the same in every run
    make mutants ROOM="mime uri"      mutations of these folders or modules alone
"""

from __future__ import annotations

import argparse
import ast
import datetime as dt
import os
import random
import re
import runpy
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

import pytest
from coverage import CoverageData

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "cturi_rdf"
BUILD = ROOT / "build" / "mutants"
# The settings of coverage, what it recorded, and the results of the tests meanwhile.
SETTINGS, LINES, RESULTS = BUILD / "coverage.ini", BUILD / "lines", BUILD / "results.xml"
# So many tests run first, further ones for so many seconds, and the slow ones for so many.
FIRST = 60
SECONDS = 60
SLOW_SECONDS = 90
NEEDED = 0.95
COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
# What other tests are for, such as those on Spark.
OMITTED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["coverage"]["run"][
    "omit"
]
AMOUNTS = runpy.run_path(str(ROOT / "tests" / "test_small_constants.py"))["AMOUNTS"]
DAILY = ["-m", "not slow", "--hypothesis-profile=daily"]
SLOW = ["-m", "slow or hypothesis"]
OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.BitOr: "&", ast.BitAnd: "|"}


class Mutation(NamedTuple):
    """A piece of a module to be replaced."""

    path: Path
    line: int
    start: int
    end: int
    text: str

    def apply(self, source: bytes) -> bytes:
        """Return the text of the module with the mutation."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def __str__(self) -> str:
        before = self.path.read_bytes()[self.start : self.end].decode()
        place = f"{self.path.relative_to(ROOT)}:{self.line}"
        return f"{place}: {' '.join(before.split())}  ->  {' '.join(self.text.split())}"


def mutations(path: Path) -> Iterator[Mutation]:
    """Yield all mutations of the functions of a module, each once."""
    source = path.read_bytes()
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        end = offsets[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        return offsets[node.lineno - 1] + node.col_offset, end

    def text(node: ast.expr) -> str:
        start, end = span(node)
        return f"({source[start:end].decode()})"

    tree = ast.parse(source)
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))
    bodies = [statement for function in functions for statement in function.body]
    made = {
        Mutation(path, node.lineno, *span(node), new): None
        for statement in (*bodies, *_constants(tree))
        for node in _parts(statement)
        for new in _changed(node, text)
    }
    yield from made


def _constants(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the values of the numbers of a module that have a name, such as limits.

    `tests/test_small_constants.py` has the names of amounts that change no answer.
    """
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value) if (
                name not in AMOUNTS
            ):
                yield value


def _parts(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield a piece of a program and its parts, without annotations and strings of expressions.

    `strict` of `zip` is left out as well: it asserts that lists are of one length, as they are.
    """
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    left_out = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
        left_out += node.keywords
    for part in ast.iter_child_nodes(node) if not isinstance(node, ast.JoinedStr) else ():
        if part not in left_out:
            yield from _parts(part)


def _changed(node: ast.expr | ast.stmt, text: Callable[[ast.expr], str]) -> Iterator[str]:
    """Yield the texts that a piece of a program is replaced by."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield f"{text(left)} {COMPARISONS[type(operator)]} {text(right)}"
        case ast.BoolOp(values=[first, *_, last]):
            yield text(first)
            yield text(last)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield text(operand)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            yield f"{text(left)} {OPERATORS[type(operator)]} {text(right)}"
        case ast.Constant(value=bool() as value):
            yield str(not value)
        case ast.Constant(value=int() as value):
            yield str(value + 1)
        case ast.IfExp(body=body, orelse=orelse):
            yield text(body)
            yield text(orelse)
        case ast.Expr(value=ast.Call()):
            yield "pass"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "return None"


def room_of(module: Path) -> str:
    """Return the folder or module of the package that a module is in."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def record(tree: Path) -> None:
    """Run the daily tests in a copy of the checkout, and record which of them run each line.

    Each process that has `COVERAGE_PROCESS_START` in its environment records its own lines.  In one
    that a test starts, pytest's `PYTEST_CURRENT_TEST` is the name of the test.
    """
    sources = [path for name in ("cturi_rdf", "tests") for path in (ROOT / name).rglob("*.*")]
    if LINES.is_file() and SETTINGS.stat().st_mtime > max(
        path.stat().st_mtime for path in sources if path.suffix != ".pyc"
    ):
        return
    print("The daily tests run under coverage first", flush=True)
    for old in BUILD.glob(f"{LINES.name}*"):
        old.unlink()
    SETTINGS.write_text(
        f"[run]\nsource = {tree / PACKAGE.name}\ndata_file = {LINES}\nparallel = true\n"
        "context = ${PYTEST_CURRENT_TEST-}\npatch = _exit\n"
    )
    options = ["-n", "auto", "-p", "scripts.line_contexts", "-o", "junit_family=xunit1"]
    measured = {"COVERAGE_PROCESS_START": str(SETTINGS)}
    _pytest([*DAILY, *options, f"--junitxml={RESULTS}"], tree, environment=measured)
    combine = [sys.executable, "-m", "coverage", "combine", "-q", f"--rcfile={SETTINGS}"]
    subprocess.run(combine, check=True)  # noqa: S603 - our own files
    for case in ET.parse(RESULTS).iter("testcase"):  # noqa: S314 - written by pytest
        if case.find("failure") is not None or case.find("error") is not None:
            print(f"fails without a mutation, and is left out: {_name(case)}", flush=True)


def _pytest(
    arguments: list[str], tree: Path, *, seconds: float | None = None,
    output: int | None = None, environment: dict[str, str] | None = None,
) -> int | None:  # fmt: skip
    """Return the exit code of pytest in a copy of the checkout, or nothing if the time is up."""
    # Processes that a test starts import the copy too.  Git must not take the copy for a folder of
    # the checkout around it.
    own = {"PYTHONPATH": str(tree), "GIT_CEILING_DIRECTORIES": str(BUILD), **(environment or {})}
    with subprocess.Popen(  # noqa: S603 - our own tests
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=tree, env=os.environ | own, stdout=output, stderr=output, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:
                # The processes that a test started end as well.
                os.killpg(process.pid, signal.SIGKILL)


@lru_cache
def durations() -> dict[str, float]:
    """Return the seconds of the tests that passed while the lines were recorded."""
    return {
        _name(case): float(case.get("time", "0"))
        for case in ET.parse(RESULTS).iter("testcase")  # noqa: S314 - written by pytest
        if case.find("failure") is case.find("error") is case.find("skipped") is None
    }


def _name(case: ET.Element) -> str:
    """Return the name of a test by which pytest finds it."""
    return f"{case.get('file')}::{case.get('name')}"


@lru_cache
def tests_by_line(module: Path) -> dict[int, set[str]]:
    """Return the tests that ran each line of a module, by the number of the line."""
    data = CoverageData(str(LINES))
    data.read()
    recorded = str(BUILD / "0" / ROOT.name / module.relative_to(ROOT))
    return {
        line: {re.sub(r" \((setup|call|teardown)\)$", "", name) for name in names}
        & durations().keys()
        for line, names in data.contexts_by_lineno(recorded).items()
    }


@lru_cache
def _rings(mutation: Mutation) -> tuple[set[str], set[str]]:
    """Return the tests that run a mutation, or a line that names it, and those of its module."""
    module, source = mutation.path, mutation.path.read_bytes()
    height = source[mutation.start : mutation.end].count(b"\n")
    near = [(module, number) for number in range(mutation.line, mutation.line + height + 1)]
    if constant := re.match(r"(\w+) = ", source.decode().splitlines()[mutation.line - 1]):
        near = list(_naming(constant[1], module))
    lines = {test for path, number in near for test in tests_by_line(path).get(number, ())}
    return lines, set().union(*tests_by_line(module).values())


def tests_of(mutation: Mutation) -> Iterator[list[str]]:
    """Yield the tests that run first, and those that run next, always the quickest first."""
    times = durations()
    ordered = list(
        dict.fromkeys(
            test
            for ring in _rings(mutation)
            for test in sorted(ring, key=lambda test: (times[test], test))
        )
    )
    yield ordered[:FIRST]
    further = ordered[FIRST:]
    total = accumulate(times[test] for test in further)
    yield [test for test, seconds in zip(further, total, strict=True) if seconds < SECONDS]


def files_of(mutation: Mutation) -> list[str]:
    """Return the files of tests, first those with the most tests that run the lines."""
    rings = [Counter(test.partition("::")[0] for test in ring) for ring in _rings(mutation)]
    return list(dict.fromkeys(file for ring in rings for file, _ in ring.most_common()))


def _naming(constant: str, module: Path) -> Iterator[tuple[Path, int]]:
    """Yield the modules and numbers of the lines that name a constant."""
    for path in [module] if constant.startswith("_") else PACKAGE.rglob("*.py"):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if re.search(rf"\b{constant}\b", line):
                yield path, number


@contextmanager
def applied(mutation: Mutation, tree: Path) -> Iterator[None]:
    """Have a mutation in a copy of the checkout."""
    target = tree / mutation.path.relative_to(ROOT)
    original, status = target.read_bytes(), target.stat()
    target.write_bytes(mutation.apply(original))
    try:
        yield
    finally:
        target.write_bytes(original)
        # With the old time of change, so that what was compiled of the mutant is out of date.
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def survives(mutation: Mutation, tree: Path) -> bool:
    """Return whether no test that runs the lines of a mutation, or its module, notices it."""
    with applied(mutation, tree):
        if not all(passes(tests, tree) for tests in tests_of(mutation) if tests):
            return False
    end = time.monotonic() + SLOW_SECONDS
    for file in files_of(mutation):
        with applied(mutation, tree):
            noticed = fails_slowly(file, tree, end - time.monotonic())
        # Some slow tests need what a copy does not have.
        if noticed and not fails_without_mutation(file, tree):
            return False
    return True


def passes(tests: list[str], tree: Path) -> bool:
    """Return whether daily tests pass in a copy of the checkout, and end in time."""
    # The tests of a file run together, because they share what is set up for them.
    files: dict[str, list[str]] = {}
    for test in tests:
        files.setdefault(test.partition("::")[0], []).append(test)
    names = tree.parent / "tests.txt"
    names.write_text("\n".join(test for file in files.values() for test in file), "utf-8")
    # A mutant that takes much longer never ends.
    seconds = 60 + 5 * sum(durations()[test] for test in tests)
    options = ["-x", *DAILY, f"@{names}"]
    return _pytest(options, tree, seconds=seconds, output=subprocess.DEVNULL) == 0


def fails_slowly(file: str, tree: Path, seconds: float) -> bool:
    """Return whether a slow test of a file fails within so many seconds."""
    if seconds <= 0 or not re.search("slow|hypothesis", (tree / file).read_text("utf-8")):
        return False
    code = _pytest(["-x", *SLOW, file], tree, seconds=seconds, output=subprocess.DEVNULL)
    return code not in {None, pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}


@lru_cache
def fails_without_mutation(file: str, tree: Path) -> bool:
    """Return whether a slow test of a file fails in a copy of the checkout as it is."""
    return fails_slowly(file, tree, SLOW_SECONDS)


def copies(count: int) -> list[Path]:
    """Return as many copies of the checkout, each beside the material that tests read."""
    trees = []
    left_out = shutil.ignore_patterns(".git", ".venv", "build", "dist", "__pycache__", ".*_cache")
    for number in range(count):
        tree = BUILD / str(number) / ROOT.name
        shutil.rmtree(tree.parent, ignore_errors=True)
        shutil.copytree(ROOT, tree, ignore=left_out)
        (tree.parent / "shared").symlink_to(ROOT.parent / "shared")
        trees.append(tree)
    return trees


def main() -> int:
    """Draw mutations and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default=dt.datetime.now(dt.UTC).date().isoformat())
    parser.add_argument("--room", nargs="+", help="folders or modules of the package")
    options = parser.parse_args()
    modules = [path for path in sorted(PACKAGE.rglob("*.py")) if not any(map(path.match, OMITTED))]
    found = [each for path in modules for each in mutations(path)]
    if options.room:
        found = [mutation for mutation in found if room_of(mutation.path) in options.room]
    drawn = random.Random(options.seed).sample(found, options.count)  # noqa: S311 - no secret
    workers = os.cpu_count() or 1
    trees = copies(workers)
    record(trees[0])

    def at_one_copy(mutation: Mutation) -> bool:
        tree = trees.pop()
        try:
            return survives(mutation, tree)
        finally:
            trees.append(tree)

    alive = 0
    with ThreadPoolExecutor(workers) as pool:
        for mutation, is_alive in zip(drawn, pool.map(at_one_copy, drawn), strict=True):
            alive += is_alive
            print(f"{'SURVIVES' if is_alive else 'dies':10}{mutation}", flush=True)
    dead = len(drawn) - alive
    print(f"{dead} of {len(drawn)} mutations die, of {len(found)}; the seed is {options.seed}")
    return int(dead < NEEDED * len(drawn))


if __name__ == "__main__":
    sys.exit(main())
