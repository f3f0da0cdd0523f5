"""The records of the registry, one class for the rows of each table."""

from __future__ import annotations

from cturi_rdf.registry.tables import Record


class MediaTypeRecord(Record):
    """One media type, as IANA registered it.

    `name` is IANA's spelling of `essence`; `status` is ``registered``, ``provisional``,
    ``deprecated`` or ``obsolete``; `references` are RFCs (``RFC7303``), drafts, URLs and
    the names of people and bodies, as IANA gives them; `template` is the path of the
    registration form under IANA's folder of media types; `replaced_by` are essences;
    `registered` and `updated` are ISO dates.
    """

    __slots__ = ()
    essence: str
    name: str
    status: str
    references: tuple[str, ...]
    template: str | None
    replaced_by: tuple[str, ...]
    registered: str | None
    updated: str | None


class PackageRecord(Record):
    """A type that packs other files.

    `kind` is ``package`` for an archive of files, ``compression`` for a format that
    compresses one file; `content_coding` is the name under which HTTP knows the compression
    (RFC 9110 section 8.4.1); `note` names the specification.
    """

    __slots__ = ()
    essence: str
    kind: str
    content_coding: str | None
    note: str


class SuffixRecord(Record):
    """One structured syntax suffix, as IANA registered it, named without its plus.

    `base` is the type of the bare syntax; `fragment` the type whose fragment identifiers
    apply; `suffix_first` says that a fragment is tried as one of the suffix before it is
    one of the type itself (the three cases of RFC 6839, RFC 7303 section 9.6.1).
    """

    __slots__ = ()
    name: str
    title: str
    base: str | None
    references: tuple[str, ...]
    fragment: str | None
    suffix_first: bool


class CharsetRecord(Record):
    """One character set, as IANA registered it: `name` is the preferred MIME name."""

    __slots__ = ()
    name: str
    aliases: tuple[str, ...]


class CoapContentFormatRecord(Record):
    """A number of IANA's CoAP Content-Formats (RFC 7252 section 12.3).

    It stands for a content type with its parameters and perhaps a content coding; `status` is
    ``assigned`` or how long it is reserved.
    """

    __slots__ = ()
    number: str
    content_type: str
    coding: str | None
    references: tuple[str, ...]
    status: str


class EuFileTypeRecord(Record):
    """One concept of the EU's file type table.

    `types` are our reading of it, preferred first, and `relations` how it is related to each (see
    `FormatRecord`); `eu_types` the types that the EU gives, `note`
    why they differ.  `inner` are the types of the content of the package in `types`; a `service` is
    no format and has no types.  `machine_readable` and `open` are what the EU states: that it is
    machine-readable, and that it is not proprietary; None where it states nothing.
    """

    __slots__ = ()
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


class FormatRecord(Record):
    """A format in a registry other than IANA's, and its media types.

    `relations` say how the format is related to each type: ``close`` where it is the type's own
    format, ``narrow`` where it is a version, a profile or a use of it, ``broad`` where it is a
    container of it, ``related`` where it is none of these.
    """

    __slots__ = ()
    code: str
    label: str
    types: tuple[str, ...]
    relations: tuple[str, ...]


class ExtensionRecord(Record):
    """A file extension and its types, the usual one first; types in `main_of` have it as theirs."""

    __slots__ = ()
    extension: str
    types: tuple[str, ...]
    main_of: tuple[str, ...]
    sources: tuple[str, ...]
    note: str


class TypeExtensionsRecord(Record):
    """A type that files have, and its extensions, the usual one first."""

    __slots__ = ()
    essence: str
    extensions: tuple[str, ...]


class AliasRecord(Record):
    """Another name of a type, and the source."""

    __slots__ = ()
    alias: str
    essence: str
    source: str


class SubTypeRecord(Record):
    """A type, the types that it is a special case of, and the source."""

    __slots__ = ()
    essence: str
    broader: tuple[str, ...]
    source: str
