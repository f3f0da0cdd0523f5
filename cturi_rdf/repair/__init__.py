"""Repairing catalogues: the media types that a profile asks for, written as edits of the file.

`profile_named` gives a profile; `plan_file` and `repair_file` repair a file by it, `repair` a graph
of rdflib.  Each change comes with its rule, how sure it is and why; a value that only a human can
decide is listed, with the reason.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.catalogue.profiles import Profile, PropertyRule, profile_named, profile_names
    from cturi_rdf.repair.files import FilePlan, plan_file, repair_file
    from cturi_rdf.repair.graphs import GraphPlan, repair
    from cturi_rdf.repair.plan import Plan, plan_document
    from cturi_rdf.repair.rules import Options
    from cturi_rdf.repair.steps import Left, Step

__all__ = [
    "FilePlan",
    "GraphPlan",
    "Left",
    "Options",
    "Plan",
    "Profile",
    "PropertyRule",
    "Step",
    "plan_document",
    "plan_file",
    "profile_named",
    "profile_names",
    "repair",
    "repair_file",
]

# rdflib takes long to load, and a check needs only the profiles and the rules.
__getattr__ = later(
    __name__,
    {
        ".files": ["FilePlan", "plan_file", "repair_file"],
        ".graphs": ["GraphPlan", "repair"],
        ".plan": ["Plan", "plan_document"],
        "..catalogue.profiles": ["Profile", "PropertyRule", "profile_named", "profile_names"],
        ".rules": ["Options"],
        ".steps": ["Left", "Step"],
    },
)
