"""All functions by their names."""

from __future__ import annotations

from cturi_rdf.sparql.functions import facts, matching, parts
from cturi_rdf.sparql.functions.function import Function

FUNCTIONS = {
    function.name: function
    for module in (parts, facts, matching)
    for function in vars(module).values()
    if isinstance(function, Function)
}
