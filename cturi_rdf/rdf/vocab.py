"""The namespaces of the vocabulary: a term that they do not have is an error.

Generated from the ontology by scripts/build_vocabulary.py; do not edit.
"""

from rdflib import Namespace, URIRef
from rdflib.namespace import DefinedNamespace


class CTV(DefinedNamespace):
    """The cturi vocabulary of media types, version 0.3.0.

    >>> CTV.contentType
    rdflib.term.URIRef('https://w3id.org/cturi/vocab#contentType')
    """

    _fail = True
    _NS = Namespace("https://w3id.org/cturi/vocab#")

    Certain: URIRef = URIRef("https://w3id.org/cturi/vocab#Certain")
    CompoundType: URIRef = URIRef("https://w3id.org/cturi/vocab#CompoundType")
    Confidence: URIRef = URIRef("https://w3id.org/cturi/vocab#Confidence")
    ContentType: URIRef = URIRef("https://w3id.org/cturi/vocab#ContentType")
    Deprecated: URIRef = URIRef("https://w3id.org/cturi/vocab#Deprecated")
    Likely: URIRef = URIRef("https://w3id.org/cturi/vocab#Likely")
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
    TopLevelType: URIRef = URIRef("https://w3id.org/cturi/vocab#TopLevelType")
    TypeLabel: URIRef = URIRef("https://w3id.org/cturi/vocab#TypeLabel")
    Unregistered: URIRef = URIRef("https://w3id.org/cturi/vocab#Unregistered")
    Verdict: URIRef = URIRef("https://w3id.org/cturi/vocab#Verdict")
    XMLMediaType: URIRef = URIRef("https://w3id.org/cturi/vocab#XMLMediaType")
    aliasOf: URIRef = URIRef("https://w3id.org/cturi/vocab#aliasOf")
    archive: URIRef = URIRef("https://w3id.org/cturi/vocab#archive")
    bareMediaType: URIRef = URIRef("https://w3id.org/cturi/vocab#bareMediaType")
    baseType: URIRef = URIRef("https://w3id.org/cturi/vocab#baseType")
    charsetName: URIRef = URIRef("https://w3id.org/cturi/vocab#charsetName")
    coapContentFormat: URIRef = URIRef("https://w3id.org/cturi/vocab#coapContentFormat")
    compression: URIRef = URIRef("https://w3id.org/cturi/vocab#compression")
    confidence: URIRef = URIRef("https://w3id.org/cturi/vocab#confidence")
    conflictingType: URIRef = URIRef("https://w3id.org/cturi/vocab#conflictingType")
    contentType: URIRef = URIRef("https://w3id.org/cturi/vocab#contentType")
    contentTypeHeader: URIRef = URIRef("https://w3id.org/cturi/vocab#contentTypeHeader")
    fileExtension: URIRef = URIRef("https://w3id.org/cturi/vocab#fileExtension")
    fragmentSyntax: URIRef = URIRef("https://w3id.org/cturi/vocab#fragmentSyntax")
    labelText: URIRef = URIRef("https://w3id.org/cturi/vocab#labelText")
    machineReadable: URIRef = URIRef("https://w3id.org/cturi/vocab#machineReadable")
    namesContentType: URIRef = URIRef("https://w3id.org/cturi/vocab#namesContentType")
    nonProprietary: URIRef = URIRef("https://w3id.org/cturi/vocab#nonProprietary")
    outerContentType: URIRef = URIRef("https://w3id.org/cturi/vocab#outerContentType")
    packaging: URIRef = URIRef("https://w3id.org/cturi/vocab#packaging")
    parameter: URIRef = URIRef("https://w3id.org/cturi/vocab#parameter")
    parameterName: URIRef = URIRef("https://w3id.org/cturi/vocab#parameterName")
    parameterValue: URIRef = URIRef("https://w3id.org/cturi/vocab#parameterValue")
    registrationStatus: URIRef = URIRef("https://w3id.org/cturi/vocab#registrationStatus")
    relatedContentType: URIRef = URIRef("https://w3id.org/cturi/vocab#relatedContentType")
    replacedBy: URIRef = URIRef("https://w3id.org/cturi/vocab#replacedBy")
    resolutionReason: URIRef = URIRef("https://w3id.org/cturi/vocab#resolutionReason")
    resolutionRule: URIRef = URIRef("https://w3id.org/cturi/vocab#resolutionRule")
    servedAs: URIRef = URIRef("https://w3id.org/cturi/vocab#servedAs")
    structuredSyntaxSuffix: URIRef = URIRef("https://w3id.org/cturi/vocab#structuredSyntaxSuffix")
    subtypeName: URIRef = URIRef("https://w3id.org/cturi/vocab#subtypeName")
    suffixName: URIRef = URIRef("https://w3id.org/cturi/vocab#suffixName")
    topLevelType: URIRef = URIRef("https://w3id.org/cturi/vocab#topLevelType")
    typeLabel: URIRef = URIRef("https://w3id.org/cturi/vocab#typeLabel")
    verdict: URIRef = URIRef("https://w3id.org/cturi/vocab#verdict")


class MIME(DefinedNamespace):
    """The cturi vocabulary of MIME messages, version 0.1.0.

    >>> MIME.messageId
    rdflib.term.URIRef('https://w3id.org/cturi/mime#messageId')
    """

    _fail = True
    _NS = Namespace("https://w3id.org/cturi/mime#")

    BodyPart: URIRef = URIRef("https://w3id.org/cturi/mime#BodyPart")
    HeaderField: URIRef = URIRef("https://w3id.org/cturi/mime#HeaderField")
    MIMEEntity: URIRef = URIRef("https://w3id.org/cturi/mime#MIMEEntity")
    Message: URIRef = URIRef("https://w3id.org/cturi/mime#Message")
    contentId: URIRef = URIRef("https://w3id.org/cturi/mime#contentId")
    decodedSize: URIRef = URIRef("https://w3id.org/cturi/mime#decodedSize")
    defect: URIRef = URIRef("https://w3id.org/cturi/mime#defect")
    disposition: URIRef = URIRef("https://w3id.org/cturi/mime#disposition")
    dispositionType: URIRef = URIRef("https://w3id.org/cturi/mime#dispositionType")
    encodedSize: URIRef = URIRef("https://w3id.org/cturi/mime#encodedSize")
    fieldName: URIRef = URIRef("https://w3id.org/cturi/mime#fieldName")
    fieldValue: URIRef = URIRef("https://w3id.org/cturi/mime#fieldValue")
    headerField: URIRef = URIRef("https://w3id.org/cturi/mime#headerField")
    inReplyTo: URIRef = URIRef("https://w3id.org/cturi/mime#inReplyTo")
    inThreadOf: URIRef = URIRef("https://w3id.org/cturi/mime#inThreadOf")
    messageId: URIRef = URIRef("https://w3id.org/cturi/mime#messageId")
    position: URIRef = URIRef("https://w3id.org/cturi/mime#position")
    rootPart: URIRef = URIRef("https://w3id.org/cturi/mime#rootPart")
    transferEncoding: URIRef = URIRef("https://w3id.org/cturi/mime#transferEncoding")
