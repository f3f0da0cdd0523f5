"""Packages whose names are loaded on first use, because they need something slow to load."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def later(module: str) -> Callable[[str], Any]:
    """Return a package's `__getattr__` (PEP 562), which finds its names in a module.

    >>> later("cturi_rdf.uri.mapping")("to_uri").__name__
    'to_uri'
    """

    def load(name: str) -> Any:
        return getattr(import_module(module), name)

    return load
