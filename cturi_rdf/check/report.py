"""A check's report, for people, for programs, for RDF tools and for code scanning."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from rdflib import RDF, BNode, Graph, Literal, URIRef

from cturi_rdf import __version__
from cturi_rdf._util.display import counted
from cturi_rdf.check.constraints import declared, title_of
from cturi_rdf.check.findings import SEVERITIES
from cturi_rdf.check.shapes import CTVS, SH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.check.findings import CheckReport, Finding

__all__ = ["REPORTS", "as_graph", "as_json", "as_sarif", "as_text", "as_turtle"]

# How many findings the text shows.
_SHOWN = 10
# SARIF 2.1.0 section 3.27.10.
_LEVELS = {"Violation": "error", "Warning": "warning", "Info": "note"}
_SARIF = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def as_text(report: CheckReport, source: str, language: str = "en") -> str:
    """Return the report for a reader: each rule with its count, and the ten worst findings."""
    return "\n".join(_lines(report, source, language)) + "\n"


def as_json(report: CheckReport, source: str, language: str = "en") -> str:
    """Return the report as one JSON object: counts, and every finding with its resources."""
    document = {
        "source": source,
        "conforms": report.conforms,
        "focus_nodes": report.focus_nodes,
        "nothing_to_check": list(report.idle),
        **{f"{_name(each).lower()}s": report.count(each) for each in SEVERITIES},
        "findings": [
            {
                "rule": each.rule,
                "shape": _iri(each.shape),
                "severity": each.level,
                "property": _iri(each.path),
                "value": each.value,
                "message": each.message(language),
                "count": len(each.places),
                "resources": [report.name(resource) for resource, _ in each.places],
            }
            for each in report.findings
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def as_graph(report: CheckReport) -> Graph:
    """Return the report as SHACL has it (section 3.6), with a result for each place."""
    graph = Graph()
    graph.bind("sh", SH)
    graph.bind("ctvs", CTVS)
    root = BNode()
    graph.add((root, RDF.type, SH.ValidationReport))
    graph.add((root, SH.conforms, Literal(not report.findings and not report.idle)))
    for each in report.findings:
        for resource, value in each.places:
            result = BNode()
            graph.add((root, SH.result, result))
            graph.add((result, RDF.type, SH.ValidationResult))
            graph.add((result, SH.focusNode, resource))
            graph.add((result, SH.resultSeverity, each.severity))
            graph.add((result, SH.sourceShape, each.shape))
            graph.add((result, SH.sourceConstraintComponent, each.component))
            if isinstance(each.path, URIRef):
                graph.add((result, SH.resultPath, each.path))
            if value is not None:
                graph.add((result, SH.value, value))
            for language, message in each.messages.items():
                graph.add((result, SH.resultMessage, Literal(message, lang=language or None)))
    return graph


def as_turtle(report: CheckReport, source: str, language: str = "en") -> str:  # noqa: ARG001 - as the others
    """Return the validation report of SHACL in Turtle, with the messages in all languages."""
    return as_graph(report).serialize(format="turtle")


def as_sarif(report: CheckReport, source: str, language: str = "en") -> str:
    """Return the report in SARIF 2.1.0, which code scanning reads: a result for each place."""
    rules = {each.rule: each for each in report.findings}
    run = {
        "tool": {
            "driver": {
                "name": "cturi check",
                "version": __version__,
                "rules": [_rule(rules[name], language) for name in rules],
            }
        },
        "results": [
            {
                "ruleId": each.rule,
                "level": _LEVELS.get(each.level, "warning"),
                "message": {"text": each.message(language)},
                "locations": [
                    {
                        "physicalLocation": {"artifactLocation": {"uri": _uri(source)}},
                        "logicalLocations": [
                            {"fullyQualifiedName": report.name(resource), "kind": "resource"}
                        ],
                    }
                ],
            }
            for each in report.findings
            for resource, _ in each.places
        ],
    }
    if report.idle:
        said = {"level": "error", "message": {"text": _nothing(report)}}
        run["invocations"] = [{"executionSuccessful": False, "toolExecutionNotifications": [said]}]
    document = {"$schema": _SARIF, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


REPORTS = {"text": as_text, "turtle": as_turtle, "json": as_json, "sarif": as_sarif}


def _lines(report: CheckReport, source: str, language: str) -> Iterator[str]:
    if report.idle:
        yield f"{source}: {_nothing(report)}"
    counts = ", ".join(counted(report.count(each), _name(each).lower()) for each in SEVERITIES)
    yield f"{source}: {counted(report.focus_nodes, 'resource')} checked, {counts}"
    rules: Counter[tuple[str, str, str]] = Counter()
    for each in report.findings:
        rules[each.level, each.rule, _title(each)] += len(each.places)
    for (level, rule, title), count in rules.items():
        yield f"{count:7} × {level}: {rule}{f', {title}' if title else ''}"
    for each in report.findings[:_SHOWN]:
        yield ""
        yield f"{each.level} × {len(each.places)}: {_shown(each)}"
        yield f"    {each.message(language)}"
        yield f"    {'first ' if len(each.places) > 1 else ''}on {report.name(each.places[0][0])}"
    if len(report.findings) > _SHOWN:
        yield ""
        yield f"and {len(report.findings) - _SHOWN} more, all of them with --format json"


def _nothing(report: CheckReport) -> str:
    return f"nothing to check for {' and '.join(report.idle)}, which is not a pass"


def _shown(finding: Finding) -> str:
    """Return the statement that is to blame, as in Turtle."""
    path = _prefixed(finding.path) if isinstance(finding.path, URIRef) else finding.rule
    value = finding.places[0][1]
    if isinstance(value, URIRef):
        return f"{path} <{finding.value}>"
    return f'{path} "{finding.value}"' if isinstance(value, Literal) else path


def _prefixed(iri: URIRef) -> str:
    for prefix, namespace in declared().items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return f"<{iri}>"


def _title(finding: Finding) -> str:
    """Return what a rule asks for, as a sentence without its full stop; of others, of what."""
    ours = title_of(finding.shape)
    if ours or not isinstance(finding.path, URIRef):
        return ours
    kind = _name(finding.component).removesuffix("ConstraintComponent")
    return f"{kind} of {_prefixed(finding.path)}"


def _rule(finding: Finding, language: str) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": finding.rule,
        "shortDescription": {"text": _title(finding) or finding.message(language)},
        "defaultConfiguration": {"level": _LEVELS.get(finding.level, "warning")},
    }
    iri = _iri(finding.shape)
    return {**rule, "helpUri": iri} if iri else rule


def _uri(source: str) -> str:
    """Return a file's name as the URI reference that SARIF asks for (section 3.4.3)."""
    import os  # noqa: PLC0415 - only here
    from pathlib import Path  # noqa: PLC0415
    from urllib.parse import quote  # noqa: PLC0415

    return "stdin" if source == "-" else quote(os.fsencode(Path(source).as_posix()))


def _iri(term: object) -> str | None:
    return str(term) if isinstance(term, URIRef) else None


def _name(term: object) -> str:
    return str(term).rpartition("#")[2]
