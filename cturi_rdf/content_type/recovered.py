"""The result of a lenient reading: the value, and all defects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf._util.display import Displayed, Table, counted

if TYPE_CHECKING:
    from cturi_rdf.content_type.value import ContentType
    from cturi_rdf.errors import ContentTypeError

__all__ = ["Recovered"]


class Recovered(Displayed):
    """A content type, if one could be read, and the defects in its text."""

    __slots__ = ("content_type", "defects")

    def __init__(
        self, content_type: ContentType | None, defects: tuple[ContentTypeError, ...]
    ) -> None:
        self.content_type = content_type
        self.defects = defects

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recovered):
            return NotImplemented
        return (self.content_type, self.defects) == (other.content_type, other.defects)

    def __hash__(self) -> int:
        return hash((self.content_type, self.defects))

    def as_table(self) -> Table:
        """Return the defects as a table."""
        caption = (
            f"{self.content_type or 'no content type'}, {counted(len(self.defects), 'defect')}"
        )
        rows = [
            (defect.problem, defect.expected, defect.rule, defect.text) for defect in self.defects
        ]
        return Table(caption, ("problem", "expected", "rule", "text"), rows)

    def __repr__(self) -> str:
        problems = "; ".join(defect.problem for defect in self.defects)
        return f"Recovered({str(self.content_type)!r}, defects: {problems or 'none'})"
