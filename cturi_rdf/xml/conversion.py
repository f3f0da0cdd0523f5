"""Conversion: the same XML in another encoding, with its mark and its declaration put right.

RFC 7303 section 3.3 has the rules for the byte order mark.  The draft asked for one in UTF-8;
the RFC only allows it, and section 3 recommends UTF-8 without.  Section 3.1 has the declaration
corrected; XML 1.0 section 4.3.3 asks for one in every encoding but UTF-8 and UTF-16.  UTF-32 goes
as UTF-16 does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.xml.charset import (
    BOM,
    charset,
    decode,
    encode,
    family,
    has_byte_order,
    ordered,
    read_declaration,
    signature,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECTION = "RFC 7303 section 3.3"


class Step(NamedTuple):
    """One step of a conversion apart from changing the octets, and the rule that asks for it.

    >>> print(Step("bom-added", "added a byte order mark", "RFC 7303 section 3.3"))
    added a byte order mark (RFC 7303 section 3.3)
    """

    code: str
    did: str
    rule: str

    def __str__(self) -> str:
        return f"{self.did} ({self.rule})"


class Converted(NamedTuple):
    """The new octets, and the steps of the conversion."""

    data: bytes
    steps: tuple[Step, ...]


def convert(data: bytes, source: str, target: str, *, bom: bool = False) -> Converted:
    r"""Return an XML entity in the encoding `target`, given that it is in `source`.

    Both are labels.  In UTF-16 or UTF-32 without a named byte order, the order of the source is
    kept, or else big-endian is used.  With `bom`, UTF-8 gets a byte order mark, which is allowed
    but not recommended; for other encodings the rules leave no choice.  Raises `EntityError` where
    an encoding is not known, where `data` is not in it, and where `target` lacks a character:
    nothing is replaced, because only a parser knows where a character reference may stand.

    >>> converted = convert(b"<?xml version='1.0' encoding='latin1'?><a/>", "latin1", "utf-8")
    >>> converted.data
    b"<?xml version='1.0' encoding='utf-8'?><a/>"
    >>> convert(b"<a/>", "utf-8", "utf-16").data[:4]
    b'\xfe\xff\x00<'
    """
    old, new = charset(source).name, charset(target).name
    text = decode(data, old)
    had_mark = signature(data).bom != b"" and (family(old) != "ascii" or old == "utf-8")
    wide = family(new) in {"utf-16", "utf-32"}
    marked = (wide and not has_byte_order(new)) or (new == "utf-8" and bom)
    steps = list(_mark_steps(old, new, had_mark=had_mark, marked=marked))
    text, declared = _declare(text, new)
    steps += declared
    # If the new name leaves the order of bytes open, the order stays as it was.
    written = ordered(new, data)
    if family(old) == family(new) and has_byte_order(old) and not has_byte_order(new):
        written = old
    return Converted(encode(BOM + text if marked else text, written), tuple(steps))


def _mark_steps(old: str, new: str, *, had_mark: bool, marked: bool) -> Iterator[Step]:
    """Return the steps for the byte order mark."""
    if had_mark and marked:
        yield Step("bom-transcoded", f"turned the byte order mark into that of {new}", _SECTION)
    elif had_mark:
        yield Step("bom-stripped", f"stripped the byte order mark of {old}", _SECTION)
    elif marked:
        yield Step("bom-added", f"added the byte order mark of {new}", _SECTION)


def _declare(text: str, name: str) -> tuple[str, list[Step]]:
    """Return `text` with an encoding declaration that is true, where it has or needs one."""
    declaration = read_declaration(text)
    if declaration and declaration.encoding_span:
        start, end = declaration.encoding_span
        if charset(text[start:end]).name == name:
            return text, []
        step = Step(
            "declaration-corrected",
            f"made the encoding declaration {name!r}, which was {text[start:end]!r}",
            "RFC 7303 section 3.1",
        )
        return text[:start] + name + text[end:], [step]
    if name in {"utf-8", "utf-16"}:
        # XML 1.0 section 4.3.3: these two need none.
        return text, []
    rule = _SECTION if has_byte_order(name) else "XML 1.0 section 4.3.3"
    step = Step("declaration-added", f"declared the encoding as {name!r}", rule)
    if declaration and declaration.version_end:
        at = declaration.version_end
        return f'{text[:at]} encoding="{name}"{text[at:]}', [step]
    rest = text[declaration.end :] if declaration else text
    return f'<?xml version="1.0" encoding="{name}"?>{rest}', [step]
