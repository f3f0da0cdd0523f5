"""The header that is sent: one rule for all statements about a resource.

Theory of operation.  A statement about a resource names the type of its bytes (`dcat:mediaType
"text/csv"`), their wrapper (`dcat:packageFormat`), or both (`dct:format "Zipped CSV"`). The rule
reads all statements of one resource and takes four steps:

1.  A package (zip, tar: an archive of files) or a compression (gzip, zstd: a coding of one file)
    is a wrapper, by whatever property it is named.  A statement that names only the structure of
    the content counts as less specific: `application/zip` beside `application/epub+zip`.
2.  The other types are the content.  Two statements agree where a type of one is a type of the
    other, a special case of it, or another name of it.  One statement may name several types.
3.  Wrappers nest: a compression is around a package.  Two packages or two compressions that are
    not the same are a conflict.
4.  The outermost wrapper is the header; without one, the content is.

The order of statements decides nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_a, most_specific

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from cturi_rdf.labels import Resolution

    Verdict = Literal["one", "several", "conflict", "none"]

__all__ = ["Claim", "Served", "claim_of", "served"]


class Claim(NamedTuple):
    """The claim of one statement: types of the content, and what they are wrapped in.

    `wraps` is the kind of wrapper that the property of the statement names, such as
    ``package`` for `dcat:packageFormat`; then `types` are wrappers themselves, unless the
    statement names what is inside as well, as "Zipped CSV" does.
    """

    types: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...] = ()
    wraps: str | None = None


def claim_of(resolution: Resolution, wraps: str | None = None) -> Claim:
    """Return the claim of a label, as the value of a property that may name a wrapper."""
    return Claim(resolution.named, resolution.wrapping, wraps)


class Served(NamedTuple):
    """How the bytes of a resource are sent.

    `content_type` is the header, or None where there is not just one.  `contains` has the types
    of what is inside a wrapper, or the several types of the content or of the wrapper.
    `content_encoding` is the content coding by which a server may send what is inside instead
    (RFC 9110 section 8.4).
    `verdict` is ``one``, ``several``, ``conflict`` or, where nothing is stated, ``none``;
    `conflicts` has the types that contradict each other, in the order of their names.
    """

    content_type: ContentType | None
    contains: tuple[ContentType, ...]
    content_encoding: str | None
    verdict: Verdict
    conflicts: tuple[ContentType, ...]


def served(claims: Iterable[Claim]) -> Served:
    """Return how a resource is sent, by the claims of the statements about it.

    >>> shp, zipped, csv, json = map(
    ...     ContentType.parse, ("application/vnd.shp", "application/zip", "text/csv", "text/json"))
    >>> result = served([Claim((shp,)), Claim((zipped,))])
    >>> print(result.content_type, "with", *result.contains)
    application/zip with application/vnd.shp
    >>> served([Claim((csv, json))]).verdict, served([Claim((csv,)), Claim((json,))]).verdict
    ('several', 'conflict')
    """
    # A repeated claim says nothing new.
    return _served(tuple(dict.fromkeys(claims)))


# Many resources have the same claims, and each claim is compared with all others.
@lru_cache(maxsize=4_096)
def _served(claims: tuple[Claim, ...]) -> Served:
    contents, packages, compressions = _sorted_out(claims)
    conflicts = _conflict(contents) or _conflict(packages) or _conflict(compressions)
    if conflicts:
        return Served(None, (), None, "conflict", conflicts)
    inside = _agreed(contents)
    layers = [agreed for agreed in map(_agreed, (packages, compressions)) if agreed]
    if not layers:
        if len(inside) == 1:
            return Served(inside[0], (), None, "one", ())
        return Served(None, inside, None, "several" if inside else "none", ())
    outer, *others = layers[-1]
    if others:
        return Served(None, layers[-1], None, "several", ())
    # A client that undoes a content coding gets what is directly inside: that has to be the
    # content, not a package around it.
    unwrapped = layers[0] if len(layers) > 1 else inside
    inside = inside or unwrapped
    is_coding = len(unwrapped) == 1 and unwrapped == inside
    coding = registry().content_coding(outer.essence) if is_coding else None
    return Served(outer, inside, coding, "one", ())


_Alternatives = list[tuple[ContentType, ...]]
# How many types of one resource are compared with each other, and how many conflicts are named.
_COMPARED = 100


def _sorted_out(claims: Iterable[Claim]) -> tuple[_Alternatives, _Alternatives, _Alternatives]:
    """Return the claims on the content, on packages and on compressions (step 1)."""
    contents: _Alternatives = []
    unsure: _Alternatives = []
    # Each with the kind of a wrapper that the registry does not know.
    wrappers: list[tuple[tuple[ContentType, ...], str]] = []
    packaging = registry().packaging
    for claim in claims:
        wrappers += [((wrapper,), "package") for wrapper in claim.wrappers]
        if claim.wraps and not claim.wrappers:
            wrappers.append((claim.types, claim.wraps))
            continue
        unsure.append(tuple(one for one in claim.types if packaging(one.essence)))
        content = tuple(one for one in claim.types if not packaging(one.essence))
        if content:
            contents.append(content)
    named = [content_type for content in contents for content_type in content]
    for types in unsure:
        outer = tuple(one for one in types if not any(is_a(other, one) for other in named))
        wrappers.append((outer, "package"))

    def of_kind(kind: str) -> _Alternatives:
        alike = (
            tuple(one for one in types if (packaging(one.essence) or unknown) == kind)
            for types, unknown in wrappers
        )
        return list(filter(None, alike))

    return contents, of_kind("package"), of_kind("compression")


def _conflict(statements: _Alternatives) -> tuple[ContentType, ...]:
    """Return the narrowest types by which statements contradict each other."""
    if not statements or _agreed(statements):
        return ()
    types = _narrowest({content_type for types in statements for content_type in types})
    return types[:_COMPARED]


def _agreed(statements: _Alternatives) -> tuple[ContentType, ...]:
    """Return the narrowest types that every statement names, or allows by a broader one."""
    return _narrowest(
        {
            content_type
            for types in statements
            for content_type in types
            if all(any(is_a(content_type, other) for other in others) for others in statements)
        }
    )


def _narrowest(types: Collection[ContentType]) -> tuple[ContentType, ...]:
    """Return the types without a special case among the others, one name for each."""
    if len(types) > _COMPARED:
        return tuple(sorted(types, key=str))
    narrow = [
        content_type
        for content_type in types
        if all(is_a(content_type, other) for other in types if is_a(other, content_type))
    ]
    names = {_name_of(content_type, narrow) for content_type in narrow}
    return tuple(sorted(names, key=str))


def _name_of(content_type: ContentType, types: Sequence[ContentType]) -> ContentType:
    same = [
        media_type
        for media_type in types
        if is_a(media_type, content_type) and is_a(content_type, media_type)
    ]
    return most_specific(sorted(same, key=str)) or content_type
