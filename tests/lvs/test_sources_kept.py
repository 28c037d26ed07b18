"""Answers of data sources outlive the process; failures are asked again, old answers stand in."""

from __future__ import annotations

from typing import Any

from hiwe.lvs.readers import Connectors
from hiwe.lvs.sources import KEPT_S, RETRY_S, Sources
from hiwe.repository.database import Database
from hiwe.repository.run import Run

SPEC = {"type": "json", "url": "http://h/", "label": "Author"}


class Site:
    """A source that answers what it is told to, and counts how often it is asked."""

    def __init__(self) -> None:
        self.answer: bytes | None = b'["x"]'
        self.asked = 0

    def fetch(self, url: str) -> bytes:
        self.asked += 1
        if self.answer is None:
            raise OSError("down")
        return self.answer


def sources(site: Site, run: Run, now: float, spec: dict[str, Any] | None = None) -> Sources:
    return Sources([spec or SPEC], Connectors(fetch=site.fetch), clock=lambda: now, keeper=run)


def values(made: Sources) -> list[list[str]]:
    return [list(row.values) for row in made.rows()]


def test_a_resumed_run_downloads_nothing_twice() -> None:
    site = Site()
    with Database(None) as db:
        assert values(sources(site, Run(db), 0.0)) == [["x"]]
        assert values(sources(site, Run(db), 60.0)) == [["x"]]
    assert site.asked == 1


def test_an_old_answer_is_asked_for_again_and_stands_while_the_source_is_down() -> None:
    site = Site()
    with Database(None) as db:
        sources(site, Run(db), 0.0).rows()
        site.answer = None
        later = sources(site, Run(db), KEPT_S)
        assert values(later) == [["x"]]
        assert len(later.notes) == 1
        site.answer = b'["y"]'
        assert values(sources(site, Run(db), KEPT_S + 1.0)) == [["y"]]
    assert site.asked == 3


def test_another_description_is_another_source() -> None:
    site = Site()
    with Database(None) as db:
        sources(site, Run(db), 0.0).rows()
        sources(site, Run(db), 0.0, {**SPEC, "url": "http://other/"}).rows()
    assert site.asked == 2


def test_a_source_that_failed_is_due_after_a_while_and_not_before() -> None:
    site, now = Site(), [0.0]
    site.answer = None
    made = Sources([SPEC], Connectors(fetch=site.fetch), clock=lambda: now[0])
    assert made.rows() == []
    assert not made.is_due
    now[0] = RETRY_S
    assert made.is_due
    site.answer = b'["x"]'
    assert values(made) == [["x"]]
    assert not made.is_due
