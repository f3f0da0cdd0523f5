"""Tables of facts: text files, and the records in their rows.

A table is UTF-8 text.  Its first lines, ``# name: value``, give the source, the date and the
licence of its facts; then comes the line of column names, then one row per line, with tabs between
fields and ``|`` between the members of a list.  The first column is the key.
"""

# pathlib takes longer to import than a table to load.
# ruff: noqa: PTH118, PTH120, PTH123

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Iterator, KeysView

# A named tuple whose fields are the columns of a table, each text, a Boolean, a list of texts, or
# text or a Boolean that may be missing.
Row = TypeVar("Row", bound=NamedTuple)
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

# The folder with the tables of the package.
DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data")
_loaded: dict[str, Table[Any]] = {}
_OTHER = bytes(code for code in range(128) if not chr(code).isalnum())


def inverted(pairs: Iterable[tuple[_Key, Iterable[_Value]]]) -> dict[_Value, list[_Key]]:
    """Return the keys that have each value, by value.

    >>> inverted([("jpg", ["image/jpeg"]), ("jpeg", ["image/jpeg"])])
    {'image/jpeg': ['jpg', 'jpeg']}
    """
    keys: dict[_Value, list[_Key]] = {}
    for key, values in pairs:
        for value in values:
            keys.setdefault(value, []).append(key)
    return keys


def listed(text: str) -> tuple[str, ...]:
    """Return the members of a list in a field of a table.

    >>> listed("image/jpeg|image/png"), listed("")
    (('image/jpeg', 'image/png'), ())
    """
    return tuple(text.split("|")) if text else ()


def unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """Return the value of each key, or None for a key with several values.

    >>> unambiguous([("a", "1"), ("b", "1"), ("b", "2")])
    {'a': '1', 'b': None}
    """
    values: dict[str, str | None] = {}
    for key, value in pairs:
        if values.setdefault(key, value) != value:
            values[key] = None
    return values


def letters_and_digits(name: str) -> str:
    """Return the ASCII letters and digits of a name, in lower case.

    >>> letters_and_digits("ISO-8859-1")
    'iso88591'
    """
    return name.lower().encode("ascii", "ignore").translate(None, _OTHER).decode()


# The functions that read and write a field of each kind.
_READ: dict[Any, Callable[[str], Any]] = {
    str: str,
    str | None: lambda text: text or None,
    tuple[str, ...]: listed,
    bool: lambda text: text == "yes",
    bool | None: lambda text: text == "yes" if text else None,
}
_WRITE: dict[Any, Callable[[Any], str]] = {
    str: str,
    str | None: lambda value: value or "",
    tuple[str, ...]: "|".join,
    bool: lambda value: "yes" if value else "",
    bool | None: lambda value: "" if value is None else "yes" if value else "no",
}


@cache
def _kinds(record: type[NamedTuple]) -> tuple[Any, ...]:
    return tuple(get_type_hints(record).values())


def read_row(record: type[Row], line: str) -> Row:
    r"""Return the record in a line of a table; raises `ValueError` if it has other columns.

    >>> class Colour(NamedTuple):
    ...     name: str
    ...     also: tuple[str, ...]
    >>> read_row(Colour, "red\tscarlet|crimson")
    Colour(name='red', also=('scarlet', 'crimson'))
    """
    fields = line.split("\t")
    if len(fields) != len(record._fields):
        raise ValueError(f"not a row of {record._fields}: {line!r}")
    return record._make(
        _READ[kind](text) for kind, text in zip(_kinds(record), fields, strict=True)
    )


class Table(Iterable[Row]):
    """The rows of one file by their key; a row becomes a record on first use.

    `facts` has the contents of the first lines: source, date, licence.
    """

    def __init__(self, text: str, record: type[Row]) -> None:
        """Read `text`; raises `ValueError` where its columns are not those of `record`."""
        lines = text.rstrip("\n").split("\n")
        start = 0
        self.facts: dict[str, str] = {}
        while start < len(lines) and lines[start].startswith("# "):
            name, _, value = lines[start][2:].partition(": ")
            self.facts[name] = value
            start += 1
        if lines[start : start + 1] != ["\t".join(record._fields)]:
            raise ValueError(f"not a table of {record._fields}")
        self._record = record
        self._lines = lines[start + 1 :]

    @cached_property
    def _rows(self) -> dict[str, str | Row]:
        keys = [line.partition("\t")[0] for line in self._lines]
        return dict(zip(keys, self._lines, strict=True))

    @cached_property
    def _columns(self) -> dict[str, tuple[str, ...]]:
        # Splitting all lines at once takes a fifth of the time.
        names = self._record._fields
        fields = "\t".join(self._lines).split("\t") if self._lines else []
        if len(fields) != len(names) * len(self._lines):
            raise ValueError(f"a row has other columns than {names}")
        return {name: tuple(fields[index :: len(names)]) for index, name in enumerate(names)}

    def get(self, key: str) -> Row | None:
        r"""Return the record with this key, or None.

        >>> class Colour(NamedTuple):
        ...     name: str
        ...     hue: str | None
        >>> colours = Table("# date: 2026-01-01\nname\thue\nred\t0\n", Colour)
        >>> colours.get("red")
        Colour(name='red', hue='0')
        """
        return self[key] if key in self._rows else None

    def __getitem__(self, key: str) -> Row:
        """Return the record with this key; raises `KeyError` where there is none."""
        row = self._rows[key]
        if isinstance(row, str):
            row = self._rows[key] = read_row(self._record, row)
        return row

    def __iter__(self) -> Iterator[Row]:
        """Yield every record, in the order of the file."""
        return map(self.__getitem__, self._rows)

    def column(self, name: str) -> tuple[str, ...]:
        r"""Return the text of every row in one column, without reading the rows.

        >>> class Colour(NamedTuple):
        ...     name: str
        ...     hue: str
        >>> Table("name\thue\nred\t0\ncyan\t180\n", Colour).column("hue")
        ('0', '180')
        """
        return self._columns.get(name, ())

    def keys(self) -> KeysView[str]:
        """Return the key of every record, without reading it."""
        return self._rows.keys()

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: str) -> bool:
        return key in self._rows


def load(name: str, record: type[Row]) -> Table[Row]:
    """Return a table of the package; each is read once."""
    if name not in _loaded:
        _loaded[name] = read_table(os.path.join(DATA, name), record)
    return _loaded[name]


def read_table(path: str, record: type[Row]) -> Table[Row]:
    """Return the table in a file.

    Raises `OSError` where the file cannot be read, and `ValueError` where it is a different table.
    """
    with open(path, encoding="utf-8", newline="\n") as file:
        text = file.read()
    try:
        return Table(text, record)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_table(facts: dict[str, str], record: type[Row], records: Iterable[Row]) -> str:
    """Return the text of a table with these facts in its first lines, and these rows."""
    head = [f"# {name}: {value}" for name, value in facts.items()]
    writers = [_WRITE[kind] for kind in _kinds(record)]
    rows = (
        "\t".join([write(value) for write, value in zip(writers, row, strict=True)])
        for row in records
    )
    return "\n".join([*head, "\t".join(record._fields), *rows, ""])


# -- the records of the tables of the registry ---------------------------------------------


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
    with open(os.path.join(DATA, source.tables[0]), encoding="utf-8") as file:
        facts = (line.split(": ", 1) for line in file)
        return next(value.strip() for name, value in facts if name == "# date")
