"""What is measured on: a fixture site, saved pages served again, a browser that shows them."""

from __future__ import annotations

import threading
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from hiwe.bench.corpus import corpus_folder
from hiwe.bench.peers.served import served
from hiwe.page.browser import Browser
from hiwe.page.chromium import find_chromium

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from hiwe.page.session import Session

SITE, FORM_PATH = "cineteca", "/ricerca.asp"
PAGES = 8  # of the corpus, spread evenly over it
TIMEOUT_S = 60.0
SMALL = b"<!DOCTYPE html><title>small</title><p>A page."
NOTHING_FETCHED = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True, slots=True)
class Web:
    """Where things are: the site's form, a small static page, the pages that are analysed."""

    form_url: str
    small_url: str
    pages: tuple[str, ...]
    session: Session
    directory: Path


@asynccontextmanager
async def web(*, corpus: bool) -> AsyncIterator[Web]:
    """Serve and start a browser; without `corpus` the site's own form is the one page."""
    with TemporaryDirectory(prefix="hiwe-limits-") as name:
        directory = Path(name)
        with served((SITE,), directory) as urls:
            form_url = urljoin(urls[SITE], FORM_PATH)
            bodies = {"/small": SMALL, **(_corpus() if corpus else {})}
            server = _server(bodies)
            browser = await Browser.launch(executable=find_chromium(), timeout_s=TIMEOUT_S)
            try:
                base = f"http://127.0.0.1:{server.server_port}"
                pages = tuple(base + path for path in bodies if path != "/small") or (form_url,)
                session = await browser.session("limits")
                yield Web(form_url, base + "/small", pages, session, directory)
            finally:
                await browser.close()
                server.shutdown()
                server.server_close()


def _corpus() -> dict[str, bytes]:
    """Path -> body of pages spread over the corpus of labelled forms."""
    files = sorted((corpus_folder("forms") / "pages").glob("*.html"))
    chosen = files[:: max(1, len(files) // PAGES)][:PAGES]
    return {f"/{path.name}": path.read_bytes() for path in chosen}


def _server(bodies: Mapping[str, bytes]) -> ThreadingHTTPServer:
    """Serve bodies, with a policy that lets pages ask for nothing else."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = bodies.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", NOTHING_FETCHED)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
