"""Faults of an entity and its header by RFC 7303, and ``cturi encoding``."""

from __future__ import annotations

import gzip
import json
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.reading.formats import COMPRESSIONS
from cturi_rdf.xml import lint
from cturi_rdf.xml.doctype import recursion

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write

GOOD = b"<?xml version='1.0' encoding='utf-8'?>\n<a/>"
PACKED = gzip.compress(GOOD, mtime=0)
CONFLICT = b"\xfe\xff" + "<?xml version='1.0'?><a/>".encode("utf-16-be")


# A header, an entity, and the codes of the findings.
FAULTS = [
    # Nothing to say, also of what is only not the best.
    ("application/xml; charset=utf-8", GOOD, ""),
    ("text/xml", GOOD, ""),
    ("image/svg+xml", b"\xef\xbb\xbf<svg/>", ""),
    ("application/xml; charset=iso-8859-1", "<a>é</a>".encode("latin-1"), ""),
    ("application/xml; charset=utf-16", CONFLICT, ""),
    (
        "application/xml",
        "\ufeff<?xml version='1.1' encoding='utf-16'?><a/>".encode("utf-16-le"),
        "",
    ),
    ("application/xml", "<?xml version='1.0' encoding='ibm037'?><a/>".encode("cp037"), ""),
    (None, "<?xml version='1.0' encoding='ISO-10646-UCS-4'?><a/>".encode("utf-32-le"), "utf-32"),
    ("text/xml; charset=IBM038", b"<a/>", "unreadable"),
    ("application/xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;<p:q/></a>", ""),
    ("application/xml", b"<!DOCTYPE a SYSTEM 'a.dtd'><a>&b;</a>", ""),
    ("text/xml-external-parsed-entity", b"<?xml encoding='utf-8'?>a<b/>c<d/>", ""),
    ("text/xml-external-parsed-entity", b"", ""),
    ("application/xml-dtd", b"<?xml encoding='utf-8'?><!ELEMENT a EMPTY>", ""),
    (None, GOOD, ""),
    # The sources of the encoding.
    ("application/xml; charset=latin1", CONFLICT, "bom-charset"),
    ("text/xml; charset=latin1", GOOD, "charset-declaration"),
    ("text/xml; charset:utf-8", GOOD, "header"),
    # The octets.
    ("application/xml", b"<a>\xe9</a>", "undecodable"),
    (None, b"<?xml version='1.0' encoding='bogus'?><a/>", "declaration-unregistered unreadable"),
    ("application/xml; charset=us-ascii", "<a>é</a>".encode(), "undecodable"),
    # Entities that contain themselves (XML 1.0 section 4.1), used or not.
    ("application/xml", b"<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;</a>", "entity-recursion"),
    (
        "application/xml",
        b"<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f 'x&#38;e;'>]><a/>",
        "entity-recursion",
    ),
    ("application/xml", b"<!DOCTYPE a [<!ENTITY % e '&#x25;e;'> %e;]><a/>", "entity-recursion"),
    (
        "application/xml",
        (
            b"<!DOCTYPE a [<!ENTITY e '&f;&f;'><!ENTITY f 'x'><!ENTITY f '&e;'>"
            b"<!ENTITY g '<![CDATA[&g;]]><!--&g;--><?g &g;?>'>]><a>&e;&g;</a>"
        ),
        "",
    ),
    # Attributes of all types, one after the other.
    (
        "image/svg+xml",
        b"<!DOCTYPE svg [<!ATTLIST g id ID #IMPLIED visible (yes|no) 'yes'>]><svg/>",
        "",
    ),
    # The kind (section 4.1): documents, parsed entities and DTDs are not the same.
    ("application/xml", b"<!ELEMENT a EMPTY>", "not-well-formed"),
    ("application/xml", b"a<b/>", "not-well-formed"),
    ("application/xml", b"<a>&b;</a>", "not-well-formed"),
    ("application/whatever+xml", b"{}", "not-well-formed"),
    ("application/xml", b"<?xml encoding='utf-8'?><a/>", "declaration-kind not-well-formed"),
    ("text/xml-external-parsed-entity", b"<?xml version='1.0'?><a/>", "declaration-kind"),
    ("text/xml-external-parsed-entity", b"<!DOCTYPE a><a/>", "not-well-formed"),
    ("application/xml-dtd", b"<a/>", "not-a-dtd"),
    ("application/xml-dtd", b"<!ATTLIST a xml:base CDATA 'http://x/'>", "base-default"),
    ("text/plain", GOOD, "not-xml"),
]


# XML 1.0 productions 9, 10 and 66: what a reference may be.
GOOD_VALUES = ["&b;&#65;&#x41;", "a"]
BAD_VALUES = ["&", "&b", "&;", "&#;", "&#xg;", "&#a;"]
DECLARED = "<!ENTITY b 'c'><!ENTITY d '{0}'>", "<!ENTITY b 'c'><!ATTLIST a d CDATA '{0}'>"


@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("value", [*GOOD_VALUES, *BAD_VALUES, "%", "%p;", "<"])
def test_the_values_of_entities_and_the_defaults_of_attributes_are_well_formed(
    declared: str, value: str
) -> None:
    # A default may have a percent sign, and the value of an entity a tag.
    good = [*GOOD_VALUES, *(["<"] if "ENTITY d" in declared else ["%", "%p;"])]
    findings = lint("application/xml", f"<!DOCTYPE a [{declared.format(value)}]><a/>".encode())
    assert [finding.code for finding in findings] == ([] if value in good else ["not-well-formed"])


@pytest.mark.parametrize(("header", "data", "codes"), FAULTS)
def test_all_that_breaks_the_rfc_is_found(header: str | None, data: bytes, codes: str) -> None:
    found = lint(header, data)
    assert " ".join(finding.code for finding in found) == codes
    assert all("section" in finding.rule for finding in found)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"<a>\n<b>\n</a>", "mismatched tag, line 3"),
        (b"<!DOCTYPE a [\r\n<!ENTITY b\n'c'\n>\r]>\n<a></b>", "mismatched tag, line 6"),
        (b"\n<!DOCTYPE a []", "a document type declaration, line 2"),
        (b"<!DOCTYPE a [\n\n<!ENTITY b>]><a/>", "an entity declaration, line 3"),
        (b"<!DOCTYPE a [\n<!ATTLIST b c>]><a/>", "an attribute-list declaration, line 2"),
    ],
)
def test_a_finding_says_where(data: bytes, problem: str) -> None:
    (finding,) = lint("application/xml", data)
    assert finding.problem == f"not well-formed: {problem}"


@pytest.mark.parametrize(
    ("members", "shown"),
    [
        (1, "&e0; in &e0;"),
        (2, "&e0; in &e1; in &e0;"),
        (5, "&e0; in &e4; in &e3; in &e2; in &e1; in &e0;"),
        (6, "… in &e4; in &e3; in &e2; in &e1; in &e0;"),
        (7, "… in &e4; in &e3; in &e2; in &e1; in &e0;"),
    ],
)
def test_of_a_circle_of_entities_the_first_five_are_shown(members: int, shown: str) -> None:
    circle = [f"<!ENTITY e{n} '&#38;e{(n + 1) % members};'>" for n in range(members)]
    assert recursion(f"<!DOCTYPE a [\n{' '.join(circle)}]><a/>") == (2, shown)


@pytest.mark.slow
def test_a_recursive_entity_is_named_with_its_line() -> None:
    data = b"<!DOCTYPE a [\n<!ENTITY d '&e;'>\n<!ENTITY e '&f;'>\n<!ENTITY f '&e;'>]>\n<a/>"
    (finding,) = lint("application/xml", data)
    assert str(finding) == (
        "must: an entity contains itself: &e; in &f; in &e;, line 3 (XML 1.0 section 4.1)"
    )
    names = [f"e{n}" for n in range(50_000)]
    pairs = zip(names, [*names[1:], "e0"], strict=True)
    circle = "".join(f"<!ENTITY {a} '&{b};'>" for a, b in pairs)
    (finding,) = lint("application/xml", f"<!DOCTYPE a [{circle}]><a/>".encode())
    assert len(finding.problem) < 200


@given(
    st.sampled_from([None, "text/xml", "application/xml-dtd", "text/xml-external-parsed-entity"]),
    st.binary() | st.text("<>a/!?&;'\"[] xml=-]").map(str.encode),
)
def test_any_octets_are_linted(header: str | None, data: bytes) -> None:
    assert all(str(finding).count("\n") == 0 for finding in lint(header, data))


@pytest.fixture
def run(cturi: Cturi) -> Cturi:
    """Return a function that runs the command in this process."""
    return partial(cturi, "encoding")


def test_the_command_says_encoding_and_source(write: Write, run: Cturi) -> None:
    path = write("a.xml", CONFLICT)
    assert run(str(path)) == (0, "utf-16be\tbom\n", "")
    code, out, _ = run(str(path), "--content-type", "application/xml; charset=latin1")
    assert code == 0
    assert out.splitlines() == [
        "utf-16be\tbom",
        (
            "must: the byte order mark says utf-16be, the charset parameter iso-8859-1"
            " (RFC 7303 sections 3.2 and 8.9)"
        ),
    ]


def test_the_command_says_it_in_json(write: Write, run: Cturi) -> None:
    path = write("a.xml", GOOD)
    code, out, _ = run(str(path), "--json", "--content-type", "text/xml; charset=latin1")
    answer = json.loads(out)
    assert (code, out.count("\n")) == (0, 1)
    assert (answer["encoding"], answer["source"]) == ("iso-8859-1", "charset")
    assert [finding["code"] for finding in answer["findings"]] == ["charset-declaration"]
    answer = json.loads(run(str(path), "--json", "--content-type", "text/plain")[1])
    assert (answer["encoding"], answer["source"]) == (None, None)


def test_lint_fails_where_something_is_found(write: Write, run: Cturi) -> None:
    path = write("a.xml", GOOD)
    assert run(str(path), "--lint") == (0, "", "")
    path.write_bytes(b"<a>\xe9")
    code, out, err = run(str(path), "--lint", "--content-type", "text/xml")
    assert (code, err) == (1, "")
    assert out == "must: octet 4 is not of utf-8 (RFC 7303 section 3.1, XML 1.0 section 4.3.3)\n"
    code, out, _ = run(str(path), "--lint", "--json")
    assert (code, len(json.loads(out)["findings"])) == (1, 1)


def test_the_transport_counts(write: Write, run: Cturi) -> None:
    path = write("a.xml", CONFLICT)
    assert run(str(path), "--lint", "--content-type", "text/xml")[0] == 1
    assert run(str(path), "--lint", "--content-type", "text/xml", "--transport", "http")[0] == 0


def test_standard_input_and_packed_files_are_read(write: Write, run: Cturi) -> None:
    assert run("-", stdin=CONFLICT) == (0, "utf-16be\tbom\n", "")
    for compression in COMPRESSIONS:
        packed = compression.pack(CONFLICT)
        assert run("-", "--lint", stdin=packed)[:2] == (0, "")
        path = write("a.xml", packed)
        assert run(str(path), "--lint")[:2] == (0, "")


def test_the_command_says_what_a_fragment_points_at(write: Write, run: Cturi) -> None:
    path = write("a.xml", b"<a>\n<b xml:id='x'/></a>")
    assert run(str(path), "--fragment", "x") == (0, "utf-8\tdefault\nxpointer\tb\t/1/1\t2\n", "")
    code, out, _ = run(str(path), "--lint", "--fragment", "foo(bar)")
    assert (code, out) == (
        1,
        "should: the XPointer scheme foo() is not registered (RFC 7303 section 5)\n",
    )
    answer = json.loads(run(str(path), "--json", "--fragment", "element(/2)")[1])
    assert answer["fragment"] == {"by": "nobody", "reason": "it points at nothing here"}


def test_an_unknown_encoding_is_said_to_be_one(write: Write, run: Cturi) -> None:
    path = write("a.txt", GOOD)
    assert run(str(path), "--content-type", "text/plain")[1].startswith("unknown\tnone\n")


@pytest.mark.parametrize(
    ("name", "content", "arguments", "problem"),
    [
        ("none.xml", None, [], "No such file or directory"),
        ("a.xml", GOOD, ["--content-type", "garbage"], "the subtype is missing"),
        ("a.xml.gz", PACKED[:-9], ["--lint"], "ended before"),
        ("a.xml.gz", PACKED[:10] + b"\xff" * 20, [], "invalid"),
    ],
)
def test_what_cannot_be_used_is_said_on_one_line(
    tmp_path: Path, run: Cturi, name: str, content: bytes | None, arguments: list[str], problem: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    code, out, err = run(path, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err
    assert run(tmp_path).code == 2
