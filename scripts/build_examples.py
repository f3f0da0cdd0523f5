"""Build the examples of the ontology that the README and the documentation make.

Every graph of ours that a page shows, makes in Python or writes by a command is a file in
ontology/examples/documentation, each graph once.  They are committed; a test checks that they are
the graphs of the pages.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from IPython.core.interactiveshell import InteractiveShell
from rdflib import Dataset, Graph, URIRef
from rdflib.compare import isomorphic

from cturi_rdf.rdf import CTV, unregister_functions
from cturi_rdf.reading import read_catalog, write_catalog
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.terms import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "ontology" / "examples" / "documentation"
PAGES = [
    ROOT / "README.md",
    # Without the generated pages of commands and modules, which have no examples.
    *sorted(path for path in (ROOT / "docs").glob("**/*.md") if path.parts[-3] != "reference"),
]
# The examples of one page need Spark; `make spark` runs them.
RUN_HERE = [page for page in PAGES if page.name != "clusters.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A block that begins with a comment with a file name is a file that the reader saves.
SAVED = re.compile(r"# (\S+\.ttl)\n")
# Commands that the gate itself runs, or that a user runs once, on a machine other than a test's.
SET_UP = re.compile(r"(?:make|pip|git|cd|python3|source|eval|[^|]*_CTURI_COMPLETE)\b")
WRITES = re.compile(r"-o (\S+\.(?:ttl|nt|nq)(?:\.gz)?)\b")
POD = {"dataset": [{"identifier": "a", "distribution": [{"mediaType": "text/csv"}]}]}
OURS = (str(CTV), "ContentType:")


def blocks(page: Path, kind: str) -> list[str]:
    """Return the examples of a page that are in a language."""
    return [text for language, text in BLOCK.findall(page.read_text("utf-8")) if language == kind]


def prepare(page: Path, folder: Path) -> None:
    """Put the files that the examples of a page name into a folder."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "data.json").write_text(json.dumps(POD))
    crate = {"@context": "https://w3id.org/ro/crate/1.1/context", "@id": "a.csv"}
    (folder / "crate.jsonld").write_text(json.dumps(crate | {"encodingFormat": "text/csv"}))
    named = {"@context": "https://a.example/context", "@id": "b", "type": "CSV"}
    (folder / "a.jsonld").write_text(json.dumps(named))
    context = {"@context": {"type": "http://purl.org/dc/terms/format"}}
    (folder / "context.jsonld").write_text(json.dumps(context))
    for text in blocks(page, "turtle"):
        name = SAVED.match(text)
        if name:
            (folder / name[1]).write_text(text, "utf-8")


def run(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a page in the current folder; its standard output has its errors too."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(  # noqa: S602 - the commands of our own pages
        command, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        check=False, env=os.environ | {"PATH": path},
    )  # fmt: skip


def commands(page: Path) -> list[tuple[str, str]]:
    """Return the commands of a page that can be run, each with its output on the page."""
    found = [
        example.partition("\n")
        for block in blocks(page, "console")
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    ]
    return [(command, said) for command, _, said in found if not SET_UP.match(command)]


class Ran(NamedTuple):
    """A page after its examples have run in its order: what they printed and made."""

    failures: str
    """What `doctest` says of its Python."""
    outputs: list[tuple[str, str, subprocess.CompletedProcess[str]]]
    """Its commands, each with its output on the page, and its run."""
    graphs: dict[str, Dataset]
    """The graphs of ours that it shows, makes and writes, by name."""


def run_page(page: Path, folder: Path) -> Ran:
    """Run the examples of a page in a folder, which `prepare` fills."""
    prepare(page, folder)
    with chdir(folder):
        python, failures = _run_python(page)
        outputs = [(command, shown, run(command)) for command, shown in commands(page)]
        found = {
            name: graph
            for name, graph in _graphs(page, python, [command for command, *_ in outputs])
            if _is_ours(graph)
        }
    return Ran(failures, outputs, {f"{page.stem}-{name}": made for name, made in found.items()})


def _run_python(page: Path) -> tuple[dict[str, Any], str]:
    """Run the Python of a page and return its variables, and what `doctest` says of it.

    A cell of a notebook runs between the examples, with their variables.
    """
    variables: dict[str, Any] = {}
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.REPORT_NDIFF)
    shell = InteractiveShell(user_ns=variables)
    for language, code in BLOCK.findall(page.read_text("utf-8")):
        if language == "python":
            test = doctest.DocTestParser().get_doctest(code, variables, page.name, str(page), 0)
            runner.run(test, out=said.append, clear_globs=False)
            variables.update(test.globs)
        elif language == "ipython3" and not shell.run_cell(code).success:
            said.append(f"a cell of {page.name} fails:\n{code}")
    unregister_functions()
    return variables, "".join(said)


def _graphs(page: Path, variables: dict[str, Any], ran: list[str]) -> Iterator[tuple[str, Dataset]]:
    for text in blocks(page, "turtle"):
        Path("shown.ttl").write_text(text, "utf-8")
        yield "shown", read_catalog("shown.ttl")
    for name, value in variables.items():
        if isinstance(value, Graph):
            yield name, _as_read(value)
    for name in (name for command in ran for name in WRITES.findall(command)):
        yield Path(name).name.partition(".")[0], _as_read(read_catalog(name))


def _as_read(graph: Graph) -> Dataset:
    """Return a graph with relative IRIs as `read_catalog` reads them, not of this machine."""
    here, there = f"{Path.cwd().as_uri()}/examples/", DOCUMENT.rpartition("/")[0] + "/"
    dataset = Dataset(default_union=True)
    for prefix, namespace in graph.namespaces():
        dataset.bind(prefix, namespace)
    for triple in graph.triples((None, None, None)):
        dataset.add(
            tuple(
                URIRef(term.replace(here, there, 1)) if isinstance(term, URIRef) else term
                for term in triple
            )
        )
    return dataset


def _is_ours(graph: Dataset) -> bool:
    return any(
        isinstance(term, URIRef) and str(term).startswith(OURS)
        for *triple, _ in graph.quads()
        for term in triple
    )


def file(name: str) -> Path:
    """Return the file of an example."""
    return TARGET / f"{name}.ttl"


def same(one: Dataset, other: Dataset) -> bool:
    """Return whether two datasets say the same, in any graphs."""
    return isomorphic(_union(one), _union(other))


def _union(dataset: Dataset) -> Graph:
    union = Graph()
    union += dataset.triples((None, None, None))
    return union


if __name__ == "__main__":
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    seen: list[Dataset] = []
    for page in RUN_HERE:
        with tempfile.TemporaryDirectory() as place:
            for title, made in run_page(page, Path(place)).graphs.items():
                if not any(same(made, other) for other in seen):
                    seen.append(made)
                    write_catalog(made, str(file(title)), format_named("turtle"))
                    print(f"wrote {title}.ttl, {len(made)} triples")
