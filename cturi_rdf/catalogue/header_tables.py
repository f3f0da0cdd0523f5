"""Headers as tables, and remarks on things that a table does not show."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING

from cturi_rdf._util.display import counted
from cturi_rdf.catalogue.report import NO_LABELS
from cturi_rdf.errors import visible
from cturi_rdf.rdf.terms import NAMELESS
from cturi_rdf.reading.errors import called
from cturi_rdf.reading.terms import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.catalogue.header import Header
    from cturi_rdf.catalogue.server_formats import LeftOut
    from cturi_rdf.content_type import ContentType


_COLUMNS = (
    "resource",
    "content_type",
    "contains",
    "content_encoding",
    "verdict",
    "conflicts",
    "url",
    "confidence",
)


# How many guessed labels the remarks list.
_SHOWN = 10


def _tsv(headers: Iterable[Header]) -> Iterator[str]:
    for header in headers:
        if header.content_type:
            yield f"{visible(relative(str(header.name)))}\t{header.content_type}"


def _csv(headers: Iterable[Header]) -> Iterator[str]:
    """Yield a row per resource; a cell that a spreadsheet would run begins with an apostrophe."""
    yield ",".join(_COLUMNS)
    for header in headers:
        row = [
            relative(str(header.name)),
            str(header.content_type or ""),
            _joined(header.contains),
            header.content_encoding or "",
            header.verdict,
            _joined(header.conflicts),
            " | ".join(map(relative, header.urls)),
            header.confidence,
        ]
        yield csv_row(map(visible, row))


def _joined(types: Iterable[ContentType]) -> str:
    return " | ".join(map(str, types))


def _json(headers: Iterable[Header]) -> Iterator[str]:
    for header in headers:
        yield json.dumps(header.as_dict(), ensure_ascii=False)


TABLES: dict[str, Callable[[Iterable[Header]], Iterator[str]]] = {
    "tsv": _tsv,
    "csv": _csv,
    "json": _json,
}


class Remarks:
    """Counts the things that a table of headers does not show; its text is for standard error."""

    def __init__(self, source: str, *, by_url: bool = False) -> None:
        self._source = called(source)
        self._by_url = by_url
        self.resources = self._several = self._broken = 0
        self._first_several = self._first_broken = ""
        self._conflicts: dict[tuple[ContentType, ...], tuple[int, str]] = {}
        self.guesses: dict[str, str] = {}
        self._misnamed: list[str] = []
        self._left_out: dict[str, list[str]] = {}

    def counted(self, headers: Iterable[Header]) -> Iterator[Header]:
        """Yield headers, and count them."""
        for header in headers:
            self.resources += 1
            self.note(header)
            self.guesses.update(header.guesses)
            for url, asked in header.misnamed if self._by_url else ():
                labelled = header.content_type or _joined(header.contains)
                self._misnamed.append(
                    f"{relative(str(header.name))}: {labelled}, but the name in"
                    f" {relative(url)} says {asked}"
                )
            yield header

    def note(self, header: Header, number: int = 1) -> None:
        """Count resources with the same evidence, of which this is the first, without a header."""
        name = relative(str(header.name))
        if name == NAMELESS:
            name = "one without a name"
        if header.conflicts:
            count, first = self._conflicts.get(tuple(header.conflicts), (0, name))
            self._conflicts[tuple(header.conflicts)] = count + number, first
        elif header.verdict == "several":
            self._several += number
            self._first_several = self._first_several or visible(name)
        elif header.verdict == "none":
            self._broken += number
            self._first_broken = self._first_broken or f"{header.broken[0]} of {name}"

    def leave_out(self, left_out: Iterable[LeftOut]) -> None:
        """Count the files that a configuration of a server does not have."""
        for url, reason in left_out:
            self._left_out.setdefault(reason, []).append(url)

    def __str__(self) -> str:
        lines = []
        if not self.resources:
            lines.append(f"{self._source}: no headers\n{NO_LABELS}")
        if self._conflicts:
            total = sum(count for count, _ in self._conflicts.values())
            lines.append(f"{self._source}: {counted(total, 'resource')} with labels that disagree")
            for types, (count, first) in sorted(self._conflicts.items(), key=_commonest_first):
                against = " against ".join(map(str, types))
                others = f" and {count - 1} more" if count > 1 else ""
                lines.append(f"  {against}: {visible(relative(first))}{others}")
        if self._several:
            number = counted(self._several, "resource")
            lines.append(
                f"{self._source}: {number} of several types, such as {self._first_several}"
            )
        if self._broken:
            number = counted(self._broken, "resource")
            first = visible(self._first_broken)
            lines.append(
                f"{self._source}: {number} with a link to no content type, such as {first}"
            )
        if self.guesses:
            lines.append(f"{self._source}: {counted(len(self.guesses), 'label')} guessed")
            shown = list(self.guesses.items())[:_SHOWN]
            lines += (f"  {visible(label)!r}: {types}" for label, types in shown)
            if len(self.guesses) > _SHOWN:
                lines.append(f"  and {len(self.guesses) - _SHOWN} more: all with --json")
        if self._misnamed:
            number = counted(len(self._misnamed), "file")
            lines.append(f"{self._source}: {number} whose name says another type")
            lines += (f"  {visible(line)}" for line in self._misnamed)
        for reason, urls in sorted(self._left_out.items(), key=lambda item: -len(item[1])):
            number, first = counted(len(urls), "file"), visible(urls[0])
            lines.append(f"{self._source}: {number} left out, such as {first}: {visible(reason)}")
        return "".join(f"{line}\n" for line in lines)


def _commonest_first(item: tuple[tuple[ContentType, ...], tuple[int, str]]) -> tuple[int, str]:
    types, (count, _) = item
    return -count, _joined(types)


# Beginnings of cells that a spreadsheet takes for formulas (OWASP, CSV Injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"


def csv_row(cells: Iterable[str]) -> str:
    r"""Return a line of CSV (RFC 4180) without its end.

    A cell that a spreadsheet would run as a formula begins with an apostrophe; a number stays
    a number.

    >>> csv_row(["a,b", "=1+1", "-5", "@SUM(1)"])
    '"a,b",\'=1+1,-5,\'@SUM(1)'
    """
    file = io.StringIO()
    csv.writer(file).writerow([_as_text(cell) for cell in cells])
    return file.getvalue().removesuffix("\r\n")


def _as_text(cell: str) -> str:
    return "'" + cell if cell.startswith(_FORMULA) and not re.fullmatch(_NUMBER, cell) else cell
