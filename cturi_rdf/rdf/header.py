"""The Content-Type of a resource: its evidence, and the header that it agrees on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf._util.display import Displayed, Table
from cturi_rdf.io.relative_iri import relative
from cturi_rdf.registry.hierarchy import is_a, most_specific

if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType

__all__ = ["Evidence", "Header"]


class Evidence(NamedTuple):
    """One statement about the type of a resource: where it stands, what it says."""

    property: str
    text: str
    content_type: ContentType


class Header(Displayed):
    """The content type of a resource, if its evidence agrees on one; else the conflict.

    Of the types in conflict those are left out that another one of them is a special case of.
    `resource` is an IRI or the name of a blank node, in a graph of rdflib its node.  `name` is
    the resource, or for a blank node the URL that it is fetched from, if any.
    """

    __slots__ = ("conflicts", "content_type", "evidence", "name", "resource")

    def __init__(self, resource: object, name: object, evidence: list[Evidence]) -> None:
        self.resource = resource
        self.name = name
        self.evidence = evidence
        distinct = list(dict.fromkeys(each.content_type for each in evidence))
        self.content_type = most_specific(distinct)
        self.conflicts = [] if self.content_type else _narrowest(distinct)

    def as_table(self) -> Table:
        """Return the header and what speaks for it as a table of one row."""
        evidence = [each.text for each in self.evidence]
        row = (relative(str(self.name)), self.content_type, self.conflicts, evidence)
        return Table("", ("resource", "content type", "conflicts", "evidence"), [row])

    def __repr__(self) -> str:
        said = self.content_type or " or ".join(map(str, self.conflicts))
        return f"<Header of {self.name}: {said}>"


def _narrowest(types: list[ContentType]) -> list[ContentType]:
    """Return the types of which no other is a special case."""
    return [
        each for each in types if all(is_a(each, other) for other in types if is_a(other, each))
    ]
