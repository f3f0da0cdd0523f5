"""Packages that load a module when a name of it is asked for, so that the rest costs nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

__all__ = ["later"]


def later(package: str, names: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Return a package's `__getattr__` (PEP 562); `names` are those that each module has.

    A name must not be that of a module of the package, which would take its place once loaded.

    >>> later("cturi_rdf", {".uri.mapping": ["to_uri"]})("to_uri").__name__
    'to_uri'
    """
    modules = {name: module for module, exported in names.items() for name in exported}

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name], package), name)

    return load
