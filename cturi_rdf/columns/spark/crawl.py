"""A crawl to N-Quads: the types each response was sent and detected with, and descriptions.

Theory of operation.  A label is a value in one of the columns.  The distinct labels are found
first.  For each, the statements that `cturi_rdf.rdf.annotate` would add for a resource with that
label are computed once.  They make a small table, which is kept and broadcast.  Each row is then
written as the lines of its labels with its URL as the subject, and the lines that describe labels
and types are written once, by the same job of Spark.

A row is one response, and each of its columns says in its own graph how the resource was sent.
So `ctv:servedAs` follows from one label here; two rows, or two graphs, may disagree.

Nothing is lost or doubled, because what a task writes depends on its part of the input only,
and is seen only when Spark commits the job: `_SUCCESS` is written last.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyoxigraph as ox
from py4j.protocol import Py4JError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import Observation
from pyspark.sql import functions as F  # noqa: N812 - the usual name

from cturi_rdf.catalogue.meaning import Adding, FileOptions
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.label_statements import label_triples, understand
from cturi_rdf.rdf.terms import DCTERMS
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, DataFrame, SparkSession

    from cturi_rdf.uri.mapping import Control


# The named graphs of the headers, and of the detected types.
HEADER = "https://w3id.org/cturi/crawl/header"
DETECTED = "https://w3id.org/cturi/crawl/detected"

# The name of the key of a table to join; no column of the user's own is called that.
KEY = "cturi_rdf key"
_MEANING = pa.struct(
    [
        ("resolved", pa.bool_()),
        ("service", pa.bool_()),
        ("links", pa.list_(pa.string())),
        ("description", pa.list_(pa.string())),
    ]
)
_MEANING_IN_SPARK = (
    "resolved boolean, service boolean, links array<string>, description array<string>"
)
# RFC 3986 section 3.1; and N-Triples, IRIREF: the characters that an IRI may not have.
_SCHEME = r"[A-Za-z][A-Za-z0-9+.\-]*:"
_IRI = _SCHEME + r'[^\x00-\x20<>"{}|^`\\]*'
_NOT_IRI = [*map(chr, range(0x21)), *'<>"{}|^`\\']
# The lines of an error of Java that give a reason.
_CAUSE = re.compile("(?:Caused by)?: ")
# The files that Spark and the committers of Hadoop leave in a folder, and those of this job.
_OURS = re.compile(
    r"_SUCCESS|_temporary|__magic.*|\.spark-staging.*|part-.*\.txt\.gz|\.(?:_SUCCESS|part-.*)\.crc"
)
_WRITING = {
    "compression": "gzip",
    # Twice as fast as the default, for a quarter more bytes.
    "zlib.compress.level": "BEST_SPEED",
    # The output of a task is seen when the job is committed, not when the task is.
    "mapreduce.fileoutputcommitter.algorithm.version": "1",
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "true",
}


class CrawlReport(NamedTuple):
    """The numbers of a crawl: rows, those without a URL, and labels by their meaning.

    `resolved`, `services` and `not_understood` add up to `labels`; all count occurrences.
    """

    rows: int
    skipped: int
    labels: int
    distinct: int
    resolved: int
    services: int

    @property
    def not_understood(self) -> int:
        """How many labels were not understood."""
        return self.labels - self.resolved - self.services

    def __str__(self) -> str:
        return (
            f"{self.rows} rows, {self.skipped} of them skipped for want of an absolute URL;"
            f" {self.labels} labels, {self.distinct} distinct: {self.resolved} resolved,"
            f" {self.services} naming a service, {self.not_understood} not understood"
        )


def crawl_to_nquads(  # noqa: PLR0913 - a switch each
    crawl: DataFrame,
    target: str,
    *,
    url: str = "url",
    graphs: Mapping[str, str] | None = None,
    overwrite: bool = False,
    control: Control = "honour",
) -> CrawlReport:
    """Write what `cturi_rdf.rdf.annotate` adds to a crawl into a folder; return the numbers.

    `graphs` has a named graph for each column with labels, by default `HEADER` for
    ``content_mime_type`` and `DETECTED` for ``content_mime_detected``, as Common Crawl calls them;
    descriptions are in the default graph.  The files are gzipped N-Quads.  A folder without
    ``_SUCCESS`` was left by a job that died, and is overwritten; a folder with it is
    refused without `overwrite`, and a folder with any other file is always refused.  A type that
    stands for a URI is linked to and not described, or with ``control="ignore"`` has a
    ``ContentType:`` URI like any other (draft-eastlake-cturi, section 6).  Raises `CatalogError`.

    >>> import tempfile
    >>> crawl = spark.createDataFrame([("http://a.example/", "CSV")], "url string, sent string")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = crawl_to_nquads(crawl, f"{folder}/out", graphs={"sent": HEADER})
    ...     written = [row.value for row in spark.read.text(f"{folder}/out").collect()]
    >>> report.rows, report.resolved
    (1, 1)
    >>> [line.split() for line in written if "contentType>" in line]
    [['<http://a.example/>', '<https://w3id.org/cturi/vocab#contentType>',
      '<ContentType:text/csv>', '<https://w3id.org/cturi/crawl/header>', '.']]
    """
    graphs = graphs or {"content_mime_type": HEADER, "content_mime_detected": DETECTED}
    for graph in graphs.values():
        if not re.fullmatch(_IRI, graph):
            raise CatalogError("not the name of a graph", graph, "an absolute IRI")
    try:
        _check(crawl.sparkSession, target, overwrite=overwrite)
        texts = [
            F.col(column).cast("string").alias(f"label {number}")
            for number, column in enumerate(graphs)
        ]
        rows = crawl.select(_subject(F.col(url)).alias("subject"), *texts)
        labels = _labels(rows, control).persist()
        try:
            return _write(rows, labels, target, list(graphs.values()))
        finally:
            labels.unpersist()
    except AnalysisException as error:
        columns = ", ".join(crawl.columns)
        raise CatalogError(
            f"it cannot be read as a crawl ({reason(error)})",
            "the crawl",
            f"columns of texts {url}, {', '.join(graphs)}; there are {columns}",
        ) from error
    except (PySparkException, Py4JError) as error:
        raise CatalogError(
            f"it was not written ({reason(error)})", target, "a job that Spark can run"
        ) from error


def meanings(labels: Any, control: Control = "honour") -> Any:
    """Return the meanings of an Arrow array of labels.

    A meaning says whether the label is resolved, and whether it names a service; it has predicate
    and object of each statement about a resource with the label, and the lines that describe the
    label and its types.

    >>> [made] = meanings(pa.array(["CSV"])).to_pylist()
    >>> made["resolved"], made["links"][0]
    (True, '<https://w3id.org/cturi/vocab#contentType> <ContentType:text/csv>')
    """
    return pa.array([_meaning(label, control) for label in labels.to_pylist()], _MEANING)


def _meaning(label: str, control: Control) -> dict[str, Any]:
    understood = understand(ox.Literal(label))
    options = FileOptions(Adding.ALL, resolve, control=control, names=True)
    links = options.links(options.evidence(DCTERMS.format, understood))
    return {
        "resolved": bool(understood.content_types),
        "service": understood.resolution.verdict == "service",
        "links": sorted(f"{path} {node}" for path, node in links) or None,
        "description": [
            f"{' '.join(map(str, triple))} ."
            for triple in dict.fromkeys(
                (
                    *label_triples(*understood, control),
                    *options._replace(names=False).description(understood),
                )
            )
        ],
    }


def _labels(rows: DataFrame, control: Control) -> DataFrame:
    """Return the table of the distinct labels, with their numbers and meanings."""
    texts = [column for column in rows.columns if column != "subject"]
    labels = rows.select(F.explode(F.array(*texts)).alias("label")).dropna()
    counted = labels.groupBy("label").count()
    # Few labels, and each of them is work: no more parts than there are cores.
    parts = rows.sparkSession.sparkContext.defaultParallelism
    meaning = F.arrow_udf(lambda labels: meanings(labels, control), _MEANING_IN_SPARK)
    table = counted.coalesce(parts).select("label", "count", meaning("label").alias("meaning"))
    return table.select("label", "count", "meaning.*")


def _write(rows: DataFrame, labels: DataFrame, target: str, graphs: list[str]) -> CrawlReport:
    # Computed now, because a broadcast has a time limit.
    counts = labels.agg(
        F.count("label").alias("distinct"),
        F.sum("count").alias("labels"),
        F.sum(F.when(F.col("resolved"), F.col("count"))).alias("resolved"),
        F.sum(F.when(F.col("service"), F.col("count"))).alias("services"),
    ).collect()[0]
    seen = Observation()
    rows = rows.observe(seen, F.count(F.lit(1)).alias("rows"), F.count("subject").alias("named"))
    lines = _lines(rows.dropna(subset=["subject"]), labels, graphs)
    described = labels.select(F.explode("description").alias("value")).distinct()
    writer = lines.union(described).write.mode("overwrite")
    writer.options(**_WRITING).text(target)
    numbers = seen.get | {name: number or 0 for name, number in counts.asDict().items()}
    skipped = numbers["rows"] - numbers.pop("named")
    return CrawlReport(skipped=skipped, **numbers)


def _lines(rows: DataFrame, labels: DataFrame, graphs: list[str]) -> DataFrame:
    """Return the statements about each resource, those of a row in one value."""
    links = []
    for number, graph in enumerate(graphs):
        name = f"links {number}"
        table = labels.select("label", _in_graph("links", graph).alias(name))
        rows = joined(rows, f"label {number}", table, "label")
        links.append(F.col(name))
    # Joined by the end of a line and the subject of the next.
    between = F.concat(F.lit(" .\n"), "subject", F.lit(" "))
    lines = F.call_function("concat_ws", between, *links)
    rows = rows.where(F.coalesce(*links).isNotNull())
    return rows.select(F.concat("subject", F.lit(" "), lines, F.lit(" .")).alias("value"))


def joined(frame: DataFrame, column: str, table: DataFrame, key: str) -> DataFrame:
    """Return a frame with the columns of a small table, joined by the values of a column.

    Its rows stay where they are and in their order; `key` is the column of the table that has
    the values, which is not among those of the result.

    >>> rows = spark.createDataFrame([("a",), ("b",)], "letter string")
    >>> numbers = spark.createDataFrame([("a", 1)], "key string, number int")
    >>> joined(rows, "letter", numbers, "key").collect()
    [Row(letter='a', number=1), Row(letter='b', number=None)]
    """
    table = table.withColumnRenamed(key, KEY)
    same = F.col(column) == F.col(KEY)
    return frame.join(F.broadcast(table), same, "left").drop(KEY)


def _in_graph(links: str, graph: str) -> Column:
    return F.transform(links, lambda link: F.concat(link, F.lit(f" <{graph}>")))


def _subject(url: Column) -> Column:
    """Return a URL as N-Quads has it, or null if it is not absolute."""
    encoded = url
    for character in _NOT_IRI:
        encoded = F.replace(encoded, F.lit(character), F.lit(f"%{ord(character):02X}"))
    iri = F.when(url.rlike(rf"^{_IRI}\z"), url).when(url.rlike(f"^{_SCHEME}"), encoded)
    return F.concat(F.lit("<"), iri, F.lit(">"))


def _check(spark: SparkSession, target: str, *, overwrite: bool) -> None:
    """Refuse a folder that is whole, or that has files of something else."""
    path = spark._jvm.org.apache.hadoop.fs.Path(target)  # noqa: SLF001 - Spark has no other way
    files = path.getFileSystem(spark._jsc.hadoopConfiguration())  # noqa: SLF001
    if not files.exists(path):
        return
    if not files.getFileStatus(path).isDirectory():
        raise CatalogError("a file", target, "a folder, or nothing")
    names = [status.getPath().getName() for status in files.listStatus(path)]
    foreign = [name for name in names if not _OURS.fullmatch(name)]
    if foreign:
        raise CatalogError(
            f"a folder with {foreign[0]} in it", target, "nothing, or what this job wrote"
        )
    if "_SUCCESS" in names and not overwrite:
        raise CatalogError(
            "it exists already", target, "nothing, or the option --overwrite (overwrite=True)"
        )


def reason(error: Exception) -> str:
    r"""Return Spark's message of an error on one line, without the places in code.

    Of an error of Java it is the last cause.

    >>> reason(RuntimeError("A worker failed:\n  at a line\nOSError: no disk\n"))
    'A worker failed: OSError: no disk'
    >>> reason(RuntimeError("An error in o28.\n: Exception: x\n\tat y\nCaused by: z: no Parquet"))
    'z: no Parquet'
    """
    first, *rest = str(error).strip().splitlines() or [type(error).__name__]
    causes = [re.sub("^(Caused by)?: ", "", line) for line in rest if _CAUSE.match(line)]
    if causes:
        return causes[-1]
    return f"{first} {rest[-1].strip()}" if rest and first.endswith(":") else first
