"""Reports of checked files as one document: for people, programs, RDF tools and code scanning.

SARIF 2.1.0 is for editors and code scanning.  It has the fixes too, of a check and of a repair.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pyoxigraph as ox

from cturi_rdf import __version__
from cturi_rdf.catalogue.check import TITLES
from cturi_rdf.catalogue.findings import (
    SEVERITIES,
    CheckReport,
    findings_of_repair,
    name_of_term,
    shown,
    text_of,
)
from cturi_rdf.catalogue.shacl import CTVS, PROFILES, SH
from cturi_rdf.catalogue.shacl.rules import declared, title_of
from cturi_rdf.catalogue.verdict import short_name, written
from cturi_rdf.editing import EditError
from cturi_rdf.editing.edit import plan
from cturi_rdf.errors import visible
from cturi_rdf.rdf.terms import RDF, RDFS
from cturi_rdf.reading.errors import called
from cturi_rdf.reading.formats import format_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cturi_rdf.catalogue.findings import Finding, FindingPlace
    from cturi_rdf.catalogue.repair import FilePlan
    from cturi_rdf.editing import Document
    from cturi_rdf.editing.edit import Edit

# How many findings the text shows.
_SHOWN = 10
_COMMANDS = {"Violation": "error", "Warning": "warning", "Info": "notice"}
_PREFIXES = {"sh": str(SH), "ctvs": str(CTVS)}
_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# Section 3.27.10.
_LEVELS = {"Violation": "error", "Warning": "warning", "Info": "note"}


def as_text(
    reports: Mapping[str, CheckReport], language: str = "en", *, everything: bool = False
) -> str:
    """Return reports for a reader: each rule with its count, and the findings.

    Without `everything` there are ten findings, the worst first, from as many rules as possible.
    The words of a catalogue or a shape are on one line, with control characters escaped.
    """
    return "\n".join(
        "".join(
            f"{visible(line)}\n"
            for line in _lines(report, called(source), language, everything=everything)
        )
        for source, report in reports.items()
    )


def as_json(reports: Mapping[str, CheckReport], language: str = "en") -> str:
    """Return each report as one line with a JSON object, which has counts and findings."""
    objects = (_to_json(report, source, language) for source, report in reports.items())
    return "".join(f"{json.dumps(shown, ensure_ascii=False)}\n" for shown in objects)


def _to_json(report: CheckReport, source: str, language: str) -> dict[str, Any]:
    return {
        "source": source,
        **_profile(report),
        "conforms": report.conforms,
        "focus_nodes": report.focus_nodes,
        "nothing_to_check": list(report.idle),
        **{f"{name_of_term(severity).lower()}s": report.count(severity) for severity in SEVERITIES},
        "findings": [
            {
                "rule": finding.rule,
                "shape": _iri(finding.shape),
                "severity": finding.level,
                "property": _iri(finding.path),
                "value": finding.value,
                "message": finding.message(language),
                **({"asked_by": finding.source} if finding.source else {}),
                **({"write": finding.write} if finding.write else {}),
                "count": finding.times,
                "resources": list(filter(None, (report.name(p.resource) for p in finding.places))),
                "places": [_place(report, place) for place in finding.places],
            }
            for finding in report.findings
        ],
    }


def _profile(report: CheckReport) -> dict[str, str]:
    if report.profile is None:
        return {}
    return {"profile": report.profile.profile.name, "profile_because": report.profile.why}


def _place(report: CheckReport, place: FindingPlace) -> dict[str, Any]:
    start = report.position(place.start)
    position = {"line": start.line, "column": start.column} if start else {}
    parts = {
        name.replace(" ", "_"): {"line": line, "column": column}
        for name, (line, column) in report.positions(place).items()
    }
    return {"resource": report.name(place.resource) or None, **position, **parts}


def as_turtle(reports: Mapping[str, CheckReport], _: str = "en") -> str:
    """Return a validation report of SHACL for each file, with the messages in all languages.

    Invalid IRIs are percent-encoded.
    """
    from cturi_rdf.reading.writable import Writable

    form, documents = format_named("turtle"), []
    for number, (source, report) in enumerate(reports.items()):
        legal = Writable(form, source).quad
        triples = validation_report(report, f"{number}_" if number else "")
        quads = (legal(ox.Quad(*triple)) for triple in triples)
        documents.append(ox.serialize(quads, format=form.oxigraph, prefixes=_PREFIXES) or b"")
    return b"".join(documents).decode()


def validation_report(
    report: CheckReport, name: str = ""
) -> Iterator[tuple[Any, ox.NamedNode, Any]]:
    """Yield the report as SHACL has it (section 3.6), with a result for each place.

    `name` tells the blank nodes of several reports apart.
    """
    root, number = ox.BlankNode(f"report{name}"), 0
    conforms = not report.findings and not report.idle
    yield root, RDF.type, SH.ValidationReport
    yield root, SH.conforms, ox.Literal(conforms)
    if report.profile:
        yield root, RDFS.comment, ox.Literal(report.profile.text)
    for finding in report.findings:
        for place in finding.places:
            number += 1
            result = ox.BlankNode(f"result{name}{number}")
            yield root, SH.result, result
            yield result, RDF.type, SH.ValidationResult
            yield result, SH.focusNode, place.resource
            yield result, SH.resultSeverity, finding.severity
            yield result, SH.sourceShape, finding.shape
            yield result, SH.sourceConstraintComponent, finding.component
            if isinstance(finding.path, ox.NamedNode):
                yield result, SH.resultPath, finding.path
            if place.value is not None:
                yield result, SH.value, place.value
            if finding.write:
                yield result, CTVS.valueToWrite, ox.Literal(finding.write)
            for language, message in finding.messages.items():
                yield result, SH.resultMessage, ox.Literal(message, language=language or None)


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
    # The log shows what is no command; a colon would make one of a name.
    yield f"{_property(source)}: {_data(_counts(report))}"
    for finding, place in report.placed:
        level = _COMMANDS.get(finding.level, "warning")
        message = "\n".join(filter(None, (finding.message(language), _parts(report, place))))
        start, end = report.position(place.start), report.position(place.end)
        parts = [f"file={_property(source)}"]
        if start and end:
            parts += [f"line={start.line}", f"col={start.column}", f"endLine={end.line}"]
            if end.line == start.line:
                parts.append(f"endColumn={end.column}")
        parts.append(f"title={_property(finding.rule)}")
        yield f"::{level} {','.join(parts)}::{_data(message)}"


def _data(text: str) -> str:
    """Return a text as the message of a workflow command."""
    # A log is read in a terminal, whoever writes it.
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    """Return a text as the value of a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _lines(report: CheckReport, source: str, language: str, *, everything: bool) -> Iterator[str]:
    if report.idle:
        yield f"{source}: {report.idle_notice}"
    yield f"{source}: {_counts(report)}"
    rules: Counter[tuple[int, str, str, str]] = Counter()
    for finding in report.findings:
        rules[finding.rank, finding.level, finding.rule, _title_of(finding)] += finding.times
    for (_, level, rule, title), count in sorted(rules.items(), key=_worst_and_most_first):
        yield f"{count:7} × {level}: {rule}{f', {title}' if title else ''}"
    listed = report.findings if everything else _of_many_rules(report.findings, _SHOWN)
    for finding in listed:
        times = f" × {finding.times}" if finding.times > 1 else ""
        yield ""
        yield f"{finding.level}{times}: {_shown(finding)}"
        yield f"    {' '.join(finding.message(language).split())}"
        yield f"    {'first ' if finding.times > 1 else ''}{_where(report, source, finding)}"
        if parts := _parts(report, finding.places[0]):
            yield f"    {parts}"
        if finding.write and not finding.is_ours:
            yield f"    certain: {finding.write}"
    if len(report.findings) > len(listed):
        yield ""
        yield f"and {len(report.findings) - len(listed)} more, all of them with --all"


def _counts(report: CheckReport) -> str:
    """Return how much was checked and found, and by which profile."""
    resources, _, counts = report.summary.partition(", ")
    by = f"; {report.profile.text}" if report.profile else ""
    return f"{resources} checked, {counts}{by}"


def _worst_and_most_first(row: tuple[tuple[int, str, str, str], int]) -> tuple[int, int, str]:
    (rank, _, rule, _), count = row
    return rank, -count, rule


def _of_many_rules(findings: Sequence[Finding], most: int) -> list[Finding]:
    """Return some findings in their order: the worst, of as many rules as possible."""
    earlier: Counter[str] = Counter()
    ranked = []
    for number, finding in enumerate(findings):
        rank = finding.rank, earlier[finding.rule], finding.times
        ranked.append((*rank, number))
        earlier[finding.rule] += 1
    return [findings[number] for number in sorted(number for *_, number in sorted(ranked)[:most])]


def _where(report: CheckReport, source: str, finding: Finding) -> str:
    place = finding.places[0]
    start, name = report.position(place.start), report.name(place.resource)
    if start is None:
        return f"on {name or 'a blank node'}"
    on = f", on {name}" if name else ""
    return f"at {source}:{start.line}:{start.column}{on}"


def _parts(report: CheckReport, place: FindingPlace) -> str:
    """Return where the focus node, the path and the value of a result begin: line and column."""
    return ", ".join(
        f"{name} at {line}:{column}" for name, (line, column) in report.positions(place).items()
    )


def _shown(finding: Finding) -> str:
    """Return the statement to blame, as in Turtle; a blank node is shown by its label.

    Where the places have several statements, it is that of the first; where their values differ in
    the language or the datatype, it is the text.
    """
    path, value = finding.statement_at(finding.places[0])
    name = _prefixed(path) if isinstance(path, ox.NamedNode) else finding.rule
    more = ", and others" if len({place.stated for place in finding.places}) > 1 else ""
    if isinstance(value, ox.NamedNode):
        return f"{name} <{shown(value)}>{more}"
    if isinstance(value, ox.Literal):
        is_one = len({finding.statement_at(place)[1] for place in finding.places}) == 1
        return f"{name} {written(value if is_one else ox.Literal(value.value))}{more}"
    # What only follows from a statement is not the label of its node.
    is_label = not finding.places[0].stated and finding.value != shown(value)
    if isinstance(value, ox.BlankNode) and is_label:
        return f'{name}, a node with the label "{finding.value}"'
    return name


def _iri(term: object) -> str | None:
    return term.value if isinstance(term, ox.NamedNode) else None


def as_sarif(reports: Mapping[str, CheckReport], language: str = "en") -> str:
    """Return reports in SARIF: a run for each file, a result for each place.

    A fix can be taken alone or with others: it has the prefixes that it needs.
    """
    runs = [_run(report, source, language, "cturi check") for source, report in reports.items()]
    return _document(runs)


def sarif_of_repair(planned: FilePlan) -> bytes:
    """Return the changes of a repair, and what it leaves, in SARIF."""
    document, findings = planned.plan.document, findings_of_repair(planned.plan)
    report = CheckReport(findings, 0, document=document, profile=planned.chosen)
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
            for finding, place in report.placed
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
        "shortDescription": {"text": _title_of(finding) or finding.message(language)},
        "defaultConfiguration": {"level": _LEVELS.get(finding.level, "warning")},
    }
    shape = finding.shape
    return {**rule, "helpUri": shape.value} if isinstance(shape, ox.NamedNode) else rule


def _title_of(finding: Finding) -> str:
    """Return the title of the rule of a finding: a sentence without its full stop."""
    ours = title_of(finding.shape) or TITLES.get(finding.shape, "")
    path = finding.path
    if text_of(finding.shape).startswith(PROFILES):
        what = short_name(path) if isinstance(path, ox.NamedNode) else "the data about its values"
        return f"{what} does not meet the profile"
    if ours or not isinstance(path, ox.NamedNode):
        return ours
    kind = name_of_term(finding.component).removesuffix("ConstraintComponent")
    return f"{kind} of {_prefixed(path)}"


def _prefixed(path: ox.NamedNode) -> str:
    """Return an IRI with a prefix that everybody knows or one of our shapes, or in brackets."""
    name = short_name(path)
    for prefix, namespace in declared().items() if name.startswith("<") else ():
        if path.value.startswith(namespace):
            return f"{prefix}:{path.value.removeprefix(namespace)}"
    return name


def _remedy(
    report: CheckReport, source: str, finding: Finding, place: FindingPlace
) -> dict[str, Any]:
    """Return the value to write, and the fix that does so, as members of a result."""
    remedy: dict[str, Any] = {"properties": {"write": finding.write}} if finding.write else {}
    document = place.document or report.document
    if document is not None and place.changes:
        text = f"Write {finding.write}" if finding.write else "Leave it out"
        if not any(change.removed for change in place.changes):
            text = "Add what is missing"
        try:
            edits = plan(document.apart(), place.changes)
        except EditError:
            return remedy
        change = _change(document, edits, source)
        remedy["fixes"] = [{"description": {"text": text}, "artifactChanges": [change]}]
    return remedy


def _location(report: CheckReport, source: str, place: FindingPlace) -> dict[str, Any]:
    """Return a location (section 3.28): the value's region, the resource's name."""
    location = _physical(report, source, place.start, place.end)
    name = report.name(place.resource)
    if name:
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "resource"}]
    return location


def _related(report: CheckReport, source: str, place: FindingPlace) -> dict[str, Any]:
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
    # What touches is one region: of two texts at one place nobody would know which comes first.
    joined: list[Edit] = []
    for edit in edits:
        if joined and joined[-1].end == edit.start:
            joined[-1] = joined[-1]._replace(end=edit.end, text=joined[-1].text + edit.text)
        else:
            joined.append(edit)
    replacements = []
    for edit in joined:
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


REPORTS: dict[str, Callable[..., str]] = {
    "text": as_text,
    "turtle": as_turtle,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}
