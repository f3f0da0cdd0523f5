"""The profile that a file follows, by its own statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.rdf.terms import RDF
from cturi_rdf.repair.profiles import profile_named, profile_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.repair.profiles import Profile

__all__ = ["guess_profile"]

_CONFORMS_TO = {
    ox.NamedNode(f"{namespace}conformsTo")
    for namespace in ("http://purl.org/dc/terms/", "http://schema.org/", "https://schema.org/")
}
_DCAT = "http://www.w3.org/ns/dcat#"
_SCHEMA = frozenset(("http://schema.org/encodingFormat", "https://schema.org/encodingFormat"))


def guess_profile(quads: Iterable[ox.Quad]) -> tuple[Profile | None, str]:
    """Return the profile that a file says it follows, and the words that say so.

    What the file declares by `conformsTo` counts first, then the vocabularies that it uses.  If the
    file names a profile and a special case of it, the special case is preferred.  Where the file
    leaves it open there is no profile, and the words say which ones it may be.

    >>> quads = list(ox.parse(
    ...     '<a:c> <http://purl.org/dc/terms/conformsTo> <http://dcat-ap.de/def/dcatde/2.0/> .',
    ...     ox.RdfFormat.N_TRIPLES))
    >>> guess_profile(quads)[0].name
    'dcat-ap-de'
    """
    declared: dict[str, None] = {}
    terms: dict[ox.NamedNode, None] = {}
    for quad in quads:
        terms[quad.predicate] = None
        if isinstance(quad.object, ox.BlankNode | ox.Triple):
            continue
        if quad.predicate in _CONFORMS_TO:
            declared[quad.object.value] = None
        elif quad.predicate == RDF.type and isinstance(quad.object, ox.NamedNode):
            terms[quad.object] = None
    names = [term.value for term in terms]
    profiles = [profile_named(name) for name in profile_names()]
    conforms = {profile: profile.conforms_to for profile in profiles}
    uses = {profile: profile.uses for profile in profiles}
    for texts, starts, what in ((declared, conforms, "it conforms to"), (names, uses, "it uses")):
        matches = _matches(texts, starts)
        if len(matches) == 1:
            ((profile, text),) = matches.items()
            return profile, f"{what} {text}"
        if matches:
            may_be = ", ".join(profile.name for profile in matches)
            return None, f"it does not say which profile it follows: it may be {may_be}"
    has_dcat = any(name.startswith(_DCAT) for name in names)
    if not has_dcat and not _SCHEMA.isdisjoint(names):
        return profile_named("schema"), "it has schema:encodingFormat, and nothing of DCAT"
    return None, "it does not say which profile it follows"


def _matches(texts: Iterable[str], starts: dict[Profile, tuple[str, ...]]) -> dict[Profile, str]:
    """Return the profiles of which a text begins with the longest start, with the text.

    A profile that another one of them extends is left out.
    """
    matches: dict[Profile, str] = {}
    for text in texts:
        lengths = {
            profile: max((len(start) for start in beginnings if text.startswith(start)), default=0)
            for profile, beginnings in starts.items()
        }
        longest = max(lengths.values())
        for profile, length in lengths.items():
            if length == longest > 0:
                matches.setdefault(profile, text)
    broader = {profile.extends for profile in matches}
    return {profile: text for profile, text in matches.items() if profile.name not in broader}
