"""Changes written into JSON-LD and Project Open Data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from edited_files import CSV, LINK
from json_files import VOCAB, E, P, edited_text, located

from cturi_rdf.editing import EditError
from cturi_rdf.editing.edit import Add, Append, Remove, Replace, plan

if TYPE_CHECKING:
    from conftest import Cturi, Write

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


def test_a_name_beyond_ascii_is_written_as_itself(cturi: Cturi, write: Write) -> None:
    head = f'"@context": {{"alt": "{P}", "neué": "{E}q", "v": "{E}v"}}'
    source = write("a.jsonld", f'{{{head}, "alt": {{"v": "1"}}}}')
    update = f"DELETE {{ ?s <{P}> ?o }} INSERT {{ ?s <{E}q> ?o }} WHERE {{ ?s <{P}> ?o }}"
    assert cturi("edit", source, "--update", update).out == f'{{{head}, "neué": {{"v": "1"}}}}'


@pytest.mark.parametrize("value", ['"x"', '{"@id": "x"}', "[1]"])
def test_a_value_that_is_json_leaves_its_place_to_no_other_one(value: str) -> None:
    head = f'"@context": {{"t": {{"@id": "{P}", "@type": "@json"}}}}'
    document = located(f'{{{head}, "t": {value}}}', P)
    text = edited_text(document, Replace(document.statements[0], CSV))
    assert text == f'{{{head}, "{P}": {{"@id": "{CSV.value}"}}}}'


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
    ("[]", "[" + MADE.replace('"q"', f'"{E}q"') + "]"),
]


@pytest.mark.parametrize(("before", "after"), APPENDED)
def test_statements_of_their_own_stand_at_the_end(before: str, after: str) -> None:
    assert edited_text(located(before), Append(QUADS)) == after


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
            (
                '{"@context": "https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld",'
                '"conformsTo": "https://project-open-data.cio.gov/v1.1/schema", "mediaType": "CSV"}'
            ),
            lambda found: Add(found, LINK, CSV),
            "no place",
        ),
        (
            (
                '{"@context": {"ContentType": "http://x/", "mediaType": "http://www.w3.org/ns/dcat#mediaType"},'
                '"mediaType": "CSV"}'
            ),
            lambda found: Add(found, LINK, CSV),
            "has no way",
        ),
        (
            '{"http://www.w3.org/ns/dcat#mediaType": {"http://e/p": "1"}}',
            lambda found: Replace(found, CSV),
            "cannot be replaced",
        ),
        (
            '{"http://www.w3.org/ns/dcat#mediaType": {"a:p": "1"}}',
            Remove,
            "cannot be replaced or removed",
        ),
    ],
)
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
