"""The lines of N-Triples and N-Quads: which are valid, and which have a wanted predicate."""

from __future__ import annotations

from itertools import pairwise

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.reading.ntriples import BlockStatements, Scanner, rows_of, runs_of
from cturi_rdf.reading.terms import XSD

PREDICATES = [ox.NamedNode("a:p"), ox.NamedNode("http://purl.org/dc/terms/format")]

GOOD = [
    b"", b" \t", b"# any comment", "  # commenté".encode(),
    b"<a:s> <a:p> <a:o> .", b"<a:s><a:p><a:o>.", b"\t<a:s>\t<a:p>\t<a:o>\t.\t# so",
    b'<a:s> <a:p> "" .', b'<a:s> <a:p> "x"@en .', b'<a:s> <a:p> "x"@en-GB-1996.',
    b'<a:s> <a:p> "x"^^<a:t> .', b'<a:s> <a:p> "x" ^^ <a:t>.', b'<a:s> <a:p> "\x00#<>" .',
    b'<a:s> <a:p> "\\t\\b\\n\\r\\f\\"\\\'\\\\ \\u00e9 \\U0001F600" .', b"<a:\\u00e9> <a:p> _:b .",
    b"_:b <a:p> _:b.", b"_:0.b-c <a:p> _:b..c .", b"_:a- <a:p> _:a-.b .",
    '_:é <a:é> "é€😀" .'.encode(), b"_:a<a:p>_:_ .",
    b'<a:s> <a:p> "x"@ar--rtl .', b'<a:s> <a:p> "x"@en-GB--ltr.',
]  # fmt: skip
BAD = [
    b"x", b".", b"<a:s>", b"<a:s> <a:p>", b"<a:s> <a:p> <a:o>", b"<a:s> <a:p> <a:o> . x",
    b"<a:s> <a:p> .", b'"x" <a:p> <a:o> .', b"<a:s> _:b <a:o> .", b'<a:s> "p" <a:o> .',
    b"<a: s> <a:p> <a:o> .", b"<a:s> <a:p> <a:o .", b"<a:{> <a:p> <a:o> .", b"<a:<> <a:p> <a:o> .",
    b'<a:s> <a:p> "x .', b'<a:s> <a:p> "\\x" .', b'<a:s> <a:p> "x"@ .', b'<a:s> <a:p> "x"@1 .',
    b'<a:s> <a:p> "x"@en--up .', b'<a:s> <a:p> "x"@en--LTR .', b'<a:s> <a:p> "x"@en--ltr-a .',
    b'<a:s> <a:p> "x"@en--rtlx .', b'<a:s> <a:p> "x"@--ltr .', b'<a:s> <a:p> "x"@en-- .',
    b'<a:s> <a:p> "x"@en- .', b'<a:s> <a:p> "x"^<a:t> .', b'<a:s> <a:p> "x"^^ .',
    b'<a:s> <a:p> "x"^^_:b .', b'<a:s> <a:p> "x"^^"t" .', b"<a:\\u00e> <a:p> <a:o> .",
    b"<a:\\t> <a:p> <a:o> .", b"<a:\\uD800> <a:p> <a:o> .", b'<a:s> <a:p> "\\uDFFF" .',
    b'<a:s> <a:p> "\\U00110000" .', b'<a:s> <a:p> "\\U0000D900" .', b'<a:s> <a:p> "\r" .',
    b"_: <a:p> <a:o> .", b"_:.a <a:p> <a:o> .", b"_:-a <a:p> <a:o> .", b"_:a. <a:p> <a:o> .",
    b"_:a! <a:p> <a:o> .", b'<a:s> <a:p> "\xff" .', b'<a:s> <a:p> "\xc3" .',
    b"<a:\xc0\xaf> <a:p> <a:o> .",
    b'<a:s> <a:p> "\xed\xa0\x80" .', b'<a:s> <a:p> "\xf4\x90\x80\x80" .',
    b'<a:s> <a:p> "\xe0\x80\xaf" .', b'<a:s> <a:p> "\xf0\x80\x80\xaf" .', b"_:\xe9 <a:p> <a:o> .",
]  # fmt: skip
GRAPHS = {
    b"<a:s> <a:p> <a:o> <a:g> .": True,
    b"<a:s> <a:p> <a:o>_:g.": True,
    b'<a:s> <a:p> "x"@en<a:g>.': True,
    b'<a:s> <a:p> <a:o> "g" .': False,
    b"<a:s> <a:p> <a:o> <a:g> <a:g> .": False,
    b"<a:s> <a:p> <a:o> <a:\xff> .": False,
}


def scan(block: bytes, *, quads: bool = False, datatypes: str = "a:t") -> BlockStatements:
    return Scanner(PREDICATES, quads=quads, datatypes=datatypes).scan(block)


@pytest.mark.parametrize("line", GOOD)
@pytest.mark.parametrize("quads", [False, True])
def test_a_line_of_the_grammar_is_read(*, line: bytes, quads: bool) -> None:
    result = scan(line + b"\n", quads=quads)
    assert (result.malformed, result.lines) == (None, 1)
    assert len(result.groups) == (b"<a:p>" in line)


@pytest.mark.parametrize("line", BAD)
@pytest.mark.parametrize("quads", [False, True])
def test_any_other_line_is_malformed(*, line: bytes, quads: bool) -> None:
    assert scan(b"\n" + line + b"\n\n", quads=quads).malformed == 1


@pytest.mark.parametrize("line", GRAPHS)
def test_a_graph_is_named_in_n_quads_only(line: bytes) -> None:
    assert scan(line + b"\n").malformed == 0
    assert scan(line + b"\n", quads=True).malformed == (None if GRAPHS[line] else 0)


def test_statements_with_a_predicate_are_grouped_by_value_and_graph() -> None:
    block = (
        b'<a:1> <a:p> "x" .\n<a:2> <a:q> "<a:p>" .\n_:b <a:p> "x" .\n<a:1> <a:p> "x"  <a:g>.\n'
        b'<a:3> <a:\\u0070> "x" . # <a:p>\n# <a:4> <a:p> "x" .\n<a:5> <a:p> <<( <a:> <a:> _:c )>> .'
    )
    groups = scan(block, quads=True).groups
    assert groups == {
        (b"<a:p>", b'"x"', b""): (b"<a:1>\n_:b\n<a:3>\n", 3),
        (b"<a:p>", b'"x"', b"<a:g>"): (b"<a:1>\n", 1),
    }


def test_lines_end_with_any_line_end() -> None:
    result = scan(b'<a:1> <a:p> "x" .\r\n<a:2> <a:p> "x" .\r<a:3> <a:p> "x" .')
    assert result.groups == {(b"<a:p>", b'"x"', b""): (b"<a:1>\n<a:2>\n<a:3>\n", 3)}
    assert result.lines == 3


def test_literals_with_a_datatype_are_counted_as_they_are_written() -> None:
    rows = [
        b'<a:1> <a:p> "x"^^<a:t> .', b'<a:2> <a:q> "x"^^<a:t>.', b'<a:1> <a:q> "x" ^^ <a:type> .',
        b'<a:1> <a:q> "x"^^<a:u> .', b'<a:1> <a:q> "x"@en .', b"<a:1> <a:q> <a:t> .",
        b'<a:1#b> <a:q> "\\"x\\"^^<a:t>" . # "x"^^<a:t>', b'# <a:1> <a:q> "x"^^<a:t> .',
    ]  # fmt: skip
    block = b"\n".join(rows)
    assert scan(block).literals == {b'"x"^^<a:t>': 2, b'"x" ^^ <a:type>': 1}
    assert scan(block, datatypes="").literals == {}


# Of everything that a plain line may have, and of what makes it malformed or not plain.
PIECES = [
    b"<", b">", b"http://", b"a.example", b"a:", b":", b"80", b"/", b"//", b"?", b"#", b"%", b"%2F",
    b"[::1]", b"@", b"\\", b"\\n", b"\\u0061", b'"', b" ", b"\t", b"\x00", b"\r", b"_:b", b".",
    b"-", b"en", b"-GB", b"@de", b"^^", b"<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>",
    b"<http://www.w3.org/2001/XMLSchema#date>", b"<a:p>", "é".encode(), b"\xe9", b"{", b"#c",
]  # fmt: skip
LINES = [
    b"<http://a.example/1?b=%20#c> <a:p> <a:o> .", b'_:b <a:q> "x \\"y\\""@en-GB .',
    b'<urn:a:b> <a:p> "2026"^^<http://www.w3.org/2001/XMLSchema#date> .',
    b"<a:s> <a:p> <a:o> <a:g> .",
]  # fmt: skip


@st.composite
def changed_line(draw: st.DrawFn) -> bytes:
    line = draw(st.sampled_from(LINES))
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(line)))
        end = min(start + draw(st.integers(0, 2)), len(line))
        line = line[:start] + draw(st.sampled_from(PIECES)) + line[end:]
    return line


@given(line=changed_line(), quads=st.booleans())
def test_a_line_is_malformed_where_oxigraph_says_so(*, line: bytes, quads: bool) -> None:
    form = ox.RdfFormat.N_QUADS if quads else ox.RdfFormat.N_TRIPLES
    text = line.replace(b"\r", b"\n")
    rows, malformed = Scanner((), quads=quads).rows(line + b"\n")
    try:
        read = list(ox.parse(text, form))
    except SyntaxError:
        assert scan(line, quads=quads).malformed is not None
        assert malformed is not None
        return
    assert (rows, malformed) == (rows_of(line), None)
    result = scan(line, quads=quads, datatypes=XSD)
    assert result.malformed is None
    wanted = [quad for quad in read if quad.predicate.value == "a:p"]
    terms = [
        quad
        for predicate, value, graph in result.groups
        for quad in ox.parse(b"<a:> %b %b %b ." % (predicate, value, graph), form)
    ]
    assert [[*each][1:] for each in wanted] == [[*each][1:] for each in terms]
    # A datatype is looked for as it is written.
    if b"\\u" not in line:
        typed = [quad.object for quad in read if f"^^<{XSD}" in str(quad.object)]
        assert len(result.literals) == len(typed)


LINE = st.sampled_from([line for line in GOOD if b"<a:p>" in line])


@given(st.lists(LINE), st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_oxigraph_reads_the_same_statements(lines: list[bytes], end: bytes) -> None:
    text = b"".join(line + end for line in lines)
    wanted = [
        quad for quad in ox.parse(text, ox.RdfFormat.N_TRIPLES) if quad.predicate.value == "a:p"
    ]
    groups = scan(text).groups
    assert sum(number for _, number in groups.values()) == len(wanted)
    read = b"".join(
        subject + b" %b %b .\n" % key[:2]
        for key, (subjects, _) in groups.items()
        for subject in subjects.splitlines()
    )
    assert sorted(map(str, ox.parse(read, ox.RdfFormat.N_TRIPLES))) == sorted(map(str, wanted))


@given(
    st.lists(LINE), st.sampled_from([b"\n", b"\r\n", b"\r"]), st.sampled_from([b"", b"#\n", b" "])
)
def test_a_run_has_all_lines_of_a_subject_that_stand_together(
    lines: list[bytes], end: bytes, between: bytes
) -> None:
    text = b"".join(line + end + between * (number % 2) for number, line in enumerate(lines))
    runs = runs_of(text)
    of_runs = [rows_of(text[start:end]) for _, start, end in runs]
    assert [row for rows in of_runs for row in rows] == rows_of(text)
    assert [{row[0] for row in rows} for rows in of_runs] == [{run[0]} for run in runs]
    for run, following in pairwise(runs):
        assert run[0] != following[0] or between == b"#\n"
