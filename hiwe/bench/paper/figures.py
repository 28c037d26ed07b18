"""Numbers of the tables, from crawls and their truth."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.bench.paper.crawling import Crawled

SISTERS = frozenset({"reports", "articles"})  # their forms ask for the same things


def efficiency(crawled: Crawled) -> dict[str, Any]:
    """N_total, N_success, both efficiencies, records and costs of a crawl."""
    return {
        "task": crawled.setting.task,
        "function": crawled.setting.function,
        "order": crawled.setting.order,
        "forms": sum(row["decision"] == "chosen" for row in crawled.found["by_form"]),
        "n_total": crawled.total,
        "n_success": crawled.success,
        "se_strict": round(crawled.se_strict, 4),
        "se_lenient": round(crawled.se_lenient, 4),
        "true_se_strict": round(true_success(crawled) / max(1, crawled.total), 4),
        "records": crawled.found["records"],
        "wall_s": crawled.wall_s,
        "cpu_s": crawled.cpu_s,
    }


def true_success(crawled: Crawled) -> int:
    """Submissions that the server answered with results."""
    return sum(n for key, n in crawled.found["matrix"].items() if key.startswith("results/"))


def own_share(crawled: Crawled) -> dict[str, Any]:
    """The efficiency over the forms of the task alone, those of other domains left out."""
    rows = [row for row in crawled.found["by_form"] if row["fits"]]
    total, success = (sum(row[name] for row in rows) for name in ("total", "success"))
    return {"n_total": total, "n_success": success, "se_strict": round(success / max(1, total), 4)}


def choice(crawled: Iterable[Crawled]) -> dict[str, Any]:
    """Precision and recall of the choice of forms: of the task's domain and large enough."""
    chosen = right = wanted = sister = 0
    for one in crawled:
        alpha = one.setting.alpha
        for row in one.found["by_form"]:
            is_wanted = row["fits"] and row["size"] >= alpha
            is_chosen = row["decision"] == "chosen"
            wanted += is_wanted
            chosen += is_chosen
            right += is_wanted and is_chosen
            both = {row["domain"], one.setting.task}
            sister += is_chosen and not is_wanted and both == SISTERS
        wanted += len(one.found["missed"])
    return {
        "wanted": wanted,
        "chosen": chosen,
        "right": right,
        "of a sister task": sister,
        "precision": round(right / max(1, chosen), 4),
        "precision, sisters not held against": round((right + sister) / max(1, chosen), 4),
        "recall": round(right / max(1, wanted), 4),
    }


def verdicts(crawled: Iterable[Crawled]) -> dict[str, Any]:
    """Accuracy of the verdicts against the server's log, and the confusion matrix."""
    matrix: Counter[str] = Counter()
    for one in crawled:
        matrix.update(one.found["matrix"])
    known = {key: n for key, n in matrix.items() if not key.startswith("unknown/")}
    right = sum(n for key, n in known.items() if len(set(key.split("/"))) == 1)
    told = (
        n for key, n in known.items() if len({word == "results" for word in key.split("/")}) == 1
    )
    total = sum(known.values())
    return {
        "answers": total,
        "unknown": sum(matrix.values()) - total,
        "verdict": round(right / max(1, total), 4),
        "results_or_not": round(sum(told) / max(1, total), 4),
        "matrix": dict(sorted(matrix.items())),
    }


def wrong_verdicts(crawled: Iterable[Crawled]) -> list[str]:
    """One line for each verdict that differs from the server's, each once."""
    return list(dict.fromkeys(line for one in crawled for line in one.found["wrong"]))


def label_rows(crawled: Iterable[Crawled]) -> list[list[Any]]:
    """The labels of the crawls, each element once."""
    found = {tuple(row[:2]): row for one in crawled for form in one.found["labels"] for row in form}
    return list(found.values())


def growth(crawled: Crawled, points: int = 20) -> list[dict[str, int]]:
    """Values of the table and successful submissions, after each part of the submissions."""
    steps, new = crawled.found["steps"], sorted(crawled.found["growth"])
    found = []
    for part in range(1, points + 1):
        upto = steps[: max(1, len(steps) * part // points)]
        if not upto:
            break
        grown = sum(at <= upto[-1][0] for at in new)
        found.append({"submissions": len(upto), "values": crawled.found["table"] + grown,
                      "success": sum(said == "results" for _, said in upto)})  # fmt: skip
    return found
