"""Kill tests: a run that is killed again and again ends with what an unbroken one finds."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.catalogue import having, list_page
from tests.crawling import read_back, write_config
from tests.served import Reply, Served

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.slow]

KILLS = int(os.environ.get("HIWE_KILLS", "6"))  # each is a start of the whole program
FORM = """<form action="/find" method="post">
<label>Author <input name="a"></label>
<label>Year <select name="y"><option value="">any</option>{}</select></label>
<button>Find</button></form>"""
YEARS = tuple(str(year) for year in range(1980, 2022))


def _find(request):
    found = having(author=request.value("a")) if request.value("a") else having()
    if request.value("y"):
        found = [r for r in found if str(r.year) == request.value("y")]
    return Reply(list_page(found), delay_s=0.05)


ROUTES = {
    "/": FORM.format("".join(f"<option>{year}</option>" for year in YEARS)),
    "POST /find": _find,
}


def _start(config: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "hiwe", "run", str(config), "--out", str(out), "--quiet"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _finish(config: Path, out: Path) -> None:
    process = _start(config, out)
    _, said = process.communicate(timeout=180)
    assert process.returncode == 0, said.decode()


def _records(out: Path) -> dict[str, dict[str, str]]:
    lines = (out / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["id"]: record["fields"] for record in map(json.loads, lines)}


def _kill_in_the_middle(
    process: subprocess.Popen[bytes], site: Served, chance: random.Random
) -> None:
    """Let a process make a few requests, then kill it at any moment of the next."""
    enough = len(site.log) + chance.randint(1, 7)
    patience = time.monotonic() + 60
    while len(site.log) < enough and process.poll() is None and time.monotonic() < patience:
        time.sleep(0.01)
    time.sleep(chance.uniform(0.0, 0.3))
    if process.poll() is not None:
        said = process.stderr.read().decode() if process.stderr else ""
        pytest.fail(f"ended by itself with {process.returncode}: {said}")
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    assert process.stderr is not None
    process.stderr.close()


def test_many_kills_lose_and_repeat_nothing(tmp_path):
    chance = random.Random(7)
    with Served(ROUTES) as site:
        config = write_config(tmp_path, (site.url,))
        whole, broken = tmp_path / "whole", tmp_path / "broken"
        _finish(config, whole)
        unbroken = Counter(r.body for r in site.to("/find"))
        site.log.clear()
        for _ in range(KILLS):
            _kill_in_the_middle(_start(config, broken), site, chance)
        _finish(config, broken)
        asked = Counter(r.body for r in site.to("/find"))
    assert _records(broken) == _records(whole)
    assert set(asked) == set(unbroken)
    assert sum(asked.values()) <= sum(unbroken.values()) + KILLS  # only what was in flight
    result = read_back(broken)
    keys = Counter((s.form, s.key) for s in result.submissions)
    assert max(keys.values()) == 1
    assert result.verdicts == read_back(whole).verdicts
    for file in sorted((broken / "warc").glob("*.warc.gz")):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                record.content_stream().read()
