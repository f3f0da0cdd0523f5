"""A change that concerns no anonymous node is made without placing every statement of the file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from cturi_rdf.editing.document import unlocated
from cturi_rdf.editing.engines import ByUpdate
from cturi_rdf.editing.rewrite import _by_difference, _by_whole_graph
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.terms import DOCUMENT

if TYPE_CHECKING:
    from cturi_rdf.editing import Document

FOLDER = Path(__file__).parent / "transcripts"
PREFIXES = """
PREFIX : <http://a.example/> PREFIX dct: <http://purl.org/dc/terms/>
PREFIX dcat: <http://www.w3.org/ns/dcat#> PREFIX ex: <http://a.example/vocabulary/>
"""
# Changes of statements about names: what goes, what comes, what takes the place of what.
NAMED = [
    "INSERT DATA { :csv dct:license :cc0 }",
    'INSERT DATA { :csv dct:format "csv", 5 . :csv a :Table }',
    'INSERT DATA { :new dct:title "New" ; dct:relation :csv }',
    'DELETE { :csv dct:format ?f } INSERT { :csv dct:format "csv" } WHERE { :csv dct:format ?f }',
    "DELETE { :csv dct:format ?f } INSERT { :csv dcat:mediaType ?f } WHERE { :csv dct:format ?f }",
    "DELETE { :csv ?p ?o } INSERT { :csv ?p 'x' } WHERE { :csv ?p ?o FILTER(isLiteral(?o)) }",
    "DELETE { :csv dct:format ?f } WHERE { :csv dct:format ?f }",
    "DELETE WHERE { :trees dct:nothing ?o }",
]
# These may need all places: a node is in another place, or loses the last statement about it.
OF_NODES = [
    "INSERT { :csv dct:relation ?n } WHERE { ?n dct:title ?t FILTER isBlank(?n) }",
    'INSERT DATA { :csv dct:relation [ dct:title "New" ] }',
    "DELETE { ?n ?p ?o } WHERE { ?n ?p ?o FILTER isBlank(?n) }",
]


def _read(name: str, update: str) -> tuple[bytes, partial[Document], ByUpdate]:
    document_of = partial(unlocated, format=format_of_file(name), base=DOCUMENT, name=name)
    return (FOLDER / name).read_bytes(), document_of, ByUpdate(PREFIXES + update, DOCUMENT)


@pytest.mark.parametrize("name", ["trees.ttl", "trees.rdf", "trees.jsonld", "tree.jsonld"])
@pytest.mark.parametrize("update", NAMED)
def test_a_change_of_named_statements_is_quick_and_says_the_same(name: str, update: str) -> None:
    data, document_of, engine = _read(name, update)
    quick = _by_difference(document_of(data), engine)
    assert quick is not None
    whole = _by_whole_graph(data, document_of, engine)
    assert _canonical(document_of, quick.text) == _canonical(document_of, whole.text)
    assert (quick.removed, quick.added) == (whole.removed, whole.added)
    assert (quick.text == data) == (not quick.removed and not quick.added)


@pytest.mark.parametrize("name", ["trees.ttl", "trees.jsonld"])
@pytest.mark.parametrize("update", OF_NODES)
def test_a_change_of_anonymous_nodes_looks_at_all_statements(name: str, update: str) -> None:
    data, document_of, engine = _read(name, update)
    assert _by_difference(document_of(data), engine) is None


def _canonical(document_of: partial[Document], text: bytes) -> ox.Dataset:
    dataset = ox.Dataset(document_of(text).parse(text))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return dataset
