"""Build the distributions, check them, and do the main job with each: ``make dist``.

The recipe for conda is read by rattler-build.  A source distribution, a wheel with the module in C,
which fits every Python from 3.11 on, and a wheel in pure Python go to `dist`.  Each is installed in
an empty environment of each Python that is named as an argument (by default of the one that runs
this), brings the packages that it should, and runs the example with every connection refused.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
EXAMPLE = ROOT / "examples" / "catalogue.ttl"
# Python imports a module of this name before anything else.
OFFLINE = """\
import sys

def refuse(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo"}:
        raise OSError(f"no network in this test: {event} {arguments}")

sys.addaudithook(refuse)
"""
JOB = [
    ["-m", "cturi_rdf", "annotate", "catalogue.ttl", "-o", "annotated.ttl"],
    ["-m", "cturi_rdf", "headers", "annotated.ttl"],
    ["-m", "cturi_rdf", "selfcheck"],
]
# What works where there is no pyoxigraph, and a part of what is printed.
WITHOUT_OXIGRAPH = {
    "resolve csv.gz": "application/gzip",
    "uri TEXT/CSV": "ContentType:text/csv",
    "header ContentType:text/csv": "text/csv",
    "describe text/csv": "ctv:contentTypeHeader",
}
# How many bytes the pure wheel may have: a page loads it.
MOST = 2_000_000
# What `pip install cturi-rdf` brings: four packages, and what these need.
BROUGHT = {
    "cturi-rdf", "rdflib", "pyparsing", "pyoxigraph", "click", "rich", "markdown-it-py", "mdurl",
    "pygments",
}  # fmt: skip


def run(*command: object, folder: str = str(ROOT), **more: str) -> str:
    """Run a command and return its output; if it fails, end with its errors."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run(  # noqa: S603 - our own commands
        [*map(str, command)], cwd=folder, env=environment | more, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}")
    return result.stdout


def read_recipe() -> None:
    """Let rattler-build read the recipe for conda and fill in its variables."""
    from rattler_build import Stage0Recipe, VariantConfig

    recipe = Stage0Recipe.from_file(str(ROOT / "conda" / "recipe.yaml"))
    (rendered,) = recipe.render(VariantConfig({"python": ["3.11"]}))
    package = rendered.recipe.package
    print(f"conda: {package.name} {package.version}")


def pure_wheel(folder: Path) -> Path:
    """Return a new wheel in pure Python."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    return ROOT / run(*command, HATCH_BUILD_NO_HOOKS="true").splitlines()[-1]


def build() -> list[Path]:
    """Return the three distributions, new and checked."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "-n")
    pure = pure_wheel(DIST)
    made = sorted(DIST.iterdir())
    wheels = [path for path in made if path.suffix == ".whl"]
    names = "\n".join(path.name for path in made)
    if len(made) != 3 or "-py3-none-any" not in pure.name:  # noqa: PLR2004
        sys.exit(f"not a source distribution, a compiled and a pure wheel:\n{names}")
    run(sys.executable, "-m", "twine", "check", "--strict", *made)
    if pure.stat().st_size > MOST:
        sys.exit(f"{pure.name} has {pure.stat().st_size:,} bytes, more than {MOST:,}")
    run(Path(sys.executable).with_name("check-wheel-contents"), *wheels)
    print(names)
    return made


def try_out(distribution: Path, python: str) -> None:
    """Install a distribution in an empty environment, and do the main job without a network."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(python, "-m", "venv", folder / "environment")
        interpreter = folder / "environment" / "bin" / "python"
        pip = ["-m", "pip", "install", "-q", "--disable-pip-version-check"]
        run(interpreter, *pip, distribution, folder=name)
        listed = run(interpreter, *pip[:2], "list", "--format=freeze", folder=name).splitlines()
        brought = {line.partition("==")[0].lower() for line in listed if "==" in line}
        if (brought := brought - {"pip", "setuptools"}) != BROUGHT:
            sys.exit(f"{distribution.name} brings other packages: {brought ^ BROUGHT}")
        (folder / "sitecustomize.py").write_text(OFFLINE)
        shutil.copy(EXAMPLE, folder / "catalogue.ttl")
        outputs = [run(interpreter, *command, folder=name, PYTHONPATH=name) for command in JOB]
        if "text/csv" not in outputs[1]:
            sys.exit(f"{distribution.name} gives other headers:\n{outputs[1]}")
        version = run(interpreter, "--version").strip()
        print(f"{version}: {distribution.name} annotates the example with no network")
        run(interpreter, "-m", "pip", "uninstall", "-q", "-y", "pyoxigraph", folder=name)
        for command, printed in WITHOUT_OXIGRAPH.items():
            words = ["-m", "cturi_rdf", *command.split()]
            if printed not in run(interpreter, *words, folder=name, PYTHONPATH=name):
                sys.exit(f"cturi {command} needs pyoxigraph")


if __name__ == "__main__":
    pythons = sys.argv[1:] or [sys.executable]
    read_recipe()
    distributions = build()
    for each_python in pythons:
        for each_distribution in distributions:
            try_out(each_distribution, each_python)
