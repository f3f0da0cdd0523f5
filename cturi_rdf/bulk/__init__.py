"""The same on streams and columns: each distinct value once, then a join."""

from cturi_rdf.bulk.lines import LinesReport, annotate_lines
from cturi_rdf.bulk.resources import HeaderLines, headers_lines

__all__ = ["HeaderLines", "LinesReport", "annotate_lines", "headers_lines"]
