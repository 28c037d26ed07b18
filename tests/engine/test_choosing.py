"""`hiwe run --engine`: what cannot be had is said in one line; what workers get is picklable."""

from __future__ import annotations

import asyncio
import pickle
import sys

import pytest

from hiwe.cli import main
from hiwe.crawl.hands import Hands
from hiwe.errors import RunError
from hiwe.task import parse_task

TASK = "task: t\nsites: [http://127.0.0.1:9/]\n"


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "task.yaml"
    path.write_text(TASK, encoding="utf-8")
    return path


def _run(config, *options):
    return main(["run", str(config), "--out", str(config.parent / "run"), *options])


def test_without_ray_it_is_said_how_to_get_it(config, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "hiwe.engine.ray", raising=False)
    assert _run(config, "--engine", "ray") == 2
    assert "--engine ray needs Ray: pip install 'hiwe[ray]'" in capsys.readouterr().err


def test_an_address_of_ray_goes_with_its_engine_alone(config, capsys):
    assert _run(config, "--ray-address", "127.0.0.1:6379") == 2
    assert "--ray-address goes with --engine ray" in capsys.readouterr().err


def test_hands_can_be_sent_to_another_machine(tmp_path):
    hands = Hands(parse_task(TASK), tmp_path / "warc")
    assert pickle.loads(pickle.dumps(hands)) == hands


def test_a_worker_that_does_not_see_the_run_directory_says_so(tmp_path):
    hands = Hands(parse_task(TASK), tmp_path / "elsewhere" / "warc")
    with pytest.raises(RunError, match=r"is not to be seen on .*; give an --out that all nodes"):
        asyncio.run(hands(1))
