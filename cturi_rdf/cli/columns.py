"""`cturi columns`: the table of the distinct labels in a column."""

from __future__ import annotations

import click

from cturi_rdf._util.display import counted
from cturi_rdf.cli import completion
from cturi_rdf.cli.options import named_output
from cturi_rdf.cli.output import progress, quiet_option, remark


@click.command(short_help="Write what the distinct labels of a column mean.")
@click.argument(
    "sources", metavar="FILE...", nargs=-1, required=True, shell_complete=completion.files
)
@click.option("--column", metavar="COLUMN", required=True, help="The column with the labels.")
@click.option(
    "-o",
    "--output",
    callback=named_output,
    metavar="OUT",
    required=True,
    help="The table to write: .parquet, .csv or .tsv.",
    shell_complete=completion.files,
)
@quiet_option
def columns(sources: tuple[str, ...], column: str, output: str) -> None:
    """Write a table of the distinct labels in a column, with what each of them means.

    FILE is Parquet or CSV, of any size.  The table has type, header, verdict, confidence and
    reason of each label, and the IRIs of the EU and of IANA; join it to the rows in any engine:

      SELECT * FROM rows LEFT JOIN 'labels.parquet' ON rows.format = label
    """
    from cturi_rdf.columns import write_label_table

    with progress("reading the labels"):
        count = write_label_table(sources, column, output)
    remark(f"{output}: {counted(count, 'label')}")
