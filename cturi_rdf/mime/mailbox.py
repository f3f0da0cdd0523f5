"""Many messages: a file, an mbox, or a folder of either, and ``mid:`` URLs across them."""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cturi_rdf.errors import MessageError
from cturi_rdf.mime.document import Message
from cturi_rdf.mime.entity import is_header_line
from cturi_rdf.mime.scan import Source
from cturi_rdf.uri import MessageID, Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cturi_rdf.mime.entity import Entity
    from cturi_rdf.mime.scan import Readable

    _Place = tuple[Readable | Source, int, int]

__all__ = ["Mailbox"]

# RFC 4155 appendix A: "From ", an address and the time, hours and minutes at least.
_FROM_LINE = re.compile(rb"From [^\r\n]*?[0-9]{1,2}:[0-9]{2}[^\r\n]*+\r?\n?")
_LINE = 1024


class Mailbox:
    r"""The messages in files and folders; iterating reads one after the other.

    A file that begins with a `From_` line is an mbox.  In a folder, every file at any depth that
    begins with a header field or a `From_` line is read, so folders of ``.eml`` files, Maildir and
    MH are all mailboxes; hidden files and a Maildir's `tmp` are skipped.

    >>> mailbox = Mailbox(b"From a@b Sat Jan  3 01:05:34 1996\nMessage-ID: <m@a>\n\nHello\n")
    >>> [message.message_id for message in mailbox], mailbox.resolve("mid:m@a")[1]
    ([MessageID('m@a')], <Entity 0: text/plain; charset=us-ascii>)
    """

    def __init__(self, *sources: Readable) -> None:
        """Make a mailbox from files, folders or octets; nothing is opened yet."""
        self._sources = sources

    def __iter__(self) -> Iterator[Message]:
        for place in self._places():
            yield _message(place)

    def resolve(
        self,
        url: str | Reference,
        *,
        understood: Callable[[Entity], bool] | None = None,
    ) -> tuple[Message, Entity] | None:
        """Return the message and the entity that a ``mid:`` or ``cid:`` URL means, or `None`.

        The first call reads all headers; among messages with one Message-ID the first that has the
        part counts.  An unencoded ``/`` may belong to the Message-ID if no message has the text
        before it as its own.  Raises `IdentifierError` where it is no such URL, `MessageError`
        where a file cannot be read.
        """
        reference = Reference.recover(url).reference if isinstance(url, str) else url
        if reference is None:
            reference = Reference.parse(str(url))
        message, content = reference.message, reference.content
        wanted = reference if message is None else Reference(message, None)
        if wanted not in self._index and message is not None and content is not None:
            joined = MessageID(f"{message.addr_spec}/{content.addr_spec}")
            wanted = reference = Reference(joined, None)
        for place in self._index.get(wanted, ()):
            candidate = _message(place)
            entity = candidate.resolve(reference, understood=understood)
            if entity is not None:
                return candidate, entity
        return None

    @cached_property
    def _index(self) -> dict[Reference, list[_Place]]:
        """The place of each identifier, from all headers."""
        index: dict[Reference, list[_Place]] = {}
        for place in self._places():
            for reference in _message(place).identifiers:
                index.setdefault(reference, []).append(place)
        return index

    def _places(self) -> Iterator[_Place]:
        """Yield the place of each message."""
        for source in self._sources:
            if isinstance(source, (str, os.PathLike)) and Path(source).is_dir():
                for path in _files(Path(source)):
                    opened = Source.open(path)
                    if is_header_line(opened.read(0, _LINE)):
                        yield from _ranges(path, opened)
            else:
                opened = Source.open(source)
                kept = source if isinstance(source, (str, os.PathLike)) else opened
                yield from _ranges(kept, opened)


def _message(place: _Place) -> Message:
    source, start, end = place
    opened = source if isinstance(source, Source) else Source.open(source)
    try:
        return Message.within(opened, start, end)
    except MessageError as error:
        if not isinstance(source, (str, os.PathLike)):
            raise
        raise MessageError(f"{error.problem}, in {os.fspath(source)}", *error.args[1:]) from error


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder at any depth, in the order of their names."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "tmp")
        for name in sorted(files):
            if not name.startswith("."):
                yield Path(parent, name)


def _ranges(source: Readable | Source, opened: Source) -> Iterator[_Place]:
    """Yield the range of each message of a file: the whole, or those of an mbox."""
    first = _FROM_LINE.match(opened.read(0, _LINE))
    if first is None:
        yield source, 0, opened.size
        return
    start = first.end()
    at = start - 1
    while True:
        at = opened.find(b"\nFrom ", at, opened.size)
        if at == -1:
            # The empty line after the last message is not part of it either.
            ending = opened.read(max(opened.size - 3, start), opened.size)
            empty = 2 if ending == b"\n\r\n" else 1 if ending[-2:] == b"\n\n" else 0
            yield source, start, opened.size - empty
            return
        # RFC 4155 appendix A: an empty line ends each message.
        before = opened.read(max(at - 2, 0), at)
        line = _FROM_LINE.match(opened.read(at + 1, at + 1 + _LINE))
        if line and (before.endswith(b"\n") or before == b"\n\r"):
            yield source, start, max(start, at - (1 if before == b"\n\r" else 0))
            start = at + 1 + line.end()
        at += 1
