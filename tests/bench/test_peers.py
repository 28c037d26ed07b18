"""The comparison with peers: what is measured is what happened."""

from __future__ import annotations

import ast
import json
import sys
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest

from hiwe.bench.peers import environment, shown
from hiwe.bench.peers.figures import Figures, coverage, steady_rate
from hiwe.bench.peers.lines import Written, plain_lines, python_lines
from hiwe.bench.peers.process import measured, memory_mib, stat_of
from hiwe.bench.peers.served import Asked, read_log, served
from hiwe.bench.peers.tools import AUTOMATIC, BY_HAND, SPIDERS
from hiwe.bench.peers.work import SITES, Work, all_directors, hiwe_lines
from hiwe.task import load_task

BUSY = "import time\nend = time.process_time() + {seconds}\nwhile time.process_time() < end: pass\n"
SPIDER = '''"""A spider."""

import json  # for the answer

PATHS = {
    "cineteca": "/a",
}


@decorated
def cineteca(url):
    """Docstring."""
    # a comment
    return json.loads(
        url
    )


class Filmbase:
    name = "filmbase"
'''


def asked(site: str, *shown_ids: str, at: float = 0.0) -> Asked:
    return Asked(site, at, "GET", "/", 200, shown_ids)


def test_processor_time_of_grandchildren_counts(tmp_path) -> None:
    inner = BUSY.format(seconds=0.4)
    outer = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {inner!r}])\n"
    cost = measured([sys.executable, "-c", outer], tmp_path, limit_s=30)
    assert cost.code == 0
    assert 0.35 < cost.cpu_s < 2.0
    assert cost.peak_mib > 1  # looked at now and then: its best moment may be missed


def test_a_process_left_behind_counts_and_is_ended(tmp_path) -> None:
    inner = BUSY.format(seconds=60)
    outer = (
        "import subprocess, sys, time\n"
        f"p = subprocess.Popen([sys.executable, '-c', {inner!r}], start_new_session=True)\n"
        "print(p.pid, flush=True)\ntime.sleep(0.7)\n"
    )
    cost = measured([sys.executable, "-c", outer], tmp_path, limit_s=30, left_s=0.1)
    pid = int((tmp_path / "out.txt").read_text())
    assert cost.code == 0
    assert cost.cpu_s > 0.1
    state = stat_of(pid)
    assert state is None or state.parent == 1 or not memory_mib(pid)


def test_a_command_is_ended_after_its_limit(tmp_path) -> None:
    cost = measured([sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, limit_s=0.3)
    assert cost.code is None
    assert cost.wall_s < 10


def test_a_site_tells_which_records_each_answer_showed(tmp_path) -> None:
    with served(("cineteca",), tmp_path) as urls:
        for path in ("/ricerca.asp", "/risultati.asp?regista=Ang+Lee", "/risultati.asp?pag=2"):
            with urlopen(urljoin(urls["cineteca"], path)) as answer:
                answer.read()
    log = read_log("cineteca", tmp_path / "cineteca.log")
    work = Work(("cineteca",), ("Ang Lee",), 1.0)
    assert [(len(one.shown), one.is_first) for one in log.asked] == [
        (0, False),
        (len(work.wanted("cineteca")), True),
        (15, False),
    ]
    assert set(log.asked[1].shown) == work.wanted("cineteca")


def test_records_count_once_and_by_site() -> None:
    requests = [asked("a", "1", "2"), asked("b", "1"), asked("a", "2", "3")]
    assert coverage(requests) == [2, 3, 4]
    assert coverage(requests, {"a": frozenset("3"), "b": frozenset()}) == [0, 0, 1]


def test_the_steady_rate_counts_while_all_sites_are_at_work() -> None:
    early = [float(n) for n in range(11)]  # until 10
    late = [4.0 + n for n in range(11)]  # from 4
    assert steady_rate({"a": early, "b": late}) == pytest.approx(12 / 6)
    assert steady_rate({"a": [1.0, 2.0], "b": [3.0, 4.0]}) == pytest.approx(3 / 3)
    assert steady_rate({}) is None


def test_lines_are_counted_without_comments_and_docstrings() -> None:
    assert python_lines(SPIDER, ("cineteca", "filmbase")) == Written(
        {"cineteca": 5, "filmbase": 2}, shared=4
    )
    assert plain_lines("a: 1\n\n# no\n  # no\nb: 2 # yes\n", "#") == 2


def test_a_user_of_hiwe_writes_one_line_a_site() -> None:
    written = hiwe_lines(SITES)
    assert written.per_site == 1
    assert 20 < written.shared < 80


@pytest.mark.parametrize("tool", [*BY_HAND, *AUTOMATIC], ids=lambda tool: tool.name)
def test_a_spider_has_lines_for_every_site_or_is_automatic(tool) -> None:
    written = tool.written(SITES)
    assert (min(written.sites.values()) > 3) == (tool.kind == "by hand")
    assert (environment.FOLDER / tool.where).exists()


@pytest.mark.parametrize("path", sorted(SPIDERS.glob("*.py")), ids=lambda path: path.stem)
def test_spiders_use_nothing_of_hiwe(path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    modules |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert not any(module.startswith("hiwe") for module in modules)


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-wapiti.txt"])
def test_what_peers_need_is_pinned(name) -> None:
    lines = (environment.FOLDER / name).read_text(encoding="utf-8").splitlines()
    assert all("==" in line for line in lines if not line.startswith("#"))
    wanted = json.loads((environment.FOLDER / "package.json").read_text(encoding="utf-8"))
    assert all(version[0].isdigit() for version in wanted["dependencies"].values())


def test_the_task_of_the_comparison_is_the_shipped_one(tmp_path) -> None:
    directors = all_directors()[:3]
    path = Work(SITES, directors, 1.0).write_task(tmp_path, {"cineteca": "http://127.0.0.1:1/"})
    task = load_task(path)
    assert [site.url for site in task.sites] == ["http://127.0.0.1:1/"]
    assert task.politeness.delay_s == 0
    assert task.budget.submissions_per_form == 100


def figures(name: str, kind: str, **values) -> Figures:
    usual = {
        "rounds": 1, "submissions": 10, "requests": 100, "until_last": 50, "records": 100,
        "wanted": 1.0, "parsed": None, "violations": 0, "whole_per_s": 1.0, "records_per_s": 1.0,
        "steady_per_s": 1.0, "spread": 0.0, "cpu_s": 1.0, "wall_s": 1.0, "peak_mib": 1.0,
        "at_budget": {50: 1}, "lines_per_site": 1.0, "lines_shared": 1,
    }  # fmt: skip
    return Figures(name=name, kind=kind, **(usual | values))


def test_a_goal_that_is_missed_is_named_with_both_figures() -> None:
    rows = [
        figures("hiwe, browser", "hiwe", steady_per_s=2.0),
        figures("hiwe, adaptive", "hiwe", requests=60),
        figures("Crawlee", "by hand", steady_per_s=1.0),
        figures("Playwright", "by hand", steady_per_s=4.0),
        figures("wapiti", "automatic"),
        figures("htcrawl", "automatic", records=0),
    ]
    found = shown.result_of(rows, [], Work(SITES, (), 1.0), {"Scrapy": "pip: no\nnetwork"})
    assert found.figures["ratios"]["browser / Crawlee"] == 2.0
    assert found.figures["missed"] == [
        "browser / Playwright is 0.50, the goal is at least 0.9",
        "requests a record / best automatic is 0.60, the goal is at most 0.5",
        "to the last record / best automatic is 1.00, the goal is at most 0.5",
    ]
    assert found.figures["not_compared"] == {"Scrapy": "pip: no\nnetwork"}
