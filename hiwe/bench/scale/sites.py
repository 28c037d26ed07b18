"""Sites that take their time, each on a loopback address of its own, in a process of their own.

They are at 127.0.60.1 and on, at one port. Each is a library behind a form with one field; an
author is answered with a page of books, so much after the request came.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterator

NETWORK, FIRST = "127.0.60", 1
MOST_SITES = 250
BOOKS = 10  # books on a page
STOCK = 2_000  # books of a library: pages overlap, as those of real databases do
AUTHORS = 5_000  # authors to ask for
START_PAGE = """<!doctype html><html lang="en"><title>Library</title><h1>Library</h1>
<form action="/find"><label>Author <input name="author"></label><button>Search</button></form>"""


def authors(count: int = AUTHORS) -> list[str]:
    """The names that a task asks for."""
    first = ("Ada", "Bela", "Cato", "Dina", "Emil", "Fay", "Gus", "Hilde", "Ivo", "Jana")
    return [f"{first[at % len(first)]} Writer{at:05d}" for at in range(count)]


def answer_page(author: str) -> str:
    """The books of an author: always the same."""
    seed = crc32(author.encode())
    found = [(seed * (at + 7)) % STOCK for at in range(BOOKS)]
    hits = "".join(
        f'<li class="hit"><a href="/book/{book}">The {book} Lanterns</a>'
        f" <span>{author}, {1900 + book % 120}</span></li>"
        for book in found
    )
    return (
        f'<!doctype html><html lang="en"><title>Results</title><h1>Results</h1>'
        f'<p>{BOOKS} books found</p><ol class="hits">{hits}</ol>'
    )


def root(number: int, port: int) -> str:
    """The address of a site, numbered from 0."""
    return f"http://{NETWORK}.{FIRST + number}:{port}/"


@contextmanager
def served(count: int, latency_s: float) -> Iterator[int]:
    """Serve so many sites in another process; yield their port."""
    code = f"from {__name__} import serve; serve({count}, {latency_s})"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield int(server.stdout.readline())
        finally:
            server.terminate()


async def _serve(count: int, latency_s: float) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _Connection(reader, writer, latency_s).serve()

    first = await asyncio.start_server(handle, f"{NETWORK}.{FIRST}", 0)
    port = first.sockets[0].getsockname()[1]
    others = [
        await asyncio.start_server(handle, f"{NETWORK}.{FIRST + number}", port)
        for number in range(1, count)
    ]
    print(port, flush=True)
    await asyncio.gather(*(server.serve_forever() for server in (first, *others)))


class _Connection:
    """One connection that is kept open: a request, a wait, an answer, in turn."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, latency_s: float
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._latency_s = latency_s

    async def serve(self) -> None:
        """Answer until the other side goes."""
        try:
            while line := await self._reader.readline():
                while (await self._reader.readline()).strip():
                    pass  # header fields tell nothing here
                await asyncio.sleep(self._latency_s)
                self._write(*_answer(line.split()[1].decode()))
                await self._writer.drain()
        except ConnectionError:
            pass  # browsers break connections off whenever they like
        finally:
            self._writer.close()

    def _write(self, status: str, text: str) -> None:
        body = text.encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n"
        self._writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)


def _answer(target: str) -> tuple[str, str]:
    parts = urlsplit(target)
    if parts.path == "/":
        return "200 OK", START_PAGE
    if parts.path == "/find":
        return "200 OK", answer_page(parse_qs(parts.query).get("author", [""])[0])
    return "404 Not Found", "<p>There is no such page."


def serve(count: int, latency_s: float) -> None:
    """Serve so many sites in this process, until it is ended; the port is printed first."""
    asyncio.run(_serve(count, latency_s))
