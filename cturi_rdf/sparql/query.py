"""Running a query, and the queries that come with the package.

The command line, the server, notebooks and Python all use `run`: in Oxigraph, over one fixed
dataset, with the functions, with one table of prefixes, and without a network.  An answer is a
result of rdflib, or rows of text; it is written in the four formats of SPARQL.
"""

from __future__ import annotations

import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.terms import from_ox, lenient_ox
from cturi_rdf.reading.writable import character_not_in_xml
from cturi_rdf.sparql.dataset import ANNOTATIONS, query_data
from cturi_rdf.sparql.errors import SERVICE, check_text, failed, refused, without_network
from cturi_rdf.sparql.evaluation import ask_oxigraph, check_size, sees_registry
from cturi_rdf.sparql.registry_triples import frame_names
from cturi_rdf.sparql.syntax import QueryText

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rdflib import Dataset
    from rdflib.query import Result
    from rdflib.term import Identifier

    from cturi_rdf.errors import CturiError
    from cturi_rdf.sparql.dataset import DataSource, QueryData
    from cturi_rdf.sparql.evaluation import Content


# Our own prefixes keep their meaning, whatever the data declare.
_OURS = {name: PREFIXES[name] for name in ("ct", "ctv", "ctf")}


# The properties that only annotating gives to a resource.
_LINKS = tuple(
    PREFIXES["ctv"] + name
    for name in (
        "contentType",
        "servedAs",
        "packaging",
        "compression",
        "conflictingType",
        "relatedContentType",
        "typeLabel",
    )
)


class MissingStatements(UserWarning):
    """A query asks for our statements, which its data does not have; the text says what to do."""

    def __str__(self) -> str:
        return ": ".join(map(str, self.args)) + "."


class ReadyMade(NamedTuple):
    """A query of the package: its name, its purpose, and its text."""

    name: str
    title: str
    text: str


def ready_made() -> dict[str, ReadyMade]:
    """Return the queries of the package by their names.

    >>> ready_made()["xml"].title
    'Resources that are XML, with the header to send them with.'
    """
    queries = {}
    for path in sorted(Path(__file__).with_name("queries").glob("*.rq")):
        text = path.read_text("utf-8")
        title, *_ = text.splitlines()
        queries[path.stem] = ReadyMade(path.stem, title.removeprefix("# "), text)
    return queries


def run(  # noqa: PLR0913 - options by name
    text: str,
    *sources: DataSource,
    allow_network: bool = False,
    prefixes: Mapping[str, str] | None = None,
    bindings: Mapping[str, Identifier] | None = None,
    default_graphs: Sequence[str] = (),
    named_graphs: Sequence[str] = (),
) -> Result:
    """Return the result of a query over a dataset, with the functions.

    `sources` are paths of files, graphs and datasets of rdflib, stores of Oxigraph, or data that
    `query_data` has read.  The registry of media types is the graph
    ``https://w3id.org/cturi/registry``, and without a source the default graph.  A query cannot
    change anything.  Without `allow_network` it cannot ask another server by SERVICE, or load a
    graph from http or https by FROM.  `prefixes` override those of the data, which override the
    common ones; `bindings` are values of variables.  `default_graphs` and `named_graphs` are IRIs
    of graphs; they override those of FROM (SPARQL 1.1 Protocol section 2.1.4).

    Raises `CturiError` for a text that is not a query, for a query that fails, and for a term of
    the vocabulary or a function that does not exist; `LimitError` for more rows or time than the
    limits ``rows`` and ``seconds`` allow; and `CatalogError` for a file that cannot be read.  Warns
    where a query asks for statements that the data does not have, because only annotating adds them
    or because they are in the registry.

    >>> result = run('SELECT (ctf:isXML("image/svg+xml") AS ?xml) {}')
    >>> [row.xml.toPython() for row in result]
    [True]
    >>> result = run("SELECT ?d { ?d dct:format 'SHP' }", "examples/catalogue.ttl")
    >>> [str(row.d) for row in result]
    ['https://catalogue.example/natural-earth-shp']
    """
    answer = ask(
        text,
        query_data(*sources),
        allow_network=allow_network,
        prefixes=prefixes,
        bindings=bindings,
        graphs=(default_graphs, named_graphs),
    )
    return answer.as_result()


def ask(  # noqa: PLR0913 - options by name
    text: str,
    data: QueryData,
    *,
    allow_network: bool = False,
    prefixes: Mapping[str, str] | None = None,
    bindings: Mapping[str, Identifier] | None = None,
    graphs: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> Answer:
    """Return what `run` returns, before it is a result of rdflib."""
    prefixes = {**PREFIXES, **data.prefixes, **_OURS, **(prefixes or {})}
    query = QueryText(text, prefixes, data.base)
    check_size(query)
    check_text(query)
    uses = list(query.functions())
    if uses:
        # They load half of the package.
        from cturi_rdf.sparql.functions import check_use

        for use in uses:
            check_use(use)
    if any(graphs):
        query.graphs, query.named_graphs = map(list, graphs)
    data = _with_graphs(query, data, allow_network=allow_network)
    _warn_of_nothing(query, data)
    is_call = not any(use.is_property for use in uses)
    if is_call and (query.graphs or query.named_graphs or query.takes(bindings or ())):
        engine = ask_oxigraph
    else:
        from cturi_rdf.sparql.rdflib_engine import ask_rdflib as engine

    return Answer(query, engine(query, data, bindings or {}, shielded=not allow_network))


def _with_graphs(query: QueryText, data: QueryData, *, allow_network: bool) -> QueryData:
    """Return the data with the graphs of FROM; raises `CturiError` if that is not allowed."""
    if query.has_word("SERVICE") and not allow_network:
        raise without_network(SERVICE, query.text)
    wanted = {*query.graphs, *query.named_graphs}
    missing = sorted(wanted - {name.value for name in data.named_graphs()} if wanted else ())
    for name in missing:
        if not name.lower().startswith(("http:", "https:")):
            problem = f"FROM <{name}>, which is not a graph of the data"
            raise refused(problem, query.text, "such a graph, or a URL of http or https")
        if not allow_network:
            raise without_network(f"FROM <{name}>, which would be loaded", query.text)
    return _loaded(missing, query, data) if missing else data


def _loaded(names: list[str], query: QueryText, data: QueryData) -> QueryData:
    """Return a copy of data with graphs from the network."""
    from rdflib import Dataset

    dataset = Dataset()
    for name in names:
        try:
            dataset.graph(name).parse(name)
        except Exception as error:
            # rdflib, its parsers and urllib may raise anything.
            raise failed(error, query.text) from error
    return query_data(data, dataset, base=data.base, registry=data.registry)


def _warn_of_nothing(query: QueryText, data: QueryData) -> None:
    """Warn where a query names properties of ours, and the data have none of them."""
    if query.graphs or query.named_graphs or sees_registry(query, data):
        listed: Sequence[str] = ()
    else:
        ours = PREFIXES["ctv"]
        listed = [name for name in frame_names() if name.startswith(ours) and " " not in name]
    # Where labels have been read, there is nothing to say of what none of them names.
    is_annotated = data.is_annotated or ANNOTATIONS in data.named_graphs()
    hints = (
        (
            () if is_annotated else _LINKS,
            "only annotating adds",
            "annotate it, or use query_data(…, annotated=True)",
        ),
        (listed, "the registry has", "use query_data(…, registry='default')"),
    )
    for properties, why, hint in hints:
        asked = sorted(query.iris.intersection(properties))
        if asked and not any(map(data.has_property, asked)):
            names = ", ".join(f"ctv:{iri.removeprefix(PREFIXES['ctv'])}" for iri in asked)
            warnings.warn(
                MissingStatements(f"the data have no {names}, which {why}", hint), stacklevel=4
            )


# What an error calls the output.
_ANSWER = "the answer"


class Answer(NamedTuple):
    """The answer to a query, as a result of rdflib or as text, which takes less time."""

    query: QueryText
    content: Content

    def as_result(self) -> Result:
        """Return the answer as a result of rdflib; raises `CturiError` for a triple as a value."""
        from rdflib import Graph, Variable
        from rdflib.query import Result

        query, content = self
        if isinstance(content, bool):
            result = Result("ASK")
            result.askAnswer = content
        elif isinstance(content, list):
            result = Result("CONSTRUCT")
            result.graph = Graph()
            for triple in content:
                result.graph.add(tuple(_term(query, term) for term in triple))
        else:
            names, rows = content
            result = Result("SELECT")
            result.vars = [Variable(name) for name in query.in_order(names)]
            variables = [Variable(name) for name in names]
            result.bindings = [
                {
                    name: _term(query, term)
                    for name, term in zip(variables, row, strict=True)
                    if term is not None
                }
                for row in rows
            ]
        return result

    def text_rows(self) -> list[list[str]]:
        """Return the names of the variables, and rows of the text of each value.

        Raises `CturiError` for a triple as a value, and `TypeError` where the answer is no rows.
        """
        query, content = self
        if not isinstance(content, tuple):
            raise TypeError("the answer is no rows")
        names, rows = content
        order = [names.index(name) for name in query.in_order(names)]
        texts = ([_text(query, row[at]) for at in order] for row in rows)
        return [[names[at] for at in order], *texts]


def _text(query: QueryText, term: Any) -> str:
    """Return a term as tables and CSV show it: its text, or the label of a blank node."""
    if term is None:
        return ""
    if isinstance(term, ox.Triple):
        raise _inexpressible(query)
    return f"_:{term.value}" if isinstance(term, ox.BlankNode) else str(term.value)


def _term(query: QueryText, term: Any) -> Any:
    if isinstance(term, ox.Triple):
        raise _inexpressible(query)
    return from_ox(term)


def _inexpressible(query: QueryText) -> CturiError:
    problem = "a triple term in the answer, which rdflib cannot hold"
    return refused(problem, query.text, "a FILTER(!isTRIPLE(…)) that leaves it out")


def answer_triples(result: Result, prefixes: Mapping[str, str]) -> Dataset:
    """Return the triples of a result, with the common prefixes and those of the data.

    >>> from cturi_rdf.sparql.query import run
    >>> len(answer_triples(run("CONSTRUCT { <e:a> a <e:B> } {}"), {}))
    1
    """
    from rdflib import Dataset

    dataset = Dataset(default_union=True)
    for prefix, namespace in {**PREFIXES, **prefixes}.items():
        dataset.bind(prefix, namespace)
    for triple in result.graph or ():
        dataset.add(triple)
    return dataset


def writers(result: Result) -> dict[str, Callable[[], bytes]]:
    """Return the functions that write rows or an answer to ASK, by Content-Type, best first.

    >>> from cturi_rdf.sparql.query import run
    >>> writers(run("ASK {}"))["application/sparql-results+json"]()
    b'{"head": {}, "boolean": true}'
    """
    return {
        content_type: partial(write, result)
        for content_type, write in _WRITERS.items()
        # CSV and TSV are formats of rows.
        if result.type == "SELECT" or not content_type.startswith("text/")
    }


def _by_rdflib(name: str, result: Result) -> bytes:
    return result.serialize(format=name) or b""


def _as_xml(result: Result) -> bytes:
    """Return a result as SPARQL Query Results XML.

    Raises `CatalogError` for a value with a character that XML does not have.
    """
    for row in result.bindings or ():
        for name, term in row.items():
            character = character_not_in_xml(term)
            if character:
                raise CatalogError(
                    f"XML cannot hold {character}, which is in a value of ?{name}",
                    _ANSWER,
                    "another format, such as JSON (XML 1.0 section 2.2)",
                )
    # XML 1.0 section 2.11: a parser makes a line feed of a carriage return that is no reference.
    return _by_rdflib("xml", result).replace(b"\r", b"&#13;")


def _as_tsv(result: Result) -> bytes:
    """Return rows as SPARQL 1.1 Query Results TSV: terms as Turtle writes them."""
    names = result.vars or []
    lines = ["\t".join(f"?{name}" for name in names)]
    lines += (
        "\t".join(_on_one_line(row[name]) if name in row else "" for name in names)
        for row in result.bindings
    )
    return ("\n".join(lines) + "\n").encode()


def _on_one_line(term: Identifier) -> str:
    """Return a term in Turtle; a tab or a line break is an escape (section 4.1)."""
    text = term.n3()
    # rdflib writes these as they are, Oxigraph escapes them.
    return str(lenient_ox(term)) if "\t" in text or "\n" in text else text


_WRITERS: dict[str, Callable[[Result], bytes]] = {
    "application/sparql-results+json": partial(_by_rdflib, "json"),
    "application/sparql-results+xml": _as_xml,
    "text/csv; charset=utf-8": partial(_by_rdflib, "csv"),
    "text/tab-separated-values; charset=utf-8": _as_tsv,
    "application/json": partial(_by_rdflib, "json"),
}
