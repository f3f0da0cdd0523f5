"""Media types as the entities of a reconciliation service: candidates, properties, suggestions.

The two versions of the Reconciliation API share this; `reconciliation` reads and writes it as each
version demands.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.registry import registry
from cturi_rdf.registry.qualities import qualities
from cturi_rdf.registry.schemes import identifiers, own_identifiers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ENTITY_TYPE = {"id": "MediaType", "name": "Media type"}
PROPERTIES = {
    "iana": "IRI of IANA",
    "eu": "File type of the EU",
    "pronom": "Format in PRONOM",
    "eu-narrower": "Narrower file types of the EU",
    "pronom-narrower": "Narrower formats in PRONOM",
    "extensions": "File extensions",
    "machine-readable": "Machine-readable",
    "obsolete": "Not registered, or withdrawn",
}
_SCHEMES = {"iana": "iana-https", "eu": "eu-file-type", "pronom": "pronom"}
_NARROWER = "-narrower"
_SCORES = {"certain": 100, "likely": 70}
# The loss of score for each condition that a candidate does not meet.
_MISMATCH = 20
# A query has no more candidates than this, whatever it asks for.
_MOST = 100


class Condition(NamedTuple):
    """A condition on the identity, a property or the name of a candidate.

    `name` is the identifier of a property, or None for the names and identifiers of types.
    `quantifier` is ``any``, ``all`` or ``none`` of the values.
    """

    name: str | None
    values: tuple[str, ...]
    required: bool = False
    quantifier: str = "any"


def candidates(label: str) -> list[dict[str, Any]]:
    """Return the types that a label may mean, the best first.

    `match` is true only where one type is certain.

    >>> [(candidate["id"], candidate["match"]) for candidate in candidates("CSV")]
    [('text/csv', True)]
    >>> candidates("WMS")
    []
    """
    resolution = resolve(label)
    certain = resolution.confidence == "certain"
    essences = dict.fromkeys(content_type.essence for content_type in resolution.named)
    match = certain and resolution.verdict == "media_type" and len(essences) == 1
    score = _SCORES[resolution.confidence]
    return [
        _candidate(essence, resolution.reason, score - place, certain=certain, match=match)
        for place, essence in enumerate(essences)
    ]


def matching(conditions: Sequence[Condition], limit: int = _MOST) -> list[dict[str, Any]]:
    """Return the types that conditions describe, the best first.

    Names say which types are looked at; without names, these are the types that have a value of one
    of the properties.  A type that does not meet a condition is no longer a match and loses some of
    its score; if the condition is required, the type is left out.

    >>> by_name = Condition(None, ("XML",))
    >>> by_extension = Condition("extensions", ("svg",))
    >>> [candidate["id"] for candidate in matching([by_extension])]
    ['image/svg+xml']
    >>> [candidate["match"] for candidate in matching([by_name, by_extension])]
    [False]
    """
    wanted = [
        (condition.name, value)
        for condition in conditions
        if condition.quantifier != "none"
        for value in condition.values
    ]
    found = [entry for name, text in wanted if name is None for entry in candidates(text)]
    if all(name is not None for name, _ in wanted):
        reason, score = "It has what is asked for.", _SCORES["likely"]
        found = [
            _candidate(essence, reason, score, certain=False, match=False)
            for name, value in wanted
            for essence in _having(name or "").get(value.lower(), ())
        ]
    entries: dict[str, dict[str, Any]] = {}
    for entry in found:
        entries.setdefault(entry["id"], entry)
    for condition in conditions:
        for essence in [essence for essence in entries if not _meets(essence, condition)]:
            if condition.required:
                del entries[essence]
            else:
                entry = entries[essence]
                entry["score"], entry["match"] = max(entry["score"] - _MISMATCH, 0), False
    return sorted(entries.values(), key=lambda entry: -entry["score"])[: min(limit, _MOST)]


def named_properties(names: Iterable[str] = PROPERTIES) -> list[dict[str, str]]:
    """Return properties with their names; all of them if none are named.

    >>> named_properties(["iana"])
    [{'id': 'iana', 'name': 'IRI of IANA'}]
    """
    return [{"id": name, "name": PROPERTIES[name]} for name in names]


def property_values(header: str, name: str) -> list[str]:
    """Return the values of a property of a type; none if the header is not a type.

    >>> property_values("text/csv", "iana")
    ['https://www.iana.org/assignments/media-types/text/csv']
    >>> property_values("CSV", "iana")
    []
    >>> [iri.rpartition("/")[2] for iri in property_values("application/zip", "eu")]
    ['ZIP']
    """
    try:
        content_type = ContentType.parse(header)
    except CturiError:
        return []
    essence = content_type.essence
    if name == "extensions":
        return list(registry().extensions_of(essence))
    if name == "machine-readable":
        machine_readable = qualities(content_type).machine_readable
        return [] if machine_readable is None else [str(machine_readable).lower()]
    if name == "obsolete":
        return [str(not registry().is_current(essence)).lower()]
    scheme = _SCHEMES[name.removesuffix(_NARROWER)]
    own = [identifier.iri for identifier in own_identifiers(essence) if identifier.scheme == scheme]
    if not name.endswith(_NARROWER):
        return own
    every = [identifier.iri for identifier in identifiers(essence) if identifier.scheme == scheme]
    return [iri for iri in every if iri not in own]


def suggested_entities(prefix: str) -> Iterator[dict[str, Any]]:
    """Yield the types that a text means, then the registered types that have it in their names.

    >>> next(suggested_entities("svg"))["id"]
    'image/svg+xml'
    """
    if not prefix:
        return
    wanted = prefix.lower()
    meant = {entry["id"]: entry["description"] for entry in candidates(prefix)}
    for name, description in meant.items():
        yield _suggestion(name, description)
    named = [name for name in _names() if wanted in name and name not in meant]
    # The beginning of the name or of the subtype is best, and then an earlier place in the subtype.
    named.sort(
        key=lambda name: (
            not name.startswith(wanted),
            name.partition("/")[2].find(wanted) % 1_000,
            len(name),
            name,
        )
    )
    for name in named:
        yield _suggestion(name, "A registered media type.")


def suggested_properties(prefix: str) -> Iterator[dict[str, Any]]:
    """Yield the properties that have a text in their names or identifiers; all for no text."""
    for entry in named_properties():
        if prefix.lower() in entry["name"].lower() or prefix.lower() in entry["id"]:
            yield entry


def suggested_types(prefix: str) -> Iterator[dict[str, Any]]:
    """Yield the type of all entities, if it has a text in its name or identifier."""
    if any(prefix.lower() in text.lower() for text in ENTITY_TYPE.values()):
        yield dict(ENTITY_TYPE)


def _candidate(
    essence: str, reason: str, score: int, *, certain: bool, match: bool
) -> dict[str, Any]:
    return {
        "id": essence,
        "name": essence,
        "description": reason,
        "type": [ENTITY_TYPE],
        "score": score,
        "match": match,
        "features": [{"id": "certain", "name": "Certain", "value": certain}],
    }


def _suggestion(name: str, description: str) -> dict[str, Any]:
    return {"id": name, "name": name, "description": description, "notable": [ENTITY_TYPE]}


def _meets(essence: str, condition: Condition) -> bool:
    if condition.name is None:
        held = [essence in {one.essence for one in resolve(v).named} for v in condition.values]
    else:
        own = _values(essence, condition.name)
        held = [value.lower() in own for value in condition.values]
    if condition.quantifier == "none":
        return not any(held)
    return all(held) if condition.quantifier == "all" else any(held)


@lru_cache(maxsize=20_000)
def _values(essence: str, name: str) -> frozenset[str]:
    return frozenset(value.lower() for value in property_values(essence, name))


@cache
def _having(name: str) -> dict[str, list[str]]:
    """Return the registered types that have each value of a property."""
    types: dict[str, list[str]] = {}
    for essence in _names():
        for value in _values(essence, name):
            types.setdefault(value, []).append(essence)
    return types


@cache
def _names() -> tuple[str, ...]:
    return tuple(record.essence for record in registry().media_types())
