"""RDF/XML: statements with their places, and changes written into the file."""

from __future__ import annotations

import re
from io import BufferedReader, BytesIO
from itertools import cycle
from typing import IO, TYPE_CHECKING, cast
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox
import pytest
from edited_files import CSV, LINK, canonical, edited, tokens
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.editing import Document, EditError, locate
from cturi_rdf.editing.edit import Add, Append, Change, Remove, Replace, plan
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import DOCUMENT
from cturi_rdf.reading.xml_text import _Text, _WithBases, rdfxml_text, records

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cturi

    from cturi_rdf.editing import Statement

XML = format_named("xml")
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DCT = "http://purl.org/dc/terms/"
FORMAT = ox.NamedNode(f"{DCT}format")


def file(body: str, head: str = "") -> bytes:
    """Return a file with some node elements."""
    names = f'xmlns:rdf="{RDF}" xmlns:dct="{DCT}" xmlns:e="http://e.example/"'
    return f"{head}<rdf:RDF {names}>{body}</rdf:RDF>".encode()


def located(data: bytes, *predicates: str) -> Document:
    return locate(data, XML, base=DOCUMENT, predicates=predicates or None, name="a.rdf")


# What a node says (RDF 1.1 XML Syntax section 7.2), and the places of the objects.
STATEMENTS = [
    ('<rdf:Description rdf:about="x" e:p="a &amp; b"/>', ["a &amp; b"]),
    ('<rdf:Description rdf:about="http://a/b/../c d" e:p="1"/>', ["1"]),
    ("<rdf:Description rdf:ID='x'><e:p>CSV</e:p></rdf:Description>", ["CSV"]),
    ("<rdf:Description xml:base='http://q/r#f'><e:p rdf:resource='s'/></rdf:Description>", ["s"]),
    ("<e:T/>", ["e:T"]),
    # A class that is no IRI has no place.
    ("<x:T xmlns:x='http://[/'><e:p>1</e:p></x:T>", ["1"]),
    ("<e:T e:p='1' rdf:type='u'/>", ["e:T", "1", "u"]),
    ("<rdf:Description><e:p><rdf:Description rdf:about='y'/></e:p></rdf:Description>", ["y"]),
    ("<rdf:Description><e:p> <e:T/> </e:p></rdf:Description>", ["<e:T/>", "e:T"]),
    ("<rdf:Description xml:lang='EN-gb'><e:p>1</e:p></rdf:Description>", ["1"]),
    ("<rdf:Description xml:lang='a_b'><e:p>1</e:p></rdf:Description>", ["1"]),
    (
        "<e:T xml:lang='en'><e:p xml:lang=''>1</e:p><e:q xml:lang='de' e:a='2'/></e:T>",
        ["e:T", "1", "<e:q xml:lang='de' e:a='2'/>", "2"],
    ),
    ("<rdf:Description xml:lang='en'><e:p rdf:datatype='d'>1</e:p></rdf:Description>", ["1"]),
    ("<rdf:Description><e:p/><e:p></e:p></rdf:Description>", ["<e:p/>", ""]),
    ("<rdf:Description><e:p><![CDATA[a<b]]></e:p></rdf:Description>", ["<![CDATA[a<b]]>"]),
    ("<rdf:Description><e:p>a&#x2F;b<!-- c --></e:p></rdf:Description>", ["a&#x2F;b<!-- c -->"]),
    ("<rdf:Description rdf:nodeID='a'><e:p rdf:nodeID='b'/></rdf:Description>", ["b"]),
    (
        "<e:T><e:p rdf:parseType='Resource'><e:q>1</e:q></e:p></e:T>",
        ["e:T", "<e:p rdf:parseType='Resource'>", "1"],
    ),
    (
        "<e:T><e:p rdf:parseType='Literal'>a&amp;<e:b x='1'>c</e:b></e:p></e:T>",
        ["e:T", "a&amp;<e:b x='1'>c</e:b>"],
    ),
    (
        "<e:T><e:p rdf:parseType='Collection'><e:T/><e:T rdf:about='x'/></e:p></e:T>",
        ["e:T", "<e:p rdf:parseType='Collection'>", "e:T", "e:T"],
    ),
    ("<rdf:Description><e:p rdf:parseType='Collection'/></rdf:Description>", None),
    ("<rdf:Bag><rdf:li>1</rdf:li><rdf:li rdf:resource='x'/></rdf:Bag>", ["rdf:Bag", "1", "x"]),
    ("<rdf:Bag><rdf:li rdf:parseType='Literal'>a<b/></rdf:li></rdf:Bag>", ["rdf:Bag", "a<b/>"]),
    ("<rdf:Description><e:p rdf:ID='r'>1</e:p></rdf:Description>", ["1"]),
    ("<rdf:Description><e:p rdf:resource='x' e:q='1'/></rdf:Description>", ["x", "1"]),
    ("<e:T><x:p xmlns:x='http://x/'>1</x:p><y:p xmlns:y='http://y/' y:a='>'/></e:T>", None),
]


@pytest.mark.parametrize(("body", "places"), STATEMENTS)
def test_the_locator_finds_what_oxigraph_reads(body: str, places: list[str] | None) -> None:
    document = located(file(body))
    read = canonical(document.parse(document.data))
    assert canonical(found.quad for found in document.statements) == read
    # The cells of a list and the description of a statement have no place of their own.
    assert places is None or tokens(document) == places


def test_only_the_predicates_that_were_asked_for_are_kept() -> None:
    body = "<e:T><dct:format>CSV</dct:format><dct:title>a</dct:title></e:T>"
    assert tokens(located(file(body), FORMAT.value)) == ["CSV"]


@pytest.mark.parametrize("body", [body for body, _ in STATEMENTS])
def test_a_statement_has_the_same_place_whatever_else_was_asked_for(body: str) -> None:
    # Leaves around and between the statements, which are passed over.
    body = f"<e:N><e:o>1</e:o><e:o xml:lang='en'/><e:in>{body}</e:in><e:o rdf:ID='o'>2</e:o></e:N>"
    whole = located(file(body))
    for predicate in {found.predicate for found in whole.statements}:
        alone = located(file(body), predicate.value)
        expected = [found for found in whole.statements if found.predicate == predicate]
        spans = [found.object_span for found in expected]
        assert [found.object_span for found in alone.statements] == spans
        assert list(map(alone.subject_span, alone.statements)) == list(
            map(whole.subject_span, expected)
        )


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "windows-1252"])
def test_positions_count_characters(encoding: str) -> None:
    head = f"<?xml version='1.0' encoding='{encoding}'?>"
    text = file("\n<e:T>\n  <e:é>»</e:é><dct:format>CSV</dct:format></e:T>", head).decode()
    document = located(text.encode(encoding), FORMAT.value)
    assert document.position(document.statements[0].start) == (3, 27)


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "iso-8859-1", "windows-1252", "iso-8859-15", "us-ascii"]
)
def test_a_file_may_be_in_any_encoding_of_bytes(encoding: str) -> None:
    head = "" if encoding == "utf-8-sig" else f"<?xml version='1.0' encoding='{encoding}'?>"
    text = file("<e:T><dct:format>CSV</dct:format></e:T>", head).decode()
    document = located(text.encode(encoding), FORMAT.value)
    add = Add(document.statements[0], ox.NamedNode("http://e.example/p"), ox.Literal("ä€"))
    assert "<e:p>" in edited(document, add).decode(encoding)


@pytest.mark.parametrize("encoding", ["utf-16", "big5", "shift_jis", "gb18030", "euc-kr"])
def test_a_file_whose_characters_are_of_several_bytes_has_positions_but_takes_no_edits(
    encoding: str,
) -> None:
    head = f"<?xml version='1.0' encoding='{encoding}'?>\n"
    text = file("\n<e:表/><e:T><dct:format>表</dct:format></e:T>", head).decode()
    document = located(text.encode(encoding), FORMAT.value)
    [found] = document.statements
    assert found.object == ox.Literal("表")
    assert document.position(found.start) == (3, 24)
    with pytest.raises(
        EditError, match=rf"a\.rdf: a file in {encoding.upper()}\S* cannot be edited"
    ):
        plan(document, [Remove(found)])


@pytest.mark.parametrize("encoding", ["klingon", "hex", "punycode"])
def test_an_encoding_that_is_none_of_text_is_named(encoding: str) -> None:
    head = f"<?xml version='1.0' encoding='{encoding}'?>"
    with pytest.raises(CatalogError, match=rf"^a\.rdf: .*{encoding}"):
        located(file("", head), FORMAT.value)


def test_a_prefix_that_means_something_else_at_a_node_gets_another_name_there_alone() -> None:
    nodes = (
        f"<e:T rdf:about='{name}'{names}><dct:format>CSV</dct:format></e:T>"
        for name, names in (("a", ""), ("b", " xmlns:ns1='http://other.example/'"), ("c", ""))
    )
    document = located(file("".join(nodes)), FORMAT.value)
    new = ox.NamedNode("http://new.example/p")
    text = edited(document, *(Add(found, new, CSV) for found in document.statements)).decode()
    assert text.count("<ns1:p ") == 2
    assert text.count("<ns2:p xmlns:ns2=") == 1


@pytest.mark.parametrize("data", [b"<a", b"<a></b>", b"<a>&b;</a>", b"\xff\xfe\x00"])
def test_what_is_not_well_formed_has_a_place(data: bytes) -> None:
    with pytest.raises(CatalogError, match=r"^a\.rdf"):
        located(data)


BODY = """
  <e:File rdf:about="f">
    <dct:format>CSV</dct:format>
    <dct:format xml:lang="en">XML</dct:format>
  </e:File>
"""
NAMES = f'xmlns:rdf="{RDF}" xmlns:dct="{DCT}" xmlns:e="http://e.example/"'
CTV = 'xmlns:ctv="https://w3id.org/cturi/vocab#"'


def test_a_statement_is_added_behind_the_element_with_its_indentation() -> None:
    document = located(file(BODY), FORMAT.value)
    first, second = document.statements
    text = edited(document, Add(first, LINK, CSV), Add(second, FORMAT, ox.Literal("<"))).decode()
    before = file(BODY).decode()
    assert text == before.replace(NAMES, f"{NAMES} {CTV}").replace(
        "CSV</dct:format>",
        'CSV</dct:format>\n    <ctv:contentType rdf:resource="ContentType:text/csv"/>',
    ).replace("XML</dct:format>", "XML</dct:format>\n    <dct:format>&lt;</dct:format>")


def test_the_prefix_of_the_file_is_used_and_line_ends_follow_it() -> None:
    data = file(BODY).replace(b"\n", b"\r\n").replace(NAMES.encode(), f"{NAMES} {CTV}".encode())
    data = data.replace(b"xmlns:ctv", b"xmlns:v")
    document = located(data, FORMAT.value)
    text = edited(document, Add(document.statements[0], LINK, CSV)).decode()
    added = '\r\n    <v:contentType rdf:resource="ContentType:text/csv"/>'
    assert text.replace(added, "") == data.decode()


ADDED = [
    (
        "\n<e:T dct:format='CSV'/>\n",
        "\n<e:T dct:format='CSV'>\n  <e:p>1</e:p>\n  <e:p>2</e:p>\n</e:T>\n",
    ),
    ("<e:T dct:format='CSV' />", "<e:T dct:format='CSV'><e:p>1</e:p><e:p>2</e:p></e:T>"),
    (
        "\n\t<e:T dct:format='CSV'>\n\t\t<e:q/>\n\t</e:T>",
        "\n\t<e:T dct:format='CSV'>\n\t\t<e:p>1</e:p>\n\t\t<e:p>2</e:p>\n\t\t<e:q/>\n\t</e:T>",
    ),
    (
        "\n\t<e:T dct:format='CSV'>\n\n\t</e:T>",
        "\n\t<e:T dct:format='CSV'>\n\t\t<e:p>1</e:p>\n\t\t<e:p>2</e:p>\n\n\t</e:T>",
    ),
    (
        "<e:T><dct:format>\n<rdf:Description/></dct:format></e:T>",
        "<e:T><dct:format>\n<rdf:Description/></dct:format><e:p>1</e:p><e:p>2</e:p></e:T>",
    ),
    (
        "<e:T rdf:parseType='Resource'><dct:format/></e:T>",
        "<e:T rdf:parseType='Resource'><dct:format/><e:p>1</e:p><e:p>2</e:p></e:T>",
    ),
]


@pytest.mark.parametrize(("body", "expected"), ADDED)
def test_statements_are_added_wherever_the_label_stands(body: str, expected: str) -> None:
    if "parseType" in body:
        body, expected = f"<e:U>{body}</e:U>", f"<e:U>{expected}</e:U>"
    document = located(file(body), FORMAT.value)
    [found] = document.statements
    predicate = ox.NamedNode("http://e.example/p")
    changes = [Add(found, predicate, ox.Literal(text)) for text in ("1", "2")]
    assert edited(document, *changes).decode() == file(expected).decode()


REPLACED = [
    ("<dct:format>CSV</dct:format>", ox.Literal("a&b"), "<dct:format>a&amp;b</dct:format>"),
    ("<dct:format/>", ox.Literal("a"), "<dct:format>a</dct:format>"),
    ("<dct:format >CSV</dct:format>", CSV, '<dct:format rdf:resource="ContentType:text/csv"/>'),
    ("<dct:format rdf:resource='x'/>", CSV, "<dct:format rdf:resource='ContentType:text/csv'/>"),
    ("<dct:format rdf:resource='x'/>", ox.Literal("a"), "<dct:format>a</dct:format>"),
    (
        "<dct:format xml:lang='de'>a</dct:format>",
        ox.Literal("a", language="en"),
        '<dct:format xml:lang="en">a</dct:format>',
    ),
    (
        "<dct:format>a</dct:format>",
        ox.Literal("1", datatype=ox.NamedNode("http://d/e")),
        '<dct:format rdf:datatype="http://d/e">1</dct:format>',
    ),
]


@pytest.mark.parametrize(("element", "value", "expected"), REPLACED)
def test_an_object_is_replaced(element: str, value: ox.Literal, expected: str) -> None:
    document = located(file(f"<e:T>{element}</e:T>"), FORMAT.value)
    text = edited(document, Replace(document.statements[0], value)).decode()
    assert text == file(f"<e:T>{expected}</e:T>").decode()


def test_a_predicate_is_replaced() -> None:
    document = located(file("<e:T dct:format='a'><dct:format>CSV</dct:format></e:T>"), FORMAT.value)
    attribute, element = document.statements
    predicate = ox.NamedNode("http://e.example/p")
    text = edited(
        document,
        Replace(attribute, attribute.object, predicate),
        Replace(element, element.object, predicate),
    ).decode()
    assert text == file("<e:T><e:p>a</e:p><e:p>CSV</e:p></e:T>").decode()


def test_statements_are_removed_with_their_lines() -> None:
    body = "\n<e:T dct:format='a' e:p='b'>\n  <dct:format>CSV</dct:format>\n  <e:p>1</e:p>\n</e:T>"
    document = located(file(body), FORMAT.value)
    text = edited(document, *map(Remove, document.statements)).decode()
    assert text == file("\n<e:T e:p='b'>\n  <e:p>1</e:p>\n</e:T>").decode()


def test_statements_of_their_own_stand_before_the_end() -> None:
    label, name = ox.NamedNode("http://l.example/a"), ox.NamedNode(f"{DCT}title")
    kind = ox.NamedNode(f"{RDF}type")
    quads = (
        ox.Quad(label, kind, ox.NamedNode("https://w3id.org/cturi/vocab#Label")),
        ox.Quad(label, name, ox.Literal("A", language="en")),
        ox.Quad(CSV, name, ox.Literal("C")),
    )
    text = edited(located(file(BODY), FORMAT.value), Append(quads)).decode()
    assert text.endswith(
        '  <ctv:Label rdf:about="http://l.example/a">\n'
        '    <dct:title xml:lang="en">A</dct:title>\n'
        "  </ctv:Label>\n"
        '  <rdf:Description rdf:about="ContentType:text/csv">\n'
        "    <dct:title>C</dct:title>\n"
        "  </rdf:Description>\n"
        "</rdf:RDF>"
    )


def test_statements_of_their_own_have_no_language_of_the_file() -> None:
    data = file(BODY).replace(b"<rdf:RDF ", b"<rdf:RDF xml:lang='en' ")
    title, texts = ox.NamedNode(f"{DCT}title"), (ox.Literal("A", language="en"), ox.Literal("B"))
    appended = Append(tuple(ox.Quad(CSV, title, text) for text in texts))
    text = edited(located(data, FORMAT.value), appended).decode()
    assert '<dct:title>A</dct:title>\n    <dct:title xml:lang="">B</dct:title>' in text


@pytest.mark.parametrize("rest", ["/>", "><dct:title>a</dct:title></dct:File>"])
def test_a_file_that_is_one_node_gets_an_element_around_it(rest: str) -> None:
    data = f"<dct:File xmlns:dct='{DCT}' dct:format='CSV'{rest}".encode()
    document = located(data, FORMAT.value)
    label = Append((ox.Quad(CSV, ox.NamedNode(f"{DCT}title"), ox.Literal("C")),))
    text = edited(document, Add(document.statements[0], LINK, CSV), label).decode()
    assert text.startswith(f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:dct="{DCT}">\n<dct:File')
    assert text.endswith("</rdf:Description>\n</rdf:RDF>")


REFUSED = [
    (lambda found: Add(found, ox.NamedNode("http://e.example/"), CSV), "no element can have"),
    (lambda found: Add(found, LINK, ox.Literal("\x00")), "cannot hold a control character"),
    (lambda _: Append((ox.Quad(CSV, LINK, CSV, CSV),)), "no named graphs"),
    (lambda found: Replace(found, CSV), "a node with other statements"),
    (Remove, "a node with other statements"),
]


@pytest.mark.parametrize(("change", "problem"), REFUSED)
def test_what_the_syntax_cannot_say_is_refused(change: object, problem: str) -> None:
    body = "<e:T><dct:format><e:M/></dct:format></e:T>"
    document = located(file(body), FORMAT.value)
    with pytest.raises(EditError, match=problem):
        plan(document, [change(document.statements[0])])  # type: ignore[operator]


@pytest.mark.parametrize("value", [">CSV</dct:format>", " rdf:resource='b'/>"])
def test_a_statement_that_others_are_about_stays(value: str) -> None:
    document = located(file(f"<e:T><dct:format rdf:ID='s'{value}</e:T>"), FORMAT.value)
    [found] = document.statements
    for change in (Replace(found, CSV), Replace(found, ox.Literal("XML")), Remove(found)):
        with pytest.raises(EditError, match="cannot be"):
            plan(document, [change])


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))


@given(texts=st.lists(TEXTS, min_size=1, max_size=5), attribute=st.booleans(), new=TEXTS)
def test_generated_files_are_read_and_edited(texts: list[str], attribute: bool, new: str) -> None:
    if attribute:
        body = "".join(f"<e:T dct:format={quoteattr(text)} />\n" for text in texts)
    else:
        body = "".join(f"<e:T><dct:format>{escape(text)}</dct:format></e:T>\n" for text in texts)
    document = located(file(body), FORMAT.value)
    assert [found.object.value for found in document.statements] == texts
    changes: list[Change] = [Add(found, LINK, ox.Literal(new)) for found in document.statements]
    edited(document, *changes)
    edited(document, *[Replace(found, ox.Literal(new)) for found in document.statements])


PARTS = st.sampled_from([
    "a", " ", "\n", "&amp;", "&lt;b/>", "<!-- < ? > -->", "<!---->",
    "<?p <q>?>", "<?xmlp?>", "<![CDATA[<x> & ]] ]]>", "<![CDATA[]]>", "<![CDATA[<!--]]>", "-->",
])  # fmt: skip


@given(parts=st.lists(PARTS, max_size=8), sizes=st.lists(st.integers(1, 20), min_size=1))
def test_a_text_in_parts_is_one_text(parts: list[str], sizes: list[int]) -> None:
    data = file(f"<e:T><dct:format>{''.join(parts)}</dct:format></e:T>", "<?xml version='1.0'?>")
    document = located(data, FORMAT.value)
    read = [quad.object for quad in document.parse(data) if quad.predicate == FORMAT]
    assert [found.object for found in document.statements] == read
    # However the file is cut into blocks.
    stream, text = _Text(cast("IO[bytes]", BytesIO(data))), b""
    for size in cycle(sizes):
        piece = stream._piece(size)
        if not piece:
            break
        text += piece
    assert text == rdfxml_text(BufferedReader(BytesIO(data)), "a.rdf").read()  # type: ignore[arg-type]


BASES = file(
    """<e:T rdf:about='n' xml:base='sub/'><e:p rdf:resource='m'/><e:p>
  <e:U xml:base = "&up;x?a=1&amp;b#c" rdf:about='k' e:q='>'><e:q xml:base='' rdf:resource=''/></e:U>
</e:p><e:q rdf:parseType='Literal'><a xml:base='as it is'/></e:q></e:T>
<e:T rdf:about='o'/><e:T xml:base='/' rdf:about='o'/>""",
    '<!DOCTYPE rdf:RDF [<!ENTITY up "../">]>',
).replace(b"<rdf:RDF", b"<rdf:RDF xml:base='http://a.example/f/g'")


@given(sizes=st.lists(st.integers(1, 50), min_size=1))
def test_a_base_that_is_relative_is_one_in_the_base_around_it(sizes: list[int]) -> None:
    nodes = ["f/o", "o", "f/sub/m", "f/sub/n", "f/x?a=1&b"]
    terms = [term for one in located(BASES).statements for term in (one.subject, one.object)]
    found = {term.value for term in terms if isinstance(term, ox.NamedNode)}
    found = {iri for iri in found if iri.startswith("http://a.example/")}
    assert found == {f"http://a.example/{node}" for node in [*nodes, "f/k"]}
    # However the file is cut into blocks.
    stream, text = _WithBases(cast("IO[bytes]", BytesIO(BASES)), DOCUMENT), b""
    for size in cycle(sizes):
        piece = stream._piece(size)
        if not piece:
            break
        text += piece
    assert text == rdfxml_text(BufferedReader(BytesIO(BASES)), "a.rdf", DOCUMENT).read()  # type: ignore[arg-type]
    assert b"xml:base='as it is'" in text


def test_a_node_takes_the_bases_along_that_count_in_it() -> None:
    data = file(
        "<e:T rdf:about='n' xml:base='a/'><e:p xml:base='b/'>"
        "<e:U rdf:about='x' xml:base='c/'/></e:p>"
        "<e:q xml:base='d/'><e:V rdf:about='y'/></e:q></e:T>"
    )
    document = located(data)
    changes = [Remove(one) for one in document.statements if document.holds(one)]
    text = edited(document, *changes)
    assert b"<e:U rdf:about='x' xml:base='a/b/c/'/>" in text
    assert b"<e:V xml:base=\"a/d/\" rdf:about='y'/>" in text


def _records(*records: str) -> bytes:
    """Return the answer of a catalogue service, with the namespaces outside of its records."""
    rdf = (f'<rdf:RDF xmlns:rdf="{RDF}">{record}</rdf:RDF>\n' for record in records)
    return (
        '<?xml version="1.0"?>\n<c:GetRecordsResponse xmlns:c="http://www.opengis.net/cat/csw/2.0.2"'
        f' xmlns:t="http://purl.org/dc/terms/">\n{"".join(rdf)}</c:GetRecordsResponse>'
    ).encode()


def _node(name: str, label: str) -> str:
    return f"<rdf:Description {name}><t:format>{label}</t:format></rdf:Description>"


def test_the_records_of_a_catalogue_service_are_read_and_edited_one_by_one(
    cturi: Cturi, tmp_path: Path
) -> None:
    path = tmp_path / "records.xml"
    nodes = [_node('rdf:about="http://a.example/1"', "CSV"), _node('rdf:nodeID="x"', "JSON"),
               _node('rdf:nodeID="x"', "PDF")]  # fmt: skip
    path.write_bytes(_records(*nodes))
    # One label in two records is two nodes.
    with open_source(path) as source:
        assert len({quad.subject for quad in QuadDocument(source)}) == 3
    assert cturi("headers", path).out.startswith("http://a.example/1\ttext/csv\n")
    assert cturi("annotate", path, "--in-place").code == 0
    found = [re.findall('"(ContentType:.*?)"', line) for line in path.read_text().splitlines()[2:5]]
    assert found == [
        ["ContentType:text/csv"], ["ContentType:application/json"], ["ContentType:application/pdf"],
    ]  # fmt: skip
    assert cturi("check", path).code in {0, 1}


def test_a_record_in_a_literal_is_no_record_and_records_take_no_further_node() -> None:
    literal = (
        f'<a:b xmlns:a="a:" xmlns:r="{RDF}" r:about="a:c"><a:d r:parseType="Literal">'
        "<r:RDF/></a:d></a:b>"
    ).encode()
    assert records(literal) == []
    data = _records(_node('rdf:about="a:b"', "CSV"))
    found = locate(data, "xml", base="http://b.example/")
    quad = ox.Quad(ox.NamedNode("a:c"), ox.NamedNode("a:p"), ox.Literal("d"))
    with pytest.raises(EditError, match="no place for another node"):
        plan(found, [Append((quad,))])


# A node in RDF/XML and in Turtle: its name, where it stands, and what is said beside its type.
NODE_NAMES = [
    (' rdf:nodeID="f"', "_:f"),
    (' rdf:about="http://e.example/f"', "<http://e.example/f>"),
    (' rdf:ID="f"', f"<{DOCUMENT}#f>"),
    ("", "_:f"),
]
IN_DATA = ("  <e:D rdf:about='http://e.example/d'>{}</e:D>\n", "<http://e.example/d> a e:D")
ON_TOP = ("\n  {0}\n" + IN_DATA[0].format("<e:q>1</e:q>"), f"{IN_DATA[1]} ; e:q '1' .")
NESTED = ("\n" + IN_DATA[0].format("<e:p>{0}</e:p>"), f"{IN_DATA[1]} ; e:p {{1}} .")
SAID = [
    ("<e:T{0}><e:label>CSV</e:label></e:T>", "e:label 'CSV'"),
    ("<e:T{0} ><!-- c -->\n  <e:label>CSV</e:label>\n</e:T>", "e:label 'CSV'"),
    ("<e:T{0} e:label='CSV'/>", "e:label 'CSV'"),
    ("<e:T{0} e:label='CSV'>\n\t<e:label>C</e:label>\n</e:T>", "e:label 'CSV', 'C'"),
    ("<e:T{0}><e:label><e:L e:in='1'/></e:label></e:T>", "e:label [ a e:L ; e:in '1' ]"),
    ("<rdf:Description{0}><rdf:type rdf:resource='http://e.example/T'/></rdf:Description>", ""),
    ("<e:T{0} />", ""),
]
T, D = ox.NamedNode("http://e.example/T"), ox.NamedNode("http://e.example/d")
GOING: dict[str, Callable[[Statement], bool]] = {
    "all": lambda _: True,
    "the type": lambda one: one.object == T,
    "all but the type": lambda one: one.object != T,
}


@pytest.mark.parametrize("going", GOING)
@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("where", [ON_TOP, NESTED])
@pytest.mark.parametrize("name", NODE_NAMES)
def test_what_is_said_of_a_node_goes_in_rdfxml_as_in_turtle(
    name: tuple[str, str], where: tuple[str, str], said: tuple[str, str], going: str
) -> None:
    element = said[0].format(name[0])
    body = where[0].format(element)
    turtle = f"@prefix e: <http://e.example/> .\n{where[1].format('', name[1])}\n"
    turtle += f"{name[1]} a e:T{' ; ' if said[1] else ''}{said[1]} .\n"
    texts = {"xml": file(body), "turtle": turtle.encode()}
    graphs = []
    for form, data in texts.items():
        document = locate(data, format_named(form), base=DOCUMENT, name="a")
        about = [one for one in document.statements if one.subject != D and GOING[going](one)]
        text = edited(document, *map(Remove, about))
        graphs.append(canonical(document.parse(text)))
        if form == "xml" and where == ON_TOP:
            is_whole = going == "all" or (going == "the type" and not said[1])
            assert (text == data.replace(f"  {element}\n".encode(), b"")) == is_whole
    assert graphs[0] == graphs[1]


def test_an_element_stays_where_something_is_said_in_it_or_added_to_it() -> None:
    for body in ("<e:T><e:p>1</e:p></e:T>", "<e:T e:p='1'/>"):
        document = located(file(body))
        first = document.statements[0]
        added = Add(first, FORMAT, ox.Literal("CSV"))
        changes = [added, *map(Remove, document.statements)]
        text = edited(document, *changes)
        assert text == edited(document, *reversed(changes))
        assert b"<rdf:Description><dct:format>CSV</dct:format></rdf:Description>" in text
    alone = "<e:T xmlns:e='http://e.example/'/>"
    document = located(alone.encode())
    with pytest.raises(EditError, match="a type cannot be removed there"):
        plan(document, [Remove(document.statements[0])])


LEAVING = '<t:format xml:lang="en"><t:F rdf:about="f"><t:title>CSV</t:title></t:F></t:format>'
LEFT = '<t:format rdf:resource="ContentType:text/csv"/>'
STANDING = '<t:F xml:lang="en" rdf:about="f"><t:title>CSV</t:title></t:F>'
FORMATS = "http://purl.org/dc/terms/format"


def test_a_node_that_leaves_its_property_stays_in_its_record() -> None:
    node = '<rdf:Description rdf:about="d">{}</rdf:Description>'
    other = _node('rdf:about="e"', "JSON")
    document = locate(_records(node.format(LEAVING), other), "xml", base="http://a.example/")
    [one] = [one for one in document.statements if one.object == ox.NamedNode("http://a.example/f")]
    assert edited(document, Replace(one, CSV)) == _records(node.format(LEFT) + STANDING, other)
    assert edited(document, Remove(one)) == _records(node.format("") + STANDING, other)


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("<t:title>CSV</t:title>", True),
        ("<!-- c --><t:title/>", True),
        ("<!-- c -->\n", False),
        ("", False),
    ],
)
def test_a_node_leaves_its_property_if_anything_is_said_of_it(said: str, *, stands: bool) -> None:
    node = f'<rdf:Description rdf:about="f">{said}</rdf:Description>'
    data = '<rdf:Description rdf:about="d">{}</rdf:Description>{}'
    text = _records(data.format(f"<t:format>{node}</t:format>", ""))
    # Only the property itself is looked for.
    document = locate(text, "xml", base="http://a.example/", predicates=[FORMATS])
    after = edited(document, Replace(document.statements[0], CSV))
    assert after == _records(data.format(LEFT, node * stands))


def test_a_node_that_leaves_the_only_node_of_a_file_stands_behind_it() -> None:
    declared = f'xmlns:rdf="{RDF}" xmlns:t="http://purl.org/dc/terms/"'
    text = f'<t:D {declared} rdf:about="d">{LEAVING}</t:D>'
    document = locate(text.encode(), "xml", base="http://a.example/", predicates=[FORMATS])
    after = edited(document, Replace(document.statements[0], CSV)).decode()
    standing = STANDING.replace(' rdf:about="f"', f' {declared} rdf:about="f"')
    assert after == (
        f'<rdf:RDF xmlns:rdf="{RDF}">\n<t:D {declared} rdf:about="d">{LEFT}</t:D>\n'
        f"  {standing}\n</rdf:RDF>"
    )
