"""Our shapes for catalogues, as the package carries them.

Their source is ontology/shapes/catalogue.ttl; scripts/build_vocabulary.py makes one line a
triple of it, which is read in a fraction of the time.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rdflib import RDF, Graph, Namespace, URIRef

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CTVS", "SH", "aimed", "catalogue_shapes", "language_of"]

SH = Namespace("http://www.w3.org/ns/shacl#")
CTVS = Namespace("https://w3id.org/cturi/shapes#")
# SHACL section 5.3.2: what stands for the value of a variable.
_VARIABLE = re.compile(r"\{[?$]\w+\}")
_FILE = Path(__file__).parents[1] / "data" / "catalogue-shapes.nt"


@cache
def catalogue_shapes() -> Graph:
    """Return all our shapes for catalogues; not to be changed.

    >>> (CTVS.TypeExists, SH.severity, SH.Violation) in catalogue_shapes()
    True
    """
    return Graph().parse(_FILE, format="nt")


def aimed(alone: Mapping[URIRef, list[URIRef]], together: Mapping[URIRef, list[URIRef]]) -> Graph:
    """Return our shapes for the nodes that stand in for others, by property.

    Shapes that judge each value alone get those of `alone`, shapes that compare several
    statements those of `together`.

    >>> graph = aimed({CTVS.p: []}, {})
    >>> (None, SH.targetSubjectsOf, None) in graph, (None, SH.targetNode, None) in graph
    (False, False)
    """
    graph = Graph()
    comparing = set(catalogue_shapes().subjects(RDF.type, CTVS.AgreementShape))
    for shape, path, value in catalogue_shapes():
        if path == SH.targetSubjectsOf:
            for node in (together if shape in comparing else alone).get(URIRef(str(value)), ()):
                graph.add((shape, SH.targetNode, node))
        else:
            graph.add((shape, path, value))
    return graph


def language_of(message: str, shape: URIRef) -> str:
    """Return the language of a message of a shape of ours, or ``""`` where it is none.

    pySHACL forgets it where it puts values into a message.

    >>> language_of("API ist ein Dienst und hat keinen Medientyp; zu nennen ist, was er"
    ...             " liefert, oder dcat:accessService.", CTVS.TypeIsNoService)
    'de'
    """
    for language, pattern in _messages(shape):
        if pattern.fullmatch(message):
            return language
    return ""


@cache
def _messages(shape: URIRef) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the messages of a shape as patterns, by language."""
    graph = catalogue_shapes()
    return tuple(
        (
            str(getattr(message, "language", None) or ""),
            re.compile("(?s:.*)".join(map(re.escape, _VARIABLE.split(str(message))))),
        )
        for constraint in graph.objects(shape, SH.sparql)
        for message in graph.objects(constraint, SH.message)
    )
