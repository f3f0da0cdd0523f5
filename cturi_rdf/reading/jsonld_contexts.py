"""The JSON-LD contexts that a document names: found, and put in their places.

The parsers of Oxigraph and rdflib then need only the document.  A context comes from the files
that the user names, from the package, from beside the document or, only if that is allowed,
from elsewhere on the disk or from the network.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from functools import cache, cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.limits import check_limit
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.source import open_unpacked, read_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.reading.formats import ReadOptions
    from cturi_rdf.reading.json_scan import Scanned


_INLINE = "the context itself in its place"
# The longest text that is looked at as the name of a type.
_LONGEST_TYPE = 200


class Uses:
    """Some values of a document, and which of them are under a name or have a type.

    A context that belongs to a term (JSON-LD 1.1 section 4.1.8) matters only in the values of
    the term and in the nodes of that type.  Each step leads further into the document, so
    contexts that name one another come to an end where the document does.
    """

    def __init__(
        self, scanned: Scanned, spans: Iterable[tuple[int, int]] = (), all_: Uses | None = None
    ) -> None:
        """Take a document, and the first entry of each part of it and the one after its last."""
        self._scanned = scanned
        self._spans = spans
        self._all = all_ or self

    def inside(self, entry: int) -> Uses:
        """Return the values in an object."""
        return self._part([(entry + 1, self._scanned.nexts[entry])])

    def _part(self, spans: list[tuple[int, int]]) -> Uses:
        return Uses(self._scanned, spans, self._all)

    def within(self, term: str) -> Uses | None:
        """Return the values in which the context of a term is in force; None if there are none."""
        scanned, spans = self._scanned, []
        used = False
        for entry in self._found(term):
            used = True
            member = scanned.member(entry)
            if entry == member and scanned.names[scanned.keys[entry]] == term:
                spans.append((entry + 1, scanned.nexts[entry]))
            if member != -1 and scanned.kind(entry) == ord('"') and scanned.value(entry) == term:
                spans += [
                    (child, scanned.nexts[child])
                    for child in scanned.children(scanned.parents[member])
                    if child != member
                ]
        return self._part(_joined(spans)) if used else None

    def _found(self, term: str) -> Iterator[int]:
        """Yield the entries with a name, and the texts that are equal to it."""
        places = self._all.positions.get(term, ())
        for start, end in self._spans:
            at = bisect_left(places, start)
            while at < len(places) and places[at] < end:
                yield places[at]
                at += 1

    @cached_property
    def positions(self) -> dict[str, array[int]]:
        """The entries with each name, and of each short text; made for the whole document alone."""
        scanned, index = self._scanned, defaultdict[str, "array[int]"](partial(array, "q"))
        for entry, key in enumerate(scanned.keys):
            if key != -1:
                index[scanned.names[key]].append(entry)
            if scanned.ends[entry] - scanned.starts[entry] <= _LONGEST_TYPE:
                raw = scanned.raw(entry)
                if raw.startswith(b'"'):
                    index[raw[1:-1].decode()].append(entry)
        return index


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, none of which is in another one."""
    joined: list[tuple[int, int]] = []
    # Values are in one another or apart: of two that begin at one place the longer comes first.
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not joined or start >= joined[-1][1]:
            joined.append((start, end))
    return joined


class Inlining:
    """Puts the contexts of one document in their places; each is loaded once."""

    def __init__(self, source: str, reading: ReadOptions) -> None:
        self._source = source
        self._reading = reading
        self._load = cache(self._of_name)

    def __call__(self, value: Any, uses: Uses) -> Any:
        """Return the value of an `@context` with the contexts that it names in their places.

        `uses` are the values that it is for.  Raises `CatalogError` where a context cannot be had.
        """
        self._count = 0
        return self._context(value, uses, ())

    def _context(self, value: Any, uses: Uses, names: tuple[str, ...]) -> Any:
        """Return a context with those that it names in their places; `names` lead to it."""
        self._count += 1
        if isinstance(value, dict):
            self._count += len(value)
        check_limit("contexts", self._count, self._source)
        if isinstance(value, list):
            # A context that is named twice in a row says no more than once.
            return [
                self._context(item, uses, names)
                for before, item in pairwise([None, *value])
                if not isinstance(item, str) or item != before
            ]
        if isinstance(value, str):
            if value in names:
                raise CatalogError(
                    f"a JSON-LD context that names itself: {value}", self._source, "none"
                )
            return self._context(self._load(value), uses, (*names, value))
        if not isinstance(value, dict):
            return value
        context = {name: self._definition(name, item, uses) for name, item in value.items()}
        name = context.pop("@import", None)
        if not isinstance(name, str):
            return value if name is not None else context
        imported = self._context(name, uses, names)
        if not isinstance(imported, dict):
            problem = f"an imported context that is not an object: {name}"
            raise CatalogError(problem, self._source, "an object (JSON-LD 1.1 section 4.1.10)")
        return imported | context

    def _definition(self, name: str, item: Any, uses: Uses) -> Any:
        """Return a term's definition; its context is loaded only where the term is used."""
        if not isinstance(item, dict) or "@context" not in item:
            return item
        item = dict(item)
        scoped, inside = item.pop("@context"), uses.within(name)
        return item if inside is None else {**item, "@context": self._context(scoped, inside, ())}

    def _of_name(self, name: str) -> Any:
        """Return the context with a name."""
        key = _key(name)
        for given, path in self._reading.contexts.items():
            if _key(given) == key:
                return {} if path is None else _context_of(path)
        packaged = packaged_context(key)
        if packaged is not None:
            return packaged
        if key == name and ":" not in name:
            path = self._beside(name)
            if path is not None:
                return _context_of(path)
        elif self._reading.allow_network and key != name:
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
        """Return the file with a name in the folder of the document, or below.

        A document from standard input is in no folder, and has nothing beside it.
        """
        if self._source == "-" and not self._reading.allow_files:
            return None
        folder = Path(self._source).resolve().parent
        path = (folder / name).resolve()
        if not self._reading.allow_files and not path.is_relative_to(folder):
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
    try:
        return json.loads(content)["@context"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CatalogError(
            "not a JSON-LD context", name, 'a JSON object with "@context"'
        ) from error


# The contexts that come with the package, in `cturi_rdf/data/contexts/`.  They are of our own
# making: they map the terms to the IRIs that their owners give them, and say how values are read.

_DATA = Path(__file__).parents[1] / "data"
_SCHEMA = "http://schema.org/"
# The IRIs that documents name the contexts by, without scheme and closing slash or hash.
_BY_NAME = {
    r"project-open-data\.cio\.gov/v1\.1/schema/catalog\.jsonld": "project-open-data",
    r"(?:www\.)?schema\.org(?:/docs/jsonldcontext\.json(?:ld)?)?": "schema-org",
    r"(?:www\.)?w3id\.org/ro/crate/(?:0\.2|1\.[0-9])(?:-DRAFT)?/context": "ro-crate",
    r"(?:www\.)?w3id\.org/ro/terms/workflow-run(?:/context)?": "workflow-run",
    r"www\.w3\.org/(?:2019/wot/td/v1|2022/wot/td/v1\.1|ns/td)": "wot",
    r"raw\.githubusercontent\.com/DOI-DO/dcat-us/main/context/dcat-us-3\.0\.jsonld": "dcat-us-3",
    r"(?:www\.)?w3\.org/ns/activitystreams(?:\.jsonld)?": "activitystreams",
    r"(?:www\.)?w3\.org/ns/csvw(?:\.jsonld)?": "csvw",
    r"(?:www\.)?w3\.org/ns/anno(?:\.jsonld)?": "web-annotation",
    r"w3id\.org/dspace/2025/1/context\.jsonld": "dataspace",
    r"w3id\.org/dspace/2025/1/odrl-profile\.jsonld": "odrl-profile",
    r"(?:www\.)?iiif\.io/api/registry/selectors/context\.json": "iiif-selectors",
    r"(?:www\.)?iiif\.io/api/(presentation/[234]|image/[123]|search/[012]|auth/[012])"
    r"/context\.json": "iiif",
}


# The files that leave out the terms of schema.org, which come before theirs.
_ON_SCHEMA_ORG = {"schema-org", "ro-crate"}


@cache
def context_of_file(name: str) -> dict[str, Any]:
    """Return the context in a file of the package, with the terms that it is built on."""
    text = (_DATA / "contexts" / f"{name}.jsonld").read_text("utf-8")
    context: dict[str, Any] = json.loads(text)["@context"]
    return _schema_org() | context if name in _ON_SCHEMA_ORG else context


@cache
def _schema_org() -> dict[str, Any]:
    """Return all of schema.org's terms one by one.

    They are not an `@vocab`, because a document may put its own over it.
    """
    text = (_DATA / "schema-org.txt").read_text("utf-8")
    names = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: _SCHEMA + name for name in names} | {"schema": _SCHEMA}


def packaged_context(name: str) -> dict[str, Any] | None:
    """Return the context that comes with the package by this name, or None.

    >>> packaged_context("schema.org")["encodingFormat"]
    'http://schema.org/encodingFormat'
    """
    for pattern, file in _BY_NAME.items():
        if match := re.fullmatch(pattern, name):
            part = f"-{match[1].replace('/', '-')}" if match.lastindex else ""
            return context_of_file(file + part)
    return None
