"""Wrapped data sources: read, grown from examples, passed over when they fail, asked again."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from hiwe.errors import ConfigError
from hiwe.lvs import LvsTable, Provenance
from hiwe.lvs.readers import Connectors
from hiwe.lvs.sources import RETRY_S, Sources

if TYPE_CHECKING:
    from pathlib import Path

WORKS = "author,title,score\nIda Fenwick,Salt Roads,0.9\nOmar Velt,Brass Engines,\n"
TABLE = "<table><tr><th>Town<th>Region</tr><tr><td>Assisi<td>Umbria</tr></table>"
SPARQL = {"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"value": "Salt"}}]}}


def weights(sources: Sources, label: str) -> dict[str, float]:
    category = sources.category(label)
    return dict(category.values) if category else {}


def test_examples_grow_to_the_category_that_holds_them_all() -> None:
    (regions, *_) = Sources([{"type": "directory"}]).expand(["Marche", "umbria", "Molise"])
    assert len(regions.values) == 20
    assert "Toscana" in regions.values
    assert Sources([{"type": "directory"}]).expand(["Marche", "Texas"]) == []
    assert Sources([{"type": "directory"}]).expand([]) == []


def test_csv_columns_are_categories(tmp_path: Path) -> None:
    (tmp_path / "works.csv").write_text(WORKS)
    spec = {"type": "csv", "path": "works.csv", "weight_column": "score", "weight": 0.6}
    sources = Sources([spec], Connectors(base=tmp_path))
    assert weights(sources, "Authors") == {"Ida Fenwick": 0.9, "Omar Velt": 0.6}
    assert weights(sources, "Publisher") == {}


@pytest.mark.parametrize(
    ("spec", "body", "expected"),
    [
        ({"type": "json", "items": "a.b", "field": "n"}, {"a": {"b": [{"n": "x"}, {}]}}, ["x"]),
        ({"type": "json"}, ["x", 7, None, True], ["x", "7"]),
        ({"type": "json"}, {"Titles": ["x", "y"]}, ["x", "y"]),
        ({"type": "sparql", "query": "SELECT ?x {}"}, SPARQL, ["Salt"]),
    ],
    ids=["path", "list", "categories", "sparql"],
)
def test_json_over_http(spec: dict[str, Any], body: object, expected: list[str]) -> None:
    fetch = Connectors(fetch=lambda url: json.dumps(body).encode())
    sources = Sources([{**spec, "url": "http://127.0.0.1/x"}], fetch)
    assert list(weights(sources, "Title")) == expected


def test_the_label_asked_for_goes_into_the_url_and_each_is_asked_once() -> None:
    asked: list[str] = []

    def fetch(url: str) -> bytes:
        asked.append(url)
        return b'["x"]'

    sources = Sources([{"type": "json", "url": "http://h/?q={label}"}], Connectors(fetch=fetch))
    for label in ("Book title", "Author", "Author"):
        assert weights(sources, label) == {"x": 0.8}
    assert asked == ["http://h/?q=Book%20title", "http://h/?q=Author"]


def test_html_tables_are_read_by_their_head() -> None:
    sources = Sources(
        [{"type": "html", "url": "http://h/"}], Connectors(fetch=lambda _: TABLE.encode())
    )
    assert weights(sources, "Region") == {"Umbria": 0.8}


def test_sql_rows_are_values_and_weights() -> None:
    def query(target: str, sql: str, label: str) -> list[tuple[str, float]]:
        assert (target, sql, label) == ("sqlite:///x", "SELECT :label", "Author")
        return [("Ida Fenwick", 0.5)]

    spec = {"type": "sql", "database": "sqlite:///x", "query": "SELECT :label"}
    assert weights(Sources([spec], Connectors(query=query)), "Author") == {"Ida Fenwick": 0.5}


def test_a_commands_lines_are_values() -> None:
    spec = {"type": "command", "command": [sys.executable, "-c", "print('a\\n\\n b ')"]}
    assert weights(Sources([spec]), "Author") == {"a": 0.8, "b": 0.8}


def test_a_source_that_fails_is_passed_over_and_asked_again_later() -> None:
    now, answers = [0.0], [OSError("down"), b'["x"]']

    def fetch(url: str) -> bytes:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer

    spec = {"type": "json", "url": "http://h/"}
    sources = Sources([spec], Connectors(fetch=fetch), clock=lambda: now[0])
    assert weights(sources, "Author") == {}
    assert weights(sources, "Author") == {}
    assert len(sources.notes) == 1
    assert "down" in sources.notes[0]
    now[0] = RETRY_S
    assert weights(sources, "Author") == {"x": 0.8}


@pytest.mark.parametrize(
    "spec",
    [
        {"type": "json", "url": "http://h/"},
        {"type": "csv", "path": "nowhere.csv"},
        {"type": "command", "command": ["/nowhere/program"]},
        {"type": "sql", "database": "x", "query": "SELECT 1"},
    ],
    ids=lambda spec: spec["type"],
)
def test_a_source_that_cannot_answer_never_raises(spec: dict[str, Any]) -> None:
    sources = Sources([spec], Connectors(fetch=lambda _: b"<html>"))
    assert sources.category("Author") is None
    assert len(sources.notes) == 1


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ({"type": "ftp"}, "lvs.sources[0].type"),
        ({"type": "csv"}, "lvs.sources[0].path"),
        ({"type": "sparql", "url": "x"}, "lvs.sources[0].query"),
        ({"type": "directory", "weight": 2}, "lvs.sources[0].weight"),
        ({"type": "command", "command": "ls"}, "lvs.sources[0].command"),
    ],
)
def test_a_wrong_description_is_refused_at_once(spec: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Sources([spec])
    assert caught.value.key_path == key


def test_labelled_sources_become_rows_whose_weights_move() -> None:
    fetch = Connectors(fetch=lambda _: b'["x"]')
    sources = Sources([{"type": "json", "url": "http://h/", "label": "Author"}], fetch)
    table = LvsTable(sources.rows())
    (change,) = table.reward([("Author", "x")], succeeded=False, cause="t")
    assert table.rows[0].values.provenance("x") is Provenance.SOURCE
    assert change.after < change.before == 0.8
