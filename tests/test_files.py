"""Files that are read: as often as needed, in any encoding, with the line of an error."""

from __future__ import annotations

import gzip
import json
import os
from threading import Thread
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from rdflib import Literal, URIRef

from cturi_rdf._util.limits import limited
from cturi_rdf.catalogue import annotate_file
from cturi_rdf.errors import CturiError
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.reading.formats import FORMATS, ReadOptions, format_named
from cturi_rdf.reading.jsonld import _is_plain, whole
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import Source, is_rdf, open_source
from cturi_rdf.reading.terms import DOCUMENT
from cturi_rdf.reading.xml_text import xml_encoding

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write

TURTLE = b'<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" .\n'


# --- Sources ----------------------------------------------------------------------------------


def test_a_file_is_read_as_often_as_needed_by_streams_of_their_own(write: Write) -> None:
    path = write("a.ttl.gz", gzip.compress(TURTLE * 100))
    with open_source(str(path)) as source, source.open() as first, source.open() as second:
        assert first.read(10) == second.read(10)
        assert first.read() == second.read() == (TURTLE * 100)[10:]


@pytest.mark.parametrize("to", ["nt", "nquads", "turtle", "trig", "xml", "json-ld", "other"])
def test_a_file_that_is_replaced_while_it_is_read_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    form = format_named("nt" if to == "other" else to)
    source, other = tmp_path / "source", tmp_path / "other"
    quads = list(ox.parse('<a:b> <http://purl.org/dc/terms/format> "CSV" .', ox.RdfFormat.TURTLE))
    ox.serialize(quads, str(source), form.oxigraph)
    target = tmp_path / "target" if to == "other" else source
    check = Source.check

    def late(self: Source) -> None:
        # As an editor saves a file.
        other.write_text("new")
        other.replace(source)
        check(self)

    monkeypatch.setattr(Source, "check", late)
    with pytest.raises(CatalogError, match="it was replaced while it was read"):
        annotate_file(str(source), str(target), reading=ReadOptions(form=form.name), to=form.name)
    assert source.read_text() == "new"
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_a_pipe_is_read_more_than_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    Thread(target=path.write_bytes, args=(TURTLE,)).start()
    with open_source(str(path)) as source:
        assert source.read() == source.read() == TURTLE
        assert source.format.name == "nt"


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b'{"@context": {}}', "json-ld"),
        (b'  [{"@id": "a"}]', "json-ld"),
        (b'<?xml version="1.0"?><a/>', "xml"),
        (b"<rdf:RDF", "xml"),
        (TURTLE, "nt"),
        (b"# comment\n" + TURTLE, "nt"),
        (TURTLE.replace(b" .", b" <a:g> ."), "nquads"),
        (b"@prefix a: <b> .\na:b a:c 1 .", "turtle"),
        (b"PREFIX a: <http://b/>\na:b a:c 1 .", "turtle"),
        (b"\xef\xbb\xbf@prefix a: <b> .\na:b a:c [ a:d 1 ] .\na:e a:f '''cut", "turtle"),
        (b"@prefix a: <b> . a:g { a:b a:c 1 }", "trig"),
        (b"{ <a:b> <a:c> 1 }", "trig"),
    ],
    ids=repr,
)
def test_the_format_shows_in_the_first_bytes(write: Write, content: bytes, form: str) -> None:
    path = write("data", content)
    with open_source(str(path)) as source:
        assert source.format.name == form


def test_each_name_of_a_format_is_that_of_one() -> None:
    names = [name for form in FORMATS for name in {form.name, *form.endings, *form.media_types}]
    assert len(names) == len(set(names))
    for form in FORMATS:
        assert form.oxigraph.media_type == form.media_types[0]
        for name in (form.name, *form.endings, *form.media_types):
            assert format_named(name.upper()) is form


# --- Reading ----------------------------------------------------------------------------------


XML = (
    '<?xml version="1.0" encoding="{}"?><rdf:RDF xmlns:d="http://purl.org/dc/terms/"'
    ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description'
    ' rdf:about="http://a/ü"><d:format xml:lang="">Tabelle für Bäume</d:format>'
    "</rdf:Description></rdf:RDF>"
)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "iso-8859-1", "windows-1252", "utf-16", "us-ascii"]
)
def test_rdf_xml_is_read_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.rdf"
    declared = encoding.removesuffix("-sig")
    path.write_bytes(XML.format(declared).encode(encoding, "xmlcharrefreplace"))
    with open_source(str(path)) as source:
        read = QuadDocument(source)
        [quad] = read
    assert str(quad.object) == '"Tabelle für Bäume"'
    assert quad.subject.value == "http://a/ü"
    assert read.prefixes["d"] == "http://purl.org/dc/terms/"


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16"])
def test_a_fault_in_rdf_xml_has_its_column_in_every_encoding(write: Write, encoding: str) -> None:
    text = XML.format(encoding).replace("</rdf:Description>", "</d:wrong>")
    path = write("a.rdf", text.encode(encoding))
    with open_source(str(path)) as source, pytest.raises(CatalogError) as caught:
        list(QuadDocument(source))
    assert (caught.value.line, caught.value.column) == (1, text.index("d:wrong") + 1)


def test_bytes_that_are_not_of_the_declared_encoding_are_refused(write: Write) -> None:
    path = write("a.rdf", XML.format("utf-16").encode("utf-16")[:-1])
    with open_source(str(path)) as source, pytest.raises(CatalogError, match="not utf-16"):
        list(QuadDocument(source))


# "base64" is a codec of Python's, but of no text.
@pytest.mark.parametrize("encoding", ["klingon", "base64"])
def test_an_encoding_that_is_none_is_refused(write: Write, encoding: str) -> None:
    path = write("a.rdf", XML.format(encoding))
    with open_source(str(path)) as source, pytest.raises(CatalogError, match="cannot be read"):
        list(QuadDocument(source))


OF_NO_TAG = {
    "a.jsonld": '{"@id": "http://a.example/1", "http://purl.org/dc/terms/format":'
    ' {"@value": "CSV", "@language": "en_US"}}',
    "alias.jsonld": '{"@context": {"in": "@language", "is": "@value"}, "@id": "http://a.example/1",'
    ' "http://purl.org/dc/terms/format": {"is": "CSV", "in": "en_US"}}',
    # The name of a language map that another context makes the name of an IRI.
    "map.jsonld": '{"@context": {"format": {"@id": "http://purl.org/dc/terms/format",'
    ' "@container": "@language"}, "part": {"@id": "http://e.example/part",'
    ' "@context": {"format": {"@id": "http://purl.org/dc/terms/format", "@type": "@id"}}}},'
    ' "@id": "http://a.example/1", "format": {"en_US": "CSV"}}',
    "a.rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:dct="http://purl.org/dc/terms/"><dct:File rdf:about="http://a.example/1">'
    '<dct:format xml:lang="en_US">CSV</dct:format></dct:File></rdf:RDF>',
}


@pytest.mark.parametrize("name", OF_NO_TAG)
def test_a_language_that_is_not_a_tag_is_left_out_but_stays_in_the_text(
    write: Write, cturi: Cturi, name: str
) -> None:
    path = write(name, OF_NO_TAG[name])
    assert cturi("headers", path).out == "http://a.example/1\ttext/csv\n"
    run = cturi("annotate", path, "--to", "nt")
    assert '"CSV" .' in run.out
    assert "1 invalid language tag left out, such as 'en_us' at " in run.err.lower()
    assert "en_US" in cturi("annotate", path, "--add", "links").out
    query = "SELECT (LANG(?o) AS ?l) { ?s <http://purl.org/dc/terms/format> ?o }"
    assert cturi("query", query, path, "--to", "csv").out.split() == ["l", '""']
    [value] = read_catalog(path).objects(None, URIRef("http://purl.org/dc/terms/format"))
    assert value == Literal("CSV")


def _entities(levels: int, width: int = 10) -> str:
    names = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * width}">' for n in range(1, levels))
    return f'<!DOCTYPE r [<!ENTITY a0 "lol">{names}]>' + XML.partition("?>")[2].replace(
        "Tabelle", f"&a{levels - 1};"
    )


@pytest.mark.parametrize(
    "text",
    [
        _entities(12),
        _entities(3, 1_000),
        _entities(2, 3_000).replace("&a1;", "&a1;" * 2_000),
        '<!DOCTYPE r [<!ENTITY a "&b;"><!ENTITY b "&a;&a;">]><r>&a;</r>',
    ],
    ids=["nested", "wide", "often", "recursive"],
)
def test_entities_that_expand_without_end_are_refused(write: Write, text: str) -> None:
    path = write("a.rdf", text)
    with (
        limited({"entities": 1_000_000}),
        open_source(str(path)) as source,
        pytest.raises(CturiError),
    ):
        list(QuadDocument(source))


def test_entities_within_the_limit_are_expanded(write: Write) -> None:
    path = write("a.rdf", _entities(4))
    with open_source(str(path)) as source:
        [quad] = QuadDocument(source)
    assert quad.object.value.startswith("lol" * 1_000)


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.ttl", b"<a:b> <a:c> 1 .\n<a:b> <a:c> ;\n .", (2, 13)),
        ("a.ttl", b"<a:b> <a:c> <a:d", (1, 13)),
        ("a.nt", b"<a:b> <a:c> <a:d> .\n<a:b> <a:c> x .", (2, 13)),
        ("a.json", b'{"@context": {},\n "a:b": x}', (2, 9)),
        ("a.rdf", XML.format("utf-8").replace("</d:format>", "</d:x>").encode(), None),
    ],
    ids=["turtle", "the end", "lines", "json", "xml"],
)
def test_a_syntax_error_has_its_line_and_column(
    write: Write, name: str, content: bytes, place: tuple[int, int] | None
) -> None:
    path = write(name, content)
    with open_source(str(path)) as source, pytest.raises(CatalogError) as caught:
        list(QuadDocument(source))
    found = (caught.value.line, caught.value.column)
    assert found == place if place else found[0] == 1
    assert caught.value.summary.startswith(f"{path}:{found[0]}:")
    assert "column" not in caught.value.summary


RDF_XML = '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="a:">{}</r:RDF>'


@pytest.mark.parametrize(
    ("text", "fault", "place"),
    [
        ("@prefix a: <a:> .\na:a a:b a:c .", "not RDF/XML: it looks like turtle", (1, 1)),
        ('<x:page xmlns:x="a:" x:y="z">a</x:page>', "not RDF/XML but an element page", (1, 1)),
        ("<page>a\n", "not valid XML: it ends inside an element", (2, 1)),
        (RDF_XML.format("<T>\n é <p/></T>"), "Unexpected text event", (2, 2)),
        (RDF_XML.format("\n <p/><p r:ID='1'/>"), "not a valid rdf:ID", (2, 6)),
    ],
)
def test_a_file_that_is_no_rdf_xml_is_told_from_one_with_a_fault(
    write: Write, text: str, fault: str, place: tuple[int, int]
) -> None:
    path = write("a.rdf", text)
    with open_source(str(path)) as source, pytest.raises(CatalogError, match=fault) as caught:
        list(QuadDocument(source))
    assert (caught.value.line, caught.value.column) == place
    assert ("--from turtle" in (caught.value.option or "")) == text.startswith("@")


def test_a_label_of_a_blank_node_is_one_of_its_record(write: Write) -> None:
    record = RDF_XML.format('<T r:nodeID="x"><p r:nodeID="x"/></T><T/>')
    with open_source(str(write("a.rdf", f"<records>{record}{record}</records>"))) as source:
        quads = list(QuadDocument(source))
    labels = [quad.subject.value for quad in quads]
    assert [labels[:2], labels[3:5]] == [["r0_x"] * 2, ["r1_x"] * 2]
    assert [quads[1].object.value, quads[4].object.value] == ["r0_x", "r1_x"]
    # A node without a label has none that a record could share.
    assert len({labels[2], labels[5], "r0_x", "r1_x"}) == 4
    assert not any(label.startswith("r") for label in (labels[2], labels[5]))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_the_first_bytes_of_xml_tell_its_encoding(encoding: str) -> None:
    assert xml_encoding("<?xml version='1.0' encoding='latin-1'?>".encode(encoding)) == encoding


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.json", '{"@context": {}}', True),
        ("a.json", '{"a": 1}', False),
        ("a.xml", RDF_XML.format(""), True),
        ("a.xml", "<a/>", False),
        # What is in a file of another kind does not matter.
        ("a.ttl", "<a/>", True),
        ("a.JSON.gz", '{"a": 1}', False),
    ],
)
def test_json_and_xml_are_meant_as_rdf_if_they_show_it(
    write: Write, name: str, content: str, expected: bool
) -> None:
    assert is_rdf(str(write(name, content))) is expected


def test_a_context_that_is_added_goes_around_what_the_file_has() -> None:
    fields = '"name": "x", "distribution": [], "contentUrl": "y"'
    for text in (f'{{"@type": "Dataset", {fields}}}', f'[{{"@type": "Dataset", {fields}}}]'):
        read = json.loads(whole(text.encode(), "a.json", ReadOptions()).text)
        assert "http://schema.org/" in json.dumps(read.pop("@context"))
        assert read == ({"@graph": json.loads(text)} if text.startswith("[") else json.loads(text))


# JSON-LD, what Oxigraph may read as it is, and the end of its only statement.
OF_ONE_STATEMENT = [
    ('{"@context": {"i": "@id"}, "i": "a:b", "a:p": "x"}', True, '<a:b> <a:p> "x"'),
    ('{"@context": {"i": "@id"}, "i": "a:b c", "a:p": "x"}', False, '<a:b c> <a:p> "x"'),
    ('{"@id": "_:b", "a:p": "x"}', True, '_:b <a:p> "x"'),
    ('{"@id": "_:b c", "a:p": "x"}', False, '_:b622063 <a:p> "x"'),
    ('{"a:p": {"@value": "x", "@language": "en-US"}}', True, '<a:p> "x"@en-us'),
    ('{"a:p": {"@value": "x", "@language": "en_US"}}', False, '<a:p> "x"'),
    ('{"@context": {"l": "@language"}, "a:p": {"@value": "x", "l": "en"}}', False, '"x"@en'),
    ('{"@context": {"@language": "en"}, "a:p": "x"}', True, '<a:p> "x"@en'),
    ('{"@context": {"@language": "en_US"}, "a:p": "x"}', False, '<a:p> "x"'),
    ('{"@context": [{"@language": "en_US"}], "a:p": "x"}', False, '<a:p> "x"'),
]


@pytest.mark.parametrize(("text", "is_plain", "statement"), OF_ONE_STATEMENT)
def test_json_ld_that_oxigraph_would_refuse_says_all_that_it_says(
    text: str, is_plain: bool, statement: str
) -> None:
    assert _is_plain(text.encode()) is is_plain
    read = whole(text.encode(), "a.json", ReadOptions())
    quads = list(ox.parse(read.text, ox.RdfFormat.JSON_LD, base_iri=DOCUMENT))
    [quad] = read.rewriting.quads(quads) if read.rewriting else quads
    assert str(quad).endswith(statement)
