"""Catalogues as files: what annotate and headers do of a graph, without making one."""

from cturi_rdf.rdf.files.headers import HeaderLines, headers_of_file
from cturi_rdf.rdf.files.lines import LinesReport, annotate_lines

__all__ = ["HeaderLines", "LinesReport", "annotate_lines", "headers_of_file"]
