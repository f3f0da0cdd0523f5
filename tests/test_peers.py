"""The page that compares with peers: its tables are correct for each peer."""

from __future__ import annotations

import re
import runpy
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django.conf
import mimeparse
import multipart
import pyoxigraph
import pytest
from aiohttp.helpers import parse_mimetype
from django.http import HttpRequest
from django.http.request import MediaType
from django.utils.http import parse_header_parameters
from rdflib import Graph
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header, parse_options_header

from cturi_rdf import ContentType, CturiError
from cturi_rdf.negotiation import best
from cturi_rdf.rdf import rdflib_format

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Read = tuple[str, dict[str, list[str]]]

PAGE = (Path(__file__).parents[1] / "docs" / "peers.md").read_text("utf-8")
MEASURED: dict[str, Any] = runpy.run_path(
    str(Path(__file__).parents[1] / "scripts" / "compare_tools.py")
)
PINNED = ("werkzeug", "multipart", "aiohttp", "Django", "python-mimeparse")


def _table(title: str) -> list[tuple[str, str, str]]:
    """Return the cells of the table under a title: the row, the column, the text."""
    section = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split(" |")]
        for line in section.splitlines()
        if line.startswith("|")
    ]
    given = head.index("werkzeug") if "werkzeug" in head else 1
    return [
        (" | ".join(row[:given]), name, said)
        for row in rows
        for name, said in zip(head[given:], row[given:], strict=True)
    ]


def _quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@pytest.mark.parametrize("name", PINNED)
def test_the_page_says_which_version_it_speaks_of(name: str) -> None:
    assert re.search(rf"\b{name} {re.escape(version(name))}\b", PAGE)


# --- Reading ------------------------------------------------------------------------------


def _pairs(parameters: dict[str, str]) -> dict[str, list[str]]:
    return {name: [value] for name, value in parameters.items()}


def _by_aiohttp(header: str) -> Read:
    found = parse_mimetype(header)
    bare = f"{found.type}/{found.subtype}".removesuffix("/")
    return bare, {name: found.parameters.getall(name) for name in found.parameters}


def _by_mimeparse(header: str) -> Read:
    kind, subtype, parameters = mimeparse.parse_mime_type(header)
    return f"{kind}/{subtype}", _pairs(parameters)


def _by_us(header: str) -> Read:
    found = ContentType.parse(header)
    return found.essence, _pairs(dict(found.parameters))


def _by_options(parse: Callable[[str], tuple[str, dict[str, str]]]) -> Callable[[str], Read]:
    def read(header: str) -> Read:
        bare, parameters = parse(header)
        return bare, _pairs(parameters)

    return read


READERS: dict[str, Callable[[str], Read]] = {
    "werkzeug": _by_options(parse_options_header),
    "multipart": _by_options(multipart.parse_options_header),
    "aiohttp": _by_aiohttp,
    "Django": _by_options(parse_header_parameters),
    "python-mimeparse": _by_mimeparse,
    "cturi-rdf": _by_us,
}
# The meanings of the words in the table, header by header.
NAIVE = "utf-8''na%C3%AFve"
READINGS: dict[str, dict[str, Read]] = {
    'text/plain; a="b;c"': {
        "yes": ("text/plain", {"a": ["b;c"]}),
        "breaks at the `;`": ("text/plain", {"a": ["b"], 'c"': [""]}),
    },
    r'text/plain; a="b\"c"': {
        "yes": ("text/plain", {"a": ['b"c']}),
        r"keeps the `\`": ("text/plain", {"a": [r"b\"c"]}),
    },
    f"text/plain; a*={NAIVE}": {
        "decoded": ("text/plain", {"a": ["naïve"]}),
        "dropped": ("text/plain", {}),
        "undecoded": ("text/plain", {"a*": [NAIVE]}),
    },
    "text/html charset=utf-8": {
        "one long type": ("text/html charset=utf-8", {}),
        "one long subtype": ("text/html charset=utf-8", {}),
    },
    "text/html; a=1; a=2": {
        "the last": ("text/html", {"a": ["2"]}),
        "both": ("text/html", {"a": ["1", "2"]}),
    },
    "text": {"no subtype": ("text", {})},
}


@pytest.mark.parametrize(("header", "name", "said"), _table("Reading a Content-Type"))
def test_a_header_is_read_as_the_page_says(header: str, name: str, said: str) -> None:
    (text,) = _quoted(header)
    if said == "error":
        with pytest.raises((CturiError, mimeparse.MimeTypeParseException)):
            READERS[name](text)
    else:
        assert READERS[name](text) == READINGS[text][said]


def test_only_here_a_value_compares_by_what_it_means() -> None:
    one, other = "text/html; charset=utf-8", "TEXT/HTML;charset=UTF-8"
    assert parse_mimetype(one) != parse_mimetype(other)
    assert MediaType(one) != MediaType(other)
    assert len({ContentType.parse(one), ContentType.parse(other)}) == 1


# --- Negotiating --------------------------------------------------------------------------


def _of_django(accept: str, offers: Sequence[str]) -> str | None:
    if not django.conf.settings.configured:
        django.conf.settings.configure()
    request = HttpRequest()
    request.META["HTTP_ACCEPT"] = accept
    found = request.get_preferred_type(list(offers))
    return None if found is None else str(found)


def _of_us(accept: str, offers: Sequence[str]) -> str | None:
    types = {ContentType.parse(each): each for each in offers}
    found = best(accept, types)
    return types[found] if found else None


NEGOTIATORS: dict[str, Callable[[str, Sequence[str]], Any]] = {
    "werkzeug": lambda accept, offers: parse_accept_header(accept, MIMEAccept).best_match(offers),
    "Django": _of_django,
    "python-mimeparse": lambda accept, offers: mimeparse.best_match(offers, accept) or None,
    "cturi-rdf": _of_us,
}


@pytest.mark.parametrize(("row", "name", "said"), _table("Negotiation"))
def test_an_offer_is_chosen_as_the_page_says(row: str, name: str, said: str) -> None:
    accept, *offers = _quoted(row)
    if said == "error":
        with pytest.raises(mimeparse.MimeTypeParseException):
            NEGOTIATORS[name](accept, offers)
    else:
        chosen = {"none": None, "the first": offers[0], "the second": offers[1]}[said]
        assert NEGOTIATORS[name](accept, offers) == chosen


# --- Finding a parser ---------------------------------------------------------------------

EMPTY = {"Turtle": "", "JSON-LD": "{}"}
NAMES = {"turtle": "Turtle", "json-ld": "JSON-LD"}


@pytest.mark.parametrize(("row", "name", "said"), _table("RDF by its media type"))
def test_a_parser_is_found_as_the_page_says(row: str, name: str, said: str) -> None:
    (sent,) = _quoted(row)
    if name == "pyoxigraph":
        found = pyoxigraph.RdfFormat.from_media_type(sent)
        assert (found.name if found else "error") == said
    elif said == "error":
        with pytest.raises(Exception, match=r"No plugin registered|no format that rdflib"):
            Graph().parse(data="", format=sent if name == "rdflib" else rdflib_format(sent))
    else:
        form = sent if name == "rdflib" else rdflib_format(sent)
        assert len(Graph().parse(data=EMPTY[said], format=form)) == 0
        assert name == "rdflib" or NAMES[form] == said


@pytest.mark.parametrize("name", MEASURED["TABLES"])
def test_the_measured_tables_are_those_of_the_script(name: str) -> None:
    rows = list(MEASURED["TABLES"][name]())
    assert len(rows) >= 3
    assert [row for row in rows if f"| {' | '.join(row)} |\n" not in PAGE] == []
