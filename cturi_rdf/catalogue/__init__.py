"""Catalogues: what a resource is, what its statements mean together, and what follows from it."""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.catalogue.annotate import annotate_file
    from cturi_rdf.catalogue.file_headers import HeaderStream, headers_of_file
    from cturi_rdf.catalogue.graph_headers import headers
    from cturi_rdf.catalogue.meaning import Adding
    from cturi_rdf.catalogue.report import FileReport, Place

__all__ = [
    "Adding",
    "FileReport",
    "HeaderStream",
    "Place",
    "annotate_file",
    "headers",
    "headers_of_file",
]

# Each command needs only one of these modules.
__getattr__ = later(
    __name__,
    {
        ".annotate": ["annotate_file"],
        ".file_headers": ["HeaderStream", "headers_of_file"],
        ".graph_headers": ["headers"],
        ".meaning": ["Adding"],
        ".report": ["FileReport", "Place"],
    },
)
