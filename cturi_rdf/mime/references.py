"""The ``cid:`` and ``mid:`` URLs in HTML, CSS and XML parts, such as SVG and XOP.

A part is fed to its parser a chunk at a time and is never in memory as a whole.  The target of a
URL is never opened, and no other URL is looked at.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from cturi_rdf._util.lazy import import_extra
from cturi_rdf._util.references import resolve_reference
from cturi_rdf.mime.entity import text_of
from cturi_rdf.uri import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.errors import CturiError
    from cturi_rdf.mime.entity import Entity


class Link(NamedTuple):
    """A URL in a part: its place, its text, its reference, and its defects.

    `place` is the name of the attribute, or ``url`` in a style sheet.
    """

    place: str
    url: str
    reference: Reference | None
    defects: tuple[CturiError, ...]


_HTML = frozenset({"text/html", "application/xhtml+xml", "image/svg+xml"})
_CSS = "text/css"
# The place of the URL that others in a document of HTML are resolved against.
_BASE = "base"
# RFC 7303 section 4.2, beside the types with the suffix.
_XML = frozenset({"application/xml", "text/xml"})

_OURS = re.compile(r"[\x00-\x20]*+(?i:cid|mid):")
# HTML Living Standard, index of attributes: those that hold one URL; then what older HTML
# (background, lowsrc, dynsrc, codebase, longdesc, classid) and SVG 1.1 (xlink:href) have.
_URL_ATTRIBUTES = frozenset({
    "action", "background", "cite", "classid", "codebase", "data", "dynsrc", "formaction", "href",
    "icon", "longdesc", "lowsrc", "manifest", "poster", "profile", "src", "usemap", "xlink:href",
})  # fmt: skip
# The same: several URLs, each with a descriptor behind it.
_SOURCE_SETS = frozenset({"imagesrcset", "srcset"})
_CANDIDATE = re.compile(r"[\s,]*+(\S++)[^,]*+")
_REFRESH = re.compile(r"[^;,]*+[;,]\s*+(?:(?i:url)\s*+=\s*+)?['\"]?([^'\"]*+)", re.DOTALL)
# CSS Syntax level 3, section 4.3: comments, strings, and url( without quotes.
_CSS_TOKEN = re.compile(
    r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    r'|"((?:[^"\\\n]|\\[\s\S])*+)"?'
    r"|'((?:[^'\\\n]|\\[\s\S])*+)'?"
    r"|\b(?i:url)\(\s*+(?![\"'\s])((?:[^)\\]|\\[\s\S])*+)"
)
_CSS_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})[ \t\r\n\f]?|(\r\n|[\n\r\f])|([\s\S]))")


def links(entity: Entity, *, others: bool = False) -> Iterator[Link]:
    r"""Yield the ``cid:`` and ``mid:`` URLs in an HTML, CSS or XML part, in order.

    With `others` URLs of any other scheme and relative ones come as well, without a reference;
    those that HTML resolves against its base element are resolved.

    Of XML these are attributes with the names that HTML and SVG have, `href` of XOP's Include
    among them (XOP section 2.1).  Other parts have none.  Raises `ImportError` where HTML or SVG
    is met and the extra ``html`` is not installed.

    >>> from cturi_rdf.mime import Message
    >>> message = Message.read(b"Content-Type: text/css\n\na { background: url(cid:p@a) }")
    >>> [(link.place, link.url) for link in links(message.root)]
    [('url', 'cid:p@a')]
    """
    if entity.content_type is None:
        return
    essence = entity.content_type.essence
    if essence == _CSS:
        urls = _in_css("".join(text_of(entity)))
    elif essence in _HTML:
        urls = _in_html(entity)
    elif entity.content_type.suffix == "xml" or essence in _XML:
        urls = _in_xml(entity)
    else:
        return
    base = ""
    for place, url in urls:
        if _OURS.match(url):
            reference, defects = Reference.recover(url.partition("#")[0])
            yield Link("href" if place == _BASE else place, url, reference, defects)
        elif place == _BASE:
            base = base or url.strip()
        elif others:
            yield Link(place, resolve_reference(url.strip(), base) if base else url, None, ())


def _in_html(entity: Entity) -> Iterator[tuple[str, str]]:
    """Yield every attribute value, and every piece of a style sheet, that may be a URL."""
    etree = import_extra("lxml.etree", "html")
    target = _Target()
    # No tree is built, so that its depth needs no limit.
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True)
    fed = False
    for text in text_of(entity):
        if text:
            parser.feed(text.encode("utf-8", "replace"))
            fed = True
            yield from target.take()
    if fed:
        parser.close()
    yield from target.take()


def _in_xml(entity: Entity) -> Iterator[tuple[str, str]]:
    """Yield the attributes that may be URLs, as far as a document is well-formed."""
    target = _Target()
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = target.start_xml
    try:
        for text in text_of(entity):
            parser.Parse(text.encode("utf-8", "replace"))
            yield from target.take()
        parser.Parse(b"", True)  # noqa: FBT003 - the interface of expat
    except expat.ExpatError:
        pass
    yield from target.take()


class _Target:
    """Takes the events of a parser, and keeps texts that may be URLs."""

    def __init__(self) -> None:
        self._found: list[tuple[str, str]] = []
        self._style: list[str] | None = None

    def take(self) -> list[tuple[str, str]]:
        urls, self._found = self._found, []
        return urls

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            if name in _URL_ATTRIBUTES:
                self._found.append((_BASE if tag == "base" else name, value))
            elif name in _SOURCE_SETS:
                self._found += [(name, url) for url in _CANDIDATE.findall(value)]
            elif tag == "meta" and name == "content":
                match = _REFRESH.match(value)
                self._found += [(name, match[1])] if match else []
            elif name == "style" or "url(" in value:
                # SVG has url() in many a presentation attribute.
                self._found += [(name, url) for _, url in _in_css(value)]
        self._style = [] if tag == "style" else None

    def start_xml(self, _tag: str, attributes: dict[str, str]) -> None:
        names = ((name, name.rpartition(":")[2]) for name in attributes)
        self._found += [(name, attributes[name]) for name, bare in names if bare in _URL_ATTRIBUTES]

    def data(self, text: str) -> None:
        if self._style is not None:
            self._style.append(text)

    def end(self, _tag: str) -> None:
        if self._style is not None:
            self._found += _in_css("".join(self._style))
        self._style = None

    def close(self) -> None:
        """Return nothing: `take` has returned everything."""


def _in_css(text: str) -> Iterator[tuple[str, str]]:
    """Yield the texts that may be URLs in a style sheet: each string, and each url()."""
    for match in _CSS_TOKEN.finditer(text):
        url = match[1] or match[2] or match[3]
        if url:
            yield "url", _CSS_ESCAPE.sub(_css_unescape, url).strip()


def _css_unescape(match: re.Match[str]) -> str:
    if match[1]:
        # CSS Syntax level 3, section 4.3.7: a number that is not a character is replaced.
        character = chr(min(int(match[1], 16), sys.maxunicode))
        return character if character.isprintable() else "\ufffd"
    return match[3] or ""
