"""The words of labels: one spelling of each, and what the words beside a format do.

A name is looked up by its letters and digits alone, in one case and without accents, so
that ``JSON-LD``, ``json_ld`` and ``JSON LD`` are one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from cturi_rdf.registry.tables import Record, load

__all__ = ["LISTING", "Words", "WordsRecord", "fused", "words"]

# What parts the members of a list, and stands in a few names.
LISTING = re.compile(r"[/+&|,;]")
# Letters that Unicode does not take apart into a letter and an accent.
_WITHOUT_STROKE = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"})


class WordsRecord(Record):
    """Words of one kind in one language; the kind is before the colon.

    ``noise`` does not change what a format beside it is; an ``aside`` neither, though alone
    it is the name of one; ``packed`` says that it is packed, without how; an ``ending`` is a word
    for a file that is written on to a format; ``and`` parts the
    members of a list; ``from`` begins what no longer names the format; ``transport`` says how
    it comes; ``kind`` names a kind of thing and ``placeholder`` nothing at all; ``ordinary``
    words are names of formats, but not in the middle of a sentence.  Any other kind is the
    extension of the package that the word stands for.
    """

    __slots__ = ()
    kind: str
    words: tuple[str, ...]


class Words:
    """What is known of words that name no format, by their one spelling."""

    __slots__ = (
        "and_",
        "asides",
        "endings",
        "from_",
        "noise",
        "ordinary",
        "packages",
        "packed",
        "transports",
        "unnamed",
    )

    def __init__(self) -> None:
        """Read the table of words."""
        kinds: dict[str, set[str]] = {}
        for record in load("labels/words.tsv", WordsRecord):
            kind = record.kind.partition(":")[0]
            kinds.setdefault(kind, set()).update(map(fused, record.words))
        self.noise = frozenset(kinds.pop("noise"))
        self.packed = frozenset(kinds.pop("packed"))
        self.and_ = frozenset(kinds.pop("and"))
        self.from_ = frozenset(kinds.pop("from"))
        self.endings = frozenset(kinds.pop("ending"))
        self.asides = frozenset(kinds.pop("aside"))
        self.transports = frozenset(kinds.pop("transport"))
        self.ordinary = frozenset(kinds.pop("ordinary"))
        self.unnamed = {
            word: meaning
            for kind, meaning in (
                ("kind", "a kind of thing, not a format"),
                ("placeholder", "a placeholder, not a format"),
            )
            for word in kinds.pop(kind)
        }
        self.packages = {word: extension for extension in kinds for word in kinds[extension]}

    def is_word(self, key: str) -> bool:
        """Return whether a fused name is a word of some language, and so not spelt wrong."""
        return key in self.noise or key in self.ordinary or key in self.unnamed or key in self.and_


@cache
def words() -> Words:
    """Return the table of words, read on first use."""
    return Words()


@lru_cache(maxsize=8_192)
def fused(text: str) -> str:
    """Return the letters and digits of a name, in one case and without accents.

    >>> fused("JSON-LD"), fused("Vorläufige Daten"), fused("C'est zippé")
    ('jsonld', 'vorlaufigedaten', 'cestzippe')
    """
    text = text.lower() if text.isascii() else _plain(text)
    return re.sub(r"[^a-z0-9]+", "", text) if text.isascii() else "".join(filter(str.isalnum, text))


def _plain(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold()).translate(_WITHOUT_STROKE)
    return "".join(each for each in apart if not unicodedata.combining(each))
