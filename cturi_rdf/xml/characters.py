r"""Documents with characters that expat does not know, rewritten so that expat can read them.

Expat has the names of XML 1.0's fourth edition, and nothing of XML 1.1.  The fifth edition
(productions 4 and 4a) and XML 1.1 allow nearly every letter in a name.  So characters are replaced
one by one: each character that only the fifth edition allows in names, by one that the fourth
edition allows there and that the document does not use.  A well-formed document stays well-formed,
each character keeps its place, and names are translated back when they are read.

XML 1.1 also has two more line ends (section 2.11), and control characters, which may be written
only as references (section 2.2).
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from cturi_rdf.xml.doctype import NOTHING, line_at, malformed
from cturi_rdf.xml.signature import read_declaration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# XML 1.0, fifth edition, productions 4 and 4a, outside of ASCII: the characters with which a name
# may begin, and those that may only follow.
NAME_START = (
    r"\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    r"\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
NAME_CHARACTERS = r"\u00b7\u0300-\u036f\u203f-\u2040"
_START = re.compile(f"[{NAME_START}]")
_ONLY_AFTER = re.compile(f"[{NAME_CHARACTERS}]")
# Fourth edition, appendix B: ideographs and Hangul syllables begin a name; digits do not, and
# the fifth edition has them, outside of ASCII, among the characters that do.
_LETTERS = (range(0x4E00, 0x9FA6), range(0xAC00, 0xD7A4))
_DIGITS = [range(zero, zero + 10) for zero in (0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6)]
_SAME = {chr(code) for code in chain(*_LETTERS)}
_SAME_AFTER = {"\u00b7", *map(chr, range(0x300, 0x346)), "\u0360", "\u0361"}

# XML 1.1 production 2a, and references to those of them that XML 1.0 does not have.
_RESTRICTED = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_CONTROL = re.compile(
    r"&#(?:0*+(?:[1-8]|1[124-9]|2[0-9]|3[01])|x0*+(?:[1-8bcefBCEF]|1[0-9a-fA-F]));"
)
_LINE_ENDS = str.maketrans("\x85\u2028", "\n\n")


def as_xml_1_0(text: str) -> str:
    r"""Return a document of XML 1.1 as one of XML 1.0, line for line; any other as it is.

    Raises `EntityError` at a control character that has to be a reference in XML 1.1.

    >>> as_xml_1_0("<?xml version='1.1'?>\x85<a/>")
    "<?xml version='1.1'?>\n<a/>"
    >>> as_xml_1_0("<?xml version='1.0'?>\x85<a/>")
    "<?xml version='1.0'?>\x85<a/>"
    """
    declaration = read_declaration(text)
    if declaration is None or declaration.version != "1.1":
        return text
    text = text.translate(_LINE_ENDS)
    restricted = _RESTRICTED.search(text)
    if restricted:
        raise malformed(
            text,
            f"U+{ord(restricted[0]):04X} has to be a character reference in XML 1.1",
            line_at(text, restricted.start()),
        )
    # A noncharacter can stand wherever such a reference can, and nowhere else.
    return _CONTROL.sub(lambda match: NOTHING * len(match[0]), text)


def fourth_edition(text: str) -> tuple[str, dict[int, int]] | None:
    """Return a document with names of the fourth edition, and how to turn them back.

    The answer is None where nothing would change.  There are 32,000 replacements; where a document
    needs more, its last characters stay as they are.

    >>> text, back = fourth_edition("<ሰላም/>")
    >>> text, text.translate(back)
    ('<一丁丂/>', '<ሰላም/>')
    >>> fourth_edition("<a/>")
    """
    if text.isascii():
        return None
    # In the order of the text, so that the answer is always the same.
    used = dict.fromkeys(text)
    letters = (c for c in used if _START.match(c) and c not in _SAME)
    others = (c for c in used if _ONLY_AFTER.match(c) and c not in _SAME_AFTER)
    # The digits of the text are among the letters here, so that all of them are exchanged.
    exchanged = dict(_paired(letters, _LETTERS, used)) | dict(_paired(others, _DIGITS, {}))
    if not exchanged:
        return None
    back = {after: before for before, after in exchanged.items()}
    return text.translate(exchanged), back


def _paired(
    characters: Iterable[str], ranges: Iterable[range], used: dict[str, None]
) -> Iterator[tuple[int, int]]:
    """Pair each character with one from `ranges` that is not used."""
    free = (code for code in chain(*ranges) if chr(code) not in used)
    return zip(map(ord, characters), free, strict=False)
