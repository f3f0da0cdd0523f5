"""What `cturi_rdf.catalogue` offers."""

from cturi_rdf.catalogue.annotate import annotate_file
from cturi_rdf.catalogue.file_headers import HeaderStream, headers_of_file
from cturi_rdf.catalogue.meaning import Adding
from cturi_rdf.catalogue.report import FileReport, Place

__all__ = ["Adding", "FileReport", "HeaderStream", "Place", "annotate_file", "headers_of_file"]
