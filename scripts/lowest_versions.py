"""Print the lowest version of each dependency that `pyproject.toml` allows, as pip's constraints.

``make lowest`` runs the tests with them.
"""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
# PEP 508: a name, perhaps extras, and the lower bound.
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?>=([0-9.]+)")


def lowest() -> dict[str, str]:
    """Return the lowest version by the name of the dependency: of two bounds the higher one."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    requirements = [
        *project["dependencies"],
        *chain.from_iterable(extra for name, extra in extras.items() if name != "spark"),
    ]
    versions: dict[str, str] = {}
    for match in filter(None, map(REQUIREMENT.match, requirements)):
        name, version = match.groups()
        versions[name] = max(versions.get(name, "0"), version, key=_numbers)
    return versions


def _numbers(version: str) -> list[int]:
    return [*map(int, version.split("."))]


if __name__ == "__main__":
    for dependency, number in sorted(lowest().items()):
        print(f"{dependency}=={number}")
