"""The names that RDF/XML gives a meaning of its own (RDF 1.1 XML Syntax section 5.1)."""

from __future__ import annotations

from cturi_rdf.editing.terms import RDF_NS

__all__ = [
    "ABOUT",
    "BASE",
    "DATATYPE",
    "DESCRIPTION",
    "ID",
    "LANG",
    "LI",
    "NAMING",
    "NODE_ID",
    "PARSE_TYPE",
    "RDF",
    "RESOURCE",
    "SYNTAX",
    "TYPE",
    "XML_NS",
]

XML_NS = "http://www.w3.org/XML/1998/namespace"
LANG, BASE = f"{XML_NS}lang", f"{XML_NS}base"
ABOUT, ID, NODE_ID = f"{RDF_NS}about", f"{RDF_NS}ID", f"{RDF_NS}nodeID"
RESOURCE, DATATYPE, PARSE_TYPE = f"{RDF_NS}resource", f"{RDF_NS}datatype", f"{RDF_NS}parseType"
TYPE, LI, RDF, DESCRIPTION = (RDF_NS + name for name in ("type", "li", "RDF", "Description"))
NAMING = frozenset({ABOUT, ID, NODE_ID, RESOURCE})
# Attributes that say nothing of their own about the node (section 7.2.2, syntaxTerms; RDF 1.2 has
# two more, of the Internationalization Tag Set).
_OTHERS = ("bagID", "version", "annotation", "annotationNodeID")
_TAG_SET = ("http://www.w3.org/2005/11/itsdir", "http://www.w3.org/2005/11/itsversion")
SYNTAX = frozenset({*NAMING, DATATYPE, PARSE_TYPE, *(RDF_NS + name for name in _OTHERS), *_TAG_SET})
