"""The same on Apache Spark: columns of a data frame, and a crawl to N-Quads."""

try:
    import pyspark  # noqa: F401 - whether the extra is there
except ImportError as error:
    raise ImportError("clusters need Apache Spark: pip install 'cturi-rdf[spark]'") from error

from cturi_rdf.columns.spark.columns import (
    confidences,
    converted,
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
from cturi_rdf.columns.spark.crawl import DETECTED, HEADER, CrawlReport, crawl_to_nquads

__all__ = [
    "DETECTED", "HEADER", "CrawlReport", "confidences", "converted", "crawl_to_nquads",
    "essences", "headers", "nodes", "outers", "reasons", "served_headers", "suffixes", "types",
    "verdicts",
]  # fmt: skip
