"""Build the registry's tables in `cturi_rdf/data` from the sources of their facts.

Three kinds of source: IANA's document, the package `mime-db` for file extensions, and a folder of
reference facts (PRONOM, Tika, NARA, Wikidata, DataONE, the EU's file types, suffixes, charsets,
CoAP).  Our own judgements are in the folder `registry` beside this script, each row with a reason.
Without the folder of reference facts the tables that need it stay as they are.
"""

from __future__ import annotations

import argparse
import subprocess
import tarfile
import tempfile
from pathlib import Path

import registry_formats as formats
import registry_names as names
from registry_sources import (
    DATA,
    Sources,
    charsets,
    coap_content_formats,
    media_types,
    suffixes,
)

from cturi_rdf.registry import iana


def build(document: bytes, reference: Path | None, mime_db: Path | None) -> dict[str, str]:
    """Return the text of every table that can be built, by file name."""
    sources = Sources(reference)
    media_types(sources, document)
    formats.schemes(sources)
    if reference:
        charsets(sources)
        suffixes(sources)
        coap_content_formats(sources)
        # Each of these reads the ones before it.
        names.aliases(sources)
        names.sub_types(sources)
        if mime_db:
            names.extensions(sources, mime_db)
        formats.formats(sources)
        formats.dataone(sources)
    return sources.tables


def unpacked(given: Path | None, folder: Path) -> Path:
    """Return the folder that holds `mime-db`: the given one, or one made of its archive."""
    if given and given.is_dir():
        return given
    if not given:
        command = ["npm", "pack", "--silent", "mime-db"]
        packed = subprocess.run(  # noqa: S603 # a fixed command
            command, cwd=folder, check=True, capture_output=True, text=True
        )
        given = folder / packed.stdout.split()[-1]
    with tarfile.open(given) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def main() -> None:
    """Read the options, build, and write."""
    parser = argparse.ArgumentParser(description="Build the registry's tables.")
    parser.add_argument("--iana", default=iana.IANA, help="URL or file (default: %(default)s)")
    parser.add_argument("--reference", type=Path, help="folder of reference facts")
    parser.add_argument(
        "--mime-db", type=Path, help="its folder or archive; fetched by npm if not given"
    )
    parser.add_argument(
        "--no-extensions", action="store_true", help="leave the table of extensions as it is"
    )
    parser.add_argument("--data", type=Path, default=DATA, help="where the tables are written")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wanted = options.reference and not options.no_extensions
        mime_db = unpacked(options.mime_db, Path(folder)) if wanted else None
        tables = build(iana.fetch(options.iana), options.reference, mime_db)
    for name, text in tables.items():
        (options.data / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
