"""Guard: only the person at this machine sees and changes what the review pages show.

The server listens on loopback, where any page of the web and any user of the machine may knock:

- a name other than loopback's in `Host` is a page whose name was rebound to us (DNS rebinding);
- who has not opened the printed address once has no cookie (SameSite=Strict, HttpOnly);
- a change comes from a page of our own: `Origin` is ours, and the form carries a secret (CSRF).

Nothing that a page of ours shows may load or run anything but our own files (CSP).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_BYTES = 32
TOKEN = "token"  # parameter of the printed address
SAFE_METHODS = frozenset({"GET", "HEAD"})
OWN_PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self';"
    " frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# An archived page: shown in a frame of ours, without scripts, without a request, without origin.
FOREIGN_PAGE = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'self'"
)
OPEN_IT = "Open the whole address that `hiwe review` printed: the part after token= lets you in.\n"


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets of one server: `token` lets in, `csrf` stands in each form."""

    port: int
    token: str
    csrf: str

    @classmethod
    def fresh(cls, port: int) -> Keys:
        """Return new random keys for a server at `port`."""
        return cls(port, secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(TOKEN_BYTES))

    @property
    def address(self) -> str:
        """The address that lets a person in."""
        return f"http://127.0.0.1:{self.port}/?{urlencode({TOKEN: self.token})}"

    @property
    def cookie(self) -> str:
        """Name of the cookie: ports share cookies, servers must not."""
        return f"hiwe-review-{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """What `Host` may say."""
        return frozenset({f"127.0.0.1:{self.port}", f"localhost:{self.port}"})


class Guard:
    """Lets requests pass to the application, or answers them itself with 403."""

    def __init__(self, application: ASGIApp, keys: Keys) -> None:
        self._application = application
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        answer = self._answer(Request(scope))
        await (answer or self._application)(scope, receive, _with_headers(send))

    def _answer(self, request: Request) -> Response | None:
        """A refusal, or the cookie for who brings the token; None lets the request pass."""
        host = request.headers.get("host", "")
        if host not in self._keys.hosts:
            return _refusal("This server answers at 127.0.0.1 alone.\n")
        given = request.query_params.get(TOKEN)
        if given is not None:
            return self._let_in() if _same(given, self._keys.token) else _refusal(OPEN_IT)
        if not _same(request.cookies.get(self._keys.cookie, ""), self._keys.token):
            return _refusal(OPEN_IT)
        origin = request.headers.get("origin")
        if request.method not in SAFE_METHODS and origin != f"http://{host}":
            return _refusal("Changes are taken from the review pages alone.\n")
        return None

    def _let_in(self) -> Response:
        """Keep the token in a cookie and take it out of the address."""
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self._keys.cookie, self._keys.token, httponly=True, samesite="strict")
        return answer


def is_genuine(form_secret: str, keys: Keys) -> bool:
    """Return whether a form's secret is ours."""
    return _same(form_secret, keys.csrf)


def _same(given: str, ours: str) -> bool:
    return secrets.compare_digest(given.encode(), ours.encode())


def _refusal(text: str) -> Response:
    return PlainTextResponse(text, 403)


def _with_headers(send: Send) -> Send:
    """Send answers with the headers that every one of ours has."""

    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("content-security-policy", OWN_PAGES)
            headers["x-content-type-options"] = "nosniff"
            headers["cross-origin-opener-policy"] = "same-origin"
            headers["cross-origin-resource-policy"] = "same-origin"
            headers.setdefault("referrer-policy", "same-origin")
            headers["cache-control"] = "no-store"
        await send(message)

    return sender
