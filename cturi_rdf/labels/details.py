"""What a label says beyond the formats, packages and services that it means.

A version, a separator, a language, a year, a source or an unknown word is a detail, which is lost
where a type takes the place of the label.  Words such as "file" or "download" say nothing more.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from cturi_rdf.labels.candidates import all_candidates
from cturi_rdf.labels.grammar import without_sources
from cturi_rdf.labels.media_types import typed
from cturi_rdf.labels.names import name_key, names
from cturi_rdf.labels.resolver import identified, of_node, plain
from cturi_rdf.registry.charsets import charset_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.labels.candidates import Candidate
    from cturi_rdf.labels.resolution import Resolution

_NAMES = frozenset({"format", "archive", "package"})
_SAY_MORE = frozenset({"word", "qualifier", "thing", "untyped", "service"})
# Where a name may end before the rest of a longer one, as in "PDF/A-1b" and "HTML5".
_ENDS = re.compile(r"[\s/_+-]+|(?<=[a-zA-Z])(?=[0-9.]+[a-zA-Z]?\b)")
_NUMBERS = re.compile("[0-9]+")


@lru_cache(8_192)
def details(
    label: str, meaning: Resolution, stated: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Return the parts of a label that say more than its meaning, in their order.

    A character set is one only if the type does not have it.  `stated` are the keys of names that
    are said beside the type.

    >>> from cturi_rdf.labels import resolve
    >>> for label in ("CSV, Trennzeichen: Semikolon", "GML 3.2 file", "CSV-Datei (UTF-8)"):
    ...     print(details(label, resolve(label)))
    ('Trennzeichen: Semikolon',)
    ('3.2',)
    ()
    """
    text = plain(label)
    if (
        not (meaning.named or meaning.verdict == "service")
        or of_node(label.strip())
        or identified(text)
        or typed(text)
    ):
        # Of what means nothing there is no rest; that of an identifier says nothing, and a type
        # has its parameters.
        return ()
    whole = names().exact(text)
    if whole and _essences(whole) == _essences(meaning):
        return tuple(_of_name(text, whole, stated))
    sequence = all_candidates(text)
    named = [one for one in sequence if one.kind != "noise"]
    kept = without_sources(named)
    meant = {one for one in kept if _is_meant(one, meaning)}
    # "CSV (Latin-1)" names the character set of its type.
    charsets = {one.parameters.get("charset", "") for one in meaning.types}
    meant.update(one for one in sequence if charset_of(one.text) in charsets)
    sources = {one for one in named if one.kind != "from"}.difference(kept)
    parts: list[str] = []
    for (is_meant, _), group in groupby(sequence, lambda one: (one in meant, one.depth)):
        run = list(group)
        part = text[run[0].start : run[-1].end]
        if is_meant:
            for one in run:
                parts += _of_name(one.text, one.meaning, stated) if one.meaning else ()
        elif any(one in sources or _says_more(one, len(run)) for one in run) or _has_number(part):
            parts.append(part.strip(" :"))
    return tuple(parts)


def _essences(meaning: Resolution) -> list[str]:
    return [one.essence for one in (*meaning.types, *meaning.wrappers)]


def _is_meant(one: Candidate, meaning: Resolution) -> bool:
    """Return whether a candidate is part of the meaning, or a mark between two that are."""
    if one.kind == "service":
        return meaning.verdict == "service"
    if one.meaning is None and "detail" in one.words:
        # "7z (LZMA2)" says how, not in what it is packed.
        return False
    is_family = one.kind == "untyped" and bool(one.meaning and one.meaning.alternatives)
    return one.kind in _NAMES or is_family or (one.kind == "list" and one.sign != ":")


def _says_more(one: Candidate, size: int) -> bool:
    """Return whether a candidate beside the names, in a run of this size, is a detail."""
    if one.kind in _SAY_MORE or "detail" in one.words:
        return "template" not in one.words
    # "en" is a word of several languages, and the code of one, as in "CSV (en)".
    is_code = one.words.isdisjoint({"noise", "kind"}) or (size == 1 and one.depth > 0)
    return "aside" in one.words and is_code


def _has_number(part: str) -> bool:
    return any(map(str.isdigit, part))


def _of_name(text: str, named: Resolution, stated: frozenset[str]) -> Iterator[str]:
    """Yield what a name says beyond its type: all of "CityGML", the version of "GML 3.2"."""
    name, key = names().find(text), name_key(text)
    if key in stated:
        return
    if name and "detail" in name.kinds:
        yield text
        return
    # The first name of a format says what its type says, as in "MARC 21".
    is_first = name is not None and name.format is not None and name_key(name.format.name) == key
    if is_first or any(key in name_key(essence) for essence in _essences(named)):
        return
    for end in _ENDS.finditer(text):
        first, rest = text[: end.start()], text[end.end() :]
        if any(map(str.isdigit, first)):
            # In "Excel 97-2003" the version chooses the type.
            return
        shorter = names().trusted(first)
        if shorter and _essences(shorter) == _essences(named) and shorter.confidence == "certain":
            other = names().trusted(rest)
            if other and _essences(other) == _essences(named):
                # "Arc/Info export E00" has two names of one format.
                return
            is_part = "/" in end[0] and other is None
            # "SQL Lite 3" says no more than vnd.sqlite3.
            numbers = set(_NUMBERS.findall(" ".join(_essences(named))))
            is_version = not numbers.issuperset(_NUMBERS.findall(rest))
            if is_part or is_version:
                yield rest
            return
