"""Texts of Python that no file can hold: half of a character, as in a broken escape of JSON."""

from __future__ import annotations


def whole_characters(text: str) -> str:
    r"""Return a text with U+FFFD for each half of a character (RDF 1.1 Concepts section 3.3).

    >>> whole_characters("CSV\ud83d") == "CSV\ufffd"
    True
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
