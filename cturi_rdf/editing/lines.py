"""N-Triples and N-Quads: a statement a line."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.document import LINE_END, Document, Span, Statement, Terms
from cturi_rdf.editing.edit import Add, Append, Replace
from cturi_rdf.reading.errors import not_valid
from cturi_rdf.reading.ntriples import text_of
from cturi_rdf.reading.read import reason_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cturi_rdf.editing.edit import Change, Piece
    from cturi_rdf.editing.located_graph import GraphAfter


_IRI = rb"<[^<>\r\n]*>"
_LITERAL = (
    rb'"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"(?:[ \t]*@[A-Za-z0-9-]+|[ \t]*\^\^[ \t]*' + _IRI + rb")?"
)
_BLANK = rb'_:[^\s<>"#]*[^\s<>"#.]'
# N-Triples 1.2 section 3: a triple term may be in a triple term.  Eight levels are enough.
_TERM = b"(?:%b|%b|%b)" % (_IRI, _LITERAL, _BLANK)
for _ in range(8):
    _TERM = b"(?:%b|%b|%b|<<\\([ \t]*(?:%b[ \t]*){3}\\)>>)" % (_IRI, _LITERAL, _BLANK, _TERM)
_LINE = re.compile(
    rb"[ \t]*(%b|%b)[ \t]*(%b)[ \t]*(%b)[ \t]*(%b|%b)?[ \t]*\.[ \t]*(?:#[^\r\n]*)?"
    % (_IRI, _BLANK, _IRI, _TERM, _IRI, _BLANK)
)


class LinesDocument(Document):
    """A file of N-Triples or N-Quads.

    Lines that are no statement are passed over.  Where a term is invalid, locating raises
    `CatalogError`.
    """

    def _find(self) -> None:
        terms, places, texts = Terms(), [], []
        for line in _lines(self.data, self.predicates):
            places.append((*line.span(3), line.start()))
            texts.append(line[0])
        try:
            quads = ox.parse(b"\n".join(texts), self.format.oxigraph)
            self.statements = [
                Statement(*terms.of(quad), *place)
                for quad, place in zip(quads, places, strict=True)
                if self.is_wanted(quad.predicate, quad.object)
            ]
        except SyntaxError as error:
            raise not_valid(self.format.name, reason_of(error), self.name) from error

    def subject_span(self, statement: Statement) -> Span:
        """Return the place of a subject's token."""
        return Span(*_line(self.data, statement.handle).span(1))

    def predicate_span(self, statement: Statement) -> Span:
        """Return the place of a predicate's token."""
        return Span(*_line(self.data, statement.handle).span(2))

    def is_anonymous(self, label: str) -> bool:  # noqa: ARG002 - of no interest here
        """Return False: every blank node of a line has a label, which may look random."""
        return False

    def edits(
        self,
        changes: Iterable[tuple[int, Change]],
        after: GraphAfter | None = None,  # noqa: ARG002
    ) -> Iterator[Piece]:
        """Yield the edits that make some changes: whole lines between whole lines."""
        data, line_end = self.data, self.line_end
        for number, change in changes:
            if isinstance(change, Append):
                missing = line_end if data[-1:] not in {b"", b"\n", b"\r"} else b""
                text = b"".join(b"%b .%b" % (str(quad).encode(), line_end) for quad in change.quads)
                yield len(data), len(data), missing + text, number
                continue
            start = change.statement.handle
            line = _line(data, start)
            following = LINE_END.match(data, line.end())
            end = following.end() if following else line.end()
            if isinstance(change, Add):
                terms = [line[1], _written(change.predicate), _written(change.object)]
                terms += [line[4]] if line[4] else []
                text = b" ".join([*terms, b"."])
                text = text + following[0] if following else line_end + text
                yield end, end, text, number
            elif isinstance(change, Replace):
                if change.predicate is not None:
                    yield *line.span(2), _written(change.predicate), number
                yield *line.span(3), _written(change.object), number
            else:
                yield start, end, b"", number


def _lines(data: bytes, predicates: Collection[str] | None) -> Iterator[re.Match[bytes]]:
    """Yield the lines with a wanted predicate."""
    if predicates is None:
        mention = re.compile(_IRI)
    else:
        wanted = b"|".join(re.escape(predicate.encode()) for predicate in predicates)
        # Escapes (N-Triples section 7, UCHAR) are decoded below.
        mention = re.compile(rb"<(?:(?:%b)>|[^<>\\\r\n]*\\)" % wanted)
    end = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    for match in mention.finditer(data, end):
        if match.start() < end:
            continue
        start = max(end, data.rfind(b"\n", end, match.start()) + 1)
        start = max(start, data.rfind(b"\r", start, match.start()) + 1)
        following = LINE_END.search(data, match.end())
        end = following.start() if following else len(data)
        line = _LINE.fullmatch(data, start, end)
        if line and (predicates is None or _is_one(line[2], predicates)):
            yield line


def _is_one(token: bytes, predicates: Collection[str]) -> bool:
    try:
        return text_of(token) in predicates
    except (ValueError, OverflowError):
        # No text: Oxigraph says what is wrong with the line.
        return True


def _line(data: bytes, start: int) -> re.Match[bytes]:
    line = _LINE.match(data, start)
    if line is None:  # pragma: no cover - the locator has matched it
        raise AssertionError(start)
    return line


def _written(term: object) -> bytes:
    return str(term).encode()
