"""Content types in RDF: nodes, descriptions, the labels of a graph, and headers back.

What needs a SPARQL engine is loaded when it is asked for: the engine takes longer to load
than all the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cturi_rdf.rdf.annotate import annotate
from cturi_rdf.rdf.describe import describe
from cturi_rdf.rdf.formats import best_format, rdflib_format
from cturi_rdf.rdf.headers import headers
from cturi_rdf.rdf.nodes import mint, read
from cturi_rdf.rdf.vocab import CTV

if TYPE_CHECKING:
    from cturi_rdf.rdf.functions import register_functions, unregister_functions
    from cturi_rdf.rdf.virtual import with_registry

__all__ = [
    "CTV",
    "annotate",
    "best_format",
    "describe",
    "headers",
    "mint",
    "rdflib_format",
    "read",
    "register_functions",
    "unregister_functions",
    "with_registry",
]

# Name -> the module that has it.
_LATER = {
    "register_functions": "functions",
    "unregister_functions": "functions",
    "with_registry": "virtual",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
