"""Metadata profiles: their rules for the properties that name formats, and the one of a file.

A profile is a table in the folder ``data/profiles``, with the source and the section of each
rule.  Nothing else in this package knows what a profile asks.

The profile of a file is chosen once for all commands.  What the file declares by `conformsTo`
counts first, then the vocabularies that it uses.  A file that shows no profile is under DCAT or
schema.org themselves, which ask for the least.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.errors import expect_kind
from cturi_rdf.rdf.terms import RDF
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.registry.tables import DATA, listed, load, unambiguous

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_ENDING = ".tsv"
# A required property is asked of every resource of its classes, or of those with another property.
_ALWAYS = "always"
_VERSION = re.compile(r" [0-9.]+\Z")
_NOT_IN_NAMES = re.compile(r"[^a-z0-9.]+")
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


class RuleRecord(NamedTuple):
    """A rule in the table of a profile; `applies_to` has its classes, if any, and its property."""

    applies_to: str
    role: str
    write: tuple[str, ...]
    accept: tuple[str, ...]
    also: tuple[str, ...]
    at_most: str
    required: str
    type: str
    in_scheme: bool
    pattern: str
    refused_by: str
    level: str
    source: str
    section: str


@dataclass(frozen=True, slots=True)
class PropertyRule:
    """The rule of a profile for one property of the resources of some classes.

    `role` is the subject of the property: ``media type``, ``format``, ``compression``, ``package``
    or ``other``.  `write` names the forms of a value, the preferred one first: schemes of IRIs,
    such as ``iana-https`` and ``eu-file-type``; ``media-type``, a text; and ``name``, a text for
    people.  `accept` names further forms that are right; ``node`` is any IRI or blank node, and
    ``url`` a text that is a URL.  `also` are texts and patterns that the documents of the profile
    or its reference reader also accept, whatever the registry says about them.  `of` are the
    classes, none for all.  `at_most` is how many values a resource may have, None for any number.
    `required` says which resources must have a value: None for no resource, else those with one of
    these properties, or all if it is empty.  `type` is the class that a value must have in the
    data, and `in_scheme` says whether it must have its `skos:inScheme` there.  `pattern` is what a
    media type as text must match, `refused_by` has the name of a validator and its own pattern: it
    refuses what does not match, although the profile does not ask for that.
    """

    property: ox.NamedNode
    role: str
    of: frozenset[ox.NamedNode]
    write: tuple[str, ...]
    accept: tuple[str, ...]
    also: tuple[re.Pattern[str], ...]
    at_most: int | None
    required: tuple[ox.NamedNode, ...] | None
    type: ox.NamedNode | None
    in_scheme: bool
    pattern: re.Pattern[str] | None
    refused_by: tuple[str, re.Pattern[str]] | None
    level: str
    source: str
    section: str

    def __hash__(self) -> int:
        # Many results are kept by the rule that they follow from.
        return hash((self.property, self.section))

    def wraps(self) -> str | None:
        """Return the kind of wrapper that the property names, if any: its role."""
        return self.role if self.role in {"compression", "package"} else None

    def is_of_another_file(self) -> bool:
        """Return whether the property is about another file, such as a description."""
        return self.role == "other"

    def is_required(self, properties: Collection[ox.NamedNode]) -> bool:
        """Return whether a resource with these properties must have a value.

        >>> rule = profile_named("pod").rule_of("media type")
        >>> rule.is_required([iri_of("dcat:downloadURL")]), rule.is_required([])
        (True, False)
        """
        if self.required is None:
            return False
        return not self.required or any(path in properties for path in self.required)

    def also_accepts(self, text: str) -> bool:
        """Return whether the profile's documents or its reference reader accept a text by itself.

        >>> profile_named("croissant-1.0").rule_of("format").also_accepts("git+https")
        True
        """
        return any(pattern.search(text) for pattern in self.also)


class Profile(NamedTuple):
    """A metadata profile, with its rules.

    `extends` names the profile that it is a special case of.  A file says that it follows the
    profile by an IRI or a name that begins with one of `conforms_to`, or by using a namespace of
    `uses`.  An IRI or a name that has one of `named_in`, in any case, is of the profile or of an
    extension of it that has no table.
    """

    name: str
    title: str
    document: str
    extends: str | None
    conforms_to: tuple[str, ...]
    uses: tuple[str, ...]
    named_in: tuple[str, ...]
    rules: tuple[PropertyRule, ...]

    @property
    def properties(self) -> frozenset[ox.NamedNode]:
        """The properties that the profile has rules for."""
        return frozenset(rule.property for rule in self.rules)

    def rule_for(
        self, path: ox.NamedNode, types: Collection[ox.NamedNode] = ()
    ) -> PropertyRule | None:
        """Return the rule for a property of a resource of these classes, or None.

        A resource of unknown classes is treated as one that the profile is about.

        >>> path = ox.NamedNode("http://purl.org/dc/terms/format")
        >>> profile_named("dcat-ap").rule_for(path).write
        ('eu-file-type',)
        """
        for rule in self.rules:
            if rule.property == path and (
                not types or not rule.of or not rule.of.isdisjoint(types)
            ):
                return rule
        return None

    def rule_of(self, role: str, types: Collection[ox.NamedNode] = ()) -> PropertyRule | None:
        """Return the rule for the property with a role, or None where the profile has none."""
        paths = (rule.property for rule in self.rules if rule.role == role)
        return next(filter(None, (self.rule_for(path, types) for path in paths)), None)

    def for_json(self, *, without_context: bool) -> Profile:
        """Return the profile that holds for a file in this syntax: that for JSON, or itself.

        >>> profile_named("dcat-us").for_json(without_context=True).name
        'dcat-us-json'
        """
        in_json = f"{self.name}-json"
        return _profile(in_json) if without_context and in_json in profile_names() else self


@cache
def profile_names() -> tuple[str, ...]:
    """Return the names of all profiles.

    >>> "dcat-ap" in profile_names()
    True
    """
    return tuple(sorted(file.stem for file in Path(DATA, "profiles").glob(f"*{_ENDING}")))


def profile_named(name: str) -> Profile:
    """Return the profile of a name, a title or an IRI; neither case nor punctuation counts.

    Raises `CatalogError`, with the nearest name, where there is none.

    >>> profile_named("pod").title
    'Project Open Data 1.1'
    >>> profile_named("DCAT-AP 3.0.1").name, profile_named("http://data.europa.eu/r5r/").name
    ('dcat-ap', 'dcat-ap')
    """
    expect_kind(name, str, "the name of a profile is text")
    called = _names().get(_key(name)) or _by_iri(name)
    if called is None:
        near = get_close_matches(_key(name), _names(), n=1)
        maybe = f"{_names()[near[0]]}, or another " if near else ""
        every = f"{maybe}one of {', '.join(profile_names())}"
        raise CatalogError("an unknown profile", name, every)
    return _profile(called)


def _key(name: str) -> str:
    return _NOT_IN_NAMES.sub("", name.casefold())


@cache
def _names() -> dict[str, str]:
    """Return the names of the profiles by what they are called: names, and titles.

    The version may be left out of a title that no other version of the profile has.
    """
    titles = [(_profile(name).title, name) for name in profile_names()]
    unversioned = unambiguous((_key(_VERSION.sub("", title)), name) for title, name in titles)
    named = {key: name for key, name in unversioned.items() if name is not None}
    named |= {_key(title): name for title, name in titles}
    return named | {_key(name): name for name in profile_names()}


def _by_iri(iri: str) -> str | None:
    """Return the name of the profile that an IRI names, or None."""
    starts = {profile: profile.conforms_to for profile in map(_profile, profile_names())}
    return next((profile.name for profile in _matches([iri], starts)), None) if ":" in iri else None


@cache
def _profile(name: str) -> Profile:
    table = load(f"profiles/{name}{_ENDING}", RuleRecord)
    return Profile(
        name,
        table.facts["title"],
        table.facts["document"],
        table.facts.get("extends"),
        listed(table.facts.get("conforms to", "")),
        listed(table.facts.get("uses", "")),
        listed(table.facts.get("named in", "")),
        tuple(map(_rule, table)),
    )


def _rule(row: RuleRecord) -> PropertyRule:
    classes, _, name = row.applies_to.rpartition(" ")
    validator, _, refused = row.refused_by.partition(": ")
    required = None
    if row.required:
        required = () if row.required == _ALWAYS else (iri_of(row.required),)
    return PropertyRule(
        property=iri_of(name),
        role=row.role,
        of=frozenset(map(iri_of, listed(classes))),
        write=row.write,
        accept=row.accept,
        also=tuple(map(_pattern_of, row.also)),
        at_most=int(row.at_most) if row.at_most else None,
        required=required,
        type=iri_of(row.type) if row.type else None,
        in_scheme=row.in_scheme,
        pattern=re.compile(row.pattern) if row.pattern else None,
        refused_by=(validator, re.compile(refused)) if validator else None,
        level=row.level,
        source=row.source,
        section=row.section,
    )


def _pattern_of(text: str) -> re.Pattern[str]:
    """Return the pattern of a text in the column `also`: a circumflex begins a pattern."""
    return re.compile(text if text.startswith("^") else rf"^{re.escape(text)}\Z")


def iri_of(name: str) -> ox.NamedNode:
    """Return the node of a name with one of the common prefixes, or of an IRI.

    >>> iri_of("dcat:mediaType").value
    'http://www.w3.org/ns/dcat#mediaType'
    """
    prefix, _, local = name.partition(":")
    return ox.NamedNode(PREFIXES[prefix] + local if prefix in PREFIXES else name)


class ChosenProfile(NamedTuple):
    """The profile of a file, and the words that say why it is that one."""

    profile: Profile
    why: str

    @property
    def text(self) -> str:
        """The profile and the reason in words.

        >>> ChosenProfile(profile_named("pod"), "as requested").text
        'Project Open Data 1.1 (pod), as requested'
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
    'DCAT-AP.de 2.0 (dcat-ap-de), because the file conforms to http://dcat-ap.de/def/dcatde/2.0/'
    """
    if name is None:
        chosen = _by_statements(quads, json_without_context=json_without_context)
    else:
        chosen = ChosenProfile(profile_named(name), "as requested")
    fitting = chosen.profile.for_json(without_context=json_without_context)
    return chosen._replace(profile=fitting)


def _by_statements(quads: Iterable[ox.Quad], *, json_without_context: bool) -> ChosenProfile:
    profiles = [profile_named(title) for title in profile_names()]
    conforms = {profile: profile.conforms_to for profile in profiles}
    uses = {profile: profile.uses for profile in profiles}
    declared, names = _statements(quads)
    several = ""
    for texts, starts, what in (
        (declared, conforms, "because the file conforms to"),
        (names, uses, "because the file uses"),
    ):
        matches = _matches(texts, starts)
        if len(matches) == 1:
            ((profile, text),) = matches.items()
            return ChosenProfile(profile, f"{what} {text}")
        if matches:
            several = ", ".join(profile.name for profile in matches)
            break
    why = (
        f"because the file may follow {several}" if several else "because the file names no profile"
    )
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
    telling = {*CONFORMS_TO, *_NAMES, RDF.type}
    for quad in quads:
        path = quad.predicate
        terms[path] = None
        if path not in telling:
            continue
        value = quad.object
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
    """Return the profiles that have the longest start or part of a text, with the text.

    A profile that another one of them extends is left out.
    """
    matches: dict[Profile, str] = {}
    for text in texts:
        lengths = {
            profile: max(
                [0]
                + [len(start) for start in beginnings if text.startswith(start)]
                + [len(part) for part in profile.named_in if part in text.casefold()]
            )
            for profile, beginnings in starts.items()
        }
        longest = max(lengths.values())
        for profile, length in lengths.items():
            if length == longest > 0:
                matches.setdefault(profile, text)
    broader = {profile.extends for profile in matches}
    return {profile: text for profile, text in matches.items() if profile.name not in broader}
