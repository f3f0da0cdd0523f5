"""Headers as configuration of web servers and static hosts: nginx, Apache, a `_headers` file.

A rule of a server is keyed by the path of the URL that a file is downloaded from.  A path or
a header that a format cannot hold is a `ServerFormatError`; nothing is left out silently.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["SERVER_FORMATS", "File", "ServerFormatError", "path_of"]


class ServerFormatError(CturiError):
    """A path or a header that the configuration of a server cannot hold."""


class File(NamedTuple):
    """A file of a site: its path, the header that it is sent with, and its content coding."""

    path: str
    content_type: ContentType
    content_encoding: str | None = None


def path_of(url: str) -> str | None:
    """Return the path of an absolute URL, percent-decoded, as servers compare it.

    Servers compare paths without empty segments and dot segments.  The path is None for a URL of
    another scheme than http or https, such as ftp, which has no headers.

    >>> path_of("https://data.example/a%20b//c.csv?version=2"), path_of("ftp://data.example/c.csv")
    ('/a b/c.csv', None)

    Raises `ServerFormatError` for a relative URL, and for one that names no host.
    """
    from posixpath import normpath
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme and parts.scheme not in {"http", "https"}:
        return None
    if not parts.scheme or not parts.netloc:
        raise _error("not a URL of a web server", url, "an absolute http or https URL")
    path = unquote(parts.path, errors="surrogateescape")
    of_folder = path.endswith("/") and path.strip("/")
    path = normpath("/" + path.strip("/")) + ("/" if of_folder else "")
    if not path.isprintable():
        raise _error("a path with a character that is not printable", url, "a printable path")
    return path


def nginx(files: Iterable[File]) -> Iterator[str]:
    r"""Yield the lines of two maps of nginx, from the path to Content-Type and Content-Encoding.

    >>> from cturi_rdf import ContentType
    >>> print("\n".join(nginx([File("/a.csv", ContentType.parse("text/csv"))])))
    # Include this file in http { }, below:
    #     map_hash_bucket_size 64;
    # Then, in the location that serves the files:
    ...
    map $uri $cturi_content_type {
        "/a.csv" "text/csv";
    }
    map $uri $cturi_content_encoding {
    }
    """
    files = list(files)
    keys = _nginx_keys(files)
    # A bucket holds two pointers and one key, with its length, in whole pointers of eight bytes.
    longest = max((len(key.encode(errors="surrogateescape")) for key in keys), default=0)
    yield "# Include this file in http { }, below:"
    yield f"#     map_hash_bucket_size {max(64, 1 << (longest + 25).bit_length())};"
    yield "# Then, in the location that serves the files:"
    yield "#     types { }"
    yield '#     default_type "";'
    yield "#     add_header Content-Type $cturi_content_type;"
    yield "#     add_header Content-Encoding $cturi_content_encoding;"
    yield "map $uri $cturi_content_type {"
    for key, file in zip(keys, files, strict=True):
        yield f"    {key} {_nginx_string(str(file.content_type))};"
    yield "}"
    yield "map $uri $cturi_content_encoding {"
    for key, file in zip(keys, files, strict=True):
        if file.content_encoding:
            yield f"    {key} {_nginx_string(file.content_encoding)};"
    yield "}"


def _nginx_keys(files: list[File]) -> list[str]:
    """Return the key of each path; nginx compares text without case, and patterns with it."""
    counts = Counter(file.path.lower() for file in files)
    return [
        _nginx_quoted(file.path if counts[file.path.lower()] == 1 else f"~^{_pattern(file.path)}$")
        for file in files
    ]


def _nginx_string(text: str) -> str:
    if "$" in text:
        raise _error("a dollar sign in a value of nginx", text, "a header without '$'")
    return _nginx_quoted(text)


def _nginx_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def apache(files: Iterable[File]) -> Iterator[str]:
    r"""Yield the lines of a configuration of Apache, with one section per file.

    >>> from cturi_rdf import ContentType
    >>> print("\n".join(apache([File("/a.csv", ContentType.parse("text/csv"))])))
    # Include this file in the configuration of the server or of a virtual host.
    <LocationMatch "^/a\.csv$">
        ForceType "text/csv"
    </LocationMatch>

    Apache writes a type in lower case.  Where that makes another type of it, the header is set by
    mod_headers.
    """
    yield "# Include this file in the configuration of the server or of a virtual host."
    for file in files:
        yield f"<LocationMatch {_apache_quoted(f'^{_pattern(file.path)}$')}>"
        header = str(file.content_type)
        yield f"    ForceType {_apache_quoted(header)}"
        if ContentType.parse(header.lower()) != file.content_type:
            # In a format of mod_headers, %% is a percent sign.
            yield f"    Header set Content-Type {_apache_quoted(header.replace('%', '%%'))}"
        if file.content_encoding:
            _, dot, extension = file.path.rpartition("/")[2].rpartition(".")
            if not dot or not extension:
                raise _error(
                    "a content coding for a file without an extension",
                    file.path,
                    "a name such as data.csv.gz, because AddEncoding goes by the extension",
                )
            yield f"    AddEncoding {file.content_encoding} {_apache_quoted('.' + extension)}"
        yield "</LocationMatch>"


def _apache_quoted(text: str) -> str:
    if "${" in text:
        raise _error("a '${' in the configuration of Apache", text, "a text without '${'")
    # In quotes Apache reads \\ and \" as one character and keeps any other backslash.
    escaped = re.sub(r'\\(?=[\\"]|$)|"', lambda match: "\\" + match[0], text)
    return f'"{escaped}"'


def static_host(files: Iterable[File]) -> Iterator[str]:
    r"""Yield the lines of a `_headers` file, as Netlify and Cloudflare Pages read it.

    >>> from cturi_rdf import ContentType
    >>> print("\n".join(static_host([File("/a b.csv", ContentType.parse("text/csv"))])))
    /a%20b.csv
      Content-Type: text/csv
    """
    from urllib.parse import quote

    for file in files:
        if "*" in file.path or "/:" in file.path:
            raise _error(
                "a path with a wildcard of _headers", file.path, "a path without '*' and '/:'"
            )
        yield quote(file.path, errors="surrogateescape")
        yield f"  Content-Type: {file.content_type}"
        if file.content_encoding:
            yield f"  Content-Encoding: {file.content_encoding}"


SERVER_FORMATS: dict[str, Callable[[Iterable[File]], Iterator[str]]] = {
    "nginx": nginx,
    "apache": apache,
    "headers": static_host,
}


def _pattern(path: str) -> str:
    """Return the PCRE pattern that matches just this path."""
    return re.sub(r"[^\w/ -]", lambda match: "\\" + match[0], path, flags=re.ASCII)


def _error(problem: str, text: str, expected: str) -> ServerFormatError:
    rule = "the configuration of web servers"
    return ServerFormatError(problem, text, expected=expected, rule=rule)
