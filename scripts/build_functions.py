"""Write the table of functions into docs/sparql.md, from their definitions."""

from __future__ import annotations

from pathlib import Path

from cturi_rdf.sparql.functions import function_table

PAGE = Path(__file__).parents[1] / "docs" / "sparql.md"
BEGIN, END = "<!-- Made by scripts/build_functions.py. -->\n", "<!-- End of the table. -->\n"


def built(page: str) -> str:
    """Return the page with the table of the definitions."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + function_table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(built(PAGE.read_text("utf-8")), "utf-8")
    print(f"wrote {PAGE.name}")
