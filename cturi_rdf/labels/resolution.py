"""What a label means: the answer of the resolver."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, Literal, NamedTuple

from cturi_rdf._util.display import Displayed, Table
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import visible
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_same
from cturi_rdf.registry.qualities import qualities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Self

Verdict = Literal["media_type", "compound", "several", "service", "no_type", "nothing"]
Confidence = Literal["certain", "likely"]

# The order in which wrappers nest, from the inside.
_NESTED = (None, "package", "compression")
_MOST_READINGS = 16


class Reading(NamedTuple):
    """One thing that a label may mean: its types, their wrappers and how sure that is.

    `types` and `wrappers` are as in `Resolution`.
    """

    types: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...] = ()
    confidence: Confidence = "likely"


class _Fields(NamedTuple):
    label: str
    verdict: Verdict
    types: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...]
    services: tuple[str, ...]
    rule: str
    confidence: Confidence
    reason: str
    alternatives: tuple[Reading, ...]


class Resolution(_Fields, Displayed):
    """The meaning of one label, immutable.

    `verdict` is ``media_type`` for one type; ``compound`` for `types` that are packed or compressed
    in `wrappers`, the outermost first (none where the label does not say how); ``several`` for more
    than one format; ``service`` for a service, an API or a protocol, which has no media type;
    ``no_type`` for a format that has none; ``nothing`` where no format is recognised.  `services`
    are the names of all services in the label, including those named with a format.  `rule` names
    what decided.  `confidence` is ``certain`` where a specification, a registry or a table has this
    label and nothing of it is left over, ``likely`` where the meaning is inferred; `reason` is a
    sentence or two.  `readings` has all that the label may mean; `alternatives` are the same, but
    empty for a label that is not ambiguous.

    >>> csv = Resolution("CSV", "media_type", ["text/csv"], rule="code", reason="a code")
    >>> csv.types, csv.outer, csv.registered
    ((ContentType.parse('text/csv'),), None, True)
    """

    __slots__ = ()

    def __new__(  # noqa: PLR0913 - a record: one argument a field
        cls,
        label: str,
        verdict: Verdict,
        types: Iterable[str | ContentType] = (),
        outer: str | ContentType | None = None,
        *,
        rule: str,
        reason: str,
        confidence: Confidence = "certain",
        services: Iterable[str] = (),
        wrappers: Iterable[str | ContentType] = (),
        alternatives: Iterable[Reading] = (),
    ) -> Self:
        """Make a meaning; types may be headers, and `outer` is for a single wrapper."""
        outside = tuple(map(_as_type, wrappers)) or tuple(map(_as_type, [outer] if outer else []))
        return super().__new__(
            cls, label, verdict, tuple(map(_as_type, types)), outside, tuple(services), rule,
            confidence, reason, tuple(alternatives),
        )  # fmt: skip

    @property
    def outer(self) -> ContentType | None:
        """The type of the package or compression; of several, the outermost.

        >>> Resolution("XML, tar.gz", "compound", ["application/xml"], rule="prose",
        ...            reason="", wrappers=["application/gzip", "application/x-tar"]).outer
        ContentType.parse('application/gzip')
        """
        return self.wrappers[0] if self.wrappers else None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """All that the label may mean, the likeliest first, each with its confidence.

        A label with one meaning has one reading.  An ambiguous one has several, none of them
        certain; if they are equally likely, its verdict is ``nothing``.  A label without a format
        has none.

        >>> from cturi_rdf.labels import resolve
        >>> [str(reading.types[0]) for reading in resolve("MIF").readings]
        ['application/vnd.mif', 'text/plain']
        >>> len(resolve("Excel").readings), resolve("CSV").readings[0].confidence
        (2, 'certain')
        """
        if self.alternatives or not (self.types or self.wrappers):
            return self.alternatives
        return (Reading(self.types, self.wrappers, self.confidence),)

    @property
    def named(self) -> tuple[ContentType, ...]:
        """The types that the label names; the package where nothing says what is inside.

        >>> Resolution("zip flurbel", "compound", [], "application/zip", rule="prose",
        ...            reason="It is packed.").named
        (ContentType.parse('application/zip'),)
        """
        return self.types or self.wrappers[:1]

    @property
    def wrapping(self) -> tuple[ContentType, ...]:
        """The wrappers around the types of `named`; empty where the package itself is named."""
        return self.wrappers if self.types else ()

    @property
    def registered(self) -> bool:
        """Whether there are types, all of them in IANA's registry and not withdrawn."""
        return bool(self.types) and all(
            registry().is_current(content_type.essence)
            for content_type in (*self.types, *self.wrappers)
        )

    def inferred(self, because: str = "", rule: str = "") -> Self:
        """Return the same meaning as ``likely``, with a sentence before its reason."""
        reason = f"{because} {self.reason}" if because else self.reason
        return self._replace(confidence="likely", rule=rule or self.rule, reason=reason)

    def or_else(self, types: Iterable[str | ContentType]) -> Self:
        """Return the same meaning as likely, with a reading for each other type among these.

        Another name of its own type does not count.
        """
        others = [
            (other,)
            for other in map(_as_type, types)
            if not any(is_same(one, other) for one in self.types)
        ]
        if self.types and not others:
            return self
        readings = dict.fromkeys([self.types, *others] if self.types else others)
        return self._replace(confidence="likely", alternatives=tuple(map(Reading, readings)))

    def on_one_line(self) -> Self:
        """Return the same meaning, without the line feeds and control characters of its label."""
        reason, *services = (
            visible(" ".join(text.split())) for text in (self.reason, *self.services)
        )
        return self._replace(reason=reason, services=tuple(services))

    def as_dict(self) -> dict[str, object]:
        """Return the fields for JSON, with types as headers.

        `qualities` has an object for each type: whether it is machine-readable, open, an
        archive, and its CoAP number; see `cturi_rdf.registry.qualities`.

        >>> Resolution("API", "service", rule="service", reason="an API").as_dict()["types"]
        []
        """
        return {
            "label": self.label,
            "verdict": self.verdict,
            "types": [str(content_type) for content_type in self.types],
            "outer": None if self.outer is None else str(self.outer),
            "wrappers": [str(content_type) for content_type in self.wrappers],
            "services": list(self.services),
            "rule": self.rule,
            "confidence": self.confidence,
            "registered": self.registered,
            "reason": self.reason,
            "qualities": [
                {"type": str(content_type), **qualities(content_type)._asdict()}
                for content_type in (*self.types, *self.wrappers)
            ],
        }

    def as_table(self) -> Table:
        """Return the fields as a table of one row."""
        return Table("", self._fields[:-1], [self[:-1]])

    def __reduce__(self) -> tuple[Any, ...]:
        return self._make, (tuple(self),)


def one_type(
    content_type: str | ContentType, rule: str, reason: str, *, likely: bool = False
) -> Resolution:
    """Return the meaning of a label that names one media type."""
    return one_or_more([content_type], rule, reason, likely=likely)


def one_or_more(
    types: Iterable[str | ContentType], rule: str, reason: str, *, likely: bool = False
) -> Resolution:
    """Return the meaning of a label that names media types: ``several`` if more than one."""
    named = tuple(map(_as_type, types))
    verdict: Verdict = "media_type" if len(named) == 1 else "several"
    return _meaning(verdict, rule, reason, named, likely=likely)


def packed(
    inner: Iterable[str | ContentType],
    wrappers: Iterable[str | ContentType],
    rule: str,
    reason: str,
    *,
    likely: bool = False,
) -> Resolution:
    """Return the meaning of a label that names formats inside wrappers, the outermost first.

    A compression is around a package, and a package around its content: DCAT and the header that is
    sent follow that order.  A wrapper that does not fit it, such as the compression in csv.gz.zip,
    is left out.
    """
    outside: list[ContentType] = []
    least = len(_NESTED)
    for wrapper in map(_as_type, wrappers):
        rank = _NESTED.index(registry().packaging(wrapper.essence) or "package")
        if rank < least:
            outside.append(wrapper)
            least = rank
    ranks = {one: _NESTED.index(registry().packaging(one.essence)) for one in map(_as_type, inner)}
    types = tuple(one for one, rank in ranks.items() if rank < least)
    return _meaning("compound", rule, reason, types, tuple(outside), likely=likely)


def service(name: str, reason: str, rule: str = "service", *, likely: bool = False) -> Resolution:
    """Return the meaning of a label that names a service."""
    return _meaning("service", rule, reason, services=(name,), likely=likely)


def no_type(rule: str, reason: str) -> Resolution:
    """Return the meaning of a label that names a format without a media type."""
    return _meaning("no_type", rule, reason)


def nothing(rule: str, reason: str, *, likely: bool = False) -> Resolution:
    """Return the meaning of a label that does not tell a format."""
    return _meaning("nothing", rule, reason, likely=likely)


def with_readings_of(meaning: Resolution, parts: Sequence[Resolution]) -> Resolution:
    """Return a meaning that was put together from parts, with the readings of all of them."""
    if not any(part.alternatives for part in parts):
        return meaning
    choices = (
        [(part.types[0], reading.types[0]) for reading in part.readings]
        for part in parts
        if part.alternatives and part.types
    )
    readings = []
    for chosen in islice(product(*choices), _MOST_READINGS):
        instead = dict(chosen)
        types = tuple(dict.fromkeys(instead.get(one, one) for one in meaning.types))
        readings.append(Reading(types, meaning.wrappers))
    return meaning._replace(alternatives=tuple(dict.fromkeys(readings)))


def _meaning(  # noqa: PLR0913 - a record
    verdict: Verdict,
    rule: str,
    reason: str,
    types: tuple[ContentType, ...] = (),
    wrappers: tuple[ContentType, ...] = (),
    *,
    services: tuple[str, ...] = (),
    likely: bool = False,
) -> Resolution:
    """Return a resolution without its label, which the resolver adds at the end."""
    confidence: Confidence = "likely" if likely else "certain"
    fields = ("", verdict, types, wrappers, services, rule, confidence, reason, ())
    return Resolution._make(fields)


def _as_type(content_type: str | ContentType) -> ContentType:
    return ContentType.parse(content_type) if isinstance(content_type, str) else content_type
