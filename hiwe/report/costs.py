"""What a run cost by stage, as `hiwe run --profile` measured it: profile.json beside the report."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from hiwe.errors import RunError
from hiwe.report.directory import write_whole
from hiwe.report.stages import DECIDE, FORM, HARVEST, PAGE, RESPONSE, SUBMIT, WAIT
from hiwe.report.words import duration
from hiwe.text import count

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "profile.json"
VIEW_NAME = "profile.html"
# What a stage's time is divided by: the counter of Work, and its noun.
UNITS = {
    PAGE: ("pages", "page"),
    FORM: ("pages", "page"),
    SUBMIT: ("submissions", "submission"),
    RESPONSE: ("answers", "answer"),
    HARVEST: ("answers", "answer"),
    DECIDE: ("submissions", "submission"),
}


@dataclass(frozen=True, slots=True)
class Work:
    """What was done: pages visited, submissions, answers read (result pages among them)."""

    pages: int
    submissions: int
    answers: int

    def since(self, before: Work) -> Work:
        """What of it came after `before`."""
        return Work(
            self.pages - before.pages,
            self.submissions - before.submissions,
            self.answers - before.answers,
        )


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of one session of a run, in seconds and MiB.

    `stages` are the main thread's seconds by stage. Processor time: of this process (its threads
    too), and of the browsers and what else it started. `memory_mib` is the most that this process
    held, `browser_mib` the most of the others together, pages they share counted once in each.
    """

    wall_s: float
    python_cpu_s: float
    browser_cpu_s: float
    memory_mib: float
    browser_mib: float
    work: Work
    stages: dict[str, float]

    def lines(self) -> list[str]:
        """The costs for a person: totals, then a line a stage, the dearest first."""
        return [
            f"{duration(self.wall_s)} in all; processor: {duration(self.python_cpu_s)} here,"
            f" {duration(self.browser_cpu_s)} in browsers; most memory: {self.memory_mib:,.0f} MiB"
            f" here, {self.browser_mib:,.0f} MiB in browsers",
            *(self._line(stage, seconds)
              for stage, seconds in sorted(self.stages.items(), key=lambda one: -one[1])
              if seconds >= 0.05),
        ]  # fmt: skip

    def _line(self, stage: str, seconds: float) -> str:
        busy = sum(self.stages.values()) - self.stages.get(WAIT, 0.0)
        share = "" if stage == WAIT else f", {seconds / max(busy, 1e-9):.0%} of the busy time"
        counter, noun = UNITS.get(stage, ("", ""))
        number: int = getattr(self.work, counter) if counter else 0
        each = f", {1000 * seconds / max(number, 1):.1f} ms for each of {count(number, noun)}"
        return f"{stage}: {duration(seconds)}{share}{each if number else ''}"


def write_costs(out: Path, costs: Costs) -> None:
    """Write profile.json into a run directory."""
    write_whole(out / FILE_NAME, json.dumps(asdict(costs), indent=2) + "\n")


def read_costs(out: Path) -> Costs | None:
    """The costs of the last profiled session of a run; None if none was."""
    path = out / FILE_NAME
    if not path.is_file():
        return None
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return Costs(**{**held, "work": Work(**held["work"])})
    except (ValueError, TypeError, KeyError) as exc:
        raise RunError(path, "is not as `hiwe run --profile` writes it; remove it") from exc
