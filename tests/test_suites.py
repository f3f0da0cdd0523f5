"""Tables that other people wrote, against the function whose rules each follows."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from cturi_rdf import ContentType, ContentTypeError, MappingError, from_uri, to_uri

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Reading = tuple[str, dict[str, str]] | None


def _cases(path: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cases"]
    assert cases, f"{path.name} holds nothing to check"
    return cases


def _strict(text: str) -> Reading:
    try:
        content_type = ContentType.parse(text)
    except ContentTypeError:
        return None
    return content_type.essence, dict(content_type.parameters)


def _lenient(text: str) -> Reading:
    content_type = ContentType.recover(text).content_type
    return content_type and (content_type.essence, dict(content_type.parameters))


def _by_http(text: str) -> Reading:
    try:
        content_type = ContentType.parse(text, rules="http")
    except ContentTypeError:
        return None
    return content_type.essence, dict(content_type.parameters)


def _by_mail(text: str) -> Reading:
    content_type = ContentType.recover(text, rules="mail").content_type
    return content_type and (content_type.essence, dict(content_type.parameters))


def _wanted(case: dict[str, Any]) -> Reading:
    return None if case["error"] else (case["expected_type"], case["expected_params"])


def _differences(cases: list[dict[str, Any]], door: Callable[[str], Reading]) -> set[str]:
    """Return the ids of the rows on which a door and its table disagree."""
    differ = set()
    for case in cases:
        got, wanted = door(case["input"]), _wanted(case)
        if got and wanted and wanted[1] is None:  # parameters not asserted by the table
            got = (got[0], wanted[1])  # type: ignore[assignment]
        if got != wanted:
            differ.add(case["id"])
    return differ


@pytest.mark.parametrize("name", ["wpt-mime-types", "wpt-generated-mime-types"])
def test_the_lenient_door_reads_what_browsers_read(shared: Path, name: str) -> None:
    # All 955 rows, without exception.
    assert _differences(_cases(shared / f"suites/wpt/{name}.json"), _lenient) == set()


@pytest.mark.parametrize("name", ["wpt-mime-types", "wpt-generated-mime-types"])
def test_what_browsers_serialise_is_read_strictly_as_the_same(shared: Path, name: str) -> None:
    serialised = [
        c["serialized"] for c in _cases(shared / f"suites/wpt/{name}.json") if "serialized" in c
    ]
    assert len(serialised) > 50
    for text in serialised:
        # "*" alone is a name to both; the strict door knows RFC 2231 besides.
        assert _strict(text) == _lenient(text), text


# Rows of each table on which its door and the table differ, with the rule that makes them so.
CPYTHON = {
    # It reads anything that it cannot parse as text/plain; so does RFC 2045 section 5.2 for a
    # header that is absent, but a broken one is an error here.
    "no type/subtype": {
        "cpython-no_subtype_in_content_type",
        "cpython-no_slash_in_content_type",
        "cpython-junk_text_in_content_type",
        "cpython-too_many_slashes_in_content_type",
        "cpython-bad_params",
    },
    "undecodable octets (surrogates) are an error": {
        "cpython-non_ascii_in_params",
        "cpython-non_ascii_rfc2231_value",
    },
    "an extended value has no quotes (RFC 2231 section 7)": {
        "cpython-rfc2231_encoded_with_double_quotes",
        "cpython-rfc2231_single_quote_inside_double_quotes",
        "cpython-rfc2231_single_quote_in_value_with_charset_and_lang",
        "cpython-rfc2231_encoded_no_charset",
        "cpython-rfc2231_partly_encoded",
        "cpython-rfc2231_partly_encoded_2",
        "cpython-rfc2231_encoded_then_unencoded_segments",
        "cpython-rfc2231_unencoded_then_encoded_segments",
        "cpython-rfc2231_quoted_unencoded_then_encoded_segments",
    },
    "an extended value says its charset (RFC 2231 section 4)": {
        "cpython-rfc2231_no_language_or_charset"
    },
    "an unknown charset cannot be decoded": {
        "cpython-rfc2231_unknown_charset_treated_as_ascii",
        "cpython-rfc2231_nonascii_in_charset_of_charset_parameter_value",
    },
    "octets that are not of the charset said": {
        "cpython-rfc2231_bad_character_in_charset_parameter_value",
        "cpython-rfc2231_utf8_in_supposedly_ascii_charset_parameter_value",
    },
}
JAKARTA = {
    "sections begin at 0 and have no gap (RFC 2231 section 3)": {
        "paramdata-6",
        "paramdata-7",
        "paramdata-8",
        "paramdata-9",
    },
    "two hex digits follow a percent sign (RFC 2231 section 7)": {"paramdata-10"},
}
JAKARTA_LENIENT = {
    "white space after '=' belongs to the value (WHATWG step 11.9)": {
        "paramdatanostrict-17",
        "paramdatanostrict-19",
        "paramdatanostrict-20",
    },
    "white space before '=' belongs to the name, which is then no token (step 11.10)": {
        "paramdatanostrict-21"
    },
}
JSHTTP = {
    "white space may stand between any two tokens (RFC 822; RFC 9110 has it not)": {"jshttp1-14"}
}
JSHTTP_HTTP = {"no white space around '=' (RFC 9110 section 5.6.6)": {"jshttp1-8"}}
JAKARTA_MAIL = {"encoded words are decoded (RFC 2047 section 5)": {"paramdatanostrict-22"}}
PERL = {
    "an empty header is an error; RFC 2045 section 5.2 speaks of an absent one": {"perl-strict-0"},
    "sections begin at 0 (RFC 2231 section 3)": {"perl-strict-30"},
}
PERL_LENIENT = {
    "what follows a quoted string is passed by up to ';' (WHATWG step 11.8)": {"perl-nonstrict-31"},
    "white space before '=' belongs to the name, which is then no token (step 11.10)": {
        "perl-nonstrict-32"
    },
    "an unquoted value goes up to ';' (step 11.9)": {"perl-nonstrict-36"},
}


@pytest.mark.parametrize(
    ("name", "is_strict", "door", "explained"),
    [
        ("cpython-headerregistry", True, _strict, CPYTHON),
        ("jakarta-paramdata", True, _strict, JAKARTA),
        ("jakarta-paramdata", False, _lenient, JAKARTA_LENIENT),
        ("jakarta-paramdata", False, _by_mail, JAKARTA_MAIL),
        ("jshttp-content-type-1.0.5", True, _strict, JSHTTP),
        ("jshttp-content-type-1.0.5", True, _by_http, JSHTTP_HTTP),
        ("perl-email-mime-contenttype", True, _strict, PERL),
        ("perl-email-mime-contenttype", False, _lenient, PERL_LENIENT),
        ("perl-email-mime-contenttype", False, _by_mail, {}),
    ],
)
def test_a_table_of_headers_is_read_as_its_rules_say_but_for_explained_rows(
    shared: Path,
    name: str,
    is_strict: bool,
    door: Callable[[str], Reading],
    explained: dict[str, set[str]],
) -> None:
    cases = _cases(shared / f"suites/headers/{name}.json")
    chosen = [case for case in cases if case.get("strict", True) is is_strict]
    assert chosen
    assert _differences(chosen, door) == set().union(*explained.values())


# Go's serialiser also takes what is no content type: the reason by row.
GO = {
    "go-format-0": "a type without a subtype",
    "go-format-3": "a type without a subtype",
    "go-format-4": "a type without a subtype",
    "go-format-5": "a type without a subtype",
    "go-format-15": "control characters are refused, even when encoded",
    "go-format-18": "a type without a subtype",
}


def test_a_value_is_printed_as_go_prints_it(shared: Path) -> None:
    differ = set()
    for case in _cases(shared / "suites/headers/go-format-mediatype.json"):
        type_, _, subtype = case["type"].partition("/")
        try:
            printed = str(ContentType(type_, subtype, dict(sorted(case["params"].items()))))
        except ContentTypeError:
            printed = None
        if printed != case["expected"]:
            differ.add(case["id"])
    assert differ == set(GO)


def _uri_cases(shared: Path, *, valid: bool) -> list[dict[str, Any]]:
    cases = json.loads((shared / "suites/uri/uri_cases.json").read_text("utf-8"))
    return [case for case in cases if case["valid"] is valid]


# Rows that their source calls valid and RFC 3986 does not derive: other RFCs registered the
# forms, RDF tools refuse them, and so does the mapping.
NOT_RFC_3986 = {
    "iax:[2001:db8::1]:4569/alice?friends": "brackets in a path (section 3.3)",
    "aaa://host.example.com:6666;transport=tcp": "a port that is no number (section 3.2.3)",
    "aaa://host.example.com:6666;protocol=diameter": "a port that is no number (section 3.2.3)",
    "aaa://host.example.com:6666;transport=tcp;protocol=diameter": "a port that is no number",
    "aaa://host.example.com:1813;transport=udp;protocol=radius": "a port that is no number",
}


def test_every_valid_absolute_uri_and_iri_maps_and_comes_back_exactly(shared: Path) -> None:
    absolute = [
        case["input"]
        for case in _uri_cases(shared, valid=True)
        if case["kind"] in {"uri", "iri", "absolute-iri"}
    ]
    assert len(absolute) > 450
    refused = set()
    for uri in absolute:
        try:
            assert to_uri(from_uri(uri, query="opaque")) == uri
        except MappingError:
            refused.add(uri)
    assert refused == set(NOT_RFC_3986)


# Rows that are invalid to their source and yet mapped, with the reason.
MAPPED_ALL_THE_SAME = {
    "https://example.org/foobar®.txt": "no URI, but an IRI",
    "http://example.com/settings/%00/": "legal by RFC 3986; a file system's rule",
    "http://example.com:65536/index.html": "legal by RFC 3986; a transport's rule",
    "http://example.com?#frag": "an empty query is legal by RFC 3986",
    "http://example.com?q=%GG": "the draft's spelling has bare percent signs in a query",
    "http:": "a legal absolute URI; the row is one of schemes",
}


def test_no_invalid_uri_maps_without_a_reason(shared: Path) -> None:
    mapped = set()
    for case in _uri_cases(shared, valid=False):
        with suppress(MappingError):
            from_uri(case["input"])
            mapped.add(case["input"])
    assert mapped == set(MAPPED_ALL_THE_SAME)
