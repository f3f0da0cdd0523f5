"""Every real catalogue, whole: each statement has its place, and only what is planned changes."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import unescape

import pyoxigraph as ox
import pytest
from catalogues import CATALOGUES, DAILY
from conftest import partly_slow
from edited_files import CSV, LINK, says_the_same

from cturi_rdf.catalogue import Adding, annotate_file
from cturi_rdf.editing import EditError, locate
from cturi_rdf.editing.edit import Add, Remove, apply, plan
from cturi_rdf.editing.law import check
from cturi_rdf.rdf import annotate
from cturi_rdf.rdf.description import short_description
from cturi_rdf.rdf.label_statements import known_labels
from cturi_rdf.rdf.terms import CTV, PROPERTIES, label_node
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.terms import DOCUMENT, lenient_ox
from cturi_rdf.uri.mapping import from_uri

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from catalogues import Annotated
    from conftest import Write
    from rdflib import Dataset

    from cturi_rdf.editing import Document

LABELS = {predicate.value for predicate in PROPERTIES}
VOCABULARY = "https://w3id.org/cturi/vocab#"
EXAMPLE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"


@pytest.fixture(params=partly_slow(CATALOGUES, daily=DAILY))
def path(shared: Path, request: pytest.FixtureRequest) -> Path:
    """Return the file of each real catalogue."""
    return shared / "catalogs" / str(request.param)


def located(data: bytes, path: Path, predicates: Collection[str] | None) -> Document:
    form = format_of_file(path.name)
    return locate(data, form, base=DOCUMENT, predicates=predicates, name=str(path))


def test_the_locator_finds_what_oxigraph_reads(path: Path) -> None:
    document = located(path.read_bytes(), path, None)
    assert says_the_same(document)


def test_the_place_of_a_label_is_its_token(path: Path) -> None:
    document = located(path.read_bytes(), path, LABELS)
    assert document.statements
    declared = ""
    if document.format.name in {"turtle", "trig"}:
        parser = ox.parse(document.data, document.format.oxigraph, base_iri=DOCUMENT)
        list(parser)
        declared = "".join(f"@prefix {name}: <{iri}> . " for name, iri in parser.prefixes.items())
    for statement in document.statements:
        token = document.data[statement.start : statement.end].decode()
        value = statement.object
        if isinstance(value, ox.BlankNode):
            assert re.match(r"[<\[{(]|_:", token)
        elif document.format.name == "json-ld":
            read = json.loads(token)
            text = read.get("@value", read.get("@id")) if isinstance(read, dict) else read
            assert str(value.value).endswith(str(text).rpartition(":")[2])
        elif document.format.name == "xml":
            assert value.value.endswith(unescape(token))
            assert not token.startswith("<")
        else:
            text = f"{declared}<a:a> <a:b> {token} ."
            [quad] = ox.parse(text, ox.RdfFormat.TURTLE, base_iri=DOCUMENT)
            assert quad.object == value


def test_a_link_beside_every_label_comes_and_goes_and_nothing_else_changes(path: Path) -> None:
    document = located(path.read_bytes(), path, LABELS)
    changes = [Add(found, LINK, CSV) for found in document.statements]
    try:
        edits = plan(document, changes)
    except EditError as error:
        assert "no place for links" in str(error)
        return
    check(document, edits, changes)
    assert all(edit.start == edit.end for edit in edits)
    again = located(apply(document.data, edits), path, [LINK.value])
    back = apply(again.data, plan(again, [Remove(found) for found in again.statements]))
    assert _without_space(back) == _without_space(document.data)


def _without_space(data: bytes) -> bytes:
    """Return a file without traces of the links: declared prefixes, and space at line ends."""
    return re.sub(
        rb"""[ \t]+(?=\r?\n)|\s+(?:xmlns:ctv=|@?prefix ctv: )["<][^">]*[">](?: \.)?""", b"", data
    )


def test_annotating_adds_and_does_so_once(path: Path, write: Write) -> None:
    copy = write(path.name, original := path.read_bytes())
    try:
        for adding in (Adding.LINKS, Adding.ALL):
            annotate_file(str(copy), str(copy), adding=adding)
            report = annotate_file(str(copy), str(copy), adding=adding)
            assert (report.added, report.replaced) == (0, 0)
    except CatalogError as error:
        assert "no place for links" in str(error)
        assert copy.read_bytes() == original
    rest = iter(copy.read_bytes())
    assert all(byte in rest for byte in original)


def test_a_file_is_given_what_its_graph_is_given(annotated: Annotated, tmp_path: Path) -> None:
    written, given = _given(annotated.path, tmp_path, Adding.ALL), _given_to(annotated.dataset)
    _expect_less(written, _without_names(given))


def _expect_less(written: Counter[tuple[object, ...]], given: Counter[tuple[object, ...]]) -> None:
    """Expect of a file what its graph is given, but for labels without pages and plain headers."""
    assert written - given == Counter()
    known = {label_node(text).value for text in known_labels()}
    for subject, path, value in given - written:
        assert isinstance(path, ox.NamedNode)
        nodes = {node.value for node in (subject, value) if isinstance(node, ox.NamedNode)}
        of_label = [node for node in nodes if node.startswith(label_node("").value)]
        assert path == CTV.servedAs or (of_label and known.isdisjoint(of_label))


@pytest.mark.parametrize("adding", Adding)
def test_the_example_is_given_what_its_graph_is_given(tmp_path: Path, adding: Adding) -> None:
    graph = read_catalog(str(EXAMPLE))
    annotate(graph, add=adding.value)
    written, given = _given(EXAMPLE, tmp_path, adding), _without_names(_given_to(graph))
    if adding is Adding.ALL:
        _expect_less(written, given)
    else:
        assert written == given


def _given(path: Path, folder: Path, adding: Adding) -> Counter[tuple[object, ...]]:
    annotate_file(path, target := folder / "out.nq", base=DOCUMENT, adding=adding)
    return _ours(ox.parse(path=str(target)))


def _without_names(statements: Counter[tuple[object, ...]]) -> Counter[tuple[object, ...]]:
    """Return statements without those that only repeat the IRI of a type."""
    names: set[object] = set()
    for subject in {subject for subject, *_ in statements}:
        if isinstance(subject, ox.NamedNode) and subject.value.startswith("ContentType:"):
            content_type = from_uri(subject.value)
            whole = set(short_description(content_type, names=True))
            names |= whole - set(short_description(content_type, names=False))
    return Counter({one: count for one, count in statements.items() if one not in names})


def _given_to(dataset: Dataset) -> Counter[tuple[object, ...]]:
    return _ours(ox.Quad(*map(lenient_ox, triple)) for *triple, _ in dataset.quads())


def _ours(quads: Iterable[ox.Quad]) -> Counter[tuple[object, ...]]:
    """Return the statements in our vocabulary, blank nodes without their names."""
    return Counter(
        tuple(None if isinstance(term, ox.BlankNode) else term for term in quad.triple)
        for quad in quads
        if VOCABULARY in str(quad)
    )
