"""`python -m cturi_rdf.columns.spark`: a crawl in Parquet to N-Quads, also for spark-submit."""

from __future__ import annotations

import os
import sys

import click
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from cturi_rdf.columns.spark.crawl import DETECTED, HEADER, crawl_to_nquads, reason
from cturi_rdf.io.errors import CatalogError

__all__ = ["crawl", "main"]


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--url", metavar="COLUMN", default="url", help="Has the URL of a response.")
@click.option(
    "--header",
    metavar="COLUMN",
    default="content_mime_type",
    help="Has the Content-Type that it was sent with; '' for none.",
)
@click.option(
    "--detected",
    metavar="COLUMN",
    default="content_mime_detected",
    help="Has the type that was detected; '' for none.",
)
@click.option(
    "--header-graph", metavar="IRI", default=HEADER, help="The named graph of what was sent."
)
@click.option(
    "--detected-graph",
    metavar="IRI",
    default=DETECTED,
    help="The named graph of what was detected.",
)
@click.option("--overwrite", is_flag=True, help="Also where OUT is whole.")
def crawl(  # noqa: PLR0913 - one parameter an option
    *,
    source: str,
    target: str,
    url: str,
    header: str,
    detected: str,
    header_graph: str,
    detected_graph: str,
    overwrite: bool,
) -> None:
    """Write the content types of a crawl as N-Quads, with what is known of each.

    IN is Parquet, a row for each response; OUT is a folder, which is whole when it has a file
    _SUCCESS.  Both may be whatever Spark reads and writes, such as hdfs: or s3a: URLs.  A column
    of a column is written with a point.
    """
    columns = {header: header_graph, detected: detected_graph}
    graphs = {column: graph for column, graph in columns.items() if column}
    if not graphs:
        raise click.UsageError("neither a header nor a detected type to read")
    # Where nothing else is said, workers run on what this runs on.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        spark = SparkSession.builder.appName("cturi-rdf: crawl to N-Quads").getOrCreate()
    except PySparkException as error:
        raise CatalogError(
            f"Spark does not start ({reason(error)})", source, "Java 17 or newer"
        ) from error
    try:
        frame = spark.read.parquet(source)
    except (PySparkException, Py4JError) as error:
        raise CatalogError(f"it cannot be read ({reason(error)})", source, "Parquet") from error
    click.echo(crawl_to_nquads(frame, target, url=url, graphs=graphs, overwrite=overwrite))


def main() -> None:
    """Run the job: exit 0 for success, 2 for invalid usage or a failed job."""
    try:
        crawl.main(standalone_mode=False)
    except CatalogError as error:
        message = error.summary
    except click.ClickException as error:
        message = error.format_message()
    else:
        return
    click.echo(f"cturi: {' '.join(message.split())}", err=True)
    sys.exit(2)


if __name__ == "__main__":
    main()
