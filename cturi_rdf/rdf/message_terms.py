"""The terms of the vocabulary that messages need, under the name of the generated class."""

from rdflib import Namespace

__all__ = ["CNT", "CTV", "NFO", "SCHEMA"]

CTV = Namespace("https://w3id.org/cturi/vocab#")
# Terms of others, where they say exactly what is meant: the name of a file (NEPOMUK), its
# SHA-256 (schema.org), the characters or octets of a content (W3C Content in RDF).
NFO = Namespace("http://www.semanticdesktop.org/ontologies/2007/03/22/nfo#")
SCHEMA = Namespace("https://schema.org/")
CNT = Namespace("http://www.w3.org/2011/content#")
