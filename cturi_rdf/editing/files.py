"""Changing the graph of a file and keeping its text: `edit` and `save`."""

from __future__ import annotations

import os
from collections import deque
from contextlib import contextmanager
from difflib import diff_bytes, unified_diff
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf.editing.document import unlocated
from cturi_rdf.editing.engines import ByUpdate, by_graph
from cturi_rdf.editing.rewrite import rewrite
from cturi_rdf.reading.atomic import same_file, write_whole
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import Source, open_source, open_unpacked, read_whole
from cturi_rdf.reading.terms import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike

    import pyoxigraph as ox
    from rdflib import Graph

    from cturi_rdf.editing.document import Document
    from cturi_rdf.editing.engines import Engine


class Edited(NamedTuple):
    """A text before and after a change of its graph, and the statements removed and added.

    `source` is the name of the file.  `document` is the text to which the places of the statements
    refer.
    """

    source: str
    original: bytes
    text: bytes
    removed: tuple[ox.Quad, ...]
    added: tuple[ox.Quad, ...]
    document: Document

    @property
    def is_changed(self) -> bool:
        """Whether the text differs."""
        return self.original != self.text

    def diff(self) -> bytes:
        """Return the change of the text as a unified diff."""
        return unified(self.source, self.original, self.text)

    def write(self, target: str | PathLike[str] | None = None) -> bool:
        """Write the text, to its own file if no other is named; return whether it was written."""
        return write_edited(self.source, self.original, self.text, target or self.source)

    def as_dict(self) -> dict[str, Any]:
        """Return what changed, for JSON."""
        return {
            "source": self.source,
            "changed": self.is_changed,
            "removed": [str(quad) for quad in self.removed],
            "added": [str(quad) for quad in self.added],
        }


def edit(
    source: str | PathLike[str] | bytes,
    update: str | Callable[[str], Engine],
    reading: ReadOptions = ReadOptions(),
) -> Edited:
    r"""Return a text whose graph is changed by a SPARQL 1.1 Update; nothing is written.

    `source` is the path of a file, ``-`` for standard input, or a text in bytes, whose format
    `reading` names.  Comments, order, prefixes and layout stay; only what changed differs.  The
    prefixes of the file and common ones, such as dcat and dct, need no declaration in the update.
    Instead of an `update`, a function may give an engine for the base of the file, see
    `cturi_rdf.editing.engines`.

    Raises `CatalogError` where the file cannot be read, and `EditError` where its syntax cannot
    express a change at its place.

    >>> text = b'@prefix : <http://e.example/> .\n:a :name "A" ; # first\n   :age 1 .\n'
    >>> update = "INSERT DATA { :a :age 2 }"
    >>> print(edit(text, update, ReadOptions(form="turtle")).text.decode())
    @prefix : <http://e.example/> .
    :a :name "A" ; # first
       :age 1 ;
       :age 2 .
    <BLANKLINE>
    """
    with _opened(source, reading) as file:
        try:
            edited = _edited(file, update)
        except CatalogError:
            # The parser of the whole file describes an error best.
            deque(QuadDocument(file), maxlen=0)
            raise
        file.check()
        return edited


@contextmanager
def _opened(source: str | PathLike[str] | bytes, reading: ReadOptions) -> Iterator[Source]:
    if not isinstance(source, bytes):
        with open_source(source, reading) as file:
            yield file
        return
    if reading.form is None:
        raise TypeError("a text in bytes needs the name of its format, ReadOptions(form=…)")
    with TemporaryFile() as content:
        content.write(source)
        content.flush()
        yield Source("-", content, reading, None)


def save(graph: Graph, path: str | PathLike[str], reading: ReadOptions = ReadOptions()) -> Edited:
    """Write a graph or a dataset of rdflib into the file that it came from; return what changed.

    Statements that have not changed keep their text, even where rdflib spells a literal in another
    way.  The file must exist.  Raises `CatalogError` and `EditError`; then nothing is written.
    """
    from cturi_rdf.reading.rdflib_graphs import as_rdflib_has_it, quads_of_graph

    engine = by_graph(quads_of_graph(graph, os.fspath(path)), as_rdflib_has_it)
    edited = edit(path, lambda _: engine, reading)
    edited.write()
    return edited


def base_of(source: str) -> str:
    """Return the IRI that the relative IRIs of a file are resolved against, as rdflib does it."""
    return DOCUMENT if source == "-" else Path(source).absolute().as_uri()


def _edited(file: Source, update: str | Callable[[str], Engine]) -> Edited:
    name, base, data = file.name, base_of(file.name), file.read()
    document_of = partial(unlocated, format=file.format, base=base, name=name, reading=file.reading)
    engine = ByUpdate(update, base) if isinstance(update, str) else update(base)
    if isinstance(engine, ByUpdate):
        engine.prefixes_of_file = partial(_prefixes, file)
    rewritten = rewrite(data, document_of, engine)
    removed, added = (tuple(sorted(q, key=str)) for q in (rewritten.removed, rewritten.added))
    return Edited(name, data, rewritten.text, removed, added, rewritten.document)


def _prefixes(file: Source) -> dict[str, str]:
    """Return the prefixes that a file declares."""
    quads = QuadDocument(file, base_of(file.name))
    deque(quads, maxlen=0)
    return quads.prefixes


def write_edited(source: str, original: bytes, text: bytes, target: str | PathLike[str]) -> bool:
    """Write an edited text, whole or not at all; return whether anything was written.

    A file in which nothing changes is not written to its own place, and neither is a file that has
    changed since it was read.  Raises `CatalogError`.
    """
    target = os.fspath(target)
    if original == text and target == source != "-":
        return False
    if same_file(target, source):
        with open_unpacked(source) as file:
            if read_whole(file, source) != original:
                problem = "it has changed since it was read"
                raise CatalogError(problem, source, "a file that does not change")
    write_whole(target, text)
    return True


def unified(source: str, original: bytes, text: bytes) -> bytes:
    """Return a unified diff, which ``patch`` and ``git apply`` read, in the file's encoding."""
    # A carriage return is part of a line.
    olds, news = (list(BytesIO(content)) for content in (original, text))
    name = os.fsencode("standard-input" if source == "-" else source.lstrip("/"))
    return b"".join(
        line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
        for line in diff_bytes(unified_diff, olds, news, b"a/" + name, b"b/" + name)
    )
