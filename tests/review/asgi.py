"""Requests to the review pages without a server: one call, one answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from lxml import html as lxml_html

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.html import HtmlElement
    from starlette.types import ASGIApp

    from hiwe.review.guard import Keys


@dataclass(frozen=True)
class Reply:
    """An answer; `text` is its body."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def tree(self) -> HtmlElement:
        """The page, parsed."""
        return lxml_html.fromstring(self.text)

    @property
    def said(self) -> str:
        """What the page's main part says, as one line."""
        return " ".join(self.tree.xpath("//main")[0].text_content().split())


class Client:
    """Asks as a browser that has been let in; headers can be given otherwise."""

    def __init__(self, application: ASGIApp, keys: Keys) -> None:
        """Keep whom to ask."""
        self._application = application
        self.keys = keys
        self.host = f"127.0.0.1:{keys.port}"

    def get(self, address: str, headers: Mapping[str, str | None] | None = None) -> Reply:
        """Ask for a page."""
        return self._ask("GET", address, b"", headers or {})

    def post(
        self,
        address: str,
        fields: Mapping[str, str],
        headers: Mapping[str, str | None] | None = None,
        *,
        csrf: str | None = None,
    ) -> Reply:
        """Send a form with the secret that our pages have, or another one."""
        body = urlencode({"csrf": self.keys.csrf if csrf is None else csrf, **fields}).encode()
        own = {
            "origin": f"http://{self.host}",
            "content-type": "application/x-www-form-urlencoded",
            "content-length": str(len(body)),
        }
        return self._ask("POST", address, body, {**own, **(headers or {})})

    def _ask(
        self, method: str, address: str, body: bytes, headers: Mapping[str, str | None]
    ) -> Reply:
        path, _, query = address.partition("?")
        own = {"host": self.host, "cookie": f"{self.keys.cookie}={self.keys.token}"}
        sent: list[Any] = []
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": path, "raw_path": path.encode(), "root_path": "",
            "query_string": query.encode(), "client": ("127.0.0.1", 1), "server": None,
            "headers": [(k.encode(), v.encode()) for k, v in {**own, **headers}.items()
                        if v is not None],
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self._application(scope, receive, send))
        text = b"".join(message.get("body", b"") for message in sent[1:]).decode()
        return Reply(
            sent[0]["status"], {k.decode(): v.decode() for k, v in sent[0]["headers"]}, text
        )
