"""The profile of a file, chosen once for all commands: by its own statements and its syntax.

What a file declares by `conformsTo` counts first, then the vocabularies that it uses.  A file that
shows no profile is under DCAT or schema.org themselves, which ask for the least.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.profiles import profile_named, profile_names
from cturi_rdf.rdf.terms import RDF

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cturi_rdf.catalogue.profiles import Profile


_TERMS, _SCHEMA = "http://purl.org/dc/terms/", ("http://schema.org/", "https://schema.org/")
CONFORMS_TO = {ox.NamedNode(f"{space}conformsTo") for space in (_TERMS, *_SCHEMA)}
# What names the node of a profile that has no IRI of its own.
_NAMES = {
    *(ox.NamedNode(f"{_TERMS}{name}") for name in ("title", "identifier")),
    *(ox.NamedNode(f"{space}{name}") for space in _SCHEMA for name in ("name", "identifier")),
}
_DCAT = "http://www.w3.org/ns/dcat#"
_ENCODING_FORMAT = frozenset(f"{space}encodingFormat" for space in _SCHEMA)
# DCAT-US and Project Open Data are the profiles whose files are JSON without a context.
_OF_JSON = "dcat-us-json"


class ChosenProfile(NamedTuple):
    """The profile of a file, and the words that say why it is that one."""

    profile: Profile
    why: str

    @property
    def text(self) -> str:
        """The profile and the reason in words.

        >>> ChosenProfile(profile_named("pod"), "as asked for").text
        'Project Open Data 1.1 (pod), as asked for'
        """
        return f"{self.profile.title} ({self.profile.name}), {self.why}"


def choose_profile(
    quads: Iterable[ox.Quad], name: str | None = None, *, json_without_context: bool = False
) -> ChosenProfile:
    """Return the profile that a file is under, and why.

    `name` is the profile that the user asks for; the statements of the file are not read then.
    `json_without_context` says that the file is JSON, or Project Open Data, with names and no
    context of its own: for such a file some profiles have rules of their own.  If the file names a
    profile and a special case of it, the special case is preferred.  Raises `CatalogError` for an
    unknown name.

    >>> quads = list(ox.parse(
    ...     '<a:c> <http://purl.org/dc/terms/conformsTo> <http://dcat-ap.de/def/dcatde/2.0/> .',
    ...     ox.RdfFormat.N_TRIPLES))
    >>> choose_profile(quads).text
    'DCAT-AP.de 2.0 (dcat-ap-de), as the file conforms to http://dcat-ap.de/def/dcatde/2.0/'
    """
    if name is None:
        chosen = _by_statements(quads, json_without_context=json_without_context)
    else:
        chosen = ChosenProfile(profile_named(name), "as asked for")
    fitting = chosen.profile.for_json(without_context=json_without_context)
    return chosen._replace(profile=fitting)


def _by_statements(quads: Iterable[ox.Quad], *, json_without_context: bool) -> ChosenProfile:
    profiles = [profile_named(title) for title in profile_names()]
    conforms = {profile: profile.conforms_to for profile in profiles}
    uses = {profile: profile.uses for profile in profiles}
    declared, names = _statements(quads)
    several = ""
    for texts, starts, what in (
        (declared, conforms, "as the file conforms to"),
        (names, uses, "as the file uses"),
    ):
        matches = _matches(texts, starts)
        if len(matches) == 1:
            ((profile, text),) = matches.items()
            return ChosenProfile(profile, f"{what} {text}")
        if matches:
            several = ", ".join(profile.name for profile in matches)
            break
    why = f"as the file may follow {several}" if several else "as the file names no profile"
    if json_without_context:
        return ChosenProfile(profile_named(_OF_JSON), why)
    has_dcat = any(iri.startswith(_DCAT) for iri in names)
    plain = "dcat" if has_dcat or _ENCODING_FORMAT.isdisjoint(names) else "schema"
    return ChosenProfile(profile_named(plain), why)


def _statements(quads: Iterable[ox.Quad]) -> tuple[list[str], list[str]]:
    """Return what a file says that it conforms to, and the properties and classes that it has."""
    declared: dict[str, None] = {}
    # A profile may be a node of its own, with a name.
    nodes: set[object] = set()
    named: dict[object, str] = {}
    terms: dict[ox.NamedNode, None] = {}
    for quad in quads:
        path, value = quad.predicate, quad.object
        terms[path] = None
        if path in CONFORMS_TO:
            if isinstance(value, ox.BlankNode):
                nodes.add(value)
            elif not isinstance(value, ox.Triple):
                declared[value.value] = None
        elif path in _NAMES:
            if isinstance(quad.subject, ox.BlankNode) and isinstance(value, ox.Literal):
                named.setdefault(quad.subject, value.value)
        elif path == RDF.type and isinstance(value, ox.NamedNode):
            terms[value] = None
    titles = [named[node] for node in named if node in nodes]
    return [*declared, *titles], [term.value for term in terms]


def _matches(texts: Iterable[str], starts: Mapping[Profile, tuple[str, ...]]) -> dict[Profile, str]:
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
