"""A plan in the languages of other tools, and its reversal.

The ending of a file tells the language: ``.diff`` and ``.patch`` a unified diff, ``.ru`` SPARQL
UPDATE, ``.rdfp`` RDF Patch, ``.sarif`` fixes that editors apply, ``.jsonl`` JSON lines, of which
`undone` makes the original bytes, and ``.ttl`` the provenance in PROV-O.
"""

from __future__ import annotations

import hashlib
import json
import os
from difflib import diff_bytes, unified_diff
from io import BytesIO
from typing import TYPE_CHECKING, Any

from cturi_rdf.editing import Edit, apply
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.repair import sarif
from cturi_rdf.repair.statements import as_provenance, as_rdf_patch, as_sparql_update

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cturi_rdf.repair.files import FilePlan

__all__ = [
    "PATCHES",
    "as_diff",
    "as_json_lines",
    "as_sarif",
    "patch_for",
    "undone",
]


def as_diff(planned: FilePlan) -> bytes:
    """Return the plan as a unified diff, which ``patch`` and ``git apply`` read.

    Its lines are in the encoding of the file.
    """
    # A carriage return is part of a line.
    olds, news = (list(BytesIO(content)) for content in (planned.original, planned.edited))
    source = "standard-input" if planned.source == "-" else planned.source.lstrip("/")
    name = os.fsencode(source)
    return b"".join(
        line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
        for line in diff_bytes(unified_diff, olds, news, b"a/" + name, b"b/" + name)
    )


def as_json_lines(planned: FilePlan) -> str:
    """Return the plan as JSON lines: what was repaired first, then each edit with its step.

    `start` and `end` are offsets of bytes in the original, `old` and `new` the text there.
    """
    plan = planned.plan
    head = {
        "repair": planned.source,
        "profile": plan.profile.name,
        "before": _digest(planned.original),
        "after": _digest(planned.edited),
    }
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in (head, *_edits(planned)))


def _edits(planned: FilePlan) -> Iterator[dict[str, Any]]:
    plan = planned.plan
    for edit in plan.edits:
        step = plan.steps[edit.number]
        old, new = _text(planned.original[edit.start : edit.end]), _text(edit.text)
        yield {
            "edit": {"start": edit.start, "end": edit.end, "old": old, "new": new},
            **step.as_dict(plan.document),
        }


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def undone(content: bytes, patch: str, *, name: str = "-") -> bytes:
    """Return the original bytes of a repaired text, by the JSON lines of its repair.

    Raises `CatalogError` where `patch` is no such patch, or where the text is not the one that the
    repair wrote; `name` is what the error calls the patch.
    """
    try:
        head, *rows = [json.loads(line) for line in patch.splitlines() if line.strip()]
        before, after = head["before"], head["after"]
        edits = [row["edit"] for row in rows]
        backward, grown = [], 0
        for edit in edits:
            old, new = _bytes(edit["old"]), _bytes(edit["new"])
            start = edit["start"] + grown
            backward.append(Edit(start, start + len(new), old))
            grown += len(new) - len(old)
    except (ValueError, KeyError, TypeError) as error:
        raise CatalogError(
            "not a patch that can be undone", name, "the JSON lines of --patch FILE.jsonl"
        ) from error
    if _digest(content) != after:
        raise CatalogError(
            "the file is not as this repair left it", name, "the repaired file, unchanged"
        )
    original = apply(content, backward)
    if _digest(original) != before:
        raise CatalogError("the patch has been changed", name, "the patch of the repair")
    return original


def as_sarif(planned: FilePlan) -> str:
    """Return the plan in SARIF 2.1.0: a result for each change, with a fix that editors apply."""
    plan = planned.plan
    fixes: dict[int, list[Edit]] = {}
    for edit in plan.edits:
        fixes.setdefault(edit.number, []).append(edit)
    results = []
    for number, edits in sorted(fixes.items()):
        step = plan.steps[number]
        change = sarif.change_of(plan.document, edits, planned.source)
        region = change["replacements"][0]["deletedRegion"]
        if step.statement is not None:
            region = sarif.region_of(plan.document, step.statement.start, step.statement.end)
        location = {"artifactLocation": sarif.artifact(planned.source), "region": region}
        results.append(
            {
                "ruleId": step.rule,
                "level": "warning",
                "message": {"text": f"{step.text()}: {step.reason}"},
                "locations": [{"physicalLocation": location}],
                "fixes": [{"description": {"text": step.text()}, "artifactChanges": [change]}],
                "properties": step.as_dict(plan.document),
            }
        )
    return sarif.document_of([sarif.run_of("cturi repair", results)])


PATCHES: dict[str, Callable[[FilePlan], str | bytes]] = {
    ".diff": as_diff,
    ".patch": as_diff,
    ".ru": as_sparql_update,
    ".rdfp": as_rdf_patch,
    ".sarif": as_sarif,
    ".jsonl": as_json_lines,
    ".ttl": as_provenance,
}


def patch_for(file: str) -> Callable[[FilePlan], str | bytes]:
    """Return the writer for the kind of patch in a file's name.  Raises `CatalogError`."""
    for ending, write in PATCHES.items():
        if file.lower().endswith(ending):
            return write
    endings = ", ".join(PATCHES)
    raise CatalogError("the name does not tell the kind of patch", file, f"one of {endings}")
