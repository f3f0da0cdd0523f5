"""Parsing headers, against every parser of them that people use in Python."""

from __future__ import annotations

import csv
import json
import random
from email.message import Message
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import aiohttp.helpers
import multipart
import werkzeug.http
from django.utils.http import parse_header_parameters

from benchmarks.ratio import Limit, beside, in_turns, print_table
from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.content_type import value
from cturi_rdf.content_type.strict import read_plain_in_python
from cturi_rdf.content_type.value import _remembered as remembered

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["corpus", "main"]

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"
# Our own sample, in the proportions of the open web: a header and how often it occurs.
SAMPLE = {
    "image/jpeg": 5200, "image/png": 3000, "image/gif": 2000, "text/html; charset=UTF-8": 350,
    "application/javascript": 1300, "text/css": 700, "text/html; charset=utf-8": 330,
    "text/html": 340, "text/javascript; charset=utf-8": 160, "application/json": 90,
    "application/json; charset=utf-8": 60, "text/plain; charset=us-ascii; format=flowed": 12,
    'text/html;charset="iso-8859-1"': 80, "application/ld+json": 15, "image/svg+xml": 20,
    'application/ld+json; profile="http://www.w3.org/ns/json-ld#compacted"': 4,
    "application/atom+xml; type=entry; charset=utf-8": 6, "text/csv; header=present": 9,
    'multipart/form-data; boundary="----=_Part_1"': 11, "application/octet-stream": 60,
    "font/woff2": 70, 'video/mp4; codecs="avc1.42E01E, mp4a.40.2"': 9, "image/x-icon": 45,
}  # fmt: skip


def corpus() -> dict[str, int]:
    """Return headers with how often each occurs: those beside the project, and our sample.

    Only valid Content-Types are included: most peers accept anything.
    """
    counts = dict(SAMPLE)
    if CORPORA.is_dir():
        rows = (CORPORA / "http_samples_response_content_type.tsv").read_text("utf-8").splitlines()
        for row in rows[1:]:
            count, value = row.split("\t")
            counts[json.loads(value)] = counts.get(json.loads(value), 0) + int(count)
        crawl = CORPORA / "commoncrawl_CC-MAIN-2024-18_mimetypes.csv"
        with crawl.open(encoding="utf-8") as file:
            for line in csv.DictReader(file):
                counts.setdefault(line["mimetype"], 1)
    return {text: count for text, count in counts.items() if _is_content_type(text)}


def _is_content_type(text: str) -> bool:
    try:
        ContentType.parse(text)
    except ContentTypeError:
        return False
    return True


def _standard_library(text: str) -> tuple[str, object]:
    message = Message()
    message["Content-Type"] = text
    return message.get_content_type(), message.get_params()


# The functions that users call; aiohttp's has a small cache, so it is listed twice.
PEERS: dict[str, Callable[[str], object]] = {
    "multipart parse_options_header": multipart.parse_options_header,
    "werkzeug parse_options_header": werkzeug.http.parse_options_header,
    "aiohttp parse_mimetype, its cache cleared": aiohttp.helpers.parse_mimetype.__wrapped__,
    "aiohttp parse_mimetype": aiohttp.helpers.parse_mimetype,
    "django parse_header_parameters": parse_header_parameters,
    "email.message, standard library": _standard_library,
}
_OURS, _WERKZEUG = "cturi_rdf ContentType.parse", "werkzeug parse_options_header"


def main() -> list[Limit]:
    """Print the tables; return the target ratios."""
    counts = corpus()
    distinct = list(counts)
    occurring = [text for text, count in counts.items() for _ in range(count)]
    random.Random(7).shuffle(occurring)  # noqa: S311 - an order, no secret

    def each(parse: Callable[[str], object], texts: list[str]) -> Callable[[], object]:
        def task() -> None:
            for text in texts:
                parse(text)

        return task

    # Distinct headers, as a crawl has them: few types and few parameters, in many pairs.
    uncached = {name: peer for name, peer in PEERS.items() if name != "aiohttp parse_mimetype"}
    pairs = [text.partition(";") for text in distinct]
    tails = {tail for _, _, tail in pairs if tail}
    crawl = [f"{head};{tail}" for head in {head for head, _, _ in pairs} for tail in tails]
    crawl = [text for text in [*distinct, *crawl] if _is_content_type(text)]

    def from_nothing(texts: list[str]) -> Callable[[], object]:
        def task() -> None:
            remembered.cache_clear()
            each(ContentType.parse, texts)()

        return task

    limits = []
    for what, peers, texts, ours, wanted in (
        ("distinct headers, from nothing", uncached, distinct, from_nothing(distinct), 1.0),
        ("pairs of their types and parameters", uncached, crawl, from_nothing(crawl), 1.0),
        ("headers as they occur, from nothing", PEERS, occurring, from_nothing(occurring), 0.2),
        ("headers read before", PEERS, occurring, each(ContentType.parse, occurring), 0.1),
    ):
        tasks = {name: each(peer, texts) for name, peer in peers.items()} | {_OURS: ours}
        times = in_turns(tasks, rounds=max(9, 30_000 // len(texts)))
        fastest = min(times.keys() & (uncached.keys() - {_OURS}), key=times.__getitem__)
        print_table(what.capitalize(), times, len(texts), fastest)
        limits.append(Limit(f"{what}, against {fastest}", times[_OURS] / times[fastest], wanted))
    return [*limits, _in_python(each(PEERS[_WERKZEUG], distinct), from_nothing(distinct))]


def _in_python(werkzeug: Callable[[], object], ours: Callable[[], object]) -> Limit:
    """Read the distinct headers without the module in C, against the other reading in Python."""
    with patch.object(value, "read_plain", read_plain_in_python):
        time, other, ratio = beside(lambda: _often(ours), lambda: _often(werkzeug), 15)
    print_table("Distinct headers, without C", {_WERKZEUG: other, _OURS: time}, 1, _WERKZEUG)
    return Limit("distinct headers, without C, against werkzeug", ratio, 1.0)


def _often(task: Callable[[], object]) -> None:
    for _ in range(50):
        task()
