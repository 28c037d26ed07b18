"""Merge: runs of one task joined into one database, by SQL alone, however large they are.

What the tables hold is added run by run (`merge_rules.py`). Known by what they are, not by their
ids, are hosts, actions, forms, submissions and records: what two runs have done counts once, a
record that both found has the finders of both.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hiwe.errors import RunError
from hiwe.lvs.value import Provenance
from hiwe.lvs.weights import posterior
from hiwe.repository.merge_rules import BY_HAND, RULES
from hiwe.repository.records import Records
from hiwe.repository.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from hiwe.repository.database import Database
    from hiwe.repository.merge_rules import Rule

MERGED = "merged"  # of the run's values: the names of the runs that were joined
# Values of a run that say how it was started, and where its archive lies.
LEFT_OUT = frozenset({"command", "shard", "series", "archive", MERGED})
MADE_UP = "made-up paths:"  # begin of values that count
ALL_ENDED = "finished"


def merge_into(db: Database, sources: Mapping[str, Path]) -> None:
    """Add runs to an empty database: name -> its file, in the order in which they count.

    RunError for a file that cannot be read. What is the same in several runs is taken from the
    first that has it, or from that which tells more.
    """
    for number, path in enumerate(sources.values()):
        with _attached(db, path), db.atomic():
            db.execute(
                "CREATE TEMP TABLE map (part TEXT, old INTEGER, new INTEGER, is_new INTEGER,"
                " PRIMARY KEY (part, old)) WITHOUT ROWID"
            )
            for rule in RULES:
                _add(db, rule)
            _join_lvs(db)
            _join_values(db, is_first=number == 0)
            db.execute("DROP TABLE temp.map")
    with db.atomic():
        _order_events(db)
        _tell_apart(db)
        Run(db).set(MERGED, list(sources))


@contextmanager
def _attached(db: Database, path: Path) -> Iterator[None]:
    """Attach a run's database as `source`."""
    if not path.is_file():
        raise RunError(path.parent, f"holds no run (there is no {path.name})")
    db.execute("ATTACH DATABASE ? AS source", (str(path),))
    try:
        yield
    finally:
        db.execute("DETACH DATABASE source")


def _add(db: Database, rule: Rule) -> None:
    """Add the rows of one table."""
    names, values = ", ".join(rule.columns), ", ".join(rule.expressions)
    if not rule.id:
        db.execute(
            f"INSERT INTO main.{rule.table} ({names}) SELECT {values} FROM source.{rule.table} s"
            f" WHERE {rule.only or 'true'} {rule.conflict}"
        )
        return
    _number(db, rule)
    added = (
        f"FROM source.{rule.table} s JOIN map m ON m.part = '{rule.table}' AND m.old = s.{rule.id}"
    )
    db.execute(
        f"INSERT INTO main.{rule.table} ({names}) SELECT {values} {added}"
        f" WHERE m.is_new = 1 ORDER BY s.{rule.id}"
    )
    if rule.better:
        db.execute(
            f"UPDATE main.{rule.table} SET ({names}) = ({values}) {added} AND m.is_new = -1"
            f" WHERE {rule.table}.{rule.id} = m.new"
        )
    for statement in rule.also:
        db.execute(statement)


def _number(db: Database, rule: Rule) -> None:
    """Find out which rows are known, and give those that are not a number."""
    offset = db.value(f"SELECT coalesce(max({rule.id}), 0) FROM main.{rule.table}")
    known, join = "NULL", ""
    if rule.same:
        known, join = f"t.{rule.id}", f"LEFT JOIN main.{rule.table} t ON {rule.same}"
    state = f"iif({known} IS NULL, 1, -({rule.better or 'false'}))"
    db.execute(
        f"INSERT INTO map SELECT '{rule.table}', s.{rule.id},"
        f" coalesce({known}, :offset + s.{rule.id}), {state} FROM source.{rule.table} s {join}",
        {"offset": offset},
    )


def _join_lvs(db: Database) -> None:
    """Add the rows and values of the LVS table; what both runs learned of one is added up."""
    rules: tuple[tuple[str, tuple[str, ...], Callable[[Any, Any], Any]], ...] = (
        ("lvs_rows", ("label",), joined_row),
        ("lvs_values", ("label", "value"), joined_value),
    )
    for table, key, join in rules:
        names = ", ".join(BY_HAND[table][1:])
        match = " AND ".join(f"t.{name} = s.{name}" for name in key)
        both = (
            f"SELECT t.id, t.data AS ours, s.data AS theirs FROM main.{table} t"
            f" JOIN source.{table} s ON {match}"
        )
        changed = [
            (json.dumps(join(json.loads(row["ours"]), json.loads(row["theirs"])),
                        ensure_ascii=False), row["id"])
            for row in db.rows(both)
        ]  # fmt: skip
        db.execute_many(f"UPDATE main.{table} SET data = ? WHERE id = ?", changed)
        db.execute(
            f"INSERT INTO main.{table} ({names}) SELECT {names} FROM source.{table} s"
            f" WHERE NOT EXISTS (SELECT 1 FROM main.{table} t WHERE {match}) ORDER BY s.id"
        )


def joined_row(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a row of the LVS table that two runs have: all aliases, trials summed."""
    aliases = dict.fromkeys([*ours.get("aliases", ()), *theirs.get("aliases", ())])
    trials = zip(ours.get("generic", (0, 0)), theirs.get("generic", (0, 0)), strict=True)
    return theirs | ours | {"aliases": list(aliases), "generic": [a + b for a, b in trials]}


def joined_value(ours: list[Any], theirs: list[Any]) -> list[Any]:
    """Return the data of a value that two runs have: trials summed, its weight by all of them."""
    weight, start, provenance, *_ = ours
    successes, failures = (a + b for a, b in zip(ours[3:5], theirs[3:5], strict=True))
    if not Provenance(provenance).is_fixed:
        weight = posterior(start, successes, failures)
    return [weight, start, provenance, successes, failures]


def _join_values(db: Database, *, is_first: bool) -> None:
    """Join what is known of the runs as a whole."""
    run = Run(db)
    theirs = {r["key"]: json.loads(r["value"]) for r in db.rows("SELECT * FROM source.run")}
    for key, value in theirs.items():
        if key not in LEFT_OUT:
            kept = run.get(key)
            run.set(key, value if is_first or kept is None else _joined(key, kept, value))


def _joined(key: str, ours: Any, theirs: Any) -> Any:
    """Return a value of the run, of that of the joined run and that of the one that is added."""
    if key == "status":
        return ours if ours == theirs else "interrupted"
    if key in ("worked_s", "worked_before_revisit_s", "requests_of_revisit"):
        return ours + theirs
    if key == "started_at":
        return min(ours, theirs)
    if key == "ended_at" or key.startswith(MADE_UP):
        return max(ours, theirs)
    return theirs | ours if key == "schema" else ours


def _order_events(db: Database) -> None:
    """Number the events anew, as they came."""
    db.execute("CREATE TEMP TABLE told AS SELECT * FROM main.events ORDER BY at, id")
    db.execute("DELETE FROM main.events")
    db.execute(
        "INSERT INTO main.events SELECT rowid, at, level, kind, text, site, data FROM told"
        " ORDER BY rowid"
    )
    db.execute("DROP TABLE temp.told")


def _tell_apart(db: Database) -> None:
    """Give the records what their pages say, where another shard has read them."""
    records = Records(db)
    for row in db.rows("SELECT site, key, fields FROM apart ORDER BY site, key"):
        db.execute("DELETE FROM apart WHERE site = ? AND key = ?", (row["site"], row["key"]))
        fields = tuple((name, value) for name, value in json.loads(row["fields"]))
        records.add_fields(row["site"], row["key"], fields)
