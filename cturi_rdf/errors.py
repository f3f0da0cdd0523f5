"""The one family of errors: what is wrong, where, what was expected, which rule.

Every error that this package raises about its input is a `CturiError`, hence a `ValueError`.  Its
text is for people, its attributes are for programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = [
    "ContentTypeError",
    "CturiError",
    "Defects",
    "EntityError",
    "FragmentError",
    "HeaderError",
    "IdentifierError",
    "MappingError",
    "MessageError",
    "expect_kind",
    "visible",
]

# How much of a long text is shown on either side of the error.
_CONTEXT = 48

if TYPE_CHECKING:
    from typing import Self, TypeVar

    _Error = TypeVar("_Error", bound="CturiError")


class CturiError(ValueError):
    r"""The base of the errors: says what is wrong with a text, shows where, and names the rule.

    `problem` is the sentence, `text` the whole input, `span` the half-open range of characters of
    `text` that are wrong (by default all of them), `expected` what would have been right there,
    `rule` the specification and section that says so.  `option` names options of the command line
    that allow the text, if there are any; only the command line prints it.

    >>> print(CturiError("the subtype is missing", "text", (4, 4),
    ...                  expected="'/' and a subtype", rule="RFC 2045 section 5.1"))
    the subtype is missing
        text
            ^ expected '/' and a subtype (RFC 2045 section 5.1)
    """

    def __init__(
        self,
        problem: str,
        text: str,
        span: tuple[int, int] | None = None,
        expected: str = "",
        rule: str = "",
    ) -> None:
        span = (0, len(text)) if span is None else span
        super().__init__(problem, text, span, expected, rule)
        self.problem = problem
        self.text = text
        self.span = span
        self.expected = expected
        self.rule = rule
        self.option = ""

    def with_option(self, option: str) -> Self:
        """Return the error, with the options of the command line that allow its text.

        >>> CturiError("a FROM", "FROM <a:>", expected="none").with_option(", or --network").option
        ', or --network'
        """
        self.option = option
        return self

    def __eq__(self, other: object) -> bool:
        """Two errors are equal when they say the same about the same text: defects are values."""
        return type(other) is type(self) and other.args == self.args

    def __hash__(self) -> int:
        return hash(self.args)

    @property
    def summary(self) -> str:
        """The whole message on one line, for logs and reports.

        >>> CturiError("no octets", "text", expected="base64", rule="RFC 4648").summary
        "no octets, 'text': expected base64 (RFC 4648)"
        """
        shown, _, _ = _window(self.text, self.span)
        whole = self.span == (0, len(self.text))
        where = "," if whole else f" at character {self.span[0] + 1} of"
        return visible(f"{self.problem}{where} '{shown}': {self._wanted}")

    @property
    def _wanted(self) -> str:
        """The text that was expected, and the rule."""
        return f"expected {self.expected}" + (f" ({self.rule})" if self.rule else "")

    def _render_traceback_(self, *_: object) -> list[str]:
        """Return the lines that IPython shows for the error instead of a traceback."""
        return f"{type(self).__name__}: {self}".splitlines()

    def __str__(self) -> str:
        shown, column, width = _window(self.text, self.span)
        caret = " " * column + "^" * max(width, 1)
        return f"{visible(self.problem)}\n    {shown}\n    {caret} {visible(self._wanted)}"


class Defects(list["_Error"]):
    """The defects that a lenient reading of one text passes over, in order.

    >>> defects = Defects(ContentTypeError, "text", "RFC 2045 section 5.1")
    >>> defects.note("the subtype is missing", 4, 4, "'/' and a subtype")
    >>> defects[0].span
    (4, 4)
    """

    def __init__(self, error: type[_Error], text: str, rule: str) -> None:
        super().__init__()
        self._error = error
        self._text = text
        self._rule = rule

    def note(self, problem: str, start: int, end: int, expected: str) -> None:
        """Add a defect of the characters from `start` up to `end`."""
        self.append(self._error(problem, self._text, (start, end), expected, self._rule))


class ContentTypeError(CturiError):
    """A text is not a Content-Type."""


class MappingError(CturiError):
    """A URI cannot be mapped to a Content-Type, or a Content-Type to a URI."""


class HeaderError(ContentTypeError, MappingError):
    """A text that should be mapped to a URI is not a Content-Type."""


class EntityError(CturiError):
    """An entity is not well-formed XML, or not in its encoding."""


class FragmentError(CturiError):
    """A fragment identifier is not an XPointer."""


class IdentifierError(CturiError):
    """A text is not a Message-ID, a Content-ID, or a ``mid:`` or ``cid:`` URL."""


class MessageError(CturiError):
    """A message, or a part of one, breaks RFC 5322 or MIME."""


def expect_kind(value: object, kind: type, expected: str) -> None:
    """Raise `TypeError` where a value from outside is of another type.

    >>> expect_kind(b"text/csv", str, "a header is text")
    Traceback (most recent call last):
    TypeError: a header is text, not bytes
    """
    if not isinstance(value, kind):
        raise TypeError(f"{expected}, not {type(value).__name__}")


def visible(text: str) -> str:
    r"""Return `text` with line breaks and control characters escaped.

    >>> print(visible("a\tb\x1b[1m"))
    a\tb\x1b[1m
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _window(text: str, span: tuple[int, int]) -> tuple[str, int, int]:
    """Return the part of `text` to show, and the column and width of `span` in it."""
    start, end = span
    low = max(start - _CONTEXT, 0)
    high = min(max(end, start) + _CONTEXT, start + 2 * _CONTEXT, len(text))
    before = ("…" if low else "") + visible(text[low:start])
    inside = visible(text[start : min(end, high)])
    after = visible(text[min(end, high) : high]) + ("…" if high < len(text) else "")
    return before + inside + after, len(before), len(inside)
