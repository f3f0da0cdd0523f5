"""The JSON-LD contexts that a document names: found, and put in their places.

Oxigraph's parser and rdflib's then need nothing but the document.  A context comes from the
files that the user names, from the package, from beside the document or, only if that is
allowed, from elsewhere on the disk or from the network.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf._util.limits import check_limit
from cturi_rdf.io.errors import CatalogError
from cturi_rdf.io.packaged_contexts import packaged_context, project_open_data, schema_org

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = [
    "Contexts",
    "guessed_context",
    "inlined_context",
    "load_document",
    "needs_nothing",
    "require_unicode",
    "self_contained",
    "without_halves",
]

# A backslash and what it escapes; only half of a pair in UTF-16 is not a character.
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_HALF, _REPLACEMENT = b"\\ud", b"\\ufffd"
# What a context begins with: only an object names no other.
_CONTEXT = re.compile(rb"\"@context\"\s*:\s*(.)")
# A member that needs no context, because its name is an IRI.
_WITH_COLON = re.compile(rb'"[A-Za-z_][^"\\:]*:[^"\\]*"\s*:')
# What marks JSON without a context as schema.org's.
_SCHEMA_ORG = frozenset({
    "contentUrl", "encodingFormat", "DataDownload", "MediaObject", "DataCatalog", "fileFormat",
})  # fmt: skip
# What marks it as DCAT-US or Project Open Data, whose fields have the same names.
_DCAT_US = frozenset({"downloadURL", "accessURL", "mediaType", "accessLevel", "describedByType"})


class Contexts(NamedTuple):
    """Where the contexts that a document names may come from, and how strictly it is read.

    `files` are files by the IRI of the context that they hold; None in the place of a file
    leaves that context out.  `strict` refuses half of a character in a string, which reads as
    U+FFFD otherwise.
    """

    files: Mapping[str, Path | None] = {}
    allow_network: bool = False
    allow_files: bool = False
    strict: bool = False


def load_document(content: bytes, source: str) -> Any:
    """Return the JSON value that a document holds.

    Raises `CatalogError` where it is not JSON, or nested too deeply to be read.
    """
    try:
        return json.loads(content)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CatalogError("a byte that is not UTF-8", source, "JSON in UTF-8", line) from error
    except json.JSONDecodeError as error:
        raise CatalogError(
            f"not json-ld ({error.msg})", source, "valid JSON", error.lineno, error.colno
        ) from error
    except RecursionError as error:
        raise CatalogError("values nested too deeply", source, "fewer levels") from error


def needs_nothing(content: bytes) -> bool:
    """Return whether every context of a document plainly stands in it."""
    return (
        b'"@import"' not in content
        and _HALF not in content.lower()
        and all(match[1] == b"{" for match in _CONTEXT.finditer(content))
        and (_CONTEXT.search(content) or _WITH_COLON.search(content)) is not None
    )


def self_contained(
    content: bytes, source: str, contexts: Contexts
) -> tuple[bytes, list[tuple[int, int]]]:
    r"""Return a JSON-LD document that names no context, but holds all that it needs.

    A half of a character, such as the escape \udc92 alone, is replaced by U+FFFD (RDF 1.1
    section 3.3 allows Unicode only); the second value has the line and column of each.  JSON
    without a context that is plainly schema.org's, DCAT-US's or Project Open Data's gets that
    context.  Raises `CatalogError` where a context cannot be had, or where nothing in the
    document would have a meaning.
    """
    content, replaced = without_halves(content)
    if contexts.strict:
        require_unicode(replaced, source)
    document = load_document(content, source)
    if not _has_context(document):
        document = _with_context(document, source)
    inlined = _Inlining(source, contexts).inlined(document)
    try:
        return json.dumps(inlined).encode(), replaced
    except RecursionError as error:
        raise CatalogError("values nested too deeply", source, "fewer levels") from error


def without_halves(content: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    """Return JSON whose strings are Unicode, and where they were not."""
    if _HALF not in content.lower():
        return content, []
    halves: list[int] = []
    high: re.Match[bytes] | None = None
    for escape in _ESCAPE.finditer(content):
        code = int(escape[1], 16) if escape[1] else 0
        if high is not None:
            if code in _LOW and escape.start() == high.end():
                high = None
                continue
            halves.append(high.start())
        high = escape if code in _HIGH else None
        if code in _LOW:
            halves.append(escape.start())
    if high is not None:
        halves.append(high.start())
    # An escape of the same length, so that every place stays what it was.
    changed = bytearray(content)
    for start in halves:
        changed[start : start + 6] = _REPLACEMENT
    return bytes(changed), list(_places(content, halves))


def require_unicode(halves: list[tuple[int, int]], source: str) -> None:
    """Raise `CatalogError` where there are halves of characters, at these lines and columns."""
    if halves:
        number = len(halves)
        problem = "half of a character"
        if number > 1:
            problem = f"{number} halves of characters, the first here"
        raise CatalogError(problem, source, "Unicode, RDF 1.1 section 3.3", *halves[0])


def _places(content: bytes, offsets: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the line and column of offsets in ascending order; each byte is read once."""
    line = column = 1
    before = 0
    for offset in offsets:
        part = content[before:offset]
        if breaks := part.count(b"\n"):
            line, column = line + breaks, 1
            part = part[part.rindex(b"\n") + 1 :]
        column += len(part.decode("utf-8", "replace"))
        yield line, column
        before = offset


def _has_context(document: Any) -> bool:
    """Return whether a document, or one of the objects in it, has a context or needs none."""
    return any(key == "@context" or ":" in key for key, _ in _members(document)) or not any(
        not key.startswith("@") for key, _ in _members(document)
    )


def _objects(document: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects of a document, however deep, but for those in contexts."""
    pending = [document]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending += value
        elif isinstance(value, dict):
            yield value
            pending += [item for key, item in value.items() if key != "@context"]


def _members(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield all members of all objects of a document."""
    for value in _objects(document):
        yield from value.items()


def _with_context(document: Any, source: str) -> Any:
    """Return a document with the context that its fields are plainly those of."""
    words = {key for key, _ in _members(document)}
    types = {
        name
        for key, value in _members(document)
        if key in {"@type", "type"}
        for name in (value if isinstance(value, list) else [value])
        if isinstance(name, str)
    }
    catalogue = isinstance(document, dict) and isinstance(document.get("dataset"), list)
    context = guessed_context(words, types, source, catalogue=catalogue)
    if isinstance(document, list):
        return {"@context": context, "@graph": document}
    return {"@context": context, **document}


def guessed_context(words: set[str], types: set[str], source: str, *, catalogue: bool) -> Any:
    """Return the context of JSON without one, by the names of its fields and its types.

    `catalogue` says whether it is an object with an array `dataset`.  Raises `CatalogError`
    where the fields are nobody's.
    """
    if catalogue or (words & _DCAT_US and not words & _SCHEMA_ORG):
        return project_open_data()
    if (words | types) & _SCHEMA_ORG and not words & _DCAT_US:
        return schema_org()
    raise CatalogError(
        "JSON without a context: nothing says what its fields mean",
        source,
        'a member "@context", or the fields of schema.org, DCAT-US or Project Open Data',
    )


def inlined_context(value: Any, source: str, contexts: Contexts) -> Any:
    """Return the value of an `@context` with the contexts that it names in their places.

    Raises `CatalogError` where one cannot be had.
    """
    return _Inlining(source, contexts).context(value, ())


class _Inlining:
    """Puts contexts where a document names them."""

    def __init__(self, source: str, contexts: Contexts) -> None:
        self._source = source
        self._contexts = contexts
        self._loaded: dict[str, Any] = {}
        self._count = 0

    def inlined(self, document: Any) -> Any:
        """Return a value of JSON in which every context stands itself; it is changed."""
        for value in _objects(document):
            if "@context" in value:
                value["@context"] = self.context(value["@context"], ())
        return document

    def context(self, value: Any, names: tuple[str, ...]) -> Any:
        """Return a context with those that it names in their places; `names` lead to it."""
        if isinstance(value, list):
            # A context that is named twice in a row says no more than once.
            once = [
                item
                for place, item in enumerate(value)
                if place == 0 or not isinstance(item, str) or item != value[place - 1]
            ]
            return [self.context(item, names) for item in once]
        if isinstance(value, str):
            if value in names:
                raise CatalogError(
                    f"a JSON-LD context that names itself: {value}", self._source, "none"
                )
            self._count += 1
            check_limit("contexts", self._count, self._source)
            return self.context(self._load(value), (*names, value))
        if isinstance(value, dict) and isinstance(value.get("@import"), str):
            rest = {key: item for key, item in value.items() if key != "@import"}
            imported = self.context(value["@import"], names)
            if not isinstance(imported, dict):
                raise CatalogError(
                    f"an imported context that is not an object: {value['@import']}",
                    self._source,
                    "an object (JSON-LD 1.1 section 4.1.10)",
                )
            return {**imported, **self.inlined(rest)}
        return self.inlined(value)

    def _load(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = self._found(name)
        return self._loaded[name]

    def _found(self, name: str) -> Any:
        """Return the context of a name."""
        key = _key(name)
        for given, path in self._contexts.files.items():
            if _key(given) == key:
                return {} if path is None else _context_in(path.read_bytes(), str(path))
        packaged = packaged_context(key)
        if packaged is not None:
            return packaged
        if key == name and ":" not in name:
            path = self._beside(name)
            if path is not None:
                return _context_in(path.read_bytes(), str(path))
        elif self._contexts.allow_network and key != name:
            return _context_in(_fetch(name, self._source), name)
        raise CatalogError(
            f"the JSON-LD context {name} is not at hand",
            self._source,
            f"--context {name}=FILE, --context {name}=none to do without it,"
            " or --allow-network to fetch it",
        )

    def _beside(self, name: str) -> Path | None:
        """Return the file in the folder of the document, or below, that has a name."""
        folder = Path(self._source).resolve().parent
        path = (folder / name).resolve()
        if not self._contexts.allow_files and not path.is_relative_to(folder):
            raise CatalogError(
                f"the JSON-LD context {name} is outside the folder of the document",
                self._source,
                f"--context {name}=FILE, or --allow-files to read it",
            )
        return path if path.is_file() else None


def _key(name: str) -> str:
    return re.sub(r"^https?://", "", name).rstrip("/#")


def _fetch(url: str, source: str) -> bytes:
    from urllib.request import Request, urlopen  # noqa: PLC0415 - only where it is asked for

    accept = "application/ld+json, application/json;q=0.9"
    try:
        with urlopen(Request(url, headers={"Accept": accept}), timeout=30) as answer:  # noqa: S310 - http and https only
            body: bytes = answer.read()
            return body
    except OSError as error:
        raise CatalogError(
            f"the JSON-LD context {url} cannot be fetched ({error})",
            source,
            f"a network, or --context {url}=FILE",
        ) from error


def _context_in(content: bytes, name: str) -> Any:
    try:
        return json.loads(content)["@context"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CatalogError("no JSON-LD context", name, 'a JSON object with "@context"') from error
