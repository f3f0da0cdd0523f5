"""The facts that the name of a type implies by RFC 7303."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING

import pytest

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.registry import registry
from cturi_rdf.xml import facts_of, is_xml
from cturi_rdf.xml.kinds import DOCUMENT, DTD_SUBSET, PARAMETER_ENTITY, PARSED_ENTITY, is_governed

if TYPE_CHECKING:
    from pathlib import Path


NAMES = [
    ("application/xml", True, (DOCUMENT,), None, True, "xml:base"),
    ("text/xml", True, (DOCUMENT,), "application/xml", True, "xml:base"),
    ("TEXT/XML; charset=utf-8", True, (DOCUMENT,), "application/xml", True, "xml:base"),
    ("application/xml-external-parsed-entity", True, (PARSED_ENTITY,), None, True, "xml:base"),
    (
        "text/xml-external-parsed-entity",
        True,
        (PARSED_ENTITY,),
        "application/xml-external-parsed-entity",
        True,
        "xml:base",
    ),
    ("application/xml-dtd", False, (DTD_SUBSET, PARAMETER_ENTITY), None, True, None),
    ("image/svg+xml", True, (DOCUMENT,), None, True, "xml:base"),
    ("application/nobody.registered+xml", True, (DOCUMENT,), None, True, "xml:base"),
    ("application/+xml", True, (DOCUMENT,), None, True, "xml:base"),
    # Only the last suffix makes one, and never a parameter.
    ("application/a+xml+zip", False, (), None, None, None),
    ("application/a; b=c+xml", False, (), None, None, None),
    ("audio/amr-wb+", False, (), None, None, None),
    ("text/xml-dtd", False, (), None, None, None),
    ("image/xml", False, (), None, None, None),
    ("application/uri.http%3A%2F%2Fa+xml", False, (), None, None, None),
    ("text/csv", False, (), None, None, None),
]


@pytest.mark.parametrize(("text", "xml", "kinds", "recommended", "charset", "base_uri"), NAMES)
def test_the_name_says_what_the_entity_is(
    text: str,
    xml: bool,
    kinds: tuple[str, ...],
    recommended: str | None,
    charset: bool | None,
    base_uri: str | None,
) -> None:
    facts = facts_of(text)
    assert facts.is_xml is xml is is_xml(ContentType.parse(text))
    assert facts.kinds == kinds
    assert (facts.recommended and facts.recommended.essence) == recommended
    assert (facts.charset, facts.base_uri) == (charset, base_uri)
    assert ("element()" in facts.fragments) is is_governed(ContentType.parse(text))


def test_the_types_of_the_rfc_are_as_the_rfc_says(shared: Path) -> None:
    facts = json.loads((shared / "registry/rfc7303-facts.json").read_text("utf-8"))
    for row in facts["types"]:
        found = facts_of(row["media_type"])
        assert found.is_xml is row["represents_xml_mime_entity"]
        assert (found.alias_of and found.alias_of.essence) == row["alias_of"]
        assert [alias.essence for alias in found.aliases] == (row.get("alias") or [])
        assert (found.base_uri == "xml:base") is row["xml_base"]
        assert found.charset is (row["charset_param"] == "optional")
        assert found.fragments[:2] == ("XPointer", "element()")


def test_every_registered_xml_type_is_a_document_and_has_a_base_type() -> None:
    names = [each.essence for each in registry().media_types() if each.essence.endswith("+xml")]
    assert len(names) > 400
    for name in names:
        facts = facts_of(name)
        assert facts.is_xml
        assert facts.structure.base == ContentType("application", "xml")


def test_svg_adds_its_own_fragments() -> None:
    assert facts_of("image/svg+xml").fragments[-2:] == ("svgView()", "Media Fragments")


def test_facts_are_frozen_values() -> None:
    facts = facts_of("text/xml")
    assert facts == facts_of("text/xml; charset=utf-8") == pickle.loads(pickle.dumps(facts))  # noqa: S301 - our own
    assert hash(facts) == hash(copy.deepcopy(facts))
    with pytest.raises(AttributeError):
        facts.is_xml = False  # type: ignore[misc]


def test_what_is_no_type_is_refused() -> None:
    with pytest.raises(ContentTypeError):
        facts_of("xml")
