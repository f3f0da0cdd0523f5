"""How a format of another scheme is related to a media type: by what names the two.

A format is `close` to its type where it is the format itself: it is named like the type and has no
version, or the first where no scheme has another.  It is `narrow` where it is a version, a profile
or a use of the type, and `broad` where it is a container or a family with several types.  A format
with several types of other kinds is `related`, as is a second entry of the same scheme for the
format itself.

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
from itertools import chain
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
_VERSION = re.compile(rf"(?<!part)[\s,]+{_NUMBER}$ | \s*\({_NUMBER}\)$", re.IGNORECASE | re.VERBOSE)
# All versions together, or those since there was one.
_GENERAL = re.compile(
    r"[\s,(]+(?:unspecified(?:\sversion)?|generic|(?:windows\s)?[0-9]{4}[\s-]onwards)\)?$",
    re.IGNORECASE,
)
_RANGE = re.compile(r"[\s,]?\b(?:1(?:\.0)?\s?-\s?[0-9.]+|1\.x)$")
_PARENTHESES = re.compile(r"\s*\(([^()]*)\)")
# Words that a name may have or lack.
_FILLERS = re.compile(
    r"\b(?:file|formats?|data|interchange|archive|specification|multimedia|container|ebook"
    r"|feed|database|compressed|audio|video|image|message|source|code|document|drawing|language"
    r"|project|family|apache|esri|ogc|gnu|microsoft)\b",
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
    for essence, stated in by_type.items():
        is_first = _versions(chain(*stated.values())) <= {"1", "1.0"}
        schemes = {
            scheme: list(map(_unversioned, formats)) if is_first else formats
            for scheme, formats in stated.items()
        }
        type_ = _Type(known, essence)
        for formats in schemes.values():
            type_.learn(formats)
        for _ in range(2):  # what the last scheme tells may name a format of the first
            for scheme, formats in schemes.items():
                for entry, relation in type_.judge(formats):
                    found[scheme, entry.code, essence] = relation
    return found


class _Type:
    """A media type and the names by which formats are recognised as it."""

    def __init__(self, known: Registry, essence: str) -> None:
        self.essence = essence
        self.is_current = known.is_current
        multipart = essence.startswith("multipart/")  # what is in files is a use of it
        self.extension = () if multipart else known.extensions_of(essence)[:1]
        self.subtype = letters_and_digits(essence.partition("/")[2].removeprefix("x-"))
        self.stems = {self.subtype, *map(_stem, (essence, *known.aliases(essence)))} - {""}
        self.own = {*self.stems, *map(letters_and_digits, self.extension)}
        self.names = set(self.own)

    def learn(self, formats: list[Entry]) -> None:
        """Add the other names of each format that bears one of the names of the type."""
        for entry in formats:
            if len(entry.types) == 1 and not entry.members and self._bears(*entry.names):
                # Beside "WordPerfect, v4" the name "WordPerfect 4 for DOS" has a version.
                for name in list(filter(_VERSION.search, entry.names)) or entry.names:
                    if self._keys(name):
                        self.names |= _wholes(_plain(name))

    def judge(self, formats: list[Entry]) -> Iterator[tuple[Entry, str]]:
        """Yield the formats of one scheme with their relations."""
        kinds = [entry for entry in formats if self._is_kind_of(entry)]
        others = [entry for entry in formats if entry not in kinds]
        named = [entry for entry in others if self._is_itself(entry)]
        if not named:
            bearers = [entry for entry in others if self._bears(*entry.names, *entry.members)]
            usual = _general([entry for entry in others if self._is_usual(entry)])
            if len(bearers) == 1 and self._has_all_versions(*bearers):
                named = bearers
            elif usual and _is_general(usual[0], others):
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
        short, _, long = text.partition(" ")
        if self.names & _wholes(short) and self.names & _spellings(long):
            keys |= _wholes(short)  # DASH Media Presentation Description, whose extension is mpd
        for inner in _PARENTHESES.findall(text):
            others = _spellings(inner)
            if not (others & (self.names | outer) or outer & self.own):
                return set()
            if text.endswith(")"):
                keys |= others
        return keys

    def _is_itself(self, entry: Entry) -> bool:
        """Return whether a format bears a name of the type, and has no version."""
        if any(map(self._has_number, (*entry.names, f"{entry.names[0]} {entry.version}"))):
            return True
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

    def _has_number(self, name: str) -> bool:
        """Return whether a name has a number, and so has the type: SQLite 3, Universal 3D."""
        words = re.findall(r"[a-z0-9]+", re.sub(r",?\sversion\b|\.0$", "", name.lower()))
        short = "".join(word if word[0].isdigit() else word[0] for word in words)
        return any(map(str.isdigit, name)) and bool(self.stems & {short, *_wholes(name)})

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
        """Return whether the type is one kind of a format: video/mp4 of MPEG-4.

        Beside a registered type, one that is not registered is another name.
        """
        if not are_kinds(tuple(filter(self.is_current, entry.types)) or entry.types):
            return False
        top_levels = {each.partition("/")[0] for each in entry.types}
        sounds = self.essence.startswith(("audio/", "video/"))
        return sounds if len(top_levels) > 1 else bool(entry.members)

    def _order(self, entry: Entry) -> tuple[bool, bool, bool, int]:
        """Return what is chosen first: the subtype, the stem; the newest of PRONOM."""
        names = set(map(letters_and_digits, entry.names))
        number = int(re.sub(r"[^0-9]", "", entry.code) or 0)
        return (
            self.subtype not in names,
            self.stems.isdisjoint(names),
            entry.code.startswith("x-"),
            -number if entry.scheme == "pronom" else number,
        )


def are_kinds(types: Collection[str]) -> bool:
    """Return whether several types are kinds of one format, such as audio/mp4 and video/mp4."""
    return len(set(map(name_of, types))) > 1 and len(set(map(_family, types))) == 1


def _versions(formats: Iterable[Entry]) -> set[str]:
    """Return the versions of formats, as they are stated or in their names."""
    texts = []
    for entry in formats:
        texts.append(_GENERAL.sub("", f" {entry.version}"))
        texts += [name.removeprefix(_plain(name)) for name in entry.names]
    return {re.sub(r"[\s,()]|version|v\.?", "", each.lower()) for each in texts} - {""}


def _unversioned(entry: Entry) -> Entry:
    """Return a format without its version, of which there has been no other."""
    return entry._replace(names=tuple(map(_plain, entry.names)), version="")


def _has_version(entry: Entry) -> bool:
    if _GENERAL.sub("", f" {entry.version}").strip():
        return True
    return _VERSION.search(_GENERAL.sub("", entry.names[0])) is not None


def _general(formats: list[Entry]) -> list[Entry]:
    """Return those of several formats with whose name the names of all others begin, if any."""
    named = [each for each in formats if each.names[0]] or formats
    names = [letters_and_digits(_plain(each.names[0])) for each in named]
    shortest = min(names, key=len, default="")
    if not all(name.startswith(shortest) for name in names):
        return []
    return [each for each, name in zip(named, names, strict=True) if name == shortest]


def _is_general(entry: Entry, formats: list[Entry]) -> bool:
    """Return whether a format has no versions beside it, or also those of its own name."""
    versions = [each for each in formats if each is not entry and _has_version(each)]
    names = {_plain(name).lower() for each in versions for name in each.names}
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
    return letters_and_digits(
        re.sub(r"^(?:(?:vnd|prs)\.(?:[a-z0-9-]+\.(?=[a-z]))?)?(?:ms-?(?=[a-z]{3}))?", "", subtype)
    )


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
