"""JSON-LD and Project Open Data: statements with their places, and changes written there."""

from __future__ import annotations

import json
from typing import Any

import pyoxigraph as ox
import pytest
from edited_files import LINK, canonical, tokens
from hypothesis import given
from hypothesis import strategies as st
from json_files import JSON, VOCAB, E, P, edited_text, located

from cturi_rdf.editing import Document, EditError, edit, locate
from cturi_rdf.editing.edit import Add, Remove, Replace, plan
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.terms import DOCUMENT, RDF_NS

NAMED = [f'{{"@id": "{number}", "q": ' for number in range(400)]
# Documents by features of JSON-LD 1.1; the places of the values of p, where they differ.
DOCUMENTS = {
    "values": ('"p": ["1", 2, true, 1.5, null]', ['"1"', "2", "true", "1.5"]),
    "value objects": (
        '"p": [{"@value": "v", "@language": "en"}, {"@value": "1", "@type": "d"}]',
        ['{"@value": "v", "@language": "en"}', '{"@value": "1", "@type": "d"}'],
    ),
    "nodes": ('"p": [{"@id": "b"}, {"@id": "c", "q": "1"}]', ['{"@id": "b"}', '"c"']),
    "anonymous nodes": ('"p": {"q": {"p": "1"}}', ['{"q": {"p": "1"}}', '"1"']),
    "empty nodes": ('"p": [{}, {"p": {}}]', ["{}", '{"p": {}}', "{}"]),
    "a number behind its type": (
        '"p": [{"@type": "d", "@value": 5}, 6, {"@value": true, "@type": "d"}]',
        ['{"@type": "d", "@value": 5}', "6", '{"@value": true, "@type": "d"}'],
    ),
    "escapes": ('"\\u0070": "a\\/b"', ['"a\\/b"']),
    "repeated names": ('"p": "1", "p": "2"', ['"1"', '"2"']),
    "lists": ('"p": {"@list": ["1", ["2"]]}', ['["1", ["2"]]']),
    "empty lists": ('"p": ["1", {"@list": []}, 2]', ['"1"', '{"@list": []}', "2"]),
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
    "nests": ('"@nest": [{"p": "1"}, {"p": "2"}], "p": "3"', ['"1"', '"2"', '"3"']),
}
# Definitions of the term t, and a value of t.
TERMS = {
    "an IRI": ('{"@id": "p", "@type": "@id"}', '["b", {"@value": "1"}]'),
    "a name": ('{"@id": "p", "@type": "@vocab"}', '"b"'),
    "a datatype": ('{"@id": "p", "@type": "d"}', '["1", 2]'),
    "JSON": ('{"@id": "p", "@type": "@json"}', '{"b": [1.0, "x"], "a": null}'),
    "no type": ('{"@id": "p", "@type": "@none"}', '"1"'),
    "a language": ('{"@id": "p", "@language": "de"}', '["1", {"@value": "2"}]'),
    "a direction": ('{"@id": "p", "@language": "ar", "@direction": "rtl"}', '"1"'),
    "a list": ('{"@id": "p", "@container": "@list"}', '["1", {"@id": "b", "p": "2"}]'),
    "an empty list": ('{"@id": "p", "@container": "@list"}', "[]"),
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


@pytest.mark.parametrize(
    "text",
    [
        # Oxigraph reads the first as a stream once its members are in order, the second not.
        '{"@context": {"p": "http://e/p"}, "@id": "http://e/a", "p": "1", "@type": "http://e/T"}',
        '[{"@id": "http://e/a", "http://e/p": "1"}]',
    ],
)
def test_a_byte_order_mark_moves_the_places_and_changes_nothing_else(text: str) -> None:
    plain = locate(text.encode(), "json-ld")
    marked = locate(b"\xef\xbb\xbf" + text.encode(), "json-ld")
    assert [(*one[:4], one.start + 3) for one in plain.statements] == [
        (*one[:4], one.start) for one in marked.statements
    ]
    assert any(one.start > 3 for one in marked.statements)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_locator_finds_what_oxigraph_reads(name: str) -> None:
    members, places = DOCUMENTS[name]
    text = f"{{{VOCAB}, {members}}}"
    agrees(located(text))
    if places is not None:
        assert tokens(located(text, P)) == places


MAP = f'"@context": {{"@vocab": "{E}", "t": {{"@id": "q", "@container": "@type"}}}}'


def test_the_name_of_an_entry_in_a_map_is_a_type_with_a_place() -> None:
    inside = '{"@type": "V", "p": "1"}'
    text = f'{{{MAP}, "t": {{"T": {inside}, "U": [{inside}, {{"p": "2"}}], "@none": {{"p": 3}}}}}}'
    assert tokens(located(text, f"{RDF_NS}type")) == ['"T"', '"V"', '"U"', '"V"', '"U"']


def test_a_statement_can_be_added_beside_a_type_that_a_map_says() -> None:
    document = located(f'{{{MAP}, "t": {{"T": {{"q": "1"}}}}}}', f"{RDF_NS}type")
    added = edited_text(document, Add(document.statements[0], ox.NamedNode(P), ox.Literal("2")))
    assert json.loads(added)["t"] == {"T": {"q": "1", "p": "2"}}


@pytest.mark.parametrize(
    ("old", "new"),
    [('"p": {"@list": []}', '"p": "2"'), ('"p": ["1", {"@list": []}]', '"p": ["1", "2"]'),
     ('"t": []', '"p": "2"'), ('"t": {"@list": []}, "p": "1"', '"p": ["1", "2"]')],
)  # fmt: skip
def test_an_empty_list_can_be_replaced(old: str, new: str) -> None:
    context = f'"@context": {{"@vocab": "{E}", "t": {{"@id": "p", "@container": "@list"}}}}'
    document = located(f"{{{context}, {old}}}", P)
    [empty] = [one for one in document.statements if isinstance(one.object, ox.NamedNode)]
    text = edited_text(document, Replace(empty, ox.Literal("2")))
    assert json.loads(text) == json.loads(f"{{{context}, {new}}}")


@pytest.mark.parametrize(
    "inside",
    ['"@id": "n", "x": "1"', '"@id": "n", "u": {"y": "1"}, "x": "2"',
     '"@context": {"z": "x"}, "@id": "n", "x": "1", "z": "2"',
     '"@id": "n", "@context": [{"z": "x"}, {}], "x": "1"'],
)  # fmt: skip
def test_a_node_that_leaves_a_term_with_a_context_brings_it_along(inside: str) -> None:
    inner = '{"@id": "q", "@context": {"y": "http://y.example/"}}'
    term = f'{{"@id": "p", "@context": {{"x": "http://x.example/", "u": {inner}}}}}'
    text = f'{{"@context": {{"@vocab": "{E}", "t": {term}}}, "t": {{{inside}}}}}'
    document = located(text, P)
    edited = edited_text(document, Replace(document.statements[0], ox.Literal("3")))
    assert '"@included": [{"@' in edited


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("name", ["p", "q", "r", "s", "t"])
def test_what_has_no_mark_has_the_place_behind_its_own_name(name: str, *, every: bool) -> None:
    context = f'"@context": {{"@vocab": "{E}", "t": {{"@container": "@list"}}}}'
    members = '"r": [7, true, {"@list": []}], "q": 7, "p": [true, {"@value": 7}], "t": [], "s": 7'
    text = f"{{{context}, {members}}}"
    document = located(text, *([] if every else [f"{E}{name}"]))
    begin = text.index(f'"{name}": ', text.index("}"))
    end = text.find(', "', begin)
    own = [one for one in document.statements if one.predicate.value == f"{E}{name}"]
    assert len({one.start for one in own}) == {"r": 3, "p": 2}.get(name, 1)
    assert all(begin < one.start <= (end if end > 0 else len(text)) for one in own)


def test_a_number_beside_types_is_none_of_them() -> None:
    text = f'{{{VOCAB}, "@type": ["T", "U"], "p": 1, "q": true}}'
    assert tokens(located(text, f"{RDF_NS}type")) == ['"T"', '"U"']


def test_a_name_that_no_base_resolves_with_a_mark_costs_the_places_of_its_own_object() -> None:
    kind = '"kind": {"@id": "http://x/kind", "@type": "@vocab"}'
    context = f'{{"p": "http://x/p", "y": "http://x/y", {kind}}}'
    nodes = '{"@id": "http://x/1", "kind": "y", "p": "1"}, {"@id": "http://x/2", "p": ["y", "2"]}'
    text = f'{{"@context": {context}, "@graph": [{nodes}]}}'.encode()
    for base, tokens_of_first in ((None, []), ("http://x/", ['"y"', '"1"'])):
        document = locate(text, "json-ld", base=base)
        placed = [document.token(one) for one in document.statements if one.object_span]
        assert placed == [*tokens_of_first, '"y"', '"2"']


@pytest.mark.parametrize(("odd", "is_found"), [(0, True), (1, True), (3, True), (25, False)])
def test_objects_that_are_refused_with_marks_cost_no_other_places_unless_they_are_many(
    odd: int, is_found: bool
) -> None:
    # A list by the name of a name, which nothing but Oxigraph looks through.
    context = f'{{"@vocab": "{E}", "list": "ordered", "ordered": "@list"}}'
    nodes = [f'{{"@id": "{E}{number}", "p": "{number}"}}' for number in range(50)]
    nodes[1 : 2 * odd : 2] = [f'{{"q": {{"list": ["{number}"]}}}}' for number in range(odd)]
    document = located(f'{{"@context": {context}, "@graph": [{", ".join(nodes)}]}}')
    values = [one for one in document.statements if isinstance(one.object, ox.Literal)]
    placed = [one for one in values if one.object_span]
    assert len(values) == 50
    assert (len(placed) == 50) == is_found
    assert all(document.token(one) == f'"{one.object.value}"' for one in placed)


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


# Documents that Oxigraph refuses and rdflib reads.
@pytest.mark.parametrize(
    "members",
    ['"@id": "http://x/a", "p": "1", "p": "2", "@id": "http://x/b"', '"@id": null, "p": "1"'],
)
def test_what_oxigraph_refuses_is_read_as_rdflib_reads_it(members: str) -> None:
    document = located(f"{{{VOCAB}, {members}}}")
    read = canonical(document.parse(document.data))
    assert canonical(found.quad for found in document.statements) == read
    assert {found.object_span for found in document.statements} == {None}
    with pytest.raises(EditError, match="cannot be edited"):
        plan(document, [Remove(document.statements[0])])


def test_a_context_that_is_not_at_hand_is_named() -> None:
    with pytest.raises(CatalogError, match=r"http://c\.example/ is not available"):
        located('{"@context": "http://c.example/", "p": "1"}')


@pytest.mark.parametrize(
    ("members", "is_literal"),
    [
        ('"p": {"@value": {CONTEXT}, "@type": "@json"}', True),
        ('"p": {"value": [{CONTEXT}], "@type": "@json"}', True),
        ('"lit": {"a": [{CONTEXT}]}', True),
        ('"p": {"@value": {CONTEXT}}', False),
        ('"p": {"a": {CONTEXT}, "@type": "@json"}', False),
    ],
)
def test_a_context_in_a_literal_of_json_is_none(members: str, is_literal: bool) -> None:
    terms = f'"@vocab": "{E}", "value": "@value", "lit": {{"@type": "@json"}}'
    named = members.replace("CONTEXT", '"@context": "http://c.example/"')
    text = f'{{"@context": {{{terms}}}, {named}}}'
    if is_literal:
        [found] = located(text).statements
        assert found.object.datatype == ox.NamedNode(f"{RDF_NS}JSON")
    else:
        with pytest.raises(CatalogError, match=r"http://c\.example/ is not available"):
            located(text)


def test_half_of_a_character_is_refused_where_a_file_is_read_strictly() -> None:
    data = b'{"a:b":\n "\\ud800"}'
    [found] = locate(data, JSON, base=DOCUMENT).statements
    assert found.object == ox.Literal("\ufffd")
    with pytest.raises(CatalogError, match="a lone surrogate") as error:
        locate(data, JSON, base=DOCUMENT, reading=ReadOptions(strict=True))
    assert (error.value.line, error.value.column) == (2, 3)


def test_a_file_in_utf_16_has_positions_but_takes_no_edits() -> None:
    document = located(f'{{{VOCAB}, "p": "é"}}'.encode("utf-16"), P)
    [found] = document.statements
    assert found.object == ox.Literal("é")
    with pytest.raises(EditError, match="cannot be edited"):
        plan(document, [Remove(found)])


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    texts=st.lists(TEXTS, min_size=1, max_size=5),
    new=TEXTS,
    indent=st.sampled_from([None, 1, "\t"]),
    ascii_only=st.booleans(),
    removed=st.sets(st.integers(0, 4)),
)
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


@pytest.mark.parametrize(("scoped", "key"), [({}, "uri"), ({"@context": {"uri": None}}, "@id")])
def test_an_alias_is_written_where_no_context_of_a_term_may_take_it_back(
    scoped: dict[str, Any], key: str
) -> None:
    context = {"uri": "@id", "p": {"@id": f"{E}p", **scoped}, "q": f"{E}q"}
    text = json.dumps({"@context": context, "uri": "http://a.example/", "q": "v"})
    document = located(text, f"{E}q")
    other = "http://b.example/"
    added = Add(document.statements[0], ox.NamedNode(f"{E}p"), ox.NamedNode(other))
    assert json.loads(edited_text(document, added))["p"] == {key: other}


@pytest.mark.slow
@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize(
    ("value", "number", "update"),
    [
        ('"value {}"', 60_000, 'DELETE { ?s e:p ?o } WHERE { ?s e:p ?o FILTER STRENDS(?o, "1") }'),
        ('{{"e:q": "{}"}}', 25_000, "DELETE WHERE { ?s e:p ?o . ?o ?q ?value }"),
        ('{{"@id": "e:{0}", "e:q": "{0}"}}', 25_000, "DELETE WHERE { ?s e:p ?o . ?o ?q ?value }"),
    ],
)
def test_thousands_of_values_leave_an_array_in_linear_time(
    value: str, number: int, update: str
) -> None:
    values = ", ".join(value.format(each) for each in range(number))
    context = json.dumps({"e": E})
    text = f'{{"@context": {context}, "@id": "e:a", "e:q": "z", "e:p": [{values}]}}'
    edited = edit(text.encode(), f"PREFIX e: <{E}> {update}", ReadOptions(form="json-ld"))
    assert len(edited.removed) > number // 20
    assert json.loads(edited.text)["e:q"] == "z"
