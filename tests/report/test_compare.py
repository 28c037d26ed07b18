"""Two runs side by side."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from hiwe.errors import RunError, UsageError
from hiwe.report.compare import print_comparison
from hiwe.response.response import Verdict
from tests.report.a_run import ONE, TWO, Builder, build, element, form


def printed(*outs):
    file = io.StringIO()
    print_comparison(outs, Console(file=file, width=80))
    return [line.split() for line in file.getvalue().splitlines()]


@pytest.fixture
def other(tmp_path):
    made = Builder(tmp_path / "other")
    made.begin(ONE)
    number = made.meet(form("w", [element("d", "Director")]))
    made.submit(number, "Ida Fenwick", Verdict.RESULTS, ("a", "b"))
    made.run.end("interrupted")
    made.close()
    return tmp_path / "other"


def test_the_figures_stand_in_a_column_each(tmp_path, other):
    lines = printed(build(tmp_path / "run"), other)
    assert lines[0] == ["run", "other"]
    assert ["SE-strict", "0.50", "1.00"] in lines
    assert ["SE-lenient", "0.67", "1.00"] in lines
    assert ["distinct", "records", "4", "2"] in lines
    assert ["status", "finished", "interrupted"] in lines
    assert ["invalid", "1", "0"] in lines
    assert ["blocked", "0", "0"] not in lines
    assert [TWO, "0", "-"] in lines


def test_only_keys_that_differ_are_shown_and_no_secret(tmp_path, other):
    one = build(tmp_path / "run")
    (one / "config.yaml").write_text("ranking: {function: min, rho_min: 0.6}\n")
    (other / "config.yaml").write_text(
        "ranking: {function: average, rho_min: 0.6}\nextra: 1\noutput: x\n"
        "sites: [{url: a, credentials: {user: u, password: secret}}]\n"
    )
    lines = printed(one, other)
    assert ["ranking.function", "min", "average"] in lines
    assert ["extra", "-", "1"] in lines
    assert ["sites[0].url", "-", "a"] in lines
    words = {word for line in lines for word in line}
    assert not any(word for word in words if "rho_min" in word or "secret" in word)
    assert "output" not in words


def test_one_run_cannot_be_compared(other):
    with pytest.raises(UsageError, match="two run directories"):
        printed(other)


def test_the_directory_that_holds_no_run_is_named(tmp_path, other):
    with pytest.raises(RunError, match="nowhere: there is no such directory"):
        printed(other, tmp_path / "nowhere")
