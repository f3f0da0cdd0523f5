"""Apache Spark: columns of a data frame, and a crawl to N-Quads."""

from cturi_rdf._util.lazy import import_extra

import_extra("pyspark", "spark")

from cturi_rdf.columns.spark.columns import (  # noqa: E402
    confidences,
    converted,
    essences,
    headers,
    nodes,
    outers,
    reasons,
    register,
    served_headers,
    suffixes,
    types,
    verdicts,
)
from cturi_rdf.columns.spark.crawl import (  # noqa: E402
    DETECTED,
    HEADER,
    CrawlReport,
    crawl_to_nquads,
)

__all__ = [
    "DETECTED",
    "HEADER",
    "CrawlReport",
    "confidences",
    "converted",
    "crawl_to_nquads",
    "essences",
    "headers",
    "nodes",
    "outers",
    "reasons",
    "register",
    "served_headers",
    "suffixes",
    "types",
    "verdicts",
]
