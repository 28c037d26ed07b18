"""Which template to try next: expected new records per submission, and when to leave one.

A deterministic upper confidence bound: equal histories give equal choices, so a resumed run goes
on as the unbroken one would have.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from hiwe.submission.outcome import Outcome

RECENT = 8  # outcomes that the expectation is taken from
PATIENCE_REFUSED = 3  # refusals at the start until a text element counts as not accepted alone
PATIENCE_REFUSED_LISTED = 2  # the same for a listed domain: no value of it can be mistyped
PATIENCE_NOTHING = 8  # 'nothing found' at the start: text
PATIENCE_NOTHING_LISTED = 8  # the same for a listed domain, whose values the site itself names
PATIENCE_PROVEN = 15  # the same where other values of the element found something
PATIENCE_HOPELESS = 3  # the same where no value of the element found anything, of several rows
PATIENCE_LATER = 40  # 'nothing found' in a row, after results
PATIENCE_STALE = 20  # results in a row, none of them new
PATIENCE_STALE_FIRST = 8  # the same at the start: another form has asked the same questions
INFORMATIVE = 0.25  # least share of distinct answers (the informativeness test)
INFORMATIVE_AFTER = 4  # answers with records before the test speaks
FEW = 3  # answers with a known record that tell whether such answers bring more
CURIOSITY = 0.5  # weight of the bound's second term, in mean new records

PATIENCE_UNSENT = 6  # assignments in a row that could not be filled, before any was sent
PATIENCE_UNSENT_LATER = 20  # the same after one was sent

NOT_ACCEPTED = "not accepted alone"
NOT_FILLED = "cannot be filled"
UNINFORMATIVE = "answers do not differ"
NOTHING_FOUND = "nothing found"
NOTHING_NEW = "nothing new"


@dataclass
class Arm:
    """History of one template (or one row's values in it)."""

    given: int = 0
    answered: int = 0
    results: int = 0
    valid: int = 0
    refused: int = 0
    unsent_streak: int = 0
    empty_streak: int = 0
    stale_streak: int = 0
    new_records: int = 0
    with_records: int = 0
    distinct: set[frozenset[str]] = field(default_factory=set)
    recent: deque[int] = field(default_factory=lambda: deque(maxlen=RECENT))
    beside_known: deque[int] = field(default_factory=lambda: deque(maxlen=FEW))

    def add(self, outcome: Outcome) -> None:
        """Take in one outcome that was sent."""
        self.answered += 1
        self.unsent_streak = 0
        self.recent.append(outcome.new_records)
        self.new_records += outcome.new_records
        self.refused += outcome.is_refused
        self.valid += outcome.verdict.is_valid
        if outcome.verdict is Verdict.RESULTS:
            self.results += 1
            self.empty_streak = 0
            self.stale_streak = 0 if outcome.new_records else self.stale_streak + 1
            if outcome.new_records < len(outcome.records):
                self.beside_known.append(outcome.new_records)
            if outcome.records:
                self.with_records += 1
                self.distinct.add(outcome.records)
        else:
            self.empty_streak += 1

    def verdict(self, *, listed: bool, proven: bool = False, hopeless: bool = False) -> str:
        """Why the arm is to be left, '' while it is worth going on.

        `listed`: its values are a list's; `proven`: other values of its element found something;
        `hopeless`: so many of them were asked for, and none did.
        """
        refusals = PATIENCE_REFUSED_LISTED if listed else PATIENCE_REFUSED
        if self.refused >= refusals and not self.valid:
            return NOT_ACCEPTED
        if self.unsent_streak >= (PATIENCE_UNSENT_LATER if self.answered else PATIENCE_UNSENT):
            return NOT_FILLED
        same = len(self.distinct) <= INFORMATIVE * self.with_records
        if same and self.with_records >= INFORMATIVE_AFTER:
            return UNINFORMATIVE
        if self.empty_streak >= self._patience(listed=listed, proven=proven, hopeless=hopeless):
            return NOTHING_FOUND
        patience = PATIENCE_STALE if self.new_records else PATIENCE_STALE_FIRST
        return NOTHING_NEW if self.stale_streak >= patience else ""

    @property
    def tells_apart(self) -> bool:
        """Answers that held a known record held nothing else: what was seen finds itself alone."""
        return len(self.beside_known) == FEW and not sum(self.beside_known)

    def _patience(self, *, listed: bool, proven: bool, hopeless: bool) -> int:
        """How many answers in a row may find nothing."""
        if self.results:
            return PATIENCE_LATER
        if hopeless:
            return PATIENCE_HOPELESS
        first = PATIENCE_NOTHING_LISTED if listed else PATIENCE_NOTHING
        return max(first, PATIENCE_PROVEN) if proven else first


@dataclass
class Bandit:
    """The arms of one form, by their key, and what the form brought as a whole."""

    arms: dict[tuple[object, ...], Arm] = field(default_factory=dict)
    given: int = 0
    answered: int = 0
    new_records: int = 0

    def arm(self, key: tuple[object, ...]) -> Arm:
        """The history under a key, a fresh one if there is none."""
        return self.arms.setdefault(key, Arm())

    def give(self, key: tuple[object, ...], count: int = 1) -> None:
        """Note that an assignment of this arm was handed out (or taken back: -1)."""
        self.arm(key).given += count
        self.given += count

    def add(self, key: tuple[object, ...], outcome: Outcome) -> None:
        """Take in the outcome of an assignment of this arm."""
        self.arm(key).add(outcome)
        self.answered += 1
        self.new_records += outcome.new_records

    def is_proven(self, elements: object) -> bool:
        """Whether any arm of these elements found something."""
        return any(key[0] == elements and arm.results for key, arm in self.arms.items())

    def is_hopeless(self, elements: object) -> bool:
        """Whether all arms of these elements were answered often enough, and found nothing."""
        arms = [arm for key, arm in self.arms.items() if key[0] == elements]
        return sum(a.answered for a in arms) >= PATIENCE_NOTHING and not any(
            a.results for a in arms
        )

    def is_stale(self, elements: object, least: int) -> bool:
        """Whether the arms of these elements had so many results and nothing new among them."""
        arms = [arm for key, arm in self.arms.items() if key[0] == elements]
        return sum(arm.results for arm in arms) >= least and not any(a.new_records for a in arms)

    @property
    def mean(self) -> float:
        """New records per submission so far, over all arms."""
        return self.new_records / self.answered if self.answered else 0.0

    def expected(self, key: tuple[object, ...], prior: float | None = None) -> float:
        """Expected new records of the arm's next submission, drawn towards the prior."""
        arm = self.arm(key)
        start = self.mean if prior is None else prior
        return (sum(arm.recent) + start) / (len(arm.recent) + 1)

    def score(self, key: tuple[object, ...], prior: float | None = None) -> float:
        """Upper confidence bound of the expectation."""
        arm = self.arm(key)
        doubt = math.sqrt(math.log(2.0 + self.given) / (1.0 + arm.given))
        return self.expected(key, prior) + CURIOSITY * (self.mean or 1.0) * doubt
