"""What this package uses of pyoxigraph, over Oxigraph's build for JavaScript.

There is no build of pyoxigraph for Pyodide.  The worker of the page offers three functions, which
take and return text, because each value that crosses between Python and JavaScript costs time:

* ``parse(text, media type, base, lenient)`` returns JSON: a list of quads, or an error as text;
* ``select(N-Quads, query)`` returns JSON: the variables and the rows, or an error as text;
* ``dump(N-Quads, media type)`` returns ``+`` and a document, or ``-`` and an error.

A term is a list in JSON: ``["N", IRI]``, ``["B", label]``, ``["D"]``, ``["L", text, language,
datatype, direction]`` or ``["T", subject, predicate, object]``.  The classes have the interface of
https://pyoxigraph.readthedocs.io; what is missing raises `AttributeError`.
"""

from __future__ import annotations

import json
import re
import sys
from enum import Enum
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

# All of them are names of pyoxigraph.
from cturi_rdf.browser.terms import (
    BaseDirection,  # noqa: F401
    BlankNode,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    Triple,
    Variable,
    canonical,
)
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_XSD = "http://www.w3.org/2001/XMLSchema#"
_PLACE = re.compile(
    r"at line (\d+) (?:column (\d+)|between columns? (\d+) and (?:line (\d+) )?(?:column )?(\d+))"
)


class _Missing:
    """The functions where there is no Oxigraph at all: terms can be made, and nothing be read."""

    def __getattr__(self, _: str) -> Any:
        raise CatalogError(
            "this needs pyoxigraph, which is not installed", "RDF", "pip install pyoxigraph"
        )


_engine: list[Any] = [_Missing()]


def use(engine: Any) -> None:
    """Take the functions of the worker."""
    _engine[:] = [engine]


def stand_in() -> None:
    """Take the place of pyoxigraph, before anything imports that.

    Without an engine, commands that read no RDF work, and the others say what is missing.
    """
    sys.modules["pyoxigraph"] = sys.modules[__name__]


class RdfFormat(Enum):
    """The syntaxes of RDF, by their media types."""

    TURTLE = "text/turtle"
    TRIG = "application/trig"
    N_TRIPLES = "application/n-triples"
    N_QUADS = "application/n-quads"
    RDF_XML = "application/rdf+xml"
    N3 = "text/n3"
    JSON_LD = STREAMING_JSON_LD = "application/ld+json"


class CanonicalizationAlgorithm:
    """The ways to name blank nodes; this build has none."""

    UNSTABLE = "unstable"


class QuadParser:
    """The quads of a document, in their order."""

    def __init__(self, quads: Iterable[Quad], prefixes: dict[str, str]) -> None:
        self._quads = iter(quads)
        self.prefixes = prefixes

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Quad:
        return next(self._quads)


# The classes of terms, by their letters.
_KINDS: dict[str, type[NamedNode | BlankNode | Literal]] = {
    "N": NamedNode,
    "B": BlankNode,
    "L": Literal,
}


def _term(parts: list[Any]) -> Any:
    kind, *rest = parts
    if kind in _KINDS:
        return _KINDS[kind]._of(rest[0] if len(rest) == 1 else tuple(rest))
    return DefaultGraph() if kind == "D" else Triple(*map(_term, rest))


def _syntax_error(message: str) -> SyntaxError:
    match = _PLACE.search(message)
    if match is None:
        return SyntaxError(message)
    line, column = int(match[1]), int(match[2] or match[3])
    end = int(match[4] or line), int(match[5] or column)
    return SyntaxError(message, (None, line, column, None, *end))


_PREFIX = re.compile(r"(?im)^\s*@?prefix\s+([\w.-]*):\s*<([^>\s]*)>")
_XML_PREFIX = re.compile(r"xmlns:([\w.-]+)\s*=\s*[\"']([^\"'<]*)[\"']")


def _prefixes(text: str, format: RdfFormat) -> dict[str, str]:
    if format in {RdfFormat.TURTLE, RdfFormat.TRIG, RdfFormat.N3}:
        return dict(_PREFIX.findall(text))
    return dict(_XML_PREFIX.findall(text)) if format == RdfFormat.RDF_XML else {}


def parse(
    input: Any = None,
    format: RdfFormat | None = None,
    *,
    path: str | None = None,
    base_iri: str | None = None,
    lenient: bool = False,
) -> QuadParser:
    """Return the quads of a document; like pyoxigraph, the first of them raises `SyntaxError`."""
    content = Path(path).read_bytes() if path is not None else input
    if hasattr(content, "read"):
        content = content.read()
    if format is None:
        raise ValueError("the format is not known")
    octets = content.encode() if isinstance(content, str) else bytes(content)
    quads = _quads(octets, format.value, base_iri or "", lenient=lenient)
    return QuadParser(quads, _prefixes(octets.decode(errors="replace"), format))


def _quads(content: bytes, media_type: str, base: str, *, lenient: bool) -> Iterator[Quad]:
    """Yield the quads of a document.  Raises `SyntaxError`."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise SyntaxError(f"the content is not UTF-8: {error}") from error
    answer = json.loads(_engine[0].parse(text, media_type, base, lenient))
    if isinstance(answer, str):
        raise _syntax_error(answer)
    for row in answer:
        yield Quad(*map(_term, row))


def _lines(quads: Iterable[Any]) -> str:
    return "".join(f"{quad} .\n" for quad in quads)


def serialize(
    input: Iterable[Any],
    output: Any = None,
    format: RdfFormat | None = None,
    *,
    prefixes: dict[str, str] | None = None,
    base_iri: str | None = None,
) -> bytes | None:
    """Write quads or triples; returns bytes where there is no output.

    Oxigraph's JavaScript takes neither prefixes nor a base: IRIs are written in full.
    """
    del prefixes, base_iri
    quads = [quad if isinstance(quad, Quad) else Quad(*quad) for quad in input]
    text = _lines(quads)
    if format == RdfFormat.JSON_LD:
        text = _json_ld(quads)
    elif format is not None and format not in {RdfFormat.N_TRIPLES, RdfFormat.N_QUADS}:
        answer = _engine[0].dump(text, format.value)
        if answer.startswith("-"):
            raise ValueError(answer[1:])
        text = answer[1:]
    content = text.encode()
    if output is None:
        return content
    if hasattr(output, "write"):
        output.write(content)
    else:
        Path(output).write_bytes(content)
    return None


def _json_ld(quads: Iterable[Quad]) -> str:
    """Return expanded JSON-LD in the order of the quads, as pyoxigraph writes it."""
    nodes: list[dict[str, Any]] = []
    for graph, in_graph in groupby(quads, key=attrgetter("graph_name")):
        own = []
        for subject, about in groupby(in_graph, key=attrgetter("subject")):
            node: dict[str, Any] = {"@id": _id(subject)}
            for quad in about:
                node.setdefault(quad.predicate.value, []).append(_value(quad.object))
            own.append(node)
        is_default = isinstance(graph, DefaultGraph)
        nodes += own if is_default else [{"@id": _id(graph), "@graph": own}]
    return json.dumps(nodes, ensure_ascii=False, separators=(",", ":"))


def _id(term: Any) -> str:
    return f"_:{term.value}" if isinstance(term, BlankNode) else cast("str", term.value)


def _value(term: Any) -> dict[str, str]:
    if not isinstance(term, Literal):
        return {"@id": _id(term)}
    value, language, datatype, direction = term._key
    facts = {"@language": language} if language else {"@type": datatype}
    if datatype == f"{_XSD}string":
        facts = {}
    return facts | ({"@direction": direction} if direction else {}) | {"@value": value}


class Dataset(set[Quad]):
    """A set of quads."""

    def canonicalize(self, algorithm: str) -> None:
        """Name blank nodes by what is said of them, so that equal graphs are equal sets."""
        del algorithm
        quads = canonical(self)
        self.clear()
        self.update(quads)


class QuerySolutions:
    """The rows of an answer: the values of its variables, None for those without one."""

    def __init__(self, names: list[str], rows: list[dict[str, Any]]) -> None:
        self.variables = [Variable(name) for name in names]
        self._rows = iter([list(map(row.get, names)) for row in rows])

    def __iter__(self) -> Iterator[list[Any]]:
        return self._rows


class Store:
    """Quads in memory."""

    def __init__(self) -> None:
        self._quads: dict[Quad, None] = {}

    def extend(self, quads: Iterable[Quad]) -> None:
        """Add quads."""
        self._quads.update(dict.fromkeys(quads))

    def query(self, query: str) -> QuerySolutions:
        """Return the answer of a SELECT.  Raises `SyntaxError`."""
        answer = json.loads(_engine[0].select(_lines(self._quads), query))
        if isinstance(answer, str):
            raise SyntaxError(answer)
        names, rows = answer
        return QuerySolutions(
            names, [{name: _term(term) for name, term in row.items()} for row in rows]
        )
