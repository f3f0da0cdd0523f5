"""Reports of checked files as one document: for people, programs, RDF tools and code scanning."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.catalogue.findings import SEVERITIES, name_of_term, shown
from cturi_rdf.catalogue.sarif import as_sarif, prefixed, title_of_finding
from cturi_rdf.catalogue.shacl import CTVS, SH
from cturi_rdf.errors import visible
from cturi_rdf.rdf.terms import RDF, RDFS
from cturi_rdf.reading.errors import called
from cturi_rdf.reading.formats import format_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cturi_rdf.catalogue.findings import CheckReport, Finding, Place


# How many findings the text shows.
_SHOWN = 10
_COMMANDS = {"Violation": "error", "Warning": "warning", "Info": "notice"}
_PREFIXES = {"sh": str(SH), "ctvs": str(CTVS)}


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


def _place(report: CheckReport, place: Place) -> dict[str, Any]:
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
    if report.profile and report.findings:
        yield f"::debug::{_data(f'{source}: {report.profile.text}')}"
    for finding in report.findings:
        level = _COMMANDS.get(finding.level, "warning")
        for place in finding.places:
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


REPORTS: dict[str, Callable[..., str]] = {
    "text": as_text,
    "turtle": as_turtle,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}


def _lines(report: CheckReport, source: str, language: str, *, everything: bool) -> Iterator[str]:
    if report.idle:
        yield f"{source}: {report.idle_notice}"
    resources, _, counts = report.summary.partition(", ")
    by = f"; {report.profile.text}" if report.profile else ""
    yield f"{source}: {resources} checked, {counts}{by}"
    rules: Counter[tuple[str, str, str]] = Counter()
    for finding in report.findings:
        rules[finding.level, finding.rule, title_of_finding(finding)] += finding.times
    for (level, rule, title), count in sorted(rules.items(), key=_worst_and_most_first):
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


def _worst_and_most_first(row: tuple[tuple[str, str, str], int]) -> tuple[int, int, str]:
    (level, rule, _), count = row
    return _rank(level), -count, rule


def _rank(level: str) -> int:
    names = list(_COMMANDS)
    return names.index(level) if level in names else len(names)


def _of_many_rules(findings: Sequence[Finding], most: int) -> list[Finding]:
    """Return some findings in their order: the worst, of as many rules as possible."""
    earlier: Counter[str] = Counter()
    ranked = []
    for number, finding in enumerate(findings):
        rank = _rank(finding.level), earlier[finding.rule], finding.times
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


def _parts(report: CheckReport, place: Place) -> str:
    """Return where the focus node, the path and the value of a result begin: line and column."""
    return ", ".join(
        f"{name} at {line}:{column}" for name, (line, column) in report.positions(place).items()
    )


def _shown(finding: Finding) -> str:
    """Return the statement to blame, as in Turtle; a blank node is shown by its label.

    Where the places have several statements, it is that of the first.
    """
    path, value = finding.statement_at(finding.places[0])
    name = prefixed(path) if isinstance(path, ox.NamedNode) else finding.rule
    more = ", and others" if len({place.stated for place in finding.places}) > 1 else ""
    if isinstance(value, ox.NamedNode):
        return f"{name} <{shown(value)}>{more}"
    if isinstance(value, ox.Literal):
        return f'{name} "{shown(value)}"{more}'
    if isinstance(value, ox.BlankNode) and finding.value != shown(value):
        return f'{name}, a node with the label "{finding.value}"'
    return name


def _iri(term: object) -> str | None:
    return term.value if isinstance(term, ox.NamedNode) else None
