"""The limits on what one input may cost: each can be set, by name and amount."""

from __future__ import annotations

import pytest

from cturi_rdf._util.limits import LIMITS, amount, limit, limited
from cturi_rdf.errors import CturiError


@pytest.mark.parametrize("name", LIMITS)
def test_every_limit_can_be_set(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert limit(name) == LIMITS[name].default
    monkeypatch.setenv(f"CTURI_LIMIT_{name.upper()}", "3k")
    assert limit(name) == 3_000
    with limited({name: 5}):
        assert limit(name) == 5
    assert limit(name) == 3_000


@pytest.mark.parametrize("text", ["", "-1", "1.5", "1T", "x", "9" * 20])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(CturiError, match="not an amount"):
        amount(text)


def test_a_limit_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CturiError, match="no such limit"), limited({"colour": 1}):
        pass
