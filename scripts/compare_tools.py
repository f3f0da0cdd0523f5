"""Measure what other tools do with the same inputs, and write the tables of docs/peers.md.

Labels are the judged sets of the tests.  Headers are drawn from the grammar of RFC 9110 section
8.3.1, the wrong ones by one change that the grammar does not allow.  Files are the Turtle files of
this repository, with the labels of their formats repaired.  A tool that is not installed has no
row.  Run it with the extra `dev`::

    python scripts/compare_tools.py
"""

from __future__ import annotations

import difflib
import mimetypes
import random
import re
import runpy
from collections import Counter
from email.message import EmailMessage
from email.policy import HTTP
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import mimeparse
import multipart
import pyoxigraph as ox
import pyshacl
from django.utils.http import parse_header_parameters
from rdflib import RDF, SH, Graph
from werkzeug.http import parse_options_header

from cturi_rdf import ContentType
from cturi_rdf.check import check_file
from cturi_rdf.registry import registry
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Look = Callable[[str], str | None]

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "peers.md"
MARK = "<!-- by scripts/compare_tools.py: {} -->\n"
JUDGED: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "judge_labels.py"))
HEADERS = 400


# --- Labels --------------------------------------------------------------------------------------


def label_tables() -> dict[str, Look]:
    """Return for each table how a label is looked up in it: in lower case, and no more."""
    known = registry()
    tables = {
        "EU file types": [(row.code, row.types) for row in known.eu_file_types()],
        "PRONOM's names": [(row.label, row.types) for row in known.formats("pronom")],
        "Wikidata's names": [(row.label, row.types) for row in known.formats("wikidata")],
        "extensions of mime-db and Tika": [
            (row.extension, row.main_of or row.types) for row in known.extensions()
        ],
    }
    lower = {
        title: {key.lower(): types[0] for key, types in rows if types}
        for title, rows in tables.items()
    }
    looks: dict[str, Look] = {
        title: lambda label, table=table: table.get(label.lstrip("."))
        for title, table in lower.items()
    }
    looks["`mimetypes` of Python"] = lambda label: mimetypes.guess_type(f"a.{label.lstrip('.')}")[0]
    five = tuple(looks.values())
    looks["these five, one after the other"] = lambda label: next(
        filter(None, (look(label) for look in five)), None
    )
    return looks


def labels() -> Iterator[list[str]]:
    """Yield a row for each table: labels that it reads right, and wrong, in per cent."""
    judged = [mark for marked in JUDGED["SETS"].values() for mark in marked()]
    yield [f"{len(judged):,} judged labels", "right, %", "wrong, %"]
    for title, look in label_tables().items():
        yield [title, *shares(looked_up(one, look) for one in judged)]
    yield ["cturi-rdf, which knows these sets", *shares(one.mark for one in judged)]


def looked_up(judged: Any, look: Look) -> str:
    """Return whether a table is right about a judged label, misses it, or is wrong."""
    text = judged.resolution.label.strip().lower()
    # Every table reads a media type of IANA as itself.
    found = text if registry().media_type(text) else look(text)
    if not found:
        return "right" if {"nothing", "service"} & set(judged.expected) else "missed"
    found = registry().canonical(found)
    return "right" if found in map(registry().canonical, judged.expected) else "wrong"


def shares(marks: Iterable[str]) -> list[str]:
    """Return the shares of right and wrong answers, in per cent."""
    counts = Counter(marks)
    return [f"{100 * counts[mark] / counts.total():.1f}" for mark in ("right", "wrong")]


# --- Headers -------------------------------------------------------------------------------------

# Characters of tokens as they are in use; all readers know them.
TOKEN = "-._0123456789abcdefghijklmnopqrstuvwxyz"
QUOTED = TOKEN + ' \t,;:/=()<>@[]{}?\\"'
# A change of `a/b; c=d` that the grammar does not allow.
SLIPS = {
    "no slash": lambda text: text.replace("/", "", 1),
    "a space in the subtype": lambda text: text.replace("/", "/a b", 1),
    "no semicolon": lambda text: text.replace(";", " ", 1),
    "no equals sign": lambda text: text.replace("=", "", 1),
    "no value": lambda text: re.sub("=.*", "=", text, count=1),
    "a space before the equals sign": lambda text: text.replace("=", " =", 1),
    "a quote that does not end": lambda text: re.sub("=.*", '="x', text, count=1),
    "a line break": lambda text: text.replace(";", "\n;", 1),
    "a comma between parameters": lambda text: f"{text}, x=y",
    "no type": lambda text: text[text.index("/") :],
}


def drawn(seed: int) -> tuple[str, dict[str, str]]:
    """Return a header by the grammar, and its parameters by their names."""
    draw = random.Random(seed)  # noqa: S311 - no secrets

    def token() -> str:
        return draw.choice("abcxyz") + "".join(draw.choices(TOKEN, k=draw.randint(0, 8)))

    text, parameters = f"{token()}/{token()}", {}
    for _ in range(draw.randint(1, 3)):
        name, value = token(), token()
        if name in parameters:
            continue
        written = value
        if draw.choice([True, False]):
            value = "".join(draw.choices(QUOTED, k=draw.randint(0, 9)))
            written = '"' + re.sub(r'([\\"])', r"\\\1", value) + '"'
        parameters[name] = value
        text += f"{draw.choice(['; ', ';', ' ; '])}{name}={written}"
    return text, parameters


def of_email(text: str) -> dict[str, str]:
    """Return the parameters that the package email of Python reads."""
    message = EmailMessage(HTTP)
    message["Content-Type"] = text
    if message["Content-Type"].defects:
        raise ValueError(message["Content-Type"].defects[0])
    return dict(message["Content-Type"].params)


READERS: dict[str, Callable[[str], dict[str, str]]] = {
    f"werkzeug {version('werkzeug')}": lambda text: parse_options_header(text)[1],
    f"multipart {version('multipart')}": lambda text: multipart.parse_options_header(text)[1],
    f"Django {version('Django')}": lambda text: parse_header_parameters(text)[1],
    f"python-mimeparse {version('python-mimeparse')}": lambda text: mimeparse.parse_mime_type(text)[
        2
    ],
    "`email` of Python": of_email,
    "cturi-rdf": lambda text: dict(ContentType.parse(text, rules="http").parameters),
}


def headers() -> Iterator[list[str]]:
    """Yield a row for each reader: legal headers that it reads right, slips that it refuses."""
    legal = [drawn(seed) for seed in range(HEADERS)]
    wrong = [slip(text) for slip in SLIPS.values() for text, _ in legal[:40]]
    yield [
        "reader",
        f"reads, of {len(legal)} legal headers",
        f"refuses, of {len(wrong)} wrong ones",
    ]
    for title, read in READERS.items():
        right = sum(answer(read, text) == parameters for text, parameters in legal)
        refused = sum(answer(read, text) is None for text in wrong)
        yield [title, str(right), str(refused)]


def answer(read: Callable[[str], dict[str, str]], text: str) -> dict[str, str] | None:
    """Return the parameters by their names in lower case; None for an error."""
    try:
        return {name.lower(): value for name, value in read(text).items()}
    except Exception:  # noqa: BLE001 - each has errors of its own
        return None


# --- Files ---------------------------------------------------------------------------------------


def files() -> Iterator[list[str]]:
    """Yield a row for each way to write a repaired graph: the lines that change, the comments."""
    sources = [ROOT / "examples" / name for name in ("catalogue.ttl", "street-trees.ttl")]
    plans = [plan_file(str(source), profile="dcat-ap") for source in sources]
    before = [source.read_text("utf-8") for source in sources]
    after = [plan.edited.decode() for plan in plans]
    comments = sum(map(len, map(comments_of, before)))
    yield ["written by", "changed lines", f"comments kept, of {comments}"]
    for title, write in WRITERS.items():
        texts = [write(text) for text in after]
        changed = sum(map(changed_lines, before, texts))
        kept = sum(
            len(comments_of(old) & comments_of(new)) for old, new in zip(before, texts, strict=True)
        )
        yield [title, str(changed), str(kept)]


def by_rdflib(form: str) -> Callable[[str], str]:
    """Return a function that reads Turtle and writes it in a format of rdflib."""
    return lambda text: Graph().parse(data=text, format="turtle").serialize(format=form)


def by_oxigraph(text: str) -> str:
    """Return Turtle as pyoxigraph writes it, with the prefixes of the text."""
    parser = ox.parse(text, ox.RdfFormat.TURTLE, base_iri="http://a.example/")
    quads = list(parser)
    written = ox.serialize(
        (quad.triple for quad in quads), format=ox.RdfFormat.TURTLE, prefixes=parser.prefixes
    )
    return written.decode() if written else ""


WRITERS: dict[str, Callable[[str], str]] = {
    f"rdflib {version('rdflib')}, turtle": by_rdflib("turtle"),
    f"rdflib {version('rdflib')}, longturtle": by_rdflib("longturtle"),
    f"pyoxigraph {version('pyoxigraph')}": by_oxigraph,
    "`cturi repair`": lambda text: text,
}


def comments_of(text: str) -> set[str]:
    """Return the comments of a Turtle file that follow a space or stand alone."""
    return set(re.findall(r"(?m)(?:^|(?<=\s))#\s.*", text))


def changed_lines(old: str, new: str) -> int:
    """Return how many lines a diff adds and removes."""
    diff = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return sum(line[:1] in "+-" and line[:3] not in {"+++", "---"} for line in diff)


# --- Shapes --------------------------------------------------------------------------------------


SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
[] a sh:NodeShape ; sh:targetClass dcat:Distribution ;
    sh:property [ sh:path dct:format ; sh:nodeKind sh:IRI ; sh:maxCount 1 ] ,
                [ sh:path dcat:mediaType ; sh:nodeKind sh:IRI ] ,
                [ sh:path dcat:downloadURL ; sh:minCount 1 ] ."""


def shapes() -> Iterator[list[str]]:
    """Yield a row for each engine of SHACL: the results in the example, and where they are said."""
    data = str(ROOT / "examples" / "catalogue.ttl")
    with TemporaryDirectory() as folder:
        rules = Path(folder, "shapes.ttl")
        rules.write_text(SHAPES, "utf-8")
        yield ["engine", "results", "where in the file"]
        for title, validate in ENGINES.items():
            if found := validate(data, str(rules)):
                yield [title, *found]


def by_pyshacl(data: str, rules: str) -> list[str]:
    """Return how many results pySHACL has; it gives nodes and values."""
    _, found, _ = pyshacl.validate(Graph().parse(data), shacl_graph=Graph().parse(rules))
    return [str(len(set(found.subjects(RDF.type, SH.ValidationResult)))), "no"]


def by_shacl(data: str, rules: str) -> list[str]:
    """Return how many results the package shacl has, which is written in Rust, if it is there."""
    if not find_spec("shacl"):
        return []
    return [str(len(import_module("shacl").validate(data, rules).results)), "no"]


def by_cturi(data: str, rules: str) -> list[str]:
    """Return how many results `cturi check --shapes` adds, and how many with line and column."""
    own = {one.shape for one in check_file(data).findings}
    added = check_file(data, shapes=Graph().parse(rules)).findings
    found = [one for one in added if one.shape not in own]
    placed = sum(len(one.places) for one in found)
    return [str(sum(len(one.places) or 1 for one in found)), f"line and column, of {placed}"]


ENGINES: dict[str, Callable[[str, str], list[str]]] = {
    f"pySHACL {version('pyshacl')}": by_pyshacl,
    "shacl, in Rust": by_shacl,
    "`cturi check --shapes`": by_cturi,
}


# --- The page ------------------------------------------------------------------------------------

TABLES = {"labels": labels, "headers": headers, "files": files, "shapes": shapes}


def table(rows: Iterable[list[str]]) -> str:
    """Return a table of Markdown, with its head first."""
    head, *others = [f"| {' | '.join(row)} |\n" for row in rows]
    return head + "| " + " | ".join(["---"] * head.count(" | ")) + " | --- |\n" + "".join(others)


def main() -> None:
    """Write each table behind its mark in the page."""
    text = PAGE.read_text("utf-8")
    for name, rows in TABLES.items():
        made = table(rows())
        print(f"{name}\n{made}")
        mark = MARK.format(name)
        # An earlier table is replaced.
        old = re.escape(mark) + r"\n(?:\|.*\n)*\n?"
        text = re.sub(old, (mark + "\n" + made + "\n").replace("\\", r"\\"), text)
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
