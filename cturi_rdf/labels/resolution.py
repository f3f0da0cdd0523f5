"""What a label was found to mean, how sure that is, and why."""

from __future__ import annotations

from cturi_rdf._util.display import Displayed, Table
from cturi_rdf.content_type import ContentType
from cturi_rdf.registry import registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    Verdict = Literal["media_type", "compound", "several", "service", "no_type", "nothing"]
    Confidence = Literal["certain", "likely"]

__all__ = ["Resolution"]


class Resolution(Displayed):
    """The meaning of one label, immutable.

    `verdict` is ``media_type``: one type; ``compound``: `types` packed or compressed as
    `outer`, which is None where nothing says how; ``several``: more than one format;
    ``service``: a service, an API or a protocol, which has no media type; ``no_type``: a
    format that has none; ``nothing``: no format could be told.  `rule` names the layer that
    decided; `confidence` is ``certain`` where a specification, a registry or a table says
    so, and ``likely`` where it had to be inferred; `reason` is one sentence.

    >>> found = Resolution("CSV", "media_type", ["text/csv"], rule="code", reason="a code")
    >>> found.types, found.outer, found.registered
    ((ContentType.parse('text/csv'),), None, True)
    """

    __slots__ = ("confidence", "label", "outer", "reason", "rule", "types", "verdict")

    label: str
    verdict: Verdict
    types: tuple[ContentType, ...]
    outer: ContentType | None
    rule: str
    confidence: Confidence
    reason: str

    def __init__(  # noqa: PLR0913 - a record: one argument a field
        self,
        label: str,
        verdict: str,
        types: Iterable[str | ContentType] = (),
        outer: str | ContentType | None = None,
        *,
        rule: str,
        confidence: str = "certain",
        reason: str,
    ) -> None:
        """Take the fields; types may be given as headers."""
        made = tuple(_content_type(each) for each in types)
        packed = None if outer is None else _content_type(outer)
        values = (label, verdict, made, packed, rule, confidence, reason)
        for name, value in zip(_FIELDS, values, strict=True):
            object.__setattr__(self, name, value)

    @property
    def registered(self) -> bool:
        """Whether there are types, all of them in IANA's registry and not withdrawn."""
        named = (*self.types, *filter(None, [self.outer]))
        return bool(self.types) and all(registry().is_current(each.essence) for each in named)

    def but(self, **changes: object) -> Resolution:
        """Return the same with some fields changed."""
        fields = dict(zip(_FIELDS, self._values(), strict=True)) | changes
        return Resolution(**fields)  # type: ignore[arg-type]  # checked where it is called

    def as_dict(self) -> dict[str, object]:
        """Return the fields as JSON has them: types as headers.

        >>> Resolution("API", "service", rule="service", reason="an API").as_dict()["types"]
        []
        """
        return {
            "label": self.label,
            "verdict": self.verdict,
            "types": [str(each) for each in self.types],
            "outer": None if self.outer is None else str(self.outer),
            "rule": self.rule,
            "confidence": self.confidence,
            "registered": self.registered,
            "reason": self.reason,
        }

    def as_table(self) -> Table:
        """Return the fields as a table of one row."""
        return Table("", _FIELDS, [self._values()])

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in _FIELDS)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a resolution cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of a resolution cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Resolution):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        fields = zip(_FIELDS, self._values(), strict=True)
        return f"Resolution({', '.join(f'{name}={value!r}' for name, value in fields)})"

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, self._values())


_FIELDS = ("label", "verdict", "types", "outer", "rule", "confidence", "reason")


def _restored(*values: object) -> Resolution:
    return Resolution(**dict(zip(_FIELDS, values, strict=True)))  # type: ignore[arg-type]


def _content_type(given: str | ContentType) -> ContentType:
    return given if isinstance(given, ContentType) else ContentType.parse(given)
