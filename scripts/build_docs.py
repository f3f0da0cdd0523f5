"""Build the pages of the reference: a page for each command and each module, and the vocabulary.

The table of functions on the page about SPARQL is built too.

They are committed, so that they can be read without being built; a test checks that they are the
output of this script for the commands, the modules and the ontology.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click
from rdflib import OWL, RDF, RDFS, SKOS, Graph, URIRef

from cturi_rdf.cli import cturi, whole_help
from cturi_rdf.notebook import picture, query
from cturi_rdf.rdf import annotate
from cturi_rdf.reading import read_catalog
from cturi_rdf.sparql.functions import function_table

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
ONTOLOGY = URIRef("https://w3id.org/cturi/vocab")
KINDS = {
    OWL.Class: "Classes",
    OWL.ObjectProperty: "Properties whose values are nodes",
    OWL.DatatypeProperty: "Properties whose values are literals",
    OWL.NamedIndividual: "Individuals",
}
WIDTH = 86
# What stands around the table of functions.
BEGIN, END = "<!-- Made by scripts/build_docs.py. -->\n", "<!-- End of the table. -->\n"
# The names that users import, by their modules.
INTERFACE: dict[str, dict[str, Any]] = tomllib.loads(
    (ROOT / "docs" / "interface.toml").read_text("utf-8")
)

# The page that shows a command at work, in docs.
HOW_TO = {
    "annotate": "how-to/catalogue.md",
    "check": "how-to/catalogue.md",
    "repair": "how-to/repair.md",
    "edit": "how-to/edit.md",
    "headers": "how-to/headers.md",
    "query": "how-to/query.md",
    "columns": "how-to/columns.md",
    "resolve": "labels.md",
    "describe": "how-to/publish.md",
    "registry": "how-to/validators.md",
    "uri": "mapping.md",
    "header": "mapping.md",
    "convert": "how-to/shell.md",
    "encoding": "xml.md",
    "message": "messages.md",
    "links": "how-to/headers.md",
    "serve": "how-to/serve.md",
    "site": "how-to/publish.md",
    "lsp": "how-to/editor.md",
    "selfcheck": "how-to/shell.md",
}

COMMANDS_HEAD = """\
# The command line

Each command has a page with all its options, an example, and a link to a page that shows it at
work. The files of the examples are those of the folder `examples/`. Give `-` to read lines from
standard input.
The exit code is 0 for success, 1 if a check found a problem or a repair left something to decide,
and 2 if the call or its input cannot be used; then one line on standard error says what is wrong
and where.
"""
PYTHON_HEAD = """\
# The Python library

One page per module. Input that cannot be used raises a `CturiError`, which is a `ValueError`.
Importing
`cturi_rdf` loads the standard library only.
"""
TERMS_HEAD = """\
# The vocabulary

The terms of `ctv:`, <https://w3id.org/cturi/vocab#>, version {version}, and of its module for
messages, `mime:`, <https://w3id.org/cturi/mime#>. They are defined in `ontology/cturi.ttl` and
`ontology/mime.ttl`, in OWL 2 RL; the terms of earlier versions are in `ontology/deprecated.ttl`.
Another prefix is that of another vocabulary.
"""


def commands() -> dict[str, str]:
    """Return the pages of the command line: the ``--help`` text of each command."""
    context = click.Context(cturi, None, "cturi", **cturi.context_settings)
    rows, pages = [], {}
    for name in cturi.list_commands(context):
        command = cturi.get_command(context, name)
        if command is None:
            continue
        rows.append((f"cturi {name}", f"command-line/{name}.md", command.get_short_help_str(WIDTH)))
        target = HOW_TO[name]
        title = (REFERENCE.parent / target).read_text("utf-8").partition("\n")[0].lstrip("# ")
        parts = [*_command(command, name, context), f"See it at work: [{title}](../../{target}).\n"]
        pages[f"command-line/{name}.md"] = "\n".join(parts)
    head = COMMANDS_HEAD + "\n" + _help(context)
    return {"command-line.md": head + _contents("command", rows)} | pages


def _contents(kind: str, rows: list[tuple[str, str, str]]) -> str:
    """Return a table of pages for the reader, and their tree for Sphinx."""
    table = "".join(f"| [`{name}`]({path}) | {text} |\n" for name, path, text in rows)
    tree = "".join(path.removesuffix(".md") + "\n" for _, path, _ in rows)
    return (
        f"\n| {kind} | what it is for |\n| --- | --- |\n{table}"
        f"\n```{{toctree}}\n:hidden:\n\n{tree}```\n"
    )


def _command(command: click.Command, name: str, parent: click.Context) -> list[str]:
    # As in a call: click remembers the help option of the first caller.
    context = click.Context(command, parent, name, **command.context_settings)
    path = context.command_path
    parts = [f"{'#' * path.count(' ')} {path}\n\n{_help(context)}"]
    if isinstance(command, click.Group):
        for subname in command.list_commands(context):
            subcommand = command.get_command(context, subname)
            if subcommand is not None and not subcommand.hidden:
                parts += _command(subcommand, subname, context)
    return parts


def _help(context: click.Context) -> str:
    context.max_content_width = context.terminal_width = WIDTH
    text = "\n".join(line.rstrip() for line in whole_help(context).splitlines())
    return f"```text\n{text}\n```\n"


def library() -> dict[str, str]:
    """Return the pages of the library: each module that has a page, and those beside it."""
    rows, pages = [], {}
    for module, entry in INTERFACE.items():
        if "title" not in entry:
            continue
        path = f"python/{module}.md"
        beside = {name: other for name, other in INTERFACE.items() if other.get("page") == module}
        body = "\n".join(_members(*each) for each in ((module, entry), *beside.items()))
        rows.append((module, path, entry["title"]))
        pages[path] = f"# {entry['title']}: `{module}`\n\n```{{eval-rst}}\n{body}```\n"
    return {"python.md": PYTHON_HEAD + _contents("module", rows)} | pages


def _members(module: str, entry: dict[str, Any]) -> str:
    """Return what autodoc shows of a module.

    Each name has a directive of its own, because autodoc leaves out those that a package loads on
    first use.
    """
    head = "" if entry.get("names-only") else f".. automodule:: {module}\n   :no-members:\n\n"
    directives = [f".. {_kind(name)}:: {name}\n" for name in entry["names"]]
    return head + "\n".join([f".. currentmodule:: {module}\n", *directives])


def _kind(name: str) -> str:
    """Return the directive for a name, by its letters: a module may need what is not installed."""
    if name.isupper():
        return "py:data"
    return "autoclass" if name[0].isupper() else "autofunction"


def terms() -> str:
    """Return the page of the vocabulary: a table for each kind of term."""
    graph = Graph().parse(ROOT / "ontology" / "cturi.ttl").parse(ROOT / "ontology" / "mime.ttl")
    text = TERMS_HEAD.format(version=graph.value(ONTOLOGY, OWL.versionInfo))
    left = set(graph.subjects(RDFS.isDefinedBy))
    for kind, title in KINDS.items():
        found = sorted(left & set(graph.subjects(RDF.type, kind)))
        left -= set(found)
        text += _table(graph, title, found)
    return text + _table(graph, "Other terms", sorted(left))


def _table(graph: Graph, title: str, found: list[URIRef]) -> str:
    if not found:
        return ""
    rows = [f"\n## {title}\n", "| term | meaning | broader term |", "| --- | --- | --- |"]
    for term in found:
        above = {
            *graph.objects(term, RDFS.subClassOf),
            *graph.objects(term, RDFS.subPropertyOf),
            *(kind for kind in graph.objects(term, RDF.type) if kind not in OWL),
        }
        names = ", ".join(
            sorted(f"`{graph.qname(broader)}`" for broader in above if isinstance(broader, URIRef))
        )
        definition = str(graph.value(term, SKOS.definition)).replace("|", "\\|")
        rows.append(f"| `{graph.qname(term)}` | {definition} | {names} |")
    return "\n".join(rows) + "\n"


# The part of the example in the picture on the first page: three files, and the additions to them.
PICTURE = """
CONSTRUCT { ?file dct:format ?label ; ctv:contentType ?type ; ctv:servedAs ?sent .
            ?type skos:broader ?broader }
{ VALUES ?file { ex:natural-earth-shp ex:ghcn-csv ex:uniprot-rdf }
  ?file dct:format ?label ; ctv:contentType ?type ; ctv:servedAs ?sent
  OPTIONAL { ?type skos:broader ?broader } }"""


def drawing() -> str:
    """Return the picture on the first page, as SVG."""
    catalogue = read_catalog(str(ROOT / "examples" / "catalogue.ttl"))
    annotate(catalogue)
    return picture(query(catalogue, PICTURE)).svg + "\n"


def functions() -> str:
    """Return the page about SPARQL with the table of the functions as they are defined."""
    page = (REFERENCE.parent / "sparql.md").read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + function_table() + END + rest.partition(END)[2]


def pages() -> dict[str, str]:
    """Return the text of each page by its path in the folder of the reference."""
    built = commands() | library() | {"vocabulary.md": terms()}
    return built | {"../_static/catalogue.svg": drawing(), "../sparql.md": functions()}


if __name__ == "__main__":
    built = pages()
    for path in REFERENCE.glob("**/*.md"):
        if str(path.relative_to(REFERENCE)) not in built:
            path.unlink()
    for name, text in built.items():
        (REFERENCE / name).parent.mkdir(exist_ok=True)
        (REFERENCE / name).write_text(text, "utf-8")
    print(f"wrote {len(built)} files in {REFERENCE.parent}")
