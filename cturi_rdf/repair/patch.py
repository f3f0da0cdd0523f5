"""A plan written down in the languages that others read."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cturi_rdf.repair.files import FilePlan

__all__ = ["as_diff"]


def as_diff(planned: FilePlan) -> str:
    """Return the plan as a unified diff, which ``patch`` and ``git apply`` read."""
    before, after = (
        text.decode("utf-8", "surrogateescape").split("\n")
        for text in (planned.original, planned.edited)
    )
    name = "standard-input" if planned.source == "-" else planned.source.lstrip("/")
    olds, news = _lines(before), _lines(after)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(olds, news, f"a/{name}", f"b/{name}")
    )


def _lines(parts: list[str]) -> list[str]:
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
