"""Documents of JSON-LD with contexts of any kind, drawn at random."""

from __future__ import annotations

from typing import Any

from drawing import LABELS, Drawing

__all__ = ["document"]

FORMAT, MEDIA_TYPE = "http://purl.org/dc/terms/format", "http://www.w3.org/ns/dcat#mediaType"
PART = "http://e.example/part"
IRIS = [
    "https://www.iana.org/assignments/media-types/text/csv",
    "http://publications.europa.eu/resource/authority/file-type/CSV",
    "http://a.example/x",
]
# Members of a term's definition besides its IRI; the values of the last few are maps.
DEFINITIONS: list[dict[str, Any]] = [
    {},
    {"@type": "@id"},
    {"@type": "@vocab"},
    {"@type": "@none"},
    {"@type": "http://www.w3.org/2001/XMLSchema#string"},
    {"@language": "de"},
    {"@language": None},
    {"@nest": "@nest"},
    {"@container": "@set"},
    {"@container": "@list"},
    {"@container": "@language"},
    {"@container": ["@language", "@set"]},
    {"@container": "@index"},
    {"@container": ["@index", "@set"]},
]
CONTAINERS = ["@set", "@list", "@index", "@id", "@graph", "@type"]
# Parts of contexts, each of which is there or not.
MORE: list[dict[str, Any]] = [
    {"@vocab": "http://v.example/"},
    {"@language": "en"},
    {"id": "@id", "type": "@type"},
    {"value": "@value"},
    {"graph": "@graph"},
    {"dct": "http://purl.org/dc/terms/"},
    {"wholes": {"@reverse": PART}},
]
NAMES = ["format", "mediaType", FORMAT, "ex:q", "dct:format", "unknown", ""]
LANGUAGES = ["en", "de", "en_US", "@none"]


def document(seed: int) -> Any:
    """Return the document that a number stands for."""
    return _Drawn(seed).document()


class _Drawn(Drawing):
    """A document: nodes with labels, in one another."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._nodes = 0
        part: dict[str, Any] = {"@id": PART}
        if self._chance(0.2):
            part["@context"] = {"format": self._term(MEDIA_TYPE, DEFINITIONS[:10])}
        if self._chance(0.2):
            part["@container"] = self._one(CONTAINERS)
        self.context = {
            "format": self._term(FORMAT),
            "mediaType": self._term(MEDIA_TYPE),
            "ex": "http://e.example/",
            "part": part,
        }
        for more in MORE:
            if self._chance(0.2):
                self.context |= more

    def document(self) -> Any:
        """Return the document."""
        # One triple is always there.
        node = {**self._node(), "ex:q": "x"}
        return self._one(
            [
                {"@context": self.context, **node},
                {"@context": self.context, self._name("@graph"): [node, self._node()]},
                {"@context": [self.context, {"x": "http://e.example/x"}], **node},
                [{"@context": self.context, **node}, {"@context": self.context, **self._node()}],
                {"@context": self.context, "@id": "http://g.example/g", "@graph": [node]},
            ]
        )

    def _name(self, keyword: str) -> str:
        """Return a keyword, or the term that stands for it."""
        return next((name for name, meaning in self.context.items() if meaning == keyword), keyword)

    def _term(self, iri: str, definitions: list[dict[str, Any]] = DEFINITIONS) -> dict[str, Any]:
        return {"@id": iri, **self._one(definitions)}

    def _node(self, depth: int = 0) -> dict[str, Any]:
        node: dict[str, Any] = {}
        if self._chance(0.7):
            self._nodes += 1
            names = (f"http://d.example/{self._nodes}", f"d{self._nodes}", f"_:b{self._nodes}")
            node[self._name("@id")] = self._one(names)
        if self._chance(0.3):
            node[self._name("@type")] = self._one(["ex:T", ["ex:T", "ex:U"]])
        for _ in range(self._number(1, 3)):
            name = self._one(NAMES)
            node[name] = self._value(name)
        if depth < 3:
            self._add_nodes(node, depth + 1)
        return node

    def _add_nodes(self, node: dict[str, Any], depth: int) -> None:
        """Put other nodes into a node."""
        if self._chance(0.5):
            inner = [self._node(depth) for _ in range(self._number(1, 2))]
            is_map = self.context["part"].get("@container") in {"@index", "@id", "@type"}
            keyed = {f"http://k.example/{key}": one for key, one in enumerate(inner)}
            node["part"] = keyed if is_map else inner
        if "wholes" in self.context and self._chance(0.2):
            node["wholes"] = self._node(depth)
        if self._chance(0.05):
            node["@included"] = [self._node(depth)]
        if self._chance(0.05):
            node["@nest"] = {"format": self._one(LABELS)}
        if self._chance(0.05):
            node["@context"] = {"format": self._term(FORMAT, DEFINITIONS[:10])}

    def _value(self, name: str) -> Any:
        definition = self.context.get(name, {})
        container = str(definition.get("@container", ""))
        if "@language" in container:
            languages = self._random.sample(LANGUAGES, 2)
            return {language: self._one(LABELS) for language in languages}
        if "@index" in container:
            return {"a": self._scalars(), "@none": self._scalar()}
        if self._chance(0.1):
            return {self._one(["@list", "@set"]): [self._scalar(), self._scalar()]}
        return self._scalars()

    def _scalars(self) -> Any:
        few = [self._scalar() for _ in range(self._number(0, 3))]
        return few if self._chance(0.4) else self._scalar()

    def _scalar(self) -> Any:
        label, iri = self._one(LABELS), self._one(IRIS)
        others = [
            {self._name("@value"): label},
            {"@value": label, "@language": "fr"},
            {"@id": iri},
            {"@id": iri, "http://e.example/p": "x"},
            iri,
            None,
            True,
            1.5,
        ]
        return label if self._chance(0.6) else self._one(others)
