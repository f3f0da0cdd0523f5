"""Documents of JSON-LD with contexts of any kind, drawn at random."""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["document"]

FORMAT, MEDIA_TYPE = "http://purl.org/dc/terms/format", "http://www.w3.org/ns/dcat#mediaType"
PART = "http://e.example/part"
LABELS = ["CSV", "text/csv", "Excel", "flurbel", "csv.gz", "application/json", "ZIP"]
IRIS = [
    "https://www.iana.org/assignments/media-types/text/csv",
    "http://publications.europa.eu/resource/authority/file-type/CSV",
    "http://a.example/x",
]
# What a term may be besides its IRI; the values of the last few are maps.
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
LANGUAGES = ["en", "de", "en_US", "@none"]


def document(seed: int) -> Any:
    """Return the document that a number stands for."""
    return _Drawn(Random(seed)).document()  # noqa: S311 - nothing secret


class _Drawn:
    """A document that is drawn by `random`: nodes with labels, in one another."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._nodes = 0
        part: dict[str, Any] = {"@id": PART}
        if self._is(0.2):
            part["@context"] = {"format": self._term(MEDIA_TYPE, DEFINITIONS[:10])}
        if self._is(0.2):
            part["@container"] = random.choice(CONTAINERS)
        self.context = {
            "format": self._term(FORMAT),
            "mediaType": self._term(MEDIA_TYPE),
            "ex": "http://e.example/",
            "part": part,
        }
        for more in MORE:
            if self._is(0.2):
                self.context |= more

    def document(self) -> Any:
        """Return the document."""
        # One triple is there whatever else is read.
        node = {**self._node(), "ex:q": "x"}
        return self._random.choice(
            [
                {"@context": self.context, **node},
                {"@context": self.context, self._name("@graph"): [node, self._node()]},
                {"@context": [self.context, {"x": "http://e.example/x"}], **node},
                [{"@context": self.context, **node}, {"@context": self.context, **self._node()}],
                {"@context": self.context, "@id": "http://g.example/g", "@graph": [node]},
            ]
        )

    def _is(self, probability: float) -> bool:
        return self._random.random() < probability

    def _name(self, keyword: str) -> str:
        """Return a keyword, or the term that stands for it."""
        return next((name for name, meaning in self.context.items() if meaning == keyword), keyword)

    def _term(self, iri: str, definitions: list[dict[str, Any]] = DEFINITIONS) -> dict[str, Any]:
        return {"@id": iri, **self._random.choice(definitions)}

    def _node(self, depth: int = 0) -> dict[str, Any]:
        random, node = self._random, {}
        if self._is(0.7):
            self._nodes += 1
            names = (f"http://d.example/{self._nodes}", f"d{self._nodes}", f"_:b{self._nodes}")
            node[self._name("@id")] = random.choice(names)
        if self._is(0.3):
            node[self._name("@type")] = random.choice(["ex:T", ["ex:T", "ex:U"]])
        for _ in range(random.randint(1, 3)):
            name = random.choice(["format", "mediaType", FORMAT, "ex:q", "dct:format", "unknown"])
            node[name] = self._value(name)
        if depth < 3:
            self._add_nodes(node, depth + 1)
        return node

    def _add_nodes(self, node: dict[str, Any], depth: int) -> None:
        """Put other nodes into a node."""
        if self._is(0.5):
            inner = [self._node(depth) for _ in range(self._random.randint(1, 2))]
            is_map = self.context["part"].get("@container") in {"@index", "@id", "@type"}
            keyed = {f"http://k.example/{key}": one for key, one in enumerate(inner)}
            node["part"] = keyed if is_map else inner
        if "wholes" in self.context and self._is(0.2):
            node["wholes"] = self._node(depth)
        if self._is(0.05):
            node["@included"] = [self._node(depth)]
        if self._is(0.05):
            node["@nest"] = {"format": self._random.choice(LABELS)}
        if self._is(0.05):
            node["@context"] = {"format": self._term(FORMAT, DEFINITIONS[:10])}

    def _value(self, name: str) -> Any:
        definition = self.context.get(name, {})
        container = str(definition.get("@container", ""))
        if "@language" in container:
            languages = self._random.sample(LANGUAGES, 2)
            return {language: self._random.choice(LABELS) for language in languages}
        if "@index" in container:
            return {"a": self._scalars(), "@none": self._scalar()}
        if self._is(0.1):
            return {self._random.choice(["@list", "@set"]): [self._scalar(), self._scalar()]}
        return self._scalars()

    def _scalars(self) -> Any:
        few = [self._scalar() for _ in range(self._random.randint(0, 3))]
        return few if self._is(0.4) else self._scalar()

    def _scalar(self) -> Any:
        label, iri = self._random.choice(LABELS), self._random.choice(IRIS)
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
        return label if self._is(0.6) else self._random.choice(others)
