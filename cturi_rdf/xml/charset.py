"""Character sets of XML: what a label means, what a document says of its own, and conversion.

Names are matched to IANA's registry (RFC 7303 section 2.2, XML 1.0 section 4.3.3) and are
in lower case wherever this package says which encoding something has.

A conversion puts the mark and the declaration right.  RFC 7303 section 3.3 has the rules for the
byte order mark.  The draft asked for one in UTF-8; the RFC only allows it, and section 3 recommends
UTF-8 without.  Section 3.1 has the declaration corrected; XML 1.0 section 4.3.3 asks for one in
every encoding but UTF-8 and UTF-16.  UTF-32 goes as UTF-16 does.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.errors import EntityError
from cturi_rdf.registry import registry
from cturi_rdf.registry.charsets import charset_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    Family = Literal["ascii", "utf-16", "utf-32", "ebcdic"]


# The names of Unicode's encodings in 16 and 32 bits; where no order of bytes is named, the
# document has to show it (RFC 2781 section 3.2).
_UNICODE: dict[str, Family] = {
    "utf-16": "utf-16",
    "utf-16be": "utf-16",
    "utf-16le": "utf-16",
    "iso-10646-ucs-2": "utf-16",
    "utf-32": "utf-32",
    "utf-32be": "utf-32",
    "utf-32le": "utf-32",
    "iso-10646-ucs-4": "utf-32",
}
# How a document in each of the other families begins (XML 1.0 appendix F.1).
_OPENING: dict[bytes, Family] = {b"<?xml": "ascii", b"\x4c\x6f\xa7\x94\x93": "ebcdic"}


class Charset(NamedTuple):
    """A label and the character set that it means.

    `name` is the registry's preferred MIME name in lower case, or the label itself in lower
    case where nothing like it is registered; `registered` says whether the label, as it
    stands, is one of the registry's names or aliases.
    """

    label: str
    name: str
    registered: bool


@lru_cache(maxsize=1024)
def charset(label: str) -> Charset:
    """Return the character set that a charset parameter or an encoding declaration means.

    The registry compares names without regard to case (RFC 2978 section 2.3).  Quotes and white
    space around a name, and another spelling of it, are forgiven; then `registered` is false.

    >>> charset("Latin1").name, charset("bogus").name
    ('iso-8859-1', 'bogus')
    >>> charset("utf8")
    Charset(label='utf8', name='utf-8', registered=False)
    """
    bare = label.strip("' \t\r\n").lower()
    if record := charset_record(bare):
        return Charset(label, record.name.lower(), registry().charset(label) is not None)
    # The label may come from anywhere, and messages print it.
    shown = bare if bare.isprintable() else bare.encode("unicode_escape").decode()
    return Charset(label, shown, registered=False)


def has_byte_order(name: str) -> bool:
    """Return whether a name says in which order the bytes of a code unit come.

    >>> has_byte_order("utf-16le"), has_byte_order("utf-16"), has_byte_order("utf-8")
    (True, False, False)
    """
    return name in _UNICODE and name.endswith(("be", "le"))


@lru_cache(maxsize=1024)
def family(name: str) -> Family | None:
    """Return the family of an encoding by XML 1.0 appendix F, or None if it is not known.

    >>> family("utf-16"), family("windows-1252"), family("ibm037"), family("bogus")
    ('utf-16', 'ascii', 'ebcdic', None)
    """
    if name in _UNICODE:
        return _UNICODE[name]
    python = codec(name)
    return _OPENING.get("<?xml".encode(python)[-5:]) if python else None


@lru_cache(maxsize=1024)
def codec(name: str) -> str | None:
    """Return Python's codec for a registered character set, if it has one.

    >>> codec("iso-8859-1"), codec("ebcdic-cp-us"), codec("base64")
    ('iso8859-1', 'cp037', None)
    """
    record = registry().charset(name)
    for alias in (record.name, *record.aliases) if record else ():
        try:
            python_name = codecs.lookup(alias).name
            "<?xml".encode(python_name)
        except (LookupError, ValueError):
            # No codec, or a codec for something other than text.
            continue
        return python_name
    return None


_BOM = "\ufeff"


def ordered(name: str, data: bytes) -> str:
    r"""Return `name` with the order of bytes that `data` shows, if it leaves that open.

    Where nothing shows it, it is big-endian (RFC 2781 section 4.3).

    >>> ordered("utf-16", b"<\x00a\x00"), ordered("iso-10646-ucs-4", b""), ordered("utf-8", b"")
    ('utf-16le', 'utf-32be', 'utf-8')
    """
    kind = family(name)
    if kind not in {"utf-16", "utf-32"} or has_byte_order(name):
        return name
    little = signature(data).encoding == f"{kind}le"
    return f"{kind}{'le' if little else 'be'}"


def decode(data: bytes, name: str) -> str:
    r"""Return the text of `data` in the encoding `name`, without its byte order mark.

    Raises `EntityError` where there is no such codec, and at the first octets that are not of that
    encoding (XML 1.0 section 4.3.3).  The same error is raised where `name` says one byte order,
    and the byte order mark or the first "<" shows the other.

    >>> decode(b"\xff\xfea\x00", "utf-16"), decode(b"\xa4", "iso-8859-15")
    ('a', '€')
    """
    seen = signature(data)
    other_order = has_byte_order(name) and seen.family == family(name) and seen.encoding != name
    if other_order and (seen.bom or data.strip(b"\0").startswith(b"<")):
        shown = data[:8].hex(" ")
        problem = f"octet 1 is not of {name}: the order of bytes is that of {seen.encoding}"
        raise EntityError(problem, shown, expected=f"text in {name}", rule="RFC 7303 section 3.3")
    try:
        text = data.decode(_codec(ordered(name, data)))
    except UnicodeDecodeError as error:
        shown = data[error.start : error.start + 8].hex(" ")
        problem, rule = f"octet {error.start + 1} is not of {name}", "XML 1.0 section 4.3.3"
        raise EntityError(problem, shown, (0, 2), expected=f"text in {name}", rule=rule) from error
    # In a charset that is not Unicode's no octets decode to the mark.
    return text.removeprefix(_BOM)


def encode(text: str, name: str) -> bytes:
    r"""Return the octets of `text` in the encoding `name`, big-endian where it says no order.

    Raises `EntityError` at the first character that the encoding does not have.

    >>> encode("a", "utf-16")
    b'\x00a'
    """
    try:
        return text.encode(_codec(ordered(name, b"")))
    except UnicodeEncodeError as error:
        raise EntityError(
            f"a character that {name} does not have",
            text,
            (error.start, error.end),
            expected=f"only characters of {name}; a character reference is one way",
            rule="XML 1.0 section 4.1",
        ) from error


def _codec(name: str) -> str:
    codec_name = codec(name)
    if codec_name is None:
        expected, rule = "a registered character set that Python knows", "XML 1.0 section 4.3.3"
        raise EntityError("an encoding that cannot be read", name, expected=expected, rule=rule)
    return codec_name


# The first octets of an entity in ASCII.
_FIRST = (b"<", b" ", b"\t", b"\r", b"\n")
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
    codec = "latin-1"
    if seen.encoding == "iso-10646-ucs-4":
        # Octets in the order 2143 or 3412: a character of ASCII is the one that is no NUL.
        start = start.translate(None, b"\0")
    elif seen.family == "ebcdic":
        # Letters and digits are the same in all EBCDIC; the one character of a declaration that
        # moves is the Turkish page's '"'.
        start, codec = start.replace(b"\xfc", b"\x7f"), "cp037"
    elif seen.family != "ascii":
        codec = seen.encoding or codec
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
    return Converted(encode(_BOM + text if marked else text, written), tuple(steps))


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
