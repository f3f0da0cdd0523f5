"""One graph in all the shapes in which each syntax can write it, drawn at random."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox
from drawing import LABELS, Drawing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["IN_A_GRAPH", "SHAPES", "Described", "described", "statements_of"]

NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dct": "http://purl.org/dc/terms/",
    "dcat": "http://www.w3.org/ns/dcat#",
}
BASE = "http://d.example/"
TOKEN = "http://www.w3.org/2001/XMLSchema#token"
IRIS = [
    "https://www.iana.org/assignments/media-types/text/csv",
    "http://publications.europa.eu/resource/authority/file-type/CSV",
    f"{BASE}csv",
]
Text = tuple[str, str, str]
"""A text, its language, and its datatype."""


class Node(NamedTuple):
    """A node: its IRI, or the label of a blank one."""

    name: str

    @property
    def is_blank(self) -> bool:
        """Whether it has no IRI."""
        return self.name.startswith("_:")


class Listed(NamedTuple):
    """A list."""

    items: tuple[Any, ...]


Value = Node | Listed | Text
Described = dict[Node, list[tuple[str, Value]]]
"""What is said of each node: names of properties, and values."""


def _iri(name: str) -> str:
    prefix, _, local = name.partition(":")
    return NAMESPACES[prefix] + local


def described(seed: int) -> Described:
    """Return the catalogue that a number stands for."""
    return _Catalogue(seed).described


class _Catalogue(Drawing):
    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._numbers = count(1)
        self.described: Described = {}
        dataset = Node(f"{BASE}set")
        links: list[tuple[str, Value]] = []
        for _ in range(self._number(1, 3)):
            node = self._node("file")
            self.described[node] = self._of_file()
            links.append(("dcat:distribution", node))
        self.described[dataset] = [("rdf:type", Node(_iri("dcat:Dataset"))), *links]

    def _node(self, name: str) -> Node:
        number = next(self._numbers)
        return Node(f"{BASE}{name}{number}" if self._chance(0.6) else f"_:n{number}")

    def _of_file(self) -> list[tuple[str, Value]]:
        said: list[tuple[str, Value]] = []
        if self._chance(0.9):
            said.append(("rdf:type", Node(_iri("dcat:Distribution"))))
        if self._chance(0.3):
            said.append(("dct:title", ("A file", self._one(["en", "de"]), "")))
        names = ["dct:format", "dct:format", "dcat:mediaType"]
        said += [(name, self._value()) for name in names if self._chance(0.6)]
        if self._chance(0.5):
            said.append(("dcat:downloadURL", Node(f"{BASE}a.{self._one(['csv', 'zip'])}")))
        return list(dict.fromkeys(said))

    def _text(self) -> Text:
        return self._one(LABELS), *self._one([("", ""), ("", ""), ("en", ""), ("", TOKEN)])

    def _value(self, depth: int = 0) -> Value:
        if self._chance(0.35):
            return self._text()
        if self._chance(0.2):
            return Node(self._one(IRIS))
        if depth < 1 and self._chance(0.15):
            return Listed(tuple(self._value(1) for _ in range(self._number(1, 2))))
        # A blank node may be the value of several properties.
        known = [node for node in self.described if node.name.startswith(("_:n", f"{BASE}format"))]
        shared = [one for one in known if ("rdf:type", Node(_iri("dcat:Distribution")))
                  not in self.described[one]]  # fmt: skip
        if shared and self._chance(0.15):
            return self._one(shared)
        node = self._node("format")
        self.described[node] = self._of_format()
        return node

    def _of_format(self) -> list[tuple[str, Value]]:
        said: list[tuple[str, Value]] = []
        if self._chance(0.1):
            return [
                ("rdf:type", Node(_iri(self._one(["rdf:Seq", "rdf:Bag"])))),
                *((f"rdf:_{number}", self._text()) for number in (1, 2)),
            ]
        if self._chance(0.5):
            said.append(("rdf:type", Node(_iri("dct:MediaTypeOrExtent"))))
        names = ["rdfs:label", "rdfs:label", "rdf:value", "skos:prefLabel", "dct:description"]
        said += ((self._one(names), self._text()) for _ in range(self._number(0, 2)))
        return list(dict.fromkeys(said))


def statements_of(catalogue: Described, graph: str = "") -> Iterator[ox.Quad]:
    """Yield the statements of a catalogue."""
    numbers = count(1)
    name = ox.NamedNode(graph) if graph else ox.DefaultGraph()

    def term(value: Value) -> Any:
        if isinstance(value, Node):
            return ox.BlankNode(value.name[2:]) if value.is_blank else ox.NamedNode(value.name)
        if isinstance(value, Listed):
            rest: Any = ox.NamedNode(_iri("rdf:nil"))
            for item in reversed(value.items):
                cell = ox.BlankNode(f"cell{next(numbers)}")
                cells.append(ox.Quad(cell, ox.NamedNode(_iri("rdf:first")), term(item), name))
                cells.append(ox.Quad(cell, ox.NamedNode(_iri("rdf:rest")), rest, name))
                rest = cell
            return rest
        text, language, datatype = value
        if datatype:
            return ox.Literal(text, datatype=ox.NamedNode(datatype))
        return ox.Literal(text, language=language or None)

    cells: list[ox.Quad] = []
    for node, said in catalogue.items():
        for path, value in said:
            yield ox.Quad(term(node), ox.NamedNode(_iri(path)), term(value), name)
    yield from cells


class _Writer(Drawing):
    """Writes each node once, inside of another one or beside it."""

    def __init__(self, catalogue: Described, seed: int, graph: str = "") -> None:
        super().__init__(seed)
        self._graph = graph
        self._nodes = list(catalogue)
        self._random.shuffle(self._nodes)
        self._said = {node: self._shuffled(catalogue[node]) for node in self._nodes}
        values = [value for said in catalogue.values() for _, value in said]
        items = [item for one in values if isinstance(one, Listed) for item in one.items]
        self._uses = {node: [*values, *items].count(node) for node in catalogue}
        # Nodes that are described where they are used first, not beside others.
        self._inside = {
            node for node in self._nodes if self._can_be_inside(node) and self._chance(0.7)
        }
        self._left = set(self._inside)

    def _shuffled(self, said: list[Any]) -> list[Any]:
        return self._random.sample(said, len(said))

    def _can_be_inside(self, node: Node) -> bool:
        return self._uses[node] > 0

    def _is_nested(self, value: Any) -> bool:
        """Return whether a node is described here, and note it."""
        is_here = value in self._left
        self._left.discard(value)
        return is_here

    def _on_top(self) -> list[Node]:
        """Return the nodes that are described in no other one."""
        return [node for node in self._nodes if node not in self._inside]

    def _is_anonymous(self, node: Node) -> bool:
        """Return whether a node needs no name."""
        return node.is_blank and self._uses[node] <= (node in self._inside)


class _Turtle(_Writer):
    def _can_be_inside(self, node: Node) -> bool:
        return node.is_blank and self._uses[node] == 1

    def document(self) -> str:
        head = [f"@prefix {name}: <{iri}> ." for name, iri in NAMESPACES.items()]
        head.append(f"@base <{BASE}> .")
        body = [self._block(node) for node in self._on_top()]
        if self._graph:
            inner = "\n".join(body)
            body = [f"{self._one(['', 'GRAPH '])}<{self._graph}> {{\n{inner}\n}}"]
        return "\n".join([*head, *body]) + "\n"

    def _block(self, node: Node) -> str:
        said = self._said[node]
        if not said:
            return ""
        if self._is_anonymous(node) and self._chance(0.5):
            return f"[ {self._pairs(said)} ] ."
        cut = self._number(1, len(said)) if self._chance(0.2) else len(said)
        parts = filter(None, (said[:cut], said[cut:]))
        return "\n".join(f"{self._name(node)} {self._pairs(part)} ." for part in parts)

    def _name(self, node: Node) -> str:
        if node.is_blank:
            return node.name
        local = node.name.removeprefix(BASE)
        prefixed = [f"{name}:{node.name.removeprefix(iri)}" for name, iri in NAMESPACES.items()
                    if node.name.startswith(iri)]  # fmt: skip
        return self._one([f"<{node.name}>", f"<{local}>", *prefixed])

    def _pairs(self, said: list[tuple[str, Value]]) -> str:
        pairs: list[str] = []
        last = ""
        for path, value in said:
            text = self._value(value)
            if path == last and self._chance(0.7):
                pairs[-1] += f" , {text}"
            else:
                verb = "a" if path == "rdf:type" and self._chance(0.7) else path
                pairs.append(f"{verb} {text}")
            last = path
        return " ;\n    ".join(pairs) + self._one(["", " ;"]) * bool(pairs)

    def _value(self, value: Value) -> str:
        if isinstance(value, Listed):
            return f"( {' '.join(map(self._value, value.items))} )"
        if not isinstance(value, Node):
            text, language, datatype = value
            end = f"@{language}" if language else f"^^<{datatype}>" if datatype else ""
            return json.dumps(text) + end
        if self._is_anonymous(value):
            return f"[ {self._pairs(self._said[value])} ]"
        return self._name(value)


class _Lines(_Writer):
    def document(self) -> str:
        lines = [
            f"{' '.join(map(str, quad.triple))}{f' <{self._graph}>' if self._graph else ''} .\n"
            for quad in statements_of(self._said)
        ]
        return "".join(self._shuffled(lines))


class _Xml(_Writer):
    def document(self) -> str:
        language = self._one(["", "", "en"])
        self._default = self._one([None, "dct", "dcat"])
        self._has_base = self._chance(0.5)
        # Prefixes that each node on top declares, as in the records of a server.
        inner = {name for name in NAMESPACES if name != "rdf" and self._chance(0.2)}
        around = "".join(
            f' xmlns:{name}="{iri}"' for name, iri in NAMESPACES.items() if name not in inner
        )
        if self._default:
            around += f' xmlns="{NAMESPACES[self._default]}"'
        around += f' xml:lang="{language}"' * bool(language)
        base = f' xml:base="{BASE}"' * self._has_base
        if self._chance(0.5):
            around, base = around + base, ""
        own = base + "".join(f' xmlns:{name}="{NAMESPACES[name]}"' for name in sorted(inner))
        start = f'<!DOCTYPE rdf:RDF [<!ENTITY token "{TOKEN}"> <!ENTITY base "{BASE}">]>\n'
        on_top = self._on_top()
        if len(on_top) == 1 and self._chance(0.5):
            # rdf:RDF is not needed around one node.
            return start + self._node(on_top[0], language, around + own)
        nodes = "\n".join(self._node(node, language, own) for node in on_top)
        return f"{start}<rdf:RDF{around}>\n{nodes}\n</rdf:RDF>\n"

    def _tag(self, name: str) -> str:
        prefix, _, local = name.partition(":")
        return local if prefix == self._default and self._chance(0.7) else name

    def _reference(self, node: Node) -> str:
        local = node.name.removeprefix(BASE)
        relative = [local] if self._has_base and local != node.name else []
        entity = [f"&base;{local}"] if local != node.name else []
        return f'"{self._one([node.name, *relative, *entity])}"'

    def _scope(self, language: str) -> tuple[str, str]:
        """Return an attribute that sets another language, or none, and the language."""
        if self._chance(0.1):
            language = self._one(["en", "de", ""])
            return f' xml:lang="{language}"', language
        return "", language

    def _node(self, node: Node, language: str, own: str = "") -> str:
        said = list(self._said[node])
        attributes, language = (own, language) if own else self._scope(language)
        if not node.is_blank:
            attributes += f" rdf:about={self._reference(node)}"
        elif not self._is_anonymous(node) or self._chance(0.3):
            attributes += f' rdf:nodeID="{node.name[2:]}"'
        name = "rdf:Description"
        types = [value for path, value in said if path == "rdf:type"]
        for prefix, iri in NAMESPACES.items():
            if types and types[0].name.startswith(iri) and self._chance(0.8):
                name = f"{prefix}:{types[0].name.removeprefix(iri)}"
                said.remove(("rdf:type", types[0]))
                break
        inside = []
        for path, value in said:
            attribute = self._attribute(path, value, said, language)
            if attribute and self._chance(0.2):
                attributes += attribute
            else:
                inside.append((path, value))
        tag = self._tag(name)
        return f"<{tag}{attributes}>{self._properties(inside, language)}</{tag}>"

    def _attribute(self, path: str, value: Any, said: list[Any], language: str) -> str:
        """Return a property as an attribute, if it can be one."""
        if [one for one, _ in said].count(path) > 1:
            return ""
        if path == "rdf:type":
            return f' rdf:type="{value.name}"'
        is_text = not isinstance(value, Node | Listed) and value[1:] == (language, "")
        return f" {path}={quoteattr(value[0])}" if is_text else ""

    def _properties(self, said: list[tuple[str, Value]], language: str) -> str:
        ordered = said
        texts = [self._property(path, value, language) for path, value in ordered]
        return "\n  ".join(["", *texts]) + "\n" * bool(texts)

    def _property(self, path: str, value: Value, language: str) -> str:
        tag = self._tag(path)
        scope, inner = self._scope(language)
        if isinstance(value, Listed):
            return self._list(tag, value.items, language)
        if not isinstance(value, Node):
            return self._text(tag, value, language)
        if not self._is_nested(value):
            if value.is_blank:
                return f'<{tag} rdf:nodeID="{value.name[2:]}"/>'
            return f"<{tag} rdf:resource={self._reference(value)}/>"
        said = self._said[value]
        is_anonymous = self._is_anonymous(value)
        attributes = [self._attribute(path, one, said, inner) for path, one in said]
        shapes = ["node"]
        if is_anonymous:
            shapes.append("resource")
        # Oxigraph reads a type alone, without a name, as an empty text.
        is_more = len(attributes) > ([path for path, _ in said] == ["rdf:type"])
        if all(attributes) and (is_more or not is_anonymous):
            shapes += ["attributes"] * 2
        shape = self._one(shapes)
        if shape == "resource":
            inside = self._properties(said, inner)
            return f'<{tag}{scope} rdf:parseType="Resource">{inside}</{tag}>'
        if shape == "attributes":
            name = "" if is_anonymous else f" rdf:resource={self._reference(value)}"
            if value.is_blank and not is_anonymous:
                name = f' rdf:nodeID="{value.name[2:]}"'
            end = self._one(["/>", f"></{tag}>"])
            return f"<{tag}{scope}{name}{''.join(attributes)}{end}"
        return f"<{tag}{scope}>{self._one(['', chr(10)])}{self._node(value, inner)}</{tag}>"

    def _list(self, tag: str, items: tuple[Any, ...], language: str) -> str:
        if all(isinstance(item, Node) for item in items):
            nodes = "".join(
                self._node(item, language) if self._is_nested(item) else self._mention(item)
                for item in items
            )
            return f'<{tag} rdf:parseType="Collection">{nodes}</{tag}>'
        first, rest = items[0], items[1:]
        cells = self._property("rdf:first", first, language)
        if rest:
            cells += self._list("rdf:rest", rest, language)
        else:
            cells += f'<rdf:rest rdf:resource="{_iri("rdf:nil")}"/>'
        return f'<{tag} rdf:parseType="Resource">{cells}</{tag}>'

    def _mention(self, node: Node) -> str:
        if node.is_blank:
            return f'<rdf:Description rdf:nodeID="{node.name[2:]}"/>'
        return f"<rdf:Description rdf:about={self._reference(node)}/>"

    def _text(self, tag: str, value: Text, scope: str) -> str:
        text, language, datatype = value
        written = self._one([escape(text), escape(text), f"<![CDATA[{text}]]>",
                             "".join(f"&#{ord(one)};" for one in text)])  # fmt: skip
        attributes = f' rdf:datatype="{self._one([datatype, "&token;"])}"' if datatype else ""
        if language != scope and not datatype:
            attributes = f' xml:lang="{language}"'
        return f"<{tag}{attributes}>{written}</{tag}>"


class _Json(_Writer):
    def document(self) -> str:
        paths = {path for said in self._said.values() for path, _ in said}
        self._aliases = self._chance(0.3)
        self._language = self._one(["", "", "en"])
        # Distributions that name their dataset, which does not name them.
        self._reversed = {node for node in self._on_top() if self._chance(0.3)}
        context: dict[str, Any] = dict(NAMESPACES)
        context |= {"@vocab": NAMESPACES["dct"]} if self._chance(0.3) else {}
        context |= {"@language": self._language} if self._language else {}
        self._has_vocabulary = "@vocab" in context
        if self._aliases:
            context |= {"id": "@id", "type": "@type", "value": "@value", "graph": "@graph"}
        for path in sorted(paths):
            local = path.partition(":")[2]
            context[f"{local}Ref"] = {"@id": path, "@type": "@id"}
            context[f"{local}Index"] = {"@id": path, "@container": "@index"}
            context[f"{local}Set"] = {"@id": path, "@container": "@set"}
            context[f"{local}List"] = {"@id": path, "@container": "@list"}
            context[f"{local}Langs"] = {"@id": path, "@container": "@language"}
            context[f"{local}Ids"] = {"@id": path, "@container": "@id"}
            context[f"{local}Types"] = {"@id": path, "@container": "@type"}
            context[f"{local}Nested"] = {"@id": path, "@nest": "nested"}
        context |= {"nested": "@nest", "isDistributionOf": {"@reverse": "dcat:distribution"}}
        nodes = [self._node(node) for node in self._on_top()]
        graph = self._word("@graph")
        if self._graph:
            document: Any = {"@context": context, "@id": self._graph, graph: nodes}
        elif len(nodes) > 1 and self._chance(0.3):
            document = {"@context": context, **nodes[0], "@included": nodes[1:]}
        else:
            document = self._one(
                [
                    {"@context": context, graph: nodes},
                    {"@context": context, graph: nodes if len(nodes) > 1 else nodes[0]},
                    [{"@context": context, **node} for node in nodes],
                ]
            )
        return json.dumps(document, indent=self._one([None, 1, 2]))

    def _word(self, keyword: str) -> str:
        return keyword[1:] if self._aliases and self._chance(0.8) else keyword

    def _node(self, node: Node) -> dict[str, Any]:
        written: dict[str, Any] = {}
        if not self._is_anonymous(node) or self._chance(0.2):
            written[self._word("@id")] = node.name
        for path, value in self._said[node]:
            if path != "dcat:distribution" or value not in self._reversed:
                self._add(written, path, value)
        for whole in self._wholes(node) if node in self._reversed else ():
            link = {self._word("@id"): whole.name}
            backwards = {"isDistributionOf": link, "@reverse": {"dcat:distribution": [link]}}
            key = self._one(list(backwards))
            written[key] = backwards[key]
        return written

    def _wholes(self, node: Node) -> list[Node]:
        return [one for one, said in self._said.items() if ("dcat:distribution", node) in said]

    def _add(self, written: dict[str, Any], path: str, value: Value) -> None:
        """Add a member, or a value to one that is there."""
        key, new = self._one(self._members(path, value))
        into = written.setdefault("nested", {}) if key.endswith("Nested") else written
        if key not in into:
            into[key] = new
        elif isinstance(into[key], dict) and key.endswith(("Index", "Langs", "Ids", "Types")):
            known, other = into[key], dict(new)
            for name, one in other.items():
                there = known.get(name, [])
                known[name] = [*(there if isinstance(there, list) else [there]), one]
        elif key.endswith("List"):
            self._extend(written, path, {"@list": new})
        else:
            self._extend(into, key, new)

    def _members(self, path: str, value: Value) -> list[tuple[str, Any]]:
        """Return members that say a value."""
        local = path.partition(":")[2]
        key, new = path, self._value(value)
        options = [
            *[(key, new), (key, new), (_iri(path), new), (key, {"@set": [new]})],
            *[(f"{local}Index", {"a": new}), (f"{local}Set", [new]), (f"{local}Nested", new)],
        ]
        if self._has_vocabulary and path.startswith("dct:"):
            options.append((local, new))
        if path == "rdf:type":
            return [(self._word("@type"), new["@id"] if "@id" in new else new.get("id"))]
        if isinstance(value, Listed):
            return [(key, new), (f"{local}List", new["@list"])]
        if not isinstance(value, Node):
            text, language, _ = value
            if language:
                options.append((f"{local}Langs", {language: text}))
        elif set(new) <= {"@id", "id"}:
            options.append((f"{local}Ref", value.name))
        elif not value.is_blank:
            inner = {name: one for name, one in new.items() if name not in {"@id", "id"}}
            options.append((f"{local}Ids", {value.name: inner}))
        elif isinstance(new.get("@type"), str) and not new.keys() & {"@id", "id"}:
            # Oxigraph reads no node with a name in a map of types.
            inner = {name: one for name, one in new.items() if name != "@type"}
            options.append((f"{local}Types", {new["@type"]: inner}))
        return options

    @staticmethod
    def _extend(into: dict[str, Any], key: str, new: Any) -> None:
        there = into.get(key, [])
        both = [*(there if isinstance(there, list) else [there])]
        into[key] = [*both, *(new if isinstance(new, list) else [new])]

    def _value(self, value: Value) -> Any:
        if isinstance(value, Listed):
            return {"@list": [self._value(item) for item in value.items]}
        if not isinstance(value, Node):
            text, language, datatype = value
            if language and (language != self._language or self._chance(0.5)):
                return {self._word("@value"): text, "@language": language}
            if language:
                return text
            if datatype:
                return {self._word("@value"): text, self._word("@type"): datatype}
            form = {self._word("@value"): text}
            return form if self._language else self._one([text, form])
        if self._is_nested(value):
            return self._node(value)
        return {self._word("@id"): value.name}


SHAPES: dict[str, Callable[..., str]] = {
    "nt": lambda *drawn: _Lines(*drawn).document(),
    "ttl": lambda *drawn: _Turtle(*drawn).document(),
    "rdf": lambda *drawn: _Xml(*drawn).document(),
    "jsonld": lambda *drawn: _Json(*drawn).document(),
}
IN_A_GRAPH = {"nq": SHAPES["nt"], "trig": SHAPES["ttl"], "jsonld": SHAPES["jsonld"]}
"""The writers of documents by the endings of their names, and those that write a named graph."""
