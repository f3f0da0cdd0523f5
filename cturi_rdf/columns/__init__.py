"""Columns of Arrow, Polars, pandas, DuckDB and Spark: each distinct value is read once."""

from cturi_rdf.columns.duckdb import register
from cturi_rdf.columns.files import file_annotate
from cturi_rdf.columns.functions import (
    confidences,
    essences,
    headers,
    nodes,
    outers,
    reasons,
    served_headers,
    suffixes,
    types,
    verdicts,
)
from cturi_rdf.columns.label_table import table, write_label_table

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
