"""JSON-LD and Project Open Data: statements with their places, and changes written there."""

from __future__ import annotations

import json
from typing import Any

import pyoxigraph as ox
import pytest
from edited_files import CSV, LINK, canonical, edited, tokens
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf._util.limits import LimitError, limited
from cturi_rdf.edits import Add, Append, Change, Document, EditError, Remove, Replace, locate, plan
from cturi_rdf.io.errors import CatalogError
from cturi_rdf.io.formats import format_named
from cturi_rdf.io.json_scan import scan
from cturi_rdf.io.json_text import check_nesting
from cturi_rdf.io.relative_iri import DOCUMENT

JSON = format_named("json-ld")
E = "http://e.example/"
P = f"{E}p"
VOCAB = f'"@context": {{"@vocab": "{E}"}}'


def located(data: str | bytes, *predicates: str) -> Document:
    raw = data.encode() if isinstance(data, str) else data
    return locate(raw, JSON, base=DOCUMENT, predicates=predicates or None, name="a.json")


def edited_text(document: Document, *changes: Change) -> str:
    """Return the text with the changes made; it is JSON in which no name is repeated."""
    text = edited(document, *changes)
    json.loads(text, object_pairs_hook=_once)
    return text.decode()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({key for key, _ in pairs}) == len(pairs), pairs
    return dict(pairs)


# What is nested, escaped and spaced in any way has its place (RFC 8259).
@pytest.mark.parametrize(
    "text",
    [
        "{}", "[]", "1", '"a"', "null", " [ ] ", '{"a":{}}', "[[],{}]", '{"a" : [1 ,2.5e-3, true]}',
        '{"\\u0061": "\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83d\\ude00"}', '\ufeff{"é": "€"}',
        "[" * 5000 + "]" * 5000,
    ],
)  # fmt: skip
def test_every_value_has_its_place(text: str) -> None:
    scanned = scan(text.encode(), "a.json")
    if len(text) < 1000:
        assert scanned.value(0) == json.loads(text.removeprefix("\ufeff"))


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    ),
    indent=st.sampled_from([None, 0, 1, "\t"]),
    ascii_only=st.booleans(),
)
def test_the_scanner_reads_what_the_standard_library_reads(
    *, value: Any, indent: Any, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return
    scanned = scan(data, "a.json")
    pending = [(0, json.loads(data))]
    while pending:
        entry, expected = pending.pop()
        if isinstance(expected, list):
            pending += zip(scanned.children(entry), expected, strict=True)
        elif isinstance(expected, dict):
            for child in scanned.children(entry):
                start = scanned.key_start(child)
                assert data[start:].startswith(scanned.raw_names[scanned.keys[child]])
                if "\\ud" not in text:
                    pending.append((child, expected[scanned.name(child)]))
        elif "\\ud" not in text:
            assert scanned.value(entry) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[1,]", b"[1 2]", b'{"a" 1}', b'{"a":1,}', b"{1:2}", b"[1}", b"1,", b"[] []",
        b"01", b"nul", b'"\n"', b'"\\x"', b'"a', b"[\xff]", b"NaN", b"{]", b',"a"', b"[1]]",
    ],
)  # fmt: skip
def test_what_is_not_json_is_told(data: bytes) -> None:
    with pytest.raises(CatalogError, match=r"^a\.json"):
        scan(data, "a.json")


def test_half_of_a_character_is_no_character() -> None:
    scanned = scan(b'["\\ud800a", {"\\udc00": 1}]', "a.json")
    assert scanned.value(0) == ["\ufffda", {"\ufffd": 1}]


NAMED = [f'{{"@id": "{number}", "q": ' for number in range(400)]
# Documents by what they show of JSON-LD 1.1; the places of the values of p, where they differ.
DOCUMENTS = {
    "values": ('"p": ["1", 2, true, 1.5, null]', ['"1"', "2", "true", "1.5"]),
    "value objects": (
        '"p": [{"@value": "v", "@language": "en"}, {"@value": "1", "@type": "d"}]',
        ['{"@value": "v", "@language": "en"}', '{"@value": "1", "@type": "d"}'],
    ),
    "nodes": ('"p": [{"@id": "b"}, {"@id": "c", "q": "1"}]', ['{"@id": "b"}', '"c"']),
    "anonymous nodes": ('"p": {"q": {"p": "1"}}', ['{"q": {"p": "1"}}', '"1"']),
    "escapes": ('"\\u0070": "a\\/b"', ['"a\\/b"']),
    "repeated names": ('"p": "1", "p": "2"', ['"1"', '"2"']),
    "lists": ('"p": {"@list": ["1", ["2"]]}', ['["1", ["2"]]']),
    "sets": ('"p": {"@set": ["1", {"@set": "2"}]}', ['"1"', '"2"']),
    "included": ('"@included": [{"p": "1"}]', ['"1"']),
    "reverse": ('"@reverse": {"p": {"@id": "b", "p": "1"}}', ['"b"', '"1"']),
    "a named graph": ('"@id": "g", "p": "1", "@graph": {"p": "2"}', ['"1"', '"2"']),
    "a default graph": ('"@graph": [{"p": "1"}, "x"]', ['"1"']),
    "types": ('"@type": ["T", "U"], "p": "1"', ['"1"']),
    "numbers": ('"p": [1.0, 1e22, 0.1, -0, 1.5e3]', None),
    # With names, for it takes long to compare as many blank nodes.
    "deep": (f'"p": {"".join(NAMED)}{{"p": "1"}}{"}" * 400}', None),
    "a base": ('"q": {"@context": {"@base": "http://q/"}, "@id": "b", "p": "1"}', ['"1"']),
    "another context": ('"q": {"@context": {"p": "http://f/p"}, "p": "1"}, "p": "2"', ['"2"']),
    "a context behind": ('"q": {"p": "1", "@context": {"p": "http://f/p"}}', []),
    "null": ('"q": {"@context": {"p": null}, "p": "1"}, "p": null', []),
}
# Definitions of the term t, and what stands there.
TERMS = {
    "an IRI": ('{"@id": "p", "@type": "@id"}', '["b", {"@value": "1"}]'),
    "a name": ('{"@id": "p", "@type": "@vocab"}', '"b"'),
    "a datatype": ('{"@id": "p", "@type": "d"}', '["1", 2]'),
    "JSON": ('{"@id": "p", "@type": "@json"}', '{"b": [1.0, "x"], "a": null}'),
    "no type": ('{"@id": "p", "@type": "@none"}', '"1"'),
    "a language": ('{"@id": "p", "@language": "de"}', '["1", {"@value": "2"}]'),
    "a direction": ('{"@id": "p", "@language": "ar", "@direction": "rtl"}', '"1"'),
    "a list": ('{"@id": "p", "@container": "@list"}', '["1", {"@id": "b", "p": "2"}]'),
    "a set as a list": ('{"@id": "p", "@container": "@list"}', '{"@set": ["1", "2"]}'),
    "no list": ('{"@id": "p", "@container": "@list"}', "null"),
    "a set": ('{"@id": "p", "@container": "@set"}', '"1"'),
    "languages": ('{"@id": "p", "@container": "@language"}', '{"en": "a", "@none": ["b"]}'),
    "no languages": ('{"@id": "p", "@container": "@language"}', '{"en_US": "a", "": "b"}'),
    "an index": ('{"@id": "p", "@container": "@index"}', '{"x": "a", "y": ["b", {"p": "c"}]}'),
    "ids": ('{"@id": "p", "@container": "@id"}', '{"http://x/1": {"p": "1"}}'),
    "type map": ('{"@id": "p", "@container": "@type"}', '{"T": {"p": "1"}, "U": "b"}'),
    "graphs": ('{"@id": "p", "@container": "@graph"}', '{"p": "1"}'),
    "named graphs": ('{"@id": "p", "@container": ["@graph", "@id"]}', '{"http://x/g": {"p": "1"}}'),
    "indexed graphs": ('{"@id": "p", "@container": ["@graph", "@index"]}', '{"x": {"p": "1"}}'),
    "reverse": ('{"@reverse": "p"}', '{"@id": "b", "p": "1"}'),
    "nest": ('"@nest"', '{"p": "1", "q": {"p": "2"}}'),
    "scope": (
        '{"@id": "q", "@context": {"p": {"@id": "p", "@language": "fr"}}}',
        '{"p": "1", "q": {"p": "2"}}',
    ),
    "scope of graphs": (
        '{"@id": "q", "@container": "@graph", "@context": {"p": {"@id": "p", "@language": "fr"}}}',
        '{"p": "1", "t": {"p": "2"}}',
    ),
    "scope of a type": ('{"@id": "T", "@context": {"p": {"@id": "p", "@language": "fr"}}}', '"1"'),
    "a prefix": ('"http://f.example/"', '"1"'),
    "an alias": ('"@id"', '"http://x/a"'),
}


def agrees(document: Document) -> None:
    """Check that the locator finds what Oxigraph reads."""
    read = canonical(document.parse(document.data))
    assert canonical(found.quad for found in document.statements) == read
    assert not document.fall_back()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_locator_finds_what_oxigraph_reads(name: str) -> None:
    members, places = DOCUMENTS[name]
    text = f"{{{VOCAB}, {members}}}"
    agrees(located(text))
    if places is not None:
        assert tokens(located(text, P)) == places


@pytest.mark.parametrize("name", TERMS)
def test_terms_are_read_as_the_context_defines_them(name: str) -> None:
    definition, value = TERMS[name]
    kind = "t" if name == "scope of a type" else "T"
    context = f'{{"@vocab": "{E}", "@language": "en", "t": {definition}}}'
    document = located(
        f'{{"t": {value}, "@type": "{kind}", "t:z": "3", "p": "4", "@context": {context}}}'
    )
    agrees(document)


FORMS = [
    f'[{{"@id": "http://x/a", "{P}": [{{"@value": "1"}}], "@type": ["http://x/T"]}}]',
    f'[{{{VOCAB}, "p": "1"}}, {{"@context": [{{"@vocab": "http://f/"}}, null], "{P}": "2"}}]',
    (
        f'{{"@context": [{{"e": "{E}"}}, {{"t": "e:p", "e:q": {{"@type": "@id"}}}}],'
        ' "t": "1", "e:q": "e:r"}'
    ),
    '{"@context": {"@propagate": false, "@vocab": "http://e/"}, "p": {"http://x/y": "2"}}',
    # A name that nothing defines is no property, whatever it contains.
    f'{{"@context": {{"p": "{P}"}}, "x": {{"@id": "http://x/a", "p": "1", "y": [{{"p": "2"}}]}}}}',
    f'{{"@context": {{"p": "{P}"}}, "": {{"@id": "http://x/a", "p": "1"}}, " ": [{{"p": "2"}}]}}',
]


@pytest.mark.parametrize("text", FORMS)
def test_files_of_every_form_are_read(text: str) -> None:
    agrees(located(text))


# What Oxigraph refuses and rdflib reads.
@pytest.mark.parametrize(
    "members",
    ['"@id": "http://x/a", "p": "1", "p": "2", "@id": "http://x/b"', '"@id": null, "p": "1"'],
)
def test_what_oxigraph_refuses_is_read_as_rdflib_reads_it(members: str) -> None:
    document = located(f"{{{VOCAB}, {members}}}")
    assert document.fall_back()
    read = canonical(document.parse(document.data))
    assert canonical(found.quad for found in document.statements) == read
    assert not document.fall_back()


def test_a_context_that_is_not_at_hand_is_told() -> None:
    with pytest.raises(CatalogError, match=r"http://c\.example/ is not at hand"):
        located('{"@context": "http://c.example/", "p": "1"}')


TREES = st.recursive(
    st.none() | st.text(r'"\[]{}u') | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('"[{'), inner, max_size=3),
)


def _depth(value: Any) -> int:
    parts = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, parts), default=0) if isinstance(value, dict | list) else 0


@given(value=TREES)
def test_levels_are_objects_and_arrays_in_one_another(value: Any) -> None:
    content = json.dumps(value).encode()
    # A limit of 0 is none.
    with limited({"nesting": max(_depth(value), 1)}):
        check_nesting(content, "a.json")
    if _depth(value) > 1:
        with limited({"nesting": _depth(value) - 1}), pytest.raises(LimitError):
            check_nesting(content, "a.json")


# Where a link goes: behind the member, by the shortest name, as the file is written.
CTV = '"ctv": "https://w3id.org/cturi/vocab#"'
FULL = '"https://w3id.org/cturi/vocab#contentType"'
NODE = '{"@id": "ContentType:text/csv"}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'{{{VOCAB}, "p": "1"}}', f'{{{VOCAB}, "p": "1", {FULL}: {NODE}}}'),
        (
            f'{{{VOCAB},"p":"1","q":"2"}}'.replace(": ", ":"),
            f'{{{VOCAB},"p":"1",{FULL}:{NODE},"q":"2"}}'.replace(": ", ":"),
        ),
        (
            f'{{\r\n\t{VOCAB},\r\n\t"p" : "1"\r\n}}',
            f'{{\r\n\t{VOCAB},\r\n\t"p" : "1",\r\n\t{FULL} : {NODE}\r\n}}',
        ),
        (
            f'{{"@context": {{"@vocab": "{E}", {CTV}}}, "q": {{"p": ["1"]}}}}',
            (
                f'{{"@context": {{"@vocab": "{E}", {CTV}}}, "q": {{"p": ["1"], '
                f'"ctv:contentType": {NODE}}}}}'
            ),
        ),
        (
            (
                f'{{"@context": {{"@vocab": "{E}", "id": "@id", "type": {{"@id": {FULL}, '
                '"@type": "@id"}}, "p": "1"}'
            ),
            (
                f'{{"@context": {{"@vocab": "{E}", "id": "@id", "type": {{"@id": {FULL}, '
                '"@type": "@id"}}, "p": "1", "type": "ContentType:text/csv"}'
            ),
        ),
        (
            f'{{"@context": {{"@vocab": "{E}", "id": "@id"}}, "p": "1"}}',
            (
                f'{{"@context": {{"@vocab": "{E}", "id": "@id"}}, "p": "1", '
                f'{FULL}: {{"id": "ContentType:text/csv"}}}}'
            ),
        ),
        (
            f'{{{VOCAB}, "p": "1", {FULL}: {{"@id": "a:b"}}}}',
            f'{{{VOCAB}, "p": "1", {FULL}: [{{"@id": "a:b"}}, {NODE}]}}',
        ),
        (
            f'{{{VOCAB}, {FULL}: [{{"@id": "a:b"}}], "p": "1"}}',
            f'{{{VOCAB}, {FULL}: [{{"@id": "a:b"}}, {NODE}], "p": "1"}}',
        ),
        (f'{{{VOCAB}, {FULL}: [], "p": "1"}}', f'{{{VOCAB}, {FULL}: [{NODE}], "p": "1"}}'),
        (
            f'{{{VOCAB}, "@reverse": {{"p": {{"@id": "a:b"}}}}}}',
            f'{{{VOCAB}, "@reverse": {{"p": {{"@id": "a:b", {FULL}: {NODE}}}}}}}',
        ),
    ],
)
def test_a_statement_is_added_behind_the_member(before: str, after: str) -> None:
    document = located(before, P)
    [found] = document.statements
    assert edited_text(document, Add(found, LINK, CSV)) == after


def test_links_of_two_labels_of_one_object_share_a_member() -> None:
    document = located(f'{{{VOCAB}, "p": ["1", "2"]}}', P)
    changes = [
        Add(found, LINK, ox.NamedNode(f"a:{n}")) for n, found in enumerate(document.statements)
    ]
    assert edited_text(document, *changes).endswith(
        f'{FULL}: [{{"@id": "a:0"}}, {{"@id": "a:1"}}]}}'
    )


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (ox.Literal("a"), '{"@value": "a"}'),
        (ox.Literal("a", language="en"), '"a"'),
        (ox.Literal("a", language="de"), '{"@value": "a", "@language": "de"}'),
        (ox.Literal("1", datatype=ox.NamedNode(f"{E}d")), '{"@value": "1", "@type": "d"}'),
        (CSV, NODE),
        (ox.BlankNode("b"), '{"@id": "_:b"}'),
    ],
)
def test_an_object_is_replaced_by_any_term(value: ox.Literal, written: str) -> None:
    head = f'"@context": {{"@vocab": "{E}", "@language": "en"}}, "q": {{"@id": "_:b"}}'
    document = located(f'{{{head}, "p": ["x", "y"]}}', P)
    text = edited_text(document, Replace(document.statements[0], value))
    assert text == f'{{{head}, "p": [{written}, "y"]}}'


def test_a_node_is_not_written_where_it_would_be_read_as_a_map() -> None:
    head = f'"@context": {{"t": {{"@id": "{P}", "@container": "@index"}}}}'
    for before, after in (('"x"', f"[{NODE}]"), ('{"a": "x"}', f'{{"a": {NODE}}}')):
        document = located(f'{{{head}, "t": {before}}}', P)
        text = edited_text(document, Replace(document.statements[0], CSV))
        assert text == f'{{{head}, "t": {after}}}'


def test_a_predicate_is_replaced_with_its_name() -> None:
    document = located(f'{{{VOCAB}, "p": "1", "q": "2"}}', P)
    [found] = document.statements
    renamed = Replace(found, found.object, ox.NamedNode(f"{E}r"))
    assert edited_text(document, renamed) == f'{{{VOCAB}, "r": "1", "q": "2"}}'
    joined = Replace(found, found.object, ox.NamedNode(f"{E}q"))
    assert edited_text(document, joined) == f'{{{VOCAB}, "q": ["2", "1"]}}'


@pytest.mark.parametrize(
    ("members", "rest"),
    [
        ('"p": "1", "q": "2"', '"q": "2"'),
        ('"q": "2", "p": "1"', '"q": "2"'),
        ('"q": "2", "p": ["1", {"@value": "3"}]', '"q": "2"'),
        ('"p": "1", "p": "2", "q": "2", "p": "3"', '"q": "2"'),
        ('"q": {"p": "1"}', '"q": {}'),
    ],
)
def test_statements_are_removed_with_their_members(members: str, rest: str) -> None:
    document = located(f"{{{VOCAB}, {members}}}", P)
    text = edited_text(document, *map(Remove, document.statements))
    assert text == f"{{{VOCAB}, {rest}}}"


def test_a_link_takes_the_place_of_one_that_goes() -> None:
    document = located(f'{{{VOCAB}, "p": "1", {FULL}: {{"@id": "a:b"}}}}', P, LINK.value)
    label, link = document.statements
    text = edited_text(document, Remove(link), Add(label, LINK, CSV))
    assert text == f'{{{VOCAB}, "p": "1", {FULL}: {NODE}}}'


LABEL = ox.NamedNode("http://l.example/a")
QUADS = (
    ox.Quad(LABEL, ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), LINK),
    ox.Quad(LABEL, ox.NamedNode(f"{E}q"), ox.Literal("A")),
)
MADE = (
    '{"@id": "http://l.example/a", "@type": "https://w3id.org/cturi/vocab#contentType", "q": "A"}'
)


APPENDED = [
    (f'{{{VOCAB}, "@graph": [{{"p": "1"}}]}}', f'{{{VOCAB}, "@graph": [{{"p": "1"}}, {MADE}]}}'),
    (f'{{{VOCAB}, "@graph": {{"p": "1"}}}}', f'{{{VOCAB}, "@graph": [{{"p": "1"}}, {MADE}]}}'),
    (f'{{{VOCAB}, "p": "1"}}', f'{{{VOCAB}, "p": "1", "@included": [{MADE}]}}'),
    (f'{{{VOCAB}, "@included": [], "p": "1"}}', f'{{{VOCAB}, "@included": [{MADE}], "p": "1"}}'),
    ("[]", "[" + MADE.replace('"q": "A"', f'"{E}q": {{"@value": "A"}}') + "]"),
]


@pytest.mark.parametrize(("before", "after"), APPENDED)
def test_statements_of_their_own_stand_at_the_end(before: str, after: str) -> None:
    text = edited_text(located(before), Append(QUADS))
    assert text == after or before == "[]"


def test_statements_of_their_own_are_written_as_the_file_is() -> None:
    text = edited_text(
        located(f'{{\n  {VOCAB},\n  "@graph": [\n    {{\n      "p": "1"\n    }}\n  ]\n}}\n'),
        Append(QUADS),
    )
    assert text.endswith(
        '    },\n    {\n      "@id": "http://l.example/a",\n'
        '      "@type": "https://w3id.org/cturi/vocab#contentType",\n'
        '      "q": "A"\n    }\n  ]\n}\n'
    )


def test_a_statement_of_a_named_graph_is_written_into_it() -> None:
    graph = ox.NamedNode("http://g.example/")
    quad = ox.Quad(LABEL, ox.NamedNode(P), ox.Literal("1"), graph)
    edited_text(located(f'{{{VOCAB}, "@graph": []}}'), Append((quad,)))


@pytest.mark.parametrize(
    ("text", "change", "problem"),
    [
        ('{"downloadURL": "b", "mediaType": "C"}', lambda found: Add(found, LINK, CSV), "no place"),
        ('{"downloadURL": "a:b", "mediaType": "C"}', lambda _: Append(QUADS), "no place"),
        (
            ('{"@context": "https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld",'
            '"conformsTo": "https://project-open-data.cio.gov/v1.1/schema", "mediaType": "CSV"}'),
            lambda found: Add(found, LINK, CSV),
            "no place",
        ),
        (
            ('{"@context": {"ContentType": "http://x/", "mediaType": "http://www.w3.org/ns/dcat#mediaType"},'
            '"mediaType": "CSV"}'),
            lambda found: Add(found, LINK, CSV),
            "leaves no way",
        ),
        (
            '{"http://www.w3.org/ns/dcat#mediaType": {"http://e/p": "1"}}',
            lambda found: Replace(found, CSV),
            "cannot be replaced",
        ),
        ('{"http://www.w3.org/ns/dcat#mediaType": {"a:p": "1"}}', Remove, "cannot be removed"),
    ],
)  # fmt: skip
def test_what_has_no_place_is_refused(text: str, change: Any, problem: str) -> None:
    document = located(text, "http://www.w3.org/ns/dcat#mediaType")
    with pytest.raises(EditError, match=problem):
        plan(document, [change(document.statements[0])])


def test_values_of_project_open_data_are_replaced() -> None:
    text = '{"dataset": [{"distribution": [{"mediaType": "CSV", "downloadURL": "a:b"}]}]}'
    document = located(text, "http://www.w3.org/ns/dcat#mediaType")
    [found] = document.statements
    assert edited_text(document, Replace(found, ox.Literal("text/csv"))) == text.replace(
        "CSV", "text/csv"
    )


def test_a_file_in_utf_16_has_positions_but_takes_no_edits() -> None:
    document = located(f'{{{VOCAB}, "p": "é"}}'.encode("utf-16"), P)
    [found] = document.statements
    assert found.object == ox.Literal("é")
    with pytest.raises(EditError, match="takes no edits"):
        plan(document, [Remove(found)])


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    texts=st.lists(TEXTS, min_size=1, max_size=5), new=TEXTS,
    indent=st.sampled_from([None, 1, "\t"]), ascii_only=st.booleans(),
    removed=st.sets(st.integers(0, 4)),
)  # fmt: skip
def test_generated_files_are_read_and_edited(
    *, texts: list[str], new: str, indent: Any, ascii_only: bool, removed: set[int]
) -> None:
    nodes = [{"@id": f"a:{index}", "p": text} for index, text in enumerate(texts)]
    content = {"@context": {"@vocab": E}, "@graph": [*nodes, {"@id": "a:z", "p": texts}]}
    document = located(json.dumps(content, indent=indent, ensure_ascii=ascii_only), P)
    assert [found.object.value for found in document.statements] == texts * 2
    edited_text(document, *[Add(found, LINK, ox.Literal(new)) for found in document.statements])
    edited_text(document, *[Replace(found, ox.Literal(new)) for found in document.statements])
    gone = [found for index, found in enumerate(document.statements) if index % 5 in removed]
    edited_text(document, *map(Remove, gone))


@pytest.mark.parametrize(
    "frame", ['{{"@context": {{"@vocab": "http://e.example/"}}, "@graph": [{}]}}', "[{}]"]
)
def test_a_list_of_nodes_is_read_in_parts_as_a_whole(frame: str) -> None:
    text = "x" * 1000
    nodes = [
        {"@id": f"_:b{n % 7}", f"{E}p": {"@id": f"_:b{n % 5}"}, f"{E}q": f"{n} {text}"}
        for n in range(3000)
    ]
    document = located(frame.format(", ".join(map(json.dumps, nodes))), f"{E}q")
    whole = ox.parse(document.data, JSON.oxigraph, base_iri=DOCUMENT)
    assert list(document.parse(document.data)) == list(whole)
    with pytest.raises(SyntaxError):
        list(document.parse(document.data.replace(b"2999", b'", "@id": "', 1)))
