"""Write the registry as triples, which queries load.

.venv/bin/python scripts/build_registry_triples.py
"""

from __future__ import annotations

from pathlib import Path

from cturi_rdf.sparql.registry_triples import REGISTRY_FILE, packed_registry

DATA = Path(__file__).parents[1] / "cturi_rdf" / "data"


def main() -> None:
    """Write the file."""
    packed = packed_registry()
    (DATA / REGISTRY_FILE).write_bytes(packed)
    print(f"wrote {DATA / REGISTRY_FILE}, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
