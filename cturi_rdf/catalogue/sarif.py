"""Findings in SARIF 2.1.0, which editors and code scanning read, with fixes to apply."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pyoxigraph as ox

from cturi_rdf import __version__
from cturi_rdf.catalogue.check import TITLES
from cturi_rdf.catalogue.findings import CheckReport, name_of_term, text_of
from cturi_rdf.catalogue.profile_findings import findings_of_plan
from cturi_rdf.catalogue.shacl import PROFILES
from cturi_rdf.catalogue.shacl.rules import declared, title_of
from cturi_rdf.catalogue.verdict import resource_name, short_name
from cturi_rdf.editing import EditError
from cturi_rdf.editing.edit import plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cturi_rdf.catalogue.findings import Finding, Place
    from cturi_rdf.catalogue.repair import FilePlan
    from cturi_rdf.editing import Document
    from cturi_rdf.editing.edit import Edit


_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# Section 3.27.10.
_LEVELS = {"Violation": "error", "Warning": "warning", "Info": "note"}


def as_sarif(reports: Mapping[str, CheckReport], language: str = "en") -> str:
    """Return reports in SARIF: a run for each file, a result for each place.

    A fix can be taken alone: it has the prefixes that it needs.
    """
    runs = [_run(report, source, language, "cturi check") for source, report in reports.items()]
    return _document(runs)


def sarif_of_repair(planned: FilePlan) -> bytes:
    """Return the changes of a repair, and what it leaves, in SARIF."""
    document = planned.plan.document
    report = CheckReport(findings_of_plan(planned.plan), 0, (), (), document, resource_name)
    return _document([_run(report, planned.source, "en", "cturi repair")]).encode()


def _document(runs: list[dict[str, Any]]) -> str:
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": runs}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _run(report: CheckReport, source: str, language: str, command: str) -> dict[str, Any]:
    rules = {finding.rule: finding for finding in report.findings}
    driver_rules = [_rule(finding, language) for finding in rules.values()]
    run: dict[str, Any] = {
        "tool": {"driver": {"name": command, "version": __version__, "rules": driver_rules}},
        # Section 3.14.27: the unit of a column.
        "columnKind": "unicodeCodePoints",
        "results": [
            {
                "ruleId": finding.rule,
                "level": _LEVELS.get(finding.level, "warning"),
                "message": {"text": finding.message(language)},
                "locations": [_location(report, source, place)],
                **_related(report, source, place),
                **_remedy(report, source, finding, place),
            }
            for finding in report.findings
            for place in finding.places
        ],
    }
    if report.profile:
        run["properties"] = {"profile": report.profile.text}
    if report.idle:
        notice = {"level": "error", "message": {"text": report.idle_notice}}
        run["invocations"] = [
            {"executionSuccessful": False, "toolExecutionNotifications": [notice]}
        ]
    return run


def _rule(finding: Finding, language: str) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": finding.rule,
        "shortDescription": {"text": title_of_finding(finding) or finding.message(language)},
        "defaultConfiguration": {"level": _LEVELS.get(finding.level, "warning")},
    }
    shape = finding.shape
    return {**rule, "helpUri": shape.value} if isinstance(shape, ox.NamedNode) else rule


def title_of_finding(finding: Finding) -> str:
    """Return the title of the rule of a finding: a sentence without its full stop."""
    ours = title_of(finding.shape) or TITLES.get(finding.shape, "")
    path = finding.path
    if text_of(finding.shape).startswith(PROFILES):
        what = short_name(path) if isinstance(path, ox.NamedNode) else "the data about its values"
        return f"{what} does not meet the profile"
    if ours or not isinstance(path, ox.NamedNode):
        return ours
    kind = name_of_term(finding.component).removesuffix("ConstraintComponent")
    return f"{kind} of {prefixed(path)}"


def prefixed(path: ox.NamedNode) -> str:
    """Return an IRI with a prefix of our shapes or one that everybody knows, or in brackets."""
    for prefix, namespace in declared().items():
        if path.value.startswith(namespace):
            return f"{prefix}:{path.value.removeprefix(namespace)}"
    return short_name(path)


def _remedy(report: CheckReport, source: str, finding: Finding, place: Place) -> dict[str, Any]:
    """Return the value to write, and the fix that does so, as members of a result."""
    remedy: dict[str, Any] = {"properties": {"write": finding.write}} if finding.write else {}
    document = place.document or report.document
    if document is not None and place.changes:
        text = f"Write {finding.write}" if finding.write else "Leave it out"
        if not any(change.removed for change in place.changes):
            text = "Add what is missing"
        try:
            edits = plan(document, place.changes)
        except EditError:
            return remedy
        change = _change(document, edits, source)
        remedy["fixes"] = [{"description": {"text": text}, "artifactChanges": [change]}]
    return remedy


def _location(report: CheckReport, source: str, place: Place) -> dict[str, Any]:
    """Return a location (section 3.28): the value's region, the resource's name."""
    location = _physical(report, source, place.start, place.end)
    name = report.name(place.resource)
    if name:
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "resource"}]
    return location


def _related(report: CheckReport, source: str, place: Place) -> dict[str, Any]:
    """Return the related locations (section 3.27.22): of focus node, path and value."""
    related = [
        {"message": {"text": name}, **_physical(report, source, *span)}
        for name, span in place.parts.items()
    ]
    return {"relatedLocations": related} if related else {}


def _physical(
    report: CheckReport, source: str, first: int | None, last: int | None
) -> dict[str, Any]:
    """Return a physical location (section 3.29), with the region where it is known."""
    physical: dict[str, Any] = {"artifactLocation": _artifact(source)}
    start, end = report.position(first), report.position(last)
    if start and end:
        # Section 3.30: the end column is that after the last character.
        region = {"startLine": start.line, "startColumn": start.column, "endColumn": end.column}
        if end.line != start.line:
            region["endLine"] = end.line
        physical["region"] = region
    return {"physicalLocation": physical}


def _artifact(source: str) -> dict[str, str]:
    """Return the location of a file, whose name is a URI reference there (section 3.4.3).

    >>> _artifact("a b.ttl")
    {'uri': 'a%20b.ttl'}
    """
    name = "stdin" if source == "-" else quote(os.fsencode(Path(source).as_posix()))
    return {"uri": name}


def _change(document: Document, edits: Iterable[Edit], source: str) -> dict[str, Any]:
    """Return edits as a change of a file (section 3.56): regions and their new content."""
    replacements = []
    for edit in edits:
        first, last = document.position(edit.start), document.position(edit.end)
        region = {
            "startLine": first.line,
            "startColumn": first.column,
            "endLine": last.line,
            "endColumn": last.column,
        }
        text = {"text": document.text(edit.text)}
        replacements.append({"deletedRegion": region, "insertedContent": text})
    return {"artifactLocation": _artifact(source), "replacements": replacements}
