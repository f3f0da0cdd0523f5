"""The header of a resource: how its bytes are sent, by the judgement of what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf._util.display import Displayed, LazyRows, Table, Tabular, counted
from cturi_rdf.catalogue.evidence import (
    LINKS,
    Evidence,
    is_file,
    readings_of,
    url_reading,
)
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.rdf.terms import CTV, DCTERMS, DOWNLOAD_URLS
from cturi_rdf.reading.terms import relative
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cturi_rdf.catalogue.judgement import Judgement, Outcome
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

    __slots__ = (
        "_guessed", "broken", "confidence", "conflicts", "contains", "content_encoding",
        "content_type", "evidence", "name", "resource", "unread", "urls", "verdict",
    )  # fmt: skip

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
            (one.text, " | ".join(map(str, reading.contents)))
            for one, reading in zip(judgement.evidence, judgement.chosen, strict=True)
            if reading and reading.contents and reading.confidence == "likely"
        ]
        self.broken = [one.text for one in evidence if one.path in LINKS and not one.names_types]
        self.unread = [one.text for one in judgement.evidence if one.is_unread]
        header = sent(judgement)
        self.content_type = header.content_type
        self.contains = header.contains
        self.content_encoding = header.content_encoding
        self.verdict: Outcome = judgement.outcome
        self.conflicts = list(judgement.conflicts)
        self.confidence: Confidence = judgement.confidence
        stated = sent(
            judge(
                one._replace(path=DCTERMS.format.value)
                for one in evidence
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
        named = Evidence(DCTERMS.format.value, url, (reading._replace(confidence="certain"),))
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
