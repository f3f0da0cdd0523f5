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
    "types",
    "verdicts",
]
