"""Readers of wrapped data sources: each turns one place into categories of weighted values.

A reader gives `Categories`: name -> value -> weight. What it reads with (HTTP, SQL) comes from
outside, as functions, so that no reader holds a connection and tests need none.
"""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import lxml.html
import pycountry

from hiwe.errors import HiweError
from hiwe.lvs.builtin import builtin_values
from hiwe.lvs.concepts import concepts

Categories = dict[str, dict[str, float]]
Spec = Mapping[str, Any]

TIMEOUT_S = 20.0
LARGEST_CATEGORY = 100_000


class SourceError(HiweError):
    """A source is down, slow or wrong; the message says which and why. It is asked again later."""


@dataclass(frozen=True, slots=True)
class Connectors:
    """How sources reach the world. One that is missing makes its sources unavailable.

    `fetch(url)` gives a body (bytes) or raises OSError; `query(target, sql, label)` gives rows of
    a database (a file or a URL), `label` bound to `:label`, or raises OSError or HiweError.
    """

    fetch: Callable[[str], bytes] | None = None
    query: Callable[[str, str, str], Sequence[Sequence[Any]]] | None = None
    base: Path = field(default_factory=Path)  # what relative paths are relative to


def read_csv(spec: Spec, label: str, at: Connectors) -> Categories:
    """Each column is a category named by its head, or just `column`; `weight_column` weighs."""
    lines = io.StringIO(_text(spec, label, at))
    rows = list(csv.DictReader(lines, delimiter=str(spec.get("delimiter", ","))))
    columns = [spec["column"]] if "column" in spec else list(rows[0] if rows else ())
    return {
        str(spec.get("label", column)): {
            str(row[column]).strip(): _weight(row.get(str(spec.get("weight_column"))), spec)
            for row in rows
            if column in row and str(row[column] or "").strip()
        }
        for column in columns
    }


def read_json(spec: Spec, label: str, at: Connectors) -> Categories:
    """A list of texts, or of objects whose `field` is the value; `items` is a dotted path to it."""
    found: Any = _parsed(_text(spec, label, at))
    for key in filter(None, str(spec.get("items", "")).split(".")):
        found = found.get(key, ()) if isinstance(found, dict) else ()
    if isinstance(found, dict):  # category -> list of values
        return {str(name): _weighted(values, spec) for name, values in found.items()}
    values = [item.get(spec.get("field")) if isinstance(item, dict) else item for item in found]
    return {str(spec.get("label", label)): _weighted(values, spec)}


def read_sparql(spec: Spec, label: str, at: Connectors) -> Categories:
    """First variable of a SELECT at an endpoint; `{label}` in it is the label asked for."""
    query = str(spec["query"]).replace("{label}", label.replace('"', ""))
    url = f"{spec['url']}?{urlencode({'query': query, 'format': 'json'})}"
    answer = _parsed(_fetched(url, at))
    try:
        name = str(spec.get("variable", answer["head"]["vars"][0]))
        rows = answer["results"]["bindings"]
        values = [row[name]["value"] for row in rows if name in row]
    except (KeyError, IndexError, TypeError) as exc:
        raise SourceError(f"{spec['url']} gave no SPARQL results") from exc
    return {str(spec.get("label", label)): _weighted(values, spec)}


def read_sql(spec: Spec, label: str, at: Connectors) -> Categories:
    """First column of a query the value, second the weight; `:label` is the label asked for."""
    if at.query is None:
        raise SourceError("no database connector")
    target = str(spec["database"])
    target = target if "://" in target else str(at.base / target)
    try:
        rows = at.query(target, str(spec["query"]), label)
    except (OSError, HiweError) as exc:
        raise SourceError(f"{spec['database']} cannot be asked: {exc}") from exc
    values = {
        str(row[0]): _weight(row[1] if len(row) > 1 else None, spec)
        for row in rows
        if row and row[0] is not None
    }
    return {str(spec.get("label", label)): values}


def read_html(spec: Spec, label: str, at: Connectors) -> Categories:
    """Columns of an HTML table (`table`: its number from 0), named by the table's first row."""
    tree = lxml.html.document_fromstring(_text(spec, label, at) or "<p>")
    tables = tree.findall(".//table")
    number = int(spec.get("table", 0))
    if number >= len(tables):
        raise SourceError(f"has {len(tables)} tables, table {number} is asked for")
    rows = [
        [" ".join(cell.text_content().split()) for cell in row.iterchildren("th", "td")]
        for row in tables[number].iter("tr")
    ]
    found: Categories = {}
    for column, name in enumerate(rows[0] if rows else ()):
        if spec.get("column") in (None, name):
            values = [row[column] for row in rows[1:] if len(row) > column]
            found[str(spec.get("label", name))] = _weighted(values, spec)
    return found


def read_command(spec: Spec, label: str, at: Connectors) -> Categories:
    """The lines that a command prints; an argument `{label}` is the label asked for (no shell)."""
    arguments = [str(argument).replace("{label}", label) for argument in spec["command"]]
    try:
        done = subprocess.run(
            arguments,
            capture_output=True,
            text=True,
            timeout=float(spec.get("timeout_s", TIMEOUT_S)),
            check=True,
            cwd=at.base,
        )
    except (OSError, subprocess.SubprocessError) as exc:
        raise SourceError(f"{arguments[0]} failed: {exc}") from exc
    return {str(spec.get("label", label)): _weighted(done.stdout.splitlines(), spec)}


def read_directory(spec: Spec, label: str, at: Connectors) -> Categories:
    """ISO and CLDR lists as a directory, off line: subdivisions of each country, countries,
    languages and currencies; months, weekdays, countries and languages as each language has them.
    """
    weight = float(spec.get("weight", 1.0))
    found: Categories = {}
    for one in pycountry.subdivisions:
        if not one.parent_code:
            country = pycountry.countries.get(alpha_2=one.country_code)
            name = f"{country.name if country else one.country_code}: first-level subdivisions"
            found.setdefault(name, {})[one.name] = weight
    found["Countries"] = {country.name: weight for country in pycountry.countries}
    found["Languages"] = {
        language.name: weight for language in pycountry.languages if hasattr(language, "alpha_2")
    }
    found["Currencies"] = {currency.name: weight for currency in pycountry.currencies}
    for code in concepts()["month"]:  # the languages that labels are known in
        for kind in ("months", "weekdays", "countries", "languages"):
            values = builtin_values(kind, code)
            found[f"{kind.capitalize()} ({code})"] = dict.fromkeys(values, weight)
    return found


# type -> (reader, keys it needs: one of each group)
READERS: dict[str, tuple[Callable[[Spec, str, Connectors], Categories], tuple[str, ...]]] = {
    "csv": (read_csv, ("path|url",)),
    "json": (read_json, ("path|url",)),
    "sparql": (read_sparql, ("url", "query")),
    "sql": (read_sql, ("database", "query")),
    "html": (read_html, ("path|url",)),
    "command": (read_command, ("command",)),
    "directory": (read_directory, ()),
}


def _text(spec: Spec, label: str, at: Connectors) -> str:
    if "path" in spec:
        try:
            return (at.base / str(spec["path"])).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as exc:
            raise SourceError(f"{spec['path']} cannot be read: {exc}") from exc
    return _fetched(str(spec["url"]).replace("{label}", quote(label)), at)


def _fetched(url: str, at: Connectors) -> str:
    if at.fetch is None:
        raise SourceError("no HTTP connector")
    try:
        return at.fetch(url).decode("utf-8-sig", "replace")
    except OSError as exc:
        raise SourceError(f"{url} cannot be read: {exc}") from exc


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as exc:
        raise SourceError(f"is no JSON: {exc}") from exc


def _weighted(values: Any, spec: Spec) -> dict[str, float]:
    """The values that are text or numbers, each once, with the source's weight."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        return {}
    plain = (v for v in values if isinstance(v, str | int | float) and not isinstance(v, bool))
    texts = (" ".join(str(value).split()) for value in plain)
    return {text: _weight(None, spec) for text in texts if text}


def _weight(given: Any, spec: Spec) -> float:
    try:
        weight = float(given)
    except (TypeError, ValueError):
        weight = float(spec.get("weight", 0.8))
    return min(1.0, max(0.0, weight))
