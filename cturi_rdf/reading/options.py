"""How to read a file: its format, and where its JSON-LD contexts come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


class ReadOptions(NamedTuple):
    """How to read a file.

    * `form`: the name or media type of its format, where the name of the file does not tell it;
    * `contexts`: the file of each JSON-LD context by its IRI; None instead leaves that context out;
    * `allow_network`, `allow_files`: whether a context that is neither given, nor in the package,
      nor beside the file, may come from the network, or from elsewhere on the disk;
    * `strict`: whether half of a surrogate pair in JSON is refused; otherwise it reads as U+FFFD;
    * `resolver`: a function that says what a label means; reading itself does not use it, and those
      who read labels have their own if it is None.

    >>> ReadOptions(form="turtle").strict
    False
    """

    form: str | None = None
    contexts: Mapping[str, Path | None] = {}
    allow_network: bool = False
    allow_files: bool = False
    strict: bool = False
    resolver: Callable[[str], Any] | None = None
