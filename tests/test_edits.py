"""Edits of a file: places, changes, and the law that nothing else changes."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from edited_files import CSV, LINK, edited, tokens
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.editing import Document, EditError, locate
from cturi_rdf.editing.blank_nodes import Pairs
from cturi_rdf.editing.document import GraphDocument
from cturi_rdf.editing.edit import Add, Append, Edit, Edited, Remove, Replace, apply, plan, settled
from cturi_rdf.editing.law import check
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.source import buffered

FORMAT = "http://purl.org/dc/terms/format"
NT = format_named("nt")


def lines(text: str, name: str = "nt", predicate: str = FORMAT) -> Document:
    return locate(text.encode(), format_named(name), predicates=[predicate])


ESCAPED = FORMAT.replace("f", "\\u0066")
LINE = f'<a:1> <{FORMAT}> "CSV"@en .'

# The text, and the tokens of the objects that are found.
FOUND = [
    (LINE, ['"CSV"@en']),
    (f'# <{FORMAT}>\n<a:1><{FORMAT}>"CSV".#c\n', ['"CSV"']),
    (f'<a:1> <a:2> <{FORMAT}> .\n<{FORMAT}> <a:2> "x" .', []),
    (f'_:a <{FORMAT}> "C\\"S>V" . # <{FORMAT}>', ['"C\\"S>V"']),
    (f"<a:1> <{ESCAPED}> _:b.c.\n", ["_:b.c"]),
    (f'<a:1> <{FORMAT}> "1"^^<a:int> .\r\n<a:1> <{FORMAT}> <a:b> .\r', ['"1"^^<a:int>', "<a:b>"]),
    (f'\ufeff<a:1> <{FORMAT}> <<( <a:b> <a:c> "x" )>> .', ['<<( <a:b> <a:c> "x" )>>']),
    (f"<a:1> <{FORMAT}> .\n", []),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_a_line_is_found_by_its_predicate_and_its_place_is_the_token(
    text: str, expected: list[str]
) -> None:
    assert tokens(lines(text)) == expected


@pytest.mark.parametrize("end", [rb"\uD800", rb"\U00110000", rb"\UFFFFFFFF", b"\xff\\u0066"])
def test_a_predicate_with_an_escape_of_no_character_is_refused(end: bytes) -> None:
    with pytest.raises(CatalogError, match=r"not valid N-Triples: (?!Parser error)"):
        locate(b'<a:1> <a:%b> "x" .' % end, NT, predicates=[FORMAT])


def test_a_statement_has_the_terms_that_oxigraph_reads() -> None:
    text = f'<a:1> <{FORMAT}> "C\\u0053V" _:g .\n'
    [quad] = ox.parse(text, ox.RdfFormat.N_QUADS)
    assert [each.quad for each in lines(text, "nquads").statements] == [quad]


def test_a_position_counts_lines_and_characters_from_one() -> None:
    text = f'\ufeff# é\r\n\r<a:é> <{FORMAT}> "😀", \n'
    document = locate(text.encode(), NT, predicates=[])
    start = text.encode().index(b'"')
    assert document.position(start) == (3, text.index('"') - text.index("<") + 1)
    assert document.position(3) == (1, 1)


@given(st.text("a\r\né\ufeff"))
def test_positions_are_those_of_the_lines_that_an_editor_shows(text: str) -> None:
    document = locate(text.encode(), NT, predicates=[])
    rows = text.removeprefix("\ufeff").splitlines(keepends=True)
    offset = 3 if text.startswith("\ufeff") else 0
    for line, row in enumerate(rows, 1):
        begins = offset if line > 1 else 0
        for column, character in enumerate(row, 1):
            assert document.line_start(offset) == begins
            if character != "\n" or not row.endswith("\r\n"):
                assert document.position(offset) == (line, column)
            offset += len(character.encode())


# The change of the first statement, and the text afterwards.
CHANGED = [
    (
        f"{LINE}\n<a:2> <a:b> <a:c> .\n",
        lambda s: Add(s, LINK, CSV),
        f"{LINE}\n<a:1> {LINK} {CSV} .\n<a:2> <a:b> <a:c> .\n",
    ),
    (f"  {LINE} # c\r\n", lambda s: Add(s, LINK, CSV), f"  {LINE} # c\r\n<a:1> {LINK} {CSV} .\r\n"),
    (LINE, lambda s: Add(s, LINK, CSV), f"{LINE}\n<a:1> {LINK} {CSV} ."),
    (f"{LINE}\n", lambda s: Replace(s, CSV), f"<a:1> <{FORMAT}> {CSV} .\n"),
    (f"{LINE}\n", lambda s: Replace(s, CSV, LINK), f"<a:1> {LINK} {CSV} .\n"),
    (f"# a\n{LINE}\n# b", Remove, "# a\n# b"),
    (LINE, lambda _: Append((ox.Quad(CSV, LINK, CSV),)), f"{LINE}\n{CSV} {LINK} {CSV} .\n"),
]


@pytest.mark.parametrize(("text", "change", "expected"), CHANGED)
def test_a_change_of_lines_is_a_line(text: str, change, expected: str) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    document = lines(text)
    assert edited(document, change(document.statements[0])).decode() == expected


def test_a_line_of_quads_is_added_to_the_graph_of_its_neighbour() -> None:
    text = f'_:a <{FORMAT}> "CSV" <a:g> .\n'
    document = lines(text, "nquads")
    added = f"_:a {LINK} {CSV} <a:g> .\n"
    assert edited(document, Add(document.statements[0], LINK, CSV)).decode() == text + added


TWO = f'<a:1> <{FORMAT}> "CSV" .\n<a:1> <{FORMAT}> "XLS" .\n'
# Edits of TWO that say something else than one Add beside the first statement.
BROKEN = [
    ([], "does not add", 1),
    ([b""], "does not add", 1),
    ([b"<a:1> <a:2> <a:3> .\n"], "would add|does not add", 1),
    ([b"<a:1> <a:2> .\n"], "cannot be read", 2),
]


@pytest.mark.parametrize(("texts", "problem", "line"), BROKEN)
def test_edits_that_say_something_else_break_the_law_and_the_place_is_named(
    texts: list[bytes], problem: str, line: int
) -> None:
    document = lines(TWO)
    second = TWO.index("\n") + 1
    edits = [Edit(second, second, text) for text in texts]
    with pytest.raises(EditError, match=problem) as broken:
        check(document, edits, [Add(document.statements[0], LINK, CSV)])
    assert broken.value.line == line


def test_a_statement_that_disappears_breaks_the_law() -> None:
    document = lines(TWO)
    with pytest.raises(EditError, match="would remove"):
        check(document, [Edit(0, TWO.index("\n") + 1, b"")], [])


@pytest.mark.parametrize("zeros", range(13))
def test_an_anonymous_node_is_recognised_if_its_number_begins_with_zeros(zeros: int) -> None:
    # Oxigraph labels it by 128 random bits, and leaves the zeros out.
    label = f"{0xEC142C8281964EDB8A876C1C98E0FF15 >> 4 * zeros:x}"
    one, other = (
        ox.Quad(ox.BlankNode(name), ox.NamedNode("a:p"), ox.Literal("CSV"))
        for name in (label, label[::-1])
    )
    pairs = Pairs()
    assert pairs.match(one, other)
    assert pairs.there.get(label) == label[::-1]


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(EditError, match="overlap"):
        apply(b"abc", [Edit(0, 2, b""), Edit(1, 3, b"")])


def test_an_edit_knows_the_number_of_the_change_that_asked_for_it() -> None:
    document = lines(TWO)
    changes = [Remove(document.statements[1]), Replace(document.statements[0], CSV)]
    assert [edit.number for edit in plan(document, changes)] == [1, 0]


@given(st.lists(st.binary(max_size=5), max_size=4), st.lists(st.integers(-1, 9), max_size=9))
def test_the_edited_text_is_read_in_parts_as_a_whole(texts: list[bytes], sizes: list[int]) -> None:
    data = b"abcdefgh"
    edits = [Edit(2 * n, 2 * n + 1, text) for n, text in enumerate(texts)]
    stream, whole = buffered(Edited(data, edits)), apply(data, edits)
    for size in [*sizes, -1]:
        part, whole = (whole, b"") if size < 0 else (whole[:size], whole[size:])
        assert stream.read(size) == part
    assert stream.read() == b""


@given(st.lists(st.integers(0, 9)))
def test_edits_are_put_in_the_order_of_the_text(places: list[int]) -> None:
    edits = [Edit(place, place, b"", number) for number, place in enumerate(places)]
    # Edits at one place keep their order.
    assert settled(GraphDocument(), edits) == sorted(edits, key=lambda edit: edit.start)


SPANS = {
    "turtle": ('<a:s> <a:p> "CSV" .', "<a:s>", "<a:p>"),
    "trig": ('<a:g> { [ <a:p> "CSV" ] }', "[", "<a:p>"),
    "nquads": ('<a:s> <a:p> "CSV" <a:g> .', "<a:s>", "<a:p>"),
    "json-ld": ('[{"@id": "a:s", "a:p": "CSV"}]', '"a:s"', '"a:p"'),
    "xml": (
        (
            '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="a:">'
            '<r:Description r:about="a:s"><p:p>CSV</p:p></r:Description></r:RDF>'
        ),
        "a:s",
        "p:p",
    ),
}


@pytest.mark.parametrize("syntax", SPANS)
def test_subject_and_predicate_have_places_too(syntax: str) -> None:
    text, subject, predicate = SPANS[syntax]
    document = locate(text.encode(), syntax, predicates=["a:p"])
    [found] = document.statements
    spans = document.subject_span(found), document.predicate_span(found)
    assert [text[span.start : span.end] for span in spans if span] == [subject, predicate]


@pytest.mark.parametrize("syntax", SPANS)
def test_only_statements_whose_objects_pass_a_test_are_located(syntax: str) -> None:
    text = SPANS[syntax][0].encode()
    for passes in True, False:
        document = locate(text, syntax, tests={"a:p": lambda _, passes=passes: passes})
        assert len(document.statements) == passes


@pytest.mark.parametrize("name", ["xml", "json-ld"])
def test_statements_that_need_no_place_have_the_same_terms(name: str) -> None:
    kind, label = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://e.example/label"
    turtle = f'<a:1> a <a:File>, <a:Thing> ; <{label}> "CSV" . <a:2> a <a:File> .'
    form = format_named(name)
    data = ox.serialize(ox.parse(turtle, ox.RdfFormat.TURTLE), format=form.oxigraph)
    assert data
    whole, labels = (
        locate(data, form, predicates=[kind, label], unplaced=unplaced) for unplaced in ((), [kind])
    )
    assert {one.quad for one in labels.statements} == {one.quad for one in whole.statements}
    [placed] = [one for one in labels.statements if one.object_span]
    assert placed[:6] in {one[:6] for one in whole.statements}
    # Each is told from the others all the same.
    assert len({one.start for one in labels.statements}) == len(whole.statements)
