"""Relative IRIs: a base that marks them, and the way back to what their author wrote."""

from __future__ import annotations

import re

# A scheme that nothing has, so that a reference with an authority, //a.example/, can be told too.
SENTINEL = "x-document:"
# RFC 2606 section 2: no name under "invalid" is anybody's.
_ROOT = f"{SENTINEL}//base.invalid/"
# The base that a file is read against: deep enough for every "../".
DOCUMENT = f"{_ROOT}1/2/3/4/5/6/7/8/doc/this-document"
# RFC 3986 section 4.2: what begins like this is no path in a folder, unless "./" stands before it.
_MEANS_ANOTHER = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*)?:|[/?#]|\Z")


def relative(iri: str) -> str:
    """Return the reference that gives this IRI against `DOCUMENT` (RFC 3986 section 5.2).

    Any other IRI is returned as it is.

    >>> relative(DOCUMENT.replace("this-document", "CSV")), relative(f"{DOCUMENT}#a")
    ('CSV', '#a')
    >>> relative(DOCUMENT.replace("doc/this-document", "a")), relative("http://a.example/")
    ('../a', 'http://a.example/')
    >>> relative(DOCUMENT.replace("this-document", "a:b")), relative("x-document://a.example/b")
    ('./a:b', '//a.example/b')
    """
    if not iri.startswith(SENTINEL):
        return iri
    if not iri.startswith(_ROOT):
        return iri.removeprefix(SENTINEL)
    if iri.startswith(DOCUMENT) and iri.removeprefix(DOCUMENT)[:1] in {"", "#", "?"}:
        return iri.removeprefix(DOCUMENT)
    folder, climb = DOCUMENT.rpartition("/")[0] + "/", ""
    while len(folder) > len(_ROOT):
        if iri.startswith(folder):
            reference = climb + iri.removeprefix(folder)
            return f"./{reference}" if _MEANS_ANOTHER.match(reference) else reference
        folder, climb = folder.rstrip("/").rpartition("/")[0] + "/", climb + "../"
    path = iri.removeprefix(_ROOT)
    return f"/.//{path[1:]}" if path.startswith("/") else f"/{path}"
