"""Build the list of schema.org's terms, from which the JSON-LD contexts for it are made.

rdflib has the terms of schema.org as a namespace; the list has their names.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from rdflib import SDO

DATA = Path(__file__).parents[1] / "cturi_rdf" / "data"
HEAD = f"""\
# source: the names of the terms of https://schema.org/, as listed by rdflib {version("rdflib")}
# date: 2026-11
# licence: names alone, which are facts; this list is under the licence of the package
"""


def main() -> None:
    """Write the list into the folder of the first argument, or into the package."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    names = sorted({str(term).rpartition("/")[2] for term in dir(SDO)})
    target = folder / "schema-org.txt"
    target.write_text(HEAD + "\n".join(names) + "\n", "utf-8")
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
