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
    >>> print(CatalogError("a byte that is not UTF-8", "data.ttl", "UTF-8", 3, 7))
    data.ttl:3:7: a byte that is not UTF-8; expected UTF-8
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
        return visible(" ".join(f"{called(self.text)}{place}: {self.fault}".split()))

    @property
    def fault(self) -> str:
        """What is wrong, and what was expected where the problem does not say it."""
        return f"{self.problem}; expected {self.expected}" if self.expected else self.problem

    def __str__(self) -> str:
        return self.summary


_TITLES = {
    "turtle": "Turtle", "trig": "TriG", "nt": "N-Triples", "nquads": "N-Quads", "xml": "XML",
    "json-ld": "JSON-LD",
}  # fmt: skip


def not_valid(
    form: str, reason: object, source: str, line: int | None = None, column: int | None = None
) -> CatalogError:
    """Return the error for a file that its format does not allow; `form` is the format's name.

    >>> print(not_valid("turtle", "an unexpected ')'", "data.ttl", 3, 7))
    data.ttl:3:7: not valid Turtle: an unexpected ')'
    """
    problem = f"not valid {_TITLES.get(form, form)}: {reason}"
    return CatalogError(problem, source, "", line, column)


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
