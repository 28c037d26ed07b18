"""The feed of what revisits found new, changed or gone: JSON Feed 1.1 (jsonfeed.org), newest first.

A reader that subscribes to the file is told of each change once: an item's id is the revisit and
the record.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hiwe.report.directory import opened
from hiwe.repository.records import record_id
from hiwe.repository.rounds import CHANGED, GONE, RECORD, Rounds
from hiwe.repository.run import Run

if TYPE_CHECKING:
    from pathlib import Path

    from hiwe.repository.database import Database
    from hiwe.repository.rounds import Change

FILE = "feed.json"
VERSION = "https://jsonfeed.org/version/1.1"
MOST_ITEMS = 1000
LONGEST_TITLE = 120


def write_feed(out: Path) -> Path | None:
    """Write the feed of a run's revisits beside its records; None if it was never revisited."""
    with opened(out) as db:
        rounds = Rounds(db)
        if rounds.last() is None:
            return None
        changes = [change for change in rounds.changes() if change.what == RECORD]
        items = [_item(db, change) for change in reversed(changes[-MOST_ITEMS:])]
        title = f"{Run(db).get('task', '')}: records"
    feed = {"version": VERSION, "title": title, "items": items}
    path = out / FILE
    path.write_text(json.dumps(feed, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def _item(db: Database, change: Change) -> dict[str, Any]:
    """One change as an item of the feed."""
    row = db.row(
        "SELECT url, fields FROM records WHERE site = ? AND key = ?", (change.site, change.ref)
    )
    identity = record_id(change.site, change.ref)
    fields = dict(json.loads(row["fields"])) if row else {}
    item: dict[str, Any] = {
        "id": f"{change.round}:{identity}",
        "title": f"{change.kind}: {next(iter(fields.values()), change.ref)}"[:LONGEST_TITLE],
        "content_text": _told(change, fields),
        "date_published": datetime.fromtimestamp(change.at, UTC).isoformat(timespec="seconds"),
        "tags": [change.kind, change.site],
        "_hiwe": {
            "record": identity,
            "kind": change.kind,
            "site": change.site,
            "before": change.before,
            "after": change.after,
        },
    }
    if row and row["url"]:
        item["url"] = row["url"]
    return item


def _told(change: Change, fields: dict[str, str]) -> str:
    """The change in words: the fields, or what they were and are."""
    if change.kind == CHANGED:
        return "\n".join(
            f"{name}: {change.before.get(name, '')} -> {value}"
            for name, value in change.after.items()
        )
    shown = change.before if change.kind == GONE else fields
    return "\n".join(f"{name}: {value}" for name, value in shown.items())
