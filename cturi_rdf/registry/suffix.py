"""Structured syntax suffixes, such as "+xml" or "+json" at the end of a subtype.

RFC 6838 section 4.2.8 defines them, RFC 6839 and others register them; IANA's registry lists them
and their meanings.  Nothing here depends on whether the type itself is registered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from cturi_rdf.registry import SuffixRecord

__all__ = ["TOP_LEVEL_TYPES", "Structure", "structure_of", "successor_of"]

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
