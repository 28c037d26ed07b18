"""A person judges a sample: how it is drawn, written, read back, and what it says of the SE."""

from __future__ import annotations

import csv
import io
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from hiwe.cli import main
from hiwe.errors import UsageError
from hiwe.report.audit import corrected, read_audit, sample, wilson
from hiwe.report.sheet import COLUMNS, draw, read_sheet, take_sheet, write_sheet
from hiwe.repository.judged import Judged, Stratum
from hiwe.response.response import Verdict
from hiwe.review.prompts import judge_drawn
from tests.report.a_run import ONE, Builder, element, form

GOOD, NONE, ERROR = Verdict.RESULTS, Verdict.NO_RESULTS, Verdict.ERROR


@pytest.fixture
def made(tmp_path):
    """A run of 20 submissions, 15 of them judged as results and 5 as none."""
    built = Builder(tmp_path)
    built.begin(ONE)
    number = built.meet(form("box", [element("q", "Search")]))
    for at in range(20):
        verdict = GOOD if at < 15 else NONE
        built.submit(number, f"=v{at}", verdict, (f"k{at}",) if verdict is GOOD else ())
    yield built
    built.close()


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilson_follows_its_formula(hits, trials, low, high):
    share = wilson(hits, trials)
    assert [share.low, share.high] == pytest.approx([low, high], abs=1e-4)


def test_rare_verdicts_are_drawn_and_a_larger_sample_holds_the_smaller():
    population = dict.fromkeys(range(96), GOOD) | dict.fromkeys(range(96, 100), ERROR)
    small, large = sample(population, 10), sample(population, 30)
    assert sum(population[n] is ERROR for n in small) == 2
    assert set(small) < set(large)
    assert len(small) <= 13
    assert sample(population, 1000) == sorted(population)


def test_strata_weigh_as_many_as_they_are():
    strata = [Stratum(GOOD, 80, {GOOD: 9, NONE: 1}), Stratum(NONE, 20, {NONE: 5, GOOD: 5})]
    share = corrected(strata, lambda verdict: verdict.is_success)
    assert share.value == pytest.approx(0.8 * 0.9 + 0.2 * 0.5)
    assert share.low < share.value < share.high
    assert corrected(strata, lambda verdict: verdict.is_valid).value == pytest.approx(1.0)


def test_all_judged_leaves_nothing_unsure():
    share = corrected([Stratum(GOOD, 4, {GOOD: 3, NONE: 1})], lambda verdict: verdict.is_success)
    assert (share.value, share.low, share.high) == (0.75, 0.75, 0.75)


def test_a_verdict_nobody_looked_at_may_be_anything():
    share = corrected([Stratum(GOOD, 10, {})], lambda verdict: verdict.is_success)
    assert (share.value, share.low, share.high) == (1.0, 0.0, 1.0)


def test_the_interval_holds_the_truth_nineteen_times_in_twenty():
    dice, held = random.Random(5), 0
    for _ in range(300):
        truth = {n: dice.random() < (0.93 if n < 400 else 0.1) for n in range(500)}
        ours = {n: GOOD if n < 400 else NONE for n in truth}
        strata = {v: Stratum(v, sum(o is v for o in ours.values()), {}) for v in (GOOD, NONE)}
        for n in sample(ours, 60, seed=dice.randrange(10**9)):
            said, counts = (GOOD if truth[n] else NONE), strata[ours[n]].judged
            counts[said] = counts.get(said, 0) + 1
        share = corrected(list(strata.values()), lambda verdict: verdict.is_success)
        held += share.low <= sum(truth.values()) / len(truth) <= share.high
    assert held >= 0.92 * 300


@given(
    st.lists(
        st.tuples(st.sampled_from(list(Verdict)), st.integers(1, 30), st.integers(0, 9)), max_size=6
    )
)
def test_shares_stay_in_order(rows):
    strata = [Stratum(v, n, {GOOD: min(n, g)} if g else {}) for v, n, g in rows]
    share = corrected(strata, lambda verdict: verdict.is_success)
    assert 0.0 <= share.low <= share.value + 1e-9 <= share.high + 2e-9 <= 1.0 + 3e-9


def test_a_sheet_goes_out_and_comes_back(made, tmp_path):
    path = write_sheet(tmp_path, made.db, draw(made.db, 8))
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert all(row["values"].startswith("'=") for row in rows)  # no formula for a spreadsheet
    assert {row["verdict"] for row in rows} == {"results", "no_results"}
    for at, row in enumerate(rows):
        row["judged"] = "No results" if at == 0 else row["verdict"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    assert take_sheet(made.db, path) == len(rows)
    audit = read_audit(made.db)
    assert audit is not None
    assert (audit.judged, audit.drawn, audit.agreed) == (len(rows), len(rows), len(rows) - 1)
    assert audit.strict.value < 0.75 <= audit.strict.high
    assert audit.lenient.value == 1.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("submission,judged\n1,maybe\n", "a.csv:2: judged is 'maybe' for submission '1'"),
        ("submission,verdict\n1,results\n", "has no column judged"),
        ("submission,judged\n,results\n", "give one of"),
    ],
)
def test_a_wrong_sheet_is_told_with_its_line(tmp_path, text, told):
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(told)):
        read_sheet(path)


def test_a_sheet_of_another_run_is_refused(made, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("submission,judged\n99,results\n", encoding="utf-8")
    with pytest.raises(UsageError, match="no submission 99"):
        take_sheet(made.db, path)


def test_prompts_take_a_key_for_each_answer(made, tmp_path):
    console = Console(file=io.StringIO())
    draw(made.db, 20)
    said = iter(["x", "", "n", "k", "o", "results", "q"])
    shown = []
    done = judge_drawn(tmp_path, made.db, console, lambda _: next(said), shown.append)
    assert done == 3
    assert list(Judged(made.db).verdicts().values()) == [GOOD, NONE, GOOD]
    assert len(shown) == 1
    assert judge_drawn(tmp_path, made.db, console, lambda _: "q", shown.append) == 0


def test_commands_draw_take_in_and_report(made, tmp_path, capsys):
    made.close()
    assert main(["report", str(tmp_path), "--audit", "6"]) == 0
    sheet = capsys.readouterr().out.strip()
    text = (tmp_path / "audit.csv").read_text(encoding="utf-8-sig").splitlines()
    assert sheet == str(tmp_path / "audit.csv")
    filled = [text[0], *(line.removesuffix(",,") + ",results," for line in text[1:])]
    (tmp_path / "audit.csv").write_text("\n".join(filled), encoding="utf-8")
    assert main(["review", str(tmp_path), "--judged", sheet]) == 0
    assert "SE-strict 1.000" in capsys.readouterr().out
    assert main(["report", str(tmp_path)]) == 0
    assert "as a person judged a sample" in capsys.readouterr().out
    assert main(["report", str(tmp_path), "--audit", "0"]) == 2
