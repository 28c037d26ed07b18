"""A request as it is to be sent by plain HTTP, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.page.exchange import Exchange

Headers = tuple[tuple[str, str], ...]

# What the connection decides, or the cookies and the body of each single request.
OF_ONE_REQUEST = frozenset(
    {
        *("host", "connection", "keep-alive", "accept-encoding", "content-length", "content-type"),
        *("cookie", "authorization", "origin", "referer"),
        *("cache-control", "pragma", "if-none-match", "if-modified-since"),
    }
)


@dataclass(frozen=True, slots=True)
class Request:
    """Method, address (percent-encoded, no fragment), header fields in order, body."""

    method: str
    url: str
    headers: Headers = ()
    body: bytes = b""

    def with_headers(self, usual: Iterable[tuple[str, str]]) -> Request:
        """The request with `usual` header fields put before its own."""
        return replace(self, headers=(*usual, *self.headers))

    def __repr__(self) -> str:
        return f"<Request {self.method} {self.url}>"


def usual_headers(exchange: Exchange) -> Headers:
    """The header fields that a browser sends with every request of this kind, in order.

    Left out are those of the connection, of one body, of one way to the page.
    """
    return tuple(
        (name, value)
        for name, value in exchange.request_headers
        if name.lower() not in OF_ONE_REQUEST and not name.startswith(":")
    )
