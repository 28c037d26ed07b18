"""The paper's order: full assignments, strictly by rank (section 3.3).

Every element that has a value set is bound, the others stay at their default; under `min` a
value below rho_min can be in no assignment, so that a set of such values is none. Beyond the paper
only what no site can answer is left out: ranges that cross, and pairs of dependent elements
that do not belong together (their domains are read first).
"""

from __future__ import annotations

from itertools import chain as joined
from typing import TYPE_CHECKING

from hiwe.submission.axis import Choice
from hiwe.submission.ledger import Ledger
from hiwe.submission.rank import rank
from hiwe.submission.ranked import ranked
from hiwe.submission.sources import Candidate
from hiwe.submission.values import child_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiwe.submission.catalogue import Catalogue
    from hiwe.submission.outcome import Outcome
    from hiwe.submission.sources import Bindings, Chain


class PaperOrder:
    """Full assignments by rank, each once."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Domains of dependent elements, if there are any, are asked for first."""
        self.catalogue = catalogue
        self.ledger = Ledger(catalogue)
        self.chains = catalogue.chains(frozenset(), self.ledger)
        self._rest: Iterator[Bindings] | None = None
        self._next: Bindings | None = None

    def learn(self, outcome: Outcome) -> None:
        """Take an outcome in; only the domains that were read change what is left."""
        self.ledger.add(outcome)
        for chain in self.chains:
            for child, options in outcome.domains:
                values = next((v for v in chain.path[1:] if v.element == child), None)
                if values is not None:
                    found, may_open = child_values(values, options)
                    chain.read(outcome.bindings, child, found, may_open=may_open)
            if outcome.discover:
                chain.give_up(outcome.bindings)

    def choose(self) -> Candidate | None:
        """The best assignment that was not given yet, None when there is none."""
        if self._rest is None:
            unread = next(joined.from_iterable(chain.unread() for chain in self.chains), None)
            if unread is not None:
                return Candidate(unread, discover=True)
            if self.ledger.discovering:
                return None
            self._rest = self._assignments()
            self._next = next(self._rest, None)
        while self._next is not None and self.ledger.is_given(self._next):
            self._next = next(self._rest, None)
        if self._next is None and self.ledger.may_retry:
            return Candidate(self.ledger.may_retry[0])
        return None if self._next is None else Candidate(self._next)

    def reason(self) -> str:
        """Why nothing more is offered."""
        return "exhausted"

    def _assignments(self) -> Iterator[Bindings]:
        catalogue = self.catalogue
        chained = {v.element for chain in self.chains for v in chain.path}
        sets = [self._worth(self._paths(chain)) for chain in self.chains]
        for values in catalogue.values:
            if values.element not in chained and values.parent is None:
                found = (Choice(b, b[0].weight, "", 0) for b in values.bindings())
                sets.append(self._worth(found))
        sets = [choices for choices in sets if choices]
        ranges = [axis.range for axis in catalogue.axes if axis.range is not None]
        for _, choices in ranked(sets, catalogue.function, catalogue.rho_min):
            bindings = tuple(b for choice in choices for b in choice.bindings)
            spans = [pair.span(bindings) for pair in ranges]
            uncrossed = all(span is None or span[0] <= span[1] for span in spans)
            if uncrossed and not catalogue.crosses(bindings):
                yield bindings

    def _worth(self, choices: Iterable[Choice]) -> tuple[Choice, ...]:
        """The choices that an assignment worth sending may hold."""
        least = self.catalogue.rho_min if self.catalogue.function == "min" else 0.0
        return tuple(choice for choice in choices if choice.weight >= least)

    def _paths(self, chain: Chain) -> tuple[Choice, ...]:
        """The combinations of dependent elements that belong together, as one value set."""
        function = self.catalogue.function
        return tuple(
            Choice(path, rank((b.weight for b in path), function), "", 0) for path in chain.paths()
        )
