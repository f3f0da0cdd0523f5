"""The profiles of JSON-LD: IRIs under a prefix that its specification reserves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.registry.tables import Record, load

if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType


_PREFIX = "http://www.w3.org/ns/json-ld#"


class ProfileRecord(Record):
    """One profile of JSON-LD, and which specification defines it."""

    __slots__ = ()
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
