"""What is loaded on first use because it is slow to load, and what is there only by choice.

Each module in C has a twin in Python that gives the same results, more slowly.  With the
environment variable ``CTURI_NO_EXTENSIONS`` set to anything the twins are used.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

MODULES_IN_C = ("cturi_rdf.content_type._parser",)
_NAME = "cturi-rdf"


def later(module: str) -> Callable[[str], Any]:
    """Return a package's `__getattr__` (PEP 562), which finds its names in a module.

    >>> later("cturi_rdf.uri.mapping")("to_uri").__name__
    'to_uri'
    """

    def load(name: str) -> Any:
        return getattr(import_module(module), name)

    return load


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


def import_extra(module: str, extra: str) -> Any:
    """Return an optional module; raise `ImportError` with the command that installs it.

    >>> import_extra("no_such_module", "notebook")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ImportError: no_such_module is not installed; run: pip install ...[notebook]...
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{module} is not installed; run: {how_to_install(extra)}") from error


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra, from where this package was installed.

    pip records a source other than a package index in ``direct_url.json`` (PEP 610): a checkout,
    an archive or a repository.
    """
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        source = json.loads(distribution(_NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        source = {}
    url = source.get("url", "")
    if "dir_info" in source:
        option = "-e " if source["dir_info"].get("editable") else ""
        return f"pip install {option}'{url2pathname(urlsplit(url).path)}[{extra}]'"
    if "vcs_info" in source:
        url = f"{source['vcs_info']['vcs']}+{url}"
    return f"pip install '{_NAME}[{extra}]{f' @ {url}' if url else ''}'"
