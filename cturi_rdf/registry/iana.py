"""Reading IANA's own document of media types, and keeping it as the user's snapshot."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from cturi_rdf.errors import CturiError
from cturi_rdf.registry.snapshot import SNAPSHOT, registry, user_data
from cturi_rdf.registry.tables import MediaTypeRecord, write_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from xml.etree.ElementTree import Element

    from cturi_rdf.registry.snapshot import Registry


IANA = "https://www.iana.org/assignments/media-types/media-types.xml"

_NS = "{http://www.iana.org/assignments}"
_LIMIT = 64 * 2**20  # the document has half a megabyte; a far larger one is something else
# RFC 6838 section 4.2, restricted-name.
_NAME = r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}"
_RESTRICTED_NAME = re.compile(_NAME)
_STATUS = re.compile(r"OBSOLETE|DEPRECATED", re.IGNORECASE)
# IANA writes: OBSOLETED in favor of text/javascript; and: in favor of vnd.afpc.afplinedata.
_IN_FAVOR = re.compile(rf"\b(?:favou?r of|replaced by)\s+((?:{_NAME}/)?{_NAME})")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def read_media_types(document: bytes, source: str = IANA) -> tuple[str, list[MediaTypeRecord]]:
    """Return the date and the records of IANA's document, in its order.

    Raises `CturiError`, which names the `source`, if `document` is not the registry of
    media types in IANA's XML.

    >>> date, records = read_media_types(
    ...     b'<registry xmlns="http://www.iana.org/assignments" id="media-types">'
    ...     b'<updated>2026-07-01</updated><registry id="text"><record date="2014-01-07">'
    ...     b'<name>csv</name><xref type="rfc" data="rfc4180"/></record></registry></registry>'
    ... )
    >>> date, records[0].essence, records[0].references
    ('2026-07-01', 'text/csv', ('RFC4180',))
    """
    # A document type could declare entities that grow without bound; IANA's has none.
    if b"<!DOCTYPE" in document:
        raise _refusal("a document type declaration stands in it", source)
    try:
        root = ET.fromstring(document)  # noqa: S314 # no document type, hence no entities
    except (ET.ParseError, ValueError, LookupError) as error:
        raise _refusal(f"it is not well-formed XML: {error}", source) from error
    if root.tag != f"{_NS}registry" or root.get("id") != "media-types":
        raise _refusal(f"its root is {root.tag!r} with the id {root.get('id')!r}", source)
    date = root.findtext(f"{_NS}updated") or ""
    if not _DATE.fullmatch(date):
        raise _refusal("it has no date", source)
    records = [
        _record(top, element)
        for part in root.iterfind(f"{_NS}registry")
        if _RESTRICTED_NAME.fullmatch(top := part.get("id") or "")
        for element in part.iterfind(f"{_NS}record")
        if _RESTRICTED_NAME.match(_text(element, "name"))
    ]
    if not records:
        raise _refusal("it lists no type", source)
    return date, list({row.essence: row for row in records}.values())


def snapshot(
    date: str, records: Iterable[MediaTypeRecord], provisional: Iterable[MediaTypeRecord]
) -> str:
    """Return the table of `records`, which came from IANA on that date.

    IANA lists the `provisional` types in a registry of their own.  Each is kept until it
    has a registration form in the main one.
    """
    merged = {row.essence: row for row in records}
    for waiting in provisional:
        listed = merged.get(waiting.essence, waiting)
        if not listed.template:
            merged[waiting.essence] = listed._replace(status="provisional")
    # As IANA does: by top-level type, then by subtype.
    ordered = sorted(merged.values(), key=lambda record: record.essence.split("/"))
    facts = {
        "source": f"IANA, Media Types, {IANA}",
        "date": date,
        "licence": "CC0 1.0 (IANA registry data)",
    }
    return write_table(facts, MediaTypeRecord, ordered)


def update(source: str = IANA) -> Registry:
    """Make IANA's document at `source` the user's snapshot, and return the new registry.

    `source` is a URL, the path of a file, or ``-``.  The snapshot is written to the folder that
    `cturi_rdf.registry.user_data` names, whole or not at all, and is preferred from then
    on if it is newer than the one in the package.

    Raises `CturiError`, and changes nothing, where `source` cannot be read, is not the
    registry, or has lost more than a tenth of the types that are known now.
    """
    current = registry()
    date, records = read_media_types(fetch(source), source)
    essences = {record.essence for record in current.media_types()}
    lost = essences - {row.essence for row in records}
    if len(lost) * 10 > len(essences):
        raise _refusal(
            f"{len(lost)} of the {len(essences)} types known now are missing from it", source
        )
    waiting = (record for record in current.media_types() if record.status == "provisional")
    try:
        _write(Path(user_data()) / SNAPSHOT, snapshot(date, records, waiting))
    except OSError as error:
        problem = f"the snapshot cannot be written ({error.strerror or error})"
        expected = "a folder that can be written to; CTURI_DATA names another one"
        raise CturiError(problem, user_data(), expected=expected) from error
    registry.cache_clear()
    return registry()


def _record(top: str, element: Element) -> MediaTypeRecord:
    """Return the record in an element of the registry of one top-level type."""
    # A note on an obsolete type is part of the name or in an element beside it.
    name, _, note = _text(element, "name").partition(" ")
    name = name.removeprefix(f"{top}/")  # as in "application/jwk-set+jwt" under application
    beside = " ".join(_text(element, tag) for tag in ("obsolete", "deprecated", "note"))
    note = f"{note} {beside}"
    template = _text(element, "file")
    status = _STATUS.search(note)
    named = (match[1].lower() for match in _IN_FAVOR.finditer(note))
    replacements = tuple(name if "/" in name else f"{top}/{name}" for name in named)
    return MediaTypeRecord(
        f"{top}/{name}".lower(),
        f"{top}/{name}",
        status[0].lower() if status else "registered",
        tuple(_references(element)),
        template or None,
        replacements if status else (),
        element.get("date"),
        element.get("updated"),
    )


def _references(element: Element) -> Iterator[str]:
    for reference in element.iterfind(f"{_NS}xref"):
        data = reference.get("data") or (reference.text or "").strip()
        if reference.get("type") == "rfc":
            data = data.upper()
        if data:
            yield _field(data).replace("|", "%7C")


def _text(element: Element, tag: str) -> str:
    return _field(element.findtext(f"{_NS}{tag}") or "")


def _field(text: str) -> str:
    """Return `text` with each run of white space as one space, fit for a table."""
    return " ".join(text.split())


def fetch(source: str) -> bytes:
    """Return the octets at a URL, in a file or, for ``-``, on standard input.

    Raises `CturiError` where there are none.
    """
    from http.client import HTTPException
    from urllib.request import Request, urlopen

    try:
        if source.startswith(("https://", "http://")):
            request = Request(source, headers={"User-Agent": "cturi-rdf"})  # noqa: S310 # http(s)
            with urlopen(request, timeout=60) as answer:  # noqa: S310 # see the line above
                document: bytes = answer.read(_LIMIT + 1)
        elif source == "-":
            document = sys.stdin.buffer.read(_LIMIT + 1)
        else:
            with Path(source).open("rb") as file:
                document = file.read(_LIMIT + 1)
    except (OSError, ValueError, HTTPException) as error:
        raise _failure(
            f"it cannot be read ({getattr(error, 'strerror', None) or error})", source
        ) from error
    if len(document) > _LIMIT:
        raise _refusal(f"it has more than {_LIMIT} bytes", source)
    return document


def _write(target: Path, text: str) -> None:
    """Write a file whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = mkstemp(dir=target.parent)
    temporary = Path(name)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 # a path would open it again
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError:
        temporary.unlink()
        raise


def _refusal(why: str, source: str) -> CturiError:
    return _failure(f"not IANA's registry of media types: {why}", source)


def _failure(problem: str, text: str) -> CturiError:
    return CturiError(problem, text, expected="IANA's media-types.xml", rule=IANA)
