"""The JSON-LD contexts that a document names: found, and put in their places.

The parsers of Oxigraph and rdflib then need only the document.  A context comes from the files
that the user names, from the package, from beside the document or, only if that is allowed,
from elsewhere on the disk or from the network.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf._util.limits import check_limit
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.source import open_unpacked, read_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Contexts", "Inlining"]

_INLINE = "the context itself in its place"


class Contexts(NamedTuple):
    """Where the contexts that a document names may come from, and how strictly it is read.

    `files` has the file of each context by its IRI; None instead of a file leaves that context out.
    `strict` refuses half of a character in a string, which reads as U+FFFD otherwise.
    """

    files: Mapping[str, Path | None] = {}
    allow_network: bool = False
    allow_files: bool = False
    strict: bool = False


class Inlining:
    """Puts the contexts of one document in their places; each is loaded once."""

    def __init__(self, source: str, contexts: Contexts) -> None:
        self._source = source
        self._contexts = contexts
        self._load = cache(self._of_name)
        self._count = 0

    def __call__(self, value: Any) -> Any:
        """Return the value of an `@context` with the contexts that it names in their places.

        Raises `CatalogError` where one cannot be had.
        """
        self._count = 0
        return self.context(value, ())

    def inlined(self, document: Any) -> Any:
        """Return a value of JSON with every context in its place; the value itself is changed."""
        pending = [document]
        while pending:
            value = pending.pop()
            if isinstance(value, list):
                pending += value
            elif isinstance(value, dict):
                pending += [item for key, item in value.items() if key != "@context"]
                if "@context" in value:
                    value["@context"] = self.context(value["@context"], ())
        return document

    def context(self, value: Any, names: tuple[str, ...]) -> Any:
        """Return a context with those that it names in their places; `names` lead to it."""
        if isinstance(value, list):
            # A context that is named twice in a row says no more than once.
            once = [
                item
                for before, item in pairwise([None, *value])
                if not isinstance(item, str) or item != before
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

    def _of_name(self, name: str) -> Any:
        """Return the context with a name."""
        from cturi_rdf.reading.packaged_contexts import packaged_context

        key = _key(name)
        for given, path in self._contexts.files.items():
            if _key(given) == key:
                return {} if path is None else _context_of(path)
        packaged = packaged_context(key)
        if packaged is not None:
            return packaged
        if key == name and ":" not in name:
            path = self._beside(name)
            if path is not None:
                return _context_of(path)
        elif self._contexts.allow_network and key != name:
            return _context_in(_fetch(name, self._source), name)
        raise CatalogError(
            f"the JSON-LD context {name} is not available",
            self._source,
            _INLINE,
        ).with_option(
            f", --context {name}=FILE, --context {name}=none to do without it,"
            " or --allow-network to fetch it"
        )

    def _beside(self, name: str) -> Path | None:
        """Return the file with a name in the folder of the document, or below."""
        from pathlib import Path

        folder = Path(self._source).resolve().parent
        path = (folder / name).resolve()
        if not self._contexts.allow_files and not path.is_relative_to(folder):
            raise CatalogError(
                f"the JSON-LD context {name} is outside the folder of the document",
                self._source,
                _INLINE,
            ).with_option(f", --context {name}=FILE, or --allow-files to read it")
        return path if path.is_file() else None


def _key(name: str) -> str:
    return re.sub(r"^https?://", "", name).rstrip("/#")


def _fetch(url: str, source: str) -> bytes:
    from http.client import HTTPException
    from urllib.request import Request, urlopen

    accept = "application/ld+json, application/json;q=0.9"
    try:
        with urlopen(Request(url, headers={"Accept": accept}), timeout=30) as answer:  # noqa: S310 - http and https only
            return read_whole(answer, url)
    except (OSError, HTTPException, ValueError) as error:
        raise CatalogError(
            f"the JSON-LD context {url} cannot be fetched ({error})",
            source,
            "a network",
        ).with_option(f", or --context {url}=FILE") from error


def _context_of(path: Path) -> Any:
    with open_unpacked(str(path)) as file:
        return _context_in(read_whole(file, str(path)), str(path))


def _context_in(content: bytes, name: str) -> Any:
    import json

    try:
        return json.loads(content)["@context"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CatalogError(
            "not a JSON-LD context", name, 'a JSON object with "@context"'
        ) from error
