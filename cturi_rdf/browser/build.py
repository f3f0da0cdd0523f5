"""The page and everything that it loads, for any static web server."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import cturi_rdf
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Iterator

# The packages of npm, with the version that the tests run, and the files that the page loads.
PACKAGES = {
    "pyodide@314.0.7": (
        "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
        "pyodide-lock.json", "package.json",
    ),
    "oxigraph@0.5.11": ("web.js", "web_bg.wasm", "package.json"),
}  # fmt: skip
# What the command line imports, of Python alone; each brings its licence.
_DISTRIBUTIONS = ("rdflib", "pyparsing", "click", "rich", "markdown-it-py", "mdurl", "pygments")
# Parts of these that no command imports.
_LEFT_OUT = ("rdflib/tools/", "pygments/styles/", "pygments/lexers/")
_KEPT = (
    "pygments/lexers/__init__.py",
    "pygments/lexers/_mapping.py",
    "pygments/styles/__init__.py",
)
# A date for all members, so that the same input makes the same archive.
_DATE = (1980, 1, 1, 0, 0, 0)


def page_files() -> dict[str, bytes]:
    """Return the files of the page by their names.

    The builds of Python and Oxigraph for browsers are taken from npm.  Raises `CatalogError` where
    there is no npm, or a package cannot be had.
    """
    static = files("cturi_rdf.browser").joinpath("static")
    contents = {source.name: source.read_bytes() for source in static.iterdir()}
    for package, names in PACKAGES.items():
        packed = _packed(package)
        licences = [
            name for name in packed if name.upper().startswith(("LICENSE", "LICENCE", "README"))
        ]
        for name in (*names, *licences):
            contents[f"{package.partition('@')[0]}/{name}"] = packed[name]
    # This takes longest, and is of no use without the packages.
    return contents | {"python.zip": _archive()}


def _packed(package: str) -> dict[str, bytes]:
    """Return the files of a package of npm by their names."""
    npm = shutil.which("npm")
    if npm is None:
        raise CatalogError("npm is not installed", package, "npm, which fetches it")
    with TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", "--pack-destination", folder, package]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)  # noqa: S603
        archives = list(Path(folder).glob("*.tgz"))
        if done.returncode or not archives:
            reason = " ".join(done.stderr.split()) or f"npm ended with {done.returncode}"
            raise CatalogError(f"npm cannot fetch it ({reason})", package, "a package of npm")
        with tarfile.open(archives[0]) as archive:
            return {
                member.name.removeprefix("package/"): file.read()
                for member in archive
                if (file := archive.extractfile(member)) is not None
            }


def _archive() -> bytes:
    """Return a zip of this package and of the installed packages that it needs."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in sorted(_members()):
            archive.writestr(
                zipfile.ZipInfo(name, _DATE), path.read_bytes(), zipfile.ZIP_DEFLATED, 9
            )
    return content.getvalue()


def _members() -> Iterator[tuple[str, Path]]:
    """Yield the name in the archive and the path of each file."""
    package = Path(cturi_rdf.__file__).parent
    for path in package.rglob("*"):
        name = path.relative_to(package.parent).as_posix()
        if path.is_file() and path.suffix not in {".pyc", ".so", ".pyd", ".c"}:
            yield name, path
    for wanted in _DISTRIBUTIONS:
        try:
            members = distribution(wanted).files or ()
        except PackageNotFoundError as error:
            raise CatalogError("it is not installed", wanted, "an installed package") from error
        for member in members:
            name = member.as_posix()
            is_left_out = name.startswith((*_LEFT_OUT, "../")) and name not in _KEPT
            if not is_left_out and not name.endswith(".pyc"):
                yield name, Path(str(member.locate()))
