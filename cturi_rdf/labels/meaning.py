"""The meaning of a label: what the layers return.

A meaning does not hold the label.  The resolver joins the two to a `Resolution`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import visible
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    Verdict = Literal["media_type", "compound", "several", "service", "no_type", "nothing"]
    Confidence = Literal["certain", "likely"]

__all__ = [
    "Meaning",
    "Reading",
    "as_type",
    "no_type",
    "nothing",
    "one_or_more",
    "one_type",
    "packed",
    "service",
]

# The order in which wrappers nest, from the inside.
_NESTED = (None, "package", "compression")


class Reading(NamedTuple):
    """One thing that a label may mean: its types, their wrappers and how sure that is.

    `types` and `wrappers` are as in `Resolution`.
    """

    types: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...] = ()
    confidence: Confidence = "likely"


class Meaning(NamedTuple):
    """The meaning of a label, the rule that gave it, how sure it is, and why.

    `Resolution` describes the fields.
    """

    verdict: Verdict
    rule: str
    reason: str
    types: tuple[ContentType, ...] = ()
    wrappers: tuple[ContentType, ...] = ()
    confidence: Confidence = "certain"
    services: tuple[str, ...] = ()
    alternatives: tuple[Reading, ...] = ()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """All that the label may mean, the likeliest first; see `Resolution`."""
        if self.alternatives:
            return self.alternatives
        own = Reading(self.types, self.wrappers, self.confidence)
        return (own,) if self.types or self.wrappers else ()

    def or_else(self, essences: Iterable[str]) -> Meaning:
        """Return the same meaning with one more reading for each of these types."""
        others = (as_type(essence) for essence in essences)
        first = [self.types] if self.types else []
        kinds = dict.fromkeys([*first, *((other,) for other in others)])
        return self._replace(alternatives=tuple(map(Reading, kinds)))

    @property
    def outer(self) -> ContentType | None:
        """The outermost of the wrappers, or None."""
        return self.wrappers[0] if self.wrappers else None

    def inferred(self, because: str = "", rule: str = "") -> Meaning:
        """Return the same meaning as ``likely``, with a sentence before its reason."""
        return self._replace(
            confidence="likely",
            rule=rule or self.rule,
            reason=f"{because} {self.reason}" if because else self.reason,
        )

    def on_one_line(self) -> Meaning:
        """Return the same meaning, without the line feeds and controls of its label."""
        reason, *services = (
            visible(" ".join(text.split())) for text in (self.reason, *self.services)
        )
        return self._replace(reason=reason, services=tuple(services))


def one_type(
    content_type: str | ContentType, rule: str, reason: str, *, likely: bool = False
) -> Meaning:
    """Return the meaning of a label that names one media type."""
    return one_or_more([content_type], rule, reason, likely=likely)


def one_or_more(
    types: Iterable[str | ContentType], rule: str, reason: str, *, likely: bool = False
) -> Meaning:
    """Return the meaning of a label that names media types: ``several`` if more than one."""
    named = tuple(map(as_type, types))
    verdict: Verdict = "media_type" if len(named) == 1 else "several"
    return Meaning(verdict, rule, reason, named, confidence=_how(likely))


def packed(
    inner: Iterable[str | ContentType],
    wrappers: Iterable[str | ContentType],
    rule: str,
    reason: str,
    *,
    likely: bool = False,
) -> Meaning:
    """Return the meaning of a label that names formats inside wrappers, the outermost first.

    A compression is around a package, and a package around its content: DCAT and the header that is
    sent follow that order.  A wrapper that does not fit it, such as the compression in csv.gz.zip,
    is left out.
    """
    outside: list[ContentType] = []
    least = len(_NESTED)
    for wrapper in map(as_type, wrappers):
        rank = _NESTED.index(registry().packaging(wrapper.essence) or "package")
        if rank < least:
            outside.append(wrapper)
            least = rank
    ranks = {one: _NESTED.index(registry().packaging(one.essence)) for one in map(as_type, inner)}
    types = tuple(one for one, rank in ranks.items() if rank < least)
    return Meaning("compound", rule, reason, types, tuple(outside), _how(likely))


def service(name: str, reason: str, rule: str = "service", *, likely: bool = False) -> Meaning:
    """Return the meaning of a label that names a service."""
    return Meaning("service", rule, reason, confidence=_how(likely), services=(name,))


def no_type(rule: str, reason: str) -> Meaning:
    """Return the meaning of a label that names a format without a media type."""
    return Meaning("no_type", rule, reason)


def nothing(rule: str, reason: str, *, likely: bool = False) -> Meaning:
    """Return the meaning of a label that does not tell a format."""
    return Meaning("nothing", rule, reason, confidence=_how(likely))


def as_type(content_type: str | ContentType) -> ContentType:
    """Return a content type, which may be given as a header."""
    if isinstance(content_type, str):
        return ContentType.parse(content_type)
    return content_type


def _how(likely: bool) -> Confidence:  # noqa: FBT001 - the one argument
    return "likely" if likely else "certain"
