"""The terms of other vocabularies that messages are described with."""

from rdflib import Namespace

from cturi_rdf._util.prefixes import PREFIXES

__all__ = ["CNT", "NFO", "SCHEMA"]

# Where they say exactly what is meant: the name of a file (NEPOMUK), its
# SHA-256 (schema.org), the characters or octets of a content (W3C Content in RDF).
NFO = Namespace(PREFIXES["nfo"])
SCHEMA = Namespace(PREFIXES["schema"])
CNT = Namespace(PREFIXES["cnt"])
