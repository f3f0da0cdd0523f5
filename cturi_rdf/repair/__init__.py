"""Repairing catalogues: what a profile asks of media types, written as edits of the file.

`profile_named` gives a profile, `repair_file` repairs a file by it.  Each change comes with its
rule, how sure it is and why; what only a human can decide is listed, with the reason.
"""

from cturi_rdf.repair.files import FilePlan, plan_file, repair_file
from cturi_rdf.repair.plan import Plan, plan_document
from cturi_rdf.repair.profiles import Profile, PropertyRule, profile_named, profile_names
from cturi_rdf.repair.steps import Left, Step

__all__ = [
    "FilePlan",
    "Left",
    "Plan",
    "Profile",
    "PropertyRule",
    "Step",
    "plan_document",
    "plan_file",
    "profile_named",
    "profile_names",
    "repair_file",
]
