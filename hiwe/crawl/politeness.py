"""Pace and back-off: when a host may be asked again, and when to leave it alone.

Pure decisions on the frozen state of a host; the clock and chance are passed in. What wins is the
longest of: the configured delay, robots.txt's crawl-delay, the response time (a slow host is asked
less often), Retry-After, and the exponential back-off after refusals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from hiwe.repository.hosts import HostState

MAX_STREAK = 5  # refusals, or requests without an answer, in a row that stop a host
RESPONSE_FACTOR = 1.0  # a host rests as long as it took to answer
MAX_RESPONSE_DELAY_S = 30.0
SMOOTHING = 0.3  # weight of the last response time
BACKOFF_BASE_S = 2.0
MAX_BACKOFF_S = 300.0
MAX_DOUBLINGS = 20  # the longest back-off is reached before
JITTER = 0.25  # part of a back-off that is left to chance
MAX_RETRY_AFTER_S = 24 * 3600.0


class Outcome(StrEnum):
    """What a request came to, as far as manners are concerned."""

    OK = "ok"  # any answer that shows the host alive and willing, a 404 or a 500 too
    THROTTLED = "throttled"  # 429, 503, or a page that says 'too many requests'
    REFUSED = "refused"  # 401, 403, a captcha, a log-in wall
    UNANSWERED = "unanswered"  # time-out, no connection


@dataclass(frozen=True, slots=True)
class Pace:
    """The configured manners: least seconds between two requests, 0 for none of our own."""

    delay_s: float = 1.0


def quiet_until(hours: str, now: float) -> float | None:
    """Return when the quiet hours ('22:00-06:00', local time) end that `now` lies in, None if not.

    A span whose end comes before its start goes over midnight; one of no length is none.
    """
    if not hours:
        return None
    start, end = (_minutes(part) for part in hours.split("-"))
    moment = datetime.fromtimestamp(now)
    minute = moment.hour * 60 + moment.minute
    inside = start <= minute < end if start <= end else minute >= start or minute < end
    if not inside:
        return None
    rest = (end - minute) % (24 * 60)
    return now + rest * 60.0 - moment.second - moment.microsecond / 1e6


def _minutes(clock: str) -> int:
    hour, _, minute = clock.partition(":")
    return int(hour) * 60 + int(minute)


def outcome_of(status: int, *, blocked: bool = False, retry_after: bool = False) -> Outcome:
    """Return the outcome of a request by its status (0: no answer came).

    `blocked` says that the page itself is a captcha, a block page or a log-in wall;
    `retry_after` that it asks to come back later.
    """
    if status == 0:
        return Outcome.UNANSWERED
    if status in (429, 503) or (retry_after and status >= 400):
        return Outcome.THROTTLED
    if blocked or status in (401, 403, 407, 451):
        return Outcome.REFUSED
    return Outcome.OK


def after_request(
    state: HostState,
    outcome: Outcome,
    pace: Pace,
    *,
    now: float,
    response_s: float = 0.0,
    retry_after_s: float | None = None,
    chance: random.Random | None = None,
) -> HostState:
    """Return the state of a host after a request that ended at `now`.

    After MAX_STREAK refusals or unanswered requests in a row the host is stopped ('blocked' or
    'unreachable'); what is open of it stays open.
    """
    state = _count(state, outcome, response_s)
    delay_s = max(
        usual_delay(state, pace),
        backoff_delay(state.backoff, chance) if outcome is not Outcome.OK else 0.0,
        min(retry_after_s or 0.0, MAX_RETRY_AFTER_S),
    )
    return replace(state, next_allowed_at=max(state.next_allowed_at, now + delay_s))


def _count(state: HostState, outcome: Outcome, response_s: float) -> HostState:
    """Return the state with its streaks counted, and stopped when one is too long."""
    if outcome is Outcome.OK:
        smoothed = _smoothed(state.response_s, response_s)
        return replace(state, response_s=smoothed, backoff=0, block_streak=0, failure_streak=0)
    state = replace(state, backoff=state.backoff + 1)
    if outcome is Outcome.UNANSWERED:
        state = replace(state, failure_streak=state.failure_streak + 1)
        stopped = "unreachable" if state.failure_streak >= MAX_STREAK else ""
    else:
        state = replace(state, block_streak=state.block_streak + 1, failure_streak=0)
        stopped = "blocked" if state.block_streak >= MAX_STREAK else ""
    return replace(state, stopped=state.stopped or stopped)


def _smoothed(before_s: float, last_s: float) -> float:
    return last_s if before_s == 0 else (1 - SMOOTHING) * before_s + SMOOTHING * last_s


def usual_delay(state: HostState, pace: Pace) -> float:
    """Return the seconds between two requests to a host that answers well.

    With a configured delay of 0 the pace does not follow the response time either: that is for
    one's own machine. The crawl-delay holds always.
    """
    if pace.delay_s == 0:
        return state.delay_s
    follow_s = min(RESPONSE_FACTOR * state.response_s, MAX_RESPONSE_DELAY_S)
    return max(pace.delay_s, state.delay_s, follow_s)


def backoff_delay(failures: int, chance: random.Random | None = None) -> float:
    """Return the seconds to wait after so many failures in a row: doubled each time, with jitter.

    Without `chance` the longest that chance could give.
    """
    doublings = min(max(0, failures - 1), MAX_DOUBLINGS)
    longest_s = min(BACKOFF_BASE_S * 2.0**doublings, MAX_BACKOFF_S)
    return longest_s * (1 - JITTER * (chance.random() if chance else 0.0))


def retry_after_seconds(value: str, now: float) -> float | None:
    """Return the seconds that a Retry-After field asks for (RFC 9110, 10.2.3), None if unclear.

    It is a number of seconds or an HTTP date; a date that has passed asks for nothing.
    """
    value = value.strip()
    if value.isdecimal():
        return float(min(int(value), int(MAX_RETRY_AFTER_S)))
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return min(
        max(0.0, (moment - datetime.fromtimestamp(now, UTC)).total_seconds()), MAX_RETRY_AFTER_S
    )


def resumed(state: HostState) -> HostState:
    """Return the state of a host that a later run asks again: streaks and stop forgotten."""
    return replace(state, stopped="", block_streak=0, failure_streak=0, backoff=0)
