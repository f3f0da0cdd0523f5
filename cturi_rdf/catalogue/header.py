"""The header of a resource: how its bytes are sent, by the judgement of what it is.

Headers are shown as tables, with remarks on things that a table does not show.
"""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf._util.display import Displayed, LazyRows, Table, Tabular, counted
from cturi_rdf.catalogue.evidence import (
    LINKS,
    Evidence,
    is_file,
    name_in_url,
    readings_of,
    url_reading,
)
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.catalogue.report import NO_TYPES
from cturi_rdf.errors import visible
from cturi_rdf.rdf.terms import CTV, DCTERMS, DOWNLOAD_URLS, NAMELESS
from cturi_rdf.reading.errors import called
from cturi_rdf.reading.terms import relative
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cturi_rdf.catalogue.judgement import Judgement, Outcome
    from cturi_rdf.catalogue.server_formats import LeftOut
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels import Resolution
    from cturi_rdf.labels.resolution import Confidence


_COLUMNS = ("resource", "content type", "contains", "verdict", "conflicts", "evidence")


class Sent(NamedTuple):
    """How bytes are sent.

    `content_type` is the header, or None where there is not just one.  `contains` has the types
    inside a wrapper, or the several types that the resource has.  `content_encoding` is the content
    coding by which a server may send what is inside instead (RFC 9110 section 8.4).
    """

    content_type: ContentType | None
    contains: tuple[ContentType, ...]
    content_encoding: str | None


def sent(judgement: Judgement) -> Sent:
    """Return how a resource is sent: as its outermost wrapper, or without one as its content.

    >>> from cturi_rdf.labels import resolve
    >>> header = sent_as(resolve("csv.gz"))
    >>> print(header.content_type, "with", *header.contains)
    application/gzip with text/csv
    """
    contents, wrappers = judgement.contents, judgement.wrappers
    if judgement.outcome != "one":
        return Sent(None, contents if judgement.outcome == "several" else (), None)
    if not wrappers:
        return Sent(contents[0], (), None)
    # A client that undoes a content coding gets what is directly inside: that has to be the
    # content, not a package around it.
    unwrapped = wrappers[1:2] or contents
    inside = contents or unwrapped
    is_coding = len(unwrapped) == 1 and unwrapped == inside
    coding = registry().content_coding(wrappers[0].essence) if is_coding else None
    return Sent(wrappers[0], inside, coding)


def sent_as(resolution: Resolution, path: str = DCTERMS.format.value) -> Sent:
    """Return how a file is sent that has only this label, on a property."""
    return sent(judge([Evidence(path, resolution.label, readings_of(resolution))]))


class Header(Displayed):
    """How a resource is sent, as far as the statements about it agree.

    `content_type` is the header, or None; `contains` has the types inside a wrapper, or the several
    types that the resource has; `content_encoding` is the content coding under which a server may
    send what is inside (RFC 9110 section 8.4).  `verdict` is ``one``, ``several``, ``conflict``, or
    ``none`` where there are only links that lead to no content type; `conflicts` lists the types
    that contradict each other, in the order of their names.  `evidence` lists the statements that
    were read, `broken` the links that lead to no content type, `unread` the labels that are not
    understood.  `confidence` is ``likely`` where the certain statements alone would not give the
    same header, or where a label is not understood.

    `resource` is an IRI or the name of a blank node; for a graph of rdflib it is the node.  `name`
    is the resource, or for a blank node its URL or else its title, if any.  `urls` are the
    addresses that the bytes are downloaded from, if these were asked for.
    """

    def __init__(
        self, resource: object, name: object, evidence: Iterable[Evidence], *, by_url: bool = False
    ) -> None:
        """Take the evidence; with `by_url` the file names in the URLs count as well."""
        self.resource = resource
        self.name = name
        evidence = list(evidence)
        paths = {one.path for one in evidence}
        best = next((path for path in DOWNLOAD_URLS if path in paths), "")
        if by_url and not best and any(map(is_file, evidence)):
            best = DOWNLOAD_URLS[0]
            evidence.append(Evidence(best, str(name)))
        self.urls = tuple(sorted({one.text for one in evidence if one.path == best}))
        judgement = judge(evidence, by_url=by_url)
        self.evidence = [one for one in judgement.evidence if one.names_types]
        self._guessed = [
            (one.text, _joined(reading.contents))
            for one, reading in zip(judgement.evidence, judgement.chosen, strict=True)
            if reading and reading.contents and reading.confidence == "likely"
        ]
        self.broken = [one.text for one in evidence if one.path in LINKS and not one.names_types]
        self.unread = [one.text for one in judgement.evidence if one.is_unread]
        self.content_type, self.contains, self.content_encoding = sent(judgement)
        self.verdict: Outcome = judgement.outcome
        self.conflicts = list(judgement.conflicts)
        self.confidence: Confidence = judgement.confidence
        stated = sent(
            judge(
                one._replace(path=DCTERMS.format.value)
                for one in judgement.evidence
                if one.path == CTV.servedAs.value
            )
        ).content_type
        if stated and stated != self.content_type:
            self.content_type, self.verdict, self.conflicts = stated, "one", []
            self.confidence = "certain"

    def as_dict(self) -> dict[str, Any]:
        """Return the header for JSON, as `cturi headers --json` prints it."""
        return {
            "resource": relative(str(self.name)),
            "content_type": str(self.content_type) if self.content_type else None,
            "contains": [str(content) for content in self.contains],
            "content_encoding": self.content_encoding,
            "verdict": self.verdict,
            "confidence": self.confidence,
            "conflicts": [str(conflict) for conflict in self.conflicts],
            "broken": self.broken,
            "by_name": str(self.by_name) if self.by_name else None,
            "evidence": [
                {
                    "property": evidence.path,
                    "label": evidence.text,
                    "content_types": [str(content_type) for content_type in evidence.content_types],
                    "outer": str(evidence.wrappers[0]) if evidence.wrappers else None,
                    "wrappers": [str(wrapper) for wrapper in evidence.wrappers],
                    "confidence": evidence.confidence,
                }
                for evidence in self.evidence
            ],
        }

    @property
    def guesses(self) -> list[tuple[str, str]]:
        """The labels that a likely header rests on, each with its types."""
        if self.confidence == "certain" or not self.content_type:
            return []
        return self._guessed

    @property
    def by_name(self) -> ContentType | None:
        """The first header of `misnamed`, or None."""
        return next((asked for _, asked in self.misnamed), None)

    @property
    def misnamed(self) -> list[tuple[str, ContentType]]:
        """The URLs whose file names contradict the evidence, and the headers that they ask for.

        A package or compression that no label names contradicts them too: the labels tell what is
        inside, and a server that sends that type sends the wrong one.
        """
        asked = ((url, self._against(url)) for url in self.urls)
        return [(url, content_type) for url, content_type in asked if content_type]

    def _against(self, url: str) -> ContentType | None:
        """Return the header that a file name asks for, if the evidence speaks against it."""
        reading = url_reading(url)
        if reading is None or self.verdict == "conflict" or not self.evidence:
            return None
        path, certain = DCTERMS.format.value, reading._replace(confidence="certain")
        named = Evidence(path, name_in_url(url), (certain,))
        asked, both = sent(judge([named])).content_type, judge([*self.evidence, named])
        if both.conflicts:
            return None if asked == self.content_type else asked
        header = sent(both).content_type
        is_wrapped = header is not None and registry().packaging(header.essence)
        return header if is_wrapped and header != self.content_type else None

    def as_table(self) -> Table:
        """Return the header and its evidence as a table of one row."""
        evidence = list(dict.fromkeys(statement.text for statement in self.evidence))
        from rdflib import BNode

        name = f"_:{self.name}" if isinstance(self.name, BNode) else relative(str(self.name))
        row = (name, self.content_type, self.contains, self.verdict, self.conflicts, evidence)
        return Table("", _COLUMNS, [row])

    def __repr__(self) -> str:
        types = self.conflicts or self.contains
        text = self.content_type or " or ".join(map(str, types)) or "no content type"
        return f"<Header of {self.name}: {text}>"


class Headers(list[Header], Tabular):
    """A list of headers, which shows itself as a table.

    `prefixes` has the prefixes that IRIs are shown with, by their namespaces.
    """

    def __init__(self, headers: Iterable[Header], prefixes: Mapping[str, str]) -> None:
        super().__init__(headers)
        self.prefixes = prefixes

    def as_table(self) -> Table:
        """Return a row for each header."""
        rows = LazyRows(len(self), lambda index: self[index].as_table().rows[0])
        return Table(counted(len(self), "resource"), _COLUMNS, rows, self.prefixes)


_OF_CSV = (
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
    yield ",".join(_OF_CSV)
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
        self.resources = 0
        # The number of resources without a header by what they have instead, and the first.
        self._without: dict[str, tuple[int, str]] = {}
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
        elif header.verdict in {"several", "none"}:
            several = header.verdict == "several"
            kind = "of several types" if several else "with a link to no content type"
            named = name if several else f"{header.broken[0]} of {name}"
            count, first = self._without.get(kind, (0, visible(named)))
            self._without[kind] = count + number, first

    def leave_out(self, left_out: Iterable[LeftOut]) -> None:
        """Count the files that a configuration of a server does not have."""
        for url, reason in left_out:
            self._left_out.setdefault(reason, []).append(url)

    def __str__(self) -> str:
        lines = []
        if not self.resources:
            lines.append(f"{self._source}: no headers\n{NO_TYPES}")
        if self._conflicts:
            total = sum(count for count, _ in self._conflicts.values())
            lines.append(f"{self._source}: {counted(total, 'resource')} with labels that disagree")
            for types, (count, first) in sorted(self._conflicts.items(), key=_commonest_first):
                against = " against ".join(map(str, types))
                others = f" and {count - 1} more" if count > 1 else ""
                lines.append(f"  {against}: {visible(relative(first))}{others}")
        for kind, (count, first) in sorted(self._without.items()):
            lines.append(f"{self._source}: {counted(count, 'resource')} {kind}, such as {first}")
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
