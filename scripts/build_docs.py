"""Build the pages of the reference that can drift: the command line and the vocabulary.

Both are committed, so that they can be read without being built; a test says that they are
what this script builds from the commands and from the ontology.
"""

from __future__ import annotations

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

COMMANDS_HEAD = """\
# The command line

Each command as it describes itself. Lines are read from standard input where you write `-`. The
exit code is 0 when it is done, 1 when a check found something, 2 when the call or its input cannot
be used; then one line on standard error says what and where.
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


PAGES = {"command-line.md": commands, "vocabulary.md": terms}

if __name__ == "__main__":
    for name, build in PAGES.items():
        (REFERENCE / name).write_text(build(), "utf-8")
        print(f"wrote {REFERENCE / name}")
