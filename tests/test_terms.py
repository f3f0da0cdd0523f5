"""The terms that the code uses of our vocabulary, and commands that need no rdflib."""

from __future__ import annotations

import ast
from pathlib import Path

import cturi_rdf
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
