"""Edits of the user's own file: statements with their places, changes, and the law of edits.

`locate` finds statements, `plan` makes edits of changes, `check` compares what the file says
before and after, and `apply` gives the edited text.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later
from cturi_rdf.editing.changes import Add, Append, Change, Remove, Replace
from cturi_rdf.editing.document import Document, Position, Statement
from cturi_rdf.editing.edit import Edit, EditError, Edits, apply, pieces
from cturi_rdf.editing.locate import locate
from cturi_rdf.editing.plan import plan

if TYPE_CHECKING:
    from cturi_rdf.editing.law import check

__all__ = [
    "Add",
    "Append",
    "Change",
    "Document",
    "Edit",
    "EditError",
    "Edits",
    "Position",
    "Remove",
    "Replace",
    "Statement",
    "apply",
    "check",
    "locate",
    "pieces",
    "plan",
]

# The law is not needed to find statements or to plan edits.
__getattr__ = later(__name__, {".law": ["check"]})
