"""Write the editor of queries that the server sends: CodeMirror 5 with SPARQL, as one script.

CodeMirror and esbuild, which puts its parts together, are taken from npm in these versions.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

PACKAGES = ("codemirror@5.65.21", "esbuild@0.25.12")
STATIC = Path(__file__).parents[1] / "cturi_rdf" / "serve" / "static"
# The parts, and what makes them one name for the page.
PARTS = """
import CodeMirror from "codemirror"
import "codemirror/mode/sparql/sparql"
import "codemirror/addon/edit/matchbrackets"
import "codemirror/addon/hint/show-hint"
window.CodeMirror = CodeMirror
"""
SHEETS = ("lib/codemirror.css", "addon/hint/show-hint.css")


def build(folder: Path) -> dict[str, bytes]:
    """Return the files of the editor by name; packages are put into a folder."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not installed")
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
    subprocess.run([*command, *PACKAGES], check=True)  # noqa: S603
    package = folder / "node_modules" / "codemirror"
    esbuild = [str(folder / "node_modules" / ".bin" / "esbuild"), "--minify", "--log-level=error"]
    script = subprocess.run(  # noqa: S603
        [*esbuild, "--bundle", "--legal-comments=none", "--loader=js"],
        input=PARTS.encode(), cwd=folder, check=True, capture_output=True,
    ).stdout  # fmt: skip
    sheets = b"".join((package / name).read_bytes() for name in SHEETS)
    sheet = subprocess.run(  # noqa: S603
        [*esbuild, "--loader=css"], input=sheets, check=True, capture_output=True
    ).stdout
    name = PACKAGES[0].replace("@", " ")
    notice = f"/* {name}, MIT, see codemirror.LICENSE.txt */\n".encode()
    return {
        "codemirror.js": notice + script,
        "codemirror.css": notice + sheet,
        "codemirror.LICENSE.txt": (package / "LICENSE").read_bytes(),
    }


def main() -> None:
    """Write the files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in build(Path(folder)).items():
            (STATIC / name).write_bytes(content)
            print(f"{name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
