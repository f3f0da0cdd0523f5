"""What a repair buys: the points of the Metadata Quality Assessment that hang on formats.

The assessment of data.europa.eu gives a dataset up to 80 of its 405 points for the format and the
media type of its distributions (dcatno-mqa, default score values).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import Table
from cturi_rdf.content_type import ContentType
from cturi_rdf.io.relative_iri import relative
from cturi_rdf.rdf.terms import RDF
from cturi_rdf.registry import registry
from cturi_rdf.registry.qualities import qualities
from cturi_rdf.registry.schemes import type_of_iri
from cturi_rdf.repair.forms import EU_FILE_TYPES, is_right
from cturi_rdf.repair.profiles import iri_of, profile_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cturi_rdf.edits.document import Term
    from cturi_rdf.repair.files import FilePlan

__all__ = ["Effect", "Score", "effect", "score", "scores"]

_FORMAT, _MEDIA_TYPE = iri_of("dct:format"), iri_of("dcat:mediaType")
_DISTRIBUTION, _HAS = iri_of("dcat:Distribution"), iri_of("dcat:distribution")
_PUBLISHER, _NAME = iri_of("dct:publisher"), iri_of("foaf:name")


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
    """The score of a file before and after its repair, and those of each publisher."""

    before: Score
    after: Score
    publishers: dict[str, tuple[Score, Score]]

    def as_table(self) -> Table:
        """Return the points of each publisher before the repair, and what it gains by it."""
        rows = [
            (publisher, before.distributions, before.points, round(after.points - before.points, 1))
            for publisher, (before, after) in self.publishers.items()
        ]
        columns = ("publisher", "distributions", "points before", "points gained")
        return Table("points for formats, of 80", columns, rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the scores as JSON has them."""
        return {
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
            "publishers": {
                publisher: {"before": before.as_dict(), "after": after.as_dict()}
                for publisher, (before, after) in self.publishers.items()
            },
        }


def effect(planned: FilePlan) -> Effect:
    """Return the score of a file before and after the repair that is planned."""
    parse = planned.plan.document.parse
    before, after = (scores(parse(content)) for content in (planned.original, planned.edited))
    publishers = {name: (score, after.get(name, Score())) for name, score in before.items()}
    return Effect(_total(before), _total(after), publishers)


def score(quads: Iterable[ox.Quad]) -> Score:
    """Return how many distributions in some quads meet the indicators.

    >>> turtle = '''@prefix dcat: <http://www.w3.org/ns/dcat#> . <a:d> a dcat:Distribution ;
    ...     dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv> .'''
    >>> score(ox.parse(turtle, ox.RdfFormat.TURTLE)).points
    50.0
    """
    return _total(scores(quads))


def scores(quads: Iterable[ox.Quad]) -> dict[str, Score]:
    """Return the scores of the distributions of each publisher, those of the most first.

    The publisher is that of the dataset, by its name or its IRI, and ``""`` where there is none.
    """
    values: dict[Term, tuple[list[Term], list[Term]]] = {}
    distributions: dict[Term, None] = {}
    links: dict[ox.NamedNode, dict[Term, Term]] = {_HAS: {}, _PUBLISHER: {}, _NAME: {}}
    for quad in quads:
        if quad.predicate == RDF.type and quad.object == _DISTRIBUTION:
            distributions[quad.subject] = None
        elif quad.predicate == _HAS:
            distributions[quad.object] = None
            links[_HAS].setdefault(quad.object, quad.subject)
        elif quad.predicate in links:
            links[quad.predicate].setdefault(quad.subject, quad.object)
        elif quad.predicate in {_FORMAT, _MEDIA_TYPE}:
            both = values.setdefault(quad.subject, ([], []))
            both[quad.predicate == _MEDIA_TYPE].append(quad.object)
    rows: dict[str, list[tuple[bool, ...]]] = {}
    for distribution in distributions:
        dataset = links[_HAS].get(distribution, distribution)
        publisher = links[_PUBLISHER].get(dataset)
        name = publisher and links[_NAME].get(publisher, publisher)
        text = "" if name is None or isinstance(name, ox.BlankNode | ox.Triple) else name.value
        row = _indicators(*values.get(distribution, ([], [])))
        rows.setdefault(relative(text), []).append(row)
    return {
        name: Score(len(own), *map(sum, zip(*own, strict=True)))
        for name, own in sorted(rows.items(), key=lambda item: -len(item[1]))
    }


def _total(scores: Mapping[str, Score]) -> Score:
    return Score(*map(sum, zip(*scores.values(), strict=True))) if scores else Score()


def _indicators(formats: list[Term], types: list[Term]) -> tuple[bool, bool, bool, bool, bool]:
    profile = profile_named("dcat-ap")
    rules = profile.rule_for(_FORMAT), profile.rule_for(_MEDIA_TYPE)
    aligned = all(
        rule is not None and values and all(is_right(rule, value) for value in values)
        for rule, values in zip(rules, (formats, types), strict=True)
    )
    listed = [_qualities(value) for value in (*formats, *types)]
    return (
        bool(formats),
        bool(types),
        aligned,
        any(is_open for is_open, _ in listed),
        any(is_readable for _, is_readable in listed),
    )


def _qualities(value: Term) -> tuple[bool, bool]:
    """Return whether a value is in the lists of non-proprietary and machine-readable formats."""
    if not isinstance(value, ox.NamedNode):
        return False, False
    scheme, _, code = value.value.rpartition("/")
    record = registry().eu_file_type(code) if scheme == EU_FILE_TYPES else None
    if record is not None:
        return record.open, record.machine_readable
    named = type_of_iri(value.value)
    if named is None or not named[1]:
        return False, False
    facts = qualities(ContentType.parse(named[1][0]))
    return bool(facts.open), bool(facts.machine_readable)
