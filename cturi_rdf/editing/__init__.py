"""Documents whose statements have places, and changes of their graph that keep their text.

* `edit(source, update)` changes the graph of a file by a SPARQL Update and keeps its text;
  `save(graph, path)` writes a graph of rdflib into the file that it came from.  Both return an
  `Edited`, and raise `EditError` if the syntax cannot express a change.
* `locate(data, format, base=…, predicates=…, name=…, reading=…)` gives a `Document`; its
  `statements` are those with the wanted predicates, in the order of the text.
* A `Statement` has graph, subject, predicate and object, and an `object_span`, None where the
  object has no token of its own; `document.subject_span` and `predicate_span` give the other two.
  `document.position` gives the line and the column of an end of a `Span`.
"""

from cturi_rdf.editing.document import Document, Span, Statement, locate
from cturi_rdf.editing.edit import EditError
from cturi_rdf.editing.files import Edited, edit, save

__all__ = ["Document", "EditError", "Edited", "Span", "Statement", "edit", "locate", "save"]
