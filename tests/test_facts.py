"""Facts for validators: each row of the page, the laws behind them, and what they cost."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from processes import python
from strategies import content_types

from cturi_rdf import ContentType, ContentTypeError, facts

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "validators.md"
ROWS = re.findall(
    r"^\| `(.+?)` \| (yes|no) \| (yes|no) \| (?:`(.+)`|-) \|$",
    PAGE.read_text("utf-8"),
    re.MULTILINE,
)
TAKE_A_TYPE = [
    facts.canonical,
    facts.extensions,
    facts.identifiers,
    facts.is_archive,
    facts.is_machine_readable,
    facts.is_open,
]


def test_the_page_has_at_least_sixty_values() -> None:
    assert len({value for value, *_ in ROWS}) >= 60


@pytest.mark.parametrize(("value", "legal", "registered", "canonical"), ROWS)
def test_a_row_of_the_page_is_what_the_functions_say(
    value: str, legal: str, registered: str, canonical: str
) -> None:
    assert (facts.problem(value) is None) is (legal == "yes")
    assert facts.is_registered(value) is (registered == "yes")
    if legal == "yes":
        assert facts.canonical(value) == canonical
        assert facts.same(value, canonical)
    else:
        with pytest.raises(ContentTypeError):
            facts.canonical(value)


@given(content_types)
def test_the_canonical_form_is_the_same_and_has_no_other(content_type: ContentType) -> None:
    text = str(content_type)
    assert facts.canonical(facts.canonical(text)) == facts.canonical(text)
    assert facts.same(text, facts.canonical(text))


@pytest.mark.parametrize("function", TAKE_A_TYPE, ids=lambda each: each.__name__)
def test_what_is_not_a_content_type_is_refused(function: object) -> None:
    for text in ("", "/csv", "text/csv; charset"):
        with pytest.raises(ContentTypeError):
            function(text)  # type: ignore[operator]
    with pytest.raises(TypeError):
        function(None)  # type: ignore[operator]


def test_facts_need_the_standard_library_only() -> None:
    script = (
        "import sys; from cturi_rdf import facts; facts.identifiers('text/csv');"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    run = python("-c", script)
    loaded = set(run.stdout.split()) - set(sys.stdlib_module_names)
    assert not loaded & {"rdflib", "pyoxigraph", "click", "rich", "pyarrow", "lxml"}


ABOUT = [
    ("Application/JavaScript", {
        "type": "application/javascript", "status": "obsolete", "registered": None,
        "replaced_by": ["text/javascript"], "alias_of": "text/javascript", "aliases": [],
        "suffix": None, "special_case_of": [], "extensions": ["js"],
        "references": ["RFC4329", "RFC9239"],
    }),
    ("application/geo+json", {
        "type": "application/geo+json", "status": "registered", "registered": "2016-07-07",
        "replaced_by": [], "alias_of": None, "suffix": "JavaScript Object Notation (JSON)",
        "special_case_of": ["application/json"], "extensions": ["geojson", "gjson"],
        "references": ["RFC7946"],
    }),
    ("text/x-unheard-of", {
        "type": "text/x-unheard-of", "status": "unregistered", "registered": None,
        "replaced_by": [], "alias_of": None, "aliases": [], "suffix": None,
        "special_case_of": ["text/plain"], "extensions": [], "references": [], "identifiers": [],
    }),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), ABOUT)
def test_what_the_registry_says_about_a_type(text: str, said: dict[str, object]) -> None:
    assert facts.about(text).items() >= said.items()


def test_the_parameters_of_two_types_count_unless_they_are_left_out() -> None:
    types = "text/csv; header=present", "text/csv; header=absent"
    assert not facts.same(*types)
    assert facts.same(*types, parameters=False)
    assert not facts.same("text/csv", "text/plain", parameters=False)
