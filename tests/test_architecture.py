"""The architecture: one direction of imports, and a core that costs nothing to import."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from processes import python

import cturi_rdf
from cturi_rdf._util.lazy import MODULES_IN_C

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(cturi_rdf.__file__).parent

# A row of the table in CONTRIBUTING.md is a floor; a module imports from its floor or from below.
CONTRIBUTING = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
LAYOUT = CONTRIBUTING.partition("## The layout\n")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| (`.*?) \|", LAYOUT, re.MULTILINE)
FLOORS = [re.findall(r"`(\w+)`", row) for row in ROWS if "/`" not in row]
FLOOR = {name: number for number, floor in enumerate(FLOORS) for name in floor}
RDF = FLOOR["reading"]


def _modules() -> list[tuple[str, Path]]:
    """Return every module with the house part that it belongs to."""
    paths = [p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py"]
    assert PACKAGE / "errors.py" in paths
    return [(path.relative_to(PACKAGE).parts[0].removesuffix(".py"), path) for path in paths]


@cache
def _imports(path: Path) -> list[str]:
    """Return the dotted names that a module imports, wherever in it."""
    names: list[str] = []
    for statement in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(statement, ast.Import):
            names += [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            assert statement.level == 0, f"{path} imports relatively"
            names += [f"{statement.module}.{alias.name}" for alias in statement.names]
    return names


def _floor(name: str) -> int:
    """Return the floor of a dotted name; the package itself offers all up to the mapping."""
    return FLOOR.get(name.split(".")[1], FLOOR["uri"])


def test_every_part_is_on_one_floor_and_every_folder_in_the_layout() -> None:
    assert {part for part, _ in _modules()} == set(FLOOR)
    assert sum(map(len, FLOORS)) == len(FLOOR)
    listed = {name for row in ROWS for name in re.findall(r"`(\w+)/`", row)}
    git = shutil.which("git")
    command = [git or "git", "-C", str(PACKAGE.parent), "ls-files"]
    files = git and subprocess.run(command, capture_output=True, text=True, check=False)
    if not files or files.returncode:
        pytest.skip("git cannot list the files")
    folders = {line.partition("/")[0] for line in files.stdout.splitlines() if "/" in line}
    assert {name for name in folders if not name.startswith(".")} == listed | {PACKAGE.name}


def test_every_folder_says_in_one_line_what_it_is_for() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        first = path.read_text("utf-8").partition("\n")[0]
        assert re.fullmatch(r'""".+\."*', first), path


def test_every_module_in_c_is_one_that_selfcheck_and_the_gate_ask_for() -> None:
    sources = (path.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("*.c"))
    assert {".".join(path.with_suffix("").parts) for path in sources} == set(MODULES_IN_C)


# What a package offers beside its own: users look for it in `cturi_rdf.rdf`.
OFFERED = {
    f"rdf/public.py imports cturi_rdf.{name}"
    for name in (
        "catalogue.graph_changes.annotate",
        "catalogue.graphs.headers",
        "sparql.functions.register_functions",
        "sparql.functions.unregister_functions",
        "sparql.registry_store.with_registry",
    )
}


def test_imports_go_down_only() -> None:
    upward = {
        f"{path.relative_to(PACKAGE)} imports {name}"
        for part, path in _modules()
        for name in _imports(path)
        if name.startswith("cturi_rdf.") and _floor(name) > FLOOR[part]
    }
    assert upward == OFFERED


# What reading and editing are made of: nothing here knows media types, so that the two can become
# a package of their own.
GENERAL = {"errors", "_util", "reading", "editing"}


def test_reading_and_editing_know_nothing_of_media_types() -> None:
    others = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for part in GENERAL
        for path in [*(PACKAGE / part).rglob("*.py"), PACKAGE / f"{part}.py"]
        if path.exists()
        for name in _imports(path)
        if name.startswith("cturi_rdf.") and name.split(".")[1] not in GENERAL
    ]
    assert others == []


def test_the_command_line_makes_no_statements_of_its_own() -> None:
    # What it would do with them, another front end would want from the library.
    made = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in (PACKAGE / "cli").glob("*.py")
        for name in _imports(path)
        if name.split(".")[0] in {"rdflib", "pyoxigraph"} and name != "rdflib.query.Result"
    ]
    assert made == []


def test_nothing_but_the_program_itself_imports_from_the_command_line() -> None:
    # Another front end, such as the notebook, finds all that it wants in the library.
    wanted = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for part, path in _modules()
        if part not in {"cli", "__main__"}
        for name in _imports(path)
        if name.startswith("cturi_rdf.cli")
    ]
    assert wanted == []


def test_below_the_rdf_floor_only_the_standard_library_is_imported() -> None:
    allowed = {*sys.stdlib_module_names, "cturi_rdf"}
    foreign = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for part, path in _modules()
        for name in _imports(path)
        if FLOOR[part] < RDF and name.split(".")[0] not in allowed
    ]
    assert foreign == []


# Modules of the standard library that take long to load, or that not every system has.
SLOW = {
    "compression", "concurrent.futures", "email.errors", "email.header", "http.client",
    "importlib.metadata", "multiprocessing", "resource", "urllib.request",
}  # fmt: skip


def _light(path: Path) -> Iterator[str]:
    """Yield the modules of the standard library that a function imports and need not."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        for statement in ast.walk(function) if isinstance(function, functions) else ():
            match statement:
                case ast.Import(names=[ast.alias(name=name)]) | ast.ImportFrom(module=str(name)):
                    if name.partition(".")[0] in sys.stdlib_module_names and name not in SLOW:
                        yield name


def test_a_function_imports_only_what_is_heavy_or_optional() -> None:
    # The core costs next to nothing to import, and the browser lacks some modules.
    rooms = {part for part in FLOOR if FLOOR[part] > FLOOR["uri"] and part != "browser"}
    paths = [path for part, path in _modules() if part in rooms]
    assert [(path.name, name) for path in paths for name in _light(path)] == []


# The list of what users import.
INTERFACE = tomllib.loads((PACKAGE.parent / "docs" / "interface.toml").read_text("utf-8"))


def _names(module: str) -> tuple[list[str] | None, set[str]]:
    """Return `__all__` of a module, or of what it loads on first use, and what it defines."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")
    if behind := re.search(r'__getattr__ = later\("([\w.]+)"\)', text):
        listed, defined = _names(behind[1])
        return (listed if "__all__" not in text else _names_in(text)[0]), defined
    return _names_in(text)


def _names_in(text: str) -> tuple[list[str] | None, set[str]]:
    tree = ast.parse(text)
    listed, defined = None, set()
    for statement in ast.walk(tree):
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            defined.add(statement.name)
        elif isinstance(statement, ast.ImportFrom):
            defined |= {alias.asname or alias.name for alias in statement.names}
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            defined.add(ast.unparse(target))
            if ast.unparse(target) == "__all__" and statement.value is not None:
                listed = ast.literal_eval(statement.value)
    return listed, defined


@pytest.mark.parametrize("module", INTERFACE)
def test_a_public_module_has_the_names_in_the_list(module: str) -> None:
    listed, defined = _names(module)
    assert set(INTERFACE[module]["names"]) <= defined
    # A package is a door, and offers nothing else.
    if PACKAGE.parent.joinpath(*module.split(".")).is_dir() and "title" in INTERFACE[module]:
        assert sorted(listed or []) == sorted(INTERFACE[module]["names"])


def test_every_package_that_offers_names_is_in_the_list() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        module = ".".join(path.parent.relative_to(PACKAGE.parent).parts)
        if module in {"cturi_rdf.cli", "cturi_rdf.content_type"} or not _names(module)[0]:
            continue
        assert module in INTERFACE or module.count(".") > 1, module


def test_a_list_of_names_is_at_a_public_door_alone() -> None:
    doors = {PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py") for module in INTERFACE}
    for path in PACKAGE.rglob("*.py"):
        behind = re.findall(r'later\("([\w.]+)"\)', path.read_text("utf-8"))
        doors |= {PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py") for name in behind}
    # The accessors are made of the names of the functions.
    doors.add(PACKAGE / "columns" / "functions.py")
    modules = [path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"]
    assert {path for path in modules if "\n__all__" in path.read_text("utf-8")} <= doors


def test_importing_the_core_loads_neither_rdflib_nor_click_nor_anything_slow() -> None:
    script = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); import cturi_rdf"
    loaded = python("-I", "-S", "-c", f"{script}; print(*sys.modules)").stdout.split()
    assert "cturi_rdf.uri.mapping" in loaded
    assert set(loaded) & {"rdflib", "click", "rich", "json", "dataclasses", "inspect"} == set()


def test_annotating_loads_no_sparql_engine() -> None:
    path = str(PACKAGE.parent)
    script = f"import sys; sys.path.insert(0, {path!r}); from cturi_rdf.rdf import annotate"
    loaded = python("-c", f"{script}; print(*sys.modules)").stdout.split()
    assert "cturi_rdf.catalogue.graph_changes" in loaded
    assert "rdflib.plugins.sparql" not in loaded


# What takes long to load, and is only for graphs of rdflib, other commands and extras.
HEAVY = {
    "lxml",
    "matplotlib",
    "pandas",
    "pyshacl",
    "rdflib",
    "rich",
    "starlette",
    "cturi_rdf.sparql",
}


@pytest.mark.parametrize("command", ["annotate", "headers", "check", "repair"])
def test_a_command_loads_only_what_a_small_turtle_file_needs(command: str, tmp_path: Path) -> None:
    words = [command, str(PACKAGE.parent / "examples" / "catalogue.ttl")]
    words += ["-o", str(tmp_path / "out.ttl")] if command in {"annotate", "repair"} else []
    ran = python("-X", "importtime", "-m", "cturi_rdf", *words, check=False)
    loaded = set(re.findall(r"\| +(\S+)$", ran.stderr, re.MULTILINE))
    assert "cturi_rdf.labels" in loaded
    assert loaded & HEAVY == set()


# Names that say nothing of what they hold.
VAGUE = {"each", "found", "known", "made", "said", "told"}


def _variables(path: Path) -> set[str]:
    """Return the names of the variables and parameters of the functions of a module."""
    names: set[str] = set()
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.arg):
                    names.add(node.arg)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    names.add(node.id)
    return names


def test_variables_are_named_after_what_they_hold() -> None:
    vague = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for _, path in _modules()
        for name in _variables(path) & VAGUE
    ]
    assert vague == []
