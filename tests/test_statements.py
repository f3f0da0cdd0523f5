"""The grammar of a line of N-Triples or N-Quads, as Python reads it and as C does."""

from __future__ import annotations

import mmap
import sys

import pyoxigraph
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cturi_rdf.reading import ntriples
from cturi_rdf.reading.ntriples import Scanner, find

COMPILED = pytest.mark.skipif(
    ntriples._find is find, reason="the package was built without a C compiler"
)
FINDS = [find, pytest.param(ntriples._find, marks=COMPILED)]
TRIPLES, QUADS = False, True
PREDICATES = (b"<a:p>", b"<http://purl.org/dc/terms/format>")
TYPES = b"<a:t"

GOOD = [
    b"", b" \t", b"# any comment", "  # commenté".encode(),
    b"<a:s> <a:p> <a:o> .", b"<a:s><a:p><a:o>.", b"\t<a:s>\t<a:p>\t<a:o>\t.\t# so", b"<> <> <> .",
    b'<a:s> <a:p> "" .', b'<a:s> <a:p> "x"@en .', b'<a:s> <a:p> "x"@en-GB-1996.',
    b'<a:s> <a:p> "x"^^<a:t> .', b'<a:s> <a:p> "x" ^^ <a:t>.', b'<a:s> <a:p> "\x00#<>" .',
    b'<a:s> <a:p> "\\t\\b\\n\\r\\f\\"\\\'\\\\ \\u00e9 \\U0001F600" .', b"<a:\\u00e9> <a:p> _:b .",
    b"_:b <a:p> _:b.", b"_:0.b-c <a:p> _:b..c .", b"_:a- <a:p> _:a-.b .",
    '_:é <a:é> "é€😀" .'.encode(), b"_:a:b<a:p>_:_ .",
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
    b'<a:s> <a:p> "\xed\xa0\x80" .', b'<a:s> <a:p> "\xf4\x90\x80\x80" .', b"# \xff",
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


@pytest.mark.parametrize("reads", FINDS)
@pytest.mark.parametrize("line", GOOD)
def test_a_line_of_the_grammar_is_read(reads: object, line: bytes) -> None:
    for quads in (TRIPLES, QUADS):
        groups, malformed, lines, *_ = reads(line + b"\n", (), quads, b"")
        assert (groups, malformed, lines) == ({}, [], 1)


@pytest.mark.parametrize("reads", FINDS)
@pytest.mark.parametrize("line", BAD)
def test_any_other_line_is_malformed(reads: object, line: bytes) -> None:
    for quads in (TRIPLES, QUADS):
        assert reads(b"\n" + line + b"\n\n", PREDICATES, quads, TYPES) == ({}, [1], 3, False, {})


@pytest.mark.parametrize("reads", FINDS)
@pytest.mark.parametrize("line", GRAPHS)
def test_a_graph_is_named_in_n_quads_only(reads: object, line: bytes) -> None:
    assert reads(line + b"\n", (), TRIPLES, b"")[1] == [0]
    assert reads(line + b"\n", (), QUADS, b"")[1] == ([] if GRAPHS[line] else [0])


@pytest.mark.parametrize("reads", FINDS)
def test_statements_with_a_predicate_are_grouped_by_what_follows_their_subject(
    reads: object,
) -> None:
    block = b'<a:1> <a:p> "x" .\n<a:2> <a:q> "<a:p>" .\n_:b <a:p> "x" .\n<a:1> <a:p> "x"  .\n'
    groups = {b'<a:p> "x" .': (b"<a:1>\n_:b\n", 2), b'<a:p> "x"  .': (b"<a:1>\n", 1)}
    assert reads(block, PREDICATES, TRIPLES, TYPES) == (groups, [], 4, True, {})


@pytest.mark.parametrize("reads", FINDS)
def test_a_predicate_with_an_escape_may_be_any(reads: object) -> None:
    assert reads(b"_:b <a:\\u0071> _:c .\n", PREDICATES, TRIPLES, TYPES)[0] == {
        b"<a:\\u0071> _:c .": (b"_:b\n", 1)
    }


@pytest.mark.parametrize("reads", FINDS)
def test_literals_with_a_datatype_are_counted_as_they_are_written(reads: object) -> None:
    rows = [
        b'<a:1> <a:p> "x"^^<a:t> .', b'<a:2> <a:q> "x"^^<a:t>.', b'<a:1> <a:q> "x" ^^ <a:type> .',
        b'<a:1> <a:q> "x"^^<a:u> .', b'<a:1> <a:q> "x"@t .', b"<a:1> <a:q> <a:t> .",
        b'<a:1> <a:q> "\\"x\\"^^<a:t>" . # "x"^^<a:t>', b'<a:1> "x"^^<a:t> .',
    ]  # fmt: skip
    block = b"\n".join([*rows, b""])
    assert reads(block, (), TRIPLES, TYPES)[4] == {b'"x"^^<a:t>': 2, b'"x" ^^ <a:type>': 1}
    assert reads(block, (), TRIPLES, b"")[4] == {}


@pytest.mark.parametrize("reads", FINDS)
@pytest.mark.parametrize(
    ("block", "error"), [(b"<a:s> <a:p> <a:o> .", ValueError), ("a\n", TypeError)]
)
def test_a_block_is_bytes_of_whole_lines(reads: object, block: object, error: type) -> None:
    with pytest.raises(error):
        reads(block, PREDICATES, TRIPLES, TYPES)


@COMPILED
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere what is empty takes memory too")
def test_a_line_may_be_longer_than_2_gib() -> None:
    # Private pages that nobody has written to are all one page of zeros.
    with mmap.mmap(-1, (1 << 31) + 8, mmap.MAP_PRIVATE) as block:
        block[-1:] = b"\n"
        assert ntriples._find(block, PREDICATES, TRIPLES, TYPES) == ({}, [0], 1, False, {})


@COMPILED
def test_what_is_of_another_kind_is_refused() -> None:
    for block, predicates in ((b"\n", [b"<a:p>"]), (b"\n", ("<a:p>",)), (None, PREDICATES)):
        with pytest.raises(TypeError):
            ntriples._find(block, predicates, TRIPLES, TYPES)


def test_lines_may_end_as_on_other_systems() -> None:
    scanner = Scanner([pyoxigraph.NamedNode("a:p")])
    found = scanner.scan(b"_:a <a:p> _:b .\r\nx\r_:c <a:p> _:b .\r")
    assert found == ({(b"<a:p>", b"_:b", b""): (b"_:a\n_:c\n", 2)}, [1], 3, True, {})


TOKENS = st.sampled_from([
    b"<a:s>", b"<a:p>", b"<", b">", b"a:p", b'"', b'"x"', b"\\", b"\\u0041", b"\\u00", b"\\uD800",
    b"\\U00110000", b"\\U0001F600", b"\\n", b"@en", b"@", b"-", b"^^", b"^", b"_:", b"_:b", b".",
    b"<a:t>", b"<a:ty>",
    b" ", b" ", b" .\n", b"\t", b"#", b"\n", b"\r", b"\x00", b"0", "é".encode(), "😀".encode(),
    b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xe0\xa0", b"{", b":", b"a:b/" * 7,
])  # fmt: skip
LINES = st.lists(st.sampled_from([*GOOD, *BAD, *GRAPHS]) | st.lists(TOKENS).map(b"".join))


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """Return lines with a byte of them taken out, or a piece put in."""
    block = b"\n".join(draw(LINES))
    at = draw(st.integers(0, len(block)))
    return block[:at] + draw(TOKENS) + block[at + draw(st.integers(0, 1)) :]


@COMPILED
@given(block=changed() | st.lists(TOKENS).map(b"".join) | st.binary(), quads=st.booleans())
def test_c_reads_what_python_reads(block: bytes, quads: bool) -> None:
    block += b"\n"
    assert ntriples._find(block, PREDICATES, quads, TYPES) == find(block, PREDICATES, quads, TYPES)


@given(LINES)
@example([b"<a:s> <a:p> <a:o> ."])
def test_what_oxigraph_reads_is_not_malformed(lines: list[bytes]) -> None:
    block = b"".join(line + b"\n" for line in lines if _is_read(line))
    assert find(block, PREDICATES, TRIPLES, TYPES)[1] == []


def _is_read(line: bytes) -> bool:
    try:
        # It does not look whether a comment is UTF-8.
        line.decode()
        list(pyoxigraph.parse(line, pyoxigraph.RdfFormat.N_TRIPLES))
    except (SyntaxError, UnicodeDecodeError):
        return False
    return b"\r" not in line and b"\n" not in line


@COMPILED
def test_c_groups_as_python_does_however_many_groups_there_are() -> None:
    block = b"".join(
        b'<a:%d> <a:p> "%d" .\n' % (each, each * each % 5_003) for each in range(9_999)
    )
    assert ntriples._find(block, PREDICATES, TRIPLES, TYPES) == find(
        block, PREDICATES, TRIPLES, TYPES
    )


@COMPILED
@given(st.data())
def test_c_reads_what_was_read_before_as_python_reads_it_anew(data: st.DataObject) -> None:
    # More predicates than are remembered, of the same sizes, in an order that changes.
    names = st.integers(0, 40).map(lambda each: b"<a:%02d>" % each) | st.just(b"<a:p>")
    starts = st.sampled_from([b"<a:s>", b"<a:s", b"_:s", b"_:ss", b"<a:\\u0041>"])
    lines = data.draw(st.lists(st.tuples(starts, names, st.sampled_from([b" _:o .", b" _:o"]))))
    block = b"".join(b"".join(line) + b"\n" for line in lines * 2)
    assert ntriples._find(block, PREDICATES, TRIPLES, TYPES) == find(
        block, PREDICATES, TRIPLES, TYPES
    )
