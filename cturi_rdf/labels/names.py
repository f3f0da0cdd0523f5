"""The one table of names: what each name means, by its key.

A name of a format may be in several sources.  The strongest counts: a service, a name of
``formats.tsv`` that comes first, a code of the EU or of W3C, a file extension that was judged, a
name in common use, any other extension, and at last the name of a format in PRONOM, at the Library
of Congress or in Wikidata.  Names of the last two kinds are trusted only as the whole label.

The words are in a file for each language in ``data/labels/words``, a word or phrase on each line.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.labels.resolution import no_type, nothing, one_type, packed, service
from cturi_rdf.registry import registry
from cturi_rdf.registry.tables import DATA, listed, load, unambiguous

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cturi_rdf.labels.resolution import Resolution
    from cturi_rdf.registry import EuFileTypeRecord, ExtensionRecord
    from cturi_rdf.registry.tables import Table


# The marks between the members of a list that no name contains, and those that some do.
ENDS_NAMES = ",;|\u00b7\u2022\u3001\u30fb\u060c\uff0c\uff1b"
LISTING = frozenset("/+&" + ENDS_NAMES)
# Letters that Unicode does not decompose into a letter and an accent.
_WITHOUT_STROKE = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
_FOLDER = "labels/words"
# How many keys are remembered: the parts of labels repeat.
_MEMORY = 16_384
# A bare word that only one list knows as an extension is more likely a word.
_SHORT = 3
_SHORT_NAME = 5
_SOURCES_THAT_JUDGE = frozenset({"judged", "eu", "w3c"})
# Tables of formats with types, whose names may be the whole of a label.
_DESCRIBED = ("pronom", "loc-fdd", "wikidata")
_GENERIC = frozenset({"application/octet-stream", "application/xml", "text/plain"})
# A number may stand apart: "GRIB 2".
_BEFORE_LETTERS = re.compile(r"\w\s+[^\W\d_]")
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_WORDS = frozenset({"noise", "qualifier", "thing", "ordinary", "and", "kind", "placeholder"})
_NO_KINDS: frozenset[str] = frozenset()


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


@dataclass(eq=False)
class Name:
    """What the table has under one key.

    `spelt` is the name as its source writes it; `kinds` are the kinds of word that it is (see
    `WordRecord`); `source` and `code` say what it names: a ``format``, ``service``, ``package``,
    ``extension`` or the code of a scheme; `alone` says that it names that only as the whole label;
    `format` is the format of ``formats.tsv`` that has this name, also where a stronger source has
    it too.
    """

    spelt: str
    source: str
    code: str
    kinds: frozenset[str] = _NO_KINDS
    alone: bool = False

    def __post_init__(self) -> None:
        self.format = formats()[self.code] if self.source == "format" else None

    @cached_property
    def meaning(self) -> Resolution | None:
        """What it names, or None for a word that names nothing."""
        if self.source == "service":
            record = load("labels/services.tsv", ServiceKindRecord)[self.code]
            return service(self.spelt, f"It is {record.meaning}.")
        if self.source == "format" and self.format:
            return self._of_own_format(self.spelt, self.format)
        if self.source == "package":
            return names().exact(self.code)
        if self.source == "extension":
            row = registry().extensions()[self.code]
            judged = _SOURCES_THAT_JUDGE.intersection(row.sources) or len(row.sources) > 1
            return _of_extension(row) if judged else _of_extension(row).inferred()
        if self.source == "eu-file-type":
            return eu_meaning(registry().eu_file_types()[self.code], "code")
        if self.source == "w3c-formats":
            listed_format = registry().formats(self.source)[self.code]
            reason = f"{self.code} is a format of W3C's list of unique URIs."
            return one_type(listed_format.types[0], "code", reason)
        return _of_table(self.source, self.code) if self.source in _DESCRIBED else None

    def meaning_of(self, text: str) -> Resolution | None:
        """Return its `meaning`, for a reader who wrote it as `text`."""
        written, key = text.casefold(), name_key(text)
        if self.source != "format" or self.format is None or written == self.spelt.casefold():
            return self.meaning
        is_own = written != key == name_key(self.spelt)
        return self._of_own_format(text, self.format) if is_own else self.meaning

    def _of_own_format(self, spelt: str, record: FormatNameRecord) -> Resolution:
        """Return the meaning of a format; one that the name only mostly has is likely."""
        meaning = _of_format(spelt, record)
        return meaning.inferred() if "usual" in self.kinds else meaning

    def is_torn(self, text: str) -> bool:
        """Return whether a text has blanks in a short name of one word: "xls m" is hardly xlsm."""
        is_short = self.spelt.isalnum() and len(name_key(text)) <= _SHORT_NAME
        return is_short and _BEFORE_LETTERS.search(text) is not None

    @property
    def is_word(self) -> bool:
        """Whether it is a word of some language, and not a misspelt name."""
        return not self.kinds.isdisjoint(_WORDS)

    @property
    def unnamed(self) -> str:
        """What it is as a whole label that names no format, or an empty text."""
        if "placeholder" in self.kinds:
            return "a placeholder, not a format"
        return "a kind of thing, not a format" if "kind" in self.kinds else ""


class Names:
    """The table, by the keys of names."""

    def find(self, text: str) -> Name | None:
        """Return what the table has for a text that is one name, or None.

        A text with the mark of a list in it, as in "csv/json", is one name only where a name is
        written so.  One word is no name for a format and a package: "LAS.zip" is not LASzip.
        """
        is_plain = LISTING.isdisjoint(text) or _is_suffixed(text)
        name = self._table.get(name_key(text) if is_plain else signed_key(text))
        is_apart = name is not None and not text.isalnum() and name.spelt.isalnum()
        return None if is_apart and self._is_packed(text) else name

    def _is_packed(self, text: str) -> bool:
        """Return whether a text is the name of a format, a mark or blank, and that of a package."""
        first, *others = filter(None, _BETWEEN_WORDS.split(text))
        inside = self._table.get(name_key(first))
        around = registry().extension(others[-1]) if others else None
        return bool(inside and inside.meaning and around and _packs(around.types[0]))

    def exact(self, text: str) -> Resolution | None:
        """Return the meaning of a whole label that is the name of a format or service, or None."""
        name = self.find(text)
        if name is None or (name.alone and "ordinary" in name.kinds and not text.isupper()):
            return None
        meaning = name.meaning_of(text)
        return meaning.inferred() if meaning and name.is_torn(text) else meaning

    def described(self, text: str) -> Resolution | None:
        """Return the meaning of a whole label that is a name in a table of formats, or None.

        The table has names with and without a version; the label may have another version.
        """
        name = self._described.get(signed_key(text))
        if name is None and text[-1:].isdigit():
            bare = without_version(text)
            exact = self.exact(bare)
            # A version does not say which of several formats a name means.
            is_open = exact is not None and exact.alternatives
            name = None if is_open else self._described.get(signed_key(bare))
        return name.meaning if name else None

    def trusted(self, text: str) -> Resolution | None:
        """Return the meaning of a name that stands out among the words around it, or None."""
        name = self.find(text)
        return None if name is None or name.alone else name.meaning_of(text)

    def kinds(self, text: str) -> frozenset[str]:
        """Return the kinds of word that a text is."""
        name = self.find(text)
        return name.kinds if name else _NO_KINDS

    def is_protocol(self, text: str) -> bool:
        """Return whether a text names a protocol, which says how a file is fetched."""
        name = self.find(text)
        return name is not None and (name.source, name.code) == ("service", "protocol")

    def first_key(self, text: str) -> str:
        """Return the key of the first name of the same format or service, or else of the text."""
        name = self.find(text)
        if name and name.source == "service" and not name.code.islower():
            return name_key(name.code)
        return name_key(name.format.name if name and name.format else text)

    def extension(self, text: str) -> Resolution | None:
        """Return the meaning of a file extension, given without its dot, or None."""
        name, row = self._table.get(name_key(text)), registry().extension(text)
        of_name = name.meaning if name and not name.alone and name.source != "service" else None
        if row is None or (name and name.format and not _FIRST.isdisjoint(name.format.use)):
            return of_name
        of_row = _of_extension(row)
        is_judged = not name or "judged" in row.sources or not name.spelt.isalnum()
        if is_judged or not of_name or of_name.confidence == "likely":
            return of_row
        if (of_name.types, of_name.wrappers) == (of_row.types, ()):
            return of_row
        # A tgz file is a gzip file with a tar inside.
        return of_name if of_name.wrappers == of_row.types else of_name.or_else(of_row.types)

    @cached_property
    def common(self) -> frozenset[str]:
        """The keys of names in one word, which people misspell."""
        pairs = self._table.items()
        return frozenset(key for key, name in pairs if name.source and " " not in name.spelt)

    @cached_property
    def syntaxes(self) -> frozenset[str]:
        """The types of formats whose content may be anything."""
        return frozenset(one for row in formats() if "syntax" in row.use for one in row.types)

    @cached_property
    def service_endings(self) -> tuple[str, ...]:
        """The keys of words for a service that end a compound."""
        return tuple(key for key, name in self._table.items() if "service-ending" in name.kinds)

    # -- how the table is made ----------------------------------------------------------

    @cached_property
    def _table(self) -> dict[str, Name]:
        words: dict[str, Name] = {}
        firsts: dict[str, Name] = {}
        kinds: dict[str, frozenset[str]] = {}
        spelt: dict[str, str] = {}
        for key, name in _words():
            kinds[key] = name.kinds | kinds[key] if key in kinds else name.kinds
            spelt.setdefault(key, name.spelt)
            if name.source == "service" or (name.format and not _FIRST.isdisjoint(name.format.use)):
                firsts.setdefault(key, name)
            elif name.source:
                words.setdefault(key, name)
        weak, strong = _extensions(kinds)
        table = weak | words | strong
        for scheme in ("w3c-formats", "eu-file-type"):
            table |= _codes(scheme)
        table |= firsts
        for key, of_key in kinds.items():
            name = table.setdefault(key, Name(spelt[key], "", ""))
            name.kinds = of_key
            name.format = words[key].format if key in words else name.format
        return table

    @cached_property
    def _described(self) -> dict[str, Name]:
        """The names of formats in tables of formats, where these give one type or none."""
        pairs = [pair for scheme in _DESCRIBED for pair in _described(scheme)]
        typed = [pair for pair in pairs if pair[1].code]
        essences = unambiguous((key, listed(name.code)[0]) for key, name in typed)
        named = dict(reversed(typed))
        untyped = {key: name for key, name in pairs if key and key not in essences}
        named = {key: name for key, name in named.items() if key and essences[key]}
        return untyped | named


_FIRST = frozenset({"first", "either", "usual"})


@cache
def names() -> Names:
    """Return the table of names, which is made on first use."""
    return Names()


def service_names() -> Iterator[str]:
    """Yield the names of services in all languages, each once."""
    rows = words_of(*languages())
    services = (row.word for row in rows if any("service:" in kind for kind in row.kinds))
    yield from dict.fromkeys(services)


def is_packer(meaning: Resolution) -> bool:
    """Return whether a meaning is a type that packs or compresses other files."""
    return meaning.verdict == "media_type" and _packs(meaning.types[0].essence)


@lru_cache(maxsize=4_096)
def _packs(essence: str) -> bool:
    return registry().packaging(essence) is not None


def eu_meaning(record: EuFileTypeRecord, rule: str) -> Resolution:
    """Return the meaning of a concept of the EU's table of file types."""
    concept = f"The EU's file type {record.code} is"
    if record.service:
        return service(record.code, f"{concept} a service.")
    if not record.types:
        return no_type(rule, f"{concept} without a media type.")
    if record.inner and registry().packaging(record.types[0]):
        reason = f"{concept} {record.inner[0]} in {record.types[0]}."
        return packed(record.inner, record.types[:1], rule, reason)
    note = f" ({record.note})" if record.note else ""
    meaning = one_type(record.types[0], rule, f"{concept} {record.types[0]}{note}.")
    return meaning.or_else(record.types)


def _of_format(spelt: str, record: FormatNameRecord) -> Resolution:
    if "either" in record.use:
        reason = f"It is {record.note}: {' or '.join(record.types)}."
        return nothing("alias", reason).or_else(record.types)
    if not record.types:
        return no_type("alias", f"It is {record.note}, without a media type of its own.")
    reason = f"{spelt} is a name for {record.types[0]}"
    if "usual" in record.use:
        reason = f"It may be {record.note}"
    if record.outer:
        return packed(record.types[:1], [record.outer], "alias", f"{reason} in {record.outer}.")
    meaning = one_type(record.types[0], "alias", f"{reason}.", likely="family" in record.use)
    return meaning.or_else(record.types)


def _of_table(source: str, essences: str) -> Resolution:
    """Return the meaning of a name in a table of formats: its types, or none."""
    reason = f"It is the name of a format in {source}"
    if not essences:
        return no_type("alias", f"{reason}, without a type.")
    first, *_ = types = listed(essences)
    likely = source == "wikidata"
    meaning = one_type(first, "alias", f"{reason}, whose type is {first}.", likely=likely)
    return meaning.or_else(types)


def _of_extension(record: ExtensionRecord) -> Resolution:
    note = f" ({record.note})" if record.note else ""
    reason = f"Files of {record.types[0]} have the extension {record.extension}{note}."
    meaning = one_type(record.types[0], "extension", reason)
    return meaning if record.note else meaning.or_else(record.types)


def _words() -> Iterator[tuple[str, Name]]:
    """Yield the first names of formats, and the words of all languages, by their keys."""
    for key, name in keyed(formats().keys()):
        yield key, Name(name, "format", name)
    # Thousands of words: no record is made of each.
    for table in map(table_of, languages()):
        for word, of_word in zip(table.column("word"), table.column("kinds"), strict=True):
            source, code, kinds = _target(of_word)
            yield name_key(word), Name(word, source, code, kinds=kinds)
            if not LISTING.isdisjoint(word):
                yield signed_key(word), Name(word, source, code, kinds=kinds)


@cache
def _target(of_word: str) -> tuple[str, str, frozenset[str]]:
    """Return what a word names, by source and code, and the kinds of word that it is."""
    kinds = {kind.partition(":")[0]: kind.partition(":")[2] for kind in listed(of_word)}
    words = frozenset(kinds) - {"format", "service"}
    for source in ("service", "format"):
        if source in kinds:
            return source, kinds[source], words
    return ("package", kinds["package"], words) if "package" in kinds else ("", "", words)


def _codes(scheme: str) -> dict[str, Name]:
    table = registry().formats(scheme)
    codes = list(table.column("code"))
    names_of: dict[str, Name] = {}
    for column in ("label", "code"):
        code_of = dict(zip(table.column(column), codes, strict=True))
        names_of |= {key: Name(name, scheme, code_of[name]) for key, name in keyed(code_of)}
    return names_of


def _extensions(kinds: dict[str, frozenset[str]]) -> tuple[dict[str, Name], dict[str, Name]]:
    """Return the extensions that may be names: all but those judged of one type, and those.

    Of those that nobody judged, words of a language are left out.
    """
    weak: dict[str, Name] = {}
    strong: dict[str, Name] = {}
    table = registry().extensions()
    columns = map(table.column, ("extension", "sources", "types", "note"))
    for extension, sources, types, note in zip(*columns, strict=True):
        of_sources = listed(sources)
        alone = _SOURCES_THAT_JUDGE.isdisjoint(of_sources)
        if len(extension) == 1 or (alone and _is_word(extension, len(of_sources), kinds)):
            continue
        is_one = note or len(set(map(registry().canonical, listed(types)))) == 1
        target = strong if is_one and not alone else weak
        target[extension] = Name(extension, "extension", extension, alone=alone)
    return weak, strong


def _is_word(extension: str, sources: int, kinds: dict[str, frozenset[str]]) -> bool:
    """Return whether an extension that nobody judged is more likely a word."""
    if kinds.get(extension, _NO_KINDS) & {"kind", "placeholder"}:
        return True
    # The digit shows that "lz4" is not a word of a language.
    coded = len(extension) >= _SHORT and not extension.isalpha() and not extension.isdigit()
    return sources == 1 and not coded


def _described(scheme: str) -> Iterator[tuple[str, Name]]:
    """Yield each name of a format with its type, and the name without its version."""
    table = registry().formats(scheme)
    for label, essences in zip(table.column("label"), table.column("types"), strict=True):
        # Wikidata calls many things by one ordinary word, and many types by that of their syntax.
        if scheme != "wikidata" or (" " in label and essences not in _GENERIC):
            for key, name in keyed(dict.fromkeys((label, without_version(label)))):
                yield key, Name(name, scheme, essences)


def without_version(name: str) -> str:
    """Return a name without the number of a version at its end.

    >>> without_version("Hypertext Markup Language 4.01"), without_version("MPEG-4")
    ('Hypertext Markup Language', 'MPEG-4')
    """
    before, _, last = name.rpartition(" ")
    return name if last.strip("0123456789.x/-") else before


def _is_suffixed(text: str) -> bool:
    """Return whether the one mark in a name is the plus before a suffix, as in "rdf+xml"."""
    name, plus, suffix = text.rpartition("+")
    return bool(plus and LISTING.isdisjoint(name) and registry().suffix(suffix.lower()))
