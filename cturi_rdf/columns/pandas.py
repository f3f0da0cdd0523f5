"""Adds `.cturi` to the series, indexes and data frames of pandas when it is imported.

>>> import pandas
>>> import cturi_rdf.columns.pandas
>>> frame = pandas.DataFrame({"label": ["CSV", "Zipped CSV"]})
>>> frame["label"].cturi.types().tolist()
['text/csv', 'text/csv']
>>> frame.cturi.served_headers("label").tolist()
['text/csv', 'application/zip']
"""

from __future__ import annotations

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.columns.functions import ColumnMethods, FrameMethods

_extensions = import_extra("pandas", "notebook").api.extensions

_extensions.register_series_accessor("cturi")(ColumnMethods)
_extensions.register_index_accessor("cturi")(ColumnMethods)
_extensions.register_dataframe_accessor("cturi")(FrameMethods)
