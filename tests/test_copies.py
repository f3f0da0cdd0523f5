"""Every public name and value may be copied, pickled and sent to another process."""

from __future__ import annotations

import copy
import inspect
import io
import multiprocessing
import os
import pickle
import pkgutil
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from processes import PATIENCE
from rdflib import Graph

import cturi_rdf
from cturi_rdf import ContentType, CturiError, from_uri
from cturi_rdf.check import check
from cturi_rdf.labels import Resolver, resolve
from cturi_rdf.mime import Disposition, Message
from cturi_rdf.negotiation import Negotiator, choose, parse_accept, read_accept
from cturi_rdf.rdf import rdf_format
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.registry import registry
from cturi_rdf.repair import Options, profile_named
from cturi_rdf.uri import ContentID, MessageID, Reference
from cturi_rdf.xml import convert, encoding_of, facts_of, lint, parse_pointer, transfer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conftest import Write

COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    *(
        lambda value, protocol=protocol: pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 - our own
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    ),
]


# A resource without a name is called by what leads to it.
CATALOGUE = """
@prefix dcat: <http://www.w3.org/ns/dcat#> .
<http://a.example/data> dcat:distribution [ dcat:mediaType "nonsense" ] .
"""


def _raised(function: Callable[..., object], *arguments: object) -> CturiError:
    with pytest.raises(CturiError) as caught:
        function(*arguments)
    return caught.value


def _names() -> Iterator[tuple[str, object]]:
    """Yield all public functions, classes and methods."""
    for module in pkgutil.iter_modules(cturi_rdf.__path__, "cturi_rdf."):
        # A command is an object of click, made once a process.
        if module.name.rpartition(".")[2] in {"__main__", "cli"}:
            continue
        loaded = import_module(module.name)
        for name in getattr(loaded, "__all__", ()):
            value = getattr(loaded, name)
            yield f"{module.name}.{name}", value
            for attribute, member in inspect.getmembers(value, callable):
                if inspect.isclass(value) and not attribute.startswith("_"):
                    yield f"{module.name}.{name}.{attribute}", member


def test_every_public_name_is_pickled_by_its_name() -> None:
    names = dict(_names())
    assert len(names) > 200
    copies = {name: [made_by(value) for made_by in COPIES] for name, value in names.items()}
    assert [
        name for name, value in names.items() if any(copied != value for copied in copies[name])
    ] == []


# What is a value, made anew each time.
VALUES: dict[str, Callable[[], object]] = {
    "content type": lambda: ContentType.parse("text/html; charset=utf-8"),
    "recovered content type": lambda: ContentType.recover("text/html;;a"),
    "content id": lambda: ContentID.parse("<a@b>"),
    "recovered content id": lambda: ContentID.recover("<a@b"),
    "message id": lambda: MessageID.parse("<a@b>"),
    "reference": lambda: Reference.parse("mid:a@b/c@d"),
    "recovered reference": lambda: Reference.recover("cid:a b"),
    "resolution of a label": lambda: resolve("CSV"),
    "preferences": lambda: read_accept("text/html;q=0.3, x"),
    "media ranges": lambda: parse_accept("text/html;q=0.3, */*;q=0.1"),
    "choice": lambda: choose("text/*", ["text/html", "text/csv"]),
    "disposition": lambda: Disposition.recover('attachment; filename="a"; x'),
    "facts of a type": lambda: facts_of("image/svg+xml"),
    "encoding": lambda: encoding_of("text/xml", b"<a/>"),
    "findings": lambda: lint("text/xml", b"<a/>"),
    "pointer": lambda: parse_pointer("element(/1)"),
    "converted entity": lambda: convert(b"<a/>", "utf-8", "utf-16"),
    "transfer": lambda: transfer_of("text/xml", "utf-8", "7bit"),
    "format": lambda: rdf_format("turtle"),
    "profile": lambda: profile_named("dcat-ap"),
    "options": Options,
    "error of a header": lambda: _raised(ContentType.parse, "text"),
    "error of a URI": lambda: _raised(from_uri, "a"),
    "error of an identifier": lambda: _raised(ContentID.parse, "x"),
    "error of a file": lambda: _raised(read_catalog, "no such file.ttl"),
    "error with a line": lambda: CatalogError("no RDF", "a.ttl", "RDF"),
}


@pytest.mark.parametrize("name", VALUES)
def test_every_copy_of_a_value_equals_it(name: str) -> None:
    value = VALUES[name]()
    assert value == VALUES[name]()
    for made_by in COPIES:
        copied = made_by(value)
        assert copied == value
        assert type(copied) is type(value)
        assert repr(copied) == repr(value)


def test_errors_that_say_something_else_differ() -> None:
    error = CturiError("no octets", "text", expected="base64", rule="RFC 4648")
    assert error != CturiError("no octets", "test", expected="base64", rule="RFC 4648")
    assert error != ValueError(*error.args)
    assert hash(error) == hash(copy.deepcopy(error))
    recovered = ContentType.recover("text/html;;a")
    assert recovered != ContentType.recover("text/html;a")
    assert recovered != "text/html"
    assert hash(recovered) == hash(copy.deepcopy(recovered))


@pytest.mark.parametrize("made_by", COPIES)
def test_a_copy_of_what_answers_answers_the_same(made_by: Callable[[Any], Any]) -> None:
    assert made_by(Resolver()).resolve("CSV") == resolve("CSV")
    negotiator = Negotiator(["text/html", "text/csv"])
    assert made_by(negotiator).negotiate("text/csv") == negotiator.negotiate("text/csv")
    assert made_by(registry()).media_type("text/csv") == registry().media_type("text/csv")
    report = check(Graph().parse(format="turtle", data=CATALOGUE))
    assert made_by(report).as_table().rows == report.as_table().rows != []
    message = Message.read(io.BytesIO(b"Content-Type: text/html\n\nx"))
    assert [entity.content_type for entity in made_by(message)] == [ContentType("text", "html")]


PROCESSES = """
import multiprocessing, pickle, sys
from cturi_rdf import ContentType, from_uri, to_uri

if __name__ == "__main__":
    texts = ["text/html", "text/csv; header=present"]
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        types = pool.map(ContentType.parse, texts)
        assert types == [ContentType.parse(text) for text in texts]
        assert pool.map(from_uri, pool.map(to_uri, types)) == types
    assert pickle.loads(pickle.dumps(ContentType.parse)) is ContentType.parse
"""


@pytest.mark.parametrize("extensions", ["", "1"])
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_another_process_reads_headers(write: Write, method: str, extensions: str) -> None:
    script = write("script.py", PROCESSES)
    environment = {**os.environ, "CTURI_NO_EXTENSIONS": extensions}
    subprocess.run([sys.executable, script, method], check=True, timeout=PATIENCE, env=environment)
