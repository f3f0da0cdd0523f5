"""The registry of XPointer schemes (RFC 7303 section 5), a table in the package."""

from __future__ import annotations

from functools import cache

from cturi_rdf.registry.tables import Record, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cturi_rdf.registry.tables import Table

__all__ = ["SchemeRecord", "scheme"]


class SchemeRecord(Record):
    """One scheme of XPointer.

    `status` is ``registered`` or ``in review`` by W3C's registry, or ``draft`` where only a
    Working Draft of W3C defines it; `specification` is its name, where one is known.
    """

    __slots__ = ()
    name: str
    status: str
    specification: str | None


def scheme(name: str) -> SchemeRecord | None:
    """Return what is known about an XPointer scheme, or None.

    >>> scheme("xpath1").status, scheme("xpointer").status, scheme("foo")
    ('registered', 'draft', None)
    """
    record: SchemeRecord | None = _table().get(name)
    return record


@cache
def _table() -> Table:
    return load("xpointer-schemes.tsv", SchemeRecord)
