"""A label cut into its pieces: names, packages, and the words between them.

The longest name is taken first, across blanks, hyphens, slashes and the like, so that
``PDF/A-1a`` is one name and ``csv/json`` two.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.labels.lexicon import is_packer, names
from cturi_rdf.labels.syntax import MEDIA_TYPE, subtype, typed
from cturi_rdf.labels.words import ENDS_NAMES, name_key, words
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.meaning import Meaning

__all__ = ["Piece", "format_keys", "pieces"]

# Names of more words are taken as wholes only when they are the whole label.
_LONGEST = 6
_SIGNS = "][(){}<>,;/|&+:\u00b7\u2022\u3001\u30fb\uff08\uff09\uff0c\uff0f\uff1b"
# Chinese, Japanese and Korean write their words straight after those in Latin letters.
_EASTERN = "\u3005\u3040-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7af"
_OPEN, _CLOSE = "([{<\uff08", ")]}>\uff09"
_LIST = ":,;/|&+\u00b7\u2022\u3001\u30fb\uff0c\uff0f\uff1b"
# A version, a size, a code page: a detail of a format, not another format.
_DETAIL = re.compile(r"[a-z]|v?[0-9]+[a-z]{0,3}", re.ASCII)
# The number after ISO is that of a standard for characters, dates or languages, unless the name
# of a format has it.
_STANDARD = re.compile(r"iso(?:iec)?[0-9]{3,}", re.ASCII)
# The kinds of words between names, and of their pieces.
_JOINTS = {"aside": "noise", "transport": "transport", "and": "list", "from": "from"}
_SHORTEST_PART = 3
_SHORT_CODE = 5
_SHORT_WORD = 2
# How many words and names are remembered: they repeat from label to label.
_MEMORY = 16_384
# An unknown word is likely to be a misspelt name if the label has no more words than this.
_FEW = 2


class Piece(NamedTuple):
    """A piece of a label: what it is, what it means, and where it stands.

    `kind` is ``format``, ``package`` (`meaning` is None where the label does not say which),
    ``archive`` for a format that is a package of files, such as GTFS, ``service``, ``transport``
    for a way of delivery, ``untyped`` for a format without a media type, ``word`` for an unknown
    word, ``list`` for a separator of the members of a list, ``from`` for a word like "via", or
    ``noise``.  `depth` counts open brackets; `sign` is the mark that separates; an ordinary word
    that may be a format is `guessed`.
    """

    kind: str
    text: str
    meaning: Meaning | None = None
    depth: int = 0
    guessed: bool = False
    sign: str = ""


class _Token(NamedTuple):
    kind: str | None
    text: str
    start: int
    end: int
    depth: int


def pieces(label: str) -> list[Piece]:
    """Return the pieces of a label, in their order; words that say nothing are left out.

    >>> [(piece.kind, piece.text) for piece in pieces("Zipped CSV files (UTF-8), WMS")]
    [('package', 'Zipped'), ('format', 'CSV'), ('list', ','), ('service', 'WMS')]
    """
    tokens = _tokens(label)
    alone = sum(token.kind == "word" for token in tokens) <= _FEW
    sequence: list[Piece] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "word":
            size, piece = _longest(label, tokens[at:], alone=alone)
        else:
            size, piece = 1, _of_type(token.text) if token.kind == "type" else _of_sign(token.text)
        if piece.kind != "noise" and (sequence or piece.sign != ":"):
            sequence.append(piece._replace(depth=token.depth) if token.depth else piece)
        at += size
    return sequence


def format_keys(label: str) -> set[str]:
    """Return the keys of the formats that a label names.

    >>> format_keys("zipped PDF/A-2b files")
    {'pdfa2b'}
    """
    named = (piece for piece in pieces(label) if piece.kind in {"format", "archive"})
    return {name_key(piece.text) for piece in named}


def _tokens(label: str) -> list[_Token]:
    tokens: list[_Token] = []
    depth = 0
    for match in _token(label.isascii()).finditer(label):
        kind, text, (start, end) = match.lastgroup, match[0], match.span()
        if kind == "sign" and text in _OPEN:
            depth += 1
        elif kind == "sign" and text in _CLOSE:
            depth = max(0, depth - 1)
        else:
            tokens.append(_Token(kind, text, start, end, depth))
    return tokens


@cache
def _token(ascii_: bool) -> re.Pattern[str]:  # noqa: FBT001 - of one caller
    """Return the pattern of a token; ranges of Unicode take ten times as long to compile."""
    word, signs = rf"[{_EASTERN}]+|[^\W_{_EASTERN}]", _SIGNS
    if ascii_:
        word, signs = r"[^\W_]", "".join(filter(str.isascii, _SIGNS))
    return re.compile(rf"(?P<type>{MEDIA_TYPE})|(?P<word>{word}+(?:'[sS])?)|(?P<sign>[{signs}])")


@cache
def _of_sign(text: str) -> Piece:
    return Piece("list" if text in _LIST else "noise", text, sign=text)


def _of_type(text: str) -> Piece:
    meaning = typed(text)
    if meaning is None or meaning.verdict != "media_type":
        return Piece("word", text)
    return Piece("package" if is_packer(meaning) else "format", text, meaning)


def _longest(label: str, tokens: list[_Token], *, alone: bool) -> tuple[int, Piece]:
    """Return how many of the tokens the longest name at their start takes, and its piece."""
    first = tokens[0]
    spans: list[tuple[int, str]] = []
    for size, token in enumerate(tokens, 1):
        is_end = token.depth != first.depth or token.kind == "type" or token.text in ENDS_NAMES
        if is_end or len(spans) == _LONGEST:
            break
        if token.kind == "word":
            spans.append((size, label[first.start : token.end]))
    before = label[max(first.start - 2, 0) : first.start]
    dotted = before[-1:] == "." and not before[:-1].isalnum()
    for size, span in reversed(spans):
        piece = _known(span, dotted=dotted and size == 1)
        if piece is None or (size > 1 and _is_by_chance(piece, first.text)):
            continue
        if size > 1 and (piece.kind == "noise" or name_key(span) not in names()):
            # "archivo Excel 2016" is not another version of "archivo Excel".
            quiet = _known(first.text, dotted=False)
            at = next(at for at, token in enumerate(tokens) if at and token.kind == "word")
            end = at + _longest(label, tokens[at:], alone=False)[0]
            rest = label[tokens[at].start : tokens[end - 1].end]
            if quiet and quiet.kind == "noise" and end >= size and name_key(rest) in names():
                return 1, quiet
        return size, piece
    return 1, _unknown(first.text, alone=alone)


def _is_by_chance(piece: Piece, first: str) -> bool:
    """Return whether words that belong to a sentence make a name when they are run together.

    "xls m" is not xlsm, "of N" not ofn, and "CSV w zip", Polish for "in", has no CSVW.
    """
    last = piece.text.rpartition(" ")[2]
    joins = any(name_key(last) in words().of_kind(kind) for kind in ("noise", "and"))
    if joins and len(last) <= _SHORT_WORD and last.islower() and not piece.text.islower():
        return True
    is_code = piece.meaning is not None and piece.meaning.rule in {"extension", "code"}
    short = " " in piece.text and len(name_key(piece.text)) <= _SHORT_CODE
    if not is_code or not short:
        return False
    key = name_key(first)
    return key in words().of_kind("noise") or names().trusted(key) is not None


@lru_cache(maxsize=_MEMORY)
def _known(span: str, *, dotted: bool) -> Piece | None:
    """Return the piece of a known name, or ``noise`` for one that says nothing, or None."""
    key = name_key(span)
    standard = Piece("noise", span) if _STANDARD.fullmatch(key) else None
    forms = dict.fromkeys((key, _singular(key), _unversioned(key)))
    if not dotted and "+" not in span:
        # Nearly all spans are in no table.
        forms = {form: None for form in forms if form in names()}
    letter = len(key) == 1 and key.isascii() and not dotted and key not in words().of_kind("and")
    if not forms or not names().is_one(span) or letter:
        return standard
    named = (_joint(span, form) or _name(span, form, dotted=dotted) for form in forms)
    return next(filter(None, named), standard)


def _joint(span: str, key: str) -> Piece | None:
    """Return the piece of a word that says how the names beside it belong together, or None."""
    vocabulary = words()
    for kind_of_word, kind in _JOINTS.items():
        if key in vocabulary.of_kind(kind_of_word) and not (span.isupper() and _is_name(key)):
            return Piece(kind, span, sign="and" if kind_of_word == "and" else "")
    if key in vocabulary.packages:
        return Piece("package", span, names().exact(vocabulary.packages[key]))
    return Piece("package", span) if key in vocabulary.of_kind("packed") else None


def _is_name(key: str) -> bool:
    """Return whether a word in capitals is a name: "POR" is a format, "por" a Spanish word."""
    is_ordinary = key in words().of_kind("ordinary")
    return not is_ordinary and bool(names().service(key) or names().trusted(key))


def _name(span: str, key: str, *, dotted: bool) -> Piece | None:
    """Return the piece of the name of a format or service, or of noise, or None."""
    service = None if dotted else names().service(span)
    if service is not None:
        return Piece("service", span, service)
    meaning = subtype(span) if "+" in span else None
    if meaning is None:
        meaning = names().exact(span, dotted=True) if dotted else names().trusted(key)
    if meaning is not None and meaning.verdict != "service":
        kind = "untyped" if meaning.verdict in {"no_type", "nothing"} else _kind(key, meaning)
        ordinary = key in words().of_kind("ordinary") and not dotted
        return Piece(kind, span, meaning, guessed=ordinary)
    if key in words().of_kind("noise"):
        return Piece("noise", span)
    service = names().service(key)
    return None if service is None else Piece("service", span, service)


def _singular(key: str) -> str:
    bare = key.removesuffix("s")
    return bare if len(bare) >= _SHORTEST_PART and bare not in words().of_kind("ordinary") else key


def _unversioned(key: str) -> str:
    """Return a name without the version at its end, as in "wms13"."""
    bare = key.rstrip("0123456789")
    if len(bare) < _SHORTEST_PART or _STANDARD.fullmatch(key) or registry().extension(key):
        return key
    return bare


@lru_cache(maxsize=_MEMORY)
def _unknown(text: str, *, alone: bool) -> Piece:
    """Return the piece of a word that is in no table: two names in one, or a misspelt name."""
    key = name_key(text)
    if not key or _DETAIL.fullmatch(key) or key in words().unnamed:
        return Piece("noise", text)
    split = _split(key)
    if split is not None:
        return Piece("format", text, split)
    service = names().service_by_ending(key)
    if service is not None:
        return Piece("service", text, service)
    meaning = None
    if alone and len(key) >= _SHORTEST_PART and key not in words().of_kind("ordinary"):
        meaning = names().exact(text) or names().similar(text)
    if meaning is None or meaning.verdict in {"nothing", "no_type"}:
        return Piece("word", text)
    kind = "service" if meaning.verdict == "service" else _kind(key, meaning)
    return Piece(kind, text, meaning)


def _kind(key: str, meaning: Meaning) -> str:
    if not is_packer(meaning):
        return "format"
    return "archive" if names().is_archive(key, meaning) else "package"


def _split(key: str) -> Meaning | None:
    """Return the format in a word: a format and a word for a file, or two names of one format."""
    readings: dict[tuple[ContentType, ...], Meaning] = {}
    if key[-1].isdigit():
        return None
    for at in range(_SHORTEST_PART, len(key) - _SHORTEST_PART + 1):
        first, rest = names().trusted(key[:at]), key[at:]
        if first is None or first.verdict != "media_type" or key[:at] in words().of_kind("noise"):
            continue
        if rest not in words().of_kind("ending"):
            second = names().trusted(rest)
            plain = not words().of_kind("ordinary").intersection([key[:at], rest])
            if second is None or second.types != first.types or not plain:
                continue
        readings[first.types] = first
    if len(readings) != 1:
        return None
    (reading,) = readings.values()
    return reading.inferred(rule="prose")
