"""The terms of other vocabularies that messages are described with."""

from rdflib import Namespace

__all__ = ["CNT", "NFO", "SCHEMA"]

# Where they say exactly what is meant: the name of a file (NEPOMUK), its
# SHA-256 (schema.org), the characters or octets of a content (W3C Content in RDF).
NFO = Namespace("http://www.semanticdesktop.org/ontologies/2007/03/22/nfo#")
SCHEMA = Namespace("https://schema.org/")
CNT = Namespace("http://www.w3.org/2011/content#")
