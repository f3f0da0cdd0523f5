"""Run the conformance table of negotiation on this package and on its peers, side by side.

Without arguments it prints how many rows each gets right; with ``--rows`` all answers to each
row on which they differ.  A peer that is not installed is left out.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf.negotiation import best

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Choose = Callable[[str | None, Sequence[str]], str | None]

TABLE = Path(__file__).parents[1] / "docs" / "_static" / "negotiation.json"


class Row(NamedTuple):
    """One row of the table: its source, the request, the offers, and the right choice."""

    id: int
    rule: str
    accept: str | None
    offers: list[str]
    expected: str | None

    @property
    def by_rfc_9110(self) -> bool:
        """Whether the RFC alone decides the row."""
        return self.rule.startswith("RFC 9110")


ROWS = [Row(**row) for row in json.loads(TABLE.read_text("utf-8"))["rows"]]


def _of_werkzeug() -> Choose:
    http, structures = map(importlib.import_module, ("werkzeug.http", "werkzeug.datastructures"))

    def choose(accept: str | None, offers: Sequence[str]) -> Any:
        return http.parse_accept_header(accept, structures.MIMEAccept).best_match(offers)

    return choose


def _of_django() -> Choose:
    conf, http = map(importlib.import_module, ("django.conf", "django.http"))
    if not conf.settings.configured:
        conf.settings.configure()

    def choose(accept: str | None, offers: Sequence[str]) -> str | None:
        request = http.HttpRequest()
        if accept is not None:
            request.META["HTTP_ACCEPT"] = accept
        found = request.get_preferred_type(list(offers))
        return None if found is None else str(found)

    return choose


def _of_mimeparse() -> Choose:
    mimeparse = importlib.import_module("mimeparse")

    # It takes the last of several headers, and no request without a header.
    def choose(accept: str | None, offers: Sequence[str]) -> Any:
        return mimeparse.best_match(offers[::-1], accept or "*/*") or None

    return choose


def _of_rdflib_endpoint() -> Choose:
    ordered = importlib.import_module("rdflib_endpoint.utils").parse_accept_header

    # As its endpoint does: the first type that it has, compared letter by letter, else its default.
    def choose(accept: str | None, offers: Sequence[str]) -> str | None:
        wanted = ordered(offers[0] if accept is None else accept)
        return next((offer for offer in wanted if offer in offers), offers[0])

    return choose


_PEERS = {
    "werkzeug": _of_werkzeug,
    "Django": _of_django,
    "python-mimeparse": _of_mimeparse,
    "rdflib-endpoint": _of_rdflib_endpoint,
}


def choosers() -> dict[str, Choose]:
    """Return the functions that choose an offer, for all installed packages."""
    found: dict[str, Choose] = {"cturi-rdf": best}
    for name, load in _PEERS.items():
        try:
            found[name] = load()
        except ImportError:
            continue
    return found


def answer(choose: Choose, row: Row) -> str | None:
    """Return the offer that is chosen, "error" where the choice raises one, or None."""
    try:
        return choose(row.accept, row.offers)
    except Exception:  # noqa: BLE001 - whatever a peer raises over a header
        return "error"


def line(name: str, choose: Choose) -> str:
    """Return the line of the page: how many rows of each kind a package gets right."""
    right = [row for row in ROWS if answer(choose, row) == row.expected]
    rfc = [row for row in ROWS if row.by_rfc_9110]
    strict = sum(row.by_rfc_9110 for row in right)
    return (
        f"| {name} | {len(right)} of {len(ROWS)} | {strict} of {len(rfc)} |"
        f" {len(right) - strict} of {len(ROWS) - len(rfc)} |"
    )


def main() -> None:
    """Print the comparison."""
    everybody = choosers()
    if "--rows" in sys.argv:
        for row in ROWS:
            answers = {name: answer(choose, row) for name, choose in everybody.items()}
            if len({*answers.values()}) > 1:
                print(f"{row.id}. {row.rule}\n    Accept: {row.accept}\n    {row.offers}")
                for name, chosen in answers.items():
                    mark = "=" if chosen == row.expected else "!"
                    print(f"    {mark} {name:18} {chosen}")
        return
    for name, choose in everybody.items():
        print(line(name, choose))


if __name__ == "__main__":
    main()
