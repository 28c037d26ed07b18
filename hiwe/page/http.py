"""Plain HTTP without a browser: robots.txt, sitemaps, and pages that need no browser."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin

import requests
from requests.adapters import HTTPAdapter
from requests.cookies import create_cookie
from requests.utils import requote_uri

from hiwe.page.cookies import Cookie
from hiwe.page.exchange import Exchange
from hiwe.page.network import BLOCKED
from hiwe.page.request import OF_ONE_REQUEST, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from http.cookiejar import Cookie as JarCookie

LARGEST_BODY_BYTES = 20_000_000
CHUNK_BYTES = 65_536
POOLED = 16
MOST_REDIRECTS = 20  # as Chromium
REDIRECTS = frozenset({301, 302, 303, 307, 308})
PACKED = "gzip, deflate"  # what we unpack
STALE = "Connection aborted"  # what the library says of a connection that was closed meanwhile
LOCAL = ".local"  # the jar's own suffix for hosts without a dot


class _Adapter(HTTPAdapter):
    """Asks for the address as it stands: an empty query keeps its question mark."""

    def request_url(
        self, request: requests.PreparedRequest, proxies: Mapping[str, str] | None
    ) -> str:
        """Path and query of the request line; the whole address for a proxy (RFC 9112, 3.2.2)."""
        url = request.url or ""
        if proxies and url.startswith("http:"):
            return urldefrag(url).url
        target = url[url.index("://") + 3 :].partition("#")[0]
        path = target[len(re.split(r"[/?]", target, maxsplit=1)[0]) :]
        return path if path.startswith("/") else f"/{path}"


def _pooled() -> requests.Session:
    """A session that keeps its connections and reads nothing of the environment."""
    session = requests.Session()
    session.trust_env = False
    adapter = _Adapter(pool_connections=POOLED, pool_maxsize=POOLED)
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session


def _proxies(proxy: str | None) -> dict[str, str]:
    return {} if proxy is None else {"http": proxy, "https": proxy}


class HttpClient:
    """Requests with our user agent, connections kept open; usable from several threads."""

    def __init__(self, user_agent: str, *, credentials: tuple[str, str] | None = None) -> None:
        """`credentials` are (user, password) for sites that ask by HTTP."""
        self._session = _pooled()
        self._session.headers["User-Agent"] = user_agent
        self._session.auth = credentials
        self._session.max_redirects = MOST_REDIRECTS

    def get(
        self, url: str, timeout_s: float, *,
        credentials: tuple[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        proxy: str | None = None,
    ) -> Exchange:  # fmt: skip
        """What `url` answers, redirects followed; status 0 with `error` when nothing came.

        Of too many redirects the last is the answer. A body longer than we read is cut.
        `timeout_s` limits the whole, body included.
        `credentials` are the site's, where it has some of its own; `headers` are sent besides ours;
        `proxy` is an address such as http://host:port.
        """
        started, began = datetime.now(UTC), time.monotonic()
        try:
            with self._session.get(
                url,
                timeout=timeout_s,
                stream=True,
                auth=credentials,
                headers=dict(headers or {}),
                proxies=_proxies(proxy),
            ) as answer:
                body, error = _read(answer, began + timeout_s)
                return _exchange(answer, body, error, started, time.monotonic() - began)
        except (requests.RequestException, ValueError, OSError) as exc:
            last = exc.response if isinstance(exc, requests.TooManyRedirects) else None
            if last is not None:
                return _exchange(last, b"", str(exc), started, time.monotonic() - began)
            sent = tuple((k, str(v)) for k, v in self._session.headers.items())
            request = Request("GET", url, sent)
            return _unanswered(request, str(exc) or type(exc).__name__, started, began)

    def close(self) -> None:
        """Give the connections back."""
        self._session.close()


class HttpSession:
    """One site's visitor by plain HTTP: cookies of its own, requests exactly as they are given."""

    def __init__(
        self, *, credentials: tuple[str, str] | None = None, proxy: str | None = None
    ) -> None:
        """`credentials` are (user, password) for a site that asks by HTTP."""
        self._session = _pooled()
        self._session.proxies = _proxies(proxy)
        self._session.headers.clear()
        self._session.headers["Accept-Encoding"] = PACKED
        self._session.auth = credentials

    def send(
        self,
        request: Request,
        timeout_s: float,
        *,
        forbids: Callable[[str], bool] = lambda url: False,
    ) -> tuple[Exchange, ...]:
        """What was sent and received: one exchange a hop, redirects followed as a browser does.

        The last has status 0 and `error` when nothing came, or when `forbids` says that its
        address must not be asked for: then nothing left.
        """
        found: list[Exchange] = []
        until = time.monotonic() + timeout_s
        for _ in range(MOST_REDIRECTS):
            if forbids(request.url):
                blocked = _unanswered(request, BLOCKED, datetime.now(UTC), time.monotonic())
                return (*found, blocked)
            found.append(self._send_one(request, until))
            further = _redirected(request, found[-1])
            if further is None:
                break
            request = further
        return tuple(found)

    def _send_one(self, request: Request, until: float) -> Exchange:
        """One hop. A connection that the site closed while it rested is opened anew, once."""
        answer = self._try(request, until)
        stale = answer.status == 0 and STALE in answer.error and time.monotonic() < until
        return self._try(request, until) if stale else answer

    def _try(self, request: Request, until: float) -> Exchange:
        started, began = datetime.now(UTC), time.monotonic()
        try:
            ready = self._session.prepare_request(
                requests.Request(
                    request.method, request.url, dict(request.headers), data=request.body or None
                )
            )
            ready.url = urldefrag(request.url).url  # as it stands, not quoted anew
            with self._session.send(
                ready, timeout=max(0.05, until - began), stream=True, allow_redirects=False
            ) as answer:
                body, error = _read(answer, until)
                return _exchange(answer, body, error, started, time.monotonic() - began)
        except (requests.RequestException, ValueError, OSError) as exc:
            return _unanswered(request, str(exc) or type(exc).__name__, started, began)

    def cookies(self) -> tuple[Cookie, ...]:
        """The cookies that the site has set, or that were taken from the browser."""
        return tuple(_from_jar(cookie) for cookie in self._session.cookies)

    def take_cookies(self, cookies: Iterable[Cookie]) -> None:
        """Hold these cookies and no others."""
        jar = self._session.cookies
        jar.clear()
        for cookie in cookies:
            jar.set_cookie(_to_jar(cookie))

    def close(self) -> None:
        """Give the connections back."""
        self._session.close()


def _redirected(request: Request, answer: Exchange) -> Request | None:
    """The request that a redirect asks for (Fetch standard, HTTP-redirect fetch)."""
    target = answer.header("location")
    if answer.status not in REDIRECTS or not target:
        return None
    raw = target.encode("latin-1", "replace").decode("utf-8", "replace")
    url = requote_uri(urljoin(answer.url, raw))
    if not url.startswith(("http://", "https://")):
        return None
    posted = request.method == "POST" and answer.status in (301, 302)
    if posted or (answer.status == 303 and request.method not in ("GET", "HEAD")):
        kept = OF_ONE_REQUEST - {"referer"}
        headers = tuple((k, v) for k, v in request.headers if k.lower() not in kept)
        return Request("GET", url, headers)
    return Request(request.method, url, request.headers, request.body)


def _from_jar(cookie: JarCookie) -> Cookie:
    return Cookie(
        name=cookie.name,
        value=cookie.value or "",
        domain=cookie.domain.removesuffix(LOCAL),
        path=cookie.path,
        expires_s=-1.0 if cookie.expires is None else float(cookie.expires),
        secure=cookie.secure,
        http_only=cookie.has_nonstandard_attr("HttpOnly"),
        same_site=(cookie.get_nonstandard_attr("SameSite") or "").capitalize(),
    )


def _to_jar(cookie: Cookie) -> JarCookie:
    host = cookie.domain if "." in cookie.domain else cookie.domain + LOCAL
    expires = None if cookie.expires_s < 0 else int(cookie.expires_s)
    rest = {"SameSite": cookie.same_site} if cookie.same_site else {}
    made: JarCookie = create_cookie(  # type: ignore[no-untyped-call]
        cookie.name,
        cookie.value,
        domain=host,
        path=cookie.path,
        secure=cookie.secure,
        expires=expires,
        rest=rest | ({"HttpOnly": ""} if cookie.http_only else {}),
    )
    return made


def _unanswered(request: Request, why: str, started: datetime, began: float) -> Exchange:
    return Exchange(
        method=request.method,
        url=request.url,
        request_headers=request.headers,
        request_body=request.body,
        status=0,
        reason="",
        response_headers=(),
        body=b"",
        started_at=started,
        duration_s=time.monotonic() - began,
        error=" ".join(why.split()),
    )


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
