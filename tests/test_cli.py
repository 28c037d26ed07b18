"""The command line: bad input is one clear line and the right exit code, results go to stdout."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from hiwe.cli import main
from hiwe.report.costs import Work, read_costs
from hiwe.report.stages import REST, WAIT
from tests.catalogue import EMPTY_PAGE
from tests.crawling import read_back, write_config
from tests.served import Reply, Served, by

FORM = """<form action="/find"><label>Genre <select name="g"><option value="sf">Science fiction
</option><option value="hi">History</option></select></label><button>Find</button></form>"""


def said(capsys) -> str:
    """The one line on stderr."""
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.strip().splitlines()
    assert len(lines) == 1, captured.err
    assert "Traceback" not in captured.err
    return lines[0]


def test_a_missing_configuration_is_named(capsys, tmp_path):
    assert main(["run", str(tmp_path / "no.yaml")]) == 2
    assert "no.yaml" in said(capsys)


def test_a_misspelt_key_is_named_with_its_path(capsys, tmp_path):
    config = tmp_path / "task.yaml"
    config.write_text("task: x\nsites: [http://127.0.0.1:9/]\nranking: {rho_mim: 0.5}\n")
    assert main(["run", str(config)]) == 2
    line = said(capsys)
    assert "ranking.rho_mim" in line
    assert "rho_min" in line


def test_a_value_out_of_range_is_named_with_what_to_give(capsys, tmp_path):
    config = write_config(tmp_path, ("http://127.0.0.1:9/",))
    assert main(["run", str(config), "--set", "ranking.rho_min=1.4"]) == 2
    assert "ranking.rho_min is 1.4" in said(capsys)


def test_a_directory_without_a_run_is_named(capsys, tmp_path):
    assert main(["report", str(tmp_path)]) == 1
    assert str(tmp_path) in said(capsys)


def test_a_profile_without_its_libraries_says_what_to_install(capsys, tmp_path, monkeypatch):
    config = write_config(tmp_path, ("http://127.0.0.1:9/",))
    monkeypatch.setitem(sys.modules, "pyinstrument", None)
    assert main(["run", str(config), "--out", str(tmp_path / "run"), "--profile"]) == 2
    assert "pip install 'hiwe[profile]'" in said(capsys)


def test_an_unknown_command_is_a_usage_error():
    assert main(["crawl"]) == 2


def test_no_browser_is_said_at_once(capsys, tmp_path):
    config = write_config(tmp_path, ("http://127.0.0.1:9/",))
    nowhere = f"browser.executable={tmp_path / 'chromium'}"
    assert main(["run", str(config), "--out", str(tmp_path / "run"), "--set", nowhere]) == 1
    assert "chromium" in said(capsys)


@pytest.mark.browser
def test_a_bad_site_does_not_hinder_the_others(tmp_path, unreachable_url, chromium):
    picture = Reply(b"\x89PNG\r\n\x1a\n", content_type="image/png")
    with (
        Served({"/": FORM, "/find": by("genre", "g")}) as good,
        Served({"/": picture}) as no_html,
        Served({"/": Reply(EMPTY_PAGE, 404)}) as missing,
    ):
        urls = (unreachable_url, no_html.url, missing.url, good.url)
        config = write_config(tmp_path, urls)
        out = tmp_path / "run"
        assert main(["run", str(config), "--out", str(out), "--quiet", "--profile"]) == 0
    costs = read_costs(out)
    pages = json.loads((out / "summary.json").read_text(encoding="utf-8"))["totals"]["pages"]
    assert costs.work == Work(pages, submissions=2, answers=2)
    assert costs.stages[WAIT] > 0
    busy = {stage: s for stage, s in costs.stages.items() if stage not in (WAIT, REST)}
    assert max(busy.values()) > 0
    assert sum(costs.stages.values()) == pytest.approx(costs.wall_s, rel=0.2)
    assert "Cost by stage" in (out / "report.html").read_text(encoding="utf-8")
    assert (out / "profile.html").stat().st_size > 10_000
    result = read_back(out)
    assert result.verdicts == ["results", "results"]
    assert len(result.records) == 7
    assert "does not answer" in result.sites[unreachable_url]
    assert "is no web page" in result.sites[no_html.url]
    assert "404" in result.sites[missing.url]
    assert result.sites[good.url] == ""


@pytest.mark.browser
def test_a_run_that_reached_no_site_has_failed(tmp_path, unreachable_url, chromium):
    config = write_config(tmp_path, (unreachable_url,))
    assert main(["run", str(config), "--out", str(tmp_path / "run"), "--quiet"]) == 1


@pytest.mark.browser
def test_ctrl_c_saves_the_state_and_the_same_command_goes_on(tmp_path, chromium):
    slow = by("genre", "g")
    routes = {"/": FORM, "/find": lambda request: Reply(str(slow(request)), delay_s=1.5)}
    with Served(routes) as site:
        config = write_config(tmp_path, (site.url,))
        out = tmp_path / "run"
        command = [sys.executable, "-m", "hiwe", "run", str(config), "--out", str(out)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        patience = time.monotonic() + 90
        while not site.to("/find") and time.monotonic() < patience:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        assert process.returncode == 130, errors.decode()
        assert b"Traceback" not in errors
        assert json.loads((out / "summary.json").read_text())["status"] == "interrupted"
        assert main(["run", str(config), "--out", str(out), "--quiet"]) == 0
        assert len({r.query for r in site.to("/find")}) == 2
    assert read_back(out).verdicts == ["results", "results"]
    assert output


@pytest.mark.browser
def test_inspect_prints_one_json_object_a_page_and_sends_nothing(tmp_path, capsys, chromium):
    file = tmp_path / "page.html"
    file.write_text(FORM, encoding="utf-8")
    with Served({"/": FORM, "/find": by("genre", "g")}) as site:
        assert main(["inspect", "--json", site.url, str(file)]) == 0
        assert site.to("/find") == []
        url = site.url
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [o["url"] for o in objects] == [url, str(file)]
    for page in objects:
        (form,) = page["forms"]
        (element,) = form["elements"]
        assert form["searchable"] is True
        assert element["label"] == "Genre"
        assert element["kind"] == "select"
        assert [o["label"] for o in element["options"]] == ["Science fiction", "History"]
        assert page["controls_outside_forms"] == []


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_is_told_the_commands(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "reanalyse" in script
    assert "--screenshot" in script
