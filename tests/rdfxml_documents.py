"""Documents of RDF/XML in any of its ways to write a statement, drawn at random."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from drawing import LABELS, Drawing

__all__ = ["document"]

NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "dct": "http://purl.org/dc/terms/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "ex": "http://e.example/",
}
IRIS = [
    "https://www.iana.org/assignments/media-types/text/csv",
    "http://publications.europa.eu/resource/authority/file-type/CSV",
    "#CSV",
]
NODES = ["rdf:Description", "dcat:Distribution", "dct:File"]
PROPERTIES = ["dct:format", "dct:format", "dcat:mediaType", "dct:title", "ex:p", "rdf:li"]
LANGUAGES = ["en", "de", "en_US", ""]


def document(seed: int) -> str:
    """Return the document that a number stands for."""
    return _Drawn(seed).document()


class _Drawn(Drawing):
    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._numbers = 0
        self._between = self._one(["\n", "", "\n  ", "\r\n\t"])

    def document(self) -> str:
        declared = "".join(f' xmlns:{name}="{iri}"' for name, iri in NAMESPACES.items())
        nodes = [self._node() for _ in range(self._number(1, 3))]
        # One triple is always there.
        inner = self._between.join(["", '<dct:File rdf:about="http://d.example/0"/>', *nodes, ""])
        return (
            '<!DOCTYPE rdf:RDF [<!ENTITY csv "CSV">]>\n'
            f"<rdf:RDF{declared}{self._scope(0.2)}>{inner}</rdf:RDF>\n"
        )

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers

    def _label(self) -> str:
        return self._one(LABELS)

    def _scope(self, probability: float) -> str:
        """Return a language or a base, or neither."""
        scopes = [f' xml:lang="{self._one(LANGUAGES)}"', ' xml:base="http://b.example/x"']
        return self._one(scopes) if self._chance(probability) else ""

    def _named(self) -> str:
        """Return the attribute that names a node, or none."""
        number = self._next()
        names = [
            f' rdf:about="http://d.example/{number}"',
            f' rdf:about="d{number}"',
            f' rdf:ID="i{number}"',
            f' rdf:nodeID="b{number % 4}"',
            "",
        ]
        return self._one(names)

    def _node(self, depth: int = 0) -> str:
        name, attributes = self._one(NODES), self._named() + self._scope(0.2)
        if self._chance(0.15):
            attributes += f" dct:format={quoteattr(self._label())}"
        inner = [self._property(depth) for _ in range(self._number(0, 3))]
        if not inner:
            return f"<{name}{attributes}/>"
        return f"<{name}{attributes}>{self._between.join(['', *inner, ''])}</{name}>"

    def _property(self, depth: int) -> str:
        name = self._one(PROPERTIES)
        start = f"<{name}" + (f' rdf:ID="s{self._next()}"' if self._chance(0.05) else "")
        end = f"</{name}>"
        if depth < 3 and self._chance(0.3):
            nodes = [self._node(depth + 1), self._node(depth + 1)]
            inner = [
                f">{self._between}{nodes[0]}{self._between}",
                f' rdf:parseType="Collection">{"".join(nodes)}',
                f' rdf:parseType="Resource">{self._property(depth + 1)}',
            ]
            return f"{start}{self._one(inner)}{end}"
        attribute = f" dct:format={quoteattr(self._label())}"
        if self._chance(0.6):
            return f"{start}{self._scope(0.15)}>{self._text()}{end}"
        others = [
            f' rdf:resource="{self._one(IRIS)}"/>',
            f' rdf:resource="{self._one(IRIS)}">{end}',
            f' rdf:nodeID="b{self._number(0, 3)}"/>',
            "/>",
            f"{attribute}/>",
            f' rdf:resource="http://r.example/1"{attribute}/>',
            f' rdf:datatype="http://www.w3.org/2001/XMLSchema#token">{self._text()}{end}',
            f' rdf:parseType="Literal">a<b>CSV</b>{end}',
        ]
        return start + self._one(others)

    def _text(self) -> str:
        """Return a label as XML may write it."""
        label = self._label()
        written = [
            escape(label),
            escape(label),
            f"<![CDATA[{label}]]>",
            "".join(f"&#{ord(character)};" for character in label),
            f"{escape(label[:1])}<!-- c -->{escape(label[1:])}",
            "&csv;",
        ]
        return self._one(written)
