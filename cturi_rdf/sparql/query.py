"""Running a query, and the queries that come with the package.

The command line, the server, notebooks and Python all use `run`: in Oxigraph, over one fixed
dataset, with the functions, with one table of prefixes, and without a network.
"""

from __future__ import annotations

import warnings
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.sparql.answers import Answer
from cturi_rdf.sparql.dataset import ANNOTATIONS, query_data
from cturi_rdf.sparql.errors import SERVICE, check_text, failed, refused, without_network
from cturi_rdf.sparql.evaluation import ask_oxigraph, check_size, sees_registry
from cturi_rdf.sparql.registry_triples import frame_names
from cturi_rdf.sparql.syntax import QueryText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rdflib.query import Result
    from rdflib.term import Identifier

    from cturi_rdf.sparql.dataset import DataSource, QueryData

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
    for file in sorted(files("cturi_rdf.sparql").joinpath("queries").iterdir(), key=str):
        name, dot, kind = file.name.rpartition(".")
        if dot and kind == "rq":
            text = file.read_text("utf-8")
            title, *_ = text.splitlines()
            queries[name] = ReadyMade(name, title.removeprefix("# "), text)
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
            problem = f"FROM <{name}>, which is no graph of the data"
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
                MissingStatements(f"The data have no {names}, which {why}", hint), stacklevel=4
            )
