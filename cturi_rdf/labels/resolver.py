"""A label read as a whole: identifier, header, name or phrase; labels of the user's own first."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError, CturiError, expect_text
from cturi_rdf.labels.candidates import candidates
from cturi_rdf.labels.grammar import composed
from cturi_rdf.labels.identifiers import beside_words, identified, of_node, relative
from cturi_rdf.labels.media_types import is_top_level, media_type, subtype, typed
from cturi_rdf.labels.names import misspelt, names
from cturi_rdf.labels.resolution import (
    Resolution,
    no_type,
    nothing,
    one_or_more,
    packed,
    service,
)
from cturi_rdf.labels.words import name_key
from cturi_rdf.registry.charsets import charset_in, has_charset

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# A label is a name or a phrase; a longer text is not read for one.
_LONGEST = 400
_AROUND = " \t\r\n\v\f\u00a0\ufeff\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb*;,:"
# Traces of octets that could not be decoded: the replacement character, and the half of a surrogate
# pair that Python puts in the place of an octet.
_BROKEN = "[\ufffd\ud800-\udfff]"
_CONTROL = "[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f]"
# A character reference of HTML, as in "Excel&nbsp;(xlsx)".
_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);")
# What each name of a character set in a label has.
_SIGNS_OF_CHARSET = re.compile(r"[0-9_-]", re.ASCII)
# Other characters that Unicode ends a line at may stand in a label.
_LINE_END = re.compile(r"\r\n?|\n")
# "GIF, version 89a" and "GIF v89a" are the name "GIF 89a".
_VERSION = re.compile(r",?\s+v(?:er(?:sion|\.)?|\.)?\s?(?=[0-9])", re.ASCII | re.IGNORECASE)
# The end of a label, not of an IRI or a header, that is in doubt or cut off.
_DOUBT = re.compile(r"[^/:]*(?:\?|\.\.|\u2026)[\s)\]]*")
_OWN_REASON = "It is one of your own labels."
_OWN_NOTHING = "Your own labels say that it names no format."
_WITHOUT_TYPES = {"no_type": no_type, "nothing": nothing}


class Resolver:
    """A resolver of labels that looks first at labels of the user's own.

    >>> mine = Resolver({"Bericht": Resolution("Bericht", "media_type", ["application/pdf"],
    ...                                        rule="own", reason="We mean PDF.")})
    >>> mine.resolve("BERICHT").types
    (ContentType.parse('application/pdf'),)
    """

    def __init__(self, own: Mapping[str, Resolution] | None = None) -> None:
        """Make a resolver with the user's own labels, as `read_labels` returns them."""
        self._own = {
            name_key(label) or label.strip(): resolution
            for label, resolution in (own or {}).items()
        }

    def resolve(self, label: str) -> Resolution:
        """Return the meaning of a label; see `cturi_rdf.labels.resolve`."""
        expect_text(label, "a label")
        if self._own:
            own = self._own.get(name_key(label) or label.strip())
            if own is not None:
                return own._replace(label=label)
        meaning = _with_charset(_meaning(label), label)
        broken = None if label.isascii() else re.search(_BROKEN, label)
        if broken:
            # A letter is missing, so the label may be another word than it seems.
            meaning = meaning.inferred(f"It has a broken character, U+{ord(broken[0]):04X}.")
        if not label.isprintable() and (control := re.search(_CONTROL, label)):
            meaning = meaning.inferred(f"It has a control character, U+{ord(control[0]):04X}.")
        if meaning.types and not label[-1].isalnum() and _DOUBT.fullmatch(label):
            meaning = meaning.inferred("It ends in a question mark, or is cut off.")
        # A percent sign may hide a character that is not printable.
        if "%" in label or not label.isprintable():
            meaning = meaning.on_one_line()
        return meaning._replace(label=label)

    def resolve_all(self, labels: Iterable[str]) -> list[Resolution]:
        """Return the meanings of many labels, in their order; each distinct label is read once."""
        in_order = list(labels)
        meanings = {label: self.resolve(label) for label in dict.fromkeys(in_order)}
        return [meanings[label] for label in in_order]


def read_labels(text: str) -> dict[str, Resolution]:
    r"""Return the user's own labels from a table: label, meaning and perhaps a reason.

    A line is a label, a tab and what it means: a media type; several with ``|`` between; for a
    packed one ``inner > outer``, with every wrapper up to the outermost; or one of the words
    ``service``, ``no_type`` and ``nothing``.  A third field is the reason.  Empty lines and those
    that begin with ``#`` are skipped.  Raises `CturiError`, with the line and its number, for any
    other line.

    >>> read_labels("Bericht\tapplication/pdf\n")["Bericht"].rule
    'own'
    """
    meanings = {}
    # A spreadsheet saves UTF-8 with a byte order mark.
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), 1):
        if not line.strip() or line.startswith("#"):
            continue
        # The tabs stand in for fields that are left out at the end.
        label, meaning, reason = map(str.strip, f"{line}\t\t".split("\t", 2))
        if not label or not meaning:
            raise CturiError(
                f"line {number}: not a label and its meaning",
                line,
                expected="a label, a tab and its media type",
                rule="the table of labels",
            )
        reason = reason or (_OWN_NOTHING if meaning == "nothing" else _OWN_REASON)
        try:
            meanings[label] = _own_meaning(label, meaning, reason)._replace(label=label)
        except ContentTypeError as error:
            raise CturiError(
                f"line {number}: {error.problem}",
                line,
                expected=f"{error.expected}, or service, no_type or nothing",
                rule=error.rule,
            ) from error
    return meanings


def _own_meaning(label: str, meaning: str, reason: str) -> Resolution:
    if meaning == "service":
        return service(label, reason, "own")
    if meaning in _WITHOUT_TYPES:
        return _WITHOUT_TYPES[meaning]("own", reason)
    inner, *wrappers = map(str.strip, meaning.split(">"))
    types = [header.strip() for header in inner.split("|")]
    if wrappers:
        return packed(types, reversed(wrappers), "own", reason)
    return one_or_more(types, "own", reason)


def _meaning(label: str) -> Resolution:
    """Return the meaning of a label, from the first reading that has one."""
    # A header is read as it stands, before anything is stripped from its ends.
    header = _header(label)
    if header is not None:
        return header
    text = relative(_ENTITY.sub(lambda entity: unescape(entity[0]), label).strip(_AROUND))
    text = text.replace("\u00a0", " ")
    if len(text) > _LONGEST:
        return nothing("none", "It is too long for a label.")
    if not name_key(text):
        return nothing("none", "It has no letters or digits.")
    if " " in text:
        text = _VERSION.sub(" ", text).replace("*. ", "*.")
    named = names().described(text)
    meaning = of_node(label.strip()) or _whole(text, named)
    if meaning is not None:
        return meaning
    phrase = composed(text)
    if named is not None:
        return beside_words(named, phrase)
    bare = " ".join(one.text for one in candidates(text)) if phrase is None else ""
    meaning = phrase or names().described(bare) or subtype(bare)
    if meaning is None and text.isalnum():
        meaning = misspelt(text)
    return meaning or nothing("none", "Nothing in it names a format.", likely=True)


def _with_charset(meaning: Resolution, label: str) -> Resolution:
    """Return the meaning of a label with the character set that stands beside its one format."""
    if len(meaning.types) != 1 or meaning.alternatives or not _SIGNS_OF_CHARSET.search(label):
        return meaning
    [content_type] = meaning.types
    if content_type.parameters or "://" in label or not has_charset(content_type):
        return meaning
    charset = charset_in(label.lower().replace(content_type.essence, ""))
    if charset is None:
        return meaning
    types = (content_type.replace(parameters={"charset": charset}),)
    return meaning._replace(types=types, reason=f"{meaning.reason} It is said to be in {charset}.")


def _header(label: str) -> Resolution | None:
    """Return the meaning of a label that is a Content-Type header, or None.

    Two names with a slash between, such as "csv/json", are a header by their syntax alone.  They
    count as one if the first is a top-level type, or if parameters follow.  A comment (RFC 2045
    section 5.1) may say how the file is packed, as in "text/csv (gzip)".
    """
    if "/" not in label:
        return None
    try:
        content_type = ContentType.parse(label.strip())
    except ContentTypeError:
        return None
    is_commented = not content_type.parameters and label.rstrip().endswith(")")
    if is_commented and (phrase := composed(label)) and phrase.wrappers:
        return phrase
    is_header = content_type.parameters or is_top_level(content_type.type)
    return media_type(content_type) if is_header else None


def _whole(text: str, named: Resolution | None) -> Resolution | None:
    """Return the meaning of a label that is one identifier, one type or one name as a whole."""
    if (meaning := identified(text)) is not None:
        return meaning
    name, exact = names().find(text), names().exact(text)
    if exact and exact.verdict == "service":
        return exact._replace(services=(text,))
    if " " in text and named:
        return exact
    meaning = typed(text)
    if meaning is None and "+" in text:
        meaning = subtype(text)
    if exact and meaning and meaning.types == exact.types:
        meaning = exact
    if meaning is None and text[0] in ".*" and text.count(".") == 1:
        meaning = names().extension(text.rpartition(".")[2])
    meaning = meaning or exact
    if meaning is None and name and name.unnamed:
        return nothing("none", f"It is {name.unnamed}.")
    return meaning or subtype(text)
