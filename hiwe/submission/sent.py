"""Which request carried the values of a submission."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote_plus, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiwe.page.exchange import Exchange
    from hiwe.submission.submission import Fill

CARRIERS = frozenset({"document", "xhr", "fetch", "script"})


def carried_values(
    exchanges: Sequence[Exchange], fills: Iterable[Fill], values: Iterable[str] = ()
) -> Exchange | None:
    """The first request that holds the most of the values set; the first document otherwise.

    `values` are further spellings of what was set, such as the values behind option labels.
    """
    sent = [e for e in exchanges if e.kind in CARRIERS]
    wanted = [f.held for f in fills if f.held] + [v for v in values if v]
    scored = [(_count(e, wanted), _order(e), -i, e) for i, e in enumerate(sent)]
    if not scored:
        return None
    return max(scored, key=lambda row: row[:3])[3]


def carries(exchange: Exchange, fills: Iterable[Fill]) -> bool:
    """Whether a request holds a value that was set."""
    return _count(exchange, [f.held for f in fills if f.held]) > 0


def _order(exchange: Exchange) -> int:
    return {"document": 2, "xhr": 1, "fetch": 1}.get(exchange.kind, 0)


def _count(exchange: Exchange, wanted: Sequence[str]) -> int:
    body = exchange.request_body.decode("utf-8", "replace")
    text = unquote_plus(urlsplit(exchange.url).query) + "\n" + urlsplit(exchange.url).path
    text = f"{text}\n{unquote_plus(body)}\n{body}"
    return sum(value in text for value in wanted)
