"""Assist: a person's corrections, read, changed and written; faults name file and key path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiwe.errors import ConfigError
from hiwe.task.assist import (
    Assist,
    ElementHints,
    FormHints,
    assist_beside,
    read_assist,
    write_assist,
)

if TYPE_CHECKING:
    from pathlib import Path

SITE, PAGE, FORM = "http://127.0.0.1:8701", "http://127.0.0.1:8701/search", "3f9a"
WRITTEN = """\
rows:
- label: Genre
  aliases: [Kind]
  values: {Drama: 1.0, 1984: 0.5}
sites:
  http://127.0.0.1:8701:
    skip: true
    forms:
    - form: 3f9a
      page: http://127.0.0.1:8701/search
      search: false
      submitter: Find films
      elements:
        year: {label: no, row: null, pin: [1984, true story], ban: [2001-01-01]}
"""


def given(tmp_path: Path, text: str) -> Assist:
    path = tmp_path / "assist.yaml"
    path.write_text(text, encoding="utf-8")
    return read_assist(path)


def test_values_are_texts_as_written(tmp_path: Path) -> None:
    assist = given(tmp_path, WRITTEN)
    form = assist.site(SITE).form(FORM)
    assert assist.rows[0].values == {"Drama": 1.0, "1984": 0.5}
    assert assist.site(SITE).skip
    assert form.search is False
    assert form.submitter == "Find films"
    assert form.elements["year"] == ElementHints(
        label="no", row=None, pin=("1984", "true story"), ban=("2001-01-01",)
    )


def test_what_is_written_reads_back_equal(tmp_path: Path) -> None:
    assist = given(tmp_path, WRITTEN)
    write_assist(tmp_path / "again.yaml", assist)
    assert read_assist(tmp_path / "again.yaml") == assist
    assert (tmp_path / "again.yaml").read_text(encoding="utf-8").startswith("# What a person")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.yaml", "assist.yaml"]


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "sites:\n", "rows: []\n"])
def test_an_empty_file_corrects_nothing(tmp_path: Path, text: str) -> None:
    assert given(tmp_path, text) == Assist()
    assert read_assist(tmp_path / "missing.yaml") == Assist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("site: {}", "site is no known key; did you mean sites?"),
        ("- rows", "is no mapping; begin with `sites:` or `rows:`"),
        ("rows: [{label: ''}]", "rows[0].label is empty; give text"),
        ("rows: [{values: [a]}]", "rows[0].label is missing; give text"),
        ("rows: [{label: A, values: {b: 2}}]", "rows[0].values.b is 2; give a number from 0 to 1"),
        ("sites: {http://h/: {skip: yes}}", "sites.http://h.skip is yes; give true or false"),
        ("sites: {h: {skip: true}}", "sites has the site h, no address"),
        ("sites: {http://h/a: {}, http://h/b: {}}", "sites has the site http://h/b twice"),
        (
            "sites: {http://h: {forms: [{form: a, serch: true}]}}",
            "sites.http://h.forms[0].serch is no known key; did you mean"
            " sites.http://h.forms[0].search?",
        ),
        (
            "sites: {http://h: {forms: [{form: a, elements: {q: {pin: [[]]}}}]}}",
            "sites.http://h.forms[0].elements.q.pin[0] is an empty list; give text",
        ),
        (
            "sites: {http://h: {forms: [{form: a}, {form: a}]}}",
            "sites.http://h.forms has the form a twice; join the two",
        ),
        ("rows: []\nrows: []", "is no valid YAML in line 2, column 1: rows is given twice"),
    ],
)
def test_a_fault_names_file_and_key_path(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        given(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'assist.yaml'}: {said}")


def test_changes_are_laid_over_what_was_said() -> None:
    one = Assist().with_element(SITE + "/", FORM, PAGE, "director", label="Director")
    two = one.with_element(SITE, FORM, PAGE, "director", row=None, ban=["Unknown", " "])
    two = two.with_form(PAGE, FORM, PAGE, search=True)
    assert one.site(SITE).form(FORM).elements == {"director": ElementHints(label="Director")}
    assert two.site(PAGE).form(FORM) == FormHints(
        form=FORM,
        page=PAGE,
        search=True,
        elements={"director": ElementHints(label="Director", row=None, ban=("Unknown",))},
    )


def test_pinned_is_not_banned() -> None:
    banned = Assist().with_element(SITE, FORM, PAGE, "d", ban=["Éric", "Ann"])
    pinned = banned.with_element(SITE, FORM, PAGE, "d", pin=["eric"])
    element = pinned.site(SITE).form(FORM).elements["d"]
    assert (element.pin, element.ban) == (("eric",), ("Ann",))


def test_taking_everything_back_leaves_nothing_in_the_file() -> None:
    assist = (
        Assist()
        .with_element(SITE, FORM, PAGE, "d", label="Director", row="Director", pin=["A"])
        .with_form(SITE, FORM, PAGE, search=False)
        .with_site(SITE, skip=True)
        .with_row("Genre", ["Drama"])
    )
    assert set(assist.written()) == {"rows", "sites"}
    back = (
        assist.with_element(SITE, FORM, PAGE, "d", label="", row="", pin=[])
        .with_form(SITE, FORM, PAGE, search=None)
        .with_site(SITE, skip=False)
        .without_row("genre")
    )
    assert back.written() == {}


def test_a_row_of_the_same_label_is_replaced_in_its_place() -> None:
    assist = Assist().with_row("Genre", ["Drama"]).with_row("Year", {"1984": 0.5})
    assist = assist.with_row(" genre", {"Noir": 0.9}, aliases=["Kind"])
    assert assist.written()["rows"] == [
        {"label": "genre", "aliases": ["Kind"], "values": {"Noir": 0.9}},
        {"label": "Year", "values": {"1984": 0.5}},
    ]


def test_the_file_is_in_order_however_it_came_about() -> None:
    one = Assist().with_form("http://b", "2", "http://b/2", search=True)
    one = one.with_form("http://b", "1", "http://b/1", search=True).with_site("http://a", skip=True)
    two = Assist().with_site("http://a", skip=True)
    two = two.with_form("http://b", "1", "http://b/1", search=True)
    two = two.with_form("http://b", "2", "http://b/2", search=True)
    assert one.written() == two.written()
    assert list(one.written()["sites"]) == ["http://a", "http://b"]
    assert [form["form"] for form in one.written()["sites"]["http://b"]["forms"]] == ["1", "2"]


@pytest.mark.parametrize("weight", [2.0, -1.0])
def test_a_change_that_is_none_says_why(weight: float) -> None:
    with pytest.raises(ConfigError, match=r"rows\[0\]\.values\.a is .*; give a number from 0 to 1"):
        Assist().with_row("Genre", {"a": weight})


def test_bundled_sites_are_told_by_their_name() -> None:
    assert Assist().with_site("fixture://movies", skip=True).site("fixture://movies").skip


def test_the_file_lies_beside_the_configuration(tmp_path: Path) -> None:
    assert assist_beside(tmp_path / "movies.yaml") == tmp_path / "assist.yaml"
