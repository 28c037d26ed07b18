"""The harvest order: partial filling, the templates that bring new records first.

0. What a person pinned.
1. Templates of one element (or of the required ones), values of the task's rows before the
   rest of a domain; they take turns, every other time the one with the best prospects; each list
   is tried once.
2. Answers that were cut off are narrowed, once a test has shown that the form narrows at all.
3. Elements whose preset hides something are varied; where no element is accepted alone, larger
   templates are tried.
4. At the end side doors (lone boxes), and the open query where the form has a choice 'all'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.submission.axis import DOMAIN, LAST, TASK
from hiwe.submission.bandit import NOT_ACCEPTED, NOT_FILLED
from hiwe.submission.ceiling import Ceiling
from hiwe.submission.leaving import POOR, TRIAL, left_because
from hiwe.submission.ledger import Ledger
from hiwe.submission.narrowing import Prospect
from hiwe.submission.pinned import pinned
from hiwe.submission.shown import Shown
from hiwe.submission.sources import Candidate, Chain, Source, Template, Variation
from hiwe.submission.vain import Vain, value_of
from hiwe.submission.values import child_values

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from hiwe.page.page import Option
    from hiwe.submission.catalogue import Catalogue
    from hiwe.submission.outcome import Outcome
    from hiwe.submission.sources import Bindings

SHORT_LIST = 50  # values of a list that is tried once in any case
DISCOUNT = {0: 1.0, 1: 0.5, 2: 0.25}  # of the expectation, by turn
GAIN, EXHAUSTED = "gain below threshold", "exhausted"


class Harvest:
    """Chooses the next assignment; what it chooses depends on its ledger alone."""

    def __init__(self, catalogue: Catalogue, *, min_gain: float) -> None:
        """Begin with no answer. `min_gain`: least share of the mean gain that is worth it."""
        self.catalogue, self.min_gain = catalogue, min_gain
        self.ledger = Ledger(catalogue)
        self.vain = Vain()  # of the site's forms together
        self._shown = Shown(catalogue.axes)
        self._grown = False
        self._ceiling = Ceiling()
        self._outcomes: list[Outcome] = []
        self._begin()

    def _begin(self) -> None:
        required = self.ledger.asked_for
        self.chains = self.catalogue.chains(required, self.ledger)
        self.templates: list[Source] = [*self.catalogue.templates(required), *self.chains]
        self.variations: list[Source] = [
            Variation(axis, self.ledger.answers) for axis in self.catalogue.restricting(required)
        ]
        self._tell(self._shown.texts)

    def show(self, records: Iterable[Mapping[str, str]]) -> None:
        """Take in records (field -> text) of the site: values that they show come first."""
        self._tell(self._shown.add(records))

    def _tell(self, texts: Collection[str]) -> None:
        for source in self.templates:
            if texts and isinstance(source, Template):
                source.show(texts)

    def learn(self, outcome: Outcome) -> None:
        """Take an outcome in; one that shows a ceiling puts earlier ones in another light."""
        self._outcomes.append(outcome)
        if self._ceiling.note(outcome):
            self._learn_anew()
        else:
            self._take(self._ceiling.marked(outcome))

    def _learn_anew(self) -> None:
        """Begin again with the same outcomes, as after a restart."""
        earlier, self.ledger = self.ledger, Ledger(self.catalogue)
        self._grown = False
        self._begin()
        for outcome in self._outcomes:
            self._take(self._ceiling.marked(outcome))
        self.ledger.resume(earlier)

    def _take(self, outcome: Outcome) -> None:
        """Take an outcome in, with the domains that were read on the way."""
        before = self.ledger.asked_for
        self.ledger.add(outcome)
        if self.ledger.asked_for != before:
            self._begin()
        for child, options in outcome.domains:
            self._read(outcome, child, options)
        if outcome.discover:
            for chain in self.chains:
                chain.give_up(outcome.bindings)

    def _read(self, outcome: Outcome, child: int, options: Iterable[Option]) -> None:
        for chain in self.chains:
            values = next((v for v in chain.path[1:] if v.element == child), None)
            if values is not None:
                found, may_open = child_values(values, tuple(options))
                chain.read(outcome.bindings, child, found, may_open=may_open)

    def choose(self) -> Candidate | None:
        """The best candidate now, None when there is none (or all wait for answers)."""
        if self.catalogue.lacks(self.ledger.asked_for):
            return None
        if (wanted := pinned(self.catalogue, self.ledger)) is not None:
            return wanted
        if self.ledger.is_saturated(self.min_gain):
            return None
        self._settle()
        self._grow()
        heads = self._heads(self._worth(self.templates))
        task = [(s, h) for s, h in heads if s.turn == TASK]
        if task and (self._untried(task) or self.ledger.bandit.given % 2 == 0):
            return min(task, key=self._turns_had)[1]
        return (
            self._fresh_list(heads)
            or self._best([(s, h) for s, h in heads if s.turn != LAST])
            or self._last(heads)
        )

    def reason(self) -> str:
        """Why nothing more is offered."""
        missing = self.catalogue.lacks(self.ledger.asked_for)
        if missing:
            labels = ", ".join(self.catalogue.form.elements[i].label or "?" for i in missing)
            return f"no value for a required element: {labels}"
        if self.ledger.is_saturated(self.min_gain):
            return GAIN
        left = {left_because(self.ledger, s) for s in (*self.templates, *self.variations)}
        if left == {NOT_FILLED}:
            return NOT_FILLED
        return GAIN if left & POOR else EXHAUSTED

    def _worth(self, sources: list[Source]) -> list[Source]:
        return [source for source in sources if not left_because(self.ledger, source)]

    def _heads(self, sources: list[Source]) -> list[tuple[Source, Candidate]]:
        heads = ((source, self._head(source)) for source in sources)
        return [(source, head) for source, head in heads if head is not None]

    def _head(self, source: Source) -> Candidate | None:
        """A source's best candidate, of values that the site's records show before others.

        Unless those find but the records that showed them. Last come values that the site was
        asked for in vain; where the source's elements showed nothing that was not known, these are
        not asked for.
        """
        if not isinstance(source, Template):
            return source.head(self.ledger.skip)
        shown = source.shown_head(self.ledger.skip)
        if shown is not None and not self.ledger.bandit.arm(source.key).tells_apart:
            return shown
        head = source.head(self.ledger.skip, self._is_vain)
        if head is None or not self._is_vain(head.bindings):
            return head
        return None if self.ledger.bandit.is_stale(source.key[0], TRIAL) else head

    def _is_vain(self, bindings: Bindings) -> bool:
        asked = value_of(bindings)
        return asked is not None and (asked in self.vain or asked in self.ledger.vain)

    def _fresh_list(self, heads: list[tuple[Source, Candidate]]) -> Candidate | None:
        """The first value of a short list of which none was asked yet, shortest list first.

        Its values stand for large parts of the database, and nothing tells of them beforehand.
        """
        asked = {key[0] for key, arm in self.ledger.bandit.arms.items() if arm.given}
        fresh = [
            (source.size, head)
            for source, head in heads
            if isinstance(source, Template)
            and (source.turn == DOMAIN and source.listed and source.size <= SHORT_LIST)
            and source.key[0] not in asked
        ]
        return min(fresh, key=lambda pair: pair[0], default=(0, None))[1]

    def _untried(self, task: list[tuple[Source, Candidate]]) -> bool:
        """Whether a template of the task had few turns, and none in vain."""
        arms = (self.ledger.bandit.arm(source.key) for source, _ in task)
        return any(arm.given < TRIAL and arm.results == arm.answered for arm in arms)

    def _turns_had(self, pair: tuple[Source, Candidate]) -> float:
        """The turns that a template had, more of them by the share of its answers in vain."""
        arm = self.ledger.bandit.arm(pair[0].key)
        return arm.given * (arm.answered + 2) / (arm.results + 2)

    def _best(self, heads: list[tuple[Source, Candidate]]) -> Candidate | None:
        """The head with the highest score, or a part of a cut-off answer that promises more."""
        busy = {element for source, _ in heads for element in _elements(source)}
        free = [v for v in self.variations if not busy & set(_elements(v))]
        pool = [*heads, *self._heads(self._worth(free))]
        scored = [(self.ledger.bandit.score(s.key) * DISCOUNT[s.turn], h) for s, h in pool]
        best = max(scored, key=lambda pair: pair[0], default=None)
        narrowed = self._narrowest(best[0] if best else -1.0)
        return narrowed or (best[1] if best else None)

    def _narrowest(self, least: float) -> Candidate | None:
        """A part of a cut-off answer whose score is above `least`; before all others the test."""
        ledger = self.ledger
        waiting = [n for n in ledger.narrowings if not n.is_resolved(ledger.known)]
        if not waiting or not ledger.conjunction.may_narrow:
            return None
        mean = ledger.bandit.mean
        scores = [(ledger.bandit.score(n.key, n.expected(mean)), n) for n in waiting]
        for score, narrowing in sorted(scores, key=lambda pair: -pair[0]):
            if score <= least:
                return None
            head = narrowing.head(self._judge)
            if head is not None:
                test = None if narrowing.halves else ledger.conjunction.test(ledger.answers)
                return test if test and not ledger.is_given(test.bindings) else head
        return None

    def _last(self, heads: list[tuple[Source, Candidate]]) -> Candidate | None:
        """Tests of how the form combines, side doors, blocked ones again, the open query."""
        ledger = self.ledger
        for test in (
            ledger.conjunction.test(ledger.answers),
            ledger.conjunction.union_test(ledger.answers),
        ):
            if test is not None and not ledger.is_given(test.bindings):
                return test
        if heads:
            return heads[0][1]
        if ledger.may_retry:
            return Candidate(ledger.may_retry[0])
        may_open = self.catalogue.has_open_choice and not self.catalogue.core(ledger.asked_for)
        ready = may_open and not ledger.waits and not ledger.skip(())
        return Candidate(()) if ready else None

    def _settle(self) -> None:
        """Move every narrowing on; one that is done may complete the one it came from."""
        ledger = self.ledger
        changed = True
        while changed:
            changed = False
            for narrowing in reversed(ledger.narrowings):
                changed |= narrowing.settle(ledger.known, self.catalogue.reader, self._judge)

    def _judge(self, part: Bindings, added: Bindings) -> Prospect:
        """Whether a part is to be asked for; what it adds must not be answered whole alone."""
        ledger, query = self.ledger, self.catalogue.reader.query(part)
        if query in ledger.pending:
            return Prospect.WAIT
        if ledger.skip(part):
            return Prospect.DONE
        answer = ledger.known.answers.get(self.catalogue.reader.query(added))
        if answer is not None:
            return Prospect.OPEN if answer.part else Prospect.DONE
        key = ledger.choice_key(added)
        source = next((s for s in self.templates if s.key == key), None)
        if source is None or ledger.skip(added):
            return Prospect.OPEN
        left = left_because(self.ledger, source)
        return Prospect.OPEN if left in POOR else Prospect.DONE if left else Prospect.WAIT

    def _grow(self) -> None:
        """Larger templates, when every element was refused alone."""
        if self._grown or any(a.verdict.is_valid for a in self.ledger.answers):
            return
        if self.templates and all(
            left_because(self.ledger, s) == NOT_ACCEPTED for s in self.templates
        ):
            self._grown = True
            self.templates = [*self.templates, *self.catalogue.grown(self.ledger.asked_for)]


def _elements(source: Source) -> tuple[int, ...]:
    if isinstance(source, Chain):
        return tuple(v.element for v in source.path)
    axes = source.axes if isinstance(source, Template) else (source.axis,)
    return tuple(e for axis in axes for e in axis.elements)
