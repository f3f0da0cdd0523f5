"""Build the shapes for catalogues, and the package's list of properties that carry labels.

The list is ontology/properties.ttl; the shapes are ontology/shapes/catalogue.ttl.template.  The
outputs are ontology/shapes/catalogue.ttl, for any SHACL engine; the same shapes with one triple per
line, which the package reads in a fraction of the time; and the table of the properties. All are
committed; a test checks that they are the output of this script.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from rdflib import RDFS, SH, Graph, Literal, Namespace, URIRef
from rdflib.compare import to_canonical_graph

from cturi_rdf._util.display import prefixes_of
from cturi_rdf.content_type.grammar import QDTEXT, QUOTED_PAIR, TCHAR
from cturi_rdf.rdf.terms import PropertyRecord
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.registry.tables import write_table

ROOT = Path(__file__).parents[1]
PROPERTIES = ROOT / "ontology" / "properties.ttl"
TEMPLATE = ROOT / "ontology" / "shapes" / "catalogue.ttl.template"
SHAPES_TARGET = ROOT / "ontology" / "shapes" / "catalogue.ttl"
PACKAGED_TARGET = ROOT / "cturi_rdf" / "data" / "catalogue-shapes.nt"
TABLE_TARGET = ROOT / "cturi_rdf" / "data" / "properties.tsv"
CTVS = Namespace("https://w3id.org/cturi/shapes#")
# The text of the template for the message of a shape, by the kind of value that it asks for.
MESSAGES = {
    SH.IRI: "text instead of an IRI",
    SH.BlankNodeOrIRI: "text instead of a node",
    SH.Literal: "node instead of a text",
}
# The prefixes of the queries, besides those of the properties.
QUERIED = ("ctv", "owl", "rdfs", "skos")
# RFC 6838 section 4.2: the top-level types that have been registered.
TOP_LEVEL = "application|audio|font|haptics|image|message|model|multipart|text|video"
# RFC 9110 section 8.3.1, as `cturi_rdf.content_type.grammar.HTTP` has it, for any engine of SPARQL:
# without possessive quantifiers.
TOKEN = f"[{TCHAR}]+"
PARAMETER = f'{TOKEN}=({TOKEN}|"([{QDTEXT}]|\\\\[{QUOTED_PAIR}])*")'
EXPRESSIONS = {
    "header": rf"^[\t ]*{TOKEN}/{TOKEN}([\t ]*;[\t ]*({PARAMETER})?)*[\t ]*$",
    "with parameters": r"^[\t ]*[^ ()<>@,;:\"/?={}]+/[^ ()<>@,;:\"/?={}]+[ ;,].*=",
    "with spaces": rf"^\s*(content-type *:)? *({TOP_LEVEL}) */ *{TOKEN}\s*($|[(;])",
    "line break": r"[\r\n]",
    "quoted string": r'"([^"\\]|\\.)*"',
    "value or space": r"=[^;]*|[\t ]",
}
# Whether one of the first parameters is there again: an engine of SPARQL need not have
# back-references.  Each is looked for behind itself; "?" stands in no name.
NAME_TWICE = """CONTAINS(REPLACE(?names, "^([^;]*;){{{next}}}", ";"), \
REPLACE(CONCAT(?names, "?"), "^([^;]*;){{{at}}}([^;]+;).*$", ";$2"))"""
MOST_NAMES = 6
DEFINITION = re.compile(r"\{\{ ([\w ]+) :=\n(.*?)\n\}\}\n", re.DOTALL)
PLACE = re.compile(r"\{\{ ([\w ]+) \}\}")
VALUE_SHAPE = """\
{shape}
    a sh:PropertyShape ;
    rdfs:label "{label}"@en ;
    rdfs:isDefinedBy <https://w3id.org/cturi/shapes> ;
    sh:targetSubjectsOf {path} ;
    sh:path {path} ;
    sh:nodeKind {kind} ;
    sh:severity {severity} ;
    sh:message
{messages} .
"""


def build_table() -> str:
    """Return the table of the properties, in the order in which they are listed."""
    facts = {"source": "ontology/properties.ttl, by scripts/build_shapes.py; do not edit"}
    graph = _properties()
    kinds = {CTVS.Anything: "anything", CTVS.AnyFormat: "any format"}
    records = (
        PropertyRecord(str(path), str(link), kinds.get(graph.value(path, CTVS.values), ""))
        for path, link in _annotated(graph)
    )
    return write_table(facts, PropertyRecord, records)


def build_shapes() -> str:
    """Return the Turtle of the shapes: the template, filled in."""
    definitions, _, template = TEMPLATE.read_text("utf-8").partition("===\n")
    graph = _properties()
    prefixes = {prefix: str(namespace) for prefix, namespace in graph.namespaces()}
    others = _of(graph, CTVS.values, CTVS.Anything)
    names = [name for path, _ in _annotated(graph) if (name := _name(graph, path)) not in others]
    links = sorted({_name(graph, link) for _, link in _annotated(graph)})
    texts = dict(DEFINITION.findall(definitions))
    texts |= {
        "prefixes": _prefixes(prefixes),
        "declarations": _declarations(prefixes, names),
        "link properties": _list(links),
        "checked properties": _list([*names, *links]),
        "header properties": _list(_of(graph, CTVS.text, CTVS.HeaderText)),
        "free text properties": _list(_of(graph, CTVS.text, CTVS.FreeText)),
        **{name: _expression(pattern) for name, pattern in EXPRESSIONS.items()},
        "name twice": f"\n{20 * ' '}|| ".join(
            NAME_TWICE.format(at=at, next=at + 1) for at in range(1, MOST_NAMES)
        ),
        "any format": _list(_of(graph, CTVS.values, CTVS.AnyFormat)),
        "content paths": f"({'|'.join(_of(graph, CTVS.annotatedBy, CTV.contentType))})",
    }
    texts["value kinds"] = "\n".join(_value_shapes(graph, texts))
    while PLACE.search(template):
        template = PLACE.sub(lambda place: texts[place[1]], template)
    return template


def build_packaged() -> str:
    """Return the shapes, one triple per line, each query on one line.

    Engines search the text of a query for each node, and a short text faster.
    """
    graph = Graph().parse(data=build_shapes(), format="turtle")
    for constraint, query in list(graph.subject_objects(SH.select)):
        lines = [line.strip() for line in query.splitlines()]
        text = " ".join(line for line in lines if line and not line.startswith("#"))
        graph.set((constraint, SH.select, Literal(text)))
    # Canonical, so that blank nodes have the same names in every build.
    lines = to_canonical_graph(graph).serialize(format="nt").splitlines()
    return "\n".join(filter(None, sorted(lines))) + "\n"


def _properties() -> Graph:
    # Only the prefixes that the file declares, without those that rdflib binds by itself.
    return Graph(bind_namespaces="none").parse(PROPERTIES)


def _annotated(graph: Graph) -> list[tuple[URIRef, URIRef]]:
    """Return the properties and the properties that annotate them, in the order of the file."""
    pairs = list(graph.subject_objects(CTVS.annotatedBy))
    text = PROPERTIES.read_text("utf-8")
    return sorted(
        pairs, key=lambda pair: text.index(f"\n{_name(graph, pair[0])} ctvs:annotatedBy ")
    )


def _of(graph: Graph, fact: URIRef, value: URIRef) -> list[str]:
    """Return the names of the properties with a fact in the file."""
    return [_name(graph, path) for path, _ in _annotated(graph) if (path, fact, value) in graph]


def _name(graph: Graph, term: URIRef) -> str:
    return graph.namespace_manager.curie(term, generate=False)


def _list(names: list[str]) -> str:
    return textwrap.fill(", ".join(names), width=72).replace("\n", "\n" + 20 * " ")


def _expression(pattern: str) -> str:
    """Return a regular expression as a string of SPARQL, in a string of Turtle."""
    pattern = pattern.replace(r"\x80-\xff", "\x80-\xff")
    in_sparql = pattern.replace("\\", "\\\\").replace("'", "\\'")
    in_turtle = in_sparql.replace("\\", "\\\\")
    return f"'{in_turtle}'".replace("\x80", r"\u0080").replace("\xff", r"\u00FF")


def _prefixes(prefixes: dict[str, str]) -> str:
    known = prefixes | prefixes_of("skos", "xsd")
    return "\n".join(f"@prefix {prefix}: <{known[prefix]}> ." for prefix in sorted(known))


def _declarations(prefixes: dict[str, str], names: list[str]) -> str:
    known = prefixes | prefixes_of("skos")
    used = sorted({*QUERIED, *(name.partition(":")[0] for name in names)})
    return " ,\n        ".join(
        f'[ sh:prefix "{prefix}" ; sh:namespace "{known[prefix]}"^^xsd:anyURI ]' for prefix in used
    )


def _value_shapes(graph: Graph, texts: dict[str, str]) -> list[str]:
    """Return the shapes that ask for the kind of the values of one property each."""
    shapes = []
    for path, _ in _annotated(graph):
        shape = graph.value(path, CTVS.valueShape)
        if shape is None:
            continue
        kind = graph.value(shape, SH.nodeKind)
        text = VALUE_SHAPE.format(
            shape=_name(graph, shape),
            label=graph.value(shape, RDFS.label),
            path=_name(graph, path),
            kind=_name(graph, kind),
            severity=_name(graph, graph.value(shape, SH.severity)),
            messages=texts[MESSAGES[kind]],
        )
        shapes.append(text)
    return shapes


BUILT = {SHAPES_TARGET: build_shapes, PACKAGED_TARGET: build_packaged, TABLE_TARGET: build_table}

if __name__ == "__main__":
    for target, build in BUILT.items():
        target.write_text(build(), encoding="utf-8")
        print(f"wrote {target.relative_to(ROOT)}")
