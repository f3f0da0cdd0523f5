"""A label with its meaning: the answer of the resolver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf._util.display import Displayed, Table
from cturi_rdf.labels.meaning import Meaning, as_type
from cturi_rdf.registry import registry
from cturi_rdf.registry.qualities import qualities

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.meaning import Confidence, Reading, Verdict

__all__ = ["Resolution"]


class Resolution(Displayed):
    """The meaning of one label, immutable.

    `verdict` is ``media_type`` for one type; ``compound`` for `types` that are packed or compressed
    as `outer`, which is None where the label does not say how (`wrappers` has all of them, two for
    a ``tar.gz``); ``several`` for more than one format; ``service`` for a service, an API or a
    protocol, which has no media type; ``no_type`` for a format that has none; ``nothing`` where no
    format is recognised.  `services` are the names of the services in the label, also of those
    beside a format.  `rule` names the layer that decided.  `confidence` is ``certain`` where a
    specification, a registry or a table has exactly this label, ``likely`` where the meaning is
    inferred; `reason` is a sentence or two.

    >>> csv = Resolution("CSV", "media_type", ["text/csv"], rule="code", reason="a code")
    >>> csv.types, csv.outer, csv.registered
    ((ContentType.parse('text/csv'),), None, True)
    """

    __slots__ = ("_label", "_meaning")

    def __init__(  # noqa: PLR0913 - a record: one argument a field
        self,
        label: str,
        verdict: Verdict,
        types: Iterable[str | ContentType] = (),
        outer: str | ContentType | None = None,
        *,
        rule: str,
        confidence: Confidence = "certain",
        reason: str,
        services: Iterable[str] = (),
        wrappers: Iterable[str | ContentType] = (),
    ) -> None:
        """Take the fields; types may be given as headers.  One wrapper is given as `outer`."""
        inner = tuple(map(as_type, types))
        outside = tuple(map(as_type, wrappers or ([] if outer is None else [outer])))
        self._label = label
        self._meaning = Meaning(verdict, rule, reason, inner, outside, confidence, tuple(services))

    @classmethod
    def of(cls, label: str, meaning: Meaning) -> Resolution:
        """Return the resolution of a label with a meaning."""
        resolution = cls.__new__(cls)
        resolution._label = label  # noqa: SLF001 - of this class
        resolution._meaning = meaning  # noqa: SLF001
        return resolution

    @property
    def label(self) -> str:
        """The label as it was given."""
        return self._label

    @property
    def meaning(self) -> Meaning:
        """What the label means, without the label."""
        return self._meaning

    @property
    def verdict(self) -> Verdict:
        """What kind of answer it is."""
        return self.meaning.verdict

    @property
    def types(self) -> tuple[ContentType, ...]:
        """The media types; for a package, those of its content."""
        return self.meaning.types

    @property
    def outer(self) -> ContentType | None:
        """The type of the package or compression; of several, the outermost."""
        return self.meaning.outer

    @property
    def wrappers(self) -> tuple[ContentType, ...]:
        """The types of packages and compressions, the outermost first.

        >>> Resolution("XML, tar.gz", "compound", ["application/xml"], rule="prose",
        ...            reason="", wrappers=["application/gzip", "application/x-tar"]).outer
        ContentType.parse('application/gzip')
        """
        return self.meaning.wrappers

    @property
    def services(self) -> tuple[str, ...]:
        """The names of the services in the label."""
        return self.meaning.services

    @property
    def rule(self) -> str:
        """The name of the layer that decided."""
        return self.meaning.rule

    @property
    def confidence(self) -> Confidence:
        """Whether it is ``certain`` or ``likely``."""
        return self.meaning.confidence

    @property
    def reason(self) -> str:
        """Why, in a sentence or two."""
        return self.meaning.reason

    @property
    def named(self) -> tuple[ContentType, ...]:
        """The types that the label names; the package where nothing says what is inside.

        >>> Resolution("zip flurbel", "compound", [], "application/zip", rule="prose",
        ...            reason="It is packed.").named
        (ContentType.parse('application/zip'),)
        """
        return self.types or (() if self.outer is None else (self.outer,))

    @property
    def wrapping(self) -> tuple[ContentType, ...]:
        """The wrappers around the types of `named`; empty where the package itself is named."""
        return self.wrappers if self.types else ()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """All that the label may mean, the likeliest first, each with how sure it is.

        A label with one meaning has one reading.  An ambiguous one has several, none of them
        certain, also where the verdict is ``nothing`` because they are equally likely.  A label
        without a format has none.

        >>> from cturi_rdf.labels import resolve
        >>> [str(reading.types[0]) for reading in resolve("MIF").readings]
        ['application/vnd.mif', 'text/plain']
        >>> len(resolve("Excel").readings), resolve("CSV").readings[0].confidence
        (2, 'certain')
        """
        return self.meaning.readings

    @property
    def registered(self) -> bool:
        """Whether there are types, all of them in IANA's registry and not withdrawn."""
        return bool(self.types) and all(
            registry().is_current(content_type.essence)
            for content_type in (*self.types, *self.wrappers)
        )

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
        return Table("", _FIELDS, [tuple(getattr(self, name) for name in _FIELDS)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Resolution):
            return NotImplemented
        return (self.label, self.meaning) == (other.label, other.meaning)

    def __hash__(self) -> int:
        return hash((self.label, self.meaning))

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in _FIELDS)
        return f"Resolution({', '.join(fields)})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Resolution.of, (self.label, self.meaning))


_FIELDS = ("label", "verdict", "types", "wrappers", "services", "rule", "confidence", "reason")
