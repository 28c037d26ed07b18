"""Plan: which assignment of a form comes next, within its budget.

The plan keeps no clock and draws no lots: fed with the same outcomes in the same order it gives
the same assignments, so a run that was killed goes on from its recorded outcomes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hiwe.submission.assignment import ValueAssignment
from hiwe.submission.catalogue import catalogue_of
from hiwe.submission.harvest import Harvest
from hiwe.submission.outcome import Outcome
from hiwe.submission.paper import PaperOrder
from hiwe.submission.rank import RankFunction, rank
from hiwe.submission.values import ElementValues, element_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hiwe.form.form import Form
    from hiwe.submission.assignment import Binding
    from hiwe.submission.sources import Candidate
    from hiwe.submission.vain import Vain

Order = Literal["paper", "harvest"]
MIN_GAIN = 0.02  # of the mean new records per submission: less is not worth asking for
BUDGET = "budget"

__all__ = ["BUDGET", "MIN_GAIN", "ElementValues", "Order", "Outcome", "Plan", "element_values"]


class Plan:
    """Assignments of one form, in the order that `order` names."""

    def __init__(
        self,
        form: Form,
        values: Sequence[ElementValues],
        *,
        function: RankFunction = "min",
        rho_min: float = 0.6,
        order: Order = "harvest",
        budget: int = 100,
        min_gain: float = MIN_GAIN,
    ) -> None:
        """Begin with nothing given. `budget` counts submissions, under way ones included."""
        self.form, self.function, self.rho_min, self.budget = form, function, rho_min, budget
        self._parents = {v.element: v.parent for v in values}
        catalogue = catalogue_of(form, values, function=function, rho_min=rho_min)
        self._order = (
            PaperOrder(catalogue) if order == "paper" else Harvest(catalogue, min_gain=min_gain)
        )

    def next(self, n: int = 1) -> tuple[ValueAssignment, ...]:
        """Up to `n` assignments that were not given before, best first.

        Fewer when the budget is spent, when nothing is left, or when what is left depends on
        answers that are under way (`exhausted` tells these apart).
        """
        given: list[ValueAssignment] = []
        while len(given) < n and self.left > 0:
            candidate = self._order.choose()
            if candidate is None:
                break
            self._order.ledger.give(candidate.bindings, discover=candidate.discover)
            given.append(self._assignment(candidate))
        return tuple(given)

    def record(self, outcome: Outcome) -> None:
        """Learn from what became of an assignment, given by this plan or before a restart."""
        self._order.learn(outcome)

    def put_off(self, vain: Vain) -> None:
        """Try last what the site's forms were asked for in vain, now or later.

        The paper's order minds ranks alone.
        """
        if isinstance(self._order, Harvest):
            self._order.vain = vain

    def show(self, records: Iterable[Mapping[str, str]]) -> None:
        """Try first what records (field -> text) of the site show.

        The paper's order minds ranks alone.
        """
        if isinstance(self._order, Harvest):
            self._order.show(records)

    @property
    def submitted(self) -> int:
        """Submissions recorded or under way."""
        return self._order.ledger.bandit.given

    @property
    def left(self) -> int:
        """Submissions that the budget still allows."""
        return self.budget - self.submitted

    @property
    def exhausted(self) -> bool:
        """Nothing will be given any more."""
        return bool(self.stop_reason)

    @property
    def stop_reason(self) -> str:
        """'' while there is more, or answers are awaited; else why the plan has ended."""
        if self._order.ledger.waits:
            return ""
        if self.left <= 0:
            return BUDGET
        return "" if self._order.choose() is not None else self._order.reason()

    def _assignment(self, candidate: Candidate) -> ValueAssignment:
        return ValueAssignment(
            bindings=tuple(sorted(candidate.bindings, key=self._place)),
            rank=rank((b.weight for b in candidate.bindings), self.function),
            discover=candidate.discover,
        )

    def _place(self, binding: Binding) -> tuple[int, int]:
        """As a person fills the form: parents before children, else from top to bottom."""
        return _generation(binding.element, self._parents), binding.element

    def __repr__(self) -> str:
        return f"<Plan {self.submitted} of {self.budget} {self.stop_reason}>"


def _generation(element: int, parents: dict[int, int | None]) -> int:
    """Number of elements whose choice has to be made before this one's."""
    count, parent = 0, parents.get(element)
    while parent is not None and count < len(parents):
        count, parent = count + 1, parents.get(parent)
    return count
