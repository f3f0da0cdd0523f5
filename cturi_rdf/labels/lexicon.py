"""Names of formats and services: what one name means, by which table.

The layers are those of a label without any syntax of its own, in this order: a service,
a code of a table of formats, a file extension, a name in common use (an alias), and a name
that is one slip of the keyboard away from one of these.
"""

from __future__ import annotations

import re
from functools import cache, cached_property

from cturi_rdf.labels.resolution import Resolution
from cturi_rdf.labels.spelling import Speller
from cturi_rdf.labels.words import LISTING, fused, words
from cturi_rdf.registry import registry
from cturi_rdf.registry.tables import Record, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.registry import EuFileTypeRecord, ExtensionRecord

__all__ = ["PACKERS", "FormatNameRecord", "Names", "ServiceRecord", "names"]

# The package is the format itself where its own type says what it holds.
PACKERS = frozenset({
    "application/zip", "application/gzip", "application/x-tar", "application/x-bzip2",
    "application/x-xz", "application/zstd", "application/x-7z-compressed",
    "application/vnd.rar", "application/x-lzma", "application/x-lzip", "application/x-compress",
})  # fmt: skip
# A bare word that only one list knows as an extension is more likely a word.
_SHORT = 3
_SOURCES_THAT_JUDGE = frozenset({"judged", "eu", "w3c"})


class FormatNameRecord(Record):
    """The names of one format, its types and, where it is packed by name, the `outer` one.

    `use` is ``first`` where the names stand before codes and extensions, ``either`` where
    the types are readings that are as good, ``family`` where a more exact name beside it
    decides.  Without types it is a format that has none.
    """

    __slots__ = ()
    names: tuple[str, ...]
    types: tuple[str, ...]
    outer: str | None
    use: str
    note: str


class ServiceRecord(Record):
    """The names of one kind of service, which is the key."""

    __slots__ = ()
    kind: str
    names: tuple[str, ...]


class Names:
    """Every name that the tables know."""

    def service(self, name: str) -> Resolution | None:
        """Return the verdict ``service`` where a name is that of a service, or None."""
        kind = self._services.get(fused(name))
        if kind is None:
            return None
        return Resolution(name, "service", rule="service", reason=f"It is {kind}.")

    def is_one(self, text: str) -> bool:
        """Return whether a text is one name, not two with a slash or the like between."""
        return LISTING.search(text) is None or _signed(text) in self._signed

    def service_by_ending(self, word: str) -> Resolution | None:
        """Return the verdict ``service`` where a compound word ends in one for it, or None."""
        if not fused(word).endswith(_SERVICE_ENDINGS):
            return None
        return Resolution(
            word, "service", rule="service", confidence="likely", reason="Its end says service."
        )

    def exact(self, name: str, *, dotted: bool = False) -> Resolution | None:
        """Return what a name means as it is spelt, or None; `dotted` if a dot was before it."""
        key = fused(name)
        layers: tuple[Callable[[str, str], Resolution | None], ...] = (
            self._first, self._code, self._extension, self._alias, self._description,
        )  # fmt: skip
        if dotted:
            layers = (self._first, self._dotted, *layers)
        return next(filter(None, (layer(name, key) for layer in layers)), None)

    def trusted(self, key: str) -> Resolution | None:
        """Return what a fused name means that can be told from the words around it, or None."""
        record = self._extension_record(key)
        judged = record is not None and _SOURCES_THAT_JUDGE.intersection(record.sources)
        return (
            self._first(key, key)
            or self._code(key, key)
            or (self._extension(key, key) if judged else None)
            or self._alias(key, key)
        )

    def similar(self, name: str) -> Resolution | None:
        """Return what a name means but for one slip of the keyboard, or None."""
        key = fused(name)
        found: dict[object, tuple[str, Resolution]] = {}
        near = self._speller.near(key)
        if len(key) <= _SHORT:
            # Of so few letters any two may be swapped by chance: only what is common counts.
            near = tuple(each for each in near if each in self._eu_codes)
        for each in () if words().is_word(key) else near:
            meant = self.service(each) or self.trusted(each)
            if meant is not None and meant.verdict in {"media_type", "compound", "service"}:
                found.setdefault((meant.verdict, meant.types, meant.outer), (each, meant))
        if not found:
            return None
        if len(found) > 1:
            readings = " or ".join(sorted(each for each, _ in found.values()))
            reason = f"It is spelt wrong, and could be {readings}."
            return Resolution(name, "nothing", rule="spelling", confidence="likely", reason=reason)
        ((each, meant),) = found.values()
        reason = f"It is {each} spelt wrong. {meant.reason}"
        rule = "service" if meant.verdict == "service" else "spelling"
        return meant.but(label=name, rule=rule, confidence="likely", reason=reason)

    # -- the layers ---------------------------------------------------------------------

    def _first(self, name: str, key: str) -> Resolution | None:
        record = self._aliases.get(key)
        return self._alias(name, key) if record and record.use in {"first", "either"} else None

    def _code(self, name: str, key: str) -> Resolution | None:
        record = self._eu_codes.get(key)
        if record is not None:
            return eu_resolution(name, record, "code")
        code = self._w3c_codes.get(key)
        if code is not None:
            types = registry().formats("w3c-formats").get(code).types
            reason = f"{code} is a format of W3C's list of unique URIs."
            return Resolution(name, "media_type", types[:1], rule="code", reason=reason)
        return None

    def _dotted(self, name: str, key: str) -> Resolution | None:
        record = self._extension_record(key)
        return None if record is None else _of_extension(name, record)

    def _extension(self, name: str, key: str) -> Resolution | None:
        record = self._extension_record(key)
        if record is None or len(key) == 1:
            return None
        if not _SOURCES_THAT_JUDGE.intersection(record.sources):
            said = words()
            word = key in said.unnamed or (key in said.ordinary and not name.isupper())
            if word or len(record.sources) == 1:
                return None
        return _of_extension(name, record)

    def _alias(self, name: str, key: str) -> Resolution | None:
        record = self._aliases.get(key)
        if record is None:
            return None
        if record.use == "either":
            reason = f"It is {record.note}: {' or '.join(record.types)}."
            return Resolution(name, "nothing", rule="alias", confidence="likely", reason=reason)
        if not record.types:
            reason = f"It is {record.note}, without a media type of its own."
            return Resolution(name, "no_type", rule="alias", reason=reason)
        sure = "likely" if record.use == "family" else "certain"
        reason = f"{record.names[0]} is a name of {record.types[0]}"
        if record.outer:
            return Resolution(
                name, "compound", record.types[:1], record.outer, rule="alias",
                reason=f"{reason} in {record.outer}.",
            )  # fmt: skip
        return Resolution(
            name, "media_type", record.types[:1], rule="alias", confidence=sure, reason=f"{reason}."
        )

    def _description(self, name: str, key: str) -> Resolution | None:
        found = self._descriptions.get(key)
        if not found:
            return None
        scheme, essence = found
        reason = f"It is the name of a format in {scheme}, whose type is {essence}."
        return Resolution(name, "media_type", [essence], rule="alias", reason=reason)

    def is_family(self, key: str) -> bool:
        """Return whether a fused name is of a program whose formats are several."""
        record = self._aliases.get(key)
        return record is not None and record.use == "family"

    # -- the tables ---------------------------------------------------------------------

    @cached_property
    def _services(self) -> dict[str, str]:
        table = load("labels/services.tsv", ServiceRecord)
        return {fused(name): record.kind for record in table for name in record.names}

    @cached_property
    def _aliases(self) -> dict[str, FormatNameRecord]:
        table = load("labels/names.tsv", FormatNameRecord)
        return {fused(name): record for record in table for name in record.names}

    @cached_property
    def _signed(self) -> frozenset[str]:
        """Return the names that have a mark of a list in them, with it."""
        tables = (
            load("labels/names.tsv", FormatNameRecord),
            load("labels/services.tsv", ServiceRecord),
        )
        named = [name for table in tables for record in table for name in record.names]
        for scheme in ("eu-file-type", "pronom", "loc-fdd", "wikidata"):
            named += [record.label for record in registry().formats(scheme)]
        return frozenset(_signed(name) for name in named if LISTING.search(name))

    @cached_property
    def _eu_codes(self) -> dict[str, EuFileTypeRecord]:
        records: list[EuFileTypeRecord] = list(registry().eu_file_types())
        labels = {fused(each.label): each for each in records}
        return labels | {fused(each.code): each for each in records}

    @cached_property
    def _w3c_codes(self) -> dict[str, str]:
        return {fused(each.code): each.code for each in registry().formats("w3c-formats")}

    @cached_property
    def _descriptions(self) -> dict[str, tuple[str, str] | None]:
        """Return the types of what PRONOM, NARA and LoC call a format; None if they differ."""
        found: dict[str, tuple[str, str] | None] = {}
        for scheme in ("pronom", "loc-fdd", "wikidata"):
            for record in registry().formats(scheme):
                if not record.types:
                    continue
                for label in (record.label, re.sub(r" [0-9.x/-]+$", "", record.label)):
                    meant = (scheme, record.types[0])
                    before = found.setdefault(fused(label), meant)
                    if before is None or before[1] != meant[1]:
                        found[fused(label)] = None
        return found

    @cached_property
    def _speller(self) -> Speller:
        known = {*self._services, *self._aliases, *self._eu_codes, *self._w3c_codes}
        known.update(
            each.extension
            for each in registry().extensions()
            if _SOURCES_THAT_JUDGE.intersection(each.sources) or len(each.sources) > 1
        )
        return Speller(known)

    def _extension_record(self, key: str) -> ExtensionRecord | None:
        return registry().extension(key)


@cache
def names() -> Names:
    """Return the names, whose tables are read on first use."""
    return Names()


def _signed(text: str) -> str:
    """Return a name in its one spelling, but with the marks of a list left in."""
    return "/".join(map(fused, LISTING.split(text)))


def eu_resolution(label: str, record: EuFileTypeRecord, rule: str) -> Resolution:
    """Return what a concept of the EU's table of file types means."""
    said = f"The EU's file type {record.code} is"
    if record.service:
        return Resolution(label, "service", rule="service", reason=f"{said} a service.")
    if not record.types:
        return Resolution(label, "no_type", rule=rule, reason=f"{said} without a media type.")
    if record.inner and record.types[0] in PACKERS:
        reason = f"{said} {record.inner[0]} in {record.types[0]}."
        return Resolution(
            label, "compound", record.inner, record.types[0], rule=rule, reason=reason
        )
    note = f" ({record.note})" if record.note else ""
    return Resolution(
        label, "media_type", record.types[:1], rule=rule,
        confidence="certain" if len(record.types) == 1 else "likely",
        reason=f"{said} {record.types[0]}{note}.",
    )  # fmt: skip


def is_packer(found: Resolution) -> bool:
    """Return whether a type only packs or compresses what it holds."""
    return found.verdict == "media_type" and found.types[0].essence in PACKERS


def _of_extension(name: str, record: ExtensionRecord) -> Resolution:
    canonical = {registry().canonical(each) for each in record.types}
    note = f" ({record.note})" if record.note else ""
    return Resolution(
        name, "media_type", record.types[:1], rule="extension",
        confidence="certain" if len(canonical) == 1 or record.note else "likely",
        reason=f"Files of {record.types[0]} have the extension {record.extension}{note}.",
    )  # fmt: skip


# How words for services end where a language writes compounds as one word.
_SERVICE_ENDINGS = (
    "dienst", "dienste", "diensten", "service", "services", "tjeneste", "tjenester", "tjanst",
    "tjanster", "portal", "portalen", "viewer", "schnittstelle", "endpoint", "webapp",
    "anwendung", "applicatie", "palvelu", "server",
)  # fmt: skip
