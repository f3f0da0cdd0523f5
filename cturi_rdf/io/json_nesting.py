"""How deeply the values of a JSON document are nested."""

from __future__ import annotations

import re
from itertools import accumulate

from cturi_rdf._util.limits import check_limit

__all__ = ["check_nesting"]

_ESCAPE = re.compile(rb"\\.", re.DOTALL)
_OTHERS = bytes(set(range(256)) - set(b'"{}[]'))
_STEPS = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}


def check_nesting(content: bytes, name: str) -> None:
    """Raise `LimitError` where JSON in UTF-8 is nested deeper than the limit `nesting` allows.

    Oxigraph ends the process over JSON-LD that is nested a few thousand levels deep.

    >>> check_nesting(b'{"a": ["[[[["]}', "a.json")
    """
    text = _ESCAPE.sub(b"", content) if b"\\" in content else content
    # Strings that have no brackets go first; the others are every second part between quotes.
    text = text.translate(None, _OTHERS).replace(b'""', b"")
    brackets = b"".join(text.split(b'"')[::2])
    check_limit("nesting", max(accumulate(map(_STEPS.__getitem__, brackets)), default=0), name)
