"""`hiwe bench paper`: HiWE's experiments on a generated hidden web, against its truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiwe.bench.paper.ceiling import single_values
from hiwe.bench.paper.experiments import (
    ORDERS,
    Crawls,
    all_settings,
    alpha_settings,
    base,
    crawl_all,
    existing,
    large_settings,
    learning_settings,
    quick_settings,
    ranking_settings,
    rho_settings,
    sigma_settings,
    transport_settings,
)
from hiwe.bench.paper.figures import (
    choice,
    efficiency,
    growth,
    label_rows,
    own_share,
    verdicts,
    wrong_verdicts,
)
from hiwe.bench.paper.labels import corpus_labels, generated_labels
from hiwe.bench.paper.show import PAPER, plots, tables
from hiwe.bench.paper.tables import TASKS
from hiwe.bench.result import BenchResult
from hiwe.page.browser import Browser
from hiwe.page.chromium import find_chromium
from hiwe_fixtures.generated import draw_web, serve_web

if TYPE_CHECKING:
    from hiwe.bench.paper.crawling import Crawled, Setting
    from hiwe_fixtures.generated import WebPlan

SEED = 1
SITES, QUICK_SITES = 50, 6
LARGE = (600, 3000)  # records of a site of the web of large ones: most of what there is
TIMEOUT_S = 90.0


async def run(*, quick: bool = False, seed: int = SEED) -> BenchResult:
    """Draw the web, crawl it with every setting, and lay the figures beside the paper's."""
    plan = draw_web(seed, sites=QUICK_SITES if quick else SITES)
    webs = {"web": plan}
    if not quick:
        webs["large sites"] = draw_web(seed, sites=SITES, held=LARGE)
    browser = await Browser.launch(executable=find_chromium(), timeout_s=TIMEOUT_S)
    try:
        crawls = await _crawled(plan, quick_settings() if quick else all_settings(), browser)
        beside = Crawls({})
        if not quick:
            beside = await _crawled(webs["large sites"], large_settings(), browser)
    finally:
        await browser.close()
    sets: dict[str, Any] = {"generated forms": await generated_labels(plan)}
    corpus = None if quick else await corpus_labels()
    if corpus is not None:
        sets["corpus"] = corpus
    figures = {"seed": seed, "sites": len(plan.sites), "web_forms": plan.forms}
    figures |= figures_of(crawls, beside, sets) | {"reachable": _reachable(webs)}
    found = [*crawls.by_setting.values(), *beside.by_setting.values()]
    misses = (*wrong_verdicts(found), *sets["generated forms"]["misses"])
    return BenchResult(tables(figures), figures, misses, plots(figures))


async def _crawled(plan: WebPlan, settings: list[Setting], browser: Browser) -> Crawls:
    """Serve a web and crawl it with each setting."""
    with serve_web(plan) as web:
        return await crawl_all(web, settings, browser)


def _reachable(webs: dict[str, WebPlan]) -> dict[str, dict[str, dict[str, float]]]:
    """Web -> task -> what single values of the table could find at all."""
    return {
        name: {task: single_values(web, task, rho_min=base(task).rho_min) for task in TASKS}
        for name, web in webs.items()
    }


def figures_of(crawls: Crawls, large: Crawls, sets: dict[str, Any]) -> dict[str, Any]:
    """All figures of the crawls that were made."""
    found = [*crawls.by_setting.values(), *large.by_setting.values()]
    met = label_rows(found)
    figures = {
        "ranking": _ranking(crawls),
        "large": _ranking(large),
        "alpha": [
            {"alpha": one.setting.alpha, **_short(one)}
            for one in existing(crawls, alpha_settings())
        ],
        "rho_min": [{"rho_min": one.setting.rho_min, **_short(one)}
                    for one in existing(crawls, rho_settings())],
        "sigma": [{"sigma": one.setting.sigma, **_short(one)}
                  for one in existing(crawls, sigma_settings())],
        "learning": _learning(crawls),
        "growth": {_experience(one): growth(one) for one in existing(crawls, learning_settings())},
        "transport": [{"transport": one.setting.transport, **_short(one)}
                      for one in existing(crawls, transport_settings())],
        "choice": choice(found),
        "verdicts": verdicts(found),
        "labels": sets,
        "labels_met": {"elements": len(met),
                       "accuracy": round(sum(r[4] for r in met) / max(1, len(met)), 4)},
        "violations": sorted({line for one in found for line in one.violations}),
    }  # fmt: skip
    return figures | {"missed": _missed(figures)}


def _ranking(crawls: Crawls) -> list[dict[str, Any]]:
    return [
        efficiency(one) | {"own": own_share(one)}
        for task in TASKS
        for order in ORDERS
        for one in existing(crawls, ranking_settings(task, order))
    ]


def _short(one: Crawled) -> dict[str, Any]:
    names = ("forms", "n_total", "n_success", "se_strict", "se_lenient", "records")
    found = efficiency(one)
    return {name: found[name] for name in names}


def _experience(one: Crawled) -> str:
    return f"{'with' if one.setting.learn else 'without'} experience"


def _learning(crawls: Crawls) -> list[dict[str, Any]]:
    return [
        {"experience": _experience(one), **_short(one), "table at first": one.found["table"],
         "values learned": len(one.found["growth"])}
        for one in existing(crawls, learning_settings())
    ]  # fmt: skip


def _missed(figures: dict[str, Any]) -> list[str]:
    """The goals that were not met, each with its figures."""
    lines = []
    webs = [("web", row) for row in figures["ranking"]]
    for name, row in (*webs, *(("large sites", row) for row in figures["large"])):
        goal = PAPER[row["function"]][2]
        if row["se_strict"] < goal:
            said = f"{name}, {row['task']}, order {row['order']}, {row['function']}"
            own = row["own"]["se_strict"]
            lines.append(f"{said}: SE-strict {row['se_strict']:.3f} < {goal} ({own:.3f} over the"
                         " task's own forms)")  # fmt: skip
    for name, found in figures["labels"].items():
        shares = found["all"]
        if shares["LITE"] < 1 and shares["LITE"] <= max(
            shares["text order"], shares["simple layout"]
        ):
            lines.append(f"labels of {name}: LITE {shares['LITE']:.3f} is not better than both")
    return lines
