"""Character sets in labels: evidence of the bytes like one that is stated beside them."""

from __future__ import annotations

import pytest

from cturi_rdf import ContentType
from cturi_rdf.catalogue.evidence import Evidence, readings_of
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.labels import resolve
from cturi_rdf.labels.details import details
from cturi_rdf.rdf.terms import CHARSET, DCTERMS
from cturi_rdf.registry import registry
from cturi_rdf.registry.charsets import (
    charset_of,
    has_charset,
    known_charset,
    same_charset,
)

# Of IANA's names those of the character sets that most files are in.
STARTS = ("utf-", "iso-8859-", "windows-", "koi8", "shift_jis", "euc-", "big5")
RECORDS = {registry().charset(name) for name in registry().charset_names()}
NAMES = sorted(one.name for one in RECORDS if one and one.name.casefold().startswith(STARTS))
OTHER_SPELLINGS = [
    ("utf8", "UTF-8"), ("UTF 8", "UTF-8"), ("utf_16", "UTF-16"), ("latin1", "ISO-8859-1"),
    ("UTF-16 LE", "UTF-16LE"), ("ISO 8859-15", "ISO-8859-15"), ("Shift-JIS", "Shift_JIS"),
    ("UTF-8 with BOM", "UTF-8"),
    ("cp1252", "windows-1252"), ("Win-1251", "windows-1251"), ("CP437", "IBM437"),
]  # fmt: skip
FORMS = [
    ("CSV ({})", "CSV"), ("CSV\uff08{}\uff09", "CSV"), ("{} CSV", "CSV"), ("CSV, {}", "CSV"),
    ("text/csv ({})", "text/csv"), ("Zipped CSV ({})", "Zipped CSV"),
]  # fmt: skip


def _judged(*evidence: Evidence) -> tuple[object, ...]:
    return judge(evidence)[:4]


def _labelled(label: str) -> Evidence:
    return Evidence(DCTERMS.format.value, label, readings_of(resolve(label)))


@pytest.mark.parametrize(("form", "plain"), FORMS)
def test_a_character_set_in_a_label_is_evidence_as_one_beside_it_is(form: str, plain: str) -> None:
    assert len(NAMES) > 30
    for name in NAMES:
        label, stated = _labelled(form.format(name)), Evidence(CHARSET.value, name)
        assert _judged(label) == _judged(_labelled(plain), stated) == _judged(label, stated)


@pytest.mark.parametrize(
    ("spelling", "name"), [("utf8", "UTF-8"), ("latin1", "ISO-8859-1"), ("utf-8", "UTF-8")]
)
def test_two_spellings_of_a_character_set_beside_a_label_are_one(spelling: str, name: str) -> None:
    stated = [Evidence(CHARSET.value, one) for one in (spelling, name)]
    other = Evidence(CHARSET.value, "IBM037")
    [content] = judge([_labelled("CSV"), *stated]).contents
    assert same_charset(content.parameters["charset"], name)
    [content] = judge([_labelled("CSV"), *stated, other]).contents
    assert not content.parameters


@pytest.mark.parametrize(("spelling", "name"), OTHER_SPELLINGS)
def test_a_character_set_is_known_in_other_spellings(spelling: str, name: str) -> None:
    (found,) = resolve(f"CSV ({spelling})").types
    assert found.parameters == {"charset": name}


@pytest.mark.parametrize("form", [form for form, _ in FORMS])
def test_the_name_of_a_character_set_leaves_nothing_in_doubt(form: str) -> None:
    # A longer name, or one with brackets, is no single name in a label.
    known = [one.name for one in RECORDS if one and len(one.name) < 20 and "(" not in one.name]
    labels = [form.format(name) for name in ("cp1252", *filter(charset_of, known))]
    assert len(labels) > 200
    doubtful = [one for one in map(resolve, labels) if one.confidence != "certain"]
    assert [one.label for one in doubtful] == []
    assert [label for label in labels if details(label, resolve(label))] == []


# A word, a language or a number that is an alias of IANA; bytes that are no characters; a choice.
WITHOUT = ["CSV (Greek)", "CSV (DE)", "CSV (850)", "CSV (l1)", "PNG (UTF-8)", "Shapefile (UTF-8)",
           "CSV (UTF-8, UTF-16)", "CSV (ISO 19115)", "http://a.example/utf-8/CSV",
           "CSV"]  # fmt: skip


@pytest.mark.parametrize("label", WITHOUT)
def test_what_may_be_a_word_or_is_not_said_of_one_text_is_no_character_set(label: str) -> None:
    (found,) = resolve(label).types
    assert not found.parameters


@pytest.mark.parametrize("header", ["text/csv; header=absent; encoding=utf-8", "text/utf-8"])
def test_a_header_has_no_character_set_but_its_own(header: str) -> None:
    (found,) = resolve(header).types
    assert str(found) == header


def test_each_name_that_is_distinct_is_found_by_itself() -> None:
    for name in NAMES:
        assert charset_of(name) == name == known_charset(name)


# Types, and whether their bytes are characters: by their name, by an ancestor, or not.
CHARACTERS = [
    ("text/csv", True), ("text/x-unknown", True), ("application/csv", True),
    ("application/n-triples", True), ("application/json", True), ("application/ld+json", True),
    ("image/svg+xml", True), ("application/yaml", True), ("image/png", False),
    ("application/epub+zip", False), ("application/x-unknown", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CHARACTERS)
def test_the_bytes_of_text_json_xml_and_yaml_are_characters(text: str, expected: bool) -> None:
    assert has_charset(ContentType.parse(text)) is expected
