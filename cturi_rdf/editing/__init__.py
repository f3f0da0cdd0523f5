"""Documents whose statements have places, and changes that are written into their text.

* `edit(source, update)` changes the graph of a file by a SPARQL Update and keeps its text;
  `save(graph, path)` writes a graph of rdflib into the file that it came from.
* `locate(data, format, base=…, predicates=…, name=…, reading=…)` gives a `Document`; its
  `statements` are those with the wanted predicates, in the order of the text.
* A `Statement` has graph, subject, predicate and object, and an `object_span`, None where the
  object has no token of its own; `document.subject_span` and `predicate_span` give the other two. A
  statement of an rdflib graph has no span.
* A change is `Add`, `Replace`, `Remove` or `Append`: terms only, never text.
* `plan(document, changes)` turns changes into edits; `check` refuses edits after which the file
  says anything else than the changes ask; `apply` and `pieces` give the edited text.
"""

from cturi_rdf.editing.document import Document, Position, Span, Statement, locate
from cturi_rdf.editing.edit import (
    Add,
    Append,
    Change,
    Edit,
    EditError,
    Edits,
    Remove,
    Replace,
    apply,
    pieces,
    plan,
)
from cturi_rdf.editing.files import Edited, edit, save
from cturi_rdf.editing.law import check

__all__ = [
    "Add",
    "Append",
    "Change",
    "Document",
    "Edit",
    "EditError",
    "Edited",
    "Edits",
    "Position",
    "Remove",
    "Replace",
    "Span",
    "Statement",
    "apply",
    "check",
    "edit",
    "locate",
    "pieces",
    "plan",
    "save",
]
