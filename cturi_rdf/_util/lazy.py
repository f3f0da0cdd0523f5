"""Packages that load a module when a name of it is asked for, so that the rest costs nothing."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["later"]


def later(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a package's `__getattr__` (PEP 562), of its names by the modules that have them.

    A module of the same name would take the place of what it has: such a name cannot wait.

    >>> later("cturi_rdf", {"to_uri": ".uri.mapping"})("to_uri").__name__
    'to_uri'
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name], package), name)

    return load
