"""The settings of a server: its names, and the limits of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.sparql.dataset import Registry

# The names by which a machine calls itself.
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# The addresses that stand for all addresses of a machine.
_ANY = ("0.0.0.0", "::")  # noqa: S104 - only to tell that somebody asked for it
# The most labels or queries of a request, and the most characters of each.
MOST_TEXTS, LONGEST_TEXT = 10_000, 10_000


class Settings(NamedTuple):
    """The limits of a server, and the names that it is called by.

    `hosts` are the values of ``Host`` that are answered, without a port; ``*`` is any.  Other names
    are refused, because an attacker's page may point its own name at this server (DNS rebinding).
    `size` limits the content of a request, in bytes.  `seconds`, `rows` and `memory`, in megabytes,
    limit a query or a check, and `at_once` is how many of them run at the same time.
    `allow_service` lets queries ask other servers, by SERVICE and FROM.  `address` is where the
    server listens, and `url` the address that clients use for a server behind a proxy.  `annotated`
    and `registry` say what is served beside the files: see `cturi_rdf.sparql.query_data`.  `base`
    is the base of relative IRIs; by default each file is below the address of the server.
    """

    hosts: tuple[str, ...] = _LOOPBACK
    size: int = 10_000_000
    seconds: int = 30
    rows: int = 100_000
    at_once: int = 8
    memory: int = 500
    allow_service: bool = False
    address: str = "http://localhost/"
    url: str | None = None
    annotated: bool = True
    registry: Registry = "default"
    base: str | None = None


def address_of(request: Request, settings: Settings) -> str:
    """Return the address of the first page, without the slash at its end."""
    return (settings.url or str(request.base_url)).rstrip("/")


def hosts_of(host: str, url: str | None = None) -> tuple[str, ...]:
    """Return the values of ``Host`` that a server at an address answers.

    `url` is what clients call it.  Raises `CturiError` for a text that is no URL of a server.

    >>> hosts_of("127.0.0.1", "https://[2001:DB8::1]/types/")
    ('localhost', '127.0.0.1', '[::1]', '[2001:db8::1]')
    >>> hosts_of("0.0.0.0")
    ('*',)
    """
    if url is None:
        return ("*",) if host in _ANY else _hosts(host)
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        expected, rule = "such as https://formats.example/", "RFC 9110 section 4.2"
        raise CturiError("a URL that no client can use", url, expected=expected, rule=rule)
    return _hosts(host, parts.hostname)


def _hosts(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*_LOOPBACK, *(bracketed(name).lower() for name in names))))


def bracketed(host: str) -> str:
    """Return a host as a URL has it: an address of IPv6 in brackets (RFC 3986 section 3.2.2)."""
    return f"[{host}]" if ":" in host else host
