"""The modules in C, where they were built and are to be used.

Each has a twin in Python that gives the same results, more slowly.  With the environment variable
``CTURI_NO_EXTENSIONS`` set to anything the twins are used.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


MODULES = ("cturi_rdf.content_type._parser",)


def compiled(name: str) -> Any | None:
    """Return a module in C, or None where its twin in Python is to be used.

    >>> compiled("cturi_rdf.no_such_module") is None
    True
    """
    if os.environ.get("CTURI_NO_EXTENSIONS"):
        return None
    try:
        return import_module(name)
    except ImportError:
        return None
