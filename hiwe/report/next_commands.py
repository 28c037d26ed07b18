"""Next: the two commands worth typing after a run, ready for a shell."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from hiwe.crawl.neighbours import SHARD_KEY
from hiwe.report.words import web_link
from hiwe.repository.command import go_on

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.report.figures import RunFigures
    from hiwe.repository.run import Run

LEAST_ROUND_S = 60  # a budget of time is raised to whole minutes


def next_commands(figures: RunFigures, out: Path, run: Run) -> list[str]:
    """Return what fits how the run ended: to go on, to look at results, or to find the fault."""
    place = shlex.quote(str(out))
    look = f"hiwe report {place} --open"
    if figures.is_out_of_time:
        return [go_on(run, out, ("--set", f"budget.duration_s={_more_time_s(figures)}")), look]
    if figures.status in ("interrupted", "running"):
        return [go_on(run, out), look]
    if (shard := run.get(SHARD_KEY)) is not None:
        return [_join(out.parent, shard["of"]), look]
    if figures.totals.records:
        return [look, f"hiwe export {place} --format csv"]
    seen = next((form.url for form in figures.chosen or figures.skipped), "")
    if seen:
        return [_inspect(seen), look]
    return [_inspect(_start(figures)), go_on(run, out)]


def _join(above: Path, shards: int) -> str:
    """Join the shards that lie in a folder."""
    place = shlex.quote(str(above))
    return f"hiwe merge {place}/shard-*-of-{shards} -o {place}/joined"


def _more_time_s(figures: RunFigures) -> int:
    """Twice the time that was worked, in whole minutes."""
    minutes = 2 * figures.duration_s // LEAST_ROUND_S + 1
    return int(minutes) * LEAST_ROUND_S


def _start(figures: RunFigures) -> str:
    """A site that brought nothing, one that was stopped first; '' if none has an address."""
    sites = sorted(figures.sites, key=lambda site: not site.stopped)
    return next((site.url for site in sites if web_link(site.url)), "")


def _inspect(url: str) -> str:
    """Look at a page as a run does: it tells what is wrong with the address, or what is seen."""
    return f"hiwe inspect {shlex.quote(url)}" if url else "hiwe doctor"
