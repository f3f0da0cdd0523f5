"""Finding statements with their places, whatever the syntax."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cturi_rdf.editing.document import Given
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.options import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Collection

    from cturi_rdf.editing.document import Document, Tests
    from cturi_rdf.reading.formats import Format


# The class of the documents in each syntax, which is loaded when it is needed.
_DOCUMENTS = {
    "nt": "lines:LinesDocument",
    "nquads": "lines:LinesDocument",
    "turtle": "turtle:TurtleDocument",
    "trig": "turtle:TurtleDocument",
    "xml": "rdfxml:XmlDocument",
    "json-ld": "json:JsonDocument",
}


def locate(  # noqa: PLR0913 - what a file is, where it stands, what is asked for
    data: bytes,
    format: Format | str,  # noqa: A002 - what it is
    *,
    base: str | None = None,
    predicates: Collection[str] | None = None,
    tests: Tests | None = None,
    name: str = "-",
    reading: ReadOptions = ReadOptions(),
) -> Document:
    r"""Return a file as a document: the statements with some predicates, each with its place.

    `data` is the file without compression, `format` its format or the name of that, `base` the IRI
    that its relative IRIs are resolved against, `predicates` the IRIs of the predicates, None for
    all; `tests` has conditions of their objects, by predicate.  `name` is what errors call the
    file; `reading` says where contexts that JSON-LD names come from.  A locator does not validate
    the file: a parser does.  Raises `CatalogError` for a format whose statements have no places.

    >>> data = b'<a:a> <a:b> "CSV" .\n<a:a> <a:c> "d" .'
    >>> [found] = locate(data, "nt", predicates=["a:b"]).statements
    >>> found.start, found.end, found.object.value
    (12, 17, 'CSV')
    """
    form = format_named(format) if isinstance(format, str) else format
    if form.name not in _DOCUMENTS:
        names = ", ".join(_DOCUMENTS)
        raise CatalogError(f"{form.name} has no places for edits", name, f"one of {names}")
    module, _, class_name = _DOCUMENTS[form.name].partition(":")
    documents: type[Document] = getattr(import_module(f"cturi_rdf.editing.{module}"), class_name)
    wanted = None if predicates is None else frozenset(predicates)
    return documents(Given(data, form, base, wanted, tests or {}, name, reading))
