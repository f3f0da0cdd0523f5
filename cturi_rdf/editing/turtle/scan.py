"""One walk over Turtle or TriG that keeps the places of some statements.

The grammar is that of Turtle 1.2 and TriG 1.2, section 6.  Open brackets are kept on a list, so
depth costs no recursion.
"""

from __future__ import annotations

import codecs
from array import array
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.document import Span
from cturi_rdf.editing.turtle.terms import (
    BLANK_TOKEN,
    BRACKET,
    COMMA,
    DOT,
    IRI,
    NODE,
    PAIR,
    PREFIX,
    STRING,
    WORD,
    space_end,
    term_end,
    verb_match,
)

if TYPE_CHECKING:
    from cturi_rdf.editing.document import Tests
    from cturi_rdf.editing.turtle.terms import Terms, Verbs

    _State = tuple[int, int, int, ox.NamedNode | None, list[int], int]


# What the walk expects next.
_VERB, _OBJECT, _DELIMITER, _STATEMENT, _ITEM = range(5)


class UnexpectedToken(Exception):  # noqa: N818 - it becomes the error of a file
    """The text is not Turtle at an offset."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


class Places:
    """The places of statements, a column each.

    `subjects`, `verbs` and `graphs` are where those tokens begin, a graph at -1 being the
    default graph; `predicates` are what the verbs stand for; `starts` and `ends` are of the
    objects, `stops` where the last object of the same verb ends, `firsts` where the first verb
    of the same subject begins.  `blocks` are the graphs of TriG: where the name begins, where
    the brace is that ends it, and where its last statement lacks a dot, or -1.  `collections` are
    the graph of each, its span and those of its items; `reifiers` are where each is named, with the
    number of the statement that it reifies.
    """

    def __init__(self, size: int) -> None:
        kind = "i" if size < 1 << 31 else "q"
        self.graphs, self.subjects, self.verbs = array(kind), array(kind), array(kind)
        self.starts, self.ends, self.stops = array(kind), array(kind), array(kind)
        self.firsts = array(kind)
        self.predicates: list[ox.NamedNode] = []
        self.blocks: list[tuple[int, int, int]] = []
        self.collections: list[tuple[int, Span, list[Span]]] = []
        self.reifiers: dict[tuple[int, int], None] = {}

    def put(  # noqa: PLR0913, PLR0917 - a column each
        self,
        graph: int,
        subject: int,
        first: int,
        verb: int,
        predicate: ox.NamedNode,
        start: int,
        end: int,
    ) -> int:
        """Put a statement at the end; return its number."""
        self.graphs.append(graph)
        self.subjects.append(subject)
        self.firsts.append(first)
        self.verbs.append(verb)
        self.predicates.append(predicate)
        self.starts.append(start)
        self.ends.append(end)
        self.stops.append(end)
        return len(self.predicates) - 1


class Scanner:
    """Walks over a text; `places` has the statements, `terms` the prefixes.

    `verbs` has the predicates of the statements to keep, `tests` conditions of their objects.
    """

    def __init__(self, data: bytes, terms: Terms, verbs: Verbs, tests: Tests) -> None:
        self._data = data
        self._terms = terms
        self._verbs = verbs
        self._tests = {ox.NamedNode(predicate): test for predicate, test in tests.items()}
        self.places = Places(len(data))
        # The current statement: the offsets of its graph, its subject, the first verb of the
        # subject and its own verb, its predicate if it is kept, and the numbers of the statements
        # of the verb.
        self._graph = self._subject = self._first = self._verb = -1
        self._predicate: ox.NamedNode | None = None
        self._open: list[int] = []
        # For each open token: what follows it, the token, where it is, and the state there.
        self._around: list[tuple[int, bytes, int, _State]] = []
        # The items of each open collection so far.
        self._items: list[list[Span]] = []
        # Where the annotations that follow get their subject, -1 for one of their own each.
        self._reifier = -1
        self._last_end = 0
        self._undotted = -1
        self._in_block = False

    def scan(self) -> None:
        """Walk over all of the text.  Raises `UnexpectedToken`."""
        data, size = self._data, len(self._data)
        start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
        position = self._space(start)
        steps = (
            self._after_subject,
            self._object,
            self._delimiter,
            self._statement,
            self._item,
        )
        expected = _STATEMENT
        while position < size:
            position, expected = steps[expected](position)
        if expected != _STATEMENT or self._around or self._graph != -1:
            raise UnexpectedToken(size)

    def _space(self, position: int) -> int:
        return space_end(self._data, position)

    def _after_subject(self, position: int) -> tuple[int, int]:
        """Read verbs with their objects, and subjects of one token: most of a file."""
        data, verbs, pair, put = self._data, self._verbs, PAIR.match, self.places.put
        subject, graph, first = self._subject, self._graph, self._first
        tests = self._tests
        while match := pair(data, position):
            predicate, after = verbs[match[1]], match.lastindex
            if predicate is not None and (
                predicate not in tests or self._passes(predicate, *match.span(2))
            ):
                number = put(graph, subject, first, position, predicate, *match.span(2))
                if after == COMMA:
                    self._open = [number]
            start, position = position, match.end()
            if after == DOT:
                token = NODE.match(data, position)
                if token is None or data.startswith(b"{", token.end()):
                    return position, _STATEMENT
                subject = self._subject = position
                position = first = self._first = token.end()
            elif after == COMMA:
                self._verb, self._predicate = start, predicate
                return position, _OBJECT
            elif after == BRACKET:
                return self._close(position, b"[", match.end(BRACKET))
        return self._verb_or_end(position)

    def _verb_or_end(self, position: int) -> tuple[int, int]:
        match = verb_match(self._data, position)
        if match is None:
            # No verb: an end, or a semicolon with nothing before it.
            return self._after_object(position, position)
        self._verb, self._predicate, self._open = position, self._verbs[match[1]], []
        return match.end(), _OBJECT

    def _object(self, position: int) -> tuple[int, int]:
        return self._term(position, _DELIMITER)

    def _item(self, position: int) -> tuple[int, int]:
        """Read an item of a collection, or its end."""
        if self._data[position : position + 1] == b")":
            return self._close(self._space(position + 1), b"(", position + 1)
        return self._term(position, _ITEM)

    def _term(self, position: int, following: int) -> tuple[int, int]:
        """Read an object of a verb or an item of a collection."""
        end = term_end(self._data, position)
        opens = b"" if end != -1 else self._data[position : position + 1]
        if end == -1 and opens not in {b"[", b"("}:
            raise UnexpectedToken(position)
        if following == _DELIMITER:
            if self._predicate is not None:
                statement = self._graph, self._subject, self._first, self._verb, self._predicate
                if end == -1 or self._passes(self._predicate, position, end):
                    self._open.append(self.places.put(*statement, position, end))
            self._reifier = -1
        else:
            self._items[-1].append(Span(position, end))
        if end == -1:
            return self._enter(opens, position, following)
        self._last_end = end
        return self._space(end), following

    def _passes(self, predicate: ox.NamedNode, start: int, end: int) -> bool:
        """Return whether the object between two offsets passes the test of its predicate."""
        test = self._tests.get(predicate)
        return test is None or test(self._terms.value(start, end))

    def _enter(self, opens: bytes, position: int, following: int) -> tuple[int, int]:
        """Go into brackets, a collection or an annotation."""
        state = self._subject, self._first, self._verb, self._predicate, self._open, self._reifier
        self._around.append((following, opens, position, state))
        self._subject = position
        if opens == b"(":
            self._items.append([])
        elif opens == b"{|":
            if self._reifier != -1:
                self._subject = self._reifier
            self._reifies(self._subject)
        self._predicate, self._open = None, []
        inside = self._first = self._space(position + len(opens))
        return inside, _ITEM if opens == b"(" else _VERB

    def _close(self, position: int, opens: bytes, end: int) -> tuple[int, int]:
        """Leave the brackets that `opens` entered; the walk goes on at `position`."""
        if not self._around or self._around[-1][1] != opens:
            raise UnexpectedToken(end - len(opens))
        following, _, start, state = self._around.pop()
        if opens == b"(":
            self.places.collections.append((self._graph, Span(start, end), self._items.pop()))
        self._subject, self._first, self._verb, self._predicate, self._open, self._reifier = state
        if following == _VERB:
            # It was a subject itself.
            self._subject, self._first = start, position
        elif following == _DELIMITER and opens != b"{|" and self._open:
            self.places.ends[self._open[-1]] = end
        elif following == _ITEM:
            self._items[-1][-1] = Span(start, end)
        self._last_end = end
        return position, following

    def _delimiter(self, position: int) -> tuple[int, int]:
        return self._after_object(position, self._last_end)

    def _after_object(self, position: int, end: int) -> tuple[int, int]:
        """Read what comes after an object that ends at `end`."""
        data = self._data
        token = data[position : position + 1]
        if token == b"~":
            return self._read_reifier(position)
        if data.startswith(b"{|", position):
            return self._enter(b"{|", position, _DELIMITER)
        if token == b",":
            return self._space(position + 1), _OBJECT
        for number in self._open:
            self.places.stops[number] = end
        self._open, self._predicate = [], None
        following = self._space(position + 1)
        if token == b";":
            return following, _VERB
        if token == b"]":
            return self._close(following, b"[", position + 1)
        if data.startswith(b"|}", position):
            return self._close(self._space(position + 2), b"{|", position + 2)
        if self._around:
            raise UnexpectedToken(position)
        if token == b".":
            return following, _STATEMENT
        if token == b"}" and self._in_block:
            self._undotted = end
            return position, _STATEMENT
        raise UnexpectedToken(position)

    def _read_reifier(self, position: int) -> tuple[int, int]:
        """Read a tilde and, if there is one, the name of a reifier."""
        start = self._space(position + 1)
        end = term_end(self._data, start)
        self._reifier = start if end != -1 else position
        self._reifies(self._reifier)
        self._last_end = max(end, position + 1)
        return self._space(self._last_end), _DELIMITER

    def _reifies(self, named: int) -> None:
        """Note that the statement before is reified by what is named at an offset."""
        if self._open:
            self.places.reifiers[named, self._open[-1]] = None

    def _statement(self, position: int) -> tuple[int, int]:
        """Read a subject, a directive, or the beginning or end of a graph."""
        data = self._data
        token = data[position : position + 1]
        if token == b"}" and self._in_block:
            self.places.blocks.append((self._graph, position, self._undotted))
            self._in_block, self._graph = False, -1
            return self._space(position + 1), _STATEMENT
        if token == b"{" and not self._in_block:
            self._in_block = True
            return self._space(position + 1), _STATEMENT
        self._undotted = -1
        word = WORD.match(data, position)
        if word:
            return self._directive(word[1].lower(), position, word.end())
        if token == b"(" or (token == b"[" and not BLANK_TOKEN.match(data, position)):
            return self._enter(token, position, _VERB)
        end = term_end(data, position)
        if end == -1:
            raise UnexpectedToken(position)
        following = self._space(end)
        if data[following : following + 1] == b"{" and not self._in_block:
            self._graph = position
            return following, _STATEMENT
        self._subject, self._first = position, following
        return following, _VERB

    def _directive(self, word: bytes, start: int, end: int) -> tuple[int, int]:
        """Read a directive (Turtle sections 2.4 and 6.5), or the keyword of a graph."""
        data = self._data
        position = self._space(end)
        if word == b"graph":
            return position, _STATEMENT
        name = b""
        if word.endswith(b"prefix"):
            prefix = PREFIX.match(data, position)
            if prefix is None:
                raise UnexpectedToken(position)
            name, position = prefix[1], self._space(prefix.end())
        iri, string = IRI.match(data, position), STRING.match(data, position)
        if word in {b"version", b"@version"} and string:
            position = string.end()
        elif word in {b"prefix", b"@prefix", b"base", b"@base"} and iri:
            position = iri.end()
            self._terms.declare(name if word.endswith(b"prefix") else None, iri[0], iri.start())
            self._verbs.clear()
        else:
            raise UnexpectedToken(start)
        following = self._space(position)
        if word.startswith(b"@"):
            if data[following : following + 1] != b".":
                raise UnexpectedToken(following)
            following = self._space(following + 1)
        return following, _STATEMENT
