"""What a graph becomes: by a SPARQL Update, by an RDF Patch, or as another graph has it.

Each function makes an engine, which gives the new quads for the old ones.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.editing.blank_nodes import matched, renamed
from cturi_rdf.editing.turtle.terms import space_end, term_end
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.read import QuadDocument, reason_of
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.writable import Writable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Engine = Callable[[set[ox.Quad]], set[ox.Quad]]
    # Quads by the lines of N-Quads that say them.
    Lines = dict[bytes, ox.Quad]


# A blank node as RDF Patch may write it, so that no system renames it.
_BLANK = re.compile(rb"<_:([^<>\s]+)>")
# Comments, strings and IRIs of SPARQL, and the words that fetch something from elsewhere.
_NO_WORDS = re.compile(
    r"<[^<>\s]*>|#[^\r\n]*"
    r'|"{3}(?s:\\.|.)*?"{3}|"(?:\\.|[^"\\\r\n])*"'
    r"|'{3}(?s:\\.|.)*?'{3}|'(?:\\.|[^'\\\r\n])*'"
)
# An IRI of another scheme than HTTP is none that Oxigraph fetches, and SILENT makes nothing of it.
_FETCHES = re.compile(
    r"(?<![\w:?$@.-])(?:LOAD|SERVICE)(?![\w:-])(?!\s+SILENT\s+<other>)", re.IGNORECASE
)
_SOME, _NUMBERED = ox.NamedNode("urn:some"), "urn:number:"
# Where Oxigraph finds an error in an update.
_PLACE = re.compile(r"error at (\d+):(\d+)")
_PREFIXED = re.compile(r"([^\s:<>(){};,.]*):[^\s:]*$")
_HEADS = frozenset({b"H", b"TX", b"TC"})


class ByUpdate:
    """The engine of a SPARQL 1.1 Update; `base` resolves its relative IRIs.

    `prefixes_of_file` is asked where the update does not declare all prefixes that it uses.  It
    raises `CatalogError` where the update is none, or fails.

    >>> sorted(ByUpdate("INSERT DATA { <a> <b> 1 }", "http://a.example/")(set()))[0].subject.value
    'http://a.example/a'
    """

    def __init__(self, update: str, base: str, name: str = "the update") -> None:
        """Take an update; `name` is what errors call it.

        Raises `CatalogError` for one that would fetch something from the network.
        """
        fetches = _FETCHES.search(_NO_WORDS.sub(_kind, update))
        if fetches:
            problem = f"{fetches[0].upper()} fetches something from elsewhere"
            raise CatalogError(problem, name, "an update of the file alone")
        self._update, self._base, self._name = update, base, name
        self.prefixes_of_file: Callable[[], dict[str, str]] = dict
        self._prefixes: dict[str, str] = {}

    def __call__(self, quads: set[ox.Quad]) -> set[ox.Quad]:
        """Return the quads that the update makes of some."""
        store = ox.Store()
        store.bulk_extend(quads)
        self._run(store)
        after = set(store)
        removed, added = quads - after, after - quads
        same = _in_other_words(removed, after.__contains__)
        return (quads - removed) | same.keys() | (added - set(same.values()))

    def difference(self, text: bytes, lines: set[bytes]) -> tuple[Lines, Lines]:
        """Return the lines of N-Quads that the update removes, and adds, by all: this is quick.

        Raises `SyntaxError` for an IRI that N-Quads cannot hold.
        """
        store = ox.Store()
        if b"_:" in text:
            # Loading a file would give the blank nodes other labels.
            blank = {line for line in lines if b"_:" in line}
            store.bulk_extend(quads_in(blank))
            text = b"\n".join(lines - blank)
        store.load(text, ox.RdfFormat.N_QUADS, lenient=True)
        self._run(store)
        after = set((store.dump(format=ox.RdfFormat.N_QUADS) or b"").splitlines())
        removed, added = (_by_line(sorted(some)) for some in (lines - after, after - lines))
        same = _in_other_words(set(removed.values()), lambda quad: line_of(quad) in after)
        for quad, stored in same.items():
            del removed[line_of(quad)]
            added.pop(line_of(stored), None)
        return removed, added

    def _run(self, store: ox.Store) -> None:
        try:
            store.update(self._update, base_iri=self._base, prefixes=self._prefixes)
        except (SyntaxError, OSError, RuntimeError, ValueError) as error:
            message = reason_of(error) if isinstance(error, SyntaxError) else str(error)
            if isinstance(error, SyntaxError) and not self._prefixes:
                # A prefix may be missing: the error says other things of it too.
                self._prefixes = Writable.prefixes(PREFIXES | self.prefixes_of_file())
                self._run(store)
                return
            problem, line, column = f"not an update that can be made ({message})", None, None
            expected = "SPARQL 1.1 Update"
            if place := _PLACE.match(message):
                # What Oxigraph expects there is a list of all tokens.
                line, column = map(int, place.groups())
                text = "".join(self._update.splitlines()[line - 1 : line])
                rest = text[column - 1 : column + 29]
                problem = f"not valid from {rest!r} on" if rest else "it ends too early"
                name = _PREFIXED.search(text[: column - 1])
                if name and "Prefix not found" in message:
                    problem = f"unknown prefix {name[1]}:"
                    expected = f"PREFIX {name[1]}: <…> at the start of the update"
            raise CatalogError(problem, self._name, expected, line, column) from error


def quads_in(lines: Iterable[bytes]) -> Iterator[ox.Quad]:
    """Yield the quad of each line of N-Quads.  Raises `SyntaxError`."""
    return iter(ox.parse(b"\n".join(lines), ox.RdfFormat.N_QUADS, lenient=True))


def line_of(quad: ox.Quad) -> bytes:
    """Return a quad as a line of N-Quads, without the end of the line."""
    return f"{quad} .".encode()


def _by_line(lines: list[bytes]) -> Lines:
    return dict(zip(lines, quads_in(lines), strict=True))


def _in_other_words(
    removed: set[ox.Quad], is_there: Callable[[ox.Quad], bool]
) -> dict[ox.Quad, ox.Quad]:
    """Return those of the removed quads that a store has in other words, by what they were.

    Oxigraph stores numbers and times as values: "12.50" and "12.5" of xsd:decimal are one.
    `is_there` tells what the store has after the update.

    >>> one, other = ox.parse(b"<a:a> <a:b> 01, 1 .", ox.RdfFormat.TURTLE)
    >>> _in_other_words({one}, {other}.__contains__) == {one: other}
    True
    """
    values = _stored({quad.object for quad in removed})
    same = {}
    for quad in removed if values else ():
        value = values.get(quad.object, quad.object)
        stored = ox.Quad(quad.subject, quad.predicate, value, quad.graph_name)
        if stored != quad and is_there(stored):
            same[quad] = stored
    return same


def _stored(values: set[Any]) -> dict[Any, Any]:
    """Return the terms that a store has in other words, by what they were."""
    numbered = list(values)
    store = ox.Store()
    store.bulk_extend(
        ox.Quad(_SOME, _SOME, value, ox.NamedNode(f"{_NUMBERED}{number}"))
        for number, value in enumerate(numbered)
    )
    pairs = (
        (numbered[int(quad.graph_name.value.removeprefix(_NUMBERED))], quad.object)
        for quad in store
    )
    return {value: stored for value, stored in pairs if value != stored}


def _kind(token: re.Match[str]) -> str:
    """Return what stands for a comment, a string or an IRI in the search for words."""
    if not token[0].startswith("<"):
        return " "
    return "<http>" if token[0].lower().startswith(("<http:", "<https:")) else "<other>"


def by_patch(patch: bytes, base: str, name: str = "the patch") -> Engine:
    """Return the engine of an RDF Patch (https://afs.github.io/rdf-delta/rdf-patch.html).

    A blank node has the label that it has in the file.  Raises `CatalogError` for a row that is
    none.

    >>> engine = by_patch(b'A <a:a> <a:b> "c" .', "http://a.example/")
    >>> [quad.object.value for quad in engine(set())]
    ['c']
    """
    rows: list[tuple[bool, ox.Quad]] = []
    prefixes: dict[bytes, bytes] = {}
    start = 0
    for number, line in enumerate(patch.splitlines(), 1):
        letters, _, rest = line.strip().partition(b" ")
        if letters in {b"A", b"D"}:
            try:
                rows.append((letters == b"A", _quad(_BLANK.sub(rb"_:\1", rest), prefixes, base)))
            except (SyntaxError, ValueError) as error:
                problem = f"not a row of RDF Patch ({error})"
                raise CatalogError(problem, name, "A or D and a statement", number) from error
        elif letters == b"PA":
            prefix, _, namespace = rest.strip(b" .").partition(b" ")
            prefixes[prefix.strip(b'":')] = namespace.strip()
        elif letters == b"PD":
            prefixes.pop(rest.strip(b' ".:'), None)
        elif letters == b"TA":
            # The transaction is taken back.
            del rows[start:]
        elif letters and letters not in _HEADS and not letters.startswith(b"#"):
            raise CatalogError("not a row of RDF Patch", name, "A, D, H, PA, PD, TX or TC", number)
        if letters in {b"TX", b"TC"}:
            start = len(rows)

    def engine(quads: set[ox.Quad]) -> set[ox.Quad]:
        after = set(quads)
        for comes, quad in rows:
            (after.add if comes else after.discard)(quad)
        return after

    return engine


def _quad(row: bytes, prefixes: dict[bytes, bytes], base: str) -> ox.Quad:
    """Return the statement of a row: its terms are those of Turtle, the graph comes last."""
    terms, position = [], space_end(row, 0)
    while (end := term_end(row, position)) > position:
        terms.append(row[position:end])
        position = space_end(row, end)
    if len(terms) not in {3, 4} or row[position:].strip() not in {b"", b"."}:
        raise ValueError("three or four terms, and a dot")
    head = b"".join(b"@prefix %b: %b .\n" % pair for pair in prefixes.items())
    statement = b"%b %b %b ." % tuple(terms[:3])
    text = head + (b"%b { %b }" % (terms[3], statement) if terms[3:] else statement)
    quad: ox.Quad
    [quad] = ox.parse(text, ox.RdfFormat.TRIG, base_iri=base)
    return quad


def by_graph(quads: Iterable[ox.Quad], same: Callable[[ox.Quad], ox.Quad] | None = None) -> Engine:
    """Return the engine that gives a graph, whatever was there before.

    Its blank nodes are told from those of the text by what they say, whatever their labels.  `same`
    gives a quad of the text as the maker of the graph has it, who may write values in other words.
    """
    wanted = {renamed(quad, _named_apart) for quad in quads}

    def engine(before: set[ox.Quad]) -> set[ox.Quad]:
        if same is None:
            return wanted
        originals = {same(quad): quad for quad in before}
        return {originals.get(quad, quad) for quad in matched(set(originals), wanted)}

    return engine


def of_file(path: str, reading: ReadOptions = ReadOptions()) -> Callable[[str], Engine]:
    """Return the function that gives the engine of the graph in a file, for the base of another.

    The relative IRIs of both files mean the same.
    """

    def engine(base: str) -> Engine:
        # The form of the text is not that of this file.
        with open_source(path, reading._replace(form=None)) as file:
            return by_graph(QuadDocument(file, base))

    return engine


def _named_apart(node: ox.BlankNode) -> ox.BlankNode:
    """Return a blank node that no text has."""
    return ox.BlankNode(f"graph-{node.value}")
