"""Tables of facts: text files, and the records in their rows.

A table is UTF-8 text.  Its first lines, ``# name: value``, give the source, the date and the
licence of its facts; then comes the line of column names, then one row per line, with tabs between
fields and ``|`` between the members of a list.  The first column is the key.
"""

# pathlib takes longer to import than a table to load.
# ruff: noqa: PTH118, PTH120, PTH123

from __future__ import annotations

import os.path
from collections.abc import Iterable
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

from cturi_rdf.registry.lookup import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, KeysView
    from typing import Any, ClassVar, Self, TypeVar

    _Row = TypeVar("_Row", bound="Record")


# The folder with the tables of the package.
DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data")
_loaded: dict[str, Table[Any]] = {}

# The functions that read and write a field of each kind.
_READ: dict[str, Callable[[str], Any]] = {
    "str | None": lambda text: text or None,
    "tuple[str, ...]": listed,
    "bool": lambda text: text == "yes",
    "bool | None": lambda text: text == "yes" if text else None,
}
_WRITE: dict[str, Callable[[Any], str]] = {
    "str": str,
    "str | None": lambda value: value or "",
    "tuple[str, ...]": "|".join,
    "bool": lambda value: "yes" if value else "",
    "bool | None": lambda value: "" if value is None else "yes" if value else "no",
}


class Record(tuple[object, ...]):
    r"""One row of a table: a tuple whose members have names.

    A subclass declares its fields, which are the columns of its table, as annotations.

    >>> class Colour(Record):
    ...     name: str
    ...     also: tuple[str, ...]
    >>> Colour.read("red\tscarlet|crimson")
    Colour(name='red', also=('scarlet', 'crimson'))
    """

    __slots__ = ()
    columns: ClassVar[tuple[str, ...]] = ()
    _kinds: ClassVar[tuple[str, ...]] = ()
    _readers: ClassVar[tuple[tuple[int, Callable[[str], Any]], ...]] = ()

    def __init_subclass__(cls) -> None:
        """Give the members of the tuple the names that the class declares."""
        fields: dict[str, str] = cls.__annotations__
        cls.columns = tuple(fields)
        cls._kinds = tuple(fields.values())
        cls._readers = tuple(
            (index, _READ[kind]) for index, kind in enumerate(cls._kinds) if kind != "str"
        )
        for index, name in enumerate(fields):
            setattr(cls, name, property(itemgetter(index)))

    @classmethod
    def read(cls, row: str) -> Self:
        """Return the record in a line of a table; raises `ValueError` if it has other columns."""
        fields: list[Any] = row.split("\t")
        if len(fields) != len(cls.columns):
            raise ValueError(f"not a row of {cls.columns}: {row!r}")
        for index, reader in cls._readers:
            fields[index] = reader(fields[index])
        return cls(fields)

    def row(self) -> str:
        """Return the line of a table that holds this record."""
        fields = zip(self._kinds, self, strict=True)
        return "\t".join([_WRITE[kind](value) for kind, value in fields])

    def __repr__(self) -> str:
        pairs = zip(self.columns, self, strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"


class Table(Iterable["_Row"]):
    """The rows of one file by their key; a row becomes a record on first use.

    `facts` has the contents of the first lines: source, date, licence.
    """

    def __init__(self, text: str, record: type[_Row]) -> None:
        """Read `text`; raises `ValueError` where its columns are not those of `record`."""
        lines = text.rstrip("\n").split("\n")
        start = 0
        self.facts: dict[str, str] = {}
        while start < len(lines) and lines[start].startswith("# "):
            name, _, value = lines[start][2:].partition(": ")
            self.facts[name] = value
            start += 1
        if lines[start : start + 1] != ["\t".join(record.columns)]:
            raise ValueError(f"not a table of {record.columns}")
        self._record = record
        self._lines = lines[start + 1 :]

    @cached_property
    def _rows(self) -> dict[str, str | _Row]:
        keys = [line.partition("\t")[0] for line in self._lines]
        return dict(zip(keys, self._lines, strict=True))

    @cached_property
    def _columns(self) -> dict[str, tuple[str, ...]]:
        # Splitting all lines at once takes a fifth of the time.
        names = self._record.columns
        fields = "\t".join(self._lines).split("\t") if self._lines else []
        if len(fields) != len(names) * len(self._lines):
            raise ValueError(f"a row has other columns than {names}")
        return {name: tuple(fields[index :: len(names)]) for index, name in enumerate(names)}

    def get(self, key: str) -> _Row | None:
        r"""Return the record with this key, or None.

        >>> class Colour(Record):
        ...     name: str
        ...     hue: str | None
        >>> colours = Table("# date: 2026-01-01\nname\thue\nred\t0\n", Colour)
        >>> colours.get("red")
        Colour(name='red', hue='0')
        """
        row = self._rows.get(key)
        return self[key] if isinstance(row, str) else row

    def __getitem__(self, key: str) -> _Row:
        """Return the record with this key; raises `KeyError` where there is none."""
        row = self._rows[key]
        if isinstance(row, str):
            row = self._rows[key] = self._record.read(row)
        return row

    def __iter__(self) -> Iterator[_Row]:
        """Yield every record, in the order of the file."""
        return map(self.__getitem__, self._rows)

    def column(self, name: str) -> tuple[str, ...]:
        r"""Return the text of every row in one column, without reading the rows.

        >>> class Colour(Record):
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


def load(name: str, record: type[_Row]) -> Table[_Row]:
    """Return a table of the package; each is read once."""
    if name not in _loaded:
        _loaded[name] = read_table(os.path.join(DATA, name), record)
    return _loaded[name]


def read_table(path: str, record: type[_Row]) -> Table[_Row]:
    """Return the table in a file.

    Raises `OSError` where the file cannot be read, and `ValueError` where it is a different table.
    """
    with open(path, encoding="utf-8", newline="\n") as file:
        text = file.read()
    try:
        return Table(text, record)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_table(facts: dict[str, str], record: type[Record], records: Iterable[Record]) -> str:
    """Return the text of a table with these facts in its first lines, and these rows."""
    head = [f"# {name}: {value}" for name, value in facts.items()]
    rows = [row.row() for row in records]
    return "\n".join([*head, "\t".join(record.columns), *rows, ""])
