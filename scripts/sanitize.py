"""Read the module in C with gcc's analyzer, and run its tests under its sanitizers.

A copy of the package in build/sanitize gets modules with AddressSanitizer and
UndefinedBehaviorSanitizer; ``make sanitize`` runs it.  Arguments are for pytest:

    python scripts/sanitize.py --hypothesis-profile=fuzz
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPY = ROOT / "build" / "sanitize"
PACKAGE = "cturi_rdf"
# The tests that call the modules, and compare them with their twins in Python.
TESTS = ("test_content_type.py", "test_lenient_reading.py", "test_memory.py", "test_rules.py")
_HEADERS = ("-isystem", sysconfig.get_path("include"))
_WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror")
_SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def main() -> None:
    """End with the exit code of the first command that fails."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(
        ROOT / PACKAGE, COPY / PACKAGE, ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    for source in sorted((COPY / PACKAGE).rglob("*.c")):
        print(source.relative_to(COPY), flush=True)
        module = source.with_suffix(".abi3.so")
        _run("gcc", *_HEADERS, "-O2", "-fanalyzer", *_WARNINGS, "-c", source, "-o", os.devnull)
        _run("gcc", *_HEADERS, "-O1", "-g", *_SANITIZERS, "-shared", "-fPIC", source, "-o", module)
    # -P keeps the current folder, which has a package of the same name, off the path.
    python = (sys.executable, "-P")
    check = f"import {PACKAGE}; assert {PACKAGE}.__file__.startswith({str(COPY)!r})"
    _run(*python, "-c", check, environment=_environment())
    tests = [ROOT / "tests" / name for name in TESTS]
    options = ("-q", "-p", "no:cacheprovider", *sys.argv[1:])
    _run(*python, "-m", "pytest", *options, *tests, environment=_environment())


def _run(*command: str | Path, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)  # noqa: S603 - our own
    if done.returncode:
        sys.exit(done.returncode)


def _environment() -> dict[str, str]:
    """Return the environment in which Python loads the sanitizers, and the copy."""
    command = ["gcc", "-print-file-name=libasan.so"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    return {
        **os.environ,
        "PYTHONPATH": str(COPY),
        "LD_PRELOAD": found.stdout.strip(),
        # Python's own allocator would hide where a piece of memory ends.
        "PYTHONMALLOC": "malloc",
        # Python keeps much memory until the end of the process.
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


if __name__ == "__main__":
    main()
