"""Names of formats and services: what one name means, by which table.

The layers are those of a label without any syntax of its own, in this order: a service,
a code of a table of formats, a file extension, a name in common use (an alias), and a name
that is one typing error away from one of these.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING

from cturi_rdf.labels.meaning import Meaning, no_type, nothing, one_type, packed, service
from cturi_rdf.labels.spelling import Speller
from cturi_rdf.labels.words import (
    LISTING,
    languages,
    name_key,
    name_keys,
    signed_key,
    words,
    words_of,
)
from cturi_rdf.registry import registry
from cturi_rdf.registry.tables import Record, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.registry import EuFileTypeRecord, ExtensionRecord, FormatRecord

__all__ = [
    "DescriptionRecord",
    "FormatNameRecord",
    "Lexicon",
    "ServiceKindRecord",
    "names",
    "service_names",
]

# A bare word that only one list knows as an extension is more likely a word.
_SHORT = 3
# Names of vocabularies and databases grow on to these.
_SYNTAXES = ("xml", "csv", "json")
_SOURCES_THAT_JUDGE = frozenset({"judged", "eu", "w3c"})


class FormatNameRecord(Record):
    """A format: its first name, its types and, for a name of packed files, the `outer` type.

    `use` is ``first`` where its names come before codes and extensions, ``either`` where its types
    are equally likely, ``usual`` where the first of several types is the usual one, ``family``
    where a more exact name beside it decides.  A format without types has no media type.  Its other
    names are among the words of the languages.
    """

    __slots__ = ()
    name: str
    types: tuple[str, ...]
    outer: str | None
    use: str
    note: str


class DescriptionRecord(Record):
    """The key of a name that a table of formats has for formats of one type."""

    __slots__ = ()
    key: str
    scheme: str
    essence: str


class ServiceKindRecord(Record):
    """A kind of service, and its description."""

    __slots__ = ()
    kind: str
    meaning: str


def service_names() -> Iterator[str]:
    """Yield the names of services in all languages, each once.

    >>> "web map service" in service_names()
    True
    """
    services = (
        record.word
        for record in words_of(*languages())
        if any(kind.startswith("service:") for kind in record.kinds)
    )
    yield from dict.fromkeys(services)


class Lexicon:
    """Every name that the tables know."""

    def __contains__(self, key: str) -> bool:
        """Return whether a key is that of the name of a format or service, or of a word."""
        return key in self._all

    def service(self, name: str) -> Meaning | None:
        """Return the meaning of the name of a service, or None for any other name."""
        kind = words().services.get(name_key(name))
        if kind is None or not self.is_one(name):
            return None
        record = load("labels/services.tsv", ServiceKindRecord)[kind]
        return service(name, f"It is {record.meaning}.")

    def is_one(self, text: str) -> bool:
        """Return whether a text is one name, not two with a slash or the like between."""
        if LISTING.isdisjoint(text):
            return True
        return signed_key(text) in words().of_kind("signed") or _suffixed(text)

    def service_by_ending(self, word: str) -> Meaning | None:
        """Return the meaning of a compound word that ends in a word for a service, or None."""
        if not any(map(name_key(word).endswith, words().of_kind("service-ending"))):
            return None
        return service(word, f"The end of {word} says that it is a service.", likely=True)

    def exact(self, name: str, *, dotted: bool = False) -> Meaning | None:
        """Return the meaning of a name as it is spelt, or None; `dotted` if a dot was before it."""
        if not self.is_one(name):
            return None
        key = name_key(name)
        record = registry().extension(key)
        meaning = (
            self._first(key)
            or (_of_extension(record) if dotted and record else None)
            or self._code(key)
        )
        if meaning is not None:
            return meaning
        # A name in common use counts before an extension that only one list has.
        extension = self._extension(name, key)
        if extension is not None and extension.confidence == "certain":
            return extension
        return self.alias(key) or extension or _description(key)

    def trusted(self, key: str) -> Meaning | None:
        """Return the meaning of a key that stands out among the words around it, or None."""
        record = registry().extension(key)
        judged = record is not None and _SOURCES_THAT_JUDGE.intersection(record.sources)
        return (
            self._first(key)
            or self._code(key)
            or (self._extension(key, key) if judged else None)
            or self.alias(key)
        )

    def similar(self, name: str) -> Meaning | None:
        """Return the meaning of a name with one typing error, or None."""
        key = name_key(name)
        meanings: dict[object, tuple[str, Meaning]] = {}
        near = self._speller.near(key)
        if len(key) <= _SHORT:
            # A short name is near many others by chance: only common ones count.
            near = tuple(candidate for candidate in near if candidate in self._eu_codes)
        for word in () if words().is_word(key) else near:
            meant = self.service(word) or self.trusted(word)
            if meant is not None and meant.verdict in {"media_type", "compound", "service"}:
                meanings.setdefault((meant.verdict, meant.types, meant.wrappers), (word, meant))
        if not meanings:
            return None
        if len(meanings) > 1:
            readings = " or ".join(sorted(word for word, _ in meanings.values()))
            reason = f"It is spelt wrong, and could be {readings}."
            return nothing("spelling", reason, likely=True)
        ((word, meant),) = meanings.values()
        rule = "service" if meant.verdict == "service" else "spelling"
        return meant.inferred(f"It is {word} spelt wrong.", rule)

    def grown(self, key: str) -> Meaning | None:
        """Return the meaning of the syntax at the end of another name, as in "onixxml", or None."""
        for syntax in _SYNTAXES:
            if len(key) >= len(syntax) + _SHORT and key.endswith(syntax):
                meaning = self.trusted(syntax)
                return meaning and meaning.inferred(f"{key} ends in {syntax}.", "prose")
        return None

    # -- the layers ---------------------------------------------------------------------

    def _first(self, key: str) -> Meaning | None:
        record = _named(key)
        return self.alias(key) if record and record.use in {"first", "either", "usual"} else None

    def _code(self, key: str) -> Meaning | None:
        record = self._eu_codes.get(key)
        if record is not None:
            return eu_meaning(record, "code")
        listed = self._w3c_codes.get(key)
        if listed is None:
            return None
        reason = f"{listed.code} is a format of W3C's list of unique URIs."
        return one_type(listed.types[0], "code", reason)

    def _extension(self, name: str, key: str) -> Meaning | None:
        record = registry().extension(key)
        if record is None or len(key) == 1:
            return None
        if not _SOURCES_THAT_JUDGE.intersection(record.sources):
            ordinary = key in words().of_kind("ordinary") and not name.isupper()
            if ordinary or key in words().unnamed:
                return None
            if len(record.sources) == 1:
                # The digit shows that "lz4" is not a word of a language.
                coded = len(key) >= _SHORT and not key.isalpha() and not key.isdigit()
                return _of_extension(record).inferred() if coded else None
        return _of_extension(record)

    def alias(self, key: str) -> Meaning | None:
        """Return the meaning of the key of a name in common use, or None."""
        record = _named(key)
        if record is None:
            return None
        if record.use == "either":
            reason = f"It is {record.note}: {' or '.join(record.types)}."
            return nothing("alias", reason, likely=True).or_else(record.types)
        if record.use == "usual":
            meaning = one_type(record.types[0], "alias", f"It may be {record.note}.", likely=True)
            return meaning.or_else(record.types)
        if not record.types:
            return no_type("alias", f"It is {record.note}, without a media type of its own.")
        reason = f"{words().spelt[key]} is a name of {record.types[0]}"
        if record.outer:
            reason = f"{reason} in {record.outer}."
            return packed(record.types[:1], [record.outer], "alias", reason)
        meaning = one_type(record.types[0], "alias", f"{reason}.", likely=record.use == "family")
        return meaning.or_else(record.types) if len(record.types) > 1 else meaning

    def first_key(self, key: str) -> str:
        """Return the key of the first name of the same format; a key of no format as it is."""
        record = _named(key)
        return name_key(record.name) if record else key

    def is_archive(self, key: str, meaning: Meaning) -> bool:
        """Return whether a key is that of a format which is a package: "GTFS", but not "zip"."""
        is_package = registry().packaging(meaning.types[0].essence) == "package"
        return is_package and self.first_key(key) not in words().packages.values()

    def is_family(self, key: str) -> bool:
        """Return whether a key is that of the name of a program with several formats."""
        record = _named(key)
        return record is not None and record.use == "family"

    # -- the tables ---------------------------------------------------------------------

    @cached_property
    def _eu_codes(self) -> dict[str, EuFileTypeRecord]:
        table = registry().formats("eu-file-type")
        keys = (name_keys(list(table.column(column))) for column in ("label", "code"))
        labels, codes = (dict(zip(column, table, strict=True)) for column in keys)
        return labels | codes

    @cached_property
    def _w3c_codes(self) -> dict[str, FormatRecord]:
        return {name_key(record.code): record for record in registry().formats("w3c-formats")}

    @cached_property
    def _all(self) -> frozenset[str]:
        extensions = registry().extensions().keys()
        return words().all().union(self._eu_codes, self._w3c_codes, extensions)

    @cached_property
    def _speller(self) -> Speller:
        words_ = {*words().services, *words().formats, *self._eu_codes, *self._w3c_codes}
        words_.update(
            record.extension
            for record in registry().extensions()
            if _SOURCES_THAT_JUDGE.intersection(record.sources) or len(record.sources) > 1
        )
        return Speller(words_)


@cache
def names() -> Lexicon:
    """Return the names, whose tables are read on first use."""
    return Lexicon()


def _suffixed(text: str) -> bool:
    """Return whether the one sign in a name is the plus before a suffix, as in "rdf+xml"."""
    name, plus, suffix = text.rpartition("+")
    return bool(plus and LISTING.isdisjoint(name) and registry().suffix(suffix.lower()))


def _named(key: str) -> FormatNameRecord | None:
    """Return the record of the format with a key among its names, or None."""
    name = words().formats.get(key)
    return load("labels/formats.tsv", FormatNameRecord)[name] if name else None


def _description(key: str) -> Meaning | None:
    record = load("lookups/descriptions.tsv", DescriptionRecord).get(key)
    if record is None:
        return None
    reason = f"It is the name of a format in {record.scheme}, whose type is {record.essence}."
    return one_type(record.essence, "alias", reason, likely=record.scheme == "wikidata")


def eu_meaning(record: EuFileTypeRecord, rule: str) -> Meaning:
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
    reason = f"{concept} {record.types[0]}{note}."
    meaning = one_type(record.types[0], rule, reason, likely=len(record.types) > 1)
    return meaning.or_else(record.types) if len(record.types) > 1 else meaning


def is_packer(meaning: Meaning) -> bool:
    """Return whether a meaning is a type that packs or compresses other files."""
    return meaning.verdict == "media_type" and bool(registry().packaging(meaning.types[0].essence))


def _of_extension(record: ExtensionRecord) -> Meaning:
    canonical = {registry().canonical(essence) for essence in record.types}
    note = f" ({record.note})" if record.note else ""
    reason = f"Files of {record.types[0]} have the extension {record.extension}{note}."
    likely = len(canonical) > 1 and not record.note
    meaning = one_type(record.types[0], "extension", reason, likely=likely)
    return meaning.or_else(record.types) if likely else meaning
