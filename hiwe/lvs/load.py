"""LVS table files: YAML that a person reads and edits, and the errors that say where it is wrong.

A file is a list of rows: `label`, `aliases`, `values` and, rarely, `concept` (the common concept
meant). `values` is a list (weight 1) or a mapping value -> weight; a learned value has a mapping
in place of its weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import yaml

from hiwe.errors import ConfigError
from hiwe.lvs.builtin import check_category
from hiwe.lvs.concepts import concepts
from hiwe.lvs.row import Row
from hiwe.lvs.value import Provenance
from hiwe.lvs.value_set import ValueRecord

if TYPE_CHECKING:
    from pathlib import Path

ROW_KEYS = ("label", "aliases", "values", "concept", "provenance", "category", "generic")
VALUE_KEYS = ("weight", "provenance", "start", "successes", "failures")


def load_rows(path: Path) -> list[Row]:
    """The rows of one file; ConfigError names file and key path of what is wrong."""
    try:
        source = path.read_text(encoding="utf-8-sig")
    except OSError as exc:
        why = exc.strerror or "cannot be read"
        raise ConfigError(f"cannot read this LVS table: {why}; mend lvs.tables", path) from exc
    except UnicodeDecodeError as exc:
        raise ConfigError("is not UTF-8; save it as UTF-8", path) from exc
    return parse_rows(source, path)


def parse_rows(source: str, file: str | Path = "LVS table") -> list[Row]:
    """The rows of YAML text. Scalars are kept as written: a year, a date or `no` is a value."""
    try:
        loaded = yaml.load(source, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except yaml.YAMLError as exc:
        raise ConfigError(f"is no valid YAML: {exc}", file) from exc
    if loaded in (None, ""):
        return []
    if not isinstance(loaded, list):
        raise ConfigError("is no list; write one '- label: ...' a row", file)
    return [_row(item, f"[{at}]", file) for at, item in enumerate(loaded)]


def _row(item: Any, key: str, file: str | Path) -> Row:
    if not isinstance(item, dict):
        raise ConfigError("is no row; write 'label:' and 'values:'", file, key)
    unknown = sorted(set(item) - set(ROW_KEYS))
    if unknown:
        known = ", ".join(ROW_KEYS)
        raise ConfigError(f"is an unknown key; known are {known}", file, f"{key}.{unknown[0]}")
    label = item.get("label")
    if not isinstance(label, str) or not label.strip():
        raise ConfigError("is missing; give the row a label", file, f"{key}.label")
    row = Row(label.strip(), _aliases(item.get("aliases"), f"{key}.aliases", file))
    row.concept = _concept(item.get("concept"), f"{key}.concept", file)
    row.provenance = _provenance(item.get("provenance", "explicit"), f"{key}.provenance", file)
    row.category = _category(item.get("category"), f"{key}.category", file)
    counts = item.get("generic") or ["0", "0"]
    if not isinstance(counts, list) or len(counts) != 2:
        raise ConfigError("is no pair [successes, failures]", file, f"{key}.generic")
    row.generic_successes, row.generic_failures = (
        _number(count, f"{key}.generic", file) for count in counts
    )
    for record in _records(item.get("values"), row.provenance, f"{key}.values", file):
        if record.value not in row.values or row.values.weight(record.value) < record.weight:
            row.values.put(record)
    return row


def _aliases(given: Any, key: str, file: str | Path) -> tuple[str, ...]:
    if given in (None, ""):
        return ()
    given = [given] if isinstance(given, str) else given
    if not isinstance(given, list) or not all(isinstance(a, str) and a.strip() for a in given):
        raise ConfigError("is no list of texts", file, key)
    return tuple(dict.fromkeys(alias.strip() for alias in given))


def _concept(given: Any, key: str, file: str | Path) -> str | None:
    if given in (None, ""):
        return None
    if given not in concepts():
        raise ConfigError(f"is no concept: {given}; take one of lvs/concepts.yaml", file, key)
    return str(given)


def _category(given: Any, key: str, file: str | Path) -> str | None:
    if given in (None, ""):
        return None
    try:
        check_category(str(given))
    except ConfigError as exc:
        raise ConfigError(str(exc.message), file, key) from exc
    return str(given)


def _provenance(given: Any, key: str, file: str | Path) -> Provenance:
    try:
        return Provenance(given)
    except ValueError:
        known = ", ".join(Provenance)
        raise ConfigError(f"is {given}; take one of {known}", file, key) from None


def _records(given: Any, row: Provenance, key: str, file: str | Path) -> Iterable[ValueRecord]:
    if given in (None, ""):
        return
    if isinstance(given, list):
        given = dict.fromkeys(_texts(given, key, file), "1.0")
    if not isinstance(given, Mapping):
        raise ConfigError("is neither a list nor a mapping value -> weight", file, key)
    for value, weight in given.items():
        at = f"{key}.{value}"
        if not isinstance(value, str) or not value.strip():
            raise ConfigError("has an empty value", file, key)
        yield _record(" ".join(value.split()), weight, row, at, file)


def _texts(given: list[Any], key: str, file: str | Path) -> Iterable[str]:
    for at, value in enumerate(given):
        if not isinstance(value, str) or not value.strip():
            raise ConfigError("is no text; put it in quotes", file, f"{key}[{at}]")
        yield value


def _record(value: str, given: Any, row: Provenance, key: str, file: str | Path) -> ValueRecord:
    if not isinstance(given, Mapping):
        weight = _number(given, key, file, highest=1.0)
        return ValueRecord(value, weight, weight, row)
    unknown = sorted(set(given) - set(VALUE_KEYS))
    if unknown:
        known = ", ".join(VALUE_KEYS)
        raise ConfigError(f"is an unknown key; known are {known}", file, f"{key}.{unknown[0]}")
    weight = _number(given.get("weight", "1.0"), f"{key}.weight", file, highest=1.0)
    start = _number(given.get("start", str(weight)), f"{key}.start", file, highest=1.0)
    counts = [_number(given.get(name, "0"), f"{key}.{name}", file) for name in VALUE_KEYS[3:]]
    provenance = _provenance(given.get("provenance", row.value), f"{key}.provenance", file)
    return ValueRecord(value, weight, start, provenance, *counts)


def _number(given: Any, key: str, file: str | Path, *, highest: float = float("inf")) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number <= highest:
        wanted = "a number from 0 to 1" if highest == 1.0 else "a number of 0 or more"
        raise ConfigError(f"is {given}; give {wanted}", file, key)
    return number


def dump_rows(rows: Iterable[Row], *, one_a_line: bool = False) -> str:
    """YAML of the rows, as `parse_rows` reads it; with `one_a_line` each value has its line."""
    return yaml.dump(
        [_plain_row(row) for row in rows],
        allow_unicode=True,
        sort_keys=False,
        width=100_000 if one_a_line else 100,
        # None: innermost lists and mappings on as few lines as a person writes
        default_flow_style=False if one_a_line else None,
    )


def _plain_row(row: Row) -> dict[str, Any]:
    plain: dict[str, Any] = {"label": row.label}
    if row.aliases:
        plain["aliases"] = list(row.aliases)
    for key in ("concept", "category"):
        if getattr(row, key):
            plain[key] = getattr(row, key)
    if row.provenance is not Provenance.EXPLICIT:
        plain["provenance"] = row.provenance.value
    if row.generic_successes or row.generic_failures:
        plain["generic"] = [row.generic_successes, row.generic_failures]
    values = {r.value: _plain_value(r, row.provenance) for r in row.values.records()}
    plain["values"] = list(values) if all(v == 1.0 for v in values.values()) else values
    return plain


def _plain_value(record: ValueRecord, row: Provenance) -> float | dict[str, Any]:
    plain: dict[str, Any] = {"weight": record.weight}
    if record.provenance is not row:
        plain["provenance"] = record.provenance.value
    if record.start != record.weight:
        plain["start"] = record.start
    for name in ("successes", "failures"):
        if getattr(record, name):
            plain[name] = getattr(record, name)
    return record.weight if plain.keys() == {"weight"} else plain
