"""Change the package in small ways, at random, and see whether the tests of its room notice.

A mutation is one changed comparison, condition, number, truth value or operator, or one call left
out; a number may be the value of a constant.  The tests of a module are the doctests of its room
and the files that name it or run a command in it, then those that name most of its room, of what
the package itself offers from it, and of the modules that use it.  Every mutation is made in a copy
of the checkout, in `build/mutants`.  Those that no test notices are printed, and the exit code is 1
if fewer than 95 of 100 die: each shows a line whose border has no test on one of its sides (or that
is not needed).

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
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "cturi_rdf"
BUILD = ROOT / "build" / "mutants"
# A daily run of the tests of a room takes less; a mutant that takes more never ends.
SECONDS = 600
# How many files of tests a room has at most.
FILES = 16
NEEDED = 0.95
COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
# The names that each module offers to users.
INTERFACE = tomllib.loads((ROOT / "docs" / "interface.toml").read_text("utf-8"))
AMOUNTS = runpy.run_path(str(ROOT / "tests" / "test_small_constants.py"))["AMOUNTS"]
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
    """Yield a piece of a program and its parts, without strings that hold expressions."""
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for part in ast.iter_child_nodes(node) if not isinstance(node, ast.JoinedStr) else ():
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


def _naming(modules: Iterable[Path]) -> re.Pattern[str]:
    """Return what finds the name of one of some modules, or a run of a command in it."""
    patterns = []
    for module in modules:
        parent, _, name = ".".join(module.relative_to(ROOT).with_suffix("").parts).rpartition(".")
        commands = "|".join(re.findall(r"^def (\w+)\(", module.read_text("utf-8"), re.MULTILINE))
        patterns.append(rf"\b{re.escape(parent)}(?:[.]| import .*){name}\b")
        patterns.append(rf"\bcturi(?:\(|, \[)\s*\"(?:{commands})\"")
    return re.compile("|".join(patterns) or "(?!)")


def tests_of(module: Path) -> list[str]:
    """Return the tests of a module: those that name it, then those beside it.

    These name most of its room and of the modules that use it.  A test that runs a command names
    the module of the command.
    """
    room = room_of(module)
    door = (PACKAGE / "__init__.py").read_text("utf-8")
    offered = re.findall(rf"^from cturi_rdf\.{room}\b\S* import (.+)$", door, re.MULTILINE)
    public = [name for line in offered for name in line.split(", ")]
    for place, entry in INTERFACE.items():
        if f"{place}.".startswith(f"cturi_rdf.{room}."):
            public += entry["names"]
    if room == "cli":
        public.append("cturi")
    # A short name, such as `run`, is a word of other modules too.
    names = [rf"{name}(?=[(.])" for name in public if len(name) > len("run")]
    named = re.compile(rf"\b(?:{'|'.join([rf'cturi_rdf[.]{room}', *names])})\b")
    own = _naming([module])
    users = _naming(path for path in PACKAGE.rglob("*.py") if own.search(path.read_text("utf-8")))
    # The rows on both sides of a border come first, whatever the module.
    ranks = {ROOT / "tests" / "test_borders.py": (sys.maxsize, 0)}
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        text = path.read_text("utf-8")
        beside = len(users.findall(text)) + len(named.findall(text))
        ranks.setdefault(path, (len(own.findall(text)), beside))
    files = sorted(
        (path for path in ranks if any(ranks[path])), key=ranks.__getitem__, reverse=True
    )
    doctests = PACKAGE / room if (PACKAGE / room).is_dir() else module
    return [str(path.relative_to(ROOT)) for path in (doctests, *files[:FILES])]


def room_of(module: Path) -> str:
    """Return the folder or module of the package that a module is in."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def passes(tests: Iterable[str], tree: Path, seconds: int | None = None) -> bool:
    """Return whether tests pass in a copy of the checkout, and end in time."""
    options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-profile=daily"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    # Processes that a test starts import the copy too, and nothing is read that was compiled.  Git
    # must not take the copy for a folder of the checkout around it.
    environment = {
        "PYTHONPATH": str(tree),
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CEILING_DIRECTORIES": str(BUILD),
    }
    try:
        run = subprocess.run(  # noqa: S603 - our own tests
            command, cwd=tree, env=os.environ | environment, capture_output=True, check=False,
            timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def survives(mutation: Mutation, tree: Path) -> bool:
    """Return whether no test of its module notices a mutation."""
    original = mutation.path.read_bytes()
    target = tree / mutation.path.relative_to(ROOT)
    target.write_bytes(mutation.apply(original))
    try:
        return passes(tests_of(mutation.path), tree, SECONDS)
    finally:
        target.write_bytes(original)


def copies(count: int) -> list[Path]:
    """Return as many copies of the checkout, each beside the material that tests read."""
    shutil.rmtree(BUILD, ignore_errors=True)
    trees = []
    left_out = shutil.ignore_patterns(".git", ".venv", "build", "dist", "__pycache__", ".*_cache")
    for number in range(count):
        tree = BUILD / str(number) / ROOT.name
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
    found = [each for path in sorted(PACKAGE.rglob("*.py")) for each in mutations(path)]
    if options.room:
        found = [mutation for mutation in found if room_of(mutation.path) in options.room]
    drawn = random.Random(options.seed).sample(found, options.count)  # noqa: S311 - no secret
    workers = os.cpu_count() or 1
    trees = copies(workers)
    if not passes(dict.fromkeys(test for each in drawn for test in tests_of(each.path)), trees[0]):
        sys.exit("the tests fail without any mutation")

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
