"""A catalogue in each syntax, and the statements that annotating adds to it."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, cast

import pyoxigraph as ox

from cturi_rdf.catalogue.labels import EDITABLE
from cturi_rdf.reading.formats import format_of_file, zstd_module

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


CTV = "https://w3id.org/cturi/vocab#"
PREFIXES = f"""\
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix ctv: <{CTV}> .
"""
# The same catalogue in every syntax that can be edited: two resources with an IRI, one without.
CATALOGUE = {
    "ttl": f"""{PREFIXES}
# A comment.
<http://a.example/1> dct:title "one" ; dct:format "CSV" .
<http://a.example/2> dcat:mediaType [ rdfs:label "Zipped JSON" ] .
<http://a.example/3> dcat:distribution [ dct:format "no such format" , "WMS" ] .
""",
    "trig": f"""{PREFIXES}
# A comment.
<http://a.example/1> dct:title "one" ; dct:format "CSV" .
<http://a.example/2> dcat:mediaType [ rdfs:label "Zipped JSON" ] .
<http://a.example/g> {{
    <http://a.example/3> dcat:distribution [ dct:format "no such format" , "WMS" ] .
}}
""",
    "nt": """# A comment.
<http://a.example/1> <http://purl.org/dc/terms/title> "one" .
<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" .
<http://a.example/2> <http://www.w3.org/ns/dcat#mediaType> _:f .
_:f <http://www.w3.org/2000/01/rdf-schema#label> "Zipped JSON" .
<http://a.example/3> <http://www.w3.org/ns/dcat#distribution> _:d .
_:d <http://purl.org/dc/terms/format> "no such format" .
_:d <http://purl.org/dc/terms/format> "WMS" .
""",
    "rdf": """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:dct="http://purl.org/dc/terms/" xmlns:dcat="http://www.w3.org/ns/dcat#"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
  <!-- A comment. -->
  <rdf:Description rdf:about="http://a.example/1">
    <dct:title>one</dct:title>
    <dct:format>CSV</dct:format>
  </rdf:Description>
  <rdf:Description rdf:about="http://a.example/2">
    <dcat:mediaType rdf:parseType="Resource"><rdfs:label>Zipped JSON</rdfs:label></dcat:mediaType>
  </rdf:Description>
  <rdf:Description rdf:about="http://a.example/3">
    <dcat:distribution>
      <rdf:Description>
        <dct:format>no such format</dct:format>
        <dct:format>WMS</dct:format>
      </rdf:Description>
    </dcat:distribution>
  </rdf:Description>
</rdf:RDF>
""",
    "jsonld": """{
  "@context": {
    "dct": "http://purl.org/dc/terms/", "dcat": "http://www.w3.org/ns/dcat#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#"
  },
  "@graph": [
    {
      "@id": "http://a.example/1",
      "dct:title": "one",
      "dct:format": "CSV"
    },
    {"@id": "http://a.example/2", "dcat:mediaType": {"rdfs:label": "Zipped JSON"}},
    {
      "@id": "http://a.example/3",
      "dcat:distribution": {"dct:format": ["no such format", "WMS"]}
    }
  ]
}
""",
}
SYNTAXES = [name for name in CATALOGUE if format_of_file(f"a.{name}").name in EDITABLE]
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": lambda content: zstd_module().compress(content),
}


def unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    if path.name.endswith(".gz"):
        return gzip.decompress(content)
    if path.name.endswith(".zst"):
        # Several frames, one after the other.
        return cast("bytes", zstd_module().decompress(content))
    return content


def quads_of(path: Path) -> list[ox.Quad]:
    form = format_of_file(path.name).oxigraph
    return list(ox.parse(unpacked(path), form, base_iri="http://base.example/"))


def links_of(path: Path) -> set[tuple[str, str]]:
    """Return the links that a file has: the name of the property, the type."""
    return {
        (quad.predicate.value.removeprefix(CTV), quad.object.value.removeprefix("ContentType:"))
        for quad in quads_of(path)
        if quad.object.value.startswith("ContentType:")
        and quad.predicate.value.removeprefix(CTV) in {"contentType", "packaging", "compression"}
    }
