"""What the tests share: where the material beside the project is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

SHARED = Path(__file__).parents[1].parent / "shared"

# `make fuzz` asks for the second; no deadline, for a machine may be busy.
settings.register_profile("default", deadline=None)
settings.register_profile("fuzz", deadline=None, max_examples=20_000)
settings.load_profile("default")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of material beside the project; its tests are skipped without it.

    In CI it has to be there: a gate that skips its evidence is no gate.
    """
    if not SHARED.is_dir():
        message = f"the material beside the project is not at {SHARED.name}/"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return SHARED
