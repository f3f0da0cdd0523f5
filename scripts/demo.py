"""The main job, on an example: check a catalogue, repair it, check it again, and serve it.

``make demo`` runs it.  The second check is by the official shapes of DCAT-AP, which are fetched; an
argument names a file with them instead.  Where they cannot be had, the demo says so and goes on.
"""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE, TARGET = "examples/street-trees.ttl", "build/street-trees.ttl"
SHAPES = "https://raw.githubusercontent.com/SEMICeu/DCAT-AP/master/releases/3.0.1/shacl/dcat-ap-SHACL.ttl"
# Seconds to wait for the shapes, and for the server to start.
PATIENCE = 20


def shown(what: str, *arguments: str, code: int = 0) -> str:
    """Print what a command of cturi is for, run it, and return its output.

    Ends the demo where the exit code is another than the one to be expected.
    """
    print(f"\n# {what}\n$ cturi {' '.join(arguments)}", flush=True)
    run = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-m", "cturi_rdf", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    if run.returncode != code:
        raise SystemExit(run.stdout)
    return run.stdout.rstrip()


def official_shapes(named: str | None) -> str | None:
    """Return the file with the official shapes: the one that is named, or else a fetched one."""
    if named:
        return named
    target = ROOT / "build" / "dcat-ap-SHACL.ttl"
    if not target.exists():
        try:
            with urllib.request.urlopen(SHAPES, timeout=PATIENCE) as answer:
                target.write_bytes(answer.read())
        except OSError as error:
            print(f"\n# The official shapes cannot be fetched ({error}).")
            return None
    return "build/dcat-ap-SHACL.ttl"


def serve() -> None:
    """Serve the repaired catalogue: until Ctrl-C in a terminal, else for one request."""
    command = [sys.executable, "-m", "cturi_rdf", "serve", TARGET, "--port", "0"]
    print(
        f"\n# Serve it: what is in it, what is wrong, SPARQL.\n$ cturi serve {TARGET}", flush=True
    )
    with subprocess.Popen(  # noqa: S603 - our own words
        command, cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as server:
        line = server.stderr.readline() if server.stderr else ""
        address = re.search(r"http://\S+", line)
        if address is None:
            raise SystemExit(line)
        with urllib.request.urlopen(address[0], timeout=PATIENCE) as answer:  # noqa: S310 - http
            print(f"{address[0]} answers with {answer.status}, {answer.headers['Content-Type']}")
        if sys.stdin.isatty():
            print("Open it in a browser; Ctrl-C ends it.", flush=True)
            server.wait()
        else:
            server.terminate()


def main(shapes: str | None) -> None:
    """Run the demo, with the official shapes in a file or fetched."""
    (ROOT / "build").mkdir(exist_ok=True)
    # Each finding is explained at its place; this is the summary.
    by_profile = ("--profile", "dcat-ap")
    report = shown("What is wrong with this catalogue?", "check", SOURCE, *by_profile, code=1)
    print(report.partition("\n\n")[0])
    plan = shown("Repair it: what changes?", "repair", SOURCE, *by_profile, "--diff")
    print("\n".join(line for line in plan.splitlines() if re.match(r"[-+] {4}", line)))
    print(shown("Write it.", "repair", SOURCE, *by_profile, "-o", TARGET))
    official = official_shapes(shapes)
    if official is None:
        print(shown("Check it again.", "check", TARGET, *by_profile))
    else:
        question = "Check it again, by the official shapes of DCAT-AP."
        print(shown(question, "check", "-q", TARGET, "--shapes", official))
    print(shown("What should a server send for each file?", "headers", TARGET))
    serve()
    print("\nTo use cturi in this shell: source .venv/bin/activate")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else None)
    except KeyboardInterrupt:
        print()
