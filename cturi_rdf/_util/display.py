"""How values show themselves: as a table, in a notebook, on a terminal or as a data frame.

A class defines `as_table`, and gets the rest from here.  Values of the core have this as a base, so
that a notebook shows them without any extension being loaded.  That costs nothing at import,
because the code that shows tables is imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from collections.abc import Mapping


# The cells of a row.
Row = Sequence[object]

# How many rows are shown, and how much of a long text.
_ROWS = 30
_LENGTH = 400
_LEFT = ' style="text-align: left"'


class Displayed:
    """A value that shows itself as a table; several of one kind are the rows of one table."""

    __slots__ = ()

    def as_table(self) -> Table:
        """Return the value as a table."""
        raise NotImplementedError

    def overview(self) -> Table:
        """Return the table to show, which may be shorter than the whole."""
        return self.as_table()

    def _repr_html_(self) -> str:
        return self.overview().to_html()

    def __rich__(self) -> Any:
        return self.overview().to_rich()


class Tabular(Displayed):
    """A value with rows, which becomes a data frame."""

    __slots__ = ()

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame; raise `ImportError` without pandas."""
        table = self.as_table()
        return import_extra("pandas", "notebook").DataFrame(table.uniform(), columns=table.columns)

    def to_polars(self) -> Any:
        """Return the rows as a polars DataFrame; raise `ImportError` without polars."""
        table = self.as_table()
        # By columns: of rows, polars 1.20 loses the time zone.
        columns = [list(column) for column in zip(*table.uniform(), strict=True)]
        return import_extra("polars", "notebook").DataFrame(
            columns, schema=table.columns, orient="col"
        )


class LazyRows(Sequence[Row]):
    """Rows that are made when they are asked for, such as those of a long list.

    >>> LazyRows(1_000_000, lambda index: (index,))[999_999]
    (999999,)
    """

    def __init__(self, count: int, row_at: Callable[[int], Row]) -> None:
        self._indexes = range(count)
        self._row_at = row_at

    def __len__(self) -> int:
        return len(self._indexes)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[row] for row in self._indexes[index]]
        return tuple(map(_plain, self._row_at(self._indexes[index])))


class Table(Tabular):
    """Rows under named columns, with a caption.

    A cell is None, a Boolean, a number, a date or text; anything else is shown as its text.  IRIs
    are shown with `prefixes`, by their namespaces, and with the usual ones.

    >>> table = Table("Two", ["label", "count"], [("CSV", 2), ("<b>", 1)])
    >>> table
    <Table: 2 rows of label, count>
    >>> '<td style="text-align: left">&lt;b&gt;</td>' in table.to_html()
    True
    """

    __slots__ = ("caption", "columns", "prefixes", "rows")

    def __init__(
        self,
        caption: str,
        columns: Iterable[str],
        rows: Iterable[Row],
        prefixes: Mapping[str, str] | None = None,
    ) -> None:
        self.caption = caption
        self.columns = list(columns)
        self.prefixes = dict(prefixes or {})
        self.rows: Sequence[Row] = (
            rows if isinstance(rows, LazyRows) else [tuple(map(_plain, row)) for row in rows]
        )

    def as_table(self) -> Table:
        """Return itself."""
        return self

    def __len__(self) -> int:
        return len(self.rows)

    def uniform(self) -> list[tuple[object, ...]]:
        """Return the rows with one type per column, as data frames need it.

        A column of integers and floats becomes one of floats; any other mixture becomes text.

        >>> Table("", ["a"], [(1,), ("x",), (None,)]).uniform()
        [('1',), ('x',), (None,)]
        """
        columns = [_one_type(column) for column in zip(*self.rows, strict=True)]
        return list(zip(*columns, strict=True))

    def to_html(self) -> str:
        """Return an HTML table in which nothing of the content is markup."""
        from html import escape

        head = "".join(f"<th{_LEFT}>{escape(visible(column))}</th>" for column in self.columns)
        rows = [
            "<tr>"
            + "".join(f"<td{_LEFT}>{self._cell(cell, escape)}</td>" for cell in row)
            + "</tr>"
            for row in self.rows[:_ROWS]
        ]
        rest = self._rest()
        if rest:
            rows.append(f'<tr><td colspan="{len(self.columns)}"{_LEFT}>{rest}</td></tr>')
        caption = escape(visible(self.caption))
        top = ' style="caption-side: top; text-align: left"'
        return (
            f"<table><caption{top}>{caption}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>"
        )

    def to_rich(self) -> Any:
        """Return a table of rich, in which nothing of the content is markup."""
        text, box = import_extra("rich.text", "notebook").Text, import_extra("rich.box", "notebook")
        table = import_extra("rich.table", "notebook").Table(
            title=text(visible(self.caption)),
            caption=self._rest() or None,
            title_justify="left",
            caption_justify="left",
            box=box.SIMPLE_HEAD,
        )
        for name in self.columns:
            table.add_column(text(visible(name)), overflow="fold")
        for row in self.rows[:_ROWS]:
            table.add_row(*(text(self._shown(cell)) for cell in row))
        return table

    def _rest(self) -> str:
        more = len(self.rows) - _ROWS
        return f"… and {more} more rows" if more > 0 else ""

    def _shown(self, value: object) -> str:
        """Return the text of a cell: on one line, not too long, IRIs by their prefixes."""
        if value is None:
            return ""
        text = visible(shortened(str(value), self.prefixes))
        return text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"

    def _cell(self, value: object, escape: Any) -> str:
        shown, whole = escape(self._shown(value)), "" if value is None else str(value)
        # Only addresses that a browser fetches become links: never `javascript:` or `data:`.
        if whole.startswith(("http://", "https://")) and whole.isprintable() and " " not in whole:
            return f'<a href="{escape(whole)}" rel="noopener noreferrer">{shown}</a>'
        if len(whole) > _LENGTH:
            return f'<span title="{escape(visible(whole))}">{shown}</span>'
        return str(shown)

    def __repr__(self) -> str:
        rows = counted(len(self.rows), "row")
        return f"<Table: {rows} of {', '.join(map(visible, self.columns))}>"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, which is given in the singular.

    >>> counted(1, "label"), counted(2, "label")
    ('1 label', '2 labels')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _plain(value: object) -> object:
    """Return a value that a data frame can hold; content types and IRIs are text."""
    from datetime import date
    from numbers import Integral, Real

    if value is None or isinstance(value, (bool, float, date)):
        return value
    # The numbers of NumPy are numbers too.
    if isinstance(value, Integral):
        number = int(value)
        # A data frame has no numbers of more than 64 bits.
        return number if -(2**63) <= number < 2**63 else str(number)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, (list, tuple)):
        value = ", ".join(map(str, value))
    return whole_characters(str(value))


def _one_type(column: Sequence[object]) -> Sequence[object]:
    # Times with and without a zone are two types in one.
    kinds = {(type(value), getattr(value, "tzinfo", None)) for value in column if value is not None}
    if len(kinds) < 2:  # noqa: PLR2004 - no mixture
        return column
    if {kind for kind, _ in kinds} == {int, float}:
        return [value if value is None else float(value) for value in column]  # type: ignore[arg-type]
    return [value if value is None else str(value) for value in column]


# The one table of prefixes: queries need not declare them, and output uses them.  The first prefix
# of a namespace is the one that is written.
PREFIXES = {
    "ct": "ContentType:",
    "ctv": "https://w3id.org/cturi/vocab#",
    "mime": "https://w3id.org/cturi/mime#",
    "ctf": "https://w3id.org/cturi/function#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "sdo": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "cnt": "http://www.w3.org/2011/content#",
    "nfo": "http://www.semanticdesktop.org/ontologies/2007/03/22/nfo#",
}
# The prefix of each namespace.
PREFIX_OF = {namespace: prefix for prefix, namespace in reversed(PREFIXES.items())}
# To readers both namespaces of schema.org are one.
_FOR_READERS = {**PREFIX_OF, "http://schema.org/": "schema"}


def prefixes_of(*names: str) -> dict[str, str]:
    """Return the part of the table that has these prefixes.

    >>> prefixes_of("schema")
    {'schema': 'https://schema.org/'}
    """
    return {name: PREFIXES[name] for name in names}


def shortened(iri: str, own: Mapping[str, str] | None = None) -> str:
    """Return an IRI with the prefix of the longest namespace that it begins with, or as it is.

    `own` has prefixes by their namespaces; they count before those of the table.

    >>> shortened("http://purl.org/dc/terms/format"), shortened("http://a.example/")
    ('dct:format', 'http://a.example/')
    >>> shortened("http://a.example/x", {"http://a.example/": "ex"})
    'ex:x'
    """
    prefixes = _FOR_READERS | dict(own or {})
    namespaces = [
        namespace
        for namespace in prefixes
        if namespace and namespace != PREFIXES["ct"] and iri.startswith(namespace)
    ]
    if not namespaces:
        return iri
    namespace = max(namespaces, key=len)
    return f"{prefixes[namespace]}:{iri[len(namespace) :]}"


def whole_characters(text: str) -> str:
    r"""Return a text with U+FFFD for each lone surrogate, which no file can hold.

    A broken escape of JSON gives one (RDF 1.1 Concepts section 3.3).

    >>> whole_characters("CSV\ud83d") == "CSV\ufffd"
    True
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
