"""The first octets of an entity: its family of encodings, and its declaration.

XML 1.0 appendix F.1 tells the families apart by a byte order mark, or by how "<?xml" looks in each;
the declaration is then read in that family, far enough to see what it names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cturi_rdf.xml.charset import Family

# The first octets of an entity in ASCII.
_FIRST = (b"<", b" ", b"\t", b"\r", b"\n")
# The encodings in which the declaration is read; letters and digits are the same in all EBCDIC.
_CODECS = {
    "utf-16be": "utf-16-be",
    "utf-16le": "utf-16-le",
    "utf-32be": "utf-32-be",
    "utf-32le": "utf-32-le",
    "ebcdic": "cp037",
}
# A declaration that ends later is ignored.  XML sets no limit; this one is some fifty times the
# longest declaration that makes sense.
_LONGEST = 4096

# Byte order marks, the longer before those that they begin with.  A UTF-16 mark before a
# NUL is one of UTF-32, as no XML holds a NUL.  Two of the four orders have no name.
_MARKS: tuple[tuple[bytes, str, Family], ...] = (
    (b"\x00\x00\xfe\xff", "utf-32be", "utf-32"),
    (b"\xff\xfe\x00\x00", "utf-32le", "utf-32"),
    (b"\x00\x00\xff\xfe", "iso-10646-ucs-4", "utf-32"),
    (b"\xfe\xff\x00\x00", "iso-10646-ucs-4", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8", "ascii"),
    (b"\xfe\xff", "utf-16be", "utf-16"),
    (b"\xff\xfe", "utf-16le", "utf-16"),
)
# Without a mark: which of the first four octets are NUL.  The first character of an entity
# is "<" or white space, so its high octets are; a NUL anywhere says that units are wide.
_NULS: dict[tuple[bool, ...], tuple[str, Family]] = {
    (True, True, True, False): ("utf-32be", "utf-32"),
    (False, True, True, True): ("utf-32le", "utf-32"),
    (True, True, False, True): ("iso-10646-ucs-4", "utf-32"),
    (True, False, True, True): ("iso-10646-ucs-4", "utf-32"),
    (True, False, True, False): ("utf-16be", "utf-16"),
    (False, True, False, True): ("utf-16le", "utf-16"),
    (True, False, False, False): ("utf-16be", "utf-16"),
    (False, True, False, False): ("utf-16le", "utf-16"),
}

# XML 1.0 productions 23 to 26, 32, 77, 80 and 81; XML 1.1 differs in the number only.
_S = r"[ \t\r\n]"
_EQ = rf"{_S}*+={_S}*+"
_VERSION = rf"{_S}++version{_EQ}(?:\"1\.[0-9]++\"|'1\.[0-9]++')"
_ENCODING = rf"{_S}++encoding{_EQ}(?:\"[A-Za-z][A-Za-z0-9._\-]*+\"|'[A-Za-z][A-Za-z0-9._\-]*+')"
_STANDALONE = rf"{_S}++standalone{_EQ}(?:\"(?:yes|no)\"|'(?:yes|no)')"
_XML_DECLARATION = re.compile(rf"<\?xml{_VERSION}(?:{_ENCODING})?(?:{_STANDALONE})?{_S}*+\?>")
_TEXT_DECLARATION = re.compile(rf"<\?xml(?:{_VERSION})?{_ENCODING}{_S}*+\?>")
# Any declaration, correct or not, and its pseudo-attributes.
_ANY = re.compile(rf"<\?xml(?={_S})((?:[^?]|\?(?!>))*+)\?>")
_PSEUDO_ATTRIBUTE = re.compile(rf"([A-Za-z]++){_S}*+={_S}*+(?:\"([^\"<]*+)\"|'([^'<]*+)')")


class Signature(NamedTuple):
    """The encoding of an entity and its family, as far as the first octets show them.

    `encoding` is known for a byte order mark and for wide code units, `family` wherever
    there is enough to see; `bom` is the byte order mark, empty if there is none.
    """

    encoding: str | None
    family: Family | None
    bom: bytes


class Declaration(NamedTuple):
    """The contents of an XML or text declaration; a missing pseudo-attribute is `None`.

    `kind` holds "xml" if it is a good XML declaration, "text" if it is a good text
    declaration; it can be both and is neither if it is malformed.  `end` is the number of
    characters that it has, `encoding_span` where in them the name of the encoding is,
    `version_end` where the version ends, if there is one.
    """

    version: str | None
    encoding: str | None
    kind: frozenset[str]
    end: int
    encoding_span: tuple[int, int] | None
    version_end: int | None


def signature(data: bytes) -> Signature:
    r"""Return the signature of the first octets of `data` (XML 1.0 appendix F.1).

    >>> signature(b"\xfe\xff\x00<").encoding, signature(b"<\x00?\x00").encoding
    ('utf-16be', 'utf-16le')
    >>> signature(b"<?xml").family, signature(b"\x4c\x6f\xa7\x94").family
    ('ascii', 'ebcdic')
    """
    for bom, encoding, family in _MARKS:
        if data.startswith(bom):
            return Signature(encoding, family, bom)
    first = data[:4]
    wide = _NULS.get(tuple(octet == 0 for octet in first))
    if wide:
        return Signature(*wide, b"")
    if first == b"\x4c\x6f\xa7\x94":
        return Signature(None, "ebcdic", b"")
    # "<" or white space, and nothing wide about it.
    return Signature(None, "ascii" if first[:1] in _FIRST else None, b"")


def declaration_of(data: bytes) -> Declaration | None:
    """Return the declaration with which `data` begins, read in the family that it shows.

    >>> declaration_of(b'<?xml version="1.0" encoding="utf-8"?><a/>').encoding
    'utf-8'
    >>> declaration_of('<?xml version="1.0" encoding="IBM037"?>'.encode("cp037")).encoding
    'IBM037'
    """
    seen = signature(data)
    start = data[len(seen.bom) : len(seen.bom) + 4 * _LONGEST]
    if seen.encoding == "iso-10646-ucs-4":
        # Octets in the order 2143 or 3412: a character of ASCII is the one that is no NUL.
        start = start.translate(None, b"\0")
    elif seen.family == "ebcdic":
        # The one character of a declaration that moves: the Turkish page has '"' here.
        start = start.replace(b"\xfc", b"\x7f")
    codec = _CODECS.get(seen.encoding or seen.family or "ascii", "latin-1")
    return read_declaration(start.decode(codec, "replace"))


def read_declaration(text: str) -> Declaration | None:
    """Return the declaration with which `text` begins, however badly it is written.

    It is looked for in the first 4,096 characters.  If a pseudo-attribute comes twice, the first
    counts.

    >>> declaration = read_declaration("<?xml encoding='latin1' version='1.0'?>")
    >>> declaration.encoding, sorted(declaration.kind)
    ('latin1', [])
    """
    match = _ANY.match(text, 0, _LONGEST)
    if match is None:
        return None
    values: dict[str, str] = {}
    spans: dict[str, tuple[int, int]] = {}
    for attribute in _PSEUDO_ATTRIBUTE.finditer(text, *match.span(1)):
        quoted = 2 if attribute[2] is not None else 3
        values.setdefault(attribute[1], attribute[quoted])
        spans.setdefault(attribute[1], attribute.span(quoted))
    patterns = (("xml", _XML_DECLARATION), ("text", _TEXT_DECLARATION))
    return Declaration(
        values.get("version"),
        values.get("encoding"),
        frozenset(kind for kind, pattern in patterns if pattern.fullmatch(match[0])),
        match.end(),
        spans.get("encoding"),
        # Past the quote.
        spans["version"][1] + 1 if "version" in spans else None,
    )
