"""JSON-LD that needs no other file: the contexts that it names are put in their places."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.json_scan import scan
from cturi_rdf.reading.json_text import has_halves, in_utf8, require_unicode, without_halves
from cturi_rdf.reading.jsonld_contexts import Inlining
from cturi_rdf.reading.packaged_contexts import project_open_data, schema_org

if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.reading.json_scan import Scanned
    from cturi_rdf.reading.jsonld_contexts import Contexts

__all__ = ["context_for", "needs_nothing", "self_contained", "with_contexts"]

# The beginning of a context: only an object surely names no other.
_CONTEXT = re.compile(rb"\"@context\"\s*:\s*(.)")
# A member that needs no context, because its name is an IRI.
_WITH_COLON = re.compile(rb'"[A-Za-z_][^"\\:]*:[^"\\]*"\s*:')
# Names that mark JSON without a context as schema.org's.
_SCHEMA_ORG = frozenset({
    "contentUrl", "encodingFormat", "DataDownload", "MediaObject", "DataCatalog", "fileFormat",
})  # fmt: skip
# Names that mark it as DCAT-US or Project Open Data, whose fields have the same names.
_DCAT_US = frozenset({"downloadURL", "accessURL", "mediaType", "accessLevel", "describedByType"})


def needs_nothing(content: bytes) -> bool:
    """Return whether every context of a document plainly stands in it."""
    return (
        b'"@import"' not in content
        and not has_halves(content)
        and all(match[1] == b"{" for match in _CONTEXT.finditer(content))
        and (_CONTEXT.search(content) or _WITH_COLON.search(content)) is not None
    )


def self_contained(
    content: bytes, source: str, contexts: Contexts
) -> tuple[bytes, list[tuple[int, int]]]:
    r"""Return a JSON-LD document that holds every context that it needs.

    A half of a character, such as the escape \udc92 alone, is replaced by U+FFFD (RDF 1.1
    section 3.3 allows Unicode only); the second value has the line and column of each.  JSON
    without a context that is plainly schema.org's, DCAT-US's or Project Open Data's gets that
    context.  Raises `CatalogError` where the document is not JSON, where a context cannot be
    had, or where nothing in it would have a meaning.
    """
    content, replaced = without_halves(in_utf8(content, source))
    if contexts.strict:
        require_unicode(replaced, source)
    return with_contexts(content, source, Inlining(source, contexts)), replaced


def with_contexts(content: bytes, source: str, inlined: Callable[[Any], Any]) -> bytes:
    """Return JSON-LD in UTF-8 whose contexts name no other one; all else is as it was.

    `inlined` returns the value of a context with those that it names in their places.
    """
    scanned = scan(content, source)
    pieces: list[bytes] = []
    position = 0
    for _, entry in sorted(scanned.contexts.items()):
        start, end = scanned.starts[entry], scanned.ends[entry]
        # A context inside another one has been handled with that one.
        if start >= position:
            value = scanned.value(entry)
            context = inlined(value)
            if context != value:
                pieces += [content[position:start], json.dumps(context).encode()]
                position = end
    context = context_for(scanned, source)
    if context is None:
        return b"".join([*pieces, content[position:]])
    text = b'{"@context":' + json.dumps(context).encode()
    if scanned.kind(0) != ord("{"):
        return text + b',"@graph":' + content[scanned.starts[0] :] + b"}"
    comma = b"," if scanned.nexts[0] > 1 else b""
    return text + comma + content[scanned.starts[0] + 1 :]


def context_for(scanned: Scanned, name: str) -> Any:
    """Return the context for JSON that has none but plainly needs one, else None.

    The names of its fields and its types show it, or an array `dataset`.  Raises `CatalogError`
    where the fields are nobody's.
    """
    names = set(scanned.names)
    if (
        "@context" in names
        or any(":" in key for key in names)
        or all(key.startswith("@") for key in names)
    ):
        return None
    types: set[str] = set()
    numbers = {scanned.names.index(key) for key in ("@type", "type") if key in names}
    for entry, key in enumerate(scanned.keys):
        if key in numbers and scanned.kind(entry) in b'"[':
            value = scanned.value(entry)
            values = value if isinstance(value, list) else [value]
            types.update(text for text in values if isinstance(text, str))
    catalogue = any(
        scanned.name(child) == "dataset" and scanned.kind(child) == ord("[")
        for child in scanned.children(0)
    )
    if catalogue or (names & _DCAT_US and not names & _SCHEMA_ORG):
        return project_open_data()
    if (names | types) & _SCHEMA_ORG and not names & _DCAT_US:
        return schema_org()
    raise CatalogError(
        "JSON without a context: nothing says what its fields mean",
        name,
        'a member "@context", or the fields of schema.org, DCAT-US or Project Open Data',
    )
