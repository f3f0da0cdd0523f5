"""Repairing catalogues: the media types that a profile asks for, written as edits of the file.

`profile_named` gives a profile; `plan_file` and `repair_file` repair a file by it, `repair` a graph
of rdflib.  Each change comes with its rule, how sure it is and why; a value that only a human can
decide is listed, with the reason.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.repair.public import *  # noqa: F403
else:
    __getattr__ = later("cturi_rdf.repair.public")
