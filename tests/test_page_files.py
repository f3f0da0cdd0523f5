"""The files of the page that runs the command line in a browser, with an npm of our own."""

from __future__ import annotations

import io
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from cturi_rdf.browser.build import PACKAGES, page_files
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="npm is a script of a shell")
BESIDE = ("LICENSE", "readme.md", "other.js")


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what makes a script the only program that is found, under the name `npm`."""

    def make(script: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "npm").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "npm").chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))

    return make


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """Return a package of npm with all files that the page loads, and some beside them."""
    path = tmp_path / "package.tgz"
    with tarfile.open(path, "w") as archive:
        folder = tarfile.TarInfo("package/folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name in (
            *BESIDE,
            *dict.fromkeys(name for names in PACKAGES.values() for name in names),
        ):
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(name)
            archive.addfile(member, io.BytesIO(name.encode()))
    return path


def test_the_page_has_all_that_it_loads(npm: Callable[[str], None], packed: Path) -> None:
    # npm pack --silent --pack-destination FOLDER PACKAGE
    npm(f'/bin/cp "{packed}" "$4"')
    written = page_files()
    # The same input makes the same archive.
    assert page_files() == written
    for package, names in PACKAGES.items():
        folder = package.partition("@")[0]
        inside = {name for name in written if name.startswith(f"{folder}/")}
        assert inside == {f"{folder}/{name}" for name in (*names, "LICENSE", "readme.md")}
        assert written[f"{folder}/package.json"] == b"package.json"
    members = set(zipfile.ZipFile(io.BytesIO(written["python.zip"])).namelist())
    assert {"cturi_rdf/cli/__init__.py", "pygments/lexers/_mapping.py"} <= members
    assert not {"pygments/lexers/python.py", "rdflib/tools/rdf2dot.py"} & members
    assert not [name for name in members if name.endswith((".so", ".c", ".pyc", "/"))]
    assert not [name for name in members if name.startswith("..")]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'no such\npackage' >&2; exit 1", "npm cannot fetch it (no such package)"),
        ("exit 7", "npm cannot fetch it (npm ended with 7)"),
        ("exit 0", "npm cannot fetch it (npm ended with 0)"),
    ],
)
def test_a_package_that_npm_cannot_fetch_is_named_with_the_reason(
    npm: Callable[[str], None], script: str, reason: str
) -> None:
    npm(script)
    with pytest.raises(CatalogError) as caught:
        page_files()
    assert reason in str(caught.value)
    assert next(iter(PACKAGES)) in str(caught.value)


def test_npm_is_asked_for_where_it_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CatalogError, match="npm is not installed"):
        page_files()
