"""Resources: the subjects of a catalogue, each with what it is and what is said of its formats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pyoxigraph as ox

    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term

__all__ = ["Kind", "Resource"]

# What a resource is.  The rules about one type are for representations, which are all kinds but
# data services and datasets: these have many formats, which is no conflict.
Kind = Literal["distribution", "data service", "dataset", "file", "link", "other"]


@dataclass(slots=True)
class Resource:
    """A subject in one graph, with its statements about formats.

    `kind` is what it is, by its `classes` and by what refers to it.  `statements` are those about
    its formats, in the order of the file; `urls` are where it is downloaded from, and `access` has
    the values of `dcat:accessURL`.  `charset` is the character set that is stated beside the type.
    """

    node: Term
    graph: object
    kind: Kind = "other"
    classes: frozenset[ox.NamedNode] = frozenset()
    statements: list[Statement] = field(default_factory=list)
    urls: tuple[str, ...] = ()
    access: tuple[ox.NamedNode, ...] = ()
    charset: str | None = None
