"""What is wrong with a value, for the constraints of SHACL whose shapes have no message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rdflib import RDF, XSD, BNode, Graph, Literal, URIRef
from rdflib.collection import Collection

from cturi_rdf.catalogue.shacl.validation import SH, Result
from cturi_rdf.catalogue.verdict import short_name, written
from cturi_rdf.reading.terms import lenient_ox

if TYPE_CHECKING:
    from rdflib.term import Node

# How many members of a list a message shows.
_SHOWN = 5
# Numbers are shown without their datatype.
_NUMBERS = {XSD.integer, XSD.decimal, XSD.double, XSD.float}
_COMPONENT = "ConstraintComponent"
# SHACL sections 4 and 5: by constraint component, the sentence about a value and the parameter.
_SENTENCES = {
    "Class": "{value} is not an instance of {wanted}.",
    "Datatype": "{value} does not have the datatype {wanted}.",
    "NodeKind": "{value} is not of the node kind {wanted}.",
    "MinCount": "The property has fewer values than {wanted}.",
    "MaxCount": "The property has more values than {wanted}.",
    "MinExclusive": "{value} is not greater than {wanted}.",
    "MinInclusive": "{value} is not {wanted} or greater.",
    "MaxExclusive": "{value} is not less than {wanted}.",
    "MaxInclusive": "{value} is not {wanted} or less.",
    "MinLength": "{value} has fewer characters than {wanted}.",
    "MaxLength": "{value} has more characters than {wanted}.",
    "Pattern": "{value} does not match the pattern {wanted}.",
    "LanguageIn": "{value} is in none of the languages {wanted}.",
    "UniqueLang": "Several values have the same language.",
    "Equals": "{value} is not a value of both this property and {wanted}.",
    "Disjoint": "{value} is also a value of {wanted}.",
    "LessThan": "{value} is not less than all values of {wanted}.",
    "LessThanOrEquals": "{value} is greater than a value of {wanted}.",
    "Not": "{value} conforms to a shape that is excluded.",
    "And": "{value} does not conform to all of the shapes in sh:and.",
    "Or": "{value} conforms to none of the shapes in sh:or.",
    "Xone": "{value} does not conform to exactly one of the shapes in sh:xone.",
    "Node": "{value} does not conform to the shape {wanted}.",
    "QualifiedMinCount": "Fewer values than {wanted} conform to the shape of these values.",
    "QualifiedMaxCount": "More values than {wanted} conform to the shape of these values.",
    "Closed": "The shape does not allow the property.",
    "HasValue": "The value {wanted} is missing.",
    "In": "{value} is none of the allowed values {wanted}.",
    "SPARQL": "{value} is what the query of the shape finds.",
}


def default_message(result: Result, shapes: Graph) -> str:
    """Return the message for a result of a constraint that has none, or ``""``.

    >>> shapes = Graph().parse(format="turtle", data='''
    ...     @prefix sh: <http://www.w3.org/ns/shacl#> . <urn:S> sh:in ( "a" "b" ) .''')
    >>> result = Result(URIRef("urn:n"), None, Literal("c"), URIRef("urn:S"),
    ...     SH.InConstraintComponent, SH.Violation, ())
    >>> default_message(result, shapes)
    '"c" is none of the allowed values "a", "b".'
    """
    name = str(result.component).removeprefix(SH).removesuffix(_COMPONENT)
    sentence = _SENTENCES.get(name, "")
    parameter = SH[name[:1].lower() + name[1:]]
    values: list[Any] = list(shapes.objects(result.shape, parameter))
    wanted = [member for value in sorted(values) for member in _members(value, shapes)]
    shown = [_shown(term, "without a name") for term in wanted[:_SHOWN]]
    if len(wanted) > _SHOWN:
        shown.append("…")
    value = result.node if result.value is None else result.value
    return sentence.format(value=_shown(value, "The blank node"), wanted=", ".join(shown))


def _members(value: Node, shapes: Graph) -> list[Node]:
    is_list = value == RDF.nil or (value, RDF.rest, None) in shapes
    return list(Collection(shapes, value)) if is_list else [value]


def _shown(term: Node, blank: str) -> str:
    if isinstance(term, BNode):
        return blank
    if isinstance(term, URIRef):
        return short_name(lenient_ox(term))
    is_number = isinstance(term, Literal) and term.datatype in _NUMBERS
    return str(term) if is_number else written(lenient_ox(term))
