"""How the rows of a run come into another: for every table its columns, and what becomes of each.

The run that is added is attached as `source`; its rows are `s`, those of the run that it is added
to are `main`'s. Ids are numbered anew: the temporary table `map` tells, for each table and old id,
the new one and whether the row is new (1), known (0), or known and to be replaced by one that tells
more (-1).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NOT_MERGED: Mapping[str, str] = {
    "migrations": "the joined run has its own",
    "run": "joined value by value",
    "handed": "what was handed over is in the frontier of the shard that it is for",
    "received": "so it was",
}


def new_id(table: str, old: str) -> str:
    """Return the SQL expression of the new id of a row."""
    return f"(SELECT new FROM map WHERE part = '{table}' AND old = {old})"


@dataclass(frozen=True, slots=True)
class Rule:
    """How the rows of one table are added.

    `columns` are all its columns. `values` gives the expression of a column, `s`'s own if it has
    none. With `id`, the rows are numbered anew; one is known if a row `t` of the joined run meets
    `same` ('' if none can be), and is replaced if `better` holds. `also` are statements for rows
    that are known. Without an id, `conflict` says what becomes of a row that is there already.
    """

    table: str
    columns: tuple[str, ...]
    id: str = ""
    same: str = ""
    better: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    conflict: str = ""
    only: str = ""  # condition on the rows that are added, where there is no id

    @property
    def expressions(self) -> tuple[str, ...]:
        """What each column gets."""
        own = {self.id: "m.new"} if self.id else {}
        return tuple((own | dict(self.values)).get(name, f"s.{name}") for name in self.columns)


FORM, SUBMISSION, RECORD = (
    new_id("forms", "s.form"), new_id("submissions", "s.submission"),
    new_id("records", "s.record"),
)  # fmt: skip
ACTION_FORM = new_id("forms", "json_extract(s.payload, '$.form')")
# What stands behind the kind, and behind the number that follows it.
_REST = "substr(s.fingerprint, length(s.kind) + 2)"
_LATER = f"substr({_REST}, instr({_REST}, ':') + 1)"
_ROUND = new_id("rounds", f"cast({_REST} AS INTEGER)")
# The identity of an action that sends an assignment names its form, that of a revisit its round.
FINGERPRINT = (
    "CASE WHEN s.kind IN ('submit', 'probe')"
    f" THEN s.kind || ':' || {ACTION_FORM} || ':' || {_LATER}"
    f" WHEN s.kind = 'recheck' THEN s.kind || ':' || {_ROUND} || ':' || {ACTION_FORM} || ':'"
    f" || substr({_LATER}, instr({_LATER}, ':') + 1)"
    " ELSE s.fingerprint END"
)
EVENT_DATA = "json_replace(s.data, {})".format(
    ", ".join(
        f"'$.{name}', " + new_id(table, f"json_extract(s.data, '$.{name}')")
        for name, table in (("form", "forms"), ("submission", "submissions"), ("page", "pages"))
    )
)


def _progress(state: str) -> str:
    """How far an action or a submission has come, as a number."""
    return (
        f"CASE {state} WHEN 'judged' THEN 6 WHEN 'sent' THEN 5 WHEN 'done' THEN 5"
        " WHEN 'failed' THEN 4 WHEN 'step' THEN 3 WHEN 'not_sent' THEN 2 WHEN 'skipped' THEN 2"
        " ELSE 1 END"
    )


def _sent(database: str, form: str) -> str:
    return f"(SELECT count(*) FROM {database}.submissions c WHERE c.form = {form})"


# Fields of both: those of the first, then those of the second under names that are new.
BOTH_FIELDS = (
    "(SELECT json_group_array(json(pair)) FROM (SELECT value AS pair FROM"
    " json_each(records.fields) UNION ALL SELECT value FROM json_each(s.fields) WHERE"
    " json_extract(value, '$[0]') NOT IN (SELECT json_extract(value, '$[0]') FROM"
    " json_each(records.fields))))"
)
KNOWN_RECORDS = (
    f"UPDATE main.records SET fields = {BOTH_FIELDS}, url = coalesce(records.url, s.url),"
    " warc = iif(records.warc = '', s.warc, records.warc),"
    " gone_at = iif(max(s.last_seen, coalesce(s.gone_at, 0)) >"
    " max(records.last_seen, coalesce(records.gone_at, 0)), s.gone_at, records.gone_at),"
    " first_seen = min(records.first_seen, s.first_seen),"
    " last_seen = max(records.last_seen, s.last_seen)"
    " FROM source.records s JOIN map m ON m.part = 'records' AND m.old = s.id AND m.is_new = 0"
    " WHERE records.id = m.new"
)
KNOWN_HOSTS = (
    "UPDATE main.hosts SET next_allowed_at = max(hosts.next_allowed_at, s.next_allowed_at),"
    " delay_s = max(hosts.delay_s, s.delay_s), response_s = max(hosts.response_s, s.response_s),"
    " stopped = iif(hosts.stopped = '', s.stopped, hosts.stopped),"
    " session_names = (SELECT json_group_array(value) FROM (SELECT value FROM"
    " json_each(hosts.session_names) UNION SELECT value FROM json_each(s.session_names)))"
    " FROM source.hosts s JOIN map m ON m.part = 'hosts' AND m.old = s.id AND m.is_new = 0"
    " WHERE hosts.id = m.new",
    "UPDATE main.hosts SET (robots_url, robots_status, robots_text, robots_fetched_at,"
    " robots_expires_at, robots_failures) = (s.robots_url, s.robots_status, s.robots_text,"
    " s.robots_fetched_at, s.robots_expires_at, s.robots_failures)"
    " FROM source.hosts s JOIN map m ON m.part = 'hosts' AND m.old = s.id AND m.is_new = 0"
    " WHERE hosts.id = m.new"
    " AND coalesce(s.robots_fetched_at, 0) > coalesce(hosts.robots_fetched_at, 0)",
)
KNOWN_ACTIONS = (
    "UPDATE main.actions SET in_links = actions.in_links + s.in_links"
    " FROM source.actions s JOIN map m ON m.part = 'actions' AND m.old = s.id AND m.is_new < 1"
    " WHERE actions.id = m.new"
)
# A record that was known is new to nobody any more.
FOUND_BEFORE = (
    "WITH first AS (SELECT min(f.submission) AS old FROM source.record_finders f JOIN map r"
    " ON r.part = 'records' AND r.old = f.record AND r.is_new = 0 GROUP BY f.record),"
    " lost AS (SELECT m.new, count(*) AS number FROM first JOIN map m ON m.part = 'submissions'"
    " AND m.old = first.old AND m.is_new <> 0 GROUP BY m.new)"
    " UPDATE main.submissions SET new_records = max(0, new_records - lost.number)"
    " FROM lost WHERE submissions.id = lost.new"
)
OWN_FORM = "(SELECT is_new FROM map WHERE part = 'forms' AND old = s.form) <> 0"

# In an order in which each refers to those before it.
RULES: tuple[Rule, ...] = (
    Rule(
        "sites", ("url", "position", "stopped"),
        conflict="ON CONFLICT (url) DO UPDATE SET position = min(position, excluded.position),"
        " stopped = iif(stopped = '', excluded.stopped, stopped)",
    ),
    Rule(
        "hosts",
        ("id", "key", "next_allowed_at", "delay_s", "backoff", "block_streak", "failure_streak",
         "response_s", "stopped", "robots_url", "robots_status", "robots_text",
         "robots_fetched_at", "robots_expires_at", "robots_failures", "session_names", "ready",
         "claimed"),
        id="id", same="t.key = s.key",
        values={"ready": "0", "claimed": "0"},  # triggers of `actions` count them
        also=KNOWN_HOSTS,
    ),
    Rule(
        "forms",
        ("id", "site", "fingerprint", "url", "action", "method", "decision", "reason", "form",
         "knowledge", "state", "transport", "stopped", "estimated_total", "first_seen", "found"),
        id="id", same="t.site = s.site AND t.fingerprint = s.fingerprint",
        better="(s.decision = 'chosen') > (t.decision = 'chosen') OR (s.decision = t.decision"
        f" AND {_sent('source', 's.id')} > {_sent('main', 't.id')})",
        also=(
            "DELETE FROM main.elements WHERE form IN"
            " (SELECT new FROM map WHERE part = 'forms' AND is_new = -1)",
        ),
    ),
    Rule(
        "rounds", ("number", "began_at", "ended_at"), id="number",
    ),
    Rule(
        "submissions",
        ("id", "form", "key", "site", "assignment", "rank", "probe", "state", "reason", "verdict",
         "confidence", "evidence", "features", "method", "url", "body", "landed", "fills",
         "transport", "attempts", "result_pages", "records", "new_records", "truncated",
         "archived", "claimed_at", "ended_at", "duration_s"),
        id="id", same=f"t.form = {FORM} AND t.key = s.key",
        better=f"{_progress('s.state')} > {_progress('t.state')}",
        values={"form": FORM},
    ),
    Rule(
        "actions",
        ("id", "host", "site", "kind", "method", "url", "fingerprint", "depth", "priority",
         "score", "state", "reason", "attempts", "crashes", "not_before", "lease_until",
         "payload", "anchor", "in_links", "parent", "added_at", "ended_at"),
        id="id", same=f"t.fingerprint = {FINGERPRINT}",
        better=f"{_progress('s.state')} > {_progress('t.state')}",
        values={
            "host": new_id("hosts", "s.host"),
            "fingerprint": FINGERPRINT,
            "state": "iif(s.state = 'claimed', 'open', s.state)",
            "lease_until": "NULL",
            "payload": f"json_replace(s.payload, '$.form', {ACTION_FORM})",
            "parent": new_id("actions", "s.parent"),
        },
        also=(KNOWN_ACTIONS,),
    ),
    Rule(
        "shapes", ("host", "shape", "addresses", "stale", "closed", "refused"),
        conflict="ON CONFLICT (host, shape) DO UPDATE SET"
        " addresses = addresses + excluded.addresses, stale = max(stale, excluded.stale),"
        " closed = iif(closed = '', excluded.closed, closed), refused = refused + excluded.refused",
    ),
    Rule(
        "pages",
        ("id", "action", "site", "url", "purpose", "status", "content_type", "title", "language",
         "digest", "etag", "last_modified", "depth", "links", "fetched_at", "duration_s", "warc",
         "archived"),
        id="id", values={"action": new_id("actions", "s.action")},
    ),
    Rule(
        "form_pages", ("form", "url"), values={"form": FORM}, conflict="ON CONFLICT DO NOTHING"
    ),
    Rule(
        "elements",
        ("form", "position", "name", "label", "label_source", "kind", "matched_row", "similarity",
         "rule"),
        values={"form": FORM}, only=OWN_FORM,
    ),
    Rule(
        "records",
        ("id", "site", "key", "fields", "url", "warc", "first_seen", "last_seen", "gone_at"),
        id="id", same="t.site = s.site AND t.key = s.key",
        also=(KNOWN_RECORDS, FOUND_BEFORE),
    ),
    Rule(
        "record_finders", ("record", "submission", "agrees"),
        values={"record": RECORD, "submission": SUBMISSION}, conflict="ON CONFLICT DO NOTHING",
    ),
    Rule("apart", ("site", "key", "fields"), conflict="ON CONFLICT DO NOTHING"),
    Rule(
        "lvs_changes",
        ("id", "at", "label", "value", "before", "after", "cause", "submission"),
        id="id", values={"submission": SUBMISSION},
    ),
    Rule(
        "sketches", ("id", "site", "url", "hashes"), id="id",
        same="t.id = (SELECT min(k.id) FROM main.sketches k WHERE k.site = s.site"
        " AND k.url = s.url)",
    ),
    Rule(
        "sketch_keys", ("key", "page"), values={"page": new_id("sketches", "s.page")},
        only="(SELECT is_new FROM map WHERE part = 'sketches' AND old = s.page) <> 0",
    ),
    Rule(
        "rechecks", ("round", "submission", "at", "verdict", "complete", "records"),
        values={"round": new_id("rounds", "s.round"), "submission": SUBMISSION},
        conflict="ON CONFLICT DO NOTHING",
    ),
    Rule(
        "changes",
        ("id", "round", "at", "site", "what", "kind", "ref", "form", "before", "after"),
        id="id", values={"round": new_id("rounds", "s.round"), "form": FORM},
    ),
    Rule(
        "drawn", ("submission", "at"), values={"submission": SUBMISSION},
        conflict="ON CONFLICT DO NOTHING",
    ),
    Rule(
        "judged", ("submission", "verdict", "note", "at"), values={"submission": SUBMISSION},
        conflict="ON CONFLICT DO NOTHING",
    ),
    Rule(
        "events", ("id", "at", "level", "kind", "text", "site", "data"), id="id",
        values={"data": EVENT_DATA},
    ),
)  # fmt: skip
# Rows and values of the LVS table, whose counts are added up: joined in `merge.py`.
BY_HAND = {
    "lvs_rows": ("id", "label", "data"),
    "lvs_values": ("id", "label", "value", "data"),
}
