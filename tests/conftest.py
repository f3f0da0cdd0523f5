"""What the tests share: where the material beside the project is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[1].parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of material beside the project; without it, its tests are skipped.

    In CI it has to be there: a gate that skips its evidence is no gate.
    """
    if not SHARED.is_dir():
        message = f"the material beside the project is not at {SHARED.name}/"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return SHARED
