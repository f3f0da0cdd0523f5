"""`python -m cturi_rdf.columns.spark`: a crawl in Parquet to N-Quads, also for spark-submit."""

from __future__ import annotations

import os
import sys

import click
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from cturi_rdf.columns.spark.crawl import DETECTED, HEADER, crawl_to_nquads, reason
from cturi_rdf.reading.errors import CatalogError


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--url", metavar="COLUMN", default="url", help="The column with the URL of a response."
)
@click.option(
    "--header",
    metavar="COLUMN",
    default="content_mime_type",
    help="The column with the Content-Type that it was sent with; '' for none.",
)
@click.option(
    "--detected",
    metavar="COLUMN",
    default="content_mime_detected",
    help="The column with the detected type; '' for none.",
)
@click.option(
    "--header-graph", metavar="IRI", default=HEADER, help="The named graph for the headers."
)
@click.option(
    "--detected-graph",
    metavar="IRI",
    default=DETECTED,
    help="The named graph for the detected types.",
)
@click.option("--overwrite", is_flag=True, help="Replace OUT even if it is complete.")
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
    """Write the content types of a crawl as N-Quads, with a description of each.

    IN is Parquet, with one row per response; OUT is a folder, which is complete when it has a
    file _SUCCESS.  Both may be anything that Spark reads and writes, such as hdfs: or s3a: URLs.
    Give a column inside another one with a point between their names.
    """
    columns = {header: header_graph, detected: detected_graph}
    graphs = {column: graph for column, graph in columns.items() if column}
    if not graphs:
        raise click.UsageError("neither a header nor a detected type to read")
    # By default, workers run the same Python as this process.
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
