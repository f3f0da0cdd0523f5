"""Dumps: the memory of each command in each syntax, and its time against Oxigraph.

`make bench-dumps SIZE=5000` writes dumps of so many megabytes of N-Triples, with few and with many
kinds of labels, and a tenth of that in the other syntaxes; each command is a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.files import write
from benchmarks.ratio import Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SIZE = 100
_MEGABYTE = 1_000_000
_FEW = (
    ("CSV", "text/csv"), ("JSON", "application/json"), ("PDF", "application/pdf"),
    ("HTML", "text/html"), ("ZIP", "application/zip"), ("WMS", "text/xml"),
)  # fmt: skip
# So many different labels: the first of the few, with a number that means nothing.
_KINDS = 500
_COMMANDS = {
    "annotate": ("annotate",),
    "headers": ("headers",),
    "check": ("check", "--exit-zero"),
    "repair": ("repair", "--profile", "dcat-ap", "--exit-zero"),
    "query": ("query", "SELECT (COUNT(*) AS ?count) { ?s ?p ?o }"),
}
_QUERY = "query"
_OXIGRAPH = """
import sys
import pyoxigraph as ox
form = ox.RdfFormat.from_extension(sys.argv[1].rpartition(".")[2])
ox.serialize(ox.parse(path=sys.argv[1], format=form), sys.argv[2], form)
"""
# The peak of a process begins with that of the one that starts it, so a small one does that.
_MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(
    sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
)
_, status, used = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
# Of lines any size takes so much memory, and a dump with many kinds so many times Oxigraph's time.
_MOST_MEMORY, _MOST_TIME = 200.0, 1.5


class Cost(NamedTuple):
    """What a command took: seconds of a processor, and megabytes of memory at most."""

    seconds: float
    memory: float


def few(number: int) -> tuple[str, str]:
    """Return the labels of a resource, of few kinds that agree."""
    return _FEW[number * number % len(_FEW)]


def many(number: int) -> tuple[str, str]:
    """Return the labels of a resource, of many kinds that often contradict each other."""
    label, _ = _FEW[number % 4]
    _, media_type = _FEW[number // 4 % len(_FEW)]
    return f"{label} {number % _KINDS}", media_type


def dump(target: Path, size: int, labels: Callable[[int], tuple[str, str]]) -> None:
    """Write a dump of so many megabytes: seven statements a distribution, two of them labels."""
    with target.open("w", encoding="utf-8", newline="\n") as file:
        number = 0
        while file.tell() < size * _MEGABYTE:
            file.writelines(
                _distribution(each, *labels(each)) for each in range(number, number + 10_000)
            )
            number += 10_000


def _distribution(number: int, label: str, media_type: str) -> str:
    subject = f"<https://data.example.org/dataset/{number // 4:x}/resource/{number:x}>"
    dcat, dct = "http://www.w3.org/ns/dcat#", "http://purl.org/dc/terms/"
    return (
        f"{subject} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{dcat}Distribution> .\n"
        f'{subject} <{dct}title> "Resource number {number} of a portal"@en .\n'
        f'{subject} <{dct}description> "A longer text about resource {number}, and more."@en .\n'
        f"{subject} <{dct}license> <http://creativecommons.org/licenses/by/4.0/> .\n"
        f"{subject} <{dcat}accessURL> <https://files.example.org/{number:x}/download> .\n"
        f'{subject} <{dct}format> "{label}" .\n'
        f'{subject} <{dcat}mediaType> "{media_type}" .\n'
    )


def cost(*arguments: str) -> Cost:
    """Return what a run of Python took."""
    command = [sys.executable, "-c", _MEASURE, sys.executable, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    status, seconds, kilobytes = done.stdout.split()
    if int(status):
        raise subprocess.CalledProcessError(int(status), arguments)
    return Cost(float(seconds), int(kilobytes) / 1024)


def _costs(source: Path) -> Iterator[tuple[str, Cost]]:
    target = source.with_name(f"out{source.suffix}")
    for name, words in _COMMANDS.items():
        out = target.with_suffix(".txt") if name in {"headers", "check", "query"} else target
        if name != _QUERY or source.stat().st_size < 500 * _MEGABYTE:
            yield name, cost("-m", "cturi_rdf", *words, str(source), "-q", "-o", str(out))
        out.unlink(missing_ok=True)


def main(size: int = _SIZE) -> list[Limit]:
    """Print the tables; return the target ratios."""
    limits = []
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder, "few.nt")
        print("| file | command | memory | of its size | time against Oxigraph |")
        print("| --- | --- | --- | --- | --- |")
        for labels in (few, many):
            lines = Path(folder, f"{labels.__name__}.nt")
            dump(lines, size, labels)
            for name, command, ratio in _rows(lines):
                if name == _QUERY:
                    continue
                limits.append(
                    Limit(f"MB of memory, {name} {lines.name}", command.memory, _MOST_MEMORY)
                )
                if name in {"annotate", "headers"} and labels is many:
                    limits.append(
                        Limit(f"{name} {lines.name}, against Oxigraph", ratio, _MOST_TIME)
                    )
            lines.unlink()
        dump(lines, max(size // 10, 1), few)
        turtle = lines.read_bytes()
        for suffix in (".ttl", ".rdf", ".jsonld"):
            source = lines.with_suffix(suffix)
            write(turtle, source)
            list(_rows(source))
            source.unlink()
    return limits


def _rows(source: Path) -> Iterator[tuple[str, Cost, float]]:
    megabytes = source.stat().st_size / _MEGABYTE
    out = source.with_name(f"oxigraph{source.suffix}")
    peer = cost("-c", _OXIGRAPH, str(source), str(out)).seconds
    out.unlink()
    for name, command in _costs(source):
        ratio = command.seconds / peer
        print(
            f"| {source.name}, {megabytes:.0f} MB | {name} | {command.memory:.0f} MB"
            f" | {command.memory / megabytes:.1f} | {ratio:.2f} |",
            flush=True,
        )
        yield name, command, ratio


if __name__ == "__main__":
    for limit in main(int(sys.argv[1]) if len(sys.argv) > 1 else _SIZE):
        print(f"{limit.what:52} {limit.ratio:7.2f}  at most {limit.wanted:6.2f}")
