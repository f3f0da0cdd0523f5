"""Write the address of the repository into all files that name it.

.venv/bin/python scripts/name_repository.py https://github.com/WHO/cturi-rdf

`pyproject.toml` is where the address is kept.  Without an argument this fails as long as nobody has
given one, so that a release names its repository.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = (
    "CITATION.cff",
    "conda/recipe.yaml",
    "cturi_rdf/site/static/w3id.md",
    "docs/how-to/repair.md",
    "docs/install.md",
    "pyproject.toml",
)
UNNAMED = "https://github.com/OWNER/cturi-rdf"


def repository() -> str:
    """Return the address of the repository, which is `UNNAMED` until it has one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    address: str = project["urls"]["Repository"]
    return address


def name(address: str) -> None:
    """Write another address into all places."""
    before = repository()
    for place in PLACES:
        path = ROOT / place
        text = path.read_text("utf-8").replace(before, address.rstrip("/"))
        path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    for each in sys.argv[1:]:
        name(each)
    if repository() == UNNAMED:
        sys.exit(f"the repository has no address yet; it is named in {', '.join(PLACES)}")
    print(repository())
