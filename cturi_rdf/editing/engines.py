"""What a graph becomes: by a SPARQL Update, by an RDF Patch, or as another graph has it.

Each function makes an engine, which gives the new quads for the old ones.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.editing.blank_nodes import matched
from cturi_rdf.editing.turtle.terms import space_end, term_end
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.options import ReadOptions
from cturi_rdf.reading.read import document, reason_of
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Engine = Callable[[set[ox.Quad]], set[ox.Quad]]


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
# SPARQL 1.1, section 19.8: a prefix, an IRI and a prefixed name, as far as a guess needs them.
_PREFIX = re.compile(r"PREFIX\s+([\w.-]*):\s*<([^<>\s]*)>", re.IGNORECASE)
_IRI = re.compile(r"<([^<>\s]+)>")
_PREFIXED = re.compile(r"([\w.-]*):([\w-][\w.-]*)")
_HEADS = frozenset({b"H", b"TX", b"TC"})


class ByUpdate:
    """The engine of a SPARQL 1.1 Update; `base` resolves its relative IRIs.

    It raises `CatalogError` where the update is none, or fails.

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

    def __call__(self, quads: set[ox.Quad]) -> set[ox.Quad]:
        """Return the quads that the update makes of some."""
        store = ox.Store()
        store.bulk_extend(quads)
        originals = _respelt(quads, store)
        self._run(store)
        return {one for quad in store for one in originals.get(quad, (quad,))}

    def lines(self, lines: bytes) -> bytes:
        """Return the N-Quads that the update makes of some, which is quick."""
        store = ox.Store()
        store.bulk_load(input=lines, format=ox.RdfFormat.N_QUADS)
        before = set(_dumped(store).splitlines())
        others = [line for line in lines.splitlines() if line not in before]
        originals = _respelt(set(ox.parse(lines, ox.RdfFormat.N_QUADS)), store) if others else {}
        self._run(store)
        if not originals:
            return _dumped(store)
        after = (one for quad in store for one in originals.get(quad, (quad,)))
        return ox.serialize(after, format=ox.RdfFormat.N_QUADS) or b""

    def named(self) -> set[str]:
        """Return the IRIs that the update names, about: some may be missing, and some too many."""
        prefixes = dict(_PREFIX.findall(self._update))
        names = _PREFIXED.findall(self._update)
        return {
            *_IRI.findall(self._update),
            *(prefixes[prefix] + name for prefix, name in names if prefix in prefixes),
        }

    def _run(self, store: ox.Store) -> None:
        try:
            store.update(self._update, base_iri=self._base)
        except (SyntaxError, OSError, RuntimeError, ValueError) as error:
            reason = reason_of(error) if isinstance(error, SyntaxError) else str(error)
            place = getattr(error, "lineno", None), getattr(error, "offset", None)
            problem = f"not an update that can be made ({reason})"
            raise CatalogError(problem, self._name, "SPARQL 1.1 Update", *place) from error


def _dumped(store: ox.Store) -> bytes:
    return store.dump(format=ox.RdfFormat.N_QUADS) or b""


def _respelt(quads: set[ox.Quad], store: ox.Store) -> dict[ox.Quad, list[ox.Quad]]:
    """Return the quads that a store has in another spelling, each with all that it stands for.

    Oxigraph stores numbers and times as values: "12.50" and "12.5" of xsd:decimal are one.

    >>> quads = set(ox.parse(b"<a:a> <a:b> 1, 01 .", ox.RdfFormat.TURTLE))
    >>> store = ox.Store()
    >>> store.bulk_extend(quads)
    >>> for stored, originals in _respelt(quads, store).items():
    ...     print(stored.object.value, sorted(quad.object.value for quad in originals))
    1 ['01', '1']
    """
    changed = list(quads.difference(store))
    # Each is in a graph of its own, so that it is known again.
    graphs = [ox.NamedNode(f"urn:quad:{number}") for number in range(len(changed))]
    apart = ox.Store()
    apart.bulk_extend(
        ox.Quad(quad.subject, quad.predicate, quad.object, graph)
        for quad, graph in zip(changed, graphs, strict=True)
    )
    stored = {quad.graph_name: quad.object for quad in apart}
    originals: dict[ox.Quad, list[ox.Quad]] = {}
    for quad, graph in zip(changed, graphs, strict=True):
        value = ox.Quad(quad.subject, quad.predicate, stored[graph], quad.graph_name)
        originals.setdefault(value, [value] if value in quads else []).append(quad)
    return originals


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
    wanted = {ox.Quad(*map(_named_apart, quad)) for quad in quads}

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
            return by_graph(document(file, base))

    return engine


def _named_apart(term: Any) -> Any:
    """Return a term with blank nodes that no text has."""
    if isinstance(term, ox.BlankNode):
        return ox.BlankNode(f"graph-{term.value}")
    if isinstance(term, ox.Triple):
        return ox.Triple(*map(_named_apart, term))
    return term
