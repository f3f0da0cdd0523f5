"""Hostile XML: nothing is expanded, nothing is fetched, everything takes linear time."""

from __future__ import annotations

import socket
import tracemalloc
from typing import TYPE_CHECKING
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.errors import EntityError
from cturi_rdf.xml import encoding_of, lint, resolve_fragment
from cturi_rdf.xml.document import parse

if TYPE_CHECKING:
    from conftest import Write

LAUGHS = "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "ha">' for n in range(40)
)
BOMBS = {
    "in content": f"<!DOCTYPE a [{LAUGHS}]><a>&l39;<b/></a>",
    "in an attribute": f"<!DOCTYPE a [{LAUGHS}]><a c='&l39;'><b/></a>",
    "in a default": f"<!DOCTYPE a [{LAUGHS}<!ATTLIST a c CDATA '&l39;'>]><a><b/></a>",
    "quadratic": f"<!DOCTYPE a [<!ENTITY e '{'x' * 100_000}'>]><a c='{'&e;' * 30_000}'><b/></a>",
    "quadratic in content": (
        f"<!DOCTYPE a [<!ENTITY e '{'x' * 100_000}'>]><a>{'&e;' * 30_000}<b/></a>"
    ),
    "parameter entities": (
        '<!DOCTYPE a [<!ENTITY % p0 "&#37;p1;"><!ENTITY % p1 "'
        + "&#37;p0;" * 10_000
        + '"> %p0; %p1;]><a><b/></a>'
    ),
    "itself": "<!DOCTYPE a [<!ENTITY e '&e;'>]><a c='&e;'>&e;<b/></a>",
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_no_bomb_goes_off(bomb: str) -> None:
    data = bomb.encode()
    lint("application/xml", b"<a/>")  # The registry is loaded once.
    tracemalloc.start()
    try:
        assert encoding_of("application/xml", data).encoding == "utf-8"
        found = resolve_fragment("application/xml", "element(/1)", data)
        lint("application/xml", data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.element
    assert found.element.name == "a"
    assert peak < 30 * len(data) + 1_000_000


def test_an_entity_in_an_attribute_is_nobodys_id() -> None:
    _, by_id = parse("<!DOCTYPE a [<!ENTITY e 'x'>]><a xml:id='&e;'><b xml:id='x&e;'/></a>")
    assert not {"x", "xx", ""} & set(by_id)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ID", "CDATA", "NMTOKENS", "(p|q)", "( p | q )", "NOTATION (x|y)"]),
            st.sampled_from(["#IMPLIED", "#REQUIRED", "'p'", '#FIXED "p"']),
        ),
        max_size=6,
    )
)
def test_any_list_of_attributes_is_read(attributes: list[tuple[str, str]]) -> None:
    lists = " ".join(f"n{at} {kind} {value}" for at, (kind, value) in enumerate(attributes))
    text = f"<!DOCTYPE a [<!ATTLIST a {lists}>]><a n0='x' n1='y' n2='z'/>"
    _, by_id = parse(text)
    ids = {at for at, (kind, _) in enumerate(attributes[:3]) if kind == "ID"}
    assert set(by_id) == {"xyz"[at] for at in ids}


def test_nothing_external_is_opened(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = write("secret.dtd", "<!ATTLIST a key ID #IMPLIED>")

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("something was opened")

    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("io.open", refuse)
    monkeypatch.setattr(socket, "socket", refuse)
    data = (
        f'<!DOCTYPE a SYSTEM "{secret.as_uri()}" [<!ENTITY f SYSTEM "{secret.as_uri()}">'
        '<!ENTITY % g SYSTEM "http://127.0.0.1:9/"> %g;]><a key="k">&f;&undeclared;<b/></a>'
    ).encode()
    assert resolve_fragment("application/xml", "k", data).element is None
    assert resolve_fragment("application/xml", "element(/1)", data).element
    # What the entities would have held is not known, so the number of <b/> is not.
    assert resolve_fragment("application/xml", "element(/1/1)", data).element is None
    assert lint("application/xml", data) == ()


def test_expat_never_sees_a_declaration_of_the_authors(monkeypatch: pytest.MonkeyPatch) -> None:
    values: list[str | None] = []
    create = expat.ParserCreate

    def watched(**options: object) -> expat.XMLParserType:
        parser = create(**options)  # type: ignore[arg-type]
        parser.EntityDeclHandler = lambda _name, _is_parameter, value, *_: values.append(value)
        parser.AttlistDeclHandler = lambda *_: values.append("an attribute list")
        parser.ExternalEntityRefHandler = lambda *_: values.append("something external")
        return parser

    monkeypatch.setattr(expat, "ParserCreate", watched)
    parse(
        f"<!DOCTYPE a SYSTEM 'a.dtd' [{LAUGHS}<!ATTLIST a b CDATA 'c'><!ENTITY x SYSTEM 'y'>"
        "<!ENTITY % p 'q'> %p;]><a>&x;&l39;</a>"
    )
    assert len(values) == 41
    assert {*values} == {f"\ufdd0{name}" for name in ("x", *(f"l{n}" for n in range(40)))}


@pytest.mark.parametrize(
    "text",
    [
        # Things that expat would skip where the author's declaration could hide behind them.
        "\ufeff<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY e 'x'>]><!DOCTYPE a [<!ENTITY f 'x'>]><a>&f;</a>",
        "<!DOCTYPE a [<!ENTITY e 'x' --><!ENTITY f 'y'>]><a>&f;</a>",
        "<!DOCTYPE a [<!ENTITY e 'x'>",
        "<!DOCTYPE\u00a0a [<!ENTITY e 'x'>]><a/>",
        "<!DOCTYPE a [<!-- -- -->]><a/>",
        "<!DOCTYPE a [<!ELEMENT a>]><a/>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA>]><a/>",
        "<!DOCTYPE a [<!ENTITY e SYSTEM>]><a/>",
        "<!DOCTYPE a [%;]><a/>",
        "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&f;</a>",
        "x<!DOCTYPE a [<!ENTITY e 'x'>]><a/>",
        "<a><!DOCTYPE a [<!ENTITY e 'x'>]></a>",
        "<a>\ud800</a>",
        "<a>\x00</a>",
    ],
)
def test_what_is_not_well_formed_is_refused_not_repaired(text: str) -> None:
    with pytest.raises(EntityError, match="not well-formed"):
        parse(text)


@pytest.mark.parametrize("text", ["<a>\n\r\n<b>\ud800</b></a>", "<!DOCTYPE a [\n\n]><a>\udfff</a>"])
def test_the_line_of_half_a_surrogate_pair_is_told(text: str) -> None:
    with pytest.raises(EntityError, match="a surrogate, line 3"):
        parse(text)


@pytest.mark.daily(2)
@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize(
    "data",
    [
        b"<" * 1_000_000,
        pytest.param(b"<a>" * 300_000, marks=pytest.mark.slow),
        b"<!DOCTYPE a [" + b"<!ENTITY e '" * 80_000,
        b"<!DOCTYPE a [" + b"<!--" * 250_000,
        b"<!DOCTYPE a [" + b"<!ATTLIST a b ID #IMPLIED>" * 40_000,
        b"<!DOCTYPE a [<!ATTLIST a" + b" b CDATA 'c'" * 80_000 + b">]>" + b"<a>" * 9,
        b"<!DOCTYPE a [<!ATTLIST a b " + b"(" * 900_000,
        b"<!DOCTYPE a [<!ENTITY e '" + b"<!--" * 200_000 + b"'>]><a/>",
        b"<!DOCTYPE a [<!ENTITY e '" + b"&#" * 400_000 + b"'>]><a/>",
        b"<?xml version='1.1'?><a>" + b"&#0" * 300_000 + b"</a>",
        "".join(chr(n) for n in range(0x4E00, 0xD7FF)).encode() * 8,
        b"<!DOCTYPE a [<!ELEMENT a " + b"(" * 900_000 + b"]>",
        b"<!DOCTYPE a [<!ENTITY % " + b"% " * 400_000 + b"]>",
        b"<!DOCTYPE a [" + b"%e;" * 300_000 + b"]><a/>",
        b"<!--" + b"-" * 1_000_000,
        b"<?x " + b"?" * 1_000_000,
        b"<a " + b"b='c' " * 150_000 + b"/>",
        b"<a " + b" ".join(b"b%d='c'" % n for n in range(80_000)) + b"/>",
        b"".join(b"<a xmlns:n%d='u'>" % n for n in range(50_000)),
        b"<a>" + b"&amp;" * 200_000 + b"</a>",
        b"<a>" + b"<b/>" * 250_000 + b"</a>",
        bytes(range(256)) * 4_000,
    ],
)
def test_a_megabyte_of_nonsense_takes_linear_time(data: bytes) -> None:
    # No clock: if a step were quadratic, this would take hours.
    found = resolve_fragment("application/xml", "element(/1/1)", data)
    assert found.reason or found.element
    assert all(finding.rule for finding in lint("application/xml", data))
