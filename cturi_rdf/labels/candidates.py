"""The first pass over a label: its candidates, which are names and the words between them.

The longest name is taken first, across blanks, hyphens, slashes and the like, so that ``PDF/A-1a``
is one name and ``csv/json`` two.  Each span is looked up once in the table of `names`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.labels.media_types import MEDIA_TYPE, bare_name, misspelt, typed
from cturi_rdf.labels.names import ENDS_NAMES, is_packer, name_key, names
from cturi_rdf.labels.resolution import packed, service
from cturi_rdf.registry import registry
from cturi_rdf.registry.charsets import charset_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.names import Name
    from cturi_rdf.labels.resolution import Resolution

# Names of more words are taken as wholes only when they are the whole label.
_LONGEST = 6
# Chinese, Japanese and Korean write their words straight after those in Latin letters.
_EASTERN = "\u3005\u3040-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7af"
_OPEN, _CLOSE = "([{<\uff08", ")]}>\uff09"
_LIST = ":,;/|&+\u00b7\u2022\u3001\u30fb\u060c\u061b\uff0c\uff0f\uff1b"
_SIGNS = re.escape(_OPEN + _CLOSE + _LIST)
# A version, a size, a code page: a detail of a format, not another one.
_DETAIL = re.compile(r"[a-z]|[vx]?[0-9]+[a-z]{0,3}", re.ASCII)
# The number after ISO is that of a standard for dates or languages, unless the name of a format
# has it.
_STANDARD = re.compile(r"iso(?:iec)?[0-9]{3,}", re.ASCII)
# A version at the end of a name, of one or two digits or a year; of a service, any.
_VERSION = re.compile(r"(?<=\D)(?:\d{1,2}|(?:19|20)\d\d)")
# The kinds of words that say how the names beside them belong together.
_JOINTS = ("from", "qualifier", "aside", "transport", "and", "packed", "thing")
# What is mostly such a word may be a name by itself.
_WITH_MEANING = frozenset({"aside", "transport"})
_PROTOCOL = ("service", "protocol")
_SHORTEST_PART = 3
_SYNTAXES = frozenset({"xml", "csv", "json"})
# How many words and names are remembered: they repeat from label to label.
_MEMORY = 16_384
# How many labels keep their candidates: a label is asked for them several times in a row.
_LATEST = 64
# An unknown word is likely to be a misspelt name if the label has no more words than this.
_FEW = 2


class Candidate(NamedTuple):
    """A name or word of a label: what it is, what it means, and where it stands.

    `kind` is ``format``, ``package`` (`meaning` is None where the label does not say which),
    ``archive`` for a format that is a package of files, such as GTFS, ``service``, ``untyped``
    for a format without a media type, ``transport`` for what surrounds a format, such as a
    protocol or a portal, ``thing`` for a noun that makes another thing, ``qualifier`` and
    ``word`` for a word that may make another format (the second is unknown), ``list`` for a
    separator of the members of a list, ``from`` for a word like "via", or ``noise``.  `start` and
    `end` are its span, `depth` counts open brackets, `sign` is the mark that separates, or
    the star of a filter such as ``*.csv``; `name` is what the table has for it.
    """

    kind: str
    text: str
    meaning: Resolution | None = None
    name: Name | None = None
    sign: str = ""
    start: int = 0
    end: int = 0
    depth: int = 0

    @property
    def types(self) -> tuple[ContentType, ...]:
        """The types that it means."""
        return self.meaning.types if self.meaning else ()

    @property
    def words(self) -> frozenset[str]:
        """The kinds of word that it is (see `WordRecord`)."""
        return self.name.kinds if self.name else frozenset()

    @property
    def guessed(self) -> bool:
        """Whether it is an ordinary word that may be a format, or two letters."""
        is_name = self.kind in {"format", "package", "archive", "untyped"}
        return is_name and ("ordinary" in self.words or self.is_short)

    @property
    def is_short(self) -> bool:
        """Whether two letters name a format, which may be part of any other name."""
        is_short = len(self.text) == _SHORTEST_PART - 1 and self.text.isascii()
        return is_short and self.text.isalpha() and self.kind == "format" and not self.depth

    @property
    def use(self) -> tuple[str, ...]:
        """The `use` of its format, but nothing for an extension of its files, which is exact."""
        record = self.name.format if self.name else None
        is_exact = registry().extension(name_key(self.text)) is not None
        return () if record is None or is_exact else record.use


class _Token(NamedTuple):
    kind: str | None
    text: str
    start: int
    end: int
    depth: int


def candidates(label: str) -> list[Candidate]:
    """Return the candidates of a label, in their order; words that say nothing are left out.

    >>> [(one.kind, one.text, one.start) for one in candidates("Zipped CSV files (UTF-8), WMS")]
    [('package', 'Zipped', 0), ('format', 'CSV', 7), ('list', ',', 24), ('service', 'WMS', 26)]
    """
    return [one for one in all_candidates(label) if one.kind != "noise"]


@lru_cache(_LATEST)
def all_candidates(label: str) -> tuple[Candidate, ...]:
    """Return the candidates of a label, in their order, with those of noise."""
    whole = list(_tokens(label))
    if whole and (depth := min(token.depth for token in whole)):
        # Brackets around all of a label say nothing.
        whole = [token._replace(depth=token.depth - depth) for token in whole]
    # The stem of a file name is no misspelt name.
    files = [token for token in whole if token.kind == "file" and not token.text[0].isdigit()]
    alone = not files and sum(token.kind == "word" for token in whole) <= _FEW
    # A name may end inside that of a file, as in "JPEG 2000.zip".
    tokens = [part for token in whole for part in _parts(token)]
    sequence: list[Candidate] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "sign":
            kind = "list" if token.text in _LIST else "noise"
            size, candidate = 1, Candidate(kind, token.text, sign=token.text)
        elif token.kind == "type":
            size, candidate = 1, _of_type(token.text)
        elif token.kind == "extension" or _is_extension(token):
            size, candidate = 1, _of_extension(token.text.lstrip("*."))
            if token.text[0] == "*":
                candidate = candidate._replace(sign="*")
        else:
            size, longest = _longest(label, tokens, at)
            if size > 1 and _goes_on(label, tokens, at, size):
                size, longest = 1, _known(token.text)
            candidate = longest or _unknown(token.text, alone=alone)
        if candidate.sign != ":" or any(one.kind != "noise" for one in sequence):
            end = tokens[at + size - 1].end
            sequence.append(Candidate(*candidate[:5], token.start, end, token.depth))
        at += size
    return tuple(sequence)


def format_keys(label: str) -> set[str]:
    """Return the keys of the formats that a label names, and of their first names.

    A type that is in no list is such a name by its subtype, as in image/x-geotiff.
    """
    parts = candidates(label)
    keys = {name_key(one.text) for one in parts if one.kind in {"format", "archive"}}
    alone = parts[0] if len(parts) == 1 else None
    if alone and alone.meaning and alone.meaning.confidence == "likely" and "/" in alone.text:
        keys.add(name_key(bare_name(alone.text)))
    return keys


def _tokens(label: str) -> Iterator[_Token]:
    depth = 0
    for match in _token(label.isascii()).finditer(label):
        kind, text, (start, end) = match.lastgroup, match[0], match.span()
        if kind == "sign" and text in _OPEN:
            depth += 1
        elif kind == "sign" and text in _CLOSE:
            depth = max(0, depth - 1)
        else:
            yield _Token(kind, text, start, end, depth)


def _is_extension(token: _Token) -> bool:
    """Return whether a token is an extension with its dot, perhaps as a filter such as *.csv."""
    return token.text[0] in ".*" and token.text.count(".") == 1


def _parts(token: _Token) -> Iterator[_Token]:
    """Yield the parts of the name of a file; of any other token, itself."""
    if token.kind == "file" and not _is_extension(token):
        yield from _in_file(token)
    else:
        yield token


def _in_file(file: _Token) -> Iterator[_Token]:
    """Yield the parts of a file name; the last extension is the outermost, as in csv.gz.

    An extension counts only if those behind it are packages: the .gz in x.gz.parquet is only a
    habit.  A text with dots that ends in no extension is just words.
    """
    parts = list(re.finditer(r"[^.]+", file.text))
    start = len(parts)
    for at in range(len(parts) - 1, -1, -1):
        meaning = _extension(file.text, parts[at][0])
        if meaning is None:
            break
        start = at
        if not is_packer(meaning):
            break
    for at, part in enumerate(parts):
        is_detail = _DETAIL.fullmatch(part[0].lower()) is not None
        if at >= start or start == len(parts) or at == 0 or is_detail:
            kind = "extension" if at >= start and file.text[0] == "." else "word"
            span = file.start + part.start(), file.start + part.end()
            yield _Token(kind, part[0], *span, file.depth)


@cache
def _token(ascii_: bool) -> re.Pattern[str]:  # noqa: FBT001 - of one caller
    """Return the pattern of a token; ranges of Unicode take ten times as long to compile."""
    word, signs = rf"[{_EASTERN}]+|[^\W_{_EASTERN}]", _SIGNS
    letter = rf"[^\W{_EASTERN}]"
    if ascii_:
        word, signs, letter = (
            r"[^\W_]",
            re.escape("".join(filter(str.isascii, _OPEN + _CLOSE + _LIST))),
            r"\w",
        )
    file = rf"(?<!\w)(?:{letter}[\w-]*|\*)?(?:\.{letter}+)+"
    return re.compile(
        rf"(?P<type>{MEDIA_TYPE})|(?P<file>{file})|(?P<word>(?<!\w)[wW]/(?=\s?\w)|{word}+(?:'[sS])?)|(?P<sign>[{signs}])"
    )


def _of_type(text: str) -> Candidate:
    meaning = typed(text)
    if meaning is None or not meaning.types:
        return Candidate("word", text)
    return Candidate(_kind(meaning), text, meaning)


def _longest(label: str, tokens: list[_Token], at: int) -> tuple[int, Candidate | None]:
    """Return how many tokens the longest name from one on takes, and its candidate, or None."""
    first = tokens[at]
    spans: list[tuple[int, str]] = []
    for size in range(2, len(tokens) - at + 1):
        token = tokens[at + size - 1]
        is_end = token.depth != first.depth or token.kind == "type" or token.text in ENDS_NAMES
        if is_end or len(spans) == _LONGEST - 1:
            break
        if token.kind != "sign":
            spans.append((size, label[first.start : token.end]))
    for size, span in reversed(spans):
        candidate = _known(span, is_word=False)
        if candidate is not None:
            return size, candidate
    return 1, Candidate("noise", first.text) if first.text.isdigit() else _known(first.text)


def _goes_on(label: str, tokens: list[_Token], at: int, size: int) -> bool:
    """Return whether a name is only noise and part of a longer one: "image JPEG" of "JPEG 2000".

    So is a word for packing: "zipped KML" is KMZ, but "zipped KML/XML" is KML in a zip.
    """
    for start in range(at + 1, at + size):
        word = _known(tokens[start - 1].text)
        if word is None or word.kind not in {"noise", "package"}:
            return False
        first = _known(tokens[start].text)
        if first and first.kind in {"noise", "package"} and "aside" not in first.words:
            # "bz2 compressed tar" is no "compressed tar".
            continue
        longer, name = _longest(label, tokens, start)
        beyond = [_known(token.text) for token in tokens[at + size : start + longer]]
        if name and name.meaning and any(one is None or one.kind != "noise" for one in beyond):
            return True
    return False


@lru_cache(maxsize=_MEMORY)
def _known(span: str, *, is_word: bool = True) -> Candidate | None:
    """Return the candidate of a name that the table has, also in the plural, or None."""
    name = names().find(span)
    if name is None and (charset_of(span) or _STANDARD.fullmatch(name_key(span))):
        return Candidate("noise", span)
    is_plural = span[-1] in "sS" and len(span) > _SHORTEST_PART
    if name is None and is_plural and registry().extension(span) is None:
        name = names().find(span[:-1])
        name = None if name and "ordinary" in name.kinds else name
    if name is None and is_word and span[-1].isdigit():
        name = _unversioned(span)
        if name and name.source == "service":
            # "WFS-1" is the service WFS.
            span = span.rstrip("0123456789").rstrip("-")
    if name is None or (name.alone and not name.kinds):
        return None
    # A word that names nothing is not read across blanks either, however long it is.
    names_nothing = name.source in {"", "package"} and name.spelt.isalnum()
    if not is_word and (names_nothing or name.is_torn(span)):
        return None
    if is_word and len(span) == 1 and span.isascii() and "and" not in name.kinds:
        return None
    return _candidate(span, name)


def _unversioned(word: str) -> Name | None:
    """Return the name before the version at the end of a word, as in "wms130", or None."""
    bare = word.rstrip("0123456789")
    name = names().find(bare) if len(bare) >= _SHORTEST_PART else None
    if name is None or (name.source != "service" and not _VERSION.fullmatch(word, len(bare))):
        return None
    is_detail = _DETAIL.fullmatch(name_key(word))
    return None if is_detail or registry().extension(word) else name


def _candidate(span: str, name: Name) -> Candidate | None:
    meaning = None if name.alone else name.meaning_of(span)
    if not (span.isupper() and meaning and "ordinary" not in name.kinds):
        # In capitals it is a name: "POR" is a format, "por" a Spanish word.
        joint = next((kind for kind in _JOINTS if kind in name.kinds), None)
        if joint == "and" and "noise" in name.kinds:
            # "o" is "or" in Spanish, and an article in Portuguese.
            return Candidate("noise", span, None, name)
        if joint == "and":
            return Candidate("list", span, sign="and")
        if joint is not None and not (joint == "qualifier" and meaning):
            kind = {"aside": "noise", "packed": "package"}.get(joint, joint)
            return Candidate(kind, span, meaning if joint in _WITH_MEANING else None, name)
    if "package" in name.kinds:
        return Candidate("package", span, meaning, name)
    if meaning is not None:
        kind = _kind(meaning, name)
        is_around = "product" in name.kinds or (name.source, name.code) == _PROTOCOL
        return Candidate("transport" if is_around else kind, span, meaning, name)
    if "noise" in name.kinds:
        return Candidate("noise", span, None, name)
    return Candidate("qualifier", span, None, name) if "kind" in name.kinds else None


def _kind(meaning: Resolution, name: Name | None = None) -> str:
    if meaning.verdict == "service":
        return "service"
    if meaning.verdict in {"no_type", "nothing"}:
        return "untyped"
    if not is_packer(meaning):
        return "format"
    is_archive = name is not None and name.format is not None and "archive" in name.format.use
    return "archive" if is_archive else "package"


def _extension(file: str, extension: str) -> Resolution | None:
    """Return the meaning of an extension; behind a name only of one that many know."""
    find = names().extension if file[0] == "." else names().trusted
    return None if "aside" in names().kinds(extension) else find(extension)


def _of_extension(extension: str) -> Candidate:
    meaning = names().extension(extension)
    if meaning is None:
        return _unknown(extension, alone=True)
    return Candidate(_kind(meaning), extension, meaning)


@lru_cache(maxsize=_MEMORY)
def _unknown(text: str, *, alone: bool) -> Candidate:
    """Return the candidate of a word that is in no table: two names in one, or a misspelt name."""
    key, name = name_key(text), names().find(text)
    if not key or _DETAIL.fullmatch(key):
        # A capital may belong to a longer name: "bitmap X" is no BMP.
        return Candidate("qualifier" if key.isalpha() and text.isupper() else "noise", text)
    if name and name.unnamed:
        # "CSV unknown" is in doubt, as a question mark would say.
        return Candidate("qualifier", text, None, name)
    split = _split(key)
    if split is not None:
        return Candidate("format", text, split)
    if key.endswith(names().service_endings):
        reason = f"The end of {text} shows that it is a service."
        return Candidate("service", text, service(text, reason, likely=True))
    if not alone or len(key) < _SHORTEST_PART or (name and "ordinary" in name.kinds):
        return Candidate("word", text)
    meaning = names().exact(text) or names().described(text) or misspelt(text)
    if meaning is None or meaning.verdict in {"nothing", "no_type"}:
        return Candidate("word", text)
    return Candidate(_kind(meaning), text, meaning)


def _split(key: str) -> Resolution | None:
    """Return the format in a word: a format and a word for a file, or two names of one format.

    Names of vocabularies and databases grow on to a syntax, as in "onixxml".
    """
    readings: dict[tuple[ContentType, ...], Resolution] = {}
    if key[-1].isdigit():
        return None
    shortest = _SHORTEST_PART if key.isascii() else 2
    for at in range(shortest, len(key) - shortest + 1):
        first, rest = names().trusted(key[:at]), key[at:]
        if rest in _SYNTAXES:
            first = _in_package(names().trusted(rest), first)
        elif first is None or first.verdict != "media_type" or "noise" in names().kinds(key[:at]):
            continue
        elif names().kinds(rest).isdisjoint({"ending"} if key.isascii() else {"ending", "noise"}):
            second = names().trusted(rest)
            ordinary = {"ordinary"} & (names().kinds(key[:at]) | names().kinds(rest))
            if second is None or ordinary or not (second.types == first.types or is_packer(second)):
                continue
            first = _in_package(first, second)
        if first:
            readings[first.types] = first
    if len(readings) != 1:
        return None
    (reading,) = readings.values()
    return reading.inferred(rule="prose")


def _in_package(inside: Resolution | None, around: Resolution | None) -> Resolution | None:
    """Return a format in the package that is grown together with it, as in "zipcsv"."""
    if not (inside and around and is_packer(around)) or is_packer(inside):
        return inside
    reason = f"It is {inside.types[0].essence} in {around.types[0].essence}."
    return packed(inside.types, around.types, "prose", reason)
