"""Reports of checked files as workflow commands of GitHub Actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cturi_rdf.check.findings import CheckReport

__all__ = ["as_github"]

_COMMANDS = {"Violation": "error", "Warning": "warning", "Info": "notice"}


def as_github(reports: Mapping[str, CheckReport], language: str = "en") -> str:
    """Return reports as workflow commands of GitHub Actions, which become annotations.

    https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
    """
    return "".join(
        f"{command}\n"
        for source, report in reports.items()
        for command in _commands(report, source, language)
    )


def _commands(report: CheckReport, source: str, language: str) -> Iterator[str]:
    if report.idle:
        yield f"::error file={_property(source)}::{_data(report.idle_notice)}"
    for finding in report.findings:
        level = _COMMANDS.get(finding.level, "warning")
        message = _data(finding.message(language))
        for place in finding.places:
            start, end = report.position(place.start), report.position(place.end)
            parts = [f"file={_property(source)}"]
            if start and end:
                parts += [f"line={start.line}", f"col={start.column}", f"endLine={end.line}"]
                if end.line == start.line:
                    parts.append(f"endColumn={end.column}")
            parts.append(f"title={_property(finding.rule)}")
            yield f"::{level} {','.join(parts)}::{message}"


def _data(text: str) -> str:
    """Return a text as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Return a text as the value of a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
