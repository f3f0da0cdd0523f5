"""Headers as configuration of web servers and static hosts: nginx, Apache, a `_headers` file.

A file of a server is known by the host and the path of the URL that it is downloaded from.  With
files on several hosts each rule names its host, so that nothing of one server changes another.  A
path or a header that a format cannot hold is a `ServerFormatError`; `files_of` leaves such a file
out and says so.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from posixpath import normpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, quote, unquote, urlsplit

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.reading.terms import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.catalogue.header import Header


class ServerFormatError(CturiError):
    """A path or a header that the configuration of a server cannot hold."""


class File(NamedTuple):
    """A file of a site: its path, its header, its content coding, and the host that has it.

    Without a host it is a file of the only one.
    """

    path: str
    content_type: ContentType
    content_encoding: str | None = None
    host: str = ""


class LeftOut(NamedTuple):
    """A URL that is not in a configuration, and why."""

    url: str
    reason: str


class Files(NamedTuple):
    """The files that a configuration has, and what it leaves out."""

    files: tuple[File, ...]
    left_out: tuple[LeftOut, ...]


def files_of(
    headers: Iterable[Header], kind: str, *, host: str | None = None, content_encoding: bool = False
) -> Files:
    """Return the files of a catalogue that a configuration of a `kind` has, and what it leaves out.

    `kind` is a key of `SERVER_FORMATS`.  With a `host` these are the files of that one.  What is
    left out are resources without a download URL, URLs of other hosts and of no web server, an
    address with two headers, which a server tells apart by the query alone, and what the format
    cannot hold.
    """
    left_out: list[LeftOut] = []
    addresses: dict[tuple[str, str], dict[File, str]] = defaultdict(dict)
    for header in headers:
        if header.content_type is None:
            continue
        how: tuple[ContentType, str | None] = header.content_type, None
        if content_encoding and header.content_encoding:
            how = header.contains[0], header.content_encoding
        urls = [relative(url) for url in header.urls]
        if not urls:
            left_out.append(LeftOut(relative(str(header.name)), "without a download URL"))
        for url in urls:
            try:
                file = File(path_of(url), *how, host_of(url))
                expect_row(kind, file)
            except ServerFormatError as error:
                left_out.append(LeftOut(url, error.problem))
            else:
                addresses[file.host, file.path].setdefault(file, url)
    files: list[File] = []
    for (of_host, _), urls_of in addresses.items():
        if host is not None and of_host != host.lower():
            left_out += [LeftOut(url, "of another host") for url in urls_of.values()]
        elif len(urls_of) == 1:
            files += urls_of
        else:
            types = " and ".join(str(file.content_type) for file in urls_of)
            reason = (
                f"one path with {len(urls_of)} headers, {types}, and a server's rule has no query"
            )
            left_out += [LeftOut(url, reason) for url in urls_of.values()]
    return Files(tuple(files), tuple(left_out))


def expect_row(kind: str, file: File) -> None:
    """Raise `ServerFormatError` where a configuration of a kind cannot hold a file.

    >>> expect_row("headers", File("/a*", ContentType("text", "csv")))
    Traceback (most recent call last):
    cturi_rdf.catalogue.server_formats.ServerFormatError: a path with a wildcard of _headers
        /a*
        ^^^ expected a path without '*' and '/:' (the configuration of web servers)
    """
    for _ in SERVER_FORMATS[kind]([file]):
        pass


def path_of(url: str) -> str:
    """Return the path of an absolute URL, percent-decoded, as servers compare it.

    Servers compare paths without empty segments and dot segments.

    >>> path_of("https://data.example/a%20b//c.csv?version=2")
    '/a b/c.csv'

    Raises `ServerFormatError` for a relative URL, for one that names no host, for one of another
    scheme than http or https, such as ftp, which has no headers, and for one with a fragment, which
    is a part of a file.
    """
    parts = _split(url)
    if parts.scheme and parts.scheme not in {"http", "https"}:
        raise _error("without a URL of http or https", url, "such a URL")
    if not parts.scheme or not parts.hostname:
        raise _error("not a URL of a web server", url, "an absolute http or https URL")
    if parts.fragment:
        raise _error("a part of a file, by a fragment", url, "a URL without '#'")
    path = unquote(parts.path, errors="surrogateescape")
    of_folder = path.endswith("/") and path.strip("/")
    path = normpath("/" + path.strip("/")) + ("/" if of_folder else "")
    if not path.isprintable():
        raise _error("a path with a character that is not printable", url, "a printable path")
    return path


def host_of(url: str) -> str:
    """Return the host of a URL as browsers send it, without a port.

    >>> host_of("https://Data.Example:8443/a.csv"), host_of("http://büro.example/")
    ('data.example', 'xn--bro-hoa.example')
    """
    host = _split(url).hostname or ""
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return host


def nginx(files: Iterable[File]) -> Iterator[str]:
    r"""Yield the lines of two maps of nginx, from the path to Content-Type and Content-Encoding.

    >>> from cturi_rdf import ContentType
    >>> print("\n".join(nginx([File("/a.csv", ContentType.parse("text/csv"))])))
    # Include this file in http { }, below:
    #     map_hash_bucket_size 64;
    # Then, in a location that serves only these files, because others get no type there:
    ...
    map $uri $cturi_content_type {
        "/a.csv" "text/csv";
    }
    map $uri $cturi_content_encoding {
    }
    """
    files = _by_host(files)
    keys = _nginx_keys(files)
    # A bucket holds two pointers and one key, with its length, in whole pointers of eight bytes.
    longest = max((len(key.encode(errors="surrogateescape")) for key in keys), default=0)
    compared = "$host$uri" if _several_hosts(files) else "$uri"
    yield "# Include this file in http { }, below:"
    yield f"#     map_hash_bucket_size {max(64, 1 << (longest + 25).bit_length())};"
    yield "# Then, in a location that serves only these files, because others get no type there:"
    yield "#     types { }"
    yield '#     default_type "";'
    yield "#     add_header Content-Type $cturi_content_type;"
    yield "#     add_header Content-Encoding $cturi_content_encoding;"
    yield f"map {compared} $cturi_content_type {{"
    for key, file in zip(keys, files, strict=True):
        yield f"    {key} {_nginx_string(str(file.content_type))};"
    yield "}"
    yield f"map {compared} $cturi_content_encoding {{"
    for key, file in zip(keys, files, strict=True):
        if file.content_encoding:
            yield f"    {key} {_nginx_string(file.content_encoding)};"
    yield "}"


def _nginx_keys(files: list[File]) -> list[str]:
    """Return the key of each file; nginx compares text without case, and patterns with it."""
    hosts = [file.host if _several_hosts(files) else "" for file in files]
    names = [host + file.path for host, file in zip(hosts, files, strict=True)]
    counts = Counter(name.lower() for name in names)
    return [
        _nginx_quoted(
            name
            if counts[name.lower()] == 1 and not name.endswith("/")
            else f"~^{_pattern(host)}{_pattern(file.path)}$"
        )
        for name, host, file in zip(names, hosts, files, strict=True)
    ]


def _nginx_string(text: str) -> str:
    if "$" in text:
        raise _error("a dollar sign in a value for nginx", text, "a header without '$'")
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
    mod_headers.  A file of one host among several is asked for its host.
    """
    yield "# Include this file in the configuration of the server or of a virtual host."
    files = _by_host(files)
    several = _several_hosts(files)
    for file in files:
        yield f"<LocationMatch {_apache_quoted(f'^{_pattern(file.path)}$')}>"
        if several:
            yield f"  <If \"req('Host') =~ m#^{_pattern(file.host)}(:[0-9]+)?$#i\">"
        yield from (f"    {line}" for line in _apache_lines(file))
        if several:
            yield "  </If>"
        yield "</LocationMatch>"


def _apache_lines(file: File) -> Iterator[str]:
    header = str(file.content_type)
    yield f"ForceType {_apache_quoted(header)}"
    if file.content_type.essence in {"text/html", "text/plain"} and not file.content_type.charset:
        # These two get the default charset of the server, where it has one.
        yield "AddDefaultCharset Off"
    if ContentType.parse(header.lower()) != file.content_type:
        # In a format of mod_headers, %% is a percent sign.
        yield f"Header set Content-Type {_apache_quoted(header.replace('%', '%%'))}"
    if file.content_encoding:
        _, dot, extension = file.path.rpartition("/")[2].rpartition(".")
        if not dot or not extension:
            raise _error(
                "a content coding for a file without an extension",
                file.path,
                "a name such as data.csv.gz, because AddEncoding goes by the extension",
            )
        yield f"AddEncoding {file.content_encoding} {_apache_quoted('.' + extension)}"


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

    Such a file is for one site.  Raises `ServerFormatError` for files of several hosts.
    """
    files = list(files)
    if _several_hosts(files):
        hosts = sorted({file.host for file in files})
        raise _error(
            f"a _headers file for {len(hosts)} hosts", ", ".join(hosts), "the files of one host"
        ).with_option(": choose it with --host")
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


def _by_host(files: Iterable[File]) -> list[File]:
    """Return files host by host, folders first: in Apache a later section has the last word."""
    return sorted(files, key=lambda file: (file.host, not file.path.endswith("/")))


def _several_hosts(files: Iterable[File]) -> bool:
    return len({file.host for file in files}) > 1


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _pattern(text: str) -> str:
    """Return the PCRE pattern that matches just this path, of a folder with its index page.

    Servers look for the header of a folder under the name of the page that they send for it.
    """
    escaped = re.sub(r"[^\w/ -]", lambda match: "\\" + match[0], text, flags=re.ASCII)
    return escaped + (r"(?:index\.[^/]*)?" if text.endswith("/") else "")


def _error(problem: str, text: str, expected: str) -> ServerFormatError:
    rule = "the configuration of web servers"
    return ServerFormatError(problem, text, expected=expected, rule=rule)
