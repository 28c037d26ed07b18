"""The limits: measures take turns, and a ratio is time by time."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from urllib.request import urlopen

import pytest

from hiwe.bench.limits.kept import archive_write
from hiwe.bench.limits.shown import result_of
from hiwe.bench.limits.stage import Measure, Timed, now, take_turns
from hiwe.bench.limits.web import NOTHING_FETCHED, _server
from hiwe.page.answer import page_of_answer
from hiwe.page.exchange import Exchange


def test_measures_take_turns_after_one_unmeasured_go() -> None:
    done: list[str] = []

    def work(name: str) -> int:
        done.append(name)
        return 1

    measures = [Measure(name, "item", now(partial(work, name))) for name in "ab"]
    times = asyncio.run(take_turns(measures, 2, least_s=0.0))
    assert "".join(done) == "ab" * 3
    assert [len(timed.rounds) for timed in times] == [2, 2]


def test_a_ratio_is_time_by_time_of_all_that_the_limit_needs() -> None:
    raw = Measure("navigation", "page", now(lambda: 1))
    ours = Measure("submit", "submission", now(lambda: 1), "navigation", each=2)
    found = result_of([Timed(raw, (0.1, 0.2, 0.3)), Timed(ours, (0.9, 0.8, 0.7))], pages=1)
    assert found.figures["ratio"] == {"submit": pytest.approx(2.0)}
    assert found.figures["ms"] == {"navigation": pytest.approx(200), "submit": pytest.approx(800)}
    assert [plot.name for plot in found.plots] == ["limits"]


def test_saved_pages_are_served_with_leave_to_fetch_nothing() -> None:
    server = _server({"/a": b"<p>a"})
    try:
        with urlopen(f"http://127.0.0.1:{server.server_port}/a") as answer:
            assert answer.read() == b"<p>a"
            assert answer.headers["Content-Security-Policy"] == NOTHING_FETCHED
    finally:
        server.shutdown()
        server.server_close()


def test_each_archived_answer_is_a_body_of_its_own(tmp_path) -> None:
    """A body that stands in the archive already would cost next to nothing."""
    body, headers = b"<p>" + b"film " * 100, (("Content-Type", "text/html"),)
    told = Exchange(
        "GET", "http://a.example/", (), b"", 200, "OK", headers, body, datetime.now(UTC), 0.0
    )
    with ExitStack() as until:
        work = archive_write(tmp_path, [page_of_answer([told])] * 2, until)
        assert work() == 2
        (file,) = tmp_path.glob("*.warc.gz")
        once = file.stat().st_size
        work()
        assert file.stat().st_size > 1.7 * once
