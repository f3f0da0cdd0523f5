"""References to URIs and IRIs: their components, and resolution (RFC 3986), for any scheme."""

from __future__ import annotations

import re
from typing import NamedTuple

# Appendix B, with the scheme of section 3.1; every text is a reference.
REFERENCE = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+\-.]*+):)?(?://([^/?#]*+))?([^?#]*+)(?:\?([^#]*+))?(?:#(.*+))?",
    re.DOTALL,
)


class Components(NamedTuple):
    """The components of a URI reference (RFC 3986 section 3); a relative one has no scheme."""

    scheme: str
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


def split(text: str) -> Components:
    """Return the components of a URI reference; the scheme of a relative one is empty.

    >>> split("http://a.example/b?c=d#e")
    Components(scheme='http', authority='a.example', path='/b', query='c=d', fragment='e')
    >>> split("/b?").scheme, split("/b?").query, split("/b?").fragment
    ('', '', None)
    """
    scheme, *others = REFERENCE.fullmatch(text).groups()  # type: ignore[union-attr] # always one
    return Components(scheme or "", *others)


def resolve_reference(reference: str, base: str) -> str:
    """Return the URI or IRI of a reference, resolved against a base.

    A relative base gives a relative reference; the fragment of a base does not count.  Unlike
    `urllib.parse.urljoin` this treats all schemes alike, and keeps an empty query or fragment.

    >>> resolve_reference("../g?y#s", "http://a/b/c/d;p?q"), resolve_reference("?", "x:/a?b")
    ('http://a/b/g?y#s', 'x:/a?')
    """
    scheme, authority, path, query, fragment = split(reference)
    # Section 5.2.2, step by step.
    if scheme:
        path = _without_dots(path)
    else:
        scheme, base_authority, base_path, base_query, _ = split(base)
        if authority is not None:
            path = _without_dots(path)
        else:
            authority = base_authority
            if not path:
                path, query = base_path, base_query if query is None else query
            elif path.startswith("/"):
                path = _without_dots(path)
            else:
                # Section 5.2.3: the folder of the base's path.
                is_root = base_authority is not None and not base_path
                folder = "/" if is_root else base_path[: base_path.rfind("/") + 1]
                path = _without_dots(folder + path)
    # Section 5.3.
    pieces = [f"{scheme}:" if scheme else ""]
    # Without an authority no path may begin with "//" (section 3.3).
    if authority is not None:
        pieces.append(f"//{authority}")
    elif path.startswith("//"):
        path = f"/.{path}"
    pieces.append(path)
    pieces.append("" if query is None else f"?{query}")
    pieces.append("" if fragment is None else f"#{fragment}")
    return "".join(pieces)


def _without_dots(path: str) -> str:
    """Return a path without segments "." and ".." (section 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")
    rooted = path.startswith("/")
    for segment in segments[1:] if rooted else segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    # A path that ends in dots ends like the path of a folder.
    if segments[-1] in {".", ".."} and (kept or rooted):
        kept.append("")
    return ("/" if rooted else "") + "/".join(kept)
