"""The works of a site share what it was asked for in vain."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hiwe.crawl.works import Works
from hiwe.response.response import Verdict
from hiwe.submission.assignment import Binding
from hiwe.submission.outcome import Outcome

SITE = "http://library.example/"


def a_work(stopped: str = "") -> Any:
    return SimpleNamespace(site=SimpleNamespace(key=SITE), stopped=stopped)


def outcome(value: str, verdict: Verdict) -> Outcome:
    return Outcome((0,), (Binding(0, value, 1.0, "Author"),), verdict)


def test_what_was_in_vain_is_read_once_and_kept_up_to_date():
    read: list[str] = []

    def asked(site: str) -> list[tuple[str, str, bool]]:
        read.append(site)
        return [("Author", "Nobody", False), ("Author", "Late", False)]

    works = Works(asked)
    work = works[1] = a_work()
    assert ("Author", "Nobody") in works.vain_of(SITE)
    works.note(work, outcome("Late", Verdict.RESULTS))
    works.note(work, outcome("Nemo", Verdict.NO_RESULTS))
    works.note(work, outcome("Wrong", Verdict.INVALID))
    vain = works.vain_of(SITE)
    assert ("Author", "Late") not in vain
    assert ("Author", "Nemo") in vain
    assert ("Author", "Wrong") not in vain
    assert read == [SITE]


def test_it_is_forgotten_when_no_form_of_the_site_goes_on():
    read: list[str] = []

    def asked(site: str) -> list[tuple[str, str, bool]]:
        read.append(site)
        return []

    works = Works(asked)
    works[1], works[2] = a_work("exhausted"), a_work()
    works.vain_of(SITE)
    works.release(SITE)
    works.vain_of(SITE)
    assert len(read) == 1
    works[2].stopped = "budget"
    works.release(SITE)
    works.vain_of(SITE)
    assert len(read) == 2
