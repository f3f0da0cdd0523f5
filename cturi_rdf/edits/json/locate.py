"""JSON-LD and Project Open Data as documents: values of members with their places."""

from __future__ import annotations

import io
import json
import re
from collections import deque
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cturi_rdf.edits.document import Document
from cturi_rdf.edits.edit import Edit, EditError, apply
from cturi_rdf.edits.json.context import Active, process
from cturi_rdf.edits.json.scan import scan
from cturi_rdf.edits.json.walk import Walk
from cturi_rdf.edits.json.write import JsonWriter
from cturi_rdf.io.errors import CatalogError
from cturi_rdf.io.json_nesting import check_nesting
from cturi_rdf.io.jsonld_contexts import (
    Contexts,
    guessed_context,
    inlined_context,
    needs_nothing,
    require_unicode,
    without_halves,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import IO

    import pyoxigraph as ox

    from cturi_rdf.edits.json.scan import Scanned
    from cturi_rdf.io.formats import Format

__all__ = ["JsonDocument", "locate_json"]

_BLOCK = 1 << 20
# A file that is a context and the nodes of one graph.
_CONTEXT = re.compile(r'[ \t\n\r]*\{[ \t\n\r]*"@context"[ \t\n\r]*:[ \t\n\r]*')
_GRAPH = re.compile(r'[ \t\n\r]*,[ \t\n\r]*"@graph"[ \t\n\r]*:[ \t\n\r]*\[')
# What stands before a node: a comma behind another one.
_NODE = re.compile(r"[ \t\n\r]*(,?)[ \t\n\r]*(?=\{)")
_END = re.compile(r"[ \t\n\r]*\][ \t\n\r]*\}[ \t\n\r]*\Z")
# The schema whose files have no place for links.
_POD = b"https://project-open-data.cio.gov/v1.1/schema"


class JsonDocument(Document):
    """A file of JSON-LD."""

    loader: Callable[[Any], Any]
    _by_rdflib = False

    def parse(self, content: IO[bytes] | bytes) -> Iterator[ox.Quad]:
        """Yield the quads of a text in JSON-LD.  Raises `SyntaxError`.

        The contexts that it names are put in their places.
        """
        if isinstance(content, bytes):
            data = content
        else:
            data = b"".join(iter(lambda: content.read(_BLOCK), b""))
        try:
            whole = self._self_contained(data)
        except CatalogError as error:
            raise SyntaxError(error.problem) from error
        if not self._by_rdflib:
            return self._by_parts(whole)
        from cturi_rdf.io.rdflib_graphs import (  # noqa: PLC0415 - slow, and seldom needed
            parse_with_rdflib,
            to_quads,
        )

        try:
            return iter(to_quads(parse_with_rdflib(whole, "json-ld", self.name), self.name))
        except CatalogError as error:
            raise SyntaxError(error.problem) from error

    def fall_back(self) -> bool:
        """Let rdflib read the document from now on, if Oxigraph refuses it."""
        if not self._by_rdflib:
            try:
                deque(self.parse(self.data), maxlen=0)
            except SyntaxError:
                self._by_rdflib = True
                return True
        return False

    def _by_parts(self, whole: bytes) -> Iterator[ox.Quad]:
        """Yield quads; nodes of one array are read a few at a time, in little memory.

        Oxigraph keeps all of an object until its end, thirteen times its size.
        """
        try:
            for part in _parts(whole):
                yield from super().parse(io.BytesIO(part))
        except SyntaxError:
            # The same error with its place in the whole.
            deque(super().parse(io.BytesIO(whole)), maxlen=0)
            raise

    def _self_contained(self, data: bytes) -> bytes:
        """Return JSON-LD that names no context."""
        data = without_halves(data)[0]
        if needs_nothing(data):
            return data
        scanned = scan(data, self.name)
        edits: list[Edit] = []
        for _, entry in sorted(scanned.contexts.items()):
            start, end = scanned.starts[entry], scanned.ends[entry]
            if not edits or start >= edits[-1].end:
                value = scanned.value(entry)
                inlined = self.loader(value)
                if inlined != value:
                    edits.append(Edit(start, end, json.dumps(inlined).encode()))
        context = _guessed(scanned, self.name)
        if context is not None:
            text = json.dumps(context).encode()
            first = scanned.starts[0]
            if data[first : first + 1] == b"{":
                comma = b"," if scanned.nexts[0] > 1 else b""
                edits.append(Edit(first + 1, first + 1, b'"@context":' + text + comma))
            else:
                edits.append(Edit(first, first, b'{"@context":' + text + b',"@graph":'))
                edits.append(Edit(len(data), len(data), b"}"))
        return apply(data, edits)


def _parts(data: bytes) -> Iterator[bytes]:
    """Yield JSON-LD that together says what a file says, for a context with a graph of nodes.

    Oxigraph does not keep the nodes of an array that is the whole file.
    """
    decode = json.JSONDecoder().raw_decode
    # Where the brackets and commas stand that the parts are between.
    cuts: list[int] = []
    with suppress(ValueError, RecursionError):
        text = data.decode("utf-8-sig")
        context = _CONTEXT.match(text)
        graph = context and _GRAPH.match(text, decode(text, context.end())[1])
        if graph:
            end = graph.end()
            places = [end - 1]
            while node := _NODE.match(text, end):
                if node[1] and node.start(1) - places[-1] > _BLOCK:
                    places.append(node.start(1))
                end = decode(text, node.end())[1]
            cuts = [*places, end] if _END.match(text, end) else []
    if not cuts:
        yield data
    for start, end in pairwise(cuts):
        yield f"{text[: cuts[0] + 1]}{text[start + 1 : end]}]}}".encode()


def _guessed(scanned: Scanned, name: str) -> Any:
    """Return the context of JSON that has none but plainly needs one, else None."""
    names = set(scanned.names)
    if any(key == "@context" or ":" in key for key in names) or not any(
        not key.startswith("@") for key in names
    ):
        return None
    types: set[str] = set()
    numbers = {scanned.names.index(key) for key in ("@type", "type") if key in names}
    if numbers:
        for entry, key in enumerate(scanned.keys):
            if key in numbers and scanned.kind(entry) in b'"[':
                value = scanned.value(entry)
                values = value if isinstance(value, list) else [value]
                types.update(text for text in values if isinstance(text, str))
    catalogue = scanned.data[scanned.starts[0]] == ord("{") and any(
        scanned.name(child) == "dataset" and scanned.kind(child) == ord("[")
        for child in scanned.children(0)
    )
    return guessed_context(names, types, name, catalogue=catalogue)


def _is_project_open_data(scanned: Scanned) -> bool:
    return any(
        scanned.name(child) == "conformsTo" and scanned.raw(child)[1:].startswith(_POD)
        for child in (scanned.children(0) if scanned.kind(0) == ord("{") else ())
    )


def locate_json(  # noqa: PLR0913 - where contexts come from is no matter of other syntaxes
    data: bytes,
    form: Format,
    *,
    base: str | None = None,
    predicates: Collection[str] | None = None,
    name: str = "-",
    contexts: Contexts | None = None,
) -> Document:
    r"""Return a document of JSON-LD with the statements of some predicates.

    The place of a value is the JSON value, that of a node which says more than its name the
    value of its `@id`.  Nothing can be added to JSON without a context and to Project Open
    Data, whose schema has no place for links; and nothing edited in UTF-16 or UTF-32.
    `contexts` says where contexts that the file names come from.  Raises `CatalogError` where
    the file is not JSON or a context cannot be had.

    >>> from cturi_rdf.io.formats import format_named
    >>> data = b'{"@context": {"@vocab": "http://d.example/"}, "format": ["CSV", 7]}'
    >>> document = locate_json(data, format_named("json-ld"), predicates=["http://d.example/format"])
    >>> [data[found.start : found.end] for found in document.statements]
    [b'"CSV"', b'7']
    """
    refusal = None
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8"):
        try:
            data = data.decode(encoding).encode()
        except UnicodeError as error:
            raise CatalogError(f"bytes that are not {encoding.upper()}", name, "UTF-8") from error
        refusal = EditError(f"a file in {encoding.upper()} takes no edits", name, "JSON in UTF-8")
    if contexts and contexts.strict:
        require_unicode(without_halves(data)[1], name)

    def loader(value: Any) -> Any:
        return inlined_context(value, name, contexts or Contexts())

    check_nesting(data, name)
    scanned = scan(data, name)
    active = Active(base)
    guessed = _guessed(scanned, name)
    if guessed is not None:
        active = process(active, guessed)
    walk = Walk(scanned, predicates, loader)
    walk.run(active)
    walk.statements.sort(key=lambda statement: statement.start)
    takes_statements = guessed is None and not _is_project_open_data(scanned)
    writer = JsonWriter(
        scanned,
        walk.root,
        plain_graph=walk.plain_graph,
        takes_statements=takes_statements,
        refusal=refusal,
    )
    document = JsonDocument(
        data, form, walk.statements, writer, base=base, predicates=predicates, name=name
    )
    document.loader = loader
    return document
