r"""The octets of a message, and its parts, found without reading their bodies.

A message may be larger than memory.  Nothing here holds more than one window of it, and a search
runs through it window by window.

Theory of operation.  Only a line that begins with two hyphens can be a delimiter (RFC 2046 section
5.1.1), so the scanner searches for ``\n--`` and looks at those lines alone.  All open multiparts
are in one dictionary from boundary to depth, so that a line is matched against a thousand of them
in one step; the innermost of two equal boundaries wins.  A delimiter of an outer multipart ends all
that are open inside it.  A boundary with text after it on its line is no delimiter.  RFC 2046
section 5.1.1 would look only at the beginning of the line, but boundaries that begin like another
are common, and most readers do the same.  One pass, no recursion, time linear in the size, memory
for the headers.
"""

from __future__ import annotations

import weakref
from contextlib import suppress
from email.message import Message as EmailMessage
from io import BytesIO
from os import PathLike, fspath
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING

from cturi_rdf.errors import MessageError
from cturi_rdf.mime.entity import Entity, is_header_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TypeAlias

    Readable: TypeAlias = (
        "Source | bytes | bytearray | memoryview | str | PathLike[str] | BinaryIO | EmailMessage"
    )

_WINDOW = 1 << 20
_MULTIPART = "RFC 2046 section 5.1.1"
# The most octets of a header and levels of nesting, far more than any mail system sends.
_LONGEST_HEADER = 8 << 20
_DEEPEST = 10_000
# Every level of encoded messages is one more copy; deeper levels are not read.
_MOST_ENCODED = 8
# How much white space may follow a delimiter on its line ("transport-padding").
_PADDING = 256


class Source:
    """The octets of a file, with one window at a time in memory."""

    __slots__ = ("__weakref__", "_end", "_file", "_start", "_window", "size")

    def __init__(self, file: BinaryIO) -> None:
        """Take a seekable binary file."""
        self._file = file
        self._window = b""
        self._start = self._end = 0
        self.size = file.seek(0, 2)

    @classmethod
    def open(cls, source: Readable) -> Source:
        """Return the octets of bytes, a path, a binary file, an `email` message, or a source.

        A file that cannot seek, such as a pipe, is copied to a temporary one.  Raises
        `MessageError` where it cannot be opened or read.

        >>> Source.open(b"Subject: x").read(0, 7)
        b'Subject'
        """
        if isinstance(source, Source):
            return source
        if isinstance(source, (bytes, bytearray, memoryview)):
            return cls(BytesIO(source))
        if isinstance(source, EmailMessage):
            return cls(BytesIO(_flatten(source)))
        name = str(fspath(source)) if isinstance(source, (str, PathLike)) else ""
        if not name and not hasattr(source, "read"):
            what = type(source).__name__
            raise TypeError(f"a message is bytes, a path, a binary file or an email, not {what}")
        try:
            if isinstance(source, (str, PathLike)):
                return _owner(open(source, "rb"))  # noqa: PTH123 - closed with the source
            if source.seekable():
                # Some files claim to be seekable, but can only seek from their start.
                with suppress(NotImplementedError):
                    return cls(source)
            return cls.of_chunks(iter(lambda: source.read(_WINDOW), b""))
        except (OSError, ValueError) as error:
            problem = f"it cannot be read ({getattr(error, 'strerror', None) or error})"
            expected, rule = "a file with a message", "RFC 5322 section 2.1"
            raise MessageError(problem, name, expected=expected, rule=rule) from error

    @classmethod
    def of_chunks(cls, chunks: Iterator[bytes]) -> Source:
        """Return the octets of `chunks`, kept in a temporary file where they are many."""
        file: BinaryIO = SpooledTemporaryFile(max_size=_WINDOW)  # type: ignore[assignment]  # noqa: SIM115
        try:
            for chunk in chunks:  # noqa: FURB122 - `writelines` would hold all of them first
                file.write(chunk)
        except BaseException:
            file.close()
            raise
        return _owner(file)

    def read(self, start: int, end: int) -> bytes:
        """Return the octets from `start` up to `end`; fewer where the file is shorter."""
        if not self._start <= start <= end <= self._end:
            if end - start > _WINDOW:
                self._file.seek(start)
                return self._file.read(end - start)
            self._load(start)
        return self._window[start - self._start : end - self._start]

    def find(self, octets: bytes, start: int, end: int) -> int:
        """Return the first place of `octets` between `start` and `end`, or -1.

        >>> Source.open(b"a--b--").find(b"--", 2, 6)
        4
        """
        while start + len(octets) <= end:
            if not self._start <= start <= start + len(octets) <= self._end:
                self._load(start)
                if self._end < start + len(octets):
                    return -1
            offset = self._window.find(octets, start - self._start, end - self._start)
            if offset != -1:
                return offset + self._start
            start = self._end - len(octets) + 1
        return -1

    def chunks(self, start: int, end: int) -> Iterator[bytes]:
        """Yield the octets from `start` up to `end`, a window at a time."""
        while start < end:
            chunk = self.read(start, min(start + _WINDOW, end))
            if not chunk:
                return
            yield chunk
            start += len(chunk)

    def _load(self, start: int) -> None:
        self._file.seek(start)
        self._window = self._file.read(_WINDOW)
        self._start, self._end = start, start + len(self._window)


def _owner(file: BinaryIO) -> Source:
    """Return the source of a file that is closed with the source."""
    source = Source(file)
    weakref.finalize(source, file.close)
    return source


def _flatten(message: EmailMessage) -> bytes:
    """Return the octets of a message of the standard library, with its headers as they are."""
    try:
        return message.as_bytes(policy=message.policy.clone(max_line_length=None))
    except Exception as error:  # its generator may raise anything for a broken message
        problem = f"a message that the `email` package cannot write ({error})"
        if isinstance(error, RecursionError):
            problem = "a message nested too deeply for the `email` package"
        raise MessageError(
            problem, "", expected="its octets instead", rule="RFC 5322 section 2.1"
        ) from error


def scan(source: Source, start: int = 0, end: int | None = None) -> list[Entity]:
    r"""Return the entities of the message in ``source[start:end]``, in reading order.

    >>> message = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\none\n--x\n\ntwo\n--x--"
    >>> [b"".join(entity.content()) for entity in scan(Source.open(message))[1:]]
    [b'one', b'two']
    """
    root = _Scanner(source, source.size if end is None else end).run(start, None)
    # A message that is itself encoded is decoded, and scanned in its turn.
    entities = _entities_in_order(root)
    encoded = [(entity, 1) for entity in entities if entity.holds_message and entity.is_encoded]
    if not encoded:
        return entities
    while encoded:
        entity, level = encoded.pop()
        if level > _MOST_ENCODED:
            continue
        inner = Source.of_chunks(entity.content())
        inside = _entities_in_order(_Scanner(inner, inner.size).run(0, entity))
        encoded += [(e, level + 1) for e in inside if e.holds_message and e.is_encoded]
    return _entities_in_order(root)


def _entities_in_order(root: Entity) -> list[Entity]:
    """Return the entities of a tree in reading order, and number them."""
    entities: list[Entity] = []
    stack = [root]
    while stack:
        entity = stack.pop()
        entity.index = entity.last = len(entities)
        entities.append(entity)
        stack += reversed(entity.children)
    for entity in reversed(entities):
        if entity.children:
            entity.last = entity.children[-1].last
    return entities


class _Scanner:
    """One pass over a range of octets."""

    def __init__(self, source: Source, end: int) -> None:
        self._source = source
        self._end = end
        # The entities that are open, outermost first; the open multiparts by boundary,
        # each with the places in `_path` of those that have it, innermost last.
        self._path: list[Entity] = []
        self._open: dict[bytes, list[int]] = {}
        self._longest = 0

    def run(self, start: int, parent: Entity | None) -> Entity:
        position = self._begin(start, parent)
        root = self._path[0]
        while self._open:
            # The line break before a delimiter belongs to it.
            at = self._source.find(b"\n--", position - 1, self._end)
            if at == -1:
                break
            at += 1
            position, delimiter = self._line(at)
            if delimiter is None:
                continue
            boundary, closes = delimiter
            place = self._open[boundary][-1]
            self._finish(place + 1, at)
            if closes:
                self._forget(boundary)
                if not self._path[place].children:
                    _note_delimiter(self._path[place], "a multipart without a part")
            else:
                position = self._begin(position, self._path[place])
        self._finish(0, None)
        return root

    def _line(self, at: int) -> tuple[int, tuple[bytes, bool] | None]:
        """Return where the line after the one at `at` starts, and the delimiter in it.

        A delimiter is a boundary, and whether it closes the multipart.
        """
        window = self._source.read(at, min(at + self._longest + _PADDING, self._end))
        line, newline, _ = window.partition(b"\n")
        if not newline and at + len(window) < self._end:
            # Too long for a delimiter; its end is found by the search for the next one.
            return at + len(window), None
        text = line[2:].rstrip(b" \t\r")
        position = at + len(line) + len(newline)
        if text in self._open:
            return position, (text, False)
        if text[-2:] == b"--" and text[:-2] in self._open:
            return position, (text[:-2], True)
        # The search begins at the line break, which may be that of a delimiter on the next line.
        return position, None

    def _begin(self, start: int, parent: Entity | None) -> int:
        """Open the entity at `start`, and the message that it holds; return where to go on."""
        while True:
            header_end, body, problem = self._header(start)
            entity = Entity(self._source, (start, header_end, body), parent)
            if problem:
                shown = self._source.read(header_end, min(header_end + 80, self._end))
                expected = "a header field, or an empty line"
                entity.note(problem, shown.decode("latin-1"), expected, "RFC 5322 section 2.2")
            if parent is not None:
                parent.children.append(entity)
            self._path.append(entity)
            inside = (entity.holds_message or entity.is_external) and not entity.is_encoded
            if entity.is_multipart or inside:
                if entity.depth >= _DEEPEST:
                    entity.note("parts nested too deeply", "", f"{_DEEPEST} levels", _MULTIPART)
                    return body
                if inside:
                    start, parent = body, entity
                    continue
                self._remember(entity)
            return body

    def _header(self, start: int) -> tuple[int, int, str | None]:
        """Return the end of the header at `start`, the start of the body, and the fault, if any."""
        position = start
        while position < self._end:
            limit = min(start + _LONGEST_HEADER, self._end)
            newline = self._source.find(b"\n", position, limit)
            if newline == -1 and limit < self._end:
                return position, position, "a header of excessive length"
            after = limit if newline == -1 else newline + 1
            line = self._source.read(position, min(after, position + _PADDING))
            if line in {b"\n", b"\r\n"}:
                return position, after, None
            if line[:2] == b"--" and self._line(position)[1]:
                # The search goes on at the line break before the delimiter.
                return position, position, None
            if not is_header_line(line):
                return position, position, "a line that is not a header field"
            position = after
        return self._end, self._end, None

    def _remember(self, entity: Entity) -> None:
        """Remember the boundary of a multipart."""
        boundary = entity.boundary
        if not boundary:
            problem = "a multipart without a boundary"
            entity.note(problem, str(entity.content_type), "the parameter boundary", _MULTIPART)
            return
        self._longest = max(self._longest, len(boundary) + len("----\r\n"))
        self._open.setdefault(boundary, []).append(len(self._path) - 1)

    def _forget(self, boundary: bytes) -> None:
        places = self._open[boundary]
        places.pop()
        if not places:
            del self._open[boundary]

    def _finish(self, place: int, at: int | None) -> None:
        """Close the open entities from `place` on; the delimiter is at `at`, if there is one."""
        end = self._end
        if at is not None:
            # RFC 2046 section 5.1.1: the line break before the delimiter is not content.
            before = self._source.read(at - 2, at)
            end = at - (2 if before == b"\r\n" else 1)
        while len(self._path) > place:
            entity = self._path.pop()
            entity.end = max(end, entity.body)
            places = self._open.get(entity.boundary)
            if places and places[-1] == len(self._path):
                self._forget(entity.boundary)
                problem = "that is never closed" if entity.children else "without a part"
                _note_delimiter(entity, f"a multipart {problem}")


def _note_delimiter(entity: Entity, problem: str) -> None:
    expected = "its boundary between two pairs of hyphens"
    entity.note(problem, entity.boundary.decode(), expected, _MULTIPART)
