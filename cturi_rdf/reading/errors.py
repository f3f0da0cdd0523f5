"""Errors about a whole file."""

from __future__ import annotations

from cturi_rdf.errors import CturiError, visible


def called(source: str) -> str:
    """Return the name of a file in a message; ``-`` is standard input."""
    return "standard input" if source == "-" else source


class CatalogError(CturiError):
    """A file cannot be read as a catalogue, or cannot be written.

    `line` and `column` count from 1; they are None where the fault is not in one place.

    >>> print(CatalogError("an empty file", "data.ttl", "RDF"))
    data.ttl: an empty file; expected RDF
    >>> print(CatalogError("not turtle (an unexpected ')')", "data.ttl", "valid turtle", 3, 7))
    data.ttl:3:7: not turtle (an unexpected ')'); expected valid turtle
    """

    def __init__(
        self,
        problem: str,
        source: str,
        expected: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(problem, source, expected=expected, rule="")
        self.line = line
        self.column = column
        self.args = (problem, source, expected, line, column)

    @property
    def summary(self) -> str:
        """The whole message on one line."""
        place = "".join(f":{number}" for number in (self.line, self.column) if number is not None)
        text = f"{called(self.text)}{place}: {self.problem}; expected {self.expected}"
        return visible(" ".join(text.split()))

    def __str__(self) -> str:
        return self.summary


def unreadable(source: str, error: Exception, expected: str = "a file") -> CatalogError:
    """Return the error for a file that the system does not let us read, with its reason.

    >>> print(unreadable("data.ttl", FileNotFoundError(2, "No such file or directory")))
    data.ttl: it cannot be read (No such file or directory); expected a file
    """
    reason = getattr(error, "strerror", None) or error
    return CatalogError(f"it cannot be read ({reason})", source, expected)


def no_triples(source: str, form: str) -> CatalogError:
    """Return the error for a file that has no triples when it is read in a format.

    >>> print(no_triples("data.ttl", "turtle"))
    data.ttl: no triples in it, read as turtle; expected RDF
    """
    return CatalogError(f"no triples in it, read as {form}", source, "RDF")
