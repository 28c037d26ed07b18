"""The memory of a run of very many submissions: `hiwe run` itself against a site of many answers.

The site is served by this process, the run is one of its own; its resident memory is read from
the system at every tenth of the way and at times between.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import yaml

from hiwe.errors import RunError
from hiwe.repository.database import FILE_NAME, Database
from hiwe.repository.totals import Totals

if TYPE_CHECKING:
    from collections.abc import Iterator

ITEMS_AN_ANSWER = 3
LOOK_S = 1.0
CONFIG_COPY = "config.yaml"
HOME = """<!doctype html><title>Parts</title><h1>Parts</h1><form action="/find">
<label>Part <input name="part"></label><button>Search</button></form>"""
ITEM = "<tr><td><a href='/part/{n}'>Part {n}</a></td><td>shelf {shelf}</td><td>{price}</td></tr>"
ANSWER = """<!doctype html><title>Parts</title><h1>Parts</h1><p>{count} parts found</p>
<table><tr><th>Name</th><th>Place</th><th>Price</th></tr>{items}</table>"""


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident memory of the run's process in MiB, by submissions sent (`course`).

    `first_mib` is after a tenth of them, when all that is kept for good is there.
    """

    submissions: int
    records: int
    seconds: float
    first_mib: float
    last_mib: float
    most_mib: float
    course: tuple[tuple[int, float], ...]

    @property
    def growth(self) -> float:
        """How much more there is at the end than after a tenth, as a ratio."""
        return round(self.last_mib / self.first_mib, 3)


class _Parts(BaseHTTPRequestHandler):
    """A search form; each part has an answer of its own."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer the form's page, or a search."""
        target = urlsplit(self.path)
        found = {"/": HOME, "/find": _answer(parse_qs(target.query))}.get(target.path)
        body = (found or "").encode()
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _answer(query: dict[str, list[str]]) -> str:
    digits = "".join(c for c in query.get("part", [""])[0] if c.isdigit())
    first = int(digits or 0) * ITEMS_AN_ANSWER
    numbers = range(first, first + ITEMS_AN_ANSWER) if digits else range(0)
    items = "".join(ITEM.format(n=n, shelf=n % 50, price=n % 997) for n in numbers)
    return ANSWER.format(count=len(numbers), items=items)


@contextmanager
def _served() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Parts)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def memory_of_run(submissions: int) -> Memory:
    """Send so many submissions in a run of its own process; RunError if it does not end well."""
    with tempfile.TemporaryDirectory() as directory, _served() as url:
        folder = Path(directory)
        config = _task(folder, url, submissions)
        out = folder / "run"
        began = time.monotonic()
        command = [sys.executable, "-m", "hiwe", "run", str(config), "--out", str(out), "--quiet"]
        with (folder / "said").open("w+") as said:
            process = subprocess.Popen(command, stdout=said, stderr=said)
            course = list(_course(process, out))
            if process.returncode:
                said.seek(0)
                raise RunError(out, f"the run of the benchmark failed: {said.read()[-500:]}")
        seconds = time.monotonic() - began
        with Database(out / FILE_NAME, read_only=True) as db:
            totals = Totals(db).run()
    sent = totals.tally.submissions
    first = next((mib for at, mib in course if at >= sent / 10), course[-1][1])
    most = max(mib for _, mib in course)
    return Memory(
        sent, totals.records, round(seconds, 1), first, course[-1][1], most, tuple(course)
    )


def _task(folder: Path, url: str, submissions: int) -> Path:
    values = [f"Part {number}" for number in range(submissions)]
    (folder / "parts.yaml").write_text(
        yaml.safe_dump([{"label": "Part", "values": values}]), encoding="utf-8"
    )
    task = {
        "task": "parts",
        "sites": [url],
        "lvs": {"tables": ["parts.yaml"], "builtin": [], "learn": False},
        "forms": {"alpha": 1},
        "budget": {
            "submissions_per_form": submissions,
            "submissions_per_site": submissions,
            "pages_per_site": 5,
            "duration_s": 7200,
        },
        "politeness": {"delay_s": 0.0},
        "response": {"probe": False},
    }
    config = folder / "task.yaml"
    config.write_text(yaml.safe_dump(task), encoding="utf-8")
    return config


def _course(process: subprocess.Popen[bytes], out: Path) -> Iterator[tuple[int, float]]:
    """(submissions, MiB) while the run lives."""
    while process.poll() is None:
        time.sleep(LOOK_S)
        mib = _resident_mib(process.pid)
        if mib and (out / CONFIG_COPY).exists():  # it is written once the database is there
            yield _sent(out), mib


def _resident_mib(pid: int) -> float:
    """The resident memory of a process, 0 when it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return round(int(found[0]) / 1024, 1) if found else 0.0


def _sent(out: Path) -> int:
    with Database(out / FILE_NAME, read_only=True) as db:
        return Totals(db).run().tally.submissions
