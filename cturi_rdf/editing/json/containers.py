"""Objects and arrays of JSON: those that go as a whole, and those whose members change.

An object goes with everything in it where no statement in it stays.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf.editing.edit import Replace, moved

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cturi_rdf.editing.edit import Change, Piece
    from cturi_rdf.editing.json import JsonDocument
    from cturi_rdf.reading.json_scan import Scanned


_INDENT = re.compile(rb"[\r\n]([ \t]*)\Z")


class Style:
    """How a file is written: the space around names, values and elements."""

    def __init__(self, scanned: Scanned, line_end: bytes) -> None:
        self._scanned = scanned
        self._data = scanned.data
        self.line_end = line_end
        # One step of indentation: that of the first member or element.
        first = self.gap(1) if scanned.nexts[0] > 1 else b""
        step = _INDENT.search(first)
        self.step = step[1] if step else b""
        colon = re.search(rb'"[ \t]*:([ \t]*)["\[{0-9tfn-]', self._data[:65536])
        self.space = b" " if colon is None or colon[1] else b""

    def gap(self, child: int) -> bytes:
        """Return the space before a member or an element, behind the comma or the bracket."""
        start = self._scanned.key_start(child)
        begin = start
        while self._data[begin - 1 : begin] in {b" ", b"\t", b"\n", b"\r"}:
            begin -= 1
        return self._data[begin:start]

    def colon(self, child: int) -> bytes:
        """Return the text between the name of a member and its value."""
        scanned = self._scanned
        between = self._data[scanned.key_span(child)[1] : scanned.starts[child]]
        return between if not between.strip(b": \t") else b":" + self.space

    def behind(self, container: int, child: int) -> bytes:
        """Return the space before a text behind a child."""
        scanned = self._scanned
        first = container + 1
        if child != first:
            return self.gap(child)
        following = scanned.nexts[child]
        if following < scanned.nexts[container]:
            return self.gap(following)
        gap = self.gap(child)
        return gap if _INDENT.search(gap) else self.space


# A text to write into an object or an array behind one of its children, or behind the last one for
# None, with the number of its change.
Added = tuple[int | None, bytes, int]


def edits_of(
    scanned: Scanned, entry: int, removed: Mapping[int, int], added: Sequence[Added], style: Style
) -> Iterator[Piece]:
    """Yield the edits of one object or array: then there is a comma between every two children.

    `removed` has the children that go, each with the number of its change.
    """
    children = list(scanned.children(entry))
    kept = [child for child in children if child not in removed]
    number = min([*removed.values(), *(number for _, _, number in added)])
    added = sorted(added, key=lambda one: (one[0] is None, one[0] or 0))
    if not kept:
        yield _filled(scanned, entry, children, [text for _, text, _ in added], number, style)
        return
    # The text behind a removed child moves behind the kept child before it, or the first kept one.
    anchors: dict[int, list[bytes]] = {}
    for child, text, _ in added:
        place = bisect_right(kept, child) if child is not None else len(kept)
        anchors.setdefault(kept[max(place - 1, 0)], []).append(text)
    for child, texts in anchors.items():
        space, end = style.behind(entry, child), scanned.ends[child]
        yield end, end, b"".join(b"," + space + text for text in texts), number
    for before, child in pairwise(children):
        if before < kept[0]:
            yield scanned.key_start(before), scanned.key_start(child), b"", number
        elif child in removed:
            yield scanned.ends[before], scanned.ends[child], b"", number


def _filled(  # noqa: PLR0913, PLR0917 - what it is, what was in it and what comes
    scanned: Scanned, entry: int, children: list[int], texts: list[bytes], number: int, style: Style
) -> Piece:
    """Return the edit that replaces the whole content of an object or an array."""
    if children:
        start, end = scanned.key_start(children[0]), scanned.ends[children[-1]]
        space = style.behind(entry, children[0])
    else:
        start, end = scanned.starts[entry] + 1, scanned.ends[entry] - 1
        space = style.space
    return start, end, (b"," + space).join(texts), number


_OBJECT, _ARRAY = ord("{"), ord("[")


def renamed(document: JsonDocument, changes: list[Change]) -> tuple[list[Change], list[Piece]]:
    """Return the changes without those of members that get another name, and the edits of these."""
    members: dict[int, list[Replace]] = {}
    for change in changes:
        if not isinstance(change, Replace) or change.object != change.statement.object:
            continue
        place = change.statement.handle
        if change.predicate is not None and place is not None and place.kind == "value":
            members.setdefault(place.member, []).append(change)
    scanned, names = document.scanned, document.names
    done: set[int] = set()
    pieces: list[Piece] = []
    for member, renaming in members.items():
        first = renaming[0]
        holder = first.statement.handle.holder
        path = first.predicate.value if first.predicate else ""
        key = names.key(names.inside(holder), path, first.object)
        whole = document.of_one_verb(first.statement)
        taken = {scanned.name(child) for child in scanned.children(holder)}
        is_one = {change.predicate for change in renaming} == {first.predicate}
        # A text may mean something else under another name.
        are_nodes = all(map(document.holds, whole))
        if (
            is_one
            and are_nodes
            and len(whole) == len(renaming)
            and key is not None
            and key not in taken
        ):
            pieces.append((*scanned.key_span(member), document.encoded(key), 0))
            done.update(map(id, renaming))
    return [change for change in changes if id(change) not in done], pieces


def standing_alone(document: JsonDocument, entry: int, name: str) -> bytes:
    """Return a node object as it can stand elsewhere, with its name, which a map may have.

    It brings the contexts of the terms around it along.
    """
    scanned, names = document.scanned, document.names
    own = document.rewritten.members(entry)
    start, end = scanned.starts[entry] + 1, scanned.ends[entry]
    text = moved(start, end)
    scopes = _scopes(document, entry)
    if scopes and "@context" in own:
        context = own["@context"]
        value = scanned.value(context)
        whole = document.encoded([*scopes, *(value if isinstance(value, list) else [value])])
        text = moved(start, scanned.starts[context]) + whole + moved(scanned.ends[context], end)
    elif scopes:
        context_of_all = document.encoded(scopes[0] if len(scopes) == 1 else scopes)
        text = b'"@context": ' + context_of_all + (b", " if own else b"") + text
    if "@id" not in own:
        member = document.encoded(names.keyword("@id")) + b": " + document.encoded(name)
        text = member + (b", " if own or scopes else b"") + text
    return b"{" + text


def _scopes(document: JsonDocument, entry: int) -> list[Any]:
    """Return the contexts of the terms between a node and where it can stand, outermost first."""
    scanned, scoped = document.scanned, document.names.definitions.scoped
    scopes: list[Any] = []
    place = nodes_around(document, entry)
    home = place.holder if place.value is None else scanned.parents[place.value]
    while entry not in {home, -1}:
        name = scanned.name(entry)
        if name in scoped:
            scopes.insert(0, scoped[name])
        entry = scanned.parents[entry]
    return scopes


class Nodes(NamedTuple):
    """Where other nodes can be written: the `value` that holds some, or a new member of a `holder`.

    `value` is None without such a member; `word` is the keyword of the member.
    """

    value: int | None
    holder: int = 0
    word: str = ""


def nodes_around(document: JsonDocument, entry: int) -> Nodes:
    """Return where a node can stand that is described at an entry, with the same context.

    The entry 0 stands for the nodes of the whole file.
    """
    scanned = document.scanned
    while True:
        entry = scanned.parents[entry] if entry else 0
        if scanned.kind(entry) == _ARRAY and entry == 0:
            return Nodes(0)
        member = scanned.member(entry)
        word = document.names.definitions.keyword(scanned.name(member)) if member > 0 else ""
        if word in {"@graph", "@included"}:
            return Nodes(member, scanned.parents[member], word)
        if scanned.kind(entry) != _OBJECT:
            continue
        words = document.rewritten.members(entry)
        if entry == 0 or "@context" in words or _is_graph(document, member):
            is_graph = "@graph" in words and words.keys() <= {"@context", "@graph"}
            word = "@graph" if is_graph else "@included"
            return Nodes(words.get(word), entry, word)


def _is_graph(document: JsonDocument, member: int) -> bool:
    """Return whether the objects of a member are graphs, or those of a map that it is in."""
    scanned, definitions = document.scanned, document.names.definitions
    while member > 0 and scanned.name(member) not in definitions.graphs:
        member = scanned.parents[member]
        if scanned.name(member) not in definitions.maps:
            return False
    return member > 0
