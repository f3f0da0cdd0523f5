"""SARIF 2.1.0, which editors and code scanning read: the parts that all commands share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cturi_rdf import __version__
from cturi_rdf.editing import plan
from cturi_rdf.repair.steps import by_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.editing import Document, Edit
    from cturi_rdf.repair.files import FilePlan

__all__ = ["artifact", "as_sarif", "change_of", "document_of", "region_of", "run_of"]

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def document_of(runs: list[dict[str, Any]]) -> str:
    """Return runs as a document."""
    import json

    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": runs}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def run_of(command: str, results: list[dict[str, Any]], **driver: object) -> dict[str, Any]:
    """Return the run of a command; `driver` has more members of its tool component."""
    return {
        "tool": {"driver": {"name": command, "version": __version__, **driver}},
        # Section 3.14.27: the unit of a column.
        "columnKind": "unicodeCodePoints",
        "results": results,
    }


def artifact(source: str) -> dict[str, str]:
    """Return the location of a file, whose name is a URI reference there (section 3.4.3).

    >>> artifact("a b.ttl")
    {'uri': 'a%20b.ttl'}
    """
    from pathlib import Path
    from urllib.parse import quote

    name = "stdin" if source == "-" else quote(os.fsencode(Path(source).as_posix()))
    return {"uri": name}


def change_of(document: Document, edits: Iterable[Edit], source: str) -> dict[str, Any]:
    """Return edits as a change of a file (section 3.56): regions and their new content."""
    replacements = [
        {
            "deletedRegion": region_of(document, edit.start, edit.end),
            "insertedContent": {"text": document.text(edit.text)},
        }
        for edit in edits
    ]
    return {"artifactLocation": artifact(source), "replacements": replacements}


def region_of(document: Document, start: int, end: int) -> dict[str, int]:
    """Return the lines and columns of some bytes; the end column is that after the last (3.30)."""
    first, last = document.position(start), document.position(end)
    return {
        "startLine": first.line,
        "startColumn": first.column,
        "endLine": last.line,
        "endColumn": last.column,
    }


def as_sarif(planned: FilePlan) -> bytes:
    """Return a repair in SARIF: a result for each value, with a fix that editors apply.

    Each fix can be taken alone: it has the prefixes that it needs.
    """
    document = planned.plan.document
    results = []
    for steps in by_value(planned.plan.steps):
        first = steps[0]
        edits = plan(document, [step.change for step in steps])
        change = change_of(document, edits, planned.source)
        region = change["replacements"][0]["deletedRegion"]
        if first.statement is not None:
            region = region_of(document, first.statement.start, first.statement.end)
        location = {"artifactLocation": artifact(planned.source), "region": region}
        text = "; ".join(step.text() for step in steps)
        results.append(
            {
                "ruleId": first.rule,
                "level": "warning",
                "message": {"text": f"{text}: {first.reason}"},
                "locations": [{"physicalLocation": location}],
                "fixes": [{"description": {"text": text}, "artifactChanges": [change]}],
                "properties": {"changes": [step.as_dict(document) for step in steps]},
            }
        )
    return document_of([run_of("cturi repair", results)]).encode()
