"""Pace and back-off."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiwe.crawl.politeness import (
    MAX_BACKOFF_S,
    MAX_RETRY_AFTER_S,
    MAX_STREAK,
    Outcome,
    Pace,
    after_request,
    backoff_delay,
    outcome_of,
    resumed,
    retry_after_seconds,
    usual_delay,
)
from hiwe.repository.hosts import HostState

NEW = HostState("h.org")
NOW = 1_000_000.0


def wait_after(state=NEW, outcome=Outcome.OK, delay_s=1.0, **more):
    """Return the seconds a host rests after a request."""
    return after_request(state, outcome, Pace(delay_s), now=NOW, **more).next_allowed_at - NOW


@pytest.mark.parametrize(
    ("delay_s", "crawl_delay_s", "response_s", "expected"),
    [
        (1.0, 0.0, 0.1, 1.0),
        (1.0, 5.0, 0.1, 5.0),
        (1.0, 0.0, 3.0, 3.0),
        (1.0, 0.0, 500.0, 30.0),
        (0.0, 0.0, 3.0, 0.0),
        (0.0, 2.0, 3.0, 2.0),
    ],
)
def test_the_longest_delay_wins(delay_s, crawl_delay_s, response_s, expected):
    state = HostState("h.org", delay_s=crawl_delay_s)
    assert wait_after(state, delay_s=delay_s, response_s=response_s) == expected


def test_pace_follows_a_host_that_becomes_slow_and_recovers():
    state = NEW
    for _ in range(20):
        state = after_request(state, Outcome.OK, Pace(1.0), now=NOW, response_s=8.0)
    assert usual_delay(state, Pace(1.0)) == pytest.approx(8.0, rel=0.01)
    for _ in range(20):
        state = after_request(state, Outcome.OK, Pace(1.0), now=NOW, response_s=0.1)
    assert usual_delay(state, Pace(1.0)) == 1.0


def test_retry_after_is_obeyed_and_never_shortens_the_wait():
    assert wait_after(outcome=Outcome.THROTTLED, retry_after_s=40.0, delay_s=0.0) == 40.0
    waiting = replace(NEW, next_allowed_at=NOW + 100.0)
    assert wait_after(waiting) == 100.0
    assert wait_after(outcome=Outcome.THROTTLED, retry_after_s=1e12) == MAX_RETRY_AFTER_S


def test_back_off_doubles_and_is_forgotten_after_a_good_answer():
    state, waits = NEW, []
    for _ in range(MAX_STREAK):
        waits.append(wait_after(state, Outcome.UNANSWERED, delay_s=0.0))
        state = after_request(state, Outcome.UNANSWERED, Pace(0.0), now=NOW)
    assert waits == [2.0, 4.0, 8.0, 16.0, 32.0]
    state = after_request(state, Outcome.OK, Pace(1.0), now=NOW)
    assert (state.backoff, state.failure_streak) == (0, 0)


@given(failures=st.integers(1, 2000), seed=st.integers())
def test_jitter_only_shortens_a_back_off_and_by_a_quarter_at_most(failures, seed):
    longest = backoff_delay(failures)
    assert (
        0.75 * longest <= backoff_delay(failures, random.Random(seed)) <= longest <= MAX_BACKOFF_S
    )


@pytest.mark.parametrize(
    ("outcomes", "stopped"),
    [
        ([Outcome.REFUSED] * 5, "blocked"),
        ([Outcome.THROTTLED] * 3 + [Outcome.REFUSED] * 2, "blocked"),
        ([Outcome.REFUSED] * 4 + [Outcome.OK] + [Outcome.REFUSED] * 4, ""),
        ([Outcome.UNANSWERED] * 5, "unreachable"),
        ([Outcome.UNANSWERED, Outcome.REFUSED] * 4, ""),
        ([Outcome.REFUSED] * 4, ""),
    ],
)
def test_a_streak_stops_the_host(outcomes, stopped):
    state = NEW
    for outcome in outcomes:
        state = after_request(state, outcome, Pace(), now=NOW)
    assert state.stopped == stopped
    assert resumed(state).stopped == ""


@pytest.mark.parametrize(
    ("status", "blocked", "retry_after", "expected"),
    [
        (200, False, False, Outcome.OK),
        (404, False, False, Outcome.OK),
        (500, False, False, Outcome.OK),
        (500, False, True, Outcome.THROTTLED),
        (429, False, False, Outcome.THROTTLED),
        (503, False, False, Outcome.THROTTLED),
        (401, False, False, Outcome.REFUSED),
        (403, False, False, Outcome.REFUSED),
        (200, True, False, Outcome.REFUSED),
        (0, False, False, Outcome.UNANSWERED),
    ],
)
def test_outcome_of_a_request(status, blocked, retry_after, expected):
    assert outcome_of(status, blocked=blocked, retry_after=retry_after) is expected


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("4", 4.0),
        (" 120 ", 120.0),
        ("0", 0.0),
        ("99999999999999999999", MAX_RETRY_AFTER_S),
        ("Mon, 12 Jan 1970 13:46:50 GMT", 10.0),
        ("Mon, 12 Jan 1970 13:46:50", 10.0),
        ("Mon, 12 Jan 1970 13:46:30 GMT", 0.0),
        ("soon", None),
        ("-1", None),
        ("1.5", None),
        ("", None),
        ("Mon, 99 Foo 1970", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value, seconds):
    assert retry_after_seconds(value, NOW) == seconds


@given(st.text(max_size=40))
def test_no_retry_after_field_is_fatal(value):
    found = retry_after_seconds(value, NOW)
    assert found is None or 0 <= found <= MAX_RETRY_AFTER_S
