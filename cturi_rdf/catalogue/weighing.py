"""Weighing: what statements of the same weight say together of contents and wrappers.

To weigh statements is to sort out what each says of the content, of a package (zip, tar: an
archive of files) and of a compression (gzip, zstd: a coding of one file), and to look in each of
these three for the narrowest types that every statement allows:

1.  A package or a compression is a wrapper, by whatever property it is named.  A statement that
    names only the structure of the content counts as less specific: `application/zip` beside
    `application/epub+zip`.
2.  The other types are the content.  Two statements agree where a type of one is a type of the
    other, a special case of it, or another name of it.
3.  Wrappers nest: a compression is around a package.
4.  Statements that leave no common type are a conflict.

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


# One type; several that do not contradict each other; types that do; nothing that is understood.
Outcome = Literal["one", "several", "conflict", "none"]

_Alternatives = list[tuple[ContentType, ...]]
# How many types of one resource are compared with each other, and how many conflicts are named.
_COMPARED = 100
_REMEMBERED = 4_096


class Claim(NamedTuple):
    """What a statement says: types to choose from, and what these are wrapped in.

    `wraps` is the kind of wrapper that the property of the statement names, such as ``package``
    for `dcat:packageFormat`; then `types` are wrappers themselves, unless the statement names
    what is inside as well, as "Zipped CSV" does.
    """

    types: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...] = ()
    wraps: str | None = None


class Weighed(NamedTuple):
    """What claims say together; the wrappers with the outermost first."""

    outcome: Outcome
    contents: tuple[ContentType, ...] = ()
    wrappers: tuple[ContentType, ...] = ()
    conflicts: tuple[ContentType, ...] = ()


@lru_cache(maxsize=_REMEMBERED)
def weigh(claims: tuple[Claim, ...]) -> Weighed:
    """Return what claims say together, all of the same weight."""
    contents, packages, compressions = _sorted_out(dict.fromkeys(claims))
    conflicts = _conflict(contents) or _conflict(packages) or _conflict(compressions)
    if conflicts:
        return Weighed("conflict", conflicts=conflicts)
    inside = _agreed(contents)
    layers = list(filter(None, map(_agreed, (compressions, packages))))
    if layers and len(layers[0]) > 1:
        # A choice of wrappers: each of them is the type of the whole.
        return Weighed("several", layers[0])
    wrappers = tuple(layer[0] for layer in layers if len(layer) == 1)
    # A choice of packages in a compression is a choice of contents.
    inside = inside or next((layer for layer in layers if len(layer) > 1), ())
    if wrappers or len(inside) == 1:
        return Weighed("one", inside, wrappers)
    return Weighed("several" if inside else "none", inside)


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
    types = narrowest({content_type for types in statements for content_type in types})
    return types[:_COMPARED]


def _agreed(statements: _Alternatives) -> tuple[ContentType, ...]:
    """Return the narrowest types that every statement names, or allows by a broader one."""
    return narrowest(
        {
            content_type
            for types in statements
            for content_type in types
            if all(any(is_a(content_type, other) for other in others) for others in statements)
        }
    )


def narrowest(types: Collection[ContentType]) -> tuple[ContentType, ...]:
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
