"""What a server allows: its names, and what one request may cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["LONGEST_TEXT", "LOOPBACK", "MOST_TEXTS", "Settings", "address_of"]

# The names by which a machine calls itself.
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# How many labels or queries a request may have, and how many characters one of them.
MOST_TEXTS, LONGEST_TEXT = 10_000, 10_000


class Settings(NamedTuple):
    """The limits of a server, and the names that it is called by.

    `hosts` are the values of ``Host`` without a port that are answered; ``*`` is any.  That of a
    page of somebody else, which was made to point here, is refused (DNS rebinding).  `size` is
    the bytes that the content of a request may have; `seconds` and `rows` bound a query or a
    check, and `at_once` is how many of them run at the same time.  `allow_service` lets queries
    ask other servers by SERVICE.  `url` is what clients call a server behind a proxy.
    """

    hosts: tuple[str, ...] = LOOPBACK
    size: int = 10_000_000
    seconds: int = 30
    rows: int = 100_000
    at_once: int = 8
    allow_service: bool = False
    url: str | None = None


def address_of(request: Request, settings: Settings) -> str:
    """Return the address of the first page, without the slash at its end."""
    return (settings.url or str(request.base_url)).rstrip("/")
