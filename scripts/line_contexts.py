"""A plugin of pytest for `scripts/mutants.py`: coverage records which test runs a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from coverage import Coverage

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Name the test, and its fixtures, as the context of what runs."""
    if measured := Coverage.current():
        measured.switch_context(item.nodeid)
    return (yield)


def pytest_sessionfinish() -> None:
    """Save what was recorded: a process of xdist ends without notice."""
    if measured := Coverage.current():
        measured.save()
