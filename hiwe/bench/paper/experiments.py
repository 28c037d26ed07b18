"""Which crawls the tables need, the most telling first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiwe.bench.paper.crawling import Crawled, Setting, changed, crawl
from hiwe.bench.paper.tables import TASKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.page.browser import Browser
    from hiwe_fixtures.generated import ServedWeb

FUNCTIONS = ("min", "average", "probabilistic")
ORDERS = ("paper", "harvest")
RHO_MIN = (0.2, 0.6, 0.8, 1.0)
SIGMA = (0.5, 0.75, 0.9)
ALPHA = (1, 2, 3, 4, 5, 6)
#: The task on which parameters are varied, as the paper varies them on its first.
MAIN = "films"


@dataclass(frozen=True)
class Crawls:
    """All crawls of a bench, by setting."""

    by_setting: dict[Setting, Crawled]

    def get(self, setting: Setting) -> Crawled | None:
        """The crawl of a setting, None where the bench did not make it."""
        return self.by_setting.get(setting)


def base(task: str = MAIN, order: str = "paper") -> Setting:
    """HiWE's own settings for a task."""
    return Setting(task, order=order)


def ranking_settings(task: str, order: str) -> list[Setting]:
    """Table (a): the three functions; in the order of harvest on the main task alone, as a
    single value has the same rank by each of them.
    """
    functions = FUNCTIONS if order == "paper" or task == MAIN else FUNCTIONS[:1]
    return [changed(base(task, order), function=function) for function in functions]


def alpha_settings() -> list[Setting]:
    """Table (b), without learning. Each alpha is a crawl of its own: what one form of a site found
    decides what another is asked for, so that leaving forms out afterwards counts wrongly.
    """
    return [changed(base(order="harvest"), alpha=alpha, learn=False) for alpha in ALPHA]


def learning_settings() -> list[Setting]:
    """Table (d): with crawling experience and without."""
    return [changed(base(order="harvest"), learn=learn) for learn in (True, False)]


def rho_settings() -> list[Setting]:
    """Table (c), first half."""
    return [changed(base(), rho_min=rho) for rho in RHO_MIN]


def sigma_settings() -> list[Setting]:
    """Table (c), second half."""
    return [changed(base(order="harvest"), sigma=sigma) for sigma in SIGMA]


def transport_settings() -> list[Setting]:
    """Table (f): plain HTTP once it told the same, and from the first."""
    return [changed(base(order="harvest"), transport=way) for way in ("adaptive", "http")]


def all_settings() -> list[Setting]:
    """Every crawl, each once."""
    wanted: list[Setting] = []
    for order in ORDERS:
        wanted += ranking_settings(MAIN, order)
    for task in TASKS[1:]:
        wanted += [base(task, "harvest"), *ranking_settings(task, "paper")]
    wanted += [*learning_settings(), *alpha_settings(), *rho_settings(), *sigma_settings()]
    wanted += transport_settings()
    return list(dict.fromkeys(wanted))


def large_settings() -> list[Setting]:
    """Table (a) once more, on the web whose sites hold most of their matter."""
    return [*(base(task, "harvest") for task in TASKS), base(MAIN, "paper")]


def quick_settings() -> list[Setting]:
    """What the quick part crawls."""
    return [base(order=order) for order in reversed(ORDERS)]


async def crawl_all(web: ServedWeb, settings: list[Setting], browser: Browser) -> Crawls:
    """Crawl with each setting, one after another."""
    return Crawls({setting: await crawl(web, setting, browser) for setting in settings})


def existing(crawls: Crawls, settings: list[Setting]) -> Iterator[Crawled]:
    """The crawls of these settings that were made."""
    for setting in settings:
        found = crawls.get(setting)
        if found is not None:
            yield found
