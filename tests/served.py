"""A small site on loopback for tests: routes to answers, and a log of what really arrived.

    with Served({"/": "<form action=/find>...", "/find": by("genre", "g")}) as site:
        ...open site.url...
    assert [r.target for r in site.to("/find")] == ["/find?g=sf"]

Each `Served` has a port of its own, so cookies, robots.txt and pace belong to it alone. A path that
no route names is a plain 404. The log is the oracle: it holds every request in order of arrival,
with its headers in order and its exact body.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.catalogue import RECORDS, having, item_page, list_page, titled

if TYPE_CHECKING:
    from types import TracebackType

SHARED = Path(os.environ.get("HIWE_SHARED", Path(__file__).parents[2] / "shared"))


@dataclass(frozen=True)
class Request:
    """One request as it arrived; `target` is path and query as they stood in the request line."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    at: float

    @property
    def path(self) -> str:
        """The target without its query."""
        return urlsplit(self.target).path

    @property
    def query(self) -> str:
        """The query as sent, '' when there is none."""
        return urlsplit(self.target).query

    @property
    def values(self) -> dict[str, list[str]]:
        """The fields of query and urlencoded body together, in UTF-8, blank ones kept."""
        fields = parse_qs(self.query, keep_blank_values=True)
        if self.header("content-type").startswith("application/x-www-form-urlencoded"):
            fields |= parse_qs(self.body.decode("ascii", "replace"), keep_blank_values=True)
        return fields

    def value(self, name: str) -> str:
        """The first value of the field `name`, '' when it was not sent."""
        return self.values.get(name, [""])[0]

    def header(self, name: str) -> str:
        """Value of the header `name`, any case; '' when it was not sent."""
        return next((v for k, v in self.headers if k.lower() == name.lower()), "")

    def cookie(self, name: str) -> str:
        """Value of the cookie `name`, '' when it was not sent."""
        morsel = SimpleCookie(self.header("cookie")).get(name)
        return morsel.value if morsel else ""


@dataclass(frozen=True)
class Reply:
    """An answer; text is sent in UTF-8, `delay_s` goes before its first byte."""

    body: str | bytes = ""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    delay_s: float = 0.0


def redirect(to: str, status: int = 302) -> Reply:
    """An answer that sends the browser to `to`."""
    return Reply("", status, headers=(("Location", to),))


def refused(status: int, text: str = "The request was not understood.") -> Reply:
    """An error page of one sentence."""
    return Reply(f"<p>{text}</p>", status)


Answer = str | bytes | Reply
Route = Answer | Callable[[Request], Answer]


def by(field_name: str, parameter: str) -> Callable[[Request], Answer]:
    """A route: the list page of the records whose `field_name` is the sent `parameter`."""
    return lambda request: list_page(
        having(**{field_name: request.value(parameter)}) if request.value(parameter) else []
    )


def by_title(parameter: str) -> Callable[[Request], Answer]:
    """A route: the list page by whole title word; nothing for an empty one."""
    return lambda request: list_page(
        titled(request.value(parameter)) if request.value(parameter) else []
    )


def _item(request: Request) -> Answer:
    record = next((r for r in RECORDS if request.path == f"/item/{r.id}"), None)
    return item_page(record) if record else refused(404, "There is no such item.")


@dataclass
class Served:
    """A site on a free loopback port while its `with` block lasts.

    A route's key is a path ('/find'), a method and a path ('POST /find'), or a path that ends in
    '*' for all below it; its value is the page, a Reply, or a function from Request to one of
    them. `any_path` answers what no route names. Item pages are there without a route.
    """

    routes: Mapping[str, Route]
    any_path: Route = field(default_factory=lambda: refused(404, "There is no such page."))
    host: str = "127.0.0.1"

    def __post_init__(self) -> None:
        """Prepare the log; the port is taken by `__enter__`."""
        self.log: list[Request] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """Take a free port and serve in a thread."""
        self._server = _Server((self.host, 0), _Handler)
        self._server.site = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop serving and give the port back."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def url(self) -> str:
        """The site's root, with a slash at its end."""
        return f"http://{self.host}:{self._server.server_address[1]}/"

    def at(self, path: str) -> str:
        """The address of `path` ('/find?q=1') on this site."""
        return self.url.rstrip("/") + path

    def to(self, path: str) -> list[Request]:
        """The requests whose path is `path`, in order of arrival."""
        with self._lock:
            return [r for r in self.log if r.path == path]

    def answer(self, request: Request) -> Reply:
        """Log `request` and make its answer."""
        with self._lock:
            self.log.append(request)
        route = self._route(request)
        made = route(request) if callable(route) else route
        return made if isinstance(made, Reply) else Reply(made)

    def _route(self, request: Request) -> Route:
        for key in (f"{request.method} {request.path}", request.path):
            if key in self.routes:
                return self.routes[key]
        for key, route in self.routes.items():
            if key.endswith("*") and request.path.startswith(key[:-1]):
                return route
        return _item if request.path.startswith("/item/") else self.any_path


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    site: Served

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: browsers break connections off whenever they like."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(
            self.command,
            self.path,
            tuple((k, v) for k, v in self.headers.items()),
            self.rfile.read(length),
            time.monotonic(),
        )
        reply = self.server.site.answer(request)
        if reply.delay_s:
            time.sleep(reply.delay_s)
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in reply.headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_POST = do_HEAD = _serve

    def log_message(self, format: str, *args: object) -> None:
        """Keep the terminal clean: the log is in `Served.log`."""


def case_pages(name: str) -> list[str]:
    """The HTML blocks of the acceptance case `name`, in order; skips where they are missing."""
    file = SHARED / "cases" / f"{name}.md"
    if not file.is_file():
        pytest.skip(f"no acceptance cases at {file.parent}; set HIWE_SHARED")
    return re.findall(r"^```html\n(.*?)^```", file.read_text(encoding="utf-8"), re.M | re.S)
