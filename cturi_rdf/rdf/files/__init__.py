"""Catalogues as files: annotating them and reading their headers, without a graph of rdflib."""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.rdf.files.annotate import annotate_file
    from cturi_rdf.rdf.files.headers import HeaderStream, headers_of_file
    from cturi_rdf.rdf.files.meaning import Adding
    from cturi_rdf.rdf.files.report import FileReport, Place

__all__ = ["Adding", "FileReport", "HeaderStream", "Place", "annotate_file", "headers_of_file"]

# Each command needs only one of these modules.
__getattr__ = later(
    __name__,
    {
        ".annotate": ["annotate_file"],
        ".headers": ["HeaderStream", "headers_of_file"],
        ".meaning": ["Adding"],
        ".report": ["FileReport", "Place"],
    },
)
