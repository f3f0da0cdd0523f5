"""The snapshot: all the tables as one registry, each loaded on first use.

The facts are tables in ``data``, one a source; `registry` loads the snapshot once, and
each table when something in it is first asked for.  A newer snapshot of IANA's media
types in the user's data folder (see `cturi_rdf.registry.iana.update`) is preferred to our own.

Media types are named by their essence, ``type/subtype`` in lower case.
"""

# pathlib takes longer to import than a table to load.
# ruff: noqa: PTH100, PTH111, PTH118

from __future__ import annotations

import os
import sys
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.registry.tables import (
    AliasRecord,
    CharsetRecord,
    CoapContentFormatRecord,
    EuFileTypeRecord,
    ExtensionRecord,
    FormatRecord,
    FragmentsRecord,
    MediaTypeRecord,
    PackageRecord,
    SubTypeRecord,
    SuffixRecord,
    inverted,
    letters_and_digits,
    listed,
    load,
    read_table,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from cturi_rdf.registry.tables import Table


SNAPSHOT = "media-types.tsv"
_CURRENT = ("registered", "provisional")
_FORMATS: dict[str, type[NamedTuple]] = {
    "eu-file-type": EuFileTypeRecord,
    "w3c-formats": FormatRecord,
    "pronom": FormatRecord,
    "loc-fdd": FormatRecord,
    "wikidata": FormatRecord,
    "dataone": FormatRecord,
}


class Registry:
    """All the facts of one snapshot: those of IANA, joined with those of others."""

    def __init__(
        self,
        media_types: Table[MediaTypeRecord],
        load: Callable[[str, type[Any]], Table[Any]] = load,
    ) -> None:
        """Join `media_types` with the other tables, which `load` returns and caches by name."""
        self._media_types = media_types
        self._load = load

    @property
    def date(self) -> str:
        """The date of IANA's registry in this snapshot, in ISO format."""
        return self._media_types.facts["date"]

    def media_type(self, essence: str) -> MediaTypeRecord | None:
        """Return IANA's record of a media type, or None where there is none.

        >>> registry().media_type("image/svg+xml").status
        'registered'
        >>> registry().media_type("application/javascript").replaced_by
        ('text/javascript',)
        """
        return self._media_types.get(essence)

    def media_types(self) -> Table[MediaTypeRecord]:
        """Return every media type that IANA lists, obsolete ones too, in IANA's order."""
        return self._media_types

    def is_current(self, essence: str) -> bool:
        """Return whether IANA lists a type and has neither withdrawn nor replaced it."""
        record = self.media_type(essence)
        return record is not None and record.status in _CURRENT

    def suffix(self, name: str) -> SuffixRecord | None:
        """Return IANA's record of a structured syntax suffix, named without its plus, or None."""
        return self.suffixes().get(name)

    def suffixes(self) -> Table[SuffixRecord]:
        """Return every registered structured syntax suffix, in IANA's order."""
        return self._load("suffixes.tsv", SuffixRecord)

    def charset(self, name: str) -> CharsetRecord | None:
        """Return the character set of that name or alias, in any case, or None.

        >>> registry().charset("LATIN1").name
        'ISO-8859-1'
        """
        preferred = self._charsets.get(name.lower())
        return self._load("charsets.tsv", CharsetRecord)[preferred] if preferred else None

    def charset_names(self, like: str | None = None) -> Iterable[str]:
        """Return all names of character sets in lower case, or those spelt `like` a name.

        Names are spelt alike if they have the same letters and digits, "cp" for "windows" too.

        >>> list(registry().charset_names(like="utf8"))
        ['utf-8']
        """
        return (
            self._charsets
            if like is None
            else self._charsets_alike.get(letters_and_digits(like), ())
        )

    def coap_content_formats(self) -> Table[CoapContentFormatRecord]:
        """Return IANA's CoAP Content-Formats, in the order of their numbers.

        >>> next(iter(registry().coap_content_formats())).content_type
        'text/plain; charset=utf-8'
        """
        return self._load("coap-content-formats.tsv", CoapContentFormatRecord)

    def fragment_syntaxes(self, essence: str) -> tuple[str, ...]:
        """Return the specifications of fragments that the registration of a type refers to.

        >>> registry().fragment_syntaxes("text/csv")
        ('https://www.rfc-editor.org/info/rfc7111',)
        """
        record = self._load("fragments.tsv", FragmentsRecord).get(essence)
        return record.syntaxes if record else ()

    def types_of_extension(self, extension: str) -> tuple[str, ...]:
        """Return the media types of files with this extension, the usual one first.

        >>> registry().types_of_extension(".xml")
        ('application/xml', 'text/xml')
        """
        record = self.extension(extension)
        return record.types if record else ()

    def extension(self, name: str) -> ExtensionRecord | None:
        """Return the record of a file extension, in any case, or None.

        >>> registry().extension("geojson").types
        ('application/geo+json',)
        """
        return self.extensions().get(name.removeprefix(".").lower())

    def extensions(self) -> Table[ExtensionRecord]:
        """Return every file extension in the tables, in alphabetical order."""
        return self._load("extensions.tsv", ExtensionRecord)

    def extensions_of(self, essence: str) -> tuple[str, ...]:
        """Return the file extensions of a media type, the usual one first, without dots.

        >>> registry().extensions_of("application/rdf+xml")[0]
        'rdf'
        """
        return self.extensions_by_type().get(essence, ())

    def extensions_by_type(self) -> Mapping[str, tuple[str, ...]]:
        """Return the extensions of every type that has any, in alphabetical order."""
        return self._extensions_by_type

    def canonical(self, essence: str) -> str:
        """Return the type that an alias stands for, and any other type as it is.

        An alias is one by its registration (RFC 7303 section 9.2), by common use, by IANA's note on
        an obsolete type, or because ``x-name`` was the trial name of a type that is now registered
        as ``name`` (RFC 6648).

        >>> registry().canonical("text/xml"), registry().canonical("application/x-gzip")
        ('application/xml', 'application/gzip')
        """
        alias = self._aliases.get(essence)
        if alias:
            return alias.essence
        record = self.media_type(essence)
        if record:
            return record.replaced_by[0] if len(record.replaced_by) == 1 else essence
        kind, _, subtype = essence.partition("/")
        adopted = f"{kind}/{subtype.removeprefix('x-')}"
        return adopted if self.is_current(adopted) else essence

    def aliases(self, essence: str) -> tuple[str, ...]:
        """Return the other names of a media type that are in use, in no special order.

        >>> registry().aliases("application/xml")
        ('application/x-xml', 'text/xml')
        """
        return tuple(self._aliases_by_type.get(essence, ()))

    def alias_records(self) -> Table[AliasRecord]:
        """Return every alias in the tables, in alphabetical order."""
        return self._aliases

    def broader(self, essence: str) -> tuple[str, ...]:
        """Return the types that a type is a special case of, apart from the type of its suffix.

        Any text type is text/plain to a program that does not know it (RFC 2046 section 4.1.4).

        >>> registry().broader("application/vnd.google-earth.kmz")
        ('application/zip',)
        >>> registry().broader("text/tab-separated-values")
        ('text/plain',)
        """
        record = self._load("sub-types.tsv", SubTypeRecord).get(essence)
        types = record.broader if record else ()
        is_text = essence.startswith("text/") and self.canonical(essence) == essence
        return (*types, "text/plain") if is_text and essence != "text/plain" else types

    def packaging(self, essence: str) -> str | None:
        """Return ``package`` or ``compression`` for a type that packs other files, else None.

        A package is an archive of files; a compression takes one file.

        >>> registry().packaging("application/zip"), registry().packaging("application/x-gzip")
        ('package', 'compression')
        >>> registry().packaging("application/epub+zip")
        """
        record = self._package(essence)
        return record.kind if record else None

    def content_coding(self, essence: str) -> str | None:
        """Return the HTTP content coding for a compression (RFC 9110 section 8.4.1).

        >>> registry().content_coding("application/x-gzip")
        'gzip'
        >>> registry().content_coding("application/zip")
        """
        record = self._package(essence)
        return record.content_coding if record else None

    def _package(self, essence: str) -> PackageRecord | None:
        return self._load("packages.tsv", PackageRecord).get(self.canonical(essence))

    def eu_file_type(self, code: str) -> EuFileTypeRecord | None:
        """Return the EU's file type of this code, in any case, or None.

        >>> registry().eu_file_type("GEOJSON").types
        ('application/geo+json',)
        """
        return self.eu_file_types().get(code.upper())

    def eu_file_types(self) -> Table[EuFileTypeRecord]:
        """Return every EU file type, by code."""
        return self.formats("eu-file-type")

    def formats(self, scheme: str) -> Table[Any]:
        """Return the table of a scheme's codes; `KeyError` where there is none.

        The schemes are ``eu-file-type``, ``w3c-formats``, ``pronom``, ``loc-fdd``,
        ``wikidata`` and ``dataone``.

        >>> registry().formats("w3c-formats").get("Turtle").types
        ('text/turtle',)
        """
        return self._load(f"{scheme}.tsv", _FORMATS[scheme])

    def codes_of(self, scheme: str, essence: str) -> tuple[str, ...]:
        """Return the codes that a scheme has for formats of a media type.

        >>> registry().codes_of("eu-file-type", "text/csv")
        ('CSV',)
        """
        return tuple(self.related_codes(essence).get(scheme, ()))

    def related_codes(self, essence: str) -> dict[str, dict[str, str]]:
        """Return the codes for formats of a media type by scheme, and how each is related to it.

        A format is ``close`` to the type where it is the type's own format, of which a scheme has
        one at most; ``narrow`` where it is a version, a profile or a use; ``broad`` where it is a
        container; else ``related``.

        >>> registry().related_codes("application/x-tar")["eu-file-type"]
        {'TAR': 'close'}
        """
        return self._codes_by_type.get(essence, {})

    @cached_property
    def _extensions_by_type(self) -> dict[str, tuple[str, ...]]:
        """Return the extensions of each type, first those that are its own."""
        table = self.extensions()
        own, every = (
            inverted(zip(table.keys(), map(listed, table.column(name)), strict=True))
            for name in ("main_of", "types")
        )
        return {
            essence: tuple(dict.fromkeys((*own.get(essence, ()), *every[essence])))
            for essence in sorted(every)
        }

    @cached_property
    def _codes_by_type(self) -> dict[str, dict[str, dict[str, str]]]:
        related: dict[str, dict[str, dict[str, str]]] = {}
        for scheme in _FORMATS:
            table = self.formats(scheme)
            columns = map(table.column, ("code", "types", "relations"))
            for code, types, relations in zip(*columns, strict=True):
                for essence, relation in zip(listed(types), listed(relations), strict=False):
                    related.setdefault(essence, {}).setdefault(scheme, {})[code] = relation
        return related

    @cached_property
    def _charsets(self) -> dict[str, str]:
        """Return the preferred names of character sets by all their names."""
        names, aliases = map(self._load("charsets.tsv", CharsetRecord).column, ("name", "aliases"))
        rows = zip(names, map(listed, aliases), strict=True)
        preferred = {alias.lower(): name for name, others in rows for alias in others}
        return preferred | {name.lower(): name for name in names}

    @cached_property
    def _charsets_alike(self) -> dict[str, list[str]]:
        # The code pages of Windows have more names in other programs.
        return inverted(
            (name, {key.replace("windows", short) for short in ("windows", "win", "cp")})
            for name in self._charsets
            for key in [letters_and_digits(name)]
        )

    @cached_property
    def _aliases(self) -> Table[AliasRecord]:
        # Cached here, because `canonical` is called more often than anything else.
        return self._load("aliases.tsv", AliasRecord)

    @cached_property
    def _aliases_by_type(self) -> dict[str, list[str]]:
        names = list(self.alias_records().keys())
        names += [record.essence for record in self.media_types() if len(record.replaced_by) == 1]
        return inverted((name, (self.canonical(name),)) for name in dict.fromkeys(names))


@cache
def registry() -> Registry:
    """Return the snapshot: the user's own where it is newer than ours.

    >>> registry() is registry()
    True
    """
    ours = load(SNAPSHOT, MediaTypeRecord)
    try:
        theirs = read_table(os.path.join(user_data(), SNAPSHOT), MediaTypeRecord)
        newer = theirs.facts["date"] > ours.facts["date"]
    except (OSError, ValueError, KeyError):
        # Nothing there, or the table of another version of this package.
        newer = False
    return Registry(theirs if newer else ours)


def user_data() -> str:
    """Return the path of the folder in which the user's own data is kept.

    The environment variable ``CTURI_DATA`` names it; without that it is the usual place of the
    platform (on Linux by the XDG Base Directory Specification).
    """
    named = os.environ.get("CTURI_DATA")
    if named:
        return os.path.abspath(named)
    base = os.environ.get("XDG_DATA_HOME") or {
        "darwin": "~/Library/Application Support",
        "win32": os.environ.get("LOCALAPPDATA") or "~/AppData/Local",
    }.get(sys.platform, "~/.local/share")
    return os.path.abspath(os.path.join(os.path.expanduser(base), "cturi-rdf"))
