"""Write the registry as triples, which queries load, and the list of its terms.

.venv/bin/python scripts/build_registry_triples.py
"""

from __future__ import annotations

from pathlib import Path

import zstandard

from cturi_rdf.sparql.registry_triples import REGISTRY_FILE, TERMS_FILE, registry_content

DATA = Path(__file__).parents[1] / "cturi_rdf" / "data"


def main() -> None:
    """Write both files."""
    content, terms = registry_content()
    packed = zstandard.ZstdCompressor(level=19).compress(content.encode())
    for name, octets in ((REGISTRY_FILE, packed), (TERMS_FILE, terms.encode())):
        (DATA / name).write_bytes(octets)
        print(f"wrote {DATA / name}, {len(octets):,} bytes")


if __name__ == "__main__":
    main()
