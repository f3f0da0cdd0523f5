"""Write the registry as triples, which queries load.

.venv/bin/python scripts/build_registry_triples.py
"""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote

from cturi_rdf.rdf.export import triples
from cturi_rdf.sparql.registry_triples import REGISTRY_FILE, frame_of

FILE = Path(__file__).parents[1] / "cturi_rdf" / "data" / REGISTRY_FILE


def packed_registry() -> bytes:
    """Return the content of the archive: a file of N-Triples for each property or class."""
    frames = defaultdict[str, list[str]](list)
    for subject, predicate, value in set(triples()):
        frames[frame_of(predicate, value)].append(f"{subject} {predicate} {value} .\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_BZIP2, compresslevel=9) as archive:
        for name, lines in sorted(frames.items()):
            # Without the time of its making, so that the same registry is the same archive.
            member = zipfile.ZipInfo(quote(name, safe=""))
            archive.writestr(member, "".join(sorted(lines)), zipfile.ZIP_BZIP2, 9)
    return packed.getvalue()


def main() -> None:
    """Write the file."""
    packed = packed_registry()
    FILE.write_bytes(packed)
    print(f"wrote {FILE}, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
