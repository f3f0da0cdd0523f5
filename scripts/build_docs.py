"""Build the pages of the reference: the command line, the Python library, the vocabulary.

They are committed, so that they can be read without being built; a test says that they are
what this script builds from the commands, the modules and the ontology.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import click
from rdflib import OWL, RDF, RDFS, SKOS, Graph, URIRef

from cturi_rdf.cli import cturi

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
ONTOLOGY = URIRef("https://w3id.org/cturi/vocab")
KINDS = {
    OWL.Class: "Classes",
    OWL.ObjectProperty: "Properties whose values are nodes",
    OWL.DatatypeProperty: "Properties whose values are literals",
    OWL.NamedIndividual: "Individuals",
}
WIDTH = 96
# What the library has for everybody, in the order of the page.
MODULES = {
    "cturi_rdf": "Values and the mapping",
    "cturi_rdf.facts": "Facts for validators",
    "cturi_rdf.labels": "Labels",
    "cturi_rdf.rdf": "RDF",
    "cturi_rdf.io": "Catalogues",
    "cturi_rdf.edits": "Edits",
    "cturi_rdf.check": "Checking",
    "cturi_rdf.repair": "Repairing",
    "cturi_rdf.rdf.files": "Files",
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
# What is met, but not imported by any page: what the functions return or raise, and take.
MET = {
    "cturi_rdf.errors": [
        "EntityError",
        "FragmentError",
        "HeaderError",
        "IdentifierError",
        "MessageError",
    ],
    "cturi_rdf.rdf.annotation": ["Report"],
    "cturi_rdf.rdf.header": ["Header"],
    "cturi_rdf.rdf.message": ["describe_message", "describe_mailbox"],
    "cturi_rdf.sparql.registry_store": ["RegistryStore"],
    "cturi_rdf.check.findings": ["CheckReport", "Finding"],
    "cturi_rdf.mime.mailbox": ["Mailbox"],
}
# A module, not a name in one, and what is imported from it.
NAMED = re.compile(r"(cturi_rdf(?:\.[a-z_]+)*)(?!\.?\w)(?: import ([\w, ]+))?")

COMMANDS_HEAD = """\
# The command line

Each command as it describes itself. Lines are read from standard input where you write `-`. The
exit code is 0 when it is done, 1 when a check found something, 2 when the call or its input cannot
be used; then one line on standard error says what and where.
"""
PYTHON_HEAD = """\
# The Python library

Whatever is refused is refused by a `CturiError`, which is a `ValueError`. Importing `cturi_rdf`
loads the standard library only.
"""
TERMS_HEAD = """\
# The vocabulary

The terms of `ctv:`, <https://w3id.org/cturi/vocab#>, version {version}. They are defined in
`ontology/cturi.ttl`, in OWL 2 RL. A word in front of a colon is another vocabulary's prefix.
"""


def commands() -> str:
    """Return the page of the command line: what each command says with ``--help``."""
    return COMMANDS_HEAD + "".join(_command(cturi, "cturi", None))


def _command(command: click.Command, name: str, parent: click.Context | None) -> list[str]:
    # As where it is called: click remembers the help option of whoever asks first.
    context = click.Context(command, parent, name, **command.context_settings)
    context.max_content_width = context.terminal_width = WIDTH
    path = context.command_path
    level = "#" * min(path.count(" ") + 2, 3)
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    pages = [f"\n{level} {path}\n\n```text\n{text}\n```\n"]
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            if found is not None and not found.hidden:
                pages += _command(found, each, context)
    return pages


def library() -> str:
    """Return the page of the library: its modules, and those in them that a page names."""
    text = PYTHON_HEAD
    beside = (_named() | MET.keys()) - MODULES.keys()
    for module, title in MODULES.items():
        exported = _exported(module)
        blocks = [_automodule(module, exported)]
        for each in sorted(each for each in beside if _section(each) == module):
            names = [name for name in _exported(each) if name not in exported]
            blocks.append(_met(each) if each in MET else _automodule(each, names))
        body = "\n".join(blocks)
        text += f"\n## {title}: `{module}`\n\n```{{eval-rst}}\n{body}```\n"
    return text


def _named() -> set[str]:
    """Return the modules that a page, a notebook or the README names."""
    pages = [path for path in (ROOT / "docs").glob("**/*.md") if path.parent != REFERENCE]
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
    return {each for each in found if _exported(each) and not each.endswith(".__main__")}


def _section(module: str) -> str:
    """Return the module of the page under which another one belongs."""
    while module and module not in MODULES:
        module = module.rpartition(".")[0]
    return module


def _automodule(module: str, names: list[str]) -> str:
    return f".. automodule:: {module}\n   :members: {', '.join(names)}\n"


def _met(module: str) -> str:
    kinds = ("class" if name[0].isupper() else "function" for name in MET[module])
    each = [f".. auto{kind}:: {name}\n" for kind, name in zip(kinds, MET[module], strict=True)]
    return "\n".join([f".. currentmodule:: {module}\n", *each])


def _exported(module: str) -> list[str]:
    """Return ``__all__`` of a module, which is not imported: it may need what is not there."""
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if file.exists():
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return list(ast.literal_eval(node.value))
    return []


def terms() -> str:
    """Return the page of the vocabulary: a table of its terms for each kind of them."""
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
            sorted(f"`{graph.qname(each)}`" for each in above if isinstance(each, URIRef))
        )
        definition = str(graph.value(term, SKOS.definition)).replace("|", "\\|")
        rows.append(f"| `{graph.qname(term)}` | {definition} | {names} |")
    return "\n".join(rows) + "\n"


PAGES = {"command-line.md": commands, "python.md": library, "vocabulary.md": terms}

if __name__ == "__main__":
    for name, build in PAGES.items():
        (REFERENCE / name).write_text(build(), "utf-8")
        print(f"wrote {REFERENCE / name}")
