"""Columns of Arrow, Polars, pandas, DuckDB and Spark: each distinct value is read once."""

from cturi_rdf.columns.arrow import essences, headers, nodes, register, suffixes, types

__all__ = ["essences", "headers", "nodes", "register", "suffixes", "types"]
