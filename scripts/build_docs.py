"""Build the pages of the reference: a page for each command and each module, and the vocabulary.

They are committed, so that they can be read without being built; a test checks that they are the
output of this script for the commands, the modules and the ontology.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import click
from rdflib import OWL, RDF, RDFS, SKOS, Graph, URIRef

from cturi_rdf.cli import cturi
from cturi_rdf.notebook import picture, query
from cturi_rdf.rdf import annotate
from cturi_rdf.reading import read_catalog

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
# The modules for all users, in the order of the page.
MODULES = {
    "cturi_rdf": "Values and the mapping",
    "cturi_rdf.facts": "Facts for validators",
    "cturi_rdf.labels": "Labels",
    "cturi_rdf.rdf": "RDF",
    "cturi_rdf.sparql": "SPARQL",
    "cturi_rdf.reading": "Catalogues",
    "cturi_rdf.editing": "Edits",
    "cturi_rdf.check": "Checking",
    "cturi_rdf.repair": "Repairing",
    "cturi_rdf.catalogue": "Catalogues",
    "cturi_rdf.columns": "Columns",
    "cturi_rdf.negotiation": "Negotiation",
    "cturi_rdf.registry.hierarchy": "Comparison",
    "cturi_rdf.registry.suffix": "Structured syntax suffixes",
    "cturi_rdf.xml": "XML",
    "cturi_rdf.mime": "Messages",
    "cturi_rdf.uri": "Message-IDs and Content-IDs",
    "cturi_rdf.registry": "The registry",
    "cturi_rdf.serve": "The server",
    "cturi_rdf.site": "The site",
    "cturi_rdf.notebook": "Notebooks",
}
# Modules that no page imports, but whose classes the functions return, raise or take.
MET = {
    "cturi_rdf.errors": [
        "EntityError",
        "FragmentError",
        "HeaderError",
        "IdentifierError",
        "MessageError",
    ],
    "cturi_rdf.catalogue.graph_annotation": ["Report"],
    "cturi_rdf.catalogue.header": ["Header"],
    "cturi_rdf.sparql.registry_store": ["RegistryStore"],
    "cturi_rdf.catalogue.findings": ["CheckReport", "Finding"],
    "cturi_rdf.mime.mailbox": ["Mailbox"],
}
# The name of a module, not of something in it, and the names imported from it.
NAMED = re.compile(r"(cturi_rdf(?:\.[a-z_]+)*)(?!\.?\w)(?: import ([\w, ]+))?")

COMMANDS_HEAD = """\
# The command line

Each command has a page with its `--help`. Give `-` to read lines from standard input.
The exit code is 0 for success, 1 if a check found a problem or a repair left something to decide,
and 2 if the call or its input cannot be used; then one line on standard error says what is wrong
and where.
"""
PYTHON_HEAD = """\
# The Python library

A page a module. Input that cannot be used raises a `CturiError`, which is a `ValueError`. Importing
`cturi_rdf` loads the standard library only.
"""
TERMS_HEAD = """\
# The vocabulary

The terms of `ctv:`, <https://w3id.org/cturi/vocab#>, version {version}. They are defined in
`ontology/cturi.ttl`, in OWL 2 RL. A word in front of a colon is another vocabulary's prefix.
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
        pages[f"command-line/{name}.md"] = "\n".join(_command(command, name, context))
    head = COMMANDS_HEAD + "\n" + _help(cturi, context)
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
    parts = [f"{'#' * path.count(' ')} {path}\n\n{_help(command, context)}"]
    if isinstance(command, click.Group):
        for subname in command.list_commands(context):
            subcommand = command.get_command(context, subname)
            if subcommand is not None and not subcommand.hidden:
                parts += _command(subcommand, subname, context)
    return parts


def _help(command: click.Command, context: click.Context) -> str:
    context.max_content_width = context.terminal_width = WIDTH
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    return f"```text\n{text}\n```\n"


def library() -> dict[str, str]:
    """Return the pages of the library: its modules, and those in them that a page names."""
    rows, pages = [], {}
    beside = (_named() | MET.keys()) - MODULES.keys()
    for module, title in MODULES.items():
        exported = _exported(module)
        blocks = [_automodule(module, exported)]
        for other in sorted(other for other in beside if _section(other) == module):
            names = [name for name in _exported(other) if name not in exported]
            blocks.append(_met(other) if other in MET else _automodule(other, names))
        body = "\n".join(blocks)
        path = f"python/{module}.md"
        rows.append((module, path, title))
        pages[path] = f"# {title}: `{module}`\n\n```{{eval-rst}}\n{body}```\n"
    return {"python.md": PYTHON_HEAD + _contents("module", rows)} | pages


def _named() -> set[str]:
    """Return the modules that a page, a notebook or the README names."""
    pages = [path for path in (ROOT / "docs").glob("**/*.md") if REFERENCE not in path.parents]
    texts = [path.read_text("utf-8") for path in (ROOT / "README.md", *pages)]
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        texts += ["".join(cell["source"]) for cell in cells]
    found = set()
    for module, names in (match for text in texts for match in NAMED.findall(text)):
        # A function may be called like the module that it is in.
        inside = {name.partition(" as ")[0].strip() for name in names.split(",")} - {""}
        exported = _exported(module) if inside else ()
        found |= {module, *(f"{module}.{name}" for name in inside.difference(exported))}
    return {module for module in found if _exported(module) and not module.endswith(".__main__")}


def _section(module: str) -> str:
    """Return the module of the page under which another one belongs."""
    while module and module not in MODULES:
        module = module.rpartition(".")[0]
    return module


def _automodule(module: str, names: list[str]) -> str:
    return f".. automodule:: {module}\n   :members: {', '.join(names)}\n"


def _met(module: str) -> str:
    kinds = ("class" if name[0].isupper() else "function" for name in MET[module])
    directives = [
        f".. auto{kind}:: {name}\n" for kind, name in zip(kinds, MET[module], strict=True)
    ]
    return "\n".join([f".. currentmodule:: {module}\n", *directives])


def _exported(module: str) -> list[str]:
    """Return ``__all__`` of a module without importing it: it may need a missing package."""
    path = ROOT.joinpath(*module.split("."))
    # The names of a package that loads them on first use are those of its module `public`.
    for file in (path / "public.py", path / "__init__.py", path.with_suffix(".py")):
        for node in ast.parse(file.read_text("utf-8")).body if file.exists() else ():
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return list(ast.literal_eval(node.value))
    return []


def terms() -> str:
    """Return the page of the vocabulary: a table for each kind of term."""
    graph = Graph().parse(ROOT / "ontology" / "cturi.ttl")
    text = TERMS_HEAD.format(version=graph.value(ONTOLOGY, OWL.versionInfo))
    left = set(graph.subjects(RDFS.isDefinedBy, ONTOLOGY))
    for kind, title in KINDS.items():
        found = sorted(left & set(graph.subjects(RDF.type, kind)))
        left -= set(found)
        text += _table(graph, title, found)
    return text + _table(graph, "Other terms", sorted(left))


def _table(graph: Graph, title: str, found: list[URIRef]) -> str:
    if not found:
        return ""
    rows = [f"\n## {title}\n", "| term | is | special case or kind of |", "| --- | --- | --- |"]
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


def pages() -> dict[str, str]:
    """Return the text of each page by its path in the folder of the reference."""
    built = commands() | library() | {"vocabulary.md": terms()}
    return built | {"../_static/catalogue.svg": drawing()}


if __name__ == "__main__":
    built = pages()
    for path in REFERENCE.glob("**/*.md"):
        if str(path.relative_to(REFERENCE)) not in built:
            path.unlink()
    for name, text in built.items():
        (REFERENCE / name).parent.mkdir(exist_ok=True)
        (REFERENCE / name).write_text(text, "utf-8")
    print(f"wrote {len(built)} files in {REFERENCE.parent}")
