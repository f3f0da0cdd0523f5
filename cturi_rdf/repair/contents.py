"""What types say of a file: its content and what wraps it, and whether two of them agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.rdf.header import PAGES, url_claim
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_a

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cturi_rdf.content_type import ContentType

__all__ = ["agree", "named_by", "split_types"]


def split_types(
    types: Sequence[ContentType], outside: Sequence[ContentType] = ()
) -> tuple[list[ContentType], list[ContentType]]:
    """Return the types of content, and those that wrap it, the outermost last."""
    contents = [
        content_type for content_type in types if not registry().packaging(content_type.essence)
    ]
    wrappers = [
        content_type for content_type in types if registry().packaging(content_type.essence)
    ]
    return contents, list(dict.fromkeys([*wrappers, *reversed(outside)]))


def agree(one: ContentType, other: ContentType) -> bool:
    """Return whether one of two types is a special case of the other."""
    return is_a(one, other) or is_a(other, one)


def named_by(
    urls: Iterable[str],
) -> Iterator[tuple[str, list[ContentType], list[ContentType]]]:
    """Yield the URLs whose file names say what the bytes are, with content and wrappers."""
    for url in urls:
        for claim in url_claim(url):
            if PAGES.isdisjoint(content_type.essence for content_type in claim.types):
                yield url, *split_types(claim.types, claim.wrappers)
