"""Repairing a file: the plan for it, and the file written with the edits of the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf.catalogue.detect_profile import choose_profile
from cturi_rdf.catalogue.labels import located
from cturi_rdf.catalogue.plan import plan_document, without_wrong_edits
from cturi_rdf.catalogue.quality_score import effect
from cturi_rdf.catalogue.resources import Contents, predicates_for
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.editing import EditError, apply
from cturi_rdf.editing.files import write_edited
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.jsonld import has_context
from cturi_rdf.reading.options import ReadOptions
from cturi_rdf.reading.read import document as quads_of
from cturi_rdf.reading.read import expect_valid
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from os import PathLike

    from cturi_rdf.catalogue.detect_profile import ChosenProfile
    from cturi_rdf.catalogue.plan import Plan
    from cturi_rdf.catalogue.profiles import Profile
    from cturi_rdf.reading.source import Source


class FilePlan(NamedTuple):
    """The plan for a file, the reason for its profile, and the `edited` content."""

    source: str
    plan: Plan
    why: str
    edited: bytes

    @property
    def original(self) -> bytes:
        """The content of the file, without compression."""
        return self.plan.document.data

    def as_dict(self) -> dict[str, Any]:
        """Return the plan for JSON: the changes, the values left, and the points gained."""
        plan = self.plan
        return {
            "source": self.source,
            "profile": plan.profile.name,
            "profile_because": self.why,
            "values": plan.total,
            "changes": [step.as_dict(plan.document) for step in plan.steps],
            "quality": effect(self).as_dict(),
            "left": [item.as_dict(plan.document) for item in plan.left],
        }


def plan_file(
    source: str | PathLike[str],
    *,
    profile: str | None = None,
    reading: ReadOptions = ReadOptions(),
    options: Options = Options(),
) -> FilePlan:
    """Return the plan for a file: its changes, and the values that it leaves; nothing is written.

    `source` is its path, or ``-``; `reading` says how to read it.  Without a `profile`
    the file has to say which one it follows.  Raises `CatalogError` where the file cannot be read,
    or does not say so.
    """
    with open_source(source, reading) as file:
        return plan_source(file, profile, options)


def plan_source(source: Source, profile: str | None, options: Options) -> FilePlan:
    """Return the plan for an open file; see `plan_file`."""
    chosen, why, _ = profile_of(source, profile)
    try:
        plan = judged(source, chosen, options)
        document = plan.document
        if document.format.by_lines or not document.statements:
            # The law reads the lines with edits only: the rest may be broken or empty.
            expect_valid(source)
        try:
            plan.check()
        except EditError:
            expect_valid(source)
            plan = without_wrong_edits(plan)
    except CatalogError:
        # The parser of the whole file describes an error best.
        expect_valid(source)
        raise
    source.check()
    return FilePlan(source.name, plan, why, apply(document.data, plan.edits))


def repair_file(planned: FilePlan, target: str | PathLike[str]) -> bool:
    """Write the repaired file, whole or not at all; return whether anything was written.

    A file in which nothing changes is not written to its own place, and neither is a file that has
    changed since it was planned.  Raises `CatalogError`.
    """
    return write_edited(planned.source, planned.original, planned.edited, target)


def judged(source: Source, profile: Profile, options: Options) -> Plan:
    """Return the verdicts of a profile on the statements of a file, and the edits that follow."""
    document, labelled = located(
        source,
        predicates_for(profile),
        read=lambda statements: Contents(statements, profile),
        whole_nodes=True,
    )
    return plan_document(document, profile, labelled.meanings, options, labelled.labels)


def profile_of(source: Source, name: str | None) -> ChosenProfile:
    """Return the profile of a file: the one of that name, else what the file shows."""
    without_context = False
    if source.format.name == "json-ld":
        without_context = not has_context(source.read())
    return choose_profile(quads_of(source), name, json_without_context=without_context)
