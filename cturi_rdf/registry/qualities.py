"""Qualities by which people choose types: machine-readable, open, archive; the CoAP number.

The EU says of its file types which are machine-readable and which are not proprietary: the
Metadata Quality Assessment of data.europa.eu counts by these lists, and the table of file types
has a flag of its own.  The numbers are IANA's CoAP Content-Formats (RFC 7252 section 12.3).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.registry.hierarchy import comparison_parameters, structure_of
from cturi_rdf.registry.snapshot import registry
from cturi_rdf.registry.tables import inverted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.registry.tables import EuFileTypeRecord, Table

__all__ = ["Qualities", "coap_content_format", "coap_number", "qualities"]


class Qualities(NamedTuple):
    """The qualities of a type.

    `machine_readable` and `open` (not proprietary) are what the EU states of a file type with this
    media type, and None where it states nothing.  A file type with several media types counts for
    the first of them if that has no file type of its own.  `archive` says that the type packs or
    compresses other files, by itself or as its suffix says.  `coap` is the number of the content
    type without a content coding, or None.
    """

    machine_readable: bool | None
    open: bool | None
    archive: bool
    coap: int | None


def qualities(content_type: ContentType) -> Qualities:
    """Return the qualities of a content type; an alias has those of its type, and its own number.

    >>> qualities(ContentType.parse("text/csv"))
    Qualities(machine_readable=True, open=True, archive=False, coap=None)
    >>> qualities(ContentType.parse("application/pdf")).machine_readable is None
    True
    >>> qualities(ContentType.parse("application/zip")).archive
    True
    """
    essence = registry().canonical(content_type.essence)
    file_types = _file_types().get(essence, ())
    return Qualities(
        _stated(file_type.machine_readable for file_type in file_types),
        _stated(file_type.open for file_type in file_types),
        _packs(essence),
        coap_number(content_type),
    )


def _packs(essence: str) -> bool:
    """Return whether a type is a package or a compression, or has the suffix of one."""
    base = structure_of(ContentType.parse(essence)).base
    return any(map(registry().packaging, (essence, base.essence if base else essence)))


def _stated(values: Iterable[bool | None]) -> bool | None:
    """Return what is stated of any, yes before no."""
    return max((value for value in values if value is not None), default=None)


def coap_number(content_type: ContentType, coding: str | None = None) -> int | None:
    """Return the CoAP number of a content type with its parameters, or None.

    `coding` is a content coding, such as ``deflate``.  Parameters compare as values, in any
    order.

    >>> coap_number(ContentType.parse("application/json"))
    50
    >>> coap_number(ContentType.parse("application/json"), "deflate")
    11050
    >>> coap_number(ContentType.parse("text/plain; charset=UTF-8"))
    0
    """
    return _numbers().get(
        (content_type.essence, frozenset(comparison_parameters(content_type)), coding)
    )


def coap_content_format(number: int) -> tuple[ContentType, str | None] | None:
    """Return the content type and the content coding of a CoAP number, or None.

    >>> coap_content_format(11050)
    (ContentType.parse('application/json'), 'deflate')
    >>> coap_content_format(65535)
    """
    return _content_formats().get(number)


@cache
def _content_formats() -> dict[int, tuple[ContentType, str | None]]:
    return {
        int(record.number): (ContentType.parse(record.content_type), record.coding)
        for record in registry().coap_content_formats()
    }


@cache
def _numbers() -> dict[tuple[str, frozenset[tuple[str, str]], str | None], int]:
    return {
        (content_type.essence, frozenset(comparison_parameters(content_type)), coding): number
        for number, (content_type, coding) in _content_formats().items()
    }


@cache
def _file_types() -> dict[str, list[EuFileTypeRecord]]:
    """Return the EU's file types of each media type alone, or else those that prefer it.

    RDFa is machine-readable and written in HTML or XHTML; HTML itself is another file type.
    """
    records: Table[EuFileTypeRecord] = registry().eu_file_types()
    unpacked = [record for record in records if not record.inner]
    preferring = inverted((record, record.types[:1]) for record in unpacked)
    alone = inverted((record, record.types) for record in unpacked if len(record.types) == 1)
    return preferring | alone
