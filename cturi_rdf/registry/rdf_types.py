"""The media types that carry RDF: their syntaxes, and the parsers that read them.

The table has a row for each type, with its source; aliases and names with ``+gzip`` are for
the registry.  `DEFAULT_VERSION` and `VERSIONS` are RDF 1.2 Concepts, section 2.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.registry.snapshot import registry
from cturi_rdf.registry.tables import load

if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.registry.tables import Table


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
    return rdf_types().get(essence) or rdf_types().get(registry().canonical(essence))


def rdf_types() -> Table[RdfTypeRecord]:
    """Return the table, which has its rows in the order of the file.

    >>> next(iter(rdf_types())).essence
    'text/turtle'
    """
    return load("rdf-types.tsv", RdfTypeRecord)


def version_of(content_type: ContentType) -> int | None:
    """Return the index in `VERSIONS` of the version of a type, or None.

    It is also None for a type whose registration has no such parameter, and for an undefined
    version.

    >>> from cturi_rdf import ContentType
    >>> version_of(ContentType.parse("text/turtle; version=1.2-basic"))
    1
    >>> version_of(ContentType.parse("text/csv; version=1.2")) is None
    True
    """
    version = content_type.parameters.get("version")
    if version not in VERSIONS:
        return None
    record = rdf_type(content_type.essence)
    return VERSIONS.index(version) if record and record.latest else None


# The profiles of JSON-LD: IRIs under a prefix that its specification reserves.


_PREFIX = "http://www.w3.org/ns/json-ld#"


class ProfileRecord(NamedTuple):
    """One profile of JSON-LD, and which specification defines it."""

    iri: str
    source: str


def unknown_profiles(content_type: ContentType) -> tuple[str, ...]:
    """Return the profiles of a type in the namespace of JSON-LD that it does not define.

    Any other IRI may be a profile (RFC 6906 section 3); IRIs compare letter by letter.

    >>> from cturi_rdf import ContentType
    >>> profiles = "http://www.w3.org/ns/json-ld#compact http://a.example/mine"
    >>> unknown_profiles(ContentType("application", "ld+json", {"profile": profiles}))
    ('http://www.w3.org/ns/json-ld#compact',)
    """
    defined = load("json-ld-profiles.tsv", ProfileRecord)
    profiles = content_type.parameters.get("profile", "").split()
    return tuple(
        profile for profile in profiles if profile.startswith(_PREFIX) and profile not in defined
    )
