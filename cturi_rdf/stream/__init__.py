"""The same on streams and columns: each distinct value once, then a join."""

from cturi_rdf.stream.annotate import LinesReport, annotate_lines
from cturi_rdf.stream.headers import HeaderLines, headers_lines

__all__ = ["HeaderLines", "LinesReport", "annotate_lines", "headers_lines"]
