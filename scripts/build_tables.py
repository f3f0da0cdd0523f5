"""Write the registry as triples, which queries load, or as open tables to the folder that is named.

The tables are CSV, SSSOM, JSON Schema, Turtle and an npm package.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from cturi_rdf.rdf.export import triples
from cturi_rdf.site.tables import open_tables
from cturi_rdf.sparql.registry_triples import REGISTRY_FILE, frame_of

if TYPE_CHECKING:
    import pyoxigraph as ox

    from cturi_rdf.rdf.terms import Triple

FILE = Path(__file__).parents[1] / "cturi_rdf" / "data" / REGISTRY_FILE


def packed_registry() -> bytes:
    """Return the content of the archive: a file of N-Triples for each property or class.

    The members of a class that is within another are stored once; the comment of the file of the
    wider class names the other.
    """
    frames: defaultdict[str, set[Triple]] = defaultdict(set)
    for fact in triples():
        frames[frame_of(fact[1], fact[2])].add(fact)
    packed = io.BytesIO()
    members: dict[str, set[ox.NamedNode]] = {}
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_BZIP2, compresslevel=9) as archive:
        # The smaller classes first.
        for name, facts in sorted(frames.items(), key=lambda item: (len(item[1]), item[0])):
            # Without the time of its making, so that the same registry is the same archive.
            info = zipfile.ZipInfo(quote(name, safe=""))
            elsewhere: set[ox.NamedNode] = set()
            if " " in name:
                subjects = {subject for subject, _, _ in facts}
                if within := [one for one in members if members[one] <= subjects]:
                    info.comment = within[-1].encode()
                    elsewhere = members[within[-1]]
                members[name] = subjects
            lines = sorted(f"{s} {p} {v} .\n" for s, p, v in facts if s not in elsewhere)
            archive.writestr(info, "".join(lines), zipfile.ZIP_BZIP2, 9)
    return packed.getvalue()


def main() -> None:
    """Write the file with the triples, or the tables."""
    if len(sys.argv) == 1:
        packed = packed_registry()
        FILE.write_bytes(packed)
        print(f"wrote {FILE}, {len(packed):,} bytes")
        return
    for name, text in open_tables().items():
        path = Path(sys.argv[1], name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
