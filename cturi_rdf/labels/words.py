"""The data of labels: formats, services and the words of each language, by one spelling of each.

The words are in a file for each language in ``data/labels/words``, a word or phrase on each line.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.registry.tables import DATA, load

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cturi_rdf.registry.tables import Table

# The marks between the members of a list that no name contains, and those that some do.
ENDS_NAMES = ",;|\u00b7\u2022\u3001\u30fb\u060c\uff0c\uff1b"
LISTING = frozenset("/+&" + ENDS_NAMES)
# Letters that Unicode does not decompose into a letter and an accent.
_WITHOUT_STROKE = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
_FOLDER = "labels/words"
# How many keys are remembered: the parts of labels repeat.
_MEMORY = 16_384


class FormatNameRecord(NamedTuple):
    """A format: its first name, its types and, for a name of packed files, the `outer` type.

    `use` is ``first`` where its names come before codes and extensions, ``either`` where its types
    are equally likely, ``usual`` where the first of several types is the usual one, ``family``
    where a more exact name beside it decides, ``program`` where it is a program or a container,
    whose files may have other formats too, ``syntax`` where the content may be anything, so that
    "XML metadata" is XML, ``archive`` for a format whose files are packages, such as GTFS.  A
    format without types has no media type.  Its other names are among the words of the languages.
    """

    name: str
    types: tuple[str, ...]
    outer: str | None
    use: tuple[str, ...]
    note: str


class ServiceKindRecord(NamedTuple):
    """A kind of service, in lower case, or one service by its first name, and its description."""

    kind: str
    meaning: str


class WordRecord(NamedTuple):
    """A word or phrase of one language, and the kinds of word that it is.

    The kinds are:

    * ``format:NAME``: another name of a format of ``formats.tsv``; ``service:KIND``: the name
      of a service, or of a service of a kind, in ``services.tsv``; ``package:EXTENSION``: a word
      for packed files, such as "zipped";
    * ``packed``: packed, without saying how;
    * ``noise``: says nothing about the format beside it, which stays certain; ``aside``: the
      same, though alone it is the name of a format; ``detail``: it says more of the file,
      or, as the name of a format, more than the first name does: CityGML is GML;
    * ``image``, ``audio``, ``video``, ``font``, ``archive``: noise, but beside a format of another
      kind it may mean another format: "PSF audio" is no font, "GeoJSON archive" may be packed;
    * ``chart``, ``database``, ``drawing``, ``formula``, ``presentation``, ``spreadsheet`` and
      ``writing`` (a text): what chooses among the types of a family such as ODF; ``template``: its
      template;
    * ``qualifier``: the format beside it may be a special one, so that is likely at most;
    * ``thing``: after a format it makes another thing, which is not in that format: "metadata";
    * ``ending`` and ``service-ending``: a word for a file, or for a service, as the last part
      of a compound;
    * ``and``: separates the members of a list; if it is noise in another language, it is doubt;
      ``from``: what follows, a source or a purpose, is not the format;
    * ``transport``: how a file is delivered;
    * ``kind``: a kind of thing, and ``placeholder``: no information, as the whole label;
    * ``ordinary``: the name of a format, but not in the middle of a sentence;
    * ``usual``: mostly the name of that format, but it may mean another one.
    """

    word: str
    kinds: tuple[str, ...]


def formats() -> Table[FormatNameRecord]:
    """Return the formats that have names of our own."""
    return load("labels/formats.tsv", FormatNameRecord)


def languages() -> tuple[str, ...]:
    """Return the tags of the languages that have a table of words."""
    return tuple(sorted(file.stem for file in Path(DATA, _FOLDER).glob("*.tsv")))


def table_of(tag: str) -> Table[WordRecord]:
    """Return the table of the words of a language."""
    return load(f"{_FOLDER}/{tag}.tsv", WordRecord)


def words_of(*tags: str) -> Iterator[WordRecord]:
    """Yield the words of languages, as their tables have them."""
    for tag in tags:
        yield from table_of(tag)


@lru_cache(_MEMORY)
def name_key(text: str) -> str:
    """Return the letters and digits of a name, in one case and without accents.

    >>> name_key("JSON-LD"), name_key("Vorläufige Daten"), name_key("C'est zippé")
    ('jsonld', 'vorlaufigedaten', 'cestzippe')
    """
    return _apart(text).translate(_KEY)


@lru_cache(_MEMORY)
def signed_key(text: str) -> str:
    """Return the `name_key` of a name, but with a mark for each mark of a list in it.

    A slash stands for those that names have too, a comma for all others.

    >>> signed_key("TCP/IP"), signed_key("Größe & Co"), signed_key("KML; XML")
    ('tcp/ip', 'grosse/co', 'kml,xml')
    """
    return _apart(text).translate(_SIGNED_KEY)


def keyed(spelt: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each name by its key, and one with a mark of a list also by the key with the mark."""
    yield from ((name_key(name), name) for name in spelt)
    yield from ((signed_key(name), name) for name in spelt if not LISTING.isdisjoint(name))


def _apart(text: str) -> str:
    """Return a text with its accents separated from the letters."""
    return text if text.isascii() else unicodedata.normalize("NFKD", text.casefold())


class _Key(dict[int, str | None]):
    """What a character is in a key: letters and digits are kept, all else is left out."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        return character if character.isalnum() else None


_ASCII = {code: chr(code).lower() if chr(code).isalnum() else None for code in range(128)}
_KEY = _Key(_ASCII | _WITHOUT_STROKE)
_SIGNS = dict.fromkeys(map(ord, "/+&"), "/") | dict.fromkeys(map(ord, ENDS_NAMES), ",")
_SIGNED_KEY = _Key(_KEY | _SIGNS)
