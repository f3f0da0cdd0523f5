"""Documents of Turtle and TriG in any of their ways to write a statement, drawn at random."""

from __future__ import annotations

from drawing import LABELS, Drawing

__all__ = ["document"]

HEAD = [
    "@prefix dct: <http://purl.org/dc/terms/> .",
    "@prefix dcat: <http://www.w3.org/ns/dcat#> .",
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>",
    "prefix eu: <http://publications.europa.eu/resource/authority/file-type/>",
    "@prefix : <http://v.example/> .",
]
DIRECTIVES = [
    "@prefix ex: <http://e.example/> .",
    "PREFIX ctv: <https://w3id.org/cturi/vocab#>",
    "@base <http://base.example/x> .",
    "BASE <http://b.example/>",
]
SUFFIXES = [
    "",
    "",
    "",
    "@en",
    "@de-AT",
    "^^xsd:string",
    "^^<http://www.w3.org/2001/XMLSchema#token>",
]
IRIS = [
    "<https://www.iana.org/assignments/media-types/text/csv>", "eu:CSV", "<CSV>", "<#CSV>", ":x",
    r":CSV\,x", "eu:",
]  # fmt: skip
OTHERS = ["_:b0", "_:b1", "5", "-1.50", "true", "1e3", "()"]
VERBS = [
    "dct:format", "dct:format", "dcat:mediaType", "<http://purl.org/dc/terms/format>",
    "dcat:distribution", "<http://e.example/p>",
]  # fmt: skip
SPACES = [" ", " ", "\n    ", "\t", " # c ; . ] }\n "]


def document(seed: int, *, graphs: bool) -> str:
    """Return the document that a number stands for: TriG with `graphs`, or else Turtle."""
    return _Drawn(seed).document(graphs=graphs)


class _Drawn(Drawing):
    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._subjects = 0

    def document(self, *, graphs: bool) -> str:
        # One triple is there whatever else is read.
        parts = [*HEAD, ":d a :T ."]
        for _ in range(self._number(1, 4)):
            if graphs and self._chance(0.5):
                parts.append(self._graph())
            else:
                parts.append(self._statement(self._chance(0.8)))
            if self._chance(0.1):
                parts.append(self._one(DIRECTIVES))
        line_end = self._one(["\n", "\r\n", "\n\n"])
        return ("\ufeff" * self._chance(0.05)) + line_end.join(parts) + line_end * self._chance(0.8)

    def _space(self) -> str:
        return self._one(SPACES)

    def _graph(self) -> str:
        name = self._one(["<http://g.example/1>", "GRAPH _:g", ":g", ""])
        inner = " ".join(self._statement(named=True) for _ in range(self._number(1, 2)))
        return (
            f"{name} {{ {inner.removesuffix('.') if self._chance(0.3) else inner}{self._space()}}}"
        )

    def _statement(self, named: bool) -> str:
        self._subjects += 1
        number = self._subjects
        subjects = [f"<http://d.example/{number}>", f"<d{number}>", f":d.{number}", "_:b0"]
        subject = self._one(subjects) if named else self._brackets(1)
        return f"{subject}{self._space()}{self._pairs(0)}{self._space()}."

    def _brackets(self, depth: int) -> str:
        return f"[{self._space()}{self._pairs(depth)}{self._space()}]"

    def _pairs(self, depth: int) -> str:
        """Return verbs with their objects, perhaps with semicolons at the end."""
        pairs = [
            self._one(VERBS) + self._space() + self._objects(depth)
            for _ in range(self._number(1, 3))
        ]
        if self._chance(0.2):
            pairs.append(f"a{self._space()}dcat:Distribution")
        end = self._one(["", "", " ;", " ; ;"])
        return f"{self._space()};{self._space()}".join(pairs) + end

    def _objects(self, depth: int) -> str:
        objects = [self._object(depth) for _ in range(self._one([1, 1, 1, 2, 3]))]
        return f" ,{self._space()}".join(objects)

    def _object(self, depth: int) -> str:
        if depth < 3 and self._chance(0.2):
            items = " ".join(self._object(depth + 1) for _ in range(self._number(1, 3)))
            return self._one([self._brackets(depth + 1), f"({items})", "[ ]"])
        if self._chance(0.7):
            return self._literal()
        return self._one(IRIS if self._chance(0.6) else OTHERS)

    def _literal(self) -> str:
        text = self._one(LABELS)
        escaped = "".join(f"\\u{ord(c):04X}" if self._chance(0.3) else c for c in text)
        written = [f'"{text}"', f"'{text}'", f'"""{text}"""', f"'''{text}'''", f'"{escaped}"']
        return self._one(written) + self._one(SUFFIXES)
