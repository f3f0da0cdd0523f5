"""The labels of a file, each with its place and its meaning."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import counted, shortened
from cturi_rdf.catalogue.evidence import BESIDE, tells_more
from cturi_rdf.catalogue.report import MOST_PLACES, FileReport, IllTyped, Place
from cturi_rdf.editing import locate
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.label_statements import DESCRIBED_BY, Understood, needs_description, understand
from cturi_rdf.rdf.terms import PROPERTIES, intended
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import DOCUMENT, is_well_typed, relative

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from cturi_rdf.catalogue.lines import PlacesInBlock
    from cturi_rdf.editing import Document, Statement
    from cturi_rdf.editing.document import Tests
    from cturi_rdf.rdf.label_statements import Resolver, Term
    from cturi_rdf.reading.formats import ReadOptions
    from cturi_rdf.reading.source import Source


# The formats whose statements have places.
EDITABLE = frozenset({"turtle", "trig", "nt", "nquads", "xml", "json-ld"})
# A predicate and an object: a statement about a node.
Fact = tuple[ox.NamedNode, "Term"]
# How many distinct labels are remembered.
_REMEMBERED = 8_192


class Meanings:
    """The meanings of labels; a label that is a node is read by its description in the file."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._facts: dict[Term, list[Fact]] = {}
        # The meaning of the value of a property.
        self.of = lru_cache(_REMEMBERED)(self._understood)

    def unclear(self, values: Iterable[Term]) -> set[Term]:
        """Return those nodes among some values that have to be described to be understood."""
        return {
            value
            for value in dict.fromkeys(values)
            if not isinstance(value, ox.Literal)
            and needs_description(value, understand(value, (), self._resolver))
        }

    def describe(self, nodes: Container[Term], statements: Iterable[Statement | ox.Quad]) -> None:
        """Take the descriptions of nodes from the statements of a file."""
        for statement in statements:
            if statement.predicate in DESCRIBED_BY and statement.subject in nodes:
                fact = statement.predicate, statement.object
                self._facts.setdefault(statement.subject, []).append(fact)
        self.of.cache_clear()

    def _understood(self, value: Term) -> Understood:
        return understand(value, self._facts.get(value, ()), self._resolver)


class Labels:
    """The labels of a file: counts by property and label, and the first place of each."""

    def __init__(self, statements: Iterable[Statement]) -> None:
        self.counts: dict[tuple[ox.NamedNode, Term], int] = {}
        self.first: dict[tuple[ox.NamedNode, Term], list[Statement]] = {}
        # The resources whose labels stand apart from each other.
        self.scattered: set[Term] = set()
        # Whether there are statements of other properties.
        self.others = False
        counts, first = self.counts, self.first
        # Hashes of resources; a collision only makes the second resource look scattered.
        resources: set[int] = set()
        last: object = None
        graph: object = None
        for statement in statements:
            key = statement.predicate, statement.object
            count = counts.get(key, 0)
            # A triple term is no label.
            if not count and (key[0] not in PROPERTIES or isinstance(key[1], ox.Triple)):
                self.others = self.others or key[0] not in BESIDE or tells_more(*key)
                continue
            counts[key] = count + 1
            if statement.subject != last or statement.graph != graph:
                last, graph = statement.subject, statement.graph
                number = hash(last)
                if number in resources:
                    self.scattered.add(last)
                resources.add(number)
            if not count:
                first[key] = [statement]
            elif count < MOST_PLACES:
                first[key].append(statement)
        # How many resources have labels.
        self.resources = len(resources)

    @property
    def values(self) -> Iterator[Term]:
        """The values of the labels."""
        return (value for _, value in self.counts)


class Labelled(NamedTuple):
    """Statements that carry labels, the meanings of the labels, and what was made of them.

    `labels` are `Labels`, or another digest that has their `values`.
    """

    statements: Sequence[Statement]
    meanings: Meanings
    labels: Any


def located(  # noqa: PLR0913 - what to look for, and how to read it
    source: Source,
    predicates: Iterable[ox.NamedNode] = (),
    *,
    tests: Tests | None = None,
    unplaced: Iterable[ox.NamedNode] = (),
    present: Container[ox.NamedNode] | None = None,
    read: Callable[[Iterable[Statement]], Any] = Labels,
    whole_nodes: bool = False,
) -> tuple[Document, Labelled]:
    """Return the document in a file, and its statements with labels or with more predicates.

    `read` makes an object of the statements whose `values` are those of the labels.  `tests` are
    conditions of the objects of some predicates; statements of those `unplaced` need no place.
    `present` are the predicates that the file has: no others are looked for then, and the
    statements are kept in memory.  They are all statements where a label is a blank node and
    `present` is given, or `whole_nodes` are asked for.
    The file has been read as RDF before, without an error.  Raises `CatalogError`
    where its syntax has no places.
    """
    data = source.read()
    document: Document

    def find(wanted: Iterable[ox.NamedNode], unclear: set[Term]) -> Sequence[Statement]:
        nonlocal document
        paths = None
        is_any_blank = any(isinstance(node, ox.BlankNode) for node in unclear)
        if not is_any_blank or (present is None and not whole_nodes):
            paths = [node.value for node in wanted if present is None or node in present]
        document = locate(
            data,
            source.format,
            base=DOCUMENT,
            predicates=paths,
            # What describes nodes has any object.
            tests=None if unclear else tests,
            unplaced={node.value for node in unplaced},
            name=source.name,
            reading=source.reading,
        )
        statements = document.statements if present is None else list(document.statements)
        # The items of collections use nodes as well.
        return statements if paths is not None else [*statements, *document.implied()]

    labels = labelled(find, source.reading.resolver or resolve, predicates, read)
    return document, labels


def labelled(
    find: Callable[[Iterable[ox.NamedNode], set[Term]], Sequence[Statement]],
    resolver: Resolver,
    predicates: Iterable[ox.NamedNode] = (),
    read: Callable[[Iterable[Statement]], Any] = Labels,
) -> Labelled:
    """Return the statements that carry labels, and those of more predicates; see `located`.

    `find` reads a file, and returns its statements with some predicates; it is given the nodes
    among the labels that have to be described to mean something, once they are known.
    """
    wanted = dict.fromkeys((*PROPERTIES, *predicates))
    statements, meanings = find(wanted, set()), Meanings(resolver)
    labels = read(statements)
    unclear = meanings.unclear(labels.values)
    if unclear:
        # In one reading, for blank nodes may have other names in another one.
        statements = find(wanted | dict.fromkeys(DESCRIBED_BY), unclear)
        labels = read(statements)
        meanings.describe(meanings.unclear(labels.values), statements)
    return Labelled(statements, meanings, labels)


def report_of(labelled: Labelled, document: Document | None = None) -> FileReport:
    """Return the report on the labels of a file, with their places if the document is given."""
    report, labels = FileReport(), labelled.labels
    report.resources = labels.resources
    for key, count in labels.counts.items():
        places = map(partial(place_of_statement, document), labels.first[key])
        report.count(labelled.meanings.of(key[1]), count, places)
    return report


def place_of_statement(document: Document | None, statement: Statement) -> Place:
    """Return where a statement stands, without its line if that is not known."""
    start = statement.start
    position = document.position(start) if document and start >= 0 else (None, None)
    return Place(resource_name(statement.subject), statement.predicate.value, *position)


def resource_name(resource: Term) -> str:
    """Return the IRI of a resource as its author wrote it, or the name of a blank node."""
    return relative(resource.value) if isinstance(resource, ox.NamedNode) else str(resource)


def near_misses(source: str, reading: ReadOptions) -> Iterator[str]:
    """Yield the lines of a summary about properties that no vocabulary has, with what is meant.

    Standard input, which cannot be read again, has none.
    """
    if source == "-":
        return
    with open_source(source, reading) as file:
        counts = Counter(quad.predicate for quad in QuadDocument(file))
    for path, count in counts.most_common():
        meant = intended(path)
        if meant is not None:
            name = shortened(path.value)
            yield (
                f"{'':8}{counted(count, 'value')} of {name}, which is no property of its"
                f" vocabulary; {shortened(meant.value)} is meant, or --property {name} reads it"
                " as it is"
            )


class IllTypedLiterals:
    """Counts the ill-typed literals of a file, and keeps the first."""

    def __init__(self) -> None:
        self._count = 0
        # The first, with its statement, or its place if that is known.
        self._first: tuple[ox.Literal, ox.Quad | Place] | None = None

    def watch(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        """Yield the quads of a file, and count on the way; counting begins anew each time."""
        self._count, self._first = 0, None
        for quad in quads:
            literal = quad.object
            # Most literals are texts in a language.
            if (
                type(literal) is ox.Literal
                and literal.language is None
                and not is_well_typed(literal.value, literal.datatype.value)
            ):
                self._count += 1
                self._first = self._first or (literal, quad)
            yield quad

    def count(self, places: PlacesInBlock, literals: dict[bytes, int]) -> None:
        """Count the literals of a block of lines."""
        from cturi_rdf.reading.ntriples import text_of

        for literal, number in literals.items():
            text, datatype = text_of(literal), text_of(literal[literal.rindex(b"<") :])
            if is_well_typed(text, datatype):
                continue
            self._count += number
            for place in () if self._first else places.of(b"", literal):
                self._first = ox.Literal(text, datatype=ox.NamedNode(datatype)), place
                break

    def result(self, source: Source) -> IllTyped | None:
        """Return how many there are, and the first with its place; None if there are none."""
        if self._first is None:
            return None
        literal, where = self._first
        place = where if isinstance(where, Place) else self._place_of(where, source)
        return IllTyped(self._count, str(literal), place)

    def _place_of(self, quad: ox.Quad, source: Source) -> Place:
        if source.format.name in EDITABLE:
            document, _ = located(source, [quad.predicate])
            for statement in document.statements:
                if statement.predicate == quad.predicate and statement.object == quad.object:
                    return place_of_statement(document, statement)
        return Place(resource_name(quad.subject), quad.predicate.value)
