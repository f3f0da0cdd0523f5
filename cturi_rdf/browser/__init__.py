"""The command line in a web page: Pyodide runs this package, and Oxigraph's JavaScript reads RDF.

The worker of the page puts `oxigraph` in the place of the module ``pyoxigraph``, and calls
`run` with the words of a command.  `build` writes the page and everything that it loads
into a folder.  Nothing here is imported by the rest of the package but by ``cturi site``.
"""

from __future__ import annotations

import io
import json
import runpy
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from cturi_rdf.browser import oxigraph


def start(engine: object) -> None:
    """Put Oxigraph's JavaScript in the place of pyoxigraph, before anything imports that."""
    oxigraph.use(engine)
    oxigraph.stand_in()


def run(request: str) -> str:
    """Run a command in a folder of its own.

    `request` is JSON: ``words``, those of the command, and ``files``, text by file name.  The
    answer is JSON: ``code``, the exit code, ``out`` and ``err``, what was printed, and ``files``,
    the text of each file that the command wrote or changed.
    """
    asked = json.loads(request)
    given: dict[str, str] = asked["files"]
    with TemporaryDirectory() as folder, chdir(folder):
        for name, text in given.items():
            Path(name).write_bytes(text.encode())
        code, out, err = _call(asked["words"])
        written = {
            path.name: text
            for path in sorted(Path().iterdir())
            if path.is_file()
            and (text := path.read_bytes().decode("utf-8", "replace")) != given.get(path.name)
        }
    return json.dumps({"code": code, "out": out, "err": err, "files": written})


def _call(words: list[str]) -> tuple[int, str, str]:
    """Return the exit code of the command line, and what it printed."""
    streams = sys.argv, sys.stdin, sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    sys.argv, sys.stdin = ["cturi", *words], io.TextIOWrapper(io.BytesIO())
    sys.stdout, sys.stderr = out, err
    try:
        runpy.run_module("cturi_rdf", run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = streams
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return code, texts[0], texts[1]
