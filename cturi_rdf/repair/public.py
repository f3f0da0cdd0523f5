"""What `cturi_rdf.repair` offers."""

from cturi_rdf.catalogue.profiles import Profile, PropertyRule, profile_named, profile_names
from cturi_rdf.catalogue.steps import Left, Step
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.repair.files import FilePlan, plan_file, repair_file
from cturi_rdf.repair.graphs import GraphPlan, repair
from cturi_rdf.repair.plan import Plan, plan_document

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
