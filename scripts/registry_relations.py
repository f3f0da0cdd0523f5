"""How a format of another scheme is related to a media type: by what names the two.

A format is `close` to its type where it is the format itself: it is named like the type and has no
version.  It is `narrow` where it is a version, a profile or a use of the type, and `broad` where it
is a container or a family with several types.  A format with several types of other kinds is
`related`, as is a second entry of the same scheme for the format itself.

A type is named by its subtype, without ``x-``, the tree and the suffix; by its aliases in the same
way; by its usual extension; and by the other names of each format that bears one of these names,
in this scheme or in one before it: "GIF (87a)" tells that GIF is the Graphics Interchange Format.
A name of several words is also known by its initials, or by its capitals (eXtensible Markup
Language).  Of several formats of a scheme that are named like the type, one is chosen: the newest
of PRONOM, the oldest item of Wikidata, which is the one that an encyclopaedia has a page about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.registry.tables import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cturi_rdf.registry import Registry

# Types that are a syntax for anything: a format with such a type is the syntax itself only where
# it is named so.
_SYNTAXES = {
    "application/gzip",
    "application/java-archive",
    "application/json",
    "application/octet-stream",
    "application/x-tar",
    "application/xml",
    "application/zip",
    "text/csv",
    "text/html",
    "text/plain",
    "text/tab-separated-values",
}
# "version 1.7", "(v3.x)", "1.1", "97-2003", "R14", "Level 2", "ISO/IEC 29500:2008", "89a", "2e".
_NUMBER = r"""(?:
    (?:version|ver\.?|v\.|level|revision|edition|release)\s*[0-9].* |
    (?:v|r|var\.|pre-)\.?[0-9][^\s]*.* | v\.unk.* |
    (?:iso|ecma)[/\s-](?:iec\s)?[0-9].* |
    [0-9][0-9a-z.,/&:-]*(?:\s\w{1,2}\b)?
)"""
_VERSION = re.compile(rf"[\s,]+{_NUMBER}$ | \s*\({_NUMBER}\)$", re.IGNORECASE | re.VERBOSE)
# All versions together, or those since there was one.
_GENERAL = re.compile(
    r"[\s,(]+(?:unspecified(?:\sversion)?|generic|(?:windows\s)?[0-9]{4}[\s-]onwards)\)?$",
    re.IGNORECASE,
)
_RANGE = re.compile(r"[\s,]?\b1(?:\.0)?\s?-\s?[0-9.]+$")
_PARENTHESES = re.compile(r"\s*\(([^()]*)\)")
# Words that a name may have or lack.
_FILLERS = re.compile(
    r"\b(?:file|formats?|data|interchange|archive|specification|multimedia|container|ebook"
    r"|feed|database|compressed|audio|video|image|apache|esri|ogc|gnu)\b",
    re.IGNORECASE,
)


class Entry(NamedTuple):
    """A format of a scheme: its code, its names, the first its label, its types and extensions.

    `version` is the version that the scheme states beside the name; `members` are the names of the
    formats that the entry is about where it is about several.
    """

    scheme: str
    code: str
    names: tuple[str, ...]
    types: tuple[str, ...]
    extensions: tuple[str, ...] = ()
    version: str = ""
    members: tuple[str, ...] = ()


class Name(NamedTuple):
    """A name as it is compared: its spellings, and whether it is the name of a special case."""

    keys: frozenset[str]
    special: bool


def relations(known: Registry, entries: Iterable[Entry]) -> dict[tuple[str, str, str], str]:
    """Return the relation of each format to each of its types, by scheme, code and type.

    The schemes are taken in the order of the entries.
    """
    by_type: defaultdict[str, defaultdict[str, list[Entry]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for entry in entries:
        for essence in entry.types:
            by_type[essence][entry.scheme].append(entry)
    found: dict[tuple[str, str, str], str] = {}
    for essence, schemes in by_type.items():
        type_ = _Type(known, essence)
        for _ in range(2):  # what the last scheme tells may name a format of the first
            for formats in schemes.values():
                type_.learn(formats)
        for _ in range(2):
            for scheme, formats in schemes.items():
                for entry, relation in type_.judge(formats):
                    found[scheme, entry.code, essence] = relation
    return found


class _Type:
    """A media type and the names by which formats are recognised as it."""

    def __init__(self, known: Registry, essence: str) -> None:
        self.essence = essence
        multipart = essence.startswith("multipart/")  # what is in files is a use of it
        self.extension = () if multipart else known.extensions_of(essence)[:1]
        self.subtype = letters_and_digits(essence.partition("/")[2].removeprefix("x-"))
        stems = map(_stem, (essence, *known.aliases(essence)))
        self.own = {self.subtype, *stems, *map(letters_and_digits, self.extension)} - {""}
        self.names = set(self.own)

    def learn(self, formats: list[Entry]) -> None:
        """Add the other names of each format that bears one of the names of the type."""
        for entry in formats:
            if len(entry.types) == 1 and not entry.members and self._bears(*entry.names):
                for name in entry.names:
                    if self._keys(name):
                        self.names |= _wholes(_plain(name))

    def judge(self, formats: list[Entry]) -> Iterator[tuple[Entry, str]]:
        """Yield the formats of one scheme with their relations."""
        kinds = [entry for entry in formats if self._is_kind_of(entry)]
        others = [entry for entry in formats if entry not in kinds]
        named = [entry for entry in others if self._is_itself(entry)]
        if not named:
            bearers = [entry for entry in others if self._bears(*entry.names, *entry.members)]
            usual = [entry for entry in others if self._is_usual(entry)]
            if len(bearers) == 1 and self._has_all_versions(*bearers):
                named = bearers
            elif len(usual) == 1 and _is_general(usual[0], others):
                named = usual
        chosen = min(named, key=self._order, default=None)
        for entry in formats:
            if entry is chosen:
                if not entry.members:
                    self.names |= _wholes(_plain(entry.names[0]))
                yield entry, "close"
            elif entry in kinds:
                yield entry, "broad"
            else:
                yield entry, "related" if len(entry.types) > 1 or entry in named else "narrow"

    def _bears(self, *names: str) -> bool:
        """Return whether one of these names is one of the type, whatever its version."""
        return any(self.names & self._keys(name) for name in names)

    def _keys(self, text: str) -> set[str]:
        """Return the spellings of a name without its version; none if it names a special case."""
        text = _plain(text)
        outer = _spellings(_PARENTHESES.sub("", text))
        keys = _spellings(text) | outer
        for inner in _PARENTHESES.findall(text):
            others = _spellings(inner)
            is_same = others & (self.names | outer) or outer & self.own
            if not is_same and inner.lower() != self.essence.rpartition("+")[2]:
                return set()
            if text.endswith(")"):
                keys |= others
        return keys

    def _is_itself(self, entry: Entry) -> bool:
        """Return whether a format bears a name of the type, and has no version."""
        if entry.version and self.own & _wholes(f"{entry.names[0]} {entry.version}"):
            return True  # the version is in the name of the type: application/vnd.sqlite3
        if any(_GENERAL.search(name) and self._bears(name) for name in entry.members):
            return True
        return (
            not entry.members
            and not _GENERAL.sub("", f" {entry.version}").strip()
            and any(
                self._bears(name)
                for name in entry.names
                if self.names & _wholes(name) or not _VERSION.search(_GENERAL.sub("", name))
            )
        )

    def _has_all_versions(self, entry: Entry) -> bool:
        """Return whether a format that bears a name of the type is about more than one version."""
        if entry.members:
            return all(self._bears(name) for name in entry.members)
        return _is_range(entry)

    def _is_usual(self, entry: Entry) -> bool:
        """Return whether a format has the usual extension of the type, and is no special case."""
        first = re.split(r"[^a-z]", entry.names[0].lower(), maxsplit=1)[0]  # MPEG-2 of video/mpeg
        return (
            self.essence not in _SYNTAXES
            and not self.essence.startswith("multipart/")
            and len(entry.types) == 1
            and first not in {self.subtype, *self.extension}
            and " - " not in entry.names[0]
            and (bool(entry.members) or _is_range(entry) or not _has_version(entry))
            and (not self.extension or self.extension[0] in entry.extensions)
        )

    def _is_kind_of(self, entry: Entry) -> bool:
        """Return whether the type is one kind of a format: video/mp4 of MPEG-4."""
        if not are_kinds(entry.types):
            return False
        top_levels = {each.partition("/")[0] for each in entry.types}
        sounds = self.essence.startswith(("audio/", "video/"))
        return sounds if len(top_levels) > 1 else bool(entry.members)

    def _order(self, entry: Entry) -> tuple[bool, bool, bool, int]:
        """Return what is chosen first: the subtype, a whole name; the newest of PRONOM."""
        subtype = any(letters_and_digits(name) == self.subtype for name in entry.names)
        whole = any(letters_and_digits(name) in self.names for name in entry.names)
        number = int(re.sub(r"[^0-9]", "", entry.code) or 0)
        newest = -number if entry.scheme == "pronom" else number
        return not subtype, not whole, entry.code.startswith("x-"), newest


def are_kinds(types: Collection[str]) -> bool:
    """Return whether several types are kinds of one format, such as audio/mp4 and video/mp4."""
    return len(set(map(name_of, types))) > 1 and len(set(map(_family, types))) == 1


def _has_version(entry: Entry) -> bool:
    if _GENERAL.sub("", f" {entry.version}").strip():
        return True
    return _VERSION.search(_GENERAL.sub("", entry.names[0])) is not None


def _is_general(entry: Entry, formats: list[Entry]) -> bool:
    """Return whether a format has no versions beside it, or also those of its own name."""
    versions = [each for each in formats if each is not entry and _has_version(each)]
    names = {_plain(each.names[0]).lower() for each in versions}
    return not names or _plain(entry.names[0]).lower() in names


def _is_range(entry: Entry) -> bool:
    """Return whether the version of a format is those from the first on."""
    return _RANGE.search(f"{entry.names[0]} {entry.version}".strip()) is not None


def _plain(text: str) -> str:
    """Return a name without its version."""
    return _GENERAL.sub("", _RANGE.sub("", _VERSION.sub("", _GENERAL.sub("", text))))


def _stem(essence: str) -> str:
    """Return the subtype without what says of whom it is, and in which syntax."""
    subtype = essence.partition("/")[2].removeprefix("x-").partition("+")[0]
    return letters_and_digits(re.sub(r"^(?:vnd|prs)\.(?:[a-z0-9-]+\.(?=[a-z]))?", "", subtype))


def _family(essence: str) -> str:
    """Return what the types of a family have in common: the subtype, or its dotted start."""
    _, subtype = name_of(essence)
    return subtype.rpartition(".")[0] or subtype


def name_of(essence: str) -> tuple[str, str]:
    """Return what two names of one type have in common, application/vnd.x and application/x-x."""
    top_level, _, subtype = essence.partition("/")
    return top_level, subtype.removeprefix("x-").removeprefix("vnd.")


def _spellings(text: str) -> set[str]:
    """Return a name as it is compared: as a whole, without common words, by its initials."""
    words = re.findall(r"[A-Za-z0-9+]+", text)
    keys = set()
    for some in (words, words[:-1]) if words[-1:] == ["Format"] else (words,):
        if len(some) > 1:
            keys.add("".join(word[0] for word in some).lower())
    if len(words) > 1 and not any(word.isupper() for word in words if len(word) > 1):
        keys.add("".join(re.findall(r"[A-Z]", text)).lower())
    return _wholes(text) | {key for key in keys if len(key) > 1}


def _wholes(text: str) -> set[str]:
    """Return a name as a whole, and without common words where one word is left, or a number."""
    rest = _FILLERS.sub(" ", text).split()
    short = rest if len(rest) == 1 or [word[0].isdigit() for word in rest] == [False, True] else ()
    end = re.sub(r"(?i)\s(?:file|format|file format)$", "", text)
    return {*map(letters_and_digits, (text, end, "".join(short)))} - {""}
