"""The tables in the package are what their sources give: built is committed."""

from __future__ import annotations

import filecmp
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DATA = ROOT / "cturi_rdf" / "data"


def build(folder: Path, *options: str | Path) -> set[str]:
    """Run the script into a folder and return the names of the tables that it wrote."""
    script = ROOT / "scripts" / "build_registry.py"
    command = [sys.executable, script, "--data", folder, *options]
    subprocess.run(command, check=True, capture_output=True)
    return {each.name for each in folder.iterdir()}


def test_the_tables_are_what_the_reference_facts_give(shared: Path, tmp_path: Path) -> None:
    facts = shared / "registry"
    document = facts / "iana-media-types-2026-07.xml"
    written = build(tmp_path, "--iana", document, "--reference", facts, "--no-extensions")
    # The others are built elsewhere, or kept by hand.
    assert written < {each.name for each in DATA.glob("*.tsv")}
    for name in written:
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes(), name


def test_the_extensions_are_what_mime_db_gives(shared: Path, tmp_path: Path) -> None:
    mime_db = os.environ.get("CTURI_MIME_DB")
    if not mime_db:
        pytest.skip("CTURI_MIME_DB names no folder or archive of mime-db")
    facts = shared / "registry"
    document = facts / "iana-media-types-2026-07.xml"
    build(tmp_path, "--iana", document, "--reference", facts, "--mime-db", mime_db)
    # Bytes of this length, compared by pytest, would take minutes to explain.
    assert filecmp.cmp(tmp_path / "extensions.tsv", DATA / "extensions.tsv", shallow=False)


def test_iana_alone_gives_the_media_types(shared: Path, tmp_path: Path) -> None:
    document = shared / "registry" / "iana-media-types-2026-07.xml"
    assert build(tmp_path, "--iana", document) == {"media-types.tsv", "schemes.tsv"}
    for name in ("media-types.tsv", "schemes.tsv"):
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()


def test_the_terms_of_schema_org_are_what_rdflib_lists() -> None:
    built = runpy.run_path(str(ROOT / "scripts" / "build_contexts.py"))["schema_org"]()
    assert _names(built) == _names((DATA / "schema-org.txt").read_text("utf-8"))


def _names(text: str) -> list[str]:
    """Return the lines of a list, without the version of its source."""
    return [line for line in text.splitlines() if not line.startswith("#")]
