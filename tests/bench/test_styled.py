"""The styled benchmark: the simple rules it measures against, and what it says without npm."""

from __future__ import annotations

import pytest

from hiwe.bench.simple import by_layout, by_order
from hiwe.bench.styled_sheets import FRAMEWORKS, style_sheets
from hiwe.errors import UsageError
from hiwe.page.page import Box, Control, Page, TextRun


def text(said, x, y, order):
    return TextRun(said, Box(x, y, 60, 16), 14, bold=False, visible=True, tag="p", order=order)


def field(index, x, y, order, kind="text"):
    box = Box(x, y, 100, 20)
    return Control(index, "input", kind, f"f{index}", "", "", 0, box, visible=True, order=order)


def test_text_order_takes_the_text_before_and_behind_a_box():
    controls = (field(0, 0, 0, 2), field(1, 0, 40, 4, "radio"))
    texts = (text("Title", 300, 0, 1), text("Format", 0, 20, 3), text("DVD", 110, 40, 5))
    page = Page("http://a.example/", 200, "", controls=controls, texts=texts)
    assert by_order(page) == {0: "Title", 1: "DVD"}


def test_layout_takes_the_left_then_what_stands_above():
    controls = (field(0, 100, 50, 1), field(1, 100, 110, 2))
    texts = (text("Above", 100, 30, 3), text("Left", 30, 52, 4), text("Over", 100, 90, 5))
    page = Page("http://a.example/", 200, "", controls=controls, texts=texts)
    assert by_layout(page) == {0: "Left", 1: "Over"}


def test_missing_npm_is_told_with_the_folder_and_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"lacks the style sheets .* npm, .* apt-get install npm"):
        style_sheets(tmp_path / "css")


def test_kept_style_sheets_need_no_npm(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in FRAMEWORKS:
        (tmp_path / f"{name}.css").write_text(f"/* {name} */", encoding="utf-8")
    assert style_sheets(tmp_path) == {name: f"/* {name} */" for name in FRAMEWORKS}
