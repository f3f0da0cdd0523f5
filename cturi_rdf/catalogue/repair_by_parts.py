"""Repairing a large file of lines part by part, in constant memory."""

from __future__ import annotations

import codecs
from contextlib import suppress
from typing import TYPE_CHECKING

from cturi_rdf.catalogue.detect_profile import choose_profile
from cturi_rdf.catalogue.parts import Parts
from cturi_rdf.catalogue.plan import Typing, steps_of, without_wrong_edits
from cturi_rdf.catalogue.repair import judged
from cturi_rdf.catalogue.repair_summary import Summary
from cturi_rdf.editing import EditError, pieces
from cturi_rdf.reading.atomic import packing, same_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.catalogue.parts import Part
    from cturi_rdf.catalogue.plan import Plan
    from cturi_rdf.catalogue.profiles import Profile
    from cturi_rdf.catalogue.verdict import Options
    from cturi_rdf.editing import Edit
    from cturi_rdf.reading.source import Source


class _UnchangedError(Exception):
    """Nothing changes in a file that would be written to its own place."""


def repair_by_parts(
    source: Source, target: str, profile: str | None, options: Options, **size: int
) -> Summary:
    """Write a large file of lines as `plan_file` and `repair_file` would; return the summary.

    It is written whole or not at all.  Raises `CatalogError`.
    """
    with Parts(source, alike=not options.by_url, **size) as parts:
        chosen = choose_profile(parts.profile_quads, profile)
        summary = Summary(source.name, chosen.profile, chosen.why)
        typing = Typing()
        with suppress(_UnchangedError), packing(target) as file:
            if source.first.startswith(codecs.BOM_UTF8):
                file.write(codecs.BOM_UTF8)
            is_changed, last = False, b""
            for part in parts:
                edits = []
                if part.states_anything:
                    plan = _plan(part, chosen.profile, options)
                    typing.add(plan, part)
                    summary.add(plan, part)
                    edits = list(_own_edits(part, plan))
                if parts.alike:
                    parts.alike.learn(part.own, part.alike.models, edits)
                    edits = sorted([*edits, *parts.alike.edits(part.alike.others)])
                is_changed = is_changed or bool(edits)
                file.writelines(pieces(part.own, edits))
                last = part.own[-1:]
            quads = typing.missing()
            summary.added = len(quads)
            end = b"\r\n" if b"\r\n" in source.first else b"\n"
            if quads and last not in {b"\n", b"\r"}:
                file.write(end)
            file.writelines(b"%b .%b" % (str(quad).encode(), end) for quad in quads)
            source.check()
            if not (is_changed or quads) and same_file(source.name, target):
                raise _UnchangedError
    return summary


def _plan(part: Part, profile: Profile, options: Options) -> Plan:
    plan = judged(part, profile, options)
    try:
        plan.check()
    except EditError:
        return without_wrong_edits(plan)
    return plan


def _own_edits(part: Part, plan: Plan) -> Iterator[Edit]:
    """Yield the edits of the own lines of a part, without the statements at the end of the file."""
    of_typing = len(steps_of(plan.verdicts))
    for edit in plan.edits:
        # What is inserted where a line ends belongs to that line.
        is_insertion = edit.start == edit.end
        is_own = part.start < edit.start <= part.end if is_insertion else part.has(edit.start)
        if is_own and edit.number < of_typing:
            yield edit._replace(start=edit.start - part.start, end=edit.end - part.start)
