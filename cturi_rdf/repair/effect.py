"""What a repair buys: the points of the Metadata Quality Assessment that hang on formats.

The assessment of data.europa.eu gives a dataset up to 80 of its 405 points for the format and the
media type of its distributions (dcatno-mqa, default score values).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.content_type import ContentType
from cturi_rdf.rdf.terms import RDF
from cturi_rdf.registry import registry
from cturi_rdf.registry.qualities import qualities
from cturi_rdf.registry.schemes import type_of_iri
from cturi_rdf.repair.forms import EU_FILE_TYPES, is_right
from cturi_rdf.repair.profiles import iri_of, profile_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.edits.document import Term
    from cturi_rdf.repair.files import FilePlan

__all__ = ["Effect", "Score", "effect", "score"]

_FORMAT, _MEDIA_TYPE = iri_of("dct:format"), iri_of("dcat:mediaType")
_DISTRIBUTION = iri_of("dcat:Distribution")


class Score(NamedTuple):
    """How many distributions meet each indicator, of all that there are."""

    distributions: int = 0
    format_given: int = 0
    media_type_given: int = 0
    from_vocabularies: int = 0
    non_proprietary: int = 0
    machine_readable: int = 0

    @property
    def points(self) -> float:
        """The points of a distribution on average, 80 at most."""
        sums = (
            20 * self.format_given
            + 10 * self.media_type_given
            + 10 * self.from_vocabularies
            + 20 * self.non_proprietary
            + 20 * self.machine_readable
        )
        return round(sums / self.distributions, 1) if self.distributions else 0.0

    def as_dict(self) -> dict[str, float]:
        """Return the counts and the points as JSON has them."""
        return {**self._asdict(), "points": self.points}


class Effect(NamedTuple):
    """The score of a file before and after its repair."""

    before: Score
    after: Score


def effect(planned: FilePlan) -> Effect:
    """Return the score of a file before and after the repair that is planned."""
    document = planned.plan.document
    return Effect(*(score(document.parse(each)) for each in (planned.original, planned.edited)))


def score(quads: Iterable[ox.Quad]) -> Score:
    """Return how many distributions in some quads meet the indicators.

    >>> turtle = '''@prefix dcat: <http://www.w3.org/ns/dcat#> . <a:d> a dcat:Distribution ;
    ...     dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv> .'''
    >>> score(ox.parse(turtle, ox.RdfFormat.TURTLE)).points
    50.0
    """
    distributions: dict[Term, tuple[list[Term], list[Term]]] = {}
    values: dict[Term, tuple[list[Term], list[Term]]] = {}
    for quad in quads:
        if quad.predicate == RDF.type and quad.object == _DISTRIBUTION:
            distributions[quad.subject] = values.setdefault(quad.subject, ([], []))
        elif quad.predicate in {_FORMAT, _MEDIA_TYPE}:
            both = values.setdefault(quad.subject, ([], []))
            both[quad.predicate == _MEDIA_TYPE].append(quad.object)
    rows = [_indicators(formats, types) for formats, types in distributions.values()]
    return Score(len(rows), *(map(sum, zip(*rows, strict=True)) if rows else ()))


def _indicators(formats: list[Term], types: list[Term]) -> tuple[bool, bool, bool, bool, bool]:
    profile = profile_named("dcat-ap")
    rules = profile.rule_for(_FORMAT), profile.rule_for(_MEDIA_TYPE)
    aligned = all(
        rule is not None and values and all(is_right(rule, each) for each in values)
        for rule, values in zip(rules, (formats, types), strict=True)
    )
    known = [_qualities(each) for each in (*formats, *types)]
    return (
        bool(formats),
        bool(types),
        aligned,
        any(is_open for is_open, _ in known),
        any(is_readable for _, is_readable in known),
    )


def _qualities(value: Term) -> tuple[bool, bool]:
    """Return whether a value is in the lists of non-proprietary and machine-readable formats."""
    if not isinstance(value, ox.NamedNode):
        return False, False
    scheme, _, code = value.value.rpartition("/")
    record = registry().eu_file_type(code) if scheme == EU_FILE_TYPES else None
    if record is not None:
        return record.open, record.machine_readable
    found = type_of_iri(value.value)
    if found is None or not found[1]:
        return False, False
    known = qualities(ContentType.parse(found[1][0]))
    return bool(known.open), bool(known.machine_readable)
