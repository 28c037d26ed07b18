"""Inspect tells of a page that it answers an error, and shows what stands there."""

from __future__ import annotations

from hiwe.cli import main
from tests.served import Reply, Served

BOX = "<form action=/find><label>Title <input name=t></label><button>Search</button></form>"


def test_a_page_that_answers_an_error_is_told(chromium, capsys):
    with Served({"/gone": Reply(BOX, status=404)}) as site:
        assert main(["inspect", f"{site.url}gone"]) == 1
        url = site.url
    told = capsys.readouterr()
    assert f"hiwe: {url}gone: answers 404" in told.err
    assert "Title" in told.out
