"""Adds `.cturi` to series, expressions and frames of Polars, lazy ones too, when it is imported.

>>> import polars
>>> import cturi_rdf.columns.polars
>>> frame = polars.DataFrame({"label": ["CSV", "Zipped CSV"]})
>>> frame.select(polars.col("label").cturi.served_headers()).to_series().to_list()
['text/csv', 'application/zip']
>>> frame.cturi.types("label").to_list()
['text/csv', 'text/csv']
"""

from __future__ import annotations

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.columns.functions import ColumnMethods, FrameMethods, LazyFrameMethods

_api = import_extra("polars", "polars").api

_api.register_series_namespace("cturi")(ColumnMethods)
_api.register_expr_namespace("cturi")(ColumnMethods)
_api.register_dataframe_namespace("cturi")(FrameMethods)
_api.register_lazyframe_namespace("cturi")(LazyFrameMethods)
