"""Changes of Turtle and TriG written as edits, in the style of the file.

The style is how the file spells terms and where it breaks lines.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIX_OF
from cturi_rdf.editing.edit import Add, Append, EditError, Remove, Replace
from cturi_rdf.editing.located_graph import FIRST, NIL, REST
from cturi_rdf.editing.turtle.removal import list_without, verbs_of, without_one
from cturi_rdf.editing.turtle.terms import SPACE, STRING, TYPE, space_end, verb_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cturi_rdf.editing.document import Document, Span, Statement
    from cturi_rdf.editing.edit import Change, Piece, SpanText
    from cturi_rdf.editing.located_graph import GraphAfter
    from cturi_rdf.editing.turtle import TurtleDocument

    # New nodes that are written where they are used, with what is said of them.
    Nested = Mapping[ox.BlankNode, Sequence[ox.Quad]]

# How many subjects wait for more changes: those of one subject are written together.
_SUBJECTS = 1000
# From a token to the end of its line, with the end; only a comment may be in between.
_REST = re.compile(rb"[ \t]*(?:#[^\r\n]*)?(\r\n?|\n)")
_INDENT = re.compile(rb"[ \t]*")

_AboutOne = Add | Replace | Remove
# The directives at the head of a file, `@prefix` and `PREFIX` told apart; a byte order mark first.
_DIRECTIVE = re.compile(
    rb"%b(?:(@prefix|(?i:prefix)(?=[ \t\r\n#]))%b[\w\-.\x80-\xff]*:"
    rb"|@?(?i:base|version))%b(?:<[^<>]*>|%b)(?:%b\.)?"
    % (*[SPACE.pattern] * 3, STRING.pattern, SPACE.pattern)
)
_START = re.compile(rb"(?:\xef\xbb\xbf)?")
# What Turtle reads as a literal of a datatype without quotes (Turtle sections 2.5.2 and 2.5.3).
_BARE = {
    f"http://www.w3.org/2001/XMLSchema#{name}": re.compile(pattern)
    for name, pattern in (
        ("boolean", "true|false"),
        ("integer", "[+-]?[0-9]+"),
        ("decimal", r"[+-]?[0-9]*\.[0-9]+"),
        ("double", r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+"),
    )
}
# A local name that needs no escape in any version of Turtle; it may be empty.
_LOCAL = re.compile(r"(?:[A-Za-z0-9_](?:[\w\-]*\w)?)?", re.ASCII)


def write_turtle(
    document: TurtleDocument,
    changes: Iterable[tuple[int, Change]],
    after: GraphAfter | None = None,
) -> Iterator[Piece]:
    """Yield the edits of Turtle or TriG that make some changes, each with its number.

    The changes of one subject are written together; of a long sequence of changes, those
    of one subject are expected near one another.
    """
    writing = _Writing(document, after.nested if after else {})
    subjects: dict[int, list[tuple[int, _AboutOne]]] = {}
    appended: list[tuple[int, Append]] = []
    for number, change in changes:
        if isinstance(change, Append):
            appended.append((number, change))
            continue
        first = document.places.firsts[change.statement.handle]
        subjects.setdefault(first, []).append((number, change))
        if len(subjects) > _SUBJECTS:
            yield from writing.subject(subjects.pop(next(iter(subjects))))
    for together in subjects.values():
        yield from writing.subject(together)
    for number, change in appended:
        yield from writing.append(number, change)
    if after:
        yield from _edit_items(document, after, writing.spelling)
    yield from writing.declarations()


def _edit_items(document: TurtleDocument, after: GraphAfter, spelling: Spelling) -> Iterator[Piece]:
    """Yield the edits of the items of collections: of those that differ in a new graph."""
    for head, collection in document.collections.by_head.items():
        news = after.items(head)
        olds = [document.terms.value(*item) for item in collection.items]
        if news is None or news == olds:
            continue
        spans, write = collection.items, spelling.at(collection.start).term
        matcher = SequenceMatcher(None, olds, news, autojunk=False)
        for kind, one, two, three, four in matcher.get_opcodes():
            if kind == "equal":
                # A node without a label can stay, but not be written again.
                continue
            texts = b" ".join(map(write, news[three:four]))
            if one == two:
                place = spans[one - 1].end if one else spans[0].start
                yield place, place, b" " + texts if one else texts + b" ", 0
            elif three == four:
                yield from (
                    _without_item(document.data, spans, number) for number in range(one, two)
                )
            else:
                yield *spans[one], texts, 0
                yield from (_without_item(document.data, spans, n) for n in range(one + 1, two))


def _without_item(data: bytes, spans: list[Span], number: int) -> Piece:
    """Return the edit that removes an item with the space on one side, but no comment."""
    start, end = spans[number]
    if number and not data[spans[number - 1].end : start].strip():
        start = spans[number - 1].end
    elif number + 1 < len(spans) and not data[end : spans[number + 1].start].strip():
        end = spans[number + 1].start
    return start, end, b"", 0


class _Writing:
    """Writes into one document."""

    def __init__(self, document: TurtleDocument, nested: Nested) -> None:
        self._document = document
        self._data = document.data
        self._style = Style(document)
        self._terms = document.terms
        declares = bool(self._style.declaration)
        self.spelling = Spelling(document, nested, declares=declares)
        self._places = document.places
        # Where a dot has been written behind a statement of a graph, or where none is needed.
        self._dotted: set[int] = set()
        # The ends of statements that were added to on the next line, or at the end of their own.
        self._behind: set[int] = set()

    def subject(self, changes: list[tuple[int, _AboutOne]]) -> Iterator[Piece]:
        """Yield the edits that make some changes of one subject."""
        added: dict[int, list[Add]] = {}
        # The number of the first change that adds something at a verb.
        numbers: dict[int, int] = {}
        removed: dict[int, int] = {}
        renamed = self._renamed(changes)
        for number, change in changes:
            verb = self._verb(change)
            if isinstance(change, Add):
                added.setdefault(verb, []).append(change)
                numbers.setdefault(verb, number)
            elif self._is_annotated(change.statement):
                problem = "a statement that other statements describe cannot be replaced or removed"
                raise self._document.refusal(problem, change.statement.start)
            elif isinstance(change, Remove):
                removed[change.statement.start] = number
            elif change.predicate is None or verb in renamed:
                for edit in self._replaced(change):
                    yield *edit, number
            else:
                # Another predicate for one of several objects.
                statement = change.statement
                removed[statement.start] = number
                beside = Add(statement, change.predicate, change.object)
                added.setdefault(verb, []).append(beside)
                numbers.setdefault(verb, number)
        if len(changes) == len(removed) == 1:
            [(number, change)] = changes
            if quick := without_one(self._document, self._verb(change), number):
                yield from quick
                return
        if removed:
            texts = {verb: (self._joined(adds), numbers[verb]) for verb, adds in added.items()}
            handle = changes[0][1].statement.handle
            subject, first = self._places.subjects[handle], self._places.firsts[handle]
            gone, kept = list_without(self._document, subject, first, removed, texts)
            # No dot follows a subject of which nothing stays.
            self._dotted |= {end for start, end, *_ in gone if start == subject}
            yield from gone
            added = {verb: adds for verb, adds in added.items() if verb in kept}
        for verb, adds in added.items():
            for edit in self._added(adds, beside_removal=bool(removed)):
                yield *edit, numbers[verb]

    def _verb(self, change: _AboutOne) -> int:
        """Return where the verb of the statement of a change begins."""
        handle: int = change.statement.handle
        return self._places.verbs[handle]

    def _is_annotated(self, statement: Statement) -> bool:
        """Return whether a statement has a reifier or annotations (Turtle 1.2 section 2.12)."""
        following = space_end(self._data, statement.end)
        return self._data.startswith((b"~", b"{|"), following)

    def _renamed(self, changes: list[tuple[int, _AboutOne]]) -> set[int]:
        """Return the verbs that are renamed: all of their objects get one other predicate."""
        news: dict[int, list[Replace]] = {}
        for _, change in changes:
            if isinstance(change, Replace) and change.predicate is not None:
                news.setdefault(self._verb(change), []).append(change)
        return {
            verb
            for verb, replacing in news.items()
            if len({change.predicate for change in replacing}) == 1
            and {change.statement.start for change in replacing} == self._objects(replacing[0])
        }

    def _objects(self, change: Replace) -> set[int]:
        """Return where the objects of the verb of a change begin."""
        if self._document.is_alone(change.statement):
            return {change.statement.start}
        verb = self._verb(change)
        verbs, _ = verbs_of(self._data, self._places.firsts[change.statement.handle])
        return {start for one in verbs if one.start == verb for start, _ in one.objects}

    def _replaced(self, change: Replace) -> Iterator[SpanText]:
        """Yield the edits that put another object, and perhaps another verb, in place."""
        statement = change.statement
        if change.predicate is not None:
            match = verb_match(self._data, self._verb(change))
            # The first object renames it for all of them.
            if match is not None and match.end() == statement.start:
                yield *match.span(1), self.spelling.at(match.start()).verb(change.predicate)
        if change.predicate is None or change.object != statement.object:
            text = self.spelling.at(statement.start).term(change.object)
            yield statement.start, statement.end, text

    def _pairs(self, adds: list[Add]) -> list[bytes]:
        spelling = self.spelling.at(adds[0].statement.start)
        return [spelling.pair(add.predicate, add.object) for add in adds]

    def _joined(self, adds: list[Add]) -> bytes:
        """Return added verbs and objects for the place of a verb that goes."""
        verb = self._verb(adds[0])
        before = self._data[self._document.line_start(verb) : verb]
        between = b" " if before.strip() else self._style.line_end + before
        return (self._style.semicolon + between).join(self._pairs(adds))

    def _added(self, adds: list[Add], *, beside_removal: bool) -> Iterator[SpanText]:
        """Yield the edits that add verbs and objects after those of one verb."""
        data, style = self._data, self._style
        verb, stop = self._verb(adds[0]), self._places.stops[adds[0].statement.handle]
        if not beside_removal and self._data.find(b",", verb, stop) > 0:
            # The verb has several objects: those of the same predicate join them.
            spelling = self.spelling.at(stop)
            same = [add for add in adds if add.predicate == add.statement.predicate]
            adds = [add for add in adds if add not in same]
            if same:
                yield stop, stop, b"".join(b", " + spelling.term(add.object) for add in same)
            if not adds:
                return
        pairs = self._pairs(adds)
        before = data[self._document.line_start(verb) : verb]
        rest = _REST.match(data, stop)
        following = space_end(data, stop)
        token = data[following : following + 1]
        if before.strip() == b";":
            # The file has its semicolons at the beginnings of lines.
            end = rest.start(1) if rest and not beside_removal else stop
            if end > stop:
                self._behind.add(stop)
            yield end, end, b"".join(style.line_end + before + pair for pair in pairs)
            return
        if token == b";" and not beside_removal:
            spaces = data[stop:following]
            semicolon = style.semicolon if spaces.strip(b" \t") else spaces + b";"
            rest = _REST.match(data, following + 1)
            if rest and (indent := self._indent(before, rest.end())) is not None:
                lines = (indent + pair + semicolon + rest[1] for pair in pairs)
                yield rest.end(), rest.end(), b"".join(lines)
                return
        elif not before.strip():
            if rest and token in {b".", b"]", b"}", b"|"}:
                # The end is on a line of its own, behind a comment perhaps.
                self._behind.add(stop)
                yield stop, stop, style.semicolon
                between = style.semicolon + rest[1] + before
                yield rest.end(), rest.end(), before + between.join(pairs) + rest[1]
            else:
                between = style.semicolon + style.line_end + before
                yield stop, stop, b"".join(between + pair for pair in pairs)
            return
        between = style.semicolon + b" "
        yield stop, stop, b"".join(between + pair for pair in pairs)

    def _indent(self, before: bytes, line: int) -> bytes | None:
        """Return the indentation of a verb: its own, or that of the verb on the next line."""
        if not before.strip():
            return before
        verb = space_end(self._data, line)
        indent: bytes = self._data[self._document.line_start(verb) : verb]
        if verb_match(self._data, verb) and not indent.strip():
            return indent
        own = _INDENT.match(before)
        return (own[0] if own else b"") + self._style.indentation

    def append(self, number: int, change: Append) -> Iterator[Piece]:
        """Yield the edits that write quads at the end of the file, or of their graphs."""
        graphs: dict[object, list[ox.Quad]] = {}
        for quad in change.quads:
            graphs.setdefault(quad.graph_name, []).append(quad)
        for graph, quads in graphs.items():
            block = self._block(graph)
            if block is None:
                yield self._at_the_end(number, graph, quads)
            else:
                yield from self._in_block(number, block, quads)

    def declarations(self) -> Iterator[Piece]:
        """Yield the edits that declare the prefixes that the other edits use."""
        if self._style.declaration:
            place, form = self._style.declaration
            for prefix, namespace in self.spelling.declared.items():
                yield place, place, form % (prefix.encode(), namespace.encode()), 0

    def _in_block(
        self, number: int, block: tuple[int, int, int], quads: list[ox.Quad]
    ) -> Iterator[Piece]:
        _, close, undotted = block
        text = self._statements(quads, self.spelling.at(close), self._style.indentation)
        if undotted != -1 and undotted not in self._dotted:
            self._dotted.add(undotted)
            if undotted < close and undotted not in self._behind:
                yield undotted, undotted, b" .", number
            else:
                # Semicolons, or what was added, stand between the statement and its dot.
                text = self._style.indentation + b"." + self._style.line_end + text
        start = self._document.line_start(close)
        # A verb that is removed takes the spaces behind its semicolon, up to the brace.
        if undotted == close or self._data[start:close].strip():
            yield close, close, self._style.line_end + text, number
        else:
            yield start, start, text, number

    def _at_the_end(self, number: int, graph: object, quads: list[ox.Quad]) -> Piece:
        data, size, line_end = self._data, len(self._data), self._style.line_end
        spelling = self.spelling.at(size)
        if isinstance(graph, ox.DefaultGraph):
            text = self._statements(quads, spelling, b"")
        else:
            inside = self._statements(quads, spelling, self._style.indentation)
            text = spelling.term(graph) + b" {" + line_end + inside + b"}" + line_end
        missing = b"" if data[-1:] in {b"\n", b"\r", b""} else line_end
        return size, size, missing + (line_end if data else b"") + text, number

    def _block(self, graph: object) -> tuple[int, int, int] | None:
        """Return the last block of a named graph in the file."""
        for block in reversed(self._places.blocks):
            if block[0] != -1 and self._terms.node(block[0]) == graph:
                return block
        return None

    def _statements(self, quads: Iterable[ox.Quad], spelling: Spelling, indent: bytes) -> bytes:
        """Return quads of one graph as Turtle as a person writes it.

        There is a block for each subject, its classes first, with the objects of a predicate
        together.
        """
        end, deeper = self._style.line_end, self._style.indentation
        subjects = []
        blocks: dict[object, dict[ox.NamedNode, list[bytes]]] = {}
        for quad in quads:
            block = blocks.setdefault(quad.subject, {TYPE: []})
            block.setdefault(quad.predicate, []).append(spelling.term(quad.object))
        for subject, block in blocks.items():
            pairs = [
                spelling.verb(path) + b" " + b", ".join(values)
                for path, values in block.items()
                if values
            ]
            between = self._style.semicolon + end + indent + deeper
            subjects.append(
                indent + spelling.term(subject) + b" " + between.join(pairs) + b" ." + end
            )
        return end.join(subjects) if not indent else b"".join(subjects)


class Style:
    """The line ends of a file, the space before a semicolon, and one level of indentation."""

    def __init__(self, document: Document) -> None:
        data = document.data
        self.line_end = document.line_end
        spaced = 2 * data.count(b" ;") >= data.count(b";")
        self.semicolon = b" ;" if spaced else b";"
        indented = re.search(rb"(?<=[\r\n])(?:\t+| +)(?=[^\s#])", data)
        self.indentation = indented[0] if indented else b"    "
        # Where a prefix can be declared, and how, if the head of the file declares any.
        self.declaration: tuple[int, bytes] | None = None
        match = _START.match(data)
        while match and (match := _DIRECTIVE.match(data, match.end())):
            if match[1]:
                sparql = not match[1].startswith(b"@")
                form = match[1] + (b" %b: <%b>" if sparql else b" %b: <%b> .")
                self.declaration = match.end(), self.line_end + form


class Spelling:
    """Writes terms with the prefixes of the file that are in force at a place.

    Where more can be declared, customary ones that the file lacks are used as well; `declared` has
    those that were needed.  The `nested` nodes are written where they are used.
    """

    def __init__(self, document: TurtleDocument, nested: Nested, *, declares: bool = False) -> None:
        self._terms = document.terms
        self._name = document.name
        self._nested = nested
        self.declared: dict[str, str] = {}
        own = self._terms.prefixes(len(document.data))
        self._customary = {
            namespace: prefix
            for namespace, prefix in PREFIX_OF.items()
            if declares and prefix.encode() not in own and prefix != "ct"
        }
        self._version = -1
        self._namespaces: list[tuple[str, str]] = []
        self._written: dict[object, bytes] = {}

    def at(self, offset: int) -> Spelling:
        """Return the spelling at a place."""
        version = self._terms.version(offset)
        if version != self._version:
            prefixes = self._terms.prefixes(offset)
            # The longest namespace first; of equal ones the shortest prefix.
            self._namespaces = sorted(
                ((iri, prefix.decode()) for prefix, iri in prefixes.items() if iri),
                key=lambda pair: (-len(pair[0]), len(pair[1]), pair[1]),
            )
            self._version = version
            self._written.clear()
        return self

    def verb(self, predicate: ox.NamedNode) -> bytes:
        """Return a predicate as it is written."""
        return b"a" if predicate == TYPE else self.term(predicate)

    def pair(self, predicate: ox.NamedNode, value: object) -> bytes:
        """Return a predicate and an object as they are written."""
        return self.verb(predicate) + b" " + self.term(value)

    def term(self, term: object) -> bytes:
        """Return a term as it is written.  Raises `EditError` for a node without a label."""
        written = self._written.get(term)
        if written is None:
            written = self._written[term] = self._spell(term).encode()
        return written

    def _spell(self, term: object) -> str:
        if isinstance(term, ox.NamedNode):
            return self._iri(term)
        if isinstance(term, ox.BlankNode) and term in self._nested:
            return self._in_brackets(term)
        if isinstance(term, ox.BlankNode) and self._terms.is_anonymous(term):
            raise EditError(
                "an anonymous blank node cannot be written a second time",
                self._name,
                "an IRI, a literal or a blank node with a label",
            )
        if isinstance(term, ox.Literal):
            bare = _BARE.get(term.datatype.value)
            if bare and bare.fullmatch(term.value):
                return term.value
            text = str(term)
            if text.endswith(">"):
                return text[: text.rindex("<")] + self._iri(term.datatype)
            return text
        if isinstance(term, ox.Triple):
            return f"<<( {' '.join(self._spell(part) for part in term)} )>>"
        return str(term)

    def _in_brackets(self, node: ox.BlankNode) -> str:
        """Return a new node with all that is said of it: a list in round brackets."""
        items: list[str] = []
        cell: Any = node
        while (about := {quad.predicate: quad.object for quad in self._nested.get(cell, ())}) and (
            about.keys() == {FIRST, REST} and len(self._nested[cell]) == len(about)
        ):
            items.append(self._spell(about[FIRST]))
            if about[REST] == NIL:
                return f"( {' '.join(items)} )"
            cell = about[REST]
        quads = sorted(self._nested[node], key=lambda quad: (quad.predicate != TYPE, str(quad)))
        pairs = (f"{self.verb(q.predicate).decode()} {self._spell(q.object)}" for q in quads)
        return f"[ {' ; '.join(pairs)} ]"

    def _iri(self, node: ox.NamedNode) -> str:
        iri = node.value
        for namespace, prefix in (*self._namespaces, *self._customary.items()):
            if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
                if self._customary.get(namespace) == prefix:
                    self.declared[prefix] = namespace
                return f"{prefix}:{iri[len(namespace) :]}"
        return str(node)
