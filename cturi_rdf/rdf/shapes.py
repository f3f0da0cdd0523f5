"""Our shapes for catalogues, as the package carries them.

Their source is ontology/shapes/catalogue.ttl; scripts/build_vocabulary.py makes one line a
triple of it, which is read in a fraction of the time.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from rdflib import RDF, Graph, Namespace, URIRef

__all__ = ["CTVS", "SH", "agreement_shapes", "catalogue_shapes", "language_of", "value_shapes"]

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


@cache
def value_shapes() -> Graph:
    """Return the shapes that judge each value alone, with which property it is a value of."""
    return _with_targets(agreeing=False)


@cache
def agreement_shapes() -> Graph:
    """Return the shapes that compare several statements of one resource."""
    return _with_targets(agreeing=True)


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


def _with_targets(*, agreeing: bool) -> Graph:
    """Return the shapes of which only those of one kind have targets: the others rest."""
    graph = Graph()
    comparing = set(catalogue_shapes().subjects(RDF.type, CTVS.AgreementShape))
    for triple in catalogue_shapes():
        if triple[1] != SH.targetSubjectsOf or (triple[0] in comparing) is agreeing:
            graph.add(triple)
    return graph
