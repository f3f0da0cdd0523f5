"""The records of the registry, one class for the rows of each table."""

from __future__ import annotations

import os.path
from typing import NamedTuple

from cturi_rdf.registry.tables import DATA, load


class MediaTypeRecord(NamedTuple):
    """One media type, as IANA registered it.

    `name` is IANA's spelling of `essence`; `status` is ``registered``, ``provisional``,
    ``deprecated`` or ``obsolete``; `references` are RFCs (``RFC7303``), drafts, URLs and
    the names of people and bodies, as IANA gives them; `template` is the path of the
    registration form under IANA's folder of media types; `replaced_by` are essences;
    `registered` and `updated` are ISO dates.
    """

    essence: str
    name: str
    status: str
    references: tuple[str, ...]
    template: str | None
    replaced_by: tuple[str, ...]
    registered: str | None
    updated: str | None


class PackageRecord(NamedTuple):
    """A type that packs other files.

    `kind` is ``package`` for an archive of files, ``compression`` for a format that
    compresses one file; `content_coding` is the name under which HTTP knows the compression
    (RFC 9110 section 8.4.1); `note` names the specification.
    """

    essence: str
    kind: str
    content_coding: str | None
    note: str


class SuffixRecord(NamedTuple):
    """One structured syntax suffix, as IANA registered it, named without its plus.

    `base` is the type of the bare syntax; `fragment` the type whose fragment identifiers apply;
    `suffix_first` says that a fragment is tried by the syntax of the suffix before that of the type
    itself (the three cases of RFC 6839, RFC 7303 section 9.6.1).
    """

    name: str
    title: str
    base: str | None
    references: tuple[str, ...]
    fragment: str | None
    suffix_first: bool


class CharsetRecord(NamedTuple):
    """One character set, as IANA registered it: `name` is the preferred MIME name."""

    name: str
    aliases: tuple[str, ...]


class FragmentsRecord(NamedTuple):
    """The IRIs of the specifications of a type's fragments; `note` is where it says so."""

    essence: str
    syntaxes: tuple[str, ...]
    note: str


class CoapContentFormatRecord(NamedTuple):
    """A number of IANA's CoAP Content-Formats (RFC 7252 section 12.3).

    It stands for a content type with its parameters and perhaps a content coding; `status` is
    ``assigned`` or how long it is reserved.
    """

    number: str
    content_type: str
    coding: str | None
    references: tuple[str, ...]
    status: str


class EuFileTypeRecord(NamedTuple):
    """One concept of the EU's file type table.

    `types` are its media types as we read it, preferred first, and `relations` say how it is
    related to each (see `FormatRecord`); `eu_types` are the types that the EU gives, and `note`
    says why they differ.  `inner` are the types of the content of the package in `types`; a
    `service` is no format and has no types.  `machine_readable` and `open` are what the EU states:
    that it is machine-readable, and that it is not proprietary; None where it states nothing.
    """

    code: str
    label: str
    types: tuple[str, ...]
    relations: tuple[str, ...]
    inner: tuple[str, ...]
    extensions: tuple[str, ...]
    service: bool
    deprecated: bool
    eu_types: tuple[str, ...]
    note: str
    machine_readable: bool | None
    open: bool | None


class FormatRecord(NamedTuple):
    """A format in a registry other than IANA's, and its media types.

    `relations` say how the format is related to each type: ``close`` where it is the type's own
    format, ``narrow`` where it is a version, a profile or a use of it, ``broad`` where it is a
    container of it, ``related`` where it is none of these.
    """

    code: str
    label: str
    types: tuple[str, ...]
    relations: tuple[str, ...]


class ExtensionRecord(NamedTuple):
    """A file extension and its types, the usual one first; types in `main_of` prefer it."""

    extension: str
    types: tuple[str, ...]
    main_of: tuple[str, ...]
    sources: tuple[str, ...]
    note: str


class TypeExtensionsRecord(NamedTuple):
    """A type that files have, and its extensions, the usual one first."""

    essence: str
    extensions: tuple[str, ...]


class AliasRecord(NamedTuple):
    """Another name of a type, and the source."""

    alias: str
    essence: str
    source: str


class SubTypeRecord(NamedTuple):
    """A type, the types that it is a special case of, and the source."""

    essence: str
    broader: tuple[str, ...]
    source: str


class SourceRecord(NamedTuple):
    """Where some tables have their facts from.

    `licence` is an SPDX licence expression, `notice` what the licence asks to be said, `tables` are
    the files in the package.
    """

    key: str
    title: str
    page: str
    licence: str
    notice: str
    tables: tuple[str, ...]


def sources() -> tuple[SourceRecord, ...]:
    """Return all sources; the last is this package.

    >>> [source.licence for source in sources() if source.key == "eu-file-type"]
    ['CC-BY-4.0']
    """
    return tuple(load("sources.tsv", SourceRecord))


def source_named(key: str) -> SourceRecord:
    """Return the source of that key; `KeyError` where there is none."""
    return load("sources.tsv", SourceRecord)[key]


def date_of(source: SourceRecord) -> str:
    """Return the date of the facts of a source, in ISO format.

    >>> date_of(source_named("pronom"))
    '2026-07-01'
    """
    with open(os.path.join(DATA, source.tables[0]), encoding="utf-8") as file:  # noqa: PTH118, PTH123
        facts = (line.split(": ", 1) for line in file)
        return next(value.strip() for name, value in facts if name == "# date")
