"""What the sites could answer at all: how often a value of the table finds something alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hiwe.bench.paper.tables import rows
from hiwe_fixtures.generated.answers import Desk

if TYPE_CHECKING:
    from hiwe_fixtures.generated import FieldPlan, WebPlan


def single_values(plan: WebPlan, task: str, *, rho_min: float) -> dict[str, float]:
    """Field of the records -> share of the table's values that a site has something for.

    Each value of weight `rho_min` and more is asked for alone, by every text element of a form of
    the task that means its row; the server's own answer counts. `all` is the share over all of
    them: who asks for these values one by one does better by the choices of lists alone.
    """
    table = {row.concept: row.values for row in rows(task)}
    asked: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for site in plan.sites:
        for form in site.forms:
            if form.domain != task:
                continue
            desk = Desk(site, form)
            for field in form.fields:
                for value in _values(field, table, rho_min):
                    answer = desk.answer({field.name: [value]})
                    asked[field.concept] += answer.verdict != "invalid"
                    found[field.concept] += answer.verdict == "results"
            desk.close()
    shares = {name: round(found[name] / count, 4) for name, count in asked.items() if count}
    return {**dict(sorted(shares.items())), "all": round(found.total() / max(1, asked.total()), 4)}


def _values(field: FieldPlan, table: dict[str, dict[str, float]], rho_min: float) -> list[str]:
    if field.kind not in ("text", "number") or field.side:
        return []
    weights = table.get(field.concept, {})
    return [value for value, weight in weights.items() if weight >= rho_min]
