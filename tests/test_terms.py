"""The terms that the code uses of our vocabulary, and commands that need no rdflib."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import cturi_rdf
from cturi_rdf.rdf.label_statements import known_labels
from cturi_rdf.rdf.terms import label_node, name_of_segment
from cturi_rdf.rdf.vocab import CTV

PACKAGE = Path(cturi_rdf.__file__).parent


def test_every_term_that_the_code_uses_is_in_the_ontology() -> None:
    texts = [path.read_text("utf-8") for path in PACKAGE.rglob("*.py")]
    used = {
        node.attr
        for text in texts
        if "CTV." in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "CTV"
    }
    assert len(used) > 40
    assert [name for name in sorted(used) if not hasattr(CTV, name)] == []


@pytest.mark.parametrize(
    ("text", "segment"),
    [
        (".", "~2E"),
        ("..", "~2E~2E"),
        # These are segments like any other.
        ("...", "..."),
        (".a", ".a"),
        ("a/b", "a~2Fb"),
        ("a\\b", "a~5Cb"),
        ("~", "~7E"),
    ],
)
def test_a_name_is_one_segment_that_every_client_and_server_leaves_as_it_is(
    text: str, segment: str
) -> None:
    assert label_node(text).value == f"https://w3id.org/cturi/label/{segment}"
    assert name_of_segment(segment) == text


def test_labels_with_pages_are_names_in_use_codes_of_the_eu_and_names_of_lists() -> None:
    known = known_labels()
    # A name in use; a code of the EU, as it is and with spaces; names of the EU and of W3C.
    for label in ("CSV", "ARROW_FILE", "ARROW FILE", "Arrow file", "OWL Functional"):
        assert label in known
    # The codes of W3C are ends of its IRIs.
    for label in ("OWL_Functional", "arrow file", "ARROW", "Zipped CSV"):
        assert label not in known
