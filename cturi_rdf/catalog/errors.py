"""The error over a whole file."""

from __future__ import annotations

from cturi_rdf.errors import CturiError

__all__ = ["CatalogError"]


class CatalogError(CturiError):
    """A file cannot be read as a catalogue, or not be written.

    >>> print(CatalogError("an empty file", "data.ttl", "RDF"))
    data.ttl: an empty file; expected RDF
    """

    def __init__(self, problem: str, source: str, expected: str) -> None:
        super().__init__(problem, source, (0, len(source)), expected, "")
        self.args = (problem, source, expected)

    @property
    def summary(self) -> str:
        """All of it on one line."""
        return " ".join(f"{self.text}: {self.problem}; expected {self.expected}".split())

    def __str__(self) -> str:
        return self.summary
