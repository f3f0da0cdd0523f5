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

__all__ = ["IMPORTED", "IN_A_GRAPH", "NAMESPACES", "SHAPES", "Described", "described",
           "statements_of"]  # fmt: skip

NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dct": "http://purl.org/dc/terms/",
    "dcat": "http://www.w3.org/ns/dcat#",
}
BASE = "http://d.example/"
XSD = "http://www.w3.org/2001/XMLSchema#"
IMPORTED = "names.jsonld"
"""The file beside a document of JSON-LD whose context has the prefixes."""
CATALOGUE, HAS_PART = f"{BASE}catalogue", "http://purl.org/dc/terms/hasPart"
TOKEN = f"{XSD}token"
# Texts that each syntax writes in another way, and literals that some write without quotes.
TEXTS = ["CSV\n\"a\" \\ 'b'", "<b>CSV</b> ]]>", "é\t\U0001f600 # ;"]
SHORT = [("7", "", f"{XSD}integer"), ("true", "", f"{XSD}boolean"), ("1.5", "", f"{XSD}decimal")]
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


class Said(NamedTuple):
    """A triple term: a statement that others are about."""

    subject: Node
    path: str
    value: Any


Value = Node | Listed | Said | Text
Described = dict[Node, list[tuple[str, Value]]]
"""What is said of each node: names of properties, and values."""


def _iri(name: str) -> str:
    prefix, _, local = name.partition(":")
    return NAMESPACES[prefix] + local


def described(seed: int, *, reified: bool = False) -> Described:
    """Return the catalogue that a number stands for, in RDF 1.2 perhaps."""
    catalogue = _Catalogue(seed)
    if reified:
        catalogue.reify()
    return catalogue.described


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

    def reify(self) -> None:
        """Let other nodes be about some statements, and give some texts a direction."""
        for node, said in list(self.described.items()):
            for number, (path, value) in enumerate(said):
                if isinstance(value, Listed):
                    continue
                if isinstance(value, tuple) and value[1:] == ("en", "") and self._chance(0.3):
                    said[number] = path, (value[0], "en--ltr", "")
                elif self._chance(0.3):
                    reifier = self._node("claim")
                    statement = Said(node, path, value)
                    source = ("dct:source", Node(self._one(IRIS)))
                    self.described[reifier] = [("rdf:reifies", statement), source]

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
        if self._chance(0.1):
            return self._one([*SHORT, *((text, "en", "") for text in TEXTS)])
        return self._one(LABELS), *self._one([("", ""), ("", ""), ("en", ""), ("", TOKEN)])

    def _value(self, depth: int = 0) -> Value:
        if self._chance(0.35):
            return self._text()
        if self._chance(0.2):
            return Node(self._one(IRIS))
        if self._chance(0.15 if depth < 1 else 0.03):
            return Listed(tuple(self._value(1) for _ in range(self._number(0, 2))))
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
    name: Any = _graph_name(graph) if graph else ox.DefaultGraph()
    if graph:
        # What has the graph is said outside of it.
        yield ox.Quad(ox.NamedNode(CATALOGUE), ox.NamedNode(HAS_PART), name)

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
        if isinstance(value, Said):
            return ox.Triple(term(value.subject), ox.NamedNode(_iri(value.path)), term(value.value))
        text, language, datatype = value
        if language.endswith("--ltr"):
            tag = language.removesuffix("--ltr")
            return ox.Literal(text, language=tag, direction=ox.BaseDirection.LTR)
        if datatype:
            return ox.Literal(text, datatype=ox.NamedNode(datatype))
        return ox.Literal(text, language=language or None)

    cells: list[ox.Quad] = []
    for node, said in catalogue.items():
        for path, value in said:
            yield ox.Quad(term(node), ox.NamedNode(_iri(path)), term(value), name)
    yield from cells


def _graph_name(graph: str) -> Any:
    return ox.BlankNode(graph[2:]) if graph.startswith("_:") else ox.NamedNode(graph)


class _Writer(Drawing):
    """Writes each node once, inside of another one or beside it."""

    def __init__(self, catalogue: Described, seed: int, graph: str = "") -> None:
        super().__init__(seed)
        self._graph = graph
        self._nodes = list(catalogue)
        self._random.shuffle(self._nodes)
        self._said = {node: self._shuffled(catalogue[node]) for node in self._nodes}
        values = [value for said in catalogue.values() for _, value in said]
        for value in values:
            if isinstance(value, Listed):
                values += value.items
            elif isinstance(value, Said):
                # It needs names that stand elsewhere too.
                values += [value.subject, value.subject, value.value, value.value]
        self._uses = {node: values.count(node) for node in catalogue}
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
        self._prefixes, self._base = {**NAMESPACES, "d": BASE}, BASE
        self._line_end = self._one(["\n", "\n", "\r\n"])
        parts = [self._directive(name, iri) for name, iri in self._prefixes.items()]
        parts.append(self._directive(None, BASE))
        on_top = self._on_top()
        # The nodes that stand in annotations, by the statement.
        self._about: dict[Said, list[Node]] = {}
        for node in list(on_top):
            statement = self._reified(node)
            if statement and self._chance(0.6):
                self._about.setdefault(statement, []).append(node)
                on_top.remove(node)
        while on_top:
            nodes = [on_top.pop() for _ in range(self._number(1, len(on_top)))]
            if self._chance(0.3):
                parts += self._other_names()
            body = "\n".join(map(self._block, nodes))
            if self._graph:
                body = f"{self._one(['', 'GRAPH '])}{self._name(Node(self._graph))} {{\n{body}\n}}"
            parts.append(body)
        if self._graph:
            link = f"{self._iri(CATALOGUE)} {self._iri(HAS_PART)} {self._name(Node(self._graph))} ."
            parts.append(link)
        mark = self._one(["", "", "\ufeff"])
        return mark + "\n".join([*parts, ""]).replace("\n", self._line_end)

    def _directive(self, name: str | None, iri: str) -> str:
        named = "base" if name is None else f"prefix {name}:"
        return self._one([f"@{named} <{iri}> .", f"{named.upper()} <{iri}>".replace(
            f"{name}:".upper(), f"{name}:")])  # fmt: skip

    def _other_names(self) -> Iterator[str]:
        """Yield directives that let prefixes and relative references stand for other IRIs."""
        names = list(NAMESPACES)
        for name, other in zip(names, self._shuffled(names), strict=True):
            if self._chance(0.3):
                self._prefixes[name] = NAMESPACES[other]
                yield self._directive(name, NAMESPACES[other])
        if self._chance(0.5):
            self._base = self._one([BASE, f"{BASE}sub/", "http://e.example/"])
            yield self._directive(None, self._base)

    def _space(self) -> str:
        return self._one([" ", " ", " ", "\n  ", ' # a . comment ; "<\n'])

    def _iri(self, iri: str) -> str:
        """Return an IRI in one of its spellings."""
        at = self._number(0, len(iri) - 1)
        options = [f"<{iri}>", f"<{iri}>", f"<{iri[:at]}\\u{ord(iri[at]):04x}{iri[at + 1 :]}>"]
        local = iri.removeprefix(BASE)
        if local != iri and self._base.startswith(BASE):
            options += [f"<{'../' if self._base != BASE else ''}{local}>"] * 2
        for name, namespace in self._prefixes.items():
            local = iri.removeprefix(namespace)
            if local != iri and "/" not in local:
                escaped = local.replace(".", self._one([".", "\\."])).replace("_", "\\_")
                options += [f"{name}:{escaped}"] * 3
        return self._one(options)

    def _reified(self, node: Node) -> Said | None:
        """Return the statement that a node reifies, if that is one."""
        said = [value for path, value in self._said[node] if path == "rdf:reifies"]
        return said[0] if len(said) == 1 and isinstance(said[0], Said) else None

    def _annotations(self, node: Node, path: str, value: Value) -> str:
        """Return the annotations of a statement (Turtle 1.2 section 2.11)."""
        text = ""
        for reifier in self._about.get(Said(node, path, value), ()):
            said = [one for one in self._said[reifier] if one[0] != "rdf:reifies"]
            name = "" if self._is_anonymous(reifier) else f" ~ {self._name(reifier)}"
            text += f"{name}{self._space()}{{| {self._pairs(said, reifier)} |}}"
        return text

    def _block(self, node: Node) -> str:
        said = self._said[node]
        if not said:
            return ""
        statement = self._reified(node)
        if statement and self._chance(0.5):
            name = "" if self._is_anonymous(node) else f" ~ {self._name(node)}"
            others = [one for one in said if one[0] != "rdf:reifies"]
            return f"<< {self._triple(statement)}{name} >> {self._pairs(others, node)} ."
        if self._is_anonymous(node) and self._chance(0.5):
            return f"[ {self._pairs(said, node)} ]{self._space()}."
        cut = self._number(1, len(said)) if self._chance(0.2) else len(said)
        parts = filter(None, (said[:cut], said[cut:]))
        return "\n".join(f"{self._name(node)} {self._pairs(part, node)} ." for part in parts)

    def _name(self, node: Node) -> str:
        if node.is_blank:
            return node.name
        return self._iri(node.name)

    def _triple(self, statement: Said) -> str:
        name, path, value = statement
        # Oxigraph reads no long string there.
        written = self._value(value).replace("\n", "\\n")
        written = written.replace('"""', '"').replace("'''", "'")
        return f"{self._name(name)} {self._iri(_iri(path))} {written}"

    def _pairs(self, said: list[tuple[str, Value]], node: Node) -> str:
        pairs: list[str] = []
        last = ""
        for path, value in said:
            text = self._value(value) + self._annotations(node, path, value)
            if path == last and self._chance(0.7):
                pairs[-1] += f"{self._space()},{self._space()}{text}"
            else:
                verb = "a" if path == "rdf:type" and self._chance(0.7) else self._iri(_iri(path))
                pairs.append(f"{verb}{self._space()}{text}")
            last = path
        between = f"{self._space()};\n    "
        return between.join(pairs) + self._one(["", " ;", " ;; "]) * bool(pairs)

    def _value(self, value: Value) -> str:
        if isinstance(value, Listed):
            return f"({self._space()}{self._space().join(map(self._value, value.items))} )"
        if isinstance(value, Said):
            return f"<<( {self._triple(value)} )>>"
        if not isinstance(value, Node):
            text, language, datatype = value
            if value in SHORT and self._chance(0.7):
                return text
            end = f"@{language}" if language else f"^^{self._iri(datatype)}" if datatype else ""
            return self._string(text) + end
        if self._is_anonymous(value):
            return f"[ {self._pairs(self._said[value], value)} ]"
        return self._name(value)

    def _string(self, text: str) -> str:
        """Return a text in one kind of quotation marks."""
        escaped = json.dumps(text, ensure_ascii=self._chance(0.3))[1:-1]
        if "\\ud8" in escaped:  # Turtle has no halves of characters
            escaped = json.dumps(text, ensure_ascii=False)[1:-1]
        quote = self._one(['"', '"', "'", '"""', "'''"])
        written = escaped.replace("'", "\\'")
        if len(quote) > 1 and self._line_end == "\n":
            written = written.replace("\\n", self._one(["\\n", "\n"]))
        return f"{quote}{written}{quote}"


class _Lines(_Writer):
    def document(self) -> str:
        quads = statements_of(self._said, self._graph)
        text = ox.serialize(quads, format=ox.RdfFormat.N_QUADS).decode()
        lines = [f"{line}\n" for line in text.split("\n") if line]
        return "".join(self._shuffled(lines))


class _Xml(_Writer):
    def document(self) -> str:
        language = self._one(["", "", "en"])
        self._default = self._one([None, "dct", "dcat"])
        self._has_base = self._chance(0.5)
        # How deep the base is that counts at a place, under the one of the file.
        self._depth = 0
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
        start = f'<!DOCTYPE rdf:RDF [<!ENTITY xsd "{XSD}"> <!ENTITY base "{BASE}">]>\n'
        on_top = self._on_top()
        if len(on_top) == 1 and self._chance(0.5):
            # rdf:RDF is not needed around one node.
            return start + self._node(on_top[0], language, around + own)
        between = [f"{self._aside()}\n{self._node(node, language, own)}" for node in on_top]
        return f"{start}<rdf:RDF{around}>{''.join(between)}\n{self._aside()}</rdf:RDF>\n"

    def _aside(self) -> str:
        """Return what says nothing: a comment or a processing instruction, or nothing."""
        return self._one([""] * 8 + ["<!-- <rdf:value>CSV</rdf:value> -->", "<?a <b/> ?>", "\n\t"])

    def _tag(self, name: str) -> str:
        prefix, _, local = name.partition(":")
        return local if prefix == self._default and self._chance(0.7) else name

    def _reference(self, node: Node) -> str:
        local = node.name.removeprefix(BASE)
        relative = [f"/{local}", "../" * self._depth + local] if self._has_base else []
        relative = relative if local != node.name else []
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
        depth = self._depth
        if self._has_base and not own and self._chance(0.2):
            self._depth += 1
            base = self._one(["sub/", f"/{'sub/' * self._depth}", f"{BASE}{'sub/' * self._depth}"])
            attributes += f' xml:base="{base}"'
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
        text = f"<{tag}{attributes}>{self._properties(inside, language)}</{tag}>"
        self._depth = depth
        return text

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
        texts = [self._aside() + self._property(path, value, language) for path, value in ordered]
        return "\n  ".join(["", *texts]) + "\n" * bool(texts) + self._aside()

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
        before, after = self._one(["", "\n"]) + self._aside(), self._aside()
        return f"<{tag}{scope}>{before}{self._node(value, inner)}{after}</{tag}>"

    def _list(self, tag: str, items: tuple[Any, ...], language: str) -> str:
        if all(isinstance(item, Node) for item in items):
            nodes = "".join(
                self._node(item, language) if self._is_nested(item) else self._mention(item)
                for item in items
            )
            aside = self._aside()
            return f'<{tag} rdf:parseType="Collection">{aside}{nodes}</{tag}>'
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
        marked = text.replace("]]>", "]]]]><![CDATA[>")
        references = "".join(f"&#{ord(one)};" for one in text)
        written = self._one([escape(text), escape(text), f"<![CDATA[{marked}]]>", references])
        datatype = self._one([datatype, datatype.replace(XSD, "&xsd;")])
        attributes = f' rdf:datatype="{datatype}"' if datatype else ""
        if language != scope and not datatype:
            attributes = f' xml:lang="{language}"'
        # A comment in a text is no part of it.
        return f"<{tag}{attributes}>{self._aside().strip()}{written}</{tag}>"


class _Json(_Writer):
    def document(self) -> str:
        paths = {path for said in self._said.values() for path, _ in said}
        self._aliases = self._chance(0.3)
        self._language = self._one(["", "", "en"])
        # Distributions that name their dataset, which does not name them.
        self._reversed = {node for node in self._on_top() if self._chance(0.3)}
        self._is_protected = self._chance(0.3)
        context: dict[str, Any] = dict(NAMESPACES)
        if self._chance(0.3):
            context = {"@version": 1.1, "@import": IMPORTED}
        context |= {"@vocab": NAMESPACES["dct"]} if self._chance(0.3) else {}
        context |= {"@language": self._language} if self._language else {}
        self._has_vocabulary = "@vocab" in context
        if self._aliases:
            context |= {"id": "@id", "type": "@type", "value": "@value", "graph": "@graph"}
        context |= {"@base": BASE} if self._chance(0.5) else {}
        self._has_base = "@base" in context
        inner = {"label": _iri("rdfs:label"), "value": "rdf:value", "prefLabel": "skos:prefLabel"}
        if self._aliases:
            del inner["value"]
        for path in sorted(paths):
            local = path.partition(":")[2]
            context[f"{local}Vocab"] = {"@id": path, "@type": "@vocab"}
            context[f"{local}Token"] = {"@id": path, "@type": TOKEN}
            context[f"{local}De"] = {"@id": path, "@language": "de"}
            context[f"{local}Plain"] = {"@id": path, "@language": None}
            context[f"{local}Scoped"] = {"@id": path, "@context": inner}
            context[f"{local}Ref"] = {"@id": path, "@type": "@id"}
            index = self._one(["@index", ["@index"], ["@index", "@set"]])
            context[f"{local}Index"] = {"@id": path, "@container": index}
            context[f"{local}Set"] = {"@id": path, "@container": "@set"}
            context[f"{local}List"] = {"@id": path, "@container": "@list"}
            langs = self._one(["@language", ["@language", "@set"]])
            context[f"{local}Langs"] = {"@id": path, "@container": langs}
            context[f"{local}Ids"] = {"@id": path, "@container": "@id"}
            context[f"{local}Types"] = {"@id": path, "@container": "@type"}
            context[f"{local}Nested"] = {"@id": path, "@nest": "nested"}
        context |= {"nested": "@nest", "isDistributionOf": {"@reverse": "dcat:distribution"}}
        nodes = [self._node(node) for node in self._on_top()]
        graph = self._word("@graph")
        if self._is_protected:
            context["@version"] = 1.1
            context["@protected"] = True
        if not self._graph and self._chance(0.1):
            # What a tool writes: expanded, with all nodes beside one another.
            return ox.serialize(statements_of(self._said), format=ox.RdfFormat.JSON_LD).decode()
        if self._graph:
            document: Any = {"@context": context, **self._in_a_graph(context, nodes)}
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

    def _in_a_graph(self, context: dict[str, Any], nodes: list[Any]) -> dict[str, Any]:
        """Return the members of a catalogue that has some nodes in a graph."""
        name, graph = self._word("@id"), self._word("@graph")
        inside = {name: self._graph, graph: nodes}
        link = {name: CATALOGUE, HAS_PART: {name: self._graph}}
        options: list[dict[str, Any]] = [
            {graph: [link, inside]}, {name: CATALOGUE, HAS_PART: inside},
            {name: CATALOGUE, "partById": {self._graph: nodes}},
        ]  # fmt: skip
        if self._graph.startswith("_:"):
            # Nothing else names it.  Each object there is a graph.
            one = {"@included": nodes} if len(nodes) > 1 else nodes[0]
            options = [
                {name: CATALOGUE, HAS_PART: {graph: nodes}},
                {name: CATALOGUE, "part": one},
                {name: CATALOGUE, "partByIndex": {"a": one}},
            ]
        part = {"@id": HAS_PART}
        context["part"] = part | {"@container": self._one(["@graph", ["@graph", "@set"]])}
        context["partById"] = part | {"@container": ["@graph", "@id"]}
        context["partByIndex"] = part | {"@container": ["@graph", "@index"]}
        return self._one(options)

    def _word(self, keyword: str) -> str:
        return keyword[1:] if self._aliases and self._chance(0.8) else keyword

    def _node(self, node: Node) -> dict[str, Any]:
        written: dict[str, Any] = {}
        if not self._is_anonymous(node) or self._chance(0.2):
            written[self._word("@id")] = self._reference(node)
        for path, value in self._said[node]:
            if path != "dcat:distribution" or value not in self._reversed:
                self._add(written, path, value)
        for whole in self._wholes(node) if node in self._reversed else ():
            link = {self._word("@id"): self._reference(whole)}
            backwards = {"isDistributionOf": link, "@reverse": {"dcat:distribution": [link]}}
            key = self._one(list(backwards))
            written[key] = backwards[key]
        return written

    def _reference(self, node: Node) -> str:
        """Return the name of a node, in the base of the document perhaps."""
        local = node.name.removeprefix(BASE)
        return self._one([node.name, local, f"/{local}"] if self._has_base and local != node.name
                         else [node.name])  # fmt: skip

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
            short = [f"{name}:{value.name.removeprefix(iri)}" for name, iri in NAMESPACES.items()
                     if value.name.startswith(iri)]  # fmt: skip
            types = [(self._word("@type"), name) for name in (value.name, *short)]
            return [*types, ("typeRef", value.name), ("typeVocab", value.name)]
        if isinstance(value, Listed):
            return [(key, new), (f"{local}List", new["@list"])]
        if not isinstance(value, Node):
            options += self._of_text(path, value)
        elif set(new) <= {"@id", "id"}:
            options += [(f"{local}Ref", self._reference(value)), (f"{local}Vocab", value.name)]
        elif not value.is_blank:
            inner = {name: one for name, one in new.items() if name not in {"@id", "id"}}
            options.append((f"{local}Ids", {self._reference(value): inner}))
        elif isinstance(new.get("@type"), str) and not new.keys() & {"@id", "id"}:
            # Oxigraph reads no node with a name in a map of types.
            inner = {name: one for name, one in new.items() if name != "@type"}
            options.append((f"{local}Types", {new["@type"]: inner}))
        if isinstance(value, Node) and not set(new) <= {"@id", "id"}:
            scoped = {key.removeprefix("rdfs:").removeprefix("skos:"): new[key] for key in new}
            options.append((key, {"@context": {"f": "rdf:value"}, **new}))
            if not (self._is_protected or any(name.startswith("rdfs:") for name in new)):
                # The nodes inside of it have the prefix as it was.
                own = {"@propagate": False, "rdfs": "http://o.example/"}
                options.append((key, {"@context": own, **new}))
            options += [(f"{local}Scoped", scoped)] * (len(scoped) == len(new))
        return options

    @staticmethod
    def _of_text(path: str, value: Text) -> list[tuple[str, Any]]:
        """Return members that say a text, beside those that say any value."""
        (text, language, datatype), local = value, path.partition(":")[2]
        options: list[tuple[str, Any]] = []
        if language:
            options.append((f"{local}Langs", {language: text}))
        elif not datatype:
            options += [(f"{local}Langs", {"@none": text}), (f"{local}Plain", text)]
        if language == "de":
            options.append((f"{local}De", text))
        if datatype == TOKEN:
            options.append((f"{local}Token", text))
        if value in SHORT and datatype != f"{XSD}decimal":
            options.append((path, json.loads(text)))
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
        return {self._word("@id"): self._reference(value)}


SHAPES: dict[str, Callable[..., str]] = {
    "nt": lambda *drawn: _Lines(*drawn).document(),
    "ttl": lambda *drawn: _Turtle(*drawn).document(),
    "rdf": lambda *drawn: _Xml(*drawn).document(),
    "jsonld": lambda *drawn: _Json(*drawn).document(),
}
IN_A_GRAPH = {"nq": SHAPES["nt"], "trig": SHAPES["ttl"], "jsonld": SHAPES["jsonld"]}
"""The writers of documents by the endings of their names, and those that write a named graph."""
