"""Repairing catalogues: the media types that a profile asks for, written as edits of the file.

`profile_named` gives a profile; `plan_file` and `repair_file` repair a file by it, `repair` a graph
of rdflib.  Each change comes with its rule, how sure it is and why; a value that only a person
can decide is listed, with the reason.
"""

from cturi_rdf.catalogue.graph_changes import GraphPlan, repair
from cturi_rdf.catalogue.plan import Plan, plan_document
from cturi_rdf.catalogue.profiles import Profile, PropertyRule, profile_named, profile_names
from cturi_rdf.catalogue.repair import FilePlan, plan_file, repair_file
from cturi_rdf.catalogue.verdict import Left, Options, Step

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
