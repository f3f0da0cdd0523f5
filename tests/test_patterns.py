"""Regular expressions: none has the shape that CPython gets wrong."""

from __future__ import annotations

from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]

import patterns
import pytest
from processes import python

import cturi_rdf


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        (r"(?:(a))*+", [1]),
        (r"(?:x(?:(a)|b))?+", [1]),
        (r"(?:(?=(a)).)++", [1]),
        (r"(?:a|(?:b)*+)++", []),
        (r"((?:a)*+)", []),
        (r"(a)*", []),
    ],
)
def test_a_group_in_a_possessive_repeat_is_found(pattern: str, shown: list[int]) -> None:
    assert list(patterns.groups(parser.parse(pattern))) == shown


@pytest.mark.slow
def test_no_pattern_has_a_group_in_a_possessive_repeat() -> None:
    # CPython loses such a group, and may raise SystemError for it.
    run = python(patterns.__file__, Path(cturi_rdf.__file__).parent)
    number, *faulty = run.stdout.splitlines()
    assert int(number) > 100
    assert faulty == []
