"""Write the registry as open tables: CSV, SSSOM, JSON Schema, Turtle and an npm package.

.venv/bin/python scripts/build_tables.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from cturi_rdf.site.tables import open_tables


def main() -> None:
    """Write the files into a folder."""
    folder = Path(sys.argv[1])
    for name, text in open_tables().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
