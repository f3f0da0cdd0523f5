"""A function that takes a value, or its text, gives one answer for both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rdflib.compare import to_isomorphic

from cturi_rdf import ContentType
from cturi_rdf.labels import resolve
from cturi_rdf.mime import Message
from cturi_rdf.mime.mailbox import Mailbox
from cturi_rdf.negotiation import Negotiator, best, quality
from cturi_rdf.rdf import describe
from cturi_rdf.rdf.formats import rdf_format, rdflib_format
from cturi_rdf.uri.rfc2392 import Reference
from cturi_rdf.xml.kinds import facts_of, transfer_of
from cturi_rdf.xml.registration import Registration, lint_registration

if TYPE_CHECKING:
    from collections.abc import Callable

FORM = "Type name: application\nSubtype name: rdf+xml\nFragment identifiers: none"
TYPES = ["application/rdf+xml", "text/turtle; charset=utf-8", "application/ld+json", "text/xml"]
OF_A_TYPE: dict[str, Callable[[ContentType | str], object]] = {
    "describe": lambda one: to_isomorphic(describe(one)).graph_digest(),
    "facts_of": facts_of,
    "lint_registration": lambda one: lint_registration(FORM, one),
    "best": lambda one: str(best("text/*", [one])),
    "Negotiator": lambda one: Negotiator([one]).negotiate("text/*"),
    "quality": lambda one: quality("text/*", one),
    "rdf_format": rdf_format,
    "rdflib_format": rdflib_format,
    "transfer_of": lambda one: transfer_of(one, "utf-16", "mail"),
}


@pytest.mark.parametrize("text", TYPES)
@pytest.mark.parametrize("name", OF_A_TYPE)
def test_a_type_and_its_text_have_one_answer(name: str, text: str) -> None:
    answer = OF_A_TYPE[name]
    assert answer(ContentType.parse(text)) == answer(text)
    assert {str(answer(each)) for each in TYPES} != {str(answer(text))}


def test_a_form_of_registration_and_its_text_have_one_answer() -> None:
    assert lint_registration(Registration.read(FORM)) == lint_registration(FORM) != []


def test_a_label_has_other_readings_by_types_and_by_their_texts() -> None:
    meaning, others = resolve("CSV"), ["text/html", "text/csv"]
    read = meaning.or_else(map(ContentType.parse, others))
    assert read == meaning.or_else(others)
    assert len(read.alternatives) == 2


@pytest.mark.parametrize("url", ["mid:one@a", "mid:one@a/c@a", "cid:c@a", "cid:d@a"])
def test_a_reference_and_its_url_lead_to_one_entity(url: str) -> None:
    text = b"Message-ID: <one@a>\nContent-ID: <c@a>\n\nFirst\n"
    reference, message, box = Reference.parse(url), Message.read(text), Mailbox(text)
    assert message.resolve(reference) is message.resolve(url)
    found = box.resolve(reference)
    assert (found is None) == (box.resolve(url) is None) == (url == "cid:d@a")
    assert found is None or found[1].content_id == message.root.content_id
