"""Columns of Arrow, Polars, pandas, DuckDB and Spark: each distinct value is read once."""

from cturi_rdf.columns.functions import (
    confidences,
    essences,
    headers,
    nodes,
    outers,
    reasons,
    register,
    served_headers,
    suffixes,
    types,
    verdicts,
)
from cturi_rdf.columns.tables import file_annotate, table, write_label_table

__all__ = [
    "confidences",
    "essences",
    "file_annotate",
    "headers",
    "nodes",
    "outers",
    "reasons",
    "register",
    "served_headers",
    "suffixes",
    "table",
    "types",
    "verdicts",
    "write_label_table",
]
