"""Resources of a large file of lines that say the same of their types, so that few are judged.

A dump has millions of resources and some thousand combinations of labels.  The verdicts on a
resource depend on what is stated of it, not on its name; so of those whose statements are alike the
first ten are judged, and the tenth stands for all that follow: what is found in it is counted as
often, and their lines are edited like the tenth's lines.

A resource can have others alike only where everything that it is judged by is in its own lines, and
these stand together: none of its labels is a blank node, and no other part has to do with it.  A
dataset is left out only together with its distributions.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.catalogue.evidence import BESIDE, url_reading
from cturi_rdf.catalogue.profiles import profile_named, profile_names
from cturi_rdf.catalogue.resources import KINDS, PRESENT
from cturi_rdf.editing.edit import Edit
from cturi_rdf.rdf.terms import CTV, DOWNLOAD_URLS, FILES, checked_properties
from cturi_rdf.reading.ntriples import Run, object_of

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Sequence

    from cturi_rdf.reading.ntriples import Row


# So many resources of a kind are judged.
JUDGED = 10
# So many kinds are told apart; resources of others are all judged.
_MOST = 100_000
DISTRIBUTION = b"<http://www.w3.org/ns/dcat#distribution>"
_URLS = frozenset(f"<{iri}>".encode() for iri in DOWNLOAD_URLS)
# The IRI of a file is its URL.
_FILES = tuple(str(one).encode() for one in FILES)
# The statements of these, besides labels, are judged by being there, whatever their value is.
_PRESENT = frozenset(
    str(path).encode() for path, kind in KINDS.items() if kind in PRESENT or kind == "distribution"
)
_OTHERS = (
    CTV.conflictingType,
    CTV.contentTypeHeader,
    CTV.parameter,
    CTV.parameterName,
    CTV.parameterValue,
)


_subject = itemgetter(0)


# The lines of a resource, and its kind.
RunOfKind = tuple[Run, int]


class _LineEdit(NamedTuple):
    """An edit of a line of one resource, to be made in the same line of others.

    The lines differ in their subject, and some in their value, so the edit is placed by the bytes
    from its `start` and its `end` to the end of the line; None is the start of the line.  A text
    that `is_line` lacks its subject.
    """

    start: int | None
    end: int
    text: bytes
    is_line: bool


class AlikeInPart(NamedTuple):
    """How many resources some of a part stand for, their lines, and those of the left out."""

    weights: dict[str, int]
    models: list[RunOfKind]
    others: list[RunOfKind]


def judged_properties() -> frozenset[bytes]:
    """Return the properties whose statements a resource may be judged by, as in lines."""
    profiles = (profile_named(name).properties for name in profile_names())
    paths = (
        *checked_properties(),
        *KINDS,
        *BESIDE,
        *_OTHERS,
        *(one for p in profiles for one in p),
    )
    return frozenset(str(path).encode() for path in paths)


class Alike:
    """The kinds of resources in a file: how many there are of each, and how many were judged.

    A resource is judged by its statements with the properties `judged`, which may become more as
    properties are met.
    """

    def __init__(self, judged: Collection[bytes]) -> None:
        self._judged = judged
        self._totals: dict[int, int] = {}
        self._met: dict[int, int] = {}
        # The edits of the tenth resource of a kind, each with the number of its line.
        self._edited: dict[int, list[tuple[int, _LineEdit]]] = {}

    def kinds(self, rows: Sequence[Row], alone: Container[bytes]) -> Iterator[int]:
        """Yield the kind of each resource in some lines; 0 for one that can have none alike.

        Those that are `alone` have none.
        """
        judged = self._judged
        for subject, statements in groupby(rows, _subject):
            own: list[object] = [subject[:1]]
            for _, path, rest in statements:
                if path not in judged:
                    own.append(None)
                elif path in _PRESENT:
                    own.append(path)
                elif path in _URLS:
                    own += (path, _ending(rest))
                else:
                    own += (path, rest)
                    if rest.startswith(_FILES):
                        own.append(_ending(subject))
            yield 0 if subject in alone or b"\\" in subject else hash(tuple(own))

    def count(self, kinds: Iterable[int]) -> None:
        """Count the kinds of some resources."""
        totals = self._totals
        for kind in kinds:
            if kind and (kind in totals or len(totals) < _MOST):
                totals[kind] = totals.get(kind, 0) + 1

    def end(self) -> None:
        """Forget the kinds of few resources, once all parts have been counted."""
        self._met = {kind: 0 for kind, number in self._totals.items() if number > JUDGED}
        self._totals = {kind: self._totals[kind] for kind in self._met}

    def sorted_out(self, runs: Sequence[Run], kinds: Iterable[int]) -> AlikeInPart:
        """Return the resources of the next part that stand for others, and those left out."""
        in_part = AlikeInPart({}, [], [])
        for run, kind in zip(runs, kinds, strict=True):
            met = self._met.get(kind)
            if met is None:
                continue
            self._met[kind] = met + 1
            if met >= JUDGED:
                in_part.others.append((run, kind))
            elif met == JUDGED - 1:
                in_part.models.append((run, kind))
                in_part.weights[run[0].decode()] = self._totals[kind] - met
        return in_part

    def learn(self, text: bytes, models: Iterable[RunOfKind], edits: Sequence[Edit]) -> None:
        """Remember the edits of the lines of the resources that stand for others."""
        by_line: dict[int, list[Edit]] = {}
        for edit in edits:
            start = text.rfind(b"\n", 0, edit.start if edit.end > edit.start else edit.start - 1)
            by_line.setdefault(start + 1, []).append(edit)
        for (subject, first, last), kind in models:
            begins = b"%b " % subject
            lengths = map(len, text[first:last].splitlines(keepends=True))
            self._edited[kind] = [
                (
                    number,
                    _LineEdit(
                        None if edit.start == start else end - edit.start,
                        end - edit.end,
                        edit.text.removeprefix(begins),
                        is_line=edit.text.startswith(begins),
                    ),
                )
                for number, (start, end) in enumerate(pairwise(accumulate(lengths, initial=first)))
                for edit in by_line.get(start, ())
            ]

    def edits(self, text: bytes, alike: Iterable[RunOfKind]) -> Iterator[Edit]:
        """Yield the edits of the lines of resources that were not judged."""
        for (subject, start, end), kind in alike:
            if edited := self._edited.get(kind):
                begins, lines = b"%b " % subject, text[start:end].splitlines(keepends=True)
                for number, (first, last, new, is_line) in edited:
                    line = lines[number]
                    head = b"" if first is None else line[: len(line) - first]
                    tail = line[len(line) - last :]
                    lines[number] = head + (begins if is_line else b"") + new + tail
                yield Edit(start, end, b"".join(lines))


def _ending(rest: bytes) -> object:
    """Return what the name of a file in a URL says of its type."""
    url = rest[1 : rest.index(b">")] if rest.startswith(b"<") else object_of(rest)
    name = url.partition(b"?")[0].partition(b"#")[0].rpartition(b"/")[2]
    return _reading(b".".join(name.rsplit(b".", 2)[1:]))


@lru_cache(1 << 12)
def node_of(rest: bytes) -> bytes:
    """Return the object of a row, which is mostly one of few; of a triple term its subject."""
    return object_of(rest.removeprefix(b"<<(").lstrip())


@lru_cache(1 << 12)
def _reading(extensions: bytes) -> object:
    return url_reading(f"http://a.example/x.{extensions.decode()}") if extensions else None
