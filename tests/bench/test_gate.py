"""The gate: figures may not fall, and a mark is loosened only with a new reason."""

from __future__ import annotations

import asyncio
import json
import subprocess
from itertools import pairwise

import pytest

from hiwe.bench import gate, labels, match, records, responses
from hiwe.bench.gate import BASELINE, Mark, failures, figure, marks
from hiwe.bench.result import BenchResult
from hiwe.bench.shelf import NAMES
from hiwe.cli import main

PLAIN = {
    "responses": responses.run,
    "records": records.run,
    "match": lambda: BenchResult("", match.run(with_speed=False)),
}
READ = ("ablated", "chromium")  # the sets of labels that are read here; the whole gate reads all


def of(bench: str) -> list[Mark]:
    return [mark for mark in marks() if mark.bench == bench]


@pytest.mark.slow
@pytest.mark.parametrize("bench", PLAIN)
def test_figures_keep_their_marks(bench):
    result = PLAIN[bench]()
    assert failures(of(bench), result.figures) == [], result.misses


@pytest.mark.slow
@pytest.mark.browser
def test_labels_of_real_pages_keep_their_marks(shared, chromium):
    result = asyncio.run(labels.run(only=READ))
    read = [mark for mark in of("labels") if mark.figure.startswith(READ)]
    assert len(read) >= 3
    assert failures(read, result.figures) == [], result.misses


def test_every_mark_is_of_a_benchmark_and_has_one_bound_and_a_reason():
    for mark in marks():
        assert mark.bench in NAMES
        assert (mark.least is None) != (mark.most is None), mark
        assert mark.reason, mark
    assert len({(mark.bench, mark.figure) for mark in marks()}) == len(marks())


def test_a_figure_below_its_floor_or_above_its_ceiling_is_told():
    given = [
        Mark("b", "all > f1", "why", least=0.9),
        Mark("b", "rows > 1 > ratio", "why not", most=2.0),
        Mark("b", "all > recall", "fine", least=0.5),
    ]
    found = {"all": {"f1": 0.89, "recall": 0.5}, "rows": [{"ratio": 9}, {"ratio": 2.5}]}
    assert failures(given, found) == [
        "b: all > f1 is 0.89, must be at least 0.9 (why)",
        "b: rows > 1 > ratio is 2.5, must be at most 2.0 (why not)",
    ]


@pytest.mark.parametrize(("least", "code"), [(0.9, 0), (0.99, 1)])
def test_the_command_fails_where_a_mark_is_not_kept(least, code, monkeypatch, capsys):
    async def run_bench(name, *, quick=False):
        return BenchResult("", {"all": {"f1": 0.95}})

    monkeypatch.setattr(gate, "marks", lambda: [Mark("paper", "all > f1", "why", least=least)])
    monkeypatch.setattr(gate, "run_bench", run_bench)
    assert main(["bench", "gate", "--quick"]) == code
    assert ("must be at least 0.99 (why)" in capsys.readouterr().out) is (code == 1)


def test_a_figure_that_is_not_there_is_a_fault():
    with pytest.raises(LookupError):
        figure({"all": {}}, "all > f1")


@pytest.mark.parametrize(
    ("now", "before", "looser"),
    [
        (Mark("b", "f", "r", least=0.8), Mark("b", "f", "r", least=0.9), True),
        (Mark("b", "f", "r", most=0.8), Mark("b", "f", "r", least=0.9), True),
        (Mark("b", "f", "r", least=0.9), Mark("b", "f", "r", least=0.9), False),
        (Mark("b", "f", "r", most=3.0), Mark("b", "f", "r", most=2.0), True),
        (Mark("b", "f", "r", most=1.0), Mark("b", "f", "r", most=2.0), False),
    ],
)
def test_what_is_looser(now, before, looser):
    assert now.is_looser_than(before) is looser


def unexplained(before: list[Mark], now: list[Mark]) -> list[str]:
    """The marks that are gone or looser than before, and say the same as before."""
    known = {(mark.bench, mark.figure): mark for mark in now}
    return [
        f"{old.bench}: {old.figure}"
        for old in before
        if (new := known.get((old.bench, old.figure))) is None
        or (new.is_looser_than(old) and new.reason == old.reason)
    ]


def test_a_lowered_floor_without_a_new_reason_is_found():
    old = Mark("b", "f", "measured", least=0.9)
    assert unexplained([old], [Mark("b", "f", "measured", least=0.8)]) == ["b: f"]
    assert unexplained([old], []) == ["b: f"]
    assert unexplained([old], [Mark("b", "f", "another corpus", least=0.8)]) == []


def test_no_commit_has_loosened_a_mark_without_a_reason(root):
    """Each version of the file against the one before it."""
    path = BASELINE.relative_to(root).as_posix()
    log = ["git", "log", "-n", "30", "--format=%H", "--", path]
    told = subprocess.run(log, cwd=root, capture_output=True, text=True, check=False)
    if told.returncode:
        pytest.skip("no history of the repository here")
    texts = [BASELINE.read_text(encoding="utf-8")]
    for commit in told.stdout.split():
        shown = subprocess.run(
            ["git", "show", f"{commit}:{path}"],
            cwd=root, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if shown.returncode == 0:
            texts.append(shown.stdout)
    for now, before in pairwise(texts):
        assert unexplained(marks(before), marks(now)) == []


def test_the_file_is_one_mark_a_line():
    lines = BASELINE.read_text(encoding="utf-8").splitlines()[1:-1]
    assert [json.loads(line.rstrip(",")) for line in lines] == json.loads(BASELINE.read_text())
