"""The functions of columns in the SQL of DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.columns.arrow import plain
from cturi_rdf.columns.values import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.columns.values import Convert


_DEFINED = (
    "SELECT function_name FROM duckdb_functions() WHERE function_name LIKE 'cturi\\_%' ESCAPE '\\'"
)


def register(connection: Any) -> None:
    """Add the functions to a DuckDB connection, under names that begin with ``cturi_``.

    ``cturi_type``, ``cturi_served_header``, ``cturi_verdict``, ``cturi_outer``,
    ``cturi_confidence`` and ``cturi_reason`` take a label; ``cturi_node``, ``cturi_essence`` and
    ``cturi_suffix`` a header; ``cturi_header`` a URI.  Functions that the connection already has
    stay as they are.  In SQL, group by the value first where the column is long.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> connection.sql("SELECT cturi_node('text/csv')").fetchall()
    [('ContentType:text/csv',)]
    """
    import_extra("pyarrow", "duckdb")
    # The module of DuckDB is a connection too.
    if not hasattr(connection, "create_function"):
        kind = type(connection).__name__
        raise TypeError(f"register() takes a connection of DuckDB as 'connection', not {kind}")
    # DuckDB cannot replace a Python function, and a cursor has the functions of its connection.
    defined = {name for (name,) in connection.execute(_DEFINED).fetchall()}
    for name, convert in FUNCTIONS.items():
        if f"cturi_{name}" not in defined:
            connection.create_function(
                f"cturi_{name}",
                _function(convert),
                ["VARCHAR"],
                "VARCHAR",
                type="arrow",
                null_handling="special",
            )


def _function(convert: Convert) -> Callable[[Any], Any]:
    return lambda column: plain(column, convert)
