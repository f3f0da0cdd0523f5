"""Shapes of others as graphs of rdflib: their missing parts, and the languages of messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rdflib import Graph, Literal, Namespace, URIRef

if TYPE_CHECKING:
    from rdflib.term import Node

__all__ = ["CTVS", "SH", "dangling_references", "language_of"]

SH = Namespace("http://www.w3.org/ns/shacl#")
CTVS = Namespace("https://w3id.org/cturi/shapes#")
# SHACL section 5.3.2: the placeholder for the value of a variable.
_VARIABLE = re.compile(r"\{[?$]\w+\}")


def dangling_references(shapes: Graph) -> list[tuple[Node, Node]]:
    """Return the shapes that name a property shape which nothing describes, each with that name.

    SHACL section 2.3.1: a property shape has one `sh:path`.  DCAT-AP 3.0.1 as published has two
    such references, which no engine can use.

    >>> shapes = Graph().add((CTVS.A, SH.property, CTVS.B))
    >>> dangling_references(shapes) == [(CTVS.A, CTVS.B)]
    True
    """
    return sorted(
        (shape, named)
        for shape, named in shapes.subject_objects(SH.property)
        if isinstance(named, URIRef) and (named, None, None) not in shapes
    )


def language_of(message: str, shape: Node, shapes: Graph) -> str:
    """Return the language of a message of a shape, or ``""`` where it has none.

    pySHACL loses the language when it puts values into a message.

    >>> shapes = Graph().parse(format="turtle", data='''
    ...     @prefix sh: <http://www.w3.org/ns/shacl#> .
    ...     <urn:a> sh:sparql [ sh:message "{$this} is wrong."@en, "{$this} ist falsch."@de ] .''')
    >>> language_of("CSV ist falsch.", URIRef("urn:a"), shapes)
    'de'
    """
    for constraint in shapes.objects(shape, SH.sparql):
        for literal_ in shapes.objects(constraint, SH.message):
            pattern = "(?s:.*)".join(map(re.escape, _VARIABLE.split(str(literal_))))
            if (
                isinstance(literal_, Literal)
                and literal_.language
                and re.fullmatch(pattern, message)
            ):
                return literal_.language
    return ""
