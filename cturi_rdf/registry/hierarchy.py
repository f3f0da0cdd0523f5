"""The relations of content types: suffixes, the hierarchy, and which types carry RDF.

Structured syntax suffixes, such as "+xml" or "+json" at the end of a subtype, are defined by RFC
6838 section 4.2.8, and registered by RFC 6839 and others; IANA's registry lists them and their
meanings.  None of it depends on whether the type itself is registered.

The hierarchy is by parameters, aliases and suffixes.  The table of types that carry RDF has a row
for each type, with its source; aliases and names with ``+gzip`` are for the registry.
`DEFAULT_VERSION` and `VERSIONS` are RDF 1.2 Concepts, section 2.1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.registry import registry
from cturi_rdf.registry.tables import load

if TYPE_CHECKING:
    from collections.abc import Collection

    from cturi_rdf.registry import SuffixRecord
    from cturi_rdf.registry.tables import Table


__all__ = [
    "TOP_LEVEL_TYPES",
    "Structure",
    "ancestry",
    "comparison_parameters",
    "is_a",
    "is_always_utf_8",
    "is_kind_of",
    "is_same",
    "lacks",
    "most_specific",
    "structure_of",
    "successor_of",
]


# RFC 9694 section 4: the registry of top-level types.  "example" is for documents (RFC 4735).
TOP_LEVEL_TYPES = frozenset({
    "application", "audio", "example", "font", "haptics", "image", "message", "model", "multipart",
    "text", "video",
})  # fmt: skip
# Types with several suffixes that drafts used before the registration of multiple suffixes was
# given up, and the types that were registered in their place: W3C, Verifiable Credentials Data
# Model 2.0 and Securing Verifiable Credentials using JOSE and COSE (both 2025), Decentralized
# Identifiers 1.1.
_SUCCESSORS = {
    "application/did+ld+json": "application/did",
    **{
        f"application/{kind}+ld+json{suffix}": f"application/{kind}{suffix}"
        for kind in ("vc", "vp")
        for suffix in ("", "+cose", "+jwt", "+sd-jwt")
    },
}
# Types whose registrations say that the data is UTF-8 whatever the header says: RFC 8259 section
# 8.1, RFC 7464 section 4, RDF 1.1 Turtle section B, SPARQL 1.1 Query section 21, WebVTT section 9.
_UTF_8 = {
    "application/json", "application/json-seq", "application/n-quads", "application/n-triples",
    "application/sparql-query", "application/sparql-update", "application/trig", "text/n3",
    "text/turtle", "text/vtt",
}  # fmt: skip
# RFC 2046 section 4.5.1: any sequence of octets.
_ANYTHING = "application/octet-stream"


class Structure(NamedTuple):
    """The parts of a subtype, and the facts that its suffix implies.

    `stem` is the part before the first suffix, `suffixes` are all suffixes in order, without plus.
    `record` is IANA's entry of the suffix that counts, or `None`.  `base` is the type of the bare
    syntax, which lets a generic processor read the data; `fragment` is the type whose fragment
    identifiers apply.  Both are `None` where IANA names no type.
    """

    stem: str
    suffixes: tuple[str, ...]
    record: SuffixRecord | None
    base: ContentType | None
    fragment: ContentType | None

    @property
    def kept(self) -> tuple[str, ...]:
        """The suffixes that add nothing to the name of the type."""
        kept = [*reversed(self.suffixes)]
        if self.record:
            kept.remove(self.record.name)
        return tuple(reversed(kept))


def successor_of(essence: str) -> str | None:
    """Return the registered type in place of one with several suffixes that was withdrawn, or None.

    >>> successor_of("application/vc+ld+json")
    'application/vc'
    """
    return _SUCCESSORS.get(essence)


def structure_of(content_type: ContentType) -> Structure:
    """Return the suffixes of a type, the one that counts, and its facts.

    Of several suffixes the last registered one counts (RFC 6838 section 4.2.8 knows only one); the
    others are kept.  An empty suffix does not count.

    >>> structure = structure_of(ContentType.parse("application/vc+ld+json"))
    >>> structure.stem, structure.suffixes, structure.record.name, structure.kept
    ('vc', ('ld', 'json'), 'json', ('ld',))
    >>> structure.base.essence
    'application/json'
    >>> structure_of(ContentType.parse("audio/amr-wb+")).suffixes
    ()
    """
    stem, names = content_type.subtype, list[str]()
    if content_type.suffix:
        stem, *names = content_type.subtype.split("+")
    records = (registry().suffix(name) for name in reversed(names) if name)
    record = next((row for row in records if row), None)
    return Structure(
        stem,
        tuple(filter(None, names)),
        record,
        ContentType.parse(record.base) if record and record.base else None,
        ContentType.parse(record.fragment) if record and record.fragment else None,
    )


class SameTypeRecord(NamedTuple):
    """Two names in use for one format, neither of which has replaced the other."""

    essence: str
    same: str
    note: str


def is_a(narrow: ContentType, broad: ContentType) -> bool:
    """Return whether all data of type `narrow` is also of type `broad`.

    Data of a type with parameters is also of the bare type; an alias means its type; a suffix
    names the syntax (RFC 6838 section 4.2.8); data of one version of RDF is also of the later
    versions; and all data is an octet stream.

    >>> parse = ContentType.parse
    >>> is_a(parse("application/ld+json; profile=x"), parse("application/json"))
    True
    >>> is_a(parse("text/xml"), parse("application/xml; charset=utf-8"))
    False
    """
    return not lacks(narrow, broad) and is_kind_of(narrow, broad)


def is_kind_of(narrow: ContentType, broad: ContentType) -> bool:
    """Return whether data of one type is also of another one, whatever their parameters say.

    >>> parse = ContentType.parse
    >>> is_kind_of(parse("application/geo+json"), parse("application/json; charset=utf-8"))
    True
    """
    canonical = registry().canonical(broad.essence)
    return canonical == _ANYTHING or canonical in ancestry(narrow.essence)


def is_same(one: ContentType, other: ContentType) -> bool:
    """Return whether two types are names of one format, with the same parameters.

    One is an alias of the other, or both names are in use for the same data.

    >>> parse = ContentType.parse
    >>> is_same(parse("application/jsonl"), parse("application/x-ndjson"))
    True
    """
    names = {registry().canonical(one.essence), registry().canonical(other.essence)}
    return comparison_parameters(one) == comparison_parameters(other) and (
        names <= ancestry(one.essence) & ancestry(other.essence)
    )


def most_specific(content_types: Collection[ContentType]) -> ContentType | None:
    """Return the type that is a special case of all others, or None if there is no such type.

    An alias does not count if its type is given too.

    >>> parse = ContentType.parse
    >>> print(most_specific([parse("application/json"), parse("application/geo+json")]))
    application/geo+json
    >>> print(most_specific([parse("text/csv"), parse("application/json")]))
    None
    """
    best = [
        one
        for one in content_types
        if all(is_a(one, content_type) for content_type in content_types)
    ]
    named = [one for one in best if registry().canonical(one.essence) == one.essence]
    return next(iter(named or best), None)


def comparison_parameters(content_type: ContentType) -> set[tuple[str, str]]:
    """Return the parameters as comparison takes them: a profile is a set (RFC 6906 section 3.1).

    >>> sorted(comparison_parameters(ContentType.parse('a/b; charset=UTF-8; profile="x y"')))
    [('charset', 'utf-8'), ('profile', 'x'), ('profile', 'y')]
    """
    return {
        (name, part.lower() if name == "charset" else part)
        for name, value in content_type.parameters.items()
        for part in (value.split() if name == "profile" else (value,))
    }


def is_always_utf_8(essence: str) -> bool:
    """Return whether data of a type is UTF-8 by its registration, so that a charset adds nothing.

    >>> [is_always_utf_8(each) for each in ("application/vnd.api+json", "text/turtle", "text/csv")]
    [True, True, False]
    """
    canonical = registry().canonical(essence)
    return canonical in _UTF_8 or canonical.endswith("+json")


def lacks(content_type: ContentType, asked: ContentType) -> set[tuple[str, str]]:
    """Return the parameters of `asked` that `content_type` does not have.

    An earlier version of RDF satisfies a later one (RDF 1.2 Concepts, section 2.1).

    >>> parse = ContentType.parse
    >>> lacks(parse("text/turtle; version=1.1"), parse("text/turtle; version=1.2"))
    set()
    >>> lacks(parse("text/turtle; version=1.2"), parse("text/turtle; version=1.1"))
    {('version', '1.1')}
    """
    missing = comparison_parameters(asked) - comparison_parameters(content_type)
    if any(name == "version" for name, _ in missing):
        has, wanted = _version_of(content_type), _version_of(asked)
        if has is not None and wanted is not None and has <= wanted:
            missing = {(name, value) for name, value in missing if name != "version"}
    return missing


@lru_cache(8_192)
def ancestry(essence: str, *, by_syntax: bool = False) -> frozenset[str]:
    """Return the canonical names of a type and of all types that it is a special case of.

    With `by_syntax` these are only the types whose parser can read the data.  Packages are left
    out, because a parser does not know their content, and so are types that only the registry
    relates.

    >>> sorted(ancestry("application/ld+json"))
    ['application/json', 'application/ld+json']
    >>> sorted(ancestry("application/epub+zip", by_syntax=True))
    ['application/epub+zip']
    """
    snapshot = registry()
    ancestors: set[str] = set()
    pending = [essence]
    while pending:
        current = snapshot.canonical(pending.pop())
        if current in ancestors:
            continue
        ancestors.add(current)
        record = rdf_type(current)
        if record and record.syntax and not record.embedded:
            pending.append(record.syntax)
        base = structure_of(ContentType.parse(current)).base
        if base and not (by_syntax and snapshot.packaging(base.essence)):
            pending.append(base.essence)
        if not by_syntax:
            pending += snapshot.broader(current)
    return frozenset(ancestors).union(*map(_other_names, ancestors))


@lru_cache(8_192)
def _other_names(essence: str) -> frozenset[str]:
    """Return the names of a type that none of the others has replaced."""
    records = load("same-types.tsv", SameTypeRecord)
    pairs = [{record.essence, record.same} for record in records]
    return frozenset(name for pair in pairs if essence in pair for name in pair)


# In ascending order: data of one version is also data of the later versions.
VERSIONS = ("1.1", "1.2-basic", "1.2")
# The version of data whose type does not give one.
DEFAULT_VERSION = "1.1"


class RdfTypeRecord(NamedTuple):
    """One media type that carries RDF.

    `syntax` is the type whose parser reads it, or None for results and queries, which are no
    graphs; `embedded` says that the RDF is in a document of another kind.  `latest` is the last
    version of RDF that the type has a ``version`` parameter for.  `rdflib` and `oxigraph` are the
    names of their formats, `endings` the file name endings that no format of
    `cturi_rdf.reading` has.
    `status` is ``registered``, ``in registration``, ``in use`` or ``legacy``.
    """

    essence: str
    syntax: str | None
    embedded: bool
    latest: str | None
    rdflib: str | None
    oxigraph: str | None
    endings: tuple[str, ...]
    status: str
    source: str


def rdf_type(essence: str) -> RdfTypeRecord | None:
    """Return the row of a type or of the type that it is an alias of, or None.

    >>> rdf_type("application/x-turtle").essence, rdf_type("application/vc").syntax
    ('text/turtle', 'application/ld+json')
    """
    return rdf_types().get(registry().canonical(essence))


def is_rdf_syntax(essence: str) -> bool:
    """Return whether all data of a type is RDF, so that "RDF" may mean it.

    >>> [is_rdf_syntax(essence) for essence in ("text/turtle", "text/html", "text/csv")]
    [True, False, False]
    """
    record = rdf_type(essence)
    return record is not None and record.syntax is not None and not record.embedded


def rdf_types() -> Table[RdfTypeRecord]:
    """Return the table, which has its rows in the order of the file.

    >>> next(iter(rdf_types())).essence
    'text/turtle'
    """
    return load("rdf-types.tsv", RdfTypeRecord)


def _version_of(content_type: ContentType) -> int | None:
    """Return the index in `VERSIONS` of the version of a type, or None.

    It is also None for a type whose registration has no such parameter, and for an undefined
    version.

    >>> _version_of(ContentType.parse("text/turtle; version=1.2-basic"))
    1
    >>> _version_of(ContentType.parse("text/csv; version=1.2")) is None
    True
    """
    version = content_type.parameters.get("version")
    if version not in VERSIONS:
        return None
    record = rdf_type(content_type.essence)
    return VERSIONS.index(version) if record and record.latest else None


# The prefix that the specification of JSON-LD reserves for the IRIs of its profiles.
_PREFIX = "http://www.w3.org/ns/json-ld#"


class ProfileRecord(NamedTuple):
    """One profile of JSON-LD, and which specification defines it."""

    iri: str
    source: str


def unknown_profiles(content_type: ContentType) -> tuple[str, ...]:
    """Return the profiles of a type in the namespace of JSON-LD that it does not define.

    Any other IRI may be a profile (RFC 6906 section 3); IRIs compare letter by letter.

    >>> profiles = "http://www.w3.org/ns/json-ld#compact http://a.example/mine"
    >>> unknown_profiles(ContentType("application", "ld+json", {"profile": profiles}))
    ('http://www.w3.org/ns/json-ld#compact',)
    """
    defined = load("json-ld-profiles.tsv", ProfileRecord)
    profiles = content_type.parameters.get("profile", "").split()
    return tuple(
        profile for profile in profiles if profile.startswith(_PREFIX) and profile not in defined
    )
