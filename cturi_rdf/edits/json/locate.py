"""JSON-LD and Project Open Data as documents: values of members with their places."""

from __future__ import annotations

import io
import json
from collections import deque
from typing import TYPE_CHECKING, Any

from cturi_rdf.edits.document import Document
from cturi_rdf.edits.edit import Edit, EditError, apply
from cturi_rdf.edits.json.context import Active, process
from cturi_rdf.edits.json.scan import scan
from cturi_rdf.edits.json.walk import Walk
from cturi_rdf.edits.json.write import JsonWriter
from cturi_rdf.io.errors import CatalogError
from cturi_rdf.io.jsonld_contexts import (
    Contexts,
    guessed_context,
    inlined_context,
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
# The schema whose files have no place for links.
_POD = b"https://project-open-data.cio.gov/v1.1/schema"


class JsonDocument(Document):
    """A file of JSON-LD."""

    loader: Callable[[Any], Any]
    scanned: Scanned
    _by_rdflib: bool | None = None

    def parse(self, content: IO[bytes] | bytes) -> Iterator[ox.Quad]:
        """Yield the quads of a text in JSON-LD.  Raises `SyntaxError`.

        The contexts that it names are put in their places.  What Oxigraph refuses in this
        document is read by rdflib.
        """
        if self._by_rdflib is None:
            self._by_rdflib = False
            try:
                deque(self.parse(self.data), maxlen=0)
            except SyntaxError:
                self._by_rdflib = True
        if isinstance(content, bytes):
            data = content
        else:
            data = b"".join(iter(lambda: content.read(_BLOCK), b""))
        try:
            whole, scanned = self._self_contained(data)
        except CatalogError as error:
            raise SyntaxError(error.problem) from error
        if not self._by_rdflib:
            return self._by_parts(whole, scanned)
        from cturi_rdf.io.rdflib_graphs import (  # noqa: PLC0415 - slow, and seldom needed
            parse_with_rdflib,
            to_quads,
        )

        try:
            return iter(to_quads(parse_with_rdflib(whole, "json-ld", self.name), self.name))
        except CatalogError as error:
            raise SyntaxError(error.problem) from error

    def _by_parts(self, whole: bytes, scanned: Scanned) -> Iterator[ox.Quad]:
        """Yield quads; nodes of one array are read a few at a time, in little memory.

        Oxigraph keeps all of an object until its end, thirteen times its size.
        """
        try:
            for part in _parts(scanned):
                yield from super().parse(io.BytesIO(part))
        except SyntaxError:
            # The same error with its place in the whole.
            deque(super().parse(io.BytesIO(whole)), maxlen=0)
            raise

    def _self_contained(self, data: bytes) -> tuple[bytes, Scanned]:
        """Return JSON-LD that names no context, and its values."""
        data = without_halves(data)[0]
        scanned = self.scanned if data is self.data else scan(data, self.name)
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
        if not edits:
            return data, scanned
        data = apply(data, edits)
        return data, scan(data, self.name)


def _parts(scanned: Scanned) -> Iterator[bytes]:
    """Yield JSON-LD that together says what a file says, for a file that is a list of nodes."""
    data, starts, ends = scanned.data, scanned.starts, scanned.ends
    entry, before, behind = 0, b"[", b"]"
    if scanned.kind(0) not in b"[{":
        yield data
        return
    if scanned.kind(0) == ord("{"):
        members = {scanned.name(child): child for child in scanned.children(0)}
        entry = members.get("@graph", 0)
        is_plain = members.keys() == {"@context", "@graph"} and scanned.kind(entry) == ord("[")
        if not is_plain or len(members) != sum(1 for _ in scanned.children(0)):
            yield data
            return
        before = b'{"@context":' + scanned.raw(members["@context"]) + b',"@graph":['
        behind = b"]}"
    start = end = -1
    for child in scanned.children(entry):
        if start >= 0 and ends[child] - start > _BLOCK:
            yield before + data[start:end] + behind
            start = -1
        start, end = (starts[child] if start < 0 else start), ends[child]
    yield before + (data[start:end] if start >= 0 else b"") + behind


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
    document.loader, document.scanned = loader, scanned
    return document
