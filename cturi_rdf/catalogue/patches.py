"""A repair in the languages of other tools, and its reversal.

The ending of a file tells the language: ``.diff`` and ``.patch`` a unified diff, ``.ru`` SPARQL
Update, ``.rdfp`` RDF Patch, ``.sarif`` fixes that editors apply, ``.jsonl`` JSON lines, of which
`undone` makes the original bytes, and ``.ttl`` the provenance in PROV-O.  Where a language cannot
say a change, the patch says which changes it leaves out.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import urljoin

import pyoxigraph as ox

from cturi_rdf import __version__
from cturi_rdf.catalogue.rendering import sarif_of_repair
from cturi_rdf.catalogue.sparql_update import Changed, sparql_update
from cturi_rdf.editing import locate
from cturi_rdf.editing.edit import Edit, apply
from cturi_rdf.editing.files import unified
from cturi_rdf.errors import visible
from cturi_rdf.rdf.terms import RDF, RDFS, XSD, Vocabulary
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.terms import SENTINEL, relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cturi_rdf.catalogue.repair import FilePlan
    from cturi_rdf.catalogue.verdict import Step
    from cturi_rdf.editing.document import Term


_NEXT = " ;\n"
_PROV = Vocabulary("http://www.w3.org/ns/prov#")


class Patch(NamedTuple):
    """The content of a patch, and the changes that its language cannot say, in words."""

    content: bytes
    left_out: tuple[str, ...] = ()


def as_diff(planned: FilePlan) -> bytes:
    """Return a repair as a unified diff, which ``patch`` and ``git apply`` read.

    Its lines are in the encoding of the file.
    """
    return unified(planned.source, planned.original, planned.edited)


def as_json_lines(planned: FilePlan) -> bytes:
    """Return a repair as JSON lines: what was repaired first, then each edit with its change.

    `start` and `end` are offsets of bytes in the original, `old` and `new` the text there.
    """
    head = {
        "repair": planned.source,
        "profile": planned.plan.profile.name,
        "profile_because": planned.chosen.why,
        "before": _digest(planned.original),
        "after": _digest(planned.edited),
    }
    rows = (head, *_edits(planned))
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    # A byte that UTF-8 does not have is a lone surrogate here, which JSON has to escape.
    return lines.encode("utf-8", "backslashreplace")


def _edits(planned: FilePlan) -> Iterator[dict[str, Any]]:
    plan, steps = planned.plan, planned.plan.steps
    for edit in plan.edits:
        old, new = _text(planned.original[edit.start : edit.end]), _text(edit.text)
        yield {
            "edit": {"start": edit.start, "end": edit.end, "old": old, "new": new},
            **steps[edit.number].as_dict(plan.document),
        }


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def undone(content: bytes, patch: str, *, name: str = "-") -> bytes:
    """Return the original bytes of a repaired text, by the JSON lines of its repair.

    Raises `CatalogError` where `patch` is no such patch, or where the text is not the one that the
    repair wrote; `name` is what the error calls the patch.
    """
    try:
        # JSON lines end at line feeds only: a text may hold other ends of lines.
        head, *rows = [json.loads(line) for line in patch.split("\n") if line.strip()]
        before, after = head["before"], head["after"]
        backward, grown = [], 0
        for edit in (row["edit"] for row in rows):
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
            "the file has changed since this repair", name, "the repaired file, unchanged"
        )
    original = apply(content, backward)
    if _digest(original) != before:
        raise CatalogError("the patch has been changed", name, "the patch of the repair")
    return original


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def as_sparql_update(planned: FilePlan) -> Patch:
    """Return a repair in SPARQL 1.1 Update, for a store that has loaded the file.

    A blank node, which SPARQL cannot name, is found by the statements that only it has; the changes
    of nodes that cannot be told apart are left out, as are those with an IRI that is none.
    """
    quads, changes = _changes(planned)
    base = _base(planned.source)
    operations, left = sparql_update(quads, changes, lambda term: _absolute(term, base))
    reason = "its node cannot be told from others, or its graph has no IRI"
    left_out = _left_out(planned, changes, left, reason)
    comments = _comments(planned, left_out)
    return Patch(f"{comments}{_NEXT.join(operations)}\n".encode(), left_out)


def as_rdf_patch(planned: FilePlan) -> Patch:
    """Return a repair as RDF Patch (https://afs.github.io/rdf-delta/rdf-patch.html).

    All of it is one transaction.  A blank node is named by its label in the file; changes of nodes
    without a label are left out, because no store knows what to call these, as are those with an
    IRI that is none.
    """
    _, changes = _changes(planned)
    data = planned.original
    left = [
        changed
        for changed in changes
        if not (changed.has_text and all(_is_labelled(n, data) for n in changed.nodes))
    ]
    left_out = _left_out(planned, changes, left, "its blank node has no label in the file")
    base = _base(planned.source)
    rows = [f"H id <urn:{_digest(planned.original + planned.edited)}> .", "TX ."]
    for changed in changes:
        for letter, quads in (("D", changed.removed), ("A", changed.added)):
            if changed not in left:
                rows += [f"{letter} {_quad(quad, base)} ." for quad in quads]
    text = "".join(f"{row}\n" for row in (*rows, "TC ."))
    return Patch(f"{_comments(planned, left_out)}{text}".encode(), left_out)


def _comments(planned: FilePlan, left_out: tuple[str, ...]) -> str:
    """Return what a patch says of itself: the profile, and the changes that it leaves out."""
    lines = (f"Repaired by cturi {__version__}: {planned.chosen.text}", *left_out)
    return "".join(f"# {' '.join(line.split())}\n" for line in lines)


def _is_labelled(node: ox.BlankNode, data: bytes) -> bool:
    label = node.value.encode()
    return b"_:" + label in data or any(q + label + q in data for q in (b'"', b"'"))


def _changes(planned: FilePlan) -> tuple[set[ox.Quad], list[Changed]]:
    """Return the statements of a file, and what each change takes from them and adds to them.

    What is stated again elsewhere does not go.  The statements are all of the file where a change
    is about a blank node, and none otherwise.
    """
    plan = planned.plan
    changes = [step.change for step in plan.steps]
    stated = Counter(statement.quad for statement in plan.document.statements)
    stated.subtract(quad for change in changes for quad in change.removed)
    stays = {quad for change in changes for quad in change.added} | set(+stated)
    changed = [
        Changed(tuple(quad for quad in change.removed if quad not in stays), tuple(change.added))
        for change in changes
    ]
    if not any(change.nodes for change in changed):
        return set(), changed
    return _whole(planned, changed)


def _whole(planned: FilePlan, changes: list[Changed]) -> tuple[set[ox.Quad], list[Changed]]:
    """Return all statements of a file, and changes with the blank nodes as they have them."""
    old = planned.plan.document
    new = locate(old.data, old.format, base=old.base, name=old.name, reading=old.reading)
    at = {(statement.start, statement.predicate): statement for statement in new.statements}
    names: dict[Any, Any] = {}
    for statement in old.statements:
        twin = at.get((statement.start, statement.predicate))
        if twin is not None and statement.start >= 0:
            olds = statement.subject, statement.object, statement.graph
            news = twin.subject, twin.object, twin.graph
            names |= zip(olds, news, strict=True)

    def named(quad: ox.Quad) -> ox.Quad:
        subject: Any = names.get(quad.subject, quad.subject)
        graph: Any = names.get(quad.graph_name, quad.graph_name)
        return ox.Quad(subject, quad.predicate, names.get(quad.object, quad.object), graph)

    return {statement.quad for statement in new.statements}, [
        Changed(tuple(map(named, change.removed)), tuple(map(named, change.added)))
        for change in changes
    ]


def _left_out(
    planned: FilePlan, changes: list[Changed], left: list[Changed], reason: str
) -> tuple[str, ...]:
    """Return the steps of the changes that are left out, in words."""
    gone = set(left)
    return tuple(
        f"left out: {_place(planned, step)}{step.text()}:"
        f" {reason if changed.has_text else 'an IRI in it is not valid'}"
        for step, changed in zip(planned.plan.steps, changes, strict=True)
        if changed in gone
    )


def _place(planned: FilePlan, step: Step) -> str:
    if step.statement is None:
        return ""
    return "{}:{}: ".format(*planned.plan.document.position(step.statement.start))


def _base(source: str) -> str:
    return "urn:x-stdin:" if source == "-" else Path(source).resolve().as_uri()


def _absolute(term: Term | ox.DefaultGraph, base: str) -> str:
    """Return a term in N-Triples, an IRI that is relative in the file against that of the file."""
    if isinstance(term, ox.NamedNode) and term.value.startswith(SENTINEL):
        return f"<{urljoin(base, relative(term.value))}>"
    return str(term)


def _quad(quad: ox.Quad, base: str) -> str:
    terms = [quad.subject, quad.predicate, quad.object]
    if not isinstance(quad.graph_name, ox.DefaultGraph):
        terms.append(quad.graph_name)
    return " ".join(_absolute(term, base) for term in terms)


def as_provenance(planned: FilePlan) -> bytes:
    """Return the provenance of the changes in PROV-O: the repair, both versions, each step."""
    return cast(
        "bytes",
        ox.serialize(
            (ox.Quad(*triple) for triple in _provenance(planned)),
            format=ox.RdfFormat.TURTLE,
            prefixes={"prov": str(_PROV), "rdfs": str(RDFS), "xsd": str(XSD)},
        ),
    )


def _provenance(
    planned: FilePlan,
) -> Iterator[tuple[ox.BlankNode | ox.NamedNode, ox.NamedNode, Term]]:
    repair, tool, association = map(ox.BlankNode, ("repair", "cturi", "association"))
    now = ox.Literal(datetime.now(UTC).isoformat(timespec="seconds"), datatype=XSD.dateTime)
    old, new = (
        ox.NamedNode(f"urn:{_digest(content)}") for content in (planned.original, planned.edited)
    )
    yield repair, RDF.type, _PROV.Activity
    yield repair, _PROV.used, old
    yield repair, _PROV.generated, new
    yield repair, _PROV.endedAtTime, now
    yield repair, _PROV.wasAssociatedWith, tool
    # PROV-O: what an activity was planned by is said of its association with an agent.
    yield repair, _PROV.qualifiedAssociation, association
    yield association, RDF.type, _PROV.Association
    yield association, _PROV.agent, tool
    yield association, _PROV.hadPlan, ox.NamedNode(planned.plan.profile.document)
    yield repair, RDFS.comment, ox.Literal(planned.chosen.text)
    yield tool, RDF.type, _PROV.SoftwareAgent
    yield tool, RDFS.label, ox.Literal(f"cturi repair {__version__}")
    yield old, RDF.type, _PROV.Entity
    yield old, RDFS.label, ox.Literal(visible(planned.source))
    yield new, RDF.type, _PROV.Entity
    yield new, _PROV.wasDerivedFrom, old
    for number, step in enumerate(planned.plan.steps, 1):
        node = ox.BlankNode(f"step{number}")
        yield node, RDF.type, _PROV.Activity
        yield node, _PROV.wasInformedBy, repair
        yield node, RDFS.label, ox.Literal(f"{_place(planned, step)}{step.text()}")
        yield node, RDFS.comment, ox.Literal(f"{step.rule}, {step.confidence}: {step.reason}")


PATCHES: dict[str, Callable[[FilePlan], Patch | bytes]] = {
    ".diff": as_diff,
    ".patch": as_diff,
    ".ru": as_sparql_update,
    ".rdfp": as_rdf_patch,
    ".sarif": sarif_of_repair,
    ".jsonl": as_json_lines,
    ".ttl": as_provenance,
}


def patch_for(file: str, planned: FilePlan) -> Patch:
    """Return the patch of the kind that a file's name tells.  Raises `CatalogError`."""
    for ending, write in PATCHES.items():
        if file.lower().endswith(ending):
            patch = write(planned)
            return patch if isinstance(patch, Patch) else Patch(patch)
    endings = ", ".join(PATCHES)
    raise CatalogError("the name does not show the kind of patch", file, f"one of {endings}")
