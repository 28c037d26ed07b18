"""From trials to figures: rates, costs a record, coverage by requests."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hiwe.bench.peers.served import Asked
    from hiwe.bench.peers.trial import Trial
    from hiwe.bench.peers.work import Work

BUDGETS = (50, 100, 200, 400, 800)  # requests, of all sites together


def coverage(
    asked: Iterable[Asked], wanted: Mapping[str, frozenset[str]] | None = None
) -> list[int]:
    """Distinct records shown after each request; `wanted` alone if given (by site)."""
    seen: set[tuple[str, str]] = set()
    grown = []
    for one in asked:
        for identity in one.shown:
            if wanted is None or identity in wanted[one.site]:
                seen.add((one.site, identity))
        grown.append(len(seen))
    return grown


def steady_rate(times: Mapping[str, Sequence[float]]) -> float | None:
    """Submissions a second while all sites were at work: none of them first or last.

    Where that time is empty (all tabs go to one site after another), from the first submission
    of all to the last. None for less than two.
    """
    rows = [sorted(row) for row in times.values() if len(row) > 1]
    if not rows:
        return None
    begin, end = max(row[0] for row in rows), min(row[-1] for row in rows)
    if end <= begin:
        begin, end = min(row[0] for row in rows), max(row[-1] for row in rows)
    return sum(begin < at <= end for row in rows for at in row) / (end - begin)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one tool came to, medians over its trials where they are times."""

    name: str
    kind: str
    rounds: int
    submissions: int
    requests: int
    until_last: int  # requests up to the one that showed the last new record
    records: int  # distinct, as the sites showed them
    wanted: float  # part of the records asked for that were shown
    parsed: int | None
    violations: int
    whole_per_s: float
    records_per_s: float
    steady_per_s: float | None
    spread: float  # greatest distance of a round's whole rate from the median, relative
    cpu_s: float
    wall_s: float
    peak_mib: float
    at_budget: dict[int, int]
    lines_per_site: float
    lines_shared: int

    @property
    def requests_per_record(self) -> float | None:
        """Requests for one distinct record; None where there is none."""
        return self.requests / self.records if self.records else None

    @property
    def cpu_ms_per_record(self) -> float | None:
        """Processor milliseconds for one distinct record."""
        return 1000 * self.cpu_s / self.records if self.records else None

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        names = [name for name in self.__slots__ if name != "at_budget"]
        return {
            **{name: getattr(self, name) for name in names},
            "requests_per_record": self.requests_per_record,
            "cpu_ms_per_record": self.cpu_ms_per_record,
            "records_at_budget": {str(n): found for n, found in self.at_budget.items()},
        }


def figures_of(trials: Sequence[Trial], work: Work) -> Figures:
    """The figures of one tool's trials; what is counted comes from the last."""
    last = trials[-1]
    asked = last.asked
    wanted = {site: work.wanted(site) for site in work.sites}
    found, found_wanted = coverage(asked), coverage(asked, wanted)
    rates = [sum(map(len, trial.sent.values())) / trial.wall_s for trial in trials]
    rate = statistics.median(rates)
    steady = [r for trial in trials if (r := steady_rate(trial.steady)) is not None]
    wall_s = statistics.median(trial.wall_s for trial in trials)
    written = last.tool.written(work.sites)
    records = found[-1] if found else 0
    until_last = next((at for at, n in enumerate(found, start=1) if n == records), 0)
    return Figures(
        name=last.tool.name,
        kind=last.tool.kind,
        rounds=len(trials),
        submissions=sum(map(len, last.sent.values())),
        requests=len(asked),
        until_last=until_last,
        records=records,
        wanted=(found_wanted[-1] if asked else 0) / sum(map(len, wanted.values())),
        parsed=last.parsed,
        violations=sum(len(log.violations) for log in last.logs.values()),
        whole_per_s=rate,
        records_per_s=records / wall_s,
        steady_per_s=statistics.median(steady) if steady else None,
        spread=max(abs(r - rate) for r in rates) / rate if rate else 0.0,
        cpu_s=statistics.median(trial.cpu_s for trial in trials),
        wall_s=wall_s,
        peak_mib=max(trial.peak_mib for trial in trials),
        at_budget={n: found[min(n, len(found)) - 1] if found else 0 for n in BUDGETS},
        lines_per_site=written.per_site,
        lines_shared=written.shared,
    )
