"""The server answers or refuses any content that a client sends instead of the expected one."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import hypothesis.strategies as st
import pytest
from hypothesis import given
from servers import client_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.testclient import TestClient

# By address and, where the content is a form, its field: a document that is answered.
DOCUMENTS: dict[tuple[str, str], Any] = {
    ("/api/resolve", ""): {"labels": ["CSV", "x"]},
    ("/reconcile", "queries"): {
        "q0": {"query": "CSV", "type": "MediaType", "limit": 3,
               "properties": [{"pid": "extensions", "v": "csv"}]},
        "q1": {"query": "Zipped shp"},
    },
    ("/reconcile", "extend"): {
        "ids": ["text/csv", "x"],
        "properties": [{"id": "extensions", "settings": {"limit": 1}}, {"id": "pronom"}],
    },
    ("/reconcile/1.0/match", ""): {
        "queries": [{"type": "MediaType", "limit": 3, "conditions": [
            {"matchType": "name", "propertyValue": "CSV", "required": True},
            {"matchType": "property", "propertyId": "extensions", "matchQuantifier": "any",
             "propertyValue": ["csv", {"id": "x"}]},
            {"matchType": "id", "propertyValue": "text/csv"},
        ]}],
    },
    ("/reconcile/1.0/extend", ""): {
        "ids": ["text/csv"], "properties": [{"id": "extensions"}, {"id": "iana"}],
    },
}  # fmt: skip
_WORDS = (
    # The last is a lone surrogate, which JSON can escape.
    st.sampled_from(["CSV", "text/csv", "extensions", "any", "id", "é\0", "\ud800"]) | st.text()
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of()


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or object of a document with each of its keys."""
    members = document.items() if isinstance(document, dict) else enumerate(document)
    for key, member in members:
        yield document, key
        if isinstance(member, dict | list):
            yield from _places(member)


def _sent(client: TestClient, address: str, field: str, document: Any) -> int:
    content = json.dumps(document)
    if field:
        return client.post(address, data={field: content}).status_code
    return client.post(address, content=content).status_code


@pytest.mark.parametrize(("address", "field"), DOCUMENTS)
def test_the_documents_are_answered(client: TestClient, address: str, field: str) -> None:
    assert _sent(client, address, field, DOCUMENTS[address, field]) == 200


@pytest.mark.slow
@given(st.sampled_from(sorted(DOCUMENTS)), st.data())
def test_a_document_with_anything_in_one_place_is_answered_or_refused(
    client: TestClient, kind: tuple[str, str], data: st.DataObject
) -> None:
    document = copy.deepcopy(DOCUMENTS[kind])
    places = list(_places(document))
    parent, key = places[data.draw(st.integers(0, len(places) - 1))]
    if data.draw(st.booleans()):
        parent[key] = data.draw(_JSON)
    else:
        del parent[key]
    assert _sent(client, *kind, document) in {200, 400}
