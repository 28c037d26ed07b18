"""Plain HTTP without a browser: robots.txt, sitemaps, files."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import requests
from requests.adapters import HTTPAdapter

from hiwe.page.exchange import Exchange

LARGEST_BODY_BYTES = 20_000_000
CHUNK_BYTES = 65_536
POOLED = 16


class HttpClient:
    """Requests with our user agent, connections kept open; usable from several threads."""

    def __init__(self, user_agent: str, *, credentials: tuple[str, str] | None = None) -> None:
        """`credentials` are (user, password) for sites that ask by HTTP."""
        self._session = requests.Session()
        self._session.headers["User-Agent"] = user_agent
        self._session.auth = credentials
        self._session.trust_env = False
        adapter = HTTPAdapter(pool_connections=POOLED, pool_maxsize=POOLED)
        self._session.mount("http://", adapter)
        self._session.mount("https://", adapter)

    def get(
        self, url: str, timeout_s: float, *, credentials: tuple[str, str] | None = None
    ) -> Exchange:
        """What `url` answers, redirects followed; status 0 with `error` when nothing came.

        A body longer than we read is cut. `timeout_s` limits the whole, body included.
        `credentials` are the site's, where it has some of its own.
        """
        started, began = datetime.now(UTC), time.monotonic()
        try:
            with self._session.get(url, timeout=timeout_s, stream=True, auth=credentials) as answer:
                body, error = _read(answer, began + timeout_s)
                return _exchange(answer, body, error, started, time.monotonic() - began)
        except (requests.RequestException, ValueError, OSError) as exc:
            return Exchange(
                method="GET",
                url=url,
                request_headers=tuple((k, str(v)) for k, v in self._session.headers.items()),
                request_body=b"",
                status=0,
                reason="",
                response_headers=(),
                body=b"",
                started_at=started,
                duration_s=time.monotonic() - began,
                error=" ".join(str(exc).split()) or type(exc).__name__,
            )

    def close(self) -> None:
        """Give the connections back."""
        self._session.close()


def _read(answer: requests.Response, until: float) -> tuple[bytes, str]:
    """The body, decoded from its content encoding, and why it is not whole ('')."""
    parts, length = [], 0
    for chunk in answer.iter_content(CHUNK_BYTES):
        parts.append(chunk)
        length += len(chunk)
        if length > LARGEST_BODY_BYTES:
            return b"".join(parts), "cut: longer than we read"
        if time.monotonic() > until:
            return b"".join(parts), "cut: no more time"
    return b"".join(parts), ""


def _exchange(
    answer: requests.Response, body: bytes, error: str, started: datetime, duration_s: float
) -> Exchange:
    request = answer.request
    raw = answer.raw.headers
    sent = request.body
    return Exchange(
        method=request.method or "GET",
        url=answer.url,
        request_headers=tuple((k, str(v)) for k, v in request.headers.items()),
        request_body=sent if isinstance(sent, bytes) else (sent or "").encode(),
        status=answer.status_code,
        reason=answer.reason or "",
        response_headers=tuple((str(k), str(v)) for k, v in raw.items()),
        body=body,
        started_at=started,
        duration_s=duration_s,
        error=error,
    )
