"""How often the verdict is right, on responses of real applications, fixture sites and cases.

The data file holds form pages and answers with the verdict that the application's own data imply
and the number of records shown. Applications of the split 'held' were not looked at while the rules
were made.
"""

from __future__ import annotations

import gzip
import json
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from importlib import resources
from statistics import median
from typing import TYPE_CHECKING, Any

from rich.table import Table

from hiwe.bench.result import BenchResult
from hiwe.form.form import Element, Form
from hiwe.page.page import Box, Page
from hiwe.response.analyse import analyse
from hiwe.response.reader import parse
from hiwe.response.response import Judgement, Verdict
from hiwe.response.verdict import FormKnowledge, hit_records, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hiwe.response.response import ResponseFeatures

SPLITS = ("all", "tuned", "held")
TRIES = 5
MOST_TIMED = 40  # pages
LARGE_PAGE = (20_000, 200_000)  # characters of the pages that speed is measured on


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled response; `records` None where their number is not known."""

    app: str
    split: str
    language: str
    page: Page
    form_page: Page
    form: Form
    values: tuple[str, ...]
    verdict: Verdict
    records: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the analyser made of a sample."""

    sample: Sample
    judgement: Judgement
    records: int

    @property
    def is_right(self) -> bool:
        """The verdict is the labelled one."""
        return self.judgement.verdict is self.sample.verdict

    @property
    def is_counted_right(self) -> bool:
        """As many records as the page shows."""
        return self.sample.records is None or self.records == self.sample.records


def samples() -> Iterator[Sample]:
    """Yield the labelled responses of the data file."""
    forms: dict[str, str] = {}
    source = resources.files("hiwe.bench").joinpath("data/responses.jsonl.gz")
    with source.open("rb") as packed, gzip.open(packed, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "form_page" in row:
                forms[row["form_page"]] = row["html"]
            else:
                yield _sample(row, forms[row["form"]])


def _sample(row: dict[str, Any], form_html: str) -> Sample:
    action = str(row["action"])
    return Sample(
        app=row["app"],
        split=row["split"],
        language=row["language"],
        page=Page(row["url"], row["status"], row["html"], content_type=row["type"]),
        form_page=Page(action, 200, form_html),
        form=plain_form(action, row["names"]),
        values=tuple(row["values"]),
        verdict=Verdict(row["verdict"]),
        records=row["records"],
    )


def plain_form(action: str, names: Iterable[str]) -> Form:
    """A form with text boxes of these names: all that the analyser asks of it."""
    elements = tuple(
        Element((i,), name, "", "text", name, "name", "", (), Box(0, 0, 100, 20), True)
        for i, name in enumerate(names)
    )
    return Form(0, None, action, "", "", "GET", action, "", elements, (), (), True, "", 1.0, action)


def measure(some: Iterable[Sample]) -> list[Outcome]:
    """Judge each sample by itself, without anything learned from the others."""
    outcomes = []
    knowledge = FormKnowledge()
    for sample in some:
        features = _analysed(sample)
        judgement = judge(features, knowledge)
        records = len(hit_records(features, judgement, knowledge))
        outcomes.append(Outcome(sample, judgement, records))
    return outcomes


def _analysed(sample: Sample) -> ResponseFeatures:
    return analyse(
        sample.page,
        form_page=sample.form_page,
        form=sample.form,
        landed="page",
        values=sample.values,
    )


def figures_of(outcomes: list[Outcome]) -> dict[str, Any]:
    """Accuracies by split, the confusion matrix, the number of languages."""
    matrix = Counter((o.sample.verdict.value, o.judgement.verdict.value) for o in outcomes)
    return {
        "responses": len(outcomes),
        "languages": len({o.sample.language for o in outcomes}),
        **{
            split: _accuracies([o for o in outcomes if split in ("all", o.sample.split)])
            for split in SPLITS
        },
        "confusion": {
            true.value: {got.value: matrix[true.value, got.value] for got in Verdict}
            for true in Verdict
        },
    }


def speed_of(some: Sequence[Sample]) -> dict[str, float]:
    """How long the analysis of a large page takes, in CPU time, beside one lxml parse of it.

    The best of several tries: other work on the machine is no matter of ours.
    """
    large = [s for s in some if LARGE_PAGE[0] < len(s.page.html) < LARGE_PAGE[1]] or list(some)
    chosen = large[:: max(1, len(large) // MOST_TIMED)]
    analysed = [_best_s(partial(_analysed, s)) for s in chosen]
    parsed = [_best_s(partial(parse, s.page.html)) for s in chosen]
    sizes = [len(s.page.html) for s in chosen]
    return {
        "characters": median(sizes),
        "analysis_ms": 1000 * median(analysed),
        "parses": median(a / max(p, 1e-6) for a, p in zip(analysed, parsed, strict=True)),
        "ms_of_100_kb": 1e8 * median(a / size for a, size in zip(analysed, sizes, strict=True)),
    }


def _best_s(work: Callable[[], object]) -> float:
    spent = []
    for _ in range(TRIES):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)


def _accuracies(outcomes: list[Outcome]) -> dict[str, float]:
    if not outcomes:
        return {"responses": 0}
    success = [o.judgement.verdict.is_success == o.sample.verdict.is_success for o in outcomes]
    return {
        "responses": len(outcomes),
        "results_or_not": sum(success) / len(outcomes),
        "six_verdicts": sum(o.is_right for o in outcomes) / len(outcomes),
        "records_right": sum(o.is_counted_right for o in outcomes) / len(outcomes),
    }


def _table(figures: dict[str, Any]) -> Table:
    table = Table("labelled", *(v.value for v in Verdict), title="responses: judged as")
    for true, row in figures["confusion"].items():
        table.add_row(true, *(str(count or "") for count in row.values()))
    for split in SPLITS:
        found = figures[split]
        table.add_row(
            f"{split} ({found['responses']})",
            f"results or not {found['results_or_not']:.3f}",
            f"six verdicts {found['six_verdicts']:.3f}",
            f"records {found['records_right']:.3f}",
        )
    speed = figures["speed"]
    table.add_row(
        "speed",
        f"{speed['analysis_ms']:.1f} ms a page of {speed['characters'] / 1000:.0f} kB",
        f"{speed['parses']:.1f} lxml parses",
        f"{speed['ms_of_100_kb']:.1f} ms for 100 kB",
    )
    return table


def run() -> BenchResult:
    """Measure all samples."""
    some = list(samples())
    outcomes = measure(some)
    figures = figures_of(outcomes) | {"speed": speed_of(some)}
    misses = tuple(
        f"{o.sample.app} {o.sample.language} {o.sample.page.url}: {o.sample.verdict.value}, "
        f"judged {o.judgement.verdict.value} ({o.judgement.reason}), "
        f"{o.records} records of {o.sample.records}"
        for o in outcomes
        if not (o.is_right and o.is_counted_right)
    )
    return BenchResult(_table(figures), figures, misses)
