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
    "<https://www.iana.org/assignments/media-types/text/csv>",
    "eu:CSV",
    "<CSV>",
    "<#CSV>",
    ":x",
    r":CSV\,x",
    "eu:",
]
OTHERS = ["_:b0", "_:b1", "5", "-1.50", "true", "1e3", "()"]
# RDF 1.2: the version, quoted and annotated triples, literals with a direction.
VERSIONS = ['VERSION "1.2"', "@version '1.2' ."]
QUOTED = [
    '<< :s dct:format "CSV" >>',
    "<<:s dcat:mediaType :x ~ :r>>",
    "<< _:b0 :p << :s :p 1 ~ _:r >> >>",
]
TERMS = ['<<( :s dct:format "CSV" )>>', "<<(:s :p <<( _:b1 dct:format 'XML'@en )>>)>>"]
VERBS = [
    "dct:format",
    "dct:format",
    "dcat:mediaType",
    "<http://purl.org/dc/terms/format>",
    "dcat:distribution",
    "<http://e.example/p>",
]
SPACES = [" ", " ", "\n    ", "\t", " # c ; . ] }\n "]


def document(seed: int, *, graphs: bool, newer: bool = False) -> str:
    """Return the document that a number stands for: TriG with `graphs`, or else Turtle.

    One with `newer` has what RDF 1.2 adds.
    """
    return _Drawn(seed, newer=newer).document(graphs=graphs)


class _Drawn(Drawing):
    def __init__(self, seed: int, *, newer: bool) -> None:
        super().__init__(seed)
        self._subjects = 0
        self._newer = 0.2 if newer else 0.0

    def document(self, *, graphs: bool) -> str:
        # One triple is always there.
        parts = [*HEAD, ":d a :T ."]
        if self._chance(self._newer):
            parts.insert(self._number(0, len(parts)), self._one(VERSIONS))
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
        if self._chance(self._newer):
            subject = self._one(QUOTED)
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
        objects = [
            self._object(depth) + self._annotations(depth)
            for _ in range(self._one([1, 1, 1, 2, 3]))
        ]
        return f" ,{self._space()}".join(objects)

    def _annotations(self, depth: int) -> str:
        """Return a reifier of a triple, and the statements about it (Turtle 1.2 section 2.12)."""
        if depth >= 3 or not self._chance(self._newer):
            return ""
        reifier = self._one(["", "~", "~ :r", "~ _:r", "~<r>"])
        blocks = [
            f"{{|{self._space()}{self._pairs(depth + 1)}{self._space()}|}}"
            for _ in range(self._number(0, 2))
        ]
        return self._space() + self._space().join([reifier, *blocks])

    def _object(self, depth: int) -> str:
        if self._chance(self._newer / 2):
            return self._one([*QUOTED, *TERMS])
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
        suffix = "@ar--rtl" if self._chance(self._newer) else self._one(SUFFIXES)
        return self._one(written) + suffix
