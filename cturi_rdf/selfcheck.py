"""Checks of an installation: whether everything that it needs works together."""

from __future__ import annotations

import re
import warnings
from functools import partial
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from pyoxigraph import Store
from rdflib import SH, Graph, Literal, URIRef

from cturi_rdf import ContentType, __version__, from_uri, to_uri
from cturi_rdf._util.display import PREFIXES
from cturi_rdf._util.lazy import MODULES_IN_C, compiled, how_to_install
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.description import describe
from cturi_rdf.reading import read_catalog
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.source import open_unpacked, read_whole
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import schemes
from cturi_rdf.sparql.functions import (
    CTF,
    FUNCTIONS,
    check_query,
    oxigraph_functions,
    registered_functions,
)
from cturi_rdf.sparql.query import MissingStatements, ready_made, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


# The draft's own examples: section 2.1, 2.3, and 2.4.
_MAPPED = {
    "text/plain; charset=us-ascii": "ContentType:text/plain?charset=%22us-ascii%22",
    "application/uri.http%3A%2F%2Fexample.com%2Ftag42": "http://example.com/tag42",
}
_PREFIXES = "".join(f"PREFIX {prefix}: <{iri}> " for prefix, iri in PREFIXES.items())
# A shape that one node violates if a query has an answer.
_SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:x-cturi:shape> a sh:NodeShape ; sh:targetNode <urn:x-cturi:node> ; sh:sparql [ sh:select %s ] .
"""
# The form in which the metadata of a package names the packages of an extra (PEP 508).
_EXTRA = re.compile(r"([A-Za-z0-9._-]+).*;.*extra == ['\"]([a-z]+)['\"].*")
# The extras for developers of this package, and the one that includes all others.
_NOT_USERS = {"all", "bench", "dev", "dist", "docs", "tables"}
_QUERIES = (SH.select, SH.ask, SH.construct, SH.update)


class Check(NamedTuple):
    """A check: its subject, whether that is sound, and the result.

    `sound` is None for an extra that is not installed, which is no fault.
    """

    name: str
    sound: bool | None
    found: str


def checks(files: Iterable[str] = ()) -> Iterator[Check]:
    """Yield every check of the installation, then those of the names in files.

    >>> next(checks()).name
    'cturi-rdf'
    """
    for name, check in _CHECKS.items():
        yield _checked(name, check)
    for name in MODULES_IN_C:
        yield Check(name, sound=True, found=_compiled(name))
    for name, extra in _extras():
        try:
            yield Check(name, sound=True, found=version(name))
        except PackageNotFoundError:
            yield Check(name, sound=None, found=f"not installed: {how_to_install(extra)}")
    for name, (module, ask) in _ENGINES.items():
        if find_spec(module):
            yield _checked(name, partial(_examples, ask))
    for file in files:
        yield _checked(file, partial(names_in_file, file))


def _compiled(name: str) -> str:
    """Return whether a module in C is in use, in words."""
    if compiled(name):
        return "compiled"
    if find_spec(name):
        return "compiled, but CTURI_NO_EXTENSIONS is set: its twin in Python is in use"
    return "not compiled: its twin in Python, which is slower, is in use"


def _extras() -> list[tuple[str, str]]:
    """Return the packages in the extras for users, each with its extra."""
    extras = [extra for line in requires("cturi-rdf") or () if (extra := _EXTRA.fullmatch(line))]
    # Each package once, with the first extra that has it.
    brought = {extra[1]: extra[2] for extra in reversed(extras) if extra[2] not in _NOT_USERS}
    return sorted(brought.items())


def _checked(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, sound=True, found=check())
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is what the check finds
        message = error.summary if isinstance(error, CturiError) else str(error)
        result = " ".join(message.split()) or type(error).__name__
        return Check(name, sound=False, found=result)


def names_in_file(name: str) -> str:
    """Return the number of queries in a file; all functions of ours in them exist.

    The file holds a query, or RDF with shapes.  Raises `CturiError` for the first function
    that does not exist, or where the file cannot be read.
    """
    try:
        format_of_file(name)
    except CatalogError:
        # Not a name of RDF.
        with open_unpacked(name) as file:
            text = read_whole(file, name).decode("utf-8", "replace")
        check_query(text, PREFIXES)
        return "1 query"
    graph = read_catalog(name)
    declared = {
        str(graph.value(node, SH.prefix)): str(graph.value(node, SH.namespace))
        for node in graph.objects(None, SH.declare)
    }
    queries = [node for predicate in _QUERIES for node in graph.objects(None, predicate)]
    for node in queries:
        check_query(str(node), PREFIXES | declared)
    return f"{len(queries)} queries"


# --- The checks -------------------------------------------------------------------------------


def _mapping() -> str:
    for header, uri in _MAPPED.items():
        if to_uri(header) != uri or from_uri(uri) != ContentType.parse(header):
            raise AssertionError(f"{header} is not mapped to {uri} and back")
    return f"{len(_MAPPED)} examples of the draft, there and back"


def _tables() -> str:
    snapshot = registry()
    types, suffixes = len(list(snapshot.media_types())), len(list(snapshot.suffixes()))
    extensions = len(list(snapshot.extensions()))
    if not (types and suffixes and extensions and schemes()):
        raise AssertionError("a table is empty")
    return (
        f"{types} media types, {suffixes} suffixes, {extensions} extensions as of {snapshot.date}"
    )


def _labels() -> str:
    if resolve("Zipped CSV").types != (ContentType("text", "csv"),):
        raise AssertionError("'Zipped CSV' is not understood as text/csv")
    return "'Zipped CSV' is text/csv"


def _plugin() -> str:
    # By the entry points of the installed package, as rdflib finds it.
    node, graph = URIRef("ContentType:image/svg+xml"), Graph(store="cturi")
    pattern = (node, None, None)
    facts = set(describe(node).triples(pattern))
    if not facts or not facts <= set(graph.triples(pattern)):
        raise AssertionError("the virtual registry does not have what describe() says")
    return "rdflib finds the store 'cturi'"


def _queries() -> str:
    queries = ready_made()
    if not queries:
        raise AssertionError("there are none")
    with warnings.catch_warnings():
        # There is nothing that they could find.
        warnings.simplefilter("ignore", MissingStatements)
        for query in queries.values():
            run(query.text, Graph())
    return f"{len(queries)} run"


_CHECKS: dict[str, Callable[[], str]] = {
    "cturi-rdf": lambda: f"{__version__}, rdflib {version('rdflib')}",
    "mapping": _mapping,
    "registry": _tables,
    "labels": _labels,
    "virtual registry": _plugin,
    "queries": _queries,
}


def _in_rdflib(query: str, store: str = "default") -> bool:
    return bool(Graph(store=store).query(_PREFIXES + query).askAnswer)


def _in_oxigraph(query: str) -> bool:
    return bool(Store().query(_PREFIXES + query, custom_functions=oxigraph_functions()))


def _in_pyshacl(query: str) -> bool:
    from pyshacl import validate

    select = Literal(_PREFIXES + query.replace("ASK", "SELECT $this", 1))
    shapes = Graph().parse(data=_SHAPES % select.n3(), format="turtle")
    conforms, *_ = validate(Graph(), shacl_graph=shapes)
    return not conforms


# Each with the module that it needs.
_ENGINES: dict[str, tuple[str, Callable[[str], bool]]] = {
    "functions in rdflib": ("rdflib", _in_rdflib),
    "functions in pySHACL": ("pyshacl", _in_pyshacl),
    "functions in oxrdflib": ("oxrdflib", partial(_in_rdflib, store="Oxigraph")),
    "functions in Oxigraph": ("pyoxigraph", _in_oxigraph),
}


def _examples(ask: Callable[[str], bool]) -> str:
    """Return how many examples hold; raises `AssertionError` for the first that does not."""
    examples = [example for function in FUNCTIONS.values() for example in function.examples]
    with registered_functions():
        for expression, value in examples:
            test = "!BOUND(?x)" if value is None else f"?x = {value}"
            if not ask(f"ASK {{ BIND({expression} AS ?x) FILTER({test}) }}"):
                raise AssertionError(f"{expression} is not {value or 'an error'}")
        _named(ask)
    return f"{len(examples)} examples, and a function that does not exist is named"


def _named(ask: Callable[[str], bool]) -> None:
    """Raise `AssertionError` unless the error names a function that does not exist."""
    try:
        ask(f"ASK {{ FILTER(<{CTF}noSuchFunction>(1)) }}")
    except (CturiError, RuntimeError) as error:
        if "noSuchFunction" in str(error):
            return
    raise AssertionError("a function that does not exist goes unnoticed")
