"""The second pass over a label: what its candidates say together.

Some candidates are left out first: a format that a noun makes another thing ("Shapefile
metadata"), a source or purpose ("via FTP"), what surrounds a format, and services in a list that
has formats too.  Then the signature of the label, with one character a candidate, is matched
against `PATTERNS`; the first pattern that matches says how the rest is read.

The answer is certain only if nothing is left over: no unknown word, no qualifier, no format without
a type, no second package to choose from, and no two formats side by side without a mark.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.labels.candidates import all_candidates
from cturi_rdf.labels.combining import (
    NOUNS,
    joined,
    nested,
    of_kind,
    of_medium,
    of_nouns,
    of_program,
    of_template,
    packers,
)
from cturi_rdf.labels.names import names
from cturi_rdf.labels.resolution import Resolution, nothing, one_or_more, one_type, packed, service
from cturi_rdf.registry.tables import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cturi_rdf.labels.candidates import Candidate

# A text with more unknown words is about something else.
_MOST_UNKNOWN = 12
# The characters of a signature.
_KINDS = {
    "format": "F", "package": "P", "service": "S", "untyped": "U", "transport": "T",
    "word": "W", "qualifier": "W", "thing": "W",
}  # fmt: skip
_PACKED_SOMEHOW = "Q"
_MARKS = {"and": "&", "&": "&", "|": "|", "/": "/", "+": "+", ":": ":"}
_COMMA = ","
_MARK = "[,|/+&:]"
_NAMES = ("format", "archive", "service", "untyped", "transport")
_PROGRAMS = frozenset({"application", "database"})
_NAMED = (*_NAMES, "package", "thing")
# Letters that are not Latin; the Vietnamese ones between them are.
_OTHER_SCRIPTS = r"[\u0370-\u1dff\u2c00-\ud7ff]"
_WORDS = frozenset({"word", "qualifier", "thing"})
_LEFT_OVER = _WORDS | {"untyped"}
_BESIDE_GUESSES = _LEFT_OVER | {"transport"}


class Pattern(NamedTuple):
    """A pattern of signatures, how it is read, and the rule in words with an example.

    In a signature ``F`` is a format, ``P`` a package, ``Q`` a word like "compressed", ``S`` a
    service, ``T`` what surrounds a format, such as "http", ``U`` a format without a type, ``W`` any
    other word; commas, ``|``, ``/``, ``+``, ``&`` (also for "and") and ``:`` separate, and brackets
    are brackets.  ``W`` and ``T`` are left out where there is a format or a service.
    """

    pattern: str
    reading: str
    rule: str
    example: str

    def matches(self, outline: str) -> bool:
        """Return whether a signature is of this pattern."""
        return re.fullmatch(self.pattern, outline) is not None


def composed(label: str) -> Resolution | None:
    """Return the meaning of a label from its candidates, or None where they name nothing.

    >>> composed("Zipped CSV").outer
    ContentType.parse('application/zip')
    >>> list(map(str, composed("XML, CSV and HTML").types))
    ['application/xml', 'text/csv', 'text/html']
    >>> composed("GML over WFS").verdict, composed("WFS (GML)").verdict
    ('media_type', 'service')
    >>> composed("WFS, GML").services, composed("GML, WFS").services
    (('WFS',), ('WFS',))
    >>> composed("Shapefile metadata").verdict, composed("Shapefile Oslo").confidence
    ('nothing', 'likely')
    """
    everything = _with_doubt(all_candidates(label))
    nouns = {kind for one in everything for kind in one.words & NOUNS}
    sequence = [one for one in everything if one.kind != "noise"]
    if nouns:
        sequence = of_nouns(sequence, nouns)
    kinds = {one.kind for one in sequence}
    if len(of_kind(sequence, "word")) > _MOST_UNKNOWN:
        return None
    things = None
    if "thing" in kinds:
        sequence, things = _without_things(sequence)
    sequence = without_sources(sequence)
    kinds |= {one.kind for one in sequence}
    if "archive" in kinds:
        sequence = _without_archives(sequence)
    if any(one.depth == 0 and not one.guessed for one in of_kind(sequence, *_BESIDE_GUESSES)):
        sequence = _without_guesses(sequence, label)
    named = of_kind(sequence, "service")
    if named:
        sequence = _without_services(sequence)
    pattern = _matching(signature(sequence))
    meaning = _READERS[pattern.reading](sequence) if pattern else None
    if meaning is None:
        return things
    if meaning.verdict == "service":
        return _beside_words(meaning, everything, label)
    if not kinds.isdisjoint(_LEFT_OVER if meaning.types else _WORDS):
        meaning = meaning.inferred(rule="prose")
    if nouns:
        is_template = "template" in nouns
        meaning = of_template(meaning) if is_template else of_medium(meaning, sequence, nouns)
    meaning = of_program(meaning, sequence)
    if not named:
        return meaning
    services = tuple(dict.fromkeys(candidate.text for candidate in named))
    reason = f"{meaning.reason} Beside it: {', '.join(services)}, a service."
    return meaning._replace(services=services, reason=reason)


def signature(sequence: Iterable[Candidate]) -> str:
    """Return the signature of a label from its candidates; `Pattern` says what is in it.

    >>> from cturi_rdf.labels.candidates import candidates
    >>> signature(candidates("Zipped CSV, WFS (GML)"))
    'PF,S(F)'
    """
    kinds: list[str] = []
    depth = 0
    for candidate in sequence:
        kinds += ["("] * (candidate.depth - depth) + [")"] * (depth - candidate.depth)
        depth = candidate.depth
        kinds.append(_character(candidate))
    return _outline("".join(kinds) + ")" * depth)


@lru_cache(maxsize=4_096)
def _matching(outline: str) -> Pattern | None:
    if not outline.strip("W"):
        # Other words alone, as in most texts that name nothing.
        return None
    return next((pattern for pattern in PATTERNS if pattern.matches(outline)), None)


@lru_cache(maxsize=4_096)
def _outline(text: str) -> str:
    if re.search("[FS]", text):
        text = re.sub("[TW]", "", text)
    # A mark at either end separates nothing.
    text = re.sub(rf"{_MARK}*({_MARK})", r"\1", text).strip(",|/+&:")
    return re.sub(rf"\({_MARK}*|{_MARK}*\)", lambda match: match[0].strip(",|/+&:"), text)


def _character(candidate: Candidate) -> str:
    if candidate.kind == "list":
        return _MARKS.get(candidate.sign, _COMMA)
    if candidate.kind == "package" and candidate.meaning is None:
        return _PACKED_SOMEHOW
    if candidate.kind == "transport" and candidate.name and candidate.name.code != "protocol":
        # A program or a portal beside other words is neither a service nor a format.
        return "W"
    return _KINDS[candidate.kind]


# -- what is left out before the patterns --------------------------------------------------


def _with_doubt(everything: Sequence[Candidate]) -> Sequence[Candidate]:
    """Keep a word of noise that may be more than that.

    A whole member of a list may be a name, as in "bitmap, CSV"; behind a format it may be about
    that, as in "STL, binary".  Between two formats "o" may be "or".
    """
    if not any(one.kind == "noise" and (one.meaning or "and" in one.words) for one in everything):
        return everything
    kept: list[Candidate] = []
    for at, (one, is_whole) in enumerate(_whole_members(everything)):
        around = [other.kind for other in (*kept[-1:], *everything[at + 1 : at + 2])]
        if one.kind != "noise":
            kept.append(one)
        elif one.meaning and is_whole:
            kind = "format" if one.types and not kept else "qualifier"
            kept.append(one._replace(kind=kind, meaning=one.meaning.inferred()))
        else:
            is_joint = "and" in one.words and around == ["format", "format"]
            kept.append(one._replace(kind="qualifier") if is_joint else one)
    return kept


def _without_things(sequence: list[Candidate]) -> tuple[list[Candidate], Resolution | None]:
    """Leave out the names before a noun that makes another thing, and say so.

    The noun may be alone in brackets.  A format whose content may be anything stays, as in
    "XML metadata".
    """
    kept: list[Candidate] = []
    reason = None
    for at, candidate in enumerate(sequence):
        if candidate.kind == "thing":
            around = [one.depth for one in (*kept[-1:], *sequence[at + 1 : at + 2])]
            depth = max((one for one in around if one <= candidate.depth), default=0)
            while kept and kept[-1].depth >= depth and _is_made_another(kept[-1]):
                dropped = kept.pop()
                if dropped.meaning:
                    reason = f"{candidate.text} of {dropped.text} is not in that format."
                if kept and kept[-1].sign == "/":
                    kept.pop()
        kept.append(candidate)
    return kept, nothing("prose", reason) if reason else None


def _is_made_another(candidate: Candidate) -> bool:
    is_syntax = any(one.essence in names().syntaxes for one in candidate.types)
    return candidate.kind in {*_NAMES, "qualifier", "word"} and not is_syntax


def without_sources(sequence: list[Candidate]) -> list[Candidate]:
    """Leave out what comes after a word like "via" or "for", unless nothing comes before it.

    That ends with its brackets, at a comma ("CSV via FTP, JSON"), and at any mark before a member
    with such a word ("KML for maps and CSV for Excel").  Where it is a format, a comma alone does
    not end it: "CSV from Excel, Access".
    """
    kept: list[Candidate] = []
    source: Candidate | None = None
    is_format = False
    for at, candidate in enumerate(sequence):
        if source and (candidate.depth < source.depth or candidate.kind == "list"):
            ends = (one for one in sequence[at + 1 :] if one.kind == "from" or _is_comma(one))
            is_before_source = next((one.kind for one in ends), "") == "from"
            is_end = _is_comma(candidate) and not is_format
            if candidate.depth < source.depth or is_end or is_before_source:
                source = None
        if candidate.kind == "from":
            source = candidate if _has_more(kept, sequence[at + 1 :]) else None
            is_format = False
            if not of_kind(kept, *_NAMED):
                # "For Excel" and "without CSV" are in doubt.
                kept.append(candidate._replace(kind="qualifier"))
        elif source and candidate.kind != "package" and "delimited" not in candidate.words:
            # "Compressed with gzip" and "divided by commas" say more of the format.
            is_format = is_format or candidate.kind in {"format", "archive"}
        else:
            kept.append(candidate)
    return kept


def _is_comma(candidate: Candidate) -> bool:
    return candidate.kind == "list" and _character(candidate) in {_COMMA, "|"}


def _has_more(before: list[Candidate], after: list[Candidate]) -> bool:
    """Return whether a format stands before a word like "for", or a package without a format."""
    if of_kind(before, "package") and after and after[0].kind == "format":
        return bool(of_kind(before, "format"))
    return bool(of_kind(before, *_NAMED))


def _without_guesses(sequence: list[Candidate], label: str) -> list[Candidate]:
    """Leave out ordinary words: among unknown words they are just words.

    A word that is a whole member of a list stays, if the list has a format as well.  One in
    capitals, unless all the label is, or in Latin letters among others, is a name.
    """
    has_format = any(one.kind == "format" and not one.guessed for one in sequence)
    return [
        one
        for one, is_whole in _whole_members(sequence)
        if not (one.guessed and one.meaning) or (is_whole and has_format) or _stands_out(one, label)
    ]


def _stands_out(candidate: Candidate, label: str) -> bool:
    """Return whether a word is written as a name: "LAS" is no Spanish word, "ASCII" may be one."""
    if candidate.is_short:
        # Two letters are one only behind a dot, as the extension in "foo.md".
        return label[: candidate.start].endswith(".")
    is_capital = candidate.text.isupper() and not label.isupper()
    format_ = candidate.name.format if candidate.name else None
    is_exact = format_ is None or "syntax" not in format_.use
    is_foreign = candidate.text.isascii() and re.search(_OTHER_SCRIPTS, label) is not None
    return is_foreign or (is_capital and is_exact)


def _without_archives(sequence: list[Candidate]) -> list[Candidate]:
    """Read a format such as GTFS as a package only where a format beside it is inside."""
    alone = not of_kind(sequence, "format", "package")
    return [
        one._replace(kind="format" if is_whole or alone else "package")
        if one.kind == "archive"
        else one
        for one, is_whole in _whole_members(sequence)
    ]


def _whole_members(sequence: Sequence[Candidate]) -> list[tuple[Candidate, bool]]:
    """Return each candidate, and whether it is a whole member of a list."""
    return [
        (one, len(member) - len(of_kind(member, "list")) == 1)
        for member in _members(sequence)
        for one in member
    ]


def _without_services(sequence: list[Candidate]) -> list[Candidate]:
    """Leave out the members of a list that are services, if others are formats.

    The order of the members does not count.
    """
    level = min(one.depth for one in sequence)
    members = _members(sequence)
    if [one.sign for one in of_kind(sequence, "list")] == ["/"]:
        # "SOAP/XML" is one member.
        return sequence
    kept: list[Candidate] = []
    for member in members:
        # "GML (WFS)" is a format.  The marks between the members stay: they still make a list.
        is_service = any(one.kind == "service" and one.depth == level for one in member)
        kept += [one for one in member if one.kind == "list" or not is_service]
    return kept if of_kind(kept, "format", "package") else sequence


def _members(sequence: Sequence[Candidate]) -> list[Sequence[Candidate]]:
    """Return the members of a list, each with the mark before it."""
    level = min((one.depth for one in sequence), default=0)
    marks = [
        at
        for at, one in enumerate(sequence)
        if one.kind == "list" and one.depth == level and one.sign != ":"
    ]
    return [sequence[start:end] for start, end in pairwise([0, *marks, len(sequence)])]


# -- how the rest is read ------------------------------------------------------------------


def _service(sequence: list[Candidate]) -> Resolution:
    """Read a label that means its first service, even if it names formats as well."""
    named = of_kind(sequence, "service") or of_kind(sequence, "transport")
    text = named[0].text
    reason = f"The word {text} shows that it is a service."
    is_sure = all(one.meaning and one.meaning.confidence == "certain" for one in named)
    # An application or a database beside anything may be what a file is for.
    is_sure = is_sure and not any(one.name and one.name.code in _PROGRAMS for one in named)
    others = of_kind(sequence, "format", "package", "untyped")
    return service(text, reason, likely=bool(others) or not is_sure)


def _beside_words(meaning: Resolution, everything: Sequence[Candidate], label: str) -> Resolution:
    """Weigh a service beside other words: "WMS image" may be a file of the service."""
    last = everything[-1]
    if not of_kind(everything, *_WORDS):
        return meaning.inferred() if any("kind" in one.words for one in everything) else meaning
    if of_kind(everything, "word") and last.kind == "noise" and "ending" in last.words:
        return nothing("prose", f"{label} is a file, not a service.", likely=True)
    return meaning.inferred(rule="prose")


def _formats(sequence: list[Candidate]) -> Resolution:
    """Read all the formats of a list."""
    formats = of_kind(sequence, "format")
    if len(formats) == 1 and formats[0].meaning:
        return formats[0].meaning
    return joined(sequence, formats)


def _siblings(sequence: list[Candidate]) -> Resolution:
    """Read a package that is a member of a list by itself as one more format."""
    siblings = of_kind(sequence, "format", "package")
    return joined(sequence, [one for one in siblings if one.meaning])


def _packed_formats(sequence: list[Candidate]) -> Resolution:
    """Read formats that are in the package beside them."""
    return joined(sequence, of_kind(sequence, "format"), is_packed=True)


def _packages(sequence: list[Candidate]) -> Resolution:
    """Read packages of something that the label does not name."""
    named = packers(sequence)
    inside, *around = reversed(nested(sequence))
    if len(named) > 1 + len(around):
        return _siblings(sequence)
    if around:
        others = ", then as ".join(named[wrapper] for wrapper in around)
        reason = f"{named[inside]} is packed again as {others}."
        return packed([inside], around[::-1], "prose", reason, likely=True)
    if of_kind(sequence, "word", "untyped", "thing"):
        reason = f"It is packed in {inside.essence}, but nothing says what is inside."
        untyped = [one.meaning.reason for one in of_kind(sequence, "untyped") if one.meaning]
        reason = " ".join([reason, *dict.fromkeys(untyped)])
        return packed([], [inside], "prose", reason, likely=True)
    likely = any(one.meaning and one.meaning.confidence == "likely" for one in sequence)
    return one_type(inside, "alias", f"{named[inside]} names {inside.essence}.", likely=likely)


def _packed_somehow(_: list[Candidate]) -> Resolution:
    """Read a word such as "compressed", which does not say by what."""
    return nothing("prose", "It is packed, but nothing says how or what.")


def _untyped(sequence: list[Candidate]) -> Resolution:
    """Read a format that has no media type; of two ambiguous names what both may mean."""
    meanings = [one.meaning for one in of_kind(sequence, "untyped") if one.meaning]
    readings = [{one.types for one in meaning.alternatives} for meaning in meanings]
    shared = set.intersection(*readings)
    if len(meanings) > 1 and len(shared) == 1:
        reason = " ".join(meaning.reason for meaning in meanings)
        return one_or_more(shared.pop(), "prose", reason, likely=True)
    return meanings[0]


_READERS: dict[str, Callable[[list[Candidate]], Resolution]] = {
    "service": _service, "packed_formats": _packed_formats, "siblings": _siblings,
    "formats": _formats, "packages": _packages,
    "packed_somehow": _packed_somehow, "untyped": _untyped,
}  # fmt: skip
# The first pattern that matches is the one that counts.
PATTERNS = tuple(load("labels/patterns.tsv", Pattern))
