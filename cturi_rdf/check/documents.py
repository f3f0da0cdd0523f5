"""The reports of several files as one document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cturi_rdf.check.report import REPORTS, as_text, as_turtle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cturi_rdf.check.findings import CheckReport

__all__ = ["document_of"]


def document_of(
    kind: str, reports: Mapping[str, CheckReport], language: str = "en", *, everything: bool = False
) -> str:
    """Return the reports of files, by their names, as one document of a kind in `REPORTS`.

    Of several files, JSON is a list, SARIF has a run each, and Turtle a validation report each.
    """
    if kind == "text":
        texts = (as_text(*pair, language, everything=everything) for pair in _pairs(reports))
        return "\n".join(texts)
    if kind == "turtle":
        return "".join(
            as_turtle(*pair, language, name=f"{number}_" if number else "")
            for number, pair in enumerate(_pairs(reports))
        )
    documents = [REPORTS[kind](*pair, language) for pair in _pairs(reports)]
    if len(documents) == 1 or kind not in {"json", "sarif"}:
        return "".join(documents)
    objects = [json.loads(document) for document in documents]
    if kind == "sarif":
        runs = [run for log in objects for run in log["runs"]]
        return json.dumps({**objects[0], "runs": runs}, ensure_ascii=False, indent=2) + "\n"
    return json.dumps(objects, ensure_ascii=False, indent=2) + "\n"


def _pairs(reports: Mapping[str, CheckReport]) -> list[tuple[CheckReport, str]]:
    return [(report, source) for source, report in reports.items()]
