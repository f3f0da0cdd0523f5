"""What is written into a file looks like what is there: spaces, lines, punctuation."""

# ruff: noqa: E501 - the tables have a row a line

from __future__ import annotations

from functools import partial

import pytest

from cturi_rdf.editing.document import unlocated
from cturi_rdf.editing.engines import ByUpdate
from cturi_rdf.editing.rewrite import rewrite
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.terms import DOCUMENT

A = "http://a.example/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
TURTLE = "@prefix : <http://a.example/> .\n"
CONTEXT = '"@context": {"@vocab": "http://a.example/"}'
ROOT, END = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns="{A}" xmlns:a="{A}">', "</rdf:RDF>"
NODE, CLOSE = f'<rdf:Description rdf:about="{A}s">', "</rdf:Description>"
# What is added: another property, another value, several of both, and another subject.
ADDED = [
    ":s :n 9",
    ":s :p 9",
    ":s :n 9 ; :m 8 ; :p 7",
    ":new :p 1 ; a :T",
]
# A text, and the same after each addition.
IN_TURTLE = [
    (
        ":s :p 1 .",
        ":s :p 1 ; :n 9 .",
        ":s :p 1 ; :p 9 .",
        ":s :p 1 ; :m 8 ; :n 9 ; :p 7 .",
        ":s :p 1 .\n\n:new a :T ;\n    :p 1 .\n",
    ),
    (
        ":s :p 1;:q 2.",
        ":s :p 1;:q 2; :n 9.",
        ":s :p 1; :p 9;:q 2.",
        ":s :p 1; :p 7;:q 2; :m 8; :n 9.",
        ":s :p 1;:q 2.\n\n:new a :T;\n    :p 1 .\n",
    ),
    (
        ":s :p 1 ;\n  :q 2 .",
        ":s :p 1 ;\n  :q 2 ;\n  :n 9 .",
        ":s :p 1 ;\n  :p 9 ;\n  :q 2 .",
        ":s :p 1 ;\n  :p 7 ;\n  :q 2 ;\n  :m 8 ;\n  :n 9 .",
        ":s :p 1 ;\n  :q 2 .\n\n:new a :T ;\n  :p 1 .\n",
    ),
    (
        ":s\n  :p 1 ;\n  :q 2\n.",
        ":s\n  :p 1 ;\n  :q 2 ;\n  :n 9\n.",
        ":s\n  :p 1 ;\n  :p 9 ;\n  :q 2\n.",
        ":s\n  :p 1 ;\n  :p 7 ;\n  :q 2 ;\n  :m 8 ;\n  :n 9\n.",
        ":s\n  :p 1 ;\n  :q 2\n.\n\n:new a :T ;\n  :p 1 .\n",
    ),
    (
        ":s\n  :p 1 ;\n  :q 2 # two\n  .",
        ":s\n  :p 1 ;\n  :q 2 ; # two\n  :n 9\n  .",
        ":s\n  :p 1 ;\n  :p 9 ;\n  :q 2 # two\n  .",
        ":s\n  :p 1 ;\n  :p 7 ;\n  :q 2 ; # two\n  :m 8 ;\n  :n 9\n  .",
        ":s\n  :p 1 ;\n  :q 2 # two\n  .\n\n:new a :T ;\n  :p 1 .\n",
    ),
    (
        ":s :p 1\n  ; :q 2\n  .",
        ":s :p 1\n  ; :q 2\n  ; :n 9\n  .",
        ":s :p 1 ; :p 9\n  ; :q 2\n  .",
        ":s :p 1 ; :p 7\n  ; :q 2\n  ; :m 8\n  ; :n 9\n  .",
        ":s :p 1\n  ; :q 2\n  .\n\n:new a :T ;\n  :p 1 .\n",
    ),
    (
        ":s :p 1\n  ; :q 2 # two\n  ; :r 3 .",
        ":s :p 1\n  ; :q 2 # two\n  ; :r 3\n  ; :n 9 .",
        ":s :p 1 ; :p 9\n  ; :q 2 # two\n  ; :r 3 .",
        ":s :p 1 ; :p 7\n  ; :q 2 # two\n  ; :r 3\n  ; :m 8\n  ; :n 9 .",
        ":s :p 1\n  ; :q 2 # two\n  ; :r 3 .\n\n:new a :T ;\n  :p 1 .\n",
    ),
    (
        ":s :p 1 ; # one\n  :q 2 .",
        ":s :p 1 ; # one\n  :q 2 ;\n  :n 9 .",
        ":s :p 1 ; # one\n  :p 9 ;\n  :q 2 .",
        ":s :p 1 ; # one\n  :p 7 ;\n  :q 2 ;\n  :m 8 ;\n  :n 9 .",
        ":s :p 1 ; # one\n  :q 2 .\n\n:new a :T ;\n  :p 1 .\n",
    ),
    (
        ":s :p 1 ; # one\n\t:q 2 ; .",
        ":s :p 1 ; # one\n\t:q 2 ; :n 9 ; .",
        ":s :p 1 ; # one\n\t:p 9 ;\n\t:q 2 ; .",
        ":s :p 1 ; # one\n\t:p 7 ;\n\t:q 2 ; :m 8 ; :n 9 ; .",
        ":s :p 1 ; # one\n\t:q 2 ; .\n\n:new a :T ;\n\t:p 1 .\n",
    ),
    (
        ":s :p 1, 2 ;\n  :q 3 .",
        ":s :p 1, 2 ;\n  :q 3 ;\n  :n 9 .",
        ":s :p 1, 2, 9 ;\n  :q 3 .",
        ":s :p 1, 2, 7 ;\n  :q 3 ;\n  :m 8 ;\n  :n 9 .",
        ":s :p 1, 2 ;\n  :q 3 .\n\n:new a :T ;\n  :p 1 .\n",
    ),
    (
        ":s :p\n    1,\n    2 .",
        ":s :p\n    1,\n    2 ; :n 9 .",
        ":s :p\n    1,\n    2, 9 .",
        ":s :p\n    1,\n    2, 7 ; :m 8 ; :n 9 .",
        ":s :p\n    1,\n    2 .\n\n:new a :T ;\n    :p 1 .\n",
    ),
    (
        ":s :p 1 . :t :q 2 .",
        ":s :p 1 ; :n 9 . :t :q 2 .",
        ":s :p 1 ; :p 9 . :t :q 2 .",
        ":s :p 1 ; :m 8 ; :n 9 ; :p 7 . :t :q 2 .",
        ":s :p 1 . :t :q 2 .\n\n:new a :T ;\n    :p 1 .\n",
    ),
    (
        ":s :p 1 .\r\n:t :q 2 .\r\n",
        ":s :p 1 ; :n 9 .\r\n:t :q 2 .\r\n",
        ":s :p 1 ; :p 9 .\r\n:t :q 2 .\r\n",
        ":s :p 1 ; :m 8 ; :n 9 ; :p 7 .\r\n:t :q 2 .\r\n",
        ":s :p 1 .\r\n:t :q 2 .\r\n\n:new a :T ;\n    :p 1 .\n",
    ),
    (
        "[ :p 1 ] :q 2 .",
        "[ :p 1 ] :q 2 .\n\n:s :n 9 .\n",
        "[ :p 1 ] :q 2 .\n\n:s :p 9 .\n",
        "[ :p 1 ] :q 2 .\n\n:s :m 8 ;\n    :n 9 ;\n    :p 7 .\n",
        "[ :p 1 ] :q 2 .\n\n:new a :T ;\n    :p 1 .\n",
    ),
    (
        ":s :p [ :p 1\n ] .",
        ":s :p [ :p 1\n ] ; :n 9 .",
        ":s :p [ :p 1\n ] ; :p 9 .",
        ":s :p [ :p 1\n ] ; :m 8 ; :n 9 ; :p 7 .",
        ":s :p [ :p 1\n ] .\n\n:new a :T ;\n :p 1 .\n",
    ),
    (
        ':s :p """a\nb""" .',
        ':s :p """a\nb""" ; :n 9 .',
        ':s :p """a\nb""" ; :p 9 .',
        ':s :p """a\nb""" ; :m 8 ; :n 9 ; :p 7 .',
        ':s :p """a\nb""" .\n\n:new a :T ;\n    :p 1 .\n',
    ),
    (
        ":s :p 1 ;\n     :q 2 ;\n  :r 3 .",
        ":s :p 1 ;\n     :q 2 ;\n  :r 3 ;\n  :n 9 .",
        ":s :p 1 ;\n     :p 9 ;\n     :q 2 ;\n  :r 3 .",
        ":s :p 1 ;\n     :p 7 ;\n     :q 2 ;\n  :r 3 ;\n  :m 8 ;\n  :n 9 .",
        ":s :p 1 ;\n     :q 2 ;\n  :r 3 .\n\n:new a :T ;\n     :p 1 .\n",
    ),
    (
        ":g { :s :p 1 }",
        ":g { :s :p 1 }\n\n:s :n 9 .\n",
        ":g { :s :p 1 }\n\n:s :p 9 .\n",
        ":g { :s :p 1 }\n\n:s :m 8 ;\n    :n 9 ;\n    :p 7 .\n",
        ":g { :s :p 1 }\n\n:new a :T ;\n    :p 1 .\n",
    ),
    (
        ":s a :T ; :p 1 .",
        ":s a :T ; :p 1 ; :n 9 .",
        ":s a :T ; :p 1 ; :p 9 .",
        ":s a :T ; :p 1 ; :m 8 ; :n 9 ; :p 7 .",
        ":s a :T ; :p 1 .\n\n:new a :T ;\n    :p 1 .\n",
    ),
]
IN_JSON = [
    (
        '{CONTEXT, "@id": "http://a.example/s", "p": 1}\n',
        '{CONTEXT, "@id": "http://a.example/s", "p": 1, "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}\n',
        '{CONTEXT, "@id": "http://a.example/s", "p": [1, {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}]}\n',
        '{CONTEXT, "@id": "http://a.example/s", "p": [1, {"@value": "7", "@type": "http://www.w3.org/2001/XMLSchema#integer"}], "m": {"@value": "8", "@type": "http://www.w3.org/2001/XMLSchema#integer"}, "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}\n',
        '{CONTEXT, "@id": "http://a.example/s", "p": 1, "@included": [{"@id": "http://a.example/new", "p": {"@value": "1", "@type": "http://www.w3.org/2001/XMLSchema#integer"}, "@type": "T"}]}\n',
    ),
    (
        '{CONTEXT,"@id":"http://a.example/s","p":[1,2]}',
        '{CONTEXT,"@id":"http://a.example/s","p":[1,2],"n":{"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}',
        '{CONTEXT,"@id":"http://a.example/s","p":[1,2,{"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}]}',
        '{CONTEXT,"@id":"http://a.example/s","p":[1,2,{"@value": "7", "@type": "http://www.w3.org/2001/XMLSchema#integer"}],"m":{"@value": "8", "@type": "http://www.w3.org/2001/XMLSchema#integer"},"n":{"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}',
        '{CONTEXT,"@id":"http://a.example/s","p":[1,2],"@included": [{"@id": "http://a.example/new", "p": {"@value": "1", "@type": "http://www.w3.org/2001/XMLSchema#integer"}, "@type": "T"}]}',
    ),
    (
        '{\n  CONTEXT,\n  "@id": "http://a.example/s",\n  "p": 1\n}\n',
        '{\n  CONTEXT,\n  "@id": "http://a.example/s",\n  "p": 1,\n  "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}\n}\n',
        '{\n  CONTEXT,\n  "@id": "http://a.example/s",\n  "p": [1, {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}]\n}\n',
        '{\n  CONTEXT,\n  "@id": "http://a.example/s",\n  "p": [1, {"@value": "7", "@type": "http://www.w3.org/2001/XMLSchema#integer"}],\n  "m": {"@value": "8", "@type": "http://www.w3.org/2001/XMLSchema#integer"},\n  "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}\n}\n',
        '{\n  CONTEXT,\n  "@id": "http://a.example/s",\n  "p": 1,\n  "@included": [\n    {\n      "@id": "http://a.example/new",\n      "p": {"@value": "1", "@type": "http://www.w3.org/2001/XMLSchema#integer"},\n      "@type": "T"\n    }\n  ]\n}\n',
    ),
    (
        '{\r\n\tCONTEXT,\r\n\t"@graph": [\r\n\t\t{"@id": "http://a.example/s", "p": 1}\r\n\t]\r\n}',
        '{\r\n\tCONTEXT,\r\n\t"@graph": [\r\n\t\t{"@id": "http://a.example/s", "p": 1, "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}\r\n\t]\r\n}',
        '{\r\n\tCONTEXT,\r\n\t"@graph": [\r\n\t\t{"@id": "http://a.example/s", "p": [1, {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}]}\r\n\t]\r\n}',
        '{\r\n\tCONTEXT,\r\n\t"@graph": [\r\n\t\t{"@id": "http://a.example/s", "p": [1, {"@value": "7", "@type": "http://www.w3.org/2001/XMLSchema#integer"}], "m": {"@value": "8", "@type": "http://www.w3.org/2001/XMLSchema#integer"}, "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}\r\n\t]\r\n}',
        '{\r\n\tCONTEXT,\r\n\t"@graph": [\r\n\t\t{"@id": "http://a.example/s", "p": 1},\r\n\t\t{\r\n\t\t\t"@id": "http://a.example/new",\r\n\t\t\t"p": {"@value": "1", "@type": "http://www.w3.org/2001/XMLSchema#integer"},\r\n\t\t\t"@type": "T"\r\n\t\t}\r\n\t]\r\n}',
    ),
    (
        '{\n  CONTEXT,\n  "@graph": [\n    {\n      "@id": "http://a.example/s",\n      "p" : "x",\n      "q": {"@id": "http://a.example/t"}\n    }\n  ]\n}',
        '{\n  CONTEXT,\n  "@graph": [\n    {\n      "@id": "http://a.example/s",\n      "p" : "x",\n      "q": {"@id": "http://a.example/t"},\n      "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}\n    }\n  ]\n}',
        '{\n  CONTEXT,\n  "@graph": [\n    {\n      "@id": "http://a.example/s",\n      "p" : ["x", {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}],\n      "q": {"@id": "http://a.example/t"}\n    }\n  ]\n}',
        '{\n  CONTEXT,\n  "@graph": [\n    {\n      "@id": "http://a.example/s",\n      "p" : ["x", {"@value": "7", "@type": "http://www.w3.org/2001/XMLSchema#integer"}],\n      "q": {"@id": "http://a.example/t"},\n      "m": {"@value": "8", "@type": "http://www.w3.org/2001/XMLSchema#integer"},\n      "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}\n    }\n  ]\n}',
        '{\n  CONTEXT,\n  "@graph": [\n    {\n      "@id": "http://a.example/s",\n      "p" : "x",\n      "q": {"@id": "http://a.example/t"}\n    },\n    {\n      "@id": "http://a.example/new",\n      "p": {"@value": "1", "@type": "http://www.w3.org/2001/XMLSchema#integer"},\n      "@type": "T"\n    }\n  ]\n}',
    ),
    (
        '[{CONTEXT, "@id": "http://a.example/s", "p": 1}]\n',
        '[{CONTEXT, "@id": "http://a.example/s", "p": 1, "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}]\n',
        '[{CONTEXT, "@id": "http://a.example/s", "p": [1, {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}]}]\n',
        '[{CONTEXT, "@id": "http://a.example/s", "p": [1, {"@value": "7", "@type": "http://www.w3.org/2001/XMLSchema#integer"}], "m": {"@value": "8", "@type": "http://www.w3.org/2001/XMLSchema#integer"}, "n": {"@value": "9", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}]\n',
        '[{CONTEXT, "@id": "http://a.example/s", "p": 1}, {"@id": "http://a.example/new", "http://a.example/p": {"@value": "1", "@type": "http://www.w3.org/2001/XMLSchema#integer"}, "@type": "http://a.example/T"}]\n',
    ),
]
IN_XML = [
    (
        "NODE<p>1</p>CLOSE",
        'NODE<p>1</p><n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>CLOSE',
        'NODE<p>1</p><p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</p>CLOSE',
        'NODE<p>1</p><m rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">8</m><n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n><p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">7</p>CLOSE',
        'NODE<p>1</p>CLOSE\n  <T rdf:about="http://a.example/new">\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">1</p>\n  </T>\n',
    ),
    (
        "\n  NODE\n    <p>1</p>\n  CLOSE\n",
        '\n  NODE\n    <p>1</p>\n    <n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\n  CLOSE\n',
        '\n  NODE\n    <p>1</p>\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</p>\n  CLOSE\n',
        '\n  NODE\n    <p>1</p>\n    <m rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">8</m>\n    <n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">7</p>\n  CLOSE\n',
        '\n  NODE\n    <p>1</p>\n  CLOSE\n  <T rdf:about="http://a.example/new">\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">1</p>\n  </T>\n',
    ),
    (
        "\r\n\tNODE\r\n\t\t<p>1</p>\r\n\t\t<q>2</q>\r\n\tCLOSE\r\n",
        '\r\n\tNODE\r\n\t\t<p>1</p>\r\n\t\t<q>2</q>\r\n\t\t<n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\r\n\tCLOSE\r\n',
        '\r\n\tNODE\r\n\t\t<p>1</p>\r\n\t\t<p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</p>\r\n\t\t<q>2</q>\r\n\tCLOSE\r\n',
        '\r\n\tNODE\r\n\t\t<p>1</p>\r\n\t\t<p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">7</p>\r\n\t\t<q>2</q>\r\n\t\t<m rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">8</m>\r\n\t\t<n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\r\n\tCLOSE\r\n',
        '\r\n\tNODE\r\n\t\t<p>1</p>\r\n\t\t<q>2</q>\r\n\tCLOSE\r\n\t<T rdf:about="http://a.example/new">\r\n\t\t<p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">1</p>\r\n\t</T>\r\n',
    ),
    (
        '\n  <rdf:Description rdf:about="http://a.example/s" a:p="1"/>\n',
        '\n  <rdf:Description rdf:about="http://a.example/s" a:p="1">\n    <n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\n  CLOSE\n',
        '\n  <rdf:Description rdf:about="http://a.example/s" a:p="1">\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</p>\n  CLOSE\n',
        '\n  <rdf:Description rdf:about="http://a.example/s" a:p="1">\n    <m rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">8</m>\n    <n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">7</p>\n  CLOSE\n',
        '\n  <rdf:Description rdf:about="http://a.example/s" a:p="1"/>\n  <T rdf:about="http://a.example/new">\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">1</p>\n  </T>\n',
    ),
    (
        '\n  <T rdf:about="http://a.example/s">\n  </T>\n',
        '\n  <T rdf:about="http://a.example/s">\n    <n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\n  </T>\n',
        '\n  <T rdf:about="http://a.example/s">\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</p>\n  </T>\n',
        '\n  <T rdf:about="http://a.example/s">\n    <m rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">8</m>\n    <n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">7</p>\n  </T>\n',
        '\n  <T rdf:about="http://a.example/s">\n  </T>\n  <T rdf:about="http://a.example/new">\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">1</p>\n  </T>\n',
    ),
    (
        '\n  <T rdf:about="http://a.example/s"/>\n',
        '\n  <T rdf:about="http://a.example/s">\n    <n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\n  </T>\n',
        '\n  <T rdf:about="http://a.example/s">\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</p>\n  </T>\n',
        '\n  <T rdf:about="http://a.example/s">\n    <m rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">8</m>\n    <n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">9</n>\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">7</p>\n  </T>\n',
        '\n  <T rdf:about="http://a.example/s"/>\n  <T rdf:about="http://a.example/new">\n    <p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">1</p>\n  </T>\n',
    ),
]


def _updated(text: str, added: str, name: str) -> str:
    document_of = partial(unlocated, format=format_of_file(name), base=DOCUMENT, name=name)
    engine = ByUpdate(f"PREFIX : <{A}> INSERT DATA {{ {added} }}", DOCUMENT)
    return rewrite(text.encode(), document_of, engine).text.decode()


@pytest.mark.parametrize(("before", "afters"), [(before, rest) for before, *rest in IN_TURTLE])
def test_what_is_added_to_turtle_looks_like_what_is_there(before: str, afters: list[str]) -> None:
    name = "a.trig" if "{" in before else "a.ttl"
    for added, after in zip(ADDED, afters, strict=True):
        assert _updated(TURTLE + before, added, name) == TURTLE + after


@pytest.mark.parametrize(("before", "afters"), [(before, rest) for before, *rest in IN_JSON])
def test_what_is_added_to_json_looks_like_what_is_there(before: str, afters: list[str]) -> None:
    for added, after in zip(ADDED, afters, strict=True):
        text = before.replace("CONTEXT", CONTEXT)
        assert _updated(text, added, "a.jsonld") == after.replace("CONTEXT", CONTEXT)


@pytest.mark.parametrize(("before", "afters"), [(before, rest) for before, *rest in IN_XML])
def test_what_is_added_to_rdfxml_looks_like_what_is_there(before: str, afters: list[str]) -> None:
    def whole(text: str) -> str:
        return ROOT + text.replace("NODE", NODE).replace("CLOSE", CLOSE) + END

    for added, after in zip(ADDED, afters, strict=True):
        assert _updated(whole(before), added, "a.rdf") == whole(after)
