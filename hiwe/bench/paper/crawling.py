"""One crawl of the generated web, by the real crawler, and what is read from its run."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiwe.bench.paper.tables import TASKS, rows
from hiwe.bench.paper.truth import read_run
from hiwe.crawl.run import run_task
from hiwe.errors import RunError
from hiwe.task import dump_yaml, load_task

if TYPE_CHECKING:
    from hiwe.page.browser import Browser
    from hiwe_fixtures.generated import ServedWeb, SitePlan, WebPlan

CACHE = "HIWE_PAPER_CACHE"  # environment: folder that keeps finished crawls
STRANGE_SITES = 4  # sites of no task, and as many of other tasks, beside the task's own
#: HiWE's own settings for task 1 (paper, section 6), and what keeps a crawl short.
SETTINGS: dict[str, Any] = {
    "matching": {"sigma": 0.75},
    "ranking": {"function": "min", "rho_min": 0.6, "order": "paper"},
    "forms": {"alpha": 3},
    "budget": {"submissions_per_form": 40, "pages_per_site": 6, "result_pages_per_submission": 1},
    "scope": {"depth": 1},
    "politeness": {"delay_s": 0.0},
    "browser": {"timeout_s": 90},  # a busy machine is no fault of the site
}


@dataclass(frozen=True)
class Setting:
    """What a crawl is run with, besides SETTINGS."""

    task: str
    function: str = "min"
    order: str = "paper"
    alpha: int = 3
    rho_min: float = 0.6
    sigma: float = 0.75
    learn: bool = True
    budget: int = 40
    transport: str = "adaptive"

    @property
    def name(self) -> str:
        """All settings in one word, for files and messages."""
        return "-".join(str(value) for value in asdict(self).values())


@dataclass(frozen=True)
class Crawled:
    """What a crawl came to; `found` is what `read_run` says."""

    setting: Setting
    found: dict[str, Any]
    wall_s: float
    cpu_s: float
    violations: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """N_total: submissions sent."""
        return int(self.found["total"])

    @property
    def success(self) -> int:
        """N_success: submissions that were judged to have results."""
        return int(self.found["success"])

    @property
    def se_strict(self) -> float:
        """N_success / N_total."""
        return self.success / max(1, self.total)

    @property
    def se_lenient(self) -> float:
        """N_valid / N_total."""
        return int(self.found["valid"]) / max(1, self.total)


def sites_of(plan: WebPlan, task: str) -> list[SitePlan]:
    """The sites of a task: those that hold something of it, those of no task, a few others."""
    own = [s for s in plan.sites if s.domain == task or any(f.domain == task for f in s.forms)]
    rest = [s for s in plan.sites if s not in own]
    beside = [s for s in rest if s.domain not in TASKS][:STRANGE_SITES]
    others = [s for s in rest if s.domain in TASKS][:STRANGE_SITES]
    return sorted([*own, *beside, *others], key=lambda site: site.number)


async def crawl(web: ServedWeb, setting: Setting, browser: Browser) -> Crawled:
    """Run a crawl, or take it from the cache where it was finished before."""
    kept = _kept(web.plan, setting)
    if kept is not None and kept.is_file():
        values = json.loads(kept.read_text(encoding="utf-8"))
        return Crawled(setting, **values)
    web.clear()
    began, spent = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory(prefix="hiwe-paper-") as directory:
        out = Path(directory)
        task = load_task(_written(web, setting, out))
        status = await run_task(task, out / "run", browser=browser)
        if status != "finished":
            raise RunError(out, f"the crawl {setting.name} is {status}; run the benchmark again")
        wall_s, cpu_s = time.perf_counter() - began, time.process_time() - spent
        found = read_run(out / "run", web, setting.task)
    crawled = Crawled(setting, found, round(wall_s, 1), round(cpu_s, 1), list(web.violations))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        values = {key: value for key, value in asdict(crawled).items() if key != "setting"}
        kept.write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")
    return crawled


def _kept(plan: WebPlan, setting: Setting) -> Path | None:
    """The file that keeps a crawl; None without a cache."""
    folder = os.environ.get(CACHE)
    if not folder:
        return None
    web = hashlib.sha256(repr(plan).encode()).hexdigest()[:10]
    return Path(folder) / f"{web}-{setting.name}.json"


def _written(web: ServedWeb, setting: Setting, out: Path) -> Path:
    """Write the configuration and the table of a crawl; the configuration's path."""
    table = [row.written() for row in rows(setting.task)]
    (out / "table.yaml").write_text(dump_yaml(table), encoding="utf-8")
    merged = {key: dict(value) if isinstance(value, dict) else value
              for key, value in SETTINGS.items()}  # fmt: skip
    merged["ranking"] = {"function": setting.function, "rho_min": setting.rho_min,
                         "order": setting.order}  # fmt: skip
    merged["matching"] = {"sigma": setting.sigma}
    merged["forms"] = {"alpha": setting.alpha}
    merged["budget"] = {**SETTINGS["budget"], "submissions_per_form": setting.budget}
    document = {
        "task": setting.task,
        "sites": [web.urls[site.key] for site in sites_of(web.plan, setting.task)],
        "transport": setting.transport,
        "lvs": {"tables": ["table.yaml"], "builtin": ["months"], "learn": setting.learn},
        **merged,
    }
    config = out / "task.yaml"
    config.write_text(dump_yaml(document), encoding="utf-8")
    return config


def changed(setting: Setting, **values: Any) -> Setting:
    """The setting with other values."""
    return replace(setting, **values)
