"""The namespace of the vocabulary: a term that it does not have is an error.

Generated from the ontology by scripts/build_vocabulary.py; do not edit.
"""

from rdflib import Namespace, URIRef
from rdflib.namespace import DefinedNamespace

__all__ = ["CTV"]


class CTV(DefinedNamespace):
    """The cturi vocabulary of media types, version 0.1.0.

    >>> CTV.header
    rdflib.term.URIRef('https://w3id.org/cturi/vocab#header')
    """

    _fail = True
    _NS = Namespace("https://w3id.org/cturi/vocab#")

    BaseUriMechanism: URIRef = URIRef("https://w3id.org/cturi/vocab#BaseUriMechanism")
    Certain: URIRef = URIRef("https://w3id.org/cturi/vocab#Certain")
    CompoundType: URIRef = URIRef("https://w3id.org/cturi/vocab#CompoundType")
    Confidence: URIRef = URIRef("https://w3id.org/cturi/vocab#Confidence")
    ContentType: URIRef = URIRef("https://w3id.org/cturi/vocab#ContentType")
    Deprecated: URIRef = URIRef("https://w3id.org/cturi/vocab#Deprecated")
    DocumentEntity: URIRef = URIRef("https://w3id.org/cturi/vocab#DocumentEntity")
    ElementScheme: URIRef = URIRef("https://w3id.org/cturi/vocab#ElementScheme")
    EntityKind: URIRef = URIRef("https://w3id.org/cturi/vocab#EntityKind")
    ExternalDTDSubset: URIRef = URIRef("https://w3id.org/cturi/vocab#ExternalDTDSubset")
    ExternalParameterEntity: URIRef = URIRef("https://w3id.org/cturi/vocab#ExternalParameterEntity")
    ExternalParsedEntity: URIRef = URIRef("https://w3id.org/cturi/vocab#ExternalParsedEntity")
    FragmentSyntax: URIRef = URIRef("https://w3id.org/cturi/vocab#FragmentSyntax")
    Label: URIRef = URIRef("https://w3id.org/cturi/vocab#Label")
    Likely: URIRef = URIRef("https://w3id.org/cturi/vocab#Likely")
    MediaFragments: URIRef = URIRef("https://w3id.org/cturi/vocab#MediaFragments")
    MediaType: URIRef = URIRef("https://w3id.org/cturi/vocab#MediaType")
    NoType: URIRef = URIRef("https://w3id.org/cturi/vocab#NoType")
    NotUnderstood: URIRef = URIRef("https://w3id.org/cturi/vocab#NotUnderstood")
    Obsolete: URIRef = URIRef("https://w3id.org/cturi/vocab#Obsolete")
    Parameter: URIRef = URIRef("https://w3id.org/cturi/vocab#Parameter")
    Provisional: URIRef = URIRef("https://w3id.org/cturi/vocab#Provisional")
    Registered: URIRef = URIRef("https://w3id.org/cturi/vocab#Registered")
    RegistrationStatus: URIRef = URIRef("https://w3id.org/cturi/vocab#RegistrationStatus")
    Service: URIRef = URIRef("https://w3id.org/cturi/vocab#Service")
    SeveralTypes: URIRef = URIRef("https://w3id.org/cturi/vocab#SeveralTypes")
    SingleType: URIRef = URIRef("https://w3id.org/cturi/vocab#SingleType")
    StructuredSyntaxSuffix: URIRef = URIRef("https://w3id.org/cturi/vocab#StructuredSyntaxSuffix")
    SvgView: URIRef = URIRef("https://w3id.org/cturi/vocab#SvgView")
    TopLevelType: URIRef = URIRef("https://w3id.org/cturi/vocab#TopLevelType")
    Unregistered: URIRef = URIRef("https://w3id.org/cturi/vocab#Unregistered")
    Verdict: URIRef = URIRef("https://w3id.org/cturi/vocab#Verdict")
    XMLBase: URIRef = URIRef("https://w3id.org/cturi/vocab#XMLBase")
    XMLMediaType: URIRef = URIRef("https://w3id.org/cturi/vocab#XMLMediaType")
    XPointer: URIRef = URIRef("https://w3id.org/cturi/vocab#XPointer")
    XmlnsScheme: URIRef = URIRef("https://w3id.org/cturi/vocab#XmlnsScheme")
    aliasOf: URIRef = URIRef("https://w3id.org/cturi/vocab#aliasOf")
    baseType: URIRef = URIRef("https://w3id.org/cturi/vocab#baseType")
    baseUriMechanism: URIRef = URIRef("https://w3id.org/cturi/vocab#baseUriMechanism")
    charsetIsMeaningful: URIRef = URIRef("https://w3id.org/cturi/vocab#charsetIsMeaningful")
    compression: URIRef = URIRef("https://w3id.org/cturi/vocab#compression")
    confidence: URIRef = URIRef("https://w3id.org/cturi/vocab#confidence")
    contentType: URIRef = URIRef("https://w3id.org/cturi/vocab#contentType")
    entityKind: URIRef = URIRef("https://w3id.org/cturi/vocab#entityKind")
    fileExtension: URIRef = URIRef("https://w3id.org/cturi/vocab#fileExtension")
    fragmentSyntax: URIRef = URIRef("https://w3id.org/cturi/vocab#fragmentSyntax")
    fragmentsAsOf: URIRef = URIRef("https://w3id.org/cturi/vocab#fragmentsAsOf")
    header: URIRef = URIRef("https://w3id.org/cturi/vocab#header")
    labelText: URIRef = URIRef("https://w3id.org/cturi/vocab#labelText")
    means: URIRef = URIRef("https://w3id.org/cturi/vocab#means")
    mediaType: URIRef = URIRef("https://w3id.org/cturi/vocab#mediaType")
    packaging: URIRef = URIRef("https://w3id.org/cturi/vocab#packaging")
    parameter: URIRef = URIRef("https://w3id.org/cturi/vocab#parameter")
    parameterName: URIRef = URIRef("https://w3id.org/cturi/vocab#parameterName")
    parameterValue: URIRef = URIRef("https://w3id.org/cturi/vocab#parameterValue")
    reason: URIRef = URIRef("https://w3id.org/cturi/vocab#reason")
    recommendedType: URIRef = URIRef("https://w3id.org/cturi/vocab#recommendedType")
    registrationStatus: URIRef = URIRef("https://w3id.org/cturi/vocab#registrationStatus")
    relatedContentType: URIRef = URIRef("https://w3id.org/cturi/vocab#relatedContentType")
    replacedBy: URIRef = URIRef("https://w3id.org/cturi/vocab#replacedBy")
    rule: URIRef = URIRef("https://w3id.org/cturi/vocab#rule")
    structuredSyntaxSuffix: URIRef = URIRef("https://w3id.org/cturi/vocab#structuredSyntaxSuffix")
    subtypeName: URIRef = URIRef("https://w3id.org/cturi/vocab#subtypeName")
    suffixName: URIRef = URIRef("https://w3id.org/cturi/vocab#suffixName")
    topLevelType: URIRef = URIRef("https://w3id.org/cturi/vocab#topLevelType")
    typeLabel: URIRef = URIRef("https://w3id.org/cturi/vocab#typeLabel")
    verdict: URIRef = URIRef("https://w3id.org/cturi/vocab#verdict")
    wrappedIn: URIRef = URIRef("https://w3id.org/cturi/vocab#wrappedIn")
