"""Time is linear: a nasty shape of twice the size takes no more than 2.2 times as long.

`make fuzz` sets CTURI_SHAPE to 1,000,000 characters; the default is small.
"""

from __future__ import annotations

import io
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from cturi_rdf import ContentType, CturiError, from_uri
from cturi_rdf.catalogue import headers_of_file
from cturi_rdf.check import check_file
from cturi_rdf.labels import resolve
from cturi_rdf.mime import Message
from cturi_rdf.negotiation import Negotiator
from cturi_rdf.xml import encoding_of, lint

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Write

SIZE = int(os.environ.get("CTURI_SHAPE", "100000"))
# Small texts on a busy machine: still less than the 4 of a quadratic time.
RATIO = 2.2 if "CTURI_SHAPE" in os.environ else 3
# What the machine adds to a short time.
NOISE = 0.02

RDF = (
    '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:d="http://www.w3.org/ns/dcat#">'
    "<d:X><d:mediaType>%s</d:mediaType></d:X></r:RDF>"
)
TYPE = "<http://www.w3.org/ns/dcat#mediaType>"
# File ending -> texts of a size, by name.
FILES: dict[str, tuple[str, Callable[[int], str]]] = {
    "a long literal": ("nt", lambda n: f'<a:b> {TYPE} "{"1 2," * (n // 4)}" .\n'),
    "a long line that does not end": ("nt", lambda n: f'<a:b> {TYPE} "' + "x" * n),
    "empty lines": ("nt", lambda n: "\n" * n + f'<a:b> {TYPE} "CSV" .\n'),
    "a long IRI": ("nt", lambda n: f'<a:{"b" * n}> {TYPE} "CSV" .\n'),
    "escapes": ("nt", lambda n: f'<a:b> {TYPE} "' + "\\u0041" * (n // 6) + '" .\n'),
    "line feeds in XML": ("rdf", lambda n: RDF % ("\n" * n)),
    "references in XML": ("rdf", lambda n: RDF % ("a&amp;" * (n // 6))),
    "entities in XML": (
        "rdf", lambda n: '<!DOCTYPE r [<!ENTITY e "ab">]>' + RDF % ("&e;" * (n // 3)),
    ),
    "attributes in XML": (
        "rdf", lambda n: RDF % "".join(f'<d:y d:z{i}=""/>' for i in range(n // 14)),
    ),
    "blank nodes in a row": ("ttl", lambda n: f"<a:b> {TYPE} " + "[],\n" * (n // 4) + "[] ."),
    "a list": ("ttl", lambda n: f'<a:b> {TYPE} ({"1 " * (n // 2)}) .'),
    "prefixes": (
        "ttl", lambda n: "@prefix a: <a:b> .\n" * (n // 19) + f'<a:b> {TYPE} "CSV" .',
    ),
    "a comment": ("ttl", lambda n: "#" * n + f'\n<a:b> {TYPE} "CSV" .'),
    "quotes": ("ttl", lambda n: f'<a:b> {TYPE} """' + 'a""b' * (n // 4) + '""" .'),
    "an array": (
        "jsonld", lambda n: '{"@id": "a:b", "http://www.w3.org/ns/dcat#mediaType": ['
        + '"a",' * (n // 4) + '"b"]}',
    ),
    "backslashes in JSON": (
        "jsonld", lambda n: '{"@id": "a:b", "http://www.w3.org/ns/dcat#mediaType": "'
        + "\\\\" * (n // 2) + '"}',
    ),
    "lone surrogates": (
        "jsonld", lambda n: '{"@id": "a:b", "http://www.w3.org/ns/dcat#mediaType": "'
        + "\\ud800" * (n // 6) + '"}',
    ),
    "labels of a resource": (
        "ttl", lambda n: f"<a:b> {TYPE} "
        + ", ".join(f'"text/x-{i}"' for i in range(n // 80)) + " .",
    ),
    "labels in conflict": (
        "ttl", lambda n: "".join(
            f'<a:{i}> {TYPE} "text/x-{i}", "image/x-{i}" .' for i in range(n // 160)
        ),
    ),
}  # fmt: skip

SHAPES = {
    "nothing but one letter": "a",
    "semicolons": ";",
    "parameters": ";a=b",
    "open comments": "(",
    "comments": "(a)",
    "quotation marks": '"',
    "backslashes": '\\"',
    "spaces": " ",
    "folds": "\r\n ",
    "percent signs": "%",
    "encoded octets": "%25",
    "commas": ",",
    "slashes": "/",
    "angle brackets": "<",
    "ampersands": "&#38;",
    "encoded words": "=?utf-8?q?a?= ",
    "continuations": ";a*0*=b",
    "combining marks": "e\u0301",
    "zeros": "\x00",
}
CORE: dict[str, Callable[[str], Any]] = {
    "parse": lambda text: ContentType.parse(f"text/html;a={text}"),
    "recover": lambda text: ContentType.recover(f"text/html;a={text}"),
    "recover as mail": lambda text: ContentType.recover(f"text/html;a={text}", rules="mail"),
    "from_uri": lambda text: from_uri(f"ContentType:text/html?a={text}"),
    "from_uri of another": lambda text: from_uri(f"http://a.example/{text}"),
    "resolve": resolve,
    "negotiate": lambda text: Negotiator(["text/html"]).negotiate(f"text/html,{text}"),
    "encoding_of": lambda text: encoding_of(None, f"<?xml {text}".encode()),
    "lint": lambda text: lint("application/xml", f"<a>{text}</a>".encode()),
    "message": lambda text: Message.read(
        io.BytesIO(f"Content-Type: multipart/mixed; boundary=a; {text}\n\n{text}".encode())
    ),
}


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    with suppress(CturiError, ValueError):
        work()
    return time.process_time() - start


def _is_linear(work: Callable[[int], Callable[[], object]]) -> bool:
    half, whole = work(SIZE // 2), work(SIZE)
    # The best of a few, because other work on the machine only ever adds time.
    for _ in range(8):
        small = min(_seconds(half) for _ in range(2))
        if min(_seconds(whole) for _ in range(2)) <= RATIO * small + NOISE:
            return True
    return False


@pytest.mark.daily(2)
@pytest.mark.parametrize("name", FILES)
def test_a_catalogue_of_twice_the_size_takes_twice_the_time(write: Write, name: str) -> None:
    ending, text_of = FILES[name]

    def work(size: int) -> Callable[[], object]:
        path = write(f"{size}.{ending}", text_of(size))
        return lambda: list(headers_of_file(str(path)))

    assert _is_linear(work)


@pytest.mark.slow
def test_a_resource_with_twice_the_labels_is_checked_in_twice_the_time(write: Write) -> None:
    ending, text_of = FILES["labels of a resource"]

    def work(size: int) -> Callable[[], object]:
        path = write(f"{size}.{ending}", text_of(size))
        return lambda: check_file(str(path))

    assert _is_linear(work)


@pytest.mark.daily(10)
@pytest.mark.parametrize("function", CORE)
@pytest.mark.parametrize("name", SHAPES)
def test_a_text_of_twice_the_size_takes_twice_the_time(function: str, name: str) -> None:
    shape = SHAPES[name]

    def work(size: int) -> Callable[[], object]:
        text = shape * (size // len(shape))
        return lambda: CORE[function](text)

    assert _is_linear(work)
