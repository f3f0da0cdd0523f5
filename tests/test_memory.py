"""What `ContentType.parse` remembers of headers, and that it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf import ContentType, content_type

if TYPE_CHECKING:
    import pytest


def test_headers_share_what_they_have_in_common() -> None:
    first = ContentType.parse("text/html;charset=x-shared")
    second = ContentType.parse("text/plain;charset=x-shared")
    assert first.parameters == second.parameters == {"charset": "x-shared"}
    assert first != second


def test_memory_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_type, "_REMEMBERED", 3)
    for number in range(20):
        header = f"text/x-{number};charset=x-{number}"
        assert str(ContentType.parse(header)) == header.replace(";", "; ")
    assert len(content_type._MEMORY) <= 3
    assert len(content_type._HEADS) <= 3
    assert len(content_type._TAILS) <= 3


def test_long_pieces_are_not_kept() -> None:
    name = "x-" + "a" * 1000
    assert ContentType.parse(f"text/plain;{name}={name}").parameters == {name: name}
    assert not any(len(tail) > 1000 for tail in content_type._TAILS)
